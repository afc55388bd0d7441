"""Write docs/reference.md: every public name of every door, with its signature and what it says of itself.

python tools/reference.py            write it
python tools/reference.py --check    exit 1 if it has gone stale
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "reference.md"
DOORS = (
    "croupier.api",
    "croupier.tabular",
    "croupier.cards",
    "croupier.money",
    "croupier.hands",
    "croupier.rulebook",
    "croupier.progressive",
    "croupier.games",
    "croupier.fairness",
    "croupier.table",
    "croupier.driver",
    "croupier.journal",
    "croupier.house",
    "croupier.analysis",
    "croupier.simulation",
    "croupier.floor",
    "croupier.present",
    "croupier.documents",
    "croupier.client",
    "croupier.bots",
    "croupier.errors",
)
HEAD = """# Reference

Every public name, by package, made from the code by `tools/reference.py`. [The library](library.md) shows how they fit
together. What is imported from deeper inside a package is not public and may change.
"""


def main() -> int:
    text = page()
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            print("reference: docs/reference.md is stale; run `python tools/reference.py`")
            return 1
        return 0
    TARGET.write_text(text)
    print(f"reference: {text.count('### ')} names")
    return 0


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name in DOORS:
        door = import_module(name)
        parts.append(f"## `{name}`\n\n{prose(door.__doc__ or '')}")
        parts += [entry(public, getattr(door, public)) for public in sorted(door.__all__, key=str.casefold)]
    return "\n".join(parts)


def entry(name: str, thing: object) -> str:
    """One public name."""
    if inspect.ismodule(thing):
        return f"### `{name}`\n\n{prose(thing.__doc__ or '')}"
    if inspect.isclass(thing):
        shown = f"class {name}"
    elif callable(thing) and not str(thing).startswith("typing."):
        shown = f"{name}{signature(thing)}"
    else:
        return f"### `{name}`\n"
    return f"### `{shown}`\n\n{prose(inspect.getdoc(thing) or '')}"


def signature(thing: object) -> str:
    try:
        text = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "(…)"
    text = re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "…", text.replace("= ''", '= ""'))  # an address is new in each run
    return re.sub(r"\bcroupier\.[\w.]*\.(?=[A-Z])|'", "", text)


def prose(text: str) -> str:
    """A docstring as Markdown: its examples in fences."""
    lines: list[str] = []
    example = False
    for line in inspect.cleandoc(text).splitlines():
        if line.startswith(">>> ") and not example:
            lines.append("```python")
            example = True
        if not line.strip() and example:
            lines.append("```")
            example = False
        lines.append(line)
    if example:
        lines.append("```")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(main())
