"""The cards and the decisions of rounds beforehand: the very ones that `simulate` plays, for whoever plays slower."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, Card
from croupier.games.dealing import DealPlan
from croupier.simulation.compiled import SOURCES, Whole, compiled_and_kept
from croupier.simulation.kernels.events import make_room
from croupier.simulation.kernels.flushes import Flushes, decide_flushes
from croupier.simulation.kernels.streets import Streets, decide_streets
from croupier.simulation.layout import lay_out
from croupier.simulation.plan import Plan
from croupier.simulation.streams import MOST_CARDS, deal, make_deal
from croupier.simulation.table import playable

__all__ = ["Script", "places_in_order", "write_scripts"]

Array: TypeAlias = NDArray[Any]


class Script(NamedTuple):
    """One round: its cards as the streams give them, and by seat the actions, two bits each, the first lowest."""

    cards: tuple[Card, ...]
    acts: dict[int, int]


def write_scripts(plan: Plan, rounds: int, start: int) -> list[Script]:
    """What happens in the rounds `start`, `start` + 1, … when nothing goes wrong."""
    numbers, table = _laid_out(plan)
    cards, paths = np.zeros((MOST_CARDS, rounds), dtype=np.uint8), make_room(len(numbers), rounds).paths
    write = _flushes() if isinstance(table, Flushes) else _streets()
    write(table, np.uint64(plan.seed), np.uint64(start), rounds, cards, paths)
    return [
        Script(tuple(DECK[card] for card in deck), dict(zip(numbers, acts, strict=True)))
        for deck, acts in zip(cards.T.tolist(), paths.tolist(), strict=True)
    ]


@lru_cache(maxsize=8)
def _laid_out(plan: Plan) -> tuple[list[int], Streets | Flushes]:
    """The seats in the order of a kernel, and its table."""
    layout = lay_out(plan)
    return [seat.number for seat in layout.seats], playable(layout).table


def places_in_order(plan: DealPlan) -> list[int]:
    """The places of a deal in the order in which the kernels give cards to them."""
    hands = [place for seat in sorted(plan.own) for place in plan.own[seat]]
    slots = plan.slots
    return [*slots["community"], *slots["dealer"], *hands, *slots["six_card_box"], *slots["discard"]]


@cache
def _streets() -> Callable[..., int]:
    sources = SOURCES

    @compiled_and_kept
    def write(table: Streets, seed: Whole, start: Whole, rounds: Whole, cards: Array, paths: Array) -> int:
        deal(seed, start, rounds, MOST_CARDS, make_deal(rounds), cards)
        decide_streets(table, seed, start, rounds, cards, paths)
        return sources

    return write


@cache
def _flushes() -> Callable[..., int]:
    sources = SOURCES

    @compiled_and_kept
    def write(table: Flushes, seed: Whole, start: Whole, rounds: Whole, cards: Array, paths: Array) -> int:
        deal(seed, start, rounds, MOST_CARDS, make_deal(rounds), cards)
        decide_flushes(table, seed, start, rounds, cards, paths)
        return sources

    return write
