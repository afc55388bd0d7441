"""What each house's progressive returns, worked out beside the server: a page never waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from threading import Lock, Thread
from typing import Final

from croupier.documents import ProgressiveOutlook, read_outlook
from croupier.rulebook import submission_text
from croupier.server import TablePlan

__all__ = ["Outlooks", "look_elsewhere"]


class Outlooks:
    """Outlooks by the hash of the rules; what is not known yet is worked out in the background, once."""

    def __init__(self, look: Callable[[list[str]], Iterable[ProgressiveOutlook | None]] | None = None) -> None:
        self._look = look or look_elsewhere
        self._known: Final[dict[str, ProgressiveOutlook | None]] = {}
        self._asked: Final[set[str]] = set()
        self._lock: Final = Lock()

    def of(self, plans: Iterable[TablePlan]) -> dict[str, ProgressiveOutlook | None]:
        """The outlooks that are known, by table; None while one is being worked out, or where there is none."""
        plans = [plan for plan in plans if any(wager.meters for wager in plan.rules.wagers)]
        with self._lock:
            new = {plan.rules.hash: plan for plan in plans if plan.rules.hash not in self._asked}
            self._asked.update(new)
        if new:
            texts = {name: submission_text(plan.submission) for name, plan in new.items()}
            Thread(target=self._learn, args=(texts,), daemon=True, name="outlooks").start()
        return {plan.id: self._known.get(plan.rules.hash) for plan in plans}

    def _learn(self, texts: dict[str, str]) -> None:
        for name, outlook in zip(texts, self._look(list(texts.values())), strict=False):
            self._known[name] = outlook


def look_elsewhere(texts: list[str]) -> Iterable[ProgressiveOutlook | None]:
    """The outlooks of submissions as they come, from a process of their own: compiled code would hold up this one."""
    command = [sys.executable, "-m", "croupier.documents.meter_outlook"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as beside:  # noqa: S603 - ourselves
        if beside.stdin is None or beside.stdout is None:
            raise RuntimeError("the process beside has no pipes")
        beside.stdin.write("".join(json.dumps(text) + "\n" for text in texts))
        beside.stdin.close()
        for line in beside.stdout:
            yield read_outlook(line)
