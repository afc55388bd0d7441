"""A round in words, as a page tells it: what a hand makes so far, and what became of every bet and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from croupier.cards import Card, parse_cards
from croupier.games import WagerSettled
from croupier.hands import Flush, dealer_qualifies, longest_flush
from croupier.money import Cents
from croupier.present import capitalized, flush_so_far, irregularity_words, line_words, poker_so_far, spoken
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Irregularity
from croupier.table.views import CARD_BACK, BoxView, RoundView, TableView

__all__ = [
    "DealersHand",
    "ResultBox",
    "ResultGroup",
    "dealers_hand",
    "hand_so_far",
    "hand_title",
    "in_hand",
    "marked_lines",
    "not_seen",
    "round_shown",
    "settled_boxes",
    "void_words",
]


_SMALL: Final = 5
"""Cards that are held as they were dealt."""


class ResultGroup(Struct, frozen=True, kw_only=True):
    """Bets that ended alike and for one reason: they are told together."""

    wagers: tuple[tuple[str, Cents], ...]
    net: int
    why: str
    clause: str
    reading: int | None


class ResultBox(Struct, frozen=True, kw_only=True):
    """A seat whose bets are settled."""

    seat: int
    own: bool
    patron: str
    made: str
    staked: int
    paid: int
    groups: tuple[ResultGroup, ...]

    @property
    def net(self) -> int:
        """What it brought its player."""
        return self.paid - self.staked


class DealersHand(Struct, frozen=True, kw_only=True):
    """What the dealer's cards make, and whether that is enough to play."""

    made: str
    qualifies: bool
    clause: str
    reading: int | None

    @property
    def words(self) -> str:
        """In one line."""
        return f"{self.made}: {'qualifies' if self.qualifies else 'does not qualify'}"


def round_shown(view: TableView) -> TableView | RoundView:
    """The round whose cards lie on the felt: this one, or the last until something new lies there.

    Whoever played the last round sees how it ended until they bet again or cards are dealt, however fast others bet.
    """
    last = view.last_round
    if last is None or any(box.cards for box in view.seats):
        return view
    played = {box.seat for box in last.seats if box.own and box.bets}
    mine = [box for box in view.seats if box.own and box.seat in played]
    return view if any(box.bets for box in mine or view.seats) else last


def dealers_hand(house: HouseRules, shown: TableView | RoundView) -> DealersHand | None:
    """The dealer's hand once all of it is turned up, in a game in which the dealer has one."""
    names, least = dict(shown.cards).get("dealer", ()), house.rulebook.play.qualify
    if least is None or not names or CARD_BACK in names:
        return None
    flush = longest_flush(_seen(names))
    return DealersHand(
        made=capitalized(str(flush)),
        qualifies=dealer_qualifies(flush, minimum=Flush(least.length, least.ranks)),
        clause=least.clause,
        reading=least.reading,
    )


def hand_so_far(house: HouseRules, view: TableView | RoundView, seat: int) -> str:
    """What the cards at a seat make with the board, as far as they can be seen."""
    box = next((box for box in view.seats if box.seat == seat), None)
    own = _seen(box.cards) if box is not None else []
    if not own:
        return ""
    if _against_dealer(house):
        return capitalized(flush_so_far(own))
    return capitalized(poker_so_far([*own, *_seen(dict(view.cards).get("community", ()))][:5]))


def hand_title(view: TableView) -> str:
    """What a hand is called while cards of the board may still change it, and when it is whole."""
    return "Your hand so far" if CARD_BACK in dict(view.cards).get("community", ()) else "Your hand"


def not_seen(view: TableView, seat: int | None) -> tuple[str, str]:
    """What is said where no card of one's own is to be seen: a heading, and why."""
    dealt = any(box.cards for box in view.seats)
    if seat is not None and any(box.seat == seat and box.cards for box in view.seats):
        return "Your hand", "Face down in front of you"
    if not dealt:
        return "Before the deal", "No cards yet"
    return "This round", "You are watching" if seat is None else "You are not in this one"


def in_hand(names: Sequence[str]) -> tuple[str, ...]:
    """Cards as somebody holds them: a large hand by suits, the best flush first; one with backs in it as it lies.

    >>> in_hand(("2c", "Kh", "3h", "Ah", "9s", "8s", "4d"))
    ('Ah', 'Kh', '3h', '9s', '8s', '4d', '2c')
    >>> in_hand(("2c", "Kh"))
    ('2c', 'Kh')
    """
    if len(names) <= _SMALL or CARD_BACK in names:
        return tuple(names)
    suits: dict[str, list[Card]] = {}
    for card in sorted(_seen(names), key=lambda card: -card.rank):
        suits.setdefault(card.suit, []).append(card)
    longest = sorted(suits.values(), key=lambda suit: (len(suit), [card.rank for card in suit]), reverse=True)
    return tuple(str(card) for suit in longest for card in suit)


