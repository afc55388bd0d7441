"""How each event changes a table. Nothing here judges: an event has happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final

from msgspec.structs import replace

from croupier.games import Round, open_round
from croupier.games import events as ev
from croupier.games.evolve import evolve as evolve_round
from croupier.money import MeterUnits, meter_units
from croupier.progressive import Meter, house_meters
from croupier.rulebook import HouseRules, check, read_submission
from croupier.table import events as tv
from croupier.table.books import CAGE, DROP, TO_TRAY, TRAY, account_of, owed, post, round_moves
from croupier.table.events import Entry
from croupier.table.evolve_awards import AWARDS, metered
from croupier.table.evolve_cards import CARDS
from croupier.table.state import (
    Proposal,
    Table,
    changed_submission,
    deck_in_play,
    moved,
    with_deck,
)

__all__ = ["evolve", "rebuild"]


def evolve(table: Table, entry: Entry) -> Table:
    """The table after an entry of its record."""
    event = entry.event
    if isinstance(event, tv.TableEvent):  # noqa: SIM108 - two machines, one door
        after = _TABLE[type(event)](table, event, entry)
    else:
        after = _in_round(table, event)
    if after.status == "idle" and not any(deck.stage == "spread" for deck in after.decks):
        after = replace(after, status="open")
    asked_at = entry.at if _asked(after) != _asked(table) else after.asked_at
    return replace(after, clock=entry.at, asked_at=asked_at)


def _asked(table: Table) -> tuple[int, int, str] | None:
    """What the round waits for, so that it is known since when."""
    return None if table.round is None else (table.round.at.index, table.round.turn, table.stub)


def rebuild(table: Table, entries: Iterable[Entry]) -> Table:
    """The table that these entries make of a new one."""
    for entry in entries:
        table = evolve(table, entry)
    return table


# --- people and the table


def _assigned(table: Table, event: tv.PersonAssigned, _: Entry) -> Table:
    if event.post == "dealer":
        return replace(table, dealer=event.person)
    stay = tuple(one for one in table.floor if one != event.relieved)
    return replace(table, floor=(*stay, event.person))


def _attested(table: Table, event: tv.AttestationMade, _: Entry) -> Table:
    return replace(table, attested=(*table.attested, event.what))


def _counted(table: Table, event: tv.InventoryCounted, entry: Entry) -> Table:
    return replace(table, counted=event.amount, counted_by=entry.by.id, verified=False)


def _verified(table: Table, event: tv.InventoryVerified, _: Entry) -> Table:
    books = table.books
    if table.gaming_day is None:  # the first count of a new table is what the cage brought
        books = post(books, (TRAY, event.amount), (CAGE, -event.amount))
    return replace(table, verified=True, books=books)


def _opened(table: Table, event: tv.TableOpened, entry: Entry) -> Table:
    return replace(
        table, status="open", gaming_day=event.gaming_day, counted=None, verified=False, empty_since=entry.at, rounds=0
    )


def _closed(table: Table, *_: object) -> Table:
    return replace(
        table,
        status="closed",
        attested=(),
        dealer="",
        floor=(),
        counted=None,
        verified=False,
        before=None,
        rebuilt=None,
        idle_due=False,
    )


def _filled(table: Table, event: tv.TrayFilled, _: Entry) -> Table:
    return moved(table, (TRAY, event.amount), (CAGE, -event.amount))


def _credited(table: Table, event: tv.TrayCredited, _: Entry) -> Table:
    return moved(table, (TRAY, -event.amount), (CAGE, event.amount))


def _proposed(table: Table, event: tv.RulesProposed, entry: Entry) -> Table:
    submission = read_submission(event.submission)
    house = check(submission).house
    if house is None:
        raise ValueError("rules that the document does not allow")
    return replace(
        table, proposal=Proposal(submission=submission, house=house, approval=event.approval, by=entry.by.id)
    )


def _rules_changed(table: Table, *_: object) -> Table:
    """New rules between rounds; what a meter holds is carried over (reading 182)."""
    proposal = table.proposal
    if proposal is None:
        raise ValueError("no rules were proposed")
    held = {meter.name: meter.units for meter in table.meters}
    meters = tuple(_carried(meter, held.get(meter.name)) for meter in house_meters(proposal.house))
    return replace(
        _with_house(table, proposal.house),
        submission=proposal.submission,
        proposal=None,
        attested=(),
        meters=meters,
    )


def _carried(meter: Meter, units: MeterUnits | None) -> Meter:
    return meter if units is None else replace(meter, units=MeterUnits(max(units, meter_units(meter.reset))))


def _method_changed(table: Table, event: tv.MethodChanged, _: Entry) -> Table:
    submission = changed_submission(table, event.shuffle, event.deal, event.decks)
    house = check(submission).house
    if house is None:
        raise ValueError("a method that the document does not allow")
    return replace(_with_house(table, house), submission=submission)


def _with_house(table: Table, house: HouseRules) -> Table:
    """Cards that lie ready for another method are shuffled again."""
    ready = {"shuffled", "cut", "loaded"}
    decks = tuple(replace(deck, stage="stacked") if deck.stage in ready else deck for deck in table.decks)
    failed = tuple(device for device in table.failed if device not in {name for name, *_ in table.out_of_use})
    return replace(table, house=house, decks=decks, failed=failed)


# --- players


def _sat(table: Table, event: tv.PlayerSat, entry: Entry) -> Table:
    minutes = table.house.option("idle.auto_minutes")
    idle_due = table.idle_due
    if isinstance(minutes, int) and minutes and table.empty_since is not None and table.status == "open":
        idle_due = idle_due or entry.at - table.empty_since >= timedelta(minutes=minutes)  # reading 128
    return replace(
        table,
        seats=tuple(sorted((*table.seats, (event.seat, event.patron)))),
        arrived=table.arrived if event.patron in table.arrived else (*table.arrived, event.patron),
        empty_since=None,
        idle_due=idle_due,
    )


def _stood_up(table: Table, event: tv.PlayerStoodUp, entry: Entry) -> Table:
    seats = tuple(one for one in table.seats if one[1] != event.patron)
    books = post(table.books, (account_of(event.patron), -event.chips), (CAGE, event.chips))
    arrived = tuple(patron for patron in table.arrived if patron != event.patron)
    empty_since = table.empty_since if seats else entry.at
    return replace(table, seats=seats, arrived=arrived, books=books, empty_since=empty_since)


def _bought_in(table: Table, event: tv.PlayerBoughtIn, _: Entry) -> Table:
    chips = (account_of(event.patron), event.amount)
    if event.brought:
        return replace(table, books=post(table.books, chips, (CAGE, -event.amount)))
    # Cash goes to the drop box, the chips come from the tray.
    return moved(table, chips, (TRAY, -event.amount), (DROP, event.amount), (CAGE, -event.amount))


# --- the round


def _sealed(table: Table, event: tv.CardsSealed, _: Entry) -> Table:
    return _with_round(table, evolve_round(_round(table), ev.CardsIdentified(event.place, event.cards.open())))


def _corrected(table: Table, event: tv.HiddenCardCorrected, _: Entry) -> Table:
    corrected = ev.CardCorrected(event.place, event.was.open()[0], event.card.open()[0])
    return _with_round(table, evolve_round(_round(table), corrected))


def _noted(table: Table, *_: object) -> Table:
    return table


def _round(table: Table) -> Round:
    return table.round if table.round is not None else open_round(table.house)


def _in_round(table: Table, event: ev.Event) -> Table:
    before = _round(table)
    after = evolve_round(before, event)
    table = _account(table, before, event)
    match event:
        case ev.CardsDealt() | ev.CardSetAside():
            deck = deck_in_play(table)
            if deck is not None and deck.stage == "loaded":
                table = replace(table, decks=with_deck(table, deck.id, stage="in_play"), stub="out")
        case ev.MeterRaised(meter="reserve"):
            table = replace(table, reserve=MeterUnits(table.reserve + event.units))
        case ev.MeterRaised():
            table = replace(table, meters=metered(table.meters, event.meter, event.units))
        case ev.IrregularityRuled(irregularity="shoe_failed" | "shoe_failed_after_deal"):
            table = replace(table, failed=(*(one for one in table.failed if one != "shoe"), "shoe"))
        case ev.WagerTakenBack() | ev.WagerReturned() if not after.boxes:
            return replace(table, round=None)  # nobody bets: it never was a round
        case ev.RoundClosed():
            return _round_closed(table, after)
    return _with_round(table, after)


def _with_round(table: Table, after: Round) -> Table:
    return replace(table, round=after)


def _round_closed(table: Table, after: Round) -> Table:
    deck = deck_in_play(table)
    decks, sealed, last = table.decks, table.sealed, table.last_deck
    table_uncounted = table.uncounted
    if deck is not None:  # void before its first card it is shuffled again all the same
        decks = with_deck(table, deck.id, stage="used", uncounted=deck.uncounted + 1)
        table_uncounted += 1
        last = deck.id
        if deck.commitment:
            sealed = (deck.commitment, tuple(entropy for _, entropy in table.entropy), deck.depth)
    return replace(
        table,
        round=None,
        before=after,
        rounds=table.rounds + 1,
        decks=decks,
        last_deck=last,
        uncounted=table_uncounted,
        stub="none",
        stub_counted=None,
        examined=(),
        in_tray=(),
        awards=(),
        entropy=(),
        sealed=sealed,
    )


def _account(table: Table, before: Round, event: ev.Event) -> Table:
    moves = round_moves(table.in_tray, before, event)
    books = post(table.books, *moves) if moves else table.books
    if not isinstance(
        event, ev.WagerPlaced | ev.DecisionMade
    ):  # what a player stakes he must have; what is turned back he may owe
        books = owed(books)
    in_tray = table.in_tray
    if isinstance(event, ev.ActPerformed) and (wager := TO_TRAY.get(event.act)) is not None:
        in_tray = (*in_tray, wager)
    if moves and any(account == TRAY for account, _ in moves):
        table = replace(table, counted=None, verified=False)
    return replace(table, books=books, in_tray=in_tray) if moves or in_tray is not table.in_tray else table


_TABLE: Final[dict[type, Callable[[Table, Any, Entry], Table]]] = {
    **CARDS,
    **AWARDS,
    tv.PersonAssigned: _assigned,
    tv.AttestationMade: _attested,
    tv.InventoryCounted: _counted,
    tv.InventoryVerified: _verified,
    tv.TrayFilled: _filled,
    tv.TrayCredited: _credited,
    tv.TableOpened: _opened,
    tv.GamingDayChanged: lambda table, event, _: replace(table, gaming_day=event.gaming_day),
    tv.TableClosed: _closed,
    tv.TableSuspended: lambda table, _, entry: replace(table, suspended=entry.by.role),
    tv.TableReleased: lambda table, *_: replace(table, suspended=""),
    tv.RulesProposed: _proposed,
    tv.RulesChanged: _rules_changed,
    tv.PlayerSat: _sat,
    tv.PlayerStoodUp: _stood_up,
    tv.PlayerBoughtIn: _bought_in,
    tv.DeckDueSoon: _noted,
    tv.CardsSealed: _sealed,
    tv.HiddenCardCorrected: _corrected,
    tv.CardsShown: _noted,
    tv.HoldingsReported: _noted,
    tv.CoverAllColumnFixed: _noted,
    tv.CardsExamined: lambda table, event, _: replace(table, examined=(*table.examined, *event.seats)),
    tv.HandsRebuilt: lambda table, event, _: replace(table, rebuilt=(event.round, event.seats)),
    tv.MethodChanged: _method_changed,
    tv.AwardNotVerified: _noted,
    tv.GestureShown: _noted,
}
