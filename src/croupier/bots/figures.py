"""What patrons did and how long the house took to answer, counted as it happens."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from math import exp, log
from time import monotonic
from typing import Any, Final

__all__ = ["BotFigures"]

FINENESS: Final = 25
"""Steps of the latency scale in each factor of e: two neighbors differ by 4%."""


class BotFigures:
    """The figures of all patrons of one process together."""

    def __init__(self) -> None:
        self.patrons = 0
        """How many are at the tables now."""
        self.rounds = 0
        self.commands = 0
        self.refused: Counter[str] = Counter()
        """Refusals by their code."""
        self.troubles: Counter[str] = Counter()
        """Anything else that went wrong, in words."""
        self.connections = 0
        self.staked = Decimal(0)
        self.won = Decimal(0)
        self.lost = Decimal(0)
        self._latencies: Counter[int] = Counter()
        self._began = monotonic()

    def answered(self, seconds: float) -> None:
        """A command was answered after so long."""
        self.commands += 1
        self._latencies[round(FINENESS * log(max(seconds, 1e-6)))] += 1

    def closed(self, *, staked: Decimal, net: Decimal) -> None:
        """A patron's round was settled."""
        self.rounds += 1
        self.staked += staked
        self.won += max(net, Decimal(0))
        self.lost -= min(net, Decimal(0))

    def latency(self, share: float) -> float:
        """Within how many seconds this share of the commands was answered.

        >>> figures = BotFigures()
        >>> for number in range(100):
        ...     figures.answered((number + 1) / 1000)
        >>> round(figures.latency(0.5), 2), round(figures.latency(0.99), 1)
        (0.05, 0.1)
        """
        reached, wanted = 0, share * self._latencies.total()
        for step in sorted(self._latencies):
            reached += self._latencies[step]
            if reached >= wanted:
                return exp(step / FINENESS)
        return 0.0

    @property
    def seconds(self) -> float:
        """The time since the first patron came."""
        return monotonic() - self._began

    @property
    def net(self) -> Decimal:
        """What the patrons won or lost together."""
        return self.won - self.lost

    def plain(self) -> dict[str, Any]:
        """The figures for programs."""
        seconds = max(self.seconds, 1e-9)
        return {
            "rounds": self.rounds,
            "commands": self.commands,
            "refused": self.refused.total(),
            "refused_by_code": dict(self.refused.most_common()),
            "troubles": dict(self.troubles.most_common()),
            "connections": self.connections,
            "latency_ms": {name: round(1000 * self.latency(share), 2) for name, share in (("p50", 0.5), ("p99", 0.99))},
            "staked": f"{self.staked:.2f}",
            "won": f"{self.won:.2f}",
            "lost": f"{self.lost:.2f}",
            "net": f"{self.net:.2f}",
            "seconds": round(seconds, 1),
            "commands_per_second": round(self.commands / seconds, 1),
            "rounds_per_second": round(self.rounds / seconds, 2),
        }
