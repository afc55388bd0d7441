"""Bring the tables of docs/people.md up to date: who may do and read what, and what a token can allow.

python tools/people.py            write them
python tools/people.py --check    exit 1 if they have gone stale
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from croupier.house import device_scope, rights

TARGET = Path(__file__).parents[1] / "docs" / "people.md"


def main() -> int:
    text = page(TARGET.read_text())
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            print("people: docs/people.md is stale; run `python tools/people.py`")
            return 1
        return 0
    TARGET.write_text(text)
    print(f"people: {len(rights().command)} commands")
    return 0


def page(text: str) -> str:
    """The page with its tables as the rights are."""
    for name, lines in (("commands", commands()), ("reads", reads()), ("scope", scope())):
        table = "\n".join(lines)
        begin, _, rest = text.partition(f"<!-- {name} -->\n")
        text = f"{begin}<!-- {name} -->\n{table}\n{rest[rest.index('<!-- end -->') :]}"
    return text


def commands() -> Iterable[str]:
    yield from ("", "| command | who |", "|---|---|")
    for row in rights().command:
        parts = [(row.by, ""), (row.own, "own: "), (row.players, "players: "), (row.demo, "demo: ")]
        who = "; ".join(f"{word}{said(roles)}" for roles, word in parts if roles)
        yield f"| `{row.do}` | {who or 'the house itself'} |"
    yield ""


def reads() -> Iterable[str]:
    yield from ("", "| what | who |", "|---|---|")
    for row in rights().read:
        yield f"| `{row.what}` | {said(row.by) or f'own: {said(row.own)}'} |"
    yield ""


def scope() -> Iterable[str]:
    yield from ("", f"A token can allow {', '.join(f'`{word}`' for word in sorted(device_scope()))}.", "")


def said(roles: tuple[str, ...]) -> str:
    people = [role for role in rights().roles if role != "device"]
    if set(people) <= set(roles):
        return "everybody" if "device" not in roles else "everybody, devices"
    return ", ".join(role.replace("_", " ") for role in roles)


if __name__ == "__main__":
    sys.exit(main())
