"""Write docs/events.md: every event that a record can hold, with its fields.

python tools/events.py            write it
python tools/events.py --check    exit 1 if it has gone stale
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import types
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from croupier.cards import Card
from croupier.games import events as round_events
from croupier.games import results
from croupier.ledger import HouseEvent
from croupier.money import Cents, MeterUnits
from croupier.table import events as table_events
from croupier.table.events import Entry, Event, Hidden
from croupier.table.people import Person

TARGET = Path(__file__).parents[1] / "docs" / "events.md"
HEAD = """# Events

Everything that the record of a table, and the house's own, can hold, made from the code by `tools/events.py`.
[The journal](journal.md) has the form of a line. `cents` are whole cents, `meter units` 1/10,000 cent; a commitment
binds the house to a card that lies face down. A field that may be left out has its default beside it.
"""
HOUSE = """The stream `house`, whose lines have no `rules` and no `round`; [people](people.md) says what they mean.
"""


def main() -> int:
    text = page()
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            print("events: docs/events.md is stale; run `python tools/events.py`")
            return 1
        return 0
    TARGET.write_text(text)
    print(f"events: {len(get_args(Event))} events")
    return 0


def page() -> str:
    """The whole page."""
    kinds = get_args(Event)
    rounds = [kind for kind in kinds if kind.__module__ == round_events.__name__]
    tables = [kind for kind in kinds if kind not in rounds]
    parts = [HEAD, "## The envelope\n", section(Entry), section(Person)]
    parts += [f"## At a table: {len(tables)} events\n", *map(section, tables)]
    parts += [f"## In a round: {len(rounds)} events\n", *map(section, rounds)]
    house = get_args(HouseEvent)
    parts += [f"## In the house's own record: {len(house)} events\n", HOUSE, *map(section, house)]
    values: tuple[type[Struct], ...] = (
        results.WagerSettled,
        results.CouponSettled,
        results.EnvyPaid,
        results.MeterAward,
    )
    parts += ["## Values inside them\n", *map(section, values)]
    return "\n".join(parts)


def section(kind: type[Struct]) -> str:
    """One event or value: its name, what it says, its fields."""
    tag = kind.__struct_config__.tag
    name = f"`{tag}`" if tag else snake(kind.__name__)
    words = " ".join((inspect.getdoc(kind) or "").split())
    hints, notes = get_type_hints(kind), field_notes(kind)
    rows = []
    for field in msgspec.structs.fields(kind):
        default = "" if field.required else f", default `{shown(field)}`"
        note = notes.get(field.name, "")
        rows.append(f"| `{field.encode_name}` | {typed(hints[field.name])}{default} | {note} |")
    table = "\n".join(["| field | | |", "|---|---|---|", *rows]) + "\n" if rows else ""
    return f"### {name}\n\n{words}\n\n{table}"


def shown(field: msgspec.structs.FieldInfo) -> str:
    return msgspec.json.encode(field.default).decode() if field.default is not msgspec.NODEFAULT else "none"


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()


def typed(hint: Any) -> str:  # noqa: ANN401 - any hint of a field
    """What a field holds, in words."""
    origin, inner = get_origin(hint), get_args(hint)
    plain = {
        Cents: "cents", MeterUnits: "meter units", Card: "card", Hidden: "commitments", Person: "role and id",
        int: "number", str: "text", bool: "true or false", bytes: "bytes in base64", date: "date", datetime: "time",
        type(None): "null",
    }  # fmt: skip
    if hint in plain:
        return plain[hint]
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in inner)
    if origin in {Union, types.UnionType}:
        if all(isinstance(one, type) and issubclass(one, Struct) for one in inner):
            return "one of the events below"
        return " or ".join(typed(one) for one in inner)
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return f"list of {typed(inner[0])}" if get_origin(inner[0]) is not tuple else f"list of [{pair(inner[0])}]"
        return f"[{', '.join(map(typed, inner))}]"
    return snake(hint.__name__).lower()


def pair(hint: Any) -> str:  # noqa: ANN401 - any hint of a field
    return ", ".join(typed(one) for one in get_args(hint))


def field_notes(kind: type[Struct]) -> dict[str, str]:
    """The docstrings that stand below fields."""
    notes: dict[str, str] = {}
    homes = (round_events.__name__, table_events.__name__, results.__name__)
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith(homes):
            continue
        (body,) = ast.parse(inspect.getsource(base)).body
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for field, after in pairwise(statements):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
                value = after.value
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    notes[field.target.id] = " ".join(value.value.split())
    return notes


if __name__ == "__main__":
    sys.exit(main())
