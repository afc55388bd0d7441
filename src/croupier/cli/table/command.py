"""The commands of `croupier table`."""

from __future__ import annotations

import hmac
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final

import typer
from rich.markup import escape

from croupier.cli.json_lines import read_lines, write_line
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.table.example import example
from croupier.cli.table.words import Answer, Refused, Unreadable, answer_json, answer_lines
from croupier.driver import CardsByHand, CardSource, FairShuffler, Staff, TableRunner
from croupier.errors import EntropyFailure, Malformed, RuleViolation
from croupier.fairness import SEED_BYTES, SYSTEM, Entropy, read_hex
from croupier.games import InvalidSubmission
from croupier.games.rulings import RULED
from croupier.present import CardPlaces, counted
from croupier.rulebook import check, load_rulebook, read_submission, rulebook_ids
from croupier.rulebook.schema import Duty, Rulebook
from croupier.rulebook.template import starting_submission
from croupier.table import Request, new_table, read_request
from croupier.table.codec import arguments
from croupier.table.commands import COMMANDS, WITH_REASON
from croupier.table.people import givers, say_givers
from croupier.table.play import BY_COUNT
from croupier.wire import clip, decode_json

__all__ = ["app"]

app = typer.Typer(help="Run a table through its whole procedure.")
SOURCES = ("script", "virtual")


@app.command()
def run(
    script: Annotated[
        Path,
        typer.Argument(metavar="SCRIPT", help="JSON lines: the table, then one command each; - is standard input."),
    ],
    text: Annotated[bool, typer.Option("--text", help="Lines for people instead of JSON.")] = False,
) -> int:
    """Run a table: each command answers with what is recorded, or with a refusal, its clause and what is allowed.

    The first line is the table: [bold]{"submission": {…}, "cards": {"source": "script"}}[/bold]. Cards come from the
    script itself, or from a fair shuffler: [bold]{"source": "virtual", "seed": "<64 hex>"}[/bold], without a seed from
    the operating system. With [bold]"dealer": "automatic"[/bold] the staff's commands are given by the program.

    Exit code 0, whatever was refused. 1: the submission is not lawful. 2: a line cannot be read.
    """
    if str(script) == "-":
        return _run(sys.stdin.buffer, "standard input", text=text)
    try:
        with script.open("rb") as source:
            return _run(source, str(script), text=text)
    except OSError as error:
        raise Malformed(f"{script}: {error.strerror}") from None


def _run(source: BinaryIO, name: str, *, text: bool) -> int:
    lines = read_lines(source)
    first = next(lines, None)
    if first is None:
        raise Malformed(f"{name}: the file is empty; the first line is the table with its submission")
    try:
        running = _table(decode_json(first[1]) if isinstance(first[1], bytes) else _raise(first[1]))
    except InvalidSubmission as invalid:
        _show([Refused(invalid)], CardPlaces(), text=text)
        return 1
    except Malformed as error:
        raise Malformed(f"{name}, line {first[0]}: {error}") from None
    bad = 0
    for number, line in lines:
        answers: list[Answer] = []
        try:
            raw = decode_json(line) if isinstance(line, bytes) else _raise(line)
            answers += _answers(running, read_request(raw, running.table.house), number)
        except EntropyFailure as failure:
            _show([Unreadable(number, str(failure))], CardPlaces(), text=text)
            return 1
        except Malformed as error:
            bad += 1
            answers.append(Unreadable(number, clip(str(error), 300)))
        if running.stopped is not None:  # what was asked for has happened; the automatic staff cannot go on
            answers.append(Unreadable(number, str(running.stopped)))
        _show(answers, CardPlaces(running.table.round or running.table.before), text=text)
        if running.stopped is not None:
            return 1
    if bad:
        print(f"croupier table run: {counted(bad, 'line')} could not be read", file=sys.stderr)
    return 2 if bad else 0


def _show(answers: Iterable[Answer], places: CardPlaces, *, text: bool) -> None:
    for answer in answers:
        if text:
            for line in answer_lines(answer, places):
                console().print(line, soft_wrap=True)
        else:
            write_line(sys.stdout.buffer, answer_json(answer))


def _raise(error: Malformed) -> Any:  # noqa: ANN401
    raise error


_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")


def _table(raw: object) -> TableRunner:
    """The table of the first line; an `InvalidSubmission` says why its rules are refused."""
    if not isinstance(raw, Mapping) or "submission" not in raw:
        raise Malformed('the first line is the table: {"submission": {…}, "cards": {"source": "script"}}')
    for key in raw:
        if key not in {"submission", "cards", "dealer", "table"}:
            raise Malformed(f"{clip(repr(key))} is not a key of a table: use submission, cards, dealer or table")
    name = raw.get("table", "1")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise Malformed("table: a table's id has 1 to 60 letters, digits, dots, dashes and underscores")
    submission = read_submission(raw["submission"])
    verdict = check(submission)
    dealer = raw.get("dealer", "script")
    if dealer not in ("script", "automatic"):
        raise Malformed(f"dealer: {clip(repr(dealer))} is not a dealer: use script or automatic")
    source = _source(raw.get("cards", {"source": "script"}))
    if verdict.house is None:
        raise InvalidSubmission([finding for finding in verdict.findings if finding.severity == "error"])
    table = new_table(submission, verdict.house, id=name)
    return TableRunner(table, source, automatic=Staff() if dealer == "automatic" else None)


