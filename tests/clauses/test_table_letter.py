"""Tables to the letter: who comes first, what is recorded, and which clause is cited for which cause."""

import json
from datetime import timedelta
from typing import Any

import pytest

from croupier.driver import TableRunner
from croupier.games import awaiting
from croupier.table import Person, allowed, read_request, write_entry
from croupier.table import events as table_events
from croupier.table.views import CARD_BACK, rebuilt_hands, view
from support.desk import PROGRESSIVE, Desk, bet, play_to_settlement, refuses, stay, stud, won_by_ann
from support.random_rounds import HCF, LIR, MA, MS
from support.running import here

ANTE = {"limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}}}
HOUSES: dict[str, dict[str, Any]] = {
    MS: ANTE,
    HCF: ANTE,
    LIR: {"limits": {"bet": {"minimum": "10.00", "maximum": "500.00"}}, "wagers": {"base": {"paytable": "A"}}},
    MA: ANTE | {"approvals": {"automated_shoe": "AS-1"}},
}
BY_MACHINE = {"shuffle": "automated", "deal": "hand"}


def house(rulebook: str, **cards: object) -> dict[str, Any]:
    hours = {"deck_hours": 8} if rulebook == MA else {}
    return {"rulebook": rulebook, "cards": hours | cards} | HOUSES[rulebook]


def cited(desk: Desk, event: str) -> list[str]:
    """The clauses of the events of this name, in order."""
    return [entry.event.clause for entry in desk.entries if entry.name == f"{event}/1"]  # type: ignore[union-attr]


def last(desk: Desk, event: str) -> Any:  # noqa: ANN401
    return next(entry.event for entry in reversed(desk.entries) if entry.name == f"{event}/1")


def sit(desk: Desk, seat: int, name: str) -> None:
    assert desk.do("player", name, "sit", seat=seat) == "player_sat"


def wager(desk: Desk, seat: int = 1, name: str = "Ann") -> None:
    """The main wagers of a player."""
    wagers = ("bet_1", "bet_2", "bet_3") if desk.table.house.rulebook.id == LIR else ("ante",)
    for one in wagers:
        assert desk.do("player", name, "place_wager", seat=seat, wager=one, amount="10.00") == "wager_placed"


def give_up(desk: Desk) -> None:
    """Play a round to its end: nobody goes on."""
    choice = "withdraw" if desk.table.house.rulebook.id == LIR else "fold"
    desk.staff(close_bets=True)
    while desk.table.round is not None:
        asked = awaiting(desk.table.round)
        if asked.kind == "decision":
            desk.do("dealer", "d1", "decide", seat=asked.seat, choice=choice)
        desk.staff()


# --- the first player to arrive


@pytest.mark.clause("md-mississippi-stud 4.B", "md-high-card-flush 4.B", "md-let-it-ride .04B")
@pytest.mark.clause("ma-mississippi-stud 3(b)", "ma-mississippi-stud 4(e)", "md-mississippi-stud 5.G(3)")
@pytest.mark.parametrize(
    ("rulebook", "opening", "idle"),
    [(MS, "4.C(1)", "5.G(3)"), (HCF, "4.C(1)", "5.G(3)"), (LIR, ".04C(1)", ".05H(3)"), (MA, "3(c)", "4(e)")],
)
def test_cards_are_offered_to_who_has_been_seated_longest(rulebook: str, opening: str, idle: str) -> None:
    desk = Desk(house(rulebook))
    desk.staff()
    sit(desk, 3, "Bo")
    sit(desk, 1, "Ann")
    refuses(desk, "nobody_there", "dealer", "d1", "offer_deck", deck="red deck 1", patron="Cy")
    refuses(desk, "not_the_first", "dealer", "d1", "offer_deck", deck="red deck 1", patron="Ann")
    assert (desk.refusal.clause, desk.refusal.reading) == (opening, 194)
    offers = [one for one in allowed(desk.table, Person("dealer", "d1"), desk.now) if one.do == "offer_deck"]
    assert [dict(one.fields)["patron"] for one in offers] == ["Bo"]
    desk.staff()
    assert (last(desk, "deck_offered").patron, last(desk, "deck_offered").clause) == ("Bo", opening)
    desk.do("player", "Bo", "stand_up")
    desk.do("dealer", "d1", "set_idle")
    sit(desk, 2, "Bo")
    refuses(desk, "not_the_first", "dealer", "d1", "offer_deck", deck="red deck 1", patron="Bo")
    assert desk.refusal.clause == idle
    assert desk.do("dealer", "d1", "offer_deck", deck="red deck 1", patron="Ann") == "deck_offered"
    assert cited(desk, "deck_offered")[-1] == idle


@pytest.mark.clause("ma-mississippi-stud 4(e)")
@pytest.mark.parametrize(("said", "recorded"), [({}, True), ({"turned_up": False}, False), ({"turned_up": True}, True)])
def test_turned_up_is_recorded_as_it_was_given(said: dict[str, bool], recorded: bool) -> None:
    desk = Desk(house(MA))
    desk.seat("Ann")
    desk.do("dealer", "d1", "set_idle", face="down")
    assert desk.do("dealer", "d1", "offer_deck", deck="red deck 1", patron="Ann", **said) == "deck_offered"
    assert last(desk, "deck_offered").turned_up is recorded


# --- envy follows its award


def two_with_a_royal() -> Desk:
    desk = Desk(stud(wagers=PROGRESSIVE))
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo", progressive=True)
    desk.staff(close_bets=True, cards="Ah Kh 2c 3d Qh Jh Th")
    play_to_settlement(desk)
    desk.do("dealer", "d1", "settle", what="hand", seat=2)
    assert "award_pending" in desk.do("dealer", "d1", "settle", what="hand", seat=1)
    return desk


@pytest.mark.clause("md-mississippi-stud 11.I(4)(e)", "md-mississippi-stud 11.I(4)(d)(i)")
def test_envy_waits_until_its_award_is_paid() -> None:
    desk, envy = two_with_a_royal(), {"what": "envy"}
    steps: list[tuple[str, str, str, dict[str, object]]] = [
        ("11.I(4)(a)", "dealer", "verify_award", {"hand": True, "light": True}),
        ("11.I(4)(c)", "floorperson", "validate_award", {}),
        ("11.I(4)(d)(ii)", "floorperson", "hand_pay_award", {"reference": "JP-1"}),
    ]
    for clause, role, step, fields in steps:
        refuses(desk, "award_open", "dealer", "d1", "settle", **envy)
        assert (desk.refusal.clause, desk.refusal.reading) == (clause, 195)
        offers = allowed(desk.table, Person("dealer", "d1"), desk.now)
        assert not [one for one in offers if ("what", "envy") in one.fields]
        desk.do(role, "d1" if role == "dealer" else "f1", step, seat=1, **fields)
    assert cited(desk, "award_hand_paid") == ["11.I(4)(d)(i)"]
    assert desk.do("dealer", "d1", "settle", **envy) == "envy_settled"


@pytest.mark.clause("md-mississippi-stud 11.I(4)(e)")
def test_envy_is_paid_when_its_award_is_rejected() -> None:
    desk = two_with_a_royal()
    desk.do("floorperson", "f1", "reject_award", seat=1, reason="the light was off")
    assert desk.do("dealer", "d1", "settle", what="envy") == "envy_settled"


def test_the_automatic_dealer_settles_awards_before_envy() -> None:
    desk = two_with_a_royal()
    desk.staff()
    names = [entry.name for entry in desk.entries]
    assert names.index("award_hand_paid/1") < names.index("envy_settled/1") < names.index("round_closed/1")


# --- one hand


@pytest.mark.clause("md-mississippi-stud 9.A(2)(a)", "md-high-card-flush 9.A(2)(a)", "md-let-it-ride .09A(2)(a)")
@pytest.mark.clause("ma-mississippi-stud 8(b)(2)(i)")
@pytest.mark.parametrize(
    ("rulebook", "clause"), [(MS, "9.A(2)(a)"), (HCF, "9.A(2)(a)"), (LIR, ".09A(2)(a)"), (MA, "8(b)(2)(i)")]
)
def test_the_hand_that_took_the_deck_keeps_it_for_the_round(rulebook: str, clause: str) -> None:
    desk = Desk(house(rulebook, **BY_MACHINE))
    desk.seat("Ann")
    assert desk.table.cards.hand == "left"
    wager(desk)
    deck = shuffled_again(desk)
    refuses(desk, "other_hand", "dealer", "d1", "load_deck", deck=deck, hand="right")
    assert (desk.refusal.clause, desk.refusal.reading) == (clause, 197)
    offers = [one for one in allowed(desk.table, Person("dealer", "d1"), desk.now) if one.do == "load_deck"]
    assert [dict(one.fields)["hand"] for one in offers] == ["left"]
    desk.staff()
    assert last(desk, "deck_loaded").hand == "left"
    give_up(desk)
    deck = shuffled_again(desk)
    assert desk.do("dealer", "d1", "load_deck", deck=deck, hand="right") == "deck_loaded"
    wager(desk)
    deck = shuffled_again(desk)
    desk.staff()
    assert last(desk, "deck_loaded").hand == "right"


def shuffled_again(desk: Desk) -> str:
    """The deck that was loaded is shuffled anew, or another one where nobody may order that."""
    deck: str = desk.table.cards.decks[0].id
    if desk.table.house.rulebook.id == MA:
        desk.do("dealer", "d1", "remove_deck", deck=deck)
        deck = f"{deck} and another"
        desk.do("dealer", "d1", "receive_deck", deck=deck, back="blue", preinspected=True, preshuffled=True)
    else:
        desk.do("floorperson", "f1", "order_shuffle", deck=deck)
    assert desk.do("dealer", "d1", "shuffle_deck", deck=deck) == "deck_shuffled"
    return deck


@pytest.mark.clause("ma-mississippi-stud 9(d)", "ma-mississippi-stud 8(b)(2)(i)")
def test_the_hand_that_takes_the_rest_out_of_the_shoe() -> None:
    desk = Desk(house(MA, shuffle="automated", deal="automated_shoe"))
    desk.seat("Ann")
    wager(desk)
    desk.do("dealer", "d1", "perform", act="announce")
    refuses(desk, "which_hand", "dealer", "d1", "deal", number=2, hand="left")
    assert desk.do("device", "shoe", "deal", number=2) == "cards_dealt"
    assert desk.do("dealer", "d1", "deal", number=1, hand="right") == "cards_taken_in_hand cards_dealt"
    assert (last(desk, "cards_taken_in_hand").hand, cited(desk, "cards_taken_in_hand")) == ("right", ["9(d)"])
    refuses(desk, "other_hand", "dealer", "d1", "deal", number=2, hand="left")
    assert desk.refusal.clause == "8(b)(2)(i)"
    assert desk.do("dealer", "d1", "deal", number=2) == "cards_dealt"
    by_hand = Desk(house(MA, **BY_MACHINE))
    by_hand.seat("Ann")
    wager(by_hand)
    by_hand.do("dealer", "d1", "perform", act="announce")
    refuses(by_hand, "which_hand", "dealer", "d1", "deal", number=5, hand="left")


# --- the clause of the cause


@pytest.mark.clause("md-mississippi-stud 4.A", "md-high-card-flush 4.A", "md-let-it-ride .04A")
@pytest.mark.clause("ma-mississippi-stud 3(b)")
@pytest.mark.parametrize(("rulebook", "clause"), [(MS, "4.A"), (HCF, "4.A"), (LIR, ".04A"), (MA, "3(b)")])
def test_a_defective_deck_leaves_by_its_inspection(rulebook: str, clause: str) -> None:
    desk = Desk(house(rulebook))
    covers = 2 if rulebook == HCF else 1
    while desk.table.status == "closed":
        desk.staff_step()
    desk.do("dealer", "d1", "receive_deck", deck="A", back="red", cover_cards=covers)
    assert desk.do("dealer", "d1", "inspect_deck", deck="A", defects="a torn ace") == "deck_condemned"
    sit(desk, 1, "Ann")
    desk.do("player", "Ann", "buy_in", amount="100.00", brought=True)
    main = "bet_1" if rulebook == LIR else "ante"
    refuses(desk, "deck_condemned", "player", "Ann", "place_wager", seat=1, wager=main, amount="10.00")
    assert desk.refusal.clause == clause
    refuses(desk, "out_of_order", "dealer", "d1", "spread_deck", deck="A")
    assert desk.refusal.clause == clause
    assert desk.do("dealer", "d1", "remove_deck", deck="A") == "deck_removed"
    assert cited(desk, "deck_condemned") + cited(desk, "deck_removed") == [clause, clause]


@pytest.mark.clause("md-mississippi-stud 3.B", "md-high-card-flush 3.B", "md-let-it-ride .03B")
@pytest.mark.clause("ma-mississippi-stud 2(b)")
@pytest.mark.parametrize(
    ("rulebook", "second", "leaving"),
    [(MS, "3.B", "11.J"), (HCF, "3.B", "11.C"), (LIR, ".03B", ".11G(1)"), (MA, "2(b)", "3(a)")],
)
def test_a_second_deck_that_is_missing(rulebook: str, second: str, leaving: str) -> None:
    desk = Desk(house(rulebook, shuffle="automated", deal="manual_shoe", decks=2))
    desk.seat("Ann")
    assert cited(desk, "deck_received")[1] == second
    refuses(desk, "too_many_decks", "dealer", "d1", "receive_deck", deck="C", back="green", cover_cards=1)
    assert desk.refusal.clause == second
    desk.do("dealer", "d1", "remove_deck", deck="blue deck 1")
    assert cited(desk, "deck_removed") == [leaving]
    main = "bet_1" if rulebook == LIR else "ante"
    refuses(desk, "deck_missing", "player", "Ann", "place_wager", seat=1, wager=main, amount="10.00")
    assert (desk.refusal.clause, desk.refusal.reading) == (second, 131)


@pytest.mark.clause("md-mississippi-stud 8.J(2)", "md-mississippi-stud 9.G", "md-mississippi-stud 10.G")
@pytest.mark.clause("md-high-card-flush 8.J(2)", "md-high-card-flush 9.E(2)", "md-high-card-flush 10.E(2)")
@pytest.mark.clause("md-let-it-ride .08F(2)", "md-let-it-ride .09H(2)", "md-let-it-ride .10G(2)")
@pytest.mark.clause("ma-mississippi-stud 7(f)(2)")
@pytest.mark.parametrize(
    ("rulebook", "deal", "clause"),
    [
        (MS, "manual_shoe", "8.J(2)"),
        (MS, "hand", "9.G"),
        (MS, "automated_shoe", "10.G"),
        (HCF, "manual_shoe", "8.J(2)"),
        (HCF, "hand", "9.E(2)"),
        (HCF, "automated_shoe", "10.E(2)"),
        (LIR, "manual_shoe", ".08F(2)"),
        (LIR, "hand", ".09H(2)"),
        (LIR, "automated_shoe", ".10G(2)"),
        (MA, "manual_shoe", "7(f)(2)"),
        (MA, "hand", "7(f)(2)"),
        (MA, "automated_shoe", "7(f)(2)"),
    ],
)
def test_a_deck_that_a_stub_condemned_leaves_by_the_stub(rulebook: str, deal: str, clause: str) -> None:
    desk = Desk(house(rulebook, shuffle="automated", deal=deal))
    desk.seat("Ann")
    wager(desk)
    desk.do("dealer", "d1", "perform", act="announce")
    places = len(awaiting(desk.table.round).places)
    desk.do("dealer", "d1", "deal", number=places)
    desk.do("dealer", "d1", "count_stub", cards=51 - places)
    plan = desk.table.round.cards.plan
    lie = {slot: len(plan.slots[slot]) for slot in ("community", "six_card_box", "dealer") if plan.slots[slot]}
    assert desk.do("dealer", "d1", "report_holdings", seats={"1": len(plan.own[1])}, **lie).startswith("holdings")
    desk.staff()
    assert cited(desk, "deck_condemned") + cited(desk, "deck_removed") == [clause, clause]


@pytest.mark.clause("md-mississippi-stud 8.I", "md-high-card-flush 9.D", "md-let-it-ride .10F")
@pytest.mark.clause("ma-mississippi-stud 7(f)(1)")
@pytest.mark.parametrize(
    ("rulebook", "deal", "uncounted", "counted"),
    [
        (MS, "manual_shoe", "8.F", "8.I"),
        (MS, "hand", "9.B(3)", "9.D"),
        (HCF, "hand", "9.B(3)", "9.D"),
        (HCF, "automated_shoe", "10.B(3)(b)", "10.D"),
        (LIR, "automated_shoe", ".10C", ".10F"),
        (MA, "hand", "8(d)", "7(f)(1)"),
    ],
)
def test_a_stub_is_put_away_by_the_count_if_it_was_counted(
    rulebook: str, deal: str, uncounted: str, counted: str
) -> None:
    for count, clause in ((False, uncounted), (True, counted)):
        desk = Desk(house(rulebook, shuffle="automated", deal=deal))
        desk.seat("Ann")
        wager(desk)
        desk.do("dealer", "d1", "perform", act="announce")
        places = len(awaiting(desk.table.round).places)
        desk.do("dealer", "d1", "deal", number=places)
        if count:
            desk.do("dealer", "d1", "count_stub", cards=52 - places)
        assert desk.do("dealer", "d1", "rack_stub") == "stub_racked"
        assert cited(desk, "stub_racked") == [clause]


@pytest.mark.clause("md-mississippi-stud 13.F", "md-high-card-flush 13.G", "md-let-it-ride .13F")
@pytest.mark.clause("ma-mississippi-stud 14(e)")
@pytest.mark.parametrize(("rulebook", "clause"), [(MS, "13.F"), (HCF, "13.G"), (LIR, ".13F"), (MA, "14(e)")])
def test_the_shuffle_after_a_jam_cites_the_jam(rulebook: str, clause: str) -> None:
    desk = Desk(house(rulebook, **BY_MACHINE))
    desk.staff()
    sit(desk, 1, "Ann")
    desk.do("player", "Ann", "buy_in", amount="100.00", brought=True)
    while desk.table.cards.decks[0].stage != "stacked":
        desk.staff_step()
    assert desk.do("dealer", "d1", "report_jam", deck="red deck 1") == "deck_jammed"
    refuses(desk, "out_of_order", "dealer", "d1", "load_deck", deck="red deck 1", hand="left")
    assert desk.refusal.clause == clause
    desk.staff()
    wager(desk)
    give_up(desk)
    assert cited(desk, "deck_jammed") + cited(desk, "deck_shuffled")[:1] == [clause, clause]
    assert cited(desk, "deck_shuffled")[1] == desk.table.house.rulebook.procedure.reshuffle.clause


@pytest.mark.clause("md-mississippi-stud 13.B", "md-mississippi-stud 5.A(2)")
def test_the_shuffle_after_a_void_round_cites_what_voided_it() -> None:
    desk = Desk(house(MS, shuffle="automated", deal="manual_shoe"))
    desk.seat("Ann")
    wager(desk)
    desk.do("dealer", "d1", "perform", act="announce")
    desk.do("dealer", "d1", "deal", number=1)
    desk.do("floorperson", "f1", "rule", irregularity="cards_face_up")
    desk.staff()
    wager(desk)
    give_up(desk)
    assert cited(desk, "deck_shuffled")[-2:] == ["13.B", "5.A(2)"]


@pytest.mark.clause("md-mississippi-stud 3.C(2)", "md-let-it-ride .03C(1)", "ma-mississippi-stud 3(a)")
@pytest.mark.parametrize(
    ("rulebook", "cards", "clause"),
    [
        (MS, {"shuffle": "manual", "deal": "manual_shoe"}, "3.C(2)"),
        (LIR, BY_MACHINE, ".03C(1)"),
        (MA, BY_MACHINE, "3(a)"),
    ],
)
def test_a_deck_over_its_hours_leaves_by_them(rulebook: str, cards: dict[str, str], clause: str) -> None:
    desk = Desk(house(rulebook, **cards))
    desk.seat("Ann")
    desk.now += timedelta(hours=9)
    desk.staff()
    removed = last(desk, "deck_removed")
    assert (removed.clause, removed.reading) == (clause, 126)


@pytest.mark.clause("md-mississippi-stud 11.I(4)(a)", "md-mississippi-stud 11.I(4)(b)")
def test_a_light_that_is_off_and_a_hand_that_does_not_win() -> None:
    desk = won_by_ann()
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=False)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=False, light=True)
    assert cited(desk, "award_not_verified") == ["11.I(4)(b)", "11.I(4)(a)"]


