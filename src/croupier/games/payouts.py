"""What a finished round pays: every wager on its own, in settlement order, with the clause that decided.

Settlement goes from the dealer's right, each player's wagers in the document's order, a meter at its value
when that player's turn comes. Nothing here depends on the game or the state: the rulebook says which
cards decide a wager, what a fold leaves of it and how it is paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.citing import clause
from croupier.games.envy import envy_of
from croupier.games.judging import Judgments, Showdown, Verdict, flush_name, judge, verdict_on
from croupier.games.limits import within_limit
from croupier.games.results import (
    Cause,
    CouponSettled,
    Hand,
    MeterAward,
    Outcome,
    SeatSettled,
    Settled,
    TableCards,
    WagerSettled,
)
from croupier.games.rules import Rules, rules_of
from croupier.hands import Flush, dealer_qualifies, hand_code, longest_flush
from croupier.money import Cents, Share, parse_pay, settle, with_breakage
from croupier.progressive import Meter, take
from croupier.rulebook import HouseRules, Judged, for_stake
from croupier.rulebook.names import CardsJudged, Evaluator, WagerName
from croupier.rulebook.schema import Cited, Paytable, Wager

__all__ = [
    "Showdown",
    "forfeited",
    "settle_coupon",
    "settle_hand",
    "settle_round",
    "settled_without_paytable",
    "share_won",
]

_NO_MONEY: Final = Cents(0)
Meters: TypeAlias = dict[str, Meter]
"""The meters after the awards so far."""


def settle_round(
    house: HouseRules, hands: Sequence[Hand], table_cards: TableCards, meters: Mapping[str, Meter]
) -> Settled:
    """Settle a round that has been checked."""
    rules = rules_of(house)
    showdown, left = Showdown(rules, hands, table_cards), dict(meters)
    order = sorted(hands, key=lambda hand: -hand.seat)
    judgments: dict[int, Judgments] = {hand.seat: {} for hand in order}
    settled = [_settle_reported(showdown, hand, judgments[hand.seat], left) for hand in order]
    seats = [
        SeatSettled(
            seat=hand.seat,
            wagers=wagers,
            envy=envy_of(showdown, hand, judgments) if rules.envied else (),
            coupon=settle_coupon(rules, hand, wagers) if hand.coupon else None,
        )
        for hand, wagers in zip(order, settled, strict=True)
    ]
    return Settled(seats=tuple(seats), meters=tuple(left.values()))


class _OnCards(Struct, frozen=True, eq=False):
    """Wagers next to each other in settlement order that the same cards decide, each with its stake."""

    evaluator: Evaluator
    cards: CardsJudged
    wagers: tuple[tuple[Wager, Cents], ...]


def _settle_reported(showdown: Showdown, hand: Hand, judgments: Judgments, meters: Meters) -> tuple[WagerSettled, ...]:
    """Settle every wager of a hand. Equal stakes on equal hands are worked out once, unless a meter pays."""
    rules, settled = showdown.rules, list[WagerSettled]()
    for due in _due(showdown, hand):
        if isinstance(due, WagerSettled):
            settled.append(due)
        elif due.evaluator == "against_dealer":
            compared = _compare(showdown, hand)
            settled += [_against_dealer(rules, wager, stake, compared) for wager, stake in due.wagers]
        else:
            judged = judge(showdown, due.evaluator, due.cards, hand, judgments)
            paid: list[WagerSettled] | None = rules.memo.wagers.get((due, judged))
            if paid is None:
                paid = [_on_cards(showdown, wager, hand, judged, meters) for wager, _ in due.wagers]
                if judged is not None and all(wager.award is None for wager in paid):
                    rules.memo.wagers.keep((due, judged), paid)
            settled += paid
    return within_limit(rules, settled)


def _due(showdown: Showdown, hand: Hand) -> tuple[_OnCards | WagerSettled, ...]:
    """The wagers of a hand in settlement order; those that no card decides are settled, once for all equal bets."""
    rules = showdown.rules
    key = ("due", hand.staked, hand.folded, hand.folded_on, hand.withdrawn, len(showdown.hands))
    known: tuple[_OnCards | WagerSettled, ...] | None = rules.memo.reported.get(key)
    if known is not None:
        return known
    stakes, due = dict(hand.staked), list[_OnCards | WagerSettled]()
    wagers = [rules.wagers[name] for name in (*rules.order, *rules.last) if name in stakes]
    decided = {wager.name: _without_cards(rules, wager, hand, stakes[wager.name]) for wager in wagers}
    for on, alike in groupby(wagers, lambda wager: None if decided[wager.name] else _judged_by(showdown, wager)):
        if on is not None:
            due.append(_together(showdown, hand, *on, [(wager.name, stakes[wager.name]) for wager in alike]))
        else:
            due += [settled for wager in alike if (settled := decided[wager.name])]
    return rules.memo.reported.keep(key, tuple(due))  # type: ignore[no-any-return]


def _together(
    showdown: Showdown, hand: Hand, evaluator: Evaluator, cards: CardsJudged, stakes: Sequence[tuple[WagerName, Cents]]
) -> _OnCards:
    """The same object for equal stakes, whatever else was bet, so that it can stand for them in a key."""
    memo, wagers = showdown.rules.memo.reported, showdown.rules.wagers
    key = ("together", evaluator, cards, tuple(stakes), hand.folded, len(showdown.hands))
    known: _OnCards | None = memo.get(key)
    return known or memo.keep(key, _OnCards(evaluator, cards, tuple([(wagers[name], stake) for name, stake in stakes])))


def _judged_by(showdown: Showdown, wager: Wager) -> tuple[Evaluator, CardsJudged]:
    table = _paytable_of(showdown, wager)
    return table.evaluator or wager.evaluator, table.cards or wager.cards


def settle_hand(showdown: Showdown, hand: Hand, names: Sequence[WagerName], meters: Meters) -> tuple[WagerSettled, ...]:
    """Settle the named wagers of a hand, given in settlement order; an award is taken off `meters`."""
    rules = showdown.rules
    judgments: Judgments = {}
    settled = [_settle_wager(showdown, rules.wagers[name], hand, judgments, meters) for name in names]
    return within_limit(rules, settled)


def _settle_wager(showdown: Showdown, wager: Wager, hand: Hand, judgments: Judgments, meters: Meters) -> WagerSettled:
    rules = showdown.rules
    stake = hand.stake(wager.name)
    if stake is None or wager.name not in rules.offered:
        raise ValueError(f"{wager.name} is not in this round")
    if without_cards := _without_cards(rules, wager, hand, stake):
        return without_cards
    if wager.evaluator == "against_dealer":
        return _against_dealer(rules, wager, stake, _compare(showdown, hand))
    judged = judge(showdown, *_judged_by(showdown, wager), hand, judgments)
    return _on_cards(showdown, wager, hand, judged, meters)


def _on_cards(showdown: Showdown, wager: Wager, hand: Hand, judged: Judged | None, meters: Meters) -> WagerSettled:
    """A wager that its paytable settles by what the cards make; None where no hand is left to count."""
    stake = hand.stake(wager.name) or _NO_MONEY
    if judged is None:
        if any(other.out == "void" for other in showdown.hands):
            cited = Cited(clause=wager.clause, reading=140)
            return settled_without_paytable(wager, stake, "void", cited, "no_hand", returned=stake)
        return settled_without_paytable(wager, stake, "lose", wager, "all_folded")
    table = _paytable_of(showdown, wager)
    settled = _by_paytable(wager, table, verdict_on(showdown.rules, wager, table, judged), stake, meters)
    if hand.folded and wager.fold is not None and settled.reading is None:
        return replace(settled, reading=wager.fold.reading)  # why it stays in play after the fold
    return settled


def _without_cards(rules: Rules, wager: Wager, hand: Hand, stake: Cents) -> WagerSettled | None:
    """A wager that was withdrawn, or lost by a fold."""
    if wager.name in hand.withdrawn and wager.withdraw is not None:
        return settled_without_paytable(wager, stake, "withdrawn", wager.withdraw, "withdrawn", returned=stake)
    if hand.folded and forfeited(rules.house, wager):
        return settled_without_paytable(wager, stake, "forfeit", _fold_clause(rules, wager, hand), "folded")
    return None


def _paytable_of(showdown: Showdown, wager: Wager) -> Paytable:
    """The paytable of a wager; Cover All has one for each number of hands dealt."""
    tables = showdown.rules.offered[wager.name].paytables
    if len(tables) == 1:
        return tables[0]
    return next(table for table in tables if table.players == len(showdown.hands))


def _by_paytable(wager: Wager, table: Paytable, verdict: Verdict, stake: Cents, meters: Meters) -> WagerSettled:
    pay, award, won, returned = verdict.pay, None, _NO_MONEY, _NO_MONEY
    if isinstance(pay, Share):
        meters[pay.meter], won = take(meters[pay.meter], percent=pay.percent)
        award = MeterAward(meter=pay.meter, percent=pay.percent, amount=won)
    elif pay is not None:
        pay = for_stake(pay, wager=wager, table=table, stake=stake)
        won, returned = settle(pay, stake=stake, collected=wager.collected is not None)
    return WagerSettled(
        wager=wager.name,
        staked=stake,
        outcome=verdict.outcome,
        hand=verdict.hand,
        pays=verdict.pays,
        won=won,
        returned=returned,
        clause=verdict.cited.clause,
        reading=verdict.cited.reading,
        cause="paytable",
        made=verdict.made,
        paytable=table.id,
        award=award,
    )


def share_won(showdown: Showdown, hand: Hand) -> Share | None:
    """The share of a meter that a hand wins, if any, so that the meter can be read."""
    wager = showdown.rules.metered
    if wager is None or hand.stake(wager.name) is None or (hand.folded and forfeited(showdown.rules.house, wager)):
        return None
    table = _paytable_of(showdown, wager)
    judged = judge(showdown, *_judged_by(showdown, wager), hand, {})
    pay = verdict_on(showdown.rules, wager, table, judged).pay if judged else None
    return pay if isinstance(pay, Share) else None


class _Compared(NamedTuple):
    """A hand beside the dealer's."""

    outcome: Outcome
    """Of a wager that both hands decide."""
    cause: Cause
    cited: Cited
    hand: str
    """As the paytables name it."""
    made: str
    dealer: str


