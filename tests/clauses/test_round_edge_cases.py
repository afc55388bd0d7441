"""Rounds that are easy to get wrong, one each, found by people who tried to break the engine."""

import pytest

from croupier.cards import parse_cards
from croupier.errors import Malformed, RuleViolation
from croupier.games import (
    Action,
    Round,
    actions,
    admits,
    apply,
    awaiting,
    decode_action,
    legal_actions,
    open_round,
    result,
)
from croupier.games import events as round_events
from croupier.money import Cents
from support.rounds import bets, house, play

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
METER = {"initial": "30000.00", "reset": "30000.00", "rate": "0.10"}
PROGRESSIVE = {"paytable": "A", "stake": "1.00", "meters": {"main": METER}}
COVER_ALL = {
    "cards": {"deck_hours": 8, "shuffle": "automated_counting", "deal": "automated_shoe", "cover_all_mode": True},
    "wagers": {"cover_all": {"paytable": "standard"}},
}


def refused(state: Round, action: Action) -> tuple[str, str]:
    with pytest.raises(RuleViolation) as refusal:
        apply(state, action)
    assert not any(admits(one, action) for one in legal_actions(state)), action
    return refusal.value.code, refusal.value.clause


@pytest.mark.clause("md-high-card-flush 11.B(1)", "md-high-card-flush 11.B(2)")
@pytest.mark.parametrize(
    ("cards", "lawful", "unlawful"),
    [
        ("Ah Kh Qh 9h 2c 3d 5s", [1200], [1100, 1700, 2400]),
        ("Ah Kh Qh 9h 2h 3d 5s", [1200, 1700, 2200, 2400], [2000, 2900]),
    ],
)
def test_a_raise_is_reduced_in_the_steps_of_a_raise(cards: str, lawful: list[int], unlawful: list[int]) -> None:
    limits = {"ante": {"minimum": "7.00", "maximum": "500.00", "increment": "5.00"}}
    state = open_round(house(HCF, limits=limits, readings={"hcf": {"over_raise": "floor_decision"}}))
    state = play(
        state,
        *bets(1, ante=1200),
        actions.Perform("announce"),
        actions.Deal(14),
        actions.Decide(1, "raise", Cents(3600)),
    )
    state = play(state, actions.Reveal("dealer"))
    for card in parse_cards("2d 4d 6d 8s Ts Qs Kc"):
        state = play(state, actions.IdentifyCards(state.faces.awaiting_identity[0], (card,)))
    state = play(state, actions.Reveal("player", 1))
    for card in parse_cards(cards):
        state = play(state, actions.IdentifyCards(state.faces.awaiting_identity[0], (card,)))
    assert str(awaiting(state)) == "a floorperson to reduce the raise of seat 1"
    for amount in lawful:
        assert play(state, actions.ReduceRaise(1, Cents(amount))).boxes[0].stake("raise") == amount
    for amount in unlawful:
        refused(state, actions.ReduceRaise(1, Cents(amount)))


@pytest.mark.clause("md-high-card-flush 13.E", "md-mississippi-stud 13.E")
def test_what_is_exposed_after_its_time_voids_nothing() -> None:
    state = play(open_round(house(HCF)), *bets(1, ante=1000), actions.Perform("announce"), actions.Deal(14))
    play(state, actions.Rule("dealer_exposed"))
    decided = play(state, actions.Decide(1, "raise", Cents(1000)))
    assert refused(decided, actions.Rule("dealer_exposed")) == ("not_now", "13.E")
    assert refused(play(state, actions.Decide(1, "fold")), actions.Rule("dealer_exposed")) == ("not_now", "13.E")
    board = play(open_round(house(MS)), *bets(1, ante=1000), actions.Perform("announce"), actions.Deal(5))
    play(board, actions.Rule("community_exposed"))
    assert refused(play(board, actions.Decide(1, "fold")), actions.Rule("community_exposed")) == ("not_now", "13.E")


