"""The live engine pays what the exact analysis prices: the same deals, played to the end and counted."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any, TypeAlias

import pytest
from _pytest.mark.structures import ParameterSet
from msgspec.structs import replace

from croupier.analysis.advice import advise
from croupier.analysis.cases import ADDS, BASE, Case, cases_of, meters_of, streets_of, wager_of
from croupier.analysis.flush.game import flush_rules
from croupier.analysis.flush.solve import raise_values
from croupier.analysis.prices import TieRule
from croupier.analysis.pricing import price
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.sets import set_number
from croupier.analysis.tallies import NOTHING
from croupier.cards import DECK, Card, parse_cards
from croupier.games import (
    Round,
    SeatSettled,
    WagerSettled,
    actions,
    admits,
    apply,
    awaiting,
    legal_actions,
    open_round,
    result,
)
from croupier.games.closing_bets import COUNTS
from croupier.games.round import Box, box_at, hand_of
from croupier.hands import batch
from croupier.money import Cents, format_dollars
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission, rulebook_ids
from croupier.rulebook.names import CardsJudged, Evaluator, Slot
from croupier.rulebook.template import starting_submission
from support import naive, slices
from support.deal_classes import Deals, by_strength, deals_by_class, hand_classes
from support.random_rounds import random_deck

Pile: TypeAlias = tuple[Slot, int]
"""Where cards lie: at a seat, or with seat 0 on the table."""
Piles: TypeAlias = Mapping[Pile, Sequence[Card]]
Decide: TypeAlias = Callable[[Round, int], str]
"""What a seat does now, by the name that advice has for it."""

METER = Cents(4_567_890)
"""What every meter shows; a tenth of it is whole cents."""
CASES = [case for name in rulebook_ids() for case in cases_of(load_rulebook(name))]
EXPECTATIONS = {
    ("ma-mississippi-stud", "standard"): Fraction(-53223, 1082900),
    ("md-mississippi-stud", "standard"): Fraction(-53223, 1082900),
    ("md-let-it-ride", "A"): Fraction(-37963, 1082900),
    ("md-let-it-ride", "B"): Fraction(-1427, 41650),
    ("md-let-it-ride", "C"): Fraction(-53357, 1624350),
}


def marked(cases: Iterable[Case]) -> list[ParameterSet]:
    """Cases as parameters, each with the clause that prints its paytable."""
    return [
        pytest.param(
            case,
            marks=pytest.mark.clause(f"{case.book.id} {case.table.clause}"),
            id=f"{case.book.id} {case.wager} {case.table.id} {case.table.players or format_dollars(case.stake)}",
        )
        for case in cases
    ]


STREETS = marked(case for case in CASES if case.wager == BASE and streets_of(case.book) is not None)
FLUSHES = marked(case for case in CASES if case.wager == BASE and streets_of(case.book) is None)
BONUSES = marked(case for case in CASES if case.wager != BASE and case.table.players is None)
TABLES = marked(case for case in CASES if case.table.players is not None)


# --- every deal of the games of streets


def test_the_134_459_classes_hold_every_hand() -> None:
    hands, sizes = hand_classes()
    assert (hands[:, 1:] > hands[:, :-1]).all()
    assert Counter(sizes.tolist()) == {4: 2_301, 12: 48_503, 24: 83_655}
    assert sizes.sum() == 2_598_960
    assert set(batch.five_card(hands).tolist()) == set(range(7_462))


@pytest.mark.parametrize("case", STREETS)
def test_deals_of_each_strength_played_in_each_way_bring_what_they_are_priced_at(case: Case) -> None:
    check_streets(case, by_strength)


@pytest.mark.torture
@pytest.mark.parametrize("case", STREETS)
def test_every_class_of_deals_brings_what_it_is_priced_at(case: Case) -> None:
    check_streets(case, lambda deals: deals)


@pytest.mark.torture
@pytest.mark.parametrize("case", STREETS)
def test_so_do_deals_played_with_the_least_of_equally_good_bets(case: Case) -> None:
    check_streets(case, by_strength, ties="less")


def check_streets(case: Case, pick: Callable[[Deals], Deals], *, ties: TieRule = "more") -> None:
    """Best play brings every result as often as priced, as much on each line, with as much at risk."""
    game = streets_of(case.book)
    assert game is not None
    deals = pick(deals_by_class(game, best_play(game, odds_of(case.table), ties).acts))
    record = next(one for one in price(case) if one.tie_rule in (None, ties))
    state = deal(house_of(case), [1])
    bet, names = state.boxes[0].staked[0][1], ["fold", *game.names]
    results: Counter[int] = Counter()
    lines: Counter[str] = Counter()
    at_risk = folded = 0
    for cards, acts, weight in zip(*(column.tolist() for column in deals), strict=True):
        hand = [DECK[card] for card in cards]
        piles: Piles = {("player", 1): hand[: game.first], ("community", 0): hand[game.first :]}
        seat = play(state, piles, in_turn(names[act] for act in acts))[1]
        won = seat.paid - seat.staked
        results[won] += weight
        lines[next((one.hand for one in seat.wagers if one.hand and one.pays), NOTHING)] += weight * won
        at_risk += weight * sum(one.staked for one in seat.wagers if one.outcome != "withdrawn")
        folded += weight * any(one.outcome == "forfeit" for one in seat.wagers)
    expectation = Fraction(sum(won * count for won, count in results.items()), game.deals * bet)
    assert expectation == EXPECTATIONS[case.book.id, case.table.id] == -record.edge
    assert results == {net * bet: count for net, count in record.outcomes.counts}
    assert lines == {line.hand: line.returned * game.deals * bet for line in record.lines}
    assert Fraction(at_risk, game.deals * bet) == record.average_wager
    assert Fraction(folded, game.deals) == (record.folded or 0)


# --- advice at the table


@pytest.mark.parametrize("case", [*STREETS, *FLUSHES])
def test_advice_names_what_the_engine_allows_and_what_best_play_does(case: Case) -> None:
    """In 500 rounds that are decided at random, in a slice 80."""
    dice = Random(5)
    state = deal(house_of(case), [1])
    bets: list[str] = []

    def decide(now: Round, seat: int) -> str:
        own, community = hand_of(now, box_of(now, seat)).cards, turned_up(now)
        advice = advise(case.book, own, community=community, bets=bets, paytable=case.table.id)
        assert set(advice.actions) == legal_names(now, seat)
        assert best_action(case, (*own, *community), bets) in advice.best
        bets.append(dice.choice(list(advice.actions)))
        return bets[-1]

    for _ in range(slices.count(full=500, sliced=80)):
        bets.clear()
        play(state, {}, decide, spare=dice.sample(DECK, len(DECK)))


def best_action(case: Case, cards: Sequence[Card], bets: Sequence[str]) -> str:
    """What best play does, and of equally good bets the largest."""
    game = streets_of(case.book)
    if game is None:
        return best_raise(cards, flush_rules(case.book))
    staked = 1 + sum(ADDS[bet] for bet in bets)
    acts = best_play(game, odds_of(case.table)).acts[len(cards)]
    return ["fold", *game.names][int(acts[set_number(cards), staked])]


def best_raise(cards: Sequence[Card], rules: tuple[int, tuple[int, ...]]) -> str:
    values = raise_values(cards, *rules)
    times = max(values, key=lambda times: (values[times], times))
    return f"{times}x" if times else "fold"


def legal_names(state: Round, seat: int) -> set[str]:
    """The decisions that the engine would accept."""
    offers = legal_actions(state)
    names = {*choices(state), *(f"{times}x" for times in range(1, 8))} - {"raise"}
    return {name for name in names if any(admits(offer, decision(state, seat, name)) for offer in offers)}


def turned_up(state: Round) -> list[Card]:
    places = [place for place in state.cards.plan.slots["community"] if place in state.cards.up]
    return [card for place in places if (card := state.faces.known[place]) is not None]


# --- bonuses


HANDS: dict[Evaluator, dict[str, str]] = {
    "five_card": {
        "royal_flush": "As Ks Qs Js Ts",
        "straight_flush": "5h 4h 3h 2h Ah",
        "four_of_a_kind": "7c 7d 7h 7s Kd",
        "full_house": "4c 4d 4h Js Jc",
        "flush": "Kd Jd 8d 6d 3d",
        "straight": "Ac Kd Qh Js Tc",
        "three_of_a_kind": "2c 2d 2h Ks 9d",
        "two_pair": "3c 3d 2h 2s 8c",
        "pair_jacks_or_better": "Jc Jd 9h 5s 2c",
        "pair_tens_or_better": "Tc Td 9h 5s 2c",
        "pair_sixes_to_tens": "6c 6d 9h 5s 2c",
        "pair": "5c 5d Kh 9s 2c",
        NOTHING: "Ac Kd Jh 9s 7c",
    },
    "three_card": {
        "ace_king_queen_spades": "Qs As Ks",
        "ace_king_queen_other": "Kd Qd Ad",
        "mini_royal": "Ah Kh Qh",
        "straight_flush": "3c 2c Ac",
        "three_of_a_kind": "2c 2d 2h",
        "straight": "3c Ad 2h",
        "flush": "5s 3s 2s",
        "pair": "2c Kd 2h",
        NOTHING: "Ac Kd Jh",
    },
    "six_card": {
        "super_royal_diamonds": "9d Ad Kd Qd Jd Td",
        "super_royal_other": "Ah Kh Qh Jh Th 9h",
        "super_royal": "As Ks Qs Js Ts 9s",
        "royal_flush": "Ac Kc Qc Jc Tc 9d",
        "straight_flush": "6c 5c 4c 3c 2c Ac",
        "four_of_a_kind": "7c 7d 7h 7s Kd Kc",
        "full_house": "4c 4d 4h Js Jc Jd",
        "flush": "Kd Jd 8d 6d 3d Kc",
        "straight": "5c 4d 3h 2s Ac Ad",
        "three_of_a_kind": "2c 2d 2h Ks 9d 7c",
        NOTHING: "Ac Ad Kh Ks Qc Qd",
    },
    "flush": {
        "seven_card_flush": "Kh Jh 9h 7h 5h 4h 2h",
        "six_card_flush": "Kh Jh 9h 7h 5h 4h 2c",
        "five_card_flush": "Kh Jh 9h 7h 5h 4c 2c",
        "four_card_flush": "Kh Jh 9h 7h 5c 4c 2c",
        NOTHING: "Ah Kh Qh 7c 5c 4c 2d",
    },
    "straight_flush": {
        "seven_card_straight_flush": "Ah 2h 3h 4h 5h 6h 7h",
        "suited_nine_to_ace": "Ah Kh Qh Jh Th 9h 7h",
        "six_card_straight_flush": "Kh Qh Jh Th 9h 8h 2c",
        "five_card_straight_flush": "5s 4s 3s 2s As Kc 9d",
        "four_card_straight_flush": "9d 8d 7d 6d Kc Jc 2h",
        "four_of_a_kind": "7c 7d 7h 7s Kd Jc 2h",
        "three_card_straight_flush": "3c 2c Ac Kd Jd 9h 7h",
        NOTHING: "2h Ah Kc Qc Jd 9d 7s",
    },
}
"""A hand for every name that a line can have."""
SLOTS: dict[CardsJudged, tuple[Pile, ...]] = {
    "own": (("player", 1),),
    "community": (("community", 0),),
    "own_and_community": (("player", 1), ("community", 0)),
    "own_and_box": (("player", 1), ("six_card_box", 0)),
}
"""Where the cards lie that decide a wager."""


@pytest.mark.parametrize("case", BONUSES)
def test_a_hand_on_each_line_of_a_bonus_brings_what_the_line_is_priced_at(case: Case) -> None:
    state, hands, nets = deal(house_of(case), [1]), hands_of(case), line_nets(case)
    for hand in nets:
        settled = settle_bonus(case, state, hands[hand])
        assert line_hit(settled) == hand
        assert net(settled) == nets[hand]
    for cards in hands.values():  # also those that have a line of their own on other paytables only
        settled = settle_bonus(case, state, cards)
        assert net(settled) == nets[line_hit(settled)]


@pytest.mark.parametrize("case", BONUSES)
def test_a_folded_hand_loses_a_bonus_where_there_is_a_price_for_that(case: Case) -> None:
    hands, nets, fold = hands_of(case), line_nets(case), wager_of(case.book, case.wager).fold
    variants = {record.variant for record in price(case)}
    if fold is None:  # in this game nobody folds
        assert variants == {None}
        return
    rules = ("forfeit", "live") if fold.option else (fold.stake,)
    assert ("forfeit_on_fold" in variants) == ("forfeit" in rules)
    for rule in rules:
        state = deal(house_of(case, {fold.option: rule} if fold.option else {}), [1])
        for hand in nets:
            settled = settle_bonus(case, state, hands[hand], fold=True)
            assert net(settled) == (-1 if rule == "forfeit" else nets[hand])


def hands_of(case: Case) -> dict[str, str]:
    return HANDS[case.table.evaluator or wager_of(case.book, case.wager).evaluator]


def line_nets(case: Case) -> dict[str, Fraction]:
    """What each line brings, in stakes, as all prices of a case agree."""
    first, *others = [
        {line.hand: line.returned * record.total / line.combinations for line in record.lines}
        for record in price(replace(case, meters=dict.fromkeys(meters_of(case.table), METER)))
    ]
    assert all(other == first for other in others)
    return first


def settle_bonus(case: Case, state: Round, cards: str, *, fold: bool = False) -> WagerSettled:
    """A round in which these cards decide the wager."""
    plan, left = state.cards.plan.places, iter(parse_cards(cards))
    piles = {
        pile: [next(left) for place in plan if (place.slot, place.seat) == pile]
        for pile in SLOTS[case.table.cards or wager_of(case.book, case.wager).cards]
    }
    stay = [next(name for name in choice.choices if name != "fold") for choice in case.book.play.choice]
    seat = play(state, piles, in_turn(["fold"] if fold else [name.replace("raise", "1x") for name in stay]))[1]
    return next(one for one in seat.wagers if one.wager == case.wager)


def line_hit(settled: WagerSettled) -> str:
    return settled.hand if settled.hand and settled.pays else NOTHING


def net(settled: WagerSettled) -> Fraction:
    """What a wager brings, in stakes."""
    assert settled.before_limit is None
    return Fraction(settled.won + settled.returned - settled.staked, settled.staked)


# --- the best hand at the table


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("case", TABLES)
def test_the_best_hand_at_25_tables_of_chance_brings_what_its_line_is_priced_at(case: Case, counted: bool) -> None:
    players, nets = case.table.players or 0, line_nets(case)
    dice = Random(2 * players + counted)
    house = house_of(case, {"cover_all.count_folded": counted})
    folded: set[int] = set()

    def decide(now: Round, seat: int) -> str:
        name = dice.choice(choices(now))
        if name == "fold":
            folded.add(seat)
        return name

    for _ in range(25):
        folded.clear()
        seats, deck = sorted(dice.sample(range(1, house.seats + 1), players)), random_deck(dice)
        board = [deck.pop() for _ in range(3)]
        hands = {seat: [deck.pop(), deck.pop()] for seat in seats}
        piles: dict[Pile, list[Card]] = {("player", seat): hands[seat] for seat in seats}
        piles["community", 0] = board
        settled = play(deal(house, seats), piles, decide)
        best = [naive.five([*map(str, hands[seat] + board)]) for seat in seats if counted or seat not in folded]
        name = naive.FIVE[max(best)[0]] if best else NOTHING
        for seat in settled.values():
            wager = next(one for one in seat.wagers if one.wager == case.wager)
            assert line_hit(wager) == (name if name in nets else NOTHING)
            assert net(wager) == nets[line_hit(wager)]


# --- hands against the dealer's


ENDS = {
    ("forfeit",): "fold",
    ("win", "push"): "dealer_does_not_qualify",
    ("win", "win"): "win",
    ("push", "push"): "tie",
    ("lose", "lose"): "lose",
}
"""What becomes of the ante and the raise, and how the analysis calls that."""


@pytest.mark.parametrize("case", FLUSHES)
def test_random_hands_end_as_a_beginner_says_and_bring_what_is_expected(case: Case) -> None:
    """100,000 in full, 2,000 in a slice."""
    count = slices.count(full=100_000, sliced=2_000)
    dice, rules, record = Random(932), flush_rules(case.book), price(case)[0]
    state = deal(house_of(case), [1])
    ante, won = state.boxes[0].staked[0][1], 0
    ends: Counter[str] = Counter()
    for _ in range(count):
        cards = dice.sample(DECK, 14)
        own, dealer = cards[:7], cards[7:]
        name = best_raise(own, rules)
        seat = play(state, {("player", 1): own, ("dealer", 0): dealer}, in_turn([name]))[1]
        end, times = ENDS[tuple(one.outcome for one in seat.wagers)], ADDS.get(name, 0)
        assert end == beginners_end(name, [*map(str, own)], [*map(str, dealer)])
        brings = {"fold": -1, "dealer_does_not_qualify": 1, "win": 1 + times, "tie": 0, "lose": -1 - times}
        assert seat.paid - seat.staked == brings[end] * ante
        assert seat.staked == (1 + times) * ante
        won += brings[end]
        ends[end] += 1
    assert within(won, record.outcomes.mean, record.outcomes.variance, count)
    for line in record.lines:
        share = Fraction(line.combinations, record.total)
        assert within(ends[line.hand], share, share * (1 - share), count)


def within(total: int, mean: Fraction, variance: Fraction, count: int) -> bool:
    """Whether a total lies within five standard errors of what is expected."""
    return abs(total - count * mean) <= 5 * sqrt(count * variance)


def beginners_end(name: str, own: list[str], dealer: list[str]) -> str:
    if name == "fold":
        return "fold"
    if not naive.dealer_plays(dealer):
        return "dealer_does_not_qualify"
    mine, other = naive.flush_of_seven(own), naive.flush_of_seven(dealer)
    return "win" if mine > other else "tie" if mine == other else "lose"


# --- the engine, walked


def house_of(case: Case, options: Mapping[str, object] | None = None) -> HouseRules:
    """A house with this paytable: the main game alone, or every wager, this one at its stake."""
    submission: dict[str, Any] = tomllib.loads(starting_submission(case.book, every_wager=case.wager != BASE))
    stake, meter = format_dollars(case.stake), format_dollars(METER)
    if chosen := submission.get("wagers", {}).get(case.wager):
        chosen["paytable"] = case.table.id
        for key in {"stake", "minimum", "maximum"} & chosen.keys():
            chosen[key] = stake
        if "meters" in chosen:
            names = [one.meter for one in case.book.paytables.minimum if one.paytable == case.table.id]
            chosen["meters"] = {name: {"initial": meter, "reset": meter, "rate": "0.10"} for name in names}
    for name, value in (options or {}).items():
        table, _, key = name.partition(".")
        submission["readings"][table] = {key: value}
    house = check(read_submission(submission)).house
    assert house is not None
    return house


def deal(house: HouseRules, seats: Iterable[int]) -> Round:
    """A round in which these seats have staked the least on every wager, all cards dealt and none told."""
    state = open_round(house)
    for seat in seats:
        for wager in house.wagers:
            if wager.stakes is not None:
                state, _ = apply(state, actions.PlaceWager(seat, wager.name, wager.stakes.minimum))
            if state.rules.wagers[wager.name].registered:
                state, _ = apply(state, actions.RegisterWager(seat))
    state, _ = apply(state, actions.Perform("announce"))
    while (needs := awaiting(state)).act is not None:
        state, _ = apply(state, actions.Perform(needs.act, len(state.boxes) if needs.act in COUNTS else None))
    return apply(state, actions.Deal(len(needs.places)))[0]


def play(state: Round, piles: Piles, decide: Decide, spare: Iterable[Card] = DECK) -> dict[int, SeatSettled]:
    """A dealt round to its end; where no cards are given, spare ones lie."""
    used = {card for pile in piles.values() for card in pile}
    spares = (card for card in spare if card not in used)
    laid = {pile: iter(cards) for pile, cards in piles.items()}
    places = state.cards.plan.places
    cards = tuple([next(laid.get((place.slot, place.seat), spares)) for place in places])
    state, _ = apply(state, actions.IdentifyCards(0, cards))
    while not state.is_closed:
        state, _ = apply(state, next_move(state, decide))
    return {seat.seat: seat for seat in result(state).seats}


def next_move(state: Round, decide: Decide) -> actions.Action:
    needs = awaiting(state)
    match needs.kind:
        case "act":
            return actions.Perform(needs.act or "announce")
        case "decision":
            return decision(state, needs.seat, decide(state, needs.seat))
        case "reveal" if needs.slot is not None:
            return actions.Reveal(needs.slot, needs.seat)
        case "meter":
            return actions.ReadMeter(needs.meter, METER)
        case "settlement":
            return actions.Settle(needs.what, needs.seat)  # type: ignore[arg-type]
        case "close":
            return actions.Close()
    raise AssertionError(f"the round awaits {needs}")


def decision(state: Round, seat: int, name: str) -> actions.Decide:
    """A choice by its name; where any amount may be raised, `2x` is twice the main wager."""
    if "raise" in choices(state) and name != "fold":
        return actions.Decide(seat, "raise", Cents(int(name[0]) * box_of(state, seat).staked[0][1]))
    return actions.Decide(seat, name)


def choices(state: Round) -> tuple[str, ...]:
    return state.at.choice.choices if state.at.choice else ()


def box_of(state: Round, seat: int) -> Box:
    box = box_at(state, seat)
    assert box is not None
    return box


def in_turn(names: Iterable[str]) -> Decide:
    left = iter(names)
    return lambda *_: next(left)
