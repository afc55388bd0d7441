"""A small house behind the API of the contract, in this process: real tables, people by name, and faults on request.

It shares no code with the server: it is what an outsider would write to try a client. Everything on one port.
"""

import asyncio
import threading
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import uvicorn

from croupier.driver import FairShuffler, Staff, TableRunner, next_request
from croupier.errors import Malformed, RuleViolation
from croupier.money import format_dollars
from croupier.rulebook import check, load_rulebook, read_submission_text, starting_submission
from croupier.table import Entry, Person, allowed, new_table, see, view
from croupier.table.codec import read_request, write_entry, write_offer, write_settled
from croupier.table.view_values import SlotCards
from croupier.table.views import BoxView, RoundView

RULEBOOKS: Final = ("md-mississippi-stud", "md-high-card-flush", "md-let-it-ride", "ma-mississippi-stud")
STAFF: Final = Staff()
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Answer = tuple[int, Any]


class FakeTable:
    """A table with automatic staff, who close the bets a moment after the last one."""

    def __init__(self, name: str, rulebook: str, betting_time: float) -> None:
        submission = read_submission_text(starting_submission(load_rulebook(rulebook), every_wager=True), name=name)
        table = new_table(submission, check(submission).rules(), id=name)
        self.name = name
        self.betting_time = betting_time
        self.runner = TableRunner(table, FairShuffler(), automatic=STAFF)
        self.kept: dict[tuple[str, str], Answer] = {}
        self.carried_out: Counter[str] = Counter()
        """How often each command was carried out, by key."""
        self.watchers: set[asyncio.Queue[tuple[Entry, ...]]] = set()
        self.hangers: set[asyncio.Event] = set()
        self.closing: asyncio.TimerHandle | None = None
        self.staff()

    def staff(self, *, close_bets: bool = False) -> None:
        """Let the staff do what is due."""
        entries: list[Entry] = []
        while (request := next_request(self.runner.table, now(), staff=STAFF, close_bets=close_bets)) is not None:
            entries += self.runner.handle(request)
        self.tell(tuple(entries))

    def tell(self, entries: tuple[Entry, ...]) -> None:
        for watcher in self.watchers:
            watcher.put_nowait(entries)

    def give(self, person: str, raw: Mapping[str, Any], key: str) -> Answer:
        """The answer to a command; the same key gives the first answer again."""
        if (person, key) in self.kept:
            return self.kept[person, key]
        answer = self._given(person, raw, key)
        if key:
            self.kept[person, key] = answer
        return answer

    def _given(self, person: str, raw: Mapping[str, Any], key: str) -> Answer:
        by = {"role": "player", "id": person}
        try:
            request = read_request({**raw, "by": by, "at": now().isoformat()}, self.runner.table.house)
            entries = self.runner.handle(request)
        except Malformed as error:
            return 400, {"title": "unreadable", "message": str(error)}
        except RuleViolation as violation:
            offers = allowed(self.runner.table, Person("player", person), now())
            return 409, {
                "code": violation.code,
                "clause": violation.clause,
                "reading": violation.reading,
                "message": str(violation),
                "allowed": [write_offer(offer) for offer in offers],
            }
        self.carried_out[key] += 1
        self.tell(tuple(entries))
        if raw["do"] == "place_wager":
            if self.closing is not None:
                self.closing.cancel()
            self.closing = asyncio.get_running_loop().call_later(self.betting_time, lambda: self.staff(close_bets=True))
        return 200, self.seen(person, entries)

    def seen(self, person: str | None, entries: Iterable[Entry] = ()) -> dict[str, Any]:
        """The table as somebody sees it."""
        audience = Person("player", person) if person else None
        shown = view(self.runner.table, audience)
        asked = shown.awaiting
        choices = [
            {"choice": choice.choice, "least": format_dollars(choice.least), "most": format_dollars(choice.most)}
            for choice in asked.choices
        ]
        return {
            "version": shown.version,
            "entries": [write_entry(entry) for raw in entries if (entry := see(raw, audience)) is not None],
            "view": {
                "status": shown.status,
                "rulebook": shown.rulebook,
                "awaiting": {"kind": asked.kind, "seat": asked.seat, "choices": choices, "deadline": None},
                "seats": [box(seat) for seat in shown.seats],
                "cards": places(shown.cards),
                "meters": {name: format_dollars(value) for name, value in shown.meters},
                "last_round": last(shown.last_round),
                "chips": None if shown.chips is None else format_dollars(shown.chips),
                "grown": "a field that no client knows yet",
            },
        }


