"""What a procedure load assumes of a gaming floor: `assumptions.toml`, and what a user has measured instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import Malformed
from croupier.games.dealing import card_counts
from croupier.money import MILLION
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Duty, Irregularity, WagerName
from croupier.rulebook.schema import Cited
from croupier.simulation.plan import Plan
from croupier.table import Table, commands
from croupier.table.state import devices_of

__all__ = ["Floor", "Found", "IncidentRate", "cited", "floor_of", "seconds_of", "wagers_staked"]

DAY: Final = 24 * 60 * 60
ALL: Final = "all"
COUNTING: Final = {"automated_counting", "continuous"}
WAITING: Final = {"shuffled", "cut", "loaded"}
"""How far a deck has come that can be dealt while the other is shuffled."""

Found: TypeAlias = Literal["deal", "stub", "play", "settlement", "preparation"]
Done: TypeAlias = Literal["rule", "rule_on_seat", "set_aside", "count", "jam", "miscount", "device"]


class ProcedureStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of procedure, and how long a table takes for it."""

    name: str
    seconds: int
    of: tuple[Duty, ...] = ()
    """The commands that are such a step."""


class IncidentRate(Struct, frozen=True, forbid_unknown_fields=True):
    """An irregularity: in how many of a million rounds it happens, when it is found, what is done then."""

    name: Irregularity
    rate: int
    found: Found
    done: Done
    needs: str = ""
    """A slot that gets cards, or a device; without it the irregularity cannot befall a table."""


class Floor(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps, and the irregularities that can befall a house."""

    step: tuple[ProcedureStep, ...]
    chance: tuple[IncidentRate, ...]


@cache
def _assumed() -> Floor:
    return msgspec.toml.decode((files("croupier.floor") / "assumptions.toml").read_bytes(), type=Floor)


def floor_of(plan: Plan, *, rates: Mapping[str, int] | None = None, seconds: Mapping[str, int] | None = None) -> Floor:
    """The floor for a plan; `rates` (in millionths, `all` for the rest) and `seconds` replace what is assumed.

    >>> from croupier.rulebook import check, read_submission
    >>> from croupier.simulation.plan import sit
    >>> house = check(read_submission({"rulebook": "md-high-card-flush"})).rules()
    >>> plan = Plan(house=house, seats=(sit(1, ante=1000),))
    >>> [one.name for one in floor_of(plan, rates={"all": 0, "foreign_card": 50}).chance if one.rate]
    ['foreign_card']
    """
    floor, rates, seconds = _assumed(), rates or {}, seconds or {}
    here = [one for one in floor.chance if _befalls(plan, one)]
    _check_names("--rate", rates, (ALL, *(one.name for one in here)))
    _check_names("--seconds", seconds, [one.name for one in floor.step])
    chances = tuple(replace(one, rate=rates.get(one.name, rates.get(ALL, one.rate))) for one in here)
    if low := [one for one in chances if one.rate < 0]:
        raise Malformed(f"--rate: {low[0].name} has a rate below nothing")
    if (total := sum(one.rate for one in chances)) > MILLION:
        raise Malformed(f"--rate: {total / MILLION:.4%} in all, and a round has one irregularity at most")
    if wrong := [name for name, given in seconds.items() if not 0 <= given <= DAY]:
        raise Malformed(f"--seconds: {wrong[0]} takes from 0 to {DAY} seconds")
    return Floor(tuple(replace(one, seconds=seconds.get(one.name, one.seconds)) for one in floor.step), chances)


def _check_names(option: str, given: Collection[str], known: Collection[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        raise Malformed(f"{option}: {unknown[0]!r} is none of {', '.join(known)}")


def _befalls(plan: Plan, chance: IncidentRate) -> bool:
    """Whether the document knows it and this table has what it befalls."""
    house = plan.house
    rows = house.rulebook.irregularities.irregularity
    known = any(one.event == chance.name and (not one.deal or house.deal in one.deal) for one in rows)
    return known and chance.needs in {"", *_has(plan)}


def _has(plan: Plan) -> list[str]:
    """The places that get cards at this table, and its devices."""
    devices = devices_of(plan.house)
    return [
        *card_counts(plan.house, staked=wagers_staked(plan)),
        *devices,
        *(["device"] if devices else []),
        *(["counting_shuffler"] if plan.house.shuffle in COUNTING else []),
    ]


def wagers_staked(plan: Plan) -> set[WagerName]:
    """The wagers on which somebody stakes."""
    return {name for seat in plan.seats for name, _ in seat.stakes}


def cited(house: HouseRules, name: Irregularity) -> Cited:
    """The clause of an irregularity in the chapter of this house's way to deal."""
    row = next(one for one in house.rulebook.irregularities.irregularity if one.event == name)
    found = row.on(house.deal)
    return Cited(clause=found.clause, reading=found.reading or row.reading)


# --- time


def seconds_of(floor: Floor, table: Table, command: Any) -> int:  # noqa: ANN401 - whatever is commanded
    """How long a table takes for a command."""
    seconds = _by_command(floor.step)
    match command:
        case commands.PlaceWager() if table.round is not None:
            return 0  # they all bet at the same time
        case commands.ShuffleDeck():
            return seconds[_shuffle(table, command.deck)]
        case commands.DealCards():
            return command.number * seconds["deal"]
    return seconds.get(command.__struct_config__.tag, 0)


def _shuffle(table: Table, deck: str) -> str:
    """Who shuffles, and whether the table waits for it."""
    if table.house.shuffle == "manual":
        return "shuffle_by_hand"
    other = any(one.stage in WAITING for one in table.decks if one.id != deck)
    return "shuffle_meanwhile" if other or table.house.shuffle == "continuous" else "shuffle_by_device"


@cache
def _by_command(steps: tuple[ProcedureStep, ...]) -> dict[str, int]:
    """The seconds by command, and by step where a command is none of its own."""
    return {name: step.seconds for step in steps for name in step.of or (step.name,)}