@pytest.mark.clause("md-high-card-flush 11.B(9)(b)")
def test_a_light_that_is_off_in_high_card_flush() -> None:
    meter = {"initial": "30000.00", "reset": "30000.00", "rate": "0.1"}
    progressive = {"progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": meter}}}
    desk = Desk(house(HCF) | {"wagers": progressive})
    desk.seat("Ann")
    wager(desk)
    desk.do("player", "Ann", "place_wager", seat=1, wager="progressive", amount="1.00")
    own, other = "2h 3h 4h 5h 6h 7h 8h".split(), "2c 3c 4c 5d 6d 7d 8d".split()
    cards = " ".join(card for pair in zip(own, other, strict=True) for card in pair)
    desk.staff(close_bets=True, cards=cards)
    desk.do("player", "Ann", "decide", seat=1, choice="raise", amount="10.00")
    while awaiting(desk.table.round).kind == "reveal":
        desk.do("dealer", "d1", "reveal", slot="dealer")
    assert "award_pending" in desk.do("dealer", "d1", "settle", what="hand", seat=1)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=False)
    assert cited(desk, "award_not_verified") == ["11.B(9)(b)"]


@pytest.mark.clause("md-mississippi-stud 11.I(4)(d)(i)", "md-mississippi-stud 11.I(4)(d)(ii)")
@pytest.mark.parametrize(
    ("cards", "clause"), [("Ah Kh Qh Jh Th", "11.I(4)(d)(i)"), ("9h Kh Qh Jh Th", "11.I(4)(d)(ii)")]
)
def test_a_whole_meter_and_a_share_of_it_are_paid_by_hand_by_clauses_of_their_own(cards: str, clause: str) -> None:
    desk = Desk(stud(wagers=PROGRESSIVE, handpay={"threshold": "100.00"}))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards=cards)
    stay(desk)
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    refuses(desk, "not_from_tray", "dealer", "d1", "pay_award", seat=1)
    assert desk.refusal.clause == clause
    desk.do("floorperson", "f1", "hand_pay_award", seat=1, reference="JP-1")
    assert cited(desk, "award_hand_paid") == [clause]


