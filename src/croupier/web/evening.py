"""A player's evening: what was won or lost, what best play expects, what mistakes cost; the rest is luck.

The rounds are read from the record and their decisions priced beside the server, each once. A page asks with
`evening_of` and shows what is known; while something is still being computed, `pending` says so.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from datetime import date, datetime
from fractions import Fraction
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from msgspec import Struct

from croupier.analysis import CoachAsked, MeanAsked, PlayQuestion
from croupier.cards import format_cards
from croupier.days import gaming_day, period_start
from croupier.ledger import HandFigures, PlayedHand, hands_played, priced_hand
from croupier.server import Caller, Desk
from croupier.store import HouseShelf, RecalledRound, RoundSearch, find_rounds, story_of
from croupier.table import Person
from croupier.web.adviser import ADVISER, Adviser

__all__ = ["PlayerEvening", "evening_of", "sum_up"]

_PAGE: Final = 100
"""Rounds that are looked for at once."""
_AGAIN: Final = 1.0
"""Seconds until the record is looked at again for somebody."""
_REMEMBERED: Final = 500
"""People whose evenings are kept in memory."""


class PlayerEvening(Struct, frozen=True, kw_only=True):
    """One person's hands of a gaming day, in cents; averages are exact.

    What was won or lost is `net`, and `net == expected - cost + luck + side`.
    """

    day: date
    rounds: int
    """Hands played: two boxes in a round are two."""
    staked: int
    net: int
    side: int
    """The part of `net` that side bets brought, envy and coupons among them."""
    expected: Fraction
    """What best play brings on average in the main game, at these antes."""
    decisions: int
    mistakes: int
    cost: Fraction
    """What the mistakes cost on average, never less than nothing."""
    closed: int = 0
    """Hands folded at a table with real cards: nobody knows their cards, so nobody can price their decisions."""
    unpriced: int = 0
    """Hands that could not be priced; nothing while `pending`."""
    pending: bool = False
    """Whether some of it is still being computed: until then `expected`, `cost` and `luck` say nothing."""

    @property
    def luck(self) -> Fraction:
        """What neither best play nor mistakes explain, in the main game."""
        return self.net - self.side - self.expected + self.cost


async def evening_of(
    desk: Desk, caller: Caller, *, adviser: Adviser = ADVISER, patience: float = 0.15
) -> PlayerEvening | None:
    """The caller's own evening as far as it is known after so many seconds; None for whoever does not play."""
    if caller.scope is not None or "player" not in caller.roles or not caller.may_read("own_rounds", own=True):
        return None
    at, state = desk.doors.now(), desk.house.state
    day = gaming_day(at, state.time_zone, state.day_start)
    record = _EVENINGS.setdefault(desk, _Evenings()).of(caller.id, day)
    start = period_start(at, "day", state.time_zone, state.day_start)
    await record.look(desk, start, adviser, patience)
    return record.evening()


def sum_up(
    day: date, hands: Iterable[tuple[PlayedHand, HandFigures | None]], *, pending: bool = False
) -> PlayerEvening:
    """The figures of hands put together; a hand without figures is not priced, or not yet."""
    played = list(hands)
    priced = [figures for _, figures in played if figures is not None]
    return PlayerEvening(
        day=day,
        rounds=len(played),
        staked=sum(hand.staked for hand, _ in played),
        net=sum(hand.net for hand, _ in played),
        side=sum(hand.side for hand, _ in played),
        expected=sum((figures.expected for figures in priced), Fraction(0)),
        decisions=sum(len(hand.decisions) for hand, figures in played if figures is not None),
        mistakes=sum(figures.mistakes for figures in priced),
        cost=sum((figures.cost for figures in priced), Fraction(0)),
        closed=sum(hand.closed for hand, _ in played),
        unpriced=0 if pending else len(played) - len(priced),
        pending=pending,
    )


