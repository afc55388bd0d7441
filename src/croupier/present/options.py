"""The values of the operator's options in words, in one place for pages, papers and the terminal.

>>> option_value_words("meter.increment", "at_lock"), option_value_words("handpay.hundred_percent", True)
('when bets close', 'yes')
>>> option_value_words("six_card.requires", ("three_card", "five_card")), option_value_words("cap.extra_scopes", ())
('Three Card Bonus and Five Card Bonus', 'none')
>>> option_value_words("meter_labels", (("main", "Grand"),)), option_value_words("retention.years", 5)
('main: Grand', '5')
"""

from __future__ import annotations

from typing import Final

from croupier.present.names import listed, spoken
from croupier.rulebook.schema import OptionValue

__all__ = ["OPTION_VALUES", "option_value_words"]

OPTION_VALUES: Final[dict[str, dict[str, str]]] = {
    "five_card.scale": {"linear": "in proportion to the stake"},
    "six_card.super_royal_payment": {"lump": "one lump sum", "annuity": "an annuity"},
    "cap.scope": {"named": "the wagers that the document names", "all_non_progressive": "all but the progressive"},
    "cap.min_bet_model": {"max_multiples": "with the largest bets", "single_multiples": "with single bets"},
    "cap.allocation": {"prorata": "pro rata", "in_order": "in the order of settlement"},
    "cap.extra_scopes": {
        "ante": "ante",
        "raise": "raise",
        "three_card_bonus": "Three Card Bonus",
        "six_card_bonus": "Six Card Bonus",
        "five_card_bonus": "Five Card Bonus",
        "cover_all": "Cover All",
    },
    "payout.breakage": {"exact": "the exact amount", "up_to_dollar": "the next whole dollar"},
    "meter.display_unit": {"cent": "dollars and cents", "dollar": "whole dollars"},
    "meter.percent_rounding": {"up": "up to the next cent", "nearest": "to the nearest cent"},
    "meter.increment": {"at_lock": "when bets close", "at_close": "when the round is over"},
    "meter.on_void": {"reverse": "taken off the meter again", "keep": "stay on the meter"},
    "meter.floor": {"none": "not topped up", "reset": "topped up to the reset amount"},
    "progressive.validation": {
        "full": "every step of the document",
        "internal_controls": "the steps of the internal controls",
    },
    "meter_labels": {"main": "main", "mega": "mega", "major": "major", "minor": "minor"},
    "envy.scope": {"table": "at the same table"},
    "raise.step": {"table_increment": "the increment of the table", "whole_multiples": "whole antes"},
    "hcf.over_raise": {"return_excess": "the excess is returned", "floor_decision": "the floorperson decides"},
    "ma.progressive_after_fold": {"forfeit": "forfeited", "live": "stays in play"},
    "leave.default": {"play_on": "the hand is played on", "abandon": "the hand is abandoned"},
    "six_card.requires": {"three_card": "Three Card Bonus", "five_card": "Five Card Bonus"},
    "deal.pattern": {"together": "together", "two_passes": "in two passes"},
    "six_card.manual_box": {"off": "not by hand", "first_four": "by hand, four cards first"},
    "box.exposed": {"void_all": "the whole round", "void_six_card_only": "the Six Card Bonus only"},
    "ma.auto_order": {
        "players_then_hand_board": "the players, then the board by hand",
        "device_procedure": "as the device's approved procedure says",
    },
    "ma.misdeal_scope": {"as_found": "that hand; every hand if the stub count shows it", "all": "every hand"},
    "flashed_card": {"stands": "it stays in play", "void_round": "the round is void"},
    "hcf.side_bets_on_void": {
        "complete_hands": "all that leave complete hands",
        "exposure_only": "only those for an exposed card",
    },
    "shoe_fail.after_deal": {"continue": "the round goes on", "void": "the round is void"},
    "ma.progressive_print": {"dollars": "in dollars", "to_odds": "as odds “to 1”"},
    "role_map": {
        "dealer": "dealer",
        "floorperson": "floorperson",
        "pit_manager": "pit manager",
        "shift_manager": "shift manager",
        "operator": "operator",
        "regulator": "regulator",
    },
}
"""Every named value of every option; the other options are yes or no, or a number."""


def option_value_words(option: str, value: OptionValue) -> str:
    """What an option is set to."""
    words = OPTION_VALUES.get(option, {})
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return words.get(value) or spoken(value)
        case tuple():
            said = [
                f"{words.get(item[0]) or spoken(item[0])}: {item[1]}"
                if isinstance(item, tuple)
                else words.get(item) or spoken(item)
                for item in value
            ]
            return listed(said) if said else "none"
    return f"{value:,}"
