"""A house's record on disk: SQLite or PostgreSQL behind one small interface."""

from croupier.store.opening import open_store
from croupier.store.store import Store
from croupier.store.stored_table import StoredTable, open_table

__all__ = ["Store", "StoredTable", "open_store", "open_table"]
