"""How each event changes a table. Nothing here judges: an event has happened, and says all that a fold must know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, get_args

from msgspec.structs import replace

from croupier.errors import BrokenRecord, RulesMismatch
from croupier.games import Round, open_round
from croupier.games import events as round_events
from croupier.games.evolve import evolve as evolve_round
from croupier.money import MeterUnits
from croupier.progressive import Meter, house_meters, moved
from croupier.rulebook import TODAY, HouseRules, Laws, Submission, house_by, read_submission
from croupier.table import events as table_events
from croupier.table.accounts import METER_KINDS, RESERVE, TRAY, Posting, post
from croupier.table.events import Entry
from croupier.table.evolve_awards import AWARDS
from croupier.table.evolve_cards import CARDS
from croupier.table.postings import TO_TRAY, postings
from croupier.table.state import Proposal, Table, deck_in_play, new_table, stream_of, with_deck
from croupier.wire import decode_json

__all__ = ["create", "evolve", "fold", "rebuild"]


def evolve(table: Table, entry: Entry, laws: Laws = TODAY) -> Table:
    """The table after an entry of its record; `laws` has the house rules that the entry names."""
    if entry.seq != table.seq + 1 or entry.rules != table.house.hash or entry.stream != stream_of(table):
        raise _misplaced(table, entry)
    return fold(table, entry, laws)


def fold(table: Table, entry: Entry, laws: Laws = TODAY) -> Table:
    """The same, for an entry that was just made here and is in its place."""
    event = entry.event
    moves = postings(table, event)
    changes = _booked(table, moves) if moves else {}
    in_round = _IN_ROUND.get(type(event))
    if in_round is not None:
        changes |= in_round(table, event, evolve_round(_round(table), event))  # type: ignore[arg-type]
        after = table
    else:
        booked = replace(table, **changes) if changes else table
        if isinstance(event, table_events.RulesProposed):
            after, changes = _proposed(booked, event, entry, laws), {}
        else:
            change = _TABLE.get(type(event))
            if change is None:  # the first entry of a record, a second time
                raise BrokenRecord(f"{entry.stream}, entry {entry.seq}: {entry.name} has no place here")
            after, changes = change(booked, event, entry), {}
        if after.status == "idle" and not any(deck.stage == "spread" for deck in after.decks):
            changes["status"] = "open"
    state, stub = changes.get("round", after.round), changes.get("stub", after.stub)
    if (state is not table.round or stub != table.stub) and _asked(state, stub) != _asked(table.round, table.stub):
        changes["asked_at"] = entry.at
    return replace(after, seq=entry.seq, clock=entry.at, **changes)


def create(entry: Entry, laws: Laws = TODAY) -> Table:
    """The table that the first entry of its record makes."""
    event = entry.event
    place = f"{entry.stream}, entry {entry.seq}"
    if not isinstance(event, table_events.TableCreated) or entry.seq != 1:
        raise BrokenRecord(f"{place}: a record begins with table_created, not {entry.name}")
    submission, house = _rules(event.submission, event.rules, laws)
    table = new_table(submission, house, id=event.table)
    if (entry.rules, event.rulebook) != (house.hash, house.rulebook.hash) or entry.stream != stream_of(table):
        raise BrokenRecord(f"{place}: it is not the entry of this table under these rules")
    return replace(table, meters=_filled(table.meters, event.meters), clock=entry.at)


def _filled(meters: tuple[Meter, ...], units: tuple[tuple[str, MeterUnits], ...]) -> tuple[Meter, ...]:
    """The meters of a house with what they hold, as an event says it."""
    held = dict(units)
    if set(held) != {one.name for one in meters}:
        raise BrokenRecord(f"these rules have the meters {[one.name for one in meters]}, the record {sorted(held)}")
    return tuple(replace(one, units=held[one.name]) for one in meters)


def _misplaced(table: Table, entry: Entry) -> BrokenRecord:
    place = f"{entry.stream}, entry {entry.seq}"
    if entry.stream != stream_of(table):
        return BrokenRecord(f"{place}: it belongs to another record than {stream_of(table)}")
    if entry.seq != table.seq + 1:
        return BrokenRecord(f"{place}: entry {table.seq + 1} comes next")
    return BrokenRecord(f"{place}: it was judged by the rules {entry.rules[:12]}…, here are {table.house.hash[:12]}…")


def _rules(text: str, rules: str, laws: Laws) -> tuple[Submission, HouseRules]:
    submission = read_submission(decode_json(text))
    return submission, laws.house(rules, submission)


def _booked(table: Table, moves: tuple[Posting, ...]) -> dict[str, Any]:
    """What these postings change; a count of the tray before that no longer holds."""
    changes: dict[str, Any] = {}
    cents = [move for move in moves if move[0][0] not in METER_KINDS]
    if cents:
        changes["books"] = post(table.books, cents)
        if table.counted is not None and any(account == TRAY for account, _ in cents):
            changes |= {"counted": None, "verified": False}
    if len(cents) < len(moves):
        # A table that runs the meter of a link moves it; elsewhere the link's own record does.
        units = {move.account.of.rpartition("/")[2]: move.amount for move in moves if move.account.kind == "meter"}
        reserve = sum([move.amount for move in moves if move.account == RESERVE])
        changes["meters"] = tuple(moved(one, units.get(one.name, 0)) for one in table.meters)
        changes["reserve"] = MeterUnits(table.reserve + reserve)
    return changes


def _asked(state: Round | None, stub: str) -> tuple[int, int, str] | None:
    """What the round waits for, so that it is known since when."""
    return None if state is None else (state.at.index, state.turn, stub)


def rebuild(table: Table | None, entries: Iterable[Entry], laws: Laws = TODAY) -> Table:
    """The table that these entries make: of nothing, by a whole record, or of a table by what came after."""
    for entry in entries:
        table = create(entry, laws) if table is None else evolve(table, entry, laws)
    if table is None:
        raise BrokenRecord("a record without entries makes no table")
    return table


# --- people and the table


def _assigned(table: Table, event: table_events.PersonAssigned, _: Entry) -> Table:
    if event.post == "dealer":
        return replace(table, dealer=event.person)
    stay = tuple(one for one in table.floor if one != event.relieved)
    return replace(table, floor=(*stay, event.person))


def _attested(table: Table, event: table_events.AttestationMade, _: Entry) -> Table:
    return replace(table, attested=(*table.attested, event.what))


def _counted(table: Table, event: table_events.InventoryCounted, entry: Entry) -> Table:
    return replace(table, counted=event.amount, counted_by=entry.by.id, verified=False)


def _verified(table: Table, event: table_events.InventoryVerified, _: Entry) -> Table:
    return replace(table, counted=event.amount, verified=True)


def _opened(table: Table, event: table_events.TableOpened, entry: Entry) -> Table:
    if event.rules != table.house.hash:
        raise BrokenRecord(f"{entry.stream}, entry {entry.seq}: the table opened under other rules than its own")
    return replace(
        table, status="open", gaming_day=event.gaming_day, counted=None, verified=False, empty_since=entry.at, rounds=0
    )


def _closed(table: Table, *_: object) -> Table:
    return replace(
        table,
        status="closed",
        attested=(),
        dealer="",
        floor=(),
        counted=None,
        verified=False,
        before=None,
        rebuilt=None,
        idle_due=False,
    )


def _proposed(table: Table, event: table_events.RulesProposed, entry: Entry, laws: Laws) -> Table:
    submission, house = _rules(event.submission, event.rules, laws)
    return replace(
        table, proposal=Proposal(submission=submission, house=house, approval=event.approval, by=entry.by.id)
    )


def _rules_changed(table: Table, event: table_events.RulesChanged, _: Entry) -> Table:
    """New rules between rounds; what a meter holds is carried over (reading 182)."""
    proposal = table.proposal
    if proposal is None or proposal.house.hash != event.rules:
        raise BrokenRecord("rules changed that were not proposed")
    return replace(
        _with_house(table, proposal.house),
        submission=proposal.submission,
        proposal=None,
        attested=(),
        meters=_filled(house_meters(proposal.house), event.meters),
    )


def _method_changed(table: Table, event: table_events.MethodChanged, _: Entry) -> Table:
    """Another method under the law of this table: its own rulebook is at hand."""
    submission = read_submission(decode_json(event.submission))
    house = house_by(table.house.rulebook, submission)
    if house.hash != event.rules:
        raise RulesMismatch(f"this change of method does not give the rules {event.rules[:12]}… that the record names")
    return replace(_with_house(table, house), submission=submission)


def _with_house(table: Table, house: HouseRules) -> Table:
    """Cards that lie ready for another method are shuffled again."""
    ready = {"shuffled", "cut", "loaded"}
    decks = tuple(replace(deck, stage="stacked") if deck.stage in ready else deck for deck in table.decks)
    failed = tuple(device for device in table.failed if device not in {name for name, *_ in table.out_of_use})
    return replace(table, house=house, decks=decks, failed=failed)


# --- players


def _sat(table: Table, event: table_events.PlayerSat, entry: Entry) -> Table:
    minutes = table.house.options.idle_auto_minutes
    idle_due = table.idle_due
    if minutes and table.empty_since is not None and table.status == "open":
        idle_due = idle_due or entry.at - table.empty_since >= timedelta(minutes=minutes)  # reading 128
    return replace(
        table,
        seats=tuple(sorted((*table.seats, (event.seat, event.patron)))),
        arrived=table.arrived if event.patron in table.arrived else (*table.arrived, event.patron),
        empty_since=None,
        idle_due=idle_due,
    )


def _stood_up(table: Table, event: table_events.PlayerStoodUp, entry: Entry) -> Table:
    seats = tuple(one for one in table.seats if one[1] != event.patron)
    arrived = tuple(patron for patron in table.arrived if patron != event.patron)
    return replace(table, seats=seats, arrived=arrived, empty_since=table.empty_since if seats else entry.at)


# --- the round


def _sealed(table: Table, event: table_events.CardsSealed, _: Entry) -> Table:
    told = round_events.CardsIdentified(event.place, event.cards.open(), event.cards.salts)
    return replace(table, round=evolve_round(_round(table), told))


def _corrected(table: Table, event: table_events.HiddenCardCorrected, _: Entry) -> Table:
    salt = event.card.salts[0] if event.card.salts else b""
    corrected = round_events.CardCorrected(event.place, event.was.open()[0], event.card.open()[0], salt)
    return replace(table, round=evolve_round(_round(table), corrected))


def _noted(table: Table, *_: object) -> Table:
    return table


def _round(table: Table) -> Round:
    return table.round if table.round is not None else open_round(table.house)


def _in_round(_: Table, __: object, after: Round) -> dict[str, Any]:
    return {"round": after}


def _act_performed(table: Table, event: round_events.ActPerformed, after: Round) -> dict[str, Any]:
    wager = TO_TRAY.get(event.act)
    return {"round": after, "in_tray": (*table.in_tray, wager)} if wager is not None else {"round": after}


def _card_left(table: Table, _: object, after: Round) -> dict[str, Any]:
    """With its first card a deck is in play, and what is left of it is the stub."""
    deck = deck_in_play(table)
    if deck is None or deck.stage != "loaded":
        return {"round": after}
    return {"round": after, "decks": with_deck(table, deck.id, stage="in_play"), "stub": "out"}


def _ruled(table: Table, event: round_events.IrregularityRuled, after: Round) -> dict[str, Any]:
    if event.irregularity not in {"shoe_failed", "shoe_failed_after_deal"}:
        return {"round": after}
    return {"round": after, "failed": (*(one for one in table.failed if one != "shoe"), "shoe")}


def _wager_gone(_: Table, __: object, after: Round) -> dict[str, Any]:
    return {"round": after if after.boxes else None}  # where nobody bets there never was a round


def _round_closed(table: Table, _: object, after: Round) -> dict[str, Any]:
    deck = deck_in_play(table)
    changes: dict[str, Any] = {}
    if deck is not None:  # void before its first card it is shuffled again all the same
        changes = {
            "decks": with_deck(table, deck.id, stage="used", uncounted=deck.uncounted + 1),
            "uncounted": table.uncounted + 1,
            "last_deck": deck.id,
        }
        if deck.commitment:
            entropy = tuple(entropy for _, entropy in table.entropy)
            changes["sealed"] = (deck.commitment, entropy, deck.depth)
    return changes | {
        "round": None,
        "before": after,
        "rounds": table.rounds + 1,
        "played": table.played + 1,
        "stub": "none",
        "stub_counted": None,
        "examined": (),
        "in_tray": (),
        "awards": (),
        "entropy": (),
    }


_IN_ROUND: Final[dict[type, Callable[[Table, Any, Round], dict[str, Any]]]] = {
    **dict.fromkeys(get_args(round_events.Recorded), _in_round),
    round_events.ActPerformed: _act_performed,
    round_events.CardsDealt: _card_left,
    round_events.CardSetAside: _card_left,
    round_events.IrregularityRuled: _ruled,
    round_events.WagerTakenBack: _wager_gone,
    round_events.WagerReturned: _wager_gone,
    round_events.RoundClosed: _round_closed,
}
"""What an event of the round changes at the table, given the round after it."""
_TABLE: Final[dict[type, Callable[[Table, Any, Entry], Table]]] = {
    **CARDS,
    **AWARDS,
    table_events.PersonAssigned: _assigned,
    table_events.AttestationMade: _attested,
    table_events.InventoryCounted: _counted,
    table_events.InventoryVerified: _verified,
    table_events.TrayFilled: _noted,
    table_events.TrayCredited: _noted,
    table_events.TableOpened: _opened,
    table_events.GamingDayChanged: lambda table, event, _: replace(table, gaming_day=event.gaming_day),
    table_events.TableClosed: _closed,
    table_events.TableSuspended: lambda table, _, entry: replace(table, suspended=entry.by.role),
    table_events.TableReleased: lambda table, *_: replace(table, suspended=""),
    table_events.RulesChanged: _rules_changed,
    table_events.MethodChanged: _method_changed,
    table_events.PlayerSat: _sat,
    table_events.PlayerStoodUp: _stood_up,
    table_events.PlayerBoughtIn: _noted,
    table_events.DeckDueSoon: _noted,
    table_events.CardsSealed: _sealed,
    table_events.HiddenCardCorrected: _corrected,
    table_events.CardsShown: _noted,
    table_events.HoldingsReported: _noted,
    table_events.CoverAllColumnFixed: _noted,
    table_events.CardsExamined: lambda table, event, _: replace(table, examined=(*table.examined, *event.seats)),
    table_events.HandsRebuilt: lambda table, event, _: replace(table, rebuilt=(event.round, event.seats)),
    table_events.AwardNotVerified: _noted,
    table_events.GestureShown: _noted,
}
