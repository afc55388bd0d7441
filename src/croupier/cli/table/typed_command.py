"""A command of a table as somebody types it: `dealer: cut_deck red 20`, `Ann: decide 1 fold`, `buy_in amount=500`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, get_args

from croupier.cards import format_cards, typed_cards
from croupier.cli.typed_names import nearest, typed_name
from croupier.errors import Malformed
from croupier.games import Offer
from croupier.money import format_dollars, typed_dollars
from croupier.rulebook.names import Role, WagerName
from croupier.table import ROLES, Person, Table, arguments, givers
from croupier.table.commands import COMMANDS

__all__ = ["TypedCommand", "default_person", "read_person", "read_typed", "split_person"]

NAMES: Final[dict[Role, str]] = {
    "dealer": "d1",
    "floorperson": "f1",
    "supervisor": "s1",
    "pit_manager": "p1",
    "shift_manager": "m1",
    "operator": "o1",
    "regulator": "r1",
    "device": "progressive device",
    "player": "Ann",
}
"""Who acts in a role when nobody is named and nobody is on duty."""
_GIVEN_BY: Final = re.compile(r"\s*([^:=\"']+?)\s*:\s+(.*)")
_MOST_WORDS: Final = 4
"""In the name of a command."""
_BETS: Final = {name for name in get_args(WagerName) if name != "raise"}  # which is a decision
_DECISIONS: Final = {"1x", "2x", "3x", "ride", "withdraw", "fold"}
_TRUE: Final = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}


class TypedCommand(NamedTuple):
    """A command with the arguments that were typed, as JSON has them."""

    name: str
    values: dict[str, Any]
    reason: str = ""


# --- who


def split_person(line: str) -> tuple[str, str]:
    """Take off who gives a command, where somebody is named before a colon.

    >>> split_person("dealer d1: close"), split_person("close")
    (('dealer d1', 'close'), ('', 'close'))
    """
    named = _GIVEN_BY.fullmatch(line)
    return (named[1], named[2]) if named is not None else ("", line)


def read_person(text: str, table: Table) -> Person:
    """A role with a name, a role alone for whoever is on duty, or the name of a player."""
    first, _, rest = text.partition(" ")
    role = next((role for role in ROLES if role in {text.replace(" ", "_"), first}), None)
    if role is None:
        return Person("player", text)
    name = rest if role == first and rest else ""
    return Person(role, name or _on_duty(table, role))


def _on_duty(table: Table, role: Role) -> str:
    if role == "dealer" and table.people.dealer:
        return table.people.dealer
    if role == "floorperson" and table.people.floor:
        return table.people.floor[0]
    if role == "player" and table.people.seats:
        return table.people.seats[0][1]
    return NAMES[role]


def default_person(table: Table, command: TypedCommand, me: Person | None) -> Person:
    """Who gives a command when nobody is named: whoever speaks, the player at the seat, or the staff on duty."""
    procedure = table.house.rulebook.procedure
    duty = next((duty for duty in procedure.duty if duty.do == command.name), None)
    roles = givers(procedure.ranks, duty) if duty is not None else ROLES
    if me is not None and me.role in roles:
        return me
    seated = dict(table.people.seats).get(command.values.get("seat", 0))
    if "player" in roles and seated is not None:
        return Person("player", seated)
    if "dealer" in roles:
        return Person("dealer", _on_duty(table, "dealer"))
    if "floorperson" in roles and table.people.floor:
        return Person("floorperson", _on_duty(table, "floorperson"))
    role = "pit_manager" if "pit_manager" in roles else roles[0]
    return Person(role, _on_duty(table, role))


# --- what


def read_typed(line: str, offers: Sequence[Offer], at: datetime) -> TypedCommand:
    """A command by its name, with arguments in their order or as name=value; `Malformed` says what is wrong.

    What is not typed is filled in where the table allows a single value.

    >>> read_typed("place_wager 1 ante $25", [], datetime(2026, 1, 1)).values
    {'seat': 1, 'wager': 'ante', 'amount': '25.00'}
    >>> read_typed("three card bonus 5", [], datetime(2026, 1, 1)).values
    {'wager': 'three_card_bonus', 'amount': '5.00'}
    """
    try:
        words = shlex.split(line)
    except ValueError:
        raise Malformed("a quotation mark is missing") from None
    name, rest = _name_of(_spelled_out(words))
    rows = {row["name"]: row for row in arguments(COMMANDS[name])}  # type: ignore[index]
    given: dict[str, str] = {}
    for word in rest:
        label, equals, value = word.partition("=")
        if equals and (label in rows or label == "reason"):
            given[label] = value
        else:
            _put_next(word, rows, given, name)
    reason = given.pop("reason", "")
    values = {label: _value(text, rows[label], at) for label, text in given.items()}
    return TypedCommand(name, _filled(name, values, rows, offers), reason)


def _spelled_out(words: Sequence[str]) -> Sequence[str]:
    """A bet or a decision by its own name, as the command it is short for: `ante 25`, `fold`."""
    for length in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        wager = "_".join(words[:length]).casefold()
        if wager in _BETS:
            return ("place_wager", f"wager={wager}", f"amount={words[length]}", *words[length + 1 :])
    if words and words[0].casefold() in _DECISIONS:
        return ("decide", f"choice={words[0].casefold()}", *words[1:])
    return words


def _name_of(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The name of a command, written in one word or in several, and what follows it."""
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        name = "_".join(words[:length]).casefold()
        if name in COMMANDS:
            return name, words[length:]
    name_meant = typed_name(words[0], COMMANDS) if words else None
    if name_meant is None:
        raise nearest(words[0] if words else "", list(COMMANDS), what="a command")
    return name_meant, words[1:]


