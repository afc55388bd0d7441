"""What differs between two rulebooks, in words: money first, then procedure, then the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias, get_args

from croupier.money import parse_dollars
from croupier.present.amounts import dollars
from croupier.present.citations import cited_by
from croupier.present.names import counted, spoken
from croupier.present.rulebooks.spoken_differences import difference_words
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import Difference, Rulebook, Value
from croupier.rulebook.schema import Paytable

__all__ = ["DIFFERENCE_PARTS", "DifferenceSubject", "difference_rows", "difference_summary", "difference_table"]

DifferenceSubject: TypeAlias = Literal["money", "procedure", "layout"]
DIFFERENCE_PARTS: Final = (
    *("wagers", "paytables", "play"),
    *("irregularities", "dealing", "procedure", "table", "options"),
)
"""The parts of a rulebook, in the order that matters to whoever compares two: money first."""
_MONEY: Final = ("wagers", "paytables")
_LAYOUT: Final = ("area", "notice", "layout_approval")
_SHOWN: Final = 12
"""Rows of a subject in the summary."""


def _subject(row: Difference) -> DifferenceSubject:
    if row.part in _MONEY or (row.part == "play" and row.key.startswith("payout_limit")):
        return "money"
    return "layout" if row.part == "table" and row.key.startswith(_LAYOUT) else "procedure"


def difference_rows(rows: Sequence[Difference], part: str) -> list[Difference]:
    """Return the differences of a part."""
    return [row for row in rows if row.part == part]


def difference_table(rows: Sequence[Difference], part: str, names: Sequence[str]) -> Sheet:
    """Return every difference of a part, each value with its clause."""
    return sheet((part, *names), [_cited(row) for row in difference_rows(rows, part)])


def _cited(row: Difference) -> tuple[str, str, str]:
    """A difference in words, each value with its clause."""
    words = difference_words(row)
    return words.what, _side(row.first, words.first), _side(row.second, words.second)


def _side(value: Value | None, words: str) -> str:
    return "-" if value is None else cited_by(words, value.clause)


def difference_summary(
    first: Rulebook, second: Rulebook, rows: Sequence[Difference], names: Sequence[str]
) -> Iterator[tuple[Sheet, str]]:
    """Yield a sheet for each subject with its most important rows, and a line that says what it leaves out."""
    for subject in get_args(DifferenceSubject):
        own = [row for row in rows if _subject(row) == subject]
        changed = sorted((row for row in own if row.first and row.second), key=_weight)
        lines = [_in_words(row) for row in changed]
        if subject == "money":
            lines = [*_wagers(first, second), *_paytables(first, second), *_meters(first, second), *lines]
        else:
            lines += [_in_words(row) for row in own if row not in changed]
        parts = Counter(row.part for row in own)
        where = ", ".join(f"{parts[part]} in {part}" for part in DIFFERENCE_PARTS if parts[part])
        title = f"{subject.capitalize()}: {counted(len(own), 'difference')}"
        yield sheet((subject, *names), lines[:_SHOWN], title=title), where


def _weight(row: Difference) -> int:
    """Limits and pays come before other changes."""
    return 0 if "limit" in row.key else 1 if row.part == "paytables" else 2


def _in_words(row: Difference) -> tuple[str, str, str]:
    """A difference in words; what only one of them has is not spelled out."""
    if row.first is not None and row.second is not None:
        return _cited(row)
    return difference_words(row).what, _side(row.first, "yes"), _side(row.second, "yes")


def _wagers(first: Rulebook, second: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Wagers that only one of them has."""
    ours, theirs = ({wager.name: wager.clause for wager in book.wagers.wager} for book in (first, second))
    for name in dict.fromkeys((*ours, *theirs)):
        if (name in ours) != (name in theirs):
            here, there = (cited_by("offered", book[name]) if name in book else "-" for book in (ours, theirs))
            yield spoken(name), here, there


def _paytables(first: Rulebook, second: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Paytables wager by wager: those that pay the same under two names, and those that only one of them prints."""
    ours, theirs = (_by_group(book) for book in (first, second))
    for group in (name for name in ours if name in theirs):
        left, right = dict(ours[group]), dict(theirs[group])
        twins: dict[str, str] = {}
        for name, pays in ours[group].items():
            twin = next((other for other, same in right.items() if same == pays), None)
            if twin is not None:
                del left[name], right[twin]
                twins |= {name: twin} if name != twin else {}
        if twins:
            yield f"{spoken(group)}: same pays, other names", ", ".join(twins), ", ".join(twins.values())
        alone = [[name for name in own if name not in other] for own, other in ((left, right), (right, left))]
        if any(alone):
            here, there = (", ".join(names) or "-" for names in alone)
            yield f"{spoken(group)}: printed by one only", here, there


def _meters(first: Rulebook, second: Rulebook) -> Iterator[tuple[str, str, str]]:
    """The minimum amounts of the meters."""
    here, there = (
        ", ".join(
            f"{row.paytable} {row.meter} {dollars(parse_dollars(row.amount)) if row.amount else 'as submitted'}"
            for row in book.paytables.minimum
        )
        for book in (first, second)
    )
    if here != there:
        yield "meters: least initial and reset", here or "-", there or "-"


def _by_group(book: Rulebook) -> dict[str, dict[str, frozenset[tuple[str, str]]]]:
    groups: dict[str, dict[str, frozenset[tuple[str, str]]]] = {}
    for table in book.paytables.paytable:
        groups.setdefault(table.group, {})[_name(table)] = frozenset((line.hand, line.pays) for line in table.line)
    return groups


def _name(table: Paytable) -> str:
    return table.id if table.players is None else f"{table.id} for {table.players}"
