"""The pages, asked by somebody who wants them to fail: every answer is a page that says what is wrong."""

from pathlib import Path
from typing import Final

from croupier.server.gate import Surroundings
from croupier.web.drill_cookie import DRILLS
from croupier.web.posting import own_path
from support.browser import HOUSE, HouseForBrowsers, browse

DRILL: Final = "0_0_0_1_!md-mississippi-stud~standard~{}~1~0~Jc5d~"


def test_a_day_at_the_end_of_the_calendar_is_no_failure(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        auditor, stranger = await house.browser("auditor"), await house.browser()
        for day in ("9999-12-31", "0000-00-00"):
            for path in ("/rounds", "/audit", "/audit/day.csv"):
                assert (await auditor.see(f"{path}?day={day}")).status == 400, path
                assert (await stranger.see(f"{path}?day={day}")).status < 500, path

    browse(tmp_path, visit)


def test_a_version_with_more_digits_than_a_number_can_have_is_not_one(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        auditor = await house.browser("auditor")
        form = (await auditor.see("/simulations")).going_to("/simulations")
        assert form is not None
        for number in ("9" * 5000, "²", "٣"):
            page = await auditor.send(form, house=f"md-mississippi-stud/{number}")
            assert page.status == 400
            assert "choose a house from the list" in page.text.casefold()

    browse(tmp_path, visit)


def test_drills_that_nobody_can_have_leave_the_trainer_as_it_is(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        stranger = await house.browser()
        for row in ("2", ".", "2.999", "a.b", "9" * 16):
            stranger.http.cookies.set(DRILLS, DRILL.format(row))
            for path in ("/trainer", "/trainer/drills"):
                assert (await stranger.see(path)).status == 200, (row, path)

    browse(tmp_path, visit)


def test_a_form_has_the_text_and_the_keys_that_the_api_takes(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, str], str]] = [
        ({"key": "a\0b"}, "U+0000"),
        ({"words\0": "x"}, "U+0000"),
        ({"key": "line\nline"}, "100 plain characters"),
        ({"key": "x" * 101}, "100 plain characters"),
        ({"key": "ключ"}, "100 plain characters"),
    ]

    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        form = (await ann.see("/account")).going_to("/limits")
        assert form is not None
        before = house.desk.house.state
        for fields, said in wrong:
            page = await ann.send(form, fields, loss_day="100")
            assert page.status == 400, fields
            assert said in page.text
        assert house.desk.house.state == before
        assert (await ann.send(form, loss_day="100")).status == 200

    browse(tmp_path, visit)


def test_an_address_with_an_empty_part_is_not_one_of_ours() -> None:
    for text in ("/.//else.test", "/..//else.test", "/tables//else.test"):
        assert own_path(text) == "/", text
    assert own_path("/rounds?table=1") == "/rounds?table=1"


def test_a_host_has_no_name_before_it() -> None:
    here = Surroundings.at("127.0.0.1")
    assert not here.knows("else.test@127.0.0.1:8000")
    assert here.knows("127.0.0.1:8000")


def test_an_exclusion_is_shown_in_the_time_that_the_page_says(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        cashier, bob = await house.browser("cashier"), await house.browser("bob")
        session = (await cashier.http.get("/api/session")).json()
        headers = {"origin": HOUSE, "x-csrf-token": session["csrf"]}
        path = "/api/people/bob-1/exclusion"
        late = await cashier.http.post(path, json={"until": "9999-12-31T23:59:59-23:59"}, headers=headers)
        assert late.status_code == 400
        assert late.json()["detail"].startswith("until: ")
        sent = await cashier.http.post(path, json={"until": "2099-12-01T00:00:00-05:00"}, headers=headers)
        assert sent.json()["excluded_until"] == "2099-12-01T05:00:00+00:00"
        assert "2099-12-01 05:00:00 UTC" in (await bob.see("/account")).text

    browse(tmp_path, visit)
