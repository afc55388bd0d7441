"""`croupier cost`: what a player's bets cost per hour, and so what the house expects to win."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct
from rich.console import Console
from rich.markup import escape

from croupier.cli.case_selection import house_of, read_meters
from croupier.cli.chosen_house import say_which_house
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.cli.simulation_options import Submission, whole_number
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, print_dollars, typed_dollars
from croupier.present import dollars_and_cents, small_dollars
from croupier.rulebook import HouseRules, typed_wager
from croupier.table_speed import rounds_per_hour
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.analysis import AdaptedPlay, BetCost

__all__ = ["cost", "read_bets"]


def cost(
    submission: Submission,
    bet: Annotated[
        list[str] | None,
        typer.Option(
            "--bet",
            "-b",
            metavar="WAGER=AMOUNT",
            help="25 for the main game, progressive=1 for another wager; repeat for more.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        whole_number(
            "--rounds-per-hour",
            "--rounds",
            text="By default the table-speed model, for this house and number of players.",
            most=10_000,
        ),
    ] = None,
    players: Annotated[
        int, whole_number("--players", text="Players at the table; the others' hands can pay envy.", most=7)
    ] = 1,
    meter: Annotated[
        list[str] | None, typer.Option("--meter", metavar="NAME=AMOUNT", help="Current meter value: main=12345.67")
    ] = None,
    by_size: Annotated[
        bool, typer.Option("--limit-by-size", help="Show what the payout limit costs, by bet size.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """Theoretical win (theo) per hour for a player's bets, assuming optimal play.

    Includes what the payout limit costs at these bets, and what adjusting play for the jackpot and the limit gains. A
    progressive is priced at the meters shown, and also in the long run.

    Example: [bold]croupier cost house.toml --bet ante=25 --bet progressive=1 --meter 90,000[/bold]
    """
    house, bets = house_of(submission), read_bets(bet or [])
    meters = read_meters(meter or ())
    known = [meter.name for wager in house.wagers for meter in wager.meters]
    if unknown := [name for name in meters if name not in known]:
        raise Malformed(f"--meter: this house has no meter {unknown[0]!r}: {', '.join(known) or 'it has none'}")
    if by_size:
        _show_limit(house, as_json=as_json)
        return
    if not bets:
        raise Malformed("no bet: give --bet 10 for the main game, --bet WAGER=5 for another, or --limit-by-size")
    with Console(stderr=True).status("pricing"):
        theo = _theo(house, bets, meters, players, rounds or rounds_per_hour(house, players))
    if theo.limit is None:
        print(
            "croupier cost: the payout limit covers more wagers than the document names; it is left out",
            file=sys.stderr,
        )
    if as_json:
        print_json(_plain(theo))
    else:
        _show(theo, title=f"{escape(str(submission))}, optimal play")
        say_which_house(submission, house)


class Theo(Struct, frozen=True, kw_only=True):
    """What a player's bets cost; money in cents per round."""

    rounds: int
    """Per hour."""
    costs: list[BetCost]
    limit: Fraction | None
    """None where it has no exact price."""
    adapted: AdaptedPlay | None
    break_even: dict[str, Cents]
    """The meters above which the progressive favors adapted play."""

    @property
    def total(self) -> Fraction:
        """The total with the meters as shown and play adapted to them."""
        gain = self.adapted.gain if self.adapted else Fraction(0)
        return sum((cost.loses for cost in self.costs), self.limit or Fraction(0)) - gain

    @property
    def long_run(self) -> Fraction | None:
        """The total with the progressive at its average meter and best play; None without a long run."""
        if all(cost.long_run_edge is None for cost in self.costs):
            return None
        edges = [(cost.amount, cost.edge if cost.long_run_edge is None else cost.long_run_edge) for cost in self.costs]
        return sum((amount * edge for amount, edge in edges), self.limit or Fraction(0))


def _theo(house: HouseRules, bets: dict[str, Cents], meters: dict[str, Cents], players: int, rounds: int) -> Theo:
    from croupier.analysis import adapted_break_even, adapted_play, cost_of, limit_cost

    return Theo(
        rounds=rounds,
        costs=cost_of(house, bets, meters=meters, players=players),
        limit=limit_cost(house, bets),
        adapted=adapted_play(house, bets, meters),
        break_even=adapted_break_even(house, bets, meters),
    )


def _plain(theo: Theo) -> dict[str, object]:
    adapted, long_run, rounds = theo.adapted, theo.long_run, theo.rounds
    shown: dict[str, object] = {
        "rounds_per_hour": rounds,
        "bets": [_plain_bet(cost, rounds) for cost in theo.costs],
        "payout_limit_per_round_exact": None if theo.limit is None else str(theo.limit / 100),
        "adapted_play_per_round_exact": str(adapted.gain / 100) if adapted else None,
        "adapted_break_even": {name: format_dollars(even) for name, even in theo.break_even.items()},
        "first_decisions_changed": [
            {"cards": " ".join(map(str, change.cards)), "before": change.before, "after": change.after}
            for change in (adapted.first if adapted else ())
        ],
        "cost_per_round_exact": str(theo.total / 100),
        "cost_per_hour": float(theo.total * rounds / 100),
        "cost_per_hour_exact": str(theo.total * rounds / 100),
    }
    if long_run is not None:
        shown["long_run_cost_per_round_exact"] = str(long_run / 100)
        shown["long_run_cost_per_hour"] = float(long_run * rounds / 100)
    return shown


