"""What a finished round pays: every wager on its own, in settlement order, with the clause that decided.

Settlement goes from the dealer's right, each player's wagers in the document's order, a meter at its value
when that player's turn comes. Nothing here knows which game or state it settles; the rulebook says which
cards a wager is judged on, what a fold leaves of it and how it is paid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.citing import clause
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
from croupier.hands import (
    FiveCardHand,
    Flush,
    StraightFlush,
    ThreeCardHand,
    dealer_qualifies,
    five_card,
    four_of_a_kind,
    hand_code,
    longest_flush,
    longest_straight_flush,
    six_card,
    three_card,
)
from croupier.money import (
    Cents,
    Dollars,
    Pay,
    Push,
    Share,
    parse_pay,
    settle,
    with_breakage,
)
from croupier.progressive import Meter, take
from croupier.rulebook import HouseRules, Judged, line_of
from croupier.rulebook.names import CardsJudged, Evaluator, WagerName
from croupier.rulebook.pays import for_stake
from croupier.rulebook.schema import Cited, Paytable, Wager

__all__ = [
    "EVALUATORS",
    "Showdown",
    "envy_of",
    "forfeited",
    "settle_coupon",
    "settle_hand",
    "settle_round",
    "share_won",
    "without",
]

_NO_MONEY: Final = Cents(0)
_WORDS: Final = ("", "one", "two", "three", "four", "five", "six", "seven")


class Showdown(Struct, frozen=True, gc=False):
    """What every wager of a round is settled with."""

    rules: Rules
    hands: Sequence[Hand]
    shown: TableCards


Meters: TypeAlias = dict[str, Meter]
"""The meters as the awards so far have left them."""
_Seen: TypeAlias = dict[tuple[Evaluator, CardsJudged], Judged | None]


def settle_round(house: HouseRules, hands: Sequence[Hand], shown: TableCards, meters: Mapping[str, Meter]) -> Settled:
    """Settle a lawful round."""
    rules = rules_of(house)
    layout, left = Showdown(rules, hands, shown), dict(meters)
    order = sorted(hands, key=lambda hand: -hand.seat)
    settled = {
        hand.seat: settle_hand(
            layout, hand, [name for name in (*rules.order, *rules.last) if hand.stake(name) is not None], left
        )
        for hand in order
    }
    return Settled(
        seats=tuple(
            SeatSettled(
                seat=hand.seat,
                wagers=settled[hand.seat],
                envy=envy_of(layout, hand),
                coupon=settle_coupon(rules, hand, settled[hand.seat]),
            )
            for hand in order
        ),
        meters=tuple(left.values()),
    )


def settle_hand(layout: Showdown, hand: Hand, names: Sequence[WagerName], meters: Meters) -> tuple[WagerSettled, ...]:
    """Settle the named wagers of a hand, given in settlement order; an award is taken off `meters`."""
    seen: _Seen = {}
    wagers = layout.rules.wagers
    return within_limit(layout.rules, [_settle_wager(layout, wagers[name], hand, seen, meters) for name in names])


def _settle_wager(layout: Showdown, wager: Wager, hand: Hand, seen: _Seen, meters: Meters) -> WagerSettled:
    rules = layout.rules
    stake = hand.stake(wager.name)
    if stake is None or wager.name not in rules.offered:
        raise ValueError(f"{wager.name} is not in this round")
    if wager.name in hand.withdrawn and wager.withdraw is not None:
        return without(wager, stake, "withdrawn", wager.withdraw, "withdrawn", returned=stake)
    if hand.folded and forfeited(rules.house, wager):
        return without(wager, stake, "forfeit", _fold_clause(rules, wager, hand), "folded")
    if wager.evaluator == "against_dealer":
        return _against_dealer(layout, wager, hand, stake)
    table = _table(layout, wager)
    judged = _judge(layout, table.evaluator or wager.evaluator, table.cards or wager.cards, hand, seen)
    if judged is None:
        if any(one.out == "void" for one in layout.hands):
            cited = Cited(clause=wager.clause, reading=140)
            return without(wager, stake, "void", cited, "no_hand", returned=stake)
        return without(wager, stake, "lose", wager, "all_folded")
    settled = _by_paytable(wager, table, _verdict(rules, wager, table, judged), stake, meters)
    if hand.folded and wager.fold is not None and settled.reading is None:
        return replace(settled, reading=wager.fold.reading)  # why it lives on after the fold
    return settled


def _table(layout: Showdown, wager: Wager) -> Paytable:
    """The paytable of a wager; Cover All has one for each number of hands dealt."""
    tables = layout.rules.offered[wager.name].paytables
    if len(tables) == 1:
        return tables[0]
    return next(one for one in tables if one.players == len(layout.hands))


class _Verdict(NamedTuple):
    """What a paytable says about a hand."""

    outcome: Outcome
    hand: str
    pays: str | None
    pay: Pay | None
    cited: Cited
    made: str


def _verdict(rules: Rules, wager: Wager, table: Paytable, judged: Judged) -> _Verdict:
    key = (wager.name, table.players, judged)
    verdict: _Verdict | None = rules.memo.verdicts.get(key)
    return verdict or rules.memo.verdicts.keep(key, _look_up(rules, wager, table, judged))


def _look_up(rules: Rules, wager: Wager, table: Paytable, judged: Judged) -> _Verdict:
    found = line_of([line.hand for line in table.line], judged, evaluator=table.evaluator or wager.evaluator)
    made = hand_code(judged.hand)
    if found is None:
        lose = rules.house.rulebook.play.settlement.lose if table.group == "base" else None
        return _Verdict("lose", _plain_name(judged), None, None, lose or Cited(clause=table.clause), made)
    line = table.line[found]
    reading = line.reading or (wager.ace_low if _begins_with_ace(judged) else None)
    pay = parse_pay(line.pays)
    outcome: Outcome = "push" if isinstance(pay, Push) else "win"
    cited = Cited(clause=line.clause or table.clause, reading=reading)
    return _Verdict(outcome, line.hand, line.pays, pay, cited, made)


def _begins_with_ace(judged: Judged) -> bool:
    """Whether it is a run only because the ace may stand below the two (readings 53 to 56)."""
    hand = judged.hand
    if isinstance(hand, ThreeCardHand):
        return "straight" in hand.name and hand.ranks == (3,)
    return isinstance(hand, StraightFlush) and hand.length >= 3 and hand.top == hand.length


def _by_paytable(wager: Wager, table: Paytable, verdict: _Verdict, stake: Cents, meters: Meters) -> WagerSettled:
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


def share_won(layout: Showdown, hand: Hand) -> Share | None:
    """Which share of which meter a hand wins, so that the meter can be asked."""
    wager = layout.rules.metered
    if wager is None or hand.stake(wager.name) is None or (hand.folded and forfeited(layout.rules.house, wager)):
        return None
    table = _table(layout, wager)
    judged = _judge(layout, table.evaluator or wager.evaluator, table.cards or wager.cards, hand, {})
    pay = _verdict(layout.rules, wager, table, judged).pay if judged else None
    return pay if isinstance(pay, Share) else None


@clause("md-high-card-flush 11.B(5)(f)")
def _against_dealer(layout: Showdown, wager: Wager, hand: Hand, stake: Cents) -> WagerSettled:
    play, offered = layout.rules.house.rulebook.play, layout.rules.offered[wager.name]
    if play.versus is None or play.qualify is None:
        raise ValueError("this game has no dealer's hand")
    mine, dealers = longest_flush(hand.cards), longest_flush(layout.shown.dealer)
    pays = offered.paytables[0].line[0].pays
    cards: dict[str, Any] = {
        "hand": f"{_WORDS[mine.length]}_card_flush",
        "made": hand_code(mine),
        "dealer": hand_code(dealers),
    }
    won = settle(parse_pay(pays), stake=stake).won
    if not dealer_qualifies(dealers, minimum=Flush(play.qualify.length, play.qualify.ranks)):
        below = play.versus.below
        if wager.stake == "raise":
            return without(wager, stake, "push", below, "not_qualified", **cards, returned=stake)
        return without(wager, stake, "win", below, "not_qualified", **cards, pays=pays, won=won, returned=stake)
    if mine > dealers:
        return without(wager, stake, "win", play.versus, "dealer", **cards, pays=pays, won=won, returned=stake)
    if mine == dealers:
        return without(wager, stake, "push", play.versus.equal, "dealer", **cards, returned=stake)
    lower = play.versus.lower
    if dealers.length > play.qualify.length and dealers.ranks[0] < play.qualify.ranks[0]:
        lower = Cited(clause=lower.clause, reading=play.qualify.reading)  # a longer flush qualifies whatever its top
    return without(wager, stake, "lose", lower, "dealer", **cards)


def without(
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
    """What takes the stake of a folder: the wager's own clause, or that of the decision on which it was folded."""
    if wager.fold is None or not wager.fold.by_decision:
        return wager.fold or wager
    if wager.fold.alone and any(rules.wagers[name].paytables != "base" for name, _ in hand.staked):
        return wager.fold
    choice = next((one for one in rules.house.rulebook.play.choice if one.decision == hand.folded_on), None)
    if choice is None:
        return wager.fold
    return Cited(clause=(choice.collected or choice).clause, reading=wager.fold.reading)


