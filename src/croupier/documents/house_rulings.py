"""Irregularities that can happen in a house, and what each demands there."""

from __future__ import annotations

from msgspec import Struct

from croupier.documents.card_procedure import stub_rounds
from croupier.documents.house_words import cites
from croupier.documents.paper import Words
from croupier.documents.steps import by_clause
from croupier.games import card_counts
from croupier.present import capitalized, irregularity_words, ruling_words
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Irregularity
from croupier.table import devices_of, expected_count

__all__ = ["WrittenRuling", "rulings"]


class WrittenRuling(Struct, frozen=True):
    """An irregularity that can happen in this house, and what it demands."""

    event: Irregularity
    happened: str
    demands: str
    law: Words


def rulings(house: HouseRules) -> list[WrittenRuling]:
    """Every irregularity that can happen with the cards, devices and wagers of this house."""
    places, devices = card_counts(house), devices_of(house)
    applies: dict[Irregularity, bool] = {
        "wrong_count_box": "six_card_box" in places,
        "box_exposed": "six_card_box" in places,
        "stub_wrong_misdealt": stub_rounds(house) is not None,
        "stub_wrong_deck": stub_rounds(house) is not None,
        "shuffler_failed": "shuffler" in devices,
        "shuffler_count_wrong": expected_count(house) is not None,
        "device_unusable": bool(devices),
    }
    return [
        WrittenRuling(
            row.event,
            capitalized(irregularity_words(row.event)),
            capitalized(ruling_words(house, row)),
            cites(by_clause(house, row)),
        )
        for row in house.rulebook.irregularities.irregularity
        if (not row.deal or house.deal in row.deal) and applies.get(row.event, True)
    ]
