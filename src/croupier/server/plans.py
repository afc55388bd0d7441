"""The tables of the house as its record has them, ready to be run."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import lru_cache
from typing import Final

from msgspec import Struct

from croupier.driver import Staff
from croupier.errors import CroupierError
from croupier.house import HandOverOrder, HouseState, RulesConfirmed
from croupier.rulebook import HouseRules, Submission, check, read_submission_text
from croupier.server.pace import Pace
from croupier.server.watching import Watched

__all__ = ["TablePlan", "plans_of"]

_LOG: Final = logging.getLogger("croupier.server")


class TablePlan(Struct, frozen=True, kw_only=True):
    """A table of the house, as it is set up."""

    id: str
    submission: Submission
    rules: HouseRules
    virtual: bool = True
    paused: bool = False
    automatic: bool = True
    pace: Pace = Pace()
    confirmed: RulesConfirmed | None = None
    """The last change of its rules, for a table that has not taken it yet."""
    handed: HandOverOrder | None = None
    """Who deals here, and by whose order, if the house has handed the table over to a person."""
    approval: str = ""
    """The submission behind its rules, by name and version."""
    time_zone: str = "UTC"
    day_start: str = "00:00"

    @property
    def staff(self) -> Staff | None:
        """The automatic staff, if they deal here, under their own names; they change the gaming day when it is time."""
        if not self.automatic:
            return None
        return Staff(time_zone=self.time_zone, day_start=self.day_start, own_names=True, results_first=True)

    def show(self, table: Watched) -> None:
        """Let a table show how it is set up."""
        table.show_as(paused=self.paused, pace=self.pace if self.automatic else None)

    @property
    def stream(self) -> str:
        """The stream of its record."""
        return f"table/{self.id}"


def plans_of(state: HouseState) -> list[TablePlan]:
    """The tables that are open or paused; one of them opens only under an approved submission."""
    plans = []
    for table in state.tables.values():
        if table.run not in {"open", "paused"}:
            continue
        try:
            submission, rules = _rules(state.rules_of(table).text)
        except CroupierError as error:  # its law is not here; the other tables run
            _LOG.error("table %s has rules that cannot be read here: %s", table.id, error)
            continue
        plans.append(
            TablePlan(
                id=table.id,
                submission=submission,
                rules=rules,
                virtual=table.kind == "virtual",
                paused=table.run == "paused",
                automatic=table.kind == "virtual" and table.dealer == "automatic",
                confirmed=table.confirmed,
                handed=table.handed,
                approval=f"{table.submission} version {table.version}",
                time_zone=state.time_zone,
                day_start=state.day_start,
                pace=Pace(timedelta(milliseconds=table.pace)),
            )
        )
    return plans


@lru_cache(256)
def _rules(text: str) -> tuple[Submission, HouseRules]:
    submission = read_submission_text(text, name="submission")
    return submission, check(submission).rules()
