"""Whether a described round is one that the rules allow; what it comes to, if so."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import Malformed, MoneyError, RuleViolation
from croupier.games.dealing import card_counts
from croupier.games.offers import refuse
from croupier.games.payouts import forfeited
from croupier.games.playing import raise_problem
from croupier.games.results import Hand, TableCards
from croupier.games.round_report import Described, DescribedSeat
from croupier.games.rules import rules_of
from croupier.games.wagering import missing_requirement
from croupier.money import Cents, Share, format_dollars, parse_dollars, parse_pay, print_dollars
from croupier.progressive import Meter, meters_showing
from croupier.rulebook import HouseRules, check
from croupier.rulebook.schema import Choice, Wager
from croupier.wire import clip

__all__ = ["Lawful", "check_lawful", "lawful_in"]


_OWN: Final = {"own", "own_and_community", "own_and_box", "best_at_table"}


class Lawful(NamedTuple):
    """A round that can be settled."""

    house: HouseRules
    hands: tuple[Hand, ...]
    shown: TableCards
    meters: dict[str, Meter]
    warnings: tuple[str, ...]


def check_lawful(described: Described) -> Lawful:
    """Hold a described round against the rules; the first thing they do not allow is a `RuleViolation`."""
    return lawful_in(check(described.submission).rules(), described)


def lawful_in(house: HouseRules, described: Described) -> Lawful:
    """The same by house rules that were checked before."""
    _check_seats(house, described.seats)
    hands = tuple(_hand(house, seat) for seat in described.seats)
    shown = TableCards(community=described.community, six_card_box=described.six_card_box, dealer=described.dealer)
    _check_cards(house, described, hands)
    warnings = [*_outside_limits(house, described.seats)]
    if described.meters and house.wager("progressive") is None:
        warnings.append("meters are given, but this house offers no progressive")
    return Lawful(house, hands, shown, _meters(house, described, hands), tuple(warnings))


# --- seats and boxes


def _check_seats(house: HouseRules, seats: Sequence[DescribedSeat]) -> None:
    table = house.rulebook.table
    for seat in seats:
        if not 1 <= seat.seat <= house.seats:
            raise refuse(
                "no_such_seat", table.seats, f"seat {clip(str(seat.seat))}: the table has seats 1 to {house.seats}"
            )
    for number, times in Counter(seat.seat for seat in seats).items():
        if times > 1:
            raise refuse("seat_twice", table.boxes, f"seat {number} stands twice")
    boxes = defaultdict(list)
    for seat in seats:
        boxes[seat.patron].append(seat.seat)
    for patron, numbers in boxes.items():
        if len(numbers) > house.boxes:
            message = f"{clip(patron)} has {len(numbers)} boxes: at most {house.boxes}"
            raise refuse("too_many_boxes", table.boxes, message)
        if max(numbers) - min(numbers) >= len(numbers):
            raise refuse("boxes_not_adjacent", table.boxes, f"the boxes of {clip(patron)} do not touch", reading=87)


# --- wagers


def _hand(house: HouseRules, seat: DescribedSeat) -> Hand:
    wagers = {wager.name: wager for wager in house.rulebook.wagers.wager}
    _check_wagers(house, seat)
    main = next(wager for wager in wagers.values() if wager.limits_key)
    staked = {name: seat.wagers[name] for name in wagers if name in seat.wagers}
    folded_on, withdrawn = None, []
    choices = house.rulebook.play.choice
    if len(seat.decisions) > len(choices):
        raise refuse("too_many_decisions", choices[-1], f"seat {seat.seat}: there are {len(choices)} decisions")
    for place, choice in enumerate(choices):
        if place >= len(seat.decisions):
            message = f"seat {seat.seat}: the decision on {choice.decision.replace('_', ' ')} is missing"
            raise refuse("decision_missing", choice, message, reading=76)
        decision = seat.decisions[place]
        verb = decision.split(" ")[0]
        if verb == "fold" and "fold" in choice.choices and decision == verb:
            folded_on = choice.decision
            if len(seat.decisions) > place + 1:
                raise refuse("decision_after_fold", choice, f"seat {seat.seat}: nothing follows a fold")
            break
        if decision in ("ride", "withdraw") and decision in choice.choices:
            if decision == "withdraw":
                withdrawn.append(choice.decision)
            continue
        amount = _raised(house, wagers[choice.decision], seat, decision, staked[main.name])
        if amount is None:
            message = f"seat {seat.seat}: {clip(repr(decision))} is no choice: {', '.join(_choices(choice))}"
            raise refuse("no_such_choice", choice, message)
        staked[choice.decision] = amount
    return Hand(
        seat=seat.seat,
        patron=seat.patron,
        staked=tuple(staked.items()),
        cards=seat.cards or (),
        folded=folded_on is not None,
        folded_on=folded_on,
        withdrawn=tuple(withdrawn),
        coupon=_coupon(house, seat, staked[main.name]),
    )


def _choices(choice: Choice) -> list[str]:
    return ["1x, 2x, 3x, raise 15.00" if one == "raise" else one for one in choice.choices]


def _raised(house: HouseRules, wager: Wager, seat: DescribedSeat, decision: str, ante: Cents) -> Cents | None:
    """What a decision stakes: `2x`, or `raise 15.00` where the hand sets the limit."""
    if times := re.fullmatch(r"([1-3])x", decision):
        multiple = int(times[1])
        if wager.stake == "multiple":
            return Cents(multiple * ante) if multiple in wager.multiples else None
        if wager.stake == "raise":
            return _within_raise(house, seat, Cents(multiple * ante), ante)
    if wager.stake == "raise" and (amount := re.fullmatch(r"raise (\S+)", decision)):
        try:
            return _within_raise(house, seat, parse_dollars(amount[1]), ante)
        except MoneyError as error:
            raise Malformed(f"seat {seat.seat}: {error}") from None
    return None


def _within_raise(house: HouseRules, seat: DescribedSeat, amount: Cents, ante: Cents) -> Cents:
    """At least the ante, at most what the hand allows, in the table's steps or whole antes (reading 72)."""
    known = seat.cards is not None and len(seat.cards) == card_counts(house)["player"]
    cards = _different(house, seat.cards) if known and seat.cards else None
    if problem := raise_problem(rules_of(house), cards, amount, ante):
        raise _at_seat(seat, problem)
    return amount