@pytest.mark.clause("md-mississippi-stud 13.G")
def test_a_shoe_that_is_not_there_cannot_fail() -> None:
    by_hand = house(MS, cards={"shuffle": "manual", "deal": "manual_shoe", "decks": 1})
    state = play(open_round(by_hand), *bets(1, ante=1000), actions.Perform("announce"))
    assert refused(state, actions.Rule("shoe_failed"))[0] == "no_such_irregularity"


@pytest.mark.clause("md-let-it-ride .08C(1)(c)", "md-let-it-ride .07E(5)")
def test_a_cancelled_bonus_takes_its_lammer_and_what_needed_it_along() -> None:
    wagers = {"base": {"paytable": "A"}, "five_card_bonus": {"paytable": "A"}, "six_card_bonus": {"paytable": "A"}}
    state = open_round(house(LIR, wagers=wagers))
    for seat in (1, 2):
        state = play(state, *bets(seat, bet_1=1000, bet_2=1000, bet_3=1000, five_card_bonus=100))
    state = play(state, *bets(1, six_card_bonus=500), actions.Perform("announce"))
    state = play(
        state,
        actions.Perform("collect_five_card"),
        actions.Perform("place_lammers"),
        actions.Perform("count_five_card", 1),
    )
    state, events = apply(state, actions.CancelWager(1, "five_card_bonus"))
    assert [(one.wager, one.reading) for one in events if isinstance(one, round_events.WagerReturned)] == [
        ("five_card_bonus", 26),
        ("six_card_bonus", 96),
    ]
    assert (
        str(awaiting(play(state, actions.Perform("count_five_card", 1))))
        == "the dealer to put the Five Card Bonus chips in the tray"
    )


@pytest.mark.clause("ma-mississippi-stud 14(d)")
@pytest.mark.parametrize("before", [actions.FindConduct(2, "communication"), actions.Leave(2, "abandon")])
def test_a_void_hand_is_left_out_of_cover_all_whatever_it_was_before(before: Action) -> None:
    state = open_round(house(MA, **COVER_ALL))
    for seat in (1, 2):
        state = play(state, *bets(seat, ante=1000, cover_all=500))
    state = play(
        state,
        actions.Perform("announce"),
        actions.Deal(7),
        actions.IdentifyCards(0, parse_cards("2c 7d Ah Ad As Ks 9d")),
        before,
    )
    state = play(state, actions.Rule("wrong_count_player", 2))
    for _ in range(3):
        state = play(state, actions.Decide(1, "1x"), actions.Perform("announce"), actions.Reveal("community"))
    state = play(state, actions.Settle("hand", 1), actions.Settle("last", 1), actions.Close())
    settled = {seat.seat: {one.wager: one.outcome for one in seat.wagers} for seat in result(state).seats}
    assert settled[1]["cover_all"] == "lose"
    assert settled[2]["ante"] == "void"


@pytest.mark.clause("md-mississippi-stud 12.C(4)")
def test_what_was_told_of_a_meter_holds_for_one_turn() -> None:
    state = open_round(house(MS, wagers={"progressive": PROGRESSIVE}))
    for seat in (1, 2):
        state = play(state, *bets(seat, ante=1000, progressive=100), actions.RegisterWager(seat))
    for act in ("announce", "lock_progressive", "collect_progressive"):
        state = play(state, actions.Perform(act))
    state = play(state, actions.Perform("count_progressive", 2), actions.Perform("progressive_to_tray"))
    state = play(state, actions.Deal(7), actions.IdentifyCards(0, parse_cards("5h 6h Th Jh 7h 8h 9h")))
    for _ in range(3):
        state = play(state, actions.Decide(1, "1x"), actions.Decide(2, "1x"), actions.Reveal("community"))
    state = play(state, actions.ReadMeter("main", Cents(3_000_000)), actions.Leave(2, "abandon"))
    assert str(awaiting(state)) == "the main meter to be read"
    refused(state, actions.Perform("count_progressive", 10**30))


