"""Floor, disputes and cage, browsed without scripts: who sees and does what, and that the figures are the ledger's."""

from pathlib import Path
from typing import Any

from croupier.house import House, HouseCommand, HouseRequest, commands
from croupier.ledger import AwardLine, awards_of
from croupier.money import Cents, format_dollars
from croupier.store import AWARD_EVENTS, MONEY_EVENTS, Span, figures_in, posted_entries, spans_of_day
from croupier.table import Person
from support import pit
from support.browser import Form, HouseForBrowsers, ThePage, browse
from support.played import the_caller

TABLE = "9"
FLOOR = Person("floorperson", "floorperson-1")
DEALER = Person("dealer", "dealer-1")


def well_made(page: ThePage) -> None:
    assert page.status == 200, page.text
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    inputs = [given for tag, given in page.tags if tag in {"input", "select", "textarea"}]
    shown = [given for given in inputs if given.get("type") != "hidden"]
    assert {given["id"] for given in shown} <= page.labels
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert all("csrf" in form.fields for form in page.forms if form.method == "post")


def offering(page: ThePage, do: str) -> Form:
    form = page.offering(do)
    assert form is not None, (do, [form.do for form in page.forms])
    return form


def going(page: ThePage, ending: str) -> Form:
    form = page.going_to(ending)
    assert form is not None, (ending, [form.action for form in page.forms])
    return form


async def opened(house: HouseForBrowsers) -> None:
    await pit.make_table(house.desk, TABLE)
    await pit.open_for_ann(house.desk, TABLE)


# --- rights


def test_each_page_is_for_those_whose_work_it_is(tmp_path: Path) -> None:
    floor = {"floorperson", "supervisor", "pit manager", "shift manager"}
    officials = {"operator", "regulator", "auditor"}
    may_see = {
        "/floor": floor | officials,
        "/floor/live": floor | officials,
        "/floor/figures": floor | officials,
        "/floor/tables/1": floor | officials,
        "/cage": {"cashier"} | officials,
        "/cage/players/ann-1": {"cashier"} | officials,
        "/disputes": floor | officials | {"ann"},
    }
    in_bar = {"/floor": floor, "/cage": {"cashier"}, "/disputes": floor | officials}

    async def visit(house: HouseForBrowsers) -> None:
        for name in sorted(floor | officials | {"cashier", "dealer", "ann"}):
            browser = await house.browser(name)
            for path, who in may_see.items():
                page = await browser.see(path)
                assert page.status == (200 if name in who else 403), (name, path)
            lobby = await browser.see("/")
            for path, who in in_bar.items():
                assert (path in lobby.links) == (name in who), (name, path)
        stranger = await house.browser()
        assert {(await stranger.see(path)).status for path in may_see} == {401}

    browse(tmp_path, visit)


