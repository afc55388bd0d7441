"""Answers that are tables: rows for any program, pandas and Polars frames where installed, HTML in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["Row", "Tabular"]

Cell: TypeAlias = str | int | float | bool | Fraction | None
Row: TypeAlias = Mapping[str, Cell]
SHOWN: Final = 60
"""Rows that a notebook shows; a frame has them all."""


class Tabular:
    """Something that can be read as a table."""

    __slots__ = ()

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """The rows, all with the same columns."""

    def to_pandas(self) -> pd.DataFrame:
        """A pandas frame; exact fractions stay `Fraction`."""
        import pandas as pd

        return pd.DataFrame([dict(row) for row in self.rows()])

    def to_polars(self) -> pl.DataFrame:
        """A Polars frame; exact fractions become text such as `53223/1082900`."""
        import polars as pl

        return pl.DataFrame([{name: _plain(cell) for name, cell in row.items()} for row in self.rows()])

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = list(rows[0]) if rows else []
        head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_shown(row[name]))}</td>' for name in names)}</tr>" for row in rows[:SHOWN]
        )
        more = f"<caption>{SHOWN} of {len(rows):,} rows</caption>" if len(rows) > SHOWN else ""
        return f"<table>{more}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _plain(cell: Cell) -> str | int | float | bool | None:
    return str(cell) if isinstance(cell, Fraction) else cell


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
