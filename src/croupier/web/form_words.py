"""What forms say where the names of commands and their arguments do not read well."""

from __future__ import annotations

from typing import Final

__all__ = ["ABOUT", "BUTTONS", "FIELDS", "LABELS", "TO_PLAYERS", "VERBS"]

VERBS: Final = {
    "add_entropy": "Add to the next shuffle",
    "count_inventory": "Record the count",
    "cut_deck": "Cut the deck",
    "decide": "Decide",
    "find_conduct": "Record the violation",
    "look": "Look at the cards",
    "place_wager": "Bet",
    "sit": "Sit down",
    "tell": "Identify cards",
    "tell_meter": "Read the meter",
    "reveal": "Turn up",
}
"""What a button says where the command's name alone does not read well."""
LABELS: Final = {"depth": "Cards above the cover card", "instead_of": "Relieves"}
ABOUT: Final = {
    "assign": "Put a dealer on duty at the table, or a floorperson, who may relieve another.",
    "attest": "Attest before the table opens that something is in place, with the reference of its approval.",
    "correct_card": "Correct a card that was entered wrong.",
    "cut_deck": "Cut the deck with the cover card.",
    "suspend_table": "No round may begin until the table is released.",
}
"""What a form says where the command's own words name its arguments."""
BUTTONS: Final = {"add_entropy": "Add them"}
"""What it says where the heading above it is longer."""
TO_PLAYERS: Final = {
    "add_entropy": "Your digits go into the seed of the shuffle, so that nobody alone decides the order of the cards.",
    "buy_in": "Buy chips at the table.",
    "stand_up": "Leave the table with all your chips.",
}
"""What a form is about where the command's own words are for the staff."""
FIELDS: Final = {"entropy": ("Your digits", "pairs of 0 to 9 and a to f, such as 7f03c2")}
"""What a field is called, and what to type, where its name does not say it."""
