"""The order in which the cards of a round are dealt, and where each one goes.

>>> from croupier.rulebook import check, read_submission
>>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
>>> [str(place) for place in deal_order(house, seats=[4, 1])]
['seat 1', 'seat 1', 'seat 4', 'seat 4', 'community', 'community', 'community']
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple, get_args

from msgspec import Struct

from croupier.rulebook import HouseRules
from croupier.rulebook.names import CardsJudged, Slot, WagerName
from croupier.rulebook.schema import DealScript, DealStep

__all__ = ["DealPlan", "Place", "card_counts", "deal_order", "deal_plan", "deal_script"]


class Place(NamedTuple):
    """Where a card goes, and the clause that says so; `seat` is 0 for the cards of the table."""

    slot: Slot
    seat: int
    clause: str

    def __str__(self) -> str:
        return f"seat {self.seat}" if self.slot == "player" else self.slot.replace("_", " ")


def deal_script(house: HouseRules) -> DealScript:
    """The dealing order of this house: that of its shuffler or shoe, or the one that an option selects."""
    scripts = [script for script in house.rulebook.dealing.script if script.deal == house.deal]
    defaults = {option.rule.name: option.default for option in house.rulebook.options}
    chosen = [row for row in scripts if row.option and house.options.named(row.option) != defaults[row.option]]
    return (chosen or [row for row in scripts if not row.option])[0]


class DealPlan(Struct, frozen=True, eq=False, gc=False):
    """Where each card of a round goes, and who owns each place."""

    places: tuple[Place, ...]
    own: Mapping[int, tuple[int, ...]]
    slots: Mapping[Slot, tuple[int, ...]]
    judged: Mapping[tuple[CardsJudged, int], tuple[int, ...]]
    """The places of the cards that decide a wager of a seat, by which cards decide it."""
    rack_order: tuple[int, ...] = ()
    """The hands from the dealer's right, each in the order of dealing, then the cards of the table (reading 172)."""

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, DealPlan) and self.places == other.places)

    def __hash__(self) -> int:
        return len(self.places)


_BESIDE: Final[dict[CardsJudged, Slot | None]] = {
    "own": None,
    "community": "community",
    "own_and_community": "community",
    "own_and_box": "six_card_box",
}
"""Which cards of the table decide a wager."""


def deal_plan(house: HouseRules, *, seats: Collection[int], staked: Collection[WagerName] = ()) -> DealPlan:
    """The dealing order of a round with these seats and staked wagers."""
    places = deal_order(house, seats=seats, staked=staked)
    slots: dict[Slot, list[int]] = {slot: [] for slot in get_args(Slot)}
    own: dict[int, list[int]] = {seat: [] for seat in seats}
    for index, place in enumerate(places):
        slots[place.slot].append(index)
        if place.slot == "player":
            own[place.seat].append(index)
    racked = [index for seat in sorted(own, reverse=True) for index in own[seat]]
    racked += [index for slot in get_args(Slot) if slot != "player" for index in slots[slot]]
    return DealPlan(
        places,
        {seat: tuple(indices) for seat, indices in own.items()},
        {slot: tuple(indices) for slot, indices in slots.items()},
        {
            (which, seat): (*(mine if "own" in which else ()), *(slots[beside] if beside else ()))
            for seat, mine in own.items()
            for which, beside in _BESIDE.items()
        },
        tuple(racked),
    )


def deal_order(
    house: HouseRules, *, seats: Collection[int], staked: Collection[WagerName] | None = None
) -> tuple[Place, ...]:
    """Where each card of a round goes, in dealing order; seats are dealt clockwise from the dealer's left.

    `staked` matters to a house that deals the six-card box only when somebody bet on it (reading 100).
    """
    script = deal_script(house)
    steps = [step for step in script.step if step.offered is None or house.wager(step.offered) is not None]
    if staked is not None and house.options.six_card_box_only_if_bet:
        steps = [step for step in steps if step.offered is None or step.offered in staked]
    passes = [steps] * script.passes
    if house.options.deal_pattern == "two_passes":
        passes = [_one_by_one(steps)]  # reading 98
    return tuple(place for dealing_pass in passes for step in dealing_pass for place in _places(step, sorted(seats)))


def _one_by_one(steps: list[DealStep]) -> list[DealStep]:
    """The dealing steps with the players' cards dealt one at a time."""
    return [part for step in steps for part in ([_single(step)] * step.cards if step.to == "player" else [step])]


def _single(step: DealStep) -> DealStep:
    return DealStep(to=step.to, cards=1, offered=step.offered, clause=step.clause, also=step.also, reading=step.reading)


def _places(step: DealStep, seats: list[int]) -> Iterator[Place]:
    for seat in seats if step.to == "player" else [0]:
        for _ in range(step.cards):
            yield Place(step.to, seat, step.clause)


def card_counts(house: HouseRules, *, staked: Collection[WagerName] | None = None) -> dict[Slot, int]:
    """How many cards each slot gets in a round with these staked wagers, per player for players."""
    counts: dict[Slot, int] = {}
    for place in deal_order(house, seats=[1], staked=staked):
        counts[place.slot] = counts.get(place.slot, 0) + 1
    return counts
