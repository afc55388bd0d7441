"""Rounds looked at again: by their players on the felt, by auditors line by line, with proofs; and broken records."""

import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import pytest

from croupier.days import gaming_day, in_zone
from croupier.errors import RuleViolation
from croupier.games.events import DecisionMade
from croupier.house import commands
from croupier.journal import chain_hash
from croupier.ledger import HouseRole
from croupier.server import Caller, NotTheirs, audit_round, check_record, find_for_audit, round_story, sign_head
from croupier.store import RoundSearch
from croupier.store.checkpoints import saved_checkpoints
from croupier.web.past_rounds import gaming_day_named
from croupier.web.rendering import clause_path
from support.altered import alter, first_bet, larger
from support.browser import Browser, HouseForBrowsers, ThePage, browse
from support.played import play_rounds, the_caller, void_round

STREAM = "table/1"


def well_made(page: ThePage) -> None:
    assert page.status == 200, page.text
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    assert [tag for tag, _ in page.tags].count("h1") == 1
    inputs = [given for tag, given in page.tags if tag in {"input", "select"} and given.get("type") != "hidden"]
    assert {given["id"] for given in inputs} <= page.labels
    assert all("csrf" in form.fields for form in page.forms if form.method == "post")


def faces(page: ThePage) -> list[str]:
    """The cards on the wide felt, or in groups, in words."""
    return [given["aria-label"] for tag, given in page.tags if given.get("role") == "img" and _is_card(given)]


def _is_card(given: dict[str, str]) -> bool:
    return "card" in given.get("class", "") and not given.get("id", "").startswith("tall-")


async def check(browser: Browser, path: str, checkpoint: str = "") -> ThePage:
    form = (await browser.see(path)).going_to(f"{path}#whole")
    assert form is not None
    return await browser.send(form, {"checkpoint": checkpoint})


# --- players


