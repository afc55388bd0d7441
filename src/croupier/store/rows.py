"""What a command at a table stores, as rows: lines with their postings, totals, and a row for each round it closes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from msgspec import json

from croupier.driver import Outcome
from croupier.games import events as round_events
from croupier.journal import DataKey, chain_hash, micros, seal_entry, write_line
from croupier.ledger import LedgerAccount, RoundLine, account_of, totals_of
from croupier.store.values import Append, Claim, Command, HeadMove, Row, Rows
from croupier.table import Entry, Person, Posting, Request
from croupier.table.events import SeedRevealed

__all__ = [
    "command_of",
    "current_round",
    "gathered",
    "giver_of",
    "is_first_bet",
    "postings_text",
    "reveal_rows",
    "round_rows",
    "table_append",
]

_WRITTEN: Final = json.Encoder()


def command_of(stream: str, request: Request) -> Command:
    """A command with a key, as it is remembered."""
    digest = sha256(repr((request.by, request.command, request.reason)).encode()).digest()
    return Command(stream, giver_of(request.by), request.key, digest)


def giver_of(person: Person) -> str:
    """Whoever gave a command, as it is remembered."""
    return f"{person.role}/{person.id}"


def table_append(
    outcome: Outcome, claim: Claim, *, day: str, key: int, cipher: DataKey, command: Command | None
) -> Append:
    """The lines of an outcome, chained to those before, with everything that they move and add up to."""
    stream, head = claim.stream, claim.hash
    lines: list[Row] = []
    accounts: dict[str, LedgerAccount] = {}
    moves: list[tuple[str, int]] = []
    totals: list[tuple[str, str, str, int]] = []
    time, at = outcome.entries[0].at, micros(outcome.entries[0].at)  # mostly the same for all of them
    for entry, moved in zip(outcome.entries, outcome.moves, strict=True):
        if entry.at is not time:
            time, at = entry.at, micros(entry.at)
        line, sealed = write_line(entry), seal_entry(entry, cipher)
        head = chain_hash(head, line)
        sealed_by = key if sealed is not None else None
        sums = _by_account(stream, moved, accounts) if moved else []
        moves += sums
        text = postings_text(sums)
        lines.append((stream, entry.seq, entry.name, at, entry.round, line, sealed, sealed_by, head, text))
        if added := totals_of(entry.event, moved):
            totals += [(stream, day, name, amount) for name, amount in added if amount]
    rows: Rows = {"event": lines}
    if reveals := reveal_rows(outcome.entries):
        rows["reveal"] = reveals
    if outcome.secrets:
        rows["secret"] = [(seed.commitment, stream, seed.wrap(cipher), key) for seed in outcome.secrets]
    return Append(
        heads=(HeadMove(stream, claim.epoch, claim.seq, outcome.entries[-1].seq, head),),
        rows=rows,
        accounts=tuple(accounts.values()),
        moves=tuple(moves),
        totals=tuple(totals),
        spent=outcome.spent,
        command=command,
    )


def reveal_rows(entries: Sequence[Entry]) -> list[Row]:
    """Where seeds are revealed."""
    return [
        (entry.event.commitment, entry.stream, entry.seq) for entry in entries if isinstance(entry.event, SeedRevealed)
    ]


def _by_account(stream: str, moved: Sequence[Posting], accounts: dict[str, LedgerAccount]) -> list[tuple[str, int]]:
    """What each account gains, in their order; one that gains nothing is left out."""
    sums: dict[str, int] = {}
    for account, amount in moved:
        named = account_of(stream, account)
        name = named.name
        accounts[name] = named
        sums[name] = sums.get(name, 0) + amount
    return [(name, amount) for name, amount in sums.items() if amount]


def postings_text(moves: Sequence[tuple[str, int]]) -> str | None:
    """What an entry moves, as it stands beside its line.

    >>> postings_text([("cage", -500), ("table/7/tray", 500)])
    '[["cage",-500],["table/7/tray",500]]'
    """
    return _WRITTEN.encode(moves).decode() if moves else None


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
