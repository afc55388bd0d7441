"""The commands of a table: what each takes, who may give it, and the clause behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from croupier.games import ACT_WORDS, RULED
from croupier.present.citations import sources
from croupier.present.names import any_of
from croupier.present.rulings import IRREGULARITIES
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import Rulebook
from croupier.rulebook.schema import Duty
from croupier.table import BY_COUNT, arguments, givers, say_givers
from croupier.table.commands import COMMANDS, WITH_REASON

__all__ = ["command_givers", "command_json", "command_list", "command_sheet", "commands_of"]

_MEANINGS: Final[dict[str, str]] = dict([*IRREGULARITIES.items(), *ACT_WORDS.items()])
"""What values mean whose name alone does not say it."""


def commands_of(books: Sequence[Rulebook]) -> list[str]:
    """Return the commands that at least one of these rulebooks has."""
    return [name for name in COMMANDS if any(_duty(book, name) for book in books)]


def command_json(name: str, books: Sequence[Rulebook]) -> dict[str, Any]:
    """Return a command as other programs read it."""
    known = {book.id: duty for book in books if (duty := _duty(book, name)) is not None}
    by = {book.id: givers(book.procedure.ranks, known[book.id]) for book in books if book.id in known}
    everywhere = [role for role in next(iter(by.values())) if all(role in roles for roles in by.values())]
    return {
        "do": name,
        "about": _about(name),
        "by": everywhere,
        "arguments": _arguments(name, books),
        "reason": "required" if name in WITH_REASON else "optional",
        "rulebooks": {
            book: {"by": by[book], "clause": duty.clause, "also": duty.also, "reading": duty.reading}
            for book, duty in known.items()
        },
    }


def command_list(books: Sequence[Rulebook], names: Sequence[str]) -> Sheet:
    """Return these commands: what each does, who gives it, and what its arguments may be."""
    rows: list[tuple[str, str]] = []
    for name in names:
        rows.append((name, _about(name)))
        rows.append(("", f"by {_given_by(name, books)}"))
        for row in _arguments(name, books):
            values = any_of(row["values"]) if "values" in row else row["kind"]
            rows.append(("", f"{row['name']}{'' if row['required'] else '?'}: {values}"))
    return sheet(("command", "what it does, who gives it, its arguments"), rows)


def command_sheet(name: str, books: Sequence[Rulebook]) -> Sheet:
    """Return one command: what it does, who gives it, what each argument may be, and what its values mean."""
    rows = [("given by", _given_by(name, books))]
    for row in _arguments(name, books):
        label, optional = row["name"], "" if row["required"] else " (optional)"
        values = row.get("values", ())
        if not any(value in _MEANINGS for value in values):
            rows.append((label, f"{any_of(values) or row['kind']}{optional}"))
            continue
        rows.append((label, f"one of these{optional}"))
        rows += [("", f"{value}: {_MEANINGS[value]}") for value in values if value in _MEANINGS]
    rows.append(("reason", "required" if name in WITH_REASON else "text (optional)"))
    return sheet(("", ""), rows, title=f"{name}: {_about(name)}")


def _given_by(name: str, books: Sequence[Rulebook]) -> str:
    """Who gives a command; of a single rulebook with its clause."""
    duties = [duty for book in books if (duty := _duty(book, name)) is not None]
    who = " / ".join(dict.fromkeys(say_givers(duty) for duty in duties))
    return f"{who} ({sources(duties[0])})" if len(books) == 1 else who


def command_givers(name: str, books: Sequence[Rulebook]) -> set[str]:
    """Return the roles that may give a command in at least one of these rulebooks."""
    return {role for book in books if (duty := _duty(book, name)) for role in givers(book.procedure.ranks, duty)}


def _about(name: str) -> str:
    return " ".join((COMMANDS[name].__doc__ or "").split())  # type: ignore[index]


def _arguments(name: str, books: Sequence[Rulebook]) -> list[dict[str, Any]]:
    """Return what a command takes; where a document has values of its own, no others."""
    rows = arguments(COMMANDS[name])  # type: ignore[index]
    for row in rows:
        values = dict.fromkeys(value for book in books for value in _values(book, name, row["name"]))
        if values:
            row |= {"kind": "choice", "values": list(values)}
    return rows


def _values(book: Rulebook, name: str, argument: str) -> list[str]:
    """Return the values that this document accepts, where it has a list of its own."""
    irregularities = book.irregularities.irregularity
    match name, argument:
        case "rule", "irregularity":
            return [row.event for row in irregularities if row.event in RULED - BY_COUNT]
        case "set_aside", "irregularity":
            return [row.event for row in irregularities if row.card == "to_rack"]
        case "find_conduct", "rule":
            return [row.rule for row in book.play.conduct]
        case "attest", "what":
            return [row.what for row in book.procedure.attest]
        case "take_out_device", "how":
            return [how for row in irregularities for how in row.attest]
    return []


def _duty(book: Rulebook, name: str) -> Duty | None:
    return next((duty for duty in book.procedure.duty if duty.do == name), None)
