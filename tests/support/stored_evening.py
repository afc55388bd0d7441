"""An evening at four tables in a store, always the same: one table for each rulebook, two gaming days, some trouble.

    python tests/support/stored_evening.py house.db

writes it to a new file, for trying out `croupier recall` and `croupier report`.
"""

import asyncio
import random
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

from croupier.cards import DECK, Card
from croupier.driver import CardsByHand, CardSource, FairShuffler, next_request
from croupier.errors import RuleViolation
from croupier.fairness import Entropy
from croupier.games import awaiting
from croupier.money import Cents
from croupier.rulebook import check, load_rulebook, read_submission, rulebook_ids, starting_submission
from croupier.store import Store, StoredTable, open_store, open_table
from croupier.store.sqlite import SqliteEngine
from croupier.table import Entry, Person, Request, allowed, chips_of, commands, new_table, open_awards

START: Final = datetime(2026, 1, 1, 18, tzinfo=UTC)
PLAYERS: Final = ("ann", "bo", "cy_1")
NAMES: Final = {"ann": "Ann Lee", "bo": "Bo Diaz"}
FLOOR: Final = Person("floorperson", "automatic floorperson")
MANAGER: Final = Person("pit_manager", "automatic manager")
TROUBLE: Final = 9
"""A ruling is asked for in every ninth round."""
DOUBTED: Final = 0.1
"""How often an award is rejected, at each step."""
LOW: Final = 100_000
"""Chips below which a player buys in again, in cents."""
WINNING: Final = 7
"""Every seventh round is dealt from a deck in order: hands that win the progressive."""


class Evening:
    """One table, played by chance from a seed."""

    def __init__(self, stored: StoredTable, seed: int, *, ordered: bool) -> None:
        self.stored, self.dice, self.now = stored, random.Random(seed), START
        self.ordered = ordered
        """Cards come by hand, and now and then in order."""

    async def handle(self, request: Request) -> list[Entry]:
        return await self.stored.handle(request)

    async def give(self, by: Person, command: commands.Command, reason: str = "") -> None:
        await self.handle(Request(by, self.now, command, reason))

    async def tried(self, by: Person, command: commands.Command, reason: str = "") -> bool:
        try:
            await self.give(by, command, reason)
        except RuleViolation:
            return False
        return True

    async def staff(self, *, close_bets: bool = False) -> None:
        while (request := next_request(self.stored.table, self.now, close_bets=close_bets)) is not None:
            await self.handle(self._with_cards(request))
            for award in open_awards(self.stored.table):
                if self.dice.random() < DOUBTED:
                    await self.tried(FLOOR, commands.RejectAward(award.seat), "the light was off")

    def _with_cards(self, request: Request) -> Request:
        if not self.ordered or not isinstance(request.command, commands.DealCards):
            return request
        state = self.stored.table.round
        assert state is not None
        seen = {*state.faces.known, *state.faces.aside}
        fresh: list[Card] = [card for card in DECK if card not in seen]
        if self.stored.table.played % WINNING:
            self.dice.shuffle(fresh)
        else:
            fresh.sort(key=lambda card: (str(card)[1], "AKQJT98765432".index(str(card)[0])))
        number = request.command.number
        return Request(request.by, request.at, commands.DealCards(number, tuple(fresh[:number])))

    async def sit(self) -> None:
        await self.staff()
        for seat, name in enumerate(PLAYERS, 1):
            player = Person("player", name)
            await self.give(player, commands.Sit(seat))
            await self.give(
                player, commands.BuyIn(Cents(self.dice.choice((200_000, 500_000, 1_200_000))), brought=name == "bo")
            )

    async def play(self, rounds: int) -> None:
        for number in range(rounds):
            self.now += timedelta(minutes=2)
            await self.staff()
            await self._bet()
            if self.stored.table.round is None:
                continue
            await self.staff(close_bets=True)
            if number % TROUBLE == TROUBLE - 1:
                await self._rule()
            await self._finish()

    async def _bet(self) -> None:
        for seat, name in self.stored.table.people.seats:
            player, unit = Person("player", name), self.dice.choice((1, 1, 2, 5))
            if chips_of(self.stored.table, name) < LOW:
                await self.give(player, commands.BuyIn(Cents(300_000), brought=False))
            for wager in self.stored.table.house.wagers:
                is_main = wager.paytables[0].group == "base"
                if wager.stakes is None or (not is_main and self.dice.random() < 0.3):
                    continue
                stake = min(wager.stakes.maximum, wager.stakes.minimum * unit)
                await self.tried(player, commands.PlaceWager(seat, wager.name, Cents(stake)))

    async def _rule(self) -> None:
        """An irregularity of chance, as far as the document knows one at this moment."""
        offers = [offer for offer in allowed(self.stored.table, FLOOR, self.now) if offer.do == "rule"]
        self.dice.shuffle(offers)
        for offered in offers:
            fields: dict[str, Any] = dict(offered.fields)
            for name in self.dice.sample(_any(fields["irregularity"]), len(_any(fields["irregularity"]))):
                seat = next((seat for seat in _any(fields.get("seat", 0)) if isinstance(seat, int)), 0)
                if await self.tried(FLOOR, commands.Rule(name, seat)):
                    return

    async def _finish(self) -> None:
        for _ in range(500):
            await self.staff(close_bets=True)
            state = self.stored.table.round
            if state is None:
                return
            seat = awaiting(state).seat
            player = Person("player", dict(self.stored.table.people.seats)[seat])
            offers = [offer for offer in allowed(self.stored.table, player, self.now) if offer.do == "decide"]
            choices = [choice for offer in offers for choice in _any(dict(offer.fields)["choice"])]
            playing = [choice for choice in choices if choice != "fold"]
            choice = self.dice.choice(playing if playing and self.dice.random() < 0.8 else choices)
            amount = None
            if choice == "raise":
                amount = next(box.stake("ante") for box in state.boxes if box.seat == seat)
            await self.give(player, commands.Decide(seat, choice, amount))
        raise AssertionError("the round does not end")

    async def between_days(self, day: date) -> None:
        await self.staff()
        await self.give(MANAGER, commands.FillTray(Cents(2_500_000), "F-1001"))
        await self.give(MANAGER, commands.CreditTray(Cents(700_000), "C-2001"))
        await self.give(Person("player", "cy_1"), commands.StandUp())
        self.now += timedelta(hours=3)
        await self.give(MANAGER, commands.ChangeDay(day))


