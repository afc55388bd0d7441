"""Hidden stays hidden: random rounds seen by every audience, and everything that is recorded and refused beside them.

What may be seen is worked out here from the record alone: a card may be seen by everybody once its place was turned up
or it was set aside, and by its player from the end of the deal on. When the round is over, everybody may still see what
they saw then, and players the hands that they folded.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import msgspec
import pytest

from croupier.cards import DECK, Card, format_cards
from croupier.driver import CardsByHand, CardSource, FairShuffler, TableRunner
from croupier.errors import RuleViolation, Unopened
from croupier.fairness import Entropy
from croupier.games import Offer, Round, awaiting
from croupier.games import events as round_events
from croupier.games.actions import IdentifyCards
from croupier.games.offers import CardsOf
from croupier.games.round import patron_of
from croupier.money import Cents
from croupier.table import (
    Entry,
    Person,
    Request,
    allowed,
    codec,
    commands,
    see,
    view,
    views,
    write_entry,
    write_offer,
)
from croupier.table import audience as audience_module
from croupier.table.engine import giver_problem
from croupier.table.events import Hidden, PlayerBoughtIn
from croupier.table.offers import round_offers
from support import slices
from support.random_play import sample
from support.random_rounds import HCF, LIR, MA, MS
from support.random_table import random_submission_of
from support.table_harness import TableHarness, table_of

ROUNDS = slices.count(full=1_000, sliced=24)
AT_A_TABLE = slices.count(full=25, sliced=12)
PLAYERS = ("Ann", "Bo", "Cy")
AUDIENCES = (
    None,
    *(Person("player", name) for name in (*PLAYERS, "Zoe")),
    Person("dealer", "automatic dealer"),
    Person("floorperson", "automatic floorperson"),
    Person("operator", "o1"),
    Person("regulator", "r1"),
    Person("device", "progressive device"),
)
OUTSIDE = {"player", "device"}
"""Roles that are not of the staff."""
CARD = re.compile(r"\b(?:10|[2-9TJQKA])[cdhs]\b", re.ASCII)


@dataclass
class Watched(TableHarness):
    """A table whose every word is overheard."""

    dice: random.Random
    rulebook: str
    seen: set[Card] = field(default_factory=set)
    """Cards of this round that everybody may have seen."""
    folded: dict[str, set[Card]] = field(default_factory=dict)
    """Cards of this round that their players had in hand when they folded."""
    last: tuple[set[Card], dict[str, set[Card]]] = field(default_factory=lambda: (set(), {}))
    """The same of the round before."""
    rounds: int = 0
    _looked_at: Round | None = None
    """The closed round that everybody has looked at."""

    def __post_init__(self) -> None:
        table = table_of(random_submission_of(self.dice, self.rulebook))
        self.virtual = self.dice.random() < 0.5
        source: CardSource = FairShuffler(Entropy(self.dice.randbytes)) if self.virtual else CardsByHand()
        self.deck = list(DECK)
        super().__init__(TableRunner(table, source), cards=None if self.virtual else self.deck)
        self.staff()
        for seat, name in enumerate(PLAYERS, 1):
            self.player(name, commands.Sit(seat))
            self.player(name, commands.BuyIn(Cents(100_000_000), brought=True))

    def handle(self, request: Request) -> list[Entry]:
        try:
            entries = super().handle(request)
        except RuleViolation as violation:
            offers = [write_offer(one) for one in violation.allowed]  # type: ignore[arg-type]
            said = f"{violation} {msgspec.json.encode(offers).decode()}"
            typed = set(CARD.findall(str(request.command)))
            assert {str(Card(one)) for one in CARD.findall(said)} <= {str(one) for one in self.seen} | typed
            return []
        for entry in entries:
            self._overhear(entry)
        self._look_around()
        return entries

    def _overhear(self, entry: Entry) -> None:
        event = entry.event
        match event:
            case round_events.RoundClosed():
                self.last = self.seen, self.folded
                self.seen, self.folded = set(), {}
                self.rounds += 1
                self.dice.shuffle(self.deck)
            case round_events.CardSetAside(card=Card() as card):
                self.seen.add(card)
            case round_events.DecisionMade(choice="fold"):
                state = self.table.round or self.table.last_round
                assert state is not None
                patron = next(patron_of(state, box) for box in state.boxes if box.seat == event.seat)
                self.folded.setdefault(patron, set()).update(_at(state, state.cards.plan.own[event.seat]))
        self.seen |= set(self._face_up())
        self._tell_everybody(entry)
        text = msgspec.json.encode(write_entry(entry)).decode()
        if entry.name == "seed_revealed/1":
            assert self.table.round is None
            return
        assert {Card(one) for one in CARD.findall(text)} <= self.seen, text
        assert {Card(one) for one in CARD.findall(repr(entry))} <= self.seen
        if self.dice.random() < 0.001:  # it is long: the whole rulebook is in it
            assert "Card(" not in repr(self.table)

    def _face_up(self) -> Iterator[Card]:
        state = self.table.round
        if state is not None:
            for place in state.cards.up:
                if (card := state.faces.known[place]) is not None:
                    yield card

    def _own(self, state: Round | None, patron: str) -> set[Card]:
        if state is None or state.cards.dealt < len(state.cards.plan.places):
            return set()
        mine = [box.seat for box in state.boxes if patron_of(state, box) == patron]
        places = [place for seat in mine for place in state.cards.plan.own.get(seat, ())]
        return {card for place in places if (card := state.faces.known[place]) is not None}

    def _look_around(self) -> None:
        table, state = self.table, self.table.round
        for audience in AUDIENCES:
            shown = view(table, audience)
            patron = audience.id if audience is not None and audience.role == "player" else ""
            own = self._own(state, patron)
            cards = cards_in(msgspec.structs.replace(shown, last_round=None))
            assert cards <= self.seen | own, (audience, cards - self.seen - own)
            if table.last_round is not self._looked_at:  # it stays the same until the next one is closed
                seen, folded = self.last
                cards = cards_in(shown.last_round)
                assert cards <= seen | folded.get(patron, set()), (audience, cards - seen)
        self._looked_at = table.last_round

    def _tell_everybody(self, entry: Entry) -> None:
        """What each audience is told of an entry: no card before its time, and nothing that a view would hide."""
        if entry.name == "seed_revealed/1":
            return
        everybody = [(audience, see(entry, audience, self.run.table)) for audience in AUDIENCES]
        for told in [
            told for place, (_, told) in enumerate(everybody) if told not in [one for _, one in everybody[:place]]
        ]:
            if told is None:
                continue
            text = msgspec.json.encode(write_entry(told)).decode() + repr(told)
            assert {Card(one) for one in CARD.findall(text)} <= self.seen, text
            hidden = [
                value for name in told.event.__struct_fields__ if isinstance(value := getattr(told.event, name), Hidden)
            ]
            assert not any(map(is_open, hidden))
            outsiders = [who for who, one in everybody if one == told and (who is None or who.role in OUTSIDE)]
            if outsiders:
                assert not re.search(r"automatic|because|deck \d|inventory|\"tray", text), text
            if isinstance(told.event, PlayerBoughtIn):
                assert outsiders == [Person("player", told.event.patron)]

    # --- playing

    def play(self, rounds: int) -> None:
        until = self.rounds + rounds
        while self.rounds < until:
            self.now += timedelta(seconds=1)
            request = self.staff_request(close_bets=self.dice.random() < 0.3)
            if request is not None and isinstance(command := request.command, commands.DealCards):
                number = self.dice.randint(1, command.number)
                request = Request(request.by, self.now, commands.DealCards(number, command.cards[:number]))
            if self.dice.random() < 0.03:
                request = self._trouble() or request
            if self.dice.random() < 0.1:
                self.handle(self._probe())
            self.handle(request or self._player())

    def _player(self) -> Request:
        state = self.table.round
        asked = awaiting(state) if state is not None else None
        if asked is not None and asked.kind == "meter":
            return Request(Person("device", "link"), self.now, commands.ReadMeter(asked.meter, Cents(1_000_000)))
        patrons = [patron_of(state, box) for box in state.boxes if box.seat == asked.seat] if state and asked else []
        by = Person("player", self.dice.choice(patrons or PLAYERS))
        offers = self._moves(by, {"place_wager", "decide", "look"})
        if not offers:
            return Request(by, self.now, commands.Look(1))
        return Request(by, self.now, self._sample(self.dice.choice(offers)))

    def _moves(self, by: Person, wanted: set[str]) -> list[Offer]:
        """Those of what is allowed that are moves of the round; the table's own commands need not be tried for them."""
        found = list(round_offers(self.table, by, self.now, wanted))
        return [one for one in found if giver_problem(self.table, by, one.do) is None]

    def _trouble(self) -> Request | None:
        floor = Person("floorperson", "automatic floorperson")
        wanted = {"rule", "set_aside", "correct_card", "find_conduct", "leave", "reverse_settlement", "tell"}
        offers = [one for one in allowed(self.table, floor, self.now) if one.do in wanted]
        if not offers:
            return None
        chosen = self.dice.choice(offers)
        if self.virtual and chosen.do in {"set_aside", "correct_card", "tell"}:
            return None
        return Request(floor, self.now, self._sample(self._with_cards(chosen)), "because")

    def _sample(self, offered: Offer) -> commands.Command:
        return cast("commands.Command", sample(self.dice, offered, self.deck))  # a move that names no cards

    def _probe(self) -> Request:
        """Somebody asks for what they should not know."""
        dealer, card = Person("dealer", "automatic dealer"), self.dice.choice(DECK)
        return Request(dealer, self.now, IdentifyCards(self.dice.randint(0, 20), (card,)))

    def _with_cards(self, offered: Offer) -> Offer:
        """An offer as whoever holds the deck would take it: with cards that are still in it."""
        state = self.table.round
        seen = {*state.faces.known, *state.faces.aside} if state is not None else set()
        fresh = tuple(card for card in DECK if card not in seen)
        fields: list[tuple[str, Any]] = []
        for name, value in offered.fields:
            if isinstance(value, CardsOf):
                fields.append((name, CardsOf(fresh, value.most)))
            elif isinstance(value, tuple) and any(isinstance(one, CardsOf) for one in value):
                fields.append((name, (None, *fresh)))
            else:
                fields.append((name, value))
        return Offer(offered.do, tuple(fields))


