"""The first start of a house: one operator with a password that is told once; or a demo with everything in it.

Both can be called at every start: what is there already stays as it is.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.errors import RuleViolation
from croupier.house import commands
from croupier.house.commands import THE_HOUSE, HouseCommand, HouseRequest
from croupier.house.passwords import random_password
from croupier.house.people import People
from croupier.house.refusals import refuse
from croupier.ledger import HouseRole
from croupier.rulebook import (
    PapersTerms,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
    starting_submission,
    submission_text,
)

__all__ = [
    "DEMO_ACCOUNTS",
    "DEMO_PASSWORD",
    "DEMO_PATRONS",
    "DemoAccount",
    "FirstOperator",
    "demo",
    "demo_patrons",
    "first_start",
]

DEMO_PASSWORD: Final = "play chips only"  # noqa: S105 - of a demo that only this machine reaches
OPERATOR: Final = "operator"
REGULATOR: Final = "regulator"
_PHYSICAL: Final = "md-mississippi-stud"
"""The rulebook of the table with real cards."""
_BOXES: Final = 2
"""Boxes that a player of a demo may take side by side, where the document leaves it to the operator."""
_DECISION: Final = 30
"""Seconds that a player of a demo has to decide."""
_HELP_LINE: Final = "Gambling problem? Call or text 1-800-GAMBLER."
"""A demo's signs and pages name the number that answers in every state."""
DEMO_ACCOUNTS: Final[tuple[tuple[str, HouseRole], ...]] = (
    ("operator", "operator"),
    ("regulator", "regulator"),
    ("auditor", "auditor"),
    ("cashier", "cashier"),
    ("dealer", "dealer"),
    ("floorperson", "floorperson"),
    ("supervisor", "supervisor"),
    ("pit manager", "pit_manager"),
    ("shift manager", "shift_manager"),
    ("ann", "player"),
    ("bob", "player"),
)
"""The people of a demo: a name and a role each."""

DEMO_PATRONS: Final = ("patron 1", "patron 2", "patron 3")
"""Players of a demo who play by themselves: few enough to leave seats free."""


class FirstOperator(NamedTuple):
    """The first operator of a house; the password is told once."""

    name: str
    password: str


class DemoAccount(NamedTuple):
    """Somebody in a demo; a random password is told when it is made and never again, nor one that was changed."""

    name: str
    role: HouseRole
    password: str | None


async def first_start(people: People, at: datetime, *, time_zone: str = "UTC") -> FirstOperator | None:
    """Make the first operator of an empty house, with a random password; None if there is one already."""
    first = FirstOperator(OPERATOR, random_password())
    state = await people.house.load()
    if state.begun:
        credential = await people.credentials.of(demo_id(OPERATOR))
        if demo_id(OPERATOR) not in state.operators() or (credential is not None and credential.password):
            return None
        # The first start was cut off after it was recorded: nobody could ever sign in.
        operator = state.people[demo_id(OPERATOR)]
        if operator.second_factor or state.is_expired(operator, at):  # this password begins today
            lost = operator.second_factor  # erased with the name
            rescue = commands.RescueOperator(person=operator.id, remove_second_factor=lost)
            await people.house.give(HouseRequest(by=THE_HOUSE, at=at, command=rescue))
        await people.credentials.reserve(demo_id(OPERATOR), first.name, at)
        await people.credentials.set_password(demo_id(OPERATOR), first.password, at)
        return first
    begin = commands.BeginHouse(operator=demo_id(OPERATOR), time_zone=time_zone)
    await people.begin(first.name, first.password, begin, at)
    return first


