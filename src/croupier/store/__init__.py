"""A house's record on disk: SQLite or PostgreSQL behind one small interface."""

from croupier.store.audit import LedgerReport, Replayed, check_ledger, replay
from croupier.store.cage import Cage
from croupier.store.checkpoints import make_checkpoint
from croupier.store.copying import copy_store
from croupier.store.export import export
from croupier.store.links import Link
from croupier.store.opening import open_store
from croupier.store.store import Store
from croupier.store.stored_table import StoredTable, open_table

__all__ = [
    "Cage",
    "LedgerReport",
    "Link",
    "Replayed",
    "Store",
    "StoredTable",
    "check_ledger",
    "copy_store",
    "export",
    "make_checkpoint",
    "open_store",
    "open_table",
    "replay",
]
