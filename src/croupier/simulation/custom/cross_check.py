"""Rounds that were decided and settled elsewhere, counted as the kernels count theirs and compared with them.

The kernels judge the cards once more; any round they settle differently from the engine is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from croupier.cards import Card
from croupier.games import SeatSettled, Settled
from croupier.progressive import Meter
from croupier.simulation.kernels.compiled_plan import CompiledPlan, lay_out, settle_end
from croupier.simulation.kernels.decision_tables import ALWAYS
from croupier.simulation.kernels.flushes import Flushes, judge_flushes, make_hands, see_hands
from croupier.simulation.kernels.jit import SOURCES, Whole, compiled_and_kept, i64
from croupier.simulation.kernels.prizes import COLUMNS, ENVY, SHARE, Room, count_ends, make_room
from croupier.simulation.kernels.settling import OUTCOMES
from croupier.simulation.kernels.streets import StreetTable, judge_streets
from croupier.simulation.kernels.table_inputs import playable
from croupier.simulation.meters.run import run_meters
from croupier.simulation.plan import Plan
from croupier.simulation.run import Prize, Tally

__all__ = ["EngineRound", "check_meters", "reckon"]

Array: TypeAlias = NDArray[Any]
Came: TypeAlias = tuple[tuple[tuple[str, int, str, int, int], ...], tuple[tuple[int, int], ...], int]
"""The result of a seat: each wager staked, its outcome, won without a share of a meter, returned; envy; that share."""


class EngineRound(NamedTuple):
    """A round as the engine settled it."""

    cards: tuple[Card, ...]
    """As the streams give them."""
    paths: tuple[int, ...]
    """By place of the seat: its actions, two bits each, the first lowest."""
    settled: Settled


def reckon(plan: Plan, start: int, played: Sequence[EngineRound]) -> Tally:
    """The tally of these rounds, the first of which has the number `start`."""
    layout, table = _laid_out(plan)
    seats, rounds = len(layout.seats), len(played)
    cards = np.ascontiguousarray(np.array([engine_round.cards for engine_round in played], dtype=np.uint8).T)
    counts, room = np.zeros((seats, layout.ends), dtype=np.int64), make_room(seats, rounds)
    events = np.zeros((rounds * seats * seats, COLUMNS), dtype=np.int64)
    room.paths[:] = np.array([engine_round.paths for engine_round in played]).T
    judge = _flushes() if isinstance(table, Flushes) else _streets()
    rows = events[: judge(table, np.uint64(start), rounds, cards, room, counts, events)].tolist()
    prizes = tuple(Prize(*row) for row in rows)
    _check_cents(layout, start, played, room.codes, prizes)
    ends = tuple(tuple((int(code), int(row[code])) for code in np.flatnonzero(row)) for row in counts)
    return Tally(plan.key, start, rounds, ends, prizes)


def check_meters(plan: Plan, tally: Tally, meters: Mapping[str, Meter], awarded: int) -> None:
    """Compare the engine's final meters, and the total it paid from them, with those of a tally."""
    runs = run_meters(_laid_out(plan)[0], tally)
    paid = sum(award.paid for run in runs.values() for award in run.awards)
    if (awarded, dict(meters)) != (paid, {name: run.final for name, run in runs.items()}):
        raise ValueError(f"after {tally.rounds} rounds the engine has the meters at {meters}, the kernels at {runs}")


@lru_cache(maxsize=8)
def _laid_out(plan: Plan) -> tuple[CompiledPlan, StreetTable | Flushes]:
    layout = lay_out(replace(plan, strategy=ALWAYS))  # a kernel needs some strategy to be laid out, not to judge
    return layout, playable(layout).table


# --- the engine's cents beside the kernels'


def _check_cents(
    layout: CompiledPlan, start: int, played: Sequence[EngineRound], codes: Array, events: Sequence[Prize]
) -> None:
    ends: dict[tuple[int, int], Came] = {}
    beside: dict[tuple[int, int], list[Prize]] = {}
    for event in events:
        beside.setdefault((event.round, event.seat), []).append(event)
    for number, engine_round in enumerate(played, start):
        for place, seat in enumerate(reversed(engine_round.settled.seats)):  # settled from the dealer's right
            key = place, int(codes[place, number - start])
            if key not in ends:
                ends[key] = _by_kernel(layout, *key)
            wagers, envy, share = ends[key]
            for event in beside.get((number, place), ()):
                envy += ((layout.seats[event.source].number, event.amount),) if event.kind == ENVY else ()
                share += event.amount if event.kind == SHARE else 0
            if _by_engine(seat) != (wagers, envy, share):
                came = f"the engine settles {_by_engine(seat)}, the kernels {(wagers, envy, share)}"
                raise ValueError(f"round {number}, seat {seat.seat}: {came}")


def _by_kernel(layout: CompiledPlan, place: int, code: int) -> Came:
    end = settle_end(layout, place, code)
    outcomes = [OUTCOMES[code] for code in end.outcome]
    rows = zip(layout.names, end.staked, outcomes, end.won, end.returned, strict=True)
    return tuple(row for row in rows if row[1]), (), 0


def _by_engine(seat: SeatSettled) -> Came:
    wagers = tuple(
        (wager.wager, wager.staked, wager.outcome, 0 if wager.award else wager.won, wager.returned)
        for wager in seat.wagers
    )
    envy = tuple((paid.from_seat, paid.won) for paid in seat.envy)
    return wagers, envy, sum(wager.award.percent for wager in seat.wagers if wager.award)


# --- judging, compiled


@cache
def _streets() -> Callable[..., int]:
    sources = SOURCES

    @compiled_and_kept
    def judge(
        table: StreetTable, start: Whole, rounds: Whole, cards: Array, room: Room, counts: Array, events: Array
    ) -> Whole:
        judge_streets(table, rounds, cards, room)
        none = i64(0) * sources
        return count_ends(table.prizes, table.metered >= 0, start, rounds, room, counts, events, none)

    return judge


@cache
def _flushes() -> Callable[..., int]:
    sources = SOURCES

    @compiled_and_kept
    def judge(
        table: Flushes, start: Whole, rounds: Whole, cards: Array, room: Room, counts: Array, events: Array
    ) -> Whole:
        hands = make_hands(table.seats, rounds)
        see_hands(table, rounds, cards, hands)
        judge_flushes(table, rounds, hands, room)
        return count_ends(table.prizes, table.metered, start, rounds, room, counts, events, i64(0) * sources)

    return judge