def _at_seat(seat: DescribedSeat, problem: RuleViolation) -> RuleViolation:
    return RuleViolation(problem.code, f"seat {seat.seat}: {problem}", clause=problem.clause, reading=problem.reading)


def _check_wagers(house: HouseRules, seat: DescribedSeat) -> None:
    book = house.rulebook
    known: dict[str, Wager] = {wager.name: wager for wager in book.wagers.wager}
    placed = {name for name, wager in known.items() if wager.stake in ("limits", "equal", "fixed")}
    main = next(wager for wager in book.wagers.wager if wager.limits_key)
    for name, amount in seat.wagers.items():
        offered = house.wager(known[name].name) if name in known else None
        if offered is None:
            raise refuse(
                "wager_not_offered", known.get(name, main), f"seat {seat.seat}: {clip(repr(name))} is not offered here"
            )
        if name not in placed:
            raise refuse("not_before_the_deal", known[name], f"seat {seat.seat}: {name} follows from the decisions")
        if amount < 1:
            raise refuse("nothing_staked", known[name], f"seat {seat.seat}: {name} is more than nothing", reading=14)
        if known[name].stake == "fixed" and offered.stakes is not None and amount != offered.stakes.minimum:
            message = (
                f"seat {seat.seat}: {name} is {print_dollars(offered.stakes.minimum)}, no other amount is accepted"
            )
            raise refuse("stake_not_accepted", known[name], message, reading=192)
    if main.name not in seat.wagers:
        raise refuse("main_wager_missing", main, f"seat {seat.seat}: no {main.name.replace('_', ' ')} was placed")
    for wager in book.wagers.wager:
        if wager.stake == "equal" and seat.wagers.get(wager.name) != seat.wagers[main.name]:
            message = f"seat {seat.seat}: {wager.name} must equal {main.name}, {format_dollars(seat.wagers[main.name])}"
            raise refuse("unequal_bets", wager, message)
        if wager.name in seat.wagers:
            _check_requirements(house, wager, seat)


def _check_requirements(house: HouseRules, wager: Wager, seat: DescribedSeat) -> None:
    missing = missing_requirement(rules_of(house), wager, list(seat.wagers))
    if missing is not None:
        message = f"seat {seat.seat}: {wager.name} needs {missing.wager}, which was not placed"
        raise refuse("prerequisite_missing", missing, message)


def _coupon(house: HouseRules, seat: DescribedSeat, main: Cents) -> Cents:
    """A match play coupon beside the main wager, matched by equal or more chips (reading 95)."""
    instruments = house.rulebook.wagers.instruments
    cited = instruments.coupon or instruments
    if seat.match_play is None:
        return Cents(0)
    if house.match_play is None:
        message = f"seat {seat.seat}: match play coupons are not accepted here"
        raise refuse("not_accepted", cited, message, reading=95)
    if not 0 < seat.match_play <= main:
        message = f"seat {seat.seat}: a coupon is matched by chips: at most {print_dollars(main)}"
        raise refuse("coupon_not_matched", cited, message)
    return seat.match_play


