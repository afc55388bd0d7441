"""`croupier submission`: write, check, show and compare Rules Submissions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.rulebook import complete_rulebook
from croupier.cli.shown.console import console, print_json, print_table, read_file
from croupier.errors import Malformed, RegulationError
from croupier.money import print_dollars
from croupier.rulebook import (
    Checked,
    Finding,
    HouseRules,
    check,
    check_links,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
)
from croupier.rulebook.compare import diff_houses
from croupier.rulebook.house import HouseWager, format_rate, present
from croupier.rulebook.options import say_value
from croupier.rulebook.submission import Submission
from croupier.rulebook.template import starting_submission

__all__ = ["app", "show_findings", "submission_of", "verdict_of", "verdict_on"]

app = typer.Typer(help="Write, check, show and compare Rules Submissions.")
File = Annotated[Path, typer.Argument(metavar="FILE", help="TOML or JSON; - is standard input.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


@app.command()
def new(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", autocompletion=complete_rulebook, help="Such as md-mississippi-stud.")
    ],
    every_wager: Annotated[bool, typer.Option("--every-wager", help="Offer every wager of the document.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this new file instead.", show_default=False)
    ] = None,
) -> None:
    """Write a starting file: valid, commented, every choice with its clause.

    Example: [bold]croupier submission new md-mississippi-stud -o house.toml[/bold]
    """
    text = starting_submission(load_rulebook(rulebook), every_wager=every_wager)
    if output is None:
        print(text, end="")
        return
    try:
        with output.open("x") as file:
            file.write(text)
    except OSError as error:
        raise Malformed(f"{output}: {error.strerror}") from None
    print(f"written to {output}")


@app.command("check")
def check_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="TOML or JSON; - is standard input.")],
    as_json: Json = False,
) -> int:
    """Check a submission clause by clause; several at once are also compared where they share a meter.

    Exit code 0: valid. 1: not. 2: it cannot be read.

    Example: [bold]croupier submission check house.toml[/bold]
    """
    names = [str(path) if files.count(path) == 1 else f"{path} ({place})" for place, path in enumerate(files, 1)]
    verdicts = {name: verdict_of(path) for name, path in zip(names, files, strict=True)}
    links = check_links({name: verdict.house for name, verdict in verdicts.items() if verdict.house is not None})
    findings = {name: [*links.get(name, []), *verdict.findings] for name, verdict in verdicts.items()}
    answers = [_answer(verdict, findings[name]) for name, verdict in verdicts.items()]
    if as_json:
        print_json(answers[0] if len(answers) == 1 else answers)
    else:
        for name, answer in zip(verdicts, answers, strict=True):
            show_findings(console(), name, findings[name], valid=bool(answer["valid"]), mark=answer["hash"])
    return 0 if all(answer["valid"] for answer in answers) else 1


@app.command()
def show(file: File, as_json: Json = False) -> int:
    """Show the house rules that a submission makes: every wager, limit and option, decided.

    Example: [bold]croupier submission show house.toml[/bold]
    """
    verdict = verdict_of(file)
    if verdict.house is None:
        _refuse(file, verdict, as_json=as_json)
        return 1
    if as_json:
        print_json({"hash": verdict.house.hash} | present(verdict.house))
    else:
        _house(verdict.house)
    return 0


@app.command()
def diff(
    first: File,
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="The submission to compare it with.")],
    as_json: Json = False,
) -> int:
    """Show how the house rules of two submissions differ.

    Example: [bold]croupier submission diff old.toml new.toml[/bold]
    """
    houses = []
    for path in (first, second):
        verdict = verdict_of(path)
        if verdict.house is None:
            _refuse(path, verdict, as_json=as_json)
            return 1
        houses.append(verdict.house)
    found = diff_houses(*houses)
    if as_json:
        print_json([{"key": one.key, "first": _text(one.first), "second": _text(one.second)} for one in found])
        return 0
    rows = [(escape(one.key), escape(_text(one.first) or "-"), escape(_text(one.second) or "-")) for one in found]
    if rows:
        print_table(("key", str(first), str(second)), rows)
    print(f"{len(found)} difference{'' if len(found) == 1 else 's'}")
    return 0


def verdict_of(path: Path, *, rulebook: str | None = None) -> Checked:
    """Read and check the submission in a file, which may have to be one of this rulebook."""
    submission = submission_of(path)
    if rulebook is not None and rulebook != submission.rulebook:
        raise Malformed(f"{path}: its rulebook is {submission.rulebook!r}, not {rulebook!r}")
    return verdict_on(submission, str(path))


def submission_of(path: Path) -> Submission:
    """Read the submission in a file."""
    return read_submission_text(read_file(path), name=str(path))


def verdict_on(submission: Submission, name: str) -> Checked:
    """Check a submission; `name` is its file's, for messages."""
    try:
        return check(submission)
    except RegulationError:
        raise
    except Malformed as error:
        key = "edition" if submission.rulebook in rulebook_ids() else "rulebook"
        raise Malformed(f"{name}: {key}: {error}") from None


