"""The automatic dealer: a client that answers what a table awaits of its staff and devices, one command at a time.

It opens the table, brings the cards into play by the document's steps, deals, counts, reveals, settles, has awards
verified and paid, and closes rounds. It never decides for a player, and closes the bets only when asked to.
"""

from __future__ import annotations

from datetime import date, datetime
from itertools import count
from typing import Final, Literal, TypeAlias, assert_never

from msgspec import Struct

from croupier.days import gaming_day
from croupier.errors import RuleViolation
from croupier.games import Round, actions, awaiting, problem, unfinished_box
from croupier.money import Cents
from croupier.rulebook.names import Act
from croupier.table import (
    Award,
    Deck,
    Person,
    Request,
    Table,
    commands,
    count_due,
    deck_in_play,
    devices_of,
    expected_count,
    first_to_arrive,
    handle,
    hands_for,
    is_out,
    is_over_age,
    missing_attestation,
    next_step,
    not_ready,
    open_awards,
    opened_decks,
    stub_expected,
    stub_open,
)

__all__ = ["Staff", "acting_as", "fill_for", "next_request", "next_return", "staff_step"]

BACKS: Final = ("red", "blue")
_DECK_STEPS: Final = {
    "inspect_deck": commands.InspectDeck,
    "spread_deck": commands.SpreadDeck,
    "turn_down_deck": commands.TurnDownDeck,
    "wash_deck": commands.WashDeck,
    "stack_deck": commands.StackDeck,
    "remove_deck": commands.RemoveDeck,
}
"""Steps of the dealer that name a deck and nothing else."""
_COUNTED: Final[dict[Act, str]] = {"count_progressive": "progressive", "count_five_card": "five_card_bonus"}


class Staff(Struct, frozen=True):
    """The names that the automatic staff act under."""

    dealer: str = "automatic dealer"
    floorperson: str = "automatic floorperson"
    manager: str = "automatic manager"
    tray: Cents = Cents(100_000_000)
    """The chips with which it opens a table."""
    time_zone: str = ""
    """Where the house is: there the gaming day changes by itself. Without one it stays that of the opening, in UTC."""
    day_start: str = "00:00"
    own_names: bool = False
    """Whether they relieve whoever is on duty before they do anything, and so never act under a person's name."""
    results_first: bool = False
    """Whether players have the results of a round before the cards are looked after, which is then a step by itself."""

    def gaming_day(self, at: datetime) -> date:
        """The gaming day that a time belongs to."""
        return gaming_day(at, self.time_zone or "UTC", self.day_start)


def next_request(table: Table, at: datetime, *, staff: Staff | None = None, close_bets: bool = False) -> Request | None:
    """The next command of the staff; None while the table awaits a player, or the end of betting.

    Chips come first where the tray is short of what has to be paid.
    """
    staff = staff or Staff()
    request = staff_step(table, at, staff, close_bets=close_bets)
    if request is not None and isinstance(request.command, actions.Settle | commands.PayAward):
        try:
            handle(table, request)
        except RuleViolation as violation:
            return fill_for(table, request, violation, staff) or request
    return request


def staff_step(table: Table, at: datetime, staff: Staff, *, close_bets: bool = False) -> Request | None:
    """The same, whether or not the tray can pay it: whoever carries it out at once hears of that anyway."""
    if staff.own_names and (relief := _relief(table, staff)) is not None:
        step: Found = relief
    elif table.status == "closed":
        step = _opening(table, at, staff)
    else:
        step = _new_day(table, at, staff) or _running(table, at, close_bets=close_bets)
    if step is None:
        return None
    role, command = step
    return Request(acting_as(table, staff, role), at, command)


def fill_for(table: Table, request: Request, violation: RuleViolation, staff: Staff) -> Request | None:
    """The fill that a payment waits for, if the tray was too short for it."""
    if violation.code != "tray_short":
        return None
    return Request(acting_as(table, staff, "floorperson"), request.at, commands.FillTray(staff.tray, "on file"))


