"""Tables in awkward hands: what a hostile client, an examiner and an accountant have tried."""

import json
from datetime import timedelta
from typing import Any

import pytest

from croupier.cards import DECK
from croupier.driver import FairShuffler, TableRunner
from croupier.errors import EntropyFailure
from croupier.fairness import Entropy
from croupier.games import awaiting
from croupier.table import Person, allowed, rebuild, write_entry
from croupier.table.views import CARD_BACK, view
from support.desk import METER, PROGRESSIVE, STAFF, Desk, bet, play_to_settlement, refuses, stay, stud, won_by_ann
from support.random_rounds import HCF, LIR, MA, MS
from support.running import here

# --- nothing leaks


def test_a_refusal_names_no_card_that_lies_face_down() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    assert desk.do("dealer", "d1", "tell", place=0, cards="2c") == "refused already_told"
    assert "Ah" not in str(desk.refusal)


@pytest.mark.parametrize("virtual", [False, True])
def test_offers_do_not_tell_the_cards_by_leaving_them_out(virtual: bool) -> None:
    desk = Desk(stud(), virtual=virtual)
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    desk.do("dealer", "d1", "deal", number=2, **({} if virtual else {"cards": "Ah Kh"}))
    for person in (Person("dealer", "d1"), Person("floorperson", "f1"), Person("player", "Ann")):
        said = " ".join(f"{one} {one!r}" for one in allowed(desk.table, person, desk.now))
        assert not any(str(card) in said.replace(",", " ").split() for card in DECK)
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    assert "Card(" not in repr(desk.refusal.allowed) + repr(desk.table) + str(desk.table)


