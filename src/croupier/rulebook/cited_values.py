"""Every value of the law in a rulebook, with its file, its key and what it cites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from croupier.rulebook import schema

__all__ = ["citations", "row_label"]

PARTS: Final = (
    "glossary", "table", "wagers", "paytables", "dealing", "play", "irregularities", "procedure", "options",
)  # fmt: skip
NAMES: Final = (
    "name", "do", "event", "what", "term", "decision", "rule", "method", "hand", "wager", "group", "deal", "says",
)  # fmt: skip
"""The fields that name a row; the first one it has is used."""


def citations(book: schema.Rulebook) -> Iterator[tuple[str, str, schema.Cited]]:
    """Every value of the law in a rulebook: its file, its key and what it cites."""
    for part in PARTS:
        for key, cited in _cited(getattr(book, part), ""):
            yield f"{part}.toml", key, cited


def _cited(value: object, key: str) -> Iterator[tuple[str, schema.Cited]]:
    if isinstance(value, schema.Cited):
        yield key or "clause", value
    elif isinstance(value, schema.Line) and value.clause:
        yield key, schema.Cited(clause=value.clause, reading=value.reading)
    if isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _cited(getattr(value, field), f"{key}.{field}" if key else field)
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield from _cited(item, f"{key}[{row_label(item, place)}]")


def row_label(item: object, place: int) -> str:
    """The name of a row in a list, or its place."""
    match item:
        case schema.Paytable():
            return f"{item.group} {item.id}" + (f", {item.players} players" if item.players else "")
        case schema.Envy():
            return f"{item.paytable} ${item.stake}"
        case schema.MeterMinimum():
            return f"{item.paytable} {item.meter}"
        case schema.BeforeDeal():
            return f"{item.deal} {item.act}"
        case schema.DealScript():
            return f"{item.deal} {item.option}".strip()
        case schema.Announce():
            return item.before
        case schema.RevealRow():
            return f"{item.slot} after {item.after}"
        case schema.Gesture():
            return f"{item.decision} {item.choice} {item.gesture}"
        case schema.DeckHours():
            return " ".join(item.deal)
        case schema.Option():
            return item.rule.name
    for field in NAMES:
        if isinstance(name := getattr(item, field, None), str):
            return name
    return str(place)
