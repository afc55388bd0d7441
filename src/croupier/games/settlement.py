"""What a finished round pays: every wager on its own, with its outcome, its line and the clause that decided.

Order is law: seats from the dealer's right, each player's wagers in the document's order, a meter at its value
when that player's turn comes. Nothing here knows which game or state it settles; the rulebook says which
cards a wager is judged on, what a fold leaves of it and how it is paid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.hands import (
    Flush,
    dealer_qualifies,
    five_card,
    four_of_a_kind,
    longest_flush,
    longest_straight_flush,
    six_card,
    three_card,
)
from croupier.money import (
    Cents,
    Dollars,
    Push,
    Share,
    divide_in_order,
    divide_pro_rata,
    parse_dollars,
    parse_pay,
    print_dollars,
    settle,
)
from croupier.progressive import Meter, take
from croupier.rulebook import HouseRules, HouseWager, Judged, line_of
from croupier.rulebook.names import CardsJudged, Decision, Evaluator, WagerName
from croupier.rulebook.schema import Cited, Paytable, Wager

__all__ = [
    "EnvyPaid",
    "Hand",
    "Outcome",
    "SeatSettled",
    "Settled",
    "Shown",
    "WagerSettled",
    "forfeited",
    "settle_round",
]

Outcome: TypeAlias = Literal["win", "lose", "push", "forfeit", "withdrawn", "void"]
_NO_MONEY: Final = Cents(0)
_WORDS: Final = ("", "one", "two", "three", "four", "five", "six", "seven")


class Hand(Struct, frozen=True, kw_only=True):
    """One box at the end of a round."""

    seat: int
    patron: str
    staked: tuple[tuple[WagerName, Cents], ...]
    cards: tuple[Card, ...]
    folded: bool = False
    folded_on: Decision | None = None
    withdrawn: tuple[WagerName, ...] = ()

    def stake(self, wager: WagerName) -> Cents | None:
        """What lies on a wager, if anything."""
        return next((amount for name, amount in self.staked if name == wager), None)


class WagerSettled(Struct, frozen=True, kw_only=True):
    """One wager, settled."""

    wager: WagerName
    staked: Cents
    outcome: Outcome
    hand: str | None
    pays: str | None
    won: Cents
    returned: Cents
    clause: str
    reading: int | None
    why: str
    before_limit: Cents | None = None
    """What it would have won without the payout limit, where that cut it (reading 11)."""


class EnvyPaid(Struct, frozen=True, kw_only=True):
    """An envy bonus for another player's hand."""

    from_seat: int
    hand: str
    won: Cents
    clause: str


class SeatSettled(Struct, frozen=True, kw_only=True):
    """All of one box."""

    seat: int
    wagers: tuple[WagerSettled, ...]
    envy: tuple[EnvyPaid, ...] = ()

    @property
    def staked(self) -> Cents:
        """All that was put up."""
        return Cents(sum(wager.staked for wager in self.wagers))

    @property
    def paid(self) -> Cents:
        """Won, returned and envy together."""
        wagers = sum(wager.won + wager.returned for wager in self.wagers)
        return Cents(wagers + sum(envy.won for envy in self.envy))


class Settled(Struct, frozen=True, kw_only=True):
    """A round, settled: seats in settlement order, and the meters as it leaves them."""

    seats: tuple[SeatSettled, ...]
    meters: tuple[Meter, ...]

    @property
    def house_net(self) -> Cents:
        """All staked less all paid."""
        return Cents(sum(seat.staked - seat.paid for seat in self.seats))


class Shown(Struct, frozen=True, kw_only=True):
    """The cards of a round that are not a player's own."""

    community: tuple[Card, ...] = ()
    six_card_box: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()


class _Round(NamedTuple):
    """What every wager of a round is settled with; the meters are as the awards so far have left them."""

    house: HouseRules
    hands: Sequence[Hand]
    shown: Shown
    meters: dict[str, Meter]


def settle_round(house: HouseRules, hands: Sequence[Hand], shown: Shown, meters: Mapping[str, Meter]) -> Settled:
    """Settle a lawful round."""
    settlement = house.rulebook.play.settlement
    wagers = {wager.name: wager for wager in house.rulebook.wagers.wager}
    round_ = _Round(house, hands, shown, dict(meters))
    order = sorted(hands, key=lambda hand: -hand.seat)
    last = [name for name in settlement.last if name != "envy"]
    seats: dict[int, list[WagerSettled]] = {hand.seat: [] for hand in hands}
    for names in (settlement.order, last):
        for hand in order:
            placed = [wagers[name] for name in names if hand.stake(name) is not None]
            seats[hand.seat] += [_settle_wager(round_, wager, hand) for wager in placed]
    return Settled(
        seats=tuple(
            SeatSettled(
                seat=hand.seat, wagers=tuple(_limited(house, seats[hand.seat])), envy=_envy(round_, hand, order)
            )
            for hand in order
        ),
        meters=tuple(round_.meters.values()),
    )


