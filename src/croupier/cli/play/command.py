"""The command: which house, which players, whose cards."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.panel import Panel

from croupier.cli.play.game import Game
from croupier.cli.play.screen import Left, Page, Screen, open_screen
from croupier.cli.play.session import STAFF, Session, memory_host
from croupier.cli.play.words import HOW
from croupier.cli.rulebook_names import house_option, rulebook_argument
from croupier.cli.simulation_options import whole_number
from croupier.cli.stores import StoreOption, TableHost, hosted, unused_seeds
from croupier.cli.submission import show_findings, submission_of, verdict_on
from croupier.driver import FairShuffler
from croupier.errors import Malformed
from croupier.fairness import SEED_BYTES, SYSTEM, Entropy
from croupier.money import typed_dollars
from croupier.present import any_of, dollars
from croupier.rulebook import (
    HouseRules,
    Submission,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
    starting_submission,
    typed_rulebook,
)
from croupier.table import new_table

__all__ = ["play"]

FIRST: Final = "md-mississippi-stud"


def play(  # noqa: PLR0917 - options of the command line are keywords
    rulebook: Annotated[
        str | None, rulebook_argument(f"The game, such as {FIRST}; if omitted, you are asked.", metavar="[RULEBOOK]")
    ] = None,
    seats: Annotated[
        int, whole_number("--seats", text="Players at the keyboard, each with a seat and chips.", most=7)
    ] = 1,
    others: Annotated[int, whole_number("--others", text="Computer players at the table.", least=0, most=7)] = 0,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The same seed deals the same cards.", show_default=False)
    ] = None,
    submission: Annotated[Path | None, house_option(text="Your own house rules, in TOML or JSON.")] = None,
    bankroll: Annotated[str, typer.Option(metavar="DOLLARS", help="Buy-in of each player.")] = "500.00",
    rounds: Annotated[int | None, whole_number("--rounds", text="Stop after this many rounds.")] = None,
    store: StoreOption = None,
) -> int:
    """Play against the house for play money, with exact hints, a review of every decision, and a clause for every cent.

    With [bold]--store[/bold] the table is recorded and still there the next time, in the middle of a round if need be.

    Exit code 0: you left. 1: the submission is not valid. 2: it cannot be read.

    Example: [bold]croupier play md-let-it-ride --others 2[/bold]
    """
    try:
        purse = typed_dollars(bankroll)
    except Malformed as error:
        raise Malformed(f"--bankroll: {error}") from None
    screen = open_screen()
    try:
        with nullcontext() if submission or rulebook else screen.opened():
            name = str(submission) if submission else rulebook or (_ask_game(screen) if screen.asks else FIRST)
    except Left:
        return 0
    rules = _read_submission(submission, rulebook) if submission else _built_in(name)
    verdict = verdict_on(rules, name)
    if verdict.house is None:
        show_findings(name, verdict.findings, valid=False, mark=None)
        return 1
    if seats + others > verdict.house.seats:
        raise Malformed(f"--seats {seats} and --others {others}: this table has {verdict.house.seats} seats")
    with _host(verdict.house, rules, seed, store) as host:
        session = Session(host, seats=seats, others=others, bankroll=purse)
        _welcome(screen, session.house)
        Game(session, screen).run(rounds=rounds)
    return 0


@contextmanager
def _host(house: HouseRules, rules: Submission, seed: str | None, store: str | None) -> Iterator[TableHost]:
    if store is None:
        yield memory_host(house, rules, _entropy(seed))
        return
    table = new_table(rules, house, id=f"play-{house.rulebook.id}")

    def shuffler(used: Sequence[str]) -> FairShuffler:
        return FairShuffler(_entropy(seed, used), salts=SYSTEM)

    with hosted(store, table, shuffler, STAFF, reads_shuffles=seed is not None) as host:
        yield host


def _entropy(seed: str | None, used: Sequence[str] = ()) -> Entropy:
    """A seed is for practice and for tests; without one nobody can predict the cards."""
    if seed is None:
        return SYSTEM
    chance = random.Random(seed)  # noqa: S311
    return unused_seeds((chance.randbytes(SEED_BYTES) for _ in count()), used)


def _ask_game(screen: Screen) -> str:
    """Let the player choose a rulebook from a menu."""
    ids = sorted(rulebook_ids(), key=lambda name: name != FIRST)
    sources = [load_rulebook(name).source for name in ids]
    wide = max(len(source.title) for source in sources)
    numbers = {str(number): name for number, name in enumerate(ids, 1)}
    rows = [
        f"  [bold]{number}[/bold]  {source.title:<{wide}}  {source.jurisdiction}"
        for number, source in zip(numbers, sources, strict=True)
    ]
    screen.show(Page(body=["[bold]Which game?[/bold]", *rows]))
    while True:
        answer = screen.ask("A number, Enter for 1, Q to leave")
        name = typed_rulebook(numbers.get(answer or "1", answer))
        if name in ids:
            return name
        screen.complain(f"Please enter {any_of(numbers)}.")


def _read_submission(path: Path, rulebook: str | None) -> Submission:
    if str(path) == "-":
        raise Malformed("--submission: standard input is where you play; give a file")
    rules = submission_of(path)
    if rulebook is not None and rulebook != rules.rulebook:
        raise Malformed(f"{path}: its rulebook is {rules.rulebook!r}, not {rulebook!r}")
    return rules


def _built_in(rulebook: str) -> Submission:
    """A house that offers every wager of the document."""
    return read_submission_text(starting_submission(load_rulebook(rulebook), every_wager=True), name=rulebook)


def _welcome(screen: Screen, house: HouseRules) -> None:
    """Explain the game, where output is printed line by line."""
    if screen.is_live:
        return
    source = house.rulebook.source
    limit = f"\nMaximum payout per hand: {dollars(house.payout_limit)}." if house.payout_limit else ""
    screen.out.print(
        Panel(
            f"{HOW[source.game]}{limit}\n[dim]Play money. Type a key and Enter: H hint, ? what pays, Q leave.[/dim]",
            title=f"[bold]{escape(source.title)}, {escape(source.jurisdiction)}[/bold]",
            title_align="left",
            border_style="green",
        )
    )
