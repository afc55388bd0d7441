"""Each event of decks and cards at a table as a sentence."""

from __future__ import annotations

from typing import assert_never

from croupier.cards import format_cards
from croupier.present.events.places import CardPlaces, slot_words
from croupier.present.names import capitalized, counted, line_words, listed, spoken, titled
from croupier.table import deck_words
from croupier.table import events as table_events

__all__ = ["CardEvent", "DeckEvent", "card_sentence", "deck_sentence"]

DeckEvent = (
    table_events.DeckReceived
    | table_events.DeckInspected
    | table_events.DeckVerified
    | table_events.DeckSpread
    | table_events.DeckOffered
    | table_events.DeckTurnedDown
    | table_events.DeckWashed
    | table_events.DeckStacked
    | table_events.DeckShuffled
    | table_events.ShuffleOrdered
    | table_events.DeckCut
    | table_events.RecutOrdered
    | table_events.DeckLoaded
    | table_events.DeckDueSoon
    | table_events.DeckJammed
    | table_events.DeckCondemned
    | table_events.DeckRemoved
)
CardEvent = (
    table_events.CardsTakenInHand
    | table_events.TableWentIdle
    | table_events.CardsSealed
    | table_events.HiddenCardCorrected
    | table_events.CardsShown
    | table_events.StubCounted
    | table_events.HoldingsReported
    | table_events.StubRacked
    | table_events.CoverAllColumnFixed
    | table_events.CardsExamined
    | table_events.HandsRebuilt
    | table_events.EntropyAdded
    | table_events.SeedRevealed
)


def deck_sentence(event: DeckEvent) -> str:
    """Say what happened to a deck."""
    deck = capitalized(deck_words(event.deck))
    match event:
        case table_events.DeckReceived():
            design = f", design {event.design}" if event.design else ""
            ready = ", inspected and shuffled" if event.ready else ""
            return f"{deck} arrives: {event.back} back{design}, {counted(event.cover_cards, 'cover card')}{ready}"
        case table_events.DeckInspected():
            return f"{deck} is inspected"
        case table_events.DeckVerified():
            return f"{deck}: the inspection by {event.inspected_by} is verified"
        case table_events.DeckSpread():
            return f"{deck} is spread face {event.face}"
        case table_events.DeckOffered():
            return f"{deck} is shown to {event.patron}{', turned up' if event.turned_up else ''}"
        case table_events.DeckTurnedDown():
            return f"{deck} is turned face down"
        case table_events.DeckWashed():
            return f"{deck} is washed"
        case table_events.DeckStacked():
            return f"{deck} is stacked"
        case table_events.DeckShuffled():
            number = "" if event.counted is None else f", {counted(event.counted, 'card')} counted"
            commitment = f", committed to {event.commitment}" if event.commitment else ""
            return f"{deck} is shuffled, {spoken(event.method)}{number}{commitment}"
        case table_events.ShuffleOrdered():
            return f"{deck} must be shuffled again"
        case table_events.DeckCut():
            cover = f"cover card {spoken(event.cover_placed)}, then {spoken(event.cover_card)}"
            shallow = ", shallow" if event.shallow else ""
            return f"{deck} is cut {counted(event.depth, 'card')} deep{shallow}; {cover}"
        case table_events.RecutOrdered():
            return f"{deck} must be cut again"
        case table_events.DeckLoaded():
            hand = f", {event.hand} hand" if event.hand else ""
            return f"{deck} goes into the {spoken(event.into)}{hand}{' and into play' if event.placed else ''}"
        case table_events.DeckDueSoon():
            return f"{deck} is due for replacement at {event.until:%Y-%m-%d %H:%M}"
        case table_events.DeckJammed():
            return f"{deck} jams the shuffler and must be shuffled again"
        case table_events.DeckCondemned():
            return f"{deck} must be removed: {event.why}"
        case table_events.DeckRemoved():
            return f"{deck} leaves the table"
    assert_never(event)


def card_sentence(event: CardEvent, places: CardPlaces) -> str:
    """Say what happened to cards at the table."""
    match event:
        case table_events.CardsTakenInHand():
            return f"The dealer takes the cards in the {event.hand} hand"
        case table_events.TableWentIdle():
            spread = f"the cards are spread face {event.face}" if event.spread else "no cards are spread"
            return f"The table goes idle: {spread}{f' for {event.asked_by}' if event.asked_by else ''}"
        case table_events.CardsSealed():
            first, last = event.place + 1, event.place + len(event.cards)
            cards = f"Card {first} of the round is" if first == last else f"Cards {first} to {last} of the round are"
            return f"{cards} sealed in the record"
        case table_events.HiddenCardCorrected():
            owner = places.owner(event.place)
            return f"Card {event.place + 1} of the round, face down, is corrected{f', {owner}' if owner else ''}"
        case table_events.CardsShown():
            return f"{capitalized(slot_words(event.slot, event.seat))} shows {format_cards(event.cards)}"
        case table_events.StubCounted():
            return f"The stub is counted: {counted(event.counted, 'card')}, {event.expected} expected"
        case table_events.HoldingsReported():
            return _holdings(event)
        case table_events.StubRacked():
            return "The stub goes to the rack unseen"
        case table_events.CoverAllColumnFixed():
            pays = ", ".join(f"{line_words(hand)} {pay}" for hand, pay in event.pays)
            return f"{titled(event.wager)} with {counted(event.hands, 'hand')} pays: {pays}"
        case table_events.CardsExamined():
            return f"Seats that have examined their cards: {listed(event.seats) or 'none'}"
        case table_events.HandsRebuilt():
            hands = ", ".join(
                f"seat {seat}: {counted(known, 'card')}" for seat, known in zip(event.seats, event.told, strict=True)
            )
            return f"The hands of round {event.round} are rebuilt: {hands}"
        case table_events.EntropyAdded():
            return f"{event.patron} adds {event.entropy} to the next shuffle"
        case table_events.SeedRevealed():
            return _seed(event)
    assert_never(event)


def _holdings(event: table_events.HoldingsReported) -> str:
    seats = [f"seat {seat} {number}" for seat, number in event.seats]
    table = [
        f"{name} {number}"
        for name, number in (("board", event.community), ("box", event.six_card_box), ("dealer", event.dealer))
        if number is not None
    ]
    misdeal = "; a misdeal" if event.misdealt else ""
    return f"Cards on the layout: {', '.join(seats + table)}; {event.in_all} in total{misdeal}"


def _seed(event: table_events.SeedRevealed) -> str:
    players = f" with {', '.join(event.players)}" if event.players else ""
    cut = f", cut {event.depth} deep" if event.depth else ""
    shuffle = f"seed {event.seed}{players} by {event.generator}{cut}"
    return f"The shuffle committed to {event.commitment} is revealed: {shuffle}; deck {format_cards(event.deck)}"
