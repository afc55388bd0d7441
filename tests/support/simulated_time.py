"""Time that passes only when nothing else is to be done: hours of a table in a moment, and always the same hours."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from support.table_harness import START

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """A selector that does not wait: it says what time it would be."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("nothing will ever happen again: somebody waits in vain")
        if not ready and timeout:
            self.now += timeout
        return ready

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return super().get_map()


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to whatever is next."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(self, *_: object) -> Any:  # noqa: ANN401 - never
        raise RuntimeError("a thread would bring real time in")


def simulated(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run this in simulated time."""
    loop = SimulatedLoop()
    try:
        return loop.run_until_complete(work())
    finally:
        loop.close()


def clock() -> datetime:
    """The time of day in simulated time."""
    return START + timedelta(seconds=asyncio.get_running_loop().time())
