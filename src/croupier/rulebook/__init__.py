"""The law as data: rulebooks, submissions checked against them, house rules.

`croupier.rulebook.names` has the closed lists of names and `croupier.rulebook.schema` the types of a rulebook;
`croupier.rulebook.paytable_arrays` loads the compiler, so it is imported on its own. Everything else is here.

>>> book = load_rulebook("md-mississippi-stud")
>>> book.source.title, book.table.seats.maximum, book.table.seats.clause
('Mississippi Stud', 6, '2.A')
"""

from croupier.rulebook.archive import TODAY, Archive, FolderShelf, Laws, Shelf
from croupier.rulebook.checks import Checked, Finding, InvalidSubmission, check, check_by, check_links, house_by
from croupier.rulebook.checks.papers import papers_problems
from croupier.rulebook.cited_values import citations
from croupier.rulebook.compare import Difference, Value, diff_houses, diff_rulebooks
from croupier.rulebook.editions import (
    ENVIRONMENT,
    SHIPPED,
    edition_folder,
    editions,
    neither_file_nor_rulebook,
    rulebook_ids,
    rulebooks_called,
    typed_rulebook,
)
from croupier.rulebook.house import HouseMeter, HouseRules, HouseWager, Stakes, format_rate, present
from croupier.rulebook.house_options import HouseOptions
from croupier.rulebook.law import law_hash, read_law
from croupier.rulebook.lines import HANDS, Judged, line_of
from croupier.rulebook.load import find_rulebook, load_readings, load_rulebook
from croupier.rulebook.options import say_value
from croupier.rulebook.other_paytable import other_paytable
from croupier.rulebook.passages import Passage
from croupier.rulebook.pays import SUGGESTED_METER, for_stake
from croupier.rulebook.places import DocumentPlaces, SourceDocument, load_places, open_document
from croupier.rulebook.reading_clauses import CitedPlace, chapter_of, cited_places, clauses_under, readings_about
from croupier.rulebook.register import ClauseEntry, clause_entries, is_open, load_register
from croupier.rulebook.schema import Clause, Reading, Rulebook
from croupier.rulebook.submission import (
    ExactRate,
    MeterTerms,
    PapersTerms,
    Submission,
    WagerChoice,
    read_submission,
    read_submission_text,
)
from croupier.rulebook.submission_text import submission_text
from croupier.rulebook.template import starting_submission
from croupier.rulebook.typed_names import not_offered, typed_paytable, typed_wager

__all__ = [
    "ENVIRONMENT",
    "HANDS",
    "SHIPPED",
    "SUGGESTED_METER",
    "TODAY",
    "Archive",
    "Checked",
    "CitedPlace",
    "Clause",
    "ClauseEntry",
    "Difference",
    "DocumentPlaces",
    "ExactRate",
    "Finding",
    "FolderShelf",
    "HouseMeter",
    "HouseOptions",
    "HouseRules",
    "HouseWager",
    "InvalidSubmission",
    "Judged",
    "Laws",
    "MeterTerms",
    "PapersTerms",
    "Passage",
    "Reading",
    "Rulebook",
    "Shelf",
    "SourceDocument",
    "Stakes",
    "Submission",
    "Value",
    "WagerChoice",
    "chapter_of",
    "check",
    "check_by",
    "check_links",
    "citations",
    "cited_places",
    "clause_entries",
    "clauses_under",
    "diff_houses",
    "diff_rulebooks",
    "edition_folder",
    "editions",
    "find_rulebook",
    "for_stake",
    "format_rate",
    "house_by",
    "is_open",
    "law_hash",
    "line_of",
    "load_places",
    "load_readings",
    "load_register",
    "load_rulebook",
    "neither_file_nor_rulebook",
    "not_offered",
    "open_document",
    "other_paytable",
    "papers_problems",
    "present",
    "read_law",
    "read_submission",
    "read_submission_text",
    "readings_about",
    "rulebook_ids",
    "rulebooks_called",
    "say_value",
    "starting_submission",
    "submission_text",
    "typed_paytable",
    "typed_rulebook",
    "typed_wager",
]
