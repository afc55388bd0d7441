"""Who runs which tables: every process the same number, give or take one, and no table moves without need.

Everybody works it out by themselves from what the store says. Two who see different moments may both want a table:
the claim in the store is what counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["surplus", "to_take"]


def to_take(free: Iterable[str], running: Mapping[str, int], process: str) -> list[str]:
    """Those of the free tables that a process takes: each goes to whoever runs the fewest.

    >>> to_take(["1", "2", "3"], {"a": 0, "b": 1}, "a")
    ['1', '2']
    >>> to_take(["1", "2", "3"], {"a": 0, "b": 1}, "b")
    ['3']
    """
    counts, taken = dict(running), []
    for table in sorted(free):
        least = min(counts, key=lambda name: (counts[name], name))
        counts[least] += 1
        if least == process:
            taken.append(table)
    return taken


def surplus(running: Mapping[str, int], process: str) -> int:
    """How many tables a process gives away, so that others have as many.

    >>> surplus({"a": 5, "b": 0}, "a"), surplus({"a": 3, "b": 2}, "a"), surplus({"a": 2, "b": 2, "c": 0}, "b")
    (2, 0, 1)
    """
    fair = -(-sum(running.values()) // len(running))
    above = running[process] - fair
    if above > 0:
        return above
    return 1 if running[process] - min(running.values()) >= 2 else 0
