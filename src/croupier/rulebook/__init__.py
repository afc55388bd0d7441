"""The law as data: rulebooks, submissions checked against them, house rules.

>>> book = load_rulebook("md-mississippi-stud")
>>> book.source.title, book.table.seats.maximum, book.table.seats.clause
('Mississippi Stud', 6, '2.A')
"""

from croupier.rulebook.archive import TODAY, Archive, FolderShelf, Laws, Shelf
from croupier.rulebook.checks import Checked, Finding, InvalidSubmission, check, check_by, check_links, house_by
from croupier.rulebook.cited_values import citations
from croupier.rulebook.editions import editions, rulebook_ids
from croupier.rulebook.house import HouseMeter, HouseRules, HouseWager, Stakes
from croupier.rulebook.house_options import HouseOptions
from croupier.rulebook.law import read_law
from croupier.rulebook.lines import Judged, line_of
from croupier.rulebook.load import find_rulebook, load_readings, load_rulebook
from croupier.rulebook.schema import Clause, Reading, Rulebook
from croupier.rulebook.submission import Submission, read_submission, read_submission_text
from croupier.rulebook.submission_text import submission_text

__all__ = [
    "TODAY",
    "Archive",
    "Checked",
    "Clause",
    "Finding",
    "FolderShelf",
    "HouseMeter",
    "HouseOptions",
    "HouseRules",
    "HouseWager",
    "InvalidSubmission",
    "Judged",
    "Laws",
    "Reading",
    "Rulebook",
    "Shelf",
    "Stakes",
    "Submission",
    "check",
    "check_by",
    "check_links",
    "citations",
    "editions",
    "find_rulebook",
    "house_by",
    "line_of",
    "load_readings",
    "load_rulebook",
    "read_law",
    "read_submission",
    "read_submission_text",
    "rulebook_ids",
    "submission_text",
]
