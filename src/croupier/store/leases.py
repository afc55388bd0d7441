"""Who holds a stream in PostgreSQL: a lease in its row, for as long as the holder's session lives.

A process holds one advisory lock for as long as it is connected. Whoever wants its streams looks the lock up in
`pg_locks`, and never tries to take it: that would make the holder look alive, or a process that starts look dead. This
only saves waiting. What keeps an old holder from writing is the epoch that every append names.
"""

from __future__ import annotations

from typing import Final

__all__ = ["CONNECTED", "FREE", "SIGN_IN"]

SIGN_IN: Final = "select pg_advisory_lock_shared(hashtextextended($1, 0))"
"""Hold the lock of an owner until the session ends; shared, since a lost session of the same owner may linger."""
_PRESENT: Final = (
    "select from pg_locks join pg_database on pg_database.oid = pg_locks.database"
    " where datname = current_database() and locktype = 'advisory' and objsubid = 1"
    " and (classid::bigint << 32 | objid::bigint) = hashtextextended({owner}, 0)"
)
CONNECTED: Final = "exists (" + _PRESENT.format(owner="process.owner") + ")"
"""Whether the process of a row of `process` has a session."""
FREE: Final = "(head.until < {clock} or not exists (" + _PRESENT.format(owner="head.owner") + "))"
"""Whether anybody may take over a stream: its lease has ended, or its holder's session is gone."""
