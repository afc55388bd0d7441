"""What was recorded at the cage since a time: deposits, withdrawals, chips that came and went, reversals."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from msgspec import Struct

from croupier.journal import micros
from croupier.ledger import BookEntry, CageReversed, Deposited, Withdrawn, book_postings, read_book_line
from croupier.store.periods import entries_before
from croupier.store.store import Store

__all__ = ["CageMove", "cage_moves"]

_CAGE: Final = "cage"
_AT_ONCE: Final = 500


class CageMove(Struct, frozen=True, kw_only=True):
    """An entry of the cage, and what it added to its patron's account."""

    entry: BookEntry
    patron: str
    amount: int
    reversed: bool
    """Whether a later entry took it back."""

    @property
    def is_reversible(self) -> bool:
        """Whether the cage may still take it back."""
        return isinstance(self.entry.event, Deposited | Withdrawn) and not self.reversed


async def cage_moves(store: Store, since: datetime, *, patron: str | None = None, limit: int = 200) -> list[CageMove]:
    """The entries of the cage since a time, of one patron or of all, the newest first."""
    heads = await store.read("select seq from head where stream = $1", _CAGE)
    last = int(heads[0][0]) if heads else 0
    after = await entries_before(store, _CAGE, micros(since), last=last)
    moves: list[CageMove] = []
    taken_back: set[int] = set()
    while last > after and len(moves) < limit:
        low = max(after, last - _AT_ONCE)
        lines = await store.load(_CAGE, after=low, until=last)
        for stored in reversed(lines):
            entry = read_book_line(stored.line)
            event, whose = entry.event, str(getattr(entry.event, "patron", ""))
            if isinstance(event, CageReversed):
                taken_back.add(event.entry)
            if patron in (None, whose) and len(moves) < limit:
                amount = book_postings(event)[0].amount
                moves.append(CageMove(entry=entry, patron=whose, amount=amount, reversed=entry.seq in taken_back))
        last = low
    return moves