@clause("md-high-card-flush 11.B(5)(f)")
def _compare(showdown: Showdown, hand: Hand) -> _Compared:
    play = showdown.rules.house.rulebook.play
    if play.versus is None or play.qualify is None:
        raise ValueError("this game has no dealer's hand")
    mine, dealers = longest_flush(hand.cards), longest_flush(showdown.table_cards.dealer)
    hands = (flush_name(mine), hand_code(mine), hand_code(dealers))
    if not dealer_qualifies(dealers, minimum=Flush(play.qualify.length, play.qualify.ranks)):
        return _Compared("win", "not_qualified", play.versus.below, *hands)
    if mine > dealers:
        return _Compared("win", "dealer", play.versus, *hands)
    if mine == dealers:
        return _Compared("push", "dealer", play.versus.equal, *hands)
    lower = play.versus.lower
    if dealers.length > play.qualify.length and dealers.ranks[0] < play.qualify.ranks[0]:
        # a longer flush qualifies whatever its high card
        lower = Cited(clause=lower.clause, reading=play.qualify.reading)
    return _Compared("lose", "dealer", lower, *hands)


def _against_dealer(rules: Rules, wager: Wager, stake: Cents, compared: _Compared) -> WagerSettled:
    outcome, cause, cited, hand, made, dealer = compared
    if cause == "not_qualified" and wager.stake == "raise":
        outcome = "push"
    pays = rules.offered[wager.name].paytables[0].line[0].pays if outcome == "win" else None
    return settled_without_paytable(
        wager,
        stake,
        outcome,
        cited,
        cause,
        hand=hand,
        made=made,
        dealer=dealer,
        pays=pays,
        won=_NO_MONEY if pays is None else _won(pays, stake),
        returned=_NO_MONEY if outcome == "lose" else stake,
    )


