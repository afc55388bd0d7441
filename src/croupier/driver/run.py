"""Commands in, records out, all or nothing: a host stores what was decided, and only then has anything happened.

`decide` is a function of the table, the stored seeds and the command; it changes nothing. `TableRunner` is the loop
around it: decide, store, then move on to the new table. The automatic staff are one more caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from msgspec import Struct

from croupier.driver.dealer import Staff, next_request
from croupier.driver.sources import CardsByHand, CardSource, Seeds
from croupier.errors import RuleViolation
from croupier.fairness import Sealed
from croupier.table import Entry, Request, Table, allowed, check_giver, handle, judge
from croupier.table.events import DeckShuffled

__all__ = ["Outcome", "TableRunner", "decide", "staff_requests"]


class Outcome(Struct, frozen=True):
    """The result of a command before anything has happened: store all of it, or none."""

    table: Table
    """The table after the command."""
    entries: tuple[Entry, ...]
    secrets: tuple[Sealed, ...] = ()
    """Seeds to store with the entries."""
    spent: tuple[str, ...] = ()
    """Commitments whose seeds are revealed, or whose deck is reshuffled or gone: their seeds may be deleted."""

    def __add__(self, after: Outcome) -> Outcome:
        return Outcome(
            after.table, self.entries + after.entries, self.secrets + after.secrets, self.spent + after.spent
        )


def decide(table: Table, request: Request, source: CardSource, seeds: Seeds) -> Outcome:
    """The result of a command, with everything the source adds; a `RuleViolation` refuses the whole command.

    Randomness comes with the command (`source.draw`): the same table, seeds and command give the same outcome.
    """
    check_giver(table, request)
    return _decided(table, request, source, seeds)


def _decided(table: Table, request: Request, source: CardSource, seeds: Seeds) -> Outcome:
    completed = source.complete(table, request, seeds)
    after, entries = judge(table, completed.request)
    secrets = (completed.secret,) if completed.secret is not None and _is_shuffled(entries) else ()
    for following in source.follow(after, entries, seeds):
        after, more = handle(after, following)
        entries += more
    if table.cards.decks is after.cards.decks and table.fairness is after.fairness:
        return Outcome(after, entries, secrets)
    spent = _promised(table) - _promised(after)
    return Outcome(after, entries, secrets, tuple(sorted(spent)))


def _promised(table: Table) -> set[str]:
    """The commitments whose seeds are still needed: for decks at the table, and for a round yet to be proven."""
    promised = {deck.commitment for deck in table.cards.decks if deck.commitment}
    shuffle = table.fairness.unrevealed_shuffle
    return promised if shuffle is None else promised | {shuffle.commitment}


def _is_shuffled(entries: tuple[Entry, ...]) -> bool:
    """Whether a deck was shuffled: a count may have condemned it, and then there is no seed to keep."""
    return any(isinstance(entry.event, DeckShuffled) for entry in entries)


def staff_requests(runner: TableRunner, at: datetime, staff: Staff, *, most: int = 1_000) -> Iterator[Request]:
    """What the automatic staff do next, one command at a time, until the table awaits a player or somebody else.

    The caller gives each command at its own pace.
    """
    for _ in range(most):
        request = next_request(runner.table, at, staff=staff)
        if request is None:
            return
        yield request


class TableRunner:
    """One table and the store of its record; nothing moves before it is stored."""

    def __init__(
        self,
        table: Table,
        source: CardSource | None = None,
        *,
        automatic: Staff | None = None,
        store: Callable[[Outcome], None] = lambda _: None,
        seeds: Seeds | None = None,
    ) -> None:
        self.table = table
        self._source: Final = source if source is not None else CardsByHand()
        self._automatic: Final = automatic
        self._store: Final = store
        self._kept: Final[dict[str, Sealed]] = {}
        self._seeds: Final[Seeds] = seeds if seeds is not None else self._kept
        self.stopped: Exception | None = None
        """Why the automatic staff stopped, unless a refusal stopped them: the next command raises it."""

    def handle(self, request: Request) -> list[Entry]:
        """All entries that a command leads to; a `RuleViolation` says what would be allowed instead."""
        if self.stopped is not None:
            stopped, self.stopped = self.stopped, None
            raise stopped
        try:
            entries = list(self._carry_out(request))
        except RuleViolation as violation:
            violation.allowed = allowed(self.table, request.by, request.at)
            raise
        if self._automatic is not None:
            for following in staff_requests(self, request.at, self._automatic):
                try:
                    entries += self._carry_out(following)
                except RuleViolation:
                    break  # somebody else has to move first; the command itself has been carried out
                except Exception as error:  # noqa: BLE001 - the command itself is stored and must be answered
                    self.stopped = error
                    break
        return entries

    def _carry_out(self, request: Request) -> tuple[Entry, ...]:
        check_giver(self.table, request)  # only someone who may give a command draws randomness
        outcome = _decided(self.table, self._source.draw(request), self._source, self._seeds)
        self._store(outcome)
        for secret in outcome.secrets:
            self._kept[secret.commitment] = secret
        for commitment in outcome.spent:
            self._kept.pop(commitment, None)
        self.table = outcome.table
        return outcome.entries