E = TypeVar("E", bound=Evening)


def _any(allowed_values: Any) -> list[Any]:  # noqa: ANN401 - whatever an offer allows
    return list(allowed_values) if isinstance(allowed_values, tuple) else [allowed_values]


def _counting(blocks: Iterator[int]) -> Entropy:
    return Entropy(lambda size: next(blocks).to_bytes(size, "big"))


def _source(entropy: Entropy, *, ordered: bool) -> Callable[[Sequence[str]], CardSource]:
    source = CardsByHand(salts=entropy) if ordered else FairShuffler(entropy, salts=entropy)
    return lambda _: source


async def new_evening(store: Store, book: str, seed: int, *, ordered: bool, kind: type[E]) -> E:
    """A table of this rulebook in a store, with its players seated."""
    raw = tomllib.loads(starting_submission(load_rulebook(book), every_wager=True))
    submission = read_submission(raw | {"handpay": {"threshold": "250.00"}})
    table = new_table(submission, check(submission).rules(), id=f"{book.partition('-')[0]}_{seed}")
    source = _source(_counting(count(seed << 32)), ordered=ordered)
    stored = await open_table(store, table, source, by=Person("operator", "o1"), at=START)
    evening = kind(stored, seed, ordered=ordered)
    await evening.sit()
    return evening


async def play_evening(path: Path, *, rounds: int = 30) -> None:
    """Four tables in one store, two gaming days of `rounds` rounds each."""
    store = await open_store(str(path))
    assert isinstance(store.engine, SqliteEngine)
    store.engine._main.pragma("synchronous", "off")  # noqa: SLF001 - nobody's money: it need not survive a power cut
    for seed, book in enumerate(rulebook_ids(), 1):
        evening = await new_evening(store, book, seed, ordered=seed % 2 == 0, kind=Evening)
        await evening.play(rounds)
        await evening.between_days(date(2026, 1, 2))
        await evening.play(rounds)
    for person, name in NAMES.items():
        await store.engine.execute("insert into person(id, name) values($1, $2)", person, name)
    await store.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    asyncio.run(play_evening(target, rounds=int(sys.argv[2]) if len(sys.argv) > 2 else 30))
