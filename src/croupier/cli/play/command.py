"""The command: which house, which players, whose cards."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.panel import Panel

from croupier.cli.play.game import run
from croupier.cli.play.screen import Left, Screen
from croupier.cli.play.table import Table
from croupier.cli.play.words import HOW, one_of
from croupier.cli.rulebook import complete_rulebook
from croupier.cli.submission import show_findings, verdict_of
from croupier.errors import Malformed
from croupier.money import parse_dollars, print_dollars
from croupier.rulebook import (
    Checked,
    HouseRules,
    check,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
    starting_submission,
)

__all__ = ["play"]

FIRST: Final = "md-mississippi-stud"


def play(  # noqa: PLR0917 - options of the command line are keywords
    rulebook: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULEBOOK]",
            autocompletion=complete_rulebook,
            help=f"Such as {FIRST}; without it you are asked.",
            show_default=False,
        ),
    ] = None,
    seats: Annotated[int, typer.Option(min=1, help="Players at the keyboard, each with a seat and a bankroll.")] = 1,
    others: Annotated[int, typer.Option(min=0, help="Players of the computer beside you.")] = 0,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The same seed deals the same cards.", show_default=False)
    ] = None,
    submission: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="House rules of your own, in TOML or JSON.", show_default=False),
    ] = None,
    bankroll: Annotated[str, typer.Option(metavar="DOLLARS", help="What each player begins with.")] = "500.00",
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many; else when you leave.", show_default=False)
    ] = None,
) -> int:
    """Play against the house, for play money: dealt by the rules, every cent with the clause that decided.

    Exit code 0: you left. 1: the submission is not valid. 2: it cannot be read.

    Example: [bold]croupier play md-let-it-ride --others 2[/bold]
    """
    try:
        purse = parse_dollars(bankroll)
    except Malformed as error:
        raise Malformed(f"--bankroll: {error}") from None
    screen = Screen()
    try:
        name = str(submission) if submission else rulebook or (_ask_game(screen) if screen.typed else FIRST)
    except Left:
        return 0
    verdict = _read_house(submission, rulebook) if submission else _built_in(name)
    if verdict.house is None:
        show_findings(name, verdict.findings, valid=False, mark=None)
        return 1
    if seats + others > verdict.house.seats:
        raise Malformed(f"--seats {seats} and --others {others}: this table has {verdict.house.seats} seats")
    # A seed is for practice and for tests; without one nobody can foretell the cards.
    dice = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311
    _welcome(screen, verdict.house)
    run(Table(verdict.house, seats=seats, others=others, bankroll=purse), screen, dice, rounds=rounds)
    return 0


def _ask_game(screen: Screen) -> str:
    """The rulebook that is chosen from a menu."""
    ids = sorted(rulebook_ids(), key=lambda name: name != FIRST)
    screen.say("[bold]Which game?[/bold]")
    sources = [load_rulebook(name).source for name in ids]
    screen.rows([(f"  {number}", one.title, one.jurisdiction) for number, one in enumerate(sources, 1)])
    numbers = {str(number): name for number, name in enumerate(ids, 1)}
    while True:
        answer = screen.ask("A number, Enter for 1, Q to leave")
        name = numbers.get(answer or "1", answer)
        if name in ids:
            return name
        screen.complain(f"No such game: {one_of(list(numbers))}")


def _read_house(path: Path, rulebook: str | None) -> Checked:
    if str(path) == "-":
        raise Malformed("--submission: standard input is where you play; give a file")
    return verdict_of(path, rulebook=rulebook)


def _built_in(rulebook: str) -> Checked:
    """A house that offers every wager of the document."""
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    return check(read_submission_text(text, name=rulebook))


def _welcome(screen: Screen, house: HouseRules) -> None:
    source = house.rulebook.source
    limit = f"\nA hand wins at most {print_dollars(house.payout_limit)}." if house.payout_limit else ""
    screen.out.print(
        Panel(
            f"{HOW[source.game]}{limit}\n[dim]Play money. Type a key and Enter; ? shows what pays, Q leaves.[/dim]",
            title=f"[bold]{escape(source.title)}, {escape(source.jurisdiction)}[/bold]",
            title_align="left",
            border_style="green",
        )
    )