def next_return(table: Table, at: datetime, *, staff: Staff | None = None) -> Request | None:
    """The next bet that the dealer gives back when time is over: nobody waits for a box that lacks bets."""
    state = table.round
    box = unfinished_box(state) if state is not None else None
    if state is None or box is None or not_ready(table, at) is not None:
        return None
    bets: list[actions.TakeBack | actions.TakeBackCoupon] = [actions.TakeBack(box.seat, name) for name, _ in box.staked]
    if box.coupon:
        bets.append(actions.TakeBackCoupon(box.seat))
    bet = next(bet for bet in reversed(bets) if problem(state, bet) is None)
    return Request(acting_as(table, staff or Staff(), "dealer"), at, bet, reason="incomplete when bets closed")


Giver: TypeAlias = Literal["dealer", "floorperson", "pit_manager", "progressive device"]
Found: TypeAlias = tuple[Giver, commands.Command] | None


def acting_as(table: Table, staff: Staff, role: Giver) -> Person:
    """Under which name the automatic staff act: their own, or that of whoever is on duty."""
    people = table.people
    match role:
        case "dealer":
            return Person("dealer", people.dealer if people.dealer and not staff.own_names else staff.dealer)
        case "floorperson":
            return Person("floorperson", people.floor[0] if people.floor and not staff.own_names else staff.floorperson)
        case "pit_manager":
            return Person("pit_manager", staff.manager)
        case "progressive device":
            return Person("device", role)
        case _:
            assert_never(role)


def _relief(table: Table, staff: Staff) -> Found:
    """The staff take over from people on duty; a table that has nobody yet is opened first."""
    if table.status == "closed" and table.gaming_day is not None:
        return None  # somebody closed it on purpose
    people = table.people
    if people.floor and staff.floorperson not in people.floor:
        return "pit_manager", commands.Assign("floorperson", staff.floorperson)
    if people.floor and people.dealer and people.dealer != staff.dealer:
        return "floorperson", commands.Assign("dealer", staff.dealer)
    return None


def _opening(table: Table, at: datetime, staff: Staff) -> Found:
    if table.gaming_day is not None:
        return None  # somebody closed it on purpose
    if not table.people.floor:
        return "pit_manager", commands.Assign("floorperson", staff.floorperson)
    if not table.people.dealer:
        return "floorperson", commands.Assign("dealer", staff.dealer)
    if (missing := missing_attestation(table)) is not None:
        return "floorperson", commands.Attest(missing.what, "on file")
    if table.tray.counted is None:
        return "dealer", commands.CountInventory(staff.tray)
    if not table.tray.verified:
        return "floorperson", commands.VerifyInventory()
    return "floorperson", commands.OpenTable(staff.gaming_day(at))


def _new_day(table: Table, at: datetime, staff: Staff) -> Found:
    if not staff.time_zone or table.round is not None or table.gaming_day is None:
        return None
    day = staff.gaming_day(at)
    return ("floorperson", commands.ChangeDay(day)) if day > table.gaming_day else None


def _running(table: Table, at: datetime, *, close_bets: bool) -> Found:
    state = table.round
    for device in devices_of(table.house):
        if is_out(table, device):
            return (
                None if state is None or state.cards.dealt == 0 else _dealing(table, state)
            )  # a person put it out of service
        if device == "shoe" and device in table.devices.failed and state is None:
            return "floorperson", commands.RestoreDevice(device)
    if state is None:
        return _between(table, at)
    if state.cards.dealt == 0 and not state.faces.aside and deck_in_play(table) is None:
        return _cards(table)
    if state.at.kind == "wagers":
        if (step := _between(table, at)) is not None:
            return step
        metered = state.rules.metered
        for box in state.boxes:
            if metered is not None and box.stake(metered.name) is not None and not box.registered:
                return "progressive device", actions.RegisterWager(box.seat)
        announce = actions.Perform("announce")
        complete = close_bets and problem(state, announce) is None and not_ready(table, at) is None
        return ("dealer", announce) if complete else None
    return _dealing(table, state)


