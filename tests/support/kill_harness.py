"""Whoever kills a process with tables in it, starts it again, and checks what it had acknowledged."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from croupier.driver import FairShuffler
from croupier.fairness import SYSTEM
from croupier.rulebook import Archive
from croupier.store import Store, check_ledger, open_store
from croupier.store.laws import LawShelf
from croupier.table import Entry, Table, create, evolve
from croupier.table.events import CardsSealed, SeedRevealed
from support.audit import audit
from support.folder_host import digest
from support.kill_worker import line_hash
from support.small_house import open_numbered

WORKER: Final = Path(__file__).with_name("kill_worker.py")
PATIENCE: Final = 30
"""Seconds until the blow falls on a worker that has answered nothing."""
Strike = Callable[[int], None]
"""How the blow falls, given the worker's process: on the worker itself, or on the server that it writes to."""


def kill_worker(process: int) -> None:
    os.kill(process, signal.SIGKILL)


class Acknowledged(NamedTuple):
    """What a worker said about a command, once it was durable."""

    first: int
    last: int
    lines: str
    table: str


class ForkServer:
    """A process that has everything loaded, and forks a worker for each life."""

    def __enter__(self) -> Self:
        self._server = subprocess.Popen(
            [sys.executable, str(WORKER), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait(30)
        self._server.stdout.close()

    def ask(self, job: dict[str, Any]) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())


class KillCampaign:
    """One store, many lives: what was acknowledged in any of them must be in the record, once."""

    def __init__(
        self, url: str, folder: Path, *, tables: int, seed: int, strike: Strike = kill_worker, fault: str = ""
    ) -> None:
        self._log: Final = folder / "said.jsonl"
        self._job: Final = {"url": url, "tables": tables, "seed": str(seed), "log": str(self._log), "fault": fault}
        self._dice: Final = random.Random(seed)
        self._strike: Final = strike
        self._read = 0
        self.acknowledged: Final[dict[str, dict[str, Acknowledged]]] = defaultdict(dict)
        self.asked: Final[dict[str, dict[str, Any]]] = {}
        self.seeds: Final[dict[str, str]] = {}
        self.kills = self.resumed = self.in_play = self.repeated = self.survived = 0

    def life(self, server: ForkServer) -> None:
        """Start a worker, let the blow fall at some moment, and read what it had said."""
        asked = {stream: request for stream, request in self.asked.items() if request}
        process = server.ask({**self._job, "asked": asked})
        if self._dice.random() < 0.75:
            self._wait_for_answers()
        time.sleep(self._dice.uniform(0, 0.2))
        self._strike(process)
        if self._strike is not kill_worker:
            self._go_on_after_the_blow(process)
        status = server.ask({"wait": process})
        self._listen()
        assert os.WIFSIGNALED(status), "the worker ended by itself"
        self.kills += 1

    def _go_on_after_the_blow(self, process: int) -> None:
        """The blow fell elsewhere: the worker asks again until it is answered, and goes on, until it is killed, too."""
        before = len(self._said())
        if self._dice.random() < 0.75:
            self._wait_for_answers(before, seconds=5)
            self.survived += b'["ack"' in self._said(before)
        time.sleep(self._dice.uniform(0, 0.2))
        kill_worker(process)

    def _wait_for_answers(self, after: int = 0, *, seconds: float = PATIENCE) -> None:
        """Until the worker is at work, however busy the machine is."""
        end = time.monotonic() + seconds
        while b'["ack"' not in (said := self._said(after)) and b'["broken"' not in said and time.monotonic() < end:
            time.sleep(0.005)

    def _said(self, after: int = 0) -> bytes:
        """What was said since it was last read, without so many bytes of it."""
        if not self._log.exists():
            return b""
        with self._log.open("rb") as file:
            file.seek(self._read + after)
            return file.read()

    def _listen(self) -> None:
        said = self._said()
        self._read += len(said)
        if said and not said.endswith(b"\n"):  # killed in the middle of a line, which nobody has heard then
            with self._log.open("ab") as file:
                self._read += file.write(b"\n")
        for line in said.splitlines():
            try:
                words = json.loads(line)
            except ValueError:
                continue
            self._heard(words)

    def _heard(self, words: list[Any]) -> None:
        match words:
            case ["try", stream, _, request]:
                assert not self.asked.get(stream), "a command was forgotten"
                self.asked[stream] = request
            case ["again", _, _]:
                self.repeated += 1
            case ["ack", stream, key, *rest]:
                assert key not in self.acknowledged[stream], f"{stream}: {key!r} was acknowledged twice"
                assert self.asked[stream]["key"] == key
                self.acknowledged[stream][key] = Acknowledged(*rest)
                self.asked[stream] = {}
            case ["open", stream, seq, in_play]:
                told = max((ack.last for ack in self.acknowledged[stream].values()), default=0)
                assert seq >= told, f"{stream}: opened at entry {seq}, but {told} was acknowledged"
                self.resumed += seq > 1
                self.in_play += in_play
            case ["seed", commitment, seed]:
                self.seeds[commitment] = seed
            case ["broken", why]:
                raise AssertionError(why)
            case _:
                raise AssertionError(f"not understood: {words}")

    def figures(self) -> dict[str, int]:
        """What happened in all these lives."""
        figures = {
            "kills": self.kills,
            "acknowledged": sum(map(len, self.acknowledged.values())),
            "tables that went on": self.resumed,
            "of them in mid-round": self.in_play,
            "commands sent again": self.repeated,
        }
        return figures | ({"processes that went on": self.survived} if self._strike is not kill_worker else {})

    # --- checking

    async def check(self) -> None:
        """Nothing acknowledged is missing, nothing came twice, every deck went on, and every table is as it was."""
        store = await open_store(str(self._job["url"]))
        try:
            laws = LawShelf()
            await laws.read(store)
            for stream, (table, entries) in (await audit(store)).items():
                await self._check_commands(store, stream, entries)
                self._check_tables(stream, entries, Archive(laws))
                self._check_decks(entries)
                number = int(stream.partition("/")[2])
                stored = await open_numbered(store, number, FairShuffler(SYSTEM, salts=SYSTEM))
                assert stored.table == table, f"{stream}: opened, it is another table than its record makes"
            assert (await check_ledger(store)).problems == (), "the ledger does not follow from the record"
        finally:
            await store.close()

    async def _check_commands(self, store: Store, stream: str, entries: list[Entry]) -> None:
        lines = [bytes(line.line) for line in await store.load(stream)]
        rows = await store.read("select key, first, last from command where stream = $1", stream)
        kept = {key: (first, last) for key, first, last in rows}
        for key, ack in self.acknowledged[stream].items():
            assert kept.get(key) == (ack.first, ack.last), f"{stream}: {key!r} is missing"
            assert line_hash(lines[ack.first - 1 : ack.last]) == ack.lines, f"{stream}: {key!r} has other lines"
        request = self.asked.get(stream)
        more = kept.keys() - self.acknowledged[stream].keys()
        assert more <= ({request["key"]} if request else set()), f"{stream}: commands that nobody sent: {more}"
        assert len(entries) == max([1, *(last for _, last in kept.values())])

    def _check_tables(self, stream: str, entries: list[Entry], laws: Archive) -> None:
        """At every place where a worker described its table, the record makes the same one."""
        described = {ack.last: ack.table for ack in self.acknowledged[stream].values() if ack.table}
        table: Table | None = None
        for entry in entries:
            table = create(entry, laws) if table is None else evolve(table, entry, laws)
            if entry.seq in described:
                assert digest(table) == described[entry.seq], f"{stream}, entry {entry.seq}: another table"

    def _check_decks(self, entries: list[Entry]) -> None:
        """Every card lay where its seed had put it before the round, however often the round was interrupted."""
        dealt: dict[int, Any] = {}
        for entry in entries:
            match entry.event:
                case CardsSealed(place=place, cards=hidden):
                    dealt |= dict(enumerate(hidden.open(), place))
                case SeedRevealed(commitment=commitment, seed=seed, deck=deck, depth=depth):
                    assert self.seeds[commitment] == seed
                    cut = (*deck[depth:], *deck[:depth])
                    assert dealt == {place: cut[place] for place in dealt}, f"{entry.stream}: other cards were dealt"
                    dealt = {}
