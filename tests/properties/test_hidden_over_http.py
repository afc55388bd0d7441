"""Hidden stays hidden: what every role receives over HTTP, over sockets, in errors, logs and metrics; and how fast."""

import asyncio
import json
import logging
import math
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import perf_counter_ns
from typing import Any, Final

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.driver import FairShuffler, Outcome, Seeds, Staff, TableRunner, next_request
from croupier.errors import RuleViolation
from croupier.games import own_places
from croupier.server import live, shown, writing
from croupier.server.asgi import Surrounded
from croupier.table import Entry, Request, Table, audience, codec, views
from croupier.table.events import Hidden
from support import slices
from support.http_house import ORIGIN, HttpHouse, Visitor, http_house, listening
from support.malformed import Malformed, send
from support.onlookers import Leak, Onlookers

TABLES: Final = ("1", "2", "3", "4")
AT_ONCE: Final = 500
"""Rounds of a part of the long run, which is resumed part by part."""
PARTS: Final = 20 if slices.in_full() else 1


@asynccontextmanager
async def onlookers(folder: Path, table: str, seed: str) -> AsyncIterator[Onlookers]:
    """Everybody at a table of a demo, and whatever is logged."""
    with listening() as lines:
        async with http_house(folder) as house:
            everybody = Onlookers(house, table, lines, random.Random(seed))
            await everybody.gather()
            yield everybody
            await everybody.leave()


