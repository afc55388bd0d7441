"""A table being run: commands in, records out, with a source of cards and, if wanted, the automatic dealer."""

from __future__ import annotations

from croupier.driver.dealer import Staff, next_order
from croupier.driver.sources import Named, Source
from croupier.errors import RuleViolation
from croupier.table import Entry, Order, Table, give
from croupier.table.allowed import allowed
from croupier.table.engine import check_giver

__all__ = ["Run"]


class Run:
    """One table, its source of cards and who deals; `table` is where it stands."""

    def __init__(self, table: Table, source: Source | None = None, *, automatic: Staff | None = None) -> None:
        self.table = table
        self._source = source if source is not None else Named()
        self._automatic = automatic

    def give(self, order: Order) -> list[Entry]:
        """Everything that is recorded because of a command; a `RuleViolation` says what would be allowed instead."""
        try:
            found = self._one(order)
        except RuleViolation as violation:
            violation.allowed = allowed(self.table, order.by, order.at)
            raise
        while self._automatic is not None:
            following = next_order(self.table, order.at, staff=self._automatic)
            if following is None:
                break
            try:
                found += self._one(following)
            except RuleViolation:
                break  # somebody else's move is in the way: what was asked for has happened all the same
        return found

    def _one(self, order: Order) -> list[Entry]:
        check_giver(self.table, order)
        self.table, entries = give(self.table, self._source.complete(self.table, order))
        found = list(entries)
        for following in self._source.follow(self.table, entries):
            self.table, more = give(self.table, following)
            found += more
        return found