def _source(raw: object) -> CardSource:
    if not isinstance(raw, Mapping) or raw.get("source") not in SOURCES:
        raise Malformed(f"cards: the source must be {' or '.join(SOURCES)}")
    allowed = {"source", "seed"} if raw["source"] == "virtual" else {"source"}
    for key in raw:
        if key not in allowed:
            raise Malformed(f"cards: {clip(repr(key))} is not a key here: use {', '.join(sorted(allowed))}")
    if raw["source"] == "script":
        return CardsByHand()
    if "seed" not in raw:
        return FairShuffler(SYSTEM)
    seed = raw["seed"]
    return FairShuffler(_seeded(read_hex(seed if isinstance(seed, str) else "", "cards.seed", size=SEED_BYTES)))


def _seeded(seed: bytes) -> Entropy:
    """Chance from one seed, to run a script again: the seed of each shuffle follows from it and a counter."""
    shuffles = iter(range(1 << 62))
    return Entropy(lambda _: hmac.digest(seed, next(shuffles).to_bytes(8, "big"), "sha256"))


def _answers(running: TableRunner, request: Request, line: int) -> Sequence[Answer]:
    """What is recorded because of a command, or its refusal."""
    try:
        return running.handle(request)
    except RuleViolation as violation:
        return [Refused(violation, line, request)]


@app.command("example")
def write_example(
    rulebook: Annotated[str, typer.Argument(metavar="[RULEBOOK]", help="Which rulebook.")] = "md-mississippi-stud",
) -> None:
    """Write a script to begin with: an evening of one round, from the first attestation to the closed table.

    Example: [bold]croupier table example md-let-it-ride | croupier table run - --text[/bold]
    """
    raw = tomllib.loads(starting_submission(load_rulebook(rulebook)))
    submission = read_submission(raw)
    house = check(submission).house
    if house is None:
        raise ValueError(f"the starting submission of {rulebook} is not valid")
    write_line(sys.stdout.buffer, {"submission": raw, "cards": {"source": "script"}})
    for order in example(submission, house):
        write_line(sys.stdout.buffer, order)


@app.command()
def commands(
    rulebook: Annotated[str | None, typer.Argument(metavar="[RULEBOOK]", help="As one document has it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List every command of a table: who may give it, its arguments, and the clause behind it.

    Example: [bold]croupier table commands md-let-it-ride[/bold]
    """
    names = [rulebook] if rulebook is not None else rulebook_ids()
    books = [load_rulebook(name) for name in names]
    if as_json:
        print_json([_described(name, books) for name in COMMANDS if any(_duty(book, name) for book in books)])
        return
    rows = []
    for name, kind in COMMANDS.items():
        duties = [duty for book in books if (duty := _duty(book, name)) is not None]
        if not duties:
            continue
        given = [f"{one['name']}{'' if one['required'] else '?'}" for one in arguments(kind)]
        who = " / ".join(dict.fromkeys(say_givers(duty) for duty in duties))
        cited = [duties[0].clause] if rulebook is not None else []
        rows.append([f"[bold]{name}[/bold]", escape(" ".join(given)), escape(who), *map(escape, cited)])
    print_table(["command", "arguments", "given by", *(["clause"] if rulebook is not None else [])], rows)
    console().print("[dim]? need not be given; every command has by, at, do and may have a reason[/dim]")


def _described(name: str, books: list[Rulebook]) -> dict[str, Any]:
    known = {book.id: duty for book in books if (duty := _duty(book, name)) is not None}
    by = {book.id: givers(book.procedure.ranks, known[book.id]) for book in books if book.id in known}
    everywhere = [role for role in next(iter(by.values())) if all(role in roles for roles in by.values())]
    return {
        "do": name,
        "about": " ".join((COMMANDS[name].__doc__ or "").split()),  # type: ignore[index]
        "by": everywhere,
        "arguments": _arguments(name, books),
        "reason": "required" if name in WITH_REASON else "optional",
        "rulebooks": {
            book: {"by": by[book], "clause": duty.clause, "also": duty.also, "reading": duty.reading}
            for book, duty in known.items()
        },
    }


def _arguments(name: str, books: list[Rulebook]) -> list[dict[str, Any]]:
    """What a command takes; where a document knows its own values, no others."""
    found = arguments(COMMANDS[name])  # type: ignore[index]
    for row in found:
        values = dict.fromkeys(value for book in books for value in _values(book, name, row["name"]))
        if values:
            row |= {"kind": "choice", "values": list(values)}
    return found


def _values(book: Rulebook, name: str, argument: str) -> list[str]:
    """The values that this document accepts, where it has a list of its own."""
    rows = book.irregularities.irregularity
    match name, argument:
        case "rule", "irregularity":
            return [one.event for one in rows if one.event in RULED - BY_COUNT]
        case "set_aside", "irregularity":
            return [one.event for one in rows if one.card == "to_rack"]
        case "find_conduct", "rule":
            return [one.rule for one in book.play.conduct]
        case "attest", "what":
            return [one.what for one in book.procedure.attest]
        case "take_out_device", "how":
            return [how for one in rows for how in one.attest]
    return []


def _duty(book: Rulebook, name: str) -> Duty | None:
    return next((one for one in book.procedure.duty if one.do == name), None)
