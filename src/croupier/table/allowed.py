"""What a table allows now, and to whom: every offer is tried, so that none is promised and refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.games import Offer, Round, legal_actions, open_round
from croupier.games.offers import CardsOf, Except, Range, fits, offer
from croupier.games.playing import raise_stakes
from croupier.games.round import patron_of
from croupier.money import MOST, Cents
from croupier.rulebook import Stakes
from croupier.rulebook.names import Deal, Shuffle
from croupier.table import commands
from croupier.table.accounts import TRAY, balance
from croupier.table.disputes import disputed, in_the_rack
from croupier.table.engine import giver_problem, handle
from croupier.table.people import Person, givers
from croupier.table.play import BY_COUNT, dispensed, envy_waits, waits_for
from croupier.table.ready import not_ready
from croupier.table.requests import Request
from croupier.table.state import Table, chips_of, devices_of, first_to_arrive, patron_at, seats_of
from croupier.table.stub import stub_expected, stub_open

__all__ = ["allowed"]

TEXT: Final = Except(())
"""Any line of text."""
EITHER: Final = (False, True)
MONEY: Final = Stakes(Cents(1), MOST, Cents(1))
_BY_SEAT: Final = {"place_wager", "take_back", "place_coupon", "take_back_coupon", "look", "decide"}
"""Moves that a player makes at a seat of their own."""
_DECK_STEPS: Final = (
    commands.InspectDeck,
    commands.VerifyDeck,
    commands.SpreadDeck,
    commands.TurnDownDeck,
    commands.WashDeck,
    commands.StackDeck,
    commands.OrderShuffle,
    commands.OrderRecut,
    commands.RemoveDeck,
    commands.ReportJam,
)
Tried = tuple[Offer, Struct]


def allowed(table: Table, by: Person, at: datetime) -> tuple[Offer, ...]:
    """Exactly what this person may do now; a free text is any text."""
    found: list[Offer] = []
    procedure = table.house.rulebook.procedure
    own = [duty.do for duty in procedure.duty if by.role in givers(procedure.ranks, duty)]
    may = {name for name in own if giver_problem(table, by, name) is None}
    for offered, sample in _own(table, by, at):
        if offered.do in may and _is_accepted(table, Request(by, at, sample, "because")):
            found.append(offered)
    found += [one for one in _of_the_round(table, by, at) if one.do in may]
    return tuple(found)


def _is_accepted(table: Table, order: Request) -> bool:
    try:
        handle(table, order)
    except RuleViolation:
        return False
    return True


# --- the table's own commands


def _own(table: Table, by: Person, at: datetime) -> Iterator[Tried]:
    """Each of the table's own commands with arguments that could be right, and a sample of it."""
    yield from _house(table, at)
    yield from _players(table, by)
    yield from _cards(table)
    yield from _devices(table)
    if (found := disputed(table)) is not None:
        yield _same(commands.RebuildHands(), seat=(0, *sorted(in_the_rack(found[1]))))
    for award in table.awards:
        seat = award.seat
        yield (
            offer("verify_award", seat=seat, hand=EITHER, light=EITHER),
            commands.VerifyAward(seat, hand=True, light=True),
        )
        yield _same(commands.ValidateAward(seat))
        yield _same(commands.RejectAward(seat))
        yield _same(commands.PayAward(seat))
        yield offer("hand_pay_award", seat=seat, reference=TEXT), commands.HandPayAward(seat, "slip")


def _same(command: Struct, **said: Any) -> Tried:  # noqa: ANN401 - whatever an offer allows
    """An offer of exactly this command, but for what is said otherwise."""
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    return offer(str(command.__struct_config__.tag), **(fields | said)), command


