"""Rows of figures as files for other programs: CSV and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from croupier.errors import Malformed
from croupier.extras import need
from croupier.files import write_whole

__all__ = ["Columns", "Row", "write_csv", "write_parquet"]

Row: TypeAlias = Mapping[str, str | int | float | bool | None]


Columns: TypeAlias = Mapping[str, type]
"""Names and types, for rows of which there may be none."""


def write_csv(path: Path, rows: Sequence[Row], columns: Columns | None = None) -> None:
    """Write rows that have the same columns as CSV with a header; nothing is an empty field.

    A text that a spreadsheet would take for a formula gets an apostrophe before it; figures are left alone.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, _columns(rows, columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _guarded(cell) for name, cell in row.items()} for row in rows)
    write_whole(path, text.getvalue().encode())


def write_parquet(path: Path, rows: Sequence[Row], columns: Columns | None = None) -> None:
    """Write rows that have the same columns as Parquet."""
    need("parquet")
    import pyarrow
    from pyarrow import parquet

    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = None if columns is None else pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    sink = pyarrow.BufferOutputStream()
    _columns(rows, columns)
    parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows], schema=schema), sink)
    write_whole(path, sink.getvalue().to_pybytes())


def _guarded(cell: Any) -> Any:  # noqa: ANN401 - whatever a cell holds
    r"""A cell that is no formula; whoever takes one apostrophe away before such a sign has the text again.

    >>> [_guarded(cell) for cell in ('=HYPERLINK("x")', "'=1", "-12.50", "-3/4", "@ann", "Ann", -5, None)]
    ['\'=HYPERLINK("x")', "''=1", '-12.50', '-3/4', "'@ann", 'Ann', -5, None]
    """
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _FIGURE.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
_FIGURE: Final = re.compile(r"[-+]?[0-9][0-9,]*(\.[0-9]+)?(e[-+]?[0-9]+)?(/[0-9]+)?%?")


def _columns(rows: Sequence[Row], columns: Columns | None) -> list[str]:
    if columns is None and not rows:
        raise Malformed("there is nothing to write: there are no rows")
    return list(columns or rows[0])
