"""The tables of the house as its record has them, ready to be run."""

from __future__ import annotations

from functools import lru_cache

from croupier.house import HouseState
from croupier.rulebook import HouseRules, Submission, check, read_submission_text
from croupier.server.hall import TablePlan
from croupier.server.pace import Pace

__all__ = ["plans_of"]


def plans_of(state: HouseState) -> list[TablePlan]:
    """The tables that are open or paused; one of them opens only under an approved submission."""
    plans = []
    for table in state.tables.values():
        if table.run not in {"open", "paused"}:
            continue
        submission, rules = _rules(state.rules_of(table).text)
        plans.append(
            TablePlan(
                id=table.id,
                submission=submission,
                rules=rules,
                virtual=table.kind == "virtual",
                automatic=table.kind == "virtual" and table.dealer == "automatic",
                pace=Pace(),
            )
        )
    return plans


@lru_cache(256)
def _rules(text: str) -> tuple[Submission, HouseRules]:
    submission = read_submission_text(text, name="submission")
    return submission, check(submission).rules()
