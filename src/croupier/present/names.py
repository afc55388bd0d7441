"""Names as words, and words as lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from croupier.rulebook.names import spoken

__all__ = ["any_of", "capitalized", "counted", "line_words", "listed", "spoken", "the_wager", "titled"]

_LINES: Final = {
    "ace_king_queen_spades": "ace, king, queen of spades",
    "ace_king_queen_other": "ace, king, queen of another suit",
    "super_royal_diamonds": "super royal in diamonds",
    "super_royal_other": "super royal in another suit",
    "suited_nine_to_ace": "suited 9 to ace",
    "mini_royal": "mini-royal",
    "nothing": "any other hand",
}
"""Lines of a paytable whose name alone does not read well."""


def titled(name: str) -> str:
    """Return a name as a heading or a layout prints it.

    >>> titled("six_card_bonus")
    'Six Card Bonus'
    """
    return spoken(name).title()


def line_words(name: str) -> str:
    """Return the name of a paytable line in words.

    >>> [line_words(name) for name in ("royal_flush", "pair_jacks_or_better", "seven_card_straight_flush")]
    ['royal flush', 'pair of jacks or better', 'seven-card straight flush']
    """
    return _LINES.get(name) or spoken(name.replace("pair_", "pair_of_").replace("_card_", "-card_"))


def the_wager(name: str) -> str:
    """Return a wager as it follows a preposition.

    >>> the_wager("ante"), the_wager("third_street"), the_wager("six_card_bonus"), the_wager("bet_1")
    ('the ante', 'third street', 'the six card bonus', 'bet 1')
    """
    bare = name.endswith("_street") or name.startswith("bet_") or name == "cover_all"
    return spoken(name) if bare else f"the {spoken(name)}"


def capitalized(text: str) -> str:
    """Begin a sentence.

    >>> capitalized("seat 1 folds")
    'Seat 1 folds'
    """
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "card"), counted(1200, "card")
    ('1 card', '1,200 cards')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: Iterable[object]) -> str:
    """
    >>> listed([1]), listed([1, 2]), listed([1, 2, 3])
    ('1', '1 and 2', '1, 2 and 3')
    """
    return _joined([str(word) for word in words], "and")


def any_of(words: Iterable[object]) -> str:
    """
    >>> any_of(["1", "2", "F"])
    '1, 2 or F'
    """
    return _joined([str(word) for word in words], "or")


def _joined(words: Sequence[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
