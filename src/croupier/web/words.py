"""What templates say: cards with their names, money, clauses, times, people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from markupsafe import Markup, escape

from croupier.cards import Card, rank_word
from croupier.days import in_zone
from croupier.games import CouponSettled, EnvyPaid, WagerSettled
from croupier.house import exclusion_words
from croupier.present import (
    average_gain,
    capitalized,
    cited,
    counted,
    decision_label,
    dollars,
    dollars_and_cents,
    exact_dollars,
    gain,
    line_words,
    listed,
    outcome_words,
    percent,
    rulebooks,
    spoken,
    the_wager,
    time_left,
    titled,
)
from croupier.rulebook import load_rulebook, rulebook_ids
from croupier.server import Caller, Desk
from croupier.table.views import CARD_BACK

__all__ = [
    "FILTERS",
    "TIME_ZONE",
    "CardFace",
    "Namer",
    "action_label",
    "card_face",
    "day_and_time",
    "kept_away",
    "local",
    "namer",
    "spoken_roles",
    "submission_title",
]

Namer: TypeAlias = Callable[[str], str]
TIME_ZONE: Final[ContextVar[str]] = ContextVar("time_zone", default="UTC")
"""Where the house is whose page is being made."""
_SHORT: Final = 10
_SUITS: Final = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
_NAME: Final = re.compile("`([^`]*)`")
_NUMBER: Final = re.compile(r"\b(?:1-)?[2-9]\d\d-[\dA-Z]{3}-?[\dA-Z]{4}\b")
_UNBROKEN: Final = re.compile(
    r"\b[\d,]+ (?:to|for) \d+\b|\b[Ss]eat \d+\b|\b\w+-card\b|\b(?:10|[2-9AKQJ])(?: (?:(?:10|[2-9AKQJ])\b|high\b))+|"
    + _NUMBER.pattern
    + r"|\b[A-Z](?:-(?:[A-Z]|\d))+\b|\b(?=\d?[A-Z])[A-Z\d]{2,3}-\d{2,3}\b",
)
_TIMES: Final = re.compile(r"(?<=\d)x\b")
_READING: Final = re.compile(r"\b([Rr]eadings? )(\d+)\b")
_KEYPAD: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
_CARD: Final = re.compile(r"(?:(?<=[ :])|^(?!As [a-z]))[2-9TJQKA][cdhs]\b(?!\))")


class CardFace(NamedTuple):
    """A card as a page draws and says it."""

    rank: str
    suit: str
    words: str
    code: str
    """The suit's letter; empty for a back."""


def action_label(action: str, decision: str = "") -> str:
    """What may be decided, as every page's buttons say it.

    >>> action_label("2x", "third_street"), action_label("fold")
    ('Bet 2×', 'Fold')
    """
    label = decision_label(action, decision)
    return f"{label[:-1]}×" if action.endswith("x") else label


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


def with_suits(sentence: str) -> str:
    """A sentence of the record with its cards as people write them; "As" that begins a sentence is a word.

    >>> with_suits("Seat 1 shows Th As"), with_suits("As the box is empty, seat 2 (Kc) shows Kc")
    ('Seat 1 shows 10♥ A♠', 'As the box is empty, seat 2 (Kc) shows K♣')
    >>> with_suits("Jc 6s"), with_suits("As"), with_suits("As Kd")
    ('J♣ 6♠', 'A♠', 'A♠ K♦')
    """
    return _CARD.sub(lambda found: "".join(card_face(found[0])[:2]), sentence)


def namer(desk: Desk, caller: Caller) -> Namer:
    """The names of people for somebody who may know them; for everybody else ids, which say nothing about anybody."""
    names = desk.doors.names
    knows = desk.house.state.demo or caller.may_read("players")

    def name(person: str) -> str:
        return names.get(person, person) if knows or person == caller.id else person

    return name


def spoken_roles(roles: Iterable[str]) -> str:
    """The roles of somebody.

    >>> spoken_roles(["dealer", "pit_manager"])
    'dealer, pit manager'
    """
    return ", ".join(spoken(role) for role in roles)


def local(at: datetime) -> datetime:
    """A time as the clocks of the house show it."""
    return in_zone(at, TIME_ZONE.get())


def kept_away(desk: Desk, caller: Caller) -> str:
    """Why somebody may not play, if they have excluded themselves."""
    person = desk.house.state.people.get(caller.id)
    held = person.exclusion if person is not None else None
    return "" if held is None else capitalized(exclusion_words(held, desk.doors.now()))


def clock(at: datetime) -> str:
    """A time of day, and the zone it is in."""
    return f"{local(at):%H:%M:%S %Z}"


