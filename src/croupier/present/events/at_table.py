"""Each event at a table outside its round as a sentence: people, the tray, rules, players, devices and awards."""

from __future__ import annotations

from typing import Final, assert_never

from croupier.present.amounts import dollars, meter_dollars
from croupier.present.names import capitalized, counted, listed, spoken
from croupier.table import events as table_events

__all__ = ["AwardEvent", "StaffEvent", "award_sentence", "staff_sentence"]

StaffEvent = (
    table_events.TableCreated
    | table_events.PersonAssigned
    | table_events.AttestationMade
    | table_events.InventoryCounted
    | table_events.InventoryVerified
    | table_events.TrayFilled
    | table_events.TrayCredited
    | table_events.TableOpened
    | table_events.GamingDayChanged
    | table_events.TableClosed
    | table_events.TableSuspended
    | table_events.TableReleased
    | table_events.RulesProposed
    | table_events.RulesChanged
    | table_events.PlayerSat
    | table_events.PlayerStoodUp
    | table_events.PlayerBoughtIn
    | table_events.DeviceTakenOut
    | table_events.DeviceRestored
    | table_events.MethodChanged
    | table_events.GestureShown
)
AwardEvent = (
    table_events.AwardPending
    | table_events.AwardVerified
    | table_events.AwardNotVerified
    | table_events.AwardValidated
    | table_events.AwardRejected
    | table_events.AwardReversed
    | table_events.AwardPaid
    | table_events.AwardHandPaid
)
_GESTURES: Final = {"tuck": "tucks the cards", "wave": "waves a hand", "scratch": "scratches the layout"}


def staff_sentence(event: StaffEvent) -> str:
    """Say what staff or players did."""
    match event:
        case table_events.TableCreated():
            return f"Table {event.table} is created{_meters(event.meters)}"
        case table_events.PersonAssigned():
            relieved = f", relieving {event.relieved}" if event.relieved else ""
            return f"{event.person} is on duty as {event.post}{relieved}"
        case table_events.AttestationMade():
            return f'{capitalized(spoken(event.what))} attested, reference "{event.reference}"'
        case table_events.InventoryCounted():
            expected = "" if event.expected is None else f", {dollars(event.expected)} expected"
            return f"The tray is counted: {dollars(event.amount)}{expected}"
        case table_events.InventoryVerified():
            return f"The count of {dollars(event.amount)} by {event.counted_by} is verified"
        case table_events.TrayFilled():
            return f'A fill of {dollars(event.amount)} comes from the cage, reference "{event.reference}"'
        case table_events.TrayCredited():
            return f'A credit of {dollars(event.amount)} goes to the cage, reference "{event.reference}"'
        case table_events.TableOpened():
            return f"The table opens for gaming day {event.gaming_day} with {dollars(event.tray)} in the tray"
        case table_events.GamingDayChanged():
            return f"Gaming day {event.gaming_day} begins"
        case table_events.TableClosed():
            rounds = counted(event.rounds, "round")
            return f"The table closes gaming day {event.gaming_day} after {rounds}, {dollars(event.tray)} in the tray"
        case table_events.TableSuspended():
            return "The table is suspended"
        case table_events.TableReleased():
            return "The table is released"
        case table_events.RulesProposed():
            return f'New rules are proposed, approval "{event.approval}"'
        case table_events.RulesChanged():
            rules = f"The rules that {event.proposed_by} proposed are in force"
            return f'{rules}, approval "{event.approval}"{_meters(event.meters)}'
        case table_events.PlayerSat():
            return f"{event.patron} sits down at seat {event.seat}"
        case table_events.PlayerStoodUp():
            return f"{event.patron} leaves the table with {dollars(event.chips)} in chips"
        case table_events.PlayerBoughtIn():
            how = "brings chips worth" if event.brought else "buys in for"
            return f"{event.patron} {how} {dollars(event.amount)}"
        case table_events.DeviceTakenOut():
            return f"The {event.device} ({spoken(event.kind)}) is out of service: {event.how}"
        case table_events.DeviceRestored():
            return f"The {event.device} is back in service"
        case table_events.MethodChanged():
            method = f"{spoken(event.shuffle)} shuffle, dealt from {spoken(event.deal)}"
            return f"The method changes: {method}, {counted(event.decks, 'deck')}"
        case table_events.GestureShown():
            return f"Seat {event.seat} {_GESTURES[event.gesture]}"
    assert_never(event)


def award_sentence(event: AwardEvent) -> str:
    """Say what became of a progressive award."""
    seat = f"Seat {event.seat}"
    match event:
        case table_events.AwardPending():
            share = f"{event.percent}% of the {event.meter} meter" if event.percent else "a fixed prize"
            link = f" of link {event.link}" if event.link else ""
            reset = f" after a reset of {meter_dollars(event.reset)}" if event.reset else ""
            moved = f"the meter goes down {meter_dollars(event.taken)}{reset}"
            pay = "; it is a hand pay" if event.handpay else ""
            return f"{seat} ({event.patron}) wins an award of {dollars(event.amount)}, {share}{link}; {moved}{pay}"
        case table_events.AwardVerified():
            return f"{seat}: the award is verified"
        case table_events.AwardNotVerified():
            wrong = [
                words
                for words, right in (("the hand does not win", event.hand), ("the light is off", event.light))
                if not right
            ]
            return f"{seat}: the award is not verified: {listed(wrong)}"
        case table_events.AwardValidated():
            return f"{seat}: the award that {event.verified_by} verified is validated"
        case table_events.AwardRejected():
            back = f"{meter_dollars(event.units)} goes back to the {event.meter} meter"
            return f"{seat}: the award of {dollars(event.amount)} is rejected; {back}"
        case table_events.AwardReversed():
            back = f"{meter_dollars(event.units)} goes back to the {event.meter} meter"
            return f"{seat}: the award of {dollars(event.amount)}, {spoken(event.was)}, is reversed; {back}"
        case table_events.AwardPaid():
            return f"{seat}: {event.patron} is paid the award of {dollars(event.amount)} from the tray"
        case table_events.AwardHandPaid():
            paid = f"{event.patron} is paid the award of {dollars(event.amount)} by hand"
            return f'{seat}: {paid}, reference "{event.reference}"'
    assert_never(event)


def _meters(meters: tuple[tuple[str, int], ...]) -> str:
    return "".join(f"; {name} meter {meter_dollars(units)}" for name, units in meters)
