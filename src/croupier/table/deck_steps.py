"""What comes next for each deck, and by which clause."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from croupier.cards import DECK
from croupier.games import Range, refuse
from croupier.rulebook import HouseRules
from croupier.rulebook.schema import Cited, DealMethod
from croupier.table.commands import DealerHand
from croupier.table.duties import cited_duty
from croupier.table.state import Deck, Stage, Table

__all__ = [
    "NO_SHUFFLER",
    "WORDS",
    "check_hand",
    "cut_range",
    "hands_for",
    "hours_rule",
    "is_over_age",
    "needs_cut",
    "needs_shuffler",
    "next_step",
    "opened_decks",
    "why_leaves",
    "why_next",
]

NO_SHUFFLER: Final = {"manual", "preshuffled"}
"""How a deck was shuffled, if no shuffler did it here."""
_NEXT: Final[dict[Stage, str]] = {
    "received": "inspect_deck",
    "inspected": "verify_deck",
    "verified": "spread_deck",
    "spread": "offer_deck",
    "offered": "turn_down_deck",
    "turned_down": "wash_deck",
    "washed": "stack_deck",
    "stacked": "shuffle_deck",
    "used": "shuffle_deck",
    "condemned": "remove_deck",
}
"""The next step for a deck at each stage."""
WORDS: Final[dict[str, str]] = {
    "inspect_deck": "inspected by the dealer",
    "verify_deck": "verified by a floorperson",
    "spread_deck": "spread face up",
    "offer_deck": "shown to the player seated longest",
    "turn_down_deck": "turned face down",
    "wash_deck": "washed",
    "stack_deck": "stacked",
    "shuffle_deck": "shuffled",
    "cut_deck": "cut",
    "load_deck": "loaded",
    "remove_deck": "removed",
}


def next_step(table: Table, deck: Deck) -> str:
    """The command that comes next for a deck."""
    if deck.stage == "offered" and not deck.face_up:
        return "wash_deck"
    if deck.stage == "shuffled" and table.house.deal == "hand" and deck.shuffled_by in NO_SHUFFLER:
        return "shuffle_deck"  # reading 122
    if deck.stage == "shuffled" and needs_cut(table, deck):
        return "cut_deck"
    return _NEXT.get(deck.stage, "load_deck")


def needs_cut(table: Table, deck: Deck) -> bool:
    """Whether a shuffled deck must be cut: shuffled by hand or preshuffled, and not in a continuous shuffler."""
    return deck.shuffled_by in NO_SHUFFLER and table.house.shuffle != "continuous"


def why_next(table: Table, deck: Deck) -> Cited:
    """The clause of a deck's next step, or of what happened to the deck."""
    step = next_step(table, deck)
    if step == "shuffle_deck":
        return _why_shuffled(table, deck)
    return why_leaves(table, deck, None) if step == "remove_deck" else cited_duty(table.house, step)


def _why_shuffled(table: Table, deck: Deck) -> Cited:
    if deck.jammed or deck.ordered:
        return cited_duty(table.house, "report_jam" if deck.jammed else "order_shuffle")
    if deck.stage == "shuffled":
        return Cited(clause=needs_shuffler(table).clause, reading=122)
    if deck.stage != "used":
        return cited_duty(table.house, "shuffle_deck")
    before, reshuffle = table.last_round, table.house.rulebook.procedure.reshuffle
    if before is not None and deck.id == table.cards.last_deck and before.proceedings.void in {"round", "main_wagers"}:
        rows = {row.event: row for row in table.house.rulebook.irregularities.irregularity}
        for name in before.proceedings.ruled:
            if name in reshuffle.after:
                cited = rows[name].on(table.house.deal)
                return Cited(clause=cited.clause, reading=cited.reading or rows[name].reading)
    return reshuffle


def is_over_age(deck: Deck, at: datetime) -> bool:
    """Whether a deck has been in play for its full hours (reading 126)."""
    return deck.until is not None and at >= deck.until


def why_leaves(table: Table, deck: Deck, at: datetime | None) -> Cited:
    """The clause under which a deck is removed: what condemned it, its hours, or the end of play."""
    clause_, reading = deck.condemned
    if clause_:
        return Cited(clause=clause_, reading=reading)
    return (
        hours_rule(table, deck) if at is not None and is_over_age(deck, at) else cited_duty(table.house, "remove_deck")
    )


def hours_rule(table: Table, deck: Deck) -> Cited:
    """The row under which the hours of a deck are counted (reading 126)."""
    rows = table.house.rulebook.table.deck_hours
    own = next(row for row in rows if table.house.deal in row.deal)
    if own.hours in (None, deck.hours) or not deck.hours:
        return own
    return next((row for row in rows if row.hours == deck.hours), own)


def cut_range(house: HouseRules) -> Range:
    """How deep a deck may be cut here (reading 123)."""
    return Range(house.rulebook.table.cut.depth, len(DECK) - max(1, house.options.cut_bottom_min))


def hands_for(table: Table) -> tuple[DealerHand, ...]:
    """The hands that may take the cards: the one that took the cards of this round keeps them (reading 197)."""
    kept = table.cards.hand if table.round is not None and _method(table).same_hand is not None else None
    return (kept,) if kept is not None else ("left", "right")


def check_hand(table: Table, hand: DealerHand | None) -> None:
    """Refuse any hand but the one that took the cards of this round."""
    method = _method(table)
    if hand is not None and hand not in hands_for(table):
        words = f"the {table.cards.hand} hand took the cards of this round and must keep them"
        raise refuse("other_hand", method.same_hand or method, words, reading=197)


def _method(table: Table) -> DealMethod:
    return next(method for method in table.house.rulebook.table.deal if method.method == table.house.deal)


def needs_shuffler(table: Table) -> Cited:
    """The clause that sends a deck through a shuffler before it is dealt this way."""
    method = _method(table)
    return method.needs_shuffler or method


def opened_decks(table: Table) -> list[Deck]:
    """The decks that are spread while the table is idle: every opened deck that is not condemned."""
    closed = {"received", "inspected", "verified", "condemned"}
    return [deck for deck in table.cards.decks if deck.stage not in closed]
