"""The tables of the house as its record has them, ready to be run."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import lru_cache
from typing import Final, cast

from msgspec import Struct

from croupier.driver import Staff
from croupier.errors import CroupierError
from croupier.house import HouseState, HouseTable
from croupier.rulebook import HouseRules, Submission, check, read_submission_text
from croupier.rulebook.names import Role
from croupier.server.pace import Pace
from croupier.table import Person, Request
from croupier.table.commands import ConfirmRules, ProposeRules
from croupier.wire import decode_json

__all__ = ["NewRules", "TablePlan", "plans_of"]

_LOG: Final = logging.getLogger("croupier.server")


class NewRules(Struct, frozen=True, kw_only=True):
    """Rules that the house has given a table, as they are changed at the table: by two people, between rounds."""

    rules: str
    """Their hash."""
    proposal: Request
    confirmation: Request


class TablePlan(Struct, frozen=True, kw_only=True):
    """A table of the house, as it is set up."""

    id: str
    submission: Submission
    rules: HouseRules
    virtual: bool = True
    automatic: bool = True
    pace: Pace = Pace()
    new_rules: NewRules | None = None
    """What the rules were changed to, if they ever were."""
    time_zone: str = "UTC"
    day_start: str = "00:00"

    @property
    def staff(self) -> Staff | None:
        """The automatic staff, if they deal here; they change the gaming day when it is time."""
        return Staff(time_zone=self.time_zone, day_start=self.day_start) if self.automatic else None

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
                automatic=table.kind == "virtual" and table.dealer == "automatic",
                time_zone=state.time_zone,
                day_start=state.day_start,
                new_rules=_new_rules(state, table, rules.hash),
                pace=Pace(timedelta(milliseconds=table.pace)),
            )
        )
    return plans


def _new_rules(state: HouseState, table: HouseTable, rules: str) -> NewRules | None:
    confirmed = table.confirmed
    if confirmed is None:
        return None
    filed = state.rules_of(table)
    approval = f"{filed.name} version {filed.version}, approved by {filed.judged_by}"
    proposal = ProposeRules(decode_json(filed.text), approval)
    role, at = cast(Role, confirmed.by.role), filed.drafted  # the table gives the time
    return NewRules(
        rules=rules,
        proposal=Request(Person("operator", confirmed.proposed_by), at, proposal),
        confirmation=Request(Person(role, confirmed.by.id), at, ConfirmRules()),
    )


@lru_cache(256)
def _rules(text: str) -> tuple[Submission, HouseRules]:
    submission = read_submission_text(text, name="submission")
    return submission, check(submission).rules()
