"""A house of several tables and the network before it: some messages come twice, late, or before their time.

What happens at a table follows from the table and from the keys of the commands alone, cards included. So the same
house with and without an unruly network must write the same lines, unless the network has changed something.
"""

import asyncio
import hashlib
import random
from collections import Counter
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from typing import Final

from croupier.driver import FairShuffler, TableRunner
from croupier.errors import RuleViolation
from croupier.fairness import Entropy
from croupier.journal import write_line
from croupier.store import Store, StoredTable
from croupier.table import Entry, Request
from support.small_house import STAFF, next_command, open_numbered

UNRULY: Final = 0.3
"""How many of the messages the network does not deliver once and in time."""
_REOPENED: Final = 0.03
"""How often a table is opened anew: whoever remembers answers has forgotten them then."""
_LATEST: Final = 30
"""Commands of a table that a late copy lets pass, at most."""
_KEPT: Final = ("posting", "account", "total", "round", "played")


class ByKey(FairShuffler):
    """A shuffler whose chance follows from the key of the command: the same in every house."""

    def __init__(self, table: str) -> None:
        super().__init__()
        self._table, self._key, self._drawn = table, "", 0

    def draw(self, request: Request) -> Request:
        if request.key:
            self._key, self._drawn = request.key, 0
        self._drawn += 1
        seed = f"{self._table} {self._key} {self._drawn}".encode()
        self._entropy = self._salts = Entropy(lambda size: hashlib.shake_256(seed).digest(size))
        return super().draw(request)


class Visitors:
    """Everybody at one table: they send a command once the one before is answered, and know every answer."""

    def __init__(self, store: Store, number: int, seed: int, script: list[Request] | None = None) -> None:
        self.store, self.number, self.seed, self.script = store, number, f"network {seed}", script
        """What is sent in an undisturbed house, if that is known: the network may deliver it early."""
        self.sent: Final[list[Request]] = []
        self.answers: Final[dict[str, list[bytes]]] = {}
        self.happened: Final[Counter[str]] = Counter()
        self._late: Final[list[tuple[int, Request]]] = []
        """Copies on their way, and the command after which each arrives."""

    async def open(self) -> None:
        self.stored: StoredTable = await open_numbered(self.store, self.number, self._shuffler())

    def _shuffler(self) -> ByKey:
        return ByKey(f"{self.seed} {self.number}")

    async def play(self, commands: int, dice: random.Random | None = None) -> None:
        """So many commands; with dice, through an unruly network."""
        for _ in range(commands):
            request = next_command(self.stored.table, self.seed)
            self.sent.append(request)
            if dice is None:
                self._answered(request, await self.stored.handle(request))
            else:
                await self._deliver(request, dice)
        for _, copy in sorted(self._late, key=lambda late: late[0]):
            await self._send(copy)

    async def _deliver(self, request: Request, dice: random.Random) -> None:
        """A message, once or otherwise, among late copies of others."""
        copies = [request]
        if dice.random() < UNRULY:
            how = dice.choice(("twice", "late", "early"))
            if how == "early" and not await self._came_early():
                how = "late"
            if how == "twice":
                copies.append(request)
            if how == "late":
                self._late.append((len(self.sent) + dice.randint(1, _LATEST), request))
                for _ in range(dice.randint(1, 20)):
                    await asyncio.sleep(0)  # other tables go first
            self.happened[how] += 1
        self.happened["commands"] += 1
        copies += [copy for after, copy in self._late if after <= len(self.sent)]
        self._late[:] = [late for late in self._late if late[0] > len(self.sent)]
        dice.shuffle(copies)
        await all_of(self._send(copy) for copy in copies)
        if dice.random() < _REOPENED:
            await self.open()
            self.happened["reopened"] += 1

    async def _send(self, request: Request) -> None:
        self._answered(request, await self.stored.handle(request))

    async def _came_early(self) -> bool:
        """The next command arrives before this one: it is refused, and nothing of it stays behind.

        Some commands may come in either order, and then the order is the table's own: these are not sent early.
        """
        if self.script is None or len(self.sent) >= len(self.script):
            return False
        following, before = self.script[len(self.sent)], self.stored.table
        with suppress(RuleViolation):
            TableRunner(before, self._shuffler(), automatic=STAFF).decide(following)
            return False
        try:
            await self.stored.handle(following)
        except RuleViolation:
            assert self.stored.table is before
            return True
        raise AssertionError(f"{self.stored.stream}: {following.key!r} was carried out before its time")

    def _answered(self, request: Request, entries: list[Entry]) -> None:
        lines = [write_line(entry) for entry in entries]
        assert self.answers.setdefault(request.key, lines) == lines, f"{request.key!r} was answered in two ways"


async def all_of(work: Iterable[Awaitable[None]]) -> None:
    """All of this at once, to the end; then the first failure, if there is any."""
    for result in await asyncio.gather(*work, return_exceptions=True):
        if result is not None:
            raise result


async def everything_kept(store: Store) -> dict[str, object]:
    """The lines and the head of every stream, the keys, and the ledger; the order of rows is nobody's business."""
    heads = await store.read("select stream, seq, hash from head order by stream")
    lines = {stream: [bytes(line.line) for line in await store.load(stream)] for stream in await store.streams()}
    keys = await store.read("select stream, giver, key, first, last from command")
    books = {name: sorted(map(repr, await store.read(f"select * from {name}"))) for name in _KEPT}
    return {
        "heads": [(stream, int(seq), bytes(head)) for stream, seq, head in heads],
        "lines": lines,
        "keys": sorted(map(tuple, keys)),
        **books,
    }
