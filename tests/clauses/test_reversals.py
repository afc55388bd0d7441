"""What is turned back, and where a round then goes on; each by its clause."""

import pytest

from croupier.cards import parse_cards
from croupier.errors import RuleViolation
from croupier.games import actions, admits, apply, awaiting, legal_actions, open_round
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.table import events as table_events
from support.desk import METER, Desk, bet, hand_pay, play_to_settlement, royal_beside_bo, stud, won_by_ann
from support.random_rounds import MA, MS
from support.rounds import bets, house, play

COVER_ALL = {
    "cards": {"deck_hours": 8, "shuffle": "automated_counting", "deal": "automated_shoe", "cover_all_mode": True},
    "wagers": {
        "cover_all": {"paytable": "standard"},
        "progressive": {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": METER}},
    },
}


@pytest.mark.clause("ma-mississippi-stud 12(j)")
def test_a_cover_all_that_is_turned_back_is_settled_again_and_envy_stands() -> None:
    state = open_round(house(MA, **COVER_ALL))
    for seat in (1, 2):
        state = play(state, *bets(seat, ante=1000, progressive=100, cover_all=500), actions.RegisterWager(seat))
    while awaiting(state).kind in {"wagers", "act"}:
        act = awaiting(state).act or "announce"
        state = play(state, actions.Perform(act, 2) if act == "count_progressive" else actions.Perform(act))
    state = play(state, actions.Deal(7), actions.IdentifyCards(0, parse_cards("Ah Kh 2c 3d Qh Jh Th")))
    while awaiting(state).kind != "close":
        asked = awaiting(state)
        match asked.kind:
            case "decision":
                state = play(state, actions.Decide(asked.seat, "1x"))
            case "act":
                state = play(state, actions.Perform("announce"))
            case "reveal":
                state = play(state, actions.Reveal(asked.slot or "community", asked.seat))
            case "meter":
                state = play(state, actions.ReadMeter("main", Cents(2_000_000)))
            case _:
                state = play(state, actions.Settle(asked.what, asked.seat))  # type: ignore[arg-type]
    assert state.proceedings.turns == (("hand", 2), ("hand", 1), ("envy", 0), ("last", 2), ("last", 1))
    envy = [box.envy for box in state.boxes]
    state = play(state, actions.ReverseSettlement())
    assert (awaiting(state).kind, awaiting(state).what, awaiting(state).seat) == ("settlement", "last", 1)
    assert (state.at.settles, state.box.seat) == ("last", 1)
    state = play(state, actions.ReverseSettlement())
    assert (awaiting(state).kind, awaiting(state).what, awaiting(state).seat) == ("settlement", "last", 2)
    assert [box.envy for box in state.boxes] == envy
    state = play(state, actions.Settle("last", 2), actions.Settle("last", 1), actions.Close())


def test_settlement_has_the_parts_that_the_wagers_of_the_house_need() -> None:
    def parts(rules: HouseRules) -> list[str | None]:
        return [stage.settles for stage in open_round(rules).rules.stages if stage.kind == "settle"]

    assert parts(house(MS)) == ["hand"]
    assert parts(house(MA, **COVER_ALL)) == ["hand", "envy", "last"]


@pytest.mark.clause("md-mississippi-stud 7.G")
def test_somebody_who_is_called_like_an_empty_seat_does_not_sit_there_unasked() -> None:
    state = open_round(house(MS))
    state = play(state, actions.PlaceWager(1, "ante", Cents(1000), "seat 2"))
    nameless = actions.PlaceWager(2, "ante", Cents(1000))
    with pytest.raises(RuleViolation) as refusal:
        apply(state, nameless)
    assert (refusal.value.code, refusal.value.clause) == ("too_many_boxes", "7.G")
    assert not any(admits(one, nameless) for one in legal_actions(state))


@pytest.mark.clause("md-mississippi-stud 11.I(4)(d)")
@pytest.mark.parametrize("rejected", [False, True])
def test_an_award_that_was_rejected_has_nothing_left_to_take_back(*, rejected: bool) -> None:
    desk = won_by_ann()
    if rejected:
        desk.do("floorperson", "f1", "reject_award", seat=1, reason="the light was off")
    desk.do("floorperson", "f1", "reverse_settlement", reason="counted wrongly")
    event = desk.entries[-1].event
    assert isinstance(event, table_events.AwardReversed)
    assert (event.was, event.units) == (("rejected", 0) if rejected else ("pending", 10_000_100_000))


def test_the_deck_that_is_not_played_with_is_shuffled_while_a_virtual_round_is_on() -> None:
    desk = Desk(stud(cards={"shuffle": "automated", "decks": 2}), virtual=True)
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    playing = next(deck.id for deck in desk.table.cards.decks if deck.stage in {"loaded", "in_play"})
    spare = next(deck.id for deck in desk.table.cards.decks if deck.id != playing)
    assert desk.do("floorperson", "f1", "order_shuffle", deck=playing) == "refused virtual"
    assert desk.do("floorperson", "f1", "order_shuffle", deck=spare) == "shuffle_ordered"


@pytest.mark.clause("ma-mississippi-stud 11bis(h)")
def test_envy_that_is_turned_back_is_what_was_paid() -> None:
    cards = {"deck_hours": 8}
    wagers = {"progressive": COVER_ALL["wagers"]["progressive"]}
    desk = Desk({"rulebook": MA, "limits": stud()["limits"], "cards": cards, "wagers": wagers})
    royal_beside_bo(desk)
    hand_pay(desk)
    before = desk.books()
    assert desk.do("dealer", "d1", "settle", what="envy") == "envy_settled"
    paid = desk.entries[-1].event
    assert isinstance(paid, round_events.EnvySettled)
    assert [seat for seat, _ in paid.paid] == [2]
    assert desk.do("floorperson", "f1", "reverse_settlement", reason="counted wrongly") == "settlement_reversed"
    back = desk.entries[-1].event
    assert isinstance(back, round_events.SettlementReversed)
    assert (back.what, back.envy) == ("envy", paid.paid)
    assert desk.books() == before
    assert awaiting(desk.table.round).what == "envy"


@pytest.mark.clause("md-mississippi-stud 11.J", "md-mississippi-stud 13.G")
def test_a_round_that_was_void_before_its_first_card_has_no_hands_to_rebuild() -> None:
    desk = Desk(stud(cards={"shuffle": "automated", "deal": "automated_shoe"}))
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo")
    desk.do("dealer", "d1", "perform", act="announce")
    assert "hand_settled" in desk.do("floorperson", "f1", "rule", irregularity="shoe_failed")
    assert desk.do("dealer", "d1", "close") == "round_closed"
    assert desk.do("floorperson", "f1", "rebuild_hands") == "hands_rebuilt"
    event = desk.entries[-1].event
    assert isinstance(event, table_events.HandsRebuilt)
    assert (event.seats, event.cards.commitments) == ((2, 1), ())


@pytest.mark.clause("md-mississippi-stud 11.A(1)", "md-mississippi-stud 11.A(5)")
def test_a_breach_without_a_penalty_is_noted_of_somebody_whose_hand_is_out_too() -> None:
    state = play(
        open_round(house(MS)), *bets(1, ante=1000), *bets(2, ante=1000), actions.Perform("announce"), actions.Deal(7)
    )
    state = play(state, actions.FindConduct(1, "touching"))
    assert state.boxes[0].out == "conduct"
    with pytest.raises(RuleViolation) as refusal:
        apply(state, actions.FindConduct(1, "view"))
    assert refusal.value.code == "no_hand"
    assert not any(admits(one, actions.FindConduct(1, "view")) for one in legal_actions(state))
    assert any(admits(one, actions.FindConduct(1, "own_hand")) for one in legal_actions(state))
    after, events = apply(state, actions.FindConduct(1, "own_hand"))
    assert [(type(one), getattr(one, "forfeits", None)) for one in events] == [(round_events.ConductFound, False)]
    assert after.boxes == state.boxes


@pytest.mark.clause("ma-mississippi-stud 11bis(e)", "ma-mississippi-stud 12(j)")
def test_an_award_stands_when_only_the_cover_all_beside_it_is_turned_back() -> None:
    desk = Desk({"rulebook": MA, "limits": stud()["limits"], **COVER_ALL})
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo", progressive=True)
    assert desk.do("player", "Ann", "place_wager", seat=1, wager="cover_all", amount="5.00") == "wager_placed"
    desk.staff(close_bets=True, cards="Qs Ks 2c 3d 9s Ts Js")
    play_to_settlement(desk)
    for seat in (2, 1):
        desk.do("dealer", "d1", "settle", what="hand", seat=seat)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    desk.do("dealer", "d1", "pay_award", seat=1)
    desk.do("dealer", "d1", "settle", what="envy")
    before, awards = desk.books(), desk.table.progressive.awards
    assert [(one.seat, one.status) for one in awards] == [(1, "paid")]
    assert "hand_settled" in desk.do("dealer", "d1", "settle", what="last", seat=1)
    assert desk.do("floorperson", "f1", "reverse_settlement", reason="counted wrongly") == "settlement_reversed"
    assert (desk.table.progressive.awards, desk.books()) == (awards, before)
