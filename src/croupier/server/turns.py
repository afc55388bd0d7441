"""Who comes first: commands in the order in which they came, and answers before views.

Commands that come at the same time are worked out one after the other, each until its answer has left or the disk
makes it wait; taken in turns, all of them would be answered as late as the last. A change wakes everybody who watches:
one in each turn of the event loop, and not while somebody waits for an answer, so that a command never stands behind
dozens of views that could as well come a moment later.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Turn", "Turns"]

_PAUSE: Final = 0.001
_LONGEST: Final = 0.02
"""Seconds that views wait for answers at the most, however many commands come."""
_PATIENCE: Final = 0.05
"""Seconds that a command waits for those before it at the most, whatever holds them up."""


class Turn:
    """The turn of one command: nobody else's begins before it ends."""

    def __init__(self, turns: Turns) -> None:
        self._turns: Final = turns
        self._granted: asyncio.Future[None] | None = None
        self.is_over = False
        """It has ended, or was given up before it began."""

    async def begin(self) -> None:
        """Wait until every command that came before has had its turn, but not for long."""
        turns = self._turns
        if self.is_over or turns.working is self:
            return
        if turns.working is None:
            turns.working = self
            return
        before = turns.working
        self._granted = asyncio.get_running_loop().create_future()
        turns.queue.append(self)
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._granted
        except TimeoutError:
            self.end()
            if turns.working is before:
                before.end()  # held up all the while: whoever comes next does not wait for it again
        except asyncio.CancelledError:
            self.end()
            raise

    def end(self) -> None:
        """Let the next command begin: this one is answered, or waits for the disk."""
        self.is_over = True
        self.grant()
        turns = self._turns
        if turns.working is self:
            turns.working = None
            while turns.queue and turns.working is None:
                following = turns.queue.popleft()
                if not following.is_over:
                    turns.working = following
                    following.grant()

    def grant(self) -> None:
        """Wake it, if it waits."""
        if self._granted is not None and not self._granted.done():
            self._granted.set_result(None)


class Turns:
    """Whose command is worked out, and who is shown something next.

    Whatever waits to be shown says whether there was something to show.

    >>> async def show() -> list[str]:
    ...     turns, watchers = Turns(), iter(["first", "second"])
    ...     turns.wake([lambda: bool(next(watchers)), lambda: bool(next(watchers))])
    ...     await asyncio.sleep(0)
    ...     return [*watchers]  # who is still to come
    >>> asyncio.run(show())
    ['second']
    """

    def __init__(self) -> None:
        self.working: Turn | None = None
        """The command that is being worked out."""
        self.queue: Final[deque[Turn]] = deque()
        """Those that come after it."""
        self._waiting: Final[deque[Callable[[], bool]]] = deque()
        self._answering = 0
        self._until = 0.0
        """When views are shown whoever waits for an answer; 0 if nobody does."""

    @property
    def is_answering(self) -> bool:
        """Whether anybody waits for an answer."""
        return self._answering > 0

    @contextmanager
    def answer(self) -> Iterator[Turn]:
        """Somebody waits for an answer; their turn ends with it at the latest."""
        self._answering += 1
        turn = Turn(self)
        try:
            yield turn
        finally:
            turn.end()
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
