"""`croupier settle`: what should this round have paid, and why?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from croupier.cli.json_lines import answer_lines
from croupier.cli.settled_lines import LineSettler, with_submission
from croupier.cli.shown.console import COLORS, print_json, print_line, print_table, read_file
from croupier.cli.submission import raw_submission, show_findings
from croupier.errors import Malformed, RuleViolation
from croupier.games import (
    SeatSettled,
    Settled,
    check_round,
    read_report,
    settle_round,
)
from croupier.present import (
    counted,
    dollars,
    gain,
    meter_dollars,
    outcome_words,
    refusal_json,
    refusal_words,
    settled_json,
    settled_rows,
)
from croupier.rulebook import InvalidSubmission
from croupier.wire import decode_json

__all__ = ["settle"]


def settle(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The round in JSON; - is standard input.")],
    submission: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The submission, if the round does not include one.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="JSON lines: one round and one answer per line.")] = False,
) -> int:
    """Settle a round: every wager with its outcome, what it pays, the clause that decided it, and why.

    Exit code 0: settled. 1: the rules do not allow this round. 2: it cannot be read.

    Example: [bold]croupier settle round.json[/bold]
    """
    played_by = None if submission is None else raw_submission(submission)
    if lines:
        return _settle_lines(file, played_by)
    text = read_file(file)
    try:
        checked = check_round(read_report(with_submission(decode_json(text), played_by)))
        settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    except RuleViolation as violation:
        if as_json:
            print_json(refusal_json(violation))
        else:
            _show_refused(violation)
        return 1
    except Malformed as error:
        raise Malformed(f"{file}: {error}") from None
    if as_json:
        print_json(settled_json(settled, checked.warnings))
    else:
        _show(settled, checked.warnings)
    return 0


def _settle_lines(file: Path, played_by: object | None) -> int:
    reply = LineSettler(played_by).answer
    if str(file) == "-":
        bad = answer_lines(sys.stdin.buffer, sys.stdout.buffer, reply)
    else:
        try:
            with file.open("rb") as source:
                bad = answer_lines(source, sys.stdout.buffer, reply)
        except OSError as error:
            raise Malformed(f"{file}: {error.strerror}") from None
    if bad:
        print(f"croupier settle: {counted(bad, 'line')} could not be read", file=sys.stderr)
    return 2 if bad else 0


def _show_refused(violation: RuleViolation) -> None:
    if isinstance(violation, InvalidSubmission):
        show_findings("submission", violation.findings, valid=False, mark=None)
    else:
        print_line(f"[red]refused[/red] {escape(refusal_words(violation))}")


def _show(settled: Settled, warnings: tuple[str, ...]) -> None:
    rows = [row for seat in settled.seats for row in _rows(seat)]
    print_table(("seat", "wager", "bet", "outcome", "won", "returned", "why"), rows)
    for meter in settled.meters:
        print_line(f"{meter.name} meter {meter_dollars(meter.units)}")
    print_line(f"house net {gain(settled.house_net)}")
    for warning in warnings:
        print_line(f"[yellow]warning[/yellow] {escape(warning)}")


def _rows(seat: SeatSettled) -> list[tuple[str, ...]]:
    rows = [
        (
            "" if place else str(seat.seat),
            row.wager,
            row.staked,
            f"[{COLORS[row.outcome]}]{outcome_words(row.outcome)}[/{COLORS[row.outcome]}]",
            row.won,
            row.returned,
            f"{escape(row.why)} [dim]{escape(row.cited)}[/dim]",
        )
        for place, row in enumerate(settled_rows(seat))
    ]
    return [
        *rows,
        ("", "[bold]total[/bold]", dollars(seat.staked), "", "", "", f"[bold]paid {dollars(seat.paid)}[/bold]"),
    ]
