"""What a trainee is asked about a round: who gets cards, who is settled first, what each hand is, what each bet wins.

Every right answer is what the engine did in the round; nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.games import Box, Round, WagerSettled, own_places
from croupier.games import events as round_events
from croupier.present import (
    ChipMove,
    capitalized,
    chip_moves,
    envy_moves,
    hand_words,
    line_words,
    listed,
    spoken,
    titled,
)
from croupier.rulebook import HouseRules
from croupier.training.rounds import PlayedRound, play_round

__all__ = [
    "NO_LINE",
    "ORDER_OF_BETS",
    "Drill",
    "LineChoice",
    "OrderItem",
    "OrderTask",
    "PayTask",
    "SeatTask",
    "drill_of",
]

NO_LINE: Final = "no_line"
ORDER_OF_BETS: Final = "order of the bets"
_AGAINST: Final = {
    "not_qualified": "the dealer does not qualify",
    "dealer_win": "higher than the dealer's hand",
    "dealer_push": "equal to the dealer's hand",
    "dealer_lose": "lower than the dealer's hand",
}
"""How a hand stands against the dealer's."""
_PLACES: Final = {
    "community": "the board",
    "six_card_box": "the Six Card Bonus box",
    "dealer": "the dealer",
    "discard": "the discard rack",
}


class OrderItem(NamedTuple):
    """Something that has its place in an order."""

    key: str
    words: str
    clause: str = ""
    """What gives it its place, where the whole order has no clause of its own."""


class OrderTask(Struct, frozen=True, kw_only=True):
    """Things to put in their order; `shown` is how they are offered, `right` how they go."""

    step: str
    title: str
    shown: tuple[OrderItem, ...]
    right: tuple[str, ...]
    clause: str
    reading: int | None = None


class LineChoice(NamedTuple):
    """A line that a hand can fall on."""

    key: str
    words: str


class PayTask(Struct, frozen=True, kw_only=True):
    """A bet to take or pay."""

    wager: str
    move: ChipMove
    lines: tuple[LineChoice, ...] = ()
    """What may be named as its line; none where the bet was decided before the showdown."""
    line: str = ""


class SeatTask(Struct, frozen=True, kw_only=True):
    """Everything to settle at a seat."""

    seat: int
    cards: tuple[Card, ...]
    folded: bool
    made: str
    """What the hand is, in words."""
    pays: tuple[PayTask, ...]


class Drill(Struct, frozen=True, kw_only=True):
    """A round to be dealt, taken and paid by the trainee."""

    seed: int
    rulebook: str
    orders: tuple[OrderTask, ...]
    seats: tuple[SeatTask, ...]
    """In the order of settlement."""
    board: tuple[tuple[str, tuple[Card, ...]], ...]
    """The cards of the table by place."""
    bets: tuple[tuple[int, tuple[tuple[str, int], ...]], ...]
    """What each seat has bet when settlement begins."""


def drill_of(house: HouseRules, *, seed: int) -> Drill:
    """The drill of a house with this seed."""
    played = play_round(house, seed)
    dice = Random(seed + 1)  # noqa: S311 - how things are shuffled on a page
    state = played.before
    seats = tuple(_seat(house, played, seat) for seat in _in_order(played))
    return Drill(
        seed=seed,
        rulebook=house.rulebook.id,
        orders=tuple(task for task in _orders(house, played, dice) if len(task.right) > 1),
        seats=tuple(seat for seat in seats if seat.pays),
        board=_board(state),
        bets=tuple((box.seat, _open_bets(box)) for box in state.boxes),
    )


def _open_bets(box: Box) -> tuple[tuple[str, int], ...]:
    settled = {wager.wager for wager in box.results}
    return tuple((name, amount) for name, amount in box.staked if name not in settled)


# --- orders


def _orders(house: HouseRules, played: PlayedRound, dice: Random) -> Iterator[OrderTask]:
    yield _deal(played.before, dice)
    yield _settlement(played, dice)
    yield _bets_of_a_seat(house, played, dice)


def _deal(state: Round, dice: Random) -> OrderTask:
    """Who gets a card first, second and so on."""
    places: dict[tuple[str, int], str] = {}
    for place in state.cards.plan.places:
        places.setdefault((place.slot, place.seat), place.clause)
    items = [
        OrderItem(f"{slot}.{seat}", f"Seat {seat}" if seat else capitalized(_PLACES[slot]), clause)
        for (slot, seat), clause in places.items()
    ]
    script = state.rules.script
    return OrderTask(
        step="order of the deal",
        title="In which order do you deal?",
        shown=_mixed(items, dice),
        right=tuple(item.key for item in items),
        clause=script.clause,
        reading=script.reading,
    )


def _settlement(played: PlayedRound, dice: Random) -> OrderTask:
    words = {"envy": "Envy bonuses", "last": "Last bets of seat {}", "hand": "Seat {}"}
    items = [OrderItem(f"{what}.{seat}", words[what].format(seat)) for what, seat in played.turns]
    settlement = played.before.rules.house.rulebook.play.settlement
    return OrderTask(
        step="order of take and pay",
        title="In which order do you take and pay?",
        shown=_mixed(items, dice),
        right=tuple(item.key for item in items),
        clause=settlement.clause,
        reading=settlement.reading,
    )


