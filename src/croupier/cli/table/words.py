"""A table's record for people: one line an event, who did it, and by which clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.markup import escape

__all__ = ["say_answer"]

_QUIET: Final = {"event", "at", "by", "clause", "reading", "reason", "key", "rules", "submission"}
_WITHOUT: Final[tuple[Any, ...]] = (None, "", False, [], {})


def say_answer(answer: Mapping[str, Any]) -> str:
    """One line of a record, a refusal or an error, as Rich markup."""
    if "error" in answer:
        return f"[red]cannot be read[/red] {escape(str(answer['error']))}"
    if "refused" in answer:
        refused = answer["refused"]
        said = f"[red]refused[/red] {escape(refused['message'])}{_cited(refused)}"
        if "line" not in answer:
            return said  # the submission itself
        name = str(answer["do"]).replace("_", " ")
        return f"{_head(answer, _who(answer))}[bold]{name}[/bold] {said} [dim]line {answer['line']}[/dim]"
    who = _who(answer)
    name = str(answer["event"]).partition("/")[0].replace("_", " ")
    if "wagers" in answer:
        said = "; ".join(map(_wager, answer["wagers"]))
        return f"{_head(answer, who)}[bold]{name}[/bold] seat {answer['seat']}: {said}"
    said = ", ".join(f"{key.replace('_', ' ')} {_say(one)}" for key, one in answer.items() if _speaks(key, one))
    why = f" [dim]because {escape(answer['reason'])}[/dim]" if answer.get("reason") else ""
    return f"{_head(answer, who)}[bold]{name}[/bold]{': ' if said else ''}{said}{_cited(answer)}{why}"


def _who(answer: Mapping[str, Any]) -> str:
    return f"{answer['by']['role'].replace('_', ' ')} {answer['by']['id']}"


def _head(answer: Mapping[str, Any], who: str) -> str:
    return f"[dim]{str(answer['at'])[11:19]} {escape(who)}[/dim]  "


def _speaks(key: str, value: object) -> bool:
    return key not in _QUIET and value not in _WITHOUT and not (key == "seat" and value == 0)


def _cited(answer: Mapping[str, Any]) -> str:
    clause, reading = answer.get("clause"), answer.get("reading")
    if clause is None:
        return ""
    return f" [dim]({escape(clause)}{f', reading {reading}' if reading else ''})[/dim]"


def _wager(one: Mapping[str, Any]) -> str:
    paid = f", won {one['won']}" if one["won"] != "0.00" else ""
    back = f", {one['returned']} back" if one["returned"] != "0.00" else ""
    return f"{one['wager'].replace('_', ' ')} {one['outcome']}{paid}{back}{_cited(one)}"


def _say(value: object) -> str:
    match value:
        case list():
            return " ".join(map(_say, value))
        case dict():
            return ", ".join(f"{escape(str(key))} {_say(one)}" for key, one in value.items())
        case True:
            return "yes"
        case str():
            return escape(value.replace("_", " "))
    return str(value)
