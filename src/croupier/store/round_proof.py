"""One round proved again from its lines: every settlement judged anew, every cent followed, without a key.

The table before the round comes from the nearest snapshot, or from the first line where there is none; from there on
everything follows from the lines. What they move is compared with what the store keeps beside them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from croupier.errors import CroupierError, RuleViolation
from croupier.games import Round, apply
from croupier.games import events as round_events
from croupier.games.actions import Close
from croupier.journal import read_line
from croupier.ledger import account_of
from croupier.rulebook import Archive, Laws
from croupier.store.laws import LawShelf
from croupier.store.recall import RecalledRound
from croupier.store.replaying import judged_again
from croupier.store.snapshots import snapshot_before
from croupier.store.store import Store
from croupier.table import Entry, Table, create, evolve_posting, postings

__all__ = ["ProvedMove", "RoundProof", "prove_round"]


class ProvedMove(Struct, frozen=True, kw_only=True):
    """What a round moves on an account: as it is stored, and as it follows from the lines."""

    account: str
    unit: str
    before: int | None
    """What it held before the round; None where other streams move it, too."""
    stored: int
    made: int


class RoundProof(Struct, frozen=True, kw_only=True):
    """What follows from the lines of a round."""

    begins: int
    """The entry after which the lines were followed."""
    settlements: int = 0
    differ: tuple[int, ...] = ()
    """The entries whose settlement is another one when it is judged again."""
    staked: int = 0
    paid: int = 0
    """What the round adds up to when it is closed again."""
    closes: bool = False
    """Whether the line that closed it, and the one in the list of rounds, say the same."""
    moves: tuple[ProvedMove, ...] = ()
    problem: str = ""
    """Why the lines could not be followed."""

    @property
    def same_cents(self) -> bool:
        """Whether every settlement is the same again."""
        return not self.problem and not self.differ and self.closes

    @property
    def sums_to_zero(self) -> bool:
        """Whether what is stored sums to zero in each unit."""
        sums = Counter[str]()
        for move in self.moves:
            sums[move.unit] += move.stored
        return not any(sums.values())

    @property
    def balanced(self) -> bool:
        """Whether what is stored is what follows from the lines, and sums to zero in each unit."""
        return not self.problem and self.sums_to_zero and all(move.stored == move.made for move in self.moves)


async def prove_round(store: Store, found: RecalledRound) -> RoundProof:
    """Follow the lines of a round, and compare."""
    shelf = LawShelf()
    await shelf.read(store)
    laws = Archive(shelf)
    try:
        start = await snapshot_before(store, found.stream, laws, found.first - 1)
    except CroupierError:  # without the house's key there is no snapshot, and none is needed
        start = None
    begins = start.seq if start is not None else 0
    lines = [bytes(line.line) for line in await store.load(found.stream, after=begins, until=found.last)]
    followed = await asyncio.to_thread(_followed, start, lines, laws, found)
    if isinstance(followed, str):
        return RoundProof(begins=begins, problem=followed, moves=await _moves(store, found, {}))
    closed = followed.closed
    return RoundProof(
        begins=begins,
        settlements=followed.settlements,
        differ=followed.differ,
        staked=closed.staked if closed is not None else 0,
        paid=closed.paid if closed is not None else 0,
        closes=followed.closes and closed is not None and (closed.staked, closed.paid) == (found.staked, found.paid),
        moves=await _moves(store, found, followed.made),
    )


class _Followed(Struct, frozen=True, kw_only=True):
    settlements: int
    differ: tuple[int, ...]
    closed: round_events.RoundClosed | None
    closes: bool
    made: dict[str, tuple[str, int]]


def _followed(start: Table | None, lines: Sequence[bytes], laws: Laws, found: RecalledRound) -> _Followed | str:
    """What the lines lead to; or why they lead nowhere."""
    made: dict[str, tuple[str, int]] = {}
    closings: list[tuple[round_events.RoundClosed | None, Entry]] = []
    settlements = 0

    def follow() -> Iterator[tuple[Round | None, Entry]]:
        nonlocal settlements
        table = start
        for line in lines:
            entry = read_line(line)
            before = table.round if table is not None else None
            if table is None:
                table = create(entry, laws)
                moved = postings(table, entry.event)
            else:
                table, moved = evolve_posting(table, entry, laws)
            if entry.seq < found.first:
                continue
            for account, amount in moved:
                named = account_of(found.stream, account)
                made[named.name] = named.unit, made.get(named.name, ("", 0))[1] + amount
            if isinstance(entry.event, round_events.RoundClosed):
                closings.append((_closed_again(before, entry), entry))
            settlements += isinstance(entry.event, round_events.HandSettled)
            yield before, entry

    try:
        differ = tuple(again.entry.seq for again in judged_again(follow()) if not again.agrees)
    except (CroupierError, LookupError, ValueError, TypeError, ArithmeticError) as error:
        return str(error) or type(error).__name__
    closed, entry = closings[-1] if closings else (None, None)
    closes = closed is not None and entry is not None and closed == entry.event
    return _Followed(settlements=settlements, differ=differ, closed=closed, closes=closes, made=made)


def _closed_again(before: Round | None, entry: Entry) -> round_events.RoundClosed | None:
    """What closing the round says now; None for any other entry, or if it cannot be closed."""
    if before is None or not isinstance(entry.event, round_events.RoundClosed):
        return None
    try:
        events = apply(before, Close())[1]
    except RuleViolation:
        return None
    return next((event for event in reversed(events) if isinstance(event, round_events.RoundClosed)), None)


async def _moves(store: Store, found: RecalledRound, made: dict[str, tuple[str, int]]) -> tuple[ProvedMove, ...]:
    rows = await store.read(
        "select p.account, a.unit, sum(p.amount) from posting p join account a on a.name = p.account"
        " where p.stream = $1 and p.seq >= $2 and p.seq <= $3 group by p.account, a.unit",
        found.stream,
        found.first,
        found.last,
    )
    held = await store.read(
        "select account, sum(amount) from posting where stream = $1 and seq < $2 group by account",
        found.stream,
        found.first,
    )
    before = {str(account): int(amount) for account, amount in held}
    stored = {str(account): (str(unit), int(amount)) for account, unit, amount in rows}
    return tuple(
        ProvedMove(
            account=name,
            unit=(stored.get(name) or made[name])[0],
            before=before.get(name, 0) if name.startswith(f"{found.stream}/") else None,
            stored=stored.get(name, ("", 0))[1],
            made=made.get(name, ("", 0))[1],
        )
        for name in sorted({*stored, *made})
        if stored.get(name, ("", 0))[1] or made.get(name, ("", 0))[1]
    )
