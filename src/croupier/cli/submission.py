"""`croupier submission`: write, check, show and compare Rules Submissions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from croupier.cli.rulebook_names import house_argument, rulebook_argument
from croupier.cli.shown.console import print_json, print_line, print_sheet, read_file
from croupier.errors import Malformed, RegulationError
from croupier.files import is_missing
from croupier.present import cited, counted, house_sheets, sheet
from croupier.rulebook import (
    Checked,
    Finding,
    Submission,
    check,
    check_links,
    diff_houses,
    load_rulebook,
    neither_file_nor_rulebook,
    present,
    read_submission_text,
    rulebook_ids,
    starting_submission,
)
from croupier.wire import decode_json

__all__ = ["app", "raw_submission", "refuse", "show_findings", "submission_of", "verdict_of", "verdict_on"]

app = typer.Typer(help="Write, check, show and compare Rules Submissions.")
File = Annotated[Path, house_argument("TOML or JSON; - is standard input.", metavar="FILE")]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


@app.command()
def new(
    rulebook: Annotated[str, rulebook_argument()],
    every_wager: Annotated[bool, typer.Option("--every-wager", help="Offer every wager of the document.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this new file.", show_default=False)
    ] = None,
) -> None:
    """Write a starting file that is valid and commented, every choice with its clause.

    Example: [bold]croupier submission new md-mississippi-stud -o house.toml[/bold]
    """
    text = starting_submission(load_rulebook(rulebook), every_wager=every_wager)
    if output is None:
        print(text, end="")
        return
    try:
        with output.open("x") as file:
            file.write(text)
    except FileExistsError as error:
        raise Malformed(f"{output}: {error.strerror}, and is never overwritten; choose another name") from None
    except OSError as error:
        raise Malformed(f"{output}: {error.strerror}") from None
    print(f"written to {output}")
    print(f"Next: edit it, then croupier submission check {output}; croupier analyze -s {output} prices it.")


@app.command("check")
def check_files(
    files: Annotated[list[Path], house_argument("TOML or JSON; - is standard input.", metavar="FILE")],
    as_json: Json = False,
) -> int:
    """Check a submission clause by clause; several at once are also checked for the meters they share.

    Exit code 0: valid. 1: not valid. 2: it cannot be read.

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
            show_findings(name, findings[name], valid=bool(answer["valid"]), mark=answer["hash"])
    return 0 if all(answer["valid"] for answer in answers) else 1


@app.command()
def show(file: File, as_json: Json = False) -> int:
    """Show the house rules a submission results in: every wager, limit and option.

    Example: [bold]croupier submission show house.toml[/bold]
    """
    verdict = verdict_of(file)
    if verdict.house is None:
        refuse({str(file): verdict}, as_json=as_json)
        return 1
    if as_json:
        print_json({"hash": verdict.house.hash} | present(verdict.house))
        return 0
    source = verdict.house.rulebook.source
    print_line(f"[bold]{escape(verdict.house.operator or 'A house')}[/bold]: {source.title}, {source.jurisdiction}")
    print_line(f"[dim]{verdict.house.hash}[/dim]")
    for part in house_sheets(verdict.house):
        print_sheet(part)
    return 0


@app.command()
def diff(
    first: File,
    second: Annotated[Path, house_argument("The submission to compare it with.", metavar="OTHER")],
    as_json: Json = False,
) -> int:
    """Compare the house rules of two submissions.

    Example: [bold]croupier submission diff old.toml new.toml[/bold]
    """
    houses = []
    for path in (first, second):
        verdict = verdict_of(path)
        if verdict.house is None:
            refuse({str(path): verdict}, as_json=as_json)
            return 1
        houses.append(verdict.house)
    differences = diff_houses(*houses)
    if as_json:
        print_json([{"key": row.key, "first": _text(row.first), "second": _text(row.second)} for row in differences])
        return 0
    if differences:
        rows = [(row.key, _text(row.first) or "-", _text(row.second) or "-") for row in differences]
        print_sheet(sheet(("key", str(first), str(second)), rows))
    print(counted(len(differences), "difference"))
    return 0


def verdict_of(path: Path, *, rulebook: str | None = None) -> Checked:
    """Read and check the submission in a file; `rulebook` is the one it must be for, if any."""
    submission = submission_of(path)
    if rulebook is not None and rulebook != submission.rulebook:
        raise Malformed(f"{path}: its rulebook is {submission.rulebook!r}, not {rulebook!r}")
    return verdict_on(submission, str(path))


def submission_of(path: Path) -> Submission:
    """Read the submission in a file; a rulebook's id stands for a house that offers every wager."""
    return read_submission_text(_text_of(path), name=str(path))


def raw_submission(path: Path) -> object:
    """Return the plain values of a submission file, once it is known that they can be read."""
    text = _text_of(path)
    read_submission_text(text, name=str(path))
    return decode_json(text) if text.lstrip()[:1] == "{" else tomllib.loads(text)


def _text_of(path: Path) -> str:
    name = str(path)
    if name == "-" or "." in name or not is_missing(path):
        return read_file(path)
    if name not in rulebook_ids():
        raise neither_file_nor_rulebook(name)
    return starting_submission(load_rulebook(name), every_wager=True)


def verdict_on(submission: Submission, name: str) -> Checked:
    """Check a submission; `name` is its file's, for messages."""
    try:
        return check(submission)
    except RegulationError:
        raise
    except Malformed as error:
        key = "edition" if submission.rulebook in rulebook_ids() else "rulebook"
        raise Malformed(f"{name}: {key}: {error}") from None


def refuse(verdicts: Mapping[str, Checked], *, as_json: bool) -> None:
    """Show every finding of submissions that are not valid, by their names."""
    if as_json:
        answers = [_answer(verdict, list(verdict.findings)) for verdict in verdicts.values()]
        print_json(answers[0] if len(answers) == 1 else answers)
        return
    for name, verdict in verdicts.items():
        show_findings(name, verdict.findings, valid=False, mark=None)


def _text(value: object) -> str | None:
    return getattr(value, "text", None)


def _answer(verdict: Checked, findings: list[Finding]) -> dict[str, object]:
    valid = verdict.valid and not any(finding.severity == "error" for finding in findings)
    return {"valid": valid, "hash": verdict.house.hash if valid and verdict.house else None, "findings": findings}


def show_findings(name: str, findings: Sequence[Finding], *, valid: bool, mark: object) -> None:
    """Print findings and verdict; `mark` is the hash of what is valid."""
    for finding in findings:
        color = "red" if finding.severity == "error" else "yellow"
        cites = f"[dim]{escape(cited(finding.clause, finding.reading))}[/dim]"
        what = f"[{color}]{finding.severity}[/{color}] [bold]{escape(finding.key)}[/bold]"
        print_line(f"{what}: {escape(finding.message)} {cites}")
    errors = sum(finding.severity == "error" for finding in findings)
    if valid:
        print_line(f"[green]valid[/green] {escape(name)} [dim]{mark}[/dim]")
    else:
        print_line(f"[red]not valid[/red] {escape(name)}: {counted(errors, 'error')}")
