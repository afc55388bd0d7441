"""Patrons that play at a house through its API, by strategies that `croupier.analysis` prices.

They know what any client knows: the view of the table that the house sends them.
"""

from croupier.bots.crowd import Crowd
from croupier.bots.figures import BotFigures
from croupier.bots.patron import BotPlan, Patron
from croupier.bots.playbook import BotDecision, Playbook, playbook_for, strategy_names

__all__ = [
    "BotDecision",
    "BotFigures",
    "BotPlan",
    "Crowd",
    "Patron",
    "Playbook",
    "playbook_for",
    "strategy_names",
]
