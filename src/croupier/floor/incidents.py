"""How an irregularity happens at a table: drawn before the round, found at its moment, then handled by the staff.

A table refuses what cannot have happened; the round continues, and it is tried again at the next opportunity.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.assumptions import FoundDuring, IncidentRate, wagers_staked
from croupier.games import Round, actions, deal_order
from croupier.money import MILLION
from croupier.simulation import Plan, ScriptedRound
from croupier.table import Person, Request, Table, commands, devices_of, irregularity_row, stub_expected, stub_open

__all__ = ["Incident", "acts_now", "draw"]

Acts: TypeAlias = Sequence[tuple[Person, commands.Command]]


class Incident(NamedTuple):
    """An irregularity that is to happen in a round, with everything about it that is left to chance."""

    chance: IncidentRate
    seat: int
    decision: int
    """The number of the decision at which it is found, where it is found in play."""
    cards: int
    """How many cards have been dealt when it is found, where it is found in the deal."""
    aside: Card
    """The card that is set aside, where one is."""


def draw(plan: Plan, chances: Sequence[IncidentRate], number: int, script: ScriptedRound) -> Incident | None:
    """The incident of the round with this number, or None; only the seed and the number decide."""
    dice = random.Random(f"irregularity {plan.seed} {number}")  # noqa: S311 - a simulation
    mark = dice.randrange(MILLION)
    for chance in chances:
        mark -= chance.rate
        if mark < 0:
            seats = [seat.number for seat in plan.seats]
            dealt = len(deal_order(plan.house, seats=seats, staked=wagers_staked(plan)))
            decision = dice.randrange(len(plan.house.rulebook.play.choice))
            return Incident(chance, dice.choice(seats), decision, dice.randrange(1, dealt), script.cards[dealt])
    return None


def acts_now(incident: Incident, table: Table, coming: Request | None) -> Acts:
    """The commands to give if this is its moment; `coming` is what the staff do next."""
    if not _MOMENTS[incident.chance.found](incident, table):
        return []
    return _DONE[incident.chance.done](incident, table, coming)


# --- when


def _in_the_deal(incident: Incident, table: Table) -> bool:
    state = table.round
    return state is not None and state.at.kind == "deal" and state.cards.dealt == incident.cards


def _at_the_stub(_: Incident, table: Table) -> bool:
    return stub_open(table) and table.cards.stub == "out"


def _in_play(incident: Incident, table: Table) -> bool:
    state = table.round
    if state is None or state.at.choice is None or stub_open(table):
        return False
    return state.rules.house.rulebook.play.choice.index(state.at.choice) >= incident.decision


def _at_settlement(_: Incident, table: Table) -> bool:
    return table.round is not None and table.round.at.kind == "settle"


def _in_preparation(_: Incident, table: Table) -> bool:
    return table.round is None


_MOMENTS: Final[dict[FoundDuring, Callable[[Incident, Table], bool]]] = {
    "deal": _in_the_deal,
    "stub": _at_the_stub,
    "play": _in_play,
    "settlement": _at_settlement,
    "preparation": _in_preparation,
}

# --- what


def _floorperson(table: Table) -> Person:
    return Person("floorperson", table.people.floor[0])


def _dealer(table: Table) -> Person:
    return Person("dealer", table.people.dealer)


def _rule(incident: Incident, table: Table, _: Request | None) -> Acts:
    return [(_floorperson(table), actions.Rule(incident.chance.name))]


def _rule_on_seat(incident: Incident, table: Table, _: Request | None) -> Acts:
    return [(_floorperson(table), actions.Rule(incident.chance.name, incident.seat))]


def _set_aside(incident: Incident, table: Table, _: Request | None) -> Acts:
    return [(_dealer(table), actions.SetAside(incident.chance.name, incident.aside))]  # type: ignore[arg-type]


def _count(incident: Incident, table: Table, _: Request | None) -> Acts:
    """The stub lacks a card: a seat has it, or nobody."""
    state, dealer = table.round, _dealer(table)
    if state is None:
        return []
    extra = incident.seat if incident.chance.name == "stub_wrong_misdealt" else 0
    return [(dealer, commands.CountStub(stub_expected(state) - 1)), (dealer, _holdings(state, extra))]


def _holdings(state: Round, extra: int) -> commands.ReportHoldings:
    """The cards on the table, with one too many at one seat."""
    plan = state.cards.plan
    return commands.ReportHoldings(
        {seat: len(places) + (seat == extra) for seat, places in plan.own.items()},
        community=len(plan.slots["community"]) or None,
        six_card_box=len(plan.slots["six_card_box"]) or None,
        dealer=len(plan.slots["dealer"]) or None,
    )


def _jam(_: Incident, table: Table, __: Request | None) -> Acts:
    """The deck shuffled last must be shuffled again."""
    return [(_dealer(table), commands.ReportJam(deck.id)) for deck in table.cards.decks if deck.stage == "shuffled"][:1]


def _miscount(_: Incident, table: Table, coming: Request | None) -> Acts:
    """The shuffler counts one card short; the deck must be removed."""
    if coming is None or not isinstance(coming.command, commands.ShuffleDeck) or coming.command.counted is None:
        return []
    return [(_dealer(table), replace(coming.command, counted=coming.command.counted - 1))]


def _device(_: Incident, table: Table, coming: Request | None) -> Acts:
    """A device is put out of service as the document has it, and another one comes; nobody plays meanwhile."""
    if coming is not None:
        return []
    device, how = next(iter(devices_of(table.house))), irregularity_row(table, "device_unusable").attest[0]
    floorperson = _floorperson(table)
    return [(floorperson, commands.TakeOutDevice(device, how)), (floorperson, commands.RestoreDevice(device))]


_DONE: Final[dict[str, Callable[[Incident, Table, Request | None], Acts]]] = {
    "rule": _rule,
    "rule_on_seat": _rule_on_seat,
    "set_aside": _set_aside,
    "count": _count,
    "jam": _jam,
    "miscount": _miscount,
    "device": _device,
}
