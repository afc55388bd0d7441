"""`croupier meter`: the economics of a progressive meter."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.analysis.asking import house_of, read_meters
from croupier.cli.analysis.design import read_share
from croupier.cli.analysis.showing import percent
from croupier.cli.show import console, print_json, print_table
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, print_dollars

__all__ = ["meter"]


def meter(
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION", help="The house; - is standard input.")],
    players: Annotated[int, typer.Option(help="Players at a table who bet on it in every round.", min=1, max=7)] = 1,
    tables: Annotated[int, typer.Option(help="Tables that share it.", min=1, max=10_000)] = 1,
    rounds: Annotated[int, typer.Option(help="Rounds an hour at each table.", min=1, max=10_000)] = 60,
    rate: Annotated[
        list[str] | None, typer.Option("--rate", metavar="NAME=SHARE", help="Another rate: main=0.15")
    ] = None,
    reset: Annotated[
        list[str] | None, typer.Option("--reset", metavar="NAME=AMOUNT", help="Another reset: main=20000.00")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """Tell the life of a house's meters in the long run: time between hits, what is shown then, what goes in and out.

    [bold]croupier meter house.toml --players 4 --tables 12[/bold]
    [bold]croupier meter house.toml --rate main=0.15 --reset main=20000.00[/bold]
    """
    from croupier.analysis.meter_life import meter_lives

    resets = {name: int(cents) for name, cents in read_meters(reset or ()).items()}
    returned, lives = meter_lives(house_of(submission), rates=_rates(rate or []), resets=resets)
    an_hour = players * tables * rounds
    if as_json:
        print_json(
            {
                "wagers_per_hour": an_hour,
                "long_run_return": float(returned),
                "long_run_return_exact": str(returned),
                "meters": {
                    life.name: {
                        "contribution_per_wager_exact": str(life.contribution / 100),
                        "reset": format_dollars(Cents(life.reset)),
                        "whole_award_probability_exact": str(life.whole),
                        "any_award_probability_exact": str(life.hit),
                        "wagers_between_whole_awards": float(1 / life.whole) if life.whole else None,
                        "hours_between_whole_awards": float(1 / life.whole / an_hour) if life.whole else None,
                        "mean_shown_exact": str(life.mean / 100),
                        "mean_shown": float(life.mean / 100),
                        "reseed_per_wager_exact": str(life.reseed / 100),
                        "paid_per_wager_exact": str(life.paid / 100),
                    }
                    for life in lives
                },
            }
        )
        return
    rows = []
    for life in lives:
        between = 1 / life.whole if life.whole else None
        rows.append(
            (
                life.name,
                _dollars(life.contribution),
                print_dollars(Cents(life.reset)),
                "never" if between is None else f"{float(between):,.0f}",
                "" if between is None else _hours(between / an_hour),
                print_dollars(Cents(round(life.mean / 100) * 100)),
                _dollars(life.reseed),
            )
        )
    columns = (
        "meter",
        "a wager adds",
        "reset",
        "wagers between whole awards",
        "time",
        "shows on average",
        "house adds a wager",
    )
    print_table(columns, rows, title=f"{an_hour:,} wagers an hour")
    console().print(f"In the long run each dollar staked returns [bold]{percent(returned)}[/bold], exactly {returned}.")
    console().print(
        "[dim]A hit comes at any value alike, so an award is on average the share of what is shown on average.[/dim]"
    )


def _rates(texts: list[str]) -> dict[str, int]:
    rates = {}
    for text in texts:
        name, _, share = text.rpartition("=")
        millionths = read_share(share, name="--rate") * 1_000_000
        if millionths.denominator != 1:
            raise Malformed(f"--rate {text!r}: a rate has at most six decimals")
        rates[name or "main"] = int(millionths)
    return rates


def _dollars(cents: Fraction) -> str:
    return f"${float(cents) / 100:,.4f}"


def _hours(hours: Fraction) -> str:
    return f"{float(hours):,.1f} hours" if hours < 48 else f"{float(hours / 24):,.1f} days"
