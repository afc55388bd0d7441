"""What a table allows now, and to whom. Every offer is tried first, so none is later refused."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final, NamedTuple, get_args

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.games import (
    Box,
    CardsOf,
    Except,
    Offer,
    Range,
    Round,
    awaiting,
    box_at,
    fits,
    legal_actions,
    offer,
    open_round,
    patron_of,
    raise_stakes,
)
from croupier.money import MOST, Cents
from croupier.rulebook import Stakes
from croupier.rulebook.names import Deal, OutOfUse, Shuffle
from croupier.table import commands
from croupier.table.accounts import TRAY, balance
from croupier.table.commands import Command
from croupier.table.deck_steps import cut_range, hands_for
from croupier.table.disputes import disputed, in_the_rack
from croupier.table.duties import acts_of
from croupier.table.engine import giver_problem, handle
from croupier.table.methods import devices_of, expected_count
from croupier.table.people import Person, is_among
from croupier.table.play import BY_COUNT, FOR_A_PLAYER, dispensed, envy_waits, waits_for
from croupier.table.players import seat_problem
from croupier.table.ready import not_ready
from croupier.table.requests import Request
from croupier.table.state import Table, chips_of, first_to_arrive, patron_at, reads_itself
from croupier.table.stub import MOST_COUNTED, stub_expected, stub_open

__all__ = ["allowed", "round_offers"]

TEXT: Final = Except(())
"""Any line of text."""
EITHER: Final = (False, True)
MONEY: Final = Stakes(Cents(1), MOST, Cents(1))
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


class Trial(NamedTuple):
    """A sample for the table to accept or refuse, and what is offered instead of its fields, or of some of them."""

    sample: Command
    fields: dict[str, Any]
    only: bool

    @property
    def do(self) -> str:
        """The command's name."""
        return str(self.sample.__struct_config__.tag)

    def offer(self) -> Offer:
        """What is offered if the table takes the sample."""
        sample = self.sample
        rest = {} if self.only else {name: getattr(sample, name) for name in sample.__struct_fields__}
        return offer(self.do, **(rest | self.fields))


def allowed(table: Table, by: Person, at: datetime) -> tuple[Offer, ...]:
    """Exactly what this person may do now; free-text fields accept any text."""
    open_to_them = {name for name in acts_of(table.house, by.role) if giver_problem(table, by, name) is None}
    offers = [
        trial.offer()
        for trial in _trials(table, by, at)
        if trial.do in open_to_them and _is_accepted(table, Request(by, at, trial.sample, "because"))
    ]
    return (*offers, *round_offers(table, by, at, open_to_them))


def _is_accepted(table: Table, request: Request) -> bool:
    try:
        handle(table, request)
    except RuleViolation:
        return False
    return True


# --- the table's own commands


def _trials(table: Table, by: Person, at: datetime) -> Iterator[Trial]:
    """Each of the table's own commands with arguments that could be right."""
    yield from _house(table, at)
    yield from _players(table, by)
    yield from _decks(table)
    yield from _stub(table)
    yield from _devices(table)
    if (dispute := disputed(table)) is not None:
        yield _try(commands.RebuildHands(), seat=(0, *sorted(in_the_rack(dispute[1]))))
    for award in table.progressive.awards:
        yield _try(commands.VerifyAward(award.seat, hand=True, light=True), hand=EITHER, light=EITHER)
        yield _try(commands.ValidateAward(award.seat))
        yield _try(commands.RejectAward(award.seat))
        yield _try(commands.PayAward(award.seat))
        yield _try(commands.HandPayAward(award.seat, "slip"), reference=TEXT)


def _try(sample: Command, **allowed: Any) -> Trial:  # noqa: ANN401 - whatever an offer allows
    """An offer of exactly this command, apart from the given fields."""
    return Trial(sample, allowed, only=False)


def _try_only(sample: Command, **allowed: Any) -> Trial:  # noqa: ANN401 - whatever an offer allows
    """An offer of this command with only these fields."""
    return Trial(sample, allowed, only=True)


def _new_name(word: str, taken: Iterable[str]) -> str:
    """A name not in use at this table."""
    names = (f"{word} {number}" for number in count(1))
    return next(name for name in names if not is_among(name, taken))


