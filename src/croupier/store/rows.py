"""What a command at a table stores, as rows: lines, postings, totals, and a line for each round that it closes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from croupier.driver import Outcome
from croupier.games import events as round_events
from croupier.journal import DataKey, chain_hash, micros, seal_entry, write_line
from croupier.ledger import LedgerAccount, RoundLine, account_of, totals_of
from croupier.store.values import Command, Row
from croupier.table import Entry, Posting, Request

__all__ = [
    "command_of",
    "current_round",
    "event_rows",
    "gathered",
    "is_first_bet",
    "posted",
    "round_rows",
    "total_rows",
]


def command_of(stream: str, request: Request) -> Command:
    """A command with a key, as it is remembered."""
    digest = sha256(repr((request.by, request.command, request.reason)).encode()).digest()
    return Command(stream, f"{request.by.role}/{request.by.id}", request.key, digest)


def event_rows(
    stream: str, entries: Sequence[Entry], head: bytes, key: int, cipher: DataKey
) -> tuple[list[Row], bytes]:
    """The lines of these entries, each with its hash and its sealed cards; and the last hash."""
    rows: list[Row] = []
    for entry in entries:
        line, sealed = write_line(entry), seal_entry(entry, cipher)
        head = chain_hash(head, line)
        sealed_by = key if sealed is not None else None
        rows.append((stream, entry.seq, entry.name, micros(entry.at), entry.round, line, sealed, sealed_by, head))
    return rows, head


def posted(stream: str, outcome: Outcome) -> tuple[list[Row], tuple[LedgerAccount, ...], tuple[tuple[str, int], ...]]:
    """The postings of an outcome, one for each entry and account; the accounts; what each gains, in order."""
    rows: list[Row] = []
    accounts: dict[str, LedgerAccount] = {}
    moves: list[tuple[str, int]] = []
    for entry, moved in zip(outcome.entries, outcome.moves, strict=True):
        for name, amount in _by_account(stream, moved, accounts).items():
            if amount:
                rows.append((stream, entry.seq, name, amount))
                moves.append((name, amount))
    return rows, tuple(accounts.values()), tuple(moves)


def _by_account(stream: str, moved: Sequence[Posting], accounts: dict[str, LedgerAccount]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for account, amount in moved:
        named = account_of(stream, account)
        accounts[named.name] = named
        sums[named.name] = sums.get(named.name, 0) + amount
    return sums


def total_rows(stream: str, day: str, outcome: Outcome) -> tuple[tuple[str, str, str, int], ...]:
    """What an outcome adds to the running totals of its table and gaming day."""
    return tuple(
        (stream, day, name, amount)
        for entry, moved in zip(outcome.entries, outcome.moves, strict=True)
        for name, amount in totals_of(entry.event, moved)
        if amount
    )


def round_rows(line: RoundLine) -> tuple[Row, list[Row]]:
    """A closed round, and its seats."""
    round_row = (
        line.stream, line.number, line.opened, line.closed, line.first, line.last, line.rules, int(line.void),
        line.staked, line.paid, _words(line.hands), _words(line.clauses), _words(line.irregularities),
    )  # fmt: skip
    seats: list[Row] = [
        (seat.patron, line.closed, line.stream, line.number, seat.seat, seat.staked, seat.paid) for seat in line.seats
    ]
    return round_row, seats


def _words(names: Sequence[str]) -> str:
    """Names in a column: each between bars, so that one can be looked for."""
    return f"|{'|'.join(names)}|" if names else ""


def is_first_bet(outcome: Outcome) -> bool:
    """Whether a round begins with this command."""
    return isinstance(outcome.entries[0].event, round_events.WagerPlaced)


def gathered(before: list[Entry], entry: Entry) -> list[Entry]:
    """The entries of the round in play with one more: it begins with a bet."""
    if not before and not isinstance(entry.event, round_events.WagerPlaced):
        return before
    return [*before, entry]


def current_round(entries: Sequence[Entry], number: int) -> list[Entry]:
    """The entries of the round in play, from its first bet on.

    Bets that were all taken back leave entries with the number of the round that came after them.
    """
    laid: set[tuple[int, str]] = set()
    gathered_so_far: list[Entry] = []
    for entry in entries:
        if entry.round != number:
            continue
        match entry.event:
            case round_events.WagerPlaced(seat=seat, wager=wager):
                if not laid:
                    gathered_so_far = []
                laid.add((seat, wager))
            case round_events.WagerTakenBack(changed=True):
                pass  # another amount takes its place at once
            case (
                round_events.WagerTakenBack(seat=seat, wager=wager) | round_events.WagerReturned(seat=seat, wager=wager)
            ):
                laid.discard((seat, wager))
            case _:
                pass
        gathered_so_far.append(entry)
    return gathered_so_far