def _settle_wager(round_: _Round, wager: Wager, hand: Hand) -> WagerSettled:
    house = round_.house
    offered, stake = house.wager(wager.name), hand.stake(wager.name)
    if offered is None or stake is None:
        raise ValueError(f"{wager.name} is not in this round")
    if wager.name in hand.withdrawn and wager.withdraw is not None:
        return _result(
            wager, stake, "withdrawn", wager.withdraw, returned=stake, why="taken back before it was at risk"
        )
    if hand.folded and forfeited(house, wager):
        return _result(wager, stake, "forfeit", _fold_clause(house, wager, hand), why="folded: the stake is lost")
    if wager.evaluator == "against_dealer":
        return _against_dealer(round_, wager, hand, stake)
    table = next(one for one in offered.paytables if one.players in (None, len(round_.hands)))
    judged = _judge(round_, table.evaluator or wager.evaluator, table.cards or wager.cards, hand)
    if judged is None:
        return _result(wager, stake, "lose", wager, why="every hand was folded, and folded hands do not count")
    settled = _by_paytable(round_, wager, table, judged, stake)
    if hand.folded and wager.fold is not None and settled.reading is None:
        return replace(settled, reading=wager.fold.reading)  # why it lives on after the fold
    return settled


def _by_paytable(round_: _Round, wager: Wager, table: Paytable, judged: Judged, stake: Cents) -> WagerSettled:
    found = line_of([line.hand for line in table.line], judged, evaluator=table.evaluator or wager.evaluator)
    if found is None:
        words = f"{judged.hand} is on no line of paytable {table.id}"
        lose = round_.house.rulebook.play.settlement.lose if table.group == "base" else None
        cited = lose or Cited(clause=table.clause)
        return _result(wager, stake, "lose", cited, hand=_plain_name(judged), why=words)
    line = table.line[found]
    cited = Cited(clause=line.clause or table.clause, reading=line.reading)
    pay = parse_pay(line.pays)
    if isinstance(pay, Dollars) and wager.collected and wager.stake_approval:
        # The dollars of a collected wager are printed for one stake, and grow with it (reading 3).
        pay = Dollars(pay.cents * stake // parse_dollars(table.stakes[0]))
    award = None
    if isinstance(pay, Share):
        round_.meters[pay.meter], award = take(round_.meters[pay.meter], percent=pay.percent)
    won, returned = settle(pay, stake=stake, collected=wager.collected is not None, award=award)
    words = f"{judged.hand}: paytable {table.id} pays {line.pays}"
    outcome: Outcome = "push" if isinstance(pay, Push) else "win"
    return _result(wager, stake, outcome, cited, hand=line.hand, pays=line.pays, won=won, returned=returned, why=words)


def _against_dealer(round_: _Round, wager: Wager, hand: Hand, stake: Cents) -> WagerSettled:
    play, offered = round_.house.rulebook.play, round_.house.wager(wager.name)
    if play.versus is None or play.qualify is None or offered is None:
        raise ValueError("this game has no dealer's hand")
    mine, dealers = longest_flush(hand.cards), longest_flush(round_.shown.dealer)
    name, pays = f"{_WORDS[mine.length]}_card_flush", offered.paytables[0].line[0].pays
    won = settle(parse_pay(pays), stake=stake).won
    if not dealer_qualifies(dealers, minimum=Flush(play.qualify.length, play.qualify.ranks)):
        words = f"the dealer's {dealers} does not qualify"
        if wager.stake == "raise":
            return _result(wager, stake, "push", play.versus.below, hand=name, returned=stake, why=words)
        below = play.versus.below
        return _result(wager, stake, "win", below, hand=name, pays=pays, won=won, returned=stake, why=words)
    words = f"{mine} against the dealer's {dealers}"
    if mine > dealers:
        return _result(wager, stake, "win", play.versus, hand=name, pays=pays, won=won, returned=stake, why=words)
    if mine == dealers:
        return _result(wager, stake, "push", play.versus.equal, hand=name, returned=stake, why=words)
    return _result(wager, stake, "lose", play.versus.lower, hand=name, why=words)


def _result(
    wager: Wager,
    stake: Cents,
    outcome: Outcome,
    cited: Cited,
    *,
    why: str,
    hand: str | None = None,
    pays: str | None = None,
    won: Cents = _NO_MONEY,
    returned: Cents = _NO_MONEY,
) -> WagerSettled:
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
        why=why,
    )


