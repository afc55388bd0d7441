"""What the pages of submissions share: drafts that are being worked on, who may do what, and how a refusal is shown."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from litestar.datastructures import State
from msgspec import Struct

from croupier.errors import CroupierError
from croupier.house import SubmissionVersion, acting_role
from croupier.server import Caller, Desk, NotFound, SignInFirst, problem_of
from croupier.web.bench_work import Workshop
from croupier.web.posting import Fields

__all__ = ["BENCH", "Bench", "OpenDraft", "give_bench", "may", "refused_words", "version_of"]

BENCH: Final = "bench"
"""Where the application keeps it."""
_MOST: Final = 200


class OpenDraft(Struct, frozen=True):
    """Somebody's unfinished work: what they last had in the form."""

    rulebook: str
    fields: Fields


class Bench:
    """The workshop, and the drafts that are open; a draft lives as long as the server and is for whoever made it."""

    def __init__(self, workshop: Workshop | None = None) -> None:
        self.workshop: Final = workshop or Workshop()
        self._open: Final[OrderedDict[tuple[str, str], OpenDraft]] = OrderedDict()

    def keep(self, person: str, name: str, rulebook: str, fields: Mapping[str, str]) -> None:
        """Remember what somebody has in the form."""
        self._open[person, name] = OpenDraft(rulebook, dict(fields))
        self._open.move_to_end((person, name))
        while len(self._open) > _MOST:
            self._open.popitem(last=False)

    def find(self, person: str, name: str) -> OpenDraft | None:
        """What somebody had in the form."""
        return self._open.get((person, name))

    def drop(self, person: str, name: str) -> None:
        """Forget it: it was sent, or thrown away."""
        self._open.pop((person, name), None)

    def of(self, person: str) -> dict[str, OpenDraft]:
        """Everything that somebody works on, by name."""
        return {name: draft for (whose, name), draft in self._open.items() if whose == person}


async def give_bench(state: State) -> Bench:
    """The bench of this application."""
    if BENCH not in state:
        state[BENCH] = Bench()
    bench: Bench = state[BENCH]
    return bench


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
