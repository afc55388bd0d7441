"""A closed round in a line, for those who look for it later: by table, time, patron, hand, clause or irregularity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from croupier.errors import BrokenRecord
from croupier.games import EnvyPaid
from croupier.games import events as round_events
from croupier.journal import micros
from croupier.table import Entry

__all__ = ["RoundLine", "SeatLine", "round_line"]


class SeatLine(Struct, frozen=True):
    """One seat of a round."""

    patron: str
    seat: int
    staked: int
    paid: int


class RoundLine(Struct, frozen=True, kw_only=True):
    """A closed round: when, under which rules, what was staked and paid, and what to find it by."""

    stream: str
    number: int
    opened: int
    """In microseconds since 1970, UTC, like `closed`."""
    closed: int
    first: int
    """The number of its first entry; `last` is that of its last."""
    last: int
    rules: str
    void: bool
    staked: int
    paid: int
    hands: tuple[str, ...]
    """The hands that won."""
    clauses: tuple[str, ...]
    irregularities: tuple[str, ...]
    seats: tuple[SeatLine, ...]


def round_line(entries: Sequence[Entry]) -> RoundLine:
    """A closed round from its entries, from the first wager to `round_closed`."""
    patrons: dict[int, str] = {}
    staked: defaultdict[int, int] = defaultdict(int)
    paid: defaultdict[int, int] = defaultdict(int)
    wins: set[tuple[int, str]] = set()
    clauses: set[str] = set()
    irregularities: dict[str, None] = {}
    void = False
    for entry in entries:
        event = entry.event
        clauses.add(getattr(event, "clause", ""))
        match event:
            case round_events.WagerPlaced():
                patrons[event.seat] = event.patron
            case round_events.HandSettled() | round_events.SettlementReversed():
                sign = 1 if isinstance(event, round_events.HandSettled) else -1
                for settled in event.wagers:
                    clauses.add(settled.clause)
                    staked[event.seat] += sign * settled.staked
                    paid[event.seat] += sign * (settled.won + settled.returned)
                    if settled.outcome == "win" and settled.hand:
                        (wins.add if sign > 0 else wins.discard)((event.seat, settled.hand))
                paid[event.seat] += sign * (event.coupon.won if event.coupon is not None else 0)
                if isinstance(event, round_events.SettlementReversed):
                    _envy(paid, event.envy, -1)
            case round_events.EnvySettled():
                _envy(paid, event.paid, 1)
                clauses.update(bonus.clause for _, bonuses in event.paid for bonus in bonuses)
            case round_events.IrregularityRuled():
                irregularities[event.irregularity] = None
                void = void or event.void == "round"
            case _:
                pass
    closed = entries[-1].event
    if not isinstance(closed, round_events.RoundClosed):
        raise BrokenRecord(f"{entries[-1].stream}, entry {entries[-1].seq}: the round is not closed")
    return RoundLine(
        stream=entries[0].stream,
        number=entries[-1].round,
        opened=micros(entries[0].at),
        closed=micros(entries[-1].at),
        first=entries[0].seq,
        last=entries[-1].seq,
        rules=entries[-1].rules,
        void=void,
        staked=closed.staked,
        paid=closed.paid,
        hands=tuple(sorted({hand for _, hand in wins})),
        clauses=tuple(sorted(clauses - {""})),
        irregularities=tuple(irregularities),
        seats=tuple(SeatLine(patrons[seat], seat, staked[seat], paid[seat]) for seat in sorted(patrons)),
    )


def _envy(paid: defaultdict[int, int], rows: Iterable[tuple[int, Iterable[EnvyPaid]]], sign: int) -> None:
    for seat, bonuses in rows:
        paid[seat] += sign * sum(bonus.won for bonus in bonuses)
