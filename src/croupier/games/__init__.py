"""Rounds: what they pay, and why."""

from croupier.games.described import Described, read_described
from croupier.games.lawful import InvalidSubmission, Lawful, check_lawful, lawful_in
from croupier.games.settlement import EnvyPaid, Hand, SeatSettled, Settled, WagerSettled, settle_round

__all__ = [
    "Described",
    "EnvyPaid",
    "Hand",
    "InvalidSubmission",
    "Lawful",
    "SeatSettled",
    "Settled",
    "WagerSettled",
    "check_lawful",
    "lawful_in",
    "read_described",
    "settle_round",
]