def _refuse(path: Path, verdict: Checked, *, as_json: bool) -> None:
    findings = list(verdict.findings)
    if as_json:
        print_json(_answer(verdict, findings))
    else:
        show_findings(console(), str(path), findings, valid=False, mark=None)


def _text(value: object) -> str | None:
    return getattr(value, "text", None)


def _answer(verdict: Checked, findings: list[Finding]) -> dict[str, object]:
    valid = verdict.valid and not any(finding.severity == "error" for finding in findings)
    return {"valid": valid, "hash": verdict.house.hash if valid and verdict.house else None, "findings": findings}


def show_findings(out: Console, name: str, findings: list[Finding], *, valid: bool, mark: object) -> None:
    """Print findings and verdict; `mark` is the hash of what is valid."""
    for finding in findings:
        colour = "red" if finding.severity == "error" else "yellow"
        reading = f", reading {finding.reading}" if finding.reading else ""
        out.print(
            f"[{colour}]{finding.severity}[/{colour}] [bold]{escape(finding.key)}[/bold]: {escape(finding.message)} "
            f"[dim]({escape(finding.clause)}{reading})[/dim]",
            soft_wrap=True,
        )
    errors = sum(finding.severity == "error" for finding in findings)
    if valid:
        out.print(f"[green]valid[/green] {escape(name)} [dim]{mark}[/dim]", soft_wrap=True)
    else:
        out.print(f"[red]not valid[/red] {escape(name)}: {errors} error{'' if errors == 1 else 's'}", soft_wrap=True)


def _house(house: HouseRules) -> None:
    out, source = console(), house.rulebook.source
    out.print(f"[bold]{escape(house.operator or 'A house')}[/bold]: {source.title}, {source.jurisdiction}")
    out.print(f"[dim]{house.hash}[/dim]", soft_wrap=True)
    rows = [
        (wager.name, wager.paytables[0].id, _stakes(wager), "; ".join(_wager_words(wager))) for wager in house.wagers
    ]
    print_table(("wager", "paytable", "stake", ""), rows)
    decks = "1 deck" if house.decks == 1 else f"{house.decks} decks"
    devices = f"{decks}, {house.shuffle.replace('_', ' ')} shuffle, dealt from {house.deal.replace('_', ' ')}"
    boxes = "1 box" if house.boxes == 1 else f"{house.boxes} boxes"
    out.print(f"{house.seats} seats, {boxes} a player; {devices}; a deck lives {house.deck_hours} h")
    for words, amount in (
        ("payout limit of a hand", house.payout_limit),
        ("paid by hand from", house.handpay_threshold),
    ):
        if amount is not None:
            out.print(f"{words} {print_dollars(amount)}")
    if house.match_play:
        out.print(f"match play coupons pay {house.match_play}")
    for name, reference in house.approvals:
        out.print(f"approval of {name.replace('_', ' ')}: {escape(reference)}")
    defaults = {option.rule.name: option.default for option in house.rulebook.options}
    options = [
        (
            name,
            escape(say_value(value)),
            "" if value == defaults[name] else f"default {escape(say_value(defaults[name]))}",
        )
        for name, value in house.readings.items()
    ]
    print_table(("option", "", ""), options)


def _stakes(wager: HouseWager) -> str:
    if wager.stakes is None:
        return f"{' or '.join(f'{one}x' for one in wager.multiples)} ante" if wager.multiples else "as the hand allows"
    low, high = print_dollars(wager.stakes.minimum), print_dollars(wager.stakes.maximum)
    return low if low == high else f"{low} to {high}"


def _wager_words(wager: HouseWager) -> Iterator[str]:
    for meter in wager.meters:
        amounts = f"begins at {print_dollars(meter.initial)}, resets to {print_dollars(meter.reset)}"
        yield f"{meter.name} {amounts}, takes {format_rate(meter.rate)}"
    if wager.envy is not None:
        yield "envy " + ", ".join(f"{line.hand.replace('_', ' ')} {line.pays}" for line in wager.envy.line)
    if wager.link:
        yield f"linked as {escape(wager.link)}"