@pytest.mark.clause("md-high-card-flush 13.E", "md-high-card-flush 13.F")
def test_13_f_an_incomplete_hand_cannot_settle_its_bonus() -> None:
    one_by_one = house(HCF, cards={"deal": "manual_shoe"}, wagers={"flush_bonus": {"paytable": "A"}})
    state = play(
        open_round(one_by_one), *bets(1, ante=1000, flush_bonus=500), actions.Perform("announce"), actions.Deal(4)
    )
    state = play(state, actions.Rule("dealer_exposed"), actions.Close())
    assert [(one.outcome, one.returned) for one in result(state).seats[0].wagers] == [("void", 1000), ("void", 500)]


@pytest.mark.clause("md-high-card-flush 11.B(2)")
def test_a_corrected_card_gives_back_the_raise_that_the_wrong_one_cut() -> None:
    state = play(open_round(house(HCF)), *bets(1, ante=1000), actions.Perform("announce"), actions.Deal(14))
    state = play(state, actions.Decide(1, "raise", Cents(2000)), actions.Reveal("dealer"))
    for card in parse_cards("Ts 8s 2s 9d 4d Qc 6c"):
        state = play(state, actions.IdentifyCards(state.faces.awaiting_identity[0], (card,)))
    state = play(state, actions.Reveal("player", 1))
    for card in parse_cards("Kh 9h 7h 5h 3d 4c 8d"):
        state = play(state, actions.IdentifyCards(state.faces.awaiting_identity[0], (card,)))
    state = play(state, actions.Settle("hand", 1))
    assert state.boxes[0].stake("raise") == 1000
    wrong = state.faces.known.index(parse_cards("3d")[0])
    state = play(
        state,
        actions.ReverseSettlement(),
        actions.CorrectCard(wrong, parse_cards("3h")[0]),
        actions.Settle("hand", 1),
        actions.Close(),
    )
    assert {one.wager: one.won for one in result(state).seats[0].wagers} == {"ante": 1000, "raise": 2000}


def test_an_action_that_cannot_be_read_is_malformed() -> None:
    for text in (
        '{"do": "tell", "place": 0, "cards": [5]}',
        '{"do": "sing"}',
        "\ud800",
        '{"do": "deal", "cards": "x"}',
        "{",
    ):
        with pytest.raises(Malformed):
            decode_action(text)
    refused(open_round(house(MS)), actions.PlaceWager(1, "ante", Cents(1000), patron="\ud800"))


@pytest.mark.clause("md-high-card-flush 11.B(4)(a)")
@pytest.mark.parametrize("last", [actions.Decide(2, "fold"), actions.Leave(2, "abandon"), actions.DeclareUndecided(2)])
def test_11_b_4_a_the_dealer_collects_folders_when_nobody_is_left_to_decide(last: Action) -> None:
    state = play(
        open_round(house(HCF)), *bets(1, ante=1000), *bets(2, ante=1000), actions.Perform("announce"), actions.Deal(21)
    )
    state = play(state, actions.Decide(1, "fold"), last)
    assert not state.boxes[0].results
    assert str(awaiting(state)) == "the dealer to turn up the dealer cards"
    state, events = apply(state, actions.Reveal("dealer"))
    assert [type(one) for one in events[:2]] == [round_events.HandSettled, round_events.CardsRacked]
    assert isinstance(events[-1], round_events.CardsRevealed)
    assert [one.outcome for box in state.boxes for one in box.results] == ["forfeit", "forfeit"]
    assert {one.clause for one in events if isinstance(one, round_events.CardsRacked)} == {"11.B(4)(a)"}


