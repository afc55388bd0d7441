"""Rounds in a line or two: a house from a few settings, moves that must be offered, bets by name."""

from typing import Any

from croupier.games import Action, Round, actions, admits, apply, legal_actions
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, read_submission
from support.random_rounds import MA

__all__ = ["bets", "house", "play"]


def house(rulebook: str, **submission: Any) -> HouseRules:  # noqa: ANN401 - any part of a submission
    if rulebook == MA:
        submission.setdefault("cards", {"deck_hours": 8})
    return check(read_submission({"rulebook": rulebook, **submission})).rules()


def play(state: Round, *moves: Action) -> Round:
    for move in moves:
        assert any(admits(offer, move) for offer in legal_actions(state)), move
        state, _ = apply(state, move)
    return state


def bets(seat: int, **amounts: int) -> list[Action]:
    return [actions.PlaceWager(seat, name, Cents(amount)) for name, amount in amounts.items()]  # type: ignore[arg-type]
