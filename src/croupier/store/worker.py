"""A thread that works for an event loop, one piece after the other: half the price of an executor for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final, TypeAlias, TypeVar

__all__ = ["Worker"]

T = TypeVar("T")
_Job: TypeAlias = "tuple[Callable[[], object], asyncio.Future[object], asyncio.AbstractEventLoop, Lock]"
_BEGINNING: Final = 0.0005
"""Seconds that the event loop lets the thread begin; otherwise it would wait until the loop has nothing to do."""


class Worker:
    """One thread, started when it first has something to do."""

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._jobs: Final[SimpleQueue[_Job | None]] = SimpleQueue()
        self._thread: Thread | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """The result of a piece of work; whoever gives up still waits until the thread is done with it."""
        future = self._put(work)
        try:
            return await future  # type: ignore[return-value] # what `work` returned
        except asyncio.CancelledError:
            await self._ended()
            raise

    def stop(self) -> None:
        """End the thread once it has done what it was given."""
        self._jobs.put(None)

    def _put(self, work: Callable[[], object]) -> asyncio.Future[object]:
        if self._thread is None:
            self._thread = Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        begun = Lock()
        begun.acquire()
        self._jobs.put((work, future, loop, begun))
        begun.acquire(timeout=_BEGINNING)
        return future

    async def _ended(self) -> None:
        """Wait until everything that was given is done, however often that is given up, too."""
        barrier = self._put(lambda: None)
        while not barrier.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([barrier])

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, future, loop, begun = job
            begun.release()
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - whoever waits must hear of it
                answer: tuple[object, BaseException | None] = (None, error)
            else:
                answer = (result, None)
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(_answer, future, *answer)


def _answer(future: asyncio.Future[object], result: object, error: BaseException | None) -> None:
    if future.done():  # given up
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
