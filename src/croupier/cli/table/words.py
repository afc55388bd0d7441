"""What comes of a command at a table: as JSON for programs, as lines for people."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from rich.markup import escape

from croupier.errors import RuleViolation
from croupier.present import CardPlaces, event_sentences, refusal_json, refusal_words, spoken
from croupier.table import Entry, Request, write_entry, write_request

__all__ = ["Answer", "RefusedLine", "UnreadableLine", "answer_json", "answer_lines"]


class RefusedLine(NamedTuple):
    """A command that the rules do not allow, and its line in the script; line 0 is none of them."""

    violation: RuleViolation
    line: int = 0
    request: Request | None = None


class UnreadableLine(NamedTuple):
    """A line that cannot be read or carried out, and why."""

    line: int
    message: str


Answer: TypeAlias = Entry | RefusedLine | UnreadableLine


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as other programs read it."""
    match answer:
        case Entry():
            return write_entry(answer)
        case UnreadableLine():
            return {"error": f"line {answer.line}: {answer.message}"}
    given = write_request(answer.request) if answer.request is not None else {}
    where = {"line": answer.line, **{name: given[name] for name in ("do", "by", "at")}} if given else {}
    return where | refusal_json(answer.violation)


def answer_lines(answer: Answer, places: CardPlaces) -> list[str]:
    """Return an answer as lines of Rich markup, each with its time and who gave the command."""
    match answer:
        case Entry():
            why = f" [dim]because {escape(answer.reason)}[/dim]" if answer.reason else ""
            head = f"[dim]{answer.at:%H:%M:%S} {escape(str(answer.by))}[/dim]"
            return [f"{head}  {escape(sentence)}{why}" for sentence in event_sentences(answer.event, places)]
        case UnreadableLine():
            return [f"[red]cannot be read[/red] line {answer.line}: {escape(answer.message)}"]
    words = f"[red]refused[/red] {escape(refusal_words(answer.violation))}"
    request = answer.request
    if request is None:
        return [words]
    head = f"[dim]{request.at:%H:%M:%S} {escape(str(request.by))}[/dim]"
    where = f" [dim]line {answer.line}[/dim]" if answer.line else ""
    return [f"{head}  [bold]{spoken(request.name)}[/bold] {words}{where}"]
