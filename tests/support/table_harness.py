"""A table under test: its runner, its clock and its record, and staff who go on until a player is awaited."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Any

from msgspec.structs import replace

from croupier.cards import DECK, Card
from croupier.driver import FairShuffler, Staff, TableRunner, next_request
from croupier.fairness import Entropy
from croupier.rulebook import check, read_submission
from croupier.table import Entry, Person, Request, Table, commands, new_table

START = datetime(2026, 1, 1, 18, tzinfo=UTC)


def table_of(raw: dict[str, Any]) -> Table:
    """A closed table under a submission."""
    submission = read_submission(raw)
    return new_table(submission, check(submission).rules())


def counting_shuffler() -> FairShuffler:
    """A shuffler whose randomness is 1, 2, 3, and so on."""
    blocks = count(1)
    return FairShuffler(Entropy(lambda size: next(blocks).to_bytes(size, "big")))


class TableHarness:
    """A table, its clock and its record; the staff deal `cards`, then the rest of the deck, or unnamed cards (None)."""

    def __init__(
        self,
        run: TableRunner,
        *,
        now: datetime = START,
        cards: Sequence[Card] | None = None,
        staff_names: Staff | None = None,
    ) -> None:
        self.run, self.first = run, run.table
        self.now, self.cards, self.staff_names = now, cards, staff_names
        self.given: list[Request] = []
        self.entries: list[Entry] = []

    @property
    def table(self) -> Table:
        return self.run.table

    def handle(self, request: Request) -> list[Entry]:
        entries = self.run.handle(request)
        self.given.append(request)
        self.entries += entries
        return entries

    def player(self, name: str, command: commands.Command) -> list[Entry]:
        return self.handle(Request(Person("player", name), self.now, command))

    def staff(self, *, close_bets: bool = False) -> None:
        """Let the staff go on until a player is awaited."""
        while (request := self.staff_request(close_bets=close_bets)) is not None:
            self.handle(request)

    def staff_step(self, *, close_bets: bool = False) -> None:
        """Let the staff give one command."""
        request = self.staff_request(close_bets=close_bets)
        assert request is not None, "the staff have nothing to do"
        self.handle(request)

    def staff_request(self, *, close_bets: bool = False) -> Request | None:
        """The next command of the staff, with the cards that they deal."""
        request = next_request(self.table, self.now, staff=self.staff_names, close_bets=close_bets)
        if request is None or self.cards is None or not isinstance(request.command, commands.DealCards):
            return request
        return replace(request, command=replace(request.command, cards=tuple(self.unseen()[: request.command.number])))

    def unseen(self) -> list[Card]:
        """The cards that nobody has seen in this round, in the order in which they are dealt."""
        state = self.table.round
        seen = {*state.faces.known, *state.faces.aside} if state is not None else set()
        return [card for card in dict.fromkeys((*(self.cards or ()), *DECK)) if card not in seen]