def _house(table: Table, at: datetime) -> Iterator[Trial]:
    people = table.people
    new = _new_name("person", (people.dealer, *people.floor, *(patron for _, patron in people.seats)))
    for post in ("dealer", "floorperson"):
        yield _try_only(commands.Assign(post, new), post=post, person=TEXT)
    for row in table.house.rulebook.procedure.attest:
        yield _try(commands.Attest(row.what, "reference"), reference=TEXT)
    yield _try(commands.CountInventory(Cents(1)), amount=MONEY)
    yield _try(commands.VerifyInventory())
    yield _try(commands.FillTray(Cents(1), "slip"), amount=MONEY, reference=TEXT)
    in_tray = replace(MONEY, maximum=max(Cents(1), balance(table.books, TRAY)))
    yield _try(commands.CreditTray(Cents(1), "slip"), amount=in_tray, reference=TEXT)
    today = table.gaming_day or at.date()
    yield _try(commands.OpenTable(max(today, at.date())), gaming_day=TEXT)
    yield _try(commands.ChangeDay(today + timedelta(days=1)), gaming_day=TEXT)
    yield _try(commands.CloseTable())
    yield _try(commands.SuspendTable())
    yield _try(commands.ReleaseTable())
    yield _try(commands.ConfirmRules())
    yield _try_only(commands.SetIdle(), face="down")
    for _, patron in people.seats[:1]:
        yield _try(commands.SetIdle("up", patron))
    if not people.seats:
        yield _try_only(commands.SetIdle("up"), face="up")


def _players(table: Table, by: Person) -> Iterator[Trial]:
    people, is_player = table.people, by.role == "player"
    seated = dict.fromkeys(patron for _, patron in people.seats)
    new = by.id if is_player else _new_name("player", (people.dealer, *people.floor, *seated))
    for seat in range(1, table.house.seats + 1):
        yield _try(commands.Sit(seat, new), patron=by.id if is_player else TEXT)
    for patron in [by.id] if is_player else seated:
        yield _try(commands.StandUp(patron))
        most = replace(MONEY, maximum=max(Cents(1), Cents(MOST - chips_of(table, patron))))
        yield _try(commands.BuyIn(Cents(1), patron, brought=True), amount=most, brought=EITHER)
    if is_player:
        yield _try(commands.AddEntropy("00"), entropy=TEXT)


def _decks(table: Table) -> Iterator[Trial]:
    house, decks = table.house, table.cards.decks
    designs = tuple(deck.design for deck in decks if deck.design)
    new = commands.ReceiveDeck(
        _new_name("deck", (*(deck.id for deck in decks), *table.cards.retired)),
        _new_name("back", [deck.back for deck in decks]),
        house.rulebook.table.decks.cover_cards,
    )
    design = ("", *designs) if designs else TEXT
    yield _try(new, deck=TEXT, back=TEXT, preinspected=EITHER, preshuffled=EITHER, design=design)
    counted, depth = expected_count(house), cut_range(house)
    hands = hands_for(table) if house.deal == "hand" else (None,)
    for deck in decks:
        for step in _DECK_STEPS:
            yield _try_only(step(deck.id), deck=deck.id)
        yield _try_only(commands.ShuffleDeck(deck.id, counted), deck=deck.id, counted=counted)
        yield _try(commands.CutDeck(deck.id, depth.least), depth=depth)
        yield _try(commands.LoadDeck(deck.id, hands[0]), hand=hands[0] if len(hands) == 1 else hands)
        if first := first_to_arrive(table):
            yield _try_only(commands.OfferDeck(deck.id, first), deck=deck.id, patron=first)


def _stub(table: Table) -> Iterator[Trial]:
    state = table.round
    if state is None or not stub_open(table):
        return
    yield _try(commands.CountStub(stub_expected(state)), cards=Range(0, MOST_COUNTED))
    plan = state.cards.plan
    seats = {seat: len(places) for seat, places in plan.own.items()}
    counts = {slot: len(plan.slots[slot]) or None for slot in ("community", "six_card_box", "dealer")}
    yield _try_only(commands.ReportHoldings(seats, **counts))  # as if every place were right
    yield _try(commands.RackStub())


def _devices(table: Table) -> Iterator[Trial]:
    for device in get_args(commands.Device):
        for how in get_args(OutOfUse):
            yield _try(commands.TakeOutDevice(device, how))
        yield _try(commands.RestoreDevice(device))
    if table.round is not None or (not devices_of(table.house) and table.status == "closed"):
        return
    for shuffle in get_args(Shuffle):
        for deal in get_args(Deal):
            for decks in (1, 2):
                yield _try(commands.ChangeMethod(shuffle, deal, decks))


# --- moves of the round


