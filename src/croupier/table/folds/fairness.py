"""What players add to a shuffle, and the shuffle whose seed is still to be revealed."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import Fairness, Table, UnrevealedShuffle

__all__ = ["FAIRNESS"]


def _deck_loaded(fairness: Fairness, *_: object) -> Fairness:
    # What players had added was for the deck as it lay before: they may add again.
    return replace(fairness, entropy=()) if fairness.entropy else fairness


def _added(fairness: Fairness, event: table_events.EntropyAdded, *_: object) -> Fairness:
    return replace(fairness, entropy=(*fairness.entropy, (event.patron, event.entropy)))


def _round_closed(fairness: Fairness, _: object, __: Entry, table: Table) -> Fairness:
    deck = table.cards.in_play
    if deck is None or not deck.commitment:
        return replace(fairness, entropy=())
    entropy = tuple(entropy for _, entropy in fairness.entropy)
    return Fairness(unrevealed_shuffle=UnrevealedShuffle(deck.commitment, entropy, deck.depth))


def _revealed(fairness: Fairness, *_: object) -> Fairness:
    return replace(fairness, unrevealed_shuffle=None)


FAIRNESS: Final[dict[type, Any]] = {
    table_events.DeckLoaded: _deck_loaded,
    table_events.EntropyAdded: _added,
    table_events.SeedRevealed: _revealed,
    round_events.RoundClosed: _round_closed,
}
