"""Everybody who may look at a table, and an oracle that knows from the record which cards each of them may see.

The oracle reads the store with the house's key. A card may be seen by everybody once the record says that it was turned
up, and by its own player once the deal is complete; a seed, with its whole deck, once the round is closed.
"""

import asyncio
import json
import random
import re
from typing import Any, Final

from croupier.games import events as round_events
from croupier.games import own_places, patron_of
from croupier.journal import open_entry, read_line
from croupier.table import Entry
from croupier.table.events import CardsSealed, CardsShown, StubRacked
from support.http_house import HttpHouse, Lines, Received, Socket, Visitor

CARD: Final = re.compile(r"(?<![A-Za-z0-9_/+.:=-])[2-9TJQKA][cdhs](?![A-Za-z0-9_/+:=-])")
STAFF: Final = ("dealer", "floorperson", "pit manager", "regulator", "auditor", "cashier", "operator")
PLAYERS: Final = ("ann", "bob")
MAIN: Final = ("ante", "bet_1", "bet_2", "bet_3")


class Leak(AssertionError):
    """Somebody received a card before its time."""


class Oracle:
    """Which cards each person may have seen by now, by the record of one table alone."""

    def __init__(self, house: HttpHouse, table: str) -> None:
        self._house, self._table = house, table
        self._stream, self._seq = f"table/{table}", 0
        self._sealed: dict[int, str] = {}
        self.turned_up: set[str] = set()
        self._before: set[str] = set()
        """Cards of the last round that everybody saw."""
        self._own: dict[str, set[str]] = {}
        self._own_before: dict[str, set[str]] = {}
        self._complete = False
        self.hidden = 0
        """Cards that were ever hidden from somebody."""

    async def read(self) -> None:
        """Read what was recorded since."""
        store = self._house.store
        for line in await store.load(self._stream, after=self._seq):
            entry = read_line(bytes(line.line))
            if line.key is not None:
                entry = open_entry(entry, line.sealed, await store.cipher(line.key))
            self._take(entry)
            self._seq = line.seq
        self._note_own()

    def _take(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, CardsSealed):
            cards = [str(card) for card in event.cards.open()]
            self._sealed |= dict(enumerate(cards, event.place))
            self.hidden += len(cards)
        elif isinstance(event, CardsShown):
            self.turned_up |= {str(card) for card in event.cards}
        elif isinstance(event, StubRacked):
            self._complete = True
        elif isinstance(event, round_events.RoundClosed):
            self._before, self._own_before = self.turned_up, self._own
            self.turned_up, self._own, self._sealed, self._complete = set(), {}, {}, False

    def _note_own(self) -> None:
        """Players look at their own cards once the deal is complete."""
        state = self._house.desk.hall.live[self._table].table.round
        if state is None or not self._complete:
            return
        for box in state.boxes:
            cards = {self._sealed[place] for place in own_places(state, box.seat) if place in self._sealed}
            self._own.setdefault(patron_of(state, box), set()).update(cards)

    def may_see(self, patron: str) -> set[str]:
        """Every card that a person may have seen in this round or the last."""
        mine = self._own.get(patron, set()) | self._own_before.get(patron, set())
        return self.turned_up | self._before | mine

    def check(self, received: Received, patron: str) -> None:
        """Raise `Leak` if somebody received a card that is not theirs to see yet."""
        seen = set(CARD.findall(without_seeds(received.text)))
        if early := seen - self.may_see(patron):
            raise Leak(f"{received.who} received {sorted(early)} by {received.how}: {received.text[:2000]}")


def without_seeds(text: str) -> str:
    """A message without the decks of rounds that are over; a seed is in an entry of its own, after the round."""
    if "seed_revealed/1" not in text:
        return text
    value = json.loads(text)
    _strip(value)
    return json.dumps(value)


def _strip(value: Any) -> None:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        if value.get("event") == "seed_revealed/1":
            value.clear()
        for item in value.values():
            _strip(item)
    elif isinstance(value, list):
        for item in value:
            _strip(item)


