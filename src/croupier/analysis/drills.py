"""Drills: a decision that went wrong comes again, soon at first and then less often, until it is learned.

This is Leitner's box of cards. A mistake puts its kind of decision into the first box, due at once. Each right answer
when it is due moves it to the next box, and it is left alone for that box's time; a wrong one brings it back to the
first. After the last box it is learned. A kind of decision is what one row of the strategy card decides, so that the
same mistake with other cards is the same drill.

>>> from datetime import UTC
>>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
>>> asked = DrillCard(kind="md-mississippi-stud A 2.1", cards="Jc 5d", due=noon)
>>> drills = answered((), asked, right=False, at=noon)
>>> [(drill.box, drill.due == noon) for drill in drills]
[(1, True)]
>>> drills = answered(drills, asked, right=True, at=noon)
>>> [(drill.box, drill.due - noon) for drill in drills]
[(2, datetime.timedelta(seconds=600))]
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["BOXES", "DrillCard", "answered", "due_drills"]

BOXES: Final = (
    timedelta(0),
    timedelta(minutes=10),
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
)
"""How long a drill rests in each box."""


class DrillCard(Struct, frozen=True, kw_only=True):
    """A kind of decision to be repeated, with the hand on which it last went wrong."""

    kind: str
    cards: str
    """The player's cards and those of the board after them."""
    bets: tuple[str, ...] = ()
    """What had been decided before."""
    box: int = 1
    due: datetime


def answered(drills: Iterable[DrillCard], asked: DrillCard, *, right: bool, at: datetime) -> tuple[DrillCard, ...]:
    """The drills after a decision; `asked` says its kind and its hand."""
    known = {drill.kind: drill for drill in drills}
    before = known.get(asked.kind)
    if not right:
        known[asked.kind] = replace(asked, box=1, due=at + BOXES[0])
    elif before is not None and before.due <= at:
        if before.box >= len(BOXES):
            del known[asked.kind]
        else:
            known[asked.kind] = replace(before, box=before.box + 1, due=at + BOXES[before.box])
    return tuple(known.values())


def due_drills(drills: Iterable[DrillCard], at: datetime) -> list[DrillCard]:
    """The drills that are due, the least known first."""
    return sorted((drill for drill in drills if drill.due <= at), key=lambda drill: (drill.box, drill.due, drill.kind))
