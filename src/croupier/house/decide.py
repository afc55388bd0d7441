"""What each command of the house demands, and what it leads to: a pure function of the house as it stands."""

from __future__ import annotations

from typing import Final

from croupier.house import commands
from croupier.house.commands import THE_HOUSE, HouseRequest, about, name_of
from croupier.house.floor_steps import FLOOR_STEPS
from croupier.house.people_steps import PEOPLE_STEPS
from croupier.house.refusals import LONGEST_NOTE, refuse
from croupier.house.rights import acting_role, needs_second_factor
from croupier.house.state import HouseState
from croupier.house.table_steps import TABLE_STEPS
from croupier.ledger import Author, HouseEvent

__all__ = ["author_of", "decide"]

_STEPS: Final = PEOPLE_STEPS | TABLE_STEPS | FLOOR_STEPS


def decide(state: HouseState, request: HouseRequest) -> tuple[Author, tuple[HouseEvent, ...]]:
    """Who gives the command, in which role, and the events it leads to; `RuleViolation` if it is refused."""
    if len(request.reason) > LONGEST_NOTE:
        raise refuse("too_long", f"a reason has at most {LONGEST_NOTE} characters")
    author = author_of(state, request)
    return author, _STEPS[type(request.command)](state, request.command, request)


def author_of(state: HouseState, request: HouseRequest) -> Author:
    """The role in which somebody gives a command; refused if they have none that may."""
    command, name = request.command, name_of(request.command)
    if isinstance(command, commands.BeginHouse):
        if request.by != THE_HOUSE or state.begun:
            raise refuse("begun_before", "a house begins once, at its first start")
        return Author("house", THE_HOUSE)
    if isinstance(command, commands.SignUp):
        if not state.demo or request.by != command.person:
            raise refuse("not_theirs", "players sign up in a demo alone; otherwise the cashier makes their account")
        return Author("player", command.person)
    if isinstance(command, commands.RescueOperator):
        if request.by != THE_HOUSE:
            raise refuse("not_theirs", "this is for whoever runs the machine: croupier store operator-password")
        return Author("house", THE_HOUSE)
    person = state.people.get(request.by)
    if person is None:
        raise refuse("unknown_person", f"{request.by} has no account here")
    to_player = command.roles == ("player",) if isinstance(command, commands.AddPerson) else None
    role = acting_role(state, person, name, about(command), about_player=to_player)
    if needs_second_factor(state, person, name, about(command)) and not request.factor:
        words = "sign in with your second factor" if person.second_factor else "set up a second factor"
        raise refuse("second_factor", f"{words} first: whoever moves money or rules needs one")
    return Author(role, person.id)
