"""`croupier settle`: what should this round have paid, and why?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.json_lines import answer_lines
from croupier.cli.shown.console import COLOURS, console, print_json, print_table, read_file
from croupier.cli.submission import show_findings
from croupier.errors import Malformed, RuleViolation
from croupier.games import Settled, check_round, check_round_by, read_report, settle_round
from croupier.money import UNITS_PER_CENT, MeterUnits, format_dollars, print_dollars
from croupier.rulebook import HouseRules, InvalidSubmission
from croupier.wire import decode_json

__all__ = ["present", "settle"]


def settle(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The round in JSON; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="One round a line, one answer a line, in JSON.")] = False,
) -> int:
    """Settle a described round: every wager with its outcome, its line, the clause that decided, and why.

    Exit code 0: settled. 1: the rules do not allow this round. 2: it cannot be read.

    Example: [bold]croupier settle round.json[/bold]
    """
    if lines:
        return _settle_lines(file)
    text = read_file(file)
    try:
        answer, settled = _answer(decode_json(text), [])
    except RuleViolation as violation:
        if as_json:
            print_json(_refused(violation))
        else:
            _show_refused(console(), violation)
        return 1
    except Malformed as error:
        raise Malformed(f"{file}: {error}") from None
    if as_json:
        print_json(answer)
    else:
        _show(console(), settled, answer["warnings"])
    return 0


def _settle_lines(file: Path) -> int:
    houses: list[tuple[bytes, HouseRules]] = []

    def reply(line: bytes) -> object:
        try:
            return _answer(decode_json(line), houses)[0]
        except RuleViolation as violation:
            return _refused(violation)

    if str(file) == "-":
        bad = answer_lines(sys.stdin.buffer, sys.stdout.buffer, reply)
    else:
        try:
            with file.open("rb") as source:
                bad = answer_lines(source, sys.stdout.buffer, reply)
        except OSError as error:
            raise Malformed(f"{file}: {error.strerror}") from None
    if bad:
        print(f"croupier settle: {bad} line{'s' if bad > 1 else ''} could not be read", file=sys.stderr)
    return 2 if bad else 0


def _answer(raw: object, houses: list[tuple[bytes, HouseRules]]) -> tuple[dict[str, Any], Settled]:
    """The answer to a round. Most rounds of a file share their house rules, so the last ones are kept."""
    report = read_report(raw)
    written = msgspec.json.encode(raw.get("submission") if isinstance(raw, dict) else None)  # `1` is not `true` here
    if houses and houses[0][0] == written:
        checked = check_round_by(houses[0][1], report)
    else:
        checked = check_round(report)
        houses[:] = [(written, checked.house)]
    settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    return present(settled, list(checked.warnings)), settled


def present(settled: Settled, warnings: list[str]) -> dict[str, Any]:
    """The answer as other programs read it."""
    seats = [
        {
            "seat": seat.seat,
            "wagers": [
                {
                    "wager": one.wager,
                    "staked": format_dollars(one.staked),
                    "outcome": one.outcome,
                    "hand": one.hand,
                    "pays": one.pays,
                    "won": format_dollars(one.won),
                    "returned": format_dollars(one.returned),
                    "clause": one.clause,
                    "reading": one.reading,
                    "why": one.why,
                }
                | ({} if one.before_limit is None else {"before_limit": format_dollars(one.before_limit)})
                for one in seat.wagers
            ],
            "envy": [
                {
                    "from_seat": one.from_seat,
                    "hand": one.hand,
                    "won": format_dollars(one.won),
                    "clause": one.clause,
                }
                for one in seat.envy
            ],
            "staked": format_dollars(seat.staked),
            "paid": format_dollars(seat.paid),
        }
        | (
            {}
            if seat.coupon is None
            else {
                "match_play": {
                    "value": format_dollars(seat.coupon.value),
                    "outcome": seat.coupon.outcome,
                    "won": format_dollars(seat.coupon.won),
                    "clause": seat.coupon.clause,
                    "reading": seat.coupon.reading,
                    "why": seat.coupon.why,
                }
            }
        )
        for seat in settled.seats
    ]
    meters = {meter.name: _units(meter.units) for meter in settled.meters}
    return {"seats": seats, "meters": meters, "house_net": format_dollars(settled.house_net), "warnings": warnings}


def _units(units: MeterUnits) -> str:
    """A meter in dollars; what it holds below the cent is written too."""
    cents, fine = divmod(units, UNITS_PER_CENT)
    return format_dollars(cents) + (f"{fine:04}".rstrip("0") if fine else "")


def _refused(violation: RuleViolation) -> dict[str, Any]:
    refused = {"code": violation.code, "clause": violation.clause, "message": str(violation)}
    answer: dict[str, Any] = {"refused": refused | {"reading": violation.reading}}
    if isinstance(violation, InvalidSubmission):
        answer["findings"] = violation.findings
    return answer


def _show_refused(out: Console, violation: RuleViolation) -> None:
    if isinstance(violation, InvalidSubmission):
        show_findings(out, "submission", list(violation.findings), valid=False, mark=None)
        return
    reading = f", reading {violation.reading}" if violation.reading else ""
    out.print(
        f"[red]refused[/red] {escape(str(violation))} [dim]({escape(violation.clause)}{reading})[/dim]", soft_wrap=True
    )


def _show(out: Console, settled: Settled, warnings: list[str]) -> None:
    rows = []
    for seat in settled.seats:
        for place, one in enumerate(seat.wagers):
            reading = f"; reading {one.reading}" if one.reading else ""
            rows.append(
                (
                    "" if place else str(seat.seat),
                    one.wager.replace("_", " "),
                    print_dollars(one.staked),
                    f"[{COLOURS[one.outcome]}]{one.outcome}[/{COLOURS[one.outcome]}]",
                    print_dollars(one.won),
                    print_dollars(one.returned),
                    f"{escape(one.why)} [dim]({escape(one.clause)}{reading})[/dim]",
                )
            )
        if seat.coupon is not None:
            coupon = seat.coupon
            why = f"{escape(coupon.why)} [dim]({escape(coupon.clause)}; reading {coupon.reading})[/dim]"
            shown = f"[{COLOURS[coupon.outcome]}]{coupon.outcome}[/{COLOURS[coupon.outcome]}]"
            rows.append(("", "match play", "", shown, print_dollars(coupon.won), "", why))
        rows += [
            (
                "",
                "envy",
                "",
                "[green]win[/green]",
                print_dollars(one.won),
                "",
                f"seat {one.from_seat}: {one.hand} [dim]({one.clause})[/dim]",
            )
            for one in seat.envy
        ]
        rows.append(
            (
                "",
                "[bold]all[/bold]",
                print_dollars(seat.staked),
                "",
                "",
                "",
                f"[bold]paid {print_dollars(seat.paid)}[/bold]",
            )
        )
    print_table(("seat", "wager", "staked", "outcome", "won", "returned", "why"), rows)
    for meter in settled.meters:
        out.print(f"{meter.name} meter {_units(meter.units)}")
    out.print(f"the house {'keeps' if settled.house_net >= 0 else 'pays'} {print_dollars(abs(settled.house_net))}")
    for warning in warnings:
        out.print(f"[yellow]warning[/yellow] {escape(warning)}", soft_wrap=True)
