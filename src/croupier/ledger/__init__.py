"""Double-entry money of a house, derived from its record: accounts, running totals, rounds as lines."""

from croupier.ledger.accounts import CAGE_ACCOUNT, LedgerAccount, LedgerPosting, account_of, patron_account
from croupier.ledger.rounds import RoundLine, SeatLine, round_line
from croupier.ledger.totals import TOTALS, TotalName, totals_of

__all__ = [
    "CAGE_ACCOUNT",
    "TOTALS",
    "LedgerAccount",
    "LedgerPosting",
    "RoundLine",
    "SeatLine",
    "TotalName",
    "account_of",
    "patron_account",
    "round_line",
    "totals_of",
]
