"""Simulations as words and as plain values: edges that a run showed, what a table wins per shift, day and month."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from croupier.money import (
    MILLION,
    Cents,
    dollars_estimate,
    format_dollars,
    percent_estimate,
    percent_places,
    print_dollars,
    round_dollars,
)
from croupier.present.amounts import percent
from croupier.present.names import spoken

if TYPE_CHECKING:
    from croupier.simulation import Calendar, ExpectedWin, Hold, HoldShare, MeterReport, Plan, WagerReport

__all__ = [
    "EDGE_COLUMNS",
    "HOLD_NOTE",
    "METER_COLUMNS",
    "PERCENTILES",
    "bets_words",
    "edge_cells",
    "edge_json",
    "edge_lines",
    "edge_notes",
    "edge_records",
    "envy_words",
    "expected_wins",
    "expected_words",
    "hold_json",
    "hold_notes",
    "hold_records",
    "hold_rows",
    "meter_cells",
    "plain_periods",
    "players_words",
    "run_words",
    "verdict_words",
]

HOLD_NOTE: Final = (
    "± is the 99% interval of the average over the rounds played. Handle is money at risk: won, lost or pushed."
)
EDGE_COLUMNS: Final = ("seat", "wager", "house edge", "99% interval", "exact edge", "")
METER_COLUMNS: Final = ("meter", "began", "added", "resets", "hits", "taken", "rounds between", "ended")
PERCENTILES: Final = {
    1: "1st percentile",
    5: "5th percentile",
    50: "median",
    95: "95th percentile",
    99: "99th percentile",
}
WHOLE_DOLLARS: Final = 1_000.0
"""An error of ten dollars, in cents: amounts are shown in whole dollars."""


def players_words(plan: Plan) -> str:
    """How many play."""
    return f"{len(plan.seats)} players" if len(plan.seats) > 1 else "1 player"


def bets_words(plan: Plan) -> str:
    """What each seat bets, as the first one does."""
    return "Bets: " + ", ".join(f"{spoken(str(name))} {print_dollars(stake)}" for name, stake in plan.seats[0].stakes)


def run_words(plan: Plan, *facts: str) -> str:
    """What was simulated, in two lines: who plays and how, with these facts; and what they bet."""
    return f"{', '.join([players_words(plan), *facts, _play(plan)])}\n{bets_words(plan)}"


def _play(plan: Plan) -> str:
    play = "optimal play" if plan.strategy == "optimal" else f"strategy {plan.strategy}"
    mistakes = f", {percent(Fraction(plan.mistakes, MILLION), 2)} of decisions at random" if plan.mistakes else ""
    return f"{play}{mistakes}, seed {plan.seed}"


# --- edges, for people


def edge_cells(wager: WagerReport) -> tuple[str, ...]:
    """A row of the table of edges; the verdict stands last."""
    low, high = wager.interval or (None, None)
    places = percent_places(None if low is None or high is None else (high - low) / 2)
    spread = "" if low is None or high is None else f"{low:z.{places}%} to {high:z.{places}%}".replace("-", "−")
    exact = "not exact" if wager.exact is None else percent(wager.exact.edge)
    return str(wager.seat), wager.wager, percent(wager.edge, places), spread, exact, verdict_words(wager)


def verdict_words(wager: WagerReport) -> str:
    """The verdict; containing the exact edge proves little if the interval is wide or rare wins could not show up."""
    if wager.agrees is None:
        return ""
    if not wager.agrees:
        return "outside"
    return "agrees" if wager.conclusive else "too few rounds"


def edge_lines(wagers: Sequence[WagerReport]) -> Iterator[str]:
    """The edges of the first seat in short, one wager per line."""
    for wager in wagers:
        if wager.seat == wagers[0].seat:
            _, name, edge, interval, exact, *_ = edge_cells(wager)
            yield f"{name}: house edge {edge}, 99% interval {interval}" + (f", exact {exact}" if wager.exact else "")


def edge_notes(wagers: Sequence[WagerReport], *, long_run: str = "croupier meter") -> Iterator[str]:
    """What somebody must know who reads the table of edges, with where the long run of a meter stands."""
    yield "Expect about 1 in 100 results to fall outside its interval by chance."
    if any(wager.agrees and not wager.conclusive for wager in wagers):
        yield (
            "Too few rounds: the exact edge is in the interval, but that proves little. The interval is wider than "
            "the edge, or most of it is due to wins too rare for this many rounds."
        )
    if any(wager.exact is None for wager in wagers):
        yield (
            f"Not exact: the edge of a progressive moves with its meter ({long_run} has the long run), and a payout "
            "limit, a strategy function or mistakes can leave a wager without an exact edge."
        )
    if any(wager.sampled and wager.interval for wager in wagers):
        yield "A main game without an exact edge has the spread of the sample, which may lack the rarest wins."


def meter_cells(meter: MeterReport) -> tuple[str, ...]:
    """A row of the table of meters."""
    between = "" if meter.interval is None else f"{float(meter.interval):,.1f}"
    amounts = [print_dollars(Cents(cents)) for cents in (meter.initial, meter.contributed, meter.reseeded)]
    return (
        meter.name,
        *amounts,
        f"{meter.hits:,}",
        print_dollars(Cents(meter.taken)),
        between,
        print_dollars(Cents(meter.final)),
    )


def envy_words(envy: Mapping[int, int]) -> str:
    """What envy paid, by seat; nothing where a house pays none."""
    if not envy:
        return ""
    paid = ", ".join(f"seat {seat} {print_dollars(Cents(cents))}" for seat, cents in envy.items())
    return f"Envy, not included in any row: {paid}."


# --- edges, for programs


def edge_records(wagers: Sequence[WagerReport], envy: Mapping[int, int]) -> list[dict[str, Any]]:
    """One record per wager and seat, and one for its envy where a house pays any."""
    rows: list[dict[str, Any]] = [
        {
            "seat": wager.seat,
            "wager": wager.wager,
            "rounds": wager.rounds,
            "unit_cents": wager.unit,
            "staked_cents": wager.staked,
            "net_cents": wager.net,
            "house_edge": float(wager.edge),
            "standard_error": wager.standard_error,
            "low_99": wager.interval and wager.interval[0],
            "high_99": wager.interval and wager.interval[1],
            "exact_edge": None if wager.exact is None else float(wager.exact.edge),
            "exact_edge_exact": None if wager.exact is None else str(wager.exact.edge),
            "agrees": wager.agrees,
        }
        for wager in wagers
    ]
    nothing = dict.fromkeys(rows[0])
    paid = {"wager": "envy", "rounds": rows[0]["rounds"], "staked_cents": 0}
    return [*rows, *(nothing | paid | {"seat": seat, "net_cents": cents} for seat, cents in envy.items())]


def edge_json(wagers: Sequence[WagerReport], meters: Sequence[MeterReport], envy: Mapping[int, int]) -> dict[str, Any]:
    """Everything that a run showed, as plain values."""
    return {
        "wagers": [
            {
                "seat": wager.seat,
                "wager": wager.wager,
                "rounds": wager.rounds,
                "staked": format_dollars(Cents(wager.staked)),
                "handle": format_dollars(Cents(wager.handle)),
                "net": format_dollars(Cents(wager.net)),
                "mean": float(-wager.edge),
                "standard_error": wager.standard_error,
                "house_edge": float(wager.edge),
                "house_edge_exact_in_run": str(wager.edge),
                "element_of_risk": float(wager.element_of_risk),
                "interval_99": wager.interval and list(wager.interval),
                "exact_edge": None if wager.exact is None else float(wager.exact.edge),
                "exact_edge_exact": None if wager.exact is None else str(wager.exact.edge),
                "agrees": wager.agrees,
                "conclusive": wager.conclusive,
            }
            for wager in wagers
        ],
        "envy": {str(seat): format_dollars(Cents(cents)) for seat, cents in envy.items()},
        "meters": {
            meter.name: {
                "initial": format_dollars(Cents(meter.initial)),
                "contributions": format_dollars(Cents(meter.contributed)),
                "reseeded": format_dollars(Cents(meter.reseeded)),
                "hits": meter.hits,
                "taken": format_dollars(Cents(meter.taken)),
                "paid": format_dollars(Cents(meter.paid)),
                "final": format_dollars(Cents(meter.final)),
                "mean_interval": None if meter.interval is None else float(meter.interval),
            }
            for meter in meters
        },
    }


# --- what a table wins, for people


def expected_wins(holds: Sequence[Hold], expected: ExpectedWin) -> list[Fraction | None]:
    """What the house expects to win in each period, in cents, where every round is alike."""
    return [None if expected.cents is None else expected.cents * period.rounds for period in holds]


def expected_words(periods: Mapping[str, int], expected: ExpectedWin) -> str:
    """What the house expects to win in each period, in one line; `periods` are the rounds of each."""
    if expected.cents is None:
        return f"No expected win: {'; '.join(expected.missing)}."
    wins = (f"{_expected(expected.cents * rounds)} per {period}" for period, rounds in periods.items())
    return f"Expected win: {', '.join(wins)}."


def hold_rows(holds: Sequence[Hold], expected: Sequence[Fraction | None]) -> list[tuple[str, ...]]:
    """The hold report: a figure in each row, shift, day and month beside each other; with the expected win of each."""
    from croupier.simulation import NINETY_NINE  # noqa: PLC0415 - compiled code loads when something is simulated

    errors = [NINETY_NINE * period.standard_error for period in holds]
    rows = [
        ("rounds", *(f"{period.rounds:,}" for period in holds)),
        ("periods simulated", *(f"{len(period.won):,}" for period in holds)),
        ("average win", *(dollars_estimate(period.mean, error) for period, error in zip(holds, errors, strict=True))),
        ("expected win", *map(_expected, expected)),
        ("standard deviation", *(_deviation(period, error) for period, error in zip(holds, errors, strict=True))),
        ("losing periods", *(f"{period.losses:,} of {len(period.won):,}" for period in holds)),
        *(
            (words, *(_percentile(period, at, error) for period, error in zip(holds, errors, strict=True)))
            for at, words in PERCENTILES.items()
        ),
        ("handle", *(round_dollars(period.handle.mean(), WHOLE_DOLLARS) for period in holds)),
        ("win ÷ handle", *(_share(period.hold_of_handle) for period in holds)),
    ]
    if holds[0].drop is not None:
        drops = ("" if period.drop is None else round_dollars(period.drop.mean(), WHOLE_DOLLARS) for period in holds)
        rows.append(("drop", *drops))
        shares = ("" if period.hold_of_drop is None else _share(period.hold_of_drop) for period in holds)
        rows.append(("hold % (win ÷ drop)", *shares))
    return rows


def hold_notes(expected: ExpectedWin) -> Iterator[str]:
    """What somebody must know who reads the hold report."""
    yield HOLD_NOTE
    if expected.missing:
        yield f"No expected win: {'; '.join(expected.missing)}."
    else:
        progressive = ", the progressive at its long-run return" if expected.long_run else ""
        yield f"Expected win: from exact edges{progressive}."


def _expected(cents: Fraction | None) -> str:
    return "not exact" if cents is None else round_dollars(cents, WHOLE_DOLLARS)


def _deviation(period: Hold, error: float) -> str:
    return "" if period.deviation is None else round_dollars(period.deviation, error)


def _percentile(period: Hold, at: int, error: float) -> str:
    from croupier.simulation import supported_quantiles  # noqa: PLC0415 - the same

    cents = supported_quantiles(period.won)[at]
    return "too few" if cents is None else round_dollars(cents, error)


def _share(share: HoldShare) -> str:
    from croupier.simulation import NINETY_NINE  # noqa: PLC0415 - compiled code loads when something is simulated

    return percent_estimate(share.mean, None if share.standard_error is None else NINETY_NINE * share.standard_error)


# --- what a table wins, for programs


def hold_records(shift: Hold) -> list[dict[str, Any]]:
    """One record per shift."""
    drops = [None] * len(shift.won) if shift.drop is None else shift.drop.tolist()
    shifts = zip(shift.won.tolist(), shift.handle.tolist(), drops, strict=True)
    return [
        {"shift": number, "rounds": shift.rounds, "won_cents": won, "handle_cents": handle, "drop_cents": drop}
        for number, (won, handle, drop) in enumerate(shifts, start=1)
    ]


def hold_json(plan: Plan, calendar: Calendar, holds: Sequence[Hold], expected: ExpectedWin) -> dict[str, Any]:
    """The hold report as plain values."""
    return {
        "rounds": holds[0].rounds * len(holds[0].won),
        "rounds_per_hour": calendar.rounds_per_hour,
        "seed": plan.seed,
        "seats": len(plan.seats),
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "expected_win_is_long_run": expected.long_run,
        "expected_win_missing": list(expected.missing),
        "periods": plain_periods(holds, expected_wins(holds, expected)),
    }


def plain_periods(holds: Sequence[Hold], expected: Sequence[Fraction | None]) -> dict[str, Any]:
    """Shift, day and month as plain values, with the expected win of each."""
    return {period.period: _plain_period(period, cents) for period, cents in zip(holds, expected, strict=True)}


def _plain_period(period: Hold, expected: Fraction | None) -> dict[str, Any]:
    from croupier.simulation import supported_quantiles  # noqa: PLC0415 - the same

    return {
        "rounds": period.rounds,
        "periods": len(period.won),
        "mean_win": float(period.mean) / 100,
        "mean_win_exact_in_run": str(period.mean / 100),
        "standard_error": period.standard_error / 100,
        "expected_win": None if expected is None else float(expected / 100),
        "expected_win_exact": None if expected is None else str(expected / 100),
        "standard_deviation": None if period.deviation is None else period.deviation / 100,
        "losing_periods": period.losses,
        "losing_share": period.losses / len(period.won),
        "quantiles": {
            str(at): None if cents is None else format_dollars(Cents(cents))
            for at, cents in supported_quantiles(period.won).items()
        },
        "handle": format_dollars(Cents(round(period.handle.mean()))),
        "hold_of_handle": _plain_share(period.hold_of_handle),
        "drop": None if period.drop is None else format_dollars(Cents(round(period.drop.mean()))),
        "hold_of_drop": None if period.hold_of_drop is None else _plain_share(period.hold_of_drop),
    }


def _plain_share(share: HoldShare) -> dict[str, float | None]:
    return {
        "mean": float(share.mean),
        "standard_deviation": share.deviation,
        "standard_error": share.standard_error,
    }
