"""Progressive awards: verified by the dealer, validated by a floorperson, then paid, and from where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from croupier.citing import clause
from croupier.games import Round
from croupier.games import events as round_events
from croupier.games.limits import is_handpaid
from croupier.games.offers import refuse
from croupier.games.results import WagerSettled
from croupier.games.round import box_at, patron_of
from croupier.money import WHOLE, Cents, MeterUnits, meter_units, print_dollars
from croupier.progressive import Meter, meters_showing, take
from croupier.rulebook.names import Duty
from croupier.rulebook.schema import Cited
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.people import is_among
from croupier.table.requests import Request
from croupier.table.state import Award, Table, cite, cited_duty, deny, duty_of

__all__ = ["awards_back", "awards_won", "next_step_of", "open_awards"]


def awards_won(
    meters: tuple[Meter, ...], read: Mapping[str, Cents], state: Round, events: Iterable[table_events.Event]
) -> list[table_events.Event]:
    """What settled hands have won from the progressive: it waits until it is verified (reading 188).

    `meters` are the table's own, `read` is what those of a link showed at this turn.
    """
    metered = state.rules.metered
    found: list[table_events.Event] = []
    for event in events:
        if not isinstance(event, round_events.HandSettled) or metered is None:
            continue
        for one in event.wagers:
            if one.wager != metered.name or not one.won:
                continue
            box = box_at(state, event.seat)
            cited = cited_duty(state.rules.house, "verify_award")
            found.append(
                table_events.AwardPending(
                    seat=event.seat,
                    patron=patron_of(state, box) if box else "",
                    amount=one.won,
                    meter=one.award.meter if one.award else "",
                    percent=one.award.percent if one.award else 0,
                    **_taken(meters, read, state, one),
                    handpay=is_handpaid(state.rules, one),
                    **cite(cited),
                )
            )
    return found


def _taken(meters: tuple[Meter, ...], read: Mapping[str, Cents], state: Round, one: WagerSettled) -> dict[str, Any]:
    """What an award takes off its meter, what a reset or a floor puts back, and whose the meter is."""
    if one.award is None:
        return {"taken": MeterUnits(0), "reset": MeterUnits(0)}
    own = next((meter for meter in meters if meter.name == one.award.meter), None)
    link = state.rules.offered[one.wager].link
    if own is None:  # somebody else's, as it was read at this turn
        own = meters_showing(state.rules.house, read)[one.award.meter]
    left, award = take(own, percent=one.award.percent)
    taken = own.units - left.units
    return {"taken": MeterUnits(taken), "reset": MeterUnits(meter_units(award) - taken), "link": link}


def awards_back(table: Table, events: Sequence[table_events.Event]) -> list[table_events.Event]:
    """The awards of settlements that were turned back: each with its reversing entry (readings 147, 188)."""
    if not table.awards:
        return []
    state = table.round
    metered = state.rules.metered if state is not None else None
    back = {
        event.seat
        for event in events
        if isinstance(event, round_events.SettlementReversed)
        and metered is not None
        and any(one.wager == metered.name for one in event.wagers)
    }
    causes = [one for one in events if isinstance(one, round_events.IrregularityRuled | round_events.ConductFound)]
    cited = cited_duty(table.house, "reverse_settlement")
    if causes:
        cited = Cited(clause=causes[0].clause, reading=causes[0].reading)
    return [
        table_events.AwardReversed(
            seat=one.seat,
            amount=one.amount,
            was=one.status,
            meter=one.meter,
            units=MeterUnits(0) if one.status == "rejected" else one.taken,
            **cite(cited),
        )
        for one in table.awards
        if one.seat in back
    ]


def open_awards(table: Table) -> list[Award]:
    """Awards that are neither paid nor rejected."""
    return [one for one in table.awards if one.status in {"pending", "verified", "validated"}]


def next_step_of(table: Table, award: Award) -> Duty:
    """The command that brings an open award on."""
    if award.status == "validated":
        return "hand_pay_award" if award.handpay else "pay_award"
    return "verify_award" if award.status == "pending" and _is_full(table) else "validate_award"


def _award(table: Table, seat: int, name: str, *wanted: str) -> Award:
    award, cited = next((one for one in table.awards if one.seat == seat), None), cited_duty(table.house, name)
    if award is None:
        raise refuse("no_award", cited, f"seat {seat} has no award to be paid")
    if award.status not in wanted:
        if award.status in {"paid", "hand_paid", "rejected"}:
            raise refuse("award_done", cited, f"the award of seat {seat} is {award.status.replace('_', ' ')}")
        step = next_step_of(table, award)
        words = "validated by a floorperson" if step == "validate_award" else "verified by the dealer"
        done = award.status == "validated"
        message = (
            f"the award of seat {seat} is validated already" if done else f"the award of seat {seat} is {words} first"
        )
        raise deny(table, "out_of_order", "validate_award" if done else step, message)
    return award


def _is_full(table: Table) -> bool:
    """Whether hand and light are verified too, or the house's own controls alone decide (reading 28)."""
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


def validate_award(table: Table, command: commands.ValidateAward, order: Request) -> list[table_events.Event]:
    wanted = ("verified",) if _is_full(table) else ("pending", "verified")
    award = _award(table, command.seat, "validate_award", *wanted)
    cited = cited_duty(table.house, "validate_award")
    if is_among(order.by.id, (award.verified_by, table.dealer, award.patron)):
        raise refuse("own_act", cited, f"{order.by.id} won, dealt or verified it: somebody else validates", reading=165)
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
    """What keeps an award out of the tray: it is a whole meter, or the house's threshold has it so."""
    state = table.round
    box = box_at(state, award.seat) if state is not None else None
    won = [one.award for one in box.results if one.award is not None] if box is not None else []
    if any(one.percent == WHOLE for one in won):
        return table.house.rulebook.procedure.whole_meter
    return cited_duty(table.house, "hand_pay_award")


def pay_award(table: Table, command: commands.PayAward, _: Request) -> list[table_events.Event]:
    award = _award(table, command.seat, "pay_award", "validated")
    if award.handpay:
        cited = _why_by_hand(table, award)
        message = f"{print_dollars(award.amount)} is not paid from the tray: the paperwork is done first"
        raise refuse("not_from_tray", cited, message)
    cited = cited_duty(table.house, "pay_award")
    return [table_events.AwardPaid(seat=award.seat, patron=award.patron, amount=award.amount, **cite(cited))]


def hand_pay_award(table: Table, command: commands.HandPayAward, _: Request) -> list[table_events.Event]:
    award = _award(table, command.seat, "hand_pay_award", "validated")
    cited = _why_by_hand(table, award)
    if not command.reference.strip():
        raise refuse("no_reference", cited, "a payment away from the tray has the reference of its paperwork")
    return [
        table_events.AwardHandPaid(
            seat=award.seat, patron=award.patron, amount=award.amount, reference=command.reference, **cite(cited)
        )
    ]
