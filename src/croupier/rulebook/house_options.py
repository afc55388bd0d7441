"""The operator's options of the readings, typed: one attribute per option, read as `house.options.meter_increment`.

The name of an attribute is the option's name in options.toml with underscores for dots. The default is what an option
means in a rulebook that does not have it. An attribute is never removed or narrowed: archived rules are read with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from croupier.money import Breakage, DisplayUnit, MeterName
from croupier.rulebook.options import option_problem
from croupier.rulebook.schema import OptionValue, Rulebook
from croupier.rulebook.submission import Submission

__all__ = ["HouseOptions", "allowed_options", "attribute_of", "house_options"]

BonusRequired: TypeAlias = Literal["three_card", "five_card"]
ExtraScope: TypeAlias = Literal["ante", "raise", "three_card_bonus", "six_card_bonus", "five_card_bonus", "cover_all"]
RenamedRole: TypeAlias = Literal["dealer", "floorperson", "pit_manager", "shift_manager", "operator", "regulator"]


class HouseOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every option of the readings as this house has it.

    >>> HouseOptions().meter_increment, HouseOptions().named("six_card.requires")
    ('at_lock', ('three_card', 'five_card'))
    """

    # Payouts
    five_card_scale: Literal["linear"] = "linear"
    six_card_super_royal_payment: Literal["lump", "annuity"] = "lump"
    cap_scope: Literal["named", "all_non_progressive"] = "named"
    cap_min_bet_model: Literal["max_multiples", "single_multiples"] = "max_multiples"
    cap_allocation: Literal["prorata", "in_order"] = "prorata"
    cap_extra_scopes: tuple[ExtraScope, ...] = ()
    payout_breakage: Breakage = "exact"

    # Progressive and envy
    meter_display_unit: DisplayUnit = "cent"
    meter_percent_rounding: Literal["up", "nearest"] = "up"
    meter_increment: Literal["at_lock", "at_close"] = "at_lock"
    meter_on_void: Literal["reverse", "keep"] = "reverse"
    meter_floor: Literal["none", "reset"] = "none"
    meter_labels: tuple[tuple[MeterName, str], ...] = ()
    handpay_hundred_percent: bool = True
    progressive_validation: Literal["full", "internal_controls"] = "full"
    envy_holder_must_bet: bool = True
    envy_scope: Literal["table"] = "table"
    envy_after_fold: bool = True
    ma_progressive_after_fold: Literal["forfeit", "live"] = "forfeit"
    ma_progressive_print: Literal["dollars", "to_odds"] = "dollars"

    # Bets and decisions
    hcf_ace_low: bool = True
    raise_step: Literal["table_increment", "whole_multiples"] = "table_increment"
    hcf_over_raise: Literal["return_excess", "floor_decision"] = "return_excess"
    decision_timeout: int = 0
    cover_all_count_folded: bool = True
    leave_default: Literal["play_on", "abandon"] = "play_on"
    boxes_min_multiplier: int = 1
    boxes_view_sequential: bool = True
    six_card_requires: tuple[BonusRequired, ...] = ("three_card", "five_card")
    limits_side_bet_max_relative: int = 0

    # Cards
    deal_pattern: Literal["together", "two_passes"] = "together"
    six_card_manual_box: Literal["off", "first_four"] = "off"
    six_card_box_only_if_bet: bool = False
    lir_community_stack: int = 2
    ma_auto_order: Literal["players_then_hand_board", "device_procedure"] = "players_then_hand_board"
    hcf_dealer_hand_in_device: bool = False
    stub_every_n: int = 5
    cut_bottom_min: int = 0
    csm_idle_exempt: bool = False
    deck_warning_lead: int = 15
    idle_auto_minutes: int = 0

    # Irregularities
    box_exposed: Literal["void_all", "void_six_card_only"] = "void_all"
    ma_misdeal_scope: Literal["as_found", "all"] = "as_found"
    flashed_card: Literal["stands", "void_round"] = "stands"
    hcf_side_bets_on_void: Literal["complete_hands", "exposure_only"] = "complete_hands"
    shoe_fail_after_deal: Literal["continue", "void"] = "continue"

    # The house
    role_map: tuple[tuple[RenamedRole, str], ...] = ()
    retention_years: int = 5

    def named(self, name: str) -> OptionValue:
        """The value of the option that a row of the regulations names."""
        value: OptionValue = getattr(self, attribute_of(name))
        return value


def attribute_of(name: str) -> str:
    """The attribute of an option.

    >>> attribute_of("envy.holder_must_bet")
    'envy_holder_must_bet'
    """
    return name.replace(".", "_")


def house_options(book: Rulebook, submission: Submission) -> HouseOptions:
    """The options of a submission, over the rulebook's defaults; ValueError for a name or value that does not exist."""
    return _options(book, submission, submission.readings)


def allowed_options(book: Rulebook, submission: Submission) -> HouseOptions:
    """The options of a submission being checked: a value that will be refused counts as not given."""
    rules = {option.rule.name: option.rule for option in book.options}
    allowed = {
        name: value
        for name, value in submission.readings.items()
        if name in rules and option_problem(rules[name], value) is None
    }
    return _options(book, submission, allowed)


def _options(book: Rulebook, submission: Submission, chosen: Mapping[str, OptionValue]) -> HouseOptions:
    values = {option.rule.name: option.default for option in book.options}
    progressive = submission.wagers.get("progressive")
    if progressive is not None and progressive.link is not None:
        values["meter.on_void"] = "keep"  # reading 20: a void round does not reduce a linked meter
    values |= chosen
    return msgspec.convert({attribute_of(name): value for name, value in values.items()}, HouseOptions)
