"""Simulations that were started from the pages: what was asked, how far each is, and what came of it.

Each runs in a process beside the server, two at a time at most. Results are kept for as long as the server runs.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.documents import SimulationOrder, SimulationResults, WorkAnswer
from croupier.errors import RuleViolation

__all__ = ["Simulations", "StartedSimulation"]

AT_ONCE: Final = 2
KEPT: Final = 40
"""Simulations whose results are kept."""
LONGEST: Final = 64 << 20
"""Bytes of the longest line that a process may answer: one row for each shift of a long run."""

Standing: TypeAlias = Literal["running", "done", "refused", "stopped", "failed"]


class StartedSimulation:
    """One simulation."""

    def __init__(self, name: str, order: SimulationOrder, *, by: str, at: datetime) -> None:
        self.id: Final = name
        self.order: Final = order
        self.by: Final = by
        self.at: Final = at
        self.standing: Standing = "running"
        self.done = self.total = 0
        self.why = ""
        self.results: SimulationResults | None = None
        self.process: asyncio.subprocess.Process | None = None

    @property
    def percent(self) -> int:
        """How far it is, in whole percent."""
        return min(100, self.done * 100 // self.total) if self.total else 0

    def hear(self, answer: WorkAnswer) -> None:
        """Take a line of the process."""
        self.done += answer.done
        self.total = answer.total or self.total
        if answer.refused:
            self.standing, self.why = "refused", answer.refused
        if answer.results is not None:
            self.standing, self.results = "done", answer.results


class Simulations:
    """All of them, the newest first."""

    def __init__(self) -> None:
        self._all: Final[dict[str, StartedSimulation]] = {}
        self._next = 1

    def newest(self) -> list[StartedSimulation]:
        """Every simulation that is kept."""
        return list(reversed(self._all.values()))

    def find(self, name: str) -> StartedSimulation | None:
        """The simulation of this id."""
        return self._all.get(name)

    def start(
        self, order: SimulationOrder, *, by: str, at: datetime, beside: Callable[[str, StartedSimulation], None]
    ) -> StartedSimulation:
        """Start one; `beside` runs it beside everything else. Refused while two are running."""
        if sum(each.standing == "running" for each in self._all.values()) >= AT_ONCE:
            words = f"{AT_ONCE} simulations are running already: wait until one ends, or stop one"
            raise RuleViolation("simulations_running", words, clause="")
        made = StartedSimulation(str(self._next), order, by=by, at=at)
        self._next += 1
        self._all[made.id] = made
        for old in [each for each in self._all.values() if each.standing != "running"][:-KEPT]:
            del self._all[old.id]
        beside(f"simulation {made.id}", made)
        return made

    async def run(self, simulation: StartedSimulation) -> None:
        """Run one to its end."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "croupier.documents.simulation_work",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST,
        )
        simulation.process = process
        try:
            if process.stdin is None or process.stdout is None:
                raise RuntimeError("the process beside has no pipes")
            process.stdin.write(msgspec.json.encode(simulation.order) + b"\n")
            process.stdin.close()
            async for line in process.stdout:
                simulation.hear(msgspec.json.decode(line, type=WorkAnswer))
            await process.wait()
        finally:
            await _ended(process)
            if simulation.standing == "running":
                simulation.standing, simulation.why = "failed", "its process ended before it was done"

    @staticmethod
    def stop(simulation: StartedSimulation) -> None:
        """Stop one that is running."""
        if simulation.standing == "running":
            simulation.standing, simulation.why = "stopped", "somebody stopped it"
            if simulation.process is not None and simulation.process.returncode is None:
                simulation.process.kill()


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End a process that nobody waits for any more, and read what it still says: then its pipes are closed."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    if process.stdout is not None:
        await process.stdout.read()
    await process.wait()
    await asyncio.sleep(0)
