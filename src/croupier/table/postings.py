"""What each event moves between the accounts of a table: one function for the table's books and any ledger.

An award goes from its meter to the player's pending awards, and from there to the player when it is paid; the tray or
the cage then covers what the meter had awarded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.games import EnvyPaid, Round, WagerSettled, box_at, patron_of
from croupier.games import events as round_events
from croupier.rulebook.names import WagerName
from croupier.table import events as table_events
from croupier.table.accounts import (
    AWARDS,
    CAGE,
    CLAIMS,
    DROP,
    HAND_PAID,
    LAYOUT,
    METER_AWARDED,
    METER_FED,
    METER_SEEDED,
    RESERVE,
    TRAY,
    Account,
    Posting,
    balance,
    chips,
    meter,
    owed,
    pending,
)

if TYPE_CHECKING:
    from croupier.table.state import Award, Table

__all__ = ["TO_TRAY", "postings"]

TO_TRAY: Final[dict[str, WagerName]] = {"progressive_to_tray": "progressive", "five_card_to_tray": "five_card_bonus"}
"""Acts that put the chips of a wager into the tray before the deal."""


def postings(before: Table, event: table_events.Event) -> tuple[Posting, ...]:
    """What an event moves, given the table before it; cents and meter units each sum to zero.

    >>> from datetime import date
    >>> from croupier.rulebook import check, read_submission
    >>> from croupier.table import new_table
    >>> submission = read_submission({"rulebook": "md-mississippi-stud"})
    >>> table = new_table(submission, check(submission).rules())
    >>> filled = table_events.TrayFilled(amount=500, reference="F-1", clause="8.C(2)(c)")
    >>> for account, amount in postings(table, filled):
    ...     print(account, amount)
    tray 500
    cage -500
    """
    find = _POSTINGS.get(type(event))
    if find is None:
        return ()
    moves = find(before, event)
    if type(event) in _TURNS_BACK:
        moves = [*moves, *_debts(before, moves)]
    return tuple([Posting(account, amount) for account, amount in moves if amount])


Moves = Sequence[tuple[Account, int]]
_TURNS_BACK: Final = frozenset(
    {round_events.SettlementReversed, round_events.HandSettled, round_events.RaiseRestored, table_events.AwardReversed}
)
"""Events that may take chips from a player who has none left, and who then owes them."""


def _debts(before: Table, moves: Moves) -> list[tuple[Account, int]]:
    """What players owe who have left with their chips: the tray cannot take those back."""
    left = {account: int(balance(before.books, account)) for account, _ in moves if account.kind == "chips"}
    for account, amount in moves:
        if account in left:
            left[account] += amount
    return [
        leg
        for account, amount in left.items()
        if amount < 0
        for leg in ((account, -amount), (TRAY, amount), (owed(account.of), -amount), (CLAIMS, amount))
    ]


# --- the table


def _created(_: Table, event: table_events.TableCreated) -> Moves:
    return [leg for name, units in event.meters for leg in ((meter(name), units), (METER_SEEDED, -units))]


def _rules_changed(before: Table, event: table_events.RulesChanged) -> Moves:
    """Meters are carried over; where the new rules ask for more, the house adds it."""
    held = {meter.name: meter.units for meter in before.progressive.meters}
    added = [(name, units - held.get(name, 0)) for name, units in event.meters]
    return [leg for name, units in added for leg in ((meter(name), units), (METER_SEEDED, -units))]


def _verified(before: Table, event: table_events.InventoryVerified) -> Moves:
    # The first count of a new table is what the cage brought.
    return [(TRAY, event.amount), (CAGE, -event.amount)] if before.gaming_day is None else []


def _filled(_: Table, event: table_events.TrayFilled) -> Moves:
    return [(TRAY, event.amount), (CAGE, -event.amount)]


def _credited(_: Table, event: table_events.TrayCredited) -> Moves:
    return [(TRAY, -event.amount), (CAGE, event.amount)]


def _stood_up(_: Table, event: table_events.PlayerStoodUp) -> Moves:
    return [(chips(event.patron), -event.chips), (CAGE, event.chips)]


def _bought_in(_: Table, event: table_events.PlayerBoughtIn) -> Moves:
    if event.brought:
        return [(chips(event.patron), event.amount), (CAGE, -event.amount)]
    # Cash goes to the drop box, the chips come from the tray.
    return [
        (chips(event.patron), event.amount),
        (TRAY, -event.amount),
        (DROP, event.amount),
        (CAGE, -event.amount),
    ]


# --- awards


def _pending(_: Table, event: table_events.AwardPending) -> Moves:
    return [
        (pending(event.patron), event.amount),
        (AWARDS, -event.amount),
        *_off_meter(event.meter, event.link, event.taken, event.reset, 1),
    ]


def _off_meter(name: str, link: str, taken: int, reset: int, sign: int) -> Moves:
    """An award leaves its meter, which a reset fills up again."""
    return [
        (meter(name, link), -sign * taken),
        (METER_AWARDED, sign * (taken + reset)),
        (METER_SEEDED, -sign * reset),
    ]


def _award_rejected(before: Table, event: table_events.AwardRejected) -> Moves:
    award = _award(before, event.seat)
    return [
        (pending(award.patron), -award.amount),
        (AWARDS, award.amount),
        *_off_meter(award.meter, award.link, award.taken, award.reset, -1),
    ]


def _award_paid(_: Table, event: table_events.AwardPaid) -> Moves:
    return [
        (pending(event.patron), -event.amount),
        (chips(event.patron), event.amount),
        (TRAY, -event.amount),
        (AWARDS, event.amount),
    ]


def _award_hand_paid(_: Table, event: table_events.AwardHandPaid) -> Moves:
    return [
        (pending(event.patron), -event.amount),
        (HAND_PAID, event.amount),
        (CAGE, -event.amount),
        (AWARDS, event.amount),
    ]


def _award_reversed(before: Table, event: table_events.AwardReversed) -> Moves:
    """Undo everything done for an award; a rejected award is already back on its meter."""
    award = _award(before, event.seat)
    if award.status == "rejected":
        return []
    back = _off_meter(award.meter, award.link, award.taken, award.reset, -1)
    match award.status:
        case "paid":
            return [(chips(award.patron), -award.amount), (TRAY, award.amount), *back]
        case "hand_paid":
            return [(HAND_PAID, -award.amount), (CAGE, award.amount), *back]
    return [(pending(award.patron), -award.amount), (AWARDS, award.amount), *back]


def _award(before: Table, seat: int) -> Award:
    return next(award for award in before.progressive.awards if award.seat == seat)


# --- the round


def _wager_placed(_: Table, event: round_events.WagerPlaced) -> Moves:
    return [(chips(event.patron), -event.amount), (LAYOUT, event.amount)]


def _wager_gone(before: Table, event: round_events.WagerTakenBack | round_events.WagerReturned) -> Moves:
    return [(_chips_at(before, event.seat), event.amount), (LAYOUT, -event.amount)]


def _decision(before: Table, event: round_events.DecisionMade) -> Moves:
    if not event.amount:
        return []
    return [(_chips_at(before, event.seat), -event.amount), (LAYOUT, event.amount)]


def _act_performed(before: Table, event: round_events.ActPerformed) -> Moves:
    wager = TO_TRAY.get(event.act)
    if wager is None or before.round is None:
        return []
    amount = sum(box.stake(wager) or 0 for box in before.round.boxes)
    return [(LAYOUT, -amount), (TRAY, amount)]


def _meter_raised(_: Table, event: round_events.MeterRaised) -> Moves:
    account = RESERVE if event.meter == "reserve" else meter(event.meter, event.link)
    return [(account, event.units), (METER_FED, -event.units)]


def _hand_settled(before: Table, event: round_events.HandSettled) -> Moves:
    coupon = event.coupon.won if event.coupon else 0
    return _settled(before, event.seat, event.wagers, coupon, 1)


def _reversed(before: Table, event: round_events.SettlementReversed) -> Moves:
    coupon = event.coupon.won if event.coupon else 0
    return [*_settled(before, event.seat, event.wagers, coupon, -1), *_envy(before, event.envy, -1)]


def _settled(before: Table, seat: int, wagers: Collection[WagerSettled], coupon: int, sign: int) -> Moves:
    """Stakes leave the layout for the tray, wins and returned stakes come from it; an award waits (reading 188)."""
    if not wagers and not coupon:
        return []
    metered = before.round.rules.metered if before.round is not None else None
    waits = metered.name if metered is not None else None
    laid = sum([settled.staked for settled in wagers if settled.wager not in before.tray.collected])
    paid = sum([settled.returned + (settled.won if settled.wager != waits else 0) for settled in wagers]) + coupon
    return [(LAYOUT, -sign * laid), (TRAY, sign * (laid - paid)), (_chips_at(before, seat), sign * paid)]


def _envy_settled(before: Table, event: round_events.EnvySettled) -> Moves:
    return _envy(before, event.paid, 1)


def _envy(before: Table, paid: Iterable[tuple[int, Iterable[EnvyPaid]]], sign: int) -> Moves:
    moves: list[tuple[Account, int]] = []
    for seat, bonuses in paid:
        won = sign * sum(bonus.won for bonus in bonuses)
        moves += [(_chips_at(before, seat), won), (TRAY, -won)]
    return moves


def _raise_changed(before: Table, event: round_events.RaiseReduced | round_events.RaiseRestored) -> Moves:
    back = event.was - event.amount
    return [(_chips_at(before, event.seat), back), (LAYOUT, -back)]


def _chips_at(before: Table, seat: int) -> Account:
    state: Round | None = before.round
    box = box_at(state, seat) if state is not None else None
    if state is None or box is None:
        raise ValueError(f"seat {seat} has no box")
    return chips(patron_of(state, box))


_POSTINGS: Final[dict[type, Callable[[Any, Any], Moves]]] = {
    table_events.TableCreated: _created,
    table_events.RulesChanged: _rules_changed,
    table_events.InventoryVerified: _verified,
    table_events.TrayFilled: _filled,
    table_events.TrayCredited: _credited,
    table_events.PlayerStoodUp: _stood_up,
    table_events.PlayerBoughtIn: _bought_in,
    table_events.AwardPending: _pending,
    table_events.AwardRejected: _award_rejected,
    table_events.AwardReversed: _award_reversed,
    table_events.AwardPaid: _award_paid,
    table_events.AwardHandPaid: _award_hand_paid,
    round_events.WagerPlaced: _wager_placed,
    round_events.WagerTakenBack: _wager_gone,
    round_events.WagerReturned: _wager_gone,
    round_events.DecisionMade: _decision,
    round_events.ActPerformed: _act_performed,
    round_events.MeterRaised: _meter_raised,
    round_events.HandSettled: _hand_settled,
    round_events.SettlementReversed: _reversed,
    round_events.EnvySettled: _envy_settled,
    round_events.RaiseReduced: _raise_changed,
    round_events.RaiseRestored: _raise_changed,
}
"""The events that move money; no other event does."""