@pytest.mark.clause("md-high-card-flush 7.G")
def test_a_second_box_is_seen_when_the_first_is_decided() -> None:
    desk = Desk({"rulebook": HCF, "boxes": 2, "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}}})
    desk.staff()
    for seat in (1, 2):
        desk.do("player", "Ann", "sit", seat=seat)
    desk.do("player", "Ann", "buy_in", amount="1000.00", brought=True)
    desk.staff()
    for seat in (1, 2):
        desk.do("player", "Ann", "place_wager", seat=seat, wager="ante", amount="10.00")
    desk.staff(close_bets=True)
    ann = Person("player", "Ann")
    first, second = (box.cards for box in view(desk.table, ann).seats[:2])
    assert CARD_BACK not in first
    assert set(second) == {CARD_BACK}
    desk.do("player", "Ann", "decide", seat=1, choice="fold")
    assert CARD_BACK not in view(desk.table, ann).seats[1].cards


@pytest.mark.clause("md-high-card-flush 11.B(1)")
def test_what_a_hand_may_raise_is_told_to_its_own_player() -> None:
    desk = Desk({"rulebook": HCF, "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}}})
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.staff(close_bets=True)
    assert desk.do("dealer", "d1", "decide", seat=1, choice="raise", amount="30.00") == "refused raise_above_limit"
    assert str(desk.refusal) == "the hand does not allow this raise"
    offers = allowed(desk.table, Person("dealer", "d1"), desk.now)
    offered: list[dict[str, Any]] = [dict(one.fields) for one in offers if one.do == "decide"]
    assert max(one["amount"].maximum for one in offered if one["choice"] == "raise") == 3000
    assert desk.do("player", "Ann", "decide", seat=1, choice="raise", amount="30.00") == "refused raise_above_limit"
    assert "flush" in str(desk.refusal)


# --- the stub


@pytest.mark.parametrize("how", ["abandon", "conduct"])
@pytest.mark.clause("md-mississippi-stud 8.G", "md-mississippi-stud 8.F")
def test_a_round_does_not_close_over_its_stub(how: str) -> None:
    desk = Desk(stud(readings={"stub": {"every_n": 1}}))
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    desk.do("dealer", "d1", "deal", number=5)
    assert desk.do("dealer", "d1", "rack_stub") == "refused count_due"
    if how == "abandon":
        desk.do("floorperson", "f1", "leave", seat=1, how="abandon")
    else:
        desk.do("floorperson", "f1", "find_conduct", seat=1, rule="touching", reason="seen")
    assert desk.do("dealer", "d1", "close") == "refused stub_open"
    assert desk.do("dealer", "d1", "count_stub", cards=40) == "stub_counted"
    assert desk.do("dealer", "d1", "close") == "refused stub_open"
    said = desk.do("dealer", "d1", "report_holdings", seats={"1": 2}, community=3)
    assert said.startswith("holdings_reported irregularity_ruled")
    assert desk.do("dealer", "d1", "close").endswith("deck_condemned")


# --- people


def test_the_winner_validates_nothing() -> None:
    desk = won_by_ann()
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    for role in ("floorperson", "shift_manager"):
        assert desk.do(role, "ann", "validate_award", seat=1) == "refused own_act"
    assert desk.do("floorperson", "f1", "validate_award", seat=1) == "award_validated"


def test_nobody_has_two_parts_at_a_table() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    assert desk.do("floorperson", "f1", "assign", post="dealer", person="Ann") == "refused own_act"
    assert desk.do("pit_manager", "p1", "assign", post="floorperson", person="ANN") == "refused own_act"
    assert desk.do("pit_manager", "d1", "order_recut", deck="red deck 1", reason="x") == "refused own_act"
    assert desk.do("floorperson", "d1", "order_shuffle", deck="red deck 1") == "refused own_act"
    assert desk.do("regulator", "Ann", "suspend_table", reason="x") == "refused own_act"
    assert desk.do("player", "f1", "sit", seat=2) == "refused on_duty"


def test_a_floorperson_is_relieved() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    relief = {"post": "floorperson", "person": "f2"}
    assert desk.do("pit_manager", "p1", "assign", **relief, instead_of="f9") == "refused not_on_duty"
    assert desk.do("pit_manager", "p1", "assign", **relief, instead_of="f1") == "person_assigned"
    assert desk.table.people.floor == ("f2",)


def test_a_suspension_is_lifted_by_those_who_may() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    desk.do("regulator", "r1", "suspend_table", reason="a complaint")
    assert desk.do("player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00") == "refused suspended"
    refuses(desk, "already_suspended", "floorperson", "f1", "suspend_table", reason="me too")
    assert desk.do("floorperson", "f1", "release_table") == "refused not_your_act"
    assert desk.do("operator", "o1", "release_table") == "refused not_your_act"
    assert desk.do("regulator", "r2", "release_table") == "table_released"


# --- rules and methods


@pytest.mark.clause("ma-mississippi-stud 14(g)")
def test_new_rules_do_not_get_around_a_device_on_the_table() -> None:
    raw = {"rulebook": MA, "cards": {"shuffle": "automated", "deal": "manual_shoe", "deck_hours": 8}}
    desk = Desk(raw)
    desk.seat("Ann")
    other = raw | {"cards": {"shuffle": "manual", "deal": "manual_shoe", "deck_hours": 8}}
    assert desk.do("operator", "o1", "propose_rules", submission=other, approval=" ") == "refused no_reference"
    assert desk.do("operator", "o1", "propose_rules", submission=other, approval="A-7") == "rules_proposed"
    assert desk.do("operator", "O1", "confirm_rules") == "refused own_act"
    assert desk.do("operator", "o2", "confirm_rules") == "refused not_out_of_use"
    assert desk.do("floorperson", "f1", "take_out_device", device="shuffler", how="removed") == "device_taken_out"
    assert desk.do("operator", "o2", "confirm_rules") == "rules_changed"
    assert desk.do("player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00") == "refused not_attested"


@pytest.mark.clause("md-mississippi-stud 2.B")
def test_new_rules_lose_no_meter_and_are_attested_anew() -> None:
    desk = Desk(stud(wagers=PROGRESSIVE))
    desk.seat("Ann")
    desk.do("operator", "o1", "propose_rules", submission=stud(), approval="A-7")
    assert desk.do("operator", "o2", "confirm_rules") == "refused meter_held"
    higher = PROGRESSIVE | {"progressive": PROGRESSIVE["progressive"] | {"meters": {"main": METER | {"rate": "0.2"}}}}
    desk.do("operator", "o1", "propose_rules", submission=stud(wagers=higher), approval="A-8")
    assert desk.do("operator", "o2", "confirm_rules") == "rules_changed"
    assert desk.table.progressive.meters[0].units == 20_000_000_000
    assert desk.table.attested == ()


# --- money


def test_what_a_player_owes_who_has_gone_stops_nobody() -> None:
    desk = Desk(stud())
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo")
    desk.staff(close_bets=True, cards="Ah Kh 2c 3d Qh Jh Th")
    desk.do("floorperson", "f1", "leave", seat=1, how="play_on")
    while awaiting(desk.table.round).kind != "close":
        asked = awaiting(desk.table.round)
        if asked.kind == "decision" and asked.seat == 1:
            desk.do("floorperson", "f1", "declare_undecided", seat=1)
        elif asked.kind == "decision":
            desk.do("player", "Bo", "decide", seat=2, choice="1x")
        elif asked.kind == "reveal":
            desk.do("dealer", "d1", "reveal", slot="community")
        else:
            desk.do("dealer", "d1", "settle", what="hand", seat=asked.seat)
    desk.do("player", "Ann", "stand_up")
    tray = desk.books()["tray"]
    desk.do("floorperson", "f1", "rule", irregularity="wrong_count_community")
    assert "round_closed" in desk.do("dealer", "d1", "close")
    assert all(amount >= 0 for account, amount in desk.books().items() if account.startswith("chips"))
    assert desk.books()["tray"] <= tray
    desk.staff()
    assert desk.do("player", "Bo", "place_wager", seat=2, wager="ante", amount="10.00") == "wager_placed"


@pytest.mark.parametrize("back", [False, True])
def test_a_winner_who_took_the_winnings_away_owes_them(*, back: bool) -> None:
    """Whether gone for good, or back in another seat without them."""
    desk = Desk(stud())
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    stay(desk)
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    before = desk.books()["tray"]
    assert desk.do("player", "Ann", "stand_up") == "refused round_in_progress"
    desk.do("floorperson", "f1", "reverse_settlement", reason="counted wrongly")
    desk.do("floorperson", "f1", "leave", seat=1, how="play_on")
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    assert desk.do("player", "Ann", "stand_up") == "player_stood_up"
    assert desk.books()["tray"] == before
    if back:
        assert desk.do("player", "Ann", "sit", seat=3) == "player_sat"
    desk.do("floorperson", "f1", "rule", irregularity="wrong_count_community")
    desk.do("dealer", "d1", "close")
    books = desk.books()
    assert books.get("chips Ann", 0) >= 0
    assert books["owed Ann"] == -books["claims"] > 0
    assert books["tray"] <= before


@pytest.mark.clause("md-mississippi-stud 11.J")
def test_a_table_closes_with_nothing_left_open_and_opens_as_it_closed() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    for deck in desk.table.cards.decks:
        desk.do("dealer", "d1", "remove_deck", deck=deck.id)
    desk.do("player", "Ann", "stand_up")
    tray = desk.books()["tray"]
    desk.do("dealer", "d1", "count_inventory", amount=f"{tray // 100}.00")
    desk.do("floorperson", "f1", "verify_inventory")
    assert desk.do("floorperson", "f1", "close_table") == "table_closed"
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="f1")
    desk.do("floorperson", "f1", "assign", post="dealer", person="d1")
    for what in ("layout", "sign"):
        desk.do("floorperson", "f1", "attest", what=what, reference="R")
    desk.do("dealer", "d1", "count_inventory", amount="5.00")
    assert desk.do("floorperson", "f1", "verify_inventory") == "refused count_differs"
    assert desk.do("floorperson", "f1", "fill_tray", amount="5.00", reference="F-1") == "tray_filled"
    desk.do("dealer", "d1", "count_inventory", amount=f"{tray // 100 + 5}.00")
    desk.do("floorperson", "f1", "verify_inventory")
    assert desk.do("floorperson", "f1", "open_table", gaming_day="2020-01-01") == "refused not_later"
    assert desk.do("floorperson", "f1", "open_table", gaming_day="2026-01-02") == "table_opened"
    assert desk.do("dealer", "d1", "receive_deck", deck="red deck 1", back="red") == "refused deck_retired"


# --- chance, the automatic dealer, awards


def test_a_failing_source_of_chance_stops_dealing() -> None:
    desk = Desk(stud(), virtual=True)
    desk.run = TableRunner(desk.first, FairShuffler(Entropy(lambda size: b"\x01" * (size - 1) + b"\x02")))
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.staff(close_bets=True)
    desk.do("player", "Ann", "decide", seat=1, choice="fold")
    with pytest.raises(EntropyFailure):
        desk.staff()
    before = desk.table
    with pytest.raises(EntropyFailure):
        desk.do("dealer", "d1", "shuffle_deck", deck="red deck 1")
    assert desk.table is before


def test_nobody_takes_away_what_another_player_added() -> None:
    desk = Desk(stud(), virtual=True)
    desk.seat("Ann", "Bo")
    desk.do("player", "Bo", "add_entropy", entropy="b0b0")
    desk.do("player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00")
    desk.do("player", "Ann", "take_back", seat=1, wager="ante")
    assert desk.do("player", "Bo", "place_wager", seat=2, wager="ante", amount="10.00") == "wager_placed"
    desk.staff(close_bets=True)
    desk.do("player", "Bo", "decide", seat=2, choice="fold")
    desk.staff()
    revealed = next(entry for entry in desk.entries if entry.name == "seed_revealed/1")
    assert write_entry(revealed)["players"] == ["b0b0"]


def test_the_automatic_dealer_leaves_a_device_where_somebody_put_it() -> None:
    raw = {"rulebook": MA, "cards": {"shuffle": "automated", "deal": "manual_shoe", "deck_hours": 8}}
    desk = Desk(raw, automatic=True)
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="f1")
    assert desk.do("floorperson", "f1", "take_out_device", device="shuffler", how="removed") == "device_taken_out"
    changed = desk.do("floorperson", "f1", "change_method", shuffle="manual", deal="manual_shoe")
    assert changed.startswith("method_changed")


def test_the_automatic_dealer_leaves_a_closed_table_closed() -> None:
    desk = Desk(stud(), automatic=True)
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="f1")
    assert desk.table.status == "open"
    for deck in desk.table.cards.decks:
        desk.run = TableRunner(desk.table)
        desk.do("dealer", "d1", "remove_deck", deck=deck.id)
    tray = desk.books()["tray"]
    desk.do("dealer", "d1", "count_inventory", amount=f"{tray // 100}.00")
    desk.do("floorperson", "f1", "verify_inventory")
    desk.run = TableRunner(desk.table, automatic=STAFF)
    assert desk.do("floorperson", "f1", "close_table") == "table_closed"


def test_what_was_asked_for_is_recorded_though_the_automatic_dealer_cannot_go_on() -> None:
    desk = Desk(stud(), automatic=True)
    assert desk.do("pit_manager", "p1", "assign", post="floorperson", person="d1").startswith("person_assigned")
    assert rebuild(desk.first, desk.entries) == desk.table


@pytest.mark.clause("ma-mississippi-stud 12(i)")
def test_a_hand_with_an_award_stays_until_it_is_paid() -> None:
    raw = {
        "rulebook": MA,
        "seats": 6,
        "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}},
        "wagers": {
            "progressive": {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": METER}},
            "cover_all": {"paytable": "standard", "minimum": "5.00", "maximum": "50.00"},
        },
        "cards": {
            "shuffle": "automated_counting",
            "deal": "automated_shoe",
            "deck_hours": 8,
            "cover_all_mode": True,
        },
    }
    desk = Desk(raw)
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo", progressive=True)
    desk.do("player", "Ann", "place_wager", seat=1, wager="cover_all", amount="5.00")
    desk.staff(close_bets=True, cards="Qs Ks 7s 8s 9s Ts Js")
    play_to_settlement(desk)
    desk.do("dealer", "d1", "settle", what="hand", seat=2)
    assert "cards_racked" not in desk.do("dealer", "d1", "settle", what="hand", seat=1)
    desk.staff()
    assert desk.table.round is None


@pytest.mark.clause("ma-mississippi-stud 11bis(h)")
@pytest.mark.parametrize("rejected", [False, True])
def test_envy_follows_what_becomes_of_the_award(rejected: bool) -> None:
    desk = Desk(
        {
            "rulebook": MA,
            "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}},
            "wagers": {"progressive": {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": METER}}},
            "cards": {"deck_hours": 8},
        }
    )
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo", progressive=True)
    desk.staff(close_bets=True, cards="Ah Kh 2c 3d Qh Jh Th")
    play_to_settlement(desk)
    for seat in (2, 1):
        desk.do("dealer", "d1", "settle", what="hand", seat=seat)
    if desk.table.house.options.envy_holder_must_bet:
        assert desk.do("dealer", "d1", "settle", what="envy") == "refused award_open"
    if rejected:
        desk.do("floorperson", "f1", "reject_award", seat=1, reason="the light was off")
    before = desk.books()["chips Bo"]
    desk.staff()
    assert (desk.books()["chips Bo"] > before) is not rejected


# --- every other refusal, each with its clause


def test_refusals_before_a_table_opens() -> None:
    desk = Desk(stud())
    refuses(desk, "no_name", "pit_manager", "p1", "assign", post="dealer", person="")
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="f1")
    refuses(desk, "already_on_duty", "pit_manager", "p1", "assign", post="floorperson", person="f1")
    refuses(desk, "own_act", "pit_manager", "p1", "assign", post="dealer", person="f1")
    for what in ("layout", "sign"):
        desk.do("floorperson", "f1", "attest", what=what, reference="R")
    refuses(desk, "already_attested", "floorperson", "f1", "attest", what="sign")
    refuses(desk, "nothing_to_attest", "floorperson", "f1", "attest", what="cover_all_mode")
    refuses(desk, "nobody_on_duty", "floorperson", "f1", "open_table", gaming_day="2026-01-01")
    desk.do("floorperson", "f1", "assign", post="dealer", person="d1")
    refuses(desk, "already_on_duty", "floorperson", "f1", "assign", post="dealer", person="d1")
    refuses(desk, "own_act", "pit_manager", "p1", "assign", post="floorperson", person="d1")
    refuses(desk, "table_closed", "floorperson", "f1", "fill_tray", amount="5.00", reference="R")
    refuses(desk, "nothing_there", "floorperson", "f1", "verify_inventory")
    refuses(desk, "inventory_open", "floorperson", "f1", "open_table", gaming_day="2026-01-01")
    refuses(desk, "table_closed", "player", "Ann", "sit", seat=1)
    refuses(desk, "table_closed", "floorperson", "f1", "change_day", gaming_day="2026-01-02")
    refuses(desk, "table_closed", "floorperson", "f1", "close_table")
    refuses(desk, "not_open", "dealer", "d1", "set_idle")
    desk.do("dealer", "d1", "count_inventory", amount="100.00")
    desk.do("floorperson", "f1", "assign", post="dealer", person="d2")
    refuses(desk, "own_act", "floorperson", "d1", "verify_inventory")
    desk.do("floorperson", "f1", "verify_inventory")
    desk.do("floorperson", "f1", "open_table", gaming_day="2026-01-01")
    refuses(desk, "already_open", "floorperson", "f1", "open_table", gaming_day="2026-01-01")
    refuses(desk, "no_reference", "floorperson", "f1", "fill_tray", amount="5.00", reference="")
    refuses(desk, "not_later", "floorperson", "f1", "change_day", gaming_day="2026-01-01")
    refuses(desk, "no_reason", "regulator", "r1", "suspend_table")
    refuses(desk, "not_suspended", "regulator", "r1", "release_table")
    refuses(desk, "no_cards", "dealer", "d2", "set_idle")
    desk.do("player", "Ann", "sit", seat=1)
    refuses(desk, "tray_short", "player", "Ann", "buy_in", amount="500.00")
    refuses(desk, "nothing_there", "operator", "o1", "confirm_rules")


def test_refusals_about_players() -> None:
    desk = Desk(stud())
    desk.seat("Ann", "Bo", chips="20.00")
    refuses(desk, "no_name", "player", "seat 3", "sit", seat=3)
    refuses(desk, "not_your_own", "player", "Ann", "buy_in", amount="5.00", patron="Bo")
    refuses(desk, "not_your_own", "player", "Ann", "place_wager", seat=2, wager="ante", amount="10.00")
    refuses(desk, "no_amount", "player", "Ann", "buy_in", amount="0.00")
    refuses(desk, "nobody_there", "player", "Zoe", "buy_in", amount="5.00")
    refuses(desk, "nobody_there", "player", "Zoe", "stand_up")
    refuses(desk, "seat_taken", "player", "Zoe", "sit", seat=1)
    refuses(desk, "no_such_seat", "player", "Zoe", "sit", seat=9)
    refuses(desk, "not_enough_chips", "player", "Ann", "place_wager", seat=1, wager="ante", amount="30.00")
    bet(desk, "Ann", "Bo")
    refuses(desk, "bets_down", "player", "Ann", "stand_up")
    desk.staff(close_bets=True)
    refuses(desk, "not_enough_chips", "player", "Ann", "decide", seat=1, choice="3x")
    desk.do("floorperson", "f1", "leave", seat=1, how="play_on")
    desk.do("player", "Ann", "stand_up")
    refuses(desk, "box_in_play", "player", "Zoe", "sit", seat=1)


def test_refusals_about_decks_and_rules() -> None:
    desk = Desk(stud(readings={"cut": {"bottom_min": 12}}))
    desk.staff()
    refuses(desk, "no_such_deck", "dealer", "d1", "wash_deck", deck="Z")
    refuses(desk, "deck_twice", "dealer", "d1", "receive_deck", deck="red deck 1", back="blue")
    refuses(desk, "too_many_decks", "dealer", "d1", "receive_deck", deck="B", back="blue")
    desk.do("dealer", "d1", "remove_deck", deck="red deck 1")
    refuses(desk, "no_name", "dealer", "d1", "receive_deck", deck="", back="red")
    desk.do("dealer", "d1", "receive_deck", deck="A", back="red")
    assert desk.do("dealer", "d1", "inspect_deck", deck="A", defects="a torn card") == "deck_condemned"
    desk.do("dealer", "d1", "remove_deck", deck="A")
    desk.do("dealer", "d1", "receive_deck", deck="B", back="red")
    desk.do("dealer", "d1", "inspect_deck", deck="B")
    desk.do("floorperson", "f1", "assign", post="dealer", person="d2")
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="d1")
    refuses(desk, "own_act", "floorperson", "d1", "verify_deck", deck="B")
    desk.do("floorperson", "f1", "verify_deck", deck="B")
    desk.do("dealer", "d2", "spread_deck", deck="B")
    desk.do("player", "Ann", "sit", seat=6)
    for step in ("turn_down_deck", "wash_deck", "stack_deck", "shuffle_deck"):
        if step == "turn_down_deck":
            desk.do("dealer", "d2", "offer_deck", deck="B", patron="Ann")
        desk.do("dealer", "d2", step, deck="B")
    refuses(desk, "cut_too_deep", "dealer", "d2", "cut_deck", deck="B", depth=41)
    for submission, code in (
        ({}, "bad_submission"),
        (stud(seats=9), "bad_submission"),
        ({"rulebook": HCF}, "other_rulebook"),
    ):
        refuses(desk, code, "operator", "o1", "propose_rules", submission=submission, approval="A")
    desk.do("operator", "o1", "propose_rules", submission=stud(seats=3), approval="A")
    refuses(desk, "players_seated", "operator", "o2", "confirm_rules")
    desk.do("player", "Ann", "buy_in", amount="100.00")
    desk.do("player", "Ann", "stand_up")
    desk.do("player", "Ann", "sit", seat=1)
    desk.do("player", "Ann", "buy_in", amount="100.00")
    desk.staff()
    bet(desk, "Ann")
    refuses(desk, "round_in_progress", "operator", "o2", "confirm_rules")
    refuses(desk, "round_in_progress", "floorperson", "f1", "close_table")
    refuses(desk, "round_in_progress", "floorperson", "f1", "change_day", gaming_day="2026-02-01")


@pytest.mark.clause("md-mississippi-stud 13.H(1)")
def test_a_device_out_of_use_is_not_used() -> None:
    desk = Desk(stud(cards={"shuffle": "automated", "deal": "manual_shoe"}))
    desk.seat("Ann")
    refuses(desk, "no_device", "floorperson", "f1", "take_out_device", device="shoe", how="covered")
    desk.do("floorperson", "f1", "take_out_device", device="shuffler", how="covered")
    refuses(desk, "already_out", "floorperson", "f1", "take_out_device", device="shuffler", how="covered")
    refuses(desk, "out_of_use", "player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00")
    desk.do("floorperson", "f1", "order_shuffle", deck="red deck 1")
    refuses(desk, "out_of_use", "dealer", "d1", "shuffle_deck", deck="red deck 1")
    desk.do("floorperson", "f1", "change_method", shuffle="manual", deal="manual_shoe")
    refuses(desk, "no_change", "floorperson", "f1", "change_method", shuffle="manual", deal="manual_shoe")
    refuses(desk, "out_of_use", "floorperson", "f1", "change_method", shuffle="automated", deal="manual_shoe")
    desk.do("floorperson", "f1", "restore_device", device="shuffler")
    refuses(desk, "in_order", "floorperson", "f1", "restore_device", device="shuffler")
    assert desk.do("floorperson", "f1", "change_method", shuffle="automated", deal="manual_shoe") == "method_changed"


def test_new_rules_have_room_for_the_decks() -> None:
    two = {"decks": 2, "shuffle": "automated", "deal": "manual_shoe"}
    desk = Desk(stud(cards=two))
    desk.seat("Ann")
    desk.do("operator", "o1", "propose_rules", submission=stud(cards=two | {"decks": 1}), approval="A")
    refuses(desk, "decks_on_table", "operator", "o2", "confirm_rules")


def test_time_does_not_run_back() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    desk.now -= timedelta(hours=1)
    refuses(desk, "clock", "player", "Ann", "buy_in", amount="5.00")


def test_refusals_about_the_round() -> None:
    desk = Desk(stud(readings={"decision": {"timeout": 30}}))
    desk.seat("Ann")
    refuses(desk, "not_now", "dealer", "d1", "wash_deck", deck="red deck 1")
    refuses(desk, "no_round", "dealer", "d1", "close")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    refuses(desk, "wrong_number_of_cards", "dealer", "d1", "deal", number=5, cards="Ah Kd")
    desk.do("dealer", "d1", "deal", number=5)
    refuses(desk, "no_count", "dealer", "d1", "count_stub", cards=-1)
    desk.do("dealer", "d1", "count_stub", cards=40)
    refuses(desk, "no_count", "dealer", "d1", "report_holdings", seats={"1": 99}, community=3)
    refuses(desk, "incomplete", "dealer", "d1", "report_holdings", seats={"1": 2})
    assert desk.do("dealer", "d1", "count_stub", cards=47) == "stub_counted"
    refuses(desk, "counted", "dealer", "d1", "count_stub", cards=47)
    desk.do("dealer", "d1", "rack_stub")
    refuses(desk, "no_stub", "dealer", "d1", "rack_stub")
    refuses(desk, "too_early", "floorperson", "f1", "declare_undecided", seat=1)
    refuses(desk, "no_award", "dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.now += timedelta(seconds=30)
    assert desk.do("floorperson", "f1", "declare_undecided", seat=1).startswith("cards_examined decision_made")


def test_refusals_about_awards_and_meters() -> None:
    desk = won_by_ann()
    refuses(desk, "own_meter", "device", "link", "tell_meter", meter="main", shown="1.00")
    refuses(desk, "no_reason", "floorperson", "f1", "reject_award", seat=1)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "assign", post="dealer", person="d2")
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="d1")
    refuses(desk, "own_act", "floorperson", "d1", "validate_award", seat=1)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    refuses(desk, "no_reference", "floorperson", "f1", "hand_pay_award", seat=1, reference=" ")
    desk.do("floorperson", "f1", "hand_pay_award", seat=1, reference="JP-1")
    refuses(desk, "award_done", "floorperson", "f1", "hand_pay_award", seat=1, reference="JP-2")


def test_a_dealer_may_settle_a_hand_that_takes_from_the_tables_own_meter() -> None:
    desk = Desk(stud(wagers=PROGRESSIVE))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    stay(desk)
    assert desk.table.round is not None
    assert awaiting(desk.table.round).kind == "meter"
    dealer = Person("dealer", "d1")
    offered = [dict(each.fields) for each in allowed(desk.table, dealer, desk.now) if each.do == "settle"]
    assert offered == [{"what": "hand", "seat": 1}]
    awaited = view(desk.table, dealer).awaiting
    assert (awaited.kind, awaited.words) == ("settlement", "seat 1 to be settled")
    assert "award_pending" in desk.do("dealer", "d1", "settle", **offered[0])


def test_a_tray_that_is_short_is_filled_first() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    desk.do("floorperson", "f1", "credit_tray", amount=f"{desk.books()['tray'] // 100 - 5}.00", reference="C-1")
    bet(desk, "Ann")
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    stay(desk)
    refuses(desk, "tray_short", "dealer", "d1", "settle", what="hand", seat=1)
    desk.staff()
    assert desk.table.round is None
    assert "tray_filled/1" in [entry.name for entry in desk.entries]


@pytest.mark.clause("md-let-it-ride .11G(2)", "md-let-it-ride .07B(2)")
def test_a_closed_table_keeps_nobodys_chips() -> None:
    limits = {"bet": {"minimum": "10.00", "maximum": "500.00"}}
    desk = Desk({"rulebook": LIR, "limits": limits, "wagers": {"base": {"paytable": "A"}}})
    desk.seat("Ann")
    for wager in ("bet_1", "bet_2", "bet_3"):
        desk.do("player", "Ann", "place_wager", seat=1, wager=wager, amount="10.00")
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    desk.do("floorperson", "f1", "leave", seat=1, how="play_on")
    desk.do("player", "Ann", "stand_up")
    while desk.table.round is not None:
        desk.do("floorperson", "f1", "declare_undecided", seat=1)
        desk.staff()
    assert desk.books()["chips Ann"] > 0
    for deck in desk.table.cards.decks:
        desk.do("dealer", "d1", "remove_deck", deck=deck.id)
    refuses(desk, "chips_left", "floorperson", "f1", "close_table")
    assert desk.do("dealer", "d1", "stand_up", patron="Ann") == "player_stood_up"
    refuses(desk, "inventory_open", "floorperson", "f1", "close_table")


def test_a_virtual_table_deals_its_own_cards() -> None:
    desk = Desk(stud(), virtual=True)
    desk.staff()
    desk.do("dealer", "d1", "remove_deck", deck="red deck 1")
    ready = {"deck": "X", "back": "red", "preinspected": True, "preshuffled": True}
    refuses(desk, "virtual", "dealer", "d1", "receive_deck", **ready)
    desk.seat("Ann")
    deck = desk.table.cards.decks[0].id
    desk.do("floorperson", "f1", "order_shuffle", deck=deck)
    refuses(desk, "virtual", "dealer", "d1", "shuffle_deck", deck=deck, commitment="00" * 32)
    desk.staff()
    refuses(desk, "no_bytes", "player", "Ann", "add_entropy", entropy="xyz")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    refuses(desk, "too_late", "player", "Ann", "add_entropy", entropy="00")
    refuses(desk, "virtual", "floorperson", "f1", "order_shuffle", deck=deck)
    refuses(desk, "virtual", "floorperson", "f1", "order_recut", deck=deck, reason="x")
    refuses(desk, "virtual", "dealer", "d1", "deal", number=5, cards="Ah Kd 2c 3d 4h")
    refuses(desk, "virtual", "dealer", "d1", "tell", place=0, cards="Ah")
    refuses(desk, "virtual", "dealer", "d1", "set_aside", irregularity="one_card_face_up", card="Ah")
    said = desk.do("dealer", "d1", "set_aside", irregularity="one_card_face_up")
    assert said == "card_set_aside"
    desk.staff()
    desk.run = TableRunner(desk.table)  # somebody else at the controls, who does not know the seed
    desk.do("player", "Ann", "decide", seat=1, choice="fold")
    desk.do("dealer", "d1", "close")
    commitment = desk.table.fairness.unrevealed_shuffle.commitment
    promise = {"commitment": commitment, "deck": " ".join(map(str, DECK))}
    refuses(desk, "does_not_hold", "device", "shuffler", "reveal_seed", seed="00" * 32, **promise)
    refuses(desk, "cannot_be_read", "device", "shuffler", "reveal_seed", seed="00", **promise)
    refuses(desk, "seed_sealed", "player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00")
    refuses(desk, "seed_sealed", "dealer", "d1", "shuffle_deck", deck=deck)
    refuses(desk, "seed_sealed", "dealer", "d1", "remove_deck", deck=deck)
    refuses(desk, "seed_sealed", "floorperson", "f1", "close_table")


def test_nobody_else_commits_to_a_deck() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    deck = desk.table.cards.decks[0].id
    desk.do("floorperson", "f1", "order_shuffle", deck=deck)
    refuses(desk, "not_virtual", "dealer", "d1", "shuffle_deck", deck=deck, commitment="00" * 32)
    refuses(desk, "no_commitment", "player", "Ann", "add_entropy", entropy="00")


@pytest.mark.clause("md-mississippi-stud 5.G(1)")
def test_a_table_without_players_for_long_is_spread_before_it_goes_on() -> None:
    desk = Desk(stud(readings={"idle": {"auto_minutes": 10}}))
    desk.seat("Ann")
    desk.do("player", "Ann", "stand_up")
    desk.now += timedelta(minutes=11)
    desk.do("player", "Bo", "sit", seat=2)
    desk.do("player", "Bo", "buy_in", amount="100.00")
    refuses(desk, "idle", "player", "Bo", "place_wager", seat=2, wager="ante", amount="10.00")
    desk.staff()
    assert [entry.name for entry in desk.entries].count("table_went_idle/1") == 1
    assert desk.do("player", "Bo", "place_wager", seat=2, wager="ante", amount="10.00") == "wager_placed"


def test_a_linked_meter_is_told_by_whoever_owns_it() -> None:
    linked = {"progressive": PROGRESSIVE["progressive"] | {"link": "harbor"}}
    desk = Desk(stud(wagers=linked))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    for _ in range(3):
        desk.do("player", "Ann", "decide", seat=1, choice="1x")
        desk.staff()
    assert awaiting(desk.table.round).kind == "meter"
    refuses(desk, "meter_not_told", "dealer", "d1", "settle", what="hand", seat=1)
    assert desk.do("device", "link", "tell_meter", meter="main", shown="31000.00") == "meter_read"
    assert "award_pending" in desk.do("dealer", "d1", "settle", what="hand", seat=1)
    assert desk.table.progressive.awards[0].amount == 3_100_000


def test_roles_have_the_names_of_the_house() -> None:
    desk = Desk(stud(readings={"role_map": {"floorperson": "Pit Boss"}}))
    assert desk.do("pit boss", "f1", "assign", post="dealer", person="d1") == "person_assigned"
    assert desk.entries[-1].by == Person("floorperson", "f1")


def test_a_house_may_swap_the_names_of_two_roles() -> None:
    desk = Desk(stud(readings={"role_map": {"dealer": "Floorperson", "floorperson": "Dealer"}}))
    assert desk.do("dealer", "f1", "assign", post="dealer", person="d1") == "person_assigned"
    assert desk.entries[-1].by == Person("floorperson", "f1")


# --- input


@pytest.mark.parametrize(
    "bad",
    [
        {"do": []},
        {"do": {}},
        {"do": 5},
        {"at": "9999-12-31T23:00:00Z"},
        {"at": "0001-01-01T00:00:00+14:00"},
        {"by": {"role": "dealer", "id": " d1"}},
        {"do": "open_table", "gaming_day": "9999-12-31"},
        {"do": "fill_tray", "amount": "1.00", "reference": "x" * 600},
        {"do": "fill_tray", "amount": "1.00", "reference": "\u202e"},
        {"do": "report_holdings", "seats": {"1": 2, "01": 3}},
        {"do": "report_holdings", "seats": {"one": 2}},
    ],
)
def test_what_cannot_be_read_is_said_in_its_place(bad: dict[str, Any]) -> None:
    line = {"by": {"role": "dealer", "id": "d1"}, "at": "2026-01-01T18:00:00Z", "do": "close"} | bad
    text = "\n".join(json.dumps(one) for one in ({"submission": {"rulebook": MS}}, line, line))
    done = here("table", "run", "-", stdin=text)
    assert done.returncode == 2
    assert [one.startswith('{"error":"line ') for one in done.stdout.splitlines()] == [True, True]


def test_a_table_for_people_shows_whatever_was_written() -> None:
    submission = {"rulebook": LIR, "approvals": {"[/bold]": "x"}, "wagers": {"base": {"paytable": "A"}}}
    line = {"by": {"role": "operator", "id": "[red]o1"}, "at": "2026-01-01T18:00:00Z", "do": "propose_rules"}
    first = {"submission": {"rulebook": LIR, "wagers": {"base": {"paytable": "A"}}}}
    text = "\n".join(json.dumps(one) for one in (first, line | {"submission": submission, "approval": "[/] A"}))
    done = here("table", "run", "-", "--text", stdin=text)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    done = here("table", "run", "-", stdin=json.dumps(first | {"dealer": []}))
    assert done.returncode == 2
