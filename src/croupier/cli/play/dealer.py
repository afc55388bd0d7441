"""The dealer's part of a round: every move that no player makes, the meters, and who is paid what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.cards import Card
from croupier.games import Action, Event, Round, actions, apply, awaiting
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.progressive import Meter, house_meters, moved, shown, take
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Slot
from croupier.rulebook.schema import Wager

__all__ = [
    "after_event",
    "beside_main",
    "dealers_move",
    "extras",
    "face_up",
    "least_to_play",
    "money_moved",
    "open_meters",
    "place_main",
    "slot_cards",
]


# --- moves


def dealers_move(state: Round, deck: Sequence[Card], meters: Mapping[str, Meter]) -> Action | None:
    """What the dealer does next; None when a player is to speak or the round is over.

    >>> from croupier.cards import DECK
    >>> from croupier.games import open_round
    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> state, _ = place_main(open_round(house), 1, Cents(1000))
    >>> state, _ = apply(state, actions.Perform("announce"))
    >>> dealers_move(state, DECK, {})
    Deal(cards=5)
    """
    if untold := _first_untold(state):
        return actions.IdentifyCards(untold[0], tuple(deck[place] for place in untold))
    need = awaiting(state)
    match need.kind:
        case "act" if need.act is not None:
            return actions.Perform(need.act, _chips(state) if need.act.startswith("count_") else None)
        case "cards":
            return actions.Deal(len(need.places))
        case "reveal" if need.slot is not None:
            return actions.Reveal(need.slot, need.seat)
        case "meter":
            return actions.ReadMeter(need.meter, shown(meters[need.meter]))
        case "settlement" if need.what in {"hand", "envy", "last"}:
            return actions.Settle(need.what, need.seat)  # type: ignore[arg-type]
        case "close":
            return actions.Close()
    return None


def _chips(state: Round) -> int:
    wager = state.at.act.offered if state.at.act else None
    return sum(wager is not None and box.stake(wager) is not None for box in state.boxes)


def _first_untold(state: Round) -> list[int]:
    """The first run of dealt cards that nobody has told; what is discarded unseen stays unknown."""
    run: list[int] = []
    for place in range(state.cards.dealt):
        hidden = state.faces.known[place] is None and state.cards.plan.places[place].slot != "discard"
        if hidden:
            run.append(place)
        elif run:
            break
    return run


def place_main(state: Round, seat: int, amount: Cents) -> tuple[Round, Sequence[Event]]:
    """The main wager of a seat, and as much on every wager that must equal it."""
    events: list[Event] = []
    for wager in (state.rules.main, *beside_main(state)):
        state, new = apply(state, actions.PlaceWager(seat, wager.name, amount))
        events += new
    return state, events


# --- what a table offers


def beside_main(state: Round) -> list[Wager]:
    """The wagers that must equal the main one, as in Let It Ride."""
    rules = state.rules
    return [wager for wager in rules.wagers.values() if wager.stake == "equal" and wager.name in rules.offered]


def least_to_play(state: Round) -> Cents:
    """The least that opens a box at this table."""
    stakes = state.rules.offered[state.rules.main.name].stakes
    return Cents((stakes.minimum if stakes else 0) * (1 + len(beside_main(state))))


def extras(state: Round) -> list[Wager]:
    """The wagers beside the main game that a player may add before the deal."""
    rules = state.rules
    return [wager for name, wager in rules.wagers.items() if name in rules.offered and wager.offered == "option"]


def slot_cards(state: Round, slot: Slot) -> list[Card | None]:
    """The cards of a slot as a player sees them: None lies face down."""
    cards = state.cards
    return [state.faces.known[place] if place in cards.up else None for place in cards.plan.slots.get(slot, ())]


def face_up(state: Round, slot: Slot) -> tuple[Card, ...]:
    """The cards of a slot that lie face up."""
    return tuple(card for card in slot_cards(state, slot) if card is not None)


# --- money


def open_meters(house: HouseRules) -> dict[str, Meter]:
    """The meters of a house at their initial amounts."""
    return {meter.name: meter for meter in house_meters(house, linked=True)}


def after_event(meters: Mapping[str, Meter], event: Event) -> dict[str, Meter]:
    """The meters after an event: stakes raise them, awards are taken off.

    >>> from croupier.progressive import open_meter
    >>> main = open_meter("main", initial=Cents(1_000_00), reset=Cents(1_000_00), rate=100_000)
    >>> after_event({"main": main}, round_events.MeterRaised("main", 100_000, "12.C(3)"))["main"].units
    1000100000
    """
    left = dict(meters)
    match event:
        case round_events.MeterRaised() if event.meter in left:
            meter = left[event.meter]
            left[event.meter] = moved(meter, event.units)
        case round_events.HandSettled():
            for award in [one.award for one in event.wagers if one.award is not None]:
                left[award.meter], _ = take(left[award.meter], percent=award.percent)
    return left


def money_moved(event: Event) -> Iterator[tuple[int, int]]:
    """Which seats an event pays, in cents; below zero it is a stake.

    >>> list(money_moved(round_events.WagerPlaced(2, "seat 2", "ante", Cents(1000), "value_chip")))
    [(2, -1000)]
    """
    match event:
        case round_events.WagerPlaced() | round_events.DecisionMade():
            yield event.seat, -event.amount
        case round_events.WagerTakenBack() | round_events.WagerReturned():
            yield event.seat, event.amount
        case round_events.HandSettled():
            yield event.seat, sum(one.won + one.returned for one in event.wagers)
        case round_events.EnvySettled():
            for seat, paid in event.paid:
                yield seat, sum(one.won for one in paid)
