"""Tables over HTTP: handed over, paused and closed, what is shown of them, and who may do what there."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.http_house import HttpHouse, Visitor, http_house


def in_a_house(folder: Path, work: Callable[[HttpHouse], Awaitable[None]]) -> None:
    async def run() -> None:
        async with http_house(folder) as house:
            await work(house)

    asyncio.run(run())


async def sit(player: Visitor, table: str, number: int = 1) -> None:
    for do, arguments in (("sit", {"seat": number}), ("buy_in", {"amount": "500.00"})):
        answer = await player.command(table, do, **arguments)
        assert answer.status_code == 200, answer.text


async def see(who: Visitor, table: str) -> Any:  # noqa: ANN401 - JSON
    return (await who.get(f"/api/tables/{table}")).json()


def dos(seen: Any) -> set[str]:  # noqa: ANN401 - JSON
    return {offer["do"] for offer in seen["allowed"]}


def test_a_table_that_is_handed_over_is_its_dealers_at_once_and_given_back_it_is_not(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        floor, dealer, ann = [await house.visitor(name) for name in ("floorperson", "dealer", "ann")]
        await sit(ann, "4")
        await house.tick("4")
        answer = await floor.ask("POST", "/api/tables/4/hand_over", {"dealer": "person", "person": dealer.id})
        assert answer.status_code == 200, answer.text
        answer = await ann.command("4", "place_wager", seat=1, wager="ante", amount="10.00")
        assert answer.status_code == 200, answer.text
        seen = await see(dealer, "4")
        assert seen["view"]["staff"]["dealer"] == dealer.id
        assert seen["view"]["awaiting"]["deadline"] is None  # a person closes the bets when they see fit
        assert "perform" in dos(seen)
        assert (await dealer.command("4", "perform", act="announce")).status_code == 200
        entries = await house.desk.hall.live["4"].stored.entries_after(0)
        assigned = [entry.by for entry in entries if getattr(entry.event, "person", "") == dealer.id]
        assert [(by.role, by.id) for by in assigned] == [("floorperson", floor.id)]

        await floor.ask("POST", "/api/tables/4/hand_over", {"dealer": "automatic"})
        last = entries[-1].seq
        await house.tick("4")
        entries = await house.desk.hall.live["4"].stored.entries_after(last)
        assert {entry.by.id for entry in entries if entry.by.role == "dealer"} <= {"automatic dealer", dealer.id}
        assert (await see(dealer, "4"))["view"]["staff"]["dealer"] == "automatic dealer"

    in_a_house(tmp_path, work)


def test_a_table_that_closes_gives_everybody_their_chips_back(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        operator, floor, ann, bob = [await house.visitor(name) for name in ("operator", "floorperson", "ann", "bob")]
        await sit(ann, "1", 1)
        await sit(bob, "1", 2)
        balance = house.desk.hall.cage.balance
        assert (await balance(ann.id), await balance(bob.id)) == (0, 0)
        assert (await ann.ask("POST", "/api/tables/1/close")).status_code == 403  # and nobody is sent away for it
        assert len(house.desk.hall.live["1"].table.people.seats) == 2
        answers = [await operator.ask("POST", "/api/tables/1/close", key="close") for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert (await balance(ann.id), await balance(bob.id)) == (50_000, 50_000)
        assert (await ann.get("/api/tables/1")).status_code == 404

        await operator.ask("POST", "/api/tables/1/open")
        house.desk.hall.live["1"].stop_clock()
        assert not house.desk.hall.live["1"].table.people.seats
        del floor

    in_a_house(tmp_path, work)


def test_a_table_with_a_dealer_closes_when_the_dealer_has_seen_everybody_out(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        operator, floor, dealer, ann = [
            await house.visitor(name) for name in ("operator", "floorperson", "dealer", "ann")
        ]
        await sit(ann, "1")
        await floor.ask("POST", "/api/tables/1/hand_over", {"dealer": "person", "person": dealer.id})
        refused = await operator.ask("POST", "/api/tables/1/close")
        assert (refused.status_code, refused.json()["code"]) == (409, "players_seated")
        assert ann.id in refused.json()["message"]
        assert (await dealer.command("1", "stand_up", patron=ann.id)).status_code == 200
        assert await house.desk.hall.cage.balance(ann.id) == 50_000  # nobody carries virtual chips away
        assert (await operator.ask("POST", "/api/tables/1/close")).status_code == 200

    in_a_house(tmp_path, work)


def test_a_paused_table_says_so_and_offers_no_bets(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        floor, manager, ann = [await house.visitor(name) for name in ("floorperson", "pit manager", "ann")]
        await sit(ann, "1")
        assert "place_wager" in dos(await see(ann, "1"))
        socket = ann.socket("1")
        assert (await socket.next())["view"]["status"] == "open"
        assert (await floor.ask("POST", "/api/tables/1/pause")).status_code == 200
        assert (await socket.next())["view"]["status"] == "paused"
        await socket.close()
        seen = await see(ann, "1")
        assert seen["view"]["status"] == "paused"
        assert "place_wager" not in dos(seen)
        assert "stand_up" in dos(seen)
        listed = {table["id"]: table["status"] for table in (await ann.get("/api/tables")).json()}
        assert (listed["1"], listed["2"]) == ("paused", "open")
        assert (await manager.ask("POST", "/api/tables/1/resume")).status_code == 200
        seen = await see(ann, "1")
        assert seen["view"]["status"] == "open"
        assert "place_wager" in dos(seen)

    in_a_house(tmp_path, work)


def test_what_is_allowed_is_what_any_of_their_roles_may_do(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        await house.add("both", "dealer", "floorperson")
        both = await house.visitor("both", "correct horse battery")
        floor, auditor = await house.visitor("floorperson"), await house.visitor("auditor")
        for table in ("1", "5"):
            assert dos(await see(both, table)) == dos(await see(floor, table)) != set()
            assert dos(await see(auditor, table)) == set()

    in_a_house(tmp_path, work)


def test_everybody_is_told_when_bets_close(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann, bob = await house.visitor("ann"), await house.visitor("bob")
        await sit(ann, "1")
        assert (await see(ann, "1"))["view"]["awaiting"]["deadline"] is None
        house.clock.advance(100)
        first, again = [
            await ann.command("1", "place_wager", seat=1, wager="ante", amount="10.00", key="once") for _ in range(2)
        ]
        assert first.text == again.text  # whenever it is asked for: it has no deadline that only this moment knows
        due = house.desk.hall.live["1"].closes()
        assert due is not None
        assert 1.9 < (due - house.clock.at).total_seconds() < 2.1
        for who in (ann, bob, house.stranger(), await house.visitor("floorperson")):
            told = (await see(who, "1"))["view"]["awaiting"]
            assert (told["kind"], told["deadline"]) == ("wagers", due.isoformat().replace("+00:00", "Z"))
        await house.tick("1", seconds=1.8)
        assert (await see(ann, "1"))["view"]["awaiting"]["kind"] == "wagers"
        await house.tick("1", seconds=0.2)
        assert (await see(ann, "1"))["view"]["awaiting"]["kind"] == "decision"

    in_a_house(tmp_path, work)


def test_a_player_is_not_asked_where_their_chips_come_from(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        await sit(ann, "1")
        refused = (await ann.command("1", "place_wager", seat=1, wager="ante", amount="0.01")).json()
        for offers in ((await see(ann, "1"))["allowed"], refused["allowed"]):
            buying = [offer for offer in offers if offer["do"] == "buy_in"]
            assert len(buying) == 1
            assert "brought" not in buying[0]
        assert (await ann.command("1", "buy_in", amount="1.00")).status_code == 200

    in_a_house(tmp_path, work)


@pytest.mark.parametrize("path", ["/healthz", "/api/tables", "/api/tables/1", "/openapi.json"])
def test_a_head_is_what_a_get_would_send_first(tmp_path: Path, path: str) -> None:
    async def work(house: HttpHouse) -> None:
        visitor = house.stranger()
        got, head = await visitor.get(path), await visitor.ask("HEAD", path)
        assert (head.status_code, head.content) == (200, b"")
        for name in ("content-type", "content-length"):
            assert head.headers[name] == got.headers[name]
        assert (await visitor.ask("HEAD", "/api/tables/1/commands")).status_code == 405

    in_a_house(tmp_path, work)
