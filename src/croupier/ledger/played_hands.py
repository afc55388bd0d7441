"""Hands that somebody has played, from the record of their rounds: what each decision was made on, and what it cost.

Only what the player could see is used: their own cards, the board as far as it was turned up, and what they had bet. A
hand that was folded stays closed in the record; at a virtual table the seed that was revealed after the round tells
which cards it had, at a table with real cards nobody knows any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from croupier.analysis import BASE, main_table, value_of_choice
from croupier.cards import Card
from croupier.games import EnvyPaid, Round, WagerSettled
from croupier.games import events as round_events
from croupier.rulebook import HouseRules
from croupier.table import Entry
from croupier.table import events as table_events

__all__ = ["HandFigures", "PlayedDecision", "PlayedHand", "hands_played", "priced_hand"]


class PlayedDecision(Struct, frozen=True, kw_only=True):
    """A decision and what its player knew."""

    own: tuple[Card, ...]
    board: tuple[Card, ...]
    bets: tuple[str, ...]
    choice: str
    amount: int


class PlayedHand(Struct, frozen=True, kw_only=True):
    """A hand of a closed round, in cents."""

    seat: int
    rulebook: str
    edition: str
    paytable: str
    ante: int
    """The stake on the first wager of the main game; nothing where the hand is void."""
    staked: int
    net: int
    side: int
    """The part of `net` that is not the main game's."""
    decisions: tuple[PlayedDecision, ...]
    closed: bool = False
    """Whether the record does not tell the cards that were decided on."""


class HandFigures(Struct, frozen=True):
    """What best play expects of a hand, and what its mistakes cost: exact, in cents."""

    expected: Fraction
    mistakes: int
    cost: Fraction


def hands_played(
    entries: Sequence[Entry], house: HouseRules, layout: Round | None, patron: str
) -> tuple[PlayedHand, ...]:
    """A patron's hands in a closed round, from its first wager to the seed of its shuffle."""
    seats = [
        entry.event.seat
        for entry in entries
        if isinstance(entry.event, round_events.WagerPlaced) and entry.event.patron == patron
    ]
    return tuple(_hand(entries, house, layout, seat) for seat in sorted(set(seats)))


def priced_hand(hand: PlayedHand, mean: Fraction, values: Sequence[Mapping[str, Fraction]]) -> HandFigures:
    """The figures of a hand: `mean` is what one ante brings under best play, `values` what each action was worth."""
    lost = [_lost(actions, decision, hand.ante) for actions, decision in zip(values, hand.decisions, strict=True)]
    return HandFigures(mean * hand.ante, sum(gap > 0 for gap in lost), sum(lost, Fraction(0)) * hand.ante)


def _lost(actions: Mapping[str, Fraction], decision: PlayedDecision, ante: int) -> Fraction:
    value = value_of_choice(actions, decision.choice, Fraction(decision.amount, ante) if ante else Fraction(0))
    return max(max(actions.values()) - value, Fraction(0))


def _hand(entries: Sequence[Entry], house: HouseRules, layout: Round | None, seat: int) -> PlayedHand:
    cards = _own_cards(entries, layout, seat)
    settled, beside = _settled(entries, seat)
    main = {wager.name for wager in house.wagers if wager.paytables[0].group == BASE}
    mine = [wager for wager in settled if wager.wager in main]
    nets = {True: 0, False: beside}
    for wager in settled:
        nets[wager.wager in main] += wager.won + wager.returned - wager.staked
    counts = any(wager.outcome != "void" for wager in mine)
    decisions = _decisions(entries, seat, cards or ()) if counts else ()
    return PlayedHand(
        seat=seat,
        rulebook=house.rulebook.id,
        edition=house.rulebook.edition,
        paytable=main_table(house).id,
        ante=_ante(mine, house) if counts else 0,
        staked=sum(wager.staked for wager in settled),
        net=sum(nets.values()),
        side=nets[False],
        decisions=decisions if cards is not None else (),
        closed=cards is None and bool(decisions),
    )


def _ante(main: Sequence[WagerSettled], house: HouseRules) -> int:
    """The stake that opens a box: the main wager's, whose limits the house sets."""
    opening = next(wager.name for wager in house.rulebook.wagers.wager if wager.limits_key)
    return next((wager.staked for wager in main if wager.wager == opening), 0)


def _settled(entries: Sequence[Entry], seat: int) -> tuple[list[WagerSettled], int]:
    """The wagers of a seat as they were settled in the end, and what coupons and envy added."""
    wagers: dict[str, WagerSettled] = {}
    beside = 0
    for entry in entries:
        event = entry.event
        match event:
            case round_events.HandSettled() if event.seat == seat:
                wagers |= {wager.wager: wager for wager in event.wagers}
                beside += event.coupon.won if event.coupon is not None else 0
            case round_events.SettlementReversed():
                beside -= _envy(event.envy, seat)
                if event.seat == seat:
                    for wager in event.wagers:
                        wagers.pop(wager.wager, None)
                    beside -= event.coupon.won if event.coupon is not None else 0
            case round_events.EnvySettled():
                beside += _envy(event.paid, seat)
            case _:
                pass
    return list(wagers.values()), beside


def _envy(rows: Sequence[tuple[int, tuple[EnvyPaid, ...]]], seat: int) -> int:
    return sum(bonus.won for at, bonuses in rows if at == seat for bonus in bonuses)


def _own_cards(entries: Sequence[Entry], layout: Round | None, seat: int) -> tuple[Card, ...] | None:
    """The cards of a seat as far as the record shows them to its player; None if one is missing."""
    if layout is None:
        return None
    shown: dict[int, Card] = {}
    dealt: Callable[[int], Card | None] = shown.get
    aside = any(isinstance(entry.event, round_events.CardSetAside) for entry in entries)
    for entry in entries:
        match entry.event:
            case table_events.CardsShown() as event:
                shown.update(zip(event.places, event.cards, strict=True))
            case round_events.CardCorrected() as event:
                shown[event.place] = event.card
            case table_events.SeedRevealed() as event if not aside:
                order = (*event.deck[event.depth :], *event.deck[: event.depth])
                dealt = dict(enumerate(order)).get
            case _:
                pass
    cards = [shown.get(place) or dealt(place) for place in layout.cards.plan.own.get(seat, ())]
    known = tuple(card for card in cards if card is not None)
    return known if known and len(known) == len(cards) else None


def _decisions(entries: Sequence[Entry], seat: int, own: tuple[Card, ...]) -> tuple[PlayedDecision, ...]:
    board: list[Card] = []
    bets: list[str] = []
    decisions: list[PlayedDecision] = []
    for entry in entries:
        match entry.event:
            case table_events.CardsShown(slot="community") as event:
                board += event.cards
            case round_events.DecisionMade() as event if event.seat == seat:
                decisions.append(
                    PlayedDecision(
                        own=own, board=tuple(board), bets=tuple(bets), choice=event.choice, amount=event.amount
                    )
                )
                bets.append(event.choice)
            case _:
                pass
    return tuple(decisions)
