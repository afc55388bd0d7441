"""The closed lists of names that regulations may use. Any other name is an error in the data."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = [
    "Act",
    "Announcement",
    "Approval",
    "Attested",
    "CardsJudged",
    "ClauseKind",
    "DateOf",
    "Deal",
    "Decision",
    "DocumentStatus",
    "Duty",
    "Evaluator",
    "Game",
    "Gesture",
    "HandName",
    "Instrument",
    "Irregularity",
    "LayoutPlace",
    "OutOfUse",
    "PaytableGroup",
    "Role",
    "Shuffle",
    "Slot",
    "StakeRule",
    "WagerName",
    "spoken",
]

Game: TypeAlias = Literal["mississippi_stud", "let_it_ride", "high_card_flush"]
DocumentStatus: TypeAlias = Literal["in force", "draft"]
DateOf: TypeAlias = Literal["document", "intake"]
"""Whose date an edition has: the document's own, or, if it has none, the day it was added here."""
ClauseKind: TypeAlias = Literal["define", "enforce", "compute", "record", "display", "configure", "physical"]

WagerName: TypeAlias = Literal[
    "ante",
    "third_street",
    "fourth_street",
    "fifth_street",
    "raise",
    "bet_1",
    "bet_2",
    "bet_3",
    "three_card_bonus",
    "five_card_bonus",
    "six_card_bonus",
    "flush_bonus",
    "straight_flush_bonus",
    "cover_all",
    "progressive",
]
PaytableGroup: TypeAlias = Literal[
    "base",
    "three_card_bonus",
    "five_card_bonus",
    "six_card_bonus",
    "flush_bonus",
    "straight_flush_bonus",
    "cover_all",
    "progressive",
]
StakeRule: TypeAlias = Literal["limits", "equal", "multiple", "raise", "fixed"]
"""Within limits; equal to the other bets; a multiple of the ante; up to the hand's limit; one fixed amount."""

Instrument: TypeAlias = Literal["value_chip", "plaque", "approved_instrument", "match_play_coupon"]

Evaluator: TypeAlias = Literal["five_card", "three_card", "six_card", "flush", "straight_flush", "against_dealer"]
CardsJudged: TypeAlias = Literal["own", "community", "own_and_community", "own_and_box", "best_at_table"]

HandName: TypeAlias = Literal[
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "pair_jacks_or_better",
    "pair_tens_or_better",
    "pair_sixes_to_tens",
    "mini_royal",
    "ace_king_queen_spades",
    "ace_king_queen_other",
    "super_royal",
    "super_royal_diamonds",
    "super_royal_other",
    "seven_card_flush",
    "six_card_flush",
    "five_card_flush",
    "four_card_flush",
    "seven_card_straight_flush",
    "six_card_straight_flush",
    "five_card_straight_flush",
    "four_card_straight_flush",
    "three_card_straight_flush",
    "suited_nine_to_ace",
    "win",
]

Shuffle: TypeAlias = Literal["manual", "automated", "automated_counting", "continuous"]
Deal: TypeAlias = Literal["manual_shoe", "hand", "automated_shoe"]
Slot: TypeAlias = Literal["player", "community", "six_card_box", "dealer", "discard"]
Announcement: TypeAlias = Literal["no_more_bets"]
Act: TypeAlias = Literal[
    "announce",
    "lock_progressive",
    "collect_progressive",
    "count_progressive",
    "progressive_to_tray",
    "collect_five_card",
    "place_lammers",
    "count_five_card",
    "five_card_to_tray",
]
Decision: TypeAlias = Literal["third_street", "fourth_street", "fifth_street", "raise", "bet_1", "bet_2"]
LayoutPlace: TypeAlias = Literal["table", "seat", "dealer"]
Approval: TypeAlias = Literal[
    "layout",
    "continuous_shuffler",
    "automated_shoe",
    "progressive",
    "payout_limit",
    "five_card_stake",
    "six_card_box",
    "six_card_requires",
    "device_procedure",
]
"""What an operator may have an approval reference for: the keys of `[approvals]` in a submission."""

Irregularity: TypeAlias = Literal[
    "one_card_face_up",
    "cards_face_up",
    "card_drawn_unseen",
    "card_drawn_seen",
    "player_card_flashed",
    "wrong_count_player",
    "wrong_count_community",
    "wrong_count_box",
    "wrong_count_dealer",
    "stub_wrong_misdealt",
    "stub_wrong_deck",
    "community_exposed",
    "box_exposed",
    "dealer_exposed",
    "shuffler_failed",
    "shoe_failed",
    "shoe_failed_after_deal",
    "shuffler_count_wrong",
    "foreign_card",
    "device_unusable",
]

Role: TypeAlias = Literal[
    "player", "dealer", "floorperson", "supervisor", "pit_manager", "shift_manager", "operator", "regulator", "device"
]
OutOfUse: TypeAlias = Literal["covered", "signed", "removed"]
"""How an unusable device is taken out of service."""
Attested: TypeAlias = Literal[
    "layout", "sign", "progressive_system", "cover_all_mode", "shoe", "drop_box", "tip_box", "discard_rack"
]
"""What a floorperson attests before a table opens."""
Gesture: TypeAlias = Literal["tuck", "wave", "scratch"]
Duty: TypeAlias = Literal[
    "assign",
    "attest",
    "count_inventory",
    "verify_inventory",
    "fill_tray",
    "credit_tray",
    "open_table",
    "change_day",
    "close_table",
    "suspend_table",
    "release_table",
    "propose_rules",
    "confirm_rules",
    "sit",
    "stand_up",
    "buy_in",
    "receive_deck",
    "inspect_deck",
    "verify_deck",
    "spread_deck",
    "offer_deck",
    "turn_down_deck",
    "wash_deck",
    "stack_deck",
    "shuffle_deck",
    "order_shuffle",
    "cut_deck",
    "order_recut",
    "load_deck",
    "remove_deck",
    "set_idle",
    "count_stub",
    "report_holdings",
    "rack_stub",
    "add_entropy",
    "reveal_seed",
    "report_jam",
    "take_out_device",
    "restore_device",
    "change_method",
    "verify_award",
    "validate_award",
    "reject_award",
    "pay_award",
    "hand_pay_award",
    "place_wager",
    "take_back",
    "place_coupon",
    "take_back_coupon",
    "register",
    "perform",
    "cancel_wager",
    "deal",
    "set_aside",
    "tell",
    "correct_card",
    "look",
    "reveal",
    "decide",
    "declare_undecided",
    "settle",
    "tell_meter",
    "close",
    "rule",
    "find_conduct",
    "leave",
    "reduce_raise",
    "reverse_settlement",
    "rebuild_hands",
]
"""Every command that can be given at a table."""


def spoken(name: str) -> str:
    """Return a name as people say it.

    >>> spoken("six_card_bonus")
    'six card bonus'
    """
    return name.replace("_", " ")
