"""What a reported seat has bet: its wagers and decisions checked, and what it has staked in the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import CardError, Malformed, MoneyError, RuleViolation
from croupier.games.betting_rules import coupon_problem, missing_requirement, offered_problem, stakes_on
from croupier.games.offers import refuse, spoken
from croupier.games.payouts import forfeited
from croupier.games.raising import raise_limit, raise_problem
from croupier.games.round_report import SeatReport
from croupier.games.rules import Rules
from croupier.money import Cents, parse_dollars, print_dollars
from croupier.rulebook.names import Decision, WagerName
from croupier.rulebook.schema import Choice, Wager
from croupier.wire import clip

__all__ = ["Bet", "at_seat", "bet_of", "check_different", "first_twice"]

_TIMES: Final = re.compile(r"([1-3])x")
_RAISE: Final = re.compile(r"raise (\S+)")
Number = TypeVar("Number", bound=int)


class Bet(Struct, frozen=True, kw_only=True):
    """What a seat has bet: all of it that depends on no card but by the limit of a raise."""

    staked: tuple[tuple[WagerName, Cents], ...]
    """After its decisions."""
    withdrawn: tuple[Decision, ...] = ()
    folded_on: Decision | None = None
    outside: tuple[str, ...] = ()
    """What does not fit the limits: accepted, it is settled in full (readings 14, 189)."""
    metered: bool = False
    """Whether a meter may pay it."""
    wagers: tuple[WagerName, ...] = ()
    """What is staked, without amounts."""


def bet_of(rules: Rules, seat: SeatReport, *, several: bool) -> Bet:
    """The bet of a seat; `several` where its player has more than one. Equal ones are worked out once."""
    wagers = tuple(seat.wagers.items())
    key = ("bet", wagers, seat.match_play, seat.decisions, _most_raised(rules, seat), several)
    known: Bet | None = rules.memo.reported.get(key)
    return known or rules.memo.reported.keep(key, _checked(rules, seat, several=several))


def _checked(rules: Rules, seat: SeatReport, *, several: bool) -> Bet:
    if problem := _wagers_problem(rules, seat):
        raise at_seat(seat, problem)
    main = seat.wagers[rules.main.name]
    if seat.match_play is not None and (problem := coupon_problem(rules, seat.match_play, main)):
        raise at_seat(seat, problem)
    bet, metered = _decided(rules, seat, main), rules.metered
    is_lost = bet.folded_on is not None and metered is not None and forfeited(rules.house, metered)
    return replace(
        bet,
        outside=tuple(_not_fitting(rules, seat.wagers, several=several)),
        metered=metered is not None and metered.name in seat.wagers and not is_lost,
        wagers=tuple([name for name, _ in bet.staked]),
    )


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


def _decided(rules: Rules, seat: SeatReport, main: Cents) -> Bet:
    """What a seat has staked after its decisions."""
    staked = {name: seat.wagers[name] for name in rules.wagers if name in seat.wagers}
    withdrawn: list[Decision] = []
    choices, decisions = rules.house.rulebook.play.choice, seat.decisions
    if len(decisions) > len(choices):
        raise at_seat(seat, refuse("too_many_decisions", choices[-1], f"this game has only {len(choices)} decisions"))
    for number, choice in enumerate(choices):
        if number >= len(decisions):
            message = f"the decision on {spoken(choice.decision)} is missing"
            raise at_seat(seat, refuse("decision_missing", choice, message, reading=76))
        decision = decisions[number]
        if decision == "fold" and decision in choice.choices:
            if len(decisions) > number + 1:
                raise at_seat(seat, refuse("decision_after_fold", choice, "nothing may follow a fold"))
            return Bet(staked=tuple(staked.items()), withdrawn=tuple(withdrawn), folded_on=choice.decision)
        if decision in ("ride", "withdraw") and decision in choice.choices:
            if decision == "withdraw":
                withdrawn.append(choice.decision)
            continue
        amount = _staked_by(rules, rules.wagers[choice.decision], seat, decision, main)
        if amount is None:
            message = f"{clip(repr(decision))} is not a choice here: {', '.join(_choices(choice))}"
            raise at_seat(seat, refuse("no_such_choice", choice, message))
        staked[choice.decision] = amount
    return Bet(staked=tuple(staked.items()), withdrawn=tuple(withdrawn))


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
        check_different(rules, cards)
    if problem := raise_problem(rules, cards, amount, ante):
        raise at_seat(seat, problem)
    return amount


def _whole_hand(rules: Rules, seat: SeatReport) -> tuple[Card, ...] | None:
    """The cards of a seat where all of them are given."""
    return seat.cards if seat.cards is not None and len(seat.cards) == rules.own_cards else None


def _most_raised(rules: Rules, seat: SeatReport) -> int:
    """All that a bet depends on beside wagers and decisions: the antes that the cards may raise.

    0 where there is no raise, and for a card that appears twice, with which nobody can raise.
    """
    if not rules.raised or seat.decisions == ("fold",):
        return 0
    try:
        return raise_limit(rules, _whole_hand(rules, seat)).times
    except CardError:
        return 0


# --- of any report


def at_seat(seat: SeatReport, problem: RuleViolation) -> RuleViolation:
    """A problem with the seat that has it."""
    message = f"seat {clip(str(seat.seat))}: {problem}"
    return RuleViolation(problem.code, message, clause=problem.clause, reading=problem.reading)


def check_different(rules: Rules, cards: Sequence[Card]) -> None:
    """Refuse a card that appears twice."""
    if (card := first_twice(cards)) is not None:
        decks = rules.house.rulebook.table.decks
        raise refuse("card_twice", decks, f"duplicate card: {card}", reading=148)


def first_twice(values: Sequence[Number]) -> Number | None:
    """The first value that comes again, if any does."""
    if len(set(values)) == len(values):
        return None
    return next(value for value in values if values.count(value) > 1)
