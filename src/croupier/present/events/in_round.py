"""Each event of a round as a sentence."""

from __future__ import annotations

from typing import Final, assert_never

from croupier.games import Event
from croupier.games import events as round_events
from croupier.present.acts import act_words
from croupier.present.amounts import dollars, dollars_and_cents, meter_dollars
from croupier.present.citations import cited_by
from croupier.present.events.places import CardPlaces, slot_words
from croupier.present.hands import cards_words, hand_words
from croupier.present.names import capitalized, counted, spoken, the_wager
from croupier.present.rulings import CARDS, IRREGULARITIES, VOID
from croupier.present.wagers import choice_words, coupon_sentence, envy_sentence, settled_sentence

__all__ = ["round_sentences"]

_OUT: Final = {"conduct": "for conduct", "left": "because its player left", "void": "by a ruling"}


def round_sentences(event: Event, places: CardPlaces) -> list[str]:
    """Say what happened: one sentence, or one for each wager that was settled."""
    match event:
        case round_events.HandSettled():
            coupon = [coupon_sentence(event.coupon)] if event.coupon else []
            wagers = [settled_sentence(wager) for wager in event.wagers]
            return [f"Seat {event.seat}: {words}" for words in wagers + coupon] or [
                f"Seat {event.seat}: nothing is left to settle"
            ]
        case round_events.EnvySettled():
            paid = [f"Seat {seat}: {envy_sentence(envy)}" for seat, won in event.paid for envy in won]
            return paid or ["No envy bonus is paid"]
        case round_events.SettlementReversed():
            return _reversed(event)
        case round_events.CardsIdentified():
            return [f"The cards are {cards_words(event.cards)}"]
        case round_events.MeterRaised():
            return [cited_by(_meter(event), event.clause)]
        case round_events.CardsRevealed() | round_events.DecisionMade() | round_events.HandAnnounced():
            return [cited_by(_turn(event, places), event.clause)]
        case (
            round_events.WagerPlaced()
            | round_events.WagerTakenBack()
            | round_events.CouponPlaced()
            | round_events.CouponTakenBack()
            | round_events.WagerRegistered()
            | round_events.WagerReturned()
        ):
            return [cited_by(_bet(event), event.clause, event.reading)]
    return [cited_by(_sentence(event, places), event.clause, event.reading)]


_Bet = (
    round_events.WagerPlaced
    | round_events.WagerTakenBack
    | round_events.CouponPlaced
    | round_events.CouponTakenBack
    | round_events.WagerRegistered
    | round_events.WagerReturned
)


def _bet(event: _Bet) -> str:
    seat = f"Seat {event.seat}"
    match event:
        case round_events.WagerPlaced():
            patron = f" ({event.patron})" if event.patron and event.patron != f"seat {event.seat}" else ""
            kind = "" if event.instrument == "value_chip" else f" with {spoken(event.instrument)}s"
            return f"{seat}{patron} bets {dollars(event.amount)} on {the_wager(event.wager)}{kind}"
        case round_events.WagerTakenBack():
            instead = ", to change the amount" if event.changed else ""
            return f"{seat} takes back {dollars(event.amount)} from {the_wager(event.wager)}{instead}"
        case round_events.CouponPlaced():
            return f"{seat} places a match play coupon of {dollars(event.value)}"
        case round_events.CouponTakenBack():
            return f"{seat} takes back the match play coupon"
        case round_events.WagerRegistered():
            return f"{seat}: the light for {the_wager(event.wager)} is on"
        case round_events.WagerReturned():
            return f"{seat}: {dollars(event.amount)} on {the_wager(event.wager)} is not a bet and is returned"


def _turn(
    event: round_events.CardsRevealed | round_events.DecisionMade | round_events.HandAnnounced, places: CardPlaces
) -> str:
    match event:
        case round_events.CardsRevealed():
            whose = slot_words(event.slot, event.seat) if places.round is None else places.cards_at(event.places)
            return f"The dealer turns up {whose}"
        case round_events.DecisionMade():
            declared = ", declared by the floor" if event.declared else ""
            return f"Seat {event.seat} {choice_words(event.choice, event.decision, event.amount)}{declared}"
        case round_events.HandAnnounced():
            whose = f"seat {event.seat}" if event.seat else "the dealer's hand"
            return f"The dealer announces {whose}: {hand_words(event.hand)}"