def test_a_player_goes_through_their_round_step_by_step_and_sees_their_own_cards_alone(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        assert await play_rounds(house.desk, "1", choose="fold") == 1
        ann, auditor = await house.browser("ann"), await house.browser("auditor")
        last = await ann.see("/rounds/1-1")
        well_made(last)
        assert "The round is closed" in last.text
        assert "Your result" in last.text
        steps = sum("data-n" in given for _, given in last.tags)
        assert f"{steps} of {steps}" in last.text
        first = await ann.see("/rounds/1-1?at=1")
        assert f"1 of {steps}" in first.text
        assert faces(first) == []
        story = await round_story(house.desk, the_caller("ann"), "1-1")
        fold = 1 + next(n for n, entry in enumerate(story.entries) if isinstance(entry.event, DecisionMade))
        before = await ann.see(f"/rounds/1-1?at={fold - 1}")
        own = [card for card in faces(before) if card != "face-down card"]
        assert len(own) == 2, "her own hand, and nothing else was turned up"
        # Nobody showed this hand: the auditor sees backs, as everybody did.
        audited = await auditor.see(f"/audit/1-1?at={fold - 1}")
        assert set(faces(audited)) == {"face-down card"}
        part = await ann.see(f"/rounds/1-1?at={fold}&part=replay")
        assert "<html" not in part.html
        bob = await house.browser("bob")
        assert (await bob.see("/rounds/1-1")).status == 404
        assert (await ann.see("/rounds?void=void")).text.count("Table 1, round 1") == 0
        listed = await ann.see("/rounds?table=1")
        well_made(listed)
        assert "/rounds/1-1" in listed.links
        assert (await ann.see("/rounds?day=soon")).status == 400
        proof = next(link for link in last.links if link.startswith("/fairness/"))
        checked = await ann.see(proof)
        well_made(checked)
        assert "It holds." in checked.text
        assert {"/verify_shuffle.py", f"{proof}/proof.json"} <= set(checked.links)

    browse(tmp_path, visit)


def test_a_void_round_says_that_it_is_void_and_why(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        number = await void_round(house.desk, "3")
        ann, auditor = await house.browser("ann"), await house.browser("auditor")
        page = await ann.see(f"/rounds/3-{number}")
        well_made(page)
        assert "This round is void" in page.text
        assert "community card exposed; the round is void" in page.text
        assert clause_path(".13E", "md-let-it-ride") in page.links
        at_the_table = (await ann.see("/tables/3")).text
        assert "Round void" in at_the_table
        assert "Community card exposed. Every bet was returned" in at_the_table
        assert f"/rounds/3-{number}" in (await ann.see("/rounds?void=void")).links
        assert f"/audit/3-{number}" in (await auditor.see("/audit?void=yes&irregularity=community_exposed")).links
        assert "the same cents" in (await auditor.see(f"/audit/3-{number}")).text

    browse(tmp_path, visit)


# --- auditors


def test_only_auditors_regulators_and_operators_audit(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1")
        for name, status in (("ann", 403), ("dealer", 403), ("floorperson", 403), ("cashier", 403), ("", 401)):
            browser = await house.browser(name)
            for path in ("/audit", "/audit/1-1", "/audit/1-1/lines.jsonl", "/audit/day.csv?day=2026-01-01"):
                assert (await browser.see(path)).status == status, (name, path)
        for name in ("auditor", "regulator", "operator"):
            browser = await house.browser(name)
            well_made(await browser.see("/audit"))
            well_made(await browser.see("/audit/1-1"))
            assert (await browser.see("/audit/1-99")).status == 404
            assert (await browser.see("/audit/nonsense")).status == 404
        with pytest.raises(NotTheirs):
            await check_record(house.desk, the_caller("ann"), None)
        with pytest.raises(NotTheirs):
            await find_for_audit(house.desk, Caller(id="x", roles=("device",)), RoundSearch())

    browse(tmp_path, visit)


def test_a_sound_round_is_proved_again_and_its_lines_are_handed_out(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1", rounds=2)
        auditor = await house.browser("auditor")
        page = await auditor.see("/audit/1-2")
        for words in ("chain holds", "the same cents", "sum to zero", "The shuffle fits its commitment"):
            assert words in page.text, words
        assert "does not" not in page.text
        assert any(link.startswith("/clauses/ma-mississippi-stud/") for link in page.links)
        audited = await audit_round(house.desk, the_caller("auditor", "auditor"), "1-2")
        lines = (await auditor.http.get("/audit/1-2/lines.jsonl")).content.splitlines()
        assert lines == [link.line for link in audited.links]
        head = bytes.fromhex(audited.links[0].stored)
        for line, link in zip(lines[1:], audited.links[1:], strict=True):
            head = chain_hash(head, line)
            assert head.hex() == link.stored
        day = gaming_day(audited.found.closed, "UTC", "06:00").isoformat()
        rows = list(csv.DictReader(io.StringIO((await auditor.http.get(f"/audit/day.csv?day={day}")).text)))
        assert [row["round"] for row in rows] == ["1-1", "1-2"]
        assert float(rows[1]["staked"]) * 100 == audited.found.staked
        well_made(await auditor.see("/audit/1-2?on=felt&at=5"))

    browse(tmp_path, visit)


def test_rounds_are_searched_by_table_player_day_and_amounts(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1")
        await play_rounds(house.desk, "2", "bob")
        auditor = await house.browser("auditor")

        async def found(query: str) -> set[str]:
            page = await auditor.see(f"/audit?{query}")
            well_made(page)
            return {link for link in page.links if link.startswith("/audit/")}

        assert await found("") == {"/audit/1-1", "/audit/2-1"}
        assert await found("patron=ann") == {"/audit/1-1"}
        assert await found("patron=bob-1&table=2") == {"/audit/2-1"}
        assert await found("void=yes") == set()
        assert await found("void=no&staked=10") == {"/audit/1-1", "/audit/2-1"}
        assert await found("staked=$100,000.00") == set()
        assert await found("day=2020-01-01") == set()
        assert await found("hand=royal_flush") == set()
        assert (await auditor.see("/audit?paid=lots")).status == 400

    browse(tmp_path, visit)


def test_a_day_is_the_gaming_day_of_the_house_and_times_are_its_own(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, clock = the_caller("operator", "operator"), house.desk.doors.now()
        # Where the gaming day of yesterday still lasts for two minutes at least.
        starts = in_zone(clock + timedelta(minutes=3), "Asia/Tokyo")
        zone = commands.ChangeSettings(time_zone="Asia/Tokyo", day_start=f"{starts:%H:%M}")
        await house.desk.give_house(operator, zone, "")
        assert gaming_day_named(house.desk, "") == (None, None)
        start, end = gaming_day_named(house.desk, "2026-01-31")
        assert start is not None
        assert end is not None
        assert in_zone(start, "Asia/Tokyo").isoformat() == f"2026-01-31T{starts:%H:%M}:00+09:00"
        assert (end - start).days == 1
        await play_rounds(house.desk, "1")
        auditor = await house.browser("auditor")
        closed = (await audit_round(house.desk, the_caller("auditor", "auditor"), "1-1")).found.closed
        today = gaming_day(closed, "Asia/Tokyo", f"{starts:%H:%M}")
        assert today == starts.date() - timedelta(days=1)
        page = await auditor.see(f"/audit?day={today}")
        well_made(page)
        assert "/audit/1-1" in page.links
        assert f"runs from {starts:%H:%M} to {starts:%H:%M} the next day, Asia/Tokyo" in page.text
        assert f"{in_zone(closed, 'Asia/Tokyo'):%m-%d %H:%M:%S}" in page.text
        assert f"{in_zone(closed, 'Asia/Tokyo'):%H:%M:%S JST}" in (await auditor.see("/audit/1-1")).text
        for other in (today - timedelta(days=1), today + timedelta(days=1)):
            assert "/audit/1-1" not in (await auditor.see(f"/audit?day={other}")).links
        answer = await auditor.http.get("/audit/day.csv")
        assert f"rounds-{today}.csv" in answer.headers["content-disposition"], "the gaming day that it is now"
        assert answer.text.count("1-1,") == 1
        assert (await auditor.see("/audit?day=9999-12-31")).status == 400

    browse(tmp_path, visit)


def test_signing_a_head_is_a_right_of_its_own(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        roles: dict[str, HouseRole] = {"floorperson": "floorperson", "cashier": "cashier", "ann": "player"}
        for name, role in roles.items():
            with pytest.raises(RuleViolation, match="sign_head is for an operator, a regulator or an auditor"):
                await sign_head(house.desk, the_caller(name, role))
        auditors: tuple[HouseRole, ...] = ("auditor", "regulator", "operator")
        for role in auditors:
            assert json.loads(await sign_head(house.desk, the_caller(role, role)))["signature"]
        assert len(await saved_checkpoints(house.desk.hall.store)) == 3
        browser = await house.browser("cashier")
        form = (await browser.see("/account")).forms[0]
        sent = {"csrf": form.fields["csrf"]}
        answer = await browser.http.post("/audit/head", data=sent, headers={"origin": "http://house.test"})
        assert answer.status_code == 403

    browse(tmp_path, visit)


def test_the_automatic_dealer_is_named_once(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1")
        page = await (await house.browser("auditor")).see("/audit/1-1")
        assert "Automatic dealer" in page.text
        assert "Dealer automatic dealer" not in page.text
        assert "Player ann" in page.text

    browse(tmp_path, visit)


# --- broken records


def test_an_altered_line_is_shown_plainly_with_what_was_expected(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1", rounds=2)
        store = house.desk.hall.store
        seq = await first_bet(store, STREAM, 1)
        await alter(store, STREAM, seq, larger)
        auditor = await house.browser("auditor")
        page = await auditor.see("/audit/1-1")
        well_made(page)
        audited = await audit_round(house.desk, the_caller("auditor", "auditor"), "1-1")
        assert audited.broken is not None
        assert audited.broken.seq == seq
        assert f"chain broken at entry {seq}" in page.text
        assert audited.broken.expected in page.text
        assert audited.broken.stored in page.text
        assert "nor any later one can be trusted" in page.text
        assert "not what the lines move" in page.text
        assert "not zero" not in page.text, "what is stored still sums to zero"
        assert "as stored" in page.text
        assert "chain holds" in (await auditor.see("/audit/1-2")).text, "the lines of this round were not touched"
        whole = await check(auditor, "/audit/1-2")
        assert f"the chain breaks at entry {seq}" in whole.text
        everything = await check(auditor, "/audit")
        assert "The record does not hold" in everything.text
        assert f"Table 1 cannot be trusted from entry {seq} on" in everything.text
        broken = everything.text.index(f"Table 1: the chain breaks at entry {seq}")
        assert broken < everything.text.index("unbroken"), "what does not hold comes first"

    browse(tmp_path, visit)


def test_a_record_that_was_rewritten_throughout_is_found_out_by_a_saved_head(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1")
        auditor = await house.browser("auditor")
        form = (await auditor.see("/audit")).going_to("/audit/head")
        assert form is not None
        answer = await auditor.http.post("/audit/head", data=form.fields, headers={"origin": "http://house.test"})
        head = answer.text
        assert json.loads(head)["signature"]
        good = await check(auditor, "/audit/1-1", checkpoint=head)
        assert "Everything holds" in good.text
        assert "leads to the checkpoint that was saved" in good.text
        store = house.desk.hall.store
        seq = await first_bet(store, STREAM, 1)
        await alter(store, STREAM, seq, larger, thorough=True)
        page = await auditor.see("/audit/1-1")
        assert "chain holds" in page.text, "every hash was made again"
        assert "Everything holds" in (await check(auditor, "/audit/1-1")).text
        bad = await check(auditor, "/audit/1-1", checkpoint=head)
        assert "does not lead to the checkpoint that was saved" in bad.text
        assert "the record was rewritten" in bad.text
        for nonsense in ("hello", "{}", head.replace("table/1", "table/9")):
            answer_to = await check(auditor, "/audit/1-1", checkpoint=nonsense)
            assert answer_to.status == 200
            assert "The record does not hold" in answer_to.text

    browse(tmp_path, visit)


def test_a_line_that_cannot_be_read_any_more_hides_nothing_else(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await play_rounds(house.desk, "1")
        store = house.desk.hall.store
        seq = await first_bet(store, STREAM, 1)
        await alter(store, STREAM, seq, lambda line: line[:-20])
        auditor = await house.browser("auditor")
        listed = await auditor.see("/audit")
        well_made(listed)
        assert "The record is damaged" in listed.text
        page = await auditor.see("/audit/1-1")
        well_made(page)
        assert "This line cannot be read" in page.text
        assert f"chain broken at entry {seq}" in page.text
        assert "The round is closed" in page.text

    browse(tmp_path, visit)
