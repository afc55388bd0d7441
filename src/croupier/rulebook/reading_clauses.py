"""Which clauses a reading is about: its citations, written as people write them, resolved against the documents.

>>> [place.text for place in cited_places(load_readings()[4])]
['12.E(1)-(2)', '.12D']
>>> [reading.number for reading in readings_about("md-let-it-ride", ".12B")][:3]
[1, 3, 13]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from croupier.rulebook.cited_values import citations
from croupier.rulebook.editions import rulebook_ids
from croupier.rulebook.load import load_readings, load_rulebook
from croupier.rulebook.schema import Reading

__all__ = ["CitedPlace", "chapter_of", "cited_places", "clauses_under", "readings_about"]

_STEP: Final = re.compile(r"\([^()]*\)|[A-Z]|\d+")
"""One step of a clause's number."""
_LAST: Final = re.compile(r"(.*?)(\([^()]*\)|[A-Z]|\d+)", re.DOTALL)
_CHAPTER: Final = re.compile(r"\.?\d+(?:bis)?")
_EVERYWHERE: Final = "all four documents"
_WHOLE: Final = "(the whole document)"


class CitedPlace(Struct, frozen=True, kw_only=True):
    """A place in a document that a reading is about: as it is written, and the clauses that it means."""

    rulebook: str
    text: str
    clauses: tuple[str, ...]
    """None for the document as a whole."""


def chapter_of(clause: str) -> str:
    """The chapter of a document that a clause belongs to.

    >>> chapter_of("12.A(1)-(10)"), chapter_of(".07E(3)"), chapter_of("11bis(e)")
    ('12', '.07', '11bis')
    """
    found = _CHAPTER.match(clause)
    return found.group() if found is not None else clause


def clauses_under(known: Sequence[str], text: str) -> tuple[str, ...]:
    """The clauses that a citation means: the clause itself, those below it, every one of a range, or the one above.

    >>> known = ("1.A", "1.B", "1.B(1)", "1.B(2)", "1.C", "11.A")
    >>> clauses_under(known, "1.A-B"), clauses_under(known, "1.B(2)(i)"), clauses_under(known, "2.A")
    (('1.A', '1.B', '1.B(1)', '1.B(2)'), ('1.B(2)',), ())
    """
    if meant := _below(known, text):
        return meant
    first, dash, last = text.rpartition("-")
    if dash and (meant := _between(known, first, last)):
        return meant
    above = [clause for clause in known if text.startswith(f"{clause}(")]
    return (max(above, key=len),) if above else ()


def _below(known: Sequence[str], text: str) -> tuple[str, ...]:
    return tuple(clause for clause in known if clause == text or _is_below(clause, text))


def _is_below(clause: str, text: str) -> bool:
    if not text or not clause.startswith(text) or clause == text:
        return False
    end, after = text[-1], clause[len(text)]
    if end.isdigit():
        return not (after.isdigit() or after.islower())  # 11 is not above 11bis
    return not (end.isalpha() and after.isalpha())


def _between(known: Sequence[str], first: str, last: str) -> tuple[str, ...]:
    """Every clause from one sibling to another: `12.C(3)` to `(4)`."""
    split = _LAST.fullmatch(first)
    if split is None:
        return ()
    before, begin = split.groups()
    steps = dict.fromkeys(
        step.group() for clause in known if clause.startswith(before) and (step := _STEP.match(clause, len(before)))
    )
    siblings = list(steps)
    if begin in siblings and last in siblings:
        meant = siblings[siblings.index(begin) : siblings.index(last) + 1]
    else:
        meant = [begin, last]
    wanted = {clause for step in meant for clause in _below(known, before + step)}
    return tuple(clause for clause in known if clause in wanted)


@cache
def _known() -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(clause.id for clause in load_rulebook(name).clauses) for name in rulebook_ids()}


def cited_places(reading: Reading) -> tuple[CitedPlace, ...]:
    """Every place that a reading cites, in its order."""
    places: list[CitedPlace] = []
    for part in reading.clauses.split("; "):
        if part == _EVERYWHERE:
            places += [CitedPlace(rulebook=name, text="", clauses=()) for name in _known()]
            continue
        name, _, texts = part.partition(" ")
        known = _known().get(name, ())
        for text in texts.split(", "):
            bare = "" if text == _WHOLE else text
            places.append(CitedPlace(rulebook=name, text=bare, clauses=clauses_under(known, bare) if bare else ()))
    return tuple(places)


@cache
def _about() -> Mapping[tuple[str, str], tuple[int, ...]]:
    """The numbers of the readings by rulebook and clause: those that cite it, and those that its values rest on."""
    numbers: dict[tuple[str, str], set[int]] = {}
    for reading in load_readings():
        for place in cited_places(reading):
            for clause in place.clauses:
                numbers.setdefault((place.rulebook, clause), set()).add(reading.number)
    for name in rulebook_ids():
        for _, _, cited in citations(load_rulebook(name)):
            if cited.reading is not None:
                for clause in (cited.clause, *cited.also):
                    numbers.setdefault((name, clause), set()).add(cited.reading)
    return {place: tuple(sorted(behind)) for place, behind in numbers.items()}


def readings_about(rulebook: str, clause: str) -> tuple[Reading, ...]:
    """The readings behind a clause: those that cite it, and those that its values rest on."""
    readings = {reading.number: reading for reading in load_readings()}
    return tuple(readings[number] for number in _about().get((rulebook, clause), ()))