@pytest.mark.clause("md-let-it-ride .11C", "md-let-it-ride .11B")
def test_a_gesture_that_means_something_else_cites_the_decision_at_hand() -> None:
    desk = Desk(house(LIR))
    desk.seat("Ann")
    wager(desk)
    desk.staff(close_bets=True)
    refuses(desk, "other_gesture", "player", "Ann", "decide", seat=1, choice="withdraw", gesture="wave")
    assert desk.refusal.clause == ".11B"
    desk.do("player", "Ann", "decide", seat=1, choice="ride")
    desk.staff()
    refuses(desk, "other_gesture", "player", "Ann", "decide", seat=1, choice="withdraw", gesture="wave")
    assert (desk.refusal.clause, desk.refusal.reading) == (".11C", 93)


@pytest.mark.clause("md-mississippi-stud 13.H(1)", "md-mississippi-stud 13.H(2)", "ma-mississippi-stud 14(g)")
@pytest.mark.parametrize(
    ("rulebook", "how", "clause"), [(MS, "covered", "13.H(1)"), (MS, "signed", "13.H(2)"), (MA, "removed", "14(g)")]
)
def test_a_device_that_is_not_used_cites_how_it_was_put_out_of_use(rulebook: str, how: str, clause: str) -> None:
    desk = Desk(house(rulebook, shuffle="automated", deal="manual_shoe"))
    desk.seat("Ann")
    desk.do("floorperson", "f1", "take_out_device", device="shuffler", how=how)
    refuses(desk, "out_of_use", "player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00")
    assert desk.refusal.clause == clause
    desk.do("floorperson", "f1", "change_method", shuffle="manual", deal="manual_shoe")
    assert cited(desk, "method_changed") == [clause]
    desk.do("floorperson", "f1", "restore_device", device="shuffler")
    assert cited(desk, "device_restored") == [clause]
    if rulebook == MS:  # nothing is out of service: the house has chosen another method
        desk.do("floorperson", "f1", "change_method", shuffle="automated", deal="hand")
        assert cited(desk, "method_changed")[-1] == "9.A(2)"
        desk.do("floorperson", "f1", "change_method", shuffle="automated_counting", deal="hand")
        assert cited(desk, "method_changed")[-1] == "5.C(1)-(2)"
        desk.do("floorperson", "f1", "change_method", shuffle="automated_counting", deal="hand", decks=2)
        assert cited(desk, "method_changed")[-1] == "3.B"


