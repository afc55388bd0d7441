"""What goes on for as long as the server runs: whatever fails is logged, shown, and tried again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from croupier.errors import CroupierError

__all__ = ["Chores"]

_LOG: Final = logging.getLogger("croupier.server")
_AGAIN: Final = 1.0
"""Seconds until something that failed is tried again."""


class Chores:
    """Tasks of the server, by name; none of them ends before all of them do."""

    def __init__(self) -> None:
        self.troubles: Final[dict[str, str]] = {}
        """What fails now, and why."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def every(self, seconds: float, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do this again and again, with so many seconds between."""

        async def repeated() -> None:
            while True:
                pause = seconds if await self._tried(name, work) else max(seconds, _AGAIN)
                await asyncio.sleep(pause)

        self._start(name, repeated())

    def always(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do this, which never ends by itself."""

        async def begun_again() -> None:
            while True:
                await self._tried(name, work)
                await asyncio.sleep(_AGAIN)

        self._start(name, begun_again())

    def once(self, name: str, work: Awaitable[None]) -> None:
        """Do this beside everything else."""

        async def done() -> None:
            try:
                await work
            except Exception:  # noqa: BLE001 - logged
                _LOG.exception("%s failed", name)

        self._start(name, done())

    def _start(self, name: str, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        if isinstance(task, asyncio.Task):
            task.set_name(name)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tried(self, name: str, work: Callable[[], Awaitable[None]]) -> bool:
        try:
            await work()
        except CroupierError as error:
            self._note(name, str(error))
            return False
        except Exception as error:  # noqa: BLE001 - logged, and tried again
            if name not in self.troubles:
                _LOG.exception("%s failed", name)
            self.troubles[name] = type(error).__name__
            return False
        if self.troubles.pop(name, None) is not None:
            _LOG.warning("%s: all is well again", name)
        return True

    def _note(self, name: str, why: str) -> None:
        if self.troubles.get(name) != why:
            _LOG.warning("%s: %s", name, why)
        self.troubles[name] = why

    async def stop(self) -> None:
        """End all of them."""
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