def _between(table: Table, at: datetime) -> Found:
    if table.suspended or table.fairness.unrevealed_shuffle is not None:
        return None
    if (missing := missing_attestation(table)) is not None:
        return "floorperson", commands.Attest(missing.what, "on file")
    if table.idle_due and opened_decks(table) and table.round is None:
        return "dealer", commands.SetIdle()
    for deck in table.cards.decks:
        if deck.stage == "condemned" or is_over_age(deck, at):
            return "dealer", commands.RemoveDeck(deck.id)
    return _cards(table)


def _cards(table: Table) -> Found:
    """The next step in bringing the decks into play."""
    house = table.house
    if len(table.cards.decks) < house.decks:
        used = {deck.back for deck in table.cards.decks}
        back = next(back for back in BACKS if back not in used)
        names = (f"{back} deck {number}" for number in count(1))
        name = next(name for name in names if name not in table.cards.retired)
        return "dealer", commands.ReceiveDeck(name, back, house.rulebook.table.decks.cover_cards)
    loaded = deck_in_play(table)
    ready = [deck for deck in table.cards.decks if deck.id != table.cards.last_deck or house.decks == 1]
    for deck in sorted(table.cards.decks, key=lambda deck: deck not in ready):
        step = _step(table, deck)
        if step is not None and not (step[1].__struct_config__.tag == "load_deck" and (loaded or deck not in ready)):
            return step
    return None


def _step(table: Table, deck: Deck) -> Found:
    if deck.stage in {"loaded", "in_play"}:
        return None
    step = next_step(table, deck)
    match step:
        case "verify_deck":
            return "floorperson", commands.VerifyDeck(deck.id)
        case "offer_deck":
            first = first_to_arrive(table)
            return ("dealer", commands.OfferDeck(deck.id, first)) if first else None
        case "shuffle_deck":
            return "dealer", commands.ShuffleDeck(deck.id, expected_count(table.house))
        case "cut_deck":
            return "dealer", commands.CutDeck(deck.id, 26)
        case "load_deck":
            return "dealer", commands.LoadDeck(deck.id, hands_for(table)[0] if table.house.deal == "hand" else None)
    return "dealer", _DECK_STEPS[step](deck.id)


def _dealing(table: Table, state: Round) -> Found:
    if stub_open(table):
        if table.cards.stub == "out" and count_due(table):
            return "dealer", commands.CountStub(stub_expected(state))
        return ("dealer", commands.RackStub()) if table.cards.stub != "wrong" else None
    for award in open_awards(table):
        return _award(award)
    asked = awaiting(state)
    match asked.kind:
        case "act":
            act = asked.act or "announce"
            return "dealer", actions.Perform(act, _chips(state, act))
        case "cards":
            return "dealer", commands.DealCards(len(asked.places))
        case "reveal" if asked.slot is not None:
            return "dealer", commands.RevealCards(asked.slot, asked.seat)
        case "meter" if asked.meter not in {meter.name for meter in table.progressive.meters}:
            return None  # the owner of the link reads it
        case "meter" | "settlement":
            what = asked.what or "hand"
            return "dealer", actions.Settle(what, asked.seat)  # type: ignore[arg-type]
        case "ruling":
            box = next(box for box in state.boxes if box.seat == asked.seat)
            return "floorperson", actions.ReduceRaise(asked.seat, box.main)
        case "close":
            return "dealer", actions.Close()
    return None


def _chips(state: Round, act: Act) -> int | None:
    """How many chips a count finds: one per bet."""
    wager = _COUNTED.get(act)
    if wager is None:
        return None
    return sum(1 for box in state.boxes for name, _ in box.staked if name == wager)


def _award(award: Award) -> Found:
    match award.status:
        case "pending":
            return "dealer", commands.VerifyAward(award.seat, hand=True, light=True)
        case "verified":
            return "floorperson", commands.ValidateAward(award.seat)
    if award.handpay:
        return "floorperson", commands.HandPayAward(award.seat, "on file")
    return "dealer", commands.PayAward(award.seat)
