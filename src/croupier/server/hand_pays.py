"""Awards that are paid by hand: what waits at the tables, and the slip that the cage makes out for each."""

from __future__ import annotations

from msgspec import Struct

from croupier.errors import RuleViolation
from croupier.house import HandPaySlip
from croupier.house.commands import MakeHandPaySlip
from croupier.money import Cents
from croupier.server.callers import Caller, NotFound
from croupier.server.desk import Desk
from croupier.table import cited_duty, open_awards

__all__ = ["HandPay", "hand_pays_for", "make_slip"]


class HandPay(Struct, frozen=True, kw_only=True):
    """An award that waits to be paid by hand."""

    table: str
    round: int
    seat: int
    patron: str
    amount: Cents
    meter: str
    status: str
    verified_by: str
    slip: HandPaySlip | None


def hand_pays_for(desk: Desk, caller: Caller) -> list[HandPay]:
    """Every award of the house that waits to be paid by hand."""
    caller.must_be_person()
    caller.must_read("hand_pays")
    slips = desk.house.state.floor.slips
    found = []
    for watched in desk.hall.tables():
        table = watched.table
        number = table.played + 1
        for award in open_awards(table):
            if not award.handpay:
                continue
            slip = slips.get((table.id, number, award.seat))
            found.append(
                HandPay(
                    table=table.id,
                    round=number,
                    seat=award.seat,
                    patron=award.patron,
                    amount=award.amount,
                    meter=award.meter,
                    status=award.status,
                    verified_by=award.verified_by,
                    slip=slip if slip is not None and slip.amount == award.amount else None,
                )
            )
    return found


async def make_slip(desk: Desk, caller: Caller, table: str, seat: int, *, reference: str, key: str) -> HandPaySlip:
    """Make out the slip of an award that the floor has validated."""
    desk.doors.acting_role(caller, "make_hand_pay_slip")
    waiting = next((pay for pay in hand_pays_for(desk, caller) if (pay.table, pay.seat) == (table, seat)), None)
    if waiting is None:
        raise NotFound("no award waits there to be paid by hand")
    if waiting.status != "validated":
        cited = cited_duty(desk.table(table).table.house, "validate_award")
        words = (
            f"the award at seat {seat} is {waiting.status}: the floor validates it before the cage makes out the slip"
        )
        raise RuleViolation("out_of_order", words, clause=cited.clause, reading=cited.reading)
    command = MakeHandPaySlip(
        table=table,
        round=waiting.round,
        seat=seat,
        person=waiting.patron,
        amount=waiting.amount,
        reference=reference,
    )
    await desk.give_house(caller, command, key)
    return desk.house.state.floor.slips[table, waiting.round, seat]
