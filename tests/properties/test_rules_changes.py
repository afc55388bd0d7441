"""Other rules for a table: approved, proposed by one person, confirmed by another, taken between rounds, once."""

import asyncio
from pathlib import Path
from typing import Any

from croupier.rulebook import load_rulebook, read_submission_text, starting_submission, submission_text
from croupier.wire import decode_json
from support.http_house import HttpHouse, Visitor, http_house

TABLE = "4"
"""Mississippi Stud in Maryland."""


def stricter() -> dict[str, Any]:
    text = starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True)
    submission: dict[str, Any] = decode_json(submission_text(read_submission_text(text, name="house")))
    submission["limits"]["ante"]["minimum"] = "25.00"
    submission["operator"] = "Demo house"
    return submission


async def agreed(house: HttpHouse) -> None:
    """A change that two people agree on."""
    operator, regulator = await house.visitor("operator"), await house.visitor("regulator")
    name = house.desk.house.state.tables[TABLE].submission
    filed = await operator.ask("POST", "/api/submissions", {"name": name, "submission": stricter()})
    assert filed.status_code == 201, filed.text
    version = filed.json()["version"]
    change = {"submission": name, "version": version}
    early = await operator.ask("POST", f"/api/tables/{TABLE}/rules", change)
    assert early.status_code == 409  # nobody has approved it
    approve = f"/api/submissions/{name}/{version}/approve"
    assert (await operator.ask("POST", approve, {"note": ""})).status_code == 403
    assert (await regulator.ask("POST", approve, {"note": "as filed"})).status_code == 200
    assert (await operator.ask("POST", f"/api/tables/{TABLE}/rules", change)).status_code == 200
    assert (await operator.ask("POST", f"/api/tables/{TABLE}/rules/confirm")).status_code in {403, 409}
    confirmed = await regulator.ask("POST", f"/api/tables/{TABLE}/rules/confirm")
    assert confirmed.status_code == 200, confirmed.text


async def least(visitor: Visitor) -> str:
    tables = (await visitor.ask("GET", "/api/tables")).json()
    return str(next(table["limits"]["ante"]["minimum"] for table in tables if table["id"] == TABLE))


def test_a_table_takes_the_rules_that_two_people_agreed_on_once_also_when_the_house_opens_again(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with http_house(tmp_path) as house:
            stranger = house.stranger()
            await agreed(house)
            assert await least(stranger) == "10.00"
            await house.desk.hall._take_rules()  # noqa: SLF001 - a chore of the house, done now
            assert house.desk.hall.troubles() == {}
            assert await least(stranger) == "25.00"
            seq = house.desk.hall.live[TABLE].table.seq
        async with http_house(tmp_path) as house:
            await house.desk.hall._take_rules()  # noqa: SLF001
            assert await least(house.stranger()) == "25.00"
            rules = "select count(*) from event where stream = $1 and name = 'rules_changed/1'"
            assert await house.store.read(rules, f"table/{TABLE}") == [(1,)]
            assert house.desk.hall.live[TABLE].table.seq >= seq

    asyncio.run(run())


def test_nobody_changes_rules_at_the_table_itself(tmp_path: Path) -> None:
    async def run() -> None:
        async with http_house(tmp_path) as house:
            operator = await house.visitor("operator")
            body = {"do": "propose_rules", "submission": stricter(), "approval": "none"}
            answer = await operator.ask("POST", f"/api/tables/{TABLE}/commands", body, key="1")
            assert (answer.status_code, answer.json()["code"]) == (409, "through_the_house")
            assert answer.json()["clause"]
            offered = (await operator.ask("GET", f"/api/tables/{TABLE}")).json()["allowed"]
            assert not {"propose_rules", "confirm_rules"} & {offer["do"] for offer in offered}

    asyncio.run(run())
