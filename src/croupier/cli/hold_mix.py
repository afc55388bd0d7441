"""`croupier hold` with a mix of players: what is exact first, then hold and volatility from simulated months."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console
from rich.markup import escape

from croupier.cli.first_figures import first_figures
from croupier.cli.shown.console import console, print_table
from croupier.cli.simulation_options import progress_of
from croupier.errors import Malformed, RuleViolation
from croupier.money import Cents, format_dollars, round_dollars
from croupier.present import dollars_and_cents, percent, simulations
from croupier.rulebook import HouseRules

if TYPE_CHECKING:
    from croupier.analysis import MixedHours, PlayerMix
    from croupier.simulation import Hold, MixedTable

__all__ = ["MixAnswer", "mix_json", "play_mix", "price_mix", "show_exact", "show_simulated"]

DAYS: Final = 30
"""Days in a month."""
WHOLE_DOLLARS: Final = 1_000.0
"""An error of ten dollars, in cents: totals are shown in whole dollars."""


class MixAnswer(Struct, frozen=True, kw_only=True):
    """A mix of players, exactly for optimal play, and its simulated months."""

    mix: PlayerMix
    exact: Sequence[MixedHours]
    table: MixedTable
    holds: Sequence[Hold] = ()
    """None before they are simulated."""

    @property
    def played(self) -> str:
        """How the simulated players decide."""
        plan = self.table.plans[self.table.seats]
        slips = f" with {plan.mistakes / 10_000:g}% mistakes" if plan.mistakes else ""
        return f"{plan.strategy}{slips}"

    @property
    def is_optimal(self) -> bool:
        """Whether the simulated players play as the exact figures assume."""
        return self.played == "optimal"

    @property
    def expected(self) -> list[Fraction | None]:
        """The expected win of each period, where the simulated players play optimally."""
        days = (Fraction(1, self.table.shifts), Fraction(1), Fraction(DAYS))
        return [self.sums["win"] * length if self.is_optimal else None for length in days]

    @property
    def sums(self) -> dict[str, Fraction]:
        """Expected win and handle per day, and the hours that seats are taken."""
        return {
            "win": sum((level.win * level.seat_rounds for level in self.exact), Fraction(0)),
            "handle": sum((level.handle * level.seat_rounds for level in self.exact), Fraction(0)),
            "seat_hours": sum((level.hours * level.players for level in self.exact), Fraction(0)),
            "hours": sum((level.hours for level in self.exact), Fraction(0)),
        }


def price_mix(
    house: HouseRules,
    mix: PlayerMix,
    pace: Callable[[int], int],
    *,
    months: int,
    shifts: int,
    play: Mapping[str, Any],
) -> MixAnswer:
    """What is exact of a mix; `play` has strategy, mistakes and seed of the months that are simulated later."""
    from croupier.analysis import mixed_hours
    from croupier.simulation import MixedTable

    with Console(stderr=True).status("pricing"):
        exact = mixed_hours(house, mix, pace)
    try:
        table = MixedTable(house, mix, pace, months=months, shifts=shifts, **play)
    except RuleViolation as error:  # the house is lawful, what was typed is not
        raise Malformed(f"--bet: {error}") from None
    return MixAnswer(mix=mix, exact=exact, table=table)


def play_mix(answer: MixAnswer, workers: int | None) -> MixAnswer:
    """The same with its simulated months."""
    from croupier.simulation import cores

    table = answer.table
    with progress_of(table.rounds) as done:
        first_figures(table.plans[table.seats], table.rounds)
        return replace(answer, holds=table.play(workers=workers or cores(), done=done))


def show_exact(submission: Path, answer: MixAnswer) -> None:
    """What is exact, as tables."""
    exact, mix, sums = answer.exact, answer.mix, answer.sums
    average = float(sums["seat_hours"] / sums["hours"])
    when = f"{average:.2f} players on average, {float(sums['hours']):g} hours per day"
    title = f"{escape(str(submission))}: {when}; exact, for optimal play"
    rows = [
        (
            str(level.players),
            f"{float(level.hours):.4g}",
            str(level.rounds),
            dollars_and_cents(round(level.theo * level.players)),
            dollars_and_cents(round(level.theo)),
        )
        for level in exact
    ]
    columns = ("players", "hours per day", "rounds per hour", "win per hour", "theo per player per hour")
    print_table(columns, rows, title=title)
    parts = []
    for name in exact[0].wins:
        won = sum((level.wins[name] * level.seat_rounds for level in exact), Fraction(0))
        if name in mix.bets or won:
            bet = dollars_and_cents(mix.bets[name]) if name in mix.bets else ""
            share = percent(mix.shares.get(name, Fraction(1)), 0) if name in mix.bets else ""
            parts.append((name, bet, share, round_dollars(won, WHOLE_DOLLARS)))
    print_table(("wager", "bet", "share of players", "win per day"), parts)


def show_simulated(answer: MixAnswer) -> None:
    """The simulated months as a table, and what somebody must know who reads all of it."""
    months = answer.table.days // DAYS
    print_table(
        ("", *(f"per {period.period}" for period in answer.holds)),
        simulations.hold_rows(answer.holds, answer.expected),
        title=f"simulated: {months:,} month{'s' if months > 1 else ''}, seed {answer.table.seed}, {answer.played}",
    )
    for words in _notes(answer):
        console().print(f"[dim]{escape(words)}[/dim]")


def _notes(answer: MixAnswer) -> Iterator[str]:
    sums, mix = answer.sums, answer.mix
    theo = dollars_and_cents(round(sums["win"] / sums["seat_hours"]))
    ratio = percent(sums["win"] / sums["handle"])
    yield f"Exact: win ÷ handle {ratio}; theo per player per hour {theo} on average."
    yield simulations.HOLD_NOTE
    if answer.is_optimal:
        long_run = ", with the progressive in the long run" if "progressive" in mix.bets else ""
        yield f"Expected win: exact{long_run}."
    else:
        yield "No expected win: exact figures are for optimal play; these players play otherwise."
    hours = mix.visit_hours or Fraction(mix.open_hours, answer.table.shifts)
    buys = (
        "" if mix.buy_in is None else f", buys in for {dollars_and_cents(mix.buy_in)}, and again when that runs short"
    )
    yield f"A player stays {float(hours):.3g} hours with the same bets{buys}."
    yield "Players at one table are dealt together: that they win and lose together is in the spread."
    if mix.buy_in is None:
        yield "No drop and hold %: give --buy-in, the buy-in per player per visit."


def mix_json(answer: MixAnswer) -> dict[str, object]:
    """The answer as plain values."""
    sums, mix = answer.sums, answer.mix
    return {
        "occupancy": [
            {
                "players": level.players,
                "hours_per_day": float(level.hours),
                "rounds_per_hour": level.rounds,
                "win_per_hour_exact": str(level.theo * level.players / 100),
                "theo_per_player_per_hour_exact": str(level.theo / 100),
                "wagers": {name: str(won * level.rounds / 100) for name, won in level.wins.items() if name in mix.bets},
            }
            for level in answer.exact
        ],
        "bets": {name: format_dollars(Cents(amount)) for name, amount in mix.bets.items()},
        "shares": {name: str(share) for name, share in mix.shares.items()},
        "expected_win_per_day": float(sums["win"] / 100),
        "expected_win_per_day_exact": str(sums["win"] / 100),
        "expected_win_per_month_exact": str(sums["win"] * DAYS / 100),
        "handle_per_day_exact": str(sums["handle"] / 100),
        "win_of_handle_exact": str(sums["win"] / sums["handle"]),
        "theo_per_player_per_hour_exact": str(sums["win"] / sums["seat_hours"] / 100),
        "rounds": answer.table.rounds,
        "seed": answer.table.seed,
        "periods": simulations.plain_periods(answer.holds, answer.expected),
    }