@pytest.mark.clause("md-mississippi-stud 13.F", "md-mississippi-stud 13.G")
def test_a_device_that_failed_is_restored_by_its_failure() -> None:
    desk = Desk(house(MS, shuffle="automated", deal="automated_shoe"))
    desk.seat("Ann")
    wager(desk)
    desk.do("floorperson", "f1", "order_shuffle", deck="red deck 1")
    desk.do("dealer", "d1", "report_jam", deck="red deck 1")
    desk.do("floorperson", "f1", "restore_device", device="shuffler")
    desk.staff(close_bets=True)
    desk.do("floorperson", "f1", "rule", irregularity="shoe_failed_after_deal")
    desk.do("floorperson", "f1", "restore_device", device="shoe")
    assert cited(desk, "device_restored") == ["13.F", "13.G"]


# --- what was not recorded before


@pytest.mark.clause("md-mississippi-stud 11.A", "md-high-card-flush 11.A", "md-let-it-ride .11A")
@pytest.mark.clause("ma-mississippi-stud 10(a)")
@pytest.mark.parametrize(("rulebook", "clause"), [(MS, "11.A"), (HCF, "11.A"), (LIR, ".11A"), (MA, "10(a)")])
def test_players_have_examined_their_cards_before_the_first_decision(rulebook: str, clause: str) -> None:
    desk = Desk(house(rulebook))
    desk.seat("Ann", "Bo")
    wager(desk)
    wager(desk, 2, "Bo")
    desk.staff(close_bets=True)
    assert cited(desk, "cards_examined") == []
    choice = "ride" if rulebook == LIR else "fold"
    assert desk.do("player", "Ann", "decide", seat=1, choice=choice).startswith("cards_examined decision_made")
    assert (last(desk, "cards_examined").seats, cited(desk, "cards_examined")) == ((1, 2), [clause])
    assert desk.do("player", "Bo", "decide", seat=2, choice=choice).startswith("decision_made")
    give_up(desk)
    wager(desk)
    give_up(desk)
    assert len(cited(desk, "cards_examined")) == 2


