"""What is worked out beside the server: begun once, and where it failed begun again after a while."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable, Iterable
from threading import Lock, Thread
from typing import Final, Generic, TypeVar

from croupier.rulebook import submission_text
from croupier.server import TablePlan

__all__ = ["FAILED", "Attempts", "WorkedOut"]

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")
_LOG: Final = logging.getLogger("croupier.web")
_FIRST: Final = 15.0
"""Seconds until something that failed is tried again; twice as long after each failure."""
_LONGEST: Final = 600.0
FAILED: Final = "could not be computed; it is tried again by itself"


class Attempts(Generic[_Key]):
    """Which pieces of work are to be begun, and which of them failed; safe for threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock: Final = clock
        self._begun: Final[set[_Key]] = set()
        self._failed: Final[dict[_Key, tuple[int, float]]] = {}
        """How often each failed, and when it may be tried again."""
        self._lock: Final = Lock()

    def begin(self, keys: Iterable[_Key]) -> list[_Key]:
        """Those that are to be begun now: new ones, and those whose wait after a failure is over."""
        now = self._clock()
        with self._lock:
            due = [
                key
                for key in dict.fromkeys(keys)
                if key not in self._begun and (key not in self._failed or self._failed[key][1] <= now)
            ]
            self._begun.update(due)
        return due

    def succeed(self, key: _Key) -> None:
        """It is known: it is not begun again."""
        with self._lock:
            self._failed.pop(key, None)

    def fail(self, key: _Key, why: str) -> None:
        """It may be begun again after a while."""
        with self._lock:
            times = self._failed.get(key, (0, 0.0))[0] + 1
            wait = min(_FIRST * 2 ** (times - 1), _LONGEST)
            self._failed[key] = times, self._clock() + wait
            self._begun.discard(key)
        _LOG.warning("a figure could not be computed, next attempt in %.0f s: %s", wait, why)

    def has_failed(self, key: _Key) -> bool:
        """Whether the last attempt that ended was a failure."""
        return key in self._failed

    def forget(self) -> None:
        """Begin everything anew."""
        with self._lock:
            self._begun.clear()
            self._failed.clear()


class WorkedOut(Generic[_Value]):
    """A figure of each table by the hash of its rules: a page never waits for it."""

    def __init__(
        self,
        work: Callable[[list[str]], Iterable[_Value | None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._work: Final = work
        self._known: Final[dict[str, _Value | None]] = {}
        self._attempts: Final = Attempts[str](clock)

    def of(self, plans: Iterable[TablePlan]) -> dict[str, _Value | None]:
        """The figures that are known, by table; None where there is none, or none yet."""
        plans = list(plans)
        by_rules = {plan.rules.hash: plan for plan in plans}
        due = self._attempts.begin(by_rules)
        if due:
            texts = {rules: submission_text(by_rules[rules].submission) for rules in due}
            Thread(target=self._learn, args=(texts,), daemon=True, name="figures").start()
        return {plan.id: self._known.get(plan.rules.hash) for plan in plans}

    def why_not(self, plan: TablePlan) -> str:
        """Why there is no figure."""
        if plan.rules.hash in self._known:
            return "no exact figure by these rules"
        return FAILED if self._attempts.has_failed(plan.rules.hash) else "being computed"

    def _learn(self, texts: dict[str, str]) -> None:
        left, why = dict(texts), "the process that computes it ended"
        try:
            for rules, value in zip(texts, self._work(list(texts.values())), strict=False):
                self._known[rules] = value
                self._attempts.succeed(rules)
                del left[rules]
        except Exception as error:  # noqa: BLE001 - whatever it was, the page says so and it is tried again
            why = f"{type(error).__name__}: {error}"
        for rules in left:
            self._attempts.fail(rules, why)
