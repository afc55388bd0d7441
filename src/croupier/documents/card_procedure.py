"""The cards of a house step by step: opening, decks, shuffle and cut, the stub, deck changes, an idle table."""

from __future__ import annotations

from typing import Final

from croupier.cards import DECK
from croupier.documents.house_words import SHUFFLED
from croupier.documents.steps import Steps, WrittenProcedure
from croupier.present import capitalized, counted, out_of_use_words, ruling_words
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Attested, Role
from croupier.rulebook.schema import DealMethod, Irregularity, ShuffleMethod, StubCount
from croupier.table import devices_of, expected_count

__all__ = ["card_procedures", "deal_method", "irregularity", "shuffle_method", "stub_count", "stub_rounds"]

_ATTESTED: Final[dict[Attested, str]] = {
    "layout": "the approved layout is on the table",
    "sign": "the payouts of every wager are on the layout or on the posted sign",
    "progressive_system": "the progressive system works and every position has its device",
    "cover_all_mode": "the device is in its Cover All mode",
    "shoe": "the shoe stands where it was approved",
    "drop_box": "the drop box is in its place",
    "tip_box": "the tip box is in its place",
    "discard_rack": "the discard rack is in its place",
}
_PLACED: Final = {
    "in_the_deck": "by placing the cover card in it",
    "before_the_deck": "onto the cover card laid before the deck",
}
_COVER_CARD: Final = {
    "stays_at_bottom": "the cover card stays at the bottom of the deck",
    "to_discard_rack": "the cover card then goes to the discard rack",
}


def card_procedures(house: HouseRules) -> list[WrittenProcedure]:
    """Every procedure that concerns the cards, for the devices of this house."""
    return [_opening(house), _received(house), _shuffle(house), _stub(house), _changes(house), _idle(house)]


def shuffle_method(house: HouseRules) -> ShuffleMethod:
    """The document's row of this house's shuffle."""
    return next(row for row in house.rulebook.table.shuffle if row.method == house.shuffle)


def deal_method(house: HouseRules) -> DealMethod:
    """The document's row of this house's way to deal."""
    return next(row for row in house.rulebook.table.deal if row.method == house.deal)


def stub_count(house: HouseRules) -> StubCount:
    """How often the stub is counted when dealt this way."""
    return next(row for row in house.rulebook.table.stub_count if row.deal == house.deal)


def stub_rounds(house: HouseRules) -> int | None:
    """In how many rounds the stub is counted at least once; None where the shuffler counts instead."""
    rule = stub_count(house)
    return None if house.shuffle in rule.waived_by else min(rule.rounds, house.options.stub_every_n)


def irregularity(house: HouseRules, event: str) -> Irregularity | None:
    """The document's row of an irregularity, if it has one."""
    return next((row for row in house.rulebook.irregularities.irregularity if row.event == event), None)


def _opening(house: HouseRules) -> WrittenProcedure:
    steps = Steps(house)
    steps.add("Assign the dealer and the floorperson of the table.", "assign")
    for row in house.rulebook.procedure.attest:
        if (row.offered and house.wager(row.offered) is None) or (row.deal and house.deal not in row.deal):
            continue
        optional = ", where the house records it" if row.optional else ""
        steps.add(f"Attest that {_ATTESTED[row.what]}{optional}.", row, giver="attest", key=f"attest {row.what}")
    steps.add("Count the tray.", "count_inventory")
    steps.add("Confirm the count of the tray: somebody other than the dealer who counted.", "verify_inventory")
    steps.add("Open the table for the gaming day.", "open_table")
    return steps.under("Opening the table")


def _received(house: HouseRules) -> WrittenProcedure:
    steps, decks = Steps(house), house.rulebook.table.decks
    several = house.decks > decks.standard
    each = ", each deck apart" if several else ""
    cover = counted(decks.cover_cards, "cover card")
    whole = f"Receive {counted(house.decks, 'deck')} of {len(DECK)} cards{', each' * several} with {cover}."
    steps.add(whole, "receive_deck", decks, decks.cover)
    if several:
        steps.add(
            "Both decks are of one design, with backs of different colors.", decks.same_design, decks.backs_differ
        )
    steps.add(f"Inspect every card{each}.", "inspect_deck")
    steps.add("Verify the inspection: somebody other than the dealer who inspected.", "verify_deck")
    steps.add(f"Spread the cards face up in fans, by suit and in sequence{each}.", "spread_deck")
    steps.add("Show the cards to the player who has been seated longest.", "offer_deck")
    steps.add("Turn the cards face down.", "turn_down_deck")
    steps.add("Wash the cards.", "wash_deck")
    steps.add("Stack the cards.", "stack_deck")
    steps.add(f"{_shuffle_words(house)}.", "shuffle_deck", by=_shuffles(house))
    steps.add(
        "A deck that comes inspected and preshuffled needs none of these steps.",
        house.rulebook.procedure.preshuffled,
    )
    return steps.under("Cards received and inspected")


