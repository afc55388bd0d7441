"""Which wagers, boxes and coupons the rules allow, for a round being played or one reported afterward."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from croupier.errors import RuleViolation
from croupier.games.offers import refuse, spoken
from croupier.games.rules import Rules
from croupier.money import Cents, print_dollars
from croupier.rulebook import Stakes
from croupier.rulebook.schema import Requirement, Wager
from croupier.wire import clip

__all__ = [
    "boxes_problem",
    "coupon_problem",
    "least_main",
    "least_main_beside",
    "missing_requirement",
    "offered_problem",
    "seat_problem",
    "stakes_on",
]

_PLACED_BEFORE_THE_DEAL: Final = {"limits", "equal", "fixed"}
"""Kinds of stakes that a player puts up before the deal; the others follow from the decisions."""


def offered_problem(rules: Rules, name: str) -> RuleViolation | None:
    """Why a wager of this name cannot be placed before the deal, or None."""
    wager = rules.wager(name)
    if wager is None:
        return refuse("wager_not_offered", rules.main, f"{clip(repr(name))} is not offered here")
    if wager.name not in rules.offered:
        return refuse("wager_not_offered", wager, f"{spoken(name)} is not offered here")
    if wager.stake not in _PLACED_BEFORE_THE_DEAL:
        return refuse("not_before_the_deal", wager, f"{spoken(name)} is bet during the round, not before the deal")
    return None


def seat_problem(rules: Rules, seat: int) -> RuleViolation | None:
    """Why this seat does not exist, or None."""
    house = rules.house
    if 1 <= seat <= house.seats:
        return None
    return refuse("no_such_seat", house.rulebook.table.seats, f"the table has seats 1 to {house.seats}")


def boxes_problem(rules: Rules, patron: str, seats: Collection[int]) -> RuleViolation | None:
    """Why a player may not play these boxes: too many, or not next to each other (reading 87)."""
    most, cited = rules.house.boxes, rules.house.rulebook.table.boxes
    if len(seats) > most:
        return refuse(
            "too_many_boxes", cited, f"{clip(patron)} may play at most {most} {'box' if most == 1 else 'boxes'}"
        )
    if max(seats) - min(seats) >= len(seats):
        return refuse("boxes_not_adjacent", cited, f"the boxes of {clip(patron)} are not adjacent", reading=87)
    return None


def missing_requirement(rules: Rules, wager: Wager, placed: Collection[str]) -> Requirement | None:
    """The first wager that this one needs and that is not placed (readings 88, 89)."""
    asked = rules.house.options.six_card_requires
    for requirement in wager.requires:
        if requirement.if_offered:
            skipped = requirement.wager.removesuffix("_bonus") not in asked
            if requirement.wager not in rules.offered or skipped:
                continue
        if requirement.wager not in placed:
            return requirement
    return None


def stakes_on(rules: Rules, wager: Wager, *, main: Cents | None, several: bool) -> Stakes:
    """What may be staked on a wager beside a main wager; `several` when its player has more than one box."""
    stakes = rules.offered[wager.name].stakes
    if stakes is None:
        raise ValueError(f"{wager.name} has no stakes of its own")
    if wager is rules.main:
        return Stakes(least_main(rules, several=several), stakes.maximum, stakes.increment)
    relative = rules.house.options.limits_side_bet_max_relative
    if relative and wager.stake == "limits" and main is not None:
        return Stakes(stakes.minimum, Cents(min(stakes.maximum, relative * main)), stakes.increment)
    return stakes


def least_main(rules: Rules, *, several: bool) -> Cents:
    """The minimum main wager; a player with several boxes may have to bet more on each (reading 87)."""
    stakes = rules.offered[rules.main.name].stakes
    least = stakes.minimum if stakes else Cents(0)
    return Cents(least * rules.house.options.boxes_min_multiplier) if several else least


def least_main_beside(rules: Rules, wager: Wager, amount: Cents) -> Cents:
    """The minimum main wager that allows this stake (reading 180)."""
    relative = rules.house.options.limits_side_bet_max_relative
    is_bound = relative and wager.stake == "limits" and wager is not rules.main
    return Cents(-(-amount // relative)) if is_bound else Cents(0)


def coupon_problem(rules: Rules, value: Cents, main: Cents) -> RuleViolation | None:
    """Why a match play coupon is not accepted beside a main wager: chips must match it (reading 95)."""
    instruments = rules.house.rulebook.wagers.instruments
    cited = instruments.coupon or instruments
    if rules.house.match_play is None:
        return refuse("not_accepted", cited, "match play coupons are not accepted here", reading=95)
    if not 0 < value <= main:
        message = f"a coupon must be matched by chips: at most {print_dollars(main)}"
        return refuse("coupon_not_matched", cited, message)
    return None
