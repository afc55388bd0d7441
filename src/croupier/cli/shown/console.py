"""What the commands share in showing things to people and programs."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.errors import Malformed
from croupier.files import read_whole
from croupier.present import Sheet

__all__ = [
    "COLORS",
    "console",
    "print_csv",
    "print_json",
    "print_line",
    "print_sheet",
    "print_table",
    "read_data",
    "read_file",
]


COLORS: Final = {
    "win": "green",
    "push": "yellow",
    "withdrawn": "yellow",
    "lose": "red",
    "forfeit": "red",
    "void": "yellow",
}
"""The color of each outcome of a wager."""
GAP: Final = 2
"""Blanks between two columns."""
LONGEST_WORD: Final = 34
"""A longer word, such as a hash, is folded."""
_JOINTS: Final = re.compile(r"(?<=[\w\]])(?=\.)")
"""Where a long key, such as `irregularity[foreign_card].void`, is folded instead."""
_FIGURE: Final = re.compile(r"[-+−±$]*[\d,]*\.?\d+(%|x| h)?|-|", re.ASCII)


def console() -> Console:
    """The terminal, without automatic highlighting."""
    return Console(highlight=False)


def print_line(line: str | Text) -> None:
    """Print a line of Rich markup: unbroken for a program, wrapped between words for a terminal."""
    out = console()
    out.print(line, soft_wrap=not out.is_terminal)


def print_json(value: object) -> None:
    """Print JSON alone on standard output, readable."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print CSV alone on standard output."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    sys.stdout.buffer.write(text.getvalue().encode())


def print_sheet(sheet: Sheet, *, right: Collection[str] = ()) -> None:
    """Print a sheet of words; clauses and readings are dim. Columns that do not fit go below, with the first again.

    The columns named in `right` are aligned right.
    """
    for columns in _columns_that_fit(sheet):
        names = [sheet.columns[column] for column in columns]
        dim = [place > 0 and name == "clause" for place, name in enumerate(names)]
        rows = [
            [Text(row[column], "dim" if dim[place] else "") for place, column in enumerate(columns)]
            for row in sheet.rows
        ]
        filled = [row for row in rows if len(row) <= 1 or any(cell.plain for cell in row[1:])]
        print_table(names, filled, title=escape(sheet.title), head=any(names), right=right)
        if columns[-1] != len(sheet.columns) - 1:
            print()


def _columns_that_fit(sheet: Sheet) -> list[list[int]]:
    """Split columns that are of a kind, such as paytables, into groups that fit beside the first."""
    if not sheet.alike:
        return [list(range(len(sheet.columns)))]
    widths = [max(map(len, (name, *(row[place] for row in sheet.rows)))) for place, name in enumerate(sheet.columns)]
    room, groups, used = console().width - widths[0], [[0]], 0
    for place, width in enumerate(widths[1:], 1):
        if used + width + GAP > room and len(groups[-1]) > 1:
            groups.append([0])
            used = 0
        groups[-1].append(place)
        used += width + GAP
    return groups


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    title: str = "",
    head: bool = True,
    right: Collection[str] = (),
) -> None:
    """Print a plain table: no frame, a dim head, the columns named in `right` aligned right. Cells are Rich markup.

    Words and figures stay whole: what is too long wraps between words, and where even that does not fit, each row
    becomes a block of lines. A row of one cell is a heading of its own.
    """
    out = console()
    cells = [[cell if isinstance(cell, Text) else Text.from_markup(cell) for cell in row] for row in rows]
    rows_of_cells = [row for row in cells if len(row) > 1]
    by_column = [
        [Text(name), *(row[place] for row in rows_of_cells if place < len(row))] for place, name in enumerate(columns)
    ]
    least = [max(map(_longest_word, column)) for column in by_column]
    room = out.width - GAP * (len(columns) - 1)
    if sum(least) > room and len(columns) > 2:
        _print_blocks(out, columns, cells, title)
        return
    widths = _shared(room, least, [max(map(_longest_line, column)) for column in by_column])
    parts: list[tuple[Text | None, list[list[Text]]]] = [(None, [])]
    for row in cells:
        if len(row) == 1 < len(columns):
            parts.append((row[0], []))
        else:
            parts[-1][1].append(row)
    if title:
        out.print(f"[bold]{title}[/bold]")
    for place, (heading, part) in enumerate(parts):
        table = Table(box=None, pad_edge=False, header_style="dim", show_header=head and place == 0)
        for name, width in zip(columns, widths, strict=True):
            table.add_column(name, overflow="fold", width=width, justify="right" if name in right else "left")
        for row in part:
            table.add_row(*(_folded(cell, width) for cell, width in zip(row, widths, strict=False)))
        if heading is not None:
            out.print(heading)
        if part or table.show_header:
            out.print(table)


