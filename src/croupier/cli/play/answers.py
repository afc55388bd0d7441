"""What a player types, as a decision, an amount, or side bets to switch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.cli.play.computer import Decision
from croupier.cli.play.words import action_words
from croupier.errors import Malformed, MoneyError
from croupier.money import Cents, typed_dollars
from croupier.present import any_of, dollars, spoken
from croupier.table.views import AwaitedView, ChoiceView

__all__ = ["Key", "keys_of", "read_amount", "read_decision", "read_switches"]

_KEYS: Final = {"fold": "F", "ride": "R", "withdraw": "W"}


class Key(NamedTuple):
    """A key at a decision, what it says, and what it does; a raise without an amount asks for one."""

    key: str
    words: str
    does: Decision


def keys_of(asked: AwaitedView, chips: Cents) -> list[Key]:
    """The keys of a decision, as far as the chips reach.

    >>> raised = ChoiceView(choice="raise", least=Cents(1000), most=Cents(2000), step=Cents(100))
    >>> asked = AwaitedView(kind="decision", words="", choices=(raised, ChoiceView(choice="fold")))
    >>> [(key.key, key.words) for key in keys_of(asked, Cents(5000))]
    [('1', 'raise $10'), ('2', 'raise $20'), ('R', 'other amount'), ('F', 'fold')]
    """
    keys = []
    for choice in asked.choices:
        if choice.choice == "raise":
            keys += _raises(choice, chips)
        elif choice.least <= chips:
            key, cost = _KEYS.get(choice.choice, choice.choice[0]), choice.least
            words = f"bet {dollars(cost)}" if cost else action_words(choice.choice)
            keys.append(Key(key, words, Decision(choice.choice)))
    return keys


def _raises(choice: ChoiceView, chips: Cents) -> list[Key]:
    """Whole antes by their number, and any amount between where the hand allows more than one."""
    most = min(choice.most, chips)
    times = [Cents(amount) for amount in range(choice.least, most + 1, choice.least or 1)]
    keys = [
        Key(str(count), f"raise {dollars(amount)}", Decision("raise", amount)) for count, amount in enumerate(times, 1)
    ]
    return [*keys, Key("R", "other amount", Decision("raise"))] if most > choice.least else keys


def read_decision(text: str, keys: Sequence[Key], choices: Sequence[ChoiceView]) -> Decision:
    """What was typed at a decision: a key, a word, or a raise with its amount.

    >>> choices = (ChoiceView(choice="2x", least=Cents(2000), most=Cents(2000)), ChoiceView(choice="fold"))
    >>> keys = keys_of(AwaitedView(kind="decision", words="", choices=choices), Cents(5000))
    >>> read_decision("2", keys, choices), read_decision("Fold", keys, choices)
    (Decision(choice='2x', amount=None), Decision(choice='fold', amount=None))
    >>> read_decision("x", keys, choices)
    Traceback (most recent call last):
    croupier.errors.Malformed: Please enter 2 or F.
    """
    word = text.lower()
    for key in keys:
        if word in {key.key.lower(), f"{key.key}x"} or (word == key.does.choice and word != "raise"):
            return key.does
    names = [choice.choice for choice in choices]
    rest = word.removeprefix("raise") if word.startswith("raise") else word.removeprefix("r")
    if "raise" in names and rest != word and rest.strip():
        try:
            return Decision("raise", read_amount(rest))
        except MoneyError:
            raise Malformed("Please enter an amount, such as R 15.") from None
    if word in names and word != "raise":
        return Decision(word)  # more than the chips reach: the table says so
    raise Malformed(f"Please enter {any_of(key.key for key in keys)}.")


def read_amount(text: str) -> Cents:
    """Dollars as people type them.

    >>> read_amount("$15"), read_amount("12.50"), read_amount("1,500")
    (1500, 1250, 150000)
    """
    return typed_dollars(text)


def read_switches(text: str, names: Sequence[str]) -> list[tuple[int, Cents | None]]:
    """Which side bets are switched, each by its number, with an amount where one is given.

    >>> names = ["progressive", "three_card_bonus", "six_card_bonus"]
    >>> read_switches("1 3=5", names)
    [(0, None), (2, 500)]
    >>> read_switches("4", names)
    Traceback (most recent call last):
    croupier.errors.Malformed: Please enter 1, 2 or 3, or press Enter to deal.
    """
    switches: list[tuple[int, Cents | None]] = []
    numbers = {str(number): number - 1 for number in range(1, len(names) + 1)}
    for word in text.split():
        number, equals, amount = word.partition("=")
        if number not in numbers:
            raise Malformed(f"Please enter {any_of(numbers)}, or press Enter to deal.")
        try:
            switches.append((numbers[number], read_amount(amount) if equals else None))
        except MoneyError:
            name = spoken(names[numbers[number]])
            raise Malformed(f"To bet $5 on {name}, enter {number}=5.") from None
    return switches
