"""The words of `croupier play`: how a game works, how each bet ended, what a decision was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from croupier.cli.play.coach import Review
from croupier.errors import RuleViolation
from croupier.games import EnvyPaid, WagerSettled
from croupier.money import Cents
from croupier.present import (
    any_of,
    average_gain,
    capitalized,
    dollars,
    gain,
    hand_words,
    line_words,
    listed,
    refusal_words,
    spoken,
)
from croupier.rulebook.names import Game

if TYPE_CHECKING:
    from croupier.analysis import Advice

__all__ = [
    "HOW",
    "action_words",
    "envy_line",
    "main_line",
    "net_words",
    "refused_words",
    "review_words",
    "side_line",
    "value_rows",
]

HOW: Final[dict[Game, str]] = {
    "mississippi_stud": (
        "You get two cards; three community cards lie face down. Before each one is turned up, you bet 1, 2 or 3 times "
        "your ante, or fold. There is no dealer's hand to beat: your five cards pay according to the paytable."
    ),
    "let_it_ride": (
        "You make three equal bets and get three cards; two community cards lie face down. Before each one is turned "
        "up, you take one bet back or let it ride. Your five cards pay according to the paytable."
    ),
    "high_card_flush": (
        "You and the dealer get seven cards each. The longer flush wins; if they are equally long, the higher one. "
        "Raise up to what the length of your flush allows, or fold. "
        "The dealer qualifies with a three-card flush, 9-high or better."
    ),
}


# --- how bets ended


def main_line(results: Sequence[WagerSettled]) -> str:
    """The main game in one line, however many bets were on it."""
    back = [settled.wager for settled in results if settled.outcome == "withdrawn"]
    at_risk = [settled for settled in results if settled.outcome != "withdrawn"]
    said = list(dict.fromkeys(_ended(settled) for settled in at_risk))
    if len({settled.outcome for settled in at_risk}) > 1:
        said[-1] += ": " + ", ".join(f"{spoken(settled.wager)} {_VERBS[settled.outcome]}" for settled in at_risk)
    if back:
        said.append(f"{listed(map(spoken, back))} taken back")
    net = sum(settled.won + settled.returned - settled.staked for settled in results)
    return f"Main game: {'; '.join(said)}, {gain(net)}"


def side_line(settled: WagerSettled) -> str:
    """A side bet in one line."""
    net = settled.won + settled.returned - settled.staked
    return f"{capitalized(spoken(settled.wager))}: {_ended(settled)}, {gain(net)}"


def envy_line(envy: EnvyPaid) -> str:
    """An envy bonus in one line."""
    return f"Envy bonus: seat {envy.from_seat}'s {line_words(envy.hand)}, {gain(envy.won)}"


_VERBS: Final = {"win": "wins", "lose": "loses", "push": "pushes", "forfeit": "loses", "void": "is void"}


def _ended(settled: WagerSettled) -> str:
    made = hand_words(settled.made) if settled.made else "no hand"
    dealer = f"the dealer's {_short(settled.dealer)}" if settled.dealer else "the dealer"
    match settled.cause, settled.outcome:
        case "paytable", "win":
            cut = f", limited from {dollars(settled.before_limit)}" if settled.before_limit is not None else ""
            return f"{made} pays {settled.pays}{cut}"
        case "paytable", "push":
            return f"{made} pushes"
        case "paytable", _:
            return f"{made}, no pay"
        case "dealer", "win":
            return f"{_short(settled.made)} beats {dealer}"
        case "dealer", "push":
            return f"{_short(settled.made)} ties {dealer}"
        case "dealer", _:
            return f"{_short(settled.made)} loses to {dealer}"
        case "not_qualified", _:
            return f"{dealer} does not qualify"
        case "folded", _:
            return "folded, bet lost"
    return settled.why


def _short(code: str | None) -> str:
    """A hand in the middle of a sentence.

    >>> _short("three_card_flush T53")
    'three-card flush 10 5 3'
    """
    return hand_words(code or "nothing").replace(", ", " ", 1)


def net_words(who: str, net: int) -> str:
    """
    >>> net_words("You", 1050), net_words("Player 2", -2000), net_words("You", 0)
    ('You win $10.50', 'Player 2 loses $20', 'You break even')
    """
    ending = "" if who == "You" else "s"
    if net == 0:
        return f"{who} break{ending} even"
    return f"{who} win{ending} {dollars(net)}" if net > 0 else f"{who} lose{ending} {dollars(-net)}"


def refused_words(violation: RuleViolation, takes: Cents | None, chips: Cents, name: str) -> str:
    """Say why a bet is not taken: the rules with their clause, or the player's chips."""
    if violation.code != "not_enough_chips":
        return f"Not allowed: {refusal_words(violation)}"
    have = "you have" if name == "You" else f"{name} has"
    return (
        f"That takes {dollars(takes)}; {have} {dollars(chips)}."
        if takes
        else f"Not enough chips: {have} {dollars(chips)}."
    )


# --- what decisions are worth


def action_words(action: str) -> str:
    """
    >>> action_words("2x"), action_words("fold"), action_words("withdraw")
    ('2x', 'fold', 'take it back')
    """
    return {"ride": "let it ride", "withdraw": "take it back"}.get(action, action)


def value_rows(advice: Advice, ante: int, unit: str) -> list[tuple[str, str, str, str]]:
    """Each action, its value in dollars and in antes, and what it costs against the best; the best first."""
    rows = []
    for action, value in sorted(advice.actions.items(), key=lambda item: -item[1]):
        cost = "best" if action in advice.best else f"costs {average_gain(advice.cost(action) * ante).lstrip('+')}"
        rows.append(
            (action_words(action), average_gain(value * ante), f"{float(value):+.4f} {unit}".replace("-", "−"), cost)
        )
    return rows


def review_words(review: Review, unit: str) -> str:
    """What a decision was worth, once it is made."""
    if not review.antes:
        return "[green]Best play.[/green]"
    cost = f"${float(review.cents) / 100:,.2f}" if review.cents >= 1 else "less than a cent"
    best = any_of(map(action_words, review.best))
    return (
        f"[yellow]Not the best play:[/yellow] {best} is better by {cost} ({float(review.antes):.4f} {unit}) on average."
    )
