"""Reports of a house as sheets for people and as plain values for programs."""

from croupier.present.reports.accounts import account_json, account_sheet, move_json, move_sheet
from croupier.present.reports.figures import (
    cash_json,
    cash_sheet,
    figures_json,
    figures_sheet,
    notes_on_figures,
    notes_on_theo,
    theo_json,
    theo_sheet,
)
from croupier.present.reports.happenings import (
    award_json,
    award_sheet,
    deck_json,
    deck_sheet,
    meter_json,
    meter_sheet,
    ruling_json,
    ruling_sheet,
)
from croupier.present.reports.shared import clock, iso, one_day, person_words, when

__all__ = [
    "account_json",
    "account_sheet",
    "award_json",
    "award_sheet",
    "cash_json",
    "cash_sheet",
    "clock",
    "deck_json",
    "deck_sheet",
    "figures_json",
    "figures_sheet",
    "iso",
    "meter_json",
    "meter_sheet",
    "move_json",
    "move_sheet",
    "notes_on_figures",
    "notes_on_theo",
    "one_day",
    "person_words",
    "ruling_json",
    "ruling_sheet",
    "theo_json",
    "theo_sheet",
    "when",
]
