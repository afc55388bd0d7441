"""People, settings and devices of a house, browsed without scripts: who sees and does what, and what is refused."""

import logging
import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from croupier.house import DEMO_PASSWORD, HouseRequest, commands, device_scope, rights
from croupier.server import now
from croupier.web.house_page import SCOPE_WORDS
from support.browser import HOUSE, Browser, Form, HouseForBrowsers, ThePage, browse

FLOOR: Final = {"floorperson", "supervisor", "pit manager", "shift manager"}
EVERYBODY: Final = sorted(FLOOR | {"operator", "regulator", "auditor", "cashier", "dealer", "ann"})
PASSWORD: Final = re.compile(r"(?:[a-z2-9]{4}-){3}[a-z2-9]{4}")
DEALER: Final = "/people/dealer-1"


def well_made(page: ThePage, status: int = 200) -> ThePage:
    assert page.status == status, page.text
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    inputs = [given for tag, given in page.tags if tag in {"input", "select", "textarea"}]
    shown = [given for given in inputs if given.get("type") != "hidden"]
    assert {given["id"] for given in shown} <= page.labels
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert all(
        {"csrf", "key"} <= form.fields.keys()
        for form in page.forms
        if form.action.startswith(("/people", "/house")) and form.method == "post"
    )
    assert page.headers["cache-control"] == "no-store"
    return page


def going(page: ThePage, ending: str) -> Form:
    form = page.going_to(ending)
    assert form is not None, (ending, [form.action for form in page.forms])
    return form


def adding(page: ThePage) -> Form:
    """The form for somebody new, not the one that finds somebody."""
    return next(form for form in page.forms if form.method == "post" and form.action.startswith("/people#"))


def ticked(page: ThePage) -> set[str]:
    return {given["name"] for tag, given in page.tags if tag == "input" and "checked" in given}


def shown_password(page: ThePage) -> str:
    match = PASSWORD.search(page.text)
    assert match is not None, page.text
    return match[0]


# --- rights


def test_each_page_is_for_those_who_may_read_it(tmp_path: Path) -> None:
    everybody, tokens = {"operator", "regulator", "auditor", "cashier"}, {"operator", "auditor"}
    may_see = {
        "/people": everybody | FLOOR,
        "/people/ann-1": everybody | FLOOR,
        DEALER: everybody,
        "/house": tokens,
    }

    async def visit(house: HouseForBrowsers) -> None:
        for name in EVERYBODY:
            browser = await house.browser(name)
            for path, who in may_see.items():
                page = await browser.see(path)
                assert page.status == (200 if name in who else 403), (name, path)
                if name in who:
                    well_made(page)
            lobby = await browser.see("/")
            assert {"/people", "/house"} <= set(lobby.links) if name == "operator" else "/house" not in lobby.links
        floor = await (await house.browser("floorperson")).see("/people")
        assert "ann-1" in floor.text
        assert "dealer-1" not in floor.text, "the floor sees the players"
        stranger = await house.browser()
        assert {(await stranger.see(path)).status for path in may_see} == {401}
        assert (await (await house.browser("operator")).see("/people/nobody")).status == 404

    browse(tmp_path, visit)


def test_nobody_does_what_the_rights_do_not_give_them(tmp_path: Path) -> None:
    cashiers = {"operator", "cashier"}
    tries: dict[str, tuple[dict[str, str], set[str]]] = {
        "/people": ({"name": "Somebody New"}, {"operator"}),
        f"{DEALER}/roles": ({}, {"operator"}),
        f"{DEALER}/suspend": ({}, {"operator"}),
        f"{DEALER}/second-factor": ({}, {"operator"}),
        "/people/bob-1/restore": ({}, cashiers),
        "/people/bob-1/second-factor": ({}, cashiers),
        "/people/bob-1/sign-out": ({}, cashiers),
        "/house/settings": ({"time_zone": "Nowhere", "day_start": "06:00"}, {"operator"}),
        "/house/tokens": ({"device": "Shoe", "days": "1"}, {"operator"}),
        "/house/tokens/none/revoke": ({}, {"operator"}),
    }

    async def visit(house: HouseForBrowsers) -> None:
        before = house.desk.house.state
        for name in ("ann", "dealer", "floorperson", "shift manager", "cashier", "operator", "regulator", "auditor"):
            browser = await house.browser(name)
            csrf = going(await browser.see("/"), "/sign-out").fields["csrf"]
            for path, (fields, who) in tries.items():
                answer = await browser.http.post(path, data={"csrf": csrf, **fields}, headers={"origin": HOUSE})
                denied = answer.status_code in {401, 403}
                assert denied == (name not in who), (name, path, answer.status_code)
                assert (await browser.http.post(path, data=fields)).status_code == 403, "a form carries its token"
            house.desk.commands = type(house.desk.commands)(per_second=1e9, burst=1e9)  # type: ignore[misc]
        after = house.desk.house.state
        assert replace(after, seq=0, people={}) == replace(before, seq=0, people={})
        assert {person.id: person.roles for person in after.people.values()} == {
            person.id: person.roles for person in before.people.values()
        }

    browse(tmp_path, visit)


