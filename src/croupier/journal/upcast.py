"""Old events in today's form. A stored line is never rewritten: it is read as it would be written now.

When an event changes its form, its version rises (`deck_cut/1` becomes `deck_cut/2`), and a function here turns the old
form into the new one. The tests keep a line of every name and version that was ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from croupier.errors import BrokenRecord

__all__ = ["NEWEST", "Upcaster", "check_known", "is_newer", "upcast"]

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""From an event in an old form to the next form; `event` has the new name."""

_DIGITS: Final = 9
NEWEST: Final[dict[str, Upcaster]] = {}
"""By the old name and version. Nothing has changed yet since the first record was written."""


def upcast(event: Mapping[str, Any], upcasters: Mapping[str, Upcaster] = NEWEST) -> dict[str, Any]:
    """An event in the newest form, step by step.

    >>> def named_depth(old):
    ...     return {"event": "deck_cut/2", "deck": old["deck"], "cards_above": old["depth"]}
    >>> upcast({"event": "deck_cut/1", "deck": "A", "depth": 20}, {"deck_cut/1": named_depth})
    {'event': 'deck_cut/2', 'deck': 'A', 'cards_above': 20}
    """
    newest = dict(event)
    while (step := upcasters.get(newest["event"])) is not None:
        before = newest["event"]
        newest = step(newest)
        if not is_newer(newest["event"], [before]):
            raise BrokenRecord(f"{before} is not brought forward: it became {newest['event']}")
    return newest


def is_newer(name: str, known: Iterable[str]) -> bool:
    """Whether a name is a later version of one of these.

    >>> is_newer("deck_cut/3", ["deck_cut/1"]), is_newer("deck_lost/1", ["deck_cut/1"])
    (True, False)
    """
    event, _, version = name.partition("/")
    versions = [other.partition("/")[2] for other in known if other.partition("/")[0] == event]
    number = int(version) if version.isdecimal() and len(version) < _DIGITS else 0
    return bool(versions) and all(number > int(known_version) for known_version in versions)


def check_known(names: Iterable[str], known: Iterable[str], upcasters: Mapping[str, Upcaster] = NEWEST) -> None:
    """Refuse a record that holds what this version cannot read, before anything is done with it."""
    readable = {*known, *upcasters}
    if unknown := sorted(set(names) - readable):
        raise BrokenRecord(f"a newer version of Croupier wrote it: this one cannot read {', '.join(unknown)}")
