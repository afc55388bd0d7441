"""The command: a round from a file, from the line itself or from answers, and what it should have paid."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Annotated, Final

import typer

from croupier.cli.chosen_house import chosen_house
from croupier.cli.json_lines import answer_lines
from croupier.cli.rulebook_names import as_rulebook, house_option
from croupier.cli.settle.asking import ask_for_round
from croupier.cli.settle.example import example_round
from croupier.cli.settle.questions import FIRST, Described
from croupier.cli.settle.short_form import ShortRound, round_of
from croupier.cli.settle.shown import show_refused, show_settled
from croupier.cli.settled_lines import LineSettler, with_submission
from croupier.cli.shown.console import print_json, print_line, read_file
from croupier.errors import Malformed, RuleViolation
from croupier.files import is_missing
from croupier.games import check_round, read_report, settle_round
from croupier.present import counted, refusal_json, settled_json
from croupier.rulebook import neither_file_nor_rulebook, rulebook_ids, typed_rulebook
from croupier.wire import canonical_json, clip, decode_json

__all__ = ["settle"]

_CARDS_OF: Final = {
    "community": '--board and its cards, such as --board "Jh 4c 2s"',
    "dealer": "--dealer and the cards of the dealer's hand",
    "six_card_box": "--six-card-box and its cards",
}
"""What is missing on the line where no card of a place was given."""


def settle(  # noqa: PLR0917 - options of the command line are keywords
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="The round in JSON; - is standard input. If omitted, give --seat, or you are asked.",
            show_default=False,
        ),
    ] = None,
    submission: Annotated[
        str | None,
        house_option(
            "--submission",
            "-s",
            text="The submission, if the round does not include one: a file, or a rulebook's id for every wager.",
            metavar="HOUSE",
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="TEXT",
            help='A seat in short: "1: Ah Kh, ante 25, three card bonus 5, 3x 3x 1x". May be given several times.',
            show_default=False,
        ),
    ] = None,
    board: Annotated[str, typer.Option("--board", "--community", metavar="CARDS", help="The community cards.")] = "",
    dealer: Annotated[str, typer.Option("--dealer", metavar="CARDS", help="The dealer's hand.")] = "",
    six_card_box: Annotated[
        str, typer.Option("--six-card-box", "--box", metavar="CARDS", help="The cards of the six card box.")
    ] = "",
    meter: Annotated[
        list[str] | None,
        typer.Option(
            "--meter",
            metavar="NAME=DOLLARS",
            help="What a meter shows after the bets of this round.",
            show_default=False,
        ),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the round step by step.")] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Print a round in JSON that settles; RULEBOOK may follow.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="JSON lines: one round and one answer per line.")] = False,
) -> int:
    """Settle a round: every wager with its outcome, what it pays, the clause that decided it, and why.

    The round comes from a file, from the command line, or from your answers: without arguments it asks.

    Exit code 0: settled. 1: the rules do not allow this round. 2: it cannot be read.

    Examples: [bold]croupier settle round.json[/bold],
    [bold]croupier settle --submission house.toml --seat "1: Ah Kh, ante 25, 3x 3x 1x" --board "Qh Jh Th"[/bold],
    [bold]croupier settle --example md-let-it-ride[/bold]
    """
    short = ShortRound(seat or (), board, dealer, six_card_box, meter or ())
    if example:
        return _print_example(file, as_line=lines)
    if lines and (ask or short != ShortRound(())):
        raise Malformed("--lines reads rounds in JSON, one per line: give FILE or -, without --seat and --ask")
    if short != ShortRound(()):
        return _settle_short(Described(_house_of(file, submission, short), short), as_json=as_json)
    if ask or (file is None and sys.stdin is not None and sys.stdin.isatty()):
        return _settle_answers(as_json=as_json)
    if file is None:
        raise Malformed("give the round: FILE in JSON, --seat on the line, or --ask to be asked for it")
    played_by = None if submission is None else chosen_house(submission).raw
    return _settle_lines(file, played_by) if lines else _settle_file(file, played_by, as_json=as_json)


def _print_example(rulebook: str | None, *, as_line: bool) -> int:
    name = typed_rulebook(rulebook or FIRST)
    if as_line:
        print(canonical_json(example_round(name)))
    else:
        print_json(example_round(name))
    return 0


# --- in short, and by answers


def _house_of(file: str | None, submission: str | None, short: ShortRound) -> str:
    if file is not None and submission is None and (name := as_rulebook(file)) in rulebook_ids():
        submission, file = str(name), None
    if file is not None:
        raise Malformed(f"{file}: give the round as a file or on the line, not both")
    if not short.seats:
        raise Malformed('--seat is missing: say who played, such as --seat "1: Ah Kh, ante 25, 3x 3x 1x"')
    if submission is None:
        raise Malformed(f"--submission is missing: your file, or a rulebook: {', '.join(rulebook_ids())}")
    return submission


def _settle_answers(*, as_json: bool) -> int:
    with redirect_stdout(sys.stderr if as_json else sys.stdout):  # with --json, standard output is for the answer alone
        described = ask_for_round()
    code = _settle_short(described, as_json=as_json)
    if not as_json:
        print_line("[dim]The same on one line:[/dim]")
        print(_one_line(described))
    return code


def _one_line(described: Described) -> str:
    """The command that asks for the same round."""
    short = described.short
    words = ["croupier", "settle", "--submission", described.house]
    for option, texts in (
        ("--seat", short.seats),
        ("--board", [short.board]),
        ("--dealer", [short.dealer]),
        ("--six-card-box", [short.six_card_box]),
        ("--meter", short.meters),
    ):
        words += [word for text in texts if text for word in (option, text)]
    return shlex.join(words)


def _settle_short(described: Described, *, as_json: bool) -> int:
    chosen = chosen_house(described.house)
    verdict = chosen.verdict()
    try:
        raw = {"submission": chosen.raw, **round_of(described.short, verdict.rules(name=chosen.name))}
        return _answer(raw, as_json=as_json)
    except RuleViolation as violation:
        code = _refuse(violation, as_json=as_json)
        if not as_json and (missing := _CARDS_OF.get(str(violation).partition(": 0 cards")[0])):
            print_line(f"[dim]Add {missing}.[/dim]")
        return code
    except Malformed as error:
        hint = "; say what it showed, such as --meter main=10,000" if str(error).startswith("meters.") else ""
        raise Malformed(f"{error}{hint}") from None


# --- from a file


def _settle_file(file: str, played_by: object | None, *, as_json: bool) -> int:
    if (name := as_rulebook(file)) in rulebook_ids():
        raise Malformed(
            f"{name} is a rulebook, not a round: add --seat and the cards on the table, or croupier settle --ask"
        )
    if "." not in file and file != "-" and is_missing(Path(file)):
        raise neither_file_nor_rulebook(file)
    text = read_file(Path(file))
    try:
        return _answer(with_submission(decode_json(text), _beside(file), played_by), as_json=as_json)
    except RuleViolation as violation:
        return _refuse(violation, as_json=as_json)
    except Malformed as error:
        raise Malformed(f"{file}: {error}") from None


def _settle_lines(file: str, played_by: object | None) -> int:
    reply = LineSettler(_beside(file), played_by).answer
    if file == "-":
        bad = answer_lines(sys.stdin.buffer, sys.stdout.buffer, reply)
    else:
        try:
            with Path(file).open("rb") as source:
                bad = answer_lines(source, sys.stdout.buffer, reply)
        except OSError as error:
            raise Malformed(f"{file}: {error.strerror}") from None
    if bad:
        print(f"croupier settle: {counted(bad, 'line')} could not be read", file=sys.stderr)
    return 2 if bad else 0


def _beside(file: str) -> Callable[[str], object]:
    """The submissions that rounds name, each read once."""
    return cache(lambda name: _submission_beside(Path(file), name))


def _submission_beside(file: Path, name: str) -> object:
    """The submission that a round names: a file, seen from the round's own, or a rulebook's id."""
    beside = file.parent / name
    try:
        return chosen_house(str(beside) if beside.is_file() else name).raw
    except OSError as error:
        raise Malformed(f"submission: {clip(name)}: {error.strerror}") from None
    except Malformed as error:
        raise Malformed(f"submission: {error}") from None


# --- answers


def _answer(raw: object, *, as_json: bool) -> int:
    checked = check_round(read_report(raw))
    settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    if as_json:
        print_json(settled_json(settled, checked.warnings))
    else:
        show_settled(settled, checked.warnings)
    return 0


def _refuse(violation: RuleViolation, *, as_json: bool) -> int:
    if as_json:
        print_json(refusal_json(violation))
    else:
        show_refused(violation)
    return 1
