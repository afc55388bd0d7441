"""`croupier cost`: what a player's bets cost an hour, and so what the house expects to win."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.case_selection import house_of, read_meters
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, parse_dollars, print_dollars
from croupier.rulebook import HouseRules

__all__ = ["cost", "read_bets"]


def cost(
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION", help="The house; - is standard input.")],
    bet: Annotated[
        list[str] | None,
        typer.Option("--bet", "-b", metavar="WAGER=AMOUNT", help="base=10.00, three_card_bonus=5.00 …; once for each."),
    ] = None,
    rounds: Annotated[int, typer.Option(help="Rounds an hour.", min=1, max=10_000)] = 60,
    players: Annotated[
        int, typer.Option(help="Players at the table; each other one may bring envy.", min=1, max=7)
    ] = 1,
    meter: Annotated[
        list[str] | None, typer.Option("--meter", metavar="NAME=AMOUNT", help="A meter as it shows: main=12345.67")
    ] = None,
    by_size: Annotated[
        bool, typer.Option("--limit-by-size", help="What the payout limit takes, by size of bet.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """Tell what a player's bets cost in an hour under best play: the theoretical win of the house.

    With what the payout limit takes at these bets, and what playing with it and the progressive in mind brings.

    Example: [bold]croupier cost house.toml --bet base=25.00 --bet progressive=1.00 --meter 90000 --rounds 55[/bold]
    """
    from croupier.analysis.cost_of_play import cost_of, limit_cost, mind_the_rest

    house, bets = house_of(submission), read_bets(bet or [])
    meters = read_meters(meter or ())
    known = [one.name for wager in house.wagers for one in wager.meters]
    if unknown := [name for name in meters if name not in known]:
        raise Malformed(f"--meter: this house has no meter {unknown[0]!r}: {', '.join(known) or 'it has none'}")
    if by_size:
        _show_limit(house, as_json=as_json)
        return
    if not bets:
        raise Malformed("no bet: give --bet base=10.00, or --limit-by-size")
    with Console(stderr=True).status("pricing"):
        costs = cost_of(house, bets, meters=meters, players=players)
        limit, minded = limit_cost(house, bets), mind_the_rest(house, bets, meters)
    total = sum((one.loses for one in costs), limit or Fraction(0)) - (minded.gain if minded else 0)
    if limit is None:
        print(
            "croupier cost: the payout limit covers more wagers than the document names; it is left out",
            file=sys.stderr,
        )
    if as_json:
        print_json(
            {
                "rounds_per_hour": rounds,
                "bets": [
                    {"wager": one.wager, "amount": format_dollars(one.amount), "house_edge_exact": str(one.edge)}
                    | {"cost_per_round_exact": str(one.loses / 100), "cost_per_hour": float(one.loses * rounds / 100)}
                    for one in costs
                ],
                "payout_limit_per_round_exact": None if limit is None else str(limit / 100),
                "minding_the_rest_per_round_exact": str(minded.gain / 100) if minded else None,
                "first_decisions_changed": [
                    {"cards": " ".join(map(str, one.cards)), "before": one.before, "after": one.after}
                    for one in (minded.first if minded else ())
                ],
                "cost_per_round_exact": str(total / 100),
                "cost_per_hour": float(total * rounds / 100),
                "cost_per_hour_exact": str(total * rounds / 100),
            }
        )
        return
    rows = [
        (one.wager, print_dollars(one.amount), percent(one.edge), _dollars(one.loses), _dollars(one.loses * rounds))
        for one in costs
    ]
    if limit:
        rows.append(("payout limit", "", "", _dollars(limit), _dollars(limit * rounds)))
    if minded:
        rows.append(("minding the rest", "", "", _dollars(-minded.gain), _dollars(-minded.gain * rounds)))
    rows.append(
        ("[bold]total[/bold]", "", "", f"[bold]{_dollars(total)}[/bold]", f"[bold]{_dollars(total * rounds)}[/bold]")
    )
    print_table(
        ("wager", "bet", "house edge", "a round", f"{rounds} rounds"),
        rows,
        title=f"{escape(str(submission))}, best play",
    )
    if minded:
        words = f"folds {percent(minded.folded, 2)} of hands instead of {percent(minded.folded_before, 2)}"
        console().print(f"[dim]Best play that minds limit and progressive {words}.[/dim]")
        for change in minded.first:
            console().print(
                f"[dim]  {' '.join(map(str, change.cards))}: {change.after} instead of {change.before}[/dim]"
            )


def _show_limit(house: HouseRules, *, as_json: bool) -> None:
    from croupier.analysis.cost_of_play import limit_by_size

    found = [(one.bets, one.loses) for one in limit_by_size(house) if one.loses is not None]
    if not found:
        raise Malformed(
            "readings.cap: the payout limit covers more wagers than the document names; it has no exact price"
        )
    if as_json:
        print_json(
            [
                {"bets": {name: format_dollars(bet) for name, bet in bets.items()}}
                | {"cost_per_round_exact": str(loses / 100), "cost_per_round": float(loses / 100)}
                for bets, loses in found
            ]
        )
        return
    limit = "none" if house.payout_limit is None else print_dollars(house.payout_limit)
    rows = [
        (
            ", ".join(f"{name} {print_dollars(bet)}" for name, bet in bets.items()),
            _dollars(loses),
            percent(loses / sum(bets.values())),
            str(loses / 100),
        )
        for bets, loses in found
    ]
    title = f"payout limit of a hand: {limit}"
    print_table(("bet", "it takes a round", "of the bet", "dollars exactly"), rows, title=title)


def read_bets(texts: list[str]) -> dict[str, Cents]:
    """Bets as they are typed: `base=10.00`."""
    bets = {}
    for text in texts:
        name, _, amount = text.partition("=")
        if name.strip() in bets:
            raise Malformed(f"--bet: {name.strip()} stands twice")
        try:
            bets[name.strip()] = parse_dollars(amount)
        except Malformed as error:
            raise Malformed(f"--bet {text!r}: {error}; write base=10.00") from None
    return bets


def _dollars(cents: Fraction) -> str:
    """Cents as dollars, to a hundredth of a cent; what the player wins has a minus."""
    sign = "−" if cents < 0 else ""
    return f"{sign}${abs(float(cents)) / 100:,.4f}"
