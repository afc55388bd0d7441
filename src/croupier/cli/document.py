"""`croupier document`: the papers of a submission, to be handed in, hung up and handed out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Final, get_args

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from croupier.cli.rulebook_names import as_rulebook, house_argument, house_option
from croupier.cli.shown.console import read_file
from croupier.cli.submission import show_findings, submission_of, verdict_on
from croupier.documents import (
    HELP,
    SIZES,
    Order,
    Paper,
    PaperKind,
    Particulars,
    Printed,
    check_logo,
    every_paper,
    form_of,
    letters_of_no_typeface,
    print_paper,
)
from croupier.errors import Malformed
from croupier.extras import need
from croupier.files import write_whole
from croupier.present import any_of
from croupier.rulebook import Checked, PapersTerms, Submission, papers_problems
from croupier.wire import clip

__all__ = ["document"]

KINDS: Final[tuple[PaperKind, ...]] = get_args(PaperKind)
HELPFUL: Final = {"sign", "submission", "guide"}
"""The papers that bear the help line."""


def document(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="KIND", callback=as_rulebook, help=f"{any_of(KINDS)}; with --all every kind.", show_default=False
        ),
    ] = None,
    submission: Annotated[
        Path | None, house_argument("TOML or JSON; - is standard input.", metavar="SUBMISSION")
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Its ending chooses .pdf, .html, .svg or .xlsx.", show_default=False
        ),
    ] = None,
    everything: Annotated[
        Path | None, typer.Option("--all", metavar="DIR", help="Every paper into this folder.", show_default=False)
    ] = None,
    size: Annotated[str, typer.Option(help=f"The sheet of the sign: {any_of(SIZES)}.")] = "letter",
    before: Annotated[
        Path | None, house_option(text="The submission that this one replaces: lists the changes.")
    ] = None,
    version: Annotated[str | None, typer.Option(help="The submission's version.", show_default=False)] = None,
    day: Annotated[
        str | None, typer.Option("--date", metavar="DAY", help="The day on the papers: 2026-11-17", show_default=False)
    ] = None,
    help_line: Annotated[
        str | None, typer.Option(help="The state's problem gambling help, with its number.", show_default=False)
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="The address of the table's page, for a QR code.", show_default=False)
    ] = None,
    logo: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The operator's logo, in SVG.", show_default=False)
    ] = None,
) -> int:
    """Print the papers of a submission: payout sign, table layout, Rules Submission, math report, player's guide and
    dealer's card.

    Exit code 0: printed. 1: the submission is not valid; its findings are listed, and nothing is written. 2: it cannot
    be read.

    Example: [bold]croupier document sign house.toml --out sign.pdf[/bold]

    [bold]croupier document --all papers house.toml[/bold]
    """
    need("papers")
    chosen, path = _chosen(kind, submission)
    papers = _papers(chosen, out=out, folder=everything, size=size)
    given = submission_of(path)
    verdict, old = verdict_on(given, str(path)), _before(before)
    for name, judged in ((path, verdict), *([(before, old[1])] if before and old else [])):
        if judged.house is None:
            show_findings(str(name), judged.findings, valid=False, mark=None)
            return 1
    terms = _terms(given, version=version, day=day, help_line=help_line, address=address)
    drawn = logo if logo is not None else (path.parent / terms.logo if terms.logo else None)
    order = Order(
        submission=given,
        house=verdict.rules(),
        particulars=_particulars(terms, drawn, asked=any(paper.kind in HELPFUL for paper in papers)),
        before=None if old is None else (old[0], old[1].rules()),
    )
    _warn_of_letters(order, papers)
    made = _made(order, papers)
    if everything is not None:
        _make_folder(everything)
    for paper, data in zip(papers, made, strict=True):
        target = everything / paper.name if everything is not None else out or Path()
        write_whole(target, data)
        print(f"written to {target}")
    return 0


def _chosen(kind: str | None, submission: Path | None) -> tuple[PaperKind | None, Path]:
    """The kind, and where the submission is; a single argument is the submission."""
    if kind is None:
        raise Malformed("name a submission, such as: croupier document --all papers house.toml")
    if submission is None:
        if kind in KINDS:
            raise Malformed(f"{kind}: name the submission too, such as: croupier document {kind} house.toml --out FILE")
        return None, Path(kind)
    for name in KINDS:
        if name == kind:
            return name, submission
        if name == str(submission):  # the other way round
            return name, Path(kind)
    raise Malformed(f"{clip(repr(kind))} is not a paper: {any_of(KINDS)}")


def _papers(kind: PaperKind | None, *, out: Path | None, folder: Path | None, size: str) -> tuple[Printed, ...]:
    if size not in SIZES:
        raise Malformed(f"--size: {clip(repr(size))} is not a sheet: {any_of(SIZES)}")
    if folder is not None:
        if out is not None:
            raise Malformed("give --out FILE for one paper or --all DIR for every one, not both")
        return every_paper(kind)
    if kind is None:
        raise Malformed(f"which paper? {any_of(KINDS)}; or --all DIR for every one")
    if out is None:
        raise Malformed("--out FILE is missing: its ending chooses the form")
    return (Printed(out.name, kind, form_of(kind, str(out)), size),)


def _before(path: Path | None) -> tuple[Submission, Checked] | None:
    if path is None:
        return None
    old = submission_of(path)
    return old, verdict_on(old, str(path))


def _terms(
    submission: Submission, *, version: str | None, day: str | None, help_line: str | None, address: str | None
) -> PapersTerms:
    """What the submission says for its papers, and what was said here instead."""
    written = submission.papers or PapersTerms()
    terms = PapersTerms(
        version=written.version if version is None else version,
        date=written.date if day is None else day,
        help_line=written.help_line if help_line is None else help_line,
        address=written.address if address is None else address,
        logo=written.logo,
    )
    for key, message in papers_problems(terms):
        raise Malformed(f"--{key.replace('_', '-')}: {message}")
    return terms


def _particulars(terms: PapersTerms, logo: Path | None, *, asked: bool) -> Particulars:
    help_line = terms.help_line
    if asked and not help_line:
        help_line = _ask_for_help_line()
    return Particulars(
        version=terms.version,
        date=date.fromisoformat(terms.date) if terms.date else None,
        help_line=help_line,
        address=terms.address,
        logo="" if logo is None else _logo(logo),
    )


def _ask_for_help_line() -> str:
    """On a terminal the operator is asked; otherwise a warning says what the sign lacks."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        print(f"{HELP}, as the sign must say it (Enter for a blank line): ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip()
        for key, message in papers_problems(PapersTerms(help_line=answer)):
            raise Malformed(f"--{key.replace('_', '-')}: {message}")
        if answer:
            return answer
    what = "no help line was given, so there is a ruled blank for it: use --help-line or papers.help_line"
    print(f"croupier: warning: {what}", file=sys.stderr)
    return ""


def _logo(path: Path) -> str:
    text = read_file(path)
    check_logo(text, name=str(path))
    return text


def _warn_of_letters(order: Order, papers: Sequence[Printed]) -> None:
    given = order.particulars
    said = f"{order.house.operator} {given.version} {given.help_line}"
    letters = letters_of_no_typeface(said) if any(paper.form == "pdf" for paper in papers) else ""
    if letters:
        what = f"no typeface of the papers has {' '.join(letters)}: a PDF shows boxes there"
        print(f"croupier: warning: {what}", file=sys.stderr)


def _made(order: Order, papers: Sequence[Printed]) -> list[bytes]:
    """Every paper, before the first is written: a paper that cannot be printed leaves no others behind."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.completed} of {task.total} papers"), BarColumn(), TextColumn("{task.description}"))
    made: list[bytes] = []
    said: dict[PaperKind, Paper] = {}
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("", total=len(papers))
        for paper in papers:
            progress.update(task, description=paper.name)
            made.append(print_paper(order, paper, made=said))
            progress.advance(task)
    return made


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Malformed(f"{folder}: cannot be made: {error.strerror}") from None
