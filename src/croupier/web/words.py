"""What templates say: cards with their names, money, clauses, times, people."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from croupier.cards import Card, rank_word
from croupier.games import CouponSettled, EnvyPaid, WagerSettled
from croupier.present import (
    capitalized,
    cited,
    counted,
    dollars,
    dollars_and_cents,
    gain,
    line_words,
    listed,
    outcome_words,
    percent,
    spoken,
    titled,
)
from croupier.server import Caller, Desk
from croupier.table.views import CARD_BACK

__all__ = ["FILTERS", "CardFace", "Namer", "card_face", "namer"]

Namer: TypeAlias = Callable[[str], str]
_SUITS: Final = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}


class CardFace(NamedTuple):
    """A card as a page draws and says it."""

    rank: str
    suit: str
    words: str
    code: str
    """The suit's letter; empty for a back."""


def card_face(name: str) -> CardFace:
    """
    >>> card_face("Th")
    CardFace(rank='10', suit='♥', words='ten of hearts', code='h')
    >>> card_face("??").words
    'face-down card'
    """
    if name == CARD_BACK:
        return CardFace("", "", "face-down card", "")
    card = Card(name)
    sign, suit = _SUITS[card.suit]
    return CardFace("10" if name[0] == "T" else name[0], sign, f"{rank_word(card.rank)} of {suit}", card.suit)


def namer(desk: Desk, caller: Caller) -> Namer:
    """The names of people for somebody who may know them; for everybody else ids, which say nothing about anybody."""
    names = desk.doors.names
    knows = desk.house.state.demo or caller.may_read("players")

    def name(person: str) -> str:
        return names.get(person, person) if knows or person == caller.id else person

    return name


def clock(at: datetime) -> str:
    """A time of day."""
    return f"{at:%H:%M:%S} UTC"


def day_and_time(at: datetime) -> str:
    """A day and a time."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def result_gain(settled: WagerSettled | CouponSettled | EnvyPaid) -> str:
    """What a settled wager brought its player, with its sign: what was staked counts against it."""
    match settled:
        case WagerSettled():
            return gain(settled.won + settled.returned - settled.staked)
        case _:
            return gain(settled.won)


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "capitalized": capitalized,
    "card": card_face,
    "cents": dollars_and_cents,
    "cited": cited,
    "clock": clock,
    "counted": counted,
    "day_and_time": day_and_time,
    "dollars": dollars,
    "gain": gain,
    "line_words": line_words,
    "listed": listed,
    "outcome": outcome_words,
    "percent": percent,
    "result_gain": result_gain,
    "spoken": spoken,
    "titled": titled,
}
