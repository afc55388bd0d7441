"""The books of a table: what every event of a round moves between tray, layout and players. They always sum to zero."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

from croupier.games import Round
from croupier.games import events as ev
from croupier.games.round import box_at
from croupier.games.settled import EnvyPaid, WagerSettled
from croupier.rulebook.names import WagerName

__all__ = [
    "CAGE",
    "DROP",
    "HAND_PAID",
    "LAYOUT",
    "TO_TRAY",
    "TRAY",
    "Books",
    "account_of",
    "never_owed",
    "owed",
    "post",
    "round_moves",
]

Books: TypeAlias = tuple[tuple[str, int], ...]
"""What each account holds, in cents; they always sum to zero."""
TRAY: Final = "tray"
LAYOUT: Final = "layout"
CAGE: Final = "cage"
DROP: Final = "drop"
HAND_PAID: Final = "hand paid"
CLAIMS: Final = "claims"
CHIPS: Final = "chips "
OWED_BY: Final = "owed by "


def account_of(patron: str) -> str:
    """The account of a player's chips."""
    return f"{CHIPS}{patron}"


def post(books: Books, *moves: tuple[str, int]) -> Books:
    """The books after these entries, which sum to zero."""
    if sum(amount for _, amount in moves):
        raise ValueError(f"entries do not balance: {moves}")
    held = dict(books)
    for account, amount in moves:
        held[account] = held.get(account, 0) + amount
    return tuple(sorted((account, amount) for account, amount in held.items() if amount or account == TRAY))


TO_TRAY: Final[dict[str, WagerName]] = {"progressive_to_tray": "progressive", "five_card_to_tray": "five_card_bonus"}


def owed(books: Books) -> Books:
    """The books, with what players owe who took their chips away: the tray cannot have back what is not there."""
    for account, amount in books:
        if account.startswith(CHIPS) and amount < 0:
            books = post(books, *_debt(account, -amount))
    return books


def never_owed(books: Books, patron: str, amount: int) -> Books:
    """The books when so much was turned back that a player never had: it was no debt."""
    debt = min(amount, dict(books).get(f"{OWED_BY}{patron}", 0))
    return post(books, *_debt(account_of(patron), -debt))


def _debt(account: str, amount: int) -> list[tuple[str, int]]:
    who = account.removeprefix(CHIPS)
    return [(account, amount), (TRAY, -amount), (f"{OWED_BY}{who}", amount), (CLAIMS, -amount)]


def round_moves(in_tray: Collection[WagerName], before: Round, event: ev.Event) -> list[tuple[str, int]]:
    """Which chips an event of the round moves."""
    match event:
        case ev.WagerPlaced():
            return [(account_of(event.patron), -event.amount), (LAYOUT, event.amount)]
        case ev.WagerTakenBack() | ev.WagerReturned():
            return [(_patron(before, event.seat), event.amount), (LAYOUT, -event.amount)]
        case ev.DecisionMade() if event.amount:
            return [(_patron(before, event.seat), -event.amount), (LAYOUT, event.amount)]
        case ev.ActPerformed() if event.act in TO_TRAY:
            wager = TO_TRAY[event.act]
            amount = sum(box.stake(wager) or 0 for box in before.boxes)
            return [(LAYOUT, -amount), (TRAY, amount)]
        case ev.HandSettled():
            coupon = event.coupon.won if event.coupon else 0
            return _settled(in_tray, _patron(before, event.seat), event.wagers, coupon, 1)
        case ev.SettlementReversed():
            coupon = event.coupon.won if event.coupon else 0
            whose = _patron(before, event.seat) if event.seat else ""
            hand = _settled(in_tray, whose, event.wagers, coupon, -1) if event.seat else []
            return [*hand, *_envy(before, event.envy, -1)]
        case ev.EnvySettled():
            return _envy(before, event.paid, 1)
        case ev.RaiseReduced() | ev.RaiseRestored():
            back = event.was - event.amount
            return [(_patron(before, event.seat), back), (LAYOUT, -back)]
    return []


def _settled(
    in_tray: Collection[WagerName], patron: str, wagers: tuple[WagerSettled, ...], coupon: int, sign: int
) -> list[tuple[str, int]]:
    """Stakes leave the layout for the tray, wins and returned stakes come from it."""
    laid = sum(one.staked for one in wagers if one.wager not in in_tray)
    paid = sum(one.won + one.returned for one in wagers) + coupon
    return [(LAYOUT, -sign * laid), (TRAY, sign * (laid - paid)), (patron, sign * paid)]


def _envy(before: Round, paid: Iterable[tuple[int, Iterable[EnvyPaid]]], sign: int) -> list[tuple[str, int]]:
    moves: list[tuple[str, int]] = []
    for seat, bonuses in paid:
        won = sign * sum(one.won for one in bonuses)
        moves += [(_patron(before, seat), won), (TRAY, -won)]
    return moves


def _patron(state: Round, seat: int) -> str:
    box = box_at(state, seat)
    if box is None:
        raise ValueError(f"seat {seat} has no box")
    return account_of(box.patron)
