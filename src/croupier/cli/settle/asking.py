"""The questions of `croupier settle` at a terminal: help, a step back, and what was wrong with an answer."""

from __future__ import annotations

from typing import Final

from rich.markup import escape

from croupier.cli.settle.questions import Described, question_after
from croupier.cli.shown.console import print_line
from croupier.cli.typed_lines import NoMoreLines, TypedLines
from croupier.errors import Malformed

__all__ = ["ask_for_round"]

_BACK: Final = {"back", "<"}
_HOW: Final = "Enter accepts the value in brackets. ? explains, back returns to the last question, Ctrl-C leaves."


def ask_for_round() -> Described:
    """Ask until the round is described; `Malformed` if the answers end before that."""
    lines, answers = TypedLines(), list[str]()
    asked = question_after(answers)
    print_line(
        "[dim]Enter accepts the value in brackets, ? explains, back returns to the last question, Ctrl-C leaves.[/dim]"
    )
    news = True
    while not isinstance(asked, Described):
        for line in asked.news if news else ():
            print_line(escape(line))
        default = f" [{asked.default}]" if asked.default else ""
        try:
            answer = lines.ask(f"{asked.prompt}{default}")
        except NoMoreLines:
            raise Malformed("the round is not described in full: the input ended before the last question") from None
        news = False
        if answer == "?":
            print_line(f"[dim]{escape(asked.help)}[/dim]")
            continue
        if answer.casefold() in _BACK:
            answers = answers[:-1]
            asked = question_after(answers)
            continue
        try:
            asked = question_after([*answers, answer])
            answers.append(answer)
        except Malformed as error:
            print_line(f"[yellow]{escape(str(error))}[/yellow]")
    return asked
