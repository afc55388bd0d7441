"""The law as data: rulebooks, submissions checked against them, house rules.

>>> book = load_rulebook("md-mississippi-stud")
>>> book.source.title, book.table.seats.maximum, book.table.seats.clause
('Mississippi Stud', 6, '2.A')
"""

from croupier.rulebook.checks import Checked, Finding, check, check_links
from croupier.rulebook.house import HouseMeter, HouseRules, HouseWager, Stakes
from croupier.rulebook.lines import Judged, line_of
from croupier.rulebook.load import load_readings, load_rulebook, rulebook_ids
from croupier.rulebook.schema import Clause, Reading, Rulebook
from croupier.rulebook.submission import Submission, read_submission, read_submission_text
from croupier.rulebook.walk import citations

__all__ = [
    "Checked",
    "Clause",
    "Finding",
    "HouseMeter",
    "HouseRules",
    "HouseWager",
    "Judged",
    "Reading",
    "Rulebook",
    "Stakes",
    "Submission",
    "check",
    "check_links",
    "citations",
    "line_of",
    "load_readings",
    "load_rulebook",
    "read_submission",
    "read_submission_text",
    "rulebook_ids",
]
