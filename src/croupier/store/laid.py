"""A recorded round rebuilt: the cards as they lay, as far as its reader may see them, and what each hand was paid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from croupier.games import WagerSettled, own_places
from croupier.games import events as round_events
from croupier.rulebook.names import Slot
from croupier.store.recall import Story
from croupier.table import Entry
from croupier.table import events as table_events
from croupier.table.views import CARD_BACK, SlotCards

__all__ = ["LaidHand", "LaidRound", "laid_round"]

_PUBLIC: Final[tuple[Slot, ...]] = ("community", "six_card_box", "dealer")


class LaidHand(Struct, frozen=True, kw_only=True):
    """A hand as it lay: a back for a card that was never turned up."""

    seat: int
    cards: tuple[str, ...]
    folded: bool
    results: tuple[WagerSettled, ...]


class LaidRound(Struct, frozen=True, kw_only=True):
    """A round as it lay on the layout."""

    cards: SlotCards
    hands: tuple[LaidHand, ...]


def laid_round(story: Story) -> LaidRound | None:
    """The round of a story as it lay; None without its rules."""
    layout = story.layout
    if layout is None:
        return None
    shown, slots = _shown(story.entries), layout.cards.plan.slots
    results = _results(story.entries)
    folded = {
        entry.event.seat
        for entry in story.entries
        if isinstance(entry.event, round_events.DecisionMade) and entry.event.choice == "fold"
    }

    def names(places: Iterable[int]) -> tuple[str, ...]:
        return tuple(shown.get(place, CARD_BACK) for place in places)

    return LaidRound(
        cards=tuple((slot, names(slots[slot])) for slot in _PUBLIC if slots.get(slot)),
        hands=tuple(
            LaidHand(
                seat=box.seat,
                cards=names(own_places(layout, box.seat)),
                folded=box.seat in folded,
                results=results.get(box.seat, ()),
            )
            for box in layout.boxes
        ),
    )


def _shown(entries: Iterable[Entry]) -> dict[int, str]:
    """The cards that were turned up, by place, as they were corrected."""
    shown: dict[int, str] = {}
    for entry in entries:
        match entry.event:
            case table_events.CardsShown(places=places, cards=cards):
                shown |= {place: str(card) for place, card in zip(places, cards, strict=True)}
            case round_events.CardCorrected(place=place, card=card):
                shown[place] = str(card)
            case _:
                pass
    return shown


def _results(entries: Iterable[Entry]) -> dict[int, tuple[WagerSettled, ...]]:
    """What each seat's wagers came to, reversals taken out."""
    results: dict[int, tuple[WagerSettled, ...]] = {}
    for entry in entries:
        match entry.event:
            case round_events.HandSettled(seat=seat, wagers=wagers):
                results[seat] = (*results.get(seat, ()), *wagers)
            case round_events.SettlementReversed(seat=seat, wagers=wagers):
                back = {settled.wager for settled in wagers}
                results[seat] = tuple(settled for settled in results.get(seat, ()) if settled.wager not in back)
            case _:
                pass
    return results
