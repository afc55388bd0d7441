"""Irregularities in words: what happened, and what a ruling demands."""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier.present.names import any_of
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Irregularity, OutOfUse
from croupier.rulebook.schema import Irregularity as IrregularityRow

__all__ = [
    "CARDS",
    "IRREGULARITIES",
    "REMEDIES",
    "VOID",
    "RulingParts",
    "in_one_sentence",
    "irregularity_words",
    "is_changed",
    "other_ruling_words",
    "out_of_use_words",
    "ruling_parts",
    "ruling_words",
]

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
    "reshuffle_device": "the cards are taken out of the device and reshuffled with those already dealt",
    "remove_deck": "the deck is removed",
}
_RETURNED: Final = {
    "nothing": "",
    "box_wagers": "its bets are returned",
    "hand": "its bets are returned",
    "main_wagers": "the main bets are returned",
    "all": "all bets are returned",
}
_THE_CARD: Final = {
    "none": "",
    "to_rack": "the card goes to the rack unused",
    "is_next": "it is dealt as the next card",
}
_OUT_OF_USE: Final[dict[OutOfUse, str]] = {"covered": "covered", "signed": "marked out of order", "removed": "removed"}


REMEDIES: Final[dict[str, tuple[str, str]]] = {
    "find_conduct": (
        "A player broke a rule of conduct",
        "Where the rule has a penalty, all bets of the player are forfeited for this round",
    ),
    "leave": ("A player left the table during the round", "The hand is abandoned or played on without decisions"),
    "correct_card": ("A card was named wrong", "It is corrected before anything is settled on it"),
    "reverse_settlement": ("A seat was paid wrong", "What was settled last is reversed, and settled again"),
    "cancel_wager": ("A chip is missing for a registered bet", "The bet is canceled and does not count"),
    "declare_undecided": ("A player makes no decision", "The decision that the document prescribes is declared"),
    "reduce_raise": ("A raise is above what the hand allows", "It is reduced to what the hand allows"),
    "report_jam": ("The shuffler jammed", "The cards are shuffled again before they are dealt"),
    "order_shuffle": ("The shuffle was not proper", "The cards are shuffled again before they are dealt"),
    "order_recut": ("The cut was not proper", "The cards are cut again before the first card"),
    "reject_award": ("An award should not be paid", "It is rejected, and the meter gets it back"),
    "rebuild_hands": ("A hand is disputed", "It is rebuilt from the record as it lies in the rack"),
}
"""What happened, and what follows, for the commands that are not rulings by a row of the document."""


class RulingParts(NamedTuple):
    """What an irregularity demands, part by part."""

    void: str
    refund: str
    side_wagers: str
    card: str
    cards: str


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
    'the round is void, all bets are returned, and the cards are reshuffled'
    >>> ruling_words(house, rows["one_card_face_up"])
    'the card goes to the rack unused, and play continues'
    """
    return in_one_sentence(ruling_parts(house, row))


def ruling_parts(house: HouseRules, row: IrregularityRow) -> RulingParts:
    """What an irregularity demands in this house, part by part; a part that it does not touch is empty."""
    return _parts(row, changed=is_changed(house, row))


def other_ruling_words(house: HouseRules, row: IrregularityRow) -> str:
    """Say what it would demand with the operator's option the other way."""
    return in_one_sentence(_parts(row, changed=not is_changed(house, row)))


def in_one_sentence(parts: RulingParts) -> str:
    """The parts as one sentence: each has a verb of its own, so a comma stands before the last as well."""
    said = [part for part in parts if part]
    return f"{', '.join(said[:-1])}, and {said[-1]}" if len(said) > 1 else "".join(said)


def is_changed(house: HouseRules, row: IrregularityRow) -> bool:
    """Whether an option of this house changes what the document says."""
    return row.instead is not None and house.options.named(row.instead.option) == row.instead.value


def _parts(row: IrregularityRow, *, changed: bool) -> RulingParts:
    ruled = row.instead if row.instead is not None and changed else row
    return RulingParts(
        void=VOID[ruled.void] if ruled.void != "nothing" else "",
        refund=_RETURNED[ruled.refund],
        side_wagers="side wagers on complete hands still settle" if not changed and row.side_wagers == "settle" else "",
        card=_THE_CARD[row.card],
        cards=out_of_use_words(row) if row.attest else CARDS[ruled.cards],
    )


def out_of_use_words(row: IrregularityRow) -> str:
    """Say what becomes of a device that must not be used, or of any device that is no longer used."""
    how = any_of(_OUT_OF_USE[way] for way in row.attest)
    return f"the device is {how} before {'any other' if row.on_any_change else 'another'} method is used"
