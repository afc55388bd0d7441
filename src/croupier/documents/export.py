"""Rows of figures as files for other programs: CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from croupier.errors import Malformed
from croupier.files import write_whole

__all__ = ["Columns", "Row", "write_csv", "write_parquet"]

Row: TypeAlias = Mapping[str, str | int | float | bool | None]


Columns: TypeAlias = Mapping[str, type]
"""Names and types, for rows of which there may be none."""


def write_csv(path: Path, rows: Sequence[Row], columns: Columns | None = None) -> None:
    """Write rows that have the same columns as CSV with a header; nothing is an empty field."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _columns(rows, columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue().encode())


def write_parquet(path: Path, rows: Sequence[Row], columns: Columns | None = None) -> None:
    """Write rows that have the same columns as Parquet."""
    import pyarrow
    from pyarrow import parquet

    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = None if columns is None else pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    sink = pyarrow.BufferOutputStream()
    _columns(rows, columns)
    parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows], schema=schema), sink)
    write_whole(path, sink.getvalue().to_pybytes())


def _columns(rows: Sequence[Row], columns: Columns | None) -> list[str]:
    if columns is None and not rows:
        raise Malformed("there is nothing to write: there are no rows")
    return list(columns or rows[0])
