"""Double-entry money of a house, derived from its record: accounts, running totals, rounds as lines, and reports.

Theo needs exact prices, so it is loaded when it is asked for: whoever only stores rounds starts without it.
"""

from typing import TYPE_CHECKING

from croupier.lazy_door import lazy_door
from croupier.ledger.accounts import (
    CAGE_ACCOUNT,
    LedgerAccount,
    account_named,
    account_of,
    patron_account,
)
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

if TYPE_CHECKING:
    from croupier.ledger.happenings import AwardLine, DeckLife, Ruling, awards_of, decks_of, rulings_of
    from croupier.ledger.meter_report import MeterFigures, meter_figures
    from croupier.ledger.reports import (
        CashFlag,
        PostedEntry,
        TableFigures,
        cash_flags,
        figures_of,
        settled_wagers,
        stakes_in_tray,
        together,
    )
    from croupier.ledger.theo import Apart, PeriodTheo, WagerTheo, theo_of
    from croupier.ledger.thresholds import Threshold, default_thresholds, read_thresholds

__all__ = [
    "CAGE_ACCOUNT",
    "TOTALS",
    "Apart",
    "Author",
    "AwardLine",
    "BookEntry",
    "BookEvent",
    "BookPosting",
    "CageReversed",
    "CashFlag",
    "ChipsIssued",
    "ChipsRedeemed",
    "DeckLife",
    "Deposited",
    "LedgerAccount",
    "LinkCreated",
    "MeterFigures",
    "MeterMoved",
    "PeriodTheo",
    "PostedEntry",
    "RoundLine",
    "Ruling",
    "SeatLine",
    "TableFigures",
    "TableJoined",
    "Threshold",
    "TotalName",
    "WagerTheo",
    "Withdrawn",
    "account_named",
    "account_of",
    "awards_of",
    "book_event_names",
    "book_postings",
    "cash_flags",
    "decks_of",
    "default_thresholds",
    "figures_of",
    "meter_figures",
    "patron_account",
    "read_book_line",
    "read_thresholds",
    "round_line",
    "rulings_of",
    "settled_wagers",
    "stakes_in_tray",
    "theo_of",
    "together",
    "totals_of",
    "write_book_line",
]

_LAZY = {
    "happenings": ("AwardLine", "DeckLife", "Ruling", "awards_of", "decks_of", "rulings_of"),
    "meter_report": ("MeterFigures", "meter_figures"),
    "reports": (
        "CashFlag",
        "PostedEntry",
        "TableFigures",
        "cash_flags",
        "figures_of",
        "settled_wagers",
        "stakes_in_tray",
        "together",
    ),
    "theo": ("Apart", "PeriodTheo", "WagerTheo", "theo_of"),
    "thresholds": ("Threshold", "default_thresholds", "read_thresholds"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
