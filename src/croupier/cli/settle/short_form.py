"""A round in the short form of the command line: `1: Ah Kh, ante 25, three card bonus 5, 3x 3x 1x`.

Nothing here judges the round: what is read becomes the JSON that `croupier settle` takes in a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from croupier.cards import format_cards, typed_cards
from croupier.cli.typed_names import nearest, typed_name
from croupier.errors import CardError, Malformed, MoneyError
from croupier.games import rules_of
from croupier.money import Cents, format_dollars, typed_dollars
from croupier.present import any_of, spoken
from croupier.rulebook import HouseRules

__all__ = ["ShortRound", "choices_of", "read_cards", "read_choice", "read_meter", "read_seat", "round_of"]

_SEAT: Final = re.compile(r"\s*(?:seat\s+(\d{1,3})\s*:?|(\d{1,3})\s*:)\s*", re.IGNORECASE | re.ASCII)
_WORD: Final = re.compile(r"\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|[^\s,;:=|]+", re.ASCII)
"""A comma separates, except in front of three digits: 25,000."""
_LIKE_A_CARD: Final = re.compile(r"(?:10|[2-9tjqka])[cdhs♣♦♥♠♧♢♡♤]", re.IGNORECASE)
_MOST_WORDS: Final = 4
"""In the name of a wager."""
_LEAST_LETTERS: Final = 3
"""That a shortened name has."""
_EVERY_BET: Final = {"bet", "bets"}
"""The main wager, with every one that must equal it."""
_AMOUNT: Final = re.compile(r"\$?(?:[0-9]|\.[0-9])[0-9.,]*[km]?", re.IGNORECASE | re.ASCII)
_SAID: Final = {"withdraw": ("pull", "take back"), "ride": ("let it ride",)}
"""Other words for a decision."""


class ShortRound(NamedTuple):
    """A round as its options on the command line have it."""

    seats: Sequence[str]
    board: str = ""
    dealer: str = ""
    six_card_box: str = ""
    meters: Sequence[str] = ()


class _Word(NamedTuple):
    text: str
    place: int
    """Its first character, counted from 1."""


def round_of(short: ShortRound, house: HouseRules) -> dict[str, Any]:
    """The round as JSON has it, without its submission."""
    described: dict[str, Any] = {"seats": [read_seat(seat, house) for seat in short.seats]}
    slots = (("--board", "community", short.board), ("--dealer", "dealer", short.dealer))
    for option, key, text in (*slots, ("--six-card-box", "six_card_box", short.six_card_box)):
        if text:
            described[key] = read_cards(option, text)
    if short.meters:
        described["meters"] = dict(read_meter(meter, house) for meter in short.meters)
    return described


def read_cards(option: str, text: str) -> str:
    """Cards as JSON has them.

    >>> read_cards("--board", "10♥ qhjh")
    'Th Qh Jh'
    """
    try:
        return format_cards(typed_cards(text))
    except CardError as error:
        raise Malformed(f"{option} {text!r}: {error}") from None


def read_meter(text: str, house: HouseRules) -> tuple[str, str]:
    """A meter and what it shows: `major=5012.34`, or the amount alone where there is one meter."""
    names = [meter.name for wager in house.wagers for meter in wager.meters]
    label, equals, amount = text.rpartition("=")
    if not names:
        raise Malformed(f"--meter {text!r}: this house has no meter")
    if not equals and len(names) > 1:
        raise Malformed(f"--meter {text!r}: say which meter, such as {names[0]}={text}; the meters are {any_of(names)}")
    name = typed_name(label, names) if equals else names[0]
    if name is None:
        raise Malformed(f"--meter {text!r}: {nearest(label, names, what='a meter of this house')}")
    try:
        return name, format_dollars(typed_dollars(amount))
    except MoneyError as error:
        raise Malformed(f"--meter {text!r}: {error}") from None


def choices_of(house: HouseRules) -> list[str]:
    """Everything that may be decided in this game.

    >>> from croupier import load_house
    >>> choices_of(load_house("md-let-it-ride"))
    ['ride', 'withdraw']
    """
    return list(dict.fromkeys(choice for row in house.rulebook.play.choice for choice in row.choices))


def read_choice(text: str, choices: Sequence[str]) -> str | None:
    """A decision as JSON has it, or None: `2X`, `Fold`, `pull`, `raise $15`.

    >>> read_choice("Pull", ["ride", "withdraw"]), read_choice("raise $15", ["raise", "fold"])
    ('withdraw', 'raise 15.00')
    """
    words = " ".join(text.casefold().split())
    for choice in choices:
        if words == choice != "raise" or words in _SAID.get(choice, ()):
            return choice
    if "raise" not in choices:
        return None
    amount = words.removeprefix("raise").strip()
    if re.fullmatch(r"[1-3]x", amount):
        return amount
    return f"raise {format_dollars(typed_dollars(amount))}" if words != amount and amount else None


def read_seat(text: str, house: HouseRules) -> dict[str, Any]:
    """One seat as JSON has it; `Malformed` says what cannot be read, and where.

    >>> from croupier import load_house
    >>> seat = read_seat("4: 7c 2d, ante $1,000, fold", load_house("md-mississippi-stud"))
    >>> seat["cards"], seat["wagers"], seat["decisions"]
    ('7c 2d', {'ante': '1000.00'}, ['fold'])
    """
    head = _SEAT.match(text)
    if head is None:
        raise Malformed(f"--seat {text!r}: begin with the number of the seat, such as 1: Ah Kh, ante 25, 3x")
    words = [_Word(word[0], word.start() + 1) for word in _WORD.finditer(text, head.end())]
    seat = _Seat(int(head[1] or head[2]), text, house)
    while words:
        words = words[seat.take(words) :]
    return seat.described()


class _Seat:
    """A seat that is being read."""

    def __init__(self, number: int, text: str, house: HouseRules) -> None:
        self._number, self._text, self._house = number, text, house
        self._rules = rules_of(house)
        self._cards: list[str] = []
        self._wagers: dict[str, str] = {}
        self._decisions: list[str] = []
        self._more: dict[str, str] = {}

    def described(self) -> dict[str, Any]:
        cards = {"cards": " ".join(self._cards)} if self._cards else {}
        wagers = {"wagers": self._wagers, "decisions": self._decisions}
        return {"seat": self._number} | cards | wagers | self._more

    def take(self, words: Sequence[_Word]) -> int:
        """Read what the next words say, and return how many they are."""
        read = self._decision(words) or self._card(words[0]) or self._other(words)
        return read or self._amount_first(words) or self._wager(words)

    def _decision(self, words: Sequence[_Word]) -> int:
        for length in (3, 2, 1):
            try:
                choice = read_choice(_joined(words[:length]), choices_of(self._house))
            except MoneyError as error:
                if length > 2:  # a raise and its amount are two words; the third belongs to something else
                    continue
                raise self._wrong(words[0], str(error)) from None
            if choice is not None:
                self._decisions.append(choice)
                return min(length, len(words))
        return 0

    def _card(self, word: _Word) -> int:
        try:
            self._cards.append(format_cards(typed_cards(word.text)))
        except CardError:
            return 0
        return 1

    def _other(self, words: Sequence[_Word]) -> int:
        first = words[0].text.casefold()
        if first in {"patron", "player"} and len(words) > 1:
            self._more["patron"] = words[1].text
            return 2
        if _joined(words[:2]).casefold() == "match play":
            amount = self._amount(words[1:], "match play", None)
            self._more["match_play"] = format_dollars(amount)
            return 3
        return 0

    def _amount_first(self, words: Sequence[_Word]) -> int:
        """Read `$25 ante`, or `$25` alone for the main wager."""
        if not _AMOUNT.fullmatch(words[0].text):
            return 0
        for length in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
            named, after = words[1 : 1 + length], words[1 + length : 2 + length]
            name = typed_name(_joined(named), self._rules.wagers) if len(_joined(named)) >= _LEAST_LETTERS else None
            if name is None:
                continue
            has_its_own = after and _AMOUNT.fullmatch(after[0].text) and not self._are_apart(named[-1], after[0])
            if has_its_own or self._are_apart(words[0], words[1]):
                break
            return self._place([named[-1], words[0]], [name]) + length - 1
        if not words[0].text.startswith("$"):  # a figure alone may be half a card
            return 0
        return self._place([words[0], words[0]], self._main()) - 1

    def _are_apart(self, first: _Word, second: _Word) -> bool:
        """Whether a comma is between two words."""
        return re.search("[,;]", self._text[first.place - 1 + len(first.text) : second.place - 1]) is not None

    def _main(self) -> list[str]:
        """The main wager, with every one that must equal it."""
        equal = [wager.name for wager in self._rules.wagers.values() if wager.stake == "equal"]
        return [self._rules.main.name, *equal]

    def _wager(self, words: Sequence[_Word]) -> int:
        names = list(self._rules.wagers)
        for length in range(min(_MOST_WORDS, len(words)), 0, -1):
            text = _joined(words[:length])
            name = typed_name(text, names) if len(text) >= _LEAST_LETTERS else None
            if name is not None:
                return self._place(words[length - 1 :], [name]) + length - 1
        if words[0].text.casefold() in _EVERY_BET:
            return self._place(words, self._main())
        raise self._wrong(words[0], self._neither(words[0].text))

    def _place(self, words: Sequence[_Word], names: Sequence[str]) -> int:
        """Read the amount behind the last word of a wager's name; a wager of one fixed stake needs none."""
        if twice := [name for name in names if name in self._wagers]:
            raise self._wrong(words[0], f"{spoken(twice[0])} appears twice")
        offered = next((wager for wager in self._house.wagers if wager.name == names[0]), None)
        stakes = offered.stakes if offered is not None else None
        fixed = stakes.minimum if stakes is not None and stakes.minimum == stakes.maximum else None
        is_given = len(words) > 1 and _AMOUNT.fullmatch(words[1].text) is not None
        amount = self._amount(words, spoken(names[0]), fixed if not is_given else None)
        for name in names:
            self._wagers[name] = format_dollars(amount)
        return 2 if is_given else 1

    def _amount(self, words: Sequence[_Word], what: str, fixed: Cents | None) -> Cents:
        if fixed is not None:
            return fixed
        if len(words) < 2:
            raise self._wrong(words[0], f"{what} needs an amount, such as {what} 25")
        try:
            return typed_dollars(words[1].text)
        except MoneyError as error:
            raise self._wrong(words[1], f"{what}: {error}") from None

    def _neither(self, text: str) -> str:
        if _LIKE_A_CARD.match(text):
            try:
                typed_cards(text)
            except CardError as error:
                return str(error)
        made_before = [spoken(wager.name) for wager in self._house.wagers if wager.stakes is not None]
        decisions = any_of(f"{choice} 15" if choice == "raise" else choice for choice in choices_of(self._house))
        return f"{text!r} is not a card, a wager ({any_of(made_before)}) or a decision ({decisions})"

    def _wrong(self, word: _Word, message: str) -> Malformed:
        return Malformed(f"--seat {self._text!r}, character {word.place}: {message}")


def _joined(words: Sequence[_Word]) -> str:
    return " ".join(word.text for word in words)
