"""How many rounds per hour a table deals: one stated model for every command that counts hours.

A round takes some seconds whatever the table (betting, closing, the shuffle), some for each card, and some for each
player. The seconds are in `table_speed.toml`, with their reasons.

>>> from croupier.rulebook import check, read_submission
>>> cards = {"decks": 2, "shuffle": "automated", "deal": "automated_shoe"}
>>> house = check(read_submission({"rulebook": "md-mississippi-stud", "cards": cards})).house
>>> [rounds_per_hour(house, seats) for seats in (1, 4, 6)]
[86, 45, 34]
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from croupier.games.dealing import card_counts
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Deal, Shuffle

__all__ = ["HOUR", "StepSeconds", "round_seconds", "rounds_per_hour", "step_seconds"]

HOUR: Final = 3600
"""In seconds."""


class _Model(Struct, frozen=True, forbid_unknown_fields=True):
    """`table_speed.toml`."""

    betting: float
    card: dict[Deal, float]
    decision: float
    settlement: float
    closing: float
    shuffle: dict[Shuffle, float]
    shuffle_one_deck: float


class StepSeconds(Struct, frozen=True):
    """How long each step of a round takes at one table."""

    betting: float
    card: float
    """Per card."""
    decision: float
    """Per player and decision."""
    settlement: float
    """Per player."""
    closing: float
    shuffle: float


@cache
def _model() -> _Model:
    return msgspec.toml.decode((files("croupier") / "table_speed.toml").read_bytes(), type=_Model)


def step_seconds(house: HouseRules) -> StepSeconds:
    """The seconds of each step, for the shuffler and the dealing method of this house."""
    model = _model()
    waits = house.shuffle in {"automated", "automated_counting"} and house.decks == 1
    return StepSeconds(
        betting=model.betting,
        card=model.card[house.deal],
        decision=model.decision,
        settlement=model.settlement,
        closing=model.closing,
        shuffle=model.shuffle_one_deck if waits else model.shuffle[house.shuffle],
    )


def round_seconds(house: HouseRules, seats: int, steps: StepSeconds | None = None) -> Fraction:
    """How long an undisturbed round takes with this number of boxes in play; side bets take no time of their own."""
    steps, counts = steps or step_seconds(house), card_counts(house, staked=())
    cards = sum(counts.values()) + counts["player"] * (seats - 1)
    each = len(house.rulebook.play.choice) * steps.decision + steps.settlement
    return Fraction(steps.betting + steps.closing + steps.shuffle + cards * steps.card + seats * each)


def rounds_per_hour(house: HouseRules, seats: int) -> int:
    """Rounds per hour with this number of boxes in play, to the nearest whole round, at least one."""
    return max(1, round(HOUR / round_seconds(house, seats)))
