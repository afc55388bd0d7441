"""Values as words: what the terminal, the browser and paper share. No input, no output, no color.

>>> from croupier.present import cited, dollars, gain, hand_words, spoken, titled
>>> spoken("six_card_bonus"), titled("six_card_bonus"), cited("12.A(1)-(10)", 16)
('six card bonus', 'Six Card Bonus', '(12.A(1)-(10), reading 16)')
>>> dollars(125000), gain(6000), hand_words("pair J")
('$1,250', '+$60', 'pair of jacks')
"""

from typing import TYPE_CHECKING

from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.present import reports, rulebooks, simulations
    from croupier.present.acts import act_words
    from croupier.present.amounts import (
        average_gain,
        dollars,
        dollars_and_cents,
        exact_dollars,
        gain,
        meter_dollars,
        percent,
        percent_exactly,
        small_dollars,
        stakes_words,
    )
    from croupier.present.citations import Told, cited, cited_by, sources, uncited
    from croupier.present.clocks import time_left
    from croupier.present.commands import command_givers, command_json, command_list, command_sheet, commands_of
    from croupier.present.events import CardPlaces, event_sentences, slot_words
    from croupier.present.hands import cards_words, flush_so_far, hand_words, poker_so_far
    from croupier.present.house import house_sheets
    from croupier.present.merging import merged
    from croupier.present.names import any_of, capitalized, counted, line_words, listed, spoken, the_wager, titled
    from croupier.present.options import option_value_words
    from croupier.present.paying import ChipMove, MoveKind, chip_moves, coupon_move, envy_moves
    from croupier.present.refusals import finding_json, refusal_json, refusal_words
    from croupier.present.ruling_cards import (
        RulingCard,
        moment_words,
        ruling_card,
        ruling_card_json,
        ruling_card_sheet,
        ruling_names,
    )
    from croupier.present.rulings import IRREGULARITIES, REMEDIES, irregularity_words, out_of_use_words, ruling_words
    from croupier.present.settlement import SettledLine, SettledRow, settled_json, settled_line, settled_rows
    from croupier.present.sheets import Sheet, sheet
    from croupier.present.strategies import decision_label, strategy_terms
    from croupier.present.timeline import FIRST_PHASE, EventSign, phase_after, sign_of
    from croupier.present.wagers import choice_words, coupon_sentence, envy_sentence, outcome_words, settled_sentence

__all__ = [
    "FIRST_PHASE",
    "IRREGULARITIES",
    "REMEDIES",
    "CardPlaces",
    "ChipMove",
    "EventSign",
    "MoveKind",
    "RulingCard",
    "SettledLine",
    "SettledRow",
    "Sheet",
    "Told",
    "act_words",
    "any_of",
    "average_gain",
    "capitalized",
    "cards_words",
    "chip_moves",
    "choice_words",
    "cited",
    "cited_by",
    "command_givers",
    "command_json",
    "command_list",
    "command_sheet",
    "commands_of",
    "counted",
    "coupon_move",
    "coupon_sentence",
    "decision_label",
    "dollars",
    "dollars_and_cents",
    "envy_moves",
    "envy_sentence",
    "event_sentences",
    "exact_dollars",
    "finding_json",
    "flush_so_far",
    "gain",
    "hand_words",
    "house_sheets",
    "irregularity_words",
    "line_words",
    "listed",
    "merged",
    "meter_dollars",
    "moment_words",
    "option_value_words",
    "out_of_use_words",
    "outcome_words",
    "percent",
    "percent_exactly",
    "phase_after",
    "poker_so_far",
    "refusal_json",
    "refusal_words",
    "reports",
    "rulebooks",
    "ruling_card",
    "ruling_card_json",
    "ruling_card_sheet",
    "ruling_names",
    "ruling_words",
    "settled_json",
    "settled_line",
    "settled_rows",
    "settled_sentence",
    "sheet",
    "sign_of",
    "simulations",
    "slot_words",
    "small_dollars",
    "sources",
    "spoken",
    "stakes_words",
    "strategy_terms",
    "the_wager",
    "time_left",
    "titled",
    "uncited",
]

_LAZY = {
    "acts": ("act_words",),
    "amounts": (
        "average_gain",
        "dollars",
        "dollars_and_cents",
        "exact_dollars",
        "gain",
        "meter_dollars",
        "percent",
        "percent_exactly",
        "small_dollars",
        "stakes_words",
    ),
    "citations": ("Told", "cited", "cited_by", "sources", "uncited"),
    "clocks": ("time_left",),
    "commands": ("command_givers", "command_json", "command_list", "command_sheet", "commands_of"),
    "events": ("CardPlaces", "event_sentences", "slot_words"),
    "hands": ("cards_words", "flush_so_far", "hand_words", "poker_so_far"),
    "house": ("house_sheets",),
    "merging": ("merged",),
    "names": ("any_of", "capitalized", "counted", "line_words", "listed", "spoken", "the_wager", "titled"),
    "options": ("option_value_words",),
    "paying": ("ChipMove", "MoveKind", "chip_moves", "coupon_move", "envy_moves"),
    "rulebooks": ("rulebooks",),
    "reports": ("reports",),
    "simulations": ("simulations",),
    "refusals": ("finding_json", "refusal_json", "refusal_words"),
    "ruling_cards": (
        "RulingCard",
        "moment_words",
        "ruling_card",
        "ruling_card_json",
        "ruling_card_sheet",
        "ruling_names",
    ),
    "rulings": ("IRREGULARITIES", "REMEDIES", "irregularity_words", "out_of_use_words", "ruling_words"),
    "settlement": ("SettledLine", "SettledRow", "settled_json", "settled_line", "settled_rows"),
    "sheets": ("Sheet", "sheet"),
    "strategies": ("decision_label", "strategy_terms"),
    "timeline": ("FIRST_PHASE", "EventSign", "phase_after", "sign_of"),
    "wagers": ("choice_words", "coupon_sentence", "envy_sentence", "outcome_words", "settled_sentence"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
