"""What forms say where the names of commands and their arguments do not read well."""

from __future__ import annotations

from typing import Final

__all__ = ["ABOUT", "BUTTONS", "CHOICES", "FIELDS", "LABELS", "TO_PLAYERS", "TO_STAFF", "VERBS"]

VERBS: Final = {
    "add_entropy": "Add to the next shuffle",
    "assign": "Put on duty",
    "cancel_wager": "Cancel the bet",
    "change_day": "Begin the next gaming day",
    "change_method": "Change how cards are dealt",
    "close_table": "Close the table",
    "correct_card": "Correct the card",
    "count_inventory": "Count the tray",
    "count_stub": "Record the count of the stub",
    "credit_tray": "Credit the tray",
    "cut_deck": "Cut the deck",
    "decide": "Decide",
    "fill_tray": "Fill the tray",
    "find_conduct": "Record the violation",
    "hand_pay_award": "Record the hand pay",
    "inspect_deck": "Record the inspection",
    "load_deck": "Load the deck",
    "look": "Look at the cards",
    "offer_deck": "Cards are shown",
    "open_table": "Open the table",
    "order_recut": "Order another cut",
    "order_shuffle": "Order another shuffle",
    "pay_award": "Pay the award",
    "place_wager": "Bet",
    "rack_stub": "Rack the stub",
    "rebuild_hands": "Rebuild the hands",
    "receive_deck": "Receive the deck",
    "register": "Register the progressive bet",
    "reject_award": "Reject the award",
    "release_table": "Release the table",
    "remove_deck": "Remove the deck",
    "report_holdings": "Record the cards",
    "report_jam": "Report a jam",
    "restore_device": "Put the device back in service",
    "reveal": "Turn up",
    "rule": "Make this ruling",
    "set_aside": "Set the card aside",
    "set_idle": "Spread the cards",
    "shuffle_deck": "Cards are shuffled",
    "sit": "Sit down",
    "spread_deck": "Cards are spread",
    "stack_deck": "Cards are stacked",
    "suspend_table": "Suspend the table",
    "take_out_device": "Take the device out of service",
    "tell": "Identify cards",
    "tell_meter": "Read the meter",
    "turn_down_deck": "Cards are face down",
    "validate_award": "Validate the award",
    "verify_award": "Verify the award",
    "verify_deck": "Verify the inspection",
    "verify_inventory": "Confirm the count",
    "wash_deck": "Cards are washed",
}
"""What a button says where the command's name alone does not read well."""
LABELS: Final = {
    "depth": "Cards above the cover card",
    "how": "What becomes of the hand",
    "instead_of": "Relieves",
    "patron": "Player",
    "post": "Position",
}
ABOUT: Final = {
    "assign": "Put a dealer or a floorperson on duty at this table.",
    "attest": "Attest that this is in place, with the reference of its approval.",
    "change_day": "",
    "change_method": "Between rounds only.",
    "correct_card": "Say which card it really is.",
    "count_inventory": "Someone other than the dealer who counted must verify the count.",
    "credit_tray": "Chips go from the tray to the cage.",
    "cut_deck": "",
    "fill_tray": "Chips come from the cage.",
    "find_conduct": "Choose the rule, and say what happened.",
    "hand_pay_award": "Pay a validated award by hand, not from the tray.",
    "inspect_deck": "Say what is wrong with the deck, if anything.",
    "leave": "The hand is abandoned, or played on without decisions.",
    "offer_deck": "",
    "open_table": "",
    "order_recut": "Have a deck cut again before its first card.",
    "receive_deck": "Give the deck a name that tells it from others, and say what its backs look like.",
    "rebuild_hands": "From the record: every hand of a disputed round, or that of one seat.",
    "register": "The light at the seat is on. A chip that is not registered is not a bet, and goes back.",
    "reject_award": "The award goes back on the meter.",
    "remove_deck": "",
    "set_aside": "A card was found face up, or drawn in error and seen. The next card takes its place.",
    "set_idle": "Spread the cards of a table without players, face up where a player asks.",
    "suspend_table": "No round may begin until the table is released.",
    "verify_award": "",
}
"""What a form says where the command's own words name its arguments, or say no more than its heading."""
BUTTONS: Final = {"add_entropy": "Add to the shuffle", "count_inventory": "Record the count"}
"""What it says where the heading above it is longer."""
TO_PLAYERS: Final = {
    "add_entropy": "Your digits go into the seed of the shuffle, so that nobody alone decides the order of the cards.",
    "buy_in": "Buy chips at the table.",
    "stand_up": "Leave the table with all your chips.",
}
"""What a form is about where the command's own words are for the staff."""
TO_STAFF: Final = {
    "buy_in": "Chips from the tray for cash, which goes into the drop box.",
    "sit": "Enter the player's account name, or any name that tells you who it is.",
    "stand_up": "The player leaves with all chips.",
    "take_back": "The player takes the bet back before bets close.",
}
"""What it is about where the staff do it for a player."""
FIELDS: Final = {
    "entropy": ("Your hex digits", "Any even number of 0 to 9 and a to f, such as 7f03c2"),
    "attest.reference": ("Approval reference", ""),
    "attest.what": ("What is in place", ""),
    "buy_in.amount": ("Buy-in, in dollars", ""),
    "count_inventory.amount": ("Chips in the tray, in dollars", ""),
    "credit_tray.reference": ("Slip number", ""),
    "deal.cards": ("Cards, if they are known", ""),
    "deal.number": ("Cards dealt now", ""),
    "fill_tray.reference": ("Slip number", ""),
    "find_conduct.rule": ("Rule of conduct", ""),
    "hand_pay_award.reference": ("Slip number", ""),
    "inspect_deck.defects": ("Defects", "leave blank if there are none"),
    "offer_deck.turned_up": ("Shown face up", ""),
    "receive_deck.back": ("Color of the backs", "such as red"),
    "receive_deck.deck": ("Name of the deck", "such as red 1"),
    "receive_deck.design": ("Design of the backs", "if it has a name"),
    "receive_deck.preinspected": ("Inspected before delivery", ""),
    "receive_deck.preshuffled": ("Shuffled before delivery", ""),
    "verify_award.hand": ("The hand wins it", ""),
    "verify_award.light": ("The light of the seat is on", ""),
}
"""What a field is called, and what to type, where its name does not say it; of one command, or of all."""
CHOICES: Final = {
    "communication": "Talking about hands",
    "cover_all_mode": "Cover All mode of the device",
    "down": "Face down",
    "hands_off": "Hands off the cards",
    "own_hand": "One hand only",
    "touching": "Touching cards",
    "up": "Face up",
    "view": "Viewing cards",
}
"""What a value is called where its name does not read well."""
