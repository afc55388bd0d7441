"""What processes of one house tell each other: sealed with the house's key, for half a minute, carried out once."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from croupier.journal import HouseKey
from croupier.server.passing import PATH, Passed
from croupier.server.watching import now
from croupier.table import Person
from support.http_house import HttpHouse, http_house

ANN: Final = Person("player", "ann-1")
SIT: Final = {"do": "sit", "seat": 1}
HALF_A_MINUTE: Final = timedelta(seconds=30)


def asked(at: datetime, *, key: str = "k") -> bytes:
    return msgspec.json.encode(Passed(question="q", at=at, table="4", by=ANN, body=SIT, key=key))


async def posted(house: HttpHouse, content: bytes) -> tuple[int, bytes]:
    answer = await house.stranger().http.post(PATH, content=content)
    return answer.status_code, answer.content


def test_only_what_the_house_itself_has_sealed_a_moment_ago_is_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with http_house(tmp_path) as house:
            ring = house.store.ring
            good = ring.wrap(asked(now()))
            turned = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in (0, 11, 12, 40, len(good) - 1)]
            other = HouseKey(bytes(range(32))).wrap(asked(now()))
            late, early = (ring.wrap(asked(now() + way * (HALF_A_MINUTE + timedelta(seconds=5)))) for way in (-1, 1))
            for refused in (asked(now()), b"", other, late, early, good[:-1], good + b"\0", *turned):
                assert (await posted(house, refused))[0] == 403
            assert not house.desk.hall.live["4"].table.people.seats
            assert (await posted(house, good))[0] == 200
            assert dict(house.desk.hall.live["4"].table.people.seats) == {1: ANN.id}

    asyncio.run(run())


def test_what_is_sent_twice_is_carried_out_once_and_says_nothing_on_the_way(tmp_path: Path) -> None:
    async def run() -> None:
        async with http_house(tmp_path) as house:
            ring = house.store.ring
            sent = ring.wrap(asked(now()))
            first, second = await posted(house, sent), await posted(house, sent)
            assert first[0] == second[0] == 200
            assert first[1] != second[1]  # each is sealed anew
            told = [msgspec.json.decode(ring.unwrap(content)) for _, content in (first, second)]
            assert [answer["question"] for answer in told] == ["q", "q"]
            assert [answer["refused"] for answer in told] == [None, None]
            entries = await house.store.load("table/4")
            assert sum(b'"player_sat/1"' in stored.line for stored in entries) == 1
            for content in (sent, first[1], second[1]):
                assert not any(word in content for word in (b"ann-1", b'"sit"', b'"seat"', b'"table"'))

    asyncio.run(run())


def test_the_same_is_sealed_differently_each_time() -> None:
    ring = HouseKey(bytes(range(32)))
    boxes = {ring.wrap(b"the same") for _ in range(1_000)}
    assert len(boxes) == len({box[:12] for box in boxes}) == 1_000
    assert {len(box) for box in boxes} == {12 + len(b"the same") + 16}
