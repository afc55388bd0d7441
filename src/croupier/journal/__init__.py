"""The record of a table as lines that another process can read back on another day; docs/journal.md has the form."""

from croupier.journal.chain import chain_hash, first_hash
from croupier.journal.checkpoint import Checkpoint, check_checkpoint, public_key, sign_checkpoint
from croupier.journal.lines import event_names, micros, read_line, write_line
from croupier.journal.sealing import KEY_BYTES, DataKey, HouseKey, KeyRing, new_data_key, open_entry, seal_entry
from croupier.journal.snapshot import SNAPSHOT_VERSION, read_snapshot, write_snapshot
from croupier.journal.upcast import check_known, upcast

__all__ = [
    "KEY_BYTES",
    "SNAPSHOT_VERSION",
    "Checkpoint",
    "DataKey",
    "HouseKey",
    "KeyRing",
    "chain_hash",
    "check_checkpoint",
    "check_known",
    "event_names",
    "first_hash",
    "micros",
    "new_data_key",
    "open_entry",
    "public_key",
    "read_line",
    "read_snapshot",
    "seal_entry",
    "sign_checkpoint",
    "upcast",
    "write_line",
    "write_snapshot",
]