def _plain_bet(cost: BetCost, rounds: int) -> dict[str, object]:
    shown = {
        "wager": cost.wager,
        "amount": format_dollars(cost.amount),
        "house_edge_exact": str(cost.edge),
        "cost_per_round_exact": str(cost.loses / 100),
        "cost_per_hour": float(cost.loses * rounds / 100),
    }
    return shown if cost.long_run_edge is None else shown | {"long_run_house_edge_exact": str(cost.long_run_edge)}


def _show(theo: Theo, *, title: str) -> None:
    rows = [
        _row(_named(cost), cost.loses, theo.rounds, bet=print_dollars(cost.amount), edge=percent(cost.edge))
        for cost in theo.costs
    ]
    if theo.limit:
        rows.append(_row("payout limit", theo.limit, theo.rounds))
    if theo.adapted:
        rows.append(_row("adjusting play for jackpot and limit", -theo.adapted.gain, theo.rounds))
    rows.append([f"[bold]{cell}[/bold]" for cell in _row("theo", theo.total, theo.rounds)])
    if theo.long_run is not None:
        edge = next(cost.long_run_edge for cost in theo.costs if cost.long_run_edge is not None)
        rows.append(_row("theo, long run (play not adjusted)", theo.long_run, theo.rounds, edge=percent(edge)))
    print_table(("wager", "bet", "house edge", "per round", f"{theo.rounds} rounds per hour"), rows, title=title)
    for name, even in theo.break_even.items():
        console().print(
            f"[dim]With play adjusted to it, the {name} meter favors the player from {_whole_dollars(even)}.[/dim]"
        )
    if theo.adapted:
        before, after = percent(theo.adapted.folded_before, 2), percent(theo.adapted.folded, 2)
        if after != before:
            console().print(f"[dim]Adjusted play folds {after} of hands instead of {before}.[/dim]")
        for change in theo.adapted.first:
            cards = " ".join(map(str, change.cards))
            console().print(f"[dim]  {cards}: {change.after} instead of {change.before}[/dim]")


def _named(cost: BetCost) -> str:
    return cost.wager if cost.long_run_edge is None else f"{cost.wager}, at the meters shown"


def _row(name: str, cents: Fraction, rounds: int, *, bet: str = "", edge: str = "") -> list[str]:
    return [name, bet, edge, small_dollars(cents), dollars_and_cents(round(cents * rounds))]


def _show_limit(house: HouseRules, *, as_json: bool) -> None:
    from croupier.analysis import limit_by_size

    costs = [(size.bets, size.loses) for size in limit_by_size(house) if size.loses is not None]
    if not costs:
        raise Malformed(
            "readings.cap: the payout limit covers more wagers than the document names; it has no exact price"
        )
    if as_json:
        print_json(
            [
                {"bets": {name: format_dollars(bet) for name, bet in bets.items()}}
                | {"cost_per_round_exact": str(loses / 100), "cost_per_round": float(loses / 100)}
                for bets, loses in costs
            ]
        )
        return
    limit = "none" if house.payout_limit is None else print_dollars(house.payout_limit)
    rows = [
        (
            ", ".join(f"{name} {print_dollars(bet)}" for name, bet in bets.items()),
            small_dollars(loses),
            percent(loses / sum(bets.values())),
            str(loses / 100),
        )
        for bets, loses in costs
    ]
    title = f"maximum payout per hand: {limit}"
    print_table(("bet", "cost per round", "% of bet", "exact dollars"), rows, title=title)


def read_bets(texts: Sequence[str], *, option: str = "--bet") -> dict[str, Cents]:
    """Bets as they are typed: `ante=10.00`, `bet=$25`; an amount alone is a bet on the main game."""
    bets = {}
    for text in texts:
        typed, equals, amount = text.partition("=") if not _is_amount(text) else ("base", "=", text)
        name = typed_wager(typed)
        if not equals:
            raise Malformed(f"{option} {clip(repr(text))}: write a wager and an amount, such as ante=10.00")
        if name in bets:
            raise Malformed(f"{option}: {typed.strip()} is given twice")
        try:
            bets[name] = typed_dollars(amount)
        except Malformed as error:
            raise Malformed(f"{option} {text!r}: {error}; write ante=10.00") from None
    return bets


def _is_amount(text: str) -> bool:
    try:
        return typed_dollars(text) >= 0
    except Malformed:
        return False


def _whole_dollars(cents: Cents) -> str:
    """An amount that is reached, in whole dollars."""
    return print_dollars(Cents(-(-cents // 100) * 100))
