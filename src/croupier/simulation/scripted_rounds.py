"""The cards and decisions of rounds in advance: exactly those `simulate` plays, for slower engines to replay."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, Card
from croupier.errors import Malformed
from croupier.games import DealPlan
from croupier.simulation.kernels.jit import SOURCES, Whole, compiled_and_kept
from croupier.simulation.kernels.prizes import BATCH, COLUMNS, make_room
from croupier.simulation.kernels.streams import MOST_CARDS, deal, make_deal
from croupier.simulation.plan import Plan
from croupier.simulation.run import prepared

__all__ = ["ScriptedRound", "places_in_order", "write_scripts"]

Array: TypeAlias = NDArray[Any]


class ScriptedRound(NamedTuple):
    """One round: its cards as the streams give them, and by seat the actions, two bits each, the first lowest."""

    cards: tuple[Card, ...]
    acts: dict[int, int]


def write_scripts(plan: Plan, rounds: int, start: int) -> list[ScriptedRound]:
    """What happens in the rounds `start`, `start` + 1, … when nothing goes wrong; one batch of a kernel at most."""
    if not 0 < rounds <= BATCH:
        raise Malformed(f"{rounds} rounds: a script has from one to {BATCH}")
    layout, (kernel, table) = prepared(plan)
    seats, seed, first = len(layout.seats), np.uint64(plan.seed), np.uint64(start)
    room, cards = make_room(seats), np.zeros((MOST_CARDS, rounds), dtype=np.uint8)
    counts, events = np.zeros((seats, layout.ends), dtype=np.int64), np.zeros((2 * BATCH * seats**2, COLUMNS), np.int64)
    kernel(table, seed, first, rounds, room, counts, events)  # its room keeps what was decided
    _deal_kernel()(seed, first, rounds, cards)
    numbers = [seat.number for seat in layout.seats]
    return [
        ScriptedRound(tuple(DECK[card] for card in deck), dict(zip(numbers, acts, strict=True)))
        for deck, acts in zip(cards.T.tolist(), room.paths[:, :rounds].T.tolist(), strict=True)
    ]


@cache
def _deal_kernel() -> Callable[..., int]:
    sources = SOURCES

    @compiled_and_kept
    def kernel(seed: Whole, start: Whole, rounds: Whole, cards: Array) -> int:
        deal(seed, start, rounds, MOST_CARDS, make_deal(rounds), cards)
        return sources

    return kernel


def places_in_order(plan: DealPlan) -> list[int]:
    """The places of a deal in the order in which the kernels give cards to them."""
    hands = [place for seat in sorted(plan.own) for place in plan.own[seat]]
    slots = plan.slots
    return [*slots["community"], *slots["dealer"], *hands, *slots["six_card_box"], *slots["discard"]]