def box(shown: BoxView) -> dict[str, Any]:
    return {
        "seat": shown.seat,
        "patron": shown.patron,
        "own": shown.own,
        "bets": {name: format_dollars(amount) for name, amount in shown.bets},
        "withdrawn": list(shown.withdrawn),
        "folded": shown.folded,
        "cards": " ".join(shown.cards),
        "results": [write_settled(settled) for settled in shown.results],
        "envy": [write_settled(envy) for envy in shown.envy],
    }


def places(cards: SlotCards) -> dict[str, str]:
    names = {"community": "board", "six_card_box": "box"}
    return {names.get(slot, slot): " ".join(shown) for slot, shown in cards}


def last(shown: RoundView | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    return {"number": shown.number, "seats": [box(seat) for seat in shown.seats], "cards": places(shown.cards)}


def now() -> datetime:
    return datetime.now(UTC)


class FakeHouse:
    """An ASGI application; `faults` says what happens to the next requests instead of, or after, being carried out."""

    def __init__(self, rulebooks: tuple[str, ...] = RULEBOOKS, *, betting_time: float = 0.15) -> None:
        self.tables = {
            str(number): FakeTable(str(number), name, betting_time) for number, name in enumerate(rulebooks, 1)
        }
        self.people = {"floor": "open sesame"}
        self.sessions: dict[str, str] = {}
        self.faults: list[str] = []
        """`503`: not carried out; `lost`: carried out, answered with 503; `429`: too often."""
        self.changes: list[tuple[str, str, Any]] = []
        """What the staff asked for: method, path and body."""
        self.requests: list[tuple[str, str, dict[str, str]]] = []

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        headers = {name.decode(): value.decode() for name, value in scope.get("headers", ())}
        cookies = dict(part.strip().split("=", 1) for part in headers.get("cookie", "").split(";") if "=" in part)
        person = self.sessions.get(cookies.get("session", ""))
        if headers.get("authorization") == "Bearer device-token":
            person = "a device"
        if scope["type"] == "websocket":
            await self.live(scope, receive, send, person)
        elif scope["type"] == "http":
            body = b""
            while (message := await receive())["type"] == "http.request":
                body += message.get("body", b"")
                if not message.get("more_body"):
                    break
            self.requests.append((scope["method"], scope["path"], headers))
            status, answer, more = self.answer(scope, headers, person, body)
            kind = b"application/json" if status < 400 else b"application/problem+json"
            start = [(b"content-type", kind), *((name.encode(), value.encode()) for name, value in more.items())]
            await send({"type": "http.response.start", "status": status, "headers": start})
            text = b"" if answer is None else msgspec.json.encode(answer)
            await send({"type": "http.response.body", "body": text})

    def answer(
        self, scope: dict[str, Any], headers: dict[str, str], person: str | None, body: bytes
    ) -> tuple[int, Any, dict[str, str]]:
        method, parts = scope["method"], scope["path"].strip("/").split("/")
        fault = self.faults.pop(0) if self.faults and method == "POST" else ""
        if fault == "503":
            return 503, {"title": "stopping"}, {}
        if fault == "429":
            return 429, {"message": "too often"}, {"retry-after": "2"}
        if method != "GET" and parts[1] not in {"session", "people"}:
            by_device = "authorization" in headers
            token = headers.get("x-csrf-token") == f"csrf of {person}"
            if person is None:
                return 401, {"message": "nobody is signed in"}, {}
            if not by_device and not (token and headers.get("origin") == f"http://{headers['host']}"):
                return 403, {"message": "the CSRF token is missing"}, {}
        raw = msgspec.json.decode(body) if body else {}
        status, answer, more = self.routed(method, parts, person, raw, headers.get("idempotency-key", ""))
        return (503, {"title": "lost"}, {}) if fault == "lost" else (status, answer, more)

    def routed(
        self, method: str, parts: list[str], person: str | None, raw: dict[str, Any], key: str
    ) -> tuple[int, Any, dict[str, str]]:
        match [method, *parts[1:]]:
            case ["POST", "session"]:
                if self.people.get(raw["name"]) != raw["password"]:
                    return 401, {"message": "name or password is wrong"}, {}
                session = uuid.uuid4().hex
                self.sessions[session] = raw["name"]
                who = {"id": raw["name"], "name": raw["name"], "roles": ["player"]}
                cookie = {"set-cookie": f"session={session}; Path=/; HttpOnly; SameSite=Strict"}
                return 200, {"person": who, "csrf": f"csrf of {raw['name']}"}, cookie
            case ["DELETE", "session"]:
                self.sessions = {session: name for session, name in self.sessions.items() if name != person}
                return 204, None, {}
            case ["POST", "people"] if person is None:
                if raw["name"] in self.people:
                    return 409, {"code": "name_taken", "message": "somebody has this name", "clause": ""}, {}
                self.people[raw["name"]] = raw["password"]
                return 201, {"id": raw["name"], "name": raw["name"], "roles": ["player"]}, {}
            case ["GET", "demo"]:
                return 200, [{"name": name, "password": word} for name, word in self.people.items()], {}
            case ["GET", "tables"]:
                return 200, [self.listed(table) for table in self.tables.values()], {}
            case ["GET", "tables", name] if name in self.tables:
                table, by = self.tables[name], Person("player", person or "")
                offers = allowed(table.runner.table, by, now()) if person else ()
                return 200, {**table.seen(person), "allowed": [write_offer(offer) for offer in offers]}, {}
            case ["POST", "tables", name, "commands"] if name in self.tables:
                status, answer = self.tables[name].give(person or "", raw, key)
                return status, answer, {}
            case ["GET", "rounds"] | ["GET", "people"]:
                return 200, [{"id": "1", "name": "floor", "roles": ["floorperson"]}], {}
            case ["GET", "people", _]:
                return 403, {"message": "only the cashier may look"}, {}
            case ["GET", "submissions"]:
                return 200, [{"name": "stud", "version": 2, "status": "draft"}], {}
            case ["GET", "cage", _]:
                return 200, {"balance": "12.50"}, {}
            case [
                "POST" | "PATCH" | "DELETE",
                "people" | "submissions" | "tables" | "cage" | "tokens" | "disputes",
                *_,
            ]:
                self.changes.append((method, "/".join(parts), raw))
                return 200, {"version": 3, "token": "shown once"}, {}
        return 404, {"message": "there is no such thing"}, {}

    @staticmethod
    def listed(table: FakeTable) -> dict[str, Any]:
        shown = view(table.runner.table)
        house = table.runner.table.house
        return {
            "id": table.name,
            "rulebook": house.rulebook.id,
            "operator": house.operator,
            "status": shown.status,
            "seats": house.seats,
            "open_seats": [seat.seat for seat in shown.seats if not seat.patron],
            "limits": {"main": {"minimum": "10.00", "maximum": "500.00"}},
            "meters": {name: format_dollars(value) for name, value in shown.meters},
            "physical": False,
        }

    async def live(self, scope: dict[str, Any], receive: Receive, send: Send, person: str | None) -> None:
        await receive()
        table = self.tables[scope["path"].split("/")[3]]
        await send({"type": "websocket.accept"})
        changes: asyncio.Queue[tuple[Entry, ...]] = asyncio.Queue()
        hang_up = asyncio.Event()
        table.watchers.add(changes)
        table.hangers.add(hang_up)

        async def tell() -> None:
            while True:
                entries = await changes.get()
                await send({"type": "websocket.send", "text": text(table.seen(person, entries))})

        async def hear() -> None:
            while (message := await receive())["type"] == "websocket.receive":
                raw = msgspec.json.decode(message["text"])
                key = raw.pop("key")
                status, answer = table.give(person or "", raw, key)
                if "lost" in self.faults:
                    self.faults.remove("lost")
                    hang_up.set()
                    return
                word = "ok" if status == 200 else "refused"
                await send({"type": "websocket.send", "text": text({"key": key, word: answer})})

        tasks = [asyncio.create_task(work) for work in (tell(), hear(), hang_up.wait())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        table.watchers.discard(changes)
        table.hangers.discard(hang_up)
        with suppress(RuntimeError):
            await send({"type": "websocket.close", "code": 1012})

    def hang_up(self) -> None:
        """Close every live connection."""
        for table in self.tables.values():
            for hanger in list(table.hangers):
                hanger.set()


def text(value: object) -> str:
    return msgspec.json.encode(value).decode()


@contextmanager
def running(house: FakeHouse) -> Iterator[str]:
    """The house on a port of this machine, in a thread of its own; its address."""
    config = uvicorn.Config(house, host="127.0.0.1", port=0, log_level="error", lifespan="off", ws="websockets-sansio")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        threading.Event().wait(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(10)