def forfeited(house: HouseRules, wager: Wager) -> bool:
    """Whether a folder loses the stake of this wager."""
    if wager.fold is None:
        return True
    return (house.options.named(wager.fold.option) if wager.fold.option else wager.fold.stake) == "forfeit"


def settle_coupon(rules: Rules, hand: Hand, wagers: Sequence[WagerSettled]) -> CouponSettled | None:
    """A coupon follows the main wager: it pays by its terms, is kept on a push and dropped otherwise (reading 95)."""
    house, terms = rules.house, rules.house.match_play
    main = next((one for one in wagers if one.wager == rules.main.name), None)
    if not hand.coupon or terms is None or main is None:
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


# --- judging


def _judge(layout: Showdown, evaluator: Evaluator, which: CardsJudged, hand: Hand, seen: _Seen) -> Judged | None:
    key = (evaluator, which)
    if key in seen:
        return seen[key]
    shown = layout.shown
    judged: Judged | None
    if which == "best_at_table":
        counts = layout.rules.house.options.cover_all_count_folded
        live = [one for one in layout.hands if one.out != "void" and (counts or not one.folded)]
        best = [five_card((*one.cards, *shown.community)) for one in live]
        judged = Judged(max(best).without_kickers()) if best else None
    elif which == "own_and_community":
        judged = EVALUATORS[evaluator](layout.rules.house, (*hand.cards, *shown.community))
    elif which == "own_and_box":
        judged = EVALUATORS[evaluator](layout.rules.house, (*hand.cards, *shown.six_card_box))
    else:
        judged = EVALUATORS[evaluator](layout.rules.house, hand.cards if which == "own" else shown.community)
    seen[key] = judged
    return judged


