"""Commands in, records out, all or nothing: a host stores what was decided, and only then has anything happened.

`decide` is a function of the table, the stored seeds and the command; it changes nothing. `TableRunner` is the loop
around it: decide, store, then move on to the new table. The automatic staff are one more caller.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.driver.dealer import Staff, fill_for, staff_step
from croupier.driver.sources import CardsByHand, CardSource, Seeds
from croupier.errors import RuleViolation
from croupier.fairness import Sealed
from croupier.table import Entry, Posting, Request, Table, allowed, check_giver, judge
from croupier.table.events import DeckShuffled

__all__ = ["Outcome", "TableRunner", "decide"]


class Outcome(Struct, frozen=True):
    """The result of a command before anything has happened: store all of it, or none."""

    table: Table
    """The table after the command."""
    entries: tuple[Entry, ...]
    secrets: tuple[Sealed, ...] = ()
    """Seeds to store with the entries."""
    spent: tuple[str, ...] = ()
    """Commitments whose seeds are revealed, or whose deck is reshuffled or gone: their seeds may be deleted."""
    moves: tuple[tuple[Posting, ...], ...] = ()
    """What each entry moves between accounts."""

    def __add__(self, after: Outcome) -> Outcome:
        return Outcome(
            after.table,
            self.entries + after.entries,
            self.secrets + after.secrets,
            self.spent + after.spent,
            self.moves + after.moves,
        )


def decide(table: Table, request: Request, source: CardSource, seeds: Seeds) -> Outcome:
    """The result of a command, with everything the source adds; a `RuleViolation` refuses the whole command.

    Randomness comes with the command (`source.draw`): the same table, seeds and command give the same outcome.
    """
    check_giver(table, request)
    return _decided(table, request, source, seeds)


def _decided(table: Table, request: Request, source: CardSource, seeds: Seeds) -> Outcome:
    completed = source.complete(table, request, seeds)
    after, entries, moves = judge(table, completed.request)
    secrets = (completed.secret,) if completed.secret is not None and _is_shuffled(entries) else ()
    for following in source.follow(after, entries, seeds):
        check_giver(after, following)
        after, more, moved = judge(after, following)
        entries, moves = entries + more, moves + moved
    if table.cards.decks is after.cards.decks and table.fairness is after.fairness:
        return Outcome(after, entries, secrets, moves=moves)
    spent = _promised(table) - _promised(after)
    return Outcome(after, entries, secrets, tuple(sorted(spent)), moves)


def _promised(table: Table) -> set[str]:
    """The commitments whose seeds are still needed: for decks at the table, and for a round yet to be proven."""
    promised = {deck.commitment for deck in table.cards.decks if deck.commitment}
    shuffle = table.fairness.unrevealed_shuffle
    return promised if shuffle is None else promised | {shuffle.commitment}


def _is_shuffled(entries: tuple[Entry, ...]) -> bool:
    """Whether a deck was shuffled: a count may have condemned it, and then there is no seed to keep."""
    return any(isinstance(entry.event, DeckShuffled) for entry in entries)


class TableRunner:
    """One table and the store of its record; nothing moves before it is stored.

    What the automatic staff do after a command is stored together with it. A host that stores in its own way calls
    `decide`, stores the outcome, and then calls `accept`.
    """

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
        self.automatic = automatic
        self._store: Final = store
        self._kept: Final[dict[str, Sealed]] = {}
        self._seeds: Final[Seeds] = seeds if seeds is not None else self._kept
        self.stopped: Exception | None = None
        """Why the automatic staff stopped, unless a refusal stopped them: the next command raises it."""

    def handle(self, request: Request) -> list[Entry]:
        """All entries that a command leads to; a `RuleViolation` says what would be allowed instead."""
        outcome = self.decide(request)
        self._store(outcome)
        self.accept(outcome)
        return list(outcome.entries)

    def decide(self, request: Request, after: Outcome | None = None) -> Outcome:
        """The result of a command and of what the automatic staff do after it; nothing has happened yet.

        With `after`, the command comes after one that was decided and is not stored yet: both are stored together.
        """
        if self.stopped is not None:
            stopped, self.stopped = self.stopped, None
            raise stopped
        table, seeds = self.table, self._seeds
        if after is not None:
            table, seeds = after.table, _Fresh(seeds, after.secrets)
        try:
            outcome = self._decided(table, request, seeds)
        except RuleViolation as violation:
            violation.allowed = allowed(table, request.by, request.at)
            raise
        if after is not None:
            outcome = after + outcome
        return outcome if self.automatic is None else self._followed(outcome, request.at, self.automatic)

    def _followed(self, outcome: Outcome, at: datetime, staff: Staff) -> Outcome:
        """What the automatic staff do next, added to what was decided."""
        following = staff_step(outcome.table, at, staff)
        for _ in range(_MOST_STEPS):
            if following is None or (staff.results_first and self._is_over(outcome)):
                break
            try:
                outcome += self._decided(outcome.table, following, _Fresh(self._seeds, outcome.secrets))
            except RuleViolation as violation:  # where no fill helps somebody else has to move first
                following = fill_for(outcome.table, following, violation, staff)
                continue
            except Exception as error:  # noqa: BLE001 - the command itself must be stored and answered
                self.stopped = error
                break
            following = staff_step(outcome.table, at, staff)
        return outcome

    def _is_over(self, outcome: Outcome) -> bool:
        """Whether the round in play has just ended."""
        return outcome.table.round is None and self.table.round is not None

    def accept(self, outcome: Outcome) -> None:
        """Move on to a table whose entries are stored."""
        for secret in outcome.secrets:
            self._kept[secret.commitment] = secret
        for commitment in outcome.spent:
            self._kept.pop(commitment, None)
        self.table = outcome.table

    def _decided(self, table: Table, request: Request, seeds: Seeds) -> Outcome:
        check_giver(table, request)  # only someone who may give a command draws randomness
        return _decided(table, self._source.draw(request), self._source, seeds)


_MOST_STEPS: Final = 1_000


class _Fresh(NamedTuple):
    """The stored seeds, and those that were just decided on and are stored with them."""

    stored: Seeds
    fresh: tuple[Sealed, ...]

    def get(self, commitment: str, /) -> Sealed | None:
        """The seed behind a commitment."""
        return next((seed for seed in self.fresh if seed.commitment == commitment), None) or self.stored.get(commitment)
