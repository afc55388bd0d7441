"""Irregularities in words: what happened, and what a ruling demands."""

from __future__ import annotations

from typing import Final

from croupier.present.names import any_of
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Irregularity, OutOfUse
from croupier.rulebook.schema import Irregularity as IrregularityRow

__all__ = ["CARDS", "IRREGULARITIES", "VOID", "irregularity_words", "out_of_use_words", "ruling_words"]

VOID: Final = {
    "nothing": "no wager is void",
    "box_wagers": "the wagers of the box are void",
    "hand": "the hand is void",
    "main_wagers": "the main wagers are void",
    "round": "the round is void",
}
IRREGULARITIES: Final[dict[Irregularity, str]] = {
    "one_card_face_up": "one card dealt face up",
    "cards_face_up": "several cards dealt face up",
    "card_drawn_unseen": "a card drawn in error, not seen",
    "card_drawn_seen": "a card drawn in error and seen",
    "player_card_flashed": "a player's card flashed",
    "wrong_count_player": "wrong number of cards in a hand",
    "wrong_count_community": "wrong number of community cards",
    "wrong_count_box": "wrong number of cards in the box",
    "wrong_count_dealer": "wrong number of cards in the dealer's hand",
    "stub_wrong_misdealt": "stub count off after a misdeal",
    "stub_wrong_deck": "stub count off, deck incomplete or mixed",
    "community_exposed": "community card exposed",
    "box_exposed": "box card exposed",
    "dealer_exposed": "dealer's card exposed",
    "shuffler_failed": "shuffler failure",
    "shoe_failed": "shoe failure",
    "shoe_failed_after_deal": "shoe failure after the deal",
    "shuffler_count_wrong": "shuffler count wrong",
    "foreign_card": "foreign card",
    "device_unusable": "device out of order",
}
CARDS: Final = {
    "play_on": "play continues",
    "reshuffle": "the cards are reshuffled",
    "reshuffle_device": "the device reshuffles the cards",
    "remove_deck": "the deck is removed",
}
_RETURNED: Final = {
    "nothing": "",
    "box_wagers": "its stakes are returned",
    "hand": "its stakes are returned",
    "main_wagers": "the main stakes are returned",
    "all": "all stakes are returned",
}
_THE_CARD: Final = {
    "none": "",
    "to_rack": "the card goes to the rack unused",
    "is_next": "it is dealt as the next card",
}
_OUT_OF_USE: Final[dict[OutOfUse, str]] = {"covered": "covered", "signed": "marked out of order", "removed": "removed"}


def irregularity_words(event: Irregularity) -> str:
    """
    >>> irregularity_words("community_exposed")
    'community card exposed'
    """
    return IRREGULARITIES[event]


def ruling_words(house: HouseRules, row: IrregularityRow) -> str:
    """Say what an irregularity demands in this house, whose options may change what the document says.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> rows = {row.event: row for row in house.rulebook.irregularities.irregularity}
    >>> ruling_words(house, rows["cards_face_up"])
    'the round is void, all stakes are returned, the cards are reshuffled'
    >>> ruling_words(house, rows["one_card_face_up"])
    'the card goes to the rack unused, play continues'
    """
    other = row.instead
    changed = other is not None and house.options.named(other.option) == other.value
    ruled = other if other is not None and changed else row
    words = [VOID[ruled.void] if ruled.void != "nothing" else "", _RETURNED[ruled.refund]]
    if not changed and row.side_wagers == "settle":
        words.append("side wagers on complete hands still settle")
    words += [_THE_CARD[row.card], out_of_use_words(row) if row.attest else CARDS[ruled.cards]]
    return ", ".join(word for word in words if word)


def out_of_use_words(row: IrregularityRow) -> str:
    """Say what becomes of a device that must not be used, or of any device that is no longer used."""
    how = any_of(_OUT_OF_USE[way] for way in row.attest)
    return f"the device is {how} before {'any other' if row.on_any_change else 'another'} method is used"
