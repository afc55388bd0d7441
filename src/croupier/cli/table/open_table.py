"""`croupier table open`: a table at the keyboard, or from a pipe of typed commands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.markup import escape

from croupier.cli.chosen_house import chosen_house
from croupier.cli.rulebook_names import house_argument
from croupier.cli.shown.console import print_line
from croupier.cli.stores import StoreOption, hosted
from croupier.cli.submission import show_findings
from croupier.cli.table.desk import STAFF, LeaveTheDesk, TableDesk
from croupier.cli.table.first_line import read_first_line
from croupier.cli.typed_lines import NoMoreLines, TypedLines
from croupier.errors import Malformed
from croupier.fairness import SEED_BYTES
from croupier.files import write_whole
from croupier.present import counted
from croupier.rulebook import InvalidSubmission

__all__ = ["open_table"]

_STEP: Final = timedelta(seconds=10)
_YEARS: Final = range(1970, 9999)
"""In which the clock may start; it must be able to go on."""


def open_table(  # noqa: PLR0917 - options of the command line are keywords
    house: Annotated[
        str,
        house_argument(
            "A submission file, or a rulebook's id for a house with every wager of the document.", metavar="HOUSE"
        ),
    ],
    cards: Annotated[
        str,
        typer.Option(metavar="SOURCE", help="hand: you name the cards; virtual: a fair shuffler deals."),
    ] = "hand",
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="64 hex digits: the same seed deals the same cards.", show_default=False),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Start the clock here, ten seconds per line, such as 2026-01-01T18:00:00Z; default: the time now.",
            show_default=False,
        ),
    ] = None,
    automatic: Annotated[
        bool, typer.Option("--automatic", help="The program gives the staff's commands; you play.")
    ] = False,
    name: Annotated[str, typer.Option("--table", metavar="ID", help="The id of the table in its record.")] = "1",
    script: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the script when you leave.", show_default=False),
    ] = None,
    store: StoreOption = None,
) -> int:
    """Open a table at the keyboard: it lists what each person may do now, and takes their commands by name.

    Type [bold]help[/bold] for the words it knows, [bold]who[/bold] for what may be done now, [bold]next[/bold] or
    [bold]go[/bold] for the steps of the staff, and [bold]save FILE[/bold] for a script that
    [bold]croupier table run[/bold] takes. A pipe may send the same lines.

    Exit code 0, whatever was refused. 1: the submission is not valid. 2: a line of a pipe cannot be read.

    Example: [bold]croupier table open md-let-it-ride --cards virtual[/bold]
    """
    if script is not None:
        _check_new(script)  # now, not when the evening is over
    first = _first_line(house, cards, seed, name=name, automatic=automatic, stored=store is not None)
    try:
        table, source, staff = read_first_line(first)
    except InvalidSubmission as invalid:
        show_findings(house, invalid.findings, valid=False, mark=None)
        return 1
    salted = store is not None
    ticks = _clock(clock)
    with hosted(store, table, lambda used: source(used, salted=salted), staff, reads_shuffles=True) as host:
        desk = TableDesk(host, ticks, staff=staff or STAFF)
        lines = TypedLines(desk.complete)
        document = host.table.house.rulebook.source
        print_line(f"[bold]{document.title}, {document.jurisdiction}[/bold], table {escape(name)}. Type help or who.")
        if host.table.seq > table.seq:
            print_line("[dim]The table goes on where it stopped; a saved script has only what you type now.[/dim]")
        for line in desk.answer("go") if staff is not None else ():
            print_line(line)
        bad = _converse(desk, lines, first)
        if script is not None:
            _save(script, first, desk)
    return 2 if bad and not lines.is_terminal else 0


def _converse(desk: TableDesk, lines: TypedLines, first: dict[str, Any]) -> int:
    """Answer until somebody leaves; return how many lines could not be read."""
    bad = 0
    for line in desk.status():
        print_line(line)
    while True:
        try:
            typed = lines.ask("table")
        except NoMoreLines:
            return bad
        except KeyboardInterrupt:
            print_line("[dim]quit or Ctrl-D leaves.[/dim]")
            continue
        try:
            if typed.startswith("save"):
                _save(Path(typed.removeprefix("save").strip()), first, desk)
                continue
            answers = desk.answer(typed)
        except LeaveTheDesk:
            return bad
        except Malformed as error:
            bad += 1
            print_line(f"[yellow]{escape(str(error))}[/yellow]")
            continue
        for line in answers:
            print_line(line)


def _first_line(
    house: str, cards: str, seed: str | None, *, name: str, automatic: bool, stored: bool
) -> dict[str, Any]:
    """The first line of the script that makes this table."""
    if cards not in {"hand", "virtual"}:
        raise Malformed(f"--cards: {cards!r} is not a source: use hand or virtual")
    if seed is not None and cards == "hand":
        raise Malformed("--seed: cards by hand have no seed; add --cards virtual")
    if cards == "virtual" and seed is None and not stored:
        seed = secrets.token_hex(SEED_BYTES)  # so that a saved script deals the same cards
    source = {"source": "script"} if cards == "hand" else {"source": "virtual"} | ({"seed": seed} if seed else {})
    dealer = {"dealer": "automatic"} if automatic else {}
    return {"submission": chosen_house(house).raw, "cards": source, "table": name} | dealer


def _clock(start: str | None) -> Callable[[], datetime]:
    if start is None:
        return lambda: datetime.now(UTC)
    try:
        begin = datetime.fromisoformat(start)
    except ValueError:
        begin = None
    if begin is None or begin.tzinfo is None or begin.year not in _YEARS:
        raise Malformed(f"--clock: {start!r} is not a time such as 2026-01-01T18:00:00Z")
    steps = count()
    return lambda: begin.astimezone(UTC) + next(steps) * _STEP


def _save(path: Path, first: dict[str, Any], desk: TableDesk) -> None:
    _check_new(path)
    write_whole(path, b"".join(msgspec.json.encode(line) + b"\n" for line in (first, *desk.script())))
    print_line(f"Saved {counted(len(desk.given), 'command')}. Run them with: croupier table run {escape(str(path))}")


def _check_new(path: Path) -> None:
    """Refuse a place where no new script can be."""
    if not str(path).strip(". "):
        raise Malformed("save: name a new file, such as save evening.jsonl")
    try:
        if path.exists():
            raise Malformed(f"{path}: the file exists already; name a new one")
        if not path.parent.is_dir():
            raise Malformed(f"{path}: there is no folder {path.parent}")
    except OSError as error:
        raise Malformed(f"{path}: {error.strerror}") from None
