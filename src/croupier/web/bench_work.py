"""Exact prices and papers, made in a process beside the server, which goes on answering."""

from __future__ import annotations

import asyncio
import base64
import logging
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from threading import Lock, Thread
from typing import IO, Final, TypeAlias

import msgspec

from croupier.analysis import Price
from croupier.documents import PAPER_REFUSED, CaseAsked, PaperAsked, read_price
from croupier.errors import CroupierError
from croupier.web.attempts import Attempts

__all__ = ["PATIENCE", "Pricer", "Workshop", "WorkshopFailed"]

_LOG: Final = logging.getLogger("croupier.web")
PATIENCE: Final = 0.2
"""Seconds that a page waits for prices; what takes longer is shown as being computed."""
_MOST: Final = 20_000
"""Prices that are remembered."""
_LONGEST: Final = 240
"""Seconds that a paper may take."""
Pricer: TypeAlias = Callable[[Sequence[CaseAsked]], Iterable[Price | None]]


class WorkshopFailed(CroupierError):
    """A paper could not be made."""


class Workshop:
    """Prices by what was asked, each computed once, and papers; a page never waits for longer than it says."""

    def __init__(
        self,
        pricer: Pricer | None = None,
        printer: Callable[[PaperAsked], bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pricer = pricer or _Beside()
        self._printer = printer or _print_beside
        self._known: Final[dict[CaseAsked, Price | None]] = {}
        self._attempts: Final = Attempts[CaseAsked](clock)
        self._waiting: Final[queue.SimpleQueue[CaseAsked]] = queue.SimpleQueue()
        self._lock: Final = Lock()
        self._thread: Thread | None = None
        self._printing: Final = asyncio.Semaphore(2)

    async def prices(self, asked: Sequence[CaseAsked], *, patience: float = PATIENCE) -> dict[CaseAsked, Price | None]:
        """The prices that are known in time; None for what has none."""
        self.begin(asked)
        clock = asyncio.get_running_loop().time
        until = clock() + patience
        while any(self._is_awaited(case) for case in asked) and clock() < until:  # noqa: ASYNC110 - not worth an event
            await asyncio.sleep(0.01)  # the answers come from a thread
        return {case: self._known[case] for case in asked if case in self._known}

    def failed(self, asked: Iterable[CaseAsked]) -> frozenset[CaseAsked]:
        """Those whose price could not be computed: they are tried again."""
        return frozenset(case for case in asked if case not in self._known and self._attempts.has_failed(case))

    def _is_awaited(self, case: CaseAsked) -> bool:
        return case not in self._known and not self._attempts.has_failed(case)

    def begin(self, asked: Iterable[CaseAsked]) -> None:
        """Have these priced in the background."""
        with self._lock:
            if len(self._known) > _MOST:
                self._known.clear()
                self._attempts.forget()
            new = self._attempts.begin(asked)
            for case in new:
                self._waiting.put(case)
            if new and self._thread is None:
                self._thread = Thread(target=self._learn, daemon=True, name="workbench prices")
                self._thread.start()

    def _learn(self) -> None:
        while True:
            case = self._waiting.get()
            try:
                self._known[case] = next(iter(self._pricer([case])), None)
                self._attempts.succeed(case)
            except Exception as error:  # noqa: BLE001 - whatever it was, the page says so and it is tried again
                self._attempts.fail(case, f"{type(error).__name__}: {error}")

    async def paper(self, asked: PaperAsked) -> bytes:
        """A paper, printed while the server goes on answering."""
        async with self._printing:
            return await asyncio.to_thread(self._printer, asked)


class _Beside:
    """A process that prices, started when it is first needed; it ends when this one does."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, asked: Sequence[CaseAsked]) -> Iterable[Price | None]:
        for case in asked:
            yield self._answer(msgspec.json.encode(case))

    def _answer(self, line: bytes) -> Price | None:
        for _ in range(2):  # once more if the process has ended
            sent, answered = self._pipes()
            try:
                sent.write(line + b"\n")
                sent.flush()
                answer = answered.readline()
            except OSError:
                answer = b""
            if answer:
                return read_price(answer)
            self._process = None
        raise OSError("the process that prices has ended")

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "croupier.documents.workshop"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
        sent, answered = self._process.stdin, self._process.stdout
        if sent is None or answered is None:
            raise OSError("no pipes")
        return sent, answered


def _print_beside(asked: PaperAsked) -> bytes:
    command = [sys.executable, "-m", "croupier.documents.workshop", "paper"]
    sent = msgspec.json.encode(asked)
    try:
        done = subprocess.run(command, input=sent, capture_output=True, check=False, timeout=_LONGEST)  # noqa: S603 - ourselves
    except subprocess.TimeoutExpired:
        raise WorkshopFailed("the paper took too long: try again when the house is less busy") from None
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode == PAPER_REFUSED:
        raise WorkshopFailed(said.splitlines()[-1])
    if done.returncode:
        _LOG.error("a paper failed with %d: %s", done.returncode, said)
        raise WorkshopFailed("the paper could not be made; it was noted")
    return base64.b64decode(done.stdout)