def hour(at: datetime) -> str:
    """A time of day to the minute, and the zone it is in."""
    return f"{local(at):%H:%M %Z}"


def day_and_time(at: datetime) -> str:
    """A day, a time, and the zone they are in."""
    return f"{local(at):%Y-%m-%d %H:%M:%S %Z}"


def result_gain(settled: WagerSettled | CouponSettled | EnvyPaid) -> str:
    """What a settled wager brought its player, with its sign: what was staked counts against it."""
    match settled:
        case WagerSettled():
            return gain(settled.won + settled.returned - settled.staked)
        case _:
            return gain(settled.won)


def in_lines(text: str) -> list[str]:
    """A label in lines that are as short as a betting area is wide, but in two at the most: above it is other print.

    >>> in_lines("Ante"), in_lines("Three Card Bonus"), in_lines("Straight Flush Bonus")
    (['Ante'], ['Three Card', 'Bonus'], ['Straight Flush', 'Bonus'])
    """
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= _SHORT:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if len(lines) < 3 else [" ".join(lines[:-1]), lines[-1]]


def with_times(text: str) -> str:
    """
    >>> with_times("always bet 3x")
    'always bet 3×'
    """
    return _TIMES.sub("×", text)


def explained(text: str) -> Markup:
    """A text of ours with its names set as names, and readings as links.

    >>> explained("`true` (default), see reading 7 & 8")
    Markup('<code>true</code> (default), see <a href="/readings/7">reading 7</a> &amp; 8')
    """
    safe = _NAME.sub(r"<code>\1</code>", str(escape(text)))
    linked = _READING.sub(r'<a href="/readings/\2">\1\2</a>', safe)
    return Markup(_UNBROKEN.sub(r'<span class="nowrap">\g<0></span>', linked))  # noqa: S704 - it was escaped above


def callable_numbers(text: str) -> Markup:
    """A sentence whose telephone numbers are tapped to be called, and stay on one line.

    >>> callable_numbers("Call or text 1-800-GAMBLER.")
    Markup('Call or text <a class="nowrap" href="tel:+18004262537">1-800-GAMBLER</a>.')
    """

    def called(number: re.Match[str]) -> str:
        digits = re.sub(r"\D", "", number[0].translate(_KEYPAD))
        return f'<a class="nowrap" href="tel:+1{digits.removeprefix("1")}">{number[0]}</a>'

    return Markup(_NUMBER.sub(called, str(escape(text))))  # noqa: S704 - it was escaped above


def unbroken(text: str) -> Markup:
    """A text whose odds, seats, telephone numbers, ranks and number of cards of a hand, and paytables stay whole.

    >>> unbroken("flush, K Q 3: 3 to 1")
    Markup('flush, <span class="nowrap">K Q 3</span>: <span class="nowrap">3 to 1</span>')
    >>> unbroken("three-card flush")
    Markup('<span class="nowrap">three-card</span> flush')
    """
    return Markup(_UNBROKEN.sub(r'<span class="nowrap">\g<0></span>', str(escape(text))))  # noqa: S704 - it was escaped above


def submission_title(name: str) -> str:
    """What a submission is called: one that is named for its rulebook by the game and the state.

    >>> submission_title("md-mississippi-stud"), submission_title("River room")
    ('Mississippi Stud, Maryland', 'River room')
    >>> submission_title("md-mississippi-stud-by-hand")
    'Mississippi Stud, Maryland, by hand'
    """
    book = next((book for book in rulebook_ids() if name == book or name.startswith(f"{book}-")), None)
    if book is None:
        return name
    source, rest = load_rulebook(book).source, name.removeprefix(book).replace("-", " ").strip()
    return ", ".join(filter(None, (source.title, source.jurisdiction, rest)))


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "average_gain": average_gain,
    "callable_numbers": callable_numbers,
    "capitalized": capitalized,
    "card": card_face,
    "cents": dollars_and_cents,
    "cited": cited,
    "clock": clock,
    "counted": counted,
    "day_and_time": day_and_time,
    "dollars": dollars,
    "exact_dollars": exact_dollars,
    "explained": explained,
    "gain": gain,
    "hour": hour,
    "in_full": rulebooks.in_full,
    "in_lines": in_lines,
    "line_words": line_words,
    "listed": listed,
    "local": local,
    "outcome": outcome_words,
    "percent": percent,
    "result_gain": result_gain,
    "spoken": spoken,
    "spoken_roles": spoken_roles,
    "submission_title": submission_title,
    "the_wager": the_wager,
    "time_left": time_left,
    "titled": titled,
    "unbroken": unbroken,
    "with_times": with_times,
    "with_suits": with_suits,
}
