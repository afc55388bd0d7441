"""A settled round for people: each wager on its line, wagers with the same reason together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.markup import escape

from croupier.cli.shown.console import COLORS, print_line, print_table
from croupier.cli.submission import show_findings
from croupier.errors import RuleViolation
from croupier.games import Outcome, SeatSettled, Settled
from croupier.present import (
    SettledRow,
    dollars,
    gain,
    listed,
    meter_dollars,
    outcome_words,
    refusal_words,
    settled_rows,
)
from croupier.rulebook import InvalidSubmission

__all__ = ["show_refused", "show_settled"]


def show_refused(violation: RuleViolation) -> None:
    """Print why the rules do not allow a round, or what is wrong with its submission."""
    if isinstance(violation, InvalidSubmission):
        show_findings("submission", violation.findings, valid=False, mark=None)
    else:
        print_line(f"[red]refused[/red] {escape(refusal_words(violation))}")


def show_settled(settled: Settled, warnings: Sequence[str]) -> None:
    """Print what every seat is paid, what the meters show afterward, and what the house won or lost."""
    rows = [row for seat in settled.seats for row in _rows(seat)]
    print_table(("seat", "wager", "bet", "outcome", "won", "returned", "why"), rows)
    for meter in settled.meters:
        print_line(f"{meter.name} meter {meter_dollars(meter.units)}")
    print_line(f"house net {gain(settled.house_net)}")
    for warning in warnings:
        print_line(f"[yellow]warning[/yellow] {escape(warning)}")


def _cause(row: SettledRow) -> tuple[Outcome, str, str]:
    return row.outcome, row.reason or row.why, row.cited


def _rows(seat: SeatSettled) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for (outcome, reason, cited), alike in groupby(settled_rows(seat), _cause):
        group = list(alike)
        before = listed(row.before_limit for row in group if row.before_limit)
        why = f"{reason} from {before}" if before else reason
        rows.append(
            (
                "" if rows else str(seat.seat),
                "\n".join(row.wager for row in group),
                "\n".join(row.staked for row in group),
                f"[{COLORS[outcome]}]{outcome_words(outcome)}[/{COLORS[outcome]}]",
                "\n".join(row.won for row in group),
                "\n".join(row.returned for row in group),
                f"{escape(why)} [dim]{escape(cited)}[/dim]",
            )
        )
    total = ("", "[bold]total[/bold]", dollars(seat.staked), "", "", "", f"[bold]paid {dollars(seat.paid)}[/bold]")
    return [*rows, total]