def is_open(hidden: Hidden) -> bool:
    try:
        hidden.open()
    except Unopened:
        return False
    return True


def _at(state: Round, places: tuple[int, ...]) -> set[Card]:
    return {card for place in places if (card := state.faces.known[place]) is not None}


def cards_in(value: object) -> set[Card]:
    return {Card(one) for one in CARD.findall(msgspec.json.encode(value).decode())}


def watch(seed: int, rulebook: str, rounds: int, at_a_table: int = 25) -> None:
    done = 0
    while done < rounds:
        watched = Watched(random.Random(f"{seed} {rulebook} {done}"), rulebook)
        watched.play(at_a_table)
        done += watched.rounds


@pytest.mark.parametrize("rulebook", [MS, MA, LIR, HCF])
def test_nobody_sees_a_card_before_its_time(rulebook: str) -> None:
    """1,000 rounds of each rulebook in full, 24 in a slice, at two tables."""
    watch(1, rulebook, ROUNDS, AT_A_TABLE)


def test_a_leak_in_the_views_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = views._seen  # noqa: SLF001
    monkeypatch.setattr(views, "_seen", lambda state, places, **_: seen(state, places, own=True))
    with pytest.raises(AssertionError):
        watch(1, MS, 25)


def test_a_leak_in_the_record_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = codec._plain_writer  # noqa: SLF001

    def leak(hidden: Hidden) -> str:
        return format_cards(hidden.open()) if is_open(hidden) else f"{len(hidden)} hidden"

    monkeypatch.setattr(codec, "_plain_writer", lambda kind: leak if issubclass(kind, Hidden) else writer(kind))
    with pytest.raises(AssertionError):
        watch(1, MS, 25)


def test_a_leak_in_the_last_round_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = views._were_seen  # noqa: SLF001
    monkeypatch.setattr(views, "_were_seen", lambda state, places, **_: seen(state, places, own=True))
    with pytest.raises(AssertionError):
        watch(1, MS, 25)


@pytest.mark.parametrize("leak", [{"_closed": lambda event: event}, {"_is_for": lambda *_: True}, {"is_staff": bool}])
def test_a_leak_in_the_stream_is_caught(leak: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, instead in leak.items():
        monkeypatch.setattr(audience_module, name, instead)
    with pytest.raises(AssertionError):
        watch(1, MS, 25)
