"""Offers of a table put together: those that differ in a single value become one with a choice of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from croupier.games import CardsOf, Offer

__all__ = ["merged"]

_MONEY: Final = {"amount", "value", "shown"}
_APART: Final = {"place_wager"}
"""Commands whose offers each get a form of their own."""


def merged(offers: Iterable[Offer]) -> list[Offer]:
    """The same offers in fewer: those that differ in a single value become one with a choice of it.

    >>> from croupier.games import offer
    >>> [str(each) for each in merged([offer("sit", seat=1), offer("sit", seat=2), offer("close")])]
    ['sit: seat 1 or 2', 'close']
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for offered in offers:
        groups.setdefault(offered.do, []).append(dict(offered.fields))
    found = []
    for do, group in groups.items():
        rows = group if do in _APART else _joined(_alike(group))
        found += [Offer(do, tuple(row.items())) for row in rows]
    return found


def _alike(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How many cards may follow depends on the first: the most of them is asked for, and the table says the rest."""
    most = max((value.most for row in rows for value in row.values() if isinstance(value, CardsOf)), default=0)
    return [
        {name: CardsOf((), most) if isinstance(value, CardsOf) else value for name, value in row.items()}
        for row in rows
    ]


def _joined(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for name in dict.fromkeys(name for row in rows for name in row):
        if name in _MONEY:
            continue
        buckets: dict[object, list[dict[str, Any]]] = {}
        for place, row in enumerate(rows):
            rest = tuple((key, value) for key, value in row.items() if key != name)
            joins = name in row and _values(row[name]) is not None
            buckets.setdefault((tuple(row), rest) if joins else place, []).append(row)
        if len(buckets) < len(rows):
            return _joined(
                [
                    bucket[0]
                    if len(bucket) == 1
                    else bucket[0] | {name: tuple(dict.fromkeys(v for row in bucket for v in _values(row[name]) or ()))}
                    for bucket in buckets.values()
                ]
            )
    return rows


def _values(allowed: object) -> tuple[object, ...] | None:
    """The values of a field with plain values; None for any other."""
    several = allowed if isinstance(allowed, tuple) else (allowed,)
    plain = all(isinstance(value, int | str) and not isinstance(value, bool) for value in several)
    return several if plain else None
