"""What every paper of a house bears: version, date, and the hash that its rules are known by."""

from __future__ import annotations

from croupier.documents.paper import Words, words
from croupier.documents.particulars import Particulars
from croupier.rulebook import HouseRules

__all__ = ["foot_of", "particular_facts"]


def foot_of(house: HouseRules, particulars: Particulars) -> str:
    """The foot of every page."""
    marks = [
        house.rulebook.source.abbreviation,
        particulars.version and f"version {particulars.version}",
        particulars.date and particulars.date.isoformat(),
        f"rules {house.hash}",
    ]
    return " · ".join(mark for mark in marks if mark)


def particular_facts(particulars: Particulars) -> tuple[tuple[str, Words], ...]:
    """Version and date, where the operator gives them."""
    facts = (
        ("Version", particulars.version),
        ("Date", particulars.date.isoformat() if particulars.date is not None else ""),
    )
    return tuple((name, words(value)) for name, value in facts if value)
