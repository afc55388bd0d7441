"""What is shown of a first run on a machine, whose kernels must still be compiled: the figures of a few rounds."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from croupier.present import simulations

if TYPE_CHECKING:
    from croupier.simulation import Plan, Tally

__all__ = ["first_figures", "short_run"]

FIRST: Final = 2_000
"""Rounds that are played before the kernels are compiled, where they never were."""


def first_figures(plan: Plan, rounds: int, *, known: str = "") -> None:
    """Where the kernels must still be compiled: on a terminal, what is known and what a few rounds say."""
    from croupier.simulation import first_rounds, is_ready, report_wagers

    if rounds <= FIRST or not is_on_screen() or is_ready(plan):
        return
    if known:
        print(known, file=sys.stderr)
    if (tally := first_rounds(plan, FIRST)) is None:
        return
    print(f"The first {FIRST:,} rounds. Compiling for the others, once on this machine.", file=sys.stderr)
    for words in simulations.edge_lines(report_wagers(plan, tally)):
        print(f"  {words}", file=sys.stderr)


def short_run(plan: Plan, rounds: int) -> Tally | None:
    """A run so short that nothing is compiled for it; None for others, and where the kernels are compiled."""
    from croupier.simulation import first_rounds

    return first_rounds(plan, rounds) if rounds <= FIRST else None


def is_on_screen() -> bool:
    """Whether somebody is watching the progress."""
    return sys.stderr is not None and sys.stderr.isatty()
