"""What the commands about stores share: opening one, and running what takes a moment."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, TypeVar

import typer

from croupier.driver import CardSource, Staff, TableRunner
from croupier.errors import CroupierError, Malformed, StoreError
from croupier.fairness import Entropy, commit
from croupier.money import Cents
from croupier.table import Entry, Request, Table

if TYPE_CHECKING:
    import asyncio

    from croupier.store import Store, StoredTable

__all__ = [
    "MemoryHost",
    "StoreOption",
    "StoreUrl",
    "TableHost",
    "check_targets",
    "hosted",
    "unused_seeds",
    "with_store",
]

T = TypeVar("T")
StoreUrl: TypeAlias = Annotated[
    str, typer.Argument(metavar="STORE", help="A SQLite file, sqlite:PATH, or postgresql://…")
]

StoreOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="STORE",
        help="Record everything in this store, and go on where it stopped: a SQLite file, or postgresql://…",
        show_default=False,
    ),
]


class TableHost(Protocol):
    """A table that takes commands: in memory, or with a store behind it."""

    stopped: Exception | None

    @property
    def table(self) -> Table:
        """The table as it is now."""

    @property
    def round_entries(self) -> Sequence[Entry]:
        """The entries of a round that an earlier run left unfinished."""

    @property
    def linked_meters(self) -> Sequence[tuple[str, Cents]]:
        """What the meters show that the table shares with other tables."""

    def handle(self, request: Request) -> list[Entry]:
        """All entries that a command leads to."""


class MemoryHost(TableRunner):
    """A table in memory: gone when the program ends."""

    round_entries: Sequence[Entry] = ()
    linked_meters: Sequence[tuple[str, Cents]] = ()


class _StoredHost:
    """A stored table for a program that does one thing after another."""

    def __init__(self, runner: asyncio.Runner, stored: StoredTable) -> None:
        self._runner, self._stored = runner, stored
        self.stopped: Exception | None = None

    @property
    def table(self) -> Table:
        return self._stored.table

    @property
    def round_entries(self) -> Sequence[Entry]:
        return self._stored.round_entries

    @property
    def linked_meters(self) -> Sequence[tuple[str, Cents]]:
        link = self._stored.link
        return self._runner.run(link.shown()) if link is not None else ()

    def handle(self, request: Request) -> list[Entry]:
        entries = self._runner.run(self._stored.handle(request))
        self.stopped = self._stored.stopped
        return entries


@contextmanager
def hosted(
    url: str | None,
    table: Table,
    source: Callable[[Sequence[str]], CardSource],
    automatic: Staff | None = None,
    *,
    reads_shuffles: bool = False,
) -> Iterator[TableHost]:
    """A table in memory or, with a store, one that goes on where it stopped.

    `source` makes the source of cards; if it `reads_shuffles`, it is given the commitments that the table has used.
    """
    if url is None:
        yield MemoryHost(table, source(()), automatic=automatic)
        return
    import asyncio

    from croupier.store import open_store, open_table

    with asyncio.Runner() as runner:
        store = runner.run(open_store(url))
        try:
            opening = open_table(store, table, source, automatic=automatic, reads_shuffles=reads_shuffles)
            yield _StoredHost(runner, runner.run(opening))
        finally:
            runner.run(store.close())


def unused_seeds(seeds: Iterator[bytes], used: Sequence[str]) -> Entropy:
    """These seeds of shuffles, one after the other, without those that a table has used in an earlier run."""
    known = frozenset(used)
    fresh = (seed for seed in seeds if commit(seed) not in known)
    return Entropy(lambda _size: next(fresh))


def check_targets(url: str, *targets: Path | None) -> None:
    """Refuse to write over a store, its key or its log, to one file twice, or into a folder that is not there."""
    from croupier.store import files_of

    own, taken = files_of(url), set[Path]()
    for target in targets:
        if target is None:
            continue
        place = target.resolve()
        if any(_is_same(target, file) for file in own):
            raise Malformed(f"{target}: that is the store itself, its key or its log; write somewhere else")
        if place in taken:
            raise Malformed(f"{target}: it is named for two files")
        if not place.parent.is_dir():
            raise Malformed(f"{target}: there is no folder {target.parent}")
        taken.add(place)


def _is_same(target: Path, file: Path) -> bool:
    """Whether two paths lead to one file, also by links."""
    try:
        return target.resolve() == file.resolve() or target.samefile(file)
    except OSError:  # one of them is not there
        return False


def with_store(url: str, work: Callable[[Store], Coroutine[Any, Any, T]], *, write: bool = False) -> T:
    """Open a store, do something with it, close it again; to read, also while the house runs and without its key."""
    import asyncio

    from croupier.store import open_store

    async def run() -> T:
        store = await open_store(url, write=write, create=False)
        try:
            return await work(store)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, CroupierError) or await store.engine.is_sound():
                raise
            raise StoreError(f"{store.engine.where}: the file is damaged") from None
        finally:
            await store.close()

    return asyncio.run(run())