def _put_next(word: str, rows: dict[str, dict[str, Any]], given: dict[str, str], name: str) -> None:
    """Take a word as the next argument; cards may be several words."""
    last = next(reversed(given), "")
    if last and rows.get(last, {}).get("kind") == "cards":
        given[last] += f" {word}"
        return
    free = [label for label in rows if label not in given]
    label = next((label for label in free if not _is_skipped(word, rows[label])), None)
    if label is None:
        takes = ", ".join(rows) or "no arguments"
        raise Malformed(f"{name}: {word!r} is one too many; it takes {takes}")
    given[label] = word


def _is_skipped(word: str, row: dict[str, Any]) -> bool:
    """Whether a word cannot be this argument, which may be left out: `reveal community Jh` names no seat."""
    return not row["required"] and row["kind"] == "number" and not word.isdecimal()


def _value(text: str, row: dict[str, Any], at: datetime) -> object:
    """An argument as JSON has it."""
    label, kind = row["name"], row["kind"]
    try:
        match kind:
            case "dollars":
                return format_dollars(typed_dollars(text))
            case "cards" | "card":
                return format_cards(typed_cards(text))
            case "number":
                return int(text)
            case "true or false":
                return _TRUE[text.casefold()]
            case "date":
                return at.date().isoformat() if text == "today" else text
            case "choice":
                return typed_name(text, row["values"]) or text
            case "numbers by seat":
                return {seat: int(number) for seat, _, number in (part.partition(":") for part in text.split(","))}
    except KeyError:
        raise Malformed(f"{label}: {text!r} is not true or false") from None
    except Malformed as error:
        raise Malformed(f"{label}: {error}") from None
    except ValueError:
        example = "1:2,4:2" if kind == "numbers by seat" else "3"
        raise Malformed(f"{label}: {text!r} is not a whole number such as {example}") from None
    return text


def _filled(
    name: str, values: dict[str, Any], rows: dict[str, dict[str, Any]], offers: Sequence[Offer]
) -> dict[str, Any]:
    """Fill in what the table leaves no choice about."""
    fitting = [
        dict(offered.fields)
        for offered in offers
        if offered.do == name and all(_fits(dict(offered.fields).get(label), value) for label, value in values.items())
    ]
    if len(fitting) != 1:
        return values
    only = {
        label: allowed
        for label, allowed in fitting[0].items()
        if label in rows and label not in values and isinstance(allowed, str | int) and rows[label]["kind"] != "dollars"
    }
    return only | values if not only else {label: (only | values)[label] for label in rows if label in only | values}


def _fits(allowed: object, value: object) -> bool:
    """Whether an offer may mean this value; what is not a plain value is left to the table."""
    if isinstance(allowed, tuple):
        return value in allowed
    return not isinstance(allowed, str | int) or allowed == value