@pytest.mark.clause("md-let-it-ride .11A")
def test_of_two_hands_the_second_is_examined_in_its_turn() -> None:
    desk = Desk(house(LIR) | {"boxes": 2})
    desk.seat("Ann")
    sit(desk, 2, "Ann")
    wager(desk)
    wager(desk, 2)
    desk.staff(close_bets=True)
    desk.do("player", "Ann", "decide", seat=1, choice="ride")
    desk.do("player", "Ann", "decide", seat=2, choice="ride")
    assert [one.event.seats for one in desk.entries if one.name == "cards_examined/1"] == [(1,), (2,)]  # type: ignore[union-attr]


@pytest.mark.clause("ma-mississippi-stud 12(e)")
def test_the_column_of_cover_all_is_fixed_before_the_deal() -> None:
    cards = {"shuffle": "automated_counting", "deal": "automated_shoe", "cover_all_mode": True}
    cover = {"cover_all": {"paytable": "standard", "minimum": "5.00", "maximum": "100.00"}}
    desk = Desk(house(MA, **cards) | {"wagers": cover, "seats": 6})
    desk.seat("Ann", "Bo")
    wager(desk)
    wager(desk, 2, "Bo")
    assert desk.do("dealer", "d1", "perform", act="announce") == "act_performed cover_all_column_fixed"
    assert (last(desk, "cover_all_column_fixed").hands, desk.table.round.cards.dealt) == (2, 0)
    give_up(desk)
    assert len(cited(desk, "cover_all_column_fixed")) == 1


@pytest.mark.clause("ma-mississippi-stud 4(c)(1)(i)", "ma-mississippi-stud 4(c)(1)(iv)", "md-mississippi-stud 5.E")
@pytest.mark.parametrize(
    ("rulebook", "placed", "after"),
    [
        (MA, "before_the_deck", "to_discard_rack"),
        (MS, "in_the_deck", "stays_at_bottom"),
        (HCF, "in_the_deck", "stays_at_bottom"),
        (LIR, "in_the_deck", "stays_at_bottom"),
    ],
)
def test_where_the_cover_card_lies_at_the_cut(rulebook: str, placed: str, after: str) -> None:
    desk = Desk(house(rulebook))
    desk.seat("Ann")
    assert (last(desk, "deck_cut").cover_placed, last(desk, "deck_cut").cover_card) == (placed, after)


@pytest.mark.clause("md-mississippi-stud 3.B(1)", "md-high-card-flush 3.B(1)", "md-let-it-ride .03B(1)")
@pytest.mark.clause("ma-mississippi-stud 2(b)(1)")
@pytest.mark.parametrize(("rulebook", "clause"), [(MS, "3.B(1)"), (HCF, "3.B(1)"), (LIR, ".03B(1)"), (MA, "2(b)(1)")])
def test_two_decks_are_of_one_design(rulebook: str, clause: str) -> None:
    desk = Desk(house(rulebook, shuffle="automated", deal="manual_shoe", decks=2))
    while desk.table.status == "closed":
        desk.staff_step()
    new = {"cover_cards": 2 if rulebook == HCF else 1}
    refuses(desk, "other_design", "dealer", "d1", "receive_deck", deck="A", back="red", design=" ", **new)
    assert desk.do("dealer", "d1", "receive_deck", deck="A", back="red", design="Bee", **new) == "deck_received"
    assert (last(desk, "deck_received").design, desk.table.cards.decks[0].design) == ("Bee", "Bee")
    refuses(desk, "other_design", "dealer", "d1", "receive_deck", deck="B", back="blue", design="Bicycle", **new)
    assert desk.refusal.clause == clause
    offers = [one for one in allowed(desk.table, Person("dealer", "d1"), desk.now) if one.do == "receive_deck"]
    assert dict(offers[0].fields)["design"] == ("", "Bee")
    assert desk.do("dealer", "d1", "receive_deck", deck="B", back="blue", design="BEE", **new) == "deck_received"


@pytest.mark.clause("md-mississippi-stud 2.D(1)", "md-mississippi-stud 2.D(2)", "md-mississippi-stud 8.A")
@pytest.mark.clause("md-high-card-flush 2.D(1)", "md-high-card-flush 2.D(2)", "md-high-card-flush 8.A")
@pytest.mark.clause("md-let-it-ride .02D", "md-let-it-ride .02F", "md-let-it-ride .08A")
@pytest.mark.clause("ma-mississippi-stud 7(a)", "ma-mississippi-stud 9(a)")
@pytest.mark.parametrize(
    ("rulebook", "deal", "clauses"),
    [
        (MS, "manual_shoe", {"shoe": "8.A", "drop_box": "2.D(1)", "tip_box": "2.D(1)", "discard_rack": "2.D(2)"}),
        (HCF, "hand", {"shoe": "", "drop_box": "2.D(1)", "tip_box": "2.D(1)", "discard_rack": "2.D(2)"}),
        (HCF, "manual_shoe", {"shoe": "8.A"}),
        (LIR, "manual_shoe", {"shoe": ".08A", "drop_box": ".02D", "tip_box": ".02D", "discard_rack": ".02F"}),
        (MA, "manual_shoe", {"shoe": "7(a)", "drop_box": ""}),
        (MA, "automated_shoe", {"shoe": "9(a)", "discard_rack": ""}),
        (MA, "hand", {"shoe": ""}),
    ],
)
def test_the_furniture_may_be_attested(rulebook: str, deal: str, clauses: dict[str, str]) -> None:
    desk = Desk(house(rulebook, shuffle="automated", deal=deal))
    desk.staff()
    assert desk.table.status == "open"
    assert set(desk.table.attested) == {"layout", "sign"}
    for what, clause in clauses.items():
        if not clause:
            refuses(desk, "nothing_to_attest", "floorperson", "f1", "attest", what=what)
            continue
        assert desk.do("floorperson", "f1", "attest", what=what, reference="as approved") == "attestation_made"
        assert last(desk, "attestation_made").clause == clause
        refuses(desk, "already_attested", "floorperson", "f1", "attest", what=what)
        assert desk.refusal.clause == clause