@pytest.mark.clause("md-high-card-flush 11.B(2)")
def test_a_raise_that_was_cut_twice_is_restored_to_what_was_put_up() -> None:
    state = open_round(house(HCF, readings={"hcf": {"over_raise": "floor_decision"}}))
    state = play(
        state,
        *bets(1, ante=1000),
        actions.Perform("announce"),
        actions.Deal(14),
        actions.Decide(1, "raise", Cents(3000)),
    )
    state = play(state, actions.Reveal("dealer"))
    for card in parse_cards("Ts 8s 2s 9d 4d Qc 6c"):
        state = play(state, actions.IdentifyCards(state.faces.awaiting_identity[0], (card,)))
    state = play(state, actions.Reveal("player", 1))
    for card in parse_cards("Kh 9h 7h 5h 3h 4c 8d"):
        state = play(state, actions.IdentifyCards(state.faces.awaiting_identity[0], (card,)))
    state = play(state, actions.ReduceRaise(1, Cents(2000)))
    place = state.faces.known.index(parse_cards("3h")[0])
    state = play(state, actions.CorrectCard(place, parse_cards("3d")[0]))
    assert state.boxes[0].stake("raise") == 3000
    state = play(state, actions.ReduceRaise(1, Cents(1000)), actions.Settle("hand", 1), actions.ReverseSettlement())
    assert state.boxes[0].stake("raise") == 3000


@pytest.mark.clause("ma-mississippi-stud 14(d)")
def test_cover_all_goes_back_when_no_hand_is_left() -> None:
    state = play(
        open_round(house(MA, **COVER_ALL)),
        *bets(1, ante=1000, cover_all=500),
        actions.Perform("announce"),
        actions.Deal(5),
    )
    state = play(state, actions.IdentifyCards(0, parse_cards("2c 7d As Ks 9d")), actions.Rule("wrong_count_player", 1))
    for _ in range(3):
        state = play(state, actions.Perform("announce"), actions.Reveal("community"))
    state = play(state, actions.Settle("last", 1), actions.Close())
    assert [(one.outcome, one.returned, one.reading) for one in result(state).seats[0].wagers] == [
        ("void", 1000, 140),
        ("void", 500, 140),
    ]


@pytest.mark.clause("ma-mississippi-stud 6(a)", "ma-mississippi-stud 6(b)")
def test_6_b_no_coupon_after_no_more_bets() -> None:
    state = play(open_round(house(MA, match_play={"enabled": True})), *bets(1, ante=1000), actions.Perform("announce"))
    assert refused(state, actions.PlaceCoupon(1, Cents(500))) == ("bets_closed", "6(b)")


def test_no_card_is_told_before_the_deal_or_after_settlement() -> None:
    state = play(open_round(house(MS)), *bets(1, ante=1000))
    assert refused(state, actions.IdentifyCards(0, parse_cards("Ah")))[0] == "not_now"
    state = play(state, actions.Perform("announce"), actions.Deal(5), actions.Decide(1, "fold"))
    assert refused(state, actions.IdentifyCards(0, parse_cards("Ah")))[0] == "not_now"


@pytest.mark.clause("md-mississippi-stud 12.C(4)")
@pytest.mark.parametrize(("unit", "shown"), [("cent", -1), ("dollar", 3_000_050), ("cent", 10**15)])
def test_reading_16_a_meter_shows_what_it_can_show(unit: str, shown: int) -> None:
    rules = house(MS, wagers={"progressive": PROGRESSIVE}, readings={"meter": {"display_unit": unit}})
    state = play(
        open_round(rules), *bets(1, ante=1000, progressive=100), actions.RegisterWager(1), actions.Perform("announce")
    )
    state = play(state, actions.Perform("lock_progressive"), actions.Perform("collect_progressive"))
    state = play(
        state, actions.Perform("count_progressive", 1), actions.Perform("progressive_to_tray"), actions.Deal(5)
    )
    state = play(state, actions.IdentifyCards(0, parse_cards("Ah Kh Qh Jh Th")))
    for _ in range(3):
        state = play(state, actions.Decide(1, "1x"), actions.Reveal("community"))
    assert refused(state, actions.ReadMeter("main", Cents(shown)))[0] == "no_amount"
    assert (
        result(play(state, actions.ReadMeter("main", Cents(3_000_000)), actions.Settle("hand", 1))).seats[0].paid
        > 3_000_000
    )