def _house(table: Table, at: datetime) -> Iterator[Tried]:
    yield offer("assign", post="dealer", person=TEXT), commands.Assign("dealer", "a new dealer")
    yield offer("assign", post="floorperson", person=TEXT), commands.Assign("floorperson", "a new floorperson")
    for row in table.house.rulebook.procedure.attest:
        yield offer("attest", what=row.what, reference=TEXT), commands.Attest(row.what, "reference")
    yield offer("count_inventory", amount=MONEY), commands.CountInventory(Cents(1))
    yield _same(commands.VerifyInventory())
    yield offer("fill_tray", amount=MONEY, reference=TEXT), commands.FillTray(Cents(1), "slip")
    yield offer("credit_tray", amount=_tray(table), reference=TEXT), commands.CreditTray(Cents(1), "slip")
    yield offer("open_table", gaming_day=TEXT), commands.OpenTable(at.date())
    later = (table.gaming_day or date(2000, 1, 1)) + timedelta(days=1)
    yield offer("change_day", gaming_day=TEXT), commands.ChangeDay(later)
    yield _same(commands.CloseTable())
    yield _same(commands.SuspendTable())
    yield _same(commands.ReleaseTable())
    yield _same(commands.ConfirmRules())


def _players(table: Table, by: Person) -> Iterator[Tried]:
    player = by.role == "player"
    new = by.id if player else "a new player"
    seated = dict.fromkeys(patron for _, patron in table.seats)
    for seat in range(1, table.house.seats + 1):
        yield offer("sit", seat=seat, patron=by.id if player else TEXT), commands.Sit(seat, new)
    for patron in [by.id] if player else seated:
        yield _same(commands.StandUp(patron))
        yield (
            offer("buy_in", amount=MONEY, patron=patron, brought=(False, True)),
            commands.BuyIn(Cents(1), patron, brought=True),
        )
    if player:
        yield offer("add_entropy", entropy=TEXT), commands.AddEntropy("00")


def _tray(table: Table) -> Stakes:
    return replace(MONEY, maximum=max(Cents(1), balance(table.books, TRAY)))


def _cards(table: Table) -> Iterator[Tried]:
    house = table.house
    cover = house.rulebook.table.decks.cover_cards
    designs = tuple(deck.design for deck in table.decks if deck.design)
    yield (
        offer(
            "receive_deck",
            deck=TEXT,
            back=TEXT,
            cover_cards=cover,
            preinspected=(False, True),
            preshuffled=(False, True),
            design=("", *designs) if designs else TEXT,
        ),
        commands.ReceiveDeck("a new deck", "a new back", cover),
    )
    counted = 52 if house.shuffle in {"automated_counting", "continuous"} else None
    for deck in table.decks:
        for kind in _DECK_STEPS:
            yield offer(str(kind.__struct_config__.tag), deck=deck.id), kind(deck.id)
        yield offer("shuffle_deck", deck=deck.id, counted=counted), commands.ShuffleDeck(deck.id, counted)
        cut = house.rulebook.table.cut
        most = 52 - max(1, house.options.cut_bottom_min)
        yield offer("cut_deck", deck=deck.id, depth=Range(cut.depth, most)), commands.CutDeck(deck.id, cut.depth)
        kept = table.hand if table.round is not None else None
        held = commands.LoadDeck(deck.id, kept or "left") if house.deal == "hand" else commands.LoadDeck(deck.id)
        hands = kept or ("left", "right")
        yield offer("load_deck", deck=deck.id, hand=hands if held.hand else None), held
        if first := first_to_arrive(table):
            yield offer("offer_deck", deck=deck.id, patron=first), commands.OfferDeck(deck.id, first)
    yield offer("set_idle", face="down"), commands.SetIdle()
    for _, patron in table.seats[:1]:
        yield _same(commands.SetIdle("up", patron))
    if not table.seats:
        yield offer("set_idle", face="up"), commands.SetIdle("up")
    if table.round is not None and stub_open(table):
        yield offer("count_stub", cards=Range(0, 104)), commands.CountStub(stub_expected(table.round))
        yield offer("report_holdings"), _holdings(table)
        yield _same(commands.RackStub())


def _holdings(table: Table) -> commands.ReportHoldings:
    """What would lie on the table if every place were right."""
    if table.round is None:
        raise ValueError("no round, no cards")
    plan = table.round.cards.plan
    counts: dict[str, int | None] = {
        slot: len(plan.slots[slot]) or None for slot in ("community", "six_card_box", "dealer")
    }
    return commands.ReportHoldings({seat: len(places) for seat, places in plan.own.items()}, **counts)