def test_nobody_does_at_the_cage_or_on_the_floor_what_is_not_theirs(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        tries = {
            "/cage/players/bob-1/deposit": ({"amount": "10", "reference": "D-1"}, {"cashier"}),
            "/cage/players/bob-1/reverse": ({"entry": "99", "reason": "no"}, {"cashier"}),
            "/cage/players": ({"name": "Somebody New"}, {"cashier", "operator"}),
            "/cage/hand-pays/1/1": ({"reference": "W-1"}, {"cashier"}),
            "/floor/tables/1": ({"do": "suspend_table", "reason": "to look"}, {"floorperson", "operator", "regulator"}),
            "/floor/tables/1/play": ({"play": "pause"}, {"floorperson", "operator", "regulator"}),
            "/disputes/1": ({"stands": "yes", "words": "as dealt"}, {"floorperson"}),
        }
        for name in ("ann", "dealer", "floorperson", "cashier", "operator", "regulator", "auditor"):
            browser = await house.browser(name)
            csrf = going(await browser.see("/"), "/sign-out").fields["csrf"]
            for path, (fields, who) in tries.items():
                answer = await browser.http.post(
                    path, data={"csrf": csrf, **fields}, headers={"origin": "http://house.test"}
                )
                denied = answer.status_code in {401, 403}
                assert denied == (name not in who), (name, path, answer.status_code)
                assert (await browser.http.post(path, data=fields)).status_code == 403, "a form carries its token"

    browse(tmp_path, visit)


# --- an award, from the win to the hand pay


def test_an_award_is_verified_validated_and_paid_by_hand_by_three_people(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await opened(house)
        await pit.ann_plays(house.desk, TABLE, progressive=True, until="verify_award")
        floor, cashier = await house.browser("floorperson"), await house.browser("cashier")
        page = await floor.see("/floor")
        well_made(page)
        assert "Seat 1 won $10,000.10: the dealer verifies" in page.text
        assert page.offering("validate_award") is None
        cage = await cashier.see("/cage")
        well_made(cage)
        assert "The dealer has to verify it first." in cage.text
        assert cage.going_to(f"/cage/hand-pays/{TABLE}/1") is None
        await pit.give(house.desk, TABLE, DEALER, "verify_award", seat=1, hand=True, light=True)
        early = await cashier.send(
            Form(f"/cage/hand-pays/{TABLE}/1", "post"), csrf=going(cage, "/sign-out").fields["csrf"], reference="W-1"
        )
        assert early.status == 409
        assert "the floor validates it before the cage makes out the slip" in early.text
        page = await floor.send(offering(await floor.see("/floor"), "validate_award"))
        assert (page.status, page.path) == (200, "/floor")
        assert offering(page, "hand_pay_award").fields["reference"] == "", "no slip yet"
        cage = await cashier.see("/cage")
        answer = await cashier.send(going(cage, f"/cage/hand-pays/{TABLE}/1"), reference="W-2041")
        assert (answer.status, answer.path) == (200, "/cage")
        assert "slip W-2041" in answer.text
        page = await floor.see("/floor")
        assert "slip W-2041 made out by the cage" in page.text
        pay = offering(page, "hand_pay_award")
        assert pay.fields["reference"] == "W-2041"
        other = await floor.send(pay, reference="W-9")
        assert other.status == 409
        assert "the cage made out slip w-2041 for this award" in other.text.casefold()
        page = await floor.send(pay)
        assert "hand pay" not in page.text
        await pit.staff_on(house.desk, TABLE)
        assert "No award waits to be paid by hand." in (await cashier.see("/cage")).text
        (award,) = await awards(house)
        assert (award.status, award.amount, award.reference) == ("hand paid", 1_000_010, "W-2041")
        assert (award.verified_by, award.validated_by, award.paid_by) == ("dealer-1", "floorperson-1", "floorperson-1")
        slip = house.desk.house.state.floor.slips[TABLE, award.round, 1]
        assert (slip.by, slip.amount, slip.person) == ("cashier-1", 1_000_010, "ann-1")

    browse(tmp_path, visit)


async def awards(house: HouseForBrowsers) -> tuple[AwardLine, ...]:
    store = house.desk.hall.store
    span = Span(f"table/{TABLE}", 0, house.desk.hall.live[TABLE].table.seq)
    return awards_of(await posted_entries(store, span, AWARD_EVENTS))


# --- disputes


def test_a_player_disputes_a_round_and_reads_the_answer_also_after_a_restart(tmp_path: Path) -> None:
    async def play(house: HouseForBrowsers) -> None:
        await opened(house)
        await pit.ann_plays(house.desk, TABLE)
        await pit.staff_on(house.desk, TABLE)
        ann, bob, floor = [await house.browser(name) for name in ("ann", "bob", "floorperson")]
        form = going(await ann.see("/disputes"), "/disputes")
        assert (await ann.send(form, table=TABLE, words=" ")).status == 409
        page = await ann.send(form, table=TABLE, words="I had <b>more</b>")
        well_made(page)
        assert "The dispute is on record" in page.text
        again = await ann.send(going(await ann.see("/disputes"), "/disputes"), table=TABLE, words="once more")
        assert (again.status, "Dispute 1 about this round waits" in again.text) == (409, True)
        refused = await bob.send(going(await bob.see("/disputes"), "/disputes"), table=TABLE, round="1", words="mine")
        assert refused.status == 404, "it was no round of his"
        assert (await bob.see("/disputes/1")).status == 404
        page = await floor.see("/floor")
        well_made(page)
        assert "/disputes/1" in page.links
        page = await floor.see("/disputes/1")
        well_made(page)
        for words in ("queen of hearts", "ten of hearts", "ace of hearts", "Royal flush"):
            assert words in page.html, words
        page = await floor.send(offering(page, "rebuild_hands"), button=offering(page, "rebuild_hands").buttons[0])
        assert page.path == "/disputes/1"
        assert "Rebuilt from the rack" in page.text
        own = await ann.see("/disputes/1")
        well_made(own)
        assert "Rebuilt from the rack" not in own.text
        assert own.going_to("/disputes/1") is None
        assert "<b>more" not in own.html

    async def answer(house: HouseForBrowsers) -> None:
        ann, floor = await house.browser("ann"), await house.browser("floorperson")
        page = await floor.see("/disputes/1")
        assert page.offering("reverse_settlement") is None, "the round is closed"
        page = await floor.send(going(page, "/disputes/1"), stands="yes", words="A royal flush pays 500 to 1, and did.")
        assert "The settlement stands." in page.text
        late = await floor.http.post(
            "/disputes/1",
            data={"csrf": going(page, "/sign-out").fields["csrf"], "stands": "no", "words": "no"},
            headers={"origin": "http://house.test"},
        )
        assert late.status_code == 409
        assert "A royal flush pays 500 to 1, and did." in (await ann.see("/account")).text

    async def after(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        told = (await ann.http.get("/api/disputes")).json()
        assert [(row["stands"], row["answer"]) for row in told] == [(True, "A royal flush pays 500 to 1, and did.")]
        assert "The settlement stands." in (await ann.see("/disputes/1")).text

    for visit in (play, answer, after):
        browse(tmp_path, visit)


def test_a_settlement_is_reversed_from_the_dispute_while_its_round_is_open(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await opened(house)
        await pit.ann_plays(house.desk, TABLE)
        floor = await house.browser("floorperson")
        form = going(await floor.see("/disputes"), "/disputes")
        page = await floor.send(form, table=TABLE, round="", person="ann-1", words="the dealer misread the hand")
        assert page.status == 200
        page = await floor.see("/disputes/1")
        reverse = offering(page, "reverse_settlement")
        page = await floor.send(reverse, button=next(iter(reverse.buttons), None), reason="the hand was misread")
        assert (page.status, page.path) == (200, "/disputes/1"), page.text
        assert "Nothing is settled yet." in page.text
        page = await floor.send(going(page, "/disputes/1"), stands="no", words="We settle it again.")
        assert "The settlement does not stand." in page.text

    browse(tmp_path, visit)


# --- figures


def test_the_figures_of_the_shift_are_the_ledgers(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        desk = house.desk
        await opened(house)
        floor = await house.browser("floorperson")
        told: dict[str, Any] = {}
        for number in range(3):
            await pit.ann_plays(desk, TABLE)
            if number == 1:
                await pit.give(desk, TABLE, FLOOR, "rule", irregularity="foreign_card")
            await pit.staff_on(desk, TABLE)
            desk.day_figures._given.clear()  # noqa: SLF001 - asked again at once
            told = {row["table"]: row for row in (await floor.http.get("/api/figures")).json()}[TABLE]
            day = desk.hall.live[TABLE].table.gaming_day
            assert day is not None
            (span,) = await spans_of_day(desk.hall.store, day, table=TABLE)
            ledger = await figures_in(desk.hall.store, span, await posted_entries(desk.hall.store, span, MONEY_EVENTS))
            assert told["day"] == day.isoformat()
            for name in ("drop", "chips_in", "handle", "paid", "win"):
                assert told["figures"][name] == format_dollars(Cents(getattr(ledger, name))), name
            assert (told["figures"]["rounds"], told["figures"]["rounds_void"]) == (ledger.rounds, ledger.rounds_void)
            assert ledger.difference == 0
        assert told["irregularities"] == {"foreign_card": 1}
        page = await floor.see("/floor/figures")
        assert "1 foreign card" in " ".join(page.text.split())

    browse(tmp_path, visit)


# --- the cage


def test_the_cage_books_money_as_people_type_it(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        cashier = await house.browser("cashier")
        page = await cashier.see("/cage?find=BOB")
        well_made(page)
        assert "/cage/players/bob-1" in page.links
        assert "/cage/players/dealer-1" not in (await cashier.see("/cage?find=dealer")).links
        before = await house.desk.hall.cage.balance("bob-1")
        page = await cashier.see("/cage/players/bob-1")
        well_made(page)
        form = going(page, "/deposit")
        for _ in range(2):  # sent twice, booked once
            page = await cashier.send(form, amount="$1,250.50", reference="D-1")
            assert page.status == 200, page.text
        assert await house.desk.hall.cage.balance("bob-1") == before + 125_050
        refused = await cashier.send(going(page, "/withdraw"), amount="9,000,000", reference="W-1")
        assert (refused.status, "for bob, not $9,000,000." in refused.text) == (409, True)
        assert going(refused, "/withdraw").fields["amount"] == "9,000,000", "what was typed is still there"
        wrong = await cashier.send(going(page, "/withdraw"), amount="twelve", reference="W-1")
        assert wrong.status == 400
        page = await cashier.send(going(page, "/withdraw"), amount="50", reference="W-1")
        assert await house.desk.hall.cage.balance("bob-1") == before + 120_050
        again = await cashier.send(going(page, "/withdraw"), amount="50", reference=" w-1 ")
        assert (again.status, "slip w-1 was used for entry" in again.text.lower()) == (409, True), "the back button"
        nameless = await cashier.send(going(page, "/withdraw"), amount="50", reference=" ")
        assert (nameless.status, "number of the slip" in nameless.text) == (400, True)
        assert await house.desk.hall.cage.balance("bob-1") == before + 120_050
        page = await cashier.send(going(page, "/reverse"), reason="the wrong player")
        assert page.status == 200
        assert await house.desk.hall.cage.balance("bob-1") == before + 125_050
        well_made(page)
        day = await cashier.see("/cage")
        assert "the wrong player" in day.text
        assert "reversed" in day.text

    browse(tmp_path, visit)


def test_a_cashier_makes_an_account_and_its_password_is_shown_once(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        cashier = await house.browser("cashier")
        page = await cashier.send(going(await cashier.see("/cage"), "/cage/players"), name="Zoe Quinn")
        well_made(page)
        password = page.html.partition("<code>")[2].partition("</code>")[0]
        zoe = await house.browser()
        assert (await zoe.sign_in("Zoe Quinn", password)).status == 200
        names = house.desk.doors.names
        person = next(each for each in house.desk.house.state.people if names.get(each) == "Zoe Quinn")
        assert password not in (await cashier.see(f"/cage/players/{person}")).html

    browse(tmp_path, visit)


# --- what the house does with a table


def run_of(house: HouseForBrowsers, table: str) -> str:
    return house.desk.house.state.tables[table].run


def test_the_floor_pauses_hands_over_and_confirms_rules(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor, manager = await house.browser("floorperson"), await house.browser("pit manager")
        page = await floor.send(going(await floor.see("/floor/tables/1"), "/tables/1/play"), play="pause")
        assert run_of(house, "1") == "paused"
        assert "Let rounds begin again" not in page.text, "that is for a pit manager"
        page = await manager.see("/floor")
        well_made(page)
        assert "No new round begins here." in page.text
        await manager.send(going(page, "/tables/1/play"), play="resume")
        assert run_of(house, "1") == "open"
        page = await floor.see("/floor/tables/1")
        hand_over = next(form for form in page.forms if "person" in form.choices and form.action.endswith("/play"))
        await floor.send(hand_over, person="dealer-1", play="hand_over")
        assert house.desk.house.state.tables["1"].dealt_by == "dealer-1"
        ride = "md-let-it-ride"
        text = house.desk.house.state.submissions[ride, 1].text.replace("Demo house", "Demo house 2")
        asked: list[tuple[str, HouseCommand]] = [
            ("operator-1", commands.DraftSubmission(name=ride, submission=text)),
            ("regulator-1", commands.ApproveSubmission(name=ride, version=2)),
            ("operator-1", commands.ProposeRulesChange(table="3", submission=ride, version=2)),
        ]
        for by, command in asked:
            await house.desk.house.give(HouseRequest(by=by, at=house.desk.doors.now(), command=command))
        page = await floor.see("/floor")
        well_made(page)
        assert "proposes version 2 of Let It Ride, Maryland" in page.text
        form = next(form for form in page.forms if ("play", "confirm") in form.buttons)
        await floor.send(form, play="confirm")
        assert house.desk.house.state.tables["3"].version == 2

    browse(tmp_path, visit)


def test_a_dealer_calls_and_the_floor_comes(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        call = commands.CallFloor(table="1", about="a card <i>fell</i>")
        await house.desk.give_house(the_caller("dealer", "dealer"), call, "")
        floor, ann = await house.browser("floorperson"), await house.browser("ann")
        page = await floor.see("/floor")
        assert "a card <i>fell</i>" in page.text
        assert "a card <i>fell</i>" in (await floor.see("/floor/tables/1")).text
        form = going(page, "/tables/1/call")
        csrf = going(await ann.see("/"), "/sign-out").fields["csrf"]
        assert (await ann.send(form, csrf=csrf)).status == 403
        other = House(house.desk.house.store)
        assert (await other.load()).floor.calls["1"].about == "a card <i>fell</i>", "another process, or a restart"
        page = await floor.send(form)
        assert "fell" not in page.text
        page = await floor.send(form)
        assert page.status == 200, "the same form again has been carried out"
        page = await floor.send(form, key="somebody else's")
        assert page.status == 409
        assert "somebody else has answered it" in page.text
        assert not (await other.refresh()).floor.calls

    browse(tmp_path, visit)
