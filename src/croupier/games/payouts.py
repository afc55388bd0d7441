"""What a finished round pays: every wager on its own, in settlement order, with the clause that decided.

Settlement goes from the dealer's right, each player's wagers in the document's order, a meter at its value
when that player's turn comes. Nothing here depends on the game or the state: the rulebook says which
cards decide a wager, what a fold leaves of it and how it is paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from croupier.citing import clause
from croupier.games.judging import Judgments, Showdown, Verdict, flush_name, judge, verdict_on
from croupier.games.limits import within_limit
from croupier.games.results import (
    Cause,
    CouponSettled,
    EnvyPaid,
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
from croupier.money import Cents, Dollars, Share, parse_pay, settle, with_breakage
from croupier.progressive import Meter, take
from croupier.rulebook import HouseRules, for_stake, line_of
from croupier.rulebook.names import WagerName
from croupier.rulebook.schema import Cited, Paytable, Wager

__all__ = [
    "Showdown",
    "envy_of",
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
    settled = {hand.seat: _settle_reported(showdown, hand, left) for hand in order}
    return Settled(
        seats=tuple(
            SeatSettled(
                seat=hand.seat,
                wagers=settled[hand.seat],
                envy=envy_of(showdown, hand),
                coupon=settle_coupon(rules, hand, settled[hand.seat]),
            )
            for hand in order
        ),
        meters=tuple(left.values()),
    )


class _OnCards(NamedTuple):
    """A wager that the cards decide, by its paytable; None where it is compared with the dealer's hand."""

    wager: Wager
    stake: Cents
    table: Paytable | None


def _settle_reported(showdown: Showdown, hand: Hand, meters: Meters) -> tuple[WagerSettled, ...]:
    """Settle every wager of a hand. Equal stakes on equal hands are worked out once, unless a meter pays."""
    rules, settled = showdown.rules, list[WagerSettled]()
    judgments: Judgments = {}
    compared: _Compared | None = None
    for due in _due(showdown, hand):
        if isinstance(due, WagerSettled):
            settled.append(due)
            continue
        wager, stake, table = due
        if table is None:
            compared = compared or _compare(showdown, hand)
            settled.append(_against_dealer(rules, wager, stake, compared))
            continue
        judged = judge(showdown, table.evaluator or wager.evaluator, table.cards or wager.cards, hand, judgments)
        key = (wager.name, table.players, stake, hand.folded, judged)
        paid: WagerSettled | None = rules.memo.wagers.get(key)
        if paid is None:
            paid = _settle_wager(showdown, wager, hand, judgments, meters)
            if paid.award is None and judged is not None:
                rules.memo.wagers.keep(key, paid)
        settled.append(paid)
    return within_limit(rules, settled)


def _due(showdown: Showdown, hand: Hand) -> tuple[_OnCards | WagerSettled, ...]:
    """The wagers of a hand in settlement order; those that no card decides are settled, once for all equal bets."""
    rules = showdown.rules
    key = (hand.staked, hand.folded, hand.folded_on, hand.withdrawn, len(showdown.hands))
    known: tuple[_OnCards | WagerSettled, ...] | None = rules.memo.reported.get(key)
    if known is not None:
        return known
    due: list[_OnCards | WagerSettled] = []
    stakes = dict(hand.staked)
    for name in (*rules.order, *rules.last):
        if name in stakes:
            wager, stake = rules.wagers[name], stakes[name]
            table = None if wager.evaluator == "against_dealer" else _paytable_of(showdown, wager)
            due.append(_without_cards(rules, wager, hand, stake) or _OnCards(wager, stake, table))
    return rules.memo.reported.keep(key, tuple(due))  # type: ignore[no-any-return]


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
    table = _paytable_of(showdown, wager)
    judged = judge(showdown, table.evaluator or wager.evaluator, table.cards or wager.cards, hand, judgments)
    if judged is None:
        if any(other.out == "void" for other in showdown.hands):
            cited = Cited(clause=wager.clause, reading=140)
            return settled_without_paytable(wager, stake, "void", cited, "no_hand", returned=stake)
        return settled_without_paytable(wager, stake, "lose", wager, "all_folded")
    settled = _by_paytable(wager, table, verdict_on(rules, wager, table, judged), stake, meters)
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
    judged = judge(showdown, table.evaluator or wager.evaluator, table.cards or wager.cards, hand, {})
    pay = verdict_on(showdown.rules, wager, table, judged).pay if judged else None
    return pay if isinstance(pay, Share) else None


