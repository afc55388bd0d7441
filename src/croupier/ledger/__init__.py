"""Double-entry money of a house, derived from its record: accounts, running totals, rounds as lines."""

from croupier.ledger.accounts import CAGE_ACCOUNT, LedgerAccount, account_of, patron_account
from croupier.ledger.books import (
    Author,
    BookEntry,
    BookEvent,
    BookPosting,
    CageReversed,
    ChipsIssued,
    ChipsRedeemed,
    Deposited,
    LinkCreated,
    MeterMoved,
    TableJoined,
    Withdrawn,
    book_event_names,
    book_postings,
    read_book_line,
    write_book_line,
)
from croupier.ledger.rounds import RoundLine, SeatLine, round_line
from croupier.ledger.totals import TOTALS, TotalName, totals_of

__all__ = [
    "CAGE_ACCOUNT",
    "TOTALS",
    "Author",
    "BookEntry",
    "BookEvent",
    "BookPosting",
    "CageReversed",
    "ChipsIssued",
    "ChipsRedeemed",
    "Deposited",
    "LedgerAccount",
    "LinkCreated",
    "MeterMoved",
    "RoundLine",
    "SeatLine",
    "TableJoined",
    "TotalName",
    "Withdrawn",
    "account_of",
    "book_event_names",
    "book_postings",
    "patron_account",
    "read_book_line",
    "round_line",
    "totals_of",
    "write_book_line",
]
