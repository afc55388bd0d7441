"""A small house with a store behind it: tables with automatic staff, and patrons who ask until they are answered.

A patron's next command follows from the table alone, so whoever finds the same table goes on in the same way.
"""

import asyncio
import random
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final

from croupier.driver import CardSource, FairShuffler, Staff, next_request
from croupier.fairness import Entropy, Sealed
from croupier.games import Offer, awaiting
from croupier.journal import write_line
from croupier.money import Cents
from croupier.rulebook import Stakes, check, load_rulebook, read_submission_text, starting_submission
from croupier.store import Store, StoredTable, open_table
from croupier.table import Entry, Person, Request, Table, allowed, chips_of, commands, new_table
from croupier.table.commands import COMMANDS
from support.random_play import BOOKS
from support.table_harness import START

PLAYERS: Final = ("ann", "bo")
OPERATOR: Final = Person("operator", "the house")
CHIPS: Final = Cents(1_000_000)
STAFF: Final = Staff()


@lru_cache(16)
def fresh_table(number: int) -> Table:
    """A new table; the rulebooks take turns."""
    raw = starting_submission(load_rulebook(BOOKS[number % len(BOOKS)]), every_wager=True)
    submission = read_submission_text(raw, name="a house")
    return new_table(submission, check(submission).rules(), id=str(number))


async def open_numbered(store: Store, number: int, source: CardSource) -> StoredTable:
    """The table of this number in a store, as it was left."""
    return await open_table(store, fresh_table(number), lambda _: source, by=OPERATOR, at=START, automatic=STAFF)


def next_command(table: Table, seed: object) -> Request:
    """What somebody at this table does next."""
    dice = random.Random(f"{seed} {table.id} {table.seq}")
    now = max(table.clock or START, START) + timedelta(seconds=dice.choice((0, 1, 20)))
    request = next_request(table, now, staff=STAFF)
    if request is None:
        request = _of_players(table, now, dice)
    return Request(request.by, request.at, request.command, key=f"after {table.seq}")


def _of_players(table: Table, now: Any, dice: random.Random) -> Request:  # noqa: ANN401 - a time
    seats = dict(table.people.seats)
    for seat, name in enumerate(PLAYERS, 1):
        player = Person("player", name)
        if seat not in seats:
            return Request(player, now, commands.Sit(seat))
        if chips_of(table, name) < CHIPS // 2:
            return Request(player, now, commands.BuyIn(CHIPS, brought=dice.random() < 0.5))
    state = table.round
    if state is not None and state.at.kind != "wagers":
        player = Person("player", seats[awaiting(state).seat])
        offers = [offer for offer in allowed(table, player, now) if offer.do == "decide"]
        return Request(player, now, _taken(dice.choice(offers), dice))
    closing = next_request(table, now, staff=STAFF, close_bets=True)
    if closing is not None and dice.random() < 0.4:
        return closing
    player = Person("player", dice.choice(PLAYERS))
    offers = [offer for offer in allowed(table, player, now) if offer.do in {"place_wager", "take_back"}]
    weights = [1 if offer.do == "take_back" else 8 for offer in offers]
    return Request(player, now, _taken(dice.choices(offers, weights)[0], dice))


def _taken(offer: Offer, dice: random.Random) -> commands.Command:
    return COMMANDS[offer.do](**{name: _value(allowed_, dice) for name, allowed_ in offer.fields})  # type: ignore[index]


def _value(allowed_: Any, dice: random.Random) -> Any:  # noqa: ANN401 - whatever an offer allows
    match allowed_:
        case Stakes():
            most = min(allowed_.maximum, 10 * allowed_.minimum)
            return allowed_.minimum + allowed_.increment * dice.randint(
                0, (most - allowed_.minimum) // allowed_.increment
            )
        case tuple():
            return dice.choice(allowed_)
    return allowed_


class Witness(FairShuffler):
    """A shuffler whose seeds somebody else has seen: `seen` tells how a deck must go on, whatever a store says."""

    def __init__(self, entropy: Entropy, seen: dict[str, Sealed]) -> None:
        super().__init__(entropy, salts=entropy)
        self._seen = seen

    def complete(self, table: Table, request: Request, seeds: Any) -> Any:  # noqa: ANN401 - as it is inherited
        completed = super().complete(table, request, seeds)
        if completed.secret is not None:
            self._seen[completed.secret.commitment] = completed.secret
        return completed


class Client:
    """Everybody at one table, and what they were told: it outlives the house."""

    def __init__(self, number: int, seed: object) -> None:
        self.seed: Final = seed
        self.number: Final = number
        self.stream: Final = f"table/{number}"
        self.asked: Request | None = None
        """The command that has not been answered yet: it is sent again, with the same key."""
        self.lines: Final[list[bytes]] = []
        """Every line that was acknowledged, in order."""
        self.keys: Final[dict[str, tuple[int, int]]] = {}
        """Every key that was acknowledged, with its first and last line."""
        self.table: Table | None = None
        """The table as it was when the last command was answered."""
        self.stored: StoredTable | None = None

    async def open(self, store: Store, source: CardSource) -> None:
        """Open the table in a store."""
        self.stored = await open_numbered(store, self.number, source)
        if not self.lines:
            await self._see_first(store)

    async def _see_first(self, store: Store) -> None:
        """The first line comes of opening the table, not of a command."""
        for first in await store.load(self.stream, until=1):
            self.lines.append(bytes(first.line))

    async def step(self, dice: random.Random) -> None:
        """One command, until it is answered; now and then it is sent twice, at once or one after the other."""
        assert self.stored is not None
        if self.asked is None:
            self.asked = next_command(self.stored.table, self.seed)
        request, again = self.asked, dice.random()
        if again < 0.1:
            answers = await asyncio.gather(*(self.stored.handle(request) for _ in range(2)), return_exceptions=True)
            for failure in answers:
                if isinstance(failure, BaseException):
                    raise failure
            first, second = ([entry.seq for entry in entries] for entries in answers if isinstance(entries, list))
            assert first == second, "a command that came twice was answered in two ways"
            entries = await self.stored.handle(request)
        else:
            entries = await self.stored.handle(request)
        if not self.lines:
            await self._see_first(self.stored.store)
        self.acknowledge(request, entries)
        if again > 0.9:
            later = await self.stored.handle(request)
            assert [entry.seq for entry in later] == [entry.seq for entry in entries]

    def acknowledge(self, request: Request, entries: list[Entry]) -> None:
        """A command was answered: from now on its lines must be there, once."""
        assert self.stored is not None
        assert request.key not in self.keys
        assert entries[0].seq == len(self.lines) + 1, "an answer leaves lines out"
        self.keys[request.key] = (entries[0].seq, entries[-1].seq)
        self.lines.extend(write_line(entry) for entry in entries)
        self.table = self.stored.table
        self.asked = None


def house_of(tables: int, seed: object) -> list[Client]:
    return [Client(number, seed) for number in range(tables)]
