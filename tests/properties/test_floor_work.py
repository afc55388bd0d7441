"""What waits for the floor at a table, with its clause, and the commands that answer it."""

from datetime import timedelta

import pytest

from croupier.table import FloorWork, Person, allowed, deck_clocks, floor_work, stub_state
from support.desk import Desk, bet, stud, won_by_ann

FLOOR = Person("floorperson", "f1")


def waits(desk: Desk, kind: str) -> FloorWork | None:
    return next((work for work in floor_work(desk.table, desk.now) if work.kind == kind), None)


def may_give(desk: Desk) -> set[str]:
    return {offered.do for offered in allowed(desk.table, FLOOR, desk.now)}


def by_hand() -> Desk:
    return Desk(stud(cards={"shuffle": "manual", "deal": "manual_shoe", "decks": 1}))


def opened_until(desk: Desk, step: str) -> None:
    """The staff go on until they would give this command."""
    while (request := desk.staff_request()) is not None and request.name != step:
        desk.handle(request)


def test_a_table_is_opened_by_the_floor_step_by_step() -> None:
    desk = by_hand()
    opening = waits(desk, "opening")
    assert opening is not None
    assert "attest the layout" in opening.words
    assert opening.clause
    opened_until(desk, "verify_inventory")
    inventory = waits(desk, "inventory")
    assert inventory is not None
    assert "$1,000,000" in inventory.words
    assert set(inventory.do) <= may_give(desk)
    opened_until(desk, "verify_deck")
    deck = waits(desk, "deck")
    assert deck is not None
    assert (deck.do, deck.clause, deck.reading) == (("verify_deck",), "4.A", 165)
    assert "verify_deck" in may_give(desk)
    desk.staff()
    assert [work for work in floor_work(desk.table, desk.now) if not work.may and work.kind != "preparation"] == []


def test_a_cut_deck_may_be_cut_again_and_its_clock_runs() -> None:
    desk = by_hand()
    desk.seat("Ann")
    recut = waits(desk, "recut")
    assert recut is not None
    assert recut.may
    assert recut.clause == "5.F"
    assert "order_recut" in may_give(desk)
    (clock,) = deck_clocks(desk.table, desk.now)
    assert (clock.hours, clock.clause, clock.reading) == (8, "3.C(2)", 126)
    placed = desk.table.cards.decks[0].placed
    assert placed is not None
    (later,) = deck_clocks(desk.table, placed + timedelta(hours=7, minutes=50))
    assert (later.left, later.soon) == (timedelta(minutes=10), True)
    old = placed + timedelta(hours=8)
    assert deck_clocks(desk.table, old)[0].left == timedelta()
    work = next(work for work in floor_work(desk.table, old) if work.kind == "deck")
    assert (work.do, work.clause) == (("remove_deck",), "3.C(2)")


def test_a_wrong_stub_and_a_suspended_table_wait() -> None:
    desk = by_hand()
    desk.seat("Ann")
    bet(desk, "Ann")
    while desk.table.round is None or desk.table.cards.stub != "out" or not stub_state(desk.table).every:
        desk.staff_step(close_bets=True)
    while (request := desk.staff_request(close_bets=True)) is not None and request.name not in {
        "count_stub",
        "rack_stub",
    }:
        desk.handle(request)
    desk.do("dealer", "d1", "count_stub", cards=40)
    stub = waits(desk, "stub")
    assert stub is not None
    assert "40 cards and should have 47" in stub.words
    assert stub_state(desk.table).state == "wrong"
    assert stub_state(desk.table).since == 0, "counted in this very round"
    desk.do("floorperson", "f1", "suspend_table", reason="to look")
    suspended = waits(desk, "suspended")
    assert suspended is not None
    assert suspended.words == "suspended by the floorperson"
    assert "release_table" in may_give(desk)


@pytest.mark.parametrize("verified", [False, True])
def test_an_award_waits_for_its_next_step(*, verified: bool) -> None:
    desk = won_by_ann()
    award = waits(desk, "award")
    assert award is not None
    assert (award.do, award.clause, award.seat) == (("verify_award", "reject_award"), "11.I(4)(a)", 1)
    if verified:
        desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
        award = waits(desk, "award")
        assert award is not None
        assert award.do[0] == "validate_award"
        desk.do("floorperson", "f1", "validate_award", seat=1)
        award = waits(desk, "award")
        assert award is not None
        assert award.do[0] == "hand_pay_award"
        assert "hand_pay_award" in may_give(desk)
