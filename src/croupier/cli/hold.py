"""`croupier hold`: expected win, hold % and volatility per shift, day and month."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.chosen_house import say_which_house
from croupier.cli.first_figures import first_figures
from croupier.cli.hold_mix import mix_json, play_mix, price_mix, show_exact, show_simulated
from croupier.cli.mix_options import MixText, mix_of, read_mix, sample_mix
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.simulation_options import (
    Bets,
    Csv,
    Mistakes,
    Pace,
    Parquet,
    Plot,
    Seats,
    Seed,
    Strategy,
    Submission,
    Workers,
    chart_title,
    check_files,
    pace_of,
    plan_of,
    progress_of,
    read_amount,
    read_mistakes,
    say_stopped,
    whole_number,
    write_rows,
)
from croupier.errors import Malformed
from croupier.present import counted, simulations
from croupier.table_speed import rounds_per_hour as table_pace

if TYPE_CHECKING:
    from croupier.simulation import Calendar, ExpectedWin, History, Hold, Plan

__all__ = ["hold"]


def hold(
    submission: Submission,
    months: Annotated[int, whole_number("--months", text="Months to simulate, 30 days each.", most=100_000)] = 24,
    rounds_per_hour: Pace = None,
    hours: Annotated[int, whole_number("--hours", text="Hours open per day.", most=24)] = 24,
    shifts: Annotated[int, whole_number("--shifts", text="Shifts per day.", most=24)] = 3,
    buy_in: Annotated[
        str | None,
        typer.Option("--buy-in", metavar="AMOUNT", help="Buy-in per player per shift or visit, for drop and hold %."),
    ] = None,
    seed: Seed = 0,
    seats: Seats = 1,
    bet: Bets = None,
    strategy: Strategy = "optimal",
    mistakes: Mistakes = "0%",
    share: Annotated[
        list[str] | None,
        typer.Option("--share", metavar="WAGER=SHARE", help="Share of players with a side bet: three_card_bonus=60%."),
    ] = None,
    occupancy: Annotated[
        list[str] | None,
        typer.Option("--occupancy", metavar="HOURS=PLAYERS", help="Players by hour of the day: 10-18=2, 18-2=4.5."),
    ] = None,
    visit_hours: Annotated[
        str | None, typer.Option("--visit-hours", metavar="HOURS", help="How long a player stays; default: a shift.")
    ] = None,
    mix: Annotated[
        Path | None, typer.Option("--mix", metavar="FILE", help="A file with these four and --bet; see --mix-example.")
    ] = None,
    mix_example: Annotated[
        bool, typer.Option("--mix-example", help="Print a mix file for this house, to edit, and stop.")
    ] = False,
    workers: Workers = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    plot: Plot = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Expected win, hold % and volatility per shift, day and month.

    Every round is played; jackpots and envy count when they are paid. The files have one row per shift.

    With --share, --occupancy, --visit-hours or --mix the table fills as you plan it: first the exact expected win by
    number of players and by wager and theo per player, then hold % and volatility from simulated months.

    [bold]croupier hold house.toml --seats 5 --months 60 --buy-in 300[/bold]
    [bold]croupier hold house.toml --share progressive=40% --occupancy 10-18=2,18-2=4.5 --buy-in 300[/bold]
    [bold]croupier hold house.toml --mix-example > mix.toml; croupier hold house.toml --mix mix.toml[/bold]
    """
    if mix_example:
        print(sample_mix(house_of(submission)), end="")
        return 0
    check_files(as_csv, as_parquet, plot)
    if share or occupancy or mix is not None or visit_hours is not None:
        typed = MixText(
            bets=bet or (), shares=share or (), occupancy=occupancy or (), buy_in=buy_in, visit_hours=visit_hours
        )
        texts = [typed] if mix is None else [read_mix(mix), typed]
        if any(text.occupancy for text in texts) and (seats, hours) != (1, 24):
            raise Malformed("--seats and --hours do not go with --occupancy, which gives both")
        house = house_of(submission)
        if seats > house.seats:
            raise Malformed(f"--seats: {seats}, but this table has {house.seats} seats")
        priced = price_mix(
            house,
            mix_of(house, texts, seats=seats, hours=hours),
            lambda players: rounds_per_hour or table_pace(house, players),
            months=months,
            shifts=shifts,
            play={"strategy": strategy, "mistakes": read_mistakes(mistakes), "seed": seed},
        )
        if not as_json:
            show_exact(submission, priced)
        answer = play_mix(priced, workers)
        write_rows(simulations.hold_records(answer.holds[0]), as_csv, as_parquet)
        note = f"a mix of players, {_length(answer.holds)}"
        _draw(answer.holds, plot, title=chart_title(house, submission), note=note)
        if as_json:
            print_json(mix_json(answer))
        else:
            show_simulated(answer)
            say_which_house(submission, house)
        return 0
    from croupier.simulation import Calendar, check_buy_in, expected_win, hold_of

    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    calendar = Calendar(pace_of(plan, rounds_per_hour), hours, shifts)
    rounds = calendar.periods["month"] * months
    money = None if buy_in is None else read_amount(buy_in, "--buy-in")
    if money is not None:
        check_buy_in(plan, money)
    with Console(stderr=True).status("pricing"):
        expected = expected_win(plan)
    history, stopped = _play(plan, calendar, rounds, expected, workers=workers)
    holds = hold_of(history, calendar, buy_in=money)
    write_rows(simulations.hold_records(holds[0]), as_csv, as_parquet)
    note = simulations.run_words(plan, f"{calendar.rounds_per_hour} rounds per hour", _length(holds))
    _draw(holds, plot, title=chart_title(plan.house, submission), note=note)
    if as_json:
        print_json(simulations.hold_json(plan, calendar, holds, expected))
    else:
        _show_hold(submission, plan, calendar, holds, expected)
        say_which_house(submission, plan.house)
    return 130 if stopped else 0


def _play(
    plan: Plan, calendar: Calendar, rounds: int, expected: ExpectedWin, *, workers: int | None
) -> tuple[History, bool]:
    """The rounds that were played, and whether they were stopped before the end."""
    from croupier.simulation import HistoryStopped, cores, keep_history

    try:
        with progress_of(rounds) as done:
            first_figures(plan, rounds, known=simulations.expected_words(calendar.periods, expected))
            return keep_history(plan, rounds, workers=workers or cores(), done=done), False
    except HistoryStopped as interrupted:
        history = interrupted.history
        say_stopped(0 if history is None else history.rounds, rounds)
        if history is None or history.rounds < calendar.periods["shift"]:
            raise
        return history, True


def _draw(holds: Sequence[Hold], plot: Path | None, *, title: str, note: str) -> None:
    if plot is not None:
        from croupier.documents import draw_hold

        draw_hold(holds, plot, title=title, note=note)


def _length(holds: Sequence[Hold]) -> str:
    """How long it was played."""
    return counted(len(holds[-1].won), holds[-1].period)


def _show_hold(
    submission: Path, plan: Plan, calendar: Calendar, holds: tuple[Hold, ...], expected: ExpectedWin
) -> None:
    who = f"{simulations.players_words(plan)}, {calendar.rounds_per_hour} rounds per hour"
    columns = ("", *(f"per {period.period}" for period in holds))
    title = f"{escape(str(submission))}: {who}, seed {plan.seed}, {plan.strategy}"
    print_table(columns, simulations.hold_rows(holds, simulations.expected_wins(holds, expected)), title=title)
    for words in (f"{simulations.bets_words(plan)}.", *simulations.hold_notes(expected)):
        console().print(f"[dim]{escape(words)}[/dim]")
