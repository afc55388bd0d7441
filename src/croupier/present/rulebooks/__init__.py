"""A rulebook in words, part by part, as sheets."""

from __future__ import annotations

from croupier.present.rulebooks.clauses_and_readings import (
    clause_list,
    clause_named,
    clause_sheet,
    reading_list,
    reading_named,
    reading_sheet,
)
from croupier.present.rulebooks.documents import document_sheet, is_default, overview_sheet
from croupier.present.rulebooks.play_and_rulings import (
    dealing_sheets,
    glossary_sheet,
    irregularity_sheet,
    option_sheet,
    play_sheet,
    procedure_sheet,
)
from croupier.present.rulebooks.register_words import (
    CLAUSE_KINDS,
    RegisterPlace,
    carried_out,
    key_words,
    plain_value,
    shown_by,
)
from croupier.present.rulebooks.table_and_wagers import (
    paytable_groups,
    paytable_sheet,
    progressive_sheet,
    table_sheet,
    wager_sheet,
)

__all__ = [
    "CLAUSE_KINDS",
    "RegisterPlace",
    "carried_out",
    "clause_list",
    "clause_named",
    "clause_sheet",
    "dealing_sheets",
    "document_sheet",
    "glossary_sheet",
    "irregularity_sheet",
    "is_default",
    "key_words",
    "option_sheet",
    "overview_sheet",
    "paytable_groups",
    "paytable_sheet",
    "plain_value",
    "play_sheet",
    "procedure_sheet",
    "progressive_sheet",
    "reading_list",
    "reading_named",
    "reading_sheet",
    "shown_by",
    "table_sheet",
    "wager_sheet",
]