def _fold_clause(house: HouseRules, wager: Wager, hand: Hand) -> Cited:
    """What takes the stake of a folder: the wager's own clause, or that of the decision on which it was folded."""
    if wager.fold is None or not wager.fold.by_decision:
        return wager.fold or wager
    choice = next((one for one in house.rulebook.play.choice if one.decision == hand.folded_on), None)
    return Cited(clause=choice.clause, reading=wager.fold.reading) if choice else wager.fold


def forfeited(house: HouseRules, wager: Wager) -> bool:
    """Whether a folder loses the stake of this wager."""
    if wager.fold is None:
        return True
    return (house.option(wager.fold.option) if wager.fold.option else wager.fold.stake) == "forfeit"


# --- judging


def _judge(round_: _Round, evaluator: Evaluator, which: CardsJudged, hand: Hand) -> Judged | None:
    shown = round_.shown
    if which == "best_at_table":
        live = [one for one in round_.hands if not one.folded or round_.house.option("cover_all.count_folded")]
        best = [five_card((*one.cards, *shown.community)) for one in live]
        return Judged(max(best)) if best else None
    cards = {
        "own": hand.cards,
        "community": shown.community,
        "own_and_community": (*hand.cards, *shown.community),
        "own_and_box": (*hand.cards, *shown.six_card_box),
    }[which]
    return _EVALUATORS[evaluator](round_.house, cards)


_EVALUATORS: Final[Mapping[str, Callable[[HouseRules, tuple[Card, ...]], Judged]]] = {
    "five_card": lambda _, cards: Judged(five_card(cards)),
    "three_card": lambda _, cards: Judged(three_card(cards), cards[0].suit),
    "six_card": lambda _, cards: Judged(six_card(cards), cards[0].suit),
    "flush": lambda _, cards: Judged(longest_flush(cards)),
    "straight_flush": lambda house, cards: Judged(
        longest_straight_flush(cards, ace_low=house.option("hcf.ace_low") is not False),
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


# --- the payout limit


def _limited(house: HouseRules, wagers: list[WagerSettled]) -> list[WagerSettled]:
    """Cut the wins of one hand on the wagers under the limit (readings 6 to 12, 187, 191)."""
    rule, limit = house.rulebook.play.payout_limit, house.payout_limit
    if limit is None:
        return wagers
    extra = house.option("cap.extra_scopes")
    covered = {*rule.wagers, *(extra if isinstance(extra, tuple) else ())}
    if house.option("cap.scope") == "all_non_progressive":
        covered |= {wager.wager for wager in wagers if wager.wager != "progressive"}
    wins = [wager.won if wager.wager in covered else Cents(0) for wager in wagers]
    divide = divide_pro_rata if house.option("cap.allocation") == "prorata" else divide_in_order
    return [
        wager
        if cut == win
        else replace(
            wager,
            won=cut,
            before_limit=win,
            clause=rule.clause,
            reading=11,
            why=f"{wager.why}; {print_dollars(win)} is cut by the limit of {print_dollars(limit)} for a hand",
        )
        for wager, win, cut in zip(wagers, wins, divide(wins, limit=limit), strict=True)
    ]


# --- envy


def _envy(round_: _Round, hand: Hand, order: Sequence[Hand]) -> tuple[EnvyPaid, ...]:
    """Envy for each other player's hand that qualifies (readings 36 to 43)."""
    house = round_.house
    offered = house.wager("progressive")
    rule = house.rulebook.play.envy
    if offered is None or offered.envy is None or rule is None or hand.stake("progressive") is None:
        return ()
    if hand.folded and house.option("envy.after_fold") is False:
        return ()
    paid = []
    for holder in order:
        if holder.patron != hand.patron and _may_hold(house, holder, folded_holder=rule.folded_holder):
            judged = _progressive_hand(round_, offered, holder)
            if judged is None:
                continue
            found = line_of([line.hand for line in offered.envy.line], judged, evaluator=offered.evaluator)
            if found is not None:
                line = offered.envy.line[found]
                pay = parse_pay(line.pays)
                won = Cents(pay.cents) if isinstance(pay, Dollars) else Cents(0)
                paid.append(EnvyPaid(from_seat=holder.seat, hand=line.hand, won=won, clause=offered.envy.clause))
    return tuple(paid)


def _may_hold(house: HouseRules, holder: Hand, *, folded_holder: bool) -> bool:
    has_bet = holder.stake("progressive") is not None
    if holder.folded and not (folded_holder and has_bet):
        return False
    return has_bet or house.option("envy.holder_must_bet") is False


def _progressive_hand(round_: _Round, offered: HouseWager, holder: Hand) -> Judged | None:
    wager = next(one for one in round_.house.rulebook.wagers.wager if one.name == "progressive")
    return _judge(round_, offered.evaluator, offered.paytables[0].cards or wager.cards, holder)
