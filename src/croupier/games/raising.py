"""How much a hand may raise (readings 72, 73)."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.games import events as round_events
from croupier.games.offers import refuse
from croupier.games.round import Box, Round, hand_of, is_known, open_wagers, own_places
from croupier.games.rules import Rules
from croupier.hands import longest_flush
from croupier.money import Cents, print_dollars
from croupier.rulebook import Stakes
from croupier.rulebook.schema import RaiseLimit

__all__ = ["known_cards", "over_raise", "raise_limit", "raise_problem", "raise_stakes", "raise_step"]


def known_cards(state: Round, box: Box) -> tuple[Card, ...] | None:
    """The cards of a box, once all of them are identified."""
    return hand_of(state, box).cards if is_known(state, own_places(state, box.seat)) else None


def raise_limit(rules: Rules, cards: Sequence[Card] | None) -> RaiseLimit:
    """The limit of a hand; while its cards are unknown, the maximum for any hand (reading 73)."""
    limits = rules.house.rulebook.play.raise_limit
    if cards is None:
        return limits[-1]
    length = longest_flush(cards).length
    return next(limit for limit in limits if limit.shortest <= length <= limit.longest)


def raise_step(rules: Rules, ante: Cents) -> Cents:
    """The step of a raise: the table's, or whole antes (reading 72)."""
    stakes = rules.offered[rules.main.name].stakes
    return ante if rules.house.options.raise_step == "whole_multiples" or stakes is None else stakes.increment


def raise_stakes(rules: Rules, cards: Sequence[Card] | None, ante: Cents) -> list[Stakes]:
    """The amounts a hand may raise: the ante and up in steps, and whole antes where the steps miss them."""
    most, step = Cents(raise_limit(rules, cards).times * ante), raise_step(rules, ante)
    return [Stakes(ante, most, each) for each in ((step, ante) if ante % step else (step,))]


def raise_problem(rules: Rules, cards: Sequence[Card] | None, amount: Cents, ante: Cents) -> RuleViolation | None:
    """Why a hand may not raise this amount, or None."""
    if any(stakes.admits(amount) for stakes in raise_stakes(rules, cards, ante)):
        return None
    limit, step = raise_limit(rules, cards), raise_step(rules, ante)
    least = limit if cards is not None else next(wager for wager in rules.wagers.values() if wager.stake == "raise")
    if amount < ante:
        return refuse("raise_below_ante", least, "a raise must be at least the ante", reading=72)
    if amount % ante and (amount - ante) % step:
        message = (
            f"{print_dollars(amount)} is not allowed: raises go up from the ante in steps of {print_dollars(step)}"
        )
        return refuse("raise_out_of_step", least, message, reading=72)
    whose = f"a {longest_flush(cards).length}-card flush" if cards is not None else "any hand"
    most = {1: "the ante", 2: "twice the ante"}.get(limit.times, f"{limit.times} times the ante")
    return refuse("raise_above_limit", limit, f"{whose} may raise at most {most}")


def over_raise(state: Round, box: Box) -> round_events.RaiseReduced | None:
    """The reduction of a raise that the cards, once turned up, do not allow; the excess goes back (reading 73)."""
    rules = state.rules
    for name, amount in box.staked:
        if rules.wagers[name].stake == "raise" and name in open_wagers(box):
            limit = raise_limit(rules, hand_of(state, box).cards)
            most = Cents(limit.times * box.main)
            if amount > most:
                return round_events.RaiseReduced(box.seat, name, amount, most, limit.clause, 73)
    return None
