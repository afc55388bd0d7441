"""Hands at the end of a round, and every wager settled, as frozen values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.hands import say_hand
from croupier.money import Cents, Push, print_dollars
from croupier.progressive import Meter
from croupier.rulebook.names import Decision, WagerName

__all__ = [
    "Cause",
    "CouponSettled",
    "EnvyPaid",
    "Hand",
    "MeterAward",
    "Out",
    "Outcome",
    "SeatSettled",
    "Settled",
    "TableCards",
    "WagerSettled",
]

Outcome: TypeAlias = Literal["win", "lose", "push", "forfeit", "withdrawn", "void"]
Cause: TypeAlias = Literal[
    "paytable", "dealer", "not_qualified", "folded", "all_folded", "withdrawn", "void", "no_hand", "conduct", "left"
]
"""What decided a wager."""
Out: TypeAlias = Literal["", "conduct", "left", "void"]
"""Why a hand is out of the round without a fold: conduct, a player who left, or a ruling."""
_NO_MONEY: Final = Cents(0)
_ONLY_TABLE: Final = "standard"
"""The paytable of a wager that has no other: its name says nothing."""


class Hand(Struct, frozen=True, kw_only=True, gc=False):
    """One box at the end of a round."""

    seat: int
    patron: str
    staked: tuple[tuple[WagerName, Cents], ...]
    cards: tuple[Card, ...]
    folded: bool = False
    folded_on: Decision | None = None
    withdrawn: tuple[WagerName, ...] = ()
    out: Out = ""
    coupon: Cents = _NO_MONEY
    """The value of a match play coupon beside the main wager."""
    rejected: bool = False
    """Its progressive award was not validated."""

    def stake(self, wager: WagerName) -> Cents | None:
        """The stake on a wager, if there is one."""
        for name, amount in self.staked:
            if name == wager:
                return amount
        return None


class MeterAward(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """What a wager wins from a meter."""

    meter: str
    percent: int
    amount: Cents


class WagerSettled(
    Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, cache_hash=True
):
    """A settled wager, with the reasons for its result."""

    wager: WagerName
    staked: Cents
    outcome: Outcome
    hand: str | None
    pays: str | None
    won: Cents
    returned: Cents
    clause: str
    reading: int | None
    cause: Cause
    made: str | None = None
    """What the cards make, as `hand_code` writes it."""
    paytable: str | None = None
    dealer: str | None = None
    """What the dealer's cards make."""
    rule: str | None = None
    """The rule of conduct that was broken."""
    before_limit: Cents | None = None
    """What it would have won without the payout limit, where that reduced it (reading 11)."""
    limit: Cents | None = None
    before_breakage: Cents | None = None
    """What it won to the cent, where the tray pays whole dollars (reading 15)."""
    award: MeterAward | None = None

    @property
    def why(self) -> str:
        """The reason for the result, in words."""
        words = _WHY[self.cause](self)
        if self.before_limit is not None and self.limit is not None:
            limit = print_dollars(self.limit)
            words += f"; reduced from {print_dollars(self.before_limit)} by the payout limit of {limit} per hand"
        return words if self.before_breakage is None else f"{words}; rounded up, since the tray pays whole dollars"


def _by_paytable(wager: WagerSettled) -> str:
    table = "" if wager.paytable == _ONLY_TABLE else f"paytable {wager.paytable}"
    if wager.pays is None:
        pays = "no pay"
    elif wager.pays == str(Push()):
        pays = f"push by {table}" if table else "push"
    else:
        pays = f"{table} pays {wager.pays}".lstrip()
    return f"{say_hand(wager.made or 'nothing')}: {pays}"


def _not_qualified(wager: WagerSettled) -> str:
    pays = f"pays {wager.pays}" if wager.pays else "push"
    return f"the dealer's {say_hand(wager.dealer or '')}, does not qualify: {pays}"


_WHY: Final[dict[Cause, Callable[[WagerSettled], str]]] = {
    "paytable": _by_paytable,
    "dealer": lambda wager: f"{say_hand(wager.made or '')} against the dealer's {say_hand(wager.dealer or '')}",
    "not_qualified": _not_qualified,
    "folded": lambda _: "folded: bet lost",
    "all_folded": lambda _: "every hand was folded, and folded hands do not count",
    "withdrawn": lambda _: "taken back before it was at risk",
    "void": lambda _: "void: the stake is returned",
    "no_hand": lambda _: "void: no hand is left at the table",
    "conduct": lambda wager: f"forfeited for conduct: {(wager.rule or '').replace('_', ' ')}",
    "left": lambda _: "abandoned: the player left",
}


class CouponSettled(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A match play coupon, settled beside the main wager (reading 95)."""

    value: Cents
    outcome: Outcome
    won: Cents
    clause: str
    reading: int | None
    beside: WagerName
    pays: str
    """The terms by which a win pays."""

    @property
    def why(self) -> str:
        """The reason for the result, in words."""
        match self.outcome:
            case "win":
                return f"the {self.beside} won: the coupon pays {self.pays} and is dropped"
            case "push":
                return f"the {self.beside} pushed: the coupon is kept"
            case "void":
                return "the hand is void: the coupon is kept"
        return f"the {self.beside} lost: the coupon is dropped"


class EnvyPaid(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """An envy bonus for another player's hand."""

    from_seat: int
    hand: str
    won: Cents
    clause: str


class SeatSettled(Struct, frozen=True, kw_only=True, gc=False):
    """Everything settled at a box."""

    seat: int
    wagers: tuple[WagerSettled, ...]
    envy: tuple[EnvyPaid, ...] = ()
    coupon: CouponSettled | None = None

    @property
    def staked(self) -> Cents:
        """The total staked."""
        return Cents(sum([wager.staked for wager in self.wagers]))

    @property
    def paid(self) -> Cents:
        """Won, returned and envy together."""
        wagers = sum([wager.won + wager.returned for wager in self.wagers])
        coupon = self.coupon.won if self.coupon else 0
        return Cents(wagers + coupon + sum(envy.won for envy in self.envy))


class Settled(Struct, frozen=True, kw_only=True):
    """A settled round: seats in settlement order, and the meters as the round leaves them."""

    seats: tuple[SeatSettled, ...]
    meters: tuple[Meter, ...] = ()

    @property
    def house_net(self) -> Cents:
        """The total staked less the total paid."""
        return Cents(sum(seat.staked - seat.paid for seat in self.seats))


class TableCards(Struct, frozen=True, kw_only=True, gc=False):
    """The cards of a round that are not a player's own."""

    community: tuple[Card, ...] = ()
    six_card_box: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
