"""A decision put to a function: what the player knows, which answers are legal, and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import iscoroutine
from traceback import extract_tb
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from croupier.cards import Card
from croupier.errors import Malformed
from croupier.games import Rules, raise_limit
from croupier.money import MILLION, Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Decision, WagerName
from croupier.rulebook.schema import Choice
from croupier.simulation.kernels.jit import SOURCES, Whole, compiled_and_kept
from croupier.simulation.kernels.streams import bounded
from croupier.simulation.plan import Plan
from croupier.wire import clip

__all__ = ["ACTS", "DecisionFunction", "DecisionPoint", "ask", "legal_acts", "slip"]

ACTS: Final = {"fold": 0, "withdraw": 1, "ride": 2, "1x": 1, "2x": 2, "3x": 3}
"""The actions as the kernels number them; those of one decision by rising number."""


class DecisionPoint(Struct, frozen=True, kw_only=True):
    """What a player knows when it is time to decide; amounts are cents."""

    round: int
    """Its number, from 0."""
    seat: int
    decision: Decision
    """`third_street`, `bet_1`, `raise`, …: the wager that it is about."""
    legal: tuple[str, ...]
    """What may be answered: `fold` and `1x` to `3x` (a raise as far as these cards allow), or `withdraw` and `ride`."""
    decided: tuple[str, ...]
    """What this seat did before in this round."""
    cards: tuple[Card, ...]
    """The player's own cards."""
    community: tuple[Card, ...]
    """The community cards turned up so far."""
    staked: Mapping[WagerName, Cents]
    """The bets on the box, without withdrawn ones."""
    meters: Mapping[str, Cents]
    """What each meter shows."""
    house: HouseRules


DecisionFunction: TypeAlias = Callable[[DecisionPoint], str]


def legal_acts(rules: Rules, choice: Choice, cards: Sequence[Card]) -> tuple[str, ...]:
    """What may be done with these cards, in the order of the kernels."""
    if "raise" in choice.choices:
        return ("fold", "1x", "2x", "3x")[: 1 + raise_limit(rules, cards).times]
    return tuple(sorted(choice.choices, key=ACTS.__getitem__))


def ask(name: str, decide: DecisionFunction, turn: DecisionPoint) -> str:
    """What the function of this name answers; `Malformed` when it fails, or when that is not legal."""
    where = f"{name} in round {turn.round} at seat {turn.seat}"
    try:
        answer: object = decide(turn)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        frames = extract_tb(error.__traceback__)[1:]
        own = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
        line = f", line {own[-1]}" if own else ""
        raise Malformed(f"{where}{line}: {type(error).__name__}: {_said(error, str)}") from error
    if type(answer) is not str or answer not in turn.legal:
        if iscoroutine(answer):
            answer.close()  # nobody waits for it
        allowed = f"allowed on {turn.decision} are {', '.join(turn.legal)}"
        raise Malformed(f"{where}: it answered {_said(answer, repr)}; {allowed}")
    return answer


def _said(what: object, how: Callable[[object], str]) -> str:
    """A short text for a value, even if its own `str` or `repr` fails."""
    try:
        return clip(how(what))
    except Exception:  # noqa: BLE001 - it is the user's
        return f"a {type(what).__name__} that cannot be printed"


def slip(plan: Plan, place: int, turn: DecisionPoint, meant: str, word: int) -> tuple[str, int]:
    """The action taken, sometimes a mistake: randomness is read the way the kernels read it."""
    seed, stream, number = np.uint64(plan.seed), place + 1, np.uint64(turn.round)
    drawn, word = _draw()(seed, stream, number, word, MILLION)
    if drawn >= plan.mistakes:
        return meant, word
    act, word = _draw()(seed, stream, number, word, len(turn.legal))
    return turn.legal[act], word


@cache
def _draw() -> Callable[..., tuple[int, int]]:
    sources = SOURCES

    @compiled_and_kept
    def draw(seed: Whole, stream: Whole, number: Whole, word: Whole, size: Whole) -> Whole:
        return bounded(seed, stream, number, word + 0 * sources, size)

    return draw
