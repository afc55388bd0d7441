"""A sheet: a table of words, for a terminal, a page or paper to lay out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

__all__ = ["Sheet", "sheet"]


class Sheet(Struct, frozen=True, kw_only=True):
    """Rows under their columns; a last column named `clause` cites clauses and readings."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    alike: bool = False
    """Whether all columns but the first are of a kind, so that a narrow page may print some below the others."""


def sheet(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", alike: bool = False) -> Sheet:
    """Make a sheet of any rows."""
    return Sheet(columns=tuple(columns), rows=tuple(map(tuple, rows)), title=title, alike=alike)
