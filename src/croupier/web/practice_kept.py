"""What the trainer remembers of somebody: drills, and how well they decide.

The house keeps it for whoever is signed in; a stranger's own browser keeps it, for a year. It buys nothing, so whoever
changes it deceives only themselves; whatever does not read is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

from litestar.datastructures import Cookie
from msgspec import Struct

from croupier.analysis import DrillCard
from croupier.cards import parse_cards
from croupier.errors import CroupierError
from croupier.server import Caller, Desk
from croupier.store import keep_practice, practice_of

__all__ = ["DRILLS", "Practice", "practice_before", "practice_text", "read_practice", "remember"]

DRILLS: Final = "croupier_drills"
_MOST: Final = 50
"""Drills that are kept: a browser keeps 4,096 bytes."""
_YEAR: Final = 365 * 86_400
_ITEM: Final = re.compile(
    r"([a-z0-9-]{1,40})~([A-Za-z0-9]{1,20})~([a-z0-9.]{1,16})~([1-9])~(\d{1,10})~((?:[2-9TJQKA][cdhs]){2,7})~([a-z0-9.]{0,40})"
)
_TALLY: Final = re.compile(r"(\d{1,9})_(\d{1,9})_(\d{1,60})_([1-9]\d{0,59})_([0-9a-z.]{0,20})")


class Practice(Struct, frozen=True, kw_only=True):
    """Drills, and the decisions so far."""

    drills: tuple[DrillCard, ...] = ()
    decisions: int = 0
    right: int = 0
    cost: Fraction = Fraction(0)
    """What the mistakes would have cost at the stakes chosen, in cents."""
    last: str = ""
    """The decision that was counted last: sent again, it is not counted again."""


def read_practice(text: str) -> Practice:
    """What a browser has kept.

    >>> kept = read_practice("3_2_45_2_!md-mississippi-stud~A~2.1~1~29800000~Jc5d~")
    >>> kept.right, str(kept.cost), kept.drills[0].kind, kept.drills[0].cards
    (2, '45/2', 'md-mississippi-stud A 2.1', 'Jc 5d')
    >>> read_practice("anything") == Practice()
    True
    """
    tally, *items = text[:4096].split("!")
    match = _TALLY.fullmatch(tally)
    if match is None:
        return Practice()
    decisions, right, above, below = map(int, match.groups()[:4])
    return Practice(
        drills=tuple({drill.kind: drill for drill in _drills(items[:_MOST])}.values()),
        decisions=decisions,
        right=min(right, decisions),
        cost=Fraction(above, below),
        last=match[5],
    )


def _drills(items: list[str]) -> Iterator[DrillCard]:
    for item in items:
        match = _ITEM.fullmatch(item)
        if match is None:
            continue
        book, table, row, box, minute, cards, bets = match.groups()
        try:
            named = parse_cards(" ".join(cards[place : place + 2] for place in range(0, len(cards), 2)))
            due = datetime.fromtimestamp(int(minute) * 60, UTC)
        except (CroupierError, OverflowError, OSError, ValueError):
            continue
        yield DrillCard(
            kind=f"{book} {table} {row}",
            cards=" ".join(map(str, named)),
            bets=tuple(bets.split(".")) if bets else (),
            box=int(box),
            due=due,
        )


async def practice_before(desk: Desk, caller: Caller, kept: str) -> Practice:
    """What is remembered of somebody; `kept` is what their browser has, used until the house keeps some."""
    stored = await practice_of(desk.hall.store, caller.id) if _is_person(caller) else ""
    return read_practice(stored or kept)


async def remember(desk: Desk, caller: Caller, practice: Practice) -> Cookie:
    """Keep this of somebody; the cookie is for their browser, empty where the house keeps it."""
    text = practice_text(practice)
    if _is_person(caller):
        await keep_practice(desk.hall.store, caller.id, text, desk.doors.now())
    return Cookie(
        key=DRILLS,
        value="" if _is_person(caller) else text,
        max_age=0 if _is_person(caller) else _YEAR,
        samesite="strict",
        secure=desk.doors.secure,
        httponly=True,
        path="/trainer",
    )


def _is_person(caller: Caller) -> bool:
    return caller.is_somebody and caller.scope is None


def practice_text(practice: Practice) -> str:
    """Practice as text: of too many drills those that are known least."""
    kept = sorted(practice.drills, key=lambda drill: (drill.box, drill.due))[:_MOST]
    cost = practice.cost
    tally = f"{practice.decisions}_{practice.right}_{cost.numerator}_{cost.denominator}_{practice.last}"
    return "!".join([tally, *map(_item, kept)])


def _item(drill: DrillCard) -> str:
    # The minute begins before the drill is due: what is due at once is due at once when it is read again.
    minute = int(drill.due.timestamp()) // 60
    cards = drill.cards.replace(" ", "")
    return "~".join([*drill.kind.split(" "), str(drill.box), str(minute), cards, ".".join(drill.bets)])
