"""The workbench and the regulator's page, browsed without scripts: from a draft to an open table."""

import asyncio
import re
import time
from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any, Final

import pytest

from croupier.analysis import Price, PricedLine, cases_of_house, outcomes_of
from croupier.documents import CaseAsked, PaperAsked, asked_of
from croupier.house import Drafts, OpenDraft
from croupier.rulebook import (
    check,
    load_rulebook,
    read_submission,
    read_submission_text,
    rulebook_ids,
    starting_submission,
)
from croupier.web.bench_fields import draft_of, read_draft
from croupier.web.bench_form import parts_of
from croupier.web.bench_shapes import said_by
from croupier.web.bench_work import Workshop
from support.browser import HOUSE, Browser, Form, HouseForBrowsers, ThePage, browse
from support.people import NOW

NAME: Final = "md-mississippi-stud"
EDIT: Final = f"/workbench/edit?name={NAME}"
PRINTED: Final[list[PaperAsked]] = []


def told_price(case: CaseAsked) -> Price:
    """A price that says which case it is of: no compiled code is loaded for pages."""
    edge = Fraction(1 + ord(case.paytable[-1]) % 7, 100)
    outcomes = outcomes_of([(Fraction(-1), 50 + int(edge * 50)), (Fraction(1), 50 - int(edge * 50))])
    lines = (PricedLine("pair", "1 to 1", 50, Fraction(1, 2)), PricedLine("nothing", "loses", 50, Fraction(-1, 2)))
    return Price(
        rulebook=case.rulebook,
        wager=case.wager,
        paytable=case.paytable,
        clause="",
        unit="stake",
        outcomes=outcomes,
        hit=Fraction(1, 4),
        lines=lines,
        total=100,
        method="told",
    )


def told(cases: Sequence[CaseAsked]) -> list[Price | None]:
    return [told_price(case) for case in cases]


def printed(asked: PaperAsked) -> bytes:
    PRINTED.append(asked)
    return b"%PDF a paper"


@pytest.fixture(autouse=True)
def workshop(monkeypatch: pytest.MonkeyPatch) -> None:
    PRINTED.clear()
    monkeypatch.setattr("croupier.web.bench_house.Workshop", lambda: Workshop(told, printed))


def bench_form(page: ThePage) -> Form:
    """The form with every choice, as a browser would send it: what is not ticked is not sent."""
    form = next(form for form in page.forms if form.action == "/workbench/edit" and "rulebook" in form.fields)
    for tag, given in page.tags:
        if tag == "input" and given.get("type") in {"radio", "checkbox"}:
            form.fields.pop(given["name"], None)
    for tag, given in page.tags:
        if tag == "input" and given.get("type") in {"radio", "checkbox"} and "checked" in given:
            form.fields[given["name"]] = given["value"]
    return form


def tag_of(page: ThePage, name: str) -> dict[str, str]:
    return next(given for tag, given in page.tags if tag in {"input", "select"} and given.get("name") == name)


def well_made(page: ThePage) -> None:
    assert page.status == 200, page.text
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids)), [name for name in page.ids if page.ids.count(name) > 1]
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    assert [tag for tag, _ in page.tags].count("h1") == 1
    described = [ids for _, given in page.tags for ids in given.get("aria-describedby", "").split()]
    assert set(described) <= set(page.ids)
    assert all(link.startswith(("/", "#")) for link in page.links)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert all("csrf" in form.fields for form in page.forms if form.method == "post")


# --- a submission and its form say the same


