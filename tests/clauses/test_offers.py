"""What a table offers, whatever people and decks are called."""

from datetime import timedelta

import pytest

from croupier.money import format_dollars
from croupier.rulebook import Stakes
from croupier.rulebook.names import Role
from croupier.table import Person, allowed
from support.desk import Desk, stud

TWO_DECKS = {"shuffle": "automated_counting", "deal": "automated_shoe", "decks": 2}


def offered(desk: Desk, role: Role, name: str) -> set[str]:
    return {offer.do for offer in allowed(desk.table, Person(role, name), desk.now)}


@pytest.mark.parametrize(("deck", "back"), [("a new deck", "a new back"), ("deck 1", "back 1"), ("Deck 1", "BACK 1")])
def test_a_second_deck_is_welcome_whatever_the_first_is_called(deck: str, back: str) -> None:
    desk = Desk(stud(cards=TWO_DECKS))
    desk.staff()
    for name in [old.id for old in desk.table.cards.decks]:
        assert desk.do("dealer", "d1", "remove_deck", deck=name) == "deck_removed"
    assert desk.do("dealer", "d1", "receive_deck", deck=deck, back=back) == "deck_received"
    assert "receive_deck" in offered(desk, "dealer", "d1")
    desk.do("dealer", "d1", "remove_deck", deck=deck)
    assert "receive_deck" in offered(desk, "dealer", "d1")
    assert desk.do("dealer", "d1", "receive_deck", deck=deck, back=back) == "refused deck_retired"


@pytest.mark.parametrize("name", ["a new dealer", "a new floorperson", "a new player", "person 1", "player 1"])
def test_people_may_be_called_anything(name: str) -> None:
    desk = Desk(stud())
    desk.seat(name)
    assert "assign" in offered(desk, "floorperson", "f1")
    assert "sit" in offered(desk, "dealer", "d1")


def test_a_table_may_open_for_the_gaming_day_that_it_closed_on() -> None:
    """Even after midnight in another time zone, when the clock says the day before."""
    desk = Desk(stud())
    desk.staff()
    assert desk.do("floorperson", "f1", "change_day", gaming_day="2026-01-03") == "gaming_day_changed"
    for name in [old.id for old in desk.table.cards.decks]:
        desk.do("dealer", "d1", "remove_deck", deck=name)
    desk.do("dealer", "d1", "count_inventory", amount="1000000.00")
    desk.do("floorperson", "f1", "verify_inventory")
    assert desk.do("floorperson", "f1", "close_table") == "table_closed"
    desk.now += timedelta(hours=1)
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="f1")
    desk.do("floorperson", "f1", "assign", post="dealer", person="d1")
    desk.do("floorperson", "f1", "attest", what="layout", reference="L-1")
    desk.do("floorperson", "f1", "attest", what="sign")
    desk.do("dealer", "d1", "count_inventory", amount="1000000.00")
    desk.do("floorperson", "f1", "verify_inventory")
    assert "open_table" in offered(desk, "floorperson", "f1")


def test_a_player_is_offered_no_more_chips_than_a_table_can_hold() -> None:
    desk = Desk(stud())
    desk.seat("Ann", chips="1000.00")
    [offer] = [offer for offer in allowed(desk.table, Person("player", "Ann"), desk.now) if offer.do == "buy_in"]
    amount = dict(offer.fields)["amount"]
    assert isinstance(amount, Stakes)
    most = format_dollars(amount.maximum)
    assert desk.do("player", "Ann", "buy_in", amount=most, brought=True) == "player_bought_in"
    assert desk.do("player", "Ann", "buy_in", amount="0.01", brought=True) == "refused no_amount"
    assert "buy_in" not in offered(desk, "player", "Ann")
