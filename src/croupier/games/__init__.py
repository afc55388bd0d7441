"""Rounds: played move by move by a pure state machine, and settled to the cent with the clause that decided.

>>> from croupier.rulebook import check, read_submission
>>> from croupier.games import actions
>>> house = check(read_submission({"rulebook": "ma-mississippi-stud", "cards": {"deck_hours": 8}})).rules()
>>> state = open_round(house)
>>> bet, fold = actions.PlaceWager(1, "ante", 1000), actions.Decide(1, "fold")
>>> for action in (bet, actions.Perform("announce"), actions.Deal(5), fold):
...     state, events = apply(state, action)
>>> [(wager.wager, wager.outcome, wager.clause) for wager in result(state).seats[0].wagers]
[('ante', 'forfeit', '10(a)')]
"""

from croupier.games.actions import Action, decode_action
from croupier.games.check_report import Lawful, check_lawful, lawful_in
from croupier.games.dealing import Place, card_counts, deal_order
from croupier.games.engine import Awaiting, apply, awaiting, legal_actions
from croupier.games.events import Event, decode_event, encode_event
from croupier.games.evolve import rebuild
from croupier.games.offers import Offer, admits
from croupier.games.payouts import settle_round
from croupier.games.results import EnvyPaid, Hand, SeatSettled, Settled, WagerSettled
from croupier.games.round import Box, Round, open_round, result
from croupier.games.round_report import Described, read_described

__all__ = [
    "Action",
    "Awaiting",
    "Box",
    "Described",
    "EnvyPaid",
    "Event",
    "Hand",
    "Lawful",
    "Offer",
    "Place",
    "Round",
    "SeatSettled",
    "Settled",
    "WagerSettled",
    "admits",
    "apply",
    "awaiting",
    "card_counts",
    "check_lawful",
    "deal_order",
    "decode_action",
    "decode_event",
    "encode_event",
    "lawful_in",
    "legal_actions",
    "open_round",
    "read_described",
    "rebuild",
    "result",
    "settle_round",
]