class Onlookers:
    """Everybody at one table, with a socket each."""

    def __init__(self, house: HttpHouse, table: str, lines: Lines, dice: random.Random) -> None:
        self.house, self.table, self.lines, self.dice = house, table, lines, dice
        self.oracle = Oracle(house, table)
        self.visitors: dict[str, Visitor] = {}
        self._sockets: list[Socket] = []
        self._checked = 0
        self.messages = 0

    async def gather(self) -> None:
        """Let everybody come."""
        for name in (*PLAYERS, *STAFF):
            self.visitors[name] = await self.house.visitor(name, recorded=True)
        self.visitors["passerby"] = self.house.stranger(recorded=True)
        self.visitors["device"] = await self.house.device(["register", "read:meters"], recorded=True)
        if "carl" not in self.house.people.house.state.people:
            await self.house.add("carl", "player")
        self.visitors["carl"] = await self.house.visitor("carl", "correct horse battery", recorded=True)
        for seat, name in enumerate(PLAYERS, 1):
            for answer in (
                await self.visitors[name].command(self.table, "sit", seat=seat),
                await self.visitors[name].command(self.table, "buy_in", amount="100000.00"),
            ):
                assert answer.status_code == 200, answer.text
        await self.house.tick(self.table)
        self._sockets = [visitor.socket(self.table) for visitor in self.visitors.values()]
        await self.look()

    async def leave(self) -> None:
        for socket in self._sockets:
            await socket.close()

    async def look(self) -> None:
        """Let every socket arrive, ask here and there, and hold everything against the oracle."""
        visitor = self.dice.choice(list(self.visitors.values()))
        await visitor.get(f"/api/tables/{self.table}")
        match self.dice.randrange(6):
            case 0:
                self.house.record.append(Received("monitoring", "metrics", (await visitor.get("/metrics")).text))
            case 1:
                await visitor.get(f"/api/rounds?table={self.table}&limit=2")
            case 2:
                live = self.house.desk.hall.live[self.table].table
                await visitor.get(f"/api/rounds/{self.table}-{live.played + self.dice.randrange(2)}")
            case 3:
                await self.probe(visitor)
        shown = self.house.desk.hall.live[self.table]
        while any(watcher.told < shown.told for watcher in shown._watchers):  # noqa: SLF001, ASYNC110 - views follow the answer
            await asyncio.sleep(0)
        for _ in range(6):
            await asyncio.sleep(0)
        await self.oracle.read()
        for received in self.house.record:
            self.oracle.check(received, self.visitors[received.who].id if received.who in self.visitors else "")
        self.messages += len(self.house.record)
        self.house.record.clear()
        for line in self.lines.lines:
            self.oracle.check(Received("the log", "log", line), "nobody")
        self.lines.lines.clear()
        for socket in self._sockets:
            socket.drain()

    async def probe(self, visitor: Visitor) -> None:
        """Ask for something that is refused, in the hope that the refusal says too much."""
        card = self.dice.choice("23456789TJQKA") + self.dice.choice("cdhs")
        probes: list[tuple[str, dict[str, Any]]] = [
            ("deal", {"cards": card}),
            ("tell", {"place": 1, "cards": card}),
            ("correct_card", {"place": 1, "card": card}),
            ("set_aside", {"irregularity": "card_drawn_seen", "card": card}),
            ("reveal", {"slot": "community"}),
            ("look", {"seat": 1}),
            ("look", {"seat": 2}),
            ("settle", {"what": "hand", "seat": 1}),
            ("rebuild_hands", {"seat": 1}),
            ("decide", {"seat": 2, "choice": "raise", "amount": "999999.00"}),
        ]
        do, arguments = self.dice.choice(probes)
        if do == "look" and visitor.name in PLAYERS:
            return  # a player's own act, which would be carried out
        answer = await visitor.command(self.table, do, **arguments)
        text = answer.text.replace(f"'{card}'", "").replace(f"{card} ", " ")  # what they said themselves
        self.house.record[-1] = self.house.record[-1]._replace(text=text)

    async def play_rounds(self, count: int) -> None:
        for _ in range(count):
            await self.play_round()

    async def play_round(self) -> None:
        """One round with random bets and decisions, looked at by everybody after every step."""
        live = self.house.desk.hall.live[self.table]
        played = live.table.played
        for seat, name in enumerate(PLAYERS, 1):
            await self._bet(name, seat)
        await self.house.tick(self.table, seconds=20)
        await self.look()
        for _ in range(12):
            asked = json.loads(bytes(live.shown(None)[1]))["awaiting"]
            if live.table.played > played or asked["kind"] != "decision":
                break
            name = PLAYERS[asked["seat"] - 1]
            choices = [choice for choice in asked["choices"] if choice["choice"] != "fold"] or asked["choices"]
            choice = self.dice.choice(asked["choices"] if self.dice.random() < 0.3 else choices)
            more = {"amount": choice["least"]} if choice["choice"] == "raise" else {}
            visitor = self.visitors[name]
            answer = await visitor.command(self.table, "decide", seat=asked["seat"], choice=choice["choice"], **more)
            assert answer.status_code == 200, answer.text
            await self.look()
        await self.house.tick(self.table, seconds=20)
        await self.look()
        assert live.table.played == played + 1, json.loads(bytes(live.shown(None)[1]))["awaiting"]

    async def _bet(self, name: str, seat: int) -> None:
        visitor, rules = self.visitors[name], self.house.desk.hall.live[self.table].table.house
        for wager in rules.wagers:
            if wager.stakes is None or wager.name in {"raise", "cover_all"} or wager.name.endswith("_street"):
                continue
            if wager.name in MAIN or self.dice.random() < 0.5:
                amount = f"{wager.stakes.minimum // 100}.{wager.stakes.minimum % 100:02}"
                answer = await visitor.command(self.table, "place_wager", seat=seat, wager=wager.name, amount=amount)
                assert answer.status_code in {200, 409}, answer.text
