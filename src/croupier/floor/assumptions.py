"""What the simulation of a table's whole procedure assumes: `assumptions.toml`, or what a user has measured instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import Malformed
from croupier.games import actions, card_counts
from croupier.money import MILLION
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Duty, Irregularity, WagerName
from croupier.rulebook.schema import Cited
from croupier.simulation import Plan
from croupier.table import Table, commands, devices_of
from croupier.table_speed import HOUR, card_step, round_seconds, shuffle_step, step_seconds

__all__ = ["Floor", "FoundDuring", "IncidentRate", "cited", "floor_of", "seconds_of", "wagers_staked"]

DAY: Final = 24 * HOUR
ALL: Final = "all"
COUNTING: Final = {"automated_counting", "continuous"}
WAITING: Final = {"shuffled", "cut", "loaded"}
"""How far a deck has come that can be dealt while the other is shuffled."""

FoundDuring: TypeAlias = Literal["deal", "stub", "play", "settlement", "preparation"]
Remedy: TypeAlias = Literal["rule", "rule_on_seat", "set_aside", "count", "jam", "miscount", "device"]


class ProcedureStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of procedure, and how long a table takes for it."""

    name: str
    seconds: Fraction | None = None
    """None in the file for a step of every round, which `table_speed.toml` has."""
    of: tuple[Duty, ...] = ()
    """The commands that are such a step."""


class IncidentRate(Struct, frozen=True, forbid_unknown_fields=True):
    """An irregularity: in how many of a million rounds it happens, when it is found, what is done then."""

    name: Irregularity
    rate: int
    found: FoundDuring
    done: Remedy
    needs: str = ""
    """A slot that gets cards, or a device; a table without it is spared."""


class Floor(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of procedure, and the irregularities that can happen at a house."""

    step: tuple[ProcedureStep, ...]
    chance: tuple[IncidentRate, ...]


@cache
def _assumed() -> Floor:
    text = (files("croupier.floor") / "assumptions.toml").read_bytes()
    return msgspec.toml.decode(text, type=Floor, dec_hook=lambda kind, value: kind(value))


def floor_of(
    plan: Plan,
    *,
    rates: Mapping[str, int] | None = None,
    seconds: Mapping[str, int] | None = None,
    rounds_per_hour: int | None = None,
) -> Floor:
    """The floor for a plan; `rates` (in millionths, `all` for the rest) and `seconds` replace what is assumed.

    With `rounds_per_hour` the steps of every round are faster or slower in proportion.

    >>> from croupier.rulebook import check, read_submission
    >>> from croupier.simulation import sit
    >>> house = check(read_submission({"rulebook": "md-high-card-flush"})).rules()
    >>> plan = Plan(house=house, seats=(sit(1, ante=1000),))
    >>> [chance.name for chance in floor_of(plan, rates={"all": 0, "foreign_card": 50}).chance if chance.rate]
    ['foreign_card']
    """
    floor, rates, seconds = _assumed(), rates or {}, seconds or {}
    here = [chance for chance in floor.chance if _can_happen(plan, chance)]
    _check_names("--rate", rates, (ALL, *(chance.name for chance in here)))
    _check_names("--seconds", seconds, [step.name for step in floor.step])
    chances = tuple(replace(chance, rate=rates.get(chance.name, rates.get(ALL, chance.rate))) for chance in here)
    if low := [chance for chance in chances if chance.rate < 0]:
        raise Malformed(f"--rate: {low[0].name} has a negative rate")
    if (total := sum(chance.rate for chance in chances)) > MILLION:
        raise Malformed(f"--rate: {total / MILLION:.4%} in total, but a round has at most one irregularity")
    if wrong := [name for name, given in seconds.items() if not 0 <= given <= DAY]:
        raise Malformed(f"--seconds: {wrong[0]} takes from 0 to {DAY} seconds")
    return Floor(_steps(floor, plan, seconds, rounds_per_hour), chances)


def _steps(
    floor: Floor, plan: Plan, seconds: Mapping[str, int], rounds_per_hour: int | None
) -> tuple[ProcedureStep, ...]:
    routine = {**step_seconds()} | {name: Fraction(given) for name, given in seconds.items() if name in step_seconds()}
    if rounds_per_hour is not None:
        model = round_seconds(plan.house, len(plan.seats), routine)
        if not model:
            raise Malformed("--seconds: a round takes no time at all, so --rounds-per-hour cannot scale it")
        routine = {name: each * HOUR / rounds_per_hour / model for name, each in routine.items()}
    given = {name: Fraction(each) for name, each in seconds.items()} | routine
    return tuple(replace(step, seconds=given.get(step.name, step.seconds)) for step in floor.step)


def _check_names(option: str, given: Collection[str], known: Collection[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        raise Malformed(f"{option}: unknown name {unknown[0]!r}; choose from {', '.join(known)}")


def _can_happen(plan: Plan, chance: IncidentRate) -> bool:
    """Whether the document covers it and this table has what it affects."""
    house = plan.house
    rows = house.rulebook.irregularities.irregularity
    known = any(row.event == chance.name and (not row.deal or house.deal in row.deal) for row in rows)
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
    """The wagers that somebody bets."""
    return {name for seat in plan.seats for name, _ in seat.stakes}


def cited(house: HouseRules, name: Irregularity) -> Cited:
    """The clause of an irregularity in the chapter of this house's dealing method."""
    row = next(row for row in house.rulebook.irregularities.irregularity if row.event == name)
    ruling = row.on(house.deal)
    return Cited(clause=ruling.clause, reading=ruling.reading or row.reading)


# --- time


def seconds_of(floor: Floor, table: Table, command: Any) -> Fraction:  # noqa: ANN401 - whatever is commanded
    """How long a table takes for a command.

    A player who folds is given the rest of a player's time at once: the model's seconds are averages over all players.
    """
    seconds = _by_command(floor.step)
    match command:
        case commands.PlaceWager() if table.round is not None:
            return Fraction(0)  # everybody bets at the same time
        case commands.ShuffleDeck():
            ready = any(deck.stage in WAITING for deck in table.cards.decks if deck.id != command.deck)
            return seconds[shuffle_step(table.house, second_deck=ready)]
        case commands.DealCards():
            return command.number * seconds[card_step(table.house)]
        case commands.Decide(choice="fold"):
            return seconds["decide"] * _decisions_left(table) + seconds["settle"]
        case actions.Settle() if command.what != "hand" or _folded(table, command.seat):
            return Fraction(0)
    return seconds.get(command.__struct_config__.tag, Fraction(0))


def _decisions_left(table: Table) -> int:
    """How many decisions the player to act has left, including this one."""
    state = table.round
    if state is None or state.at.choice is None:
        return 1
    choices = state.rules.house.rulebook.play.choice
    return len(choices) - choices.index(state.at.choice)


def _folded(table: Table, seat: int) -> bool:
    return table.round is not None and any(box.seat == seat and box.folded_on is not None for box in table.round.boxes)


@cache
def _by_command(steps: tuple[ProcedureStep, ...]) -> dict[str, Fraction]:
    """The seconds by command, and by step where a command alone does not decide it."""
    return {name: step.seconds or Fraction(0) for step in steps for name in step.of or (step.name,)}
