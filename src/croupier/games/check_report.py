"""Checks a reported round against the rules, and works out its hands, cards and meters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from croupier.errors import Malformed
from croupier.games.betting_rules import boxes_problem, seat_problem
from croupier.games.offers import refuse, spoken
from croupier.games.payouts import forfeited
from croupier.games.reported_bets import Bet, at_seat, bet_of, check_different, first_twice
from croupier.games.results import Hand, TableCards
from croupier.games.round_report import RoundReport, SeatReport
from croupier.games.rules import Rules, plan_of, rules_of
from croupier.money import Cents, Share, parse_pay
from croupier.progressive import Meter, meters_showing
from croupier.rulebook import HouseRules, check
from croupier.rulebook.names import CardsJudged, Slot
from croupier.wire import clip

__all__ = ["CheckedRound", "check_round", "check_round_by"]

_OWN: Final[set[CardsJudged]] = {"own", "own_and_community", "own_and_box", "best_at_table"}
_BOARD: Final[set[CardsJudged]] = {"community", "own_and_community", "best_at_table"}


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
    rules, seats = rules_of(house), report.seats
    several = _check_seats(rules, seats)
    bets = [bet_of(rules, seat, several=seat.patron in several) for seat in seats]
    hands = tuple([_hand(seat, bet) for seat, bet in zip(seats, bets, strict=True)])
    _check_cards(rules, report, hands, bets)
    warnings = [f"seat {seat.seat}: {words}" for seat, bet in zip(seats, bets, strict=True) for words in bet.outside]
    if report.meters and rules.metered is None:
        warnings.append("meters are given, but this house offers no progressive")
    table_cards = TableCards(community=report.community, six_card_box=report.six_card_box, dealer=report.dealer)
    return CheckedRound(house, hands, table_cards, _meters(rules, report, bets), tuple(warnings))


def _hand(seat: SeatReport, bet: Bet) -> Hand:
    return Hand(
        seat=seat.seat,
        patron=seat.patron,
        staked=bet.staked,
        cards=seat.cards or (),
        folded=bet.folded_on is not None,
        folded_on=bet.folded_on,
        withdrawn=bet.withdrawn,
        coupon=seat.match_play or Cents(0),
    )


# --- seats and boxes


def _check_seats(rules: Rules, seats: Sequence[SeatReport]) -> Collection[str]:
    """Check seats and boxes; return the players who have several."""
    for seat in seats:
        if problem := seat_problem(rules, seat.seat):
            raise at_seat(seat, problem)
    if (number := first_twice([seat.seat for seat in seats])) is not None:
        raise refuse("seat_twice", rules.house.rulebook.table.boxes, f"seat {number} appears twice")
    if len({seat.patron for seat in seats}) == len(seats):
        return ()
    boxes = defaultdict(list)
    for seat in seats:
        boxes[seat.patron].append(seat.seat)
    several = {patron: numbers for patron, numbers in boxes.items() if len(numbers) > 1}
    for patron, numbers in several.items():
        if problem := boxes_problem(rules, patron, numbers):
            raise problem
    return several.keys()


# --- cards


class _Needed(NamedTuple):
    """How many cards each place of the table is dealt, and whose cards decide a wager that is still in play."""

    own: tuple[bool, ...]
    """For each hand."""
    slots: tuple[tuple[Slot, str, int, bool], ...]
    """Community, box and dealer, each with its irregularity, the number of its cards, and whether they decide."""


def _check_cards(rules: Rules, report: RoundReport, hands: Sequence[Hand], bets: Sequence[Bet]) -> None:
    shared = (report.community, report.six_card_box, report.dealer)
    dealt = [card for hand in hands for card in hand.cards]
    for cards in shared:
        dealt += cards
    check_different(rules, dealt)
    own, slots = _needed(rules, hands, bets)
    each = rules.own_cards
    for seat, is_needed in zip(report.seats, own, strict=True):
        given = len(seat.cards or ())
        if given != each and (is_needed or seat.cards is not None):
            _wrong_count(rules, "wrong_count_player", f"seat {seat.seat} has {given} cards, not {each}")
    for (slot, irregularity, count, is_needed), cards in zip(slots, shared, strict=True):
        partly = slot != "community" and len(cards) not in (0, count)
        if len(cards) > count or partly or (is_needed and len(cards) != count):
            _wrong_count(rules, irregularity, f"{spoken(slot)}: {len(cards)} cards, not {count}")


def _needed(rules: Rules, hands: Sequence[Hand], bets: Sequence[Bet]) -> _Needed:
    """Looked up by the wagers of each hand, and whether it folded."""
    key = ("needed", *[(bet.wagers, bet.folded_on is not None) for bet in bets])
    needed: _Needed | None = rules.memo.reported.get(key)
    if needed is not None:
        return needed
    dealt = plan_of(rules, (1,), {name for bet in bets for name in bet.wagers}).slots
    live = any(not hand.folded for hand in hands)
    judged = _judged_on(rules, hands)
    every = set[CardsJudged]().union(*judged)
    counts = {slot: len(places) for slot, places in dealt.items()}
    needed = _Needed(
        own=tuple(not hand.folded or bool(cards & _OWN) for hand, cards in zip(hands, judged, strict=True)),
        slots=(
            ("community", "wrong_count_community", counts.get("community", 0), live or bool(every & _BOARD)),
            ("six_card_box", "wrong_count_box", counts.get("six_card_box", 0), "own_and_box" in every),
            ("dealer", "wrong_count_dealer", counts.get("dealer", 0), live),
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


def _meters(rules: Rules, report: RoundReport, bets: Sequence[Bet]) -> dict[str, Meter]:
    if rules.metered is None:
        return {}
    names, paid = _metered(rules)
    for name in report.meters:
        if name not in names:
            raise Malformed(f"meters.{clip(repr(name))}: no such meter; the meters are {', '.join(names)}")
    if any(bet.metered for bet in bets):
        for name in names:
            if name in paid and name not in report.meters:
                raise Malformed(f"meters.{name}: missing, but a progressive bet was placed")
    if not report.meters:
        return {}
    return meters_showing(rules.house, {name: report.meters[name] for name in names if name in report.meters})


@lru_cache(maxsize=256)
def _metered(rules: Rules) -> _Metered:
    metered = [wager for wager in rules.house.wagers if rules.metered is not None and wager.name == rules.metered.name]
    pays = [parse_pay(line.pays) for wager in metered for line in wager.paytables[0].line]
    return _Metered(
        tuple(meter.name for wager in metered for meter in wager.meters),
        frozenset(pay.meter for pay in pays if isinstance(pay, Share)),
    )
