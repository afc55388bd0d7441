"""Rounds: what they pay, and why."""

from croupier.games.dealing import Place, card_counts, deal_order
from croupier.games.described import Described, read_described
from croupier.games.lawful import InvalidSubmission, Lawful, check_lawful, lawful_in
from croupier.games.settlement import EnvyPaid, Hand, SeatSettled, Settled, WagerSettled, settle_round

__all__ = [
    "Described",
    "EnvyPaid",
    "Hand",
    "InvalidSubmission",
    "Lawful",
    "Place",
    "SeatSettled",
    "Settled",
    "WagerSettled",
    "card_counts",
    "check_lawful",
    "deal_order",
    "lawful_in",
    "read_described",
    "settle_round",
]
