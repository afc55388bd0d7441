"""Every event of a record as a sentence that can be read aloud: one notation for terminal, browser, paper and tests.

>>> from croupier.games import events
>>> from croupier.money import Cents
>>> event_sentences(events.WagerPlaced(3, "Ann", "ante", Cents(1000), "value_chip", "7.F(1)"))
['Seat 3 (Ann) bets $10 on the ante (7.F(1))']
"""

from __future__ import annotations

from croupier.games import events as round_events
from croupier.present.citations import cited_by
from croupier.present.events.at_table import AwardEvent, StaffEvent, award_sentence, staff_sentence
from croupier.present.events.in_round import round_sentences
from croupier.present.events.of_cards import CardEvent, DeckEvent, card_sentence, deck_sentence
from croupier.present.events.places import NO_ROUND, CardPlaces, slot_words
from croupier.table import events as table_events

__all__ = ["CardPlaces", "event_sentences", "slot_words"]


def event_sentences(event: table_events.Event | round_events.Event, places: CardPlaces = NO_ROUND) -> list[str]:
    """Say what happened: one sentence with its clause, or one for each wager that was settled.

    `places` says whose cards the event means; without it they are only counted.
    """
    if isinstance(event, StaffEvent):
        words = staff_sentence(event)
    elif isinstance(event, AwardEvent):
        words = award_sentence(event)
    elif isinstance(event, DeckEvent):
        words = deck_sentence(event)
    elif isinstance(event, CardEvent):
        words = card_sentence(event, places)
    else:
        return round_sentences(event, places)
    return [cited_by(words, event.clause, event.reading)]
