"""The record of a table as lines that another process can read back on another day; docs/journal.md has the form."""

from croupier.journal.chain import chain_hash, first_hash
from croupier.journal.lines import event_names, read_line, write_line
from croupier.journal.sealing import DataKey, HouseKey, KeyRing, new_data_key, open_entry, seal_entry
from croupier.journal.upcast import check_known, upcast

__all__ = [
    "DataKey",
    "HouseKey",
    "KeyRing",
    "chain_hash",
    "check_known",
    "event_names",
    "first_hash",
    "new_data_key",
    "open_entry",
    "read_line",
    "seal_entry",
    "upcast",
    "write_line",
]
