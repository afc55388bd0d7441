"""A new password for an operator who cannot sign in, from whoever runs the machine; the record has it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.house import commands
from croupier.house.commands import THE_HOUSE, HouseRequest
from croupier.house.passwords import random_password
from croupier.house.people import People
from croupier.house.refusals import refuse

__all__ = ["RescuedOperator", "rescue_operator"]


class RescuedOperator(Struct, frozen=True, kw_only=True):
    """An operator with a new password, to be handed over once."""

    name: str
    password: str
    until: datetime | None
    """Until when it works, unless it is changed."""
    second_factor: bool
    """Whether a second factor is asked for as well."""


async def rescue_operator(
    people: People, name: str = "", *, at: datetime, remove_second_factor: bool = False
) -> RescuedOperator:
    """Give an operator a new password and end their sessions; without a name, the only operator.

    Whoever can do this has the machine, the store and the house's key. Nothing else is restored.
    """
    state = await people.house.load()
    if not state.begun:
        raise refuse("not_begun", "no house has begun in this store: its first start makes an operator")
    person = await _operator(people, name)
    credential = await people.credentials.of(person)
    if credential is None:  # their name and second factor were erased: they sign in with their id
        await people.credentials.reserve(person, person, at)
    lost = remove_second_factor or (credential is None and state.people[person].second_factor)
    command = commands.RescueOperator(person=person, remove_second_factor=lost)
    await people.house.give(HouseRequest(by=THE_HOUSE, at=at, command=command))
    if lost:
        await people.credentials.remove_second_factor(person)
    password = random_password()
    await people.credentials.set_password(person, password, at)
    await people.sessions.end_all(person)
    after = people.house.state
    return RescuedOperator(
        name=(await people.names()).get(person, person),
        password=password,
        until=after.password_until(after.people[person]),
        second_factor=after.people[person].second_factor,
    )


async def _operator(people: People, name: str) -> str:
    """The id of the operator with this name or id; refused in one line that says who there is."""
    state, names = people.house.state, await people.names()
    if name:
        credential = await people.credentials.find(name)
        person = credential.person if credential is not None else name
        if person in state.people and "operator" in state.people[person].roles:
            return person
    operators = state.operators()
    if not name and len(operators) == 1:
        return operators[0]
    here = ", ".join(names.get(person, person) for person in operators)
    if name:
        raise refuse("not_an_operator", f"{name.strip()} is not an operator of this house: {here}")
    raise refuse("several_operators", f"this house has several operators, name one with --name: {here}")
