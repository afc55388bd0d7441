"""What a dealer takes and pays next, asked of the table itself, and the chips that make it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from croupier.errors import RuleViolation
from croupier.games import events as round_events
from croupier.games.actions import Settle
from croupier.money import Cents, format_dollars
from croupier.present import ChipMove, chip_moves, coupon_move, envy_moves
from croupier.table import Person, Request, Table, handle
from croupier.web.drawn_cards import CHIPS

__all__ = ["SeatPays", "chip_counts", "foreseen", "odd_cents", "pays_of"]


class SeatPays(Struct, frozen=True, kw_only=True):
    """What is taken and paid at a seat, in the document's order."""

    seat: int
    moves: tuple[ChipMove, ...]

    @property
    def paid(self) -> Cents:
        """What leaves the tray."""
        return Cents(sum(move.amount for move in self.moves if move.kind in {"pay", "return"} and _from_tray(move)))

    @property
    def taken(self) -> Cents:
        """What goes into the tray now."""
        moves = [move for move in self.moves if not move.in_tray]
        return Cents(sum(move.amount if move.kind == "take" else move.takes for move in moves))


def _from_tray(move: ChipMove) -> bool:
    return move.kind == "pay" or move.in_tray


def foreseen(table: Table, at: datetime, what: str, seat: int) -> tuple[list[object], str]:
    """What settling leads to, asked of the table itself; nothing while it would tell of a card that lies face down."""
    state = table.round
    if state is None:
        return [], ""
    places = state.cards.plan.own.get(seat, ()) if what == "hand" else range(state.cards.dealt)
    up, rack, known = state.cards.up, state.cards.rack, state.faces.known
    if any(known[place] is not None and place not in up and place not in rack for place in places):
        return [], "turn the hand up first."
    command = Settle(what, seat)  # type: ignore[arg-type] # as the table awaits it
    try:
        _, entries = handle(table, Request(Person("dealer", table.people.dealer), at, command))
    except RuleViolation as refused:
        return [], f"{refused}."
    return [entry.event for entry in entries], ""


def pays_of(table: Table, events: Sequence[object]) -> tuple[SeatPays, ...]:
    """What is taken and paid at each seat that these events settle."""
    found: list[SeatPays] = []
    for event in events:
        match event:
            case round_events.HandSettled() if event.what != "immediate":
                moves = chip_moves(event.wagers, table.tray.collected)
                coupon = (coupon_move(event.coupon),) if event.coupon is not None else ()
                found.append(SeatPays(seat=event.seat, moves=(*moves, *coupon)))
            case round_events.EnvySettled():
                found += [SeatPays(seat=seat, moves=envy_moves(bonuses)) for seat, bonuses in event.paid]
    return tuple(found)


def chip_counts(amount: Cents) -> list[tuple[int, int]]:
    """How many chips of each value make an amount, highest first.

    >>> chip_counts(63_600)
    [(500, 1), (100, 1), (25, 1), (5, 2), (1, 1)]
    """
    rest, found = amount // 100, []
    for value in CHIPS:
        number, rest = divmod(rest, value)
        if number:
            found.append((value, number))
    return found


def odd_cents(amount: Cents) -> str:
    """What no chip makes."""
    return format_dollars(Cents(amount % 100)) if amount % 100 else ""