# --- hands rebuilt in a dispute


@pytest.mark.clause("md-mississippi-stud 11.J", "md-high-card-flush 11.C", "md-let-it-ride .11G(2)")
@pytest.mark.clause("ma-mississippi-stud 10(j)")
@pytest.mark.parametrize(("rulebook", "clause"), [(MS, "11.J"), (HCF, "11.C"), (LIR, ".11G(2)"), (MA, "10(j)")])
def test_hands_are_rebuilt_from_the_record(rulebook: str, clause: str) -> None:
    desk = Desk(house(rulebook))
    floor, audience = Person("floorperson", "f1"), Person("dealer", "d1")
    desk.seat("Ann", "Bo")
    refuses(desk, "no_round", "floorperson", "f1", "rebuild_hands")
    wager(desk)
    wager(desk, 2, "Bo")
    refuses(desk, "no_round", "floorperson", "f1", "rebuild_hands")
    give_up(desk)
    assert rebuilt_hands(desk.table, floor) == ()
    refuses(desk, "not_your_act", "dealer", "d1", "rebuild_hands")
    refuses(desk, "no_hand", "floorperson", "f1", "rebuild_hands", seat=4)
    assert desk.refusal.clause == clause
    offers = [one for one in allowed(desk.table, floor, desk.now) if one.do == "rebuild_hands"]
    assert dict(offers[0].fields)["seat"] == (0, 1, 2)
    assert desk.do("floorperson", "f1", "rebuild_hands", seat=2) == "hands_rebuilt"
    assert [hand.patron for hand in rebuilt_hands(desk.table, floor)] == ["Bo"]
    assert desk.do("floorperson", "f1", "rebuild_hands") == "hands_rebuilt"
    event = last(desk, "hands_rebuilt")
    assert isinstance(event, table_events.HandsRebuilt)
    assert (event.round, set(event.seats), event.clause, event.reading) == (1, {1, 2}, clause, 172)
    size = {MS: 2, MA: 2, LIR: 3, HCF: 7}[rulebook]
    said = write_entry(desk.entries[-1])
    assert said["cards"] == f"{2 * size} hidden"
    known, plan = desk.table.last_round.faces.known, desk.table.last_round.cards.plan
    for person in (floor, Person("shift_manager", "s1"), Person("operator", "o1"), Person("regulator", "r1")):
        hands = {hand.seat: hand.cards for hand in rebuilt_hands(desk.table, person)}
        assert hands == {seat: tuple(str(known[place]) for place in plan.own[seat]) for seat in (1, 2)}
    for nobody in (None, audience, Person("player", "Ann"), Person("player", "Bo"), Person("device", "x")):
        assert rebuilt_hands(desk.table, nobody) == ()
    for seen in (None, floor, audience, Person("player", "Ann")):
        assert all(not box.cards for box in view(desk.table, seen).seats)
    wager(desk)
    assert len(rebuilt_hands(desk.table, floor)) == 2
    give_up(desk)
    assert rebuilt_hands(desk.table, floor) == ()


@pytest.mark.clause("md-mississippi-stud 11.J", "md-mississippi-stud 11.B(2)(b)")
def test_hands_lie_as_they_went_to_the_rack() -> None:
    desk, floor = Desk(stud()), Person("floorperson", "f1")
    desk.seat("Ann", "Bo", "Cy")
    bet(desk, "Ann", "Bo", "Cy")
    desk.staff(close_bets=True, cards="Ah Kh 2c 3d 5s 6s Qh Jh Th")
    desk.do("player", "Ann", "decide", seat=1, choice="1x")
    desk.do("player", "Bo", "decide", seat=2, choice="fold")
    desk.do("player", "Cy", "decide", seat=3, choice="1x")
    desk.staff()
    refuses(desk, "no_round", "floorperson", "f1", "rebuild_hands")
    for _ in range(2):
        desk.do("player", "Ann", "decide", seat=1, choice="1x")
        desk.do("player", "Cy", "decide", seat=3, choice="1x")
        while awaiting(desk.table.round).kind == "reveal":
            desk.do("dealer", "d1", "reveal", slot="community")
    desk.do("floorperson", "f1", "rebuild_hands")
    assert last(desk, "hands_rebuilt").round == 1
    hands = rebuilt_hands(desk.table, floor)
    assert [(hand.patron, hand.folded, hand.cards) for hand in hands] == [
        ("Bo", True, ("2c", "3d")),
        ("Cy", False, ("5s", "6s")),
        ("Ann", False, ("Ah", "Kh")),
    ]
    desk.staff()
    desk.do("floorperson", "f1", "rebuild_hands", seat=1)
    assert [hand.cards for hand in rebuilt_hands(desk.table, floor)] == [("Ah", "Kh")]


@pytest.mark.clause("md-mississippi-stud 11.J")
def test_a_card_that_nobody_told_stays_a_back() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    desk.do("dealer", "d1", "deal", number=5)
    desk.do("dealer", "d1", "rack_stub")
    desk.do("player", "Ann", "decide", seat=1, choice="fold")
    desk.staff()
    desk.do("floorperson", "f1", "rebuild_hands")
    hands = rebuilt_hands(desk.table, Person("floorperson", "f1"))
    assert [hand.cards for hand in hands] == [(CARD_BACK, CARD_BACK)]


# --- refusals that nothing else would notice


@pytest.mark.clause("md-mississippi-stud 13.F", "ma-mississippi-stud 14(e)")
@pytest.mark.parametrize("rulebook", [MS, HCF, LIR, MA])
def test_nothing_jams_where_cards_are_shuffled_by_hand(rulebook: str) -> None:
    desk = Desk(house(rulebook, shuffle="manual", deal="manual_shoe"))
    desk.staff()
    sit(desk, 1, "Ann")
    while desk.table.cards.decks[0].stage != "stacked":
        desk.staff_step()
    refuses(desk, "no_device", "dealer", "d1", "report_jam", deck="red deck 1")