_judged_five: Final[dict[FiveCardHand, Judged]] = {}


def _five(cards: tuple[Card, ...]) -> Judged:
    """Five cards as a paytable looks at them, each hand worked out once."""
    hand = five_card(cards)
    judged = _judged_five.get(hand)
    if judged is None:
        judged = _judged_five[hand] = Judged(hand.without_kickers())
    return judged


EVALUATORS: Final[Mapping[str, Callable[[HouseRules, tuple[Card, ...]], Judged]]] = {
    "five_card": lambda _, cards: _five(cards),
    "three_card": lambda _, cards: Judged(three_card(cards).without_kickers(), cards[0].suit),
    "six_card": lambda _, cards: Judged(six_card(cards).without_kickers(), cards[0].suit),
    "flush": lambda _, cards: Judged(longest_flush(cards)),
    "straight_flush": lambda house, cards: Judged(
        longest_straight_flush(cards, ace_low=house.options.hcf_ace_low),
        quads=four_of_a_kind(cards),
    ),
}


def _plain_name(judged: Judged) -> str:
    """The name of a hand that is on no line."""
    name = getattr(judged.hand, "name", None)
    if isinstance(name, str):
        return name
    length = getattr(judged.hand, "length", 1)
    if isinstance(judged.hand, Flush):
        return f"{_WORDS[length]}_card_flush"
    return f"{_WORDS[length]}_card_straight_flush" if length >= 3 else "nothing"


# --- envy


def envy_of(layout: Showdown, hand: Hand) -> tuple[EnvyPaid, ...]:
    """Envy for each other player's hand that qualifies, from the dealer's right (readings 36 to 43)."""
    rules = layout.rules
    wager, rule = rules.metered, rules.house.rulebook.play.envy
    offered = rules.offered[wager.name] if wager else None
    if wager is None or rule is None or offered is None or offered.envy is None or hand.stake(wager.name) is None:
        return ()
    if hand.out or (hand.folded and not rules.house.options.envy_after_fold):
        return ()
    paid = []
    for holder in sorted(layout.hands, key=lambda one: -one.seat):
        if holder.patron == hand.patron or not _may_hold(rules, wager, holder, folded_holder=rule.folded_holder):
            continue
        judged = _judge(layout, offered.evaluator, rules.judged[wager.name], holder, {})
        if judged is None:
            continue
        found = line_of([line.hand for line in offered.envy.line], judged, evaluator=offered.evaluator)
        if found is not None:
            line = offered.envy.line[found]
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
    return has_bet and not holder.rejected  # where a win brings envy, a rejected one brings none (reading 36)
