"""Cards as people see them in a terminal: with pips and frames where it has them, in plain letters where not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from croupier.cards import SUITS, Card

__all__ = ["PIPS", "PLAIN", "Pens", "Pile", "arranged", "card_row", "card_words", "pens_for"]

HEIGHT: Final = 4
INDENT: Final = "  "
GAP: Final = 4


class Pens(NamedTuple):
    """What a terminal can draw with."""

    suits: Mapping[str, str]
    top: str
    side: str
    bottom: str
    back: str


PIPS: Final = Pens({"c": "♣", "d": "♦", "h": "♥", "s": "♠"}, "╭───╮", "│", "╰───╯", "░░░")
PLAIN: Final = Pens({suit: suit for suit in SUITS}, "+---+", "|", "+---+", "###")


def pens_for(encoding: str) -> Pens:
    """The pens for an encoding.

    >>> pens_for("utf-8") is PIPS, pens_for("ascii") is PLAIN, pens_for("latin-1") is PLAIN
    (True, True, True)
    """
    try:
        "".join([*PIPS.suits.values(), *PIPS[1:]]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return PIPS


class Pile(NamedTuple):
    """Cards that lie together under a title; None lies face down."""

    title: str
    cards: Sequence[Card | None]


def card_words(cards: Sequence[Card], pens: Pens) -> Text:
    """Cards in a line of text."""
    return Text(" ").join([Text(_rank(card) + pens.suits[card.suit], style=_style(card)) for card in cards])


def card_row(piles: Sequence[Pile], pens: Pens, *, width: int) -> list[Text]:
    """Piles side by side, in as many rows as the width requires.

    >>> from croupier.cards import parse_cards
    >>> for line in card_row([Pile("board", [None]), Pile("hand", parse_cards("Th 2c"))], PLAIN, width=80):
    ...     print(line)
      board    hand
      +---+    +---++---+
      |###|    |10 ||2  |
      |###|    |  h||  c|
      +---+    +---++---+
    """
    rows: list[list[Pile]] = [[]]
    used = 0
    for pile in piles:
        wide = GAP + _wide(pile)
        if rows[-1] and used + wide > width:
            rows.append([])
            used = 0
        rows[-1].append(pile)
        used += wide
    return [line for row in rows for line in _row(row, pens)]


def _row(piles: Sequence[Pile], pens: Pens) -> list[Text]:
    lines = [Text(INDENT) for _ in range(HEIGHT + 1)]
    for place, pile in enumerate(piles):
        last = place == len(piles) - 1
        for number, line in enumerate(_pile(pile, pens)):
            lines[number].append(line)
            if not last:
                lines[number].append(" " * (_wide(pile) + GAP - line.cell_len))
    return lines


def _wide(pile: Pile) -> int:
    return max(len(pile.title), 5 * len(pile.cards))


def _pile(pile: Pile, pens: Pens) -> list[Text]:
    lines = [Text(pile.title, style="dim"), *(Text() for _ in range(HEIGHT))]
    for card in pile.cards:
        for line, part in zip(lines[1:], _card(card, pens), strict=True):
            line.append(part)
    return lines


def _card(card: Card | None, pens: Pens) -> list[Text]:
    top, side, bottom = Text(pens.top), pens.side, Text(pens.bottom)
    if card is None:
        back = Text.assemble(side, (pens.back, "blue"), side)
        return [top, back, back, bottom]
    rank, pip = f"{_rank(card):<3}", f"{pens.suits[card.suit]:>3}"
    return [
        top,
        Text.assemble(side, (rank, _style(card)), side),
        Text.assemble(side, (pip, _style(card)), side),
        bottom,
    ]


def _rank(card: Card) -> str:
    return str(card)[0].replace("T", "10")


def _style(card: Card) -> str:
    return "bold red" if card.suit in "dh" else "bold"


def arranged(cards: Sequence[Card]) -> list[Card]:
    """Cards suit by suit, the longest suit first, as flushes are seen best.

    >>> from croupier.cards import format_cards, parse_cards
    >>> format_cards(arranged(parse_cards("2c Ah 9c Kd 4h Tc 7d")))
    'Tc 9c 2c Ah 4h Kd 7d'
    """
    suits = {suit: [card.rank for card in cards if card.suit == suit] for suit in SUITS}
    return sorted(cards, key=lambda card: (len(suits[card.suit]), max(suits[card.suit]), card.suit, card), reverse=True)