def _devices(table: Table) -> Iterator[Tried]:
    for device in get_args(commands.Device):
        for how in ("covered", "signed", "removed"):
            yield _same(commands.TakeOutDevice(device, how))
        yield _same(commands.RestoreDevice(device))
    if table.round is not None or (not devices_of(table.house) and table.status == "closed"):
        return
    for shuffle in get_args(Shuffle):
        for deal in get_args(Deal):
            for decks in (1, 2):
                yield _same(commands.ChangeMethod(shuffle, deal, decks))


# --- moves of the round


def _of_the_round(table: Table, by: Person, at: datetime) -> Iterator[Offer]:
    state = table.round
    if state is None:
        if not_ready(table, at) is not None:
            return
        state = open_round(table.house)
    for one in legal_actions(state):
        if (table.round is None and one.do != "place_wager") or waits_for(table, one.do, at) is not None:
            continue
        fields = dict(one.fields)
        if fields.get("irregularity") in BY_COUNT or (fields.get("what") == "envy" and envy_waits(table) is not None):
            continue
        seat = fields.get("seat")
        patron = fields.pop("patron", None)
        if one.do == "place_wager" and isinstance(seat, int) and not fits(patron, patron_at(table, seat)):
            continue
        if one.do in _BY_SEAT and isinstance(seat, int):
            mine = by.role != "player" or seat in seats_of(table, by.id)
            if not mine or (one.do != "decide" and not patron_at(table, seat)):
                continue
        if one.do == "deal":
            number = fields["cards"]
            if by.role == "device" and isinstance(number, Range):
                most = dispensed(table, state)
                if not most:
                    continue
                number = replace(number, most=min(number.most, most))
            fields = {"number": number}
        if one.do == "decide" and fields.get("choice") == "raise" and by.role != "player":
            fields |= {"amount": _any_raise(state, seat)}
        if one.do in {"place_wager", "decide"}:
            found = _affordable(table, one.do, fields)
            if found is None:
                continue
            fields = found
        yield Offer(one.do, tuple((name, _blind(value)) for name, value in fields.items()))


def _any_raise(state: Round, seat: Any) -> Stakes:  # noqa: ANN401 - what an offer says of the seat
    """What any hand may raise: what this one may is its player's to know."""
    box = next(one for one in state.boxes if one.seat == seat)
    stakes = raise_stakes(state.rules, None, box.staked[0][1])
    return stakes[0]


def _blind(allowed: Any) -> Any:  # noqa: ANN401 - whatever an offer allows
    """An offer of cards that does not tell which are still in the deck, and so which lie face down."""
    if isinstance(allowed, CardsOf):
        return replace(allowed, unseen=())
    if isinstance(allowed, tuple) and any(isinstance(one, Card) for one in allowed):
        return (None, CardsOf((), 1))
    return allowed


def _affordable(table: Table, name: str, fields: dict[str, Any]) -> dict[str, Any] | None:
    """What the chips of the player at this seat reach for."""
    seat = fields.get("seat")
    patron = patron_at(table, seat) if isinstance(seat, int) else ""
    if name == "place_wager" and not patron:
        return None
    chips = chips_of(table, patron)
    if name == "place_wager" and table.round is not None:
        lies = [one.stake(fields["wager"]) or 0 for one in table.round.boxes if one.seat == seat]
        chips = Cents(chips + sum(lies))  # a stake that is changed comes back first
    amount = fields.get("amount")
    if isinstance(amount, Stakes):
        most = min(amount.maximum, chips)
        if most < amount.minimum:
            return None
        fields = fields | {"amount": replace(amount, maximum=Cents(most - (most - amount.minimum) % amount.increment))}
    if name == "decide" and table.round is not None:
        box = next((one for one in table.round.boxes if one.seat == seat), None)
        main = box.staked[0][1] if box else Cents(0)
        chips = chips_of(table, patron_of(table.round, box)) if box else chips
        choices = fields.get("choice")
        if isinstance(choices, tuple):
            reach = tuple(one for one in choices if not one[:1].isdecimal() or int(one[0]) * main <= chips)
            fields = fields | {"choice": reach}
            if not reach:
                return None
        elif isinstance(choices, str) and choices[:1].isdecimal() and int(choices[0]) * main > chips:
            return None
    return fields
