"""Wagers that a ruling or a finding settles: voided or forfeited, each under the clause of its cause."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.games.evolve import evolve
from croupier.games.payouts import settled_without_paytable
from croupier.games.results import Cause, Outcome, WagerSettled
from croupier.games.round import Box, Round
from croupier.money import Cents
from croupier.rulebook.names import WagerName
from croupier.rulebook.schema import Cited

__all__ = ["after", "because", "settled_alike"]


def settled_alike(
    state: Round, box: Box, names: Sequence[WagerName], outcome: Outcome, cited: Cited, *, cause: Cause, rule: str = ""
) -> tuple[WagerSettled, ...]:
    """Settle these wagers of a box with the same outcome, in settlement order."""
    order = [name for name in (*state.rules.order, *state.rules.last) if name in names]
    return tuple(
        [
            settled_without_paytable(
                state.rules.wagers[name],
                (stake := box.stake(name) or Cents(0)),
                outcome,
                cited,
                cause,
                rule=rule or None,
                returned=stake if outcome == "void" else Cents(0),
            )
            for name in order
        ]
    )


def because(cited: Cited, events: Sequence[round_events.Event]) -> list[round_events.Event]:
    """The events, with whatever is reversed or removed under the clause of its cause (reading 196)."""
    return [
        replace(event, clause=cited.clause, reading=cited.reading)
        if isinstance(event, round_events.SettlementReversed | round_events.RaiseRestored | round_events.HandRemoved)
        else event
        for event in events
    ]


def after(state: Round, events: Sequence[round_events.Event]) -> Round:
    """The round after these events."""
    for event in events:
        state = evolve(state, event)
    return state