@pytest.mark.parametrize("book_id", rulebook_ids())
@pytest.mark.parametrize("every_wager", [True, False])
def test_a_form_that_is_sent_back_says_what_the_submission_says(book_id: str, *, every_wager: bool) -> None:
    book = load_rulebook(book_id)
    submission = read_submission_text(starting_submission(book, every_wager=every_wager), name=book_id)
    draft = draft_of(submission, book)
    parts = parts_of(book, draft, (), draft.fields)
    assert not [part.id for part in parts if part.changed]
    sent: dict[str, str] = {}
    for part in parts:
        sent |= {part.switch: "yes"} if part.offered else {}
        if part.tables is not None and (part.offered or (part.offered is None and part.tables.choice)):
            sent[part.tables.key] = part.tables.chosen
        for field in part.fields:
            sent |= said_by(field)
    again = read_draft(book, sent)
    assert again.unread == ()
    assert check(again.submission).rules() == check(submission).rules()


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_what_is_priced_is_what_the_house_would_offer(book_id: str) -> None:
    book = load_rulebook(book_id)
    submission = read_submission_text(starting_submission(book, every_wager=True), name=book_id)
    asked = [case.case() for case in asked_of(book, submission)]
    assert all(case in asked for case in cases_of_house(check(submission).rules()))
    ids = {(case.wager, case.table.id) for case in asked}
    assert ids >= {("base" if t.group == "base" else t.group, t.id) for t in book.paytables.paytable}


def test_another_progressive_paytable_brings_its_own_meters() -> None:
    book = load_rulebook(NAME)
    submission = read_submission_text(starting_submission(book, every_wager=True), name=NAME)
    sent = draft_of(submission, book).fields | {"wagers.progressive.paytable": "C"}
    draft = read_draft(book, sent)
    meters = [row.meter for row in book.paytables.minimum if row.paytable == "C"]
    assert sorted(draft.submission.wagers["progressive"].meters) == sorted(meters) != ["main"]
    assert not [finding for finding in check(draft.submission).findings if finding.severity == "error"]


def test_a_price_is_computed_in_a_process_beside_the_server() -> None:
    asked = asked_of(load_rulebook("md-let-it-ride"), read_submission({"rulebook": "md-let-it-ride"}))
    case = next(case for case in asked if (case.wager, case.paytable) == ("three_card_bonus", "A"))

    async def ask() -> Price | None:
        known = await Workshop().prices([case], patience=120)
        return known[case]

    price = asyncio.run(ask())
    assert price is not None
    assert price.edge == Fraction(128, 5525)


# --- findings beside their fields


WRONG: Final = [
    pytest.param(NAME, {"seats": "7"}, "seats", "2.A", marks=pytest.mark.clause("md-mississippi-stud 2.A")),
    pytest.param(
        NAME,
        {"wagers.progressive.meters.main.initial": "5,000"},
        "wagers.progressive.meters.main.initial",
        "12.C(3)(b)(i)",
        marks=pytest.mark.clause("md-mississippi-stud 12.C(3)(b)(i)"),
    ),
    pytest.param(
        NAME,
        {"cards.deck_hours": "9"},
        "cards.deck_hours",
        "3.C(2)",
        marks=pytest.mark.clause("md-mississippi-stud 3.C(2)"),
    ),
    pytest.param(
        "ma-mississippi-stud",
        {"seats": "8"},
        "seats",
        "11bis(c)",
        marks=pytest.mark.clause("ma-mississippi-stud 11bis(c)"),
    ),
    pytest.param(NAME, {"limits.ante.minimum": "ten"}, "limits.ante.minimum", "", id="not an amount"),
]


@pytest.mark.parametrize(("name", "typed", "key", "clause"), WRONG)
def test_a_finding_stands_beside_its_field(
    tmp_path: Path, name: str, typed: dict[str, str], key: str, clause: str
) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = await operator.see(f"/workbench/edit?name={name}")
        well_made(page)
        assert ("do", "send") in all_buttons(page)
        page = await operator.send(bench_form(page), typed)
        well_made(page)
        field = tag_of(page, key)
        assert field["aria-invalid"] == "true"
        assert field["value"] == typed[key]
        assert f"x-{key}-1" in field["aria-describedby"].split()
        said = page.html.partition(f'id="x-{key}-1"')[2].partition("</p>")[0]
        if clause:
            assert f'href="/clauses/{name}/{clause}"' in said.replace("%28", "(").replace("%29", ")")
        assert ("do", "send") not in all_buttons(page)
        assert "It cannot be sent while there is an error" in page.text
        refused = await operator.send(bench_form(page), typed, button=("do", "send"))
        assert refused.status in {400, 409}, refused.status
        assert len(house.desk.house.state.versions(name)) == 1, "nothing was filed"

    browse(tmp_path, visit)


