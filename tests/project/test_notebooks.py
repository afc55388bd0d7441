"""The notebooks in examples/ run, and show what they say."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, str]:
    """What a cell prints, and the value of its last line, as a notebook shows them."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), "" if value is None else repr(value)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_shows_what_the_notebook_says(path: Path) -> None:
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            shown = {"stream": "", "execute_result": ""}
            for output in cell["outputs"]:
                text = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
                shown[output["output_type"]] = "".join(text)
            assert run_cell("".join(cell["source"]), names) == (shown["stream"], shown["execute_result"])