class _Record:
    """What is known of one person's day."""

    def __init__(self, person: str, day: date) -> None:
        self.person, self.day = person, day
        self._hands: dict[tuple[str, int], PlayedHand] = {}
        self._figures: dict[tuple[str, int], HandFigures | None] = {}
        self._read: set[str] = set()
        self._newest: datetime | None = None
        self._looked = float("-inf")
        self._done = asyncio.Event()
        self._done.set()

    def evening(self) -> PlayerEvening:
        """The day as far as it is known."""
        pending = not self._done.is_set() or any(key not in self._figures for key in self._hands)
        return sum_up(self.day, ((hand, self._figures.get(key)) for key, hand in self._hands.items()), pending=pending)

    async def look(self, desk: Desk, start: datetime, adviser: Adviser, patience: float) -> None:
        """Have the record read again, and wait for it so long."""
        if self._done.is_set():
            if monotonic() - self._looked < _AGAIN:
                return
            self._done.clear()
            desk.hall.chores.once("evening", self._follow(desk, start, adviser))
        try:
            await asyncio.wait_for(self._done.wait(), patience)
        except TimeoutError:
            return

    async def _follow(self, desk: Desk, start: datetime, adviser: Adviser) -> None:
        try:
            await self._recall(desk, start)
            await self._price(adviser)
        finally:
            self._looked = monotonic()
            self._done.set()

    async def _recall(self, desk: Desk, start: datetime) -> None:
        store, until, houses = desk.hall.store, None, None
        since = max(start, self._newest) if self._newest is not None else start
        newest = self._newest
        while True:
            search = RoundSearch(patron=self.person, start=since, end=until, limit=_PAGE)
            rounds = await find_rounds(store, search)
            for recalled in rounds:
                if _id(recalled) in self._read:
                    continue
                houses = houses or await HouseShelf.read(store)
                house = houses(recalled.rules)
                story = await story_of(store, recalled, audience=Person("player", self.person), houses=houses)
                if house is not None:
                    for hand in hands_played(story.entries, house, story.layout, self.person):
                        self._hands[_id(recalled), hand.seat] = hand
                self._read.add(_id(recalled))
                newest = max(newest or recalled.closed, recalled.closed)
            if len(rounds) < _PAGE or until == rounds[-1].closed:
                break
            until = rounds[-1].closed
        self._newest = newest

    async def _price(self, adviser: Adviser) -> None:
        due = {key: hand for key, hand in self._hands.items() if key not in self._figures}
        questions: dict[tuple[str, int], list[PlayQuestion]] = {
            key: [_mean(hand), *_decisions(hand)] for key, hand in due.items()
        }
        await adviser.ask([question for asked in questions.values() for question in asked])
        for key, hand in due.items():
            mean, *values = (adviser.known(question) for question in questions[key])
            priced = mean is not None and None not in values
            self._figures[key] = priced_hand(hand, mean, [value.actions for value in values]) if priced else None


def _id(recalled: RecalledRound) -> str:
    return f"{recalled.table}-{recalled.number}"


def _mean(hand: PlayedHand) -> MeanAsked:
    return MeanAsked(rulebook=hand.rulebook, edition=hand.edition, paytable=hand.paytable)


def _decisions(hand: PlayedHand) -> list[CoachAsked]:
    return [
        CoachAsked(
            rulebook=hand.rulebook,
            edition=hand.edition,
            paytable=hand.paytable,
            cards=format_cards(sorted(decision.own)),
            community=format_cards(decision.board),
            bets=decision.bets,
        )
        for decision in hand.decisions
    ]


class _Evenings:
    """The evenings of everybody who has asked, the last ones kept."""

    def __init__(self) -> None:
        self._records: Final[OrderedDict[str, _Record]] = OrderedDict()

    def of(self, person: str, day: date) -> _Record:
        record = self._records.pop(person, None)
        if record is None or record.day != day:
            record = _Record(person, day)
        self._records[person] = record
        if len(self._records) > _REMEMBERED:
            self._records.popitem(last=False)
        return record


_EVENINGS: Final[WeakKeyDictionary[Desk, _Evenings]] = WeakKeyDictionary()