def test_only_a_card_that_was_told_can_be_corrected() -> None:
    state = play(open_round(house(MS)), *bets(1, ante=1000), actions.Perform("announce"), actions.Deal(5))
    for place in (0, -1, 99):
        assert refused(state, actions.CorrectCard(place, parse_cards("Ah")[0])) == ("no_card_there", "11.J")


# --- to the letter of the documents


@pytest.mark.clause("md-mississippi-stud 7.F(3)(a)", "md-mississippi-stud 7.F(3)(b)")
def test_7_f_3_only_the_progressive_itself_puts_its_light_out() -> None:
    side = {"three_card_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"}}
    state = open_round(house(MS, wagers={"progressive": PROGRESSIVE, **side}))
    state = play(state, *bets(1, ante=1000, progressive=100, three_card_bonus=500), actions.RegisterWager(1))
    state = play(
        state, actions.PlaceWager(1, "ante", Cents(1500)), actions.PlaceWager(1, "three_card_bonus", Cents(1000))
    )
    assert state.boxes[0].registered
    state = play(state, actions.TakeBack(1, "three_card_bonus"))
    assert state.boxes[0].registered
    assert state.boxes[0].staked == (("ante", 1500), ("progressive", 100))
    state = play(state, actions.TakeBack(1, "progressive"))
    assert not state.boxes[0].registered
    assert refused(state, actions.RegisterWager(1)) == ("nothing_there", "7.F(3)(a)")


@pytest.mark.clause("md-mississippi-stud 11.A(4)", "md-mississippi-stud 11.A(5)")
def test_11_a_conduct_binds_from_the_first_card_until_the_round_is_closed() -> None:
    state = play(open_round(house(MS)), *bets(1, ante=1000), actions.Perform("announce"))
    found = actions.FindConduct(1, "communication")
    assert refused(state, found) == ("not_now", "11.A(4)")
    state = play(state, actions.Deal(1))
    assert apply(state, found)[1][0].clause == "11.A(5)"  # type: ignore[union-attr]
    state = play(state, actions.Deal(4), actions.Decide(1, "fold"), actions.Close())
    assert refused(state, found) == ("not_now", "11.A(4)")


@pytest.mark.clause("md-mississippi-stud 7.G", "md-high-card-flush 7.G")
@pytest.mark.parametrize(("rulebook", "boxes", "words"), [(MS, 1, "1 box"), (HCF, 2, "2 boxes")])
def test_7_g_how_many_boxes_a_player_may_have_is_said(rulebook: str, boxes: int, words: str) -> None:
    state = open_round(house(rulebook, **({"boxes": boxes} if boxes > 1 else {})))
    state = play(state, *[actions.PlaceWager(seat, "ante", Cents(1000), "Ann") for seat in range(1, boxes + 1)])
    with pytest.raises(RuleViolation, match=f"Ann may play at most {words}$"):
        apply(state, actions.PlaceWager(boxes + 1, "ante", Cents(1000), "Ann"))


@pytest.mark.clause("md-high-card-flush 7.G")
def test_7_g_a_changed_ante_keeps_the_least_of_several_boxes() -> None:
    state = open_round(house(HCF, boxes=2, readings={"boxes": {"min_multiplier": 2}}))
    least = state.rules.offered["ante"].stakes
    assert least is not None
    low, twice = least.minimum, Cents(2 * least.minimum)
    state = play(state, actions.PlaceWager(1, "ante", low, "Ann"), actions.PlaceWager(1, "ante", twice))
    state = play(state, actions.PlaceWager(2, "ante", twice, "Ann"))
    assert refused(state, actions.PlaceWager(1, "ante", low)) == ("outside_limits", "7.F(1)")
    state = play(state, actions.PlaceWager(1, "ante", Cents(twice + least.increment)))