def test_forms_are_offered_to_those_who_may_send_them(tmp_path: Path) -> None:
    every = {"suspend", "password", "second-factor", "sign-out"}
    offered = {
        ("operator", DEALER): every | {"roles"},
        ("operator", "/people/ann-1"): every,
        ("cashier", DEALER): set(),
        ("cashier", "/people/ann-1"): every,
        ("shift manager", "/people/ann-1"): {"suspend"},
        ("floorperson", "/people/ann-1"): set(),
        ("regulator", DEALER): set(),
        ("auditor", DEALER): set(),
    }

    async def visit(house: HouseForBrowsers) -> None:
        for (name, path), forms in offered.items():
            page = await (await house.browser(name)).see(path)
            sent = {form.action.removeprefix(f"{path}/") for form in page.forms if form.action.startswith(path)}
            assert sent == forms, (name, path)
        operator = await house.browser("operator")
        own = well_made(await operator.see("/people/operator-1"))
        assert "Nobody changes their own roles: another operator has to." in own.text
        assert not [form for form in own.forms if form.action.startswith("/people")]
        player = await operator.see("/people/ann-1")
        assert "A player's account cannot take a staff role" in player.text
        auditor = await (await house.browser("auditor")).see("/house")
        assert not [form for form in auditor.forms if form.action.startswith("/house")]

    browse(tmp_path, visit)