@lru_cache(maxsize=2_000)
def _won(pays: str, stake: Cents) -> Cents:
    return settle(parse_pay(pays), stake=stake).won


def settled_without_paytable(
    wager: Wager,
    stake: Cents,
    outcome: Outcome,
    cited: Cited,
    cause: Cause,
    *,
    rule: str | None = None,
    hand: str | None = None,
    made: str | None = None,
    dealer: str | None = None,
    pays: str | None = None,
    won: Cents = _NO_MONEY,
    returned: Cents = _NO_MONEY,
) -> WagerSettled:
    """A wager that is settled without a paytable."""
    return WagerSettled(
        wager=wager.name,
        staked=stake,
        outcome=outcome,
        hand=hand,
        pays=pays,
        won=won,
        returned=returned,
        clause=cited.clause,
        reading=cited.reading,
        cause=cause,
        made=made,
        dealer=dealer,
        rule=rule,
    )


def _fold_clause(rules: Rules, wager: Wager, hand: Hand) -> Cited:
    """The clause that takes a folder's stake: the wager's own, or that of the decision on which the hand was folded."""
    if wager.fold is None or not wager.fold.by_decision:
        return wager.fold or wager
    if wager.fold.alone and any(rules.wagers[name].paytables != "base" for name, _ in hand.staked):
        return wager.fold
    choices = rules.house.rulebook.play.choice
    choice = next((choice for choice in choices if choice.decision == hand.folded_on), None)
    if choice is None:
        return wager.fold
    return Cited(clause=(choice.collected or choice).clause, reading=wager.fold.reading)


def forfeited(house: HouseRules, wager: Wager) -> bool:
    """Whether a folder loses the stake of this wager."""
    if wager.fold is None:
        return True
    return (house.options.named(wager.fold.option) if wager.fold.option else wager.fold.stake) == "forfeit"


def settle_coupon(rules: Rules, hand: Hand, wagers: Sequence[WagerSettled]) -> CouponSettled | None:
    """Settle a coupon by the main wager: it pays its terms, is kept on a push and dropped otherwise (reading 95)."""
    house, terms = rules.house, rules.house.match_play
    if not hand.coupon or terms is None:
        return None
    main = next((wager for wager in wagers if wager.wager == rules.main.name), None)
    if main is None:
        return None
    cited = house.rulebook.wagers.instruments.coupon or house.rulebook.wagers.instruments
    won = settle(parse_pay(terms), stake=hand.coupon).won if main.outcome == "win" else _NO_MONEY
    won = with_breakage(won, rules.breakage)
    return CouponSettled(
        value=hand.coupon,
        outcome=main.outcome if main.outcome in {"win", "push", "void"} else "lose",
        won=won,
        clause=cited.clause,
        reading=cited.reading,
        beside=main.wager,
        pays=terms,
    )
