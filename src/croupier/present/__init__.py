"""Values as words: what the terminal, the browser and paper share. No input, no output, no color.

>>> from croupier.present import cited, dollars, gain, hand_words, spoken, titled
>>> spoken("six_card_bonus"), titled("six_card_bonus"), cited("12.A(1)-(10)", 16)
('six card bonus', 'Six Card Bonus', '(12.A(1)-(10), reading 16)')
>>> dollars(125000), gain(6000), hand_words("pair J")
('$1,250', '+$60', 'pair of jacks')
"""

from croupier.present import reports, rulebooks
from croupier.present.acts import act_words
from croupier.present.amounts import (
    dollars,
    dollars_and_cents,
    gain,
    meter_dollars,
    percent,
    percent_exactly,
    stakes_words,
)
from croupier.present.citations import cited, cited_by, sources
from croupier.present.commands import command_json, command_list, command_sheet, commands_of
from croupier.present.events import CardPlaces, event_sentences
from croupier.present.hands import cards_words, flush_so_far, hand_words, poker_so_far
from croupier.present.house import house_sheets
from croupier.present.names import any_of, capitalized, counted, line_words, listed, spoken, the_wager, titled
from croupier.present.refusals import finding_json, refusal_json, refusal_words
from croupier.present.rulings import irregularity_words, out_of_use_words, ruling_words
from croupier.present.settlement import SettledRow, settled_json, settled_rows
from croupier.present.sheets import Sheet, sheet
from croupier.present.strategies import strategy_terms
from croupier.present.wagers import choice_words, coupon_sentence, envy_sentence, outcome_words, settled_sentence

__all__ = [
    "CardPlaces",
    "SettledRow",
    "Sheet",
    "act_words",
    "any_of",
    "capitalized",
    "cards_words",
    "choice_words",
    "cited",
    "cited_by",
    "command_json",
    "command_list",
    "command_sheet",
    "commands_of",
    "counted",
    "coupon_sentence",
    "dollars",
    "dollars_and_cents",
    "envy_sentence",
    "event_sentences",
    "finding_json",
    "flush_so_far",
    "gain",
    "hand_words",
    "house_sheets",
    "irregularity_words",
    "line_words",
    "listed",
    "meter_dollars",
    "out_of_use_words",
    "outcome_words",
    "percent",
    "percent_exactly",
    "poker_so_far",
    "refusal_json",
    "refusal_words",
    "reports",
    "rulebooks",
    "ruling_words",
    "settled_json",
    "settled_rows",
    "settled_sentence",
    "sheet",
    "sources",
    "spoken",
    "stakes_words",
    "strategy_terms",
    "the_wager",
    "titled",
]
