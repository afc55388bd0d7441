"""Bring the pictures of modules in docs/architecture.md up to date: lines of modules that are gone are dropped, new
modules are added at the end of their picture with the first sentence of their docstring. Then move each new line to
where it reads best; lines that exist keep their place and words.

python tools/architecture.py
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = re.compile(
    r"(?P<head>^## [^\n]*`(?P<package>\w+)`\n(?:(?!^## ).)*?^```text\n)(?P<lines>.*?)(?=^```)", re.MULTILINE | re.DOTALL
)


def modules(folder: Path) -> dict[str, Path]:
    """Modules of a package by file name, and its packages with a slash, each with the file of its docstring."""
    files = {path.name: path for path in sorted(folder.glob("*.py")) if not path.name.startswith("__")}
    return files | {f"{path.parent.name}/": path for path in sorted(folder.glob("*/__init__.py"))}


def first_sentence(path: Path) -> str:
    docstring = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split())
    sentence = re.split(r"\.(?: |$)", docstring, maxsplit=1)[0]
    return sentence[:1].lower() + sentence[1:]


def updated(picture: re.Match[str]) -> str:
    there = modules(ROOT / "src" / "croupier" / picture["package"])
    rows = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in picture["lines"].splitlines()]
    grown = {
        name: f"{name.removesuffix('.py')}/" for names, _ in rows for name in names.split(", ") if name not in there
    }
    renamed = [([grown.get(name, name) for name in names.split(", ")], duty) for names, duty in rows]
    still = [(", ".join(name for name in names if name in there), duty) for names, duty in renamed]
    kept = [(names, duty) for names, duty in still if names]
    named = {name for names, _ in kept for name in names.split(", ")}
    kept += [(name, first_sentence(path)) for name, path in there.items() if name not in named]
    width = max(len(names) for names, _ in kept)
    return picture["head"] + "".join(f"  {names:<{width}}  {duty}\n" for names, duty in kept)


def main() -> None:
    PAGE.write_text(PICTURE.sub(updated, PAGE.read_text()))


if __name__ == "__main__":
    main()
