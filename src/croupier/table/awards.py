"""Progressive awards: verified by the dealer, validated by a floorperson, then paid from the tray or by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from croupier.citing import clause
from croupier.games import Round, WagerSettled, box_at, is_handpaid, patron_of, refuse
from croupier.games import events as round_events
from croupier.money import WHOLE, Cents, MeterUnits, meter_units, print_dollars
from croupier.progressive import Meter, meters_showing, take
from croupier.rulebook.names import Duty
from croupier.rulebook.schema import Cited
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.duties import cite, cited_duty, duty_of
from croupier.table.people import is_among
from croupier.table.requests import Request
from croupier.table.state import Award, Table

__all__ = ["awards_back", "awards_won", "next_step_of", "open_awards"]


def awards_won(
    meters: tuple[Meter, ...], read: Mapping[str, Cents], state: Round, events: Iterable[table_events.Event]
) -> list[table_events.Event]:
    """Progressive awards won by settled hands; each waits for verification (reading 188).

    `meters` are the table's own; `read` has what the meters of a link showed at this turn.
    """
    metered = state.rules.metered
    awards: list[table_events.Event] = []
    for event in events:
        if not isinstance(event, round_events.HandSettled) or metered is None:
            continue
        for settled in event.wagers:
            if settled.wager != metered.name or not settled.won:
                continue
            box = box_at(state, event.seat)
            cited = cited_duty(state.rules.house, "verify_award")
            awards.append(
                table_events.AwardPending(
                    seat=event.seat,
                    patron=patron_of(state, box) if box else "",
                    amount=settled.won,
                    meter=settled.award.meter if settled.award else "",
                    percent=settled.award.percent if settled.award else 0,
                    **_taken(meters, read, state, settled),
                    handpay=is_handpaid(state.rules, settled),
                    **cite(cited),
                )
            )
    return awards


def _taken(meters: tuple[Meter, ...], read: Mapping[str, Cents], state: Round, settled: WagerSettled) -> dict[str, Any]:
    """What an award takes off its meter, what a reset or a floor puts back, and who owns the meter."""
    if settled.award is None:
        return {"taken": MeterUnits(0), "reset": MeterUnits(0)}
    own = next((meter for meter in meters if meter.name == settled.award.meter), None)
    link = state.rules.offered[settled.wager].link
    if own is None:  # a link's meter, as it was read at this turn
        own = meters_showing(state.rules.house, read)[settled.award.meter]
    left, award = take(own, percent=settled.award.percent)
    taken = own.units - left.units
    return {"taken": MeterUnits(taken), "reset": MeterUnits(meter_units(award) - taken), "link": link}


def awards_back(table: Table, events: Sequence[table_events.Event]) -> list[table_events.Event]:
    """A reversing entry for each award of a settlement that was reversed (readings 147, 188)."""
    if not table.progressive.awards:
        return []
    state = table.round
    metered = state.rules.metered if state is not None else None
    back = {
        event.seat
        for event in events
        if isinstance(event, round_events.SettlementReversed)
        and metered is not None
        and any(settled.wager == metered.name for settled in event.wagers)
    }
    causes = [
        event for event in events if isinstance(event, round_events.IrregularityRuled | round_events.ConductFound)
    ]
    cited = cited_duty(table.house, "reverse_settlement")
    if causes:
        cited = Cited(clause=causes[0].clause, reading=causes[0].reading)
    return [
        table_events.AwardReversed(
            seat=award.seat,
            amount=award.amount,
            was=award.status,
            meter=award.meter,
            units=MeterUnits(0) if award.status == "rejected" else award.taken,
            **cite(cited),
        )
        for award in table.progressive.awards
        if award.seat in back
    ]


def open_awards(table: Table) -> list[Award]:
    """Awards not yet paid or rejected."""
    return [award for award in table.progressive.awards if award.status in {"pending", "verified", "validated"}]


def next_step_of(table: Table, award: Award) -> Duty:
    """The command that comes next for an open award."""
    if award.status == "validated":
        return "hand_pay_award" if award.handpay else "pay_award"
    return "verify_award" if award.status == "pending" and _is_full(table) else "validate_award"


def _award(table: Table, seat: int, name: str, *statuses: str) -> Award:
    award, cited = (
        next((award for award in table.progressive.awards if award.seat == seat), None),
        cited_duty(table.house, name),
    )
    if award is None:
        raise refuse("no_award", cited, f"seat {seat} has no award")
    if award.status not in statuses:
        if award.status in {"paid", "hand_paid", "rejected"}:
            raise refuse("award_done", cited, f"the award at seat {seat} is already {award.status.replace('_', ' ')}")
        step = next_step_of(table, award)
        words = "validated by a floorperson" if step == "validate_award" else "verified by the dealer"
        done = award.status == "validated"
        message = (
            f"the award at seat {seat} is already validated"
            if done
            else f"the award at seat {seat} must be {words} first"
        )
        raise refuse("out_of_order", cited_duty(table.house, "validate_award" if done else step), message)
    return award


def _is_full(table: Table) -> bool:
    """Whether both the hand and the light must be verified, or the house's own controls decide (reading 28)."""
    return table.house.options.progressive_validation == "full"