def round_offers(table: Table, by: Person, at: datetime, may_give: Container[str]) -> Iterator[Offer]:
    """The moves of the round open to a person now, among the commands they may give."""
    state = table.round
    if state is None:
        if not_ready(table, at) is not None:
            return
        state = open_round(table.house)
    for offered in (*legal_actions(state), *_with_own_meter(table, state)):
        if offered.do not in may_give or (table.round is None and offered.do != "place_wager"):
            continue
        if waits_for(table, offered.do, at) is not None:
            continue
        fields: dict[str, Any] | None = dict(offered.fields)
        if fields is not None and _is_open_to(table, by, offered.do, fields):
            fields = _narrowed(table, state, by, offered.do, fields)
            if fields is not None:
                yield Offer(offered.do, tuple((name, _blind(value)) for name, value in fields.items()))


def _with_own_meter(table: Table, state: Round) -> Iterator[Offer]:
    """A hand that takes from a meter of this table: the table reads it when the hand is settled."""
    asked = awaiting(state)
    if asked.kind == "meter" and reads_itself(table, asked.meter):
        yield offer("settle", what="hand", seat=asked.seat)


def _is_open_to(table: Table, by: Person, name: str, fields: dict[str, Any]) -> bool:
    """Whether the table lets this person make a move that the round allows."""
    if fields.get("irregularity") in BY_COUNT or (fields.get("what") == "envy" and envy_waits(table) is not None):
        return False
    seat = fields.get("seat")
    if not isinstance(seat, int):
        return True
    if name == "place_wager" and not fits(fields.get("patron"), patron_at(table, seat)):
        return False
    # A dealer may also announce the decision of a player who has left the seat.
    for_a_player = name in FOR_A_PLAYER and (name != "decide" or by.role == "player")
    return not for_a_player or seat_problem(table, by, seat) is None


def _narrowed(table: Table, state: Round, by: Person, name: str, fields: dict[str, Any]) -> dict[str, Any] | None:
    """An offer narrowed by devices, hidden hands and available chips; None where nothing is left."""
    box = box_at(state, fields["seat"]) if "seat" in fields else None
    match name:
        case "deal" if by.role == "device":
            most = min(fields["number"].most, dispensed(table, state))
            return {"number": Range(1, most)} if most else None
        case "place_wager":
            return _within_chips(_without_patron(fields), _chips_for(table, box, fields))
        case "decide" if box is not None:
            if fields.get("choice") == "raise" and by.role != "player":
                # What any hand may raise: what this one may is its player's to know.
                offered = fields["amount"].increment
                stakes = raise_stakes(state.rules, None, box.main)
                fields = fields | {"amount": next(each for each in stakes if each.increment == offered)}
            fields = _without_patron(fields)
            return _within_chips(fields, chips_of(table, patron_of(state, box)), box)
    return _without_patron(fields)


def _without_patron(fields: dict[str, Any]) -> dict[str, Any]:
    """Drop the patron field: the request says who a move is for."""
    return {name: value for name, value in fields.items() if name != "patron"}


def _chips_for(table: Table, box: Box | None, fields: dict[str, Any]) -> Cents:
    """The chips for a wager; a stake that is changed comes back first."""
    chips = chips_of(table, patron_at(table, fields["seat"]))
    return Cents(chips + (box.stake(fields["wager"]) or 0 if box is not None else 0))


def _within_chips(fields: dict[str, Any], chips: Cents, box: Box | None = None) -> dict[str, Any] | None:
    """The amounts a player's chips cover."""
    amount, choices = fields.get("amount"), fields.get("choice")
    if isinstance(amount, Stakes):
        most = min(amount.maximum, chips)
        if most < amount.minimum:
            return None
        amount = replace(amount, maximum=Cents(most - (most - amount.minimum) % amount.increment))
        fields = fields | {"amount": amount}
    if box is None or choices is None:
        return fields
    several = choices if isinstance(choices, tuple) else (choices,)
    reached = tuple(choice for choice in several if not choice[:1].isdecimal() or int(choice[0]) * box.main <= chips)
    if not reached:
        return None
    return fields | {"choice": reached} if isinstance(choices, tuple) else fields


def _blind(allowed: Any) -> Any:  # noqa: ANN401 - whatever an offer allows
    """An offer of cards that does not give away which are still in the deck, and so which lie face down."""
    if isinstance(allowed, CardsOf):
        return replace(allowed, unseen=())
    if isinstance(allowed, tuple) and any(isinstance(value, Card) for value in allowed):
        return (None, CardsOf((), 1))
    return allowed
