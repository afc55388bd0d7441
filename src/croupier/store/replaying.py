"""Every settlement of a table judged again from its record alone, by the law of its day.

A hand that is settled at its turn follows from the cards. What is settled immediately follows from a move: a fold, a
withdrawal, a finding, a player who leaves, a ruling. That move is made again, on the round as it was before it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from croupier.errors import RuleViolation
from croupier.games import Action, Round, apply, box_at
from croupier.games import events as round_events
from croupier.games.actions import Decide, DeclareUndecided, FindConduct, Leave, Reveal, Rule, Settle
from croupier.store.audit import table_entries
from croupier.store.store import Store
from croupier.table import Entry
from croupier.table.events import Event

__all__ = ["Replayed", "judged_again", "replay"]

_Settlement: TypeAlias = round_events.HandSettled | round_events.EnvySettled
_SETTLING: Final = frozenset({"fold", "withdraw"})
"""Decisions that settle something at once."""


class Replayed(NamedTuple):
    """A settlement of a round, judged again from the record alone.

    Where one is missing that should have come before, the entry is the one that stands in its place.
    """

    entry: Entry
    agrees: bool


async def replay(store: Store, stream: str) -> AsyncIterator[Replayed]:
    """Every settlement of a table again, also of envy: the round before it is settled anew by the law of its day."""
    again = _Again()
    async for before, entry, _, _ in table_entries(store, stream):
        if before is not None and before.round is not None:
            for agrees in again.judge(before.round, entry.event):
                yield Replayed(entry, agrees)


def judged_again(record: Iterable[tuple[Round | None, Entry]]) -> Iterator[Replayed]:
    """The same for entries at hand, each with the round before it."""
    again = _Again()
    for state, entry in record:
        if state is not None:
            yield from (Replayed(entry, agrees) for agrees in again.judge(state, entry.event))


class _Again:
    """What the move that was made last still has to settle."""

    def __init__(self) -> None:
        self._due: list[_Settlement] = []

    def judge(self, state: Round, event: Event) -> Iterator[bool]:
        """Whether each settlement in this event is right; False also for one that should have come before it."""
        match event:
            case round_events.HandSettled(what="immediate"):
                # Hands that folded are collected before cards are turned up.
                if not self._due and state.at.reveal is not None:
                    self._due = _settled_by(state, Reveal(state.at.reveal.slot))
                yield bool(self._due) and self._due.pop(0) == event
            case round_events.HandSettled(what="hand" | "last" as what, seat=seat):
                yield from self._missing()
                yield event in _settled_by(state, Settle(what, seat))
            case round_events.EnvySettled():
                yield from self._missing()
                yield event in _settled_by(state, Settle("envy"))
            case round_events.CardsRevealed(slot=slot) if slot != "player":
                yield from self._missing()
                self._due = _settled_by(state, Reveal(slot))
                yield from self._missing()
            case round_events.RoundClosed():
                yield from self._missing()
            case _ if (move := _move_of(state, event)) is not None:
                yield from self._missing()
                self._due = _settled_by(state, move)

    def _missing(self) -> Iterator[bool]:
        if self._due:
            self._due = []
            yield False


def _move_of(state: Round, event: Event) -> Action | None:
    """The move that an event begins, if moves of its kind settle anything immediately."""
    match event:
        case round_events.DecisionMade(seat=seat, choice=choice) if choice in _SETTLING:
            return DeclareUndecided(seat) if event.declared else Decide(seat, choice)
        case round_events.ConductFound(seat=seat, rule=rule):
            return FindConduct(seat, rule)
        case round_events.PlayerLeft(seat=seat, how=how):
            box = box_at(state, seat)
            boxes = [other for other in state.boxes if box is not None and other.player == box.player]
            return None if any(other.absent for other in boxes) else Leave(seat, how)  # the first box stands for all
        case round_events.IrregularityRuled(irregularity=irregularity, seat=seat, void=void) if void != "nothing":
            return Rule(irregularity, seat)
    return None


def _settled_by(state: Round, move: Action) -> list[_Settlement]:
    """What a move settles; nothing if the rules do not allow it."""
    try:
        events = apply(state, move)[1]
    except RuleViolation:
        return []
    return [event for event in events if isinstance(event, _Settlement)]