def _against_dealer(house: HouseRules) -> bool:
    """Whether hands are compared with the dealer's, and so by flushes."""
    return any(wager.evaluator == "against_dealer" for wager in house.wagers)


def _seen(names: Iterable[str]) -> list[Card]:
    return [card for name in names if name != CARD_BACK for card in parse_cards(name)]


def settled_boxes(house: HouseRules, view: TableView, *, own: str) -> list[ResultBox]:
    """The viewer's seats with their results; for somebody who only watches, everybody's."""
    now = [box for box in view.seats if _is_told(box)]
    shown = view if now else round_shown(view)
    boxes = [box for box in shown.seats if _is_told(box)]
    mine = [box for box in boxes if box.own] if own else []
    return [_settled(house, shown, box) for box in mine or ([] if own and now else boxes)]


def _is_told(box: BoxView) -> bool:
    """Whether a seat is being settled: a bet that was only taken back says nothing yet."""
    return any(each.outcome != "withdrawn" for each in box.results)


def _settled(house: HouseRules, shown: TableView | RoundView, box: BoxView) -> ResultBox:
    groups: dict[tuple[object, ...], list[WagerSettled]] = {}
    for each in box.results:
        groups.setdefault((each.why, each.clause, each.reading, each.outcome), []).append(each)
    told = [_group(alike) for alike in groups.values()]
    if (coupon := box.coupon_result) is not None:
        words = ((capitalized("match play"), coupon.value),)
        told.append(
            ResultGroup(wagers=words, net=coupon.won, why=coupon.why, clause=coupon.clause, reading=coupon.reading)
        )
    told += [
        ResultGroup(
            wagers=(("envy bonus", Cents(0)),),
            net=envy.won,
            why=f"seat {envy.from_seat} has a {line_words(envy.hand)}",
            clause=envy.clause,
            reading=None,
        )
        for envy in box.envy
    ]
    staked = sum(each.staked for each in box.results)
    paid = sum(each.won + each.returned for each in box.results) + sum(envy.won for envy in box.envy)
    paid += coupon.won if coupon is not None else 0
    made = "Folded" if box.folded else hand_so_far(house, shown, box.seat)
    return ResultBox(
        seat=box.seat,
        own=box.own,
        patron=box.patron,
        made=made or _ended(box),
        staked=staked,
        paid=paid,
        groups=tuple(told),
    )


def _ended(box: BoxView) -> str:
    """What is said of a hand whose cards nobody was shown."""
    if all(each.outcome == "void" for each in box.results):
        return "Round void"
    return capitalized(spoken(box.out) if box.out else "settled")


def _group(alike: Sequence[WagerSettled]) -> ResultGroup:
    first = alike[0]
    return ResultGroup(
        wagers=tuple((str(each.wager), each.staked) for each in alike),
        net=sum(each.won + each.returned - each.staked for each in alike),
        why=first.why,
        clause=first.clause,
        reading=first.reading,
    )


def void_words(view: TableView, ruled: Sequence[Irregularity]) -> str:
    """Why the last round was void for everybody, if it was; `ruled` are the irregularities that were ruled on in it."""
    shown = round_shown(view)
    if shown is view:
        return ""
    results = [each for box in shown.seats for each in box.results]
    if not results or any(each.outcome != "void" for each in results):
        return ""
    clauses = sorted({each.clause for each in results if each.clause})
    why = capitalized(", ".join(map(irregularity_words, ruled))) + ". " if ruled else ""
    cited = f" ({', '.join(clauses)})" if clauses else ""
    return f"{why}Every bet was returned{cited}. The cards are shuffled again."


def marked_lines(view: TableView) -> frozenset[str]:
    """The lines of the paytables by which the viewer's own bets won or pushed, in words, as long as they are shown."""
    boxes = [box for box in (*view.seats, *round_shown(view).seats) if box.own]
    return frozenset(
        capitalized(line_words(each.hand))
        for box in boxes
        for each in box.results
        if each.hand and (each.won or (each.outcome == "push" and each.cause == "paytable"))
    )
