"""What may be bet at a table and what it pays, for programs: what the sign above the table says in words."""

from __future__ import annotations

from typing import Final

from litestar import get
from msgspec import Struct

from croupier.money import format_dollars
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.schema import Line, Paytable
from croupier.server.api.answers import LimitsOfWager, Money
from croupier.server.api.parameters import Name, TheCaller, TheDesk
from croupier.server.described import ANYBODY, answers

__all__ = ["ROUTES"]


class ToldLine(Struct):
    """A hand and what it pays, as printed."""

    hand: str
    pays: str


class ToldPaytable(Struct):
    """A paytable with the clause that it is printed in."""

    id: str
    clause: str
    lines: list[ToldLine]
    players: int | None
    """For how many players it is, where their number decides."""


class ToldWager(Struct):
    """A wager that the table offers."""

    wager: str
    limits: LimitsOfWager | None
    """Without limits it follows another bet: `multiples` of it, or as the hand allows."""
    multiples: list[int]
    paytables: list[ToldPaytable]
    meters: list[str]
    envy: list[ToldLine]


class ToldRules(Struct):
    """The rules in force at a table, by the hash that every round is recorded with."""

    rulebook: str
    rules: str
    seats: int
    boxes: int
    """Boxes side by side that a player may take."""
    payout_limit: Money | None
    wagers: list[ToldWager]


@get(
    "/tables/{table_id:str}/rules",
    summary="What may be bet at a table, and what it pays",
    responses=answers(ToldRules, 401, 404),
    security=ANYBODY,
)
async def see_rules(desk: TheDesk, caller: TheCaller, table_id: Name) -> ToldRules:
    """Every wager with its limits and its paytable as printed."""
    del caller  # the same for everybody: it hangs above the table
    return _told(desk.table(table_id).table.house)


def _told(house: HouseRules) -> ToldRules:
    return ToldRules(
        rulebook=house.rulebook.id,
        rules=house.hash,
        seats=house.seats,
        boxes=house.boxes,
        payout_limit=format_dollars(house.payout_limit) if house.payout_limit is not None else None,
        wagers=[_wager(wager) for wager in house.wagers],
    )


def _wager(wager: HouseWager) -> ToldWager:
    stakes = wager.stakes
    return ToldWager(
        wager=wager.name,
        limits=LimitsOfWager(*map(format_dollars, (stakes.minimum, stakes.maximum, stakes.increment)))
        if stakes is not None
        else None,
        multiples=[*wager.multiples],
        paytables=[_paytable(paytable) for paytable in wager.paytables],
        meters=[meter.name for meter in wager.meters],
        envy=_lines(wager.envy.line) if wager.envy is not None else [],
    )


def _paytable(paytable: Paytable) -> ToldPaytable:
    return ToldPaytable(id=paytable.id, clause=paytable.clause, lines=_lines(paytable.line), players=paytable.players)


def _lines(lines: tuple[Line, ...]) -> list[ToldLine]:
    return [ToldLine(line.hand, line.pays) for line in lines]


ROUTES: Final = [see_rules]
