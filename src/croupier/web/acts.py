"""Decisions at a table as buttons with their keys, and the list of keys."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from croupier.money import format_dollars
from croupier.present import dollars
from croupier.rulebook import HouseRules
from croupier.server import Caller
from croupier.table.views import TableView
from croupier.web.words import action_label

__all__ = ["ActButton", "acts_of", "key_rows", "question_of"]

_KEYS: Final = {"fold": "f", "ride": "r", "withdraw": "w", "raise": "r"}


class ActButton(Struct, frozen=True, kw_only=True):
    """A decision as a button."""

    value: str
    label: str
    amount: str
    key: str
    least: str = ""
    most: str = ""
    step: str = ""
    between: str = ""
    """The most, the step and both ends in words where the player says how much."""
    priced: str = ""
    """What the trainer calls it: a raise is valued as the least one."""


def acts_of(seen: TableView, caller: Caller) -> list[ActButton]:
    """The answers to a decision that the viewer owes, with what each adds to the bets or gives up."""
    awaited = seen.awaiting
    if awaited.kind != "decision" or not caller.is_somebody or awaited.patron != caller.id:
        return []
    bets = {wager: amount for box in seen.seats if box.seat == awaited.seat for wager, amount in box.bets}
    risk, at_issue = sum(bets.values()), next((bets[wager] for wager in bets if wager == awaited.decision), 0)
    acts = []
    for choice in awaited.choices:
        free = choice.least != choice.most
        match choice.choice:
            case "fold":
                amount = f"lose {dollars(risk)}"
            case "ride" | "withdraw":
                amount = f"{dollars(at_issue)} {'stays' if choice.choice == 'ride' else 'back'}"
            case _:
                amount = dollars(choice.least) if choice.least else ""
        acts.append(
            ActButton(
                value=choice.choice,
                label=_label(choice.choice, awaited.decision or ""),
                amount="" if free else amount,
                key=_key(choice.choice),
                least=format_dollars(choice.least) if choice.choice == "raise" else "",
                most=format_dollars(choice.most) if free else "",
                step=format_dollars(choice.step) if free else "",
                between=f"{dollars(choice.least)} to {dollars(choice.most)}" if free else "",
                priced="1x" if choice.choice == "raise" else choice.choice,
            )
        )
    return acts


def question_of(seen: TableView) -> str:
    """What tells the decision that is awaited from every other one; nothing where none is."""
    awaited = seen.awaiting
    return f"{awaited.seat}-{awaited.since:%Y%m%d%H%M%S%f}" if awaited.since is not None else ""


def key_rows(house: HouseRules) -> list[tuple[str, str]]:
    """The letters and digits of this game, each with what it does."""
    offered = dict.fromkeys(name for choice in house.rulebook.play.choice for name in choice.choices)
    return [
        *((_key(name).upper(), _label(name)) for name in offered),
        ("U", "undo, until no more bets"),
        ("?", "this list"),
    ]


def _key(choice: str) -> str:
    return _KEYS.get(choice, choice[:1])


def _label(choice: str, decision: str = "") -> str:
    return action_label(choice, decision)
