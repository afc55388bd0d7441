"""`croupier tour`: what Croupier can do, shown with results worked out on the spot."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable
from contextlib import chdir
from fractions import Fraction
from math import comb
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Final, NamedTuple, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from croupier import __version__
from croupier.cards import parse_cards
from croupier.cli.hand import show_cards
from croupier.cli.shown.console import print_table
from croupier.cli.stdout import nobody_reads
from croupier.cli.submission import show_findings
from croupier.present import spoken
from croupier.rulebook import check, load_readings, load_rulebook, read_submission, rulebook_ids

__all__ = ["tour"]

Counts = TypeVar("Counts")

SUBMISSION: Final = {
    "rulebook": "md-mississippi-stud",
    "seats": 7,
    "cards": {"deal": "hand", "decks": 2},
    "wagers": {"six_card_bonus": {"paytable": "A"}},
}
EXAMPLES: Final = ("Ad 2s 3h", "Th Jh Qh Kh Ah", "9c 9d 9h 4s 4c Kd", "Ah 2h 3h 4h 8s 8c 8d")
FIRST_STEPS: Final = (
    ("player", "croupier play", "docs/start/player.md"),
    ("dealer, floor", "croupier settle", "docs/start/dealer-and-floor.md"),
    ("director", "croupier submission new md-mississippi-stud", "docs/start/director.md"),
    ("regulator, lab", "croupier clauses", "docs/start/regulator.md"),
    ("developer", "import croupier", "docs/start/developer.md"),
    ("anybody", "croupier serve --demo", "docs/pages.md"),
)


class Stop(NamedTuple):
    """A stop that runs commands, each with what is typed at its prompts."""

    title: str
    text: str
    commands: tuple[tuple[str, tuple[str, ...]], ...]


PAYOUT: Final = Stop(
    "What a round pays",
    "Every wager with its reason and clause. Here the payout limit cuts a royal flush.",
    (
        (
            'croupier settle --submission md-mississippi-stud --seat "1: Ah Kh, ante 500, 3x 3x 3x" --board "Qh Jh Th"',
            (),
        ),
    ),
)
RULING: Final = Stop(
    "When something goes wrong",
    "What the document demands, in plain words.",
    (("croupier ruling exposed card --rulebook md-let-it-ride", ()),),
)
PLAY: Final = Stop(
    "A round for play money",
    "With a hint, and a review of every decision. These keys were typed for you.",
    (("croupier play md-mississippi-stud --seed 20 --rounds 1", ("", "", "H", "1", "1", "3")),),
)
DECISIONS: Final = Stop(
    "The best decision, and strategies to memorize",
    "Exact values; what a mistake costs, and what a simple strategy costs.",
    (
        ('croupier advise md-mississippi-stud "Qh Jh" --community "9h 2c" --bets "1x 1x"', ()),
        ("croupier strategy md-mississippi-stud", ()),
    ),
)
EARNINGS: Final = Stop(
    "What a table earns",
    "Write a Rules Submission; ask for its win, and for its jackpot. The first time, code is compiled.",
    (
        ("croupier submission new md-mississippi-stud --every-wager -o house.toml", ()),
        ("croupier hold house.toml --bet ante=25 --seats 4 --months 3", ()),
        ("croupier meter house.toml --tables 6 --players 4", ()),
    ),
)
TABLE: Final = Stop(
    "A table, step by step",
    "Opened by its procedure, with every step recorded. A refusal names its clause.",
    (("croupier table open md-let-it-ride --clock 2026-01-01T18:00:00Z", ("go", "Ann: sit 9", "quit")),),
)


def tour(
    context: typer.Context,
    pause: Annotated[bool, typer.Option(help="Wait for Enter between stops; only on a terminal.")] = True,
) -> int:
    """Show what Croupier can do, step by step. Nothing is stored or sent."""
    console = Console(highlight=False)
    stops: tuple[Stop | Callable[[Console], None], ...] = (
        *(_welcome, _hands, _law, PAYOUT, RULING, TABLE, PLAY, DECISIONS),
        *(_counts, _flushes, _prices, EARNINGS, _next),
    )
    with TemporaryDirectory() as folder, chdir(folder):
        for number, stop in enumerate(stops):
            if number and pause and sys.stdin is not None and sys.stdin.isatty() and console.is_terminal:
                answer = console.input("[dim]Enter for the next stop, Q and Enter to leave [/dim]")
                if answer.strip().lower() in {"q", "quit"}:
                    return 0
            if isinstance(stop, Stop):
                _shown(context, console, stop)
            else:
                stop(console)
            console.print()
            sys.stdout.flush()
            if nobody_reads():
                break
    return 0


def _welcome(console: Console) -> None:
    console.print(
        Panel(
            "Software for regulated, house-banked card games: Mississippi Stud, High Card Flush, Let It Ride.\n"
            "Where others round, it gives a fraction; where others assert, it cites a clause.",
            title=f"[bold]Croupier {__version__}[/bold]",
            title_align="left",
            border_style="green",
        )
    )


def _hands(console: Console) -> None:
    _head(console, "Hands", "What a hand is in each of the games, and the rule behind it.")
    for text in EXAMPLES:
        console.print(f'\n[green]$[/green] croupier hand "{text}"')
        show_cards(console, parse_cards(text))


def _law(console: Console) -> None:
    books = [load_rulebook(name) for name in rulebook_ids()]
    clauses = sum(len(book.clauses) for book in books)
    size = f"{len(books)} documents, {clauses} clauses, {len(load_readings())} readings; every value with its clause."
    _head(console, "The law as data", size)
    documents = [(book.id, f"{book.source.document} [dim]({book.source.edition})[/dim]") for book in books]
    print_table(("", ""), documents, head=False)
    console.print("\nA Rules Submission is checked clause by clause, all findings at once:")
    verdict = check(read_submission(SUBMISSION))
    show_findings("house.toml", verdict.findings, valid=verdict.valid, mark=None)
    console.print("[dim]Start one of your own:[/dim] croupier submission new md-mississippi-stud -o mine.toml")


def _counts(console: Console) -> None:
    _head(console, "Every five-card hand there is", "Judged one by one, now, on your machine.")
    from croupier.hands import census

    counts, seconds = _timed(console, comb(52, 5), lambda step: census.five_card(progress=step))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("hand", "hands", "probability", "one in"):
        table.add_column(column, justify="left" if column == "hand" else "right")
    total = sum(counts.values())
    for category, count in reversed(counts.items()):
        name = spoken(category.name.lower())
        table.add_row(name, f"{count:,}", str(Fraction(count, total)), f"{total / count:,.2f}")
    console.print(table)
    console.print(f"[dim]{total:,} hands in {seconds:.2f} s[/dim]")


def _flushes(console: Console) -> None:
    _head(console, "Every seven-card hand of High Card Flush", "Longest flush and longest straight flush.")
    from croupier.hands import census

    flushes, first = _timed(console, comb(52, 7), lambda step: census.longest_flush(progress=step))
    runs, second = _timed(console, comb(52, 7), lambda step: census.longest_straight_flush(progress=step))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("length", "longest flush", "longest straight flush"):
        table.add_column(column, justify="right")
    for length in reversed(range(1, 8)):
        name = str(length) if length > 1 else "none"
        table.add_row(name, f"{flushes.get(length, 0):,}", f"{runs[length]:,}")
    console.print(table)
    console.print(f"[dim]{comb(52, 7):,} hands twice in {first + second:.2f} s[/dim]")


def _prices(console: Console) -> None:
    _head(console, "What a wager is worth", "Best play worked out over every deal; the fractions are exact.")
    from croupier.analysis import cases_of, price
    from croupier.cli.shown.price_tables import show_summary

    start = perf_counter()
    records = [price(next(iter(cases_of(load_rulebook(name)))))[0] for name in rulebook_ids()]
    for record in records:
        show_summary(console, [record])
    console.print(
        f"[dim]the main game of each document in {perf_counter() - start:.2f} s; croupier analyze has the rest[/dim]"
    )


def _next(console: Console) -> None:
    _head(console, "From here", "Five minutes for each kind of user; the pages are in the source.")
    print_table(("", "type this first", "then read"), FIRST_STEPS)
    console.print("[dim]croupier --help lists every command; croupier COMMAND --help explains one.[/dim]")


def _shown(context: typer.Context, console: Console, stop: Stop) -> None:
    """Run the commands of a stop as if they were typed."""
    _head(console, stop.title, stop.text)
    for line, answers in stop.commands:
        console.print(f"\n[green]$[/green] {escape(line)}", soft_wrap=True)
        sys.stdout.flush()
        keyboard, sys.stdin = sys.stdin, io.StringIO("".join(f"{answer}\n" for answer in answers))
        try:
            context.find_root().command.main(shlex.split(line)[1:], prog_name="croupier", standalone_mode=False)
        finally:
            sys.stdin = keyboard


def _head(console: Console, title: str, text: str) -> None:
    console.rule(f"[bold]{title}[/bold]", align="left", style="green")
    if text:
        console.print(f"[dim]{text}[/dim]")


def _timed(console: Console, total: int, count: Callable[[Callable[[int], None]], Counts]) -> tuple[Counts, float]:
    columns = (TextColumn("counting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)
        start = perf_counter()
        counts = count(lambda step: progress.advance(task, step))
        return counts, perf_counter() - start
