"""The table's own fields: status, gaming day, rules. Each function returns the fields that change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from croupier.errors import BrokenRecord, RulesMismatch
from croupier.games import events as round_events
from croupier.games import evolve as evolve_round
from croupier.games import with_award_rejected
from croupier.rulebook import HouseRules, Laws, Submission, house_by, read_submission
from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import Proposal, Table
from croupier.wire import decode_json

__all__ = ["HOUSE", "rules_of"]

Changes = dict[str, Any]


def rules_of(text: str, rules: str, laws: Laws) -> tuple[Submission, HouseRules]:
    """The submission of an event, and the house rules that it names."""
    submission = read_submission(decode_json(text))
    return submission, laws.house(rules, submission)


def _attested(table: Table, event: table_events.AttestationMade, *_: object) -> Changes:
    return {"attested": (*table.attested, event.what)}


def _opened(table: Table, event: table_events.TableOpened, entry: Entry, _: Laws) -> Changes:
    if event.rules != table.house.hash:
        raise BrokenRecord(f"{entry.stream}, entry {entry.seq}: the table opened under rules that are not its own")
    return {"status": "open", "gaming_day": event.gaming_day, "rounds": 0}


def _day_changed(_: Table, event: table_events.GamingDayChanged, *__: object) -> Changes:
    return {"gaming_day": event.gaming_day}


def _closed(*_: object) -> Changes:
    return {"status": "closed", "attested": (), "last_round": None, "rebuilt": None, "idle_due": False}


def _suspended(_: Table, __: object, entry: Entry, ___: Laws) -> Changes:
    return {"suspended": entry.by.role}


def _released(*_: object) -> Changes:
    return {"suspended": ""}


def _idled(*_: object) -> Changes:
    return {"status": "idle", "idle_due": False}


def _proposed(_: Table, event: table_events.RulesProposed, entry: Entry, laws: Laws) -> Changes:
    submission, house = rules_of(event.submission, event.rules, laws)
    return {"proposal": Proposal(submission=submission, house=house, approval=event.approval, by=entry.by.id)}


def _rules_changed(table: Table, event: table_events.RulesChanged, *_: object) -> Changes:
    proposal = table.proposal
    if proposal is None or proposal.house.hash != event.rules:
        raise BrokenRecord("rules changed that were not proposed")
    return {"house": proposal.house, "submission": proposal.submission, "proposal": None, "attested": ()}


def _method_changed(table: Table, event: table_events.MethodChanged, *_: object) -> Changes:
    """A new method under this table's own rulebook."""
    submission = read_submission(decode_json(event.submission))
    house = house_by(table.house.rulebook, submission)
    if house.hash != event.rules:
        raise RulesMismatch(f"this change of method does not give the rules {event.rules[:12]}… that the record names")
    return {"house": house, "submission": submission}


def _sat(table: Table, _: object, entry: Entry, __: Laws) -> Changes:
    minutes, since = table.house.options.idle_auto_minutes, table.people.empty_since
    if not minutes or since is None or table.status != "open":
        return {}
    return {"idle_due": table.idle_due or entry.at - since >= timedelta(minutes=minutes)}  # reading 128


def _sealed(table: Table, event: table_events.CardsSealed, *_: object) -> Changes:
    if table.round is None:
        raise BrokenRecord("cards were sealed outside a round")
    if not event.cards.is_open:  # without the key a card is known once it is shown
        return {}
    identified = round_events.CardsIdentified(event.place, event.cards.open(), event.cards.salts)
    return {"round": evolve_round(table.round, identified)}


def _corrected(table: Table, event: table_events.HiddenCardCorrected, *_: object) -> Changes:
    if table.round is None:
        raise BrokenRecord("a card was corrected outside a round")
    if not event.card.is_open:
        return {}
    salt = event.card.salts[0] if event.card.salts else b""
    corrected = round_events.CardCorrected(event.place, event.was.open()[0], event.card.open()[0], salt)
    return {"round": evolve_round(table.round, corrected)}


def _shown(table: Table, event: table_events.CardsShown, *_: object) -> Changes:
    """With the key, the cards are known by now; without it, this says which they are."""
    state = table.round
    if state is None or all(state.faces.known[place] is not None for place in event.places):
        return {}
    for place, card in zip(event.places, event.cards, strict=True):
        state = evolve_round(state, round_events.CardsIdentified(place, (card,)))
    return {"round": state}


def _examined(table: Table, event: table_events.CardsExamined, *_: object) -> Changes:
    return {"examined": (*table.examined, *event.seats)}


def _rebuilt(_: Table, event: table_events.HandsRebuilt, *__: object) -> Changes:
    return {"rebuilt": (event.round, event.seats)}


def _award_rejected(table: Table, event: table_events.AwardRejected, *_: object) -> Changes:
    return {"round": with_award_rejected(table.round, event.seat) if table.round is not None else None}


HOUSE: Final[dict[type, Callable[[Table, Any, Entry, Laws], Changes]]] = {
    table_events.AttestationMade: _attested,
    table_events.TableOpened: _opened,
    table_events.GamingDayChanged: _day_changed,
    table_events.TableClosed: _closed,
    table_events.TableSuspended: _suspended,
    table_events.TableReleased: _released,
    table_events.TableWentIdle: _idled,
    table_events.RulesProposed: _proposed,
    table_events.RulesChanged: _rules_changed,
    table_events.MethodChanged: _method_changed,
    table_events.PlayerSat: _sat,
    table_events.CardsSealed: _sealed,
    table_events.HiddenCardCorrected: _corrected,
    table_events.CardsShown: _shown,
    table_events.CardsExamined: _examined,
    table_events.HandsRebuilt: _rebuilt,
    table_events.AwardRejected: _award_rejected,
}
