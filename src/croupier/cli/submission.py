"""`croupier submission`: write, check, show and compare Rules Submissions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.rulebook import complete_rulebook
from croupier.cli.show import console, print_json, print_table, read_file
from croupier.errors import Malformed
from croupier.money import print_dollars
from croupier.rulebook import Checked, Finding, HouseRules, check, check_links, load_rulebook, read_submission_text
from croupier.rulebook.compare import diff_houses
from croupier.rulebook.template import starting_submission

__all__ = ["app", "show_findings"]

app = typer.Typer(help="Write, check, show and compare Rules Submissions.")
File = Annotated[Path, typer.Argument(metavar="FILE", help="TOML or JSON; - is standard input.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


@app.command()
def new(
    rulebook: Annotated[str, typer.Argument(metavar="RULEBOOK", autocompletion=complete_rulebook)],
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
    verdicts = {str(path): check(read_submission_text(read_file(path), name=str(path))) for path in files}
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
    verdict = check(read_submission_text(read_file(file), name=str(file)))
    if verdict.house is None:
        show_findings(console(), str(file), list(verdict.findings), valid=False, mark=None)
        return 1
    house = verdict.house
    if as_json:
        content = {field: getattr(house, field) for field in house.__struct_fields__ if field != "rulebook"}
        print_json({"rulebook": house.rulebook.id, "hash": house.hash} | content)
        return 0
    _house(house)
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
        verdict = check(read_submission_text(read_file(path), name=str(path)))
        if verdict.house is None:
            show_findings(console(), str(path), list(verdict.findings), valid=False, mark=None)
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
            f"[dim]{escape(finding.clause)}{reading}[/dim]",
            soft_wrap=True,
        )
    errors = sum(finding.severity == "error" for finding in findings)
    if valid:
        out.print(f"[green]valid[/green] {escape(name)} [dim]{mark}[/dim]", soft_wrap=True)
    else:
        out.print(f"[red]not valid[/red] {escape(name)}: {errors} error{'' if errors == 1 else 's'}", soft_wrap=True)


def _house(house: HouseRules) -> None:
    out = console()
    source = house.rulebook.source
    out.print(f"[bold]{escape(house.operator or 'A house')}[/bold]: {source.title}, {source.jurisdiction}")
    out.print(f"[dim]{house.hash}[/dim]", soft_wrap=True)
    rows = []
    for wager in house.wagers:
        if wager.minimum == wager.maximum:
            limits = print_dollars(wager.minimum)
        else:
            limits = f"{print_dollars(wager.minimum)} to {print_dollars(wager.maximum)}"
        meters = "; ".join(f"{one.name} {print_dollars(one.reset)} at {one.rate / 10_000:g}%" for one in wager.meters)
        rows.append((wager.name, wager.paytables[0].id, limits, meters))
    print_table(("wager", "paytable", "stake", "meters"), rows)
    devices = (
        f"{house.decks} deck(s), {house.shuffle.replace('_', ' ')} shuffle, dealt from {house.deal.replace('_', ' ')}"
    )
    out.print(f"{house.seats} seats, {house.boxes} box(es) a player; {devices}; a deck lives {house.deck_hours} h")
    if house.payout_limit is not None:
        out.print(f"payout limit of a hand {print_dollars(house.payout_limit)}")
    defaults = {option.rule.name: option.default for option in house.rulebook.options}
    changed = {name: value for name, value in house.options if value != defaults[name]}
    for name, value in changed.items():
        out.print(f"option {name} = {value} [dim](default {defaults[name]})[/dim]")