async def demo(people: People, at: datetime, *, well_known: bool, time_zone: str = "UTC") -> tuple[DemoAccount, ...]:
    """A house to try: an account for each role, an approved submission for each rulebook, and tables that run.

    With `well_known` everybody has the same password, which is printed in the handbook: only for a demo that nobody
    else can reach.
    """
    state = await people.house.load()
    if state.begun and not state.demo:
        raise refuse("not_a_demo", "this store is a real house: a demo needs a store of its own")
    if not state.begun:
        begin = commands.BeginHouse(operator=demo_id(OPERATOR), demo=True, time_zone=time_zone)
        await people.house.give(HouseRequest(by=THE_HOUSE, at=at, command=begin))
    passwords = [DEMO_PASSWORD if well_known else random_password() for _ in DEMO_ACCOUNTS]
    theirs = await asyncio.gather(
        *[
            _account(people, *account, password, at=at)
            for account, password in zip(DEMO_ACCOUNTS, passwords, strict=True)
        ]
    )
    for book in rulebook_ids():
        await _submission(people, book, _text(book, every_wager=True), at)
    await _submission(people, f"{_PHYSICAL}-by-hand", _text(_PHYSICAL, every_wager=False), at)
    for number, book in enumerate(rulebook_ids(), 1):
        await _table(people, commands.MakeTable(table=str(number), submission=book, version=1), at)
    by_hand = commands.MakeTable(
        table=str(len(rulebook_ids()) + 1),
        submission=f"{_PHYSICAL}-by-hand",
        version=1,
        kind="physical",
        dealer="person",
        pace=0,
    )
    await _table(people, by_hand, at)
    return tuple(
        DemoAccount(*account, password if is_theirs else None)
        for account, password, is_theirs in zip(DEMO_ACCOUNTS, passwords, theirs, strict=True)
    )


async def demo_patrons(people: People, at: datetime) -> str:
    """Make the automatic patrons of a demo; returns the password that they have from now on, told to nobody else."""
    password = random_password()
    for name in DEMO_PATRONS:
        person = demo_id(name)
        if person not in people.house.state.people:
            with suppress(RuleViolation):  # somebody else has this name already
                await people.add(name, password, ("player",), by=demo_id(OPERATOR), at=at, person=person)
            continue
        await people.credentials.reserve(person, name, at)
        await people.credentials.set_password(person, password, at)
        await people.sessions.end_all(person)
    return password


def demo_id(name: str) -> str:
    """The id of somebody in a demo.

    >>> demo_id("pit manager")
    'pit-manager-1'
    """
    return f"{name.replace(' ', '-')}-1"


async def _account(people: People, name: str, role: HouseRole, password: str, *, at: datetime) -> bool:
    """Make an account of a demo, or finish one that was begun; whether this is its password."""
    person = demo_id(name)
    credential = await people.credentials.of(person)
    if credential is not None and credential.password:
        well_known = await people.credentials.is_password(credential, DEMO_PASSWORD)
        if well_known and password != DEMO_PASSWORD:  # from now on others can reach this demo
            await people.credentials.set_password(person, password, at)
            await people.sessions.end_all(person)
            return True
        return well_known
    if person in people.house.state.people:
        await people.credentials.reserve(person, name, at)
        await people.credentials.set_password(person, password, at)
    else:
        await people.add(name, password, (role,), by=demo_id(OPERATOR), at=at, person=person)
    return True


def _text(book: str, *, every_wager: bool) -> str:
    text = starting_submission(load_rulebook(book), every_wager=every_wager)
    filed = read_submission_text(text, name=book)
    readings = filed.readings | {"decision.timeout": _DECISION}  # an absent player holds nobody up for long
    several = load_rulebook(book).table.boxes.limit == "submission"
    boxes = _BOXES if several and every_wager else filed.boxes
    papers = replace(filed.papers or PapersTerms(), help_line=_HELP_LINE)
    return submission_text(replace(filed, operator="Demo house", boxes=boxes, readings=readings, papers=papers))


async def _submission(people: People, name: str, text: str, at: datetime) -> None:
    filed = people.house.state.submissions.get((name, 1))
    if filed is None:
        await _give(people, OPERATOR, commands.DraftSubmission(name=name, submission=text), at)
    if filed is None or filed.status == "drafted":
        await _give(
            people, REGULATOR, commands.ApproveSubmission(name=name, version=1, note="For the demonstration"), at
        )


async def _table(people: People, command: commands.MakeTable, at: datetime) -> None:
    if command.table not in people.house.state.tables:
        await _give(people, OPERATOR, command, at)
    if people.house.state.tables[command.table].run == "new":
        await _give(people, OPERATOR, commands.OpenPlay(table=command.table), at)


async def _give(people: People, name: str, command: HouseCommand, at: datetime) -> None:
    await people.house.give(HouseRequest(by=demo_id(name), at=at, command=command))
