"""A table: everything that surrounds rounds, as a pure machine over events, with the clause of every step.

`commands`, `events` and `views` are doors of their own.
"""

from croupier.table.accounts import TRAY, Account, Posting, balance
from croupier.table.audience import is_alike, see
from croupier.table.awards import open_awards
from croupier.table.codec import (
    LONGEST_TEXT,
    arguments,
    read_request,
    write_entry,
    write_offer,
    write_request,
    write_settled,
)
from croupier.table.deck_steps import hands_for, is_over_age, next_step, opened_decks
from croupier.table.duties import cited_duty
from croupier.table.engine import JudgedCommand, check_giver, handle, judge
from croupier.table.events import Entry
from croupier.table.evolve import create, evolve, evolve_posting, rebuild
from croupier.table.floor_work import DeckClock, FloorWork, StubState, deck_clocks, floor_work, stub_state
from croupier.table.house import missing_attestation
from croupier.table.methods import devices_of, expected_count, irregularity_row, is_out
from croupier.table.offers import allowed
from croupier.table.people import (
    ROLES,
    VIRTUAL_SHUFFLER,
    Person,
    folded_name,
    givers,
    is_person,
    is_reserved,
    is_staff,
    say_givers,
)
from croupier.table.play import BY_COUNT
from croupier.table.postings import postings
from croupier.table.ready import not_ready
from croupier.table.requests import Request
from croupier.table.state import (
    Award,
    Deck,
    Progressive,
    Table,
    chips_of,
    creation,
    deck_in_play,
    deck_words,
    first_to_arrive,
    is_dealt,
    new_table,
    stream_of,
)
from croupier.table.stub import count_due, stub_expected, stub_open
from croupier.table.views import view

__all__ = [
    "BY_COUNT",
    "LONGEST_TEXT",
    "ROLES",
    "TRAY",
    "VIRTUAL_SHUFFLER",
    "Account",
    "Award",
    "Deck",
    "DeckClock",
    "Entry",
    "FloorWork",
    "JudgedCommand",
    "Person",
    "Posting",
    "Progressive",
    "Request",
    "StubState",
    "Table",
    "allowed",
    "arguments",
    "balance",
    "check_giver",
    "chips_of",
    "cited_duty",
    "count_due",
    "create",
    "creation",
    "deck_clocks",
    "deck_in_play",
    "deck_words",
    "devices_of",
    "evolve",
    "evolve_posting",
    "expected_count",
    "first_to_arrive",
    "floor_work",
    "folded_name",
    "givers",
    "handle",
    "hands_for",
    "irregularity_row",
    "is_alike",
    "is_dealt",
    "is_out",
    "is_over_age",
    "is_person",
    "is_reserved",
    "is_staff",
    "judge",
    "missing_attestation",
    "new_table",
    "next_step",
    "not_ready",
    "open_awards",
    "opened_decks",
    "postings",
    "read_request",
    "rebuild",
    "say_givers",
    "see",
    "stream_of",
    "stub_expected",
    "stub_open",
    "stub_state",
    "view",
    "write_entry",
    "write_offer",
    "write_request",
    "write_settled",
]
