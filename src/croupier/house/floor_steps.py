"""What commands about disputes, hand pays and calls for the floor demand, and what they lead to, with clauses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from croupier.errors import Malformed
from croupier.house import commands
from croupier.house.commands import HouseRequest
from croupier.house.refusals import LONGEST_NOTE, refuse
from croupier.house.state import HouseState
from croupier.ledger import DisputeAnswered, DisputeRaised, FloorCalled, FloorCame, HandPaySlipMade, HouseEvent
from croupier.money import MOST
from croupier.rulebook import load_rulebook
from croupier.rulebook.names import Duty

__all__ = ["FLOOR_STEPS"]

Events = tuple[HouseEvent, ...]
_LONGEST_REFERENCE: Final = 100
_LONGEST_CALL: Final = 200


def _cited(state: HouseState, table: str, duty: Duty) -> dict[str, Any]:
    """The clause of the document of this table that speaks of a duty; nothing where it does not."""
    if table not in state.tables:
        raise refuse("unknown_table", f"nobody has made table {table}")
    rows = load_rulebook(state.rules_of(state.tables[table]).rulebook).procedure.duty
    row = next((row for row in rows if row.do == duty), None)
    return {} if row is None else {"clause": row.clause, "reading": row.reading}


def _words(text: str, otherwise: str) -> str:
    if not text.strip():
        raise refuse("no_words", otherwise)
    if len(text) > LONGEST_NOTE:
        raise refuse("too_long", f"write at most {LONGEST_NOTE} characters")
    return text.strip()


def _raise(state: HouseState, command: commands.RaiseDispute, _: HouseRequest) -> Events:
    cited = _cited(state, command.table, "rebuild_hands")
    words = _words(command.words, "say what is disputed")
    if command.round < 1 or command.seat < 0:
        raise Malformed("name a round from 1 on, and a seat or none")
    if command.person and command.person not in state.people:
        raise refuse("unknown_person", f"{command.person} has no account here: name the seat and leave the player out")
    same = (command.table, command.round, command.person, command.seat)
    for dispute in state.floor.disputes.values():
        if dispute.is_open and (dispute.table, dispute.round, dispute.person, dispute.seat) == same:
            words = f"dispute {dispute.number} about this round waits for its answer: tell the floor more about it"
            raise refuse("raised_before", words, **cited)
    return (
        DisputeRaised(
            dispute=len(state.floor.disputes) + 1,
            person=command.person,
            table=command.table,
            round=command.round,
            seat=command.seat,
            words=words,
            **cited,
        ),
    )


def _answer(state: HouseState, command: commands.AnswerDispute, _: HouseRequest) -> Events:
    dispute = state.floor.disputes.get(command.dispute)
    if dispute is None:
        raise refuse("unknown_dispute", f"there is no dispute {command.dispute}")
    cited = _cited(state, dispute.table, "rebuild_hands")
    if not dispute.is_open:
        raise refuse("answered_before", f"dispute {dispute.number} was answered by {dispute.answered_by}", **cited)
    words = _words(command.words, "say why the settlement stands or not: the player reads it")
    return (DisputeAnswered(dispute=dispute.number, stands=command.stands, words=words, **cited),)


def _make_slip(state: HouseState, command: commands.MakeHandPaySlip, _: HouseRequest) -> Events:
    cited = _cited(state, command.table, "hand_pay_award")
    reference = command.reference.strip()
    if not reference or len(reference) > _LONGEST_REFERENCE:
        raise refuse("no_reference", f"give the number of the slip, at most {_LONGEST_REFERENCE} characters", **cited)
    if command.round < 1 or command.seat < 1 or not 0 < command.amount <= MOST:
        raise Malformed("name the round, the seat and the amount of the award")
    slips = state.floor.slips
    made = slips.get((command.table, command.round, command.seat))
    if made is not None and made.amount == command.amount:  # a corrected award is another one
        raise refuse("made_before", f"slip {made.reference} was made out for this award by {made.by}", **cited)
    if any(slip.reference == reference for slip in slips.values()):
        raise refuse("reference_used", f"slip {reference} is for another award", **cited)
    return (
        HandPaySlipMade(
            table=command.table,
            round=command.round,
            seat=command.seat,
            person=command.person,
            amount=command.amount,
            reference=reference,
            **cited,
        ),
    )


def _call(state: HouseState, command: commands.CallFloor, _: HouseRequest) -> Events:
    if command.table not in state.tables:
        raise refuse("unknown_table", f"nobody has made table {command.table}")
    if len(command.about) > _LONGEST_CALL:
        raise refuse("too_long", f"say in at most {_LONGEST_CALL} characters what it is about")
    return (FloorCalled(table=command.table, about=command.about.strip()),)


def _come(state: HouseState, command: commands.AnswerCall, _: HouseRequest) -> Events:
    if command.table not in state.floor.calls:
        raise refuse("no_call", f"no call from table {command.table} is open: somebody else has answered it")
    return (FloorCame(table=command.table),)


FLOOR_STEPS: Final[dict[type, Callable[[HouseState, Any, HouseRequest], Events]]] = {
    commands.RaiseDispute: _raise,
    commands.AnswerDispute: _answer,
    commands.MakeHandPaySlip: _make_slip,
    commands.CallFloor: _call,
    commands.AnswerCall: _come,
}
