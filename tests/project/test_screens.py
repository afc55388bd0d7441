"""The rows of `make screens`: each names somebody, a page and steps that there are."""

import importlib.util
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
STEPS: Final = {
    "goto": 2,
    "click": 2,
    "click?": 2,
    "fill": 3,
    "select": 3,
    "press": 2,
    "wait": 2,
    "pause": 2,
    "type": 2,
    "led": 3,
    "lost": 1,
    "unchecked": 1,
    "alter": 2,
    "as": 2,
    "back": 1,
}
"""The words of each step, with how many parts it has."""


@pytest.fixture(scope="module")
def screens() -> ModuleType:
    """`tools/screens.py`."""
    spec = importlib.util.spec_from_file_location("screens", ROOT / "tools/screens.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_every_row_can_be_taken(screens: ModuleType) -> None:
    rows = screens.rows()
    names = [row.name for row in rows]
    assert len(names) == len(set(names))
    for row in rows:
        assert row.name.replace("-", "").isalnum(), row.name
        assert row.path.startswith("/"), row.name
        assert row.role in {"", *screens.NAMES}, row.name
        for step in row.steps:
            assert STEPS.get(step[0]) == len(step), (row.name, step)
            assert step[0] != "as" or step[1] in screens.NAMES, (row.name, step)


@pytest.mark.torture  # two minutes
def test_every_row_leads_to_its_picture(screens: ModuleType) -> None:
    """The words that rows wait for are those of the pages."""
    if not any(map(shutil.which, screens.PROGRAMS)):
        pytest.skip("no Chromium here: install it, or name it in CROUPIER_CHROMIUM")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, str(ROOT / "tools/screens.py"), "--rehearse", "--port", port]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