def _outside_limits(house: HouseRules, seats: Sequence[DescribedSeat]) -> Iterator[str]:
    """A wager outside its limits that was accepted is settled in full (readings 14, 189)."""
    main = rules_of(house).main.name
    times, relative = house.options.boxes_min_multiplier, house.options.limits_side_bet_max_relative
    boxes = Counter(seat.patron for seat in seats)
    for seat in seats:
        for wager in house.wagers:
            amount = seat.wagers.get(wager.name)
            if amount is None or wager.stakes is None:
                continue
            stakes = wager.stakes
            if wager.name == main and boxes[seat.patron] > 1:
                stakes = replace(stakes, minimum=Cents(stakes.minimum * times))
            if relative and rules_of(house).wagers[wager.name].stake == "limits" and wager.name != main:
                stakes = replace(stakes, maximum=Cents(min(stakes.maximum, relative * seat.wagers[main])))
            if not stakes.admits(amount):
                placed = f"seat {seat.seat}: {wager.name} {print_dollars(amount)}"
                yield f"{placed} is outside the limits, {stakes} (readings 14, 189)"


# --- cards


def _different(house: HouseRules, cards: Sequence[Card]) -> Sequence[Card]:
    for card, times in Counter(cards).items():
        if times > 1:
            raise refuse(
                "card_twice", house.rulebook.table.decks, f"{card} stands twice: a deck has it once", reading=148
            )
    return cards


def _check_cards(house: HouseRules, described: Described, hands: Sequence[Hand]) -> None:
    counts = card_counts(house, staked={name for hand in hands for name, _ in hand.staked})
    every = [card for seat in described.seats for card in seat.cards or ()]
    _different(house, (*every, *described.community, *described.six_card_box, *described.dealer))
    live = any(not hand.folded for hand in hands)
    judged = _judged_on(house, hands)
    for seat, hand in zip(described.seats, hands, strict=True):
        alive = not hand.folded or bool(judged[hand.seat] & _OWN)
        if len(seat.cards or ()) != counts["player"] and (alive or seat.cards is not None):
            given = len(seat.cards or ())
            _wrong_count(house, "wrong_count_player", f"seat {seat.seat} has {given} cards, not {counts['player']}")
    open_board = live or any(which & {"community", "own_and_community", "best_at_table"} for which in judged.values())
    for slot, event, cards, needed in (
        ("community", "wrong_count_community", described.community, open_board),
        (
            "six_card_box",
            "wrong_count_box",
            described.six_card_box,
            any("own_and_box" in one for one in judged.values()),
        ),
        ("dealer", "wrong_count_dealer", described.dealer, live),
    ):
        count = counts.get(slot, 0)  # type: ignore[call-overload]
        partly = slot != "community" and len(cards) not in (0, count)
        if len(cards) > count or partly or (needed and len(cards) != count):
            _wrong_count(house, event, f"{slot.replace('_', ' ')}: {len(cards)} cards, not {count}")


def _wrong_count(house: HouseRules, event: str, message: str) -> None:
    found = [one for one in house.rulebook.irregularities.irregularity if one.event == event]
    raise refuse("wrong_number_of_cards", found[0] if found else house.rulebook.table.decks, message)


def _judged_on(house: HouseRules, hands: Sequence[Hand]) -> dict[int, set[str]]:
    """On which cards each seat's wagers that are still alive are judged."""
    wagers = {wager.name: wager for wager in house.rulebook.wagers.wager}
    found: dict[int, set[str]] = {hand.seat: set() for hand in hands}
    counted = any(hand.stake("cover_all") is not None for hand in hands)
    for hand in hands:
        for name, _ in hand.staked:
            wager = wagers[name]
            if not hand.folded or not forfeited(house, wager):
                offered = house.wager(name)
                found[hand.seat].add((offered and offered.paytables[0].cards) or wager.cards)
        if counted and (not hand.folded or house.options.cover_all_count_folded):
            found[hand.seat].add("best_at_table")
    return found


# --- meters


def _meters(house: HouseRules, described: Described, hands: Sequence[Hand]) -> dict[str, Meter]:
    offered = house.wager("progressive")
    if offered is None:
        return {}
    names = [meter.name for meter in offered.meters]
    for name in described.meters:
        if name not in names:
            raise Malformed(f"meters.{clip(repr(name))}: there is no such meter here: {', '.join(names)}")
    wager = next(one for one in house.rulebook.wagers.wager if one.name == "progressive")
    live = any(hand.stake("progressive") and not (hand.folded and forfeited(house, wager)) for hand in hands)
    paid = {pay.meter for line in offered.paytables[0].line if isinstance(pay := parse_pay(line.pays), Share)}
    for name in names:
        if live and name in paid and name not in described.meters:
            raise Malformed(f"meters.{name}: it is missing, and the progressive was staked")
    return meters_showing(house, {name: described.meters[name] for name in names if name in described.meters})