def test_without_the_second_factor_an_operator_reads_and_does_nothing(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        csrf = going(await operator.see("/people"), "/sign-out").fields["csrf"]
        house.desk.house._state = replace(house.desk.house.state, demo=False)  # noqa: SLF001 - real money
        for path in ("/people", DEALER, "/house"):
            page = await operator.see(path)
            assert (page.status, "second factor first" in page.text) == (403, True)
        for path in ("/people", f"{DEALER}/suspend", f"{DEALER}/password", "/house/settings", "/house/tokens"):
            sent = {"csrf": csrf, "name": "Dee", "role.dealer": "yes", "device": "Shoe", "days": "1"}
            answer = await operator.http.post(path, data=sent, headers={"origin": HOUSE})
            assert answer.status_code == 403, path
        assert not house.desk.house.state.people["dealer-1"].suspended

    browse(tmp_path, visit)


# --- accounts


def test_somebody_new_gets_a_password_once_and_signs_in(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        form = adding(well_made(await operator.see("/people")))
        refused = well_made(
            await operator.send(form, {"name": "Dee Dealer", "role.dealer": "yes", "role.player": "yes"}), 409
        )
        assert "A player cannot have any other role: choose one of them." in refused.text
        assert adding(refused).fields["name"] == "Dee Dealer"
        assert ticked(refused) == {"role.dealer", "role.player"}
        refused = well_made(await operator.send(adding(refused), {"name": "Dee Dealer"}), 409)
        assert "pit manager" in refused.text
        assert "pit_manager" not in refused.text
        for name, status in (("dealer", 409), (" ", 400)):
            refused = well_made(await operator.send(adding(refused), {"name": name, "role.dealer": "yes"}), status)
            assert 'id="new-name-finding"' in refused.html
        form = adding(refused)
        page = well_made(await operator.send(form, {"name": "Dee Dealer", "role.dealer": "yes", "role.cashier": "yes"}))
        password = shown_password(page)
        assert "shown only once" in page.text
        (person,) = [
            person for person in house.desk.house.state.people.values() if person.roles == ("dealer", "cashier")
        ]
        assert PASSWORD.search((await operator.see(f"/people/{person.id}")).text) is None
        again = await operator.send(form, {"name": "Dee Dealer", "role.dealer": "yes", "role.cashier": "yes"})
        assert (again.status, again.path) == (200, f"/people/{person.id}")
        assert "You sent this form before" in again.text
        dee = await house.browser()
        assert (await dee.sign_in("Dee Dealer", password)).path == "/"
        assert password not in caplog.text
        assert "Dealer, cashier" in (await operator.see("/people?find=dee")).text

    browse(tmp_path, visit)


def test_a_long_list_is_cut_and_narrowed(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        for number in range(60):
            command = commands.AddPerson(person=f"p-{number:02}", roles=("player",))
            await house.desk.house.give(HouseRequest(by="operator-1", at=now(), command=command, factor=True))
        operator = await house.browser("operator")
        page = well_made(await operator.see("/people?role=player"))
        assert page.text.count("p-") + page.text.count("ann-1") >= 40
        assert re.search(r"and \d+ more: write more of the name", page.text)
        page = well_made(await operator.see("/people?find=P-07"))
        assert "p-07" in page.text
        assert "p-08" not in page.text
        assert "dealer-1" not in (await operator.see("/people?role=cashier")).text
        assert "ann-1" not in (await operator.see("/people?role=staff")).text
        assert "Nobody here has that name" in (await operator.see("/people?find=%3Cb%3E")).text
        assert (await operator.see("/people?role=nothing")).status == 200
        assert (await operator.see(f"/people?find={'x' * 61}")).status == 400

    browse(tmp_path, visit)


def test_roles_change_and_a_refusal_keeps_what_was_ticked(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, dealer = await house.browser("operator"), await house.browser("dealer")
        page = well_made(await operator.see(DEALER))
        assert ticked(page) == {"role.dealer"}
        assert "role.player" not in {given.get("name") for _, given in page.tags}, "the house would refuse it"
        form = going(page, "/roles")
        same = well_made(await operator.send(form, {"role.dealer": "yes"}), 409)
        assert "dealer has these roles already" in same.text.casefold()
        alone = well_made(await operator.send(form, {"role.dealer": "yes", "role.auditor": "yes"}), 409)
        assert "An auditor cannot have any other role: choose one of them." in alone.text
        assert ticked(alone) == {"role.dealer", "role.auditor"}
        page = well_made(await operator.send(form, {"role.dealer": "yes", "role.floorperson": "yes"}))
        assert "The roles are changed." in page.text
        assert house.desk.house.state.people["dealer-1"].roles == ("dealer", "floorperson")
        assert (await dealer.see("/account")).status == 401, "signed out everywhere"
        own = await operator.send(
            Form("/people/operator-1/roles", "post"), {"role.dealer": "yes"}, csrf=form.fields["csrf"]
        )
        assert own.status == 409
        assert "nobody changes their own roles" in own.text.casefold()

    browse(tmp_path, visit)


async def signs_in(house: HouseForBrowsers, name: str, password: str = DEMO_PASSWORD) -> bool:
    browser = await house.browser()
    return (await browser.sign_in(name, password)).status == 200


async def done(browser: Browser, path: str, act: str) -> ThePage:
    return well_made(await browser.send(going(await browser.see(path), f"{path}/{act}")))


def test_suspension_password_second_factor_and_sessions(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, dealer = await house.browser("operator"), await house.browser("dealer")
        assert "The account is suspended" in (await done(operator, DEALER, "suspend")).text
        assert (await dealer.see("/account")).status == 401
        assert not await signs_in(house, "dealer")
        twice = await operator.send(
            Form(f"{DEALER}/suspend", "post"), csrf=going(await operator.see("/people"), "/sign-out").fields["csrf"]
        )
        assert (twice.status, "dealer is suspended already" in twice.text.casefold()) == (409, True)
        assert "suspended" in (await operator.see("/people?find=dealer")).text
        assert "The account is restored" in (await done(operator, DEALER, "restore")).text
        assert "Done" not in (await operator.see(f"{DEALER}?done=suspend")).text, "it has been undone since"
        assert await signs_in(house, "dealer")
        page = await done(operator, DEALER, "password")
        password = shown_password(page)
        assert not await signs_in(house, "dealer")
        assert await signs_in(house, "dealer", password)
        assert (await operator.see(DEALER)).going_to("/second-factor") is not None
        assert "dealer has no second factor" in (await operator.see(DEALER)).text.casefold()
        request = HouseRequest(by="dealer-1", at=now(), command=commands.SetSecondFactor(person="dealer-1"))
        await house.desk.house.give(request)
        assert "The second factor is removed" in (await done(operator, DEALER, "second-factor")).text
        assert not house.desk.house.state.people["dealer-1"].second_factor
        ann = await house.browser("ann")
        assert "signed out everywhere" in (await done(operator, "/people/ann-1", "sign-out")).text
        assert (await ann.see("/account")).status == 401

    browse(tmp_path, visit)


def test_a_cashier_looks_after_a_player_from_the_cage(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        cashier = await house.browser("cashier")
        assert "/people/ann-1" in (await cashier.see("/cage/players/ann-1")).links
        password = shown_password(await done(cashier, "/people/ann-1", "password"))
        assert await signs_in(house, "ann", password)
        assert "/cage/players/ann-1" in (await cashier.see("/people/ann-1")).links

    browse(tmp_path, visit)


# --- the house


def test_settings_change_and_refusals_stand_beside_their_fields(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        page = well_made(await operator.see("/house"))
        form = going(page, "/house/settings")
        assert {"America/New_York", "UTC", "Europe/Paris"} <= set(form.choices["time_zone"])
        for zone, start, field in (
            ("Nowhere/At all", "06:00", "time_zone"),
            ("America/New_York", "25:00", "day_start"),
        ):
            refused = well_made(await operator.send(form, time_zone=zone, day_start=start), 400)
            assert f'id="{field}-finding"' in refused.html
            kept = going(refused, "/house/settings").fields
            assert (kept["time_zone"], kept["day_start"]) == (zone, start)
        page = well_made(await operator.send(form, time_zone="America/Denver", day_start="05:30"))
        assert "The settings are changed." in page.text
        assert (house.desk.house.state.time_zone, house.desk.house.state.day_start) == ("America/Denver", "05:30")
        same = await operator.send(going(page, "/house/settings"))
        assert (same.status, "these are the settings already" in same.text.casefold()) == (409, True)

    browse(tmp_path, visit)


def test_a_token_is_shown_once_works_and_is_revoked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        form = going(well_made(await operator.see("/house")), "/house/tokens")
        wrong = {
            "device": {"device": "<b>", "scope.read:meters": "yes"},
            "scope": {"device": "Sign 1"},
            "tables": {"device": "Sign 1", "scope.read:meters": "yes", "tables": "1, 99"},
            "days": {"device": "Sign 1", "scope.read:meters": "yes", "days": "4000"},
        }
        for field, typed in wrong.items():
            answer = await operator.send(form, typed)
            refused = well_made(answer, 400 if field == "device" else 409)
            assert f'id="{field}-finding"' in refused.html, field
            assert going(refused, "/house/tokens").fields["device"] == typed["device"]
            assert ticked(refused) == {name for name in typed if name.startswith("scope.")}
            assert "load_deck" not in refused.text
        assert (await operator.send(form, {"device": "Sign 1", "days": "soon"})).status == 400
        typed = {
            "device": "Shoe 1",
            "scope.read:meters": "yes",
            "scope.report_jam": "yes",
            "tables": "1, 2",
            "days": "30",
        }
        page = well_made(await operator.send(form, typed))
        token = next(iter(house.desk.house.state.tokens.values()))
        match = re.search(rf"{token.id}\.[\w-]+", page.html)
        assert match is not None
        assert (token.scope, token.tables) == (("read:meters", "report_jam"), ("1", "2"))
        again = await operator.send(form, typed)
        assert (again.status, len(house.desk.house.state.tokens)) == (409, 1)
        assert "you sent this form before" in again.text.casefold()
        device = Browser(house.app)
        headers = {"authorization": f"Bearer {match[0]}", "accept": "application/json"}
        jam = {"do": "report_jam"}
        at_its_table = await device.http.post("/api/tables/1/commands", json=jam, headers=headers)
        assert at_its_table.status_code not in {401, 403}, at_its_table.text
        assert (await device.http.post("/api/tables/3/commands", json=jam, headers=headers)).status_code == 403
        listed = well_made(await operator.see("/house"))
        assert match[0] not in listed.html
        assert "Read the meters and report a jam" in listed.text
        page = well_made(await operator.send(going(listed, f"/house/tokens/{token.id}/revoke")))
        assert "The token is revoked" in page.text
        assert (await device.http.post("/api/tables/1/commands", json=jam, headers=headers)).status_code == 401
        twice = await operator.send(Form(f"/house/tokens/{token.id}/revoke", "post"), csrf=form.fields["csrf"])
        assert twice.status == 409
        await device.http.aclose()
        assert match[0] not in caplog.text
        assert match[0].partition(".")[2] not in caplog.text

    browse(tmp_path, visit)


def test_everything_that_a_token_can_allow_has_words() -> None:
    assert SCOPE_WORDS.keys() == device_scope()
    assert "device" in rights().roles
