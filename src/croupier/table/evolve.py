"""A table from its record, entry by entry. Events are facts: nothing here checks them again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

from msgspec.structs import replace

from croupier.errors import BrokenRecord
from croupier.games import Round, open_round
from croupier.games import events as round_events
from croupier.games import evolve as evolve_round
from croupier.money import MeterUnits
from croupier.progressive import moved
from croupier.rulebook import TODAY, Laws
from croupier.table import events as table_events
from croupier.table.accounts import METER_KINDS, RESERVE, TRAY, Posting, post
from croupier.table.events import Entry
from croupier.table.folds import PARTS, Fold
from croupier.table.folds.house import HOUSE, rules_of
from croupier.table.folds.progressive import filled
from croupier.table.postings import postings
from croupier.table.state import Table, new_table, stream_of

__all__ = ["create", "evolve", "evolve_posting", "fold", "rebuild"]


def evolve(table: Table, entry: Entry, laws: Laws = TODAY) -> Table:
    """The table after an entry of its record; `laws` has the house rules that the entry names."""
    return evolve_posting(table, entry, laws)[0]


def evolve_posting(table: Table, entry: Entry, laws: Laws = TODAY) -> tuple[Table, tuple[Posting, ...]]:
    """The table after an entry of its record, and what the entry moves between accounts."""
    if entry.seq != table.seq + 1 or entry.rules != table.house.hash or entry.stream != stream_of(table):
        raise _misplaced(table, entry)
    return fold(table, entry, laws)


def fold(table: Table, entry: Entry, laws: Laws = TODAY) -> tuple[Table, tuple[Posting, ...]]:
    """The table after an entry that was just made here, so its place needs no check, and what the entry moves."""
    event, kind = entry.event, type(entry.event)
    moves = postings(table, event)
    changes = _booked(table, moves) if moves else {}
    if kind in _IN_ROUND:
        changes |= _round_changes(table, kind, event)  # type: ignore[arg-type]
    elif (change := HOUSE.get(kind)) is not None:
        changes |= change(table, event, entry, laws)
    elif kind is table_events.TableCreated:
        raise BrokenRecord(f"{entry.stream}, entry {entry.seq}: {entry.name} can only be the first entry")
    for part, part_fold in _FOLDS.get(kind, ()):
        before = changes[part] if part in changes else getattr(table, part)
        changes[part] = part_fold(before, event, entry, table)
    cards = changes.get("cards", table.cards)
    if changes.get("status", table.status) == "idle" and not any(deck.stage == "spread" for deck in cards.decks):
        changes["status"] = "open"
    state = changes.get("round", table.round)
    if (state is not table.round or cards is not table.cards) and _awaited(state, cards.stub) != _awaited(
        table.round, table.cards.stub
    ):
        changes["asked_at"] = entry.at
    return replace(table, seq=entry.seq, clock=entry.at, **changes), moves


def create(entry: Entry, laws: Laws = TODAY) -> Table:
    """The table created by the first entry of its record."""
    event = entry.event
    place = f"{entry.stream}, entry {entry.seq}"
    if not isinstance(event, table_events.TableCreated) or entry.seq != 1:
        raise BrokenRecord(f"{place}: a record begins with table_created, not {entry.name}")
    submission, house = rules_of(event.submission, event.rules, laws)
    table = new_table(submission, house, id=event.table)
    if (entry.rules, event.rulebook) != (house.hash, house.rulebook.hash) or entry.stream != stream_of(table):
        raise BrokenRecord(f"{place}: it does not create this table under these rules")
    progressive = replace(table.progressive, meters=filled(table.progressive.meters, event.meters))
    return replace(table, progressive=progressive, clock=entry.at)


def rebuild(table: Table | None, entries: Iterable[Entry], laws: Laws = TODAY) -> Table:
    """The table these entries rebuild: a whole record from nothing, or later entries on top of a table."""
    for entry in entries:
        table = create(entry, laws) if table is None else evolve(table, entry, laws)
    if table is None:
        raise BrokenRecord("a record without entries has no table")
    return table


def _misplaced(table: Table, entry: Entry) -> BrokenRecord:
    place = f"{entry.stream}, entry {entry.seq}"
    if entry.stream != stream_of(table):
        return BrokenRecord(f"{place}: it does not belong to {stream_of(table)}")
    if entry.seq != table.seq + 1:
        return BrokenRecord(f"{place}: expected entry {table.seq + 1}")
    return BrokenRecord(
        f"{place}: it was judged by the rules {entry.rules[:12]}…, but the table has {table.house.hash[:12]}…"
    )


# --- the books


def _booked(table: Table, moves: tuple[Posting, ...]) -> dict[str, Any]:
    """What these postings change; any movement of chips invalidates the last count of the tray."""
    changes: dict[str, Any] = {}
    cents = [move for move in moves if move[0][0] not in METER_KINDS]
    if cents:
        changes["books"] = post(table.books, cents)
        if table.tray.counted is not None and any(account == TRAY for account, _ in cents):
            changes["tray"] = replace(table.tray, counted=None, verified=False)
    if len(cents) < len(moves):
        # A table that runs the meter of a link moves it; elsewhere the link's own record does.
        units = {move.account.of: move.amount for move in moves if move.account.kind == "meter"}
        reserve = sum([move.amount for move in moves if move.account == RESERVE])
        changes["progressive"] = replace(
            table.progressive,
            meters=tuple(moved(meter, units.get(meter.name, 0)) for meter in table.progressive.meters),
            reserve=MeterUnits(table.progressive.reserve + reserve),
        )
    return changes


# --- the round


def _round_changes(table: Table, kind: type, event: round_events.Recorded) -> dict[str, Any]:
    """What an event of the round changes besides the parts."""
    after = evolve_round(table.round if table.round is not None else open_round(table.house), event)
    if kind is round_events.RoundClosed:
        rounds, played = table.rounds + 1, table.played + 1
        return {"round": None, "last_round": after, "rounds": rounds, "played": played, "examined": ()}
    # Where nobody bets any more there never was a round.
    return {"round": after if after.boxes or kind not in _GIVE_BACK else None}


def _awaited(state: Round | None, stub: str) -> tuple[int, int, str] | None:
    """What the round is waiting for; used to record when the wait began."""
    return None if state is None else (state.at.index, state.turn, stub)


_IN_ROUND: Final = frozenset(get_args(round_events.Recorded))
_GIVE_BACK: Final = {round_events.WagerTakenBack, round_events.WagerReturned}
_FOLDS: Final[dict[type, tuple[tuple[str, Fold], ...]]] = {
    kind: tuple((part, folds[kind]) for part, folds in PARTS.items() if kind in folds)
    for kind in get_args(table_events.Event)
}
"""The parts that each event changes, and how."""
