"""What cards make, and what a paytable says about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.games.results import Hand, Outcome, TableCards
from croupier.games.rules import Rules
from croupier.hands import (
    FiveCardHand,
    Flush,
    SixCard,
    SixCardHand,
    StraightFlush,
    ThreeCard,
    ThreeCardHand,
    five_card,
    four_of_a_kind,
    hand_code,
    longest_flush,
    longest_straight_flush,
    six_card,
    three_card,
)
from croupier.money import Pay, Push, parse_pay
from croupier.rulebook import HouseRules, Judged, line_of
from croupier.rulebook.names import CardsJudged, Evaluator
from croupier.rulebook.schema import Cited, Paytable, Wager

__all__ = ["EVALUATORS", "Judgments", "Showdown", "Verdict", "flush_name", "judge", "verdict_on"]

_WORDS: Final = ("", "one", "two", "three", "four", "five", "six", "seven")
_FLUSHES: Final = tuple(f"{word}_card_flush" for word in _WORDS)


class Showdown(Struct, frozen=True, gc=False):
    """Everything needed to settle the wagers of a round."""

    rules: Rules
    hands: Sequence[Hand]
    table_cards: TableCards


Judgments: TypeAlias = dict[tuple[Evaluator, CardsJudged], Judged | None]
"""What the cards of one hand make, as evaluated so far."""


# --- cards


def judge(
    showdown: Showdown, evaluator: Evaluator, which: CardsJudged, hand: Hand, judgments: Judgments
) -> Judged | None:
    """What the cards that decide a wager make; None where no hand is left to count."""
    key = (evaluator, which)
    if key in judgments:
        return judgments[key]
    house, table_cards = showdown.rules.house, showdown.table_cards
    judged: Judged | None
    if which == "best_at_table":
        folded = house.options.cover_all_count_folded
        live = [hand for hand in showdown.hands if hand.out != "void" and (folded or not hand.folded)]
        hands = [five_card((*hand.cards, *table_cards.community)) for hand in live]
        judged = Judged(max(hands).without_kickers()) if hands else None
    elif which == "own_and_community":
        judged = EVALUATORS[evaluator](house, (*hand.cards, *table_cards.community))
    elif which == "own_and_box":
        judged = EVALUATORS[evaluator](house, (*hand.cards, *table_cards.six_card_box))
    else:
        judged = EVALUATORS[evaluator](house, hand.cards if which == "own" else table_cards.community)
    judgments[key] = judged
    return judged


_judged: Final[dict[FiveCardHand | ThreeCardHand | SixCardHand, Judged]] = {}


def _as_paid(hand: FiveCardHand | ThreeCardHand | SixCardHand, first: Card) -> Judged:
    """A hand as a paytable sees it, worked out once; the suit of two of them counts, and all their cards have it."""
    judged = _judged.get(hand)
    if judged is not None:
        return judged
    if hand.category is ThreeCard.MINI_ROYAL or hand.category is SixCard.SUPER_ROYAL:
        return Judged(hand.without_kickers(), first.suit)
    return _judged.setdefault(hand, Judged(hand.without_kickers()))


EVALUATORS: Final[Mapping[str, Callable[[HouseRules, tuple[Card, ...]], Judged]]] = {
    "five_card": lambda _, cards: _as_paid(five_card(cards), cards[0]),
    "three_card": lambda _, cards: _as_paid(three_card(cards), cards[0]),
    "six_card": lambda _, cards: _as_paid(six_card(cards), cards[0]),
    "flush": lambda _, cards: Judged(longest_flush(cards)),
    "straight_flush": lambda house, cards: Judged(
        longest_straight_flush(cards, ace_low=house.options.hcf_ace_low),
        quads=four_of_a_kind(cards),
    ),
}


# --- paytables


class Verdict(NamedTuple):
    """What a paytable says about a hand."""

    outcome: Outcome
    hand: str
    pays: str | None
    pay: Pay | None
    cited: Cited
    made: str


def verdict_on(rules: Rules, wager: Wager, table: Paytable, judged: Judged) -> Verdict:
    """What the paytable of a wager says about a hand, looked up once per house."""
    key = (wager.name, table.players, judged)
    verdict: Verdict | None = rules.memo.verdicts.get(key)
    return verdict or rules.memo.verdicts.keep(key, _look_up(rules, wager, table, judged))


def _look_up(rules: Rules, wager: Wager, table: Paytable, judged: Judged) -> Verdict:
    number = line_of([line.hand for line in table.line], judged, evaluator=table.evaluator or wager.evaluator)
    made = hand_code(judged.hand)
    if number is None:
        lose = rules.house.rulebook.play.settlement.lose if table.group == "base" else None
        return Verdict("lose", _name_of(judged), None, None, lose or Cited(clause=table.clause), made)
    line = table.line[number]
    reading = line.reading or (wager.ace_low if _needs_low_ace(judged) else None)
    pay = parse_pay(line.pays)
    outcome: Outcome = "push" if isinstance(pay, Push) else "win"
    cited = Cited(clause=line.clause or table.clause, reading=reading)
    return Verdict(outcome, line.hand, line.pays, pay, cited, made)


def _needs_low_ace(judged: Judged) -> bool:
    """Whether it is a run only because the ace may rank below the two (readings 53 to 56)."""
    hand = judged.hand
    if isinstance(hand, ThreeCardHand):
        return "straight" in hand.name and hand.ranks == (3,)
    return isinstance(hand, StraightFlush) and hand.length >= 3 and hand.top == hand.length


def flush_name(flush: Flush) -> str:
    """A flush as the paytables name it."""
    return _FLUSHES[flush.length]


def _name_of(judged: Judged) -> str:
    """The name of a hand that is on no line of the paytable."""
    hand = judged.hand
    if isinstance(hand, Flush):
        return flush_name(hand)
    if isinstance(hand, StraightFlush):
        return f"{_WORDS[hand.length]}_card_straight_flush" if hand.length >= 3 else "nothing"
    return hand.name