def _shuffle(house: HouseRules) -> WrittenProcedure:
    steps, table = Steps(house), house.rulebook.table
    method, deal, decks, cut = shuffle_method(house), deal_method(house), table.decks, table.cut
    shuffled = f"{_shuffle_words(house)}, before play and after every round."
    steps.add(shuffled, method, "shuffle_deck", house.rulebook.procedure.reshuffle, by=_shuffles(house))
    full = expected_count(house)
    if full is not None:
        removed = f"The shuffler counts {full} cards; with any other count the deck is removed."
        steps.add(removed, irregularity(house, "shuffler_count_wrong"), by="device")
    steps.add("Have the cards shuffled again before they are dealt, where needed.", "order_shuffle")
    by_hand = house.shuffle == "manual"
    if house.shuffle == "continuous":
        steps.add("The cards are not cut.", cut.exempt or cut.machine)
    elif not by_hand:
        steps.add("Deal the cards of the shuffler without a cut.", cut.machine)
    if by_hand or (house.shuffle != "continuous" and deal.needs_shuffler is None):
        steps.add(_cut_words(house, preshuffled_only=not by_hand), cut, cut.required, "cut_deck")
        steps.add("Order another cut before the first card, where the first was not proper.", "order_recut")
    if deal.needs_shuffler is not None:
        steps.add("No deck is dealt that has not been through the shuffler.", deal.needs_shuffler)
    loads = method.loads_shoe if house.deal != "hand" else None
    into = {"manual_shoe": "shoe", "automated_shoe": "automated shoe"}
    if house.deal == "hand":
        steps.add(
            "Take the deck in one hand, and keep it there for the whole round.", deal, "load_deck", deal.same_hand
        )
    else:
        steps.add(
            f"Put the stack into the {into[house.deal]}.", deal, "load_deck", loads, by=None if loads else "dealer"
        )
    if house.decks > decks.standard:
        steps.add("Use the two decks in turn, one round each.", decks.alternate, decks.second)
        steps.add("One deck is shuffled in the machine while the other is dealt.", decks.in_machine, by="device")
        steps.add("Keep the cards of only one deck in the discard rack.", decks.one_racked)
    return steps.under("Shuffle and cut")


def _shuffles(house: HouseRules) -> Role | None:
    """The dealer alone, where there is no device."""
    return "dealer" if house.shuffle == "manual" else None


def _shuffle_words(house: HouseRules) -> str:
    what = "Shuffle the cards" if house.shuffle == "manual" else "Have the cards shuffled"
    return f"{what} {SHUFFLED[house.shuffle]}"


def _cut_words(house: HouseRules, *, preshuffled_only: bool) -> str:
    cut, below = house.rulebook.table.cut, house.options.cut_bottom_min
    what = "Cut a preshuffled deck" if preshuffled_only else "Cut the deck"
    left = f", leaving at least {counted(below, 'card')} below" if below else ""
    deep = f"at least {counted(cut.depth, 'card')} deep{left}"
    return f"{what} {_PLACED[cut.placed]}, {deep}; {_COVER_CARD[cut.cover_card]}."


def _stub(house: HouseRules) -> WrittenProcedure:
    steps, rule, rounds = Steps(house), stub_count(house), stub_rounds(house)
    steps.add("After the deal, put the stub into the discard rack without showing it.", "rack_stub")
    if rounds is None:
        steps.add("The stub is not counted: the shuffler counts the cards.", rule, by="device")
        return steps.under("The stub")
    every = "in every round" if rounds == 1 else f"at least once in {rounds} rounds"
    steps.add(f"Count the stub {every}, face down on the layout, before the first decision.", rule, "count_stub")
    steps.add(f"If it makes {len(DECK)} with the cards dealt, put it into the rack without showing it.", rule.right)
    steps.add("If not, count the cards at every place.", "report_holdings")
    for event, words in (("stub_wrong_misdealt", "dealt wrongly"), ("stub_wrong_deck", "not complete, or mixed")):
        row = irregularity(house, event)
        if row is not None:
            steps.add(f"If the cards were {words}: {ruling_words(house, row)}.", row, giver="rule")
    return steps.under("The stub")


def _changes(house: HouseRules) -> WrittenProcedure:
    steps, lead = Steps(house), house.options.deck_warning_lead
    hours = next(row for row in house.rulebook.table.deck_hours if house.deal in row.deal)
    warned = f"; the table is warned {counted(lead, 'minute')} before" if lead else ""
    steps.add(f"Replace a deck {counted(house.deck_hours, 'hour')} after it came into play{warned}.", hours)
    steps.add("Remove decks between rounds only.", "remove_deck")
    devices = devices_of(house)
    if devices:
        out = irregularity(house, "device_unusable")
        if out is not None:
            steps.add(f"{capitalized(out_of_use_words(out))}.", out, "take_out_device")
        steps.add("Change the way to shuffle and deal between rounds only.", "change_method")
    return steps.under("Deck changes and devices")


def _idle(house: HouseRules) -> WrittenProcedure:
    steps, rule, cut = Steps(house), house.rulebook.procedure.idle, house.rulebook.table.cut
    minutes = house.options.idle_auto_minutes
    when = f"after {counted(minutes, 'minute')} without players" if minutes else "when no player is left"
    if house.shuffle == "continuous" and house.options.csm_idle_exempt:
        steps.add(f"The table is idle {when}; the cards stay in the device.", cut.exempt or rule)
        return steps.under("A table without players")
    face = "face down, or face up where a player asks" if rule.face == "down" else "face down or face up"
    steps.add(f"Spread the cards {face}, {when}.", "set_idle", rule)
    up = "Turn them face up for" if rule.turned_up else "Offer them to"
    steps.add(f"{up} the first player who arrives; then wash, stack and shuffle them.", rule.shown)
    return steps.under("A table without players")
