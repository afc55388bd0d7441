"""The audit, the replay and the rules in a browser: by keyboard, with a broken chain, for whoever cannot see well."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from croupier.server import Desk
from support.altered import alter, first_bet, larger, smaller
from support.pages_house import PagesHouse
from support.played import play_rounds

RULES: Final = ("/clauses/md-mississippi-stud/12.B", "/clauses?book=ma-mississippi-stud&kind=display", "/readings/20")
STREAM: Final = "table/1"
CHANGED: Final = 3
"""The round that somebody alters."""


@pytest.fixture(scope="module")
def played(house: PagesHouse) -> PagesHouse:
    """A house in which ann has played."""

    async def play(desk: Desk) -> int:
        return await play_rounds(desk, "1", rounds=CHANGED)

    house.pace("1", 10)
    assert house.run(play) >= CHANGED
    return house


def step_of(page: Page) -> int:
    return int(page.locator("[data-count]").inner_text().split()[0])


def test_a_round_is_replayed_by_keyboard_alone(
    played: PagesHouse, page: Page, check_axe: Callable[[Page], None]
) -> None:
    played.sign_in(page, "ann", path="/rounds/1-1")
    count = page.locator("[data-count]")
    last = step_of(page)
    expect(count).to_have_text(f"{last} of {last}")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"{last - 1} of {last}")
    expect(page).to_have_url(re.compile(rf"\?at={last - 1}$"))
    page.keyboard.press("Home")
    expect(count).to_have_text(f"1 of {last}")
    expect(page.locator("[data-lay] .felt-svg.wide [data-card]")).to_have_count(0)
    expect(page.locator("[data-live]")).to_contain_text("bets")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"4 of {last}")
    expect(page.locator("[data-steps] [aria-current=step]")).to_have_attribute("data-n", "4")
    page.keyboard.press("p")
    expect(count).to_have_text(f"5 of {last}")
    page.keyboard.press("p")
    page.keyboard.press("End")
    expect(count).to_have_text(f"{last} of {last}")
    expect(page.locator("[data-lay] .felt-svg.wide [data-card]").first).to_be_visible()
    page.locator("[data-n='2'] .to-step").focus()
    page.keyboard.press("Enter")
    expect(count).to_have_text(f"2 of {last}")
    page.reload()
    assert step_of(page) == 2, "the address says where one is"
    check_axe(page)


def test_an_audit_finds_a_broken_chain_and_a_saved_head_finds_a_rewritten_one(
    played: PagesHouse, page: Page, tmp_path: Path, check_axe: Callable[[Page], None]
) -> None:
    played.sign_in(page, "auditor", path="/audit?table=1")
    page.get_by_role("link", name=f"Table 1, round {CHANGED}").click()
    expect(page.get_by_text("chain holds")).to_be_visible()
    expect(page.get_by_text("the same cents")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Sign a checkpoint now").click()
    head = tmp_path / "head.json"
    download.value.save_as(head)
    seq = played.run(lambda desk: first_bet(desk.hall.store, STREAM, CHANGED))
    played.run(lambda desk: alter(desk.hall.store, STREAM, seq, larger))
    page.reload()
    expect(page.get_by_text(f"chain broken at entry {seq}")).to_be_visible()
    expect(page.get_by_text("The chain breaks here.")).to_be_visible()
    expect(page.locator(".line-of li.broken .hash")).to_have_text("does not fit")
    expect(page.locator(".line-of li.after .hash").first).to_have_text("not proven")
    page.emulate_media(color_scheme="dark")
    check_axe(page)
    played.run(lambda desk: alter(desk.hall.store, STREAM, seq, smaller))
    played.run(lambda desk: alter(desk.hall.store, STREAM, seq, larger, thorough=True))
    page.reload()
    expect(page.get_by_text("chain holds")).to_be_visible()
    page.set_input_files("#checkpoint-file", head)
    expect(page.locator("#checkpoint")).to_have_value(re.compile("signature"))
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_text("The record does not hold")).to_be_visible()
    expect(page.get_by_text("the record was rewritten")).to_be_visible()


def test_the_rules_and_a_proof_can_be_read_on_a_phone_and_by_everybody(
    played: PagesHouse, phone: Page, check_axe: Callable[[Page], None]
) -> None:
    played.sign_in(phone, "ann", path="/rounds/1-2")
    proof = phone.get_by_role("link", name="Check the shuffle").get_attribute("href")
    for path in ("/rounds/1-2", str(proof), "/differences?part=table", *RULES):
        phone.goto(path)
        assert phone.evaluate("() => document.scrollingElement.scrollWidth") <= 390, path
        check_axe(phone)
    phone.goto("/clauses/md-mississippi-stud/12.B")
    phone.get_by_role("link", name="Clause after, 12.B(1)").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Clause 12.B(1)")
