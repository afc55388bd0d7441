"""The commands of `croupier table`."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, BinaryIO, NoReturn

import typer

from croupier.cli.json_lines import read_lines, write_line
from croupier.cli.rulebook_names import rulebook_argument
from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.cli.stores import StoreOption, TableHost, hosted
from croupier.cli.table.example import example
from croupier.cli.table.first_line import read_first_line
from croupier.cli.table.open_table import open_table
from croupier.cli.table.words import Answer, RefusedLine, UnreadableLine, answer_json, answer_lines
from croupier.cli.typed_names import nearest, typed_name
from croupier.errors import EntropyFailure, Malformed, RuleViolation
from croupier.present import (
    CardPlaces,
    command_givers,
    command_json,
    command_list,
    command_sheet,
    commands_of,
    counted,
)
from croupier.rulebook import (
    InvalidSubmission,
    check,
    load_rulebook,
    read_submission,
    rulebook_ids,
    starting_submission,
)
from croupier.table import ROLES, Request, read_request
from croupier.wire import clip, decode_json

__all__ = ["app"]

app = typer.Typer(help="Run a table through its whole procedure.")
app.command("open")(open_table)


@app.command()
def run(
    script: Annotated[
        Path,
        typer.Argument(metavar="SCRIPT", help="JSON lines: the table, then one command per line; - is standard input."),
    ],
    text: Annotated[bool, typer.Option("--text", help="Plain sentences instead of JSON.")] = False,
    store: StoreOption = None,
) -> int:
    """Run a script of commands: each is answered by what is recorded, or by a refusal with its clause.

    The first line is the table: [bold]{"submission": {…}, "cards": {"source": "script"}}[/bold]. Cards come from the
    script itself or from a fair shuffler, [bold]{"source": "virtual", "seed": "<64 hex>"}[/bold]; without a seed the
    operating system supplies one. With [bold]"dealer": "automatic"[/bold] the program gives the staff's commands.

    With [bold]--store[/bold] everything is recorded, durably, before it is answered. A second run on the same store and
    table goes on where the first one stopped, and a command with a [bold]"key"[/bold] that was carried out before gives
    its first answer again.

    Exit code 0, whatever was refused. 1: the submission is not valid. 2: a line cannot be read.
    """
    if str(script) == "-":
        return _run(sys.stdin.buffer, "standard input", store, text=text)
    try:
        with script.open("rb") as source:
            return _run(source, str(script), store, text=text)
    except OSError as error:
        raise Malformed(f"{script}: {error.strerror}") from None


def _run(source: BinaryIO, name: str, store: str | None, *, text: bool) -> int:
    lines = read_lines(source)
    first = next(lines, None)
    if first is None:
        raise Malformed(f"{name}: the file is empty; the first line is the table with its submission")
    try:
        line = decode_json(first[1]) if isinstance(first[1], bytes) else _raise(first[1])
        table, cards, automatic = read_first_line(line)
    except InvalidSubmission as invalid:
        _show([RefusedLine(invalid)], CardPlaces(), text=text)
        return 1
    except Malformed as error:
        raise Malformed(f"{name}, line {first[0]}: {error}") from None
    salted = store is not None
    with hosted(store, table, lambda used: cards(used, salted=salted), automatic, reads_shuffles=True) as host:
        return _answer_all(host, lines, text=text)


def _answer_all(host: TableHost, lines: Iterator[tuple[int, bytes | Malformed]], *, text: bool) -> int:
    bad = 0
    for number, line in lines:
        answers: list[Answer] = []
        try:
            raw = decode_json(line) if isinstance(line, bytes) else _raise(line)
            answers += _answers(host, read_request(raw, host.table.house), number)
        except EntropyFailure as failure:
            _show([UnreadableLine(number, str(failure))], CardPlaces(), text=text)
            return 1
        except Malformed as error:
            bad += 1
            answers.append(UnreadableLine(number, clip(str(error), 300)))
        if host.stopped is not None:  # what was asked for has happened; the automatic staff cannot go on
            answers.append(UnreadableLine(number, str(host.stopped)))
        _show(answers, CardPlaces(host.table.round or host.table.last_round), text=text)
        if host.stopped is not None:
            return 1
    if bad:
        print(f"croupier table run: {counted(bad, 'line')} could not be read", file=sys.stderr)
    return 2 if bad else 0


def _show(answers: Iterable[Answer], places: CardPlaces, *, text: bool) -> None:
    for answer in answers:
        if text:
            for line in answer_lines(answer, places):
                print_line(line)
        else:
            write_line(sys.stdout.buffer, answer_json(answer))


def _raise(error: Malformed) -> NoReturn:
    raise error


def _answers(running: TableHost, request: Request, line: int) -> Sequence[Answer]:
    """Return what a command records, or its refusal."""
    try:
        return running.handle(request)
    except RuleViolation as violation:
        return [RefusedLine(violation, line, request)]


@app.command("example")
def write_example(
    rulebook: Annotated[
        str, rulebook_argument("Such as md-let-it-ride; default: md-mississippi-stud.", metavar="[RULEBOOK]")
    ] = "md-mississippi-stud",
) -> None:
    """Write a starting script: one round, from the first attestation to the closed table.

    Example: [bold]croupier table example md-let-it-ride | croupier table run - --text[/bold]
    """
    raw = tomllib.loads(starting_submission(load_rulebook(rulebook)))
    submission = read_submission(raw)
    house = check(submission).rules(name=rulebook)
    write_line(sys.stdout.buffer, {"submission": raw, "cards": {"source": "script"}})
    for request in example(submission, house):
        write_line(sys.stdout.buffer, request)


@app.command()
def commands(
    rulebook: Annotated[
        str | None,
        rulebook_argument("Only the commands of this rulebook; default: all rulebooks.", metavar="[RULEBOOK]"),
    ] = None,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[COMMAND]", help="Show one command and what the values of its arguments mean.", show_default=False
        ),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option(metavar="ROLE", help=f"Only what this role may do: {', '.join(ROLES)}.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List every command of a table: what it does, who may give it, its arguments, and the clause behind it.

    Examples: [bold]croupier table commands md-let-it-ride --role dealer[/bold],
    [bold]croupier table commands rule[/bold], [bold]croupier table commands md-let-it-ride rule[/bold]
    """
    if rulebook is not None and name is None and rulebook not in rulebook_ids() and "-" not in rulebook:
        rulebook, name = None, rulebook
    books = [load_rulebook(known) for known in ([rulebook] if rulebook is not None else rulebook_ids())]
    known = commands_of(books)
    if name is not None and role is None and typed_name(name, known) is None and typed_name(name, ROLES):
        name, role = None, name
    if name is not None:
        meant = typed_name(name, known)
        if meant is None:
            raise nearest(name, known, what="a command")
        known = [meant]
    if role is not None:
        wanted = typed_name(role, ROLES)
        if wanted is None:
            raise Malformed(f"--role: {nearest(role, ROLES, what='a role')}")
        known = [command for command in known if wanted in command_givers(command, books)]
    if as_json:
        print_json([command_json(command, books) for command in known])
    elif name is not None:
        for command in known:
            print_sheet(command_sheet(command, books))
    else:
        print_sheet(command_list(books, known))
        print_line("[dim]? is optional; every command has by, at and do, and may have a reason[/dim]")