def _shared(room: int, least: Sequence[int], natural: Sequence[int]) -> list[int]:
    """The width of each column: what it needs at least, and of the rest an equal share as far as it can use it."""
    widths, spare, left = list(least), max(0, room - sum(least)), len(least)
    for place in sorted(range(len(least)), key=lambda place: natural[place] - least[place]):
        more = min(natural[place] - least[place], spare // left)
        widths[place], spare, left = widths[place] + max(0, more), spare - max(0, more), left - 1
    return [max(1, width) for width in widths]


def _print_blocks(out: Console, columns: Sequence[str], cells: Sequence[Sequence[Text]], title: str) -> None:
    if title:
        out.print(f"[bold]{title}[/bold]")
    for row in cells:
        if len(row) == 1 < len(columns):
            out.print(row[0])
            continue
        for place, (name, cell) in enumerate(zip(columns, row, strict=False)):
            if cell.plain:
                together = Text(", ").join(line for line in cell.split("\n") if line.plain)
                line = Text.assemble((f"{name} " if name else "", "dim"), together)
                out.print(Padding(line, (0, 0, 0, GAP if place else 0)))


def _longest_line(text: Text) -> int:
    return max((cell_len(line) for line in text.plain.splitlines()), default=0)


def _longest_word(text: Text) -> int:
    """The width that a cell needs so that no word and no figure is broken."""
    if _FIGURE.fullmatch(text.plain):
        return min(LONGEST_WORD, len(text.plain))
    indent = len(text.plain) - len(text.plain.lstrip())
    words = text.plain.split()
    parts = [part for word in words for part in (_JOINTS.split(word) if len(word) > LONGEST_WORD else [word])]
    return min(LONGEST_WORD, indent + max(map(len, parts), default=0))


def _folded(cell: Text, width: int) -> Text:
    """A cell whose only word is too long for its column, on as many lines as its joints allow."""
    if _longest_line(cell) <= width or " " in cell.plain:
        return cell
    start, cuts = 0, []
    for joint, following in pairwise([*(joint.start() for joint in _JOINTS.finditer(cell.plain)), len(cell.plain)]):
        if following - start > width:
            start = joint
            cuts.append(joint)
    return Text("\n").join(cell.divide(cuts)) if cuts else cell


def read_data(path: Path) -> bytes:
    """Return the bytes of a file; `-` is standard input."""
    try:
        if str(path) == "-":
            return read_whole(sys.stdin.buffer)
        with path.open("rb") as file:
            return read_whole(file)
    except FileNotFoundError as error:
        raise Malformed(f"{path}: {_instead(str(path)) or error.strerror}") from None
    except (OSError, ValueError) as error:
        raise Malformed(f"{path}: {error.strerror if isinstance(error, OSError) else error}") from None


def read_file(path: Path) -> str:
    """Return the text of a file; `-` is standard input."""
    try:
        return read_data(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed(f"{path}: it is not UTF-8 text") from None


def _instead(name: str) -> str:
    """What somebody does who names a rulebook where a file is expected."""
    from croupier.rulebook import rulebook_ids, typed_rulebook

    name = typed_rulebook(name)
    if name not in rulebook_ids():
        return ""
    return f"a rulebook, not a file; write a submission first: croupier submission new {name} > house.toml"