class _Compared(NamedTuple):
    """A hand beside the dealer's."""

    outcome: Outcome
    """Of a wager that both hands decide."""
    cause: Cause
    cited: Cited
    mine: Flush
    dealers: Flush


@clause("md-high-card-flush 11.B(5)(f)")
def _compare(showdown: Showdown, hand: Hand) -> _Compared:
    play = showdown.rules.house.rulebook.play
    if play.versus is None or play.qualify is None:
        raise ValueError("this game has no dealer's hand")
    mine, dealers = longest_flush(hand.cards), longest_flush(showdown.table_cards.dealer)
    if not dealer_qualifies(dealers, minimum=Flush(play.qualify.length, play.qualify.ranks)):
        return _Compared("win", "not_qualified", play.versus.below, mine, dealers)
    if mine > dealers:
        return _Compared("win", "dealer", play.versus, mine, dealers)
    if mine == dealers:
        return _Compared("push", "dealer", play.versus.equal, mine, dealers)
    lower = play.versus.lower
    if dealers.length > play.qualify.length and dealers.ranks[0] < play.qualify.ranks[0]:
        # a longer flush qualifies whatever its high card
        lower = Cited(clause=lower.clause, reading=play.qualify.reading)
    return _Compared("lose", "dealer", lower, mine, dealers)


def _against_dealer(rules: Rules, wager: Wager, stake: Cents, compared: _Compared) -> WagerSettled:
    outcome, cause, cited, mine, dealers = compared
    if cause == "not_qualified" and wager.stake == "raise":
        outcome = "push"
    pays = rules.offered[wager.name].paytables[0].line[0].pays if outcome == "win" else None
    return settled_without_paytable(
        wager,
        stake,
        outcome,
        cited,
        cause,
        hand=flush_name(mine),
        made=hand_code(mine),
        dealer=hand_code(dealers),
        pays=pays,
        won=_NO_MONEY if pays is None else settle(parse_pay(pays), stake=stake).won,
        returned=_NO_MONEY if outcome == "lose" else stake,
    )


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


# --- envy


def envy_of(showdown: Showdown, hand: Hand) -> tuple[EnvyPaid, ...]:
    """Envy for each other player's hand that qualifies, from the dealer's right (readings 36 to 43)."""
    rules = showdown.rules
    if not rules.envied:
        return ()
    wager, rule = rules.metered, rules.house.rulebook.play.envy
    offered = rules.offered[wager.name] if wager else None
    if wager is None or rule is None or offered is None or offered.envy is None or hand.stake(wager.name) is None:
        return ()
    if hand.out or (hand.folded and not rules.house.options.envy_after_fold):
        return ()
    paid = []
    for holder in sorted(showdown.hands, key=lambda other: -other.seat):
        if holder.patron == hand.patron or not _may_hold(rules, wager, holder, folded_holder=rule.folded_holder):
            continue
        judged = judge(showdown, offered.evaluator, rules.judged[wager.name], holder, {})
        if judged is None:
            continue
        number = line_of([line.hand for line in offered.envy.line], judged, evaluator=offered.evaluator)
        if number is not None:
            line = offered.envy.line[number]
            pay = parse_pay(line.pays)
            won = Cents(pay.cents) if isinstance(pay, Dollars) else _NO_MONEY
            paid.append(EnvyPaid(from_seat=holder.seat, hand=line.hand, won=won, clause=offered.envy.clause))
    return tuple(paid)


def _may_hold(rules: Rules, wager: Wager, holder: Hand, *, folded_holder: bool) -> bool:
    has_bet = holder.stake(wager.name) is not None
    if holder.out or (holder.folded and not (folded_holder and has_bet)):
        return False
    if not rules.house.options.envy_holder_must_bet:
        return True
    return has_bet and not holder.rejected  # where only a win brings envy, a rejected award brings none (reading 36)
