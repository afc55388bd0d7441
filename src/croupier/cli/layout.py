"""`croupier layout`: check the drawing of a table layout against its submission."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from croupier.cli.rulebook_names import house_argument
from croupier.cli.shown.console import print_json, print_line, read_data
from croupier.cli.submission import show_findings, verdict_of
from croupier.documents import check_layout
from croupier.present import cited, counted, finding_json

__all__ = ["app"]

app = typer.Typer(help="Check the drawing of a table layout against its submission.")


@app.callback()
def layouts() -> None:
    """Check the drawing of a table layout against its submission."""


@app.command("check")
def check_file(
    drawing: Annotated[Path, typer.Argument(metavar="FILE.svg", help="The drawing.")],
    submission: Annotated[Path, house_argument("TOML or JSON; - is standard input.", metavar="SUBMISSION")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Check that a drawing has every area its submission needs, none too many, and what must be inscribed.

    Exit code 0: it has. 1: it has not, or the submission is not valid. 2: a file cannot be read.

    Example: [bold]croupier layout check layout.svg house.toml[/bold]
    """
    verdict = verdict_of(submission)
    if verdict.house is None:
        findings = list(verdict.findings)
        if as_json:
            print_json({"valid": False, "findings": [finding_json(finding) for finding in findings]})
        else:
            show_findings(str(submission), findings, valid=False, mark=None)
        return 1
    wrong = check_layout(read_data(drawing), verdict.house, name=str(drawing))
    if as_json:
        print_json({"valid": not wrong, "hash": verdict.house.hash, "findings": wrong})
        return 1 if wrong else 0
    for finding in wrong:
        cites = f"[dim]{escape(cited(finding.clause, finding.reading))}[/dim]"
        print_line(f"[red]error[/red] {escape(finding.message)} {cites}")
    if wrong:
        print_line(f"[red]not valid[/red] {escape(str(drawing))}: {counted(len(wrong), 'error')}")
    else:
        print_line(f"[green]valid[/green] {escape(str(drawing))} [dim]{verdict.house.hash}[/dim]")
    return 1 if wrong else 0
