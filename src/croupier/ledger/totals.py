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

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from croupier.games import events as round_events
from croupier.table import Posting
from croupier.table import events as table_events

__all__ = ["TOTALS", "TotalName", "totals_of"]

TotalName: TypeAlias = Literal[
    "handle", "handle_reversed", "paid", "paid_reversed", "hand_paid", "hand_paid_reversed",
    "drop", "chips_in", "chips_out", "fills", "credits", "rounds",
]  # fmt: skip
TOTALS: Final[tuple[TotalName, ...]] = get_args(TotalName)
_AT_RISK: Final = {"win", "lose", "push", "forfeit"}


def totals_of(event: table_events.Event, moves: Sequence[Posting]) -> list[tuple[TotalName, int]]:
    """What an event adds to the running totals of its table, given what it moves.

    >>> totals_of(table_events.TrayFilled(amount=500, reference="F-1", clause="8.C(2)(c)"), ())
    [('fills', 500)]
    """
    match event:
        case round_events.HandSettled():
            return [("handle", _handle(event)), ("paid", _to_players(moves) - _returned(event))]
        case round_events.SettlementReversed():
            back = -_to_players(moves) - _returned(event)
            return [("handle_reversed", _handle(event)), ("paid_reversed", back)]
        case round_events.EnvySettled():
            return [("paid", _to_players(moves))]
        case round_events.RoundClosed():
            return [("rounds", 1)]
        case table_events.AwardPaid():
            return [("paid", event.amount)]
        case table_events.AwardHandPaid():
            return [("hand_paid", event.amount)]
        case table_events.AwardReversed(was="paid"):
            return [("paid_reversed", event.amount)]
        case table_events.AwardReversed(was="hand_paid"):
            return [("hand_paid_reversed", event.amount)]
        case table_events.PlayerBoughtIn():
            return [("chips_in" if event.brought else "drop", event.amount)]
        case table_events.PlayerStoodUp():
            return [("chips_out", event.chips)]
        case table_events.TrayFilled():
            return [("fills", event.amount)]
        case table_events.TrayCredited():
            return [("credits", event.amount)]
    return []


def _handle(event: round_events.HandSettled | round_events.SettlementReversed) -> int:
    return sum([settled.staked for settled in event.wagers if settled.outcome in _AT_RISK])


def _returned(event: round_events.HandSettled | round_events.SettlementReversed) -> int:
    return sum([settled.returned for settled in event.wagers])


def _to_players(moves: Sequence[Posting]) -> int:
    """What players receive, and what they owe since they have left with it."""
    return sum([amount for account, amount in moves if account.kind == "chips"]) - sum(
        [amount for account, amount in moves if account.kind == "owed"]
    )
