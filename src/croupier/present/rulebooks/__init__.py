"""A rulebook in words, part by part, as sheets."""

from __future__ import annotations

from croupier.present.rulebooks.clause_counts import (
    CLAUSE_COLUMNS,
    chapter_sheet,
    clause_counts,
    clause_place,
    clause_record,
    kind_meanings,
    kind_sheet,
    overview_of_text,
    rulebook_of_text,
    text_identity,
)
from croupier.present.rulebooks.clauses_and_readings import (
    clause_list,
    clause_sheet,
    clauses_named,
    is_under,
    reading_choices,
    reading_list,
    reading_named,
    reading_record,
    reading_sheet,
    readings_of,
    searched,
)
from croupier.present.rulebooks.differences import (
    DIFFERENCE_PARTS,
    difference_rows,
    difference_summary,
    difference_table,
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
    in_full,
    shown_by,
)
from croupier.present.rulebooks.spoken_differences import difference_words
from croupier.present.rulebooks.table_and_wagers import (
    paytable_groups,
    paytable_sheet,
    progressive_sheet,
    table_sheet,
    wager_sheet,
)

__all__ = [
    "CLAUSE_COLUMNS",
    "CLAUSE_KINDS",
    "DIFFERENCE_PARTS",
    "RegisterPlace",
    "carried_out",
    "chapter_sheet",
    "clause_counts",
    "clause_list",
    "clause_place",
    "clause_record",
    "clause_sheet",
    "clauses_named",
    "dealing_sheets",
    "difference_rows",
    "difference_summary",
    "difference_table",
    "difference_words",
    "document_sheet",
    "glossary_sheet",
    "in_full",
    "irregularity_sheet",
    "is_default",
    "is_under",
    "kind_meanings",
    "kind_sheet",
    "option_sheet",
    "overview_of_text",
    "overview_sheet",
    "paytable_groups",
    "paytable_sheet",
    "play_sheet",
    "procedure_sheet",
    "progressive_sheet",
    "reading_choices",
    "reading_list",
    "reading_named",
    "reading_record",
    "reading_sheet",
    "readings_of",
    "rulebook_of_text",
    "searched",
    "shown_by",
    "table_sheet",
    "text_identity",
    "wager_sheet",
]
