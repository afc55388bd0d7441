"""`croupier meter`: the economics of a progressive meter."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from croupier.cli.case_selection import read_meters
from croupier.cli.design import read_share
from croupier.cli.first_figures import first_figures
from croupier.cli.shown.console import print_json
from croupier.cli.shown.meter_tables import COLUMNS, Outlook, SimulatedMeter, plain_outlooks, rows_of, show_outlooks
from croupier.cli.simulation_options import (
    Csv,
    Parquet,
    Plot,
    Seed,
    Submission,
    Workers,
    chart_title,
    check_files,
    plan_of,
    progress_of,
    say_stopped,
    whole_number,
    write_rows,
)
from croupier.cli.submission import submission_of, verdict_on
from croupier.errors import Malformed
from croupier.money import MILLION, Cents, format_dollars, parse_dollars, print_dollars
from croupier.rulebook import ExactRate, HouseRules, MeterTerms, WagerChoice, format_rate, typed_paytable
from croupier.rulebook import Submission as Written
from croupier.table_speed import rounds_per_hour
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.simulation import Plan

__all__ = ["meter"]

PERIODS = 10
"""In which the simulated return is shown, unless their length is given."""


def meter(
    submission: Submission,
    players: Annotated[
        int, whole_number("--players", text="Players per table who bet the progressive every round.", most=7)
    ] = 1,
    tables: Annotated[
        int | None, whole_number("--tables", text="Tables that share the meter; default: as filed.", most=10_000)
    ] = None,
    rounds: Annotated[
        int | None,
        whole_number(
            "--rounds-per-hour",
            "--rounds",
            text="At each table; by default the table-speed model, for this house and number of players.",
            most=10_000,
        ),
    ] = None,
    rate: Annotated[
        list[str] | None, typer.Option("--rate", metavar="NAME=SHARE", help="Try another rate: main=0.15")
    ] = None,
    reset: Annotated[
        list[str] | None, typer.Option("--reset", metavar="NAME=AMOUNT", help="Try another reset: main=20000.00")
    ] = None,
    paytable: Annotated[
        str | None, typer.Option(metavar="NAME", help="Try another progressive paytable of the same rulebook.")
    ] = None,
    simulated: Annotated[
        int | None,
        whole_number("--simulate", text="Also simulate this many rounds at each table.", most=1 << 48),
    ] = None,
    period: Annotated[
        int | None, whole_number("--period", text="Rounds per period when showing the simulated return.")
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    plot: Plot = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Progressive jackpot economics: time between hits, average jackpot, contributions, reseeds, player return.

    The long run is exact. With --simulate, every round is also played, at tables that share the meters, and each
    award is a row of the files. A changed rate, reset or paytable is shown beside the house as filed,
    with the same cards.

    [bold]croupier meter house.toml --players 4 --tables 12[/bold]
    [bold]croupier meter house.toml --rate main=0.15 --simulate 1000000 --plot meter.png[/bold]
    """
    if simulated is None and (option := _needs_rounds(as_csv, as_parquet, plot, period)):
        raise Malformed(f"{option} requires --simulate")
    check_files(as_csv, as_parquet, plot)
    written = submission_of(submission)
    house = verdict_on(written, str(submission)).rules(name=str(submission))
    rates, resets = (
        _rates(rate or []),
        {name: int(cents) for name, cents in read_meters(reset or (), option="--reset").items()},
    )
    other = _changed(written, house, paytable, rates, resets)
    _warn_of_resets(other, resets)
    pace, shared = rounds or rounds_per_hour(house, players), tables or _filed_tables(written)
    outlooks = [_outlook("as filed", house, shared, players, pace)]
    if other.hash != house.hash:
        outlooks.append(_outlook("changed", other, shared, players, pace))
    stopped = False
    if simulated is not None:
        length = period or -(-simulated // PERIODS)
        outlooks, stopped = _played(outlooks, players, simulated, length, seed, workers)
    if as_json:
        print_json(plain_outlooks(outlooks))
    else:
        show_outlooks(outlooks)
    if as_csv is not None or as_parquet is not None:
        write_rows(rows_of(outlooks), as_csv, as_parquet, COLUMNS)
    if plot is not None and outlooks[0].played is not None:
        _draw(outlooks, plot, submission)
    return 130 if stopped else 0


def _needs_rounds(as_csv: Path | None, as_parquet: Path | None, plot: Path | None, period: int | None) -> str | None:
    asked = {"--csv": as_csv, "--parquet": as_parquet, "--plot": plot, "--period": period}
    return next((option for option, value in asked.items() if value is not None), None)


def _outlook(label: str, house: HouseRules, tables: int, players: int, pace: int) -> Outlook:
    from croupier.analysis import long_run_of

    return Outlook(
        label=label,
        house=house,
        tables=tables,
        players=players,
        pace=pace,
        long_run=long_run_of(house, players=players),
    )


# --- what is changed


def _changed(
    written: Written, house: HouseRules, paytable: str | None, rates: Mapping[str, int], resets: Mapping[str, int]
) -> HouseRules:
    from croupier.analysis import change_meters

    if paytable is not None:
        changed = _with_paytable(written, house, paytable, rates, resets)
        house = verdict_on(changed, f"--paytable {paytable}").rules(name=f"--paytable {paytable}")
    return change_meters(house, rates=rates, resets=resets)


def _warn_of_resets(house: HouseRules, resets: Mapping[str, int]) -> None:
    """Say which resets a document would not allow; they are priced all the same."""
    wager = house.wager("progressive")
    for minimum in house.rulebook.paytables.minimum if wager is not None else ():
        if wager and minimum.paytable == wager.paytables[0].id and minimum.amount and minimum.meter in resets:
            least, asked = parse_dollars(minimum.amount), Cents(resets[minimum.meter])
            if asked < least:
                words = f"{print_dollars(asked)} is below the document's minimum, {print_dollars(least)}"
                print(f"croupier meter: --reset {minimum.meter}: {words} ({minimum.clause})", file=sys.stderr)


def _with_paytable(
    written: Written, house: HouseRules, name: str, rates: Mapping[str, int], resets: Mapping[str, int]
) -> Written:
    """The submission with another paytable, keeping the meters and stake that still apply."""
    choice, book = written.wagers.get("progressive"), house.rulebook.paytables
    if choice is None:
        raise Malformed("this house offers no progressive: add [wagers.progressive] to its submission")
    tables = {table.id: table for table in book.paytable if table.group == "progressive"}
    name = typed_paytable(name, tables)
    if name not in tables:
        raise Malformed(f"--paytable: the progressive has no {clip(repr(name))}: {', '.join(tables)}")
    meters = {}
    for minimum in book.minimum:
        if minimum.paytable == name:
            meters[minimum.meter] = _meter_of(choice, name, minimum.meter, rates, resets)
    stakes = [parse_dollars(stake) for stake in tables[name].stakes]
    stake = choice.stake if choice.stake in stakes else stakes[0]
    changed = replace(choice, paytable=name, meters=meters, stake=stake)
    return replace(written, wagers=written.wagers | {"progressive": changed})


def _meter_of(
    choice: WagerChoice, paytable: str, name: str, rates: Mapping[str, int], resets: Mapping[str, int]
) -> MeterTerms:
    """A meter as filed, or a new one that opens at the reset that was given."""
    if name in choice.meters:
        return choice.meters[name]
    if name not in rates or name not in resets:
        raise Malformed(f"--paytable {paytable}: it has a meter {name!r}; give --rate {name}=… and --reset {name}=…")
    text, amount = format_rate(rates[name]), Cents(resets[name])
    return MeterTerms(initial=amount, reset=amount, rate=ExactRate(text, rates[name], finer=False))


def _filed_tables(written: Written) -> int:
    """The table of the submission, and those that it names on the same link."""
    choice = written.wagers.get("progressive")
    return 1 + len(choice.link.tables) if choice is not None and choice.link is not None else 1


def _rates(texts: list[str]) -> dict[str, int]:
    rates = {}
    for text in texts:
        name, _, share = text.rpartition("=")
        millionths = read_share(share, name="--rate") * MILLION
        if millionths.denominator != 1:
            raise Malformed(f"--rate {text!r}: a rate has at most six decimals")
        rates[name or "main"] = int(millionths)
    return rates


# --- what is played


def _played(
    outlooks: list[Outlook], players: int, rounds: int, period: int, seed: int, workers: int | None
) -> tuple[list[Outlook], bool]:
    """The outlooks with what was played, and whether it was stopped; the same paytable plays the same rounds."""
    from croupier.simulation import LinkStopped, cores, history_of, play_link

    plans, tables = [_plan(outlook.house, players, seed) for outlook in outlooks], outlooks[0].tables
    again = len({_paytable(outlook.house) for outlook in outlooks}) > 1
    runs = plans if again else plans[:1]
    links, asked = [], rounds * tables * len(runs)
    try:
        with progress_of(asked) as done:
            first_figures(runs[0], asked)
            for plan in runs:
                link = play_link(plan, rounds, tables=tables, period=period, workers=workers or cores(), done=done)
                links.append(link)
    except LinkStopped as stopped:
        say_stopped(sum(tally.rounds for period in stopped.link.periods for tally in period), asked)
        if again or not stopped.link.periods:  # two runs of different lengths cannot be compared
            return outlooks, True
        links, rounds = [stopped.link], 0
    played = []
    for outlook, plan, link in zip(outlooks, plans, links if again else links * len(plans), strict=True):
        history, meters = history_of(link, plan)
        played.append(replace(outlook, played=SimulatedMeter(plan, history, meters)))
    return played, rounds == 0


def _paytable(house: HouseRules) -> str | None:
    wager = house.wager("progressive")
    return None if wager is None else wager.paytables[0].id


def _plan(house: HouseRules, players: int, seed: int) -> Plan:
    """Everybody at the minimum stake of the main game, with a bet on the meters."""
    if players > house.seats:
        raise Malformed(f"--players: {players}, but this table has {house.seats} seats")
    least = {
        "base" if wager.paytables[0].group == "base" else wager.name: wager.stakes.minimum
        for wager in house.wagers
        if wager.stakes is not None
    }
    bets = [f"{name}={format_dollars(least[name])}" for name in ("base", "progressive")]
    return plan_of(house, bets, players, "optimal", "0%", seed)


def _draw(outlooks: list[Outlook], path: Path, submission: Path) -> None:
    from croupier.documents import Drawn, draw_meters

    drawn = [
        Drawn(
            label=outlook.label,
            plan=outlook.played.plan,
            tables=outlook.tables,
            runs=outlook.played.runs,
            histories={meter.name: meter for meter in outlook.played.history.meters},
            means={meter.name: meter.mean for meter in outlook.long_run.meters},
        )
        for outlook in outlooks
        if outlook.played is not None
    ]
    draw_meters(drawn, path, title=chart_title(outlooks[0].house, submission))