def _meter(event: round_events.MeterRaised) -> str:
    name = "reserve" if event.meter == "reserve" else f"{event.meter} meter"
    link = f" of link {event.link}" if event.link else ""
    return f"The {name}{link} goes {'up' if event.units >= 0 else 'down'} {meter_dollars(abs(event.units))}"


def _reversed(event: round_events.SettlementReversed) -> list[str]:
    whose = "The envy bonuses are" if event.seat == 0 else f"The settlement of seat {event.seat} is"
    lines = [f"seat {event.seat}: {settled_sentence(wager)}" for wager in event.wagers]
    lines += [f"seat {event.seat}: {coupon_sentence(event.coupon)}"] if event.coupon else []
    lines += [f"seat {seat}: {envy_sentence(envy)}" for seat, won in event.envy for envy in won]
    return [cited_by(f"{whose} reversed", event.clause, event.reading), *(f"Reversed, {line}" for line in lines)]


_Other = (
    round_events.ActPerformed
    | round_events.CountMismatched
    | round_events.CardsDealt
    | round_events.CardSetAside
    | round_events.CardCorrected
    | round_events.CardsViewed
    | round_events.HandLeftExposed
    | round_events.MeterRead
    | round_events.CardsRacked
    | round_events.IrregularityRuled
    | round_events.ConductFound
    | round_events.PlayerLeft
    | round_events.HandRemoved
    | round_events.RaiseReduced
    | round_events.RaiseRestored
    | round_events.RoundClosed
)


def _sentence(event: _Other, places: CardPlaces) -> str:
    match event:
        case round_events.ActPerformed():
            return f"The dealer {act_words(event.act, event.number)}"
        case round_events.CountMismatched():
            return f"The dealer {act_words(event.act, event.counted)}, {event.expected} expected"
        case round_events.CardsDealt():
            return f"The dealer deals {counted(event.number, 'card')} face down"
        case round_events.CardSetAside():
            card = "A card" if event.card is None else str(event.card)
            return f"{card} goes to the rack unused: {IRREGULARITIES[event.irregularity]}"
        case round_events.CardCorrected():
            owner = places.owner(event.place)
            return f"{capitalized(owner)}{': ' if owner else ''}{event.card} instead of {event.was}"
        case round_events.CardsViewed():
            return f"Seat {event.seat} looks at the cards"
        case round_events.HandLeftExposed():
            return f"Seat {event.seat}: the hand stays face up"
        case round_events.MeterRead():
            return f"The {event.meter} meter shows {dollars_and_cents(event.shown)}"
        case round_events.CardsRacked():
            return f"The dealer racks {places.cards_at(event.places)}"
        case round_events.IrregularityRuled():
            where = f" at seat {event.seat}" if event.seat else ""
            return f"Ruling: {IRREGULARITIES[event.irregularity]}{where}; {VOID[event.void]}, {CARDS[event.cards]}"
        case round_events.ConductFound():
            then = "all wagers are forfeited" if event.forfeits else "it is recorded"
            return f"Seat {event.seat} broke a rule of conduct, {spoken(event.rule)}: {then}"
        case round_events.PlayerLeft():
            return f"Seat {event.seat} left: the hand is {'abandoned' if event.how == 'abandon' else 'played on'}"
        case round_events.HandRemoved():
            return f"Seat {event.seat}: the hand is out of the round {_OUT[event.out]}"
        case round_events.RaiseReduced():
            amounts = f"from {dollars(event.was)} to {dollars(event.amount)}"
            return f"Seat {event.seat}: {the_wager(event.wager)} is reduced {amounts}"
        case round_events.RaiseRestored():
            amounts = f"{dollars(event.amount)} instead of {dollars(event.was)}"
            return f"Seat {event.seat}: {the_wager(event.wager)} is restored, {amounts}"
        case round_events.RoundClosed():
            return f"The round is closed: {dollars(event.staked)} staked, {dollars(event.paid)} paid"
    assert_never(event)
