"""A settled wager in words: what happened to it, what it pays, and why.

>>> from croupier.money import Cents
>>> wager = WagerSettled(
...     wager="ante", staked=Cents(1000), outcome="win", hand="three_of_a_kind", pays="3 to 1", won=Cents(3000),
...     returned=Cents(1000), clause="12.A(1)-(10)", reading=None, cause="paytable", made="three_of_a_kind 9",
... )
>>> print(settled_sentence(wager))
ante $10 wins $30, $10 returned: three of a kind at 3 to 1 (12.A(1)-(10))
"""

from __future__ import annotations

from typing import Final

from croupier.games import CouponSettled, EnvyPaid, Outcome, WagerSettled
from croupier.present.amounts import dollars
from croupier.present.citations import cited_by
from croupier.present.names import line_words, spoken

__all__ = ["OUTCOMES", "choice_words", "coupon_sentence", "envy_sentence", "outcome_words", "settled_sentence"]

OUTCOMES: Final[dict[Outcome, str]] = {
    "win": "won",
    "lose": "lost",
    "push": "push",
    "forfeit": "forfeited",
    "withdrawn": "taken back",
    "void": "void",
}
"""What happened to a wager, in a column."""
_VERBS: Final[dict[Outcome, str]] = {
    "win": "wins",
    "lose": "loses",
    "push": "pushes",
    "forfeit": "is forfeited",
    "withdrawn": "is taken back",
    "void": "is void",
}


def outcome_words(outcome: Outcome) -> str:
    """
    >>> outcome_words("lose"), outcome_words("push")
    ('lost', 'push')
    """
    return OUTCOMES[outcome]


def settled_sentence(wager: WagerSettled) -> str:
    """Say how a wager was settled: its stake, what it won, what came back, the line and the clause."""
    words = f"{spoken(wager.wager)} {dollars(wager.staked)} {_VERBS[wager.outcome]}"
    if wager.won or wager.outcome == "win":
        words += f" {dollars(wager.won)}"
    if wager.before_limit is not None:
        words += f" (cut from {dollars(wager.before_limit)} by the payout limit)"
    if wager.returned:
        words += f", {dollars(wager.returned)} returned"
    if wager.hand and wager.hand != "nothing":
        words += f": {line_words(wager.hand)}{_terms(wager)}"
    return cited_by(words, wager.clause, wager.reading)


def _terms(wager: WagerSettled) -> str:
    if wager.award:
        return f" for {wager.award.percent}% of the {wager.award.meter} meter"
    if wager.outcome != "win" or not wager.pays:
        return ""
    return f" {'at' if wager.pays.endswith(' 1') else 'for'} {wager.pays}"


def coupon_sentence(coupon: CouponSettled) -> str:
    """Say how a match play coupon was settled."""
    won = f" {dollars(coupon.won)}" if coupon.won else ""
    words = f"match play {dollars(coupon.value)} {_VERBS[coupon.outcome]}{won}"
    return cited_by(words, coupon.clause, coupon.reading)


def envy_sentence(envy: EnvyPaid) -> str:
    """Say what an envy bonus pays, and for whose hand."""
    return cited_by(f"envy wins {dollars(envy.won)} for seat {envy.from_seat}'s {line_words(envy.hand)}", envy.clause)


def choice_words(choice: str, decision: str, amount: int) -> str:
    """Say a player's decision, as it follows the player's name.

    >>> choice_words("2x", "third_street", 2000), choice_words("fold", "third_street", 0)
    ('bets $20 (2x) on third street', 'folds on third street')
    >>> choice_words("ride", "bet_1", 0), choice_words("raise", "raise", 1500)
    ('lets bet 1 ride', 'raises $15')
    """
    where = spoken(decision)
    match choice:
        case "fold":
            return "folds" if decision == "raise" else f"folds on {where}"
        case "ride":
            return f"lets {where} ride"
        case "withdraw":
            return f"takes {where} back"
        case "raise":
            return f"raises {dollars(amount)}"
    words = f"{dollars(amount)} ({choice})"
    return f"raises {words}" if decision == "raise" else f"bets {words} on {where}"
