"""Rounds played at random: legal means accepted, money is conserved, events rebuild, nothing sticks."""

from collections import Counter

import pytest

from croupier.games import apply, decode_event, encode_event, open_round, rebuild, result, settle_round
from croupier.games import events as round_events
from croupier.games.actions import ACTIONS
from croupier.games.round import hand_of, table_cards_of
from croupier.progressive import Meter, moved
from support import slices
from support.random_play import BOOKS, Book, Played, is_plain, placed, rounds

PARTS = slices.count(full=40, sliced=2)
ROUNDS = slices.count(full=200_000, sliced=240)


def check_round(played: Played) -> None:
    state, events, book = played.state, played.events, played.book
    # Events alone rebuild the round, also through JSON.
    assert rebuild(played.house, [decode_event(encode_event(event)) for event in events]) == state
    # What players lost the tray holds, and the round says so itself.
    assert book.players + book.tray == 0
    settled = result(state)
    staked = sum(seat.staked for seat in settled.seats)
    paid = sum(seat.paid for seat in settled.seats)
    closed = events[-1]
    assert isinstance(closed, round_events.RoundClosed)
    assert (closed.staked, closed.paid) == (staked, paid)
    assert staked == placed(played)
    assert book.tray == staked - paid == settled.house_net
    assert book.reserve == dict(state.proceedings.raised).get("reserve", 0)
    # Every wager is settled once, with its clause; the main wager opened the box.
    for box in state.boxes:
        assert box.main == box.stake(state.rules.main.name)
        assert sorted(one.wager for one in box.results) == sorted(name for name, _ in box.staked)
        assert all(one.clause and one.why for one in box.results)
    # Every card that left the deck is in the rack, each hand in one piece.
    rack = state.cards.rack
    assert sorted(rack) == list(range(state.cards.dealt))
    for own in state.cards.plan.own.values():
        lies = [rack.index(place) for place in own if place in rack]
        assert lies == list(range(min(lies, default=0), min(lies, default=0) + len(lies)))
    if is_plain(played):
        agrees_with_settle(played, book)


def agrees_with_settle(played: Played, book: Book) -> None:
    """A round described after the fact pays the same cents, and leaves the meters the same."""
    state = played.state
    raised = Counter({name: units for name, units in state.proceedings.raised if name != "reserve"})
    at_lock = played.house.options.meter_increment == "at_lock"
    before: dict[str, Meter] = {
        name: moved(meter, raised[name] if at_lock else 0) for name, meter in Book(played.house).meters.items()
    }
    hands = [hand_of(state, box) for box in state.boxes]
    settled = settle_round(played.house, hands, table_cards_of(state), before)
    assert settled.seats == result(state).seats
    for meter in settled.meters:
        assert book.meters[meter.name].units == meter.units + (0 if at_lock else raised[meter.name])


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("book", BOOKS)
def test_rounds_by_legal_moves_of_chance(book: str, part: int) -> None:
    """200,000 of each rulebook in full, 240 in a slice."""
    for played in rounds(1000 + part, book, ROUNDS // PARTS):
        check_round(played)


@pytest.mark.parametrize("book", BOOKS)
def test_the_same_moves_give_the_same_events(book: str) -> None:
    for played in rounds(99, book, 50):
        state = open_round(played.house)
        events: list[round_events.Event] = []
        for action in played.actions:
            state, new = apply(state, action)
            events += new
        assert (state, events) == (played.state, played.events)


def test_every_action_and_event_occurs() -> None:
    """The rounds of chance are worth something only if they reach everything: 300 of each rulebook do, or fewer."""
    wanted = {kind.__name__ for kind in ACTIONS.values()}
    wanted |= {kind for kind in round_events.__all__ if kind[0].isupper() and kind not in {"Event", "Recorded"}}
    for together in zip(*(rounds(7, book, 300, eventful=0.8) for book in BOOKS), strict=True):
        wanted -= {type(one).__name__ for played in together for one in (*played.actions, *played.events)}
        if not wanted:
            return
    assert not wanted
