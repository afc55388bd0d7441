"""The floor and the cage: disputes and their answers, hand pays and their slips, the gaming day so far."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from croupier.house import Dispute, HandPaySlip
from croupier.money import Cents, format_dollars
from croupier.server.api.floor_answers import ToldDispute, ToldHandPay, ToldShift, ToldSlip
from croupier.server.api.parameters import Key, Label, Name, Number, TheCaller, TheDesk
from croupier.server.described import SOMEBODY, answers
from croupier.server.disputes import Disputed, answer_dispute, dispute_for, disputes_for, raise_dispute
from croupier.server.hand_pays import HandPay, hand_pays_for, make_slip
from croupier.server.shift import ShiftRow, shift_for
from croupier.server.shown import shown_time

__all__ = ["ROUTES"]

Said = Annotated[str, Meta(min_length=1, max_length=2000)]


class NewDispute(Struct, forbid_unknown_fields=True):
    """A round that is disputed; without its number, the last one that the player was in at the table."""

    table: Label
    words: Said
    round: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    seat: Annotated[int, Meta(ge=0, le=100)] = 0
    person: Annotated[str, Meta(max_length=60, description="the player, where the floor raises it")] = ""


class DisputeReply(Struct, forbid_unknown_fields=True):
    """Whether the settlement stands, and why."""

    stands: bool
    words: Said


class NewSlip(Struct, forbid_unknown_fields=True):
    """The number of the slip."""

    reference: Annotated[str, Meta(min_length=1, max_length=100)]


@get(
    "/disputes",
    summary="Disputes, those that wait for an answer first",
    responses=answers(list[ToldDispute], 401),
    security=SOMEBODY,
)
async def list_disputes(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """A player's own; the floor, officials and auditors read all."""
    return [_dispute(dispute) for dispute in disputes_for(desk, caller)]


@post(
    "/disputes",
    summary="Dispute a round",
    responses=answers(ToldDispute, 401, 404, 409, 413, 503, status=201),
    security=SOMEBODY,
)
async def new_dispute(desk: TheDesk, caller: TheCaller, data: JSONBody[NewDispute], key: Key = "") -> dict[str, Any]:
    """By a player about a round of theirs, or by the floor for a player."""
    about = Disputed(data.table, data.round, data.seat, data.person)
    return _dispute(await raise_dispute(desk, caller, about, data.words, key))


@get(
    "/disputes/{number:int}",
    summary="A dispute",
    responses=answers(ToldDispute, 401, 404),
    security=SOMEBODY,
)
async def see_dispute(desk: TheDesk, caller: TheCaller, number: Number) -> dict[str, Any]:
    """With its answer, once there is one."""
    return _dispute(dispute_for(desk, caller, number))


@post(
    "/disputes/{number:int}/answer",
    status_code=200,
    summary="Answer a dispute",
    responses=answers(ToldDispute, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def reply(
    desk: TheDesk, caller: TheCaller, number: Number, data: JSONBody[DisputeReply], key: Key = ""
) -> dict[str, Any]:
    """By the floor, once; a settlement that does not stand is reversed at the table, where the rules allow it."""
    return _dispute(await answer_dispute(desk, caller, number, stands=data.stands, words=data.words, key=key))


@get(
    "/hand_pays",
    summary="Awards that wait to be paid by hand",
    responses=answers(list[ToldHandPay], 401),
    security=SOMEBODY,
)
async def list_hand_pays(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """With the slip of the cage, once it is made out."""
    return [_hand_pay(waiting) for waiting in hand_pays_for(desk, caller)]


@post(
    "/hand_pays/{table_id:str}/{seat:int}/slip",
    status_code=200,
    summary="Make out the slip of a hand pay",
    responses=answers(ToldSlip, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def new_slip(
    desk: TheDesk, caller: TheCaller, table_id: Name, seat: Number, data: JSONBody[NewSlip], key: Key = ""
) -> dict[str, Any]:
    """By a cashier, for an award that the floor has validated; the floor pays it at the table, with its number."""
    return _slip(await make_slip(desk, caller, table_id, seat, reference=data.reference, key=key))


@get(
    "/figures",
    summary="The gaming day so far, table by table",
    responses=answers(list[ToldShift], 401, 503),
    security=SOMEBODY,
)
async def see_figures(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """Drop, handle, win, hold, rounds, voids and irregularities, as the reports have them."""
    return [_shift(row) for row in await shift_for(desk, caller)]


def _dispute(dispute: Dispute) -> dict[str, Any]:
    return {
        "number": dispute.number,
        "person": dispute.person or None,
        "table": dispute.table,
        "round": dispute.round,
        "seat": dispute.seat or None,
        "words": dispute.words,
        "raised": shown_time(dispute.raised),
        "raised_by": dispute.role,
        "stands": dispute.stands,
        "answer": dispute.answer or None,
        "answered": shown_time(dispute.answered) if dispute.answered is not None else None,
    }


def _hand_pay(waiting: HandPay) -> dict[str, Any]:
    return {
        "table": waiting.table,
        "round": waiting.round,
        "seat": waiting.seat,
        "patron": waiting.patron,
        "amount": format_dollars(waiting.amount),
        "meter": waiting.meter,
        "status": waiting.status,
        "slip": None if waiting.slip is None else waiting.slip.reference,
    }


def _slip(slip: HandPaySlip) -> dict[str, Any]:
    return {
        "table": slip.table,
        "round": slip.round,
        "seat": slip.seat,
        "patron": slip.person,
        "amount": format_dollars(Cents(slip.amount)),
        "slip": slip.reference,
    }


def _shift(row: ShiftRow) -> dict[str, Any]:
    told: dict[str, Any] = {"table": row.table, "rulebook": row.rulebook, "day": None, "figures": None}
    if row.so_far is None:
        return told | {"irregularities": {}}
    figures = row.so_far.figures
    money = {
        name: format_dollars(getattr(figures, name))
        for name in ("drop", "chips_in", "chips_out", "handle", "paid", "win", "hand_pays", "fills", "credits")
    }
    shares = {
        name: None if share is None else float(share)
        for name, share in (("hold", figures.hold), ("win_of_handle", figures.win_of_handle))
    }
    counts = {"rounds": figures.rounds, "rounds_void": figures.rounds_void}
    return told | {
        "day": row.so_far.day.isoformat(),
        "figures": money | shares | counts,
        "irregularities": dict(row.so_far.irregularities),
    }


ROUTES: Final = [
    list_disputes,
    new_dispute,
    see_dispute,
    reply,
    list_hand_pays,
    new_slip,
    see_figures,
]
