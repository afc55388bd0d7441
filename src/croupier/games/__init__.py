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
from croupier.games.awaited import ACT_WORDS, Awaiting, awaiting
from croupier.games.check_report import CheckedRound, check_round, check_round_by
from croupier.games.closing_bets import unfinished_box
from croupier.games.dealing import DealPlan, Place, card_counts, deal_order
from croupier.games.engine import apply, legal_actions, problem
from croupier.games.events import Event, decode_event, encode_event
from croupier.games.evolve import evolve, rebuild, with_award_rejected
from croupier.games.irregularities import RULED
from croupier.games.limits import is_handpaid
from croupier.games.offers import CardsOf, Except, Offer, Range, admits, fits, is_name, offer, refuse
from croupier.games.payouts import forfeited, settle_round
from croupier.games.playing import WITH_CARDS, look_problem
from croupier.games.progress import past_envy
from croupier.games.raising import raise_limit, raise_stakes
from croupier.games.report_lines import LineReader
from croupier.games.results import (
    CouponSettled,
    EnvyPaid,
    Hand,
    Out,
    Outcome,
    SeatSettled,
    Settled,
    TableCards,
    WagerSettled,
)
from croupier.games.round import (
    Box,
    Faces,
    Round,
    box_at,
    hand_of,
    is_known,
    open_round,
    own_places,
    patron_of,
    plays,
    result,
)
from croupier.games.round_report import RoundReport, SeatReport, read_report
from croupier.games.rules import Rules, rules_of

__all__ = [
    "ACT_WORDS",
    "RULED",
    "WITH_CARDS",
    "Action",
    "Awaiting",
    "Box",
    "CardsOf",
    "CheckedRound",
    "CouponSettled",
    "DealPlan",
    "EnvyPaid",
    "Event",
    "Except",
    "Faces",
    "Hand",
    "LineReader",
    "Offer",
    "Out",
    "Outcome",
    "Place",
    "Range",
    "Round",
    "RoundReport",
    "Rules",
    "SeatReport",
    "SeatSettled",
    "Settled",
    "TableCards",
    "WagerSettled",
    "admits",
    "apply",
    "awaiting",
    "box_at",
    "card_counts",
    "check_round",
    "check_round_by",
    "deal_order",
    "decode_action",
    "decode_event",
    "encode_event",
    "evolve",
    "fits",
    "forfeited",
    "hand_of",
    "is_handpaid",
    "is_known",
    "is_name",
    "legal_actions",
    "look_problem",
    "offer",
    "open_round",
    "own_places",
    "past_envy",
    "patron_of",
    "plays",
    "problem",
    "raise_limit",
    "raise_stakes",
    "read_report",
    "rebuild",
    "refuse",
    "result",
    "rules_of",
    "settle_round",
    "unfinished_box",
    "with_award_rejected",
]
