"""`croupier hand`: identify a hand, for people and for programs."""

from __future__ import annotations

import sys
from typing import Annotated, Final, TypeAlias

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cards import DECK, Card, parse_cards, rank_letters, typed_cards
from croupier.cli.json_lines import answer_standard_input
from croupier.errors import Malformed
from croupier.hands import (
    HAND_SIZES,
    FiveCardHand,
    SixCardHand,
    ThreeCardHand,
    dealer_qualifies,
    five_card,
    four_of_a_kind,
    longest_flush,
    longest_straight_flush,
    senses,
    six_card,
    three_card,
)

__all__ = ["hand", "show_cards"]


class FiveCardQuestion(Struct, tag_field="kind", tag="five_card", forbid_unknown_fields=True):
    """What are these five cards?"""

    cards: str


class ThreeCardQuestion(Struct, tag_field="kind", tag="three_card", forbid_unknown_fields=True):
    """What are these three cards?"""

    cards: str
    ace_low: bool = True


class SixCardQuestion(Struct, tag_field="kind", tag="six_card", forbid_unknown_fields=True):
    """What are the best five of these six cards?"""

    cards: str


class HighCardFlushQuestion(Struct, tag_field="kind", tag="high_card_flush", forbid_unknown_fields=True):
    """What are these seven cards?"""

    cards: str
    ace_low: bool = True


Question: TypeAlias = FiveCardQuestion | ThreeCardQuestion | SixCardQuestion | HighCardFlushQuestion

_KIND_BY_SIZE: Final = {
    3: ThreeCardQuestion,
    5: FiveCardQuestion,
    6: SixCardQuestion,
    7: HighCardFlushQuestion,
}
_SHAPE: Final = (
    f"a line has kind ({', '.join(str(kind.__struct_config__.tag) for kind in _KIND_BY_SIZE.values())}), "
    "cards and, for three_card and high_card_flush, ace_low"
)
_decoder: Final[msgspec.json.Decoder[Question]] = msgspec.json.Decoder(Question)


def _complete_card(incomplete: str) -> list[str]:
    return [str(card) for card in DECK if str(card).startswith(incomplete)]


def hand(
    cards: Annotated[
        list[str] | None,
        typer.Argument(
            help="3, 5, 6 or 7 cards such as [bold]Qh Qd 9c 5s 2h[/bold]; default: JSON lines from standard input.",
            metavar="CARDS",
            autocompletion=_complete_card,
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer the given cards in JSON.")] = False,
) -> int:
    """Identify a hand: three, five or six cards, or the seven of High Card Flush.

    For people: [bold]croupier hand "Qh Qd 9c 5s 2h"[/bold]

    For programs, one JSON question per line on standard input and one answer per line on standard output:
    [bold]echo '{"kind": "five_card", "cards": "Qh Qd 9c 5s 2h"}' | croupier hand[/bold]

    Kinds are five_card, three_card, six_card and high_card_flush. Three_card and high_card_flush take "ace_low": false.
    """
    if cards:
        given = typed_cards(" ".join(cards), count=HAND_SIZES)
        if as_json:
            kind = _KIND_BY_SIZE[len(given)]
            reply = {"kind": kind.__struct_config__.tag} | _answer(kind(cards=" ".join(cards)))
            sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
        else:
            show_cards(Console(highlight=False), given)
        return 0
    return answer_standard_input(
        "hand", lambda line: _answer(_question(line)), instead='no cards: try croupier hand "Qh Qd 9c 5s 2h"'
    )


def _question(line: bytes) -> Question:
    try:
        return _decoder.decode(line)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}; {_SHAPE}") from None


def _answer(question: Question) -> dict[str, object]:
    match question:
        case FiveCardQuestion(cards=text):
            return _named(five_card(parse_cards(text, count=5)))
        case ThreeCardQuestion(cards=text, ace_low=ace_low):
            return _named(three_card(parse_cards(text, count=3), ace_low=ace_low))
        case SixCardQuestion(cards=text):
            return _named(six_card(parse_cards(text, count=6)))
        case HighCardFlushQuestion(cards=text, ace_low=ace_low):
            cards = parse_cards(text, count=7)
            flush = longest_flush(cards)
            return {
                "flush_length": flush.length,
                "flush_ranks": rank_letters(flush.ranks),
                "straight_flush_length": longest_straight_flush(cards, ace_low=ace_low).length,
                "four_of_a_kind": four_of_a_kind(cards),
                "qualifies": dealer_qualifies(flush),
            }


def _named(judged: FiveCardHand | ThreeCardHand | SixCardHand) -> dict[str, object]:
    return {"hand": judged.name, "ranks": rank_letters(judged.ranks)}


def show_cards(console: Console, cards: tuple[Card, ...]) -> None:
    """Print what the cards are in every game, and below each answer the rule behind it."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for sense in senses(cards):
        table.add_row(sense.reads_as, Text.assemble((sense.hand, "bold"), "\n", (sense.rule, "dim")))
    console.print(_card_text(*cards), table, sep="\n")


def _card_text(*cards: Card) -> Text:
    """Print cards as people see them: with pips, red suits in red."""
    pips = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    words = [
        Text(str(card)[0].replace("T", "10") + pips[card.suit], style="bold red" if card.suit in "dh" else "bold")
        for card in cards
    ]
    return Text(" ").join(words)
