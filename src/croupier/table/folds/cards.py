"""The decks from their arrival to their removal, and the stub."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier.cards import DECK
from croupier.games import events as round_events
from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import CardsOnTable, Deck, Stage, Table

__all__ = ["CARDS"]

_LYING_READY: Final = {"shuffled", "cut", "loaded"}


def _to(stage: Stage) -> Callable[[CardsOnTable, Any, Entry, Table], CardsOnTable]:
    """Move a deck to a stage, face down."""
    return lambda cards, event, *_: replace(cards, decks=cards.with_deck(event.deck, stage=stage, face_up=False))


def _received(cards: CardsOnTable, event: table_events.DeckReceived, *_: object) -> CardsOnTable:
    deck = Deck(
        id=event.deck,
        back=event.back,
        design=event.design,
        stage="shuffled" if event.ready else "received",
        shuffled_by="preshuffled" if event.ready else "",
    )
    return replace(cards, decks=(*cards.decks, deck), uncounted=0)


def _inspected(cards: CardsOnTable, event: table_events.DeckInspected, entry: Entry, _: Table) -> CardsOnTable:
    return replace(cards, decks=cards.with_deck(event.deck, stage="inspected", inspected_by=entry.by.id))


def _spread(cards: CardsOnTable, event: table_events.DeckSpread, *_: object) -> CardsOnTable:
    return replace(cards, decks=cards.with_deck(event.deck, stage="spread", face_up=event.face == "up"))


def _offered(cards: CardsOnTable, event: table_events.DeckOffered, *_: object) -> CardsOnTable:
    face_up = event.turned_up or any(deck.face_up for deck in cards.decks if deck.id == event.deck)
    return replace(cards, decks=cards.with_deck(event.deck, stage="offered", face_up=face_up))


def _shuffled(cards: CardsOnTable, event: table_events.DeckShuffled, *_: object) -> CardsOnTable:
    decks = cards.with_deck(
        event.deck,
        stage="shuffled",
        shuffled_by=event.method,
        depth=0,
        commitment=event.commitment,
        ordered=False,
        jammed=False,
    )
    return replace(cards, decks=decks)


def _shuffle_ordered(cards: CardsOnTable, event: table_events.ShuffleOrdered, *_: object) -> CardsOnTable:
    return replace(cards, decks=cards.with_deck(event.deck, stage="stacked", face_up=False, ordered=True))


def _cut(cards: CardsOnTable, event: table_events.DeckCut, *_: object) -> CardsOnTable:
    # A second cut begins where the first has put the top.
    depth = next(deck.depth for deck in cards.decks if deck.id == event.deck) + event.depth
    return replace(cards, decks=cards.with_deck(event.deck, stage="cut", depth=depth % len(DECK)))


def _loaded(cards: CardsOnTable, event: table_events.DeckLoaded, entry: Entry, table: Table) -> CardsOnTable:
    deck = next(deck for deck in cards.decks if deck.id == event.deck)
    hours = min(deck.hours or table.house.deck_hours, table.house.deck_hours)
    placed = entry.at if event.placed else deck.placed
    return replace(
        cards, decks=cards.with_deck(event.deck, stage="loaded", hours=hours, placed=placed), hand=event.hand
    )


def _taken_in_hand(cards: CardsOnTable, event: table_events.CardsTakenInHand, *_: object) -> CardsOnTable:
    return replace(cards, hand=event.hand)


def _jammed(cards: CardsOnTable, event: table_events.DeckJammed, *_: object) -> CardsOnTable:
    return replace(cards, decks=cards.with_deck(event.deck, stage="stacked", jammed=True))


def _condemned(cards: CardsOnTable, event: table_events.DeckCondemned, *_: object) -> CardsOnTable:
    cause = (event.clause, event.reading)
    return replace(cards, decks=cards.with_deck(event.deck, stage="condemned", why=event.why, condemned=cause))


def _removed(cards: CardsOnTable, event: table_events.DeckRemoved, *_: object) -> CardsOnTable:
    decks = tuple(deck for deck in cards.decks if deck.id != event.deck)
    return replace(cards, decks=decks, retired=(*cards.retired, event.deck))


def _shuffled_again(cards: CardsOnTable, *_: object) -> CardsOnTable:
    """Cards prepared for another method are shuffled again."""
    decks = tuple(replace(deck, stage="stacked") if deck.stage in _LYING_READY else deck for deck in cards.decks)
    return replace(cards, decks=decks)


def _card_left(cards: CardsOnTable, *_: object) -> CardsOnTable:
    """Once its first card is dealt, a deck is in play and the rest of it is the stub."""
    deck = cards.in_play
    if deck is None or deck.stage != "loaded":
        return cards
    return replace(cards, decks=cards.with_deck(deck.id, stage="in_play"), stub="out")


def _stub_counted(cards: CardsOnTable, event: table_events.StubCounted, *_: object) -> CardsOnTable:
    deck = cards.in_play
    return replace(
        cards,
        stub="right" if event.counted == event.expected else "wrong",
        stub_counted=event.counted,
        decks=cards.with_deck(deck.id, uncounted=-1) if deck is not None else cards.decks,
        uncounted=-1,
    )


def _stub_racked(cards: CardsOnTable, *_: object) -> CardsOnTable:
    return replace(cards, stub="racked")


def _round_closed(cards: CardsOnTable, *_: object) -> CardsOnTable:
    deck = cards.in_play
    if deck is None:
        return replace(cards, stub="none", stub_counted=None)
    return replace(  # a round void before its first card has the deck shuffled again all the same
        cards,
        decks=cards.with_deck(deck.id, stage="used", uncounted=deck.uncounted + 1),
        uncounted=cards.uncounted + 1,
        last_deck=deck.id,
        stub="none",
        stub_counted=None,
    )


CARDS: Final[dict[type, Any]] = {
    table_events.DeckReceived: _received,
    table_events.DeckInspected: _inspected,
    table_events.DeckVerified: _to("verified"),
    table_events.DeckSpread: _spread,
    table_events.DeckOffered: _offered,
    table_events.DeckTurnedDown: _to("turned_down"),
    table_events.DeckWashed: _to("washed"),
    table_events.DeckStacked: _to("stacked"),
    table_events.DeckShuffled: _shuffled,
    table_events.ShuffleOrdered: _shuffle_ordered,
    table_events.DeckCut: _cut,
    table_events.RecutOrdered: _to("shuffled"),
    table_events.DeckLoaded: _loaded,
    table_events.CardsTakenInHand: _taken_in_hand,
    table_events.DeckJammed: _jammed,
    table_events.DeckCondemned: _condemned,
    table_events.DeckRemoved: _removed,
    table_events.RulesChanged: _shuffled_again,
    table_events.MethodChanged: _shuffled_again,
    table_events.StubCounted: _stub_counted,
    table_events.StubRacked: _stub_racked,
    round_events.CardsDealt: _card_left,
    round_events.CardSetAside: _card_left,
    round_events.RoundClosed: _round_closed,
}