@pytest.mark.parametrize("part", range(PARTS))
def test_nobody_receives_a_card_before_its_time(
    tmp_path: Path, part: int, record_property: Callable[[str, object], None]
) -> None:
    """10,000 rounds in 20 parts at the tables of all rulebooks; 12 rounds in `make test`."""
    rounds = slices.count(full=AT_ONCE, sliced=12)

    async def main() -> None:
        messages = hidden = 0
        tables = TABLES if not slices.in_full() else (TABLES[part % len(TABLES)],)
        for table in tables:
            folder = tmp_path / table
            folder.mkdir()
            async with onlookers(folder, table, f"hidden {part} {table}") as everybody:
                await everybody.play_rounds(rounds // len(tables))
                messages += everybody.messages
                hidden += everybody.oracle.hidden
        record_property("rounds", rounds)
        record_property("messages", messages)
        record_property("cards face down", hidden)

    asyncio.run(main())


# --- planted leaks


def _leak_view(patch: pytest.MonkeyPatch) -> None:
    """Everybody sees every card that was dealt."""
    seen = views._were_seen  # noqa: SLF001
    patch.setattr(views, "_were_seen", lambda state, places, **_: seen(state, places, own=True))


def _leak_staff(patch: pytest.MonkeyPatch) -> None:
    """The regulator and the auditor see the first hidden hand."""
    view = views.view

    def leaking(table: Table, person: Any = None, **more: Any) -> Any:  # noqa: ANN401
        made = view(table, person, **more)
        if person is None or person.role != "regulator" or table.round is None:
            return made
        cards = tuple(str(card) for card in table.round.faces.known if card is not None)
        boxes = [views.BoxView(seat=box.seat, patron=box.patron, cards=cards) for box in made.seats]
        return views.TableView(**{name: getattr(made, name) for name in made.__struct_fields__} | {"seats": boxes})

    patch.setattr(writing, "view", leaking)


def _leak_entries(patch: pytest.MonkeyPatch) -> None:
    """Sealed cards are written out."""
    writer = codec._plain_writer  # noqa: SLF001

    def opened(hidden: Hidden) -> str:
        return " ".join(map(str, hidden.open()))

    patch.setattr(codec, "_plain_writer", lambda kind: opened if issubclass(kind, Hidden) else writer(kind))
    patch.setattr(audience, "_closed", lambda event: event)


def _leak_refusals(patch: pytest.MonkeyPatch) -> None:
    """A refusal says what the board is."""
    refusal = shown.shown_refusal

    def leaking(violation: RuleViolation) -> dict[str, Any]:
        return refusal(violation) | {"message": f"the board is {_KNOWN[-1] if _KNOWN else ''}"}

    _watch_tables(patch)
    for module in ("problems", "sockets"):
        patch.setattr(f"croupier.server.{module}.shown_refusal", leaking)


def _leak_log(patch: pytest.MonkeyPatch) -> None:
    """A command is logged with the table's cards."""
    _watch_tables(patch, lambda: logging.getLogger("croupier.server").debug("dealt %s", _KNOWN[-1]))


def _leak_metrics(patch: pytest.MonkeyPatch) -> None:
    """A figure of monitoring is labeled with a card."""
    text = "croupier.server.metrics.Metrics.text"
    _watch_tables(patch)
    patch.setattr(text, lambda _: f'croupier_commands{{card=" {_KNOWN[-1] if _KNOWN else ""} "}} 1'.encode())


def _leak_header(patch: pytest.MonkeyPatch) -> None:
    """A header of an answer has a card."""
    _watch_tables(patch)
    whole = Surrounded.__call__

    async def leaking(self: Surrounded, scope: Any, receive: Any, send_: Any) -> None:  # noqa: ANN401
        async def sending(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "http.response.start" and _KNOWN:
                message["headers"].append((b"x-debug", f" {_KNOWN[-1]} ".encode()))
            await send_(message)

        await whole(self, scope, receive, sending)

    patch.setattr(Surrounded, "__call__", leaking)


_KNOWN: Final[list[str]] = []


def _watch_tables(patch: pytest.MonkeyPatch, then: Callable[[], None] = lambda: None) -> None:
    """Keep the last card of whatever was dealt last."""
    give = live.LiveTable.give

    async def giving(self: live.LiveTable, read: Any, turn: Any = None) -> Any:  # noqa: ANN401
        answer = await give(self, read, turn)
        state = self.table.round
        up = state.cards.up if state is not None else ()
        down = [card for place, card in enumerate(state.faces.known) if place not in up] if state is not None else []
        _KNOWN[:] = [str(card) for card in down if card is not None]
        if _KNOWN:
            then()
        return answer

    patch.setattr(live.LiveTable, "give", giving)


@pytest.mark.parametrize(
    "plant", [_leak_view, _leak_staff, _leak_entries, _leak_refusals, _leak_log, _leak_metrics, _leak_header]
)
def test_a_planted_leak_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    async def main() -> None:
        async with onlookers(tmp_path, "4", "planted") as everybody:
            plant(monkeypatch)
            with pytest.raises(Leak):
                await everybody.play_rounds(100)
            monkeypatch.undo()

    _KNOWN.clear()
    asyncio.run(main())


# --- pairs that differ in hidden cards alone


class Stacked(FairShuffler):
    """A shuffler whose deck was stacked."""

    def __init__(self, deck: list[Card]) -> None:
        super().__init__()
        self._deck = deck

    def _next(self, table: Table, number: int, seeds: Seeds) -> tuple[Card, ...]:
        if not super()._next(table, number, seeds) or table.round is None:
            return ()
        drawn = table.round.cards.dealt
        return tuple(self._deck[drawn : drawn + number])


class Pairs:
    """A table at the first decision of a round, with one hidden half of the deck or with another."""

    def __init__(self, house: HttpHouse, table: str) -> None:
        self.house, self.live = house, house.desk.hall.live[table]
        self.stored = self.live.stored
        self.before = self.live.table
        at = house.clock()
        closing = next_request(self.before, at, staff=Staff(), close_bets=True)
        assert closing is not None
        self._closing = closing
        state = self.dealt(list(DECK)).round
        assert state is not None
        self._own = own_places(state, 1)

    def dealt(self, deck: list[Card]) -> Table:
        """The table after the deal from this deck."""
        seeds = self.stored._running._seeds  # noqa: SLF001 - the deck was promised under them
        runner = TableRunner(self.before, Stacked(deck), automatic=Staff(), seeds=seeds)
        runner.handle(self._closing)
        return runner.table

    def put(self, table: Table) -> None:
        """Let the house have this table from now on."""
        self.stored._running.table = table  # noqa: SLF001
        self.live._shown_version = -1  # noqa: SLF001
        self.live._recent.clear()  # noqa: SLF001
        self.live._writer._entries.clear()  # noqa: SLF001 - another table's entries have the same numbers

    @contextmanager
    def unstored(self) -> Iterator[None]:
        """Commands are judged and answered, and nothing of it is stored."""

        async def judged(request: Request, *, beside: object = None, meanwhile: object = None) -> list[Entry]:
            del beside, meanwhile
            outcome: Outcome = self.stored._running.decide(request)  # noqa: SLF001
            self.stored._running.accept(outcome)  # noqa: SLF001
            return list(outcome.entries)

        self.stored.handle = judged  # type: ignore[method-assign]
        try:
            yield
        finally:
            del self.stored.handle

    def halves(self, dice: random.Random, first: str, others: tuple[str, str]) -> list[Table]:
        """The table dealt twice: the player to decide has the same cards in both, every other card differs."""
        mine, tables = parse_cards(first), []
        for hidden in others:
            cards = parse_cards(hidden)
            rest = [card for card in DECK if card not in {*mine, *cards}]
            dice.shuffle(rest)
            own, following = iter(mine), iter([*cards, *rest])
            deck = [next(own) if place in self._own else next(following) for place in range(len(DECK))]
            tables.append(self.dealt(deck))
        return tables


async def paired(house: HttpHouse) -> tuple[Pairs, Visitor, Visitor]:
    ann, bob = await house.visitor("ann"), await house.visitor("bob")
    for seat, player in enumerate((ann, bob), 1):
        await player.command("4", "sit", seat=seat)
        await player.command("4", "buy_in", amount="1000.00")
    await house.tick("4")
    for seat, player in enumerate((ann, bob), 1):
        answer = await player.command("4", "place_wager", seat=seat, wager="ante", amount="10.00")
        assert answer.status_code == 200, answer.text
    return Pairs(house, "4"), ann, bob


PROBES: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("deal", {"cards": "Ah"}),
    ("tell", {"place": 2, "cards": "Ah"}),
    ("set_aside", {"irregularity": "card_drawn_seen", "card": "Ah"}),
    ("reveal", {"slot": "community"}),
    ("settle", {"what": "hand", "seat": 2}),
    ("count_stub", {"cards": 40}),
    ("rebuild_hands", {"seat": 2}),
    ("decide", {"seat": 2, "choice": "3x"}),
    ("look", {"seat": 2}),
)


def test_answers_of_tables_that_differ_in_hidden_cards_are_equal_to_the_byte(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """1,000 pairs, 5 in `make test`: each role looks and probes, a player decides, and nobody can tell them apart."""

    async def main() -> None:
        async with http_house(tmp_path) as house:
            pairs, ann, _ = await paired(house)
            everybody = {
                name: await house.visitor(name) for name in ("dealer", "floorperson", "pit manager", "regulator")
            }
            everybody |= {"ann": ann, "passerby": house.stranger(), "device": await house.device(["register"])}
            dice, count = random.Random("pairs"), slices.count(full=1_000, sliced=5)
            compared = 0
            for _ in range(count):
                cards = dice.sample(list(DECK), 12)
                text = [" ".join(map(str, part)) for part in (cards[:2], cards[2:7], cards[7:])]
                tables = pairs.halves(dice, text[0], (text[1], text[2]))
                assert tables[0].seq == tables[1].seq
                received: list[list[bytes]] = [[], []]
                with pairs.unstored():
                    at = house.clock.at
                    for table, answers in zip(tables, received, strict=True):
                        for name, visitor in everybody.items():
                            for do, arguments in (("", {}), *PROBES, ("decide", {"seat": 1, "choice": "1x"})):
                                if do == "look" and name == "ann":
                                    continue
                                pairs.put(table)
                                house.clock.at = at
                                answer = (
                                    await visitor.command("4", do, key="k", reason="why", **arguments)
                                    if do
                                    else await visitor.get("/api/tables/4")
                                )
                                answers.append(f"{name} {do} {answer.status_code} ".encode() + answer.content)
                assert received[0] == received[1]
                compared += len(received[0])
            pairs.put(pairs.before)
            record_property("pairs", count)
            record_property("answers compared", compared)

    asyncio.run(main())


def test_the_time_of_an_answer_says_nothing_about_hidden_cards(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """10,000 pairs, 300 in `make test`: the same decision, once when the hidden cards make a royal flush, once nothing.

    Wilcoxon's signed-rank test tells the two apart by luck once in a hundred runs: so it has three tries.
    """
    count = slices.count(full=10_000, sliced=300)

    async def main() -> None:
        async with http_house(tmp_path) as house:
            pairs, ann, _ = await paired(house)
            dice = random.Random("times")
            strong, weak = "Kd Kc Kh Qh Jh Th", "2c 7d 3s 9c 5d 8h"
            cookie = ann.http.cookies["croupier_session"]
            headers = (
                (b"host", ORIGIN.removeprefix("http://").encode()),
                (b"cookie", f"croupier_session={cookie}".encode()),
                (b"x-csrf-token", ann.csrf.encode()),
                (b"origin", ORIGIN.encode()),
                (b"content-type", b"application/json"),
                (b"idempotency-key", b"k"),
            )
            body = json.dumps({"do": "decide", "seat": 1, "choice": "1x"}).encode()
            request = Malformed("POST", "/api/tables/4/commands", b"", headers, body)
            chances = []
            for _ in range(3):
                differences = []
                with pairs.unstored():
                    for _ in range(count):
                        tables = pairs.halves(dice, "Ah Ad", (strong, weak))
                        took = [0, 0]
                        for which in dice.sample([0, 1], 2):
                            pairs.put(tables[which])
                            start = perf_counter_ns()
                            answer = await send(house.app, request)
                            took[which] = perf_counter_ns() - start
                            assert answer.status == 200, answer.body
                        differences.append(took[0] - took[1])
                chances.append(signed_rank(differences))
                if chances[-1] > 0.01:
                    break
            pairs.put(pairs.before)
            record_property("pairs", count)
            record_property("p", ", ".join(f"{chance:.3f}" for chance in chances))
            assert chances[-1] > 0.01, chances

    asyncio.run(main())


def signed_rank(differences: list[int]) -> float:
    """The chance of differences at least as one-sided, if there is none (Wilcoxon, normal approximation)."""
    values = sorted((value for value in differences if value), key=abs)
    number = len(values)
    ranks = sum(rank for rank, value in enumerate(values, 1) if value > 0)
    mean, spread = number * (number + 1) / 4, math.sqrt(number * (number + 1) * (2 * number + 1) / 24)
    return math.erfc(abs(ranks - mean) / spread / math.sqrt(2))


def test_the_rank_test_tells_times_apart_that_differ() -> None:
    dice = random.Random("ranks")
    assert signed_rank([dice.randrange(-1000, 1001) for _ in range(300)]) > 0.01
    assert signed_rank([dice.randrange(-800, 1201) for _ in range(300)]) < 0.01
