"""Rulebooks from their folders: typed, frozen, and checked for consistency."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from croupier.errors import RegulationError
from croupier.rulebook import schema
from croupier.rulebook.consistency import problems_of
from croupier.rulebook.editions import SHIPPED, edition_folder, editions
from croupier.rulebook.law import law_of, read_law, read_toml, typed

__all__ = ["find_rulebook", "load_readings", "load_rulebook"]


class _Readings(schema.RegulationPart, frozen=True, kw_only=True):
    reading: tuple[schema.Reading, ...]


def load_rulebook(name: str, *, edition: str | None = None) -> schema.Rulebook:
    """One rulebook by its id: its newest edition, or the one named.

    >>> load_rulebook("md-let-it-ride").edition
    '2014-10-29'
    >>> load_rulebook("md-let-it-ride", edition="2020-01-01")
    Traceback (most recent call last):
    croupier.errors.Malformed: md-let-it-ride has no edition '2020-01-01': 2014-10-29
    """
    folder = edition_folder(name, edition)
    return _shipped(folder) if folder.is_relative_to(SHIPPED) else _load(folder)


def find_rulebook(name: str, digest: str) -> schema.Rulebook | None:
    """The edition of a rulebook that has this hash, if there is one.

    >>> find_rulebook("md-let-it-ride", "0" * 64) is None
    True
    """
    books = (load_rulebook(name, edition=edition) for edition in editions(name))
    return next((book for book in books if book.hash == digest), None)


@cache
def load_readings() -> tuple[schema.Reading, ...]:
    """The 197 readings."""
    path = SHIPPED / "readings.toml"
    return typed(read_toml(path), _Readings, str(path)).reading


@cache
def _reading_numbers() -> set[int]:
    """The numbers of the readings, without reading their words: every command would wait for that.

    >>> _reading_numbers() == {reading.number for reading in load_readings()}
    True
    """
    text = (SHIPPED / "readings.toml").read_text(encoding="utf-8")
    return set(map(int, re.findall(r"^number = (\d+)$", text, flags=re.MULTILINE)))


@cache
def _shared_options() -> dict[str, Any]:
    """The shared options of the readings as written, by name."""
    return {row["name"]: row for row in read_toml(SHIPPED / "options.toml")["option"]}


@cache
def _shipped(folder: Path) -> schema.Rulebook:
    """Cached by folder: the product's own files do not change while it runs."""
    return _load(folder)


def _load(folder: Path) -> schema.Rulebook:
    return _sound(folder, law_of(folder, _shared_options()))


@lru_cache(maxsize=64)
def _sound(folder: Path, law: str) -> schema.Rulebook:
    """Cached by content: somebody may be editing these files."""
    book = read_law(law, at=str(folder))
    problems = problems_of(book, folder, readings=_reading_numbers())
    if problems:
        raise RegulationError(problems)
    return book
