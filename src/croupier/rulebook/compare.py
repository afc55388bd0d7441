"""Two rulebooks, or two houses, compared value by value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from croupier.rulebook.cited_values import row_label
from croupier.rulebook.house import HouseRules, present
from croupier.rulebook.schema import Cited, DealStep, Rulebook

__all__ = ["Difference", "diff_houses", "diff_rulebooks"]

_PARTS = ("table", "wagers", "paytables", "dealing", "play", "irregularities", "procedure", "options")
_CITING = {"clause", "also", "reading", "rule"}


class Value(NamedTuple):
    """A value and its clause."""

    text: str
    clause: str = ""


class Difference(NamedTuple):
    """A key at which two differ; None where one of them does not have it."""

    part: str
    key: str
    first: Value | None
    second: Value | None
    below: tuple[tuple[str, str], ...] = ()
    """What only one of them has: every value below the key, by the rest of its own key."""


def diff_rulebooks(first: Rulebook, second: Rulebook) -> list[Difference]:
    """What differs between two rulebooks, apart from clause numbers.

    >>> from croupier.rulebook import load_rulebook
    >>> differences = diff_rulebooks(load_rulebook("md-mississippi-stud"), load_rulebook("ma-mississippi-stud"))
    >>> next(row for row in differences if row.key == "seats.maximum")[2:4]
    (Value(text='6', clause='2.A'), Value(text='7', clause='11bis(c)'))
    """
    return [
        difference
        for part in _PARTS
        for difference in _diff(part, _values(getattr(first, part), "", ""), _values(getattr(second, part), "", ""))
    ]


def diff_houses(first: HouseRules, second: HouseRules) -> list[Difference]:
    """What differs between two houses, apart from the text of their rulebooks."""
    return list(_diff("", _house_values(first), _house_values(second)))


Pairs = Iterator[tuple[str, Value]]


def _house_values(house: HouseRules) -> Pairs:
    """Values by key; a wager that only one house offers is one value."""
    for key, value in present(house).items():
        yield from _values(value, key, "")


def _diff(part: str, first: Pairs, second: Pairs) -> Iterator[Difference]:
    ours, theirs = dict(first), dict(second)
    rows: dict[tuple[str, bool], list[tuple[str, Value]]] = {}
    for key in dict.fromkeys((*ours, *theirs)):
        mine, other = ours.get(key), theirs.get(key)
        if mine is not None and other is not None:
            if mine.text != other.text:
                yield Difference(part, key, mine, other)
            continue
        # What only one of them has is one difference, not one per value.
        lacking = ours if mine is None else theirs
        row = next(
            begin for begin in _beginnings(key) if not any(begin in _beginnings(other_key) for other_key in lacking)
        )
        rows.setdefault((row, mine is not None), []).append((key[len(row) + 1 :], mine or other or Value("")))
    for (row, is_first), values in rows.items():
        words = ", ".join(f"{name} {value.text}" if name else value.text for name, value in values)
        whole = Value(words, values[0][1].clause)
        below = tuple((name, value.text) for name, value in values if name)
        yield Difference(part, row, whole if is_first else None, None if is_first else whole, below)


@cache
def _beginnings(key: str) -> tuple[str, ...]:
    """A key and every key that contains it, the widest first: `a[b]` contains `a[b].c`."""
    depth, ends = 0, []
    for place, letter in enumerate(key):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "." and depth == 0:
            ends.append(place)
    return (*(key[:end] for end in ends), key)


def _values(value: object, key: str, clause: str) -> Pairs:
    """Every plain value below, by its key and with the nearest clause."""
    if isinstance(value, Cited):
        clause = value.clause
    if isinstance(value, Struct):
        fields = [field for field in value.__struct_fields__ if field not in _CITING]
        if not fields:
            yield key, Value("yes", clause)
        for field in fields:
            yield from _values(getattr(value, field), f"{key}.{field}" if key else field, clause)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _values(inner, f"{key}.{name}" if key else str(name), clause)
    elif isinstance(value, tuple) and any(isinstance(item, DealStep) for item in value):
        yield key, Value(", ".join(f"{step.to} {step.cards}" for step in value), clause)  # an order is one value
    elif isinstance(value, tuple) and any(isinstance(item, Struct) for item in value):
        for place, item in enumerate(value):
            yield from _values(item, f"{key}[{row_label(item, place)}]", clause)
    elif isinstance(value, tuple) and value and all(isinstance(item, tuple) for item in value):
        for name, inner in value:
            yield from _values(inner, f"{key}.{name}", clause)
    elif isinstance(value, tuple):
        if value:
            yield key, Value(", ".join(map(str, value)), clause)
    elif value is not None and value != "":
        yield key, Value(str(value), clause)
