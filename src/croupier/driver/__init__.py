"""Clients of a table: where its cards come from, and an automatic dealer who does whatever it awaits."""

from croupier.driver.dealer import Staff, acting_as, next_request, next_return
from croupier.driver.moments import (
    BEFORE_THE_DEAL,
    DURING_THE_DEAL,
    SETTLEMENT,
    Ruled,
    moments_of,
    ruled_at,
)
from croupier.driver.practice import PracticeHand, PracticeRound, PracticeStep, played
from croupier.driver.run import Outcome, TableRunner, decide
from croupier.driver.sources import CardsByHand, CardSource, FairShuffler, Seeds

__all__ = [
    "BEFORE_THE_DEAL",
    "DURING_THE_DEAL",
    "SETTLEMENT",
    "CardSource",
    "CardsByHand",
    "FairShuffler",
    "Outcome",
    "PracticeHand",
    "PracticeRound",
    "PracticeStep",
    "Ruled",
    "Seeds",
    "Staff",
    "TableRunner",
    "acting_as",
    "decide",
    "moments_of",
    "next_request",
    "next_return",
    "played",
    "ruled_at",
]
