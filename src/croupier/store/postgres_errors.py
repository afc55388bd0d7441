"""What the errors of a PostgreSQL server mean, for programs and for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import asyncpg

from croupier.errors import AppendRefused, Conflict, Duplicate, Overdrawn

__all__ = ["LOST", "is_lost", "refusal", "unexpected", "without_password", "words"]

LOST: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""A connection, or the server, failed; the last one is how asyncpg meets an answer that it did not expect."""


def is_lost(error: Exception, connection: asyncpg.Connection) -> bool:
    """Whether a query may succeed on another connection: the server went away, or is going."""
    if isinstance(error, asyncpg.QueryCanceledError):
        return False
    going = OSError | asyncpg.PostgresConnectionError | asyncpg.OperatorInterventionError | asyncpg.InternalClientError
    return connection.is_closed() or isinstance(error, going)


def unexpected(what: str, heads: Iterable[Any]) -> AppendRefused:
    """What an append expected and did not find."""
    if what == "head":
        return Conflict(f"{', '.join(sorted(head.stream for head in heads))}: another process writes here now")
    return Overdrawn("an account would fall below its floor")


def refusal(error: asyncpg.PostgresError) -> AppendRefused:
    """Why the server did not take an append."""
    match error:
        case asyncpg.CheckViolationError():
            return Overdrawn("an account would fall below its floor")
        case asyncpg.UniqueViolationError(table_name="command"):
            return Duplicate("this command was stored before")
        case asyncpg.UniqueViolationError():
            return Conflict(f"another process has written here: {words(error)}")
        case asyncpg.CharacterNotInRepertoireError():
            return AppendRefused("text with a NUL character cannot be stored")
    return AppendRefused(f"it cannot be stored: {words(error)}")


def without_password(url: str) -> str:
    """An address as it may be shown.

    >>> without_password("postgresql://house:secret@db.example:5432/croupier?sslmode=require")
    'postgresql://db.example:5432/croupier'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "postgresql"
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


def words(error: Exception) -> str:
    """What an error means, for people."""
    match error:
        case TimeoutError():
            return "the server does not answer"
        case asyncpg.PostgresError():
            return str(error).splitlines()[0] if str(error) else type(error).__name__
        case ConnectionError() | FileNotFoundError():
            return "the server cannot be reached"
        case OSError():
            return f"the server cannot be reached: {error.strerror or error}"
    return (str(error) or type(error).__name__).splitlines()[0]
