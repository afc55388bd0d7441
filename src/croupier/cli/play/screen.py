"""Talking with whoever plays: one line of keys at a time, from a terminal or through a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rich.table import Table

from croupier.cli.play.drawing import pens_for
from croupier.cli.play.words import one_of
from croupier.cli.shown.console import console
from croupier.errors import Malformed, MoneyError
from croupier.money import Cents, parse_dollars, print_dollars

__all__ = ["Left", "Screen", "Wish", "keys_of", "read_amount", "read_switches", "read_wish"]

LONGEST: Final = 40
"""How much of what was typed is shown again."""


class Left(Exception):
    """The player has left: a Q, or the end of the input."""


class Screen:
    """Where the game is shown and answers are read."""

    def __init__(self) -> None:
        self.out = console()
        self.pens = pens_for(self.out.encoding)
        self.typed = sys.stdin is not None and sys.stdin.isatty()
        self._hints: set[str] = set()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def say(self, markup: str = "") -> None:
        """A line or a paragraph of Rich markup."""
        self.out.print(markup)

    def once(self, text: str) -> None:
        """A hint for newcomers, the first time only."""
        if text not in self._hints:
            self._hints.add(text)
            self.out.print(text, style="dim", markup=False)

    def complain(self, text: str) -> None:
        """One line on what was typed wrongly."""
        self.out.print(f"{text}.", style="yellow", markup=False)

    def rows(self, rows: Sequence[Sequence[str]], *, heads: tuple[str, ...] = ()) -> None:
        """Rows of markup in columns; the last column takes what is left."""
        table = Table(box=None, show_header=bool(heads), header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
        for head in heads or rows[0]:
            right = head in {"staked", "paid"}
            table.add_column(head if heads else "", justify="right" if right else "left", overflow="fold")
        for row in rows:
            table.add_row(*row)
        self.out.print(table)

    def ask(self, prompt: str, explain: Callable[[], None] | None = None) -> str:
        """What is typed, without spaces around it; `?` explains and asks again, `Q` leaves."""
        while True:
            self.out.print(f"{prompt} [bold]>[/bold] ", end="")
            answer = self._line()
            if answer.lower() in {"q", "quit"}:
                raise Left
            if answer == "?" and explain is not None:
                explain()
                continue
            return answer

    def _line(self) -> str:
        try:
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except OSError:  # a terminal that has gone
            line = ""
        answer = "".join(letter for letter in line.strip() if letter.isprintable())
        if not self.typed:
            self.out.print(shortened(answer), markup=False)  # a terminal shows it by itself
        elif not line:
            self.out.print()
        if not line:
            raise Left
        return answer


def shortened(text: str) -> str:
    """
    >>> shortened("fold"), len(shortened("x" * 1000))
    ('fold', 43)
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def read_amount(text: str) -> Cents:
    """Dollars as people type them.

    >>> read_amount("$15"), read_amount("12.50")
    (1500, 1250)
    """
    return parse_dollars(text.removeprefix("$").strip())


def read_switches(text: str, count: int) -> list[tuple[int, Cents | None]]:
    """Which extra wagers are switched, each by its number, with an amount where one is given.

    >>> read_switches("1 3=5", 3)
    [(1, None), (3, 500)]
    >>> read_switches("4", 3)
    Traceback (most recent call last):
    croupier.errors.Malformed: '4' is no extra wager: 1, 2 or 3; Enter goes on
    """
    found: list[tuple[int, Cents | None]] = []
    numbers = {str(number): number for number in range(1, count + 1)}
    for word in text.replace(",", " ").split():
        name, equals, amount = word.partition("=")
        if name not in numbers:
            raise Malformed(f"'{shortened(word)}' is no extra wager: {one_of(list(numbers))}; Enter goes on")
        try:
            found.append((numbers[name], read_amount(amount) if equals else None))
        except MoneyError:
            raise Malformed(f"'{shortened(word)}': write {name}=5 or {name}=7.50 to stake that much") from None
    return found


# --- decisions


class Wish(NamedTuple):
    """What a player wants to do; a raise may still lack its amount."""

    choice: str
    amount: Cents | None = None
    cost: Cents = Cents(0)


_KEYS: Final = {"fold": "F", "ride": "R", "withdraw": "W", "raise": "R", "1x": "1", "2x": "2", "3x": "3"}


def keys_of(choices: tuple[str, ...], *, most: int) -> list[str]:
    """The keys of a decision; a raise is also made by 1, 2 or 3 times the ante, as far as the hand allows.

    >>> keys_of(("1x", "2x", "3x", "fold"), most=3), keys_of(("raise", "fold"), most=2)
    (['1', '2', '3', 'F'], ['1', '2', 'R', 'F'])
    """
    times = [str(number) for number in range(1, most + 1)] if "raise" in choices else []
    return times + [_KEYS[choice] for choice in choices]


def read_wish(text: str, choices: tuple[str, ...], *, ante: Cents, most: int) -> Wish:
    """What was typed at a decision, as a key, as a word, or as a raise with its amount.

    >>> read_wish("2", ("1x", "2x", "3x", "fold"), ante=Cents(1000), most=3)
    Wish(choice='2x', amount=None, cost=2000)
    >>> read_wish("r 15", ("raise", "fold"), ante=Cents(1000), most=2)
    Wish(choice='raise', amount=1500, cost=1500)
    >>> read_wish("x", ("ride", "withdraw"), ante=Cents(1000), most=1)
    Traceback (most recent call last):
    croupier.errors.Malformed: 'x' is no choice here: R or W; ? shows what pays, Q leaves
    """
    word = text.lower()
    times = {"1": 1, "2": 2, "3": 3, "1x": 1, "2x": 2, "3x": 3}.get(word)
    if "raise" in choices:
        if times:
            return Wish("raise", Cents(times * ante), Cents(times * ante))
        rest = word.removeprefix("raise") if word.startswith("raise") else word.removeprefix("r")
        if rest != word:
            amount = None if not rest.strip() else _raised(rest, ante)
            return Wish("raise", amount, amount or Cents(0))
    for choice in choices:
        if word in {choice, _KEYS[choice].lower()}:
            return Wish(choice, None, Cents((times or 0) * ante))
    keys = one_of(keys_of(choices, most=most))
    raise Malformed(f"'{shortened(text)}' is no choice here: {keys}; ? shows what pays, Q leaves")


def _raised(text: str, ante: Cents) -> Cents:
    try:
        return read_amount(text.strip())
    except MoneyError:
        raise Malformed(
            f"'{shortened(text.strip())}' is no amount: R {print_dollars(ante).removeprefix('$')} raises as much"
        ) from None
