"""Clients of a table: where its cards come from, and an automatic dealer who does whatever it awaits."""

from croupier.driver.dealer import Staff, acting_as, next_request, next_return
from croupier.driver.practice import PracticeHand, PracticeRound, PracticeStep, played
from croupier.driver.run import Outcome, TableRunner, decide
from croupier.driver.sources import CardsByHand, CardSource, FairShuffler, Seeds

__all__ = [
    "CardSource",
    "CardsByHand",
    "FairShuffler",
    "Outcome",
    "PracticeHand",
    "PracticeRound",
    "PracticeStep",
    "Seeds",
    "Staff",
    "TableRunner",
    "acting_as",
    "decide",
    "next_request",
    "next_return",
    "played",
]
