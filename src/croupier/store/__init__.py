"""A house's record on disk: SQLite or PostgreSQL behind one small interface; rounds recalled from it, and reports."""

from typing import TYPE_CHECKING

from croupier.lazy_door import lazy_door
from croupier.store.audit import LedgerReport, check_ledger
from croupier.store.book import TRIES, Book, step_aside
from croupier.store.cage import Cage
from croupier.store.checkpoints import make_checkpoint
from croupier.store.copying import copy_store
from croupier.store.export import export
from croupier.store.laws import LawShelf
from croupier.store.links import Link
from croupier.store.opening import open_store, store_file, user_folder
from croupier.store.reading import TableReader
from croupier.store.replaying import Replayed, replay
from croupier.store.snapshots import snapshot_before
from croupier.store.store import Store
from croupier.store.stored_table import Meanwhile, StoredTable, was_given
from croupier.store.table_opening import open_table
from croupier.store.values import Command

if TYPE_CHECKING:
    from croupier.store.accounts import AccountHeld, AccountPosting, accounts_in, moves_of
    from croupier.store.cage_book import CageMove, cage_moves
    from croupier.store.cash import CashPeriod, cash_moves
    from croupier.store.chain_report import (
        BrokenLink,
        ChainLink,
        ChainReport,
        CheckpointReport,
        chain_links,
        check_chain,
        compare_checkpoint,
    )
    from croupier.store.key_places import files_of, key_file, place_of
    from croupier.store.laid import LaidHand, LaidRound, laid_round
    from croupier.store.people import CREDENTIALS_KEY, forget_person, keep_practice, name_person, names_in, practice_of
    from croupier.store.periods import Span, day_at, gaming_days, last_day, spans_between, spans_of_day, time_of
    from croupier.store.recall import AUDITOR, RecalledRound, RoundSearch, Story, find_rounds, story_of
    from croupier.store.reporting import (
        AWARD_EVENTS,
        DECK_EVENTS,
        MONEY_EVENTS,
        RULING_EVENTS,
        HouseShelf,
        figures_in,
        meters_in,
        posted_entries,
    )
    from croupier.store.retention import KeyDays, days_to_shred, keep_for, key_days, retention_years, shred
    from croupier.store.round_proof import ProvedMove, RoundProof, prove_round
    from croupier.store.running_figures import DayFigures, RunningFigures

__all__ = [
    "AUDITOR",
    "AWARD_EVENTS",
    "CREDENTIALS_KEY",
    "DECK_EVENTS",
    "MONEY_EVENTS",
    "RULING_EVENTS",
    "TRIES",
    "AccountHeld",
    "AccountPosting",
    "Book",
    "BrokenLink",
    "Cage",
    "CageMove",
    "CashPeriod",
    "ChainLink",
    "ChainReport",
    "CheckpointReport",
    "Command",
    "DayFigures",
    "HouseShelf",
    "KeyDays",
    "LaidHand",
    "LaidRound",
    "LawShelf",
    "LedgerReport",
    "Link",
    "Meanwhile",
    "ProvedMove",
    "RecalledRound",
    "Replayed",
    "RoundProof",
    "RoundSearch",
    "RunningFigures",
    "Span",
    "Store",
    "StoredTable",
    "Story",
    "TableReader",
    "accounts_in",
    "cage_moves",
    "cash_moves",
    "chain_links",
    "check_chain",
    "check_ledger",
    "compare_checkpoint",
    "copy_store",
    "day_at",
    "days_to_shred",
    "export",
    "figures_in",
    "files_of",
    "find_rounds",
    "forget_person",
    "gaming_days",
    "keep_for",
    "keep_practice",
    "key_days",
    "key_file",
    "laid_round",
    "last_day",
    "make_checkpoint",
    "meters_in",
    "moves_of",
    "name_person",
    "names_in",
    "open_store",
    "open_table",
    "place_of",
    "posted_entries",
    "practice_of",
    "prove_round",
    "replay",
    "retention_years",
    "shred",
    "snapshot_before",
    "spans_between",
    "spans_of_day",
    "step_aside",
    "store_file",
    "story_of",
    "time_of",
    "user_folder",
    "was_given",
]

_LAZY = {
    "accounts": ("AccountHeld", "AccountPosting", "accounts_in", "moves_of"),
    "cage_book": ("CageMove", "cage_moves"),
    "cash": ("CashPeriod", "cash_moves"),
    "chain_report": (
        "BrokenLink",
        "ChainLink",
        "ChainReport",
        "CheckpointReport",
        "chain_links",
        "check_chain",
        "compare_checkpoint",
    ),
    "key_places": ("files_of", "key_file", "place_of"),
    "periods": ("Span", "day_at", "gaming_days", "last_day", "spans_between", "spans_of_day", "time_of"),
    "laid": ("LaidHand", "LaidRound", "laid_round"),
    "people": ("CREDENTIALS_KEY", "forget_person", "keep_practice", "name_person", "names_in", "practice_of"),
    "recall": ("AUDITOR", "RecalledRound", "RoundSearch", "Story", "find_rounds", "story_of"),
    "reporting": (
        "AWARD_EVENTS",
        "DECK_EVENTS",
        "MONEY_EVENTS",
        "RULING_EVENTS",
        "HouseShelf",
        "figures_in",
        "meters_in",
        "posted_entries",
    ),
    "retention": ("KeyDays", "days_to_shred", "keep_for", "key_days", "retention_years", "shred"),
    "running_figures": ("DayFigures", "RunningFigures"),
    "round_proof": ("ProvedMove", "RoundProof", "prove_round"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