@clause("md-mississippi-stud 11.I(4)(a)", "md-mississippi-stud 11.I(4)(b)")
@clause("md-high-card-flush 11.B(9)(a)", "md-high-card-flush 11.B(9)(b)")
def verify_award(table: Table, command: commands.VerifyAward, _: Request) -> list[table_events.Event]:
    award = _award(table, command.seat, "verify_award", "pending")
    cited = cited_duty(table.house, "verify_award")
    if not command.hand or not command.light:
        duty = duty_of(table.house, "verify_award")
        light = duty.also[0] if duty is not None and duty.also and command.hand else cited.clause
        doubted = table_events.AwardNotVerified(
            seat=award.seat, hand=command.hand, light=command.light, clause=light, reading=cited.reading
        )
        return [doubted]
    return [table_events.AwardVerified(seat=award.seat, **cite(cited))]


def validate_award(table: Table, command: commands.ValidateAward, request: Request) -> list[table_events.Event]:
    statuses = ("verified",) if _is_full(table) else ("pending", "verified")
    award = _award(table, command.seat, "validate_award", *statuses)
    cited = cited_duty(table.house, "validate_award")
    if is_among(request.by.id, (award.verified_by, table.people.dealer, award.patron)):
        raise refuse(
            "own_act",
            cited,
            f"{request.by.id} won, dealt or verified this award: somebody else must validate it",
            reading=165,
        )
    return [table_events.AwardValidated(seat=award.seat, verified_by=award.verified_by, **cite(cited))]


def reject_award(table: Table, command: commands.RejectAward, _: Request) -> list[table_events.Event]:
    award = _award(table, command.seat, "reject_award", "pending", "verified", "validated")
    cited = cited_duty(table.house, "reject_award")
    return [
        table_events.AwardRejected(
            seat=award.seat, amount=award.amount, meter=award.meter, units=award.taken, **cite(cited)
        )
    ]


def _why_by_hand(table: Table, award: Award) -> Cited:
    """Why an award is paid by hand: it is a whole meter, or it reaches the house's threshold."""
    state = table.round
    box = box_at(state, award.seat) if state is not None else None
    won = [result.award for result in box.results if result.award is not None] if box is not None else []
    if any(result.percent == WHOLE for result in won):
        return table.house.rulebook.procedure.whole_meter
    return cited_duty(table.house, "hand_pay_award")


def pay_award(table: Table, command: commands.PayAward, _: Request) -> list[table_events.Event]:
    award = _award(table, command.seat, "pay_award", "validated")
    if award.handpay:
        cited = _why_by_hand(table, award)
        message = f"{print_dollars(award.amount)} is not paid from the tray: pay it by hand, with its paperwork"
        raise refuse("not_from_tray", cited, message)
    cited = cited_duty(table.house, "pay_award")
    return [table_events.AwardPaid(seat=award.seat, patron=award.patron, amount=award.amount, **cite(cited))]


def hand_pay_award(table: Table, command: commands.HandPayAward, _: Request) -> list[table_events.Event]:
    award = _award(table, command.seat, "hand_pay_award", "validated")
    cited = _why_by_hand(table, award)
    if not command.reference.strip():
        raise refuse("no_reference", cited, "give the paperwork reference for the hand pay")
    return [
        table_events.AwardHandPaid(
            seat=award.seat, patron=award.patron, amount=award.amount, reference=command.reference, **cite(cited)
        )
    ]
