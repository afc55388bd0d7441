"""Bring the addresses in docs/api.md up to date: what each is for, and what it answers.

python tools/api.py            write them
python tools/api.py --check    exit 1 if they have gone stale
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from croupier.server.app import make_routes

TARGET = Path(__file__).parents[1] / "docs" / "api.md"
BEGIN, END = "<!-- addresses -->\n", "<!-- end -->"
USUAL = {"400", "401", "403", "413", "429", "503"}
"""Answers that every address may give: the page says so once."""


def main() -> int:
    text = page(TARGET.read_text())
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            print("api: docs/api.md is stale; run `python tools/api.py`")
            return 1
        return 0
    TARGET.write_text(text)
    print("api: written")
    return 0


def page(text: str) -> str:
    """The page with its tables as the routes are."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n" + "\n".join(tables()) + f"\n{rest[rest.index(END) :]}"


def tables() -> Iterator[str]:
    """A row for each address and method."""
    paths: dict[str, dict[str, Any]] = make_routes().openapi_schema.to_schema()["paths"]
    yield from ("| | | answers |", "|---|---|---|")
    for path in sorted(paths):
        for method, route in paths[path].items():
            codes = ", ".join(code for code in sorted(route["responses"]) if code not in USUAL)
            yield f"| `{method.upper()} {path}` | {route['summary']} | {codes} |"
    yield ""


if __name__ == "__main__":
    sys.exit(main())
