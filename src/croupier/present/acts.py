"""What the dealer does before the deal, in words."""

from __future__ import annotations

from typing import Final

from croupier.present.names import counted
from croupier.rulebook.names import Act

__all__ = ["ACTS", "act_words"]

ACTS: Final[dict[Act, str]] = {
    "announce": "announces no more bets",
    "lock_progressive": "locks the progressive",
    "collect_progressive": "collects the progressive chips",
    "count_progressive": "counts {chips} for the progressive",
    "progressive_to_tray": "puts the progressive chips in the tray",
    "collect_five_card": "collects the Five Card Bonus chips",
    "place_lammers": "places {lammers} for the Five Card Bonus",
    "count_five_card": "counts {chips} for the Five Card Bonus",
    "five_card_to_tray": "puts the Five Card Bonus chips in the tray",
}
"""What the dealer does, as it follows `The dealer`."""


def act_words(act: Act, number: int | None = None) -> str:
    """Say what the dealer does, with the number of chips or lammers where the act has one.

    >>> act_words("announce"), act_words("count_progressive", 2)
    ('announces no more bets', 'counts 2 chips for the progressive')
    """
    return ACTS[act].format(chips=counted(number or 0, "chip"), lammers=counted(number or 0, "lammer"))
