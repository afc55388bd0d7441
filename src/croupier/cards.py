"""Cards, the deck and their notation.

>>> ace, ten = parse_cards("Ah 10d")
>>> ace, ten
(Card('Ah'), Card('Td'))
>>> ace > ten, ace.rank, ace.suit
(True, 14, 'h')
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from operator import index
from typing import Final

from croupier.errors import CardError

__all__ = [
    "DECK",
    "LOWEST_RANK",
    "RANKS",
    "SUITS",
    "Card",
    "check_cards",
    "format_cards",
    "named_cards",
    "parse_cards",
    "rank_figures",
    "rank_letters",
    "rank_word",
    "typed_cards",
]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
LOWEST_RANK: Final = 2
_WORDS: Final = "two three four five six seven eight nine ten jack queen king ace".split()
_PIPS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}
_TYPED: Final = re.compile(rf"(10|[{RANKS}])([{SUITS}{''.join(_PIPS)}])", re.ASCII | re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,;|]+|[\ufe0e\ufe0f]")
"""What may stand between cards, and what some keyboards put after a suit to choose its picture."""


class Card(int):
    """One of the 52 cards: an integer from 0 (2c) to 51 (As), so that sorting follows rank.

    There is one object for each card. Cards compare by rank and then, only to keep sorting stable,
    by suit; no hand ranking lets one suit outrank another.
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Card:  # noqa: PYI034 - returns one of the 52 that exist
        """Find the card of this name or number."""
        if isinstance(card, str):
            named = _BY_NAME.get(card)
            if named is None:
                raise CardError(_not_a_card(card))
            return named
        try:
            number = -1 if isinstance(card, bool) else index(card)
        except TypeError:
            number = -1
        if not 0 <= number < len(DECK):
            raise CardError(f"{card!r} is not a card: numbers go from 0 (2c) to {len(DECK) - 1} (As)")
        return DECK[number]

    @property
    def rank(self) -> int:
        """2 to 10 as printed, then jack 11, queen 12, king 13, ace 14."""
        return self // 4 + LOWEST_RANK

    @property
    def suit(self) -> str:
        """`c`, `d`, `h` or `s`."""
        return SUITS[self % 4]

    def __str__(self) -> str:
        return RANKS[self // 4] + SUITS[self % 4]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)


DECK: Final[tuple[Card, ...]] = tuple(int.__new__(Card, number) for number in range(52))
_BY_NAME: Final = {str(card): card for card in DECK} | {f"10{card.suit}": card for card in DECK if card.rank == 10}


def parse_cards(text: str, *, count: int | Collection[int] | None = None) -> tuple[Card, ...]:
    """Read cards written as `Ah Td 2c`; `10d` is read too.

    >>> parse_cards("Ah Ah")
    Traceback (most recent call last):
    croupier.errors.CardError: duplicate card: Ah
    >>> parse_cards("ah Kd", count=3)
    Traceback (most recent call last):
    croupier.errors.CardError: 'ah' is not a card; did you mean Ah? (a rank of 23456789TJQKA, then a suit of cdhs)
    """
    return check_cards(text, count=count)


def named_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, each by its name; nothing else is checked.

    >>> named_cards("Ah 10d Ah")
    (Card('Ah'), Card('Td'), Card('Ah'))
    """
    words = text.split()
    try:
        return tuple([_BY_NAME[word] for word in words])
    except KeyError:
        return tuple(map(Card, words))  # says which is not a card


def typed_cards(text: str, *, count: int | Collection[int] | None = None) -> tuple[Card, ...]:
    """Read cards as people type them: upper or lower case, 10 or T, letters or suit symbols, apart or together.

    >>> typed_cards("ah, 10♦ QsJs")
    (Card('Ah'), Card('Td'), Card('Qs'), Card('Js'))
    >>> typed_cards("ah kx")
    Traceback (most recent call last):
    croupier.errors.CardError: 'kx' is not a card: write a rank and a suit, such as Ah, 10d or Q♠
    """
    return check_cards([card for word in _BETWEEN.split(text) for card in _cards_in(word)], count=count)


def _cards_in(word: str) -> Iterable[Card]:
    """The cards of a word without a space."""
    place = 0
    while place < len(word):
        typed = _TYPED.match(word, place)
        if typed is None:
            rest = word[place:]
            shown = rest if len(rest) <= 20 else rest[:20] + "…"
            raise CardError(f"{shown!r} is not a card: write a rank and a suit, such as Ah, 10d or Q♠")
        yield _BY_NAME[typed[1].upper() + _PIPS.get(typed[2], typed[2].lower())]
        place = typed.end()


def check_cards(cards: str | Iterable[Card], *, count: int | Collection[int] | None = None) -> tuple[Card, ...]:
    """The cards as a tuple, checked: each occurs once, and there are as many as `count` allows."""
    if isinstance(cards, str):
        checked = named_cards(cards)
    else:
        given = tuple(cards)
        checked = given if set(map(type, given)) == {Card} else tuple(map(Card, given))
    if len(set(checked)) != len(checked):
        raise CardError(f"duplicate card: {next(card for card in checked if checked.count(card) > 1)}")
    if count is not None:
        allowed = (count,) if isinstance(count, int) else tuple(sorted(count))
        if len(checked) not in allowed:
            noun = "card" if allowed == (1,) else "cards"
            raise CardError(f"expected {_either(allowed)} {noun}, got {len(checked)}")
    return checked


def format_cards(cards: Iterable[Card]) -> str:
    """
    >>> format_cards([Card("Ah"), Card("2c")])
    'Ah 2c'
    """
    return " ".join(map(str, cards))


def rank_letters(ranks: Iterable[int]) -> str:
    """
    >>> rank_letters([14, 10, 3])
    'AT3'
    """
    return "".join(RANKS[rank - LOWEST_RANK] for rank in ranks)


def rank_figures(ranks: Iterable[int]) -> str:
    """Print ranks as cards do.

    >>> rank_figures([14, 10, 3])
    'A 10 3'
    """
    return " ".join(rank_letters(ranks)).replace("T", "10")


def rank_word(rank: int, *, plural: bool = False) -> str:
    """
    >>> rank_word(12), rank_word(6, plural=True)
    ('queen', 'sixes')
    """
    word = _WORDS[rank - LOWEST_RANK]
    if not plural:
        return word
    return word + ("es" if word.endswith("x") else "s")


def _either(allowed: tuple[int, ...]) -> str:
    *most, last = map(str, allowed)
    return f"{', '.join(most)} or {last}" if most else last


def _not_a_card(text: str) -> str:
    guess = text[:-1].upper().replace("10", "T") + _PIPS.get(text[-1:], text[-1:].lower())
    hint = f"; did you mean {guess}?" if guess in _BY_NAME else ""
    shown = text if len(text) <= 20 else text[:20] + "…"
    return f"{shown!r} is not a card{hint} (a rank of {RANKS}, then a suit of {SUITS})"