@pytest.mark.clause("md-high-card-flush 11.B(1)", "md-high-card-flush 11.B(2)", "md-high-card-flush 11.B(3)")
@pytest.mark.parametrize(
    ("cards", "clause"),
    [("Ah Kh Qh 9h 2c 3d 5s", "11.B(1)"), ("Ah Kh Qh 9h 2h 3d 5s", "11.B(2)"), ("Ah Kh Qh 9h 2h 3h 5s", "11.B(3)")],
)
def test_11_b_a_raise_above_the_hand_cites_that_hands_limit(cards: str, clause: str) -> None:
    state = play(open_round(house(HCF)), *bets(1, ante=1000), actions.Perform("announce"), actions.Deal(14))
    state = play(state, actions.IdentifyCards(state.cards.plan.own[1][0], parse_cards(cards)[:1]))
    for place, card in list(zip(state.cards.plan.own[1], parse_cards(cards), strict=True))[1:]:
        state = play(state, actions.IdentifyCards(place, (card,)))
    assert refused(state, actions.Decide(1, "raise", Cents(4000))) == ("raise_above_limit", clause)
    assert refused(state, actions.Decide(1, "raise", Cents(500))) == ("raise_below_ante", clause)


@pytest.mark.clause("md-mississippi-stud 13.G", "md-high-card-flush 13.H")
@pytest.mark.clause("md-let-it-ride .13G", "ma-mississippi-stud 14(f)")
@pytest.mark.parametrize(("rulebook", "clause"), [(MS, "13.G"), (HCF, "13.H"), (LIR, ".13G"), (MA, "14(f)")])
def test_a_shoe_that_is_none_cannot_fail_and_is_refused_by_its_own_clause(rulebook: str, clause: str) -> None:
    base = {"wagers": {"base": {"paytable": "A"}}} if rulebook == LIR else {}
    state = open_round(house(rulebook, **base))
    placed = bets(1, bet_1=1000, bet_2=1000, bet_3=1000) if rulebook == LIR else bets(1, ante=1000)
    state = play(state, *placed, actions.Perform("announce"), actions.Deal(1))
    assert refused(state, actions.Rule("shoe_failed")) == ("no_such_irregularity", clause)
    with pytest.raises(RuleViolation) as refusal:
        apply(state, actions.Rule("shoe_failed"))
    listed = str(refusal.value).partition("possible now: ")[2].split(", ")
    offered = [dict(one.fields)["irregularity"] for one in legal_actions(state) if one.do == "rule"]
    assert listed == [name for name in offered if not str(name).startswith("stub_")]


@pytest.mark.clause("md-mississippi-stud 7.E", "md-mississippi-stud 8.C(2)(b)", "md-mississippi-stud 9.A(4)(b)")
@pytest.mark.parametrize(("deal", "count"), [("manual_shoe", "8.C(2)(b)"), ("hand", "9.A(4)(b)")])
def test_8_c_2_b_a_wager_is_cancelled_by_the_count_alone(deal: str, count: str) -> None:
    state = open_round(house(MS, wagers={"progressive": PROGRESSIVE}, cards={"deal": deal, "shuffle": "automated"}))
    state = play(state, *bets(1, ante=1000, progressive=100), actions.RegisterWager(1))
    assert refused(state, actions.CancelWager(1, "progressive")) == ("not_now", "7.E")
    state = play(state, actions.Perform("announce"))
    assert refused(state, actions.CancelWager(1, "progressive")) == ("not_now", count)
    assert refused(state, actions.CancelWager(1, "ante")) == ("not_now", "7.E")


