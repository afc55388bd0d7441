"""What the commands share in showing things to people and programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table

from croupier.errors import Malformed

__all__ = ["COLOURS", "console", "print_json", "print_table", "read_file"]


COLOURS: Final = {
    "win": "green",
    "push": "yellow",
    "withdrawn": "yellow",
    "lose": "red",
    "forfeit": "red",
    "void": "yellow",
}
"""The colour of each outcome of a wager."""


def console() -> Console:
    """The terminal, without guesses about what to colour."""
    return Console(highlight=False)


def print_json(value: object) -> None:
    """JSON alone on standard output, readable."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[RenderableType]], *, title: str = "") -> None:
    """A plain table: no frame, a dim head; what is too long wraps. Cells are Rich markup."""
    table = Table(
        box=None, pad_edge=False, header_style="dim", title=title or None, title_justify="left", title_style="bold"
    )
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console().print(table)


def read_file(path: Path) -> str:
    """The text of a file; `-` is standard input."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Malformed(f"{path}: {reason}") from None
