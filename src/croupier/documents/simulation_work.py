"""A simulation in a process of its own: `python -m croupier.documents.simulation_work`.

It reads an order as one line of JSON and answers in lines: the rounds that were just finished, and at the end the
results, or why it cannot be simulated. It ends when nobody reads any more.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from croupier.errors import CroupierError
from croupier.money import Cents
from croupier.rulebook import check, read_submission_text

__all__ = ["SimulationKind", "SimulationOrder", "SimulationResults", "WorkAnswer"]

SimulationKind: TypeAlias = Literal["edges", "hold"]
_POLITE: Final = 10
"""How far behind the tables a simulation stands."""


class SimulationOrder(Struct, frozen=True, kw_only=True):
    """What is to be simulated."""

    kind: SimulationKind
    submission: str
    """The text of a submission."""
    title: str
    seats: int
    seed: int
    strategy: str = "optimal"
    rounds: int = 0
    """Of the edges."""
    months: int = 0
    """Of a hold report."""
    hours: int = 24
    shifts: int = 3
    buy_in: int | None = None


class SimulationResults(Struct, frozen=True, kw_only=True):
    """What came of it: for people, for programs, and as a picture."""

    rounds: int
    rules: str
    """The hash of the house rules."""
    plan: str
    """What distinguishes this run from every other: rules, seats, strategy, seed, and the code that played it."""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    meters: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    chart: str
    narrow: str = ""
    """The same chart for a phone."""
    records: list[dict[str, Any]]
    values: dict[str, Any]


class WorkAnswer(Struct, frozen=True, omit_defaults=True):
    """A line of the answer."""

    done: int = 0
    total: int = 0
    refused: str = ""
    results: SimulationResults | None = None


def _say(answer: WorkAnswer) -> None:
    sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
    sys.stdout.flush()


def work(order: SimulationOrder) -> None:
    """Carry an order out, and say how far it is."""
    from croupier.simulation import Plan, Seat, box_stakes

    house = check(read_submission_text(order.submission, name="submission")).rules()
    stakes = tuple(box_stakes(house, {}).items())
    seats = tuple(Seat(number, stakes) for number in range(1, order.seats + 1))
    plan = Plan(house=house, seats=seats, strategy=order.strategy, seed=order.seed)
    _say(WorkAnswer(results=_edges(order, plan) if order.kind == "edges" else _hold(order, plan)))


def _edges(order: SimulationOrder, plan: Any) -> SimulationResults:  # noqa: ANN401 - a plan
    from croupier.documents.simulation_charts import draw_edges
    from croupier.present import simulations
    from croupier.simulation import long_run_edges, report_envy, report_meters, report_wagers, run_parts

    _say(WorkAnswer(total=order.rounds))
    tally = run_parts(plan, order.rounds, done=lambda some: _say(WorkAnswer(done=some)), part=_part(order.rounds))
    wagers, meters, envy = report_wagers(plan, tally), report_meters(plan, tally), report_envy(plan, tally)
    note = simulations.run_words(plan, f"{tally.rounds:,} rounds")
    draw = partial(draw_edges, wagers, title=order.title, note=note, long_run=long_run_edges(plan))
    about = {"rounds": tally.rounds, "asked": order.rounds, "seed": plan.seed, "seats": len(plan.seats)}
    about |= {"strategy": plan.strategy, "rules": plan.house.hash}
    notes = simulations.edge_notes(wagers, long_run="the Meters page")
    return SimulationResults(
        rounds=tally.rounds,
        rules=plan.house.hash,
        plan=plan.key,
        head=simulations.EDGE_COLUMNS,
        rows=tuple(map(simulations.edge_cells, wagers)),
        meters=tuple(map(simulations.meter_cells, meters)),
        notes=tuple(filter(None, [simulations.envy_words(envy), *notes])),
        chart=_drawn(draw),
        narrow=_drawn(partial(draw, narrow=True)),
        records=simulations.edge_records(wagers, envy),
        values=about | simulations.edge_json(wagers, meters, envy),
    )


def _hold(order: SimulationOrder, plan: Any) -> SimulationResults:  # noqa: ANN401 - a plan
    from croupier.documents.hold_charts import draw_hold
    from croupier.present import counted, simulations
    from croupier.simulation import Calendar, check_buy_in, expected_win, hold_of, keep_history
    from croupier.table_speed import rounds_per_hour

    calendar = Calendar(rounds_per_hour(plan.house, len(plan.seats)), order.hours, order.shifts)
    buy_in = None if order.buy_in is None else Cents(order.buy_in)
    if buy_in is not None:
        check_buy_in(plan, buy_in)
    rounds = calendar.periods["month"] * order.months
    _say(WorkAnswer(total=rounds))
    history = keep_history(plan, rounds, done=lambda some: _say(WorkAnswer(done=some)))
    holds, expected = hold_of(history, calendar, buy_in=buy_in), expected_win(plan)
    note = simulations.run_words(plan, f"{calendar.rounds_per_hour} rounds per hour", counted(order.months, "month"))
    draw = partial(draw_hold, holds, title=order.title, note=note)
    return SimulationResults(
        rounds=rounds,
        rules=plan.house.hash,
        plan=plan.key,
        head=("", *(f"per {hold.period}" for hold in holds)),
        rows=tuple(simulations.hold_rows(holds, simulations.expected_wins(holds, expected))),
        notes=tuple(simulations.hold_notes(expected)),
        chart=_drawn(draw),
        narrow=_drawn(partial(draw, narrow=True)),
        records=simulations.hold_records(holds[0]),
        values=simulations.hold_json(plan, calendar, holds, expected),
    )


def _part(rounds: int) -> int:
    """How many rounds are played between two reports of progress."""
    return max(1 << 14, min(1 << 20, 1 << (rounds // 40).bit_length()))


def _drawn(draw: Any) -> str:  # noqa: ANN401 - a function that writes a file
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chart.svg"
        draw(path)
        return path.read_text("utf-8")


def main() -> int:
    """The process."""
    os.nice(_POLITE)
    try:
        work(msgspec.json.decode(sys.stdin.readline(), type=SimulationOrder))
    except BrokenPipeError:
        return 0
    except CroupierError as error:
        _say(WorkAnswer(refused=str(error)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
