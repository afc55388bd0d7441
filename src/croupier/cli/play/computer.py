"""How the computer's players decide: by a strategy that `croupier strategy` lists and `croupier.analysis` prices."""

from __future__ import annotations

from typing import NamedTuple

from croupier.cli.play.hands import HandSoFar
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.table.views import AwaitedView

__all__ = ["Decision", "computer_decides"]


class Decision(NamedTuple):
    """What a player does."""

    choice: str
    amount: Cents | None = None


def computer_decides(house: HouseRules, hand: HandSoFar, asked: AwaitedView) -> Decision:
    """Decide by the first strategy that is listed for the main game of a house."""
    from croupier.analysis import main_table, streets_of
    from croupier.analysis.flush import BY_HIGH_CARDS, flush_rules
    from croupier.analysis.streets import decide, named_strategies

    game = streets_of(house.rulebook)
    if game is None:
        raised = next(choice for choice in asked.choices if choice.choice == "raise")
        times = BY_HIGH_CARDS.raises(hand.own, flush_rules(house.rulebook)[1])
        return Decision("raise", Cents(times * raised.least)) if times else Decision("fold")
    strategy = named_strategies(house.rulebook, main_table(house))[0]
    adds = dict(zip(game.names, game.adds, strict=True))
    return Decision(decide(strategy, hand.known, 1 + sum(adds[choice] for choice in hand.decided)))