def _mixed(items: list[OrderItem], dice: Random) -> tuple[OrderItem, ...]:
    """Things in any order but their own."""
    mixed = dice.sample(items, len(items))
    return tuple(mixed if mixed != items else reversed(mixed))


def _bets_of_a_seat(house: HouseRules, played: PlayedRound, dice: Random) -> OrderTask:
    """The bets of the seat that has most of them; those on one paytable go together."""
    groups = {wager.name: wager.paytables[0].group for wager in house.wagers}
    hands = [event for event in played.settled if isinstance(event, round_events.HandSettled) and event.what == "hand"]
    settled = [(event.seat, list(dict.fromkeys(groups[wager.wager] for wager in event.wagers))) for event in hands]
    seat, right = max(settled, key=lambda each: len(each[1]), default=(0, []))
    words = {group: listed(titled(name) for name in groups if groups[name] == group) for group in right}
    items = [OrderItem(group, words[group]) for group in right]
    settlement = played.before.rules.house.rulebook.play.settlement
    return OrderTask(
        step=ORDER_OF_BETS,
        title=f"In which order do you settle the bets of seat {seat}?",
        shown=_mixed(items, dice),
        right=tuple(right),
        clause=(*settlement.also, settlement.clause)[0],
        reading=settlement.reading,
    )


def _in_order(played: PlayedRound) -> list[int]:
    return list(dict.fromkeys(seat for _, seat in played.turns if seat))


# --- seats


def _seat(house: HouseRules, played: PlayedRound, seat: int) -> SeatTask:
    state = played.after
    box = next(box for box in state.boxes if box.seat == seat)
    settled = [wager for event in _settled_at(played, seat) for wager in event.wagers]
    bonuses = [bonus for event in _envy(played) for where, won in event.paid if where == seat for bonus in won]
    pays = [_pay(house, wager, move) for wager, move in zip(settled, chip_moves(settled), strict=True)]
    pays = _named_once(house, pays)
    pays += [PayTask(wager=f"envy.{number}", move=move) for number, move in enumerate(envy_moves(bonuses))]
    known = state.faces.known
    made: dict[str, str] = {}
    for wager in settled:
        if wager.made:
            made.setdefault(hand_words(wager.made), f"{spoken(wager.wager)}: " if made else "")
    return SeatTask(
        seat=seat,
        cards=tuple(card for place in own_places(state, seat) if (card := known[place]) is not None),
        folded=box.folded_on is not None,
        made="; ".join(f"{named}{words}" for words, named in made.items()),
        pays=tuple(pays),
    )


def _named_once(house: HouseRules, pays: list[PayTask]) -> list[PayTask]:
    """Bets on one paytable fall on one line: it is asked for once."""
    named: set[str] = set()
    found = []
    for pay in pays:
        wager = next((each for each in house.wagers if each.name == pay.wager), None)
        group = wager.paytables[0].group if wager is not None else pay.wager
        found.append(replace(pay, lines=(), line="") if group in named else pay)
        if pay.lines:
            named.add(group)
    return found


def _settled_at(played: PlayedRound, seat: int) -> Iterable[round_events.HandSettled]:
    return [event for event in played.settled if isinstance(event, round_events.HandSettled) and event.seat == seat]


def _envy(played: PlayedRound) -> Iterable[round_events.EnvySettled]:
    return [event for event in played.settled if isinstance(event, round_events.EnvySettled)]


def _pay(house: HouseRules, wager: WagerSettled, move: ChipMove) -> PayTask:
    return PayTask(wager=wager.wager, move=move, lines=_lines(house, wager), line=_line(wager))


def _line(wager: WagerSettled) -> str:
    """What decided a bet: a line of its paytable, or how the hand stands against the dealer's."""
    match wager.cause:
        case "dealer":
            return f"dealer_{wager.outcome}"
        case "not_qualified":
            return "not_qualified"
        case "paytable":
            return wager.hand or NO_LINE if wager.pays is not None else NO_LINE
    return ""


def _lines(house: HouseRules, wager: WagerSettled) -> tuple[LineChoice, ...]:
    offered = house.wager(wager.wager)
    if wager.cause in {"dealer", "not_qualified"}:
        return tuple(LineChoice(key, capitalized(words)) for key, words in _AGAINST.items())
    if wager.cause != "paytable" or offered is None:
        return ()
    # Of several paytables for several numbers of hands the lines have the same names.
    lines = dict.fromkeys(line.hand for table in offered.paytables for line in table.line)
    return (
        *(LineChoice(hand, capitalized(line_words(hand))) for hand in lines),
        LineChoice(NO_LINE, "No line: it loses"),
    )


def _board(state: Round) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    known, slots = state.faces.known, state.cards.plan.slots
    return tuple(
        (
            capitalized(_PLACES.get(slot, spoken(slot)).removeprefix("the ")),
            tuple(card for place in places if (card := known[place]) is not None),
        )
        for slot, places in slots.items()
        if slot not in {"player", "discard"} and places
    )