@pytest.mark.clause("md-mississippi-stud 11.B(2)(a)", "md-mississippi-stud 11.H(1)")
@pytest.mark.parametrize(("side", "clause"), [({}, "11.B(2)(a)"), ({"progressive": 100}, "11.H(1)")])
def test_11_h_a_fold_without_a_side_bet_is_collected_by_its_street(side: dict[str, int], clause: str) -> None:
    state = open_round(house(MS, wagers={"progressive": PROGRESSIVE}))
    state = play(
        state, *bets(1, ante=1000, **side), *([actions.RegisterWager(1)] if side else []), actions.Perform("announce")
    )
    while awaiting(state).act is not None:
        act = awaiting(state).act
        assert act is not None
        state = play(state, actions.Perform(act, 1 if act == "count_progressive" else None))
    state = play(state, actions.Deal(5))
    settled = [one for one in apply(state, actions.Decide(1, "fold"))[1] if isinstance(one, round_events.HandSettled)]
    assert {one.clause for event in settled for one in event.wagers} == {clause}


@pytest.mark.clause("md-mississippi-stud 7.F(1)", "md-mississippi-stud 8.E", "md-mississippi-stud 11.J")
def test_every_record_of_a_round_cites_its_clause() -> None:
    state = open_round(house(MS))
    events: list[round_events.Event] = []
    for action in (
        *bets(1, ante=1000),
        actions.Perform("announce"),
        actions.Deal(5),
        actions.Decide(1, "fold"),
        actions.Close(),
    ):
        state, new = apply(state, action)
        events += new
    cited = {type(one).__name__: getattr(one, "clause", None) for one in events}
    assert cited["WagerPlaced"] == "7.F(1)"
    assert cited["CardsDealt"] == "8.E"
    assert cited["RoundClosed"] == "11.J"


@pytest.mark.clause("md-high-card-flush 13.B", "md-high-card-flush 13.F")
def test_13_f_a_second_ruling_finds_the_antes_void_already() -> None:
    side = {"flush_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"}}
    state = open_round(house(HCF, wagers=side))
    state = play(state, *bets(1, ante=1000, flush_bonus=500), actions.Perform("announce"), actions.Deal(14))
    state = play(state, actions.Rule("wrong_count_dealer"))
    again = apply(state, actions.Rule("wrong_count_dealer"))[1]
    assert [(type(one), getattr(one, "void", "")) for one in again] == [(round_events.IrregularityRuled, "nothing")]
    late = apply(state, actions.SetAside("card_drawn_seen"))[1]
    assert [(type(one), getattr(one, "void", "")) for one in late] == [(round_events.IrregularityRuled, "nothing")]
    wider = play(state, actions.Rule("foreign_card"))
    assert [one.outcome for one in wider.boxes[0].results] == ["void", "void"]


@pytest.mark.clause("ma-mississippi-stud 10(e)")
def test_10_e_a_side_bet_does_not_change_which_street_takes_the_stakes() -> None:
    wagers = {"three_card_bonus": {"paytable": "3CS-01", "minimum": "5.00", "maximum": "100.00"}}
    state = open_round(house(MA, wagers=wagers))
    state = play(state, *bets(1, ante=1000, three_card_bonus=500), actions.Perform("announce"), actions.Deal(5))
    state = play(state, actions.Decide(1, "1x"), actions.Perform("announce"), actions.Reveal("community"))
    state = play(
        state, actions.IdentifyCards(state.faces.awaiting_identity[0], parse_cards("9h")), actions.Decide(1, "fold")
    )
    assert {one.clause for one in state.boxes[0].results} == {"10(e)"}


@pytest.mark.clause("ma-mississippi-stud 14(d)", "ma-mississippi-stud 7(f)(2)")
def test_a_round_is_void_although_its_only_hand_was_void_already() -> None:
    state = play(open_round(house(MA)), *bets(1, ante=1000), actions.Perform("announce"), actions.Deal(5))
    state = play(state, actions.Rule("wrong_count_player", 1))
    again = apply(state, actions.Rule("wrong_count_player", 1))[1]
    assert [getattr(one, "void", "") for one in again] == ["nothing"]
    state, events = apply(state, actions.Rule("wrong_count_community"))
    assert [getattr(one, "void", "") for one in events] == ["round"]
    assert str(awaiting(state)) == "the round to be closed"
