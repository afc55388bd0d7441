"""What a round allows next, as values that a program can list, show and test an action against."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.games.actions import Action
from croupier.rulebook import Stakes
from croupier.rulebook.schema import Cited

__all__ = ["CardsOf", "Except", "Offer", "Range", "admits", "fits", "is_name", "offer", "refuse", "spoken"]

LONGEST_NAME: Final = 100


class Except(Struct, frozen=True, tag="except"):
    """Any name but these."""

    values: tuple[str, ...]


class Range(Struct, frozen=True, tag="range"):
    """A whole number from a minimum to a maximum."""

    least: int
    most: int


class CardsOf(Struct, frozen=True, tag="cards"):
    """One or more different unseen cards, up to a maximum."""

    unseen: tuple[Card, ...]
    most: int


Allowed: TypeAlias = int | str | Card | tuple[int | str | Card | None, ...] | Stakes | Except | Range | CardsOf | None


class Offer(Struct, frozen=True):
    """An action that is allowed, with the values each field may take; a field that is not listed is free."""

    do: str
    fields: tuple[tuple[str, Allowed], ...] = ()

    def __str__(self) -> str:
        values = [f"{name} {_say(allowed)}" for name, allowed in self.fields if allowed not in (0, None)]
        return f"{spoken(self.do)}{': ' if values else ''}{', '.join(values)}"


def offer(do: str, **fields: Allowed) -> Offer:
    """An offer by its fields."""
    return Offer(do, tuple(fields.items()))


def admits(offered: Offer, action: Action) -> bool:
    """Whether an offer covers an action.

    >>> from croupier.games.actions import Deal
    >>> admits(offer("deal", number=Range(1, 7)), Deal(3)), admits(offer("deal", number=Range(1, 7)), Deal(8))
    (True, False)
    """
    tag: object = action.__struct_config__.tag
    return tag == offered.do and all(fits(allowed, getattr(action, name)) for name, allowed in offered.fields)


def fits(allowed: Allowed, value: object) -> bool:
    """Whether a field of an offer may take a value."""
    match allowed:
        case Stakes():
            return isinstance(value, int) and not isinstance(value, bool) and allowed.admits(value)
        case Except():
            return isinstance(value, str) and is_name(value) and value not in allowed.values
        case Range():
            return isinstance(value, int) and not isinstance(value, bool) and allowed.least <= value <= allowed.most
        case CardsOf():
            cards = value if isinstance(value, tuple) else (value,)
            different = len(set(cards)) == len(cards)
            return 1 <= len(cards) <= allowed.most and different and all(card in allowed.unseen for card in cards)
        case tuple():
            return value in allowed
    return value == allowed


def is_name(text: str) -> bool:
    r"""Whether a record can hold a text as a name.

    >>> is_name("Ann"), is_name(""), is_name("two\nlines")
    (True, True, False)
    """
    return len(text) <= LONGEST_NAME and text.isprintable()


def spoken(name: str) -> str:
    """A name of the rulebook as people say it."""
    return name.replace("_", " ")


def _say(allowed: Allowed) -> str:
    match allowed:
        case Except():
            return f"anyone but {', '.join(allowed.values)}" if allowed.values else "anyone"
        case Range():
            return f"{allowed.least} to {allowed.most}"
        case CardsOf():
            return f"{'1 card' if allowed.most == 1 else f'1 to {allowed.most} cards'} not seen yet"
        case tuple():
            return " or ".join("none" if value is None else str(value) for value in allowed)
    return str(allowed)


def refuse(code: str, cited: Cited, message: str, *, reading: int | None = None) -> RuleViolation:
    """A refusal that cites the clause behind it."""
    return RuleViolation(code, message, clause=cited.clause, reading=reading or cited.reading)
