"""Running totals of a table and gaming day: each only grows, and what is undone has a total of its own.

handle           stakes at risk: won, lost, pushed or forfeited
paid             winnings paid at the table, envy and awards from the tray included, stakes given back excluded
hand_paid        awards paid by hand
drop             cash for chips
chips_in, out    chips that players brought, and took away
fills, credits   chips from the cage to the tray, and back
rounds           rounds that were closed
*_reversed       what a reversed settlement takes back of handle, paid and hand_paid
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from croupier.games import events as round_events
from croupier.table import Posting
from croupier.table import events as table_events

__all__ = ["TOTALS", "TotalName", "totals_of"]

TotalName: TypeAlias = Literal[
    "handle", "handle_reversed", "paid", "paid_reversed", "hand_paid", "hand_paid_reversed",
    "drop", "chips_in", "chips_out", "fills", "credits", "rounds",
]  # fmt: skip
TOTALS: Final[tuple[TotalName, ...]] = get_args(TotalName)
Totals: TypeAlias = list[tuple[TotalName, int]]
_AT_RISK: Final = {"win", "lose", "push", "forfeit"}


def totals_of(event: table_events.Event, moves: Sequence[Posting]) -> Totals:
    """What an event adds to the running totals of its table, given what it moves.

    >>> totals_of(table_events.TrayFilled(amount=500, reference="F-1", clause="8.C(2)(c)"), ())
    [('fills', 500)]
    """
    made = _ADDED.get(type(event))
    return made(event, moves) if made is not None else []


def _handle(event: round_events.HandSettled | round_events.SettlementReversed) -> int:
    return sum([settled.staked for settled in event.wagers if settled.outcome in _AT_RISK])


def _returned(event: round_events.HandSettled | round_events.SettlementReversed) -> int:
    return sum([settled.returned for settled in event.wagers])


def _to_players(moves: Sequence[Posting]) -> int:
    """What players receive, and what they owe since they have left with it."""
    return sum([amount for account, amount in moves if account.kind == "chips"]) - sum(
        [amount for account, amount in moves if account.kind == "owed"]
    )


def _settled(event: Any, moves: Sequence[Posting]) -> Totals:  # noqa: ANN401 - each of its own kind
    return [("handle", _handle(event)), ("paid", _to_players(moves) - _returned(event))]


def _reversed(event: Any, moves: Sequence[Posting]) -> Totals:  # noqa: ANN401
    return [("handle_reversed", _handle(event)), ("paid_reversed", -_to_players(moves) - _returned(event))]


def _award_reversed(event: Any, _: Sequence[Posting]) -> Totals:  # noqa: ANN401
    names: dict[str, TotalName] = {"paid": "paid_reversed", "hand_paid": "hand_paid_reversed"}
    return [(names[event.was], event.amount)] if event.was in names else []


_ADDED: Final[dict[type, Callable[[Any, Sequence[Posting]], Totals]]] = {
    round_events.HandSettled: _settled,
    round_events.SettlementReversed: _reversed,
    round_events.EnvySettled: lambda _, moves: [("paid", _to_players(moves))],
    round_events.RoundClosed: lambda _event, _moves: [("rounds", 1)],
    table_events.AwardPaid: lambda event, _: [("paid", event.amount)],
    table_events.AwardHandPaid: lambda event, _: [("hand_paid", event.amount)],
    table_events.AwardReversed: _award_reversed,
    table_events.PlayerBoughtIn: lambda event, _: [("chips_in" if event.brought else "drop", event.amount)],
    table_events.PlayerStoodUp: lambda event, _: [("chips_out", event.chips)],
    table_events.TrayFilled: lambda event, _: [("fills", event.amount)],
    table_events.TrayCredited: lambda event, _: [("credits", event.amount)],
}
