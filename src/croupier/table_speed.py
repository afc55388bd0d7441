"""How many rounds per hour a table deals: one stated model for every command that counts hours.

A round takes some seconds whatever the table (betting, closing, the shuffle), some for each card, and some for each
player. The seconds are in `table_speed.toml`, with their reasons. Side bets take no time of their own.

>>> from croupier.rulebook import check, read_submission
>>> cards = {"decks": 2, "shuffle": "automated", "deal": "automated_shoe"}
>>> house = check(read_submission({"rulebook": "md-mississippi-stud", "cards": cards})).house
>>> [rounds_per_hour(house, seats) for seats in (1, 4, 6)]
[86, 45, 34]
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from croupier.games import card_counts
from croupier.rulebook import HouseRules

__all__ = ["HOUR", "card_step", "round_seconds", "rounds_per_hour", "shuffle_step", "step_seconds"]

HOUR: Final = 3600
"""In seconds."""


@cache
def step_seconds() -> Mapping[str, Fraction]:
    """The seconds of each step of a round, by the name of the step."""
    text = (files("croupier") / "table_speed.toml").read_bytes()
    return {name: Fraction(seconds) for name, seconds in msgspec.toml.decode(text, type=dict[str, float]).items()}


def card_step(house: HouseRules) -> str:
    """The name of the step of dealing a card at this table."""
    return "card_by_device" if house.deal == "automated_shoe" else "card"


def shuffle_step(house: HouseRules, *, second_deck: bool) -> str:
    """The name of the shuffle step at this table, with or without a second deck ready to deal."""
    if house.shuffle == "manual":
        return "shuffle_by_hand"
    return "shuffle_meanwhile" if second_deck or house.shuffle == "continuous" else "shuffle_by_device"


def round_seconds(house: HouseRules, seats: int, steps: Mapping[str, Fraction] | None = None) -> Fraction:
    """How long an undisturbed round takes with this number of boxes in play."""
    seconds, counts = steps or step_seconds(), card_counts(house)
    cards = sum(counts.values()) + counts["player"] * (seats - 1)
    return (
        seconds["betting"]
        + seconds["close"]
        + seconds[shuffle_step(house, second_deck=house.decks > 1)]
        + seconds[card_step(house)] * cards
        + seconds["decision"] * seats * len(house.rulebook.play.choice)
        + seconds["settlement"] * seats
    )


def rounds_per_hour(house: HouseRules, seats: int) -> int:
    """Rounds per hour with this number of boxes in play, to the nearest whole round, at least one."""
    return max(1, round(HOUR / round_seconds(house, seats)))
