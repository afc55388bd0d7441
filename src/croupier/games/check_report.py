"""Checks a reported round against the rules, and works out its hands, cards and meters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias, TypeVar

from croupier.cards import Card
from croupier.errors import Malformed, MoneyError, RuleViolation
from croupier.games.betting_rules import (
    boxes_problem,
    coupon_problem,
    missing_requirement,
    offered_problem,
    seat_problem,
    stakes_on,
)
from croupier.games.offers import refuse, spoken
from croupier.games.payouts import forfeited
from croupier.games.raising import raise_limit, raise_problem
from croupier.games.results import Hand, TableCards
from croupier.games.round_report import RoundReport, SeatReport
from croupier.games.rules import Rules, plan_of, rules_of
from croupier.money import Cents, Share, parse_dollars, parse_pay, print_dollars
from croupier.progressive import Meter, meters_showing
from croupier.rulebook import HouseRules, check
from croupier.rulebook.names import CardsJudged, Decision, Slot, WagerName
from croupier.rulebook.schema import Choice, Wager
from croupier.wire import clip

__all__ = ["CheckedRound", "check_round", "check_round_by"]

_TIMES: Final = re.compile(r"([1-3])x")
_RAISE: Final = re.compile(r"raise (\S+)")
_OWN: Final[set[CardsJudged]] = {"own", "own_and_community", "own_and_box", "best_at_table"}
_BOARD: Final[set[CardsJudged]] = {"community", "own_and_community", "best_at_table"}


_Bet: TypeAlias = tuple[tuple[tuple[WagerName, Cents], ...], tuple[Decision, ...], Decision | None]
"""What a seat has staked after its decisions, what it withdrew, and the decision on which it folded."""


Number = TypeVar("Number", bound=int)


class CheckedRound(NamedTuple):
    """A reported round that can be settled."""

    house: HouseRules
    hands: tuple[Hand, ...]
    table_cards: TableCards
    meters: dict[str, Meter]
    warnings: tuple[str, ...]


def check_round(report: RoundReport) -> CheckedRound:
    """Check a reported round; raise `RuleViolation` for the first thing the rules do not allow."""
    return check_round_by(check(report.submission).rules(), report)


def check_round_by(house: HouseRules, report: RoundReport) -> CheckedRound:
    """Check a reported round against house rules that have already been checked."""
    rules = rules_of(house)
    _check_seats(rules, report.seats)
    hands = tuple(_hand(rules, seat) for seat in report.seats)
    _check_cards(rules, report, hands)
    warnings = [*_outside_limits(rules, report.seats)]
    if report.meters and rules.metered is None:
        warnings.append("meters are given, but this house offers no progressive")
    table_cards = TableCards(community=report.community, six_card_box=report.six_card_box, dealer=report.dealer)
    return CheckedRound(house, hands, table_cards, _meters(rules, report, hands), tuple(warnings))


def _at_seat(seat: SeatReport, problem: RuleViolation) -> RuleViolation:
    message = f"seat {clip(str(seat.seat))}: {problem}"
    return RuleViolation(problem.code, message, clause=problem.clause, reading=problem.reading)


# --- seats and boxes


def _check_seats(rules: Rules, seats: Sequence[SeatReport]) -> None:
    for seat in seats:
        if problem := seat_problem(rules, seat.seat):
            raise _at_seat(seat, problem)
    if (number := _first_twice([seat.seat for seat in seats])) is not None:
        raise refuse("seat_twice", rules.house.rulebook.table.boxes, f"seat {number} appears twice")
    boxes = defaultdict(list)
    for seat in seats:
        boxes[seat.patron].append(seat.seat)
    for patron, numbers in boxes.items():
        if len(numbers) > 1 and (problem := boxes_problem(rules, patron, numbers)):
            raise problem


# --- wagers


def _hand(rules: Rules, seat: SeatReport) -> Hand:
    key = (tuple(seat.wagers.items()), seat.match_play, seat.decisions, _most_raised(rules, seat))
    bet: _Bet | None = rules.memo.reported.get(key)
    if bet is None:
        bet = rules.memo.reported.keep(key, _bet(rules, seat))
    staked, withdrawn, folded_on = bet
    return Hand(
        seat=seat.seat,
        patron=seat.patron,
        staked=staked,
        cards=seat.cards or (),
        folded=folded_on is not None,
        folded_on=folded_on,
        withdrawn=withdrawn,
        coupon=seat.match_play or Cents(0),
    )


def _bet(rules: Rules, seat: SeatReport) -> _Bet:
    if problem := _wagers_problem(rules, seat):
        raise _at_seat(seat, problem)
    main = seat.wagers[rules.main.name]
    if seat.match_play is not None and (problem := coupon_problem(rules, seat.match_play, main)):
        raise _at_seat(seat, problem)
    return _decided(rules, seat, main)


def _wagers_problem(rules: Rules, seat: SeatReport) -> RuleViolation | None:
    """Why the wagers of a seat are not accepted, or None."""
    for name, amount in seat.wagers.items():
        wager, problem = rules.wager(name), offered_problem(rules, name)
        if wager is None or problem is not None:
            return problem
        if amount < 1:
            return refuse("nothing_staked", wager, f"{spoken(name)} must be more than zero", reading=14)
        stakes = rules.offered[wager.name].stakes
        if wager.stake == "fixed" and stakes is not None and not stakes.admits(amount):
            return refuse("stake_not_accepted", wager, f"{spoken(name)} must be {stakes}", reading=192)
    main = rules.main
    if main.name not in seat.wagers:
        return refuse("main_wager_missing", main, f"{spoken(main.name)} is missing")
    for wager in rules.wagers.values():
        if wager.stake == "equal" and seat.wagers.get(wager.name) != seat.wagers[main.name]:
            message = f"{spoken(wager.name)} must equal {spoken(main.name)}, {print_dollars(seat.wagers[main.name])}"
            return refuse("unequal_bets", wager, message)
        missing = missing_requirement(rules, wager, list(seat.wagers)) if wager.name in seat.wagers else None
        if missing is not None:
            message = f"{spoken(wager.name)} needs {spoken(missing.wager)}, which is not placed"
            return refuse("prerequisite_missing", missing, message)
    return None


def _outside_limits(rules: Rules, seats: Sequence[SeatReport]) -> Iterator[str]:
    """A wager outside its limits that was accepted is settled in full (readings 14, 189)."""
    patrons = [seat.patron for seat in seats]
    for seat in seats:
        key = (tuple(seat.wagers.items()), patrons.count(seat.patron) > 1)
        outside: tuple[str, ...] | None = rules.memo.reported.get(key)
        if outside is None:
            outside = rules.memo.reported.keep(key, tuple(_not_fitting(rules, seat.wagers, several=key[1])))
        for words in outside:
            yield f"seat {seat.seat}: {words}"


def _not_fitting(rules: Rules, wagers: Mapping[str, Cents], *, several: bool) -> Iterator[str]:
    for offered in rules.house.wagers:
        amount = wagers.get(offered.name)
        if amount is None or offered.stakes is None:
            continue
        if rules.wagers[offered.name].stake == "equal" and amount == wagers[rules.main.name]:
            continue  # what is wrong with the main wager is said once
        stakes = stakes_on(rules, rules.wagers[offered.name], main=wagers[rules.main.name], several=several)
        if not stakes.admits(amount):
            placed = f"{spoken(offered.name)} {print_dollars(amount)}"
            yield f"{placed} does not fit the limits, {stakes} (readings 14, 189)"


# --- decisions


def _decided(rules: Rules, seat: SeatReport, main: Cents) -> _Bet:
    staked = {name: seat.wagers[name] for name in rules.wagers if name in seat.wagers}
    withdrawn: list[Decision] = []
    choices, decisions = rules.house.rulebook.play.choice, seat.decisions
    if len(decisions) > len(choices):
        raise _at_seat(seat, refuse("too_many_decisions", choices[-1], f"this game has only {len(choices)} decisions"))
    for number, choice in enumerate(choices):
        if number >= len(decisions):
            message = f"the decision on {spoken(choice.decision)} is missing"
            raise _at_seat(seat, refuse("decision_missing", choice, message, reading=76))
        decision = decisions[number]
        if decision == "fold" and decision in choice.choices:
            if len(decisions) > number + 1:
                raise _at_seat(seat, refuse("decision_after_fold", choice, "nothing may follow a fold"))
            return tuple(staked.items()), tuple(withdrawn), choice.decision
        if decision in ("ride", "withdraw") and decision in choice.choices:
            if decision == "withdraw":
                withdrawn.append(choice.decision)
            continue
        amount = _staked_by(rules, rules.wagers[choice.decision], seat, decision, main)
        if amount is None:
            message = f"{clip(repr(decision))} is not a choice here: {', '.join(_choices(choice))}"
            raise _at_seat(seat, refuse("no_such_choice", choice, message))
        staked[choice.decision] = amount
    return tuple(staked.items()), tuple(withdrawn), None


def _choices(choice: Choice) -> list[str]:
    return ["1x, 2x, 3x, raise 15.00" if chosen == "raise" else chosen for chosen in choice.choices]


def _staked_by(rules: Rules, wager: Wager, seat: SeatReport, decision: str, ante: Cents) -> Cents | None:
    """The amount a decision bets: `2x`, or `raise 15.00` where the hand sets the limit."""
    times, raised = _TIMES.fullmatch(decision), _RAISE.fullmatch(decision)
    if times and wager.stake == "multiple":
        return Cents(int(times[1]) * ante) if int(times[1]) in wager.multiples else None
    if wager.stake != "raise" or not (times or raised):
        return None
    try:
        amount = Cents(int(times[1]) * ante) if times else parse_dollars(decision.removeprefix("raise "))
    except MoneyError as error:
        raise Malformed(f"seat {seat.seat}: {error}") from None
    cards = _whole_hand(rules, seat)
    if cards:
        _check_different(rules, cards)
    if problem := raise_problem(rules, cards, amount, ante):
        raise _at_seat(seat, problem)
    return amount


def _whole_hand(rules: Rules, seat: SeatReport) -> tuple[Card, ...] | None:
    """The cards of a seat where all of them are given."""
    return seat.cards if seat.cards is not None and len(seat.cards) == _own_cards(rules) else None


@lru_cache(maxsize=256)
def _own_cards(rules: Rules) -> int:
    """How many cards a player is dealt."""
    return len(plan_of(rules, (1,), ()).own[1])


def _most_raised(rules: Rules, seat: SeatReport) -> int:
    """All that a bet depends on beside wagers and decisions: the antes that the cards may raise.

    0 where there is no raise, and for a card that appears twice, with which nobody can raise.
    """
    if not rules.raised or seat.decisions == ("fold",):
        return 0
    cards = _whole_hand(rules, seat)
    return 0 if cards and _first_twice(cards) is not None else raise_limit(rules, cards).times


# --- cards


def _check_different(rules: Rules, cards: Sequence[Card]) -> None:
    if (card := _first_twice(cards)) is not None:
        decks = rules.house.rulebook.table.decks
        raise refuse("card_twice", decks, f"duplicate card: {card}", reading=148)


def _first_twice(values: Sequence[Number]) -> Number | None:
    """The first value that comes again, if any does."""
    if len(set(values)) == len(values):
        return None
    return next(value for value in values if values.count(value) > 1)


class _Needed(NamedTuple):
    """How many cards each place of the table is dealt, and whose cards decide a wager that is still in play."""

    counts: Mapping[Slot, int]
    own: tuple[bool, ...]
    """For each hand."""
    slots: tuple[tuple[Slot, str, bool], ...]
    """The other places, each with its irregularity and whether its cards decide."""


def _check_cards(rules: Rules, report: RoundReport, hands: Sequence[Hand]) -> None:
    dealt = [card for seat in report.seats for card in seat.cards or ()]
    _check_different(rules, (*dealt, *report.community, *report.six_card_box, *report.dealer))
    counts, own, slots = _needed(rules, hands)
    for seat, is_needed in zip(report.seats, own, strict=True):
        given = len(seat.cards or ())
        if given != counts["player"] and (is_needed or seat.cards is not None):
            _wrong_count(rules, "wrong_count_player", f"seat {seat.seat} has {given} cards, not {counts['player']}")
    given_cards = {"community": report.community, "six_card_box": report.six_card_box, "dealer": report.dealer}
    for slot, irregularity, is_needed in slots:
        cards, count = given_cards[slot], counts.get(slot, 0)
        partly = slot != "community" and len(cards) not in (0, count)
        if len(cards) > count or partly or (is_needed and len(cards) != count):
            _wrong_count(rules, irregularity, f"{spoken(slot)}: {len(cards)} cards, not {count}")


def _needed(rules: Rules, hands: Sequence[Hand]) -> _Needed:
    """Looked up by what each hand has staked, and whether it folded."""
    key = tuple([(hand.staked, hand.folded) for hand in hands])
    needed: _Needed | None = rules.memo.reported.get(key)
    if needed is not None:
        return needed
    dealt = plan_of(rules, (1,), {name for hand in hands for name, _ in hand.staked}).slots
    live = any(not hand.folded for hand in hands)
    judged = _judged_on(rules, hands)
    every = set[CardsJudged]().union(*judged)
    needed = _Needed(
        counts={slot: len(places) for slot, places in dealt.items()},
        own=tuple(not hand.folded or bool(cards & _OWN) for hand, cards in zip(hands, judged, strict=True)),
        slots=(
            ("community", "wrong_count_community", live or bool(every & _BOARD)),
            ("six_card_box", "wrong_count_box", "own_and_box" in every),
            ("dealer", "wrong_count_dealer", live),
        ),
    )
    return rules.memo.reported.keep(key, needed)  # type: ignore[no-any-return]


def _wrong_count(rules: Rules, irregularity: str, message: str) -> None:
    rows = [row for row in rules.house.rulebook.irregularities.irregularity if row.event == irregularity]
    raise refuse("wrong_number_of_cards", rows[0] if rows else rules.house.rulebook.table.decks, message)


def _judged_on(rules: Rules, hands: Sequence[Hand]) -> list[set[CardsJudged]]:
    """The cards that decide the wagers of each hand that are still in play."""
    on_best = any(rules.judged[name] == "best_at_table" for hand in hands for name, _ in hand.staked)
    judged = []
    for hand in hands:
        cards = {
            rules.judged[name]
            for name, _ in hand.staked
            if not hand.folded or not forfeited(rules.house, rules.wagers[name])
        }
        if on_best and (not hand.folded or rules.house.options.cover_all_count_folded):
            cards.add("best_at_table")
        judged.append(cards)
    return judged


# --- meters


class _Metered(NamedTuple):
    """The meters of a house, and those of which its paytable pays a share."""

    names: tuple[str, ...]
    paid: frozenset[str]


def _meters(rules: Rules, report: RoundReport, hands: Sequence[Hand]) -> dict[str, Meter]:
    wager = rules.metered
    if wager is None:
        return {}
    names, paid = _metered(rules, wager)
    for name in report.meters:
        if name not in names:
            raise Malformed(f"meters.{clip(repr(name))}: no such meter; the meters are {', '.join(names)}")
    live = any(hand.stake(wager.name) and not (hand.folded and forfeited(rules.house, wager)) for hand in hands)
    for name in names:
        if live and name in paid and name not in report.meters:
            raise Malformed(f"meters.{name}: missing, but a progressive bet was placed")
    if not report.meters:
        return {}
    return meters_showing(rules.house, {name: report.meters[name] for name in names if name in report.meters})


@lru_cache(maxsize=256)
def _metered(rules: Rules, wager: Wager) -> _Metered:
    offered = rules.offered[wager.name]
    pays = [parse_pay(line.pays) for line in offered.paytables[0].line]
    return _Metered(
        tuple(meter.name for meter in offered.meters), frozenset(pay.meter for pay in pays if isinstance(pay, Share))
    )
