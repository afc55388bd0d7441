"""A player's own limits at live tables: nothing sent at once gets around them, and what was done stays answered."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from support.http_house import HttpHouse, Visitor, http_house

FIRST: Final = {"1": "ante", "2": "ante", "3": "bet_1", "4": "ante"}
"""Tables of the demo, and their first bets."""


def run(folder: Path, work: Callable[[HttpHouse], Awaitable[None]]) -> None:
    async def main() -> None:
        async with http_house(folder) as house:
            await work(house)

    asyncio.run(main())


async def seated(house: HttpHouse, *tables: str) -> Visitor:
    ann = await house.visitor("ann")
    for table in tables:
        assert (await ann.command(table, "sit", seat=1)).status_code == 200
        assert (await ann.command(table, "buy_in", amount="300.00")).status_code == 200
        await house.tick(table)
    return ann


def ante(amount: str) -> dict[str, Any]:
    return {"seat": 1, "wager": "ante", "amount": amount}


def test_bets_at_several_tables_at_once_are_judged_one_after_the_other(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await seated(house, *FIRST)
        assert (await ann.ask("POST", "/api/people/ann-1/limits", {"loss_day": "30.00"})).status_code == 200
        bets = [
            ann.command(table, "place_wager", seat=1, wager=wager, amount="30.00") for table, wager in FIRST.items()
        ]
        answers = await asyncio.gather(*bets)
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert {answer.json().get("code") for answer in answers} == {None, "limit_reached"}
        assert house.desk.hall.at_risk("ann-1") == 30_00

    run(tmp_path, work)


async def asked(house: HttpHouse, table: str) -> str:
    """Let the dealer go on until a player is asked, and say for what."""
    for _ in range(20):
        awaiting = house.desk.table(table).table.round
        if awaiting is not None and awaiting.at.kind == "decide":
            return str(awaiting.at.choice.decision) if awaiting.at.choice else ""
        await house.tick(table, seconds=30.0 if awaiting is None or awaiting.at.kind == "wagers" else 0.0)
    raise AssertionError("nobody is asked")


def test_a_round_is_finished_with_the_lowest_bets_where_a_higher_one_could_lose_more_than_the_limit(
    tmp_path: Path,
) -> None:
    async def work(house: HttpHouse) -> None:
        ann, bob = await seated(house, "4"), await house.visitor("bob")
        assert (await bob.command("4", "sit", seat=2)).status_code == 200
        assert (await bob.command("4", "buy_in", amount="300.00")).status_code == 200
        assert (await ann.ask("POST", "/api/people/ann-1/limits", {"loss_day": "35.00"})).status_code == 200
        assert (await ann.command("4", "place_wager", **ante("10.00"))).status_code == 200
        assert (await bob.command("4", "place_wager", **(ante("10.00") | {"seat": 2}))).status_code == 200
        await asked(house, "4")

        async def decided(who: Visitor, seat: int, choice: str) -> tuple[int, str]:
            answer = await who.command("4", "decide", seat=seat, choice=choice)
            return answer.status_code, answer.json().get("code", "")

        refused = await ann.command("4", "decide", seat=1, choice="3x")
        assert (refused.status_code, refused.json()["code"]) == (409, "limit_reached")
        assert "the lowest bet can still be made" in refused.json()["message"]
        assert await decided(ann, 1, "2x") == (200, "")  # 30 of 35 dollars
        assert await decided(bob, 2, "3x") == (200, ""), "others have limits of their own"
        await asked(house, "4")
        assert await decided(ann, 1, "2x") == (409, "limit_reached")
        assert await decided(ann, 1, "1x") == (200, ""), "40 dollars: the round goes on"
        await decided(bob, 2, "fold")
        await asked(house, "4")
        assert await decided(ann, 1, "3x") == (409, "limit_reached")
        assert await decided(ann, 1, "fold") == (200, "")

    run(tmp_path, work)


def test_who_has_reached_a_limit_gets_the_first_answer_again(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await seated(house, "4")
        await ann.ask("POST", "/api/people/ann-1/limits", {"loss_day": "15.00"})
        bet = await ann.command("4", "place_wager", key="bet", **ante("10.00"))
        assert bet.status_code == 200
        assert (await ann.command("4", "place_wager", key="bet", **ante("10.00"))).text == bet.text
        other = await ann.command("4", "place_wager", key="bet", **ante("12.00"))
        assert (other.status_code, other.json()["code"]) == (409, "key_used")
        new = await ann.command("4", "place_wager", key="new", **ante("10.00"))
        assert (new.status_code, new.json()["code"]) == (409, "limit_reached")

    run(tmp_path, work)


def test_who_is_excluded_and_where_a_table_is_paused_gets_the_first_answer_again(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann, operator = await house.visitor("ann"), await house.visitor("operator")
        sat = await ann.command("4", "sit", key="sit", seat=1)
        bought = await ann.command("4", "buy_in", key="buy", amount="300.00")
        await house.tick("4")
        bet = await ann.command("4", "place_wager", key="bet", **ante("10.00"))
        back = await ann.command("4", "take_back", key="back", seat=1, wager="ante")
        assert [answer.status_code for answer in (sat, bought, bet, back)] == [200] * 4, back.text
        assert (await operator.ask("POST", "/api/tables/4/pause")).status_code == 200
        assert (await ann.command("4", "place_wager", key="bet", **ante("10.00"))).text == bet.text
        paused = await ann.command("4", "place_wager", key="again", **ante("10.00"))
        assert paused.json()["code"] == "paused"
        assert (await ann.ask("POST", "/api/people/ann-1/exclusion", {"until": None})).status_code == 200
        assert (await ann.command("4", "sit", key="sit", seat=1)).text == sat.text
        assert (await ann.command("4", "buy_in", key="buy", amount="300.00")).text == bought.text
        assert (await ann.command("4", "buy_in", key="more", amount="300.00")).json()["code"] == "excluded"

    run(tmp_path, work)


def test_an_exclusion_ends_after_its_time_when_the_player_says_so(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        path = "/api/people/ann-1/exclusion"
        for name in ("ann", "cashier"):
            ann = await house.visitor("ann")
            until = (house.clock() + timedelta(days=1)).isoformat()
            assert (await ann.ask("POST", path, {"until": until})).status_code == 200
            held = await (await house.visitor(name)).ask("DELETE", path)
            assert (held.status_code, held.json()["code"]) == (409, "exclusion_holds")
            assert "you are excluded from play until 2026-01-" in (await ann.command("4", "sit", seat=1)).text
            house.clock.advance(24 * 3600)
            ann = await house.visitor("ann")
            over = await ann.command("4", "sit", seat=1)
            assert (over.status_code, over.json()["code"]) == (409, "excluded")
            assert "the time of your exclusion is over" in over.json()["message"]
            ended = await (await house.visitor(name)).ask("DELETE", path)
            assert (ended.status_code, ended.json()["excluded_until"]) == (200, None)
            assert (await ann.command("4", "sit", seat=1)).status_code == 200
            assert (await ann.command("4", "stand_up")).status_code == 200

    run(tmp_path, work)


def test_what_a_dealer_enters_for_a_player_is_held_to_the_players_own_limits(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann, floor, dealer = [await house.visitor(name) for name in ("ann", "floorperson", "dealer")]
        for post in ("floorperson", "dealer"):
            assert (await floor.command("5", "assign", post=post, person=f"{post}-1")).status_code == 200
        assert (await dealer.command("5", "sit", seat=1, patron="ann-1")).status_code == 409  # the table is closed
        path = "/api/people/ann-1"
        await ann.ask("POST", f"{path}/limits", {"loss_day": "0.00"})
        limited = await dealer.command("5", "sit", seat=1, patron="ann-1")
        assert (limited.status_code, limited.json()["code"]) == (409, "limit_reached")
        assert "this player has set" in limited.json()["message"]  # not how much it is
        assert (await ann.ask("POST", f"{path}/exclusion", {"until": None})).status_code == 200
        for do, more in (("sit", {"seat": 1}), ("buy_in", {"amount": "300.00"})):
            kept = await dealer.command("5", do, patron="ann-1", **more)
            assert (kept.status_code, kept.json()["code"]) == (409, "excluded")
            assert kept.json()["message"] == "this player is excluded from play: call the floor"
        stranger = await dealer.command("5", "sit", seat=1, patron="somebody without an account")
        assert stranger.json()["code"] != "excluded"

    run(tmp_path, work)


def test_only_people_of_the_house_are_put_on_duty(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        floor = await house.visitor("floorperson")
        for post, person in (
            ("dealer", "dealer"),  # a name, not the id
            ("dealer", "nobody"),
            ("dealer", "ann-1"),
            ("floorperson", "dealer-1"),
        ):
            answer = await floor.command("5", "assign", post=post, person=person)
            assert (answer.status_code, answer.json()["code"]) == (409, f"not_a_{post}"), (post, person)
        answer = await floor.command("5", "assign", post="floorperson", person="floorperson-1")
        assert answer.status_code == 200, answer.text

    run(tmp_path, work)