@pytest.mark.clause("md-mississippi-stud 13.H(1)", "ma-mississippi-stud 14(g)")
@pytest.mark.parametrize(("rulebook", "how"), [(MS, "covered"), (HCF, "signed"), (LIR, "covered"), (MA, "removed")])
def test_a_device_is_not_taken_out_while_the_cards_of_the_round_come_from_it(rulebook: str, how: str) -> None:
    desk = Desk(house(rulebook, shuffle="automated", deal="automated_shoe"))
    taken = ("floorperson", "f1", "take_out_device")
    desk.seat("Ann")
    wager(desk)
    refuses(desk, "round_in_progress", *taken, device="shoe", how=how)
    desk.do("dealer", "d1", "perform", act="announce")
    refuses(desk, "round_in_progress", *taken, device="shoe", how=how)
    desk.do("dealer", "d1", "deal", number=1)
    refuses(desk, "round_in_progress", *taken, device="shoe", how=how)
    desk.staff()
    assert desk.do(*taken, device="shoe", how=how) == "device_taken_out"


@pytest.mark.clause("md-mississippi-stud 13.F")
def test_only_a_deck_at_the_table_jams() -> None:
    desk = Desk(house(MS, **BY_MACHINE))
    desk.seat("Ann")
    refuses(desk, "not_in_device", "dealer", "d1", "report_jam", deck="Z")


@pytest.mark.parametrize(
    "said", [{"deck": "", "back": "red"}, {"deck": "A" * 400, "back": "red"}, {"deck": "A", "back": ""}]
)
def test_a_deck_has_a_name_and_a_back(said: dict[str, str]) -> None:
    desk = Desk(house(MS))
    while desk.table.status == "closed":
        desk.staff_step()
    refuses(desk, "no_name", "dealer", "d1", "receive_deck", **said)
    refuses(desk, "no_name", "dealer", "d1", "receive_deck", deck="A", back="r" * 400)


@pytest.mark.clause("md-mississippi-stud 8.B", "md-mississippi-stud 5.B")
@pytest.mark.parametrize("shuffle", ["manual", "automated"])
def test_a_device_loads_only_what_it_has_shuffled(shuffle: str) -> None:
    desk = Desk(house(MS, shuffle=shuffle, deal="manual_shoe"))
    while desk.table.status == "closed":
        desk.staff_step()
    desk.do("dealer", "d1", "receive_deck", deck="A", back="red", preinspected=True, preshuffled=True)
    desk.do("dealer", "d1", "cut_deck", deck="A", depth=20)
    refuses(desk, "not_by_device", "device", "shuffler", "load_deck", deck="A")
    assert desk.do("dealer", "d1", "load_deck", deck="A") == "deck_loaded"


@pytest.mark.clause("md-mississippi-stud 5.A(1)")
def test_nobody_adds_to_a_shuffle_that_was_not_promised() -> None:
    desk = Desk(house(MS))
    desk.seat("Ann")
    refuses(desk, "no_commitment", "player", "Ann", "add_entropy", entropy="00")


@pytest.mark.clause("md-mississippi-stud 5.A(1)")
def test_a_seed_is_revealed_as_it_was_promised_and_before_its_deck_moves() -> None:
    desk = Desk(house(MS, shuffle="automated", deal="manual_shoe", decks=2), virtual=True)
    desk.seat("Ann")
    wager(desk)
    assert desk.do("player", "Ann", "add_entropy", entropy="00") == "entropy_added"
    desk.staff(close_bets=True)
    desk.do("player", "Ann", "decide", seat=1, choice="fold")
    before, (first, second) = desk.table, desk.table.cards.decks
    assert desk.do("dealer", "d1", "close").endswith("seed_revealed")
    seed = last(desk, "seed_revealed")
    desk.run = TableRunner(before)  # somebody else at the controls: nothing is revealed by itself
    desk.do("dealer", "d1", "close")
    shown = {"seed": seed.seed, "deck": " ".join(map(str, seed.deck))}
    refuses(desk, "does_not_hold", "device", "x", "reveal_seed", commitment=second.commitment, **shown)
    short = shown | {"deck": " ".join(map(str, seed.deck[:-1]))}
    refuses(desk, "does_not_hold", "device", "x", "reveal_seed", commitment=seed.commitment, **short)
    refuses(desk, "seed_sealed", "dealer", "d1", "shuffle_deck", deck=first.id)
    refuses(desk, "seed_sealed", "dealer", "d1", "remove_deck", deck=first.id)
    other = {"shuffle": "automated", "deal": "hand", "decks": 2}
    refuses(desk, "round_in_progress", "floorperson", "f1", "change_method", **other)
    desk.do("floorperson", "f1", "order_shuffle", deck=second.id)
    assert desk.do("dealer", "d1", "shuffle_deck", deck=second.id) == "deck_shuffled"
    assert desk.do("dealer", "d1", "remove_deck", deck=second.id) == "deck_removed"
    assert desk.do("device", "x", "reveal_seed", commitment=seed.commitment, **shown) == "seed_revealed"


@pytest.mark.clause("md-mississippi-stud 3.B(4)")
def test_the_other_deck_does_not_leave_during_a_round_either() -> None:
    desk = Desk(house(MS, shuffle="automated", deal="manual_shoe", decks=2))
    desk.seat("Ann")
    wager(desk)
    desk.do("dealer", "d1", "perform", act="announce")
    for deck in desk.table.cards.decks:
        refuses(desk, "round_in_progress", "dealer", "d1", "remove_deck", deck=deck.id)


@pytest.mark.clause("md-mississippi-stud 8.J", "ma-mississippi-stud 7(f)(2)")
@pytest.mark.parametrize("rulebook", [MS, HCF, LIR, MA])
def test_a_wrong_stub_is_not_ruled_on_without_a_count(rulebook: str) -> None:
    desk = Desk(house(rulebook))
    desk.seat("Ann")
    wager(desk)
    desk.staff(close_bets=True)
    for name in ("stub_wrong_deck", "stub_wrong_misdealt"):
        refuses(desk, "count_first", "floorperson", "f1", "rule", irregularity=name)


@pytest.mark.clause("md-mississippi-stud 2.B", "ma-mississippi-stud 3(a)")
@pytest.mark.parametrize("rulebook", [MS, HCF, LIR, MA])
def test_nobody_bets_at_a_table_that_was_closed(rulebook: str) -> None:
    desk = Desk(house(rulebook))
    main = "bet_1" if rulebook == LIR else "ante"
    desk.do("pit_manager", "p1", "assign", post="floorperson", person="f1")
    desk.do("floorperson", "f1", "assign", post="dealer", person="d1")
    refuses(desk, "table_closed", "dealer", "d1", "place_wager", seat=1, wager=main, amount="10.00")


