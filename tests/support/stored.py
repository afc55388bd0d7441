"""A stored table under test: staff who go on until a player is awaited, with the cards that a test names."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from croupier.cards import DECK, Card, parse_cards
from croupier.driver import CardsByHand, Staff, next_request
from croupier.fairness import SYSTEM
from croupier.games import awaiting
from croupier.games.actions import Settle
from croupier.ledger import Author
from croupier.rulebook import check, read_submission
from croupier.store import Link, Store, StoredTable, check_ledger, open_store, open_table
from croupier.table import Entry, Person, Request, Table, commands, new_table
from support.table_harness import START

CASHIER = Author("cashier", "c1")
LINKED: dict[str, Any] = {
    "rulebook": "ma-mississippi-stud",
    "cards": {"deck_hours": 8},
    "wagers": {
        "progressive": {
            "paytable": "MS Stud MG-01",
            "stake": "1.00",
            "link": "harbor",
            "meters": {"main": {"initial": "10000.00", "reset": "10000.00", "rate": "0.20"}},
        }
    },
}
ROYAL = "Ah Kh Qh Jh Th"


class StoredHarness:
    """A table in a store; the staff deal these cards, then the rest of the deck."""

    def __init__(self, stored: StoredTable, cards: str = "") -> None:
        self.stored, self.now = stored, START
        self.cards: Sequence[Card] = parse_cards(cards) if cards else ()
        self.entries: list[Entry] = []

    @property
    def table(self) -> Table:
        return self.stored.table

    async def handle(self, request: Request) -> list[Entry]:
        entries = await self.stored.handle(request)
        self.entries += entries
        return entries

    async def player(self, name: str, command: commands.Command, key: str = "") -> list[Entry]:
        return await self.handle(Request(Person("player", name), self.now, command, key=key))

    async def staff(self, *, close_bets: bool = False) -> None:
        """Let the staff go on until a player is awaited."""
        while (request := self._next(close_bets=close_bets)) is not None:
            await self.handle(request)

    def _next(self, *, close_bets: bool) -> Request | None:
        request = next_request(self.table, self.now, close_bets=close_bets)
        state = self.table.round
        if request is None and state is not None and (asked := awaiting(state)).kind == "meter":
            settle = Settle("hand", asked.seat)  # a link says what its meter shows
            return Request(Person("dealer", self.table.people.dealer), self.now, settle)
        if request is None or not isinstance(request.command, commands.DealCards):
            return request
        seen = {*state.faces.known, *state.faces.aside} if state is not None else set()
        unseen = [card for card in dict.fromkeys((*self.cards, *DECK)) if card not in seen]
        return replace(request, command=replace(request.command, cards=tuple(unseen[: request.command.number])))

    async def play(self, name: str, seat: int, bets: dict[str, int], decisions: Sequence[str]) -> None:
        """One round of one player."""
        await self.staff()
        for wager, amount in bets.items():
            await self.player(name, commands.PlaceWager(seat, wager, amount))  # type: ignore[arg-type]
        await self.staff(close_bets=True)
        for decision in decisions:
            await self.player(name, commands.Decide(seat, decision, None))
            await self.staff()


async def harness(
    store: Store,
    raw: dict[str, Any],
    *,
    name: str = "1",
    cards: str = "",
    automatic: Staff | None = None,
    links: dict[str, Link] | None = None,
) -> StoredHarness:
    """A table of this submission in a store."""
    submission = read_submission(raw)
    table = new_table(submission, check(submission).rules(), id=name)
    stored = await open_table(store, table, lambda _: CardsByHand(salts=SYSTEM), automatic=automatic, links=links)
    return StoredHarness(stored, cards)


async def seated(table: StoredHarness, name: str, seat: int, chips: int) -> None:
    """Open the table and seat a player with chips."""
    await table.staff()
    await table.player(name, commands.Sit(seat))
    await table.player(name, commands.BuyIn(chips, brought=True))  # type: ignore[arg-type]


def with_store(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    """Do something with a store; afterwards everything in it must follow from its record."""

    async def run() -> None:
        store = await open_store(str(path / "house.db"))
        try:
            await work(store)
            report = await check_ledger(store)
            assert report.problems == ()
        finally:
            await store.close()

    asyncio.run(run())
