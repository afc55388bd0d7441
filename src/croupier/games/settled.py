"""What settlement takes and gives: hands at the end of a round, and every wager settled, as frozen values."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.money import Cents
from croupier.progressive import Meter
from croupier.rulebook.names import Decision, WagerName

__all__ = [
    "Award",
    "CouponSettled",
    "EnvyPaid",
    "Hand",
    "Out",
    "Outcome",
    "SeatSettled",
    "Settled",
    "Shown",
    "WagerSettled",
]

Outcome: TypeAlias = Literal["win", "lose", "push", "forfeit", "withdrawn", "void"]
Out: TypeAlias = Literal["", "conduct", "left", "void"]
"""Why a hand is out of the round without having been folded: a finding, an empty seat, a ruling."""
_NO_MONEY: Final = Cents(0)


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
        """What lies on a wager, if anything."""
        for name, amount in self.staked:
            if name == wager:
                return amount
        return None


class Award(Struct, frozen=True, kw_only=True, gc=False):
    """What a wager takes off a meter."""

    meter: str
    percent: int
    amount: Cents


class WagerSettled(Struct, frozen=True, kw_only=True, gc=False):
    """One wager, settled."""

    wager: WagerName
    staked: Cents
    outcome: Outcome
    hand: str | None
    pays: str | None
    won: Cents
    returned: Cents
    clause: str
    reading: int | None
    why: str
    before_limit: Cents | None = None
    """What it would have won without the payout limit, where that cut it (reading 11)."""
    award: Award | None = None


class CouponSettled(Struct, frozen=True, kw_only=True, gc=False):
    """A match play coupon, settled beside the main wager (reading 95)."""

    value: Cents
    outcome: Outcome
    won: Cents
    clause: str
    reading: int | None
    why: str


class EnvyPaid(Struct, frozen=True, kw_only=True, gc=False):
    """An envy bonus for another player's hand."""

    from_seat: int
    hand: str
    won: Cents
    clause: str


class SeatSettled(Struct, frozen=True, kw_only=True, gc=False):
    """All of one box."""

    seat: int
    wagers: tuple[WagerSettled, ...]
    envy: tuple[EnvyPaid, ...] = ()
    coupon: CouponSettled | None = None

    @property
    def staked(self) -> Cents:
        """All that was put up."""
        return Cents(sum(wager.staked for wager in self.wagers))

    @property
    def paid(self) -> Cents:
        """Won, returned and envy together."""
        wagers = sum(wager.won + wager.returned for wager in self.wagers)
        coupon = self.coupon.won if self.coupon else 0
        return Cents(wagers + coupon + sum(envy.won for envy in self.envy))


class Settled(Struct, frozen=True, kw_only=True):
    """A round, settled: seats in settlement order, and the meters as it leaves them."""

    seats: tuple[SeatSettled, ...]
    meters: tuple[Meter, ...] = ()

    @property
    def house_net(self) -> Cents:
        """All staked less all paid."""
        return Cents(sum(seat.staked - seat.paid for seat in self.seats))


class Shown(Struct, frozen=True, kw_only=True, gc=False):
    """The cards of a round that are not a player's own."""

    community: tuple[Card, ...] = ()
    six_card_box: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
