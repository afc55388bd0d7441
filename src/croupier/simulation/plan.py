"""What is simulated: a house, who sits there with which stakes, how they play, and the seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from croupier.analysis import BASE, code_hash
from croupier.cards import DECK, Card
from croupier.errors import Malformed
from croupier.games import RoundReport, SeatReport, card_counts, check_round_by
from croupier.money import MILLION, Cents
from croupier.rulebook import HouseRules, not_offered, read_submission
from croupier.rulebook.names import WagerName
from croupier.simulation.kernels.decision_tables import strategy_names
from croupier.simulation.kernels.jit import SOURCES
from croupier.simulation.kernels.streams import STREAMS

__all__ = ["Plan", "Seat", "box_stakes", "sit"]

SEEDS: Final = 1 << 64


class Seat(Struct, frozen=True):
    """A box in play and its bets before the deal, the same in every round."""

    number: int
    stakes: tuple[tuple[WagerName, Cents], ...]
    patron: str = ""
    """Whose box it is, where somebody plays several; no envy is paid for one's own."""


def sit(number: int, *, patron: str = "", **stakes: int) -> Seat:
    """
    >>> sit(1, ante=1000, three_card_bonus=500)
    Seat(number=1, stakes=(('ante', 1000), ('three_card_bonus', 500)), patron='')
    """
    return Seat(number, tuple((name, Cents(cents)) for name, cents in stakes.items()), patron)  # type: ignore[misc]


def box_stakes(house: HouseRules, bets: Mapping[str, Cents]) -> dict[WagerName, Cents]:
    """The stakes of a box: the bets given, the main ones as `base`, or every wager at its minimum."""
    stakes: dict[WagerName, Cents] = {}
    for wager in house.wagers:
        name = BASE if wager.paytables[0].group == BASE else wager.name
        if wager.stakes is not None and (not bets or name in bets):
            stakes[wager.name] = bets.get(name, wager.stakes.minimum)
    known = {BASE, *(wager.name for wager in house.wagers if wager.paytables[0].group != BASE)}
    if unknown := [name for name in bets if name not in known]:
        raise not_offered(house, unknown[0], sorted(known))
    return stakes


class Plan(Struct, frozen=True, kw_only=True):
    """What a simulation plays. It is checked when made: lawful seats and wagers within the limits, a known strategy."""

    house: HouseRules
    seats: tuple[Seat, ...]
    strategy: str = "optimal"
    """`optimal`: best play of the main game, of equally good actions the largest stake; `always`: 1x, ride, or raise
    the most on every hand; the name of a strategy of `croupier.analysis`; or with a colon, `mine:careful`, that of a
    function which `play_by` asks."""
    mistakes: int = 0
    """How many of a million decisions are random legal actions (raises in whole antes)."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < SEEDS:
            raise Malformed(f"seed {self.seed}: give a whole number below 2^64")
        if not 0 <= self.mistakes <= MILLION:
            raise Malformed(f"{self.mistakes} mistakes: at most {MILLION:,} in {MILLION:,} decisions")
        if not self.by_hand and self.strategy not in strategy_names(self.house):
            if self.strategy.endswith(".py"):
                raise Malformed(f"{self.strategy!r} is a file: say which function of it decides, {self.strategy}:NAME")
            names = ", ".join(f'"{name}"' if " " in name else name for name in strategy_names(self.house))
            raise Malformed(f"{self.strategy!r} is not a strategy for {self.house.rulebook.id}: {names}")
        _check_round(self.house, self.seats)

    @property
    def by_hand(self) -> bool:
        """Whether a function decides, so that no kernel can play it."""
        return ":" in self.strategy

    @property
    def key(self) -> str:
        """What distinguishes this plan from others, and from a version of croupier that plays it differently."""
        rest = {field: getattr(self, field) for field in self.__struct_fields__ if field != "house"}
        content = msgspec.json.encode([STREAMS, SOURCES, code_hash(), self.house.hash, rest], order="sorted")
        return hashlib.sha256(content).hexdigest()


def _check_round(house: HouseRules, seats: tuple[Seat, ...]) -> None:
    """Check one round of these seats against the rules: whatever the cards, the wagers are the same."""
    if not seats:
        raise Malformed("an empty table: give at least one seat")
    counts = card_counts(house, staked={name for seat in seats for name, _ in seat.stakes})
    deck = [*DECK]
    choices = house.rulebook.play.choice
    decisions = tuple("ride" if "ride" in choice.choices else "1x" for choice in choices)

    def some(slot: str) -> tuple[Card, ...]:
        return tuple(deck.pop() for _ in range(counts.get(slot, 0)))  # type: ignore[call-overload]

    report = RoundReport(
        submission=read_submission({"rulebook": house.rulebook.id}),  # `check_round_by` judges by the house
        meters={meter.name: meter.initial for wager in house.wagers for meter in wager.meters},
        seats=tuple(
            SeatReport(
                seat=seat.number,
                patron=seat.patron or f"seat {seat.number}",
                wagers=dict(seat.stakes),
                cards=some("player"),
                match_play=None,
                decisions=decisions,
            )
            for seat in seats
        ),
        community=some("community"),
        six_card_box=some("six_card_box"),
        dealer=some("dealer"),
    )
    if warnings := check_round_by(house, report).warnings:
        raise Malformed("; ".join(warnings))
