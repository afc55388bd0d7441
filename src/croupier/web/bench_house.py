"""What the pages of submissions share: the workshop, drafts, who may do what, and how a refusal is shown."""

from __future__ import annotations

from typing import Any, Final

from litestar.datastructures import State

from croupier.errors import CroupierError
from croupier.house import Drafts, SubmissionVersion, acting_role
from croupier.server import Caller, Desk, NotFound, SignInFirst, problem_of
from croupier.web.bench_work import Workshop

__all__ = ["BENCH", "Bench", "drafts_of", "give_bench", "may", "refused_words", "version_of"]

BENCH: Final = "bench"
"""Where the application keeps it."""


class Bench:
    """What this process makes for the workbench: prices and papers."""

    def __init__(self, workshop: Workshop | None = None) -> None:
        self.workshop: Final = workshop or Workshop()


async def give_bench(state: State) -> Bench:
    """The bench of this application."""
    if BENCH not in state:
        state[BENCH] = Bench()
    bench: Bench = state[BENCH]
    return bench


def drafts_of(desk: Desk) -> Drafts:
    """The drafts that people of this house work on."""
    return Drafts(desk.house.store)


def may(desk: Desk, caller: Caller, do: str) -> bool:
    """Whether somebody's roles let them give a command of the house."""
    person = desk.house.state.people.get(caller.id)
    if person is None or caller.unproven:
        return False
    try:
        acting_role(desk.house.state, person, do)
    except CroupierError:
        return False
    return True


def version_of(desk: Desk, name: str, number: int) -> SubmissionVersion:
    """A version that was filed; `NotFound` otherwise."""
    found = desk.house.state.submissions.get((name, number))
    if found is None:
        raise NotFound("there is no such submission")
    return found


def refused_words(error: CroupierError) -> tuple[dict[str, Any], int]:
    """A refusal as a page says it, with its status; whoever is not signed in has to do that first."""
    if isinstance(error, SignInFirst):
        raise error
    answer = problem_of(error)
    return answer.content, answer.status_code or 409
