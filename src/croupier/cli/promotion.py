"""`croupier promotion`: what match play coupons and higher pays cost, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.cost import read_bets
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.simulation_options import Pace, Submission, read_amount, whole_number
from croupier.errors import Malformed
from croupier.money import format_dollars, print_dollars, round_dollars
from croupier.present import cited, counted, dollars_and_cents, exact_dollars, percent
from croupier.table_speed import rounds_per_hour

if TYPE_CHECKING:
    from croupier.analysis import CouponCost

__all__ = ["app"]

app = typer.Typer(help="Price promotions exactly: match play coupons and higher pays.")
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
WHOLE_DOLLARS: Final = 1_000.0
"""An error of ten dollars, in cents: totals are shown in whole dollars."""


@app.command("match-play")
def match_play(
    submission: Submission,
    coupon: Annotated[str, typer.Option("--coupon", metavar="AMOUNT", help="The value of a coupon.")],
    bet: Annotated[
        str | None, typer.Option("--bet", "-b", metavar="AMOUNT", help="The ante beside it; default: the same.")
    ] = None,
    coupons: Annotated[int, whole_number("--coupons", text="Coupons played in the promotion.")] = 1,
    hours: Annotated[
        int | None, whole_number("--hours", text="How many hours the promotion runs, for the cost per hour.")
    ] = None,
    as_json: Json = False,
) -> None:
    """The cost of match play coupons: per coupon, per hour and for the promotion.

    A coupon goes beside the ante. It pays its terms if the ante wins, stays on a push, and is lost otherwise. The cost
    is given for optimal play of the main game, and for a player who plays for bet and coupon together: nobody can get
    more.

    Example: [bold]croupier promotion match-play house.toml --coupon 25 --coupons 500 --hours 48[/bold]

    Exit code 1: the document does not provide for coupons.
    """
    from croupier.analysis import coupon_cost

    with Console(stderr=True).status("pricing"):
        priced = coupon_cost(
            house_of(submission), read_amount(coupon, "--coupon"), None if bet is None else read_amount(bet, "--bet")
        )
    if as_json:
        print_json(_plain_coupon(priced, coupons, hours))
        return
    costs = {"optimal play of the main game": priced.cost, "played for bet and coupon together": priced.adapted}
    rows = [(name, *_amounts(cost, coupons, hours), exact_dollars(cost)) for name, cost in costs.items()]
    title = f"{print_dollars(priced.value)} match play beside a {print_dollars(priced.bet)} ante, pays {priced.pays}"
    print_table(("", *_columns("per coupon", coupons, "coupon", hours), "exact, per coupon"), rows, title=title)
    where = cited(priced.clause, priced.reading)
    chances = [f"{percent(chance)} ({chance})" for chance in (priced.wins, priced.pushes)]
    notes = [
        f"The ante wins {chances[0]}, pushes {chances[1]}; a coupon lasts {float(priced.rounds):.2f} rounds {where}.",
        f"Not subtracted: the {dollars_and_cents(round(priced.theo * priced.rounds))} of theo on the chips beside it.",
    ]
    if not priced.enabled:
        notes.append("This submission does not accept coupons: add [match_play] enabled = true.")
    for words in notes:
        console().print(f"[dim]{escape(words)}[/dim]")


@app.command("pays")
def pays(
    submission: Submission,
    line: Annotated[
        list[str],
        typer.Option(
            "--line", "-l", metavar="WAGER:HAND=PAYS", help='Such as "three_card_bonus:straight flush=50 to 1".'
        ),
    ],
    bet: Annotated[
        list[str],
        typer.Option("--bet", "-b", metavar="WAGER=AMOUNT", help="Average bets: ante=25, three_card_bonus=5."),
    ],
    players: Annotated[int, whole_number("--players", text="Players at the table, all with these bets.", most=7)] = 1,
    hours: Annotated[int, whole_number("--hours", text="How many hours the promotion runs.")] = 1,
    pace: Pace = None,
    as_json: Json = False,
) -> None:
    """The cost of paying more on some lines: per round, per hour and for the promotion.

    The theoretical win as filed less the one with the new pays, under optimal play of either, the payout limit included
    and progressives in the long run.

    Example: [bold]croupier promotion pays house.toml -l "ante:royal flush=1000 to 1" -b ante=25 --hours 40[/bold]
    """
    from croupier.analysis import higher_pays

    house, bets = house_of(submission), read_bets(bet)
    rounds = pace or rounds_per_hour(house, players)
    with Console(stderr=True).status("pricing"):
        priced = higher_pays(house, dict(map(_read_line, line)), bets, players=players)
    rows = {"as filed": priced.before, "with these pays": priced.after, "cost of the promotion": priced.cost}
    if as_json:
        print_json(
            {"rounds_per_hour": rounds, "players": players, "hours": hours}
            | {
                f"{name}_{unit}_exact": str(cents * times / 100)
                for name, cents in (("theo", priced.before), ("promotional_theo", priced.after), ("cost", priced.cost))
                for unit, times in (
                    ("per_round_and_player", 1),
                    ("per_hour", rounds * players),
                    ("in_all", rounds * players * hours),
                )
            }
            | {"cost_per_hour": float(priced.cost * rounds * players / 100)}
        )
        return
    print_table(
        (
            "theoretical win",
            "per player and round",
            "per hour",
            f"{hours:,} hour{'s' * (hours > 1)}",
            "exact, per player and round",
        ),
        [
            (
                name,
                dollars_and_cents(round(cents)),
                dollars_and_cents(round(cents * rounds * players)),
                round_dollars(cents * rounds * players * hours, WHOLE_DOLLARS),
                exact_dollars(cents),
            )
            for name, cents in rows.items()
        ],
        title=f"{escape(str(submission))}: {players} player{'s' * (players > 1)}, {rounds} rounds per hour",
    )
    console().print(
        "[dim]Exact for these bets and optimal play. Not covered: more or larger bets that the promotion brings.[/dim]"
    )


def _read_line(text: str) -> tuple[tuple[str, str], str]:
    """A line as it is typed: `three_card_bonus:straight flush=50 to 1`."""
    named, equals, paid = text.partition("=")
    wager, colon, hand = named.partition(":")
    if not (equals and colon and wager.strip() and hand.strip() and paid.strip()):
        raise Malformed(f'--line {text!r}: write "three_card_bonus:straight flush=50 to 1"')
    return (wager, hand), paid.strip()


def _columns(each: str, count: int, thing: str, hours: int | None) -> tuple[str, ...]:
    return (each, counted(count, thing), *(() if hours is None else ("per hour",)))


def _amounts(cost: Fraction, count: int, hours: int | None) -> tuple[str, ...]:
    total = round_dollars(cost * count, WHOLE_DOLLARS if count > 1 else None)
    return (
        dollars_and_cents(round(cost)),
        total,
        *(() if hours is None else (dollars_and_cents(round(cost * count / hours)),)),
    )


def _plain_coupon(priced: CouponCost, coupons: int, hours: int | None) -> dict[str, object]:
    shown: dict[str, object] = {
        "coupon": format_dollars(priced.value),
        "bet": format_dollars(priced.bet),
        "pays": priced.pays,
        "enabled": priced.enabled,
        "clause": priced.clause,
        "reading": priced.reading,
        "win_chance_exact": str(priced.wins),
        "push_chance_exact": str(priced.pushes),
        "rounds_per_coupon_exact": str(priced.rounds),
        "theo_of_the_bet_per_round_exact": str(priced.theo / 100),
        "coupons": coupons,
        "hours": hours,
    }
    for name, cost in (("cost", priced.cost), ("adapted_cost", priced.adapted)):
        shown |= {f"{name}_per_coupon": float(cost / 100), f"{name}_per_coupon_exact": str(cost / 100)}
        shown[f"{name}_in_all_exact"] = str(cost * coupons / 100)
        shown[f"{name}_per_hour_exact"] = None if hours is None else str(cost * coupons / hours / 100)
    return shown
