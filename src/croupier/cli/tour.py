"""`croupier tour`: what Croupier can do, shown with results worked out on the spot."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from math import comb
from time import perf_counter
from typing import Annotated, Final, TypeVar

import typer
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from croupier import __version__
from croupier.cards import parse_cards
from croupier.cli.hand import show_cards
from croupier.cli.shown.console import print_table
from croupier.cli.submission import show_findings
from croupier.money import (
    Cents,
    MeterUnits,
    displayed,
    divide_pro_rata,
    parse_dollars,
    parse_pay,
    print_dollars,
    settle,
    share_of_meter,
)
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


def tour(
    pause: Annotated[bool, typer.Option(help="Wait for Enter between stops; only on a terminal.")] = True,
) -> int:
    """Show what Croupier can do, step by step. Nothing is stored or sent."""
    console = Console(highlight=False)
    stops = (_welcome, _hands, _law, _money, _counts, _flushes, _prices, _next)
    for number, stop in enumerate(stops):
        if number and pause and sys.stdin is not None and sys.stdin.isatty() and console.is_terminal:
            answer = console.input("[dim]Enter for the next stop, Q and Enter to leave [/dim]")
            if answer.strip().lower() in {"q", "quit"}:
                return 0
        stop(console)
        console.print()
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
    console.print("[dim]Start one of your own:[/dim] croupier submission new md-mississippi-stud -o house.toml")


def _money(console: Console) -> None:
    _head(console, "Money", "Integer cents, pays as the documents print them, and every rounding rule by name.")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("stake", "pays", "won", "stake returned"):
        table.add_column(column, justify="right")
    for stake, pay, collected in (("10.00", "500 to 1", False), ("1.00", "300 for 1", True), ("5.00", "push", False)):
        payout = settle(parse_pay(pay), stake=parse_dollars(stake), collected=collected)
        row = (print_dollars(parse_dollars(stake)), str(parse_pay(pay)))
        table.add_row(*row, print_dollars(payout.won), print_dollars(payout.returned))
    console.print(table)
    wins = [Cents(500_000_00), Cents(500_000_00), Cents(1_500_000_00), Cents(1_500_000_00)]
    cut = divide_pro_rata(wins, limit=parse_dollars("50000"))
    console.print(
        f"A royal flush on {print_dollars(100_000)} + {print_dollars(100_000)} + {print_dollars(300_000)} + "
        f"{print_dollars(300_000)} would win {print_dollars(sum(wins))}; a limit of $50,000 divides into "
        f"[bold]{', '.join(map(print_dollars, cut))}[/bold] [dim](readings 11, 187)[/dim]"
    )
    shown = displayed(MeterUnits(501_234_5678))
    tenth = print_dollars(share_of_meter(shown, percent=10))
    console.print(f"10% of a meter that shows {print_dollars(shown)} is [bold]{tenth}[/bold] [dim](reading 16)[/dim]")


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
    _head(console, "From here", "")
    commands = (
        ("croupier play", "play a game against the house"),
        ("croupier settle", "what a round should have paid, and why"),
        ("croupier ruling exposed card", "what an irregularity demands, with its clause"),
        ("croupier advise", "the best play and the cost of each mistake"),
        ("croupier strategy", "strategies you can memorize"),
        ("croupier hold house.toml", "win, hold % and volatility of a table"),
        ("croupier meter house.toml", "progressive jackpot economics"),
        ("croupier table open md-let-it-ride", "a table at the keyboard, through its whole procedure"),
        ("croupier rulebook list", "the documents; show and diff look things up in them"),
        ("croupier --help", "every command"),
    )
    print_table(("", ""), [(command, f"[dim]{what}[/dim]") for command, what in commands], head=False)


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