def all_buttons(page: ThePage) -> list[tuple[str, str]]:
    return [
        (given.get("name", ""), given.get("value", ""))
        for tag, given in page.tags
        if tag == "button" and "disabled" not in given
    ]


def test_a_choice_changes_its_column_the_prices_and_the_differences(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = await operator.see(EDIT)
        assert "Nothing has changed." in page.text
        form = bench_form(page)
        assert form.fields["wagers.three_card_bonus.paytable"] == "A"
        changed = {
            "wagers.three_card_bonus.paytable": "D",
            "limits.ante.maximum": "300",
            "readings.leave.default": "abandon",
        }
        sent, headers = form.fields | changed, {"origin": HOUSE, "hx-request": "true"}
        took = []
        for _ in range(3):
            begun = time.perf_counter()
            await operator.http.post("/workbench/edit", data=sent, headers=headers)
            took.append(time.perf_counter() - begun)
        answer = await operator.http.post("/workbench/edit", data=sent, headers=headers)
        assert answer.text.lstrip().startswith('<div id="bench">'), "a page that is open gets its part alone"
        assert min(took) < 0.3
        for words in ("Three Card Bonus D", "<del>", "$500", "$300", "abandon"):
            assert words in answer.text
        page = await operator.see(EDIT)
        assert bench_form(page).fields["wagers.three_card_bonus.paytable"] == "D", "work is kept"
        page = await operator.send(bench_form(page), {"wagers.six_card_bonus.offered": ""})
        assert "not offered" in page.text
        page = await operator.see(f"{EDIT}&fresh=yes")
        assert bench_form(page).fields["wagers.three_card_bonus.paytable"] == "A", "started over"

    browse(tmp_path, visit)


def test_figures_that_are_not_known_yet_are_said_to_be_in_the_making(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = Event()

    def slow(cases: Sequence[CaseAsked]) -> list[Price | None]:
        assert computed.wait(60)
        return told(cases)

    monkeypatch.setattr("croupier.web.bench_house.Workshop", lambda: Workshop(slow, printed))

    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = await operator.see(EDIT)  # it comes although nothing is computed
        well_made(page)
        assert "being computed" in page.text
        assert 'hx-trigger="every 900ms"' in page.html
        computed.set()
        async with asyncio.timeout(60):
            while "being computed" in page.text:
                page = await operator.see(EDIT)
        assert 'hx-trigger="every 900ms"' not in page.html

    try:
        browse(tmp_path, visit)
    finally:
        computed.set()


def test_a_draft_survives_the_end_of_the_server_and_is_for_whoever_made_it(tmp_path: Path) -> None:
    async def work(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = await operator.see("/workbench/edit?name=Night%20shift&rulebook=md-let-it-ride")
        await operator.send(bench_form(page), {"seats": "5", "operator": "<b>Half"}, button=("do", "check"))

    async def go_on(house: HouseForBrowsers) -> None:
        operator, drafts = await house.browser("operator"), Drafts(house.desk.house.store)
        assert "Night shift" in (await operator.see("/workbench")).text
        page = await operator.see("/workbench/edit?name=Night%20shift")
        well_made(page)
        assert (bench_form(page).fields["seats"], bench_form(page).fields["operator"]) == ("5", "<b>Half")
        assert list(await drafts.of("operator-1")) == ["Night shift"]
        assert not await drafts.of("regulator-1")
        for number in range(55):
            draft = OpenDraft(f"draft {number:02}", "md-let-it-ride", {"seats": "5"})
            await drafts.keep("operator-2", draft, NOW + timedelta(seconds=number))
        kept = await drafts.of("operator-2")
        assert (len(kept), next(iter(kept)), "draft 04" in kept) == (50, "draft 54", False), "the oldest go first"
        await operator.send(bench_form(page), button=("do", "send"))
        assert not await drafts.of("operator-1"), "it was sent"
        await drafts.keep("operator-1", OpenDraft("gone", "xx-no-such-book", {}), NOW)
        assert "choose a rulebook" in (await operator.see("/workbench/edit?name=gone")).text.lower()

    browse(tmp_path, work)
    browse(tmp_path, go_on)


def test_a_figure_that_fails_is_said_so_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, broken = [0.0], [True]

    def pricer(cases: Sequence[CaseAsked]) -> list[Price | None]:
        if broken[0]:
            raise OSError("no memory")
        return told(cases)

    monkeypatch.setattr("croupier.web.bench_house.Workshop", lambda: Workshop(pricer, printed, lambda: clock[0]))

    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = await operator.see(EDIT)
        while "being computed" in page.text:
            page = await operator.see(EDIT)
        well_made(page)
        assert "could not be computed on this machine" in page.text
        assert "not computed" in page.text
        assert 'hx-trigger="every 15s"' in page.html
        broken[0] = False
        assert "could not be computed on this machine" in (await operator.see(EDIT)).text, "not before a while"
        clock[0] = 16.0
        for _ in range(50):
            page = await operator.see(EDIT)
            if "could not be computed" not in page.text:
                break
        assert "could not be computed" not in page.text
        assert "being computed" not in page.text

    browse(tmp_path, visit)


# --- from draft to table


def form_with(page: ThePage, **fields: str) -> Form:
    return next(form for form in page.forms if fields.items() <= form.fields.items())


@pytest.mark.clause("md-let-it-ride .02B")
def test_a_submission_goes_from_draft_to_approval_to_an_open_table(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, regulator = await house.browser("operator"), await house.browser("regulator")
        well_made(await operator.see("/workbench"))
        page = await operator.see("/workbench/edit?name=Night%20shift&rulebook=md-let-it-ride")
        well_made(page)
        page = await operator.send(
            bench_form(page), {"seats": "5", "wagers.three_card_bonus.offered": "yes"}, button=("do", "check")
        )
        assert bench_form(page).fields["wagers.three_card_bonus.paytable"] == "A", "the usual choices"
        page = await operator.send(bench_form(page), button=("do", "send"))
        assert page.path == "/workbench/submissions/Night shift/1"
        assert "Sent for approval" in page.text
        well_made(page)
        filed = house.desk.house.state.submissions["Night shift", 1]

        waiting = await regulator.see("/approvals")
        well_made(waiting)
        assert "Night shift, version 1" in waiting.text
        page = await regulator.see("/approvals/Night%20shift/1")
        well_made(page)
        assert filed.hash in page.text
        form = form_with(page, hash=filed.hash)
        refused = await regulator.send(form, button=("do", "return"))
        assert "Say why the submission is returned" in refused.text
        other = await regulator.send(form, {"hash": "0" * 64, "key": "another"}, button=("do", "approve"))
        assert other.status == 409
        assert "is not what was looked at" in other.text
        assert house.desk.house.state.submissions["Night shift", 1].status == "drafted"
        done = await regulator.send(form, {"note": "Docket 7", "key": "third"}, button=("do", "approve"))
        assert done.path == "/approvals"
        assert "Docket 7" in done.text

        page = await operator.see("/workbench/submissions/Night%20shift")
        well_made(page)
        make = form_with(page, kind="virtual")
        page = await operator.send(make, {"table": "9"}, button=("do", "make"))
        assert "The table is made" in page.text
        page = await operator.send(form_with(page, table="9"), button=("do", "open"))
        assert "The table is open" in page.text
        assert house.desk.table("9").table.house.seats == 5

    browse(tmp_path, visit)


@pytest.mark.clause("md-mississippi-stud 2.B")
def test_a_table_is_put_on_a_new_version_by_two_people(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, regulator = await house.browser("operator"), await house.browser("regulator")
        floor = await house.browser("floorperson")
        page = await operator.see(EDIT)
        await operator.send(bench_form(page), {"limits.ante.maximum": "200"}, button=("do", "send"))
        page = await regulator.see(f"/approvals/{NAME}/2")
        assert "Maximum ante" in page.text.partition("Changes from version 1")[2], "the same difference"
        judging = next(form for form in page.forms if form.action.startswith("/approvals/"))
        await regulator.send(judging, button=("do", "approve"))
        assert house.desk.house.state.submissions[NAME, 2].status == "approved"
        address = f"/workbench/submissions/{NAME}"
        table = next(t.id for t in house.desk.house.state.tables.values() if t.submission == NAME)
        seen = await regulator.see(address)
        assert "nothing proposed" in seen.text, "there is another version, which others may propose"
        assert "no other approved version" not in seen.text.partition(f"Table {table}")[2].partition("Table")[0]
        page = await operator.see(address)
        form = next(form for form in page.forms if form.fields.get("table") == table and "to" in form.fields)
        page = await operator.send(form, {"to": f"{NAME} v2"}, button=("do", "propose"))
        assert "someone else has to confirm it" in page.text
        own = next(form for form in page.forms if form.fields.get("table") == table)
        refused = await operator.send(own, {"key": "own"}, button=("do", "confirm"))
        assert refused.status == 409
        page = await floor.see(address)
        theirs = next(form for form in page.forms if form.fields.get("table") == table)
        page = await floor.send(theirs, button=("do", "confirm"))
        assert "Confirmed" in page.text
        assert house.desk.house.state.tables[table].version == 2

    browse(tmp_path, visit)


def test_what_was_returned_is_compared_with_what_is_sent_again(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, regulator = await house.browser("operator"), await house.browser("regulator")
        page = await operator.see("/workbench/edit?name=Night%20shift&rulebook=md-let-it-ride")
        assert "the first version" in page.text
        await operator.send(bench_form(page), button=("do", "send"))
        page = await regulator.see("/approvals/Night%20shift/1")
        judging = next(form for form in page.forms if form.action.startswith("/approvals/"))
        decided = await regulator.send(judging, {"note": "Five seats only."}, button=("do", "return"))
        judged = house.desk.house.state.submissions["Night shift", 1].judged
        assert judged is not None
        assert f"{judged:%Y-%m-%d %H:%M:%S} UTC" in decided.text, "when it was decided"
        page = await operator.see("/workbench/edit?name=Night%20shift")
        assert "Five seats only." in page.text.partition("Version 1 was returned")[2]
        await operator.send(bench_form(page), {"seats": "5"}, button=("do", "send"))
        page = await regulator.see("/approvals/Night%20shift/2")
        well_made(page)
        assert "compared with version 1 (returned)" in " ".join(page.text.split())
        assert "Five seats only." in page.text, "whoever judges it again knows why"
        assert "Seats" in page.text.partition("Changes from version 1")[2]

    browse(tmp_path, visit)


def test_a_name_that_cannot_be_filed_is_refused_at_once_and_a_text_is_kept(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = await operator.see("/workbench/edit?name=Harbor%20room!&rulebook=md-let-it-ride")
        assert page.status == 400
        assert "letters, digits, spaces, dots and hyphens" in page.text
        assert tag_of(page, "name")["value"] == "Harbor room!"
        form = next(form for form in page.forms if form.action == "/workbench/edit" and form.method == "post")
        page = await operator.send(form, {"name": "Pier", "text": "seats = = 3"})
        assert page.status == 400
        assert ">seats = = 3</textarea>" in page.html, "nobody pastes it again"

    browse(tmp_path, visit)


# --- who may what


def test_only_an_operator_drafts_and_only_a_regulator_judges(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, auditor = await house.browser("ann"), await house.browser("auditor")
        nobody, regulator = await house.browser(), await house.browser("regulator")
        for path in ("/workbench", EDIT, "/approvals", f"/workbench/submissions/{NAME}/1"):
            assert (await ann.see(path)).status == 403
            assert (await nobody.see(path)).status == 401
        assert (await auditor.see(f"/approvals/{NAME}/1")).status == 200
        assert (await auditor.see(EDIT)).status == 403
        page = await regulator.see(f"/workbench/submissions/{NAME}/1")
        well_made(page)
        assert "Edit as a new version" not in page.text
        operator = await house.browser("operator")
        page = await operator.send(bench_form(await operator.see(EDIT)), {"seats": "5"}, button=("do", "send"))
        page = await operator.see(f"/approvals/{NAME}/2")
        assert not [form for form in page.forms if form.action.startswith("/approvals/")]
        forged = {"csrf": page.forms[0].fields["csrf"], "do": "approve", "hash": "", "key": "k"}
        answer = await operator.http.post(f"/approvals/{NAME}/2", data=forged, headers={"origin": HOUSE})
        assert answer.status_code in {403, 409}
        assert house.desk.house.state.submissions[NAME, 2].status == "drafted"

    browse(tmp_path, visit)


def test_papers_of_a_draft_and_of_a_version_are_printed_elsewhere(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        fields = bench_form(await operator.see(EDIT)).fields | {"seats": "4"}
        answer = await operator.http.post("/workbench/papers/sign-letter.pdf", data=fields, headers={"origin": HOUSE})
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/pdf"
        assert read_submission_text(PRINTED[-1].submission, name="printed").seats == 4
        answer = await operator.http.get(f"/workbench/submissions/{NAME}/1/papers/submission.html")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert (await operator.see(f"/workbench/submissions/{NAME}/1/papers/none.pdf")).status == 404
        wrong = await operator.http.post(
            "/workbench/papers/sign-letter.pdf", data=fields | {"seats": "9"}, headers={"origin": HOUSE}
        )
        assert wrong.status_code == 409
        saved = await operator.http.post("/workbench/file", data=fields, headers={"origin": HOUSE})
        assert read_submission_text(saved.text, name="saved").seats == 4
        text = starting_submission(load_rulebook(NAME))
        listed = await operator.see("/workbench")
        form = next(form for form in listed.forms if form.action == "/workbench/edit" and form.method == "post")
        page = await operator.send(form, {"name": "from a file", "text": text})
        assert "from a file, version 1" in page.text
        bad: dict[str, Any] = {"name": "from a file", "text": "rulebook = 7"}
        assert (await operator.send(form, bad)).status == 400

    browse(tmp_path, visit)


def test_what_people_type_is_shown_as_text(tmp_path: Path) -> None:
    hostile = '"><img src=x onerror=alert(1)>'

    async def visit(house: HouseForBrowsers) -> None:
        operator: Browser = await house.browser("operator")
        form = bench_form(await operator.see(EDIT))
        typed = {
            "operator": hostile,
            "seats": hostile,
            "approvals.layout": hostile,
            "readings.role_map.dealer": hostile,
        }
        page = await operator.send(form, typed)
        well_made(page)
        assert "<img" not in page.html
        odd = {"wagers.ante.offered.x": "1", "cards": "x", "cards.decks.y": "2", "limits": "3", "readings.": "4"}
        assert (await operator.send(bench_form(page), odd)).status in {200, 400}
        assert re.search("internal", page.text) is None

    browse(tmp_path, visit)
