"""What each house's progressive returns, worked out beside the server: a page never waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable

from croupier.documents import ProgressiveOutlook, read_outlook
from croupier.server import TablePlan
from croupier.web.attempts import WorkedOut

__all__ = ["Outlooks", "look_elsewhere"]


class Outlooks(WorkedOut[ProgressiveOutlook]):
    """The outlooks of the progressives, of the tables that have one."""

    def __init__(self, look: Callable[[list[str]], Iterable[ProgressiveOutlook | None]] | None = None) -> None:
        super().__init__(look or look_elsewhere)

    def of(self, plans: Iterable[TablePlan]) -> dict[str, ProgressiveOutlook | None]:
        """The outlooks that are known, by table; None where there is none, or none yet."""
        return super().of(plan for plan in plans if any(wager.meters for wager in plan.rules.wagers))


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
