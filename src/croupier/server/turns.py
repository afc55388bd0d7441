"""Answers come before views: whoever gave a command does not wait until everybody at other tables has been shown one.

A change wakes everybody who watches. Here they are woken one in each turn of the event loop, and not while somebody
waits for an answer, so that a command never stands behind dozens of views that could as well come a moment later.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Turns"]

_PAUSE: Final = 0.001
_LONGEST: Final = 0.02
"""Seconds that views wait for answers at the most, however many commands come."""


class Turns:
    """Who is shown something next. Whatever waits says whether it had something to show.

    >>> async def show() -> list[str]:
    ...     turns, watchers = Turns(), iter(["first", "second"])
    ...     turns.wake([lambda: bool(next(watchers)), lambda: bool(next(watchers))])
    ...     await asyncio.sleep(0)
    ...     return [*watchers]  # who is still to come
    >>> asyncio.run(show())
    ['second']
    """

    def __init__(self) -> None:
        self._waiting: Final[deque[Callable[[], bool]]] = deque()
        self._answering = 0
        self._until = 0.0
        """When views are shown whoever waits for an answer; 0 if nobody does."""

    @property
    def is_answering(self) -> bool:
        """Whether anybody waits for an answer."""
        return self._answering > 0

    @contextmanager
    def answer(self) -> Iterator[None]:
        """Somebody waits for an answer."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1

    def wake(self, waiting: Iterable[Callable[[], bool]]) -> None:
        """Call these, one in each turn of the event loop."""
        was_empty = not self._waiting
        self._waiting.extend(waiting)
        if was_empty and self._waiting:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        loop = asyncio.get_running_loop()
        if self._answering:
            self._until = self._until or loop.time() + _LONGEST
            if loop.time() < self._until:
                loop.call_later(_PAUSE, self._next)
                return
        else:
            self._until = 0.0
        while self._waiting and not self._waiting.popleft()():
            pass  # they have seen it meanwhile
        if self._waiting:
            loop.call_soon(self._next)
        else:
            self._until = 0.0