def test_a_table_opens_and_closes_with_people_on_duty_and_a_confirmed_tray() -> None:
    desk = Desk(house(MS))
    by = ("pit_manager", "p1")
    refuses(desk, "no_name", *by, "assign", post="dealer", person="d" * 61)
    desk.do(*by, "assign", post="dealer", person="d1")
    desk.do(*by, "attest", what="layout", reference="L-1")
    desk.do(*by, "attest", what="sign")
    desk.do("dealer", "d1", "count_inventory", amount="5000.00")
    desk.do(*by, "verify_inventory")
    refuses(desk, "nothing_there", *by, "verify_inventory")
    refuses(desk, "nobody_on_duty", *by, "open_table", gaming_day="2026-01-01")
    desk.do(*by, "assign", post="floorperson", person="f1")
    desk.do("dealer", "d1", "count_inventory", amount="6000.00")
    refuses(desk, "inventory_open", *by, "open_table", gaming_day="2026-01-01")
    desk.do(*by, "verify_inventory")
    assert desk.do(*by, "open_table", gaming_day="2026-01-01") == "table_opened"
    refuses(desk, "no_reference", *by, "fill_tray", amount="0.00", reference="F-1")
    desk.do("dealer", "d1", "count_inventory", amount=f"{desk.books()['tray'] // 100}.00")
    refuses(desk, "inventory_open", *by, "close_table")
    desk.do(*by, "verify_inventory")
    assert desk.do(*by, "close_table") == "table_closed"
    refuses(desk, "table_closed", *by, "close_table")
    refuses(desk, "table_closed", *by, "change_day", gaming_day="2026-01-02")


@pytest.mark.clause("md-mississippi-stud 5.A(3)", "md-mississippi-stud 7.D")
def test_bets_are_placed_while_the_deck_is_shuffled_again_but_not_closed() -> None:
    desk = Desk(house(MS))
    desk.seat("Ann", "Bo")
    wager(desk)
    desk.do("floorperson", "f1", "order_shuffle", deck="red deck 1")
    wager(desk, 2, "Bo")
    refuses(desk, "not_loaded", "dealer", "d1", "perform", act="announce")


# --- refusals and offers as programs meet them


def test_a_refusal_tells_its_line_and_its_command() -> None:
    by = {"role": "dealer", "id": "d1"}
    lines = [
        {"submission": {"rulebook": MS}},
        {"by": by, "at": "2026-01-01T18:00:00Z", "do": "rack_stub"},
        {"by": by, "at": "2026-01-01T19:00:00+01:00", "do": "deal", "number": 5},
    ]
    text = "\n".join(map(json.dumps, lines))
    refused = [json.loads(line) for line in here("table", "run", "-", stdin=text).stdout.splitlines()]
    assert [(one["line"], one["do"], one["by"], one["at"]) for one in refused] == [
        (2, "rack_stub", by, "2026-01-01T18:00:00Z"),
        (3, "deal", by, "2026-01-01T18:00:00Z"),
    ]
    assert [set(one["refused"]) for one in refused] == [{"code", "clause", "reading", "message", "allowed"}] * 2
    said = here("table", "run", "-", "--text", stdin=text).stdout.splitlines()
    assert said[0].startswith("18:00:00 dealer d1  rack stub refused d1 is not the dealer on duty (4.A, reading 165)")
    assert said[0].endswith("line 2")


RULED = {
    MS: {"wrong_count_community", "wrong_count_box", "community_exposed", "box_exposed"},
    LIR: {"wrong_count_community", "wrong_count_box", "community_exposed", "box_exposed"},
    HCF: {"wrong_count_dealer", "dealer_exposed"},
    MA: {"wrong_count_community", "community_exposed"},
}
EVERYWHERE = {
    "cards_face_up", "card_drawn_unseen", "player_card_flashed", "wrong_count_player", "shoe_failed",
    "shoe_failed_after_deal", "foreign_card",
}  # fmt: skip


@pytest.mark.parametrize("rulebook", [MS, HCF, LIR, MA])
def test_only_values_of_the_document_are_listed(rulebook: str) -> None:
    listed = {one["do"]: one for one in json.loads(here("table", "commands", rulebook, "--json").stdout)}
    values = {
        (name, one["name"]): one["values"]
        for name, row in listed.items()
        for one in row["arguments"]
        if "values" in one
    }
    assert set(values["rule", "irregularity"]) == EVERYWHERE | RULED[rulebook]
    assert set(values["set_aside", "irregularity"]) == {"one_card_face_up", "card_drawn_seen"}
    book = Desk(house(rulebook)).table.house.rulebook
    assert values["find_conduct", "rule"] == [one.rule for one in book.play.conduct]
    assert ("cover_all_mode" in values["attest", "what"]) == (rulebook == MA)
    assert set(values["take_out_device", "how"]) == ({"removed"} if rulebook == MA else {"covered", "signed"})
    assert listed["rebuild_hands"]["by"][0] == "floorperson"


@pytest.mark.parametrize("deal", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize("rulebook", [MS, HCF, LIR, MA])
def test_every_ruling_that_is_offered_is_accepted(rulebook: str, deal: str) -> None:
    desk, floor = Desk(house(rulebook, shuffle="automated", deal=deal)), Person("floorperson", "f1")
    desk.seat("Ann")
    wager(desk)
    desk.do("dealer", "d1", "perform", act="announce")
    tried = set()

    def attempt() -> None:
        for one in allowed(desk.table, floor, desk.now):
            fields: dict[str, Any] = dict(one.fields)
            if one.do not in {"rule", "find_conduct"}:
                continue
            for value in fields["rule"] if one.do == "find_conduct" else [fields["irregularity"]]:
                at = 1 if one.do == "find_conduct" or fields["seat"] else 0
                name = "rule" if one.do == "find_conduct" else "irregularity"
                raw = {"by": {"role": "floorperson", "id": "f1"}, "at": desk.now.isoformat(), "do": one.do}
                request = read_request(raw | {name: value, "seat": at, "reason": "seen"}, desk.table.house)
                before = desk.run.table
                desk.run.handle(request)
                desk.run.table = before
                tried.add(value)

    for number in (1, len(awaiting(desk.table.round).places) - 1):
        desk.do("dealer", "d1", "deal", number=number)
        attempt()
    desk.staff()
    attempt()
    assert tried >= {"player_card_flashed", "wrong_count_player", "foreign_card"}
    assert ("shoe_failed" in tried) == (deal == "automated_shoe")
    assert not tried & {"stub_wrong_deck", "stub_wrong_misdealt", "shuffler_failed", "device_unusable"}
