"""`croupier store operator-password`, and what a password that was handed out shows on pages and in the API."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from croupier.house import THE_HOUSE, House, People, commands
from croupier.store import CREDENTIALS_KEY, open_store
from support.browser import HouseForBrowsers, browse
from support.http_house import HttpHouse, http_house
from support.people import DAY, HOUR, NOW, quick, request
from support.running import here
from support.stores import StorePlace

MINUTE = timedelta(minutes=1)
PASSWORD = "nine of diamonds"
MADE = re.compile(r"the new password of (\w+), shown this once: ((?:[a-z2-9]{4}-){3}[a-z2-9]{4})\n")


def opened(url: str, *names: str, demo: bool = False) -> None:
    """A house with these operators, and a dealer, that was stopped."""

    async def run() -> None:
        store = await open_store(url)
        people = People(House(store), quick())
        await people.house.load()
        await people.begin(names[0], PASSWORD, commands.BeginHouse(operator="o-1", demo=demo), NOW)
        for number, name in enumerate(names[1:], 2):
            add = people.add(name, PASSWORD, ("operator",), by="o-1", at=NOW, factor=True, person=f"o-{number}")
            await add
        await people.add("Dee", PASSWORD, ("dealer",), by="o-1", at=NOW, factor=True, person="d-1")
        people.close()
        await store.close()

    asyncio.run(run())


def signs_in(url: str, name: str, password: str) -> str:
    async def run() -> str:
        store = await open_store(url)
        people = People(House(store), quick())
        await people.house.load()
        try:
            return (await people.sign_in(name, password, at=datetime.now(UTC), address="127.0.0.1"))[1].id
        finally:
            people.close()
            await store.close()

    return asyncio.run(run())


def test_an_operator_of_a_stopped_house_gets_a_new_password_and_the_record_says_so(place: StorePlace) -> None:
    opened(place.url, "Olga")
    done = here("store", "operator-password", place.url)
    assert (done.returncode, done.stderr) == (0, "")
    made = MADE.match(done.stdout)
    assert made is not None
    assert made[1] == "Olga"
    until = re.search(r"it works until ([-\d]+ [:\d]+) UTC: sign in and change it before then", done.stdout)
    assert until is not None
    left = datetime.fromisoformat(f"{until[1]}+00:00") - datetime.now(UTC)
    assert timedelta(days=7) - 2 * MINUTE < left <= timedelta(days=7)
    assert "Every session of theirs has ended. There is no second factor now." in done.stdout
    assert signs_in(place.url, "olga", made[2]) == "o-1"
    verified = here("journal", "verify", place.url)
    assert (verified.returncode, verified.stderr) == (0, "")
    exported = [json.loads(line) for line in here("journal", "export", place.url).stdout.splitlines()]
    last = [line for line in exported if line.get("stream") == "house" and "what" in line][-2:]
    assert [line["what"] for line in last] == [
        {"event": "password_changed/1", "person": "o-1"},
        {"event": "sessions_ended/1", "person": "o-1"},
    ]
    assert {(line["by"]["role"], line["by"]["id"]) for line in last} == {("house", THE_HOUSE)}
    assert made[2] not in json.dumps(exported)


def test_one_of_several_operators_is_named_and_others_are_refused(in_sqlite: StorePlace) -> None:
    opened(in_sqlite.url, "Olga", "Otto")
    before = here("journal", "export", in_sqlite.url).stdout
    for words, said in (
        ((), "this house has several operators, name one with --name: Olga, Otto"),
        (("--name", "Dee"), "Dee is not an operator of this house: Olga, Otto"),
        (("--name", "nobody"), "nobody is not an operator of this house: Olga, Otto"),
        (("--name", "Otto", "--remove-second-factor"), "o-2 has no second factor"),
    ):
        done = here("store", "operator-password", in_sqlite.url, *words)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"croupier: {said}\n")
    assert here("journal", "export", in_sqlite.url).stdout == before
    for name in ("otto", "o-2"):
        made = MADE.match(here("store", "operator-password", in_sqlite.url, "--name", name).stdout)
        assert made is not None
        assert signs_in(in_sqlite.url, "Otto", made[2]) == "o-2"
        assert made[1] == "Otto"


def test_a_lost_second_factor_is_removed_when_it_is_asked_for(in_sqlite: StorePlace) -> None:
    opened(in_sqlite.url, "Olga")

    async def set_up() -> None:
        store = await open_store(in_sqlite.url)
        house = House(store)
        await house.load()
        await house.give(request("o-1", commands.SetSecondFactor(person="o-1"), NOW))
        await store.close()

    asyncio.run(set_up())
    assert "is asked for as before" in here("store", "operator-password", in_sqlite.url).stdout
    done = here("store", "operator-password", in_sqlite.url, "--remove-second-factor")
    made = MADE.match(done.stdout)
    assert made is not None
    assert signs_in(in_sqlite.url, "olga", made[2]) == "o-1"
    assert '"event":"second_factor_removed/1"' in here("journal", "export", in_sqlite.url).stdout


def test_a_house_in_use_a_missing_key_and_what_is_no_house_are_one_line_each(
    in_sqlite: StorePlace, tmp_path: Path
) -> None:
    opened(in_sqlite.url, "Olga")

    async def in_use() -> None:
        store = await in_sqlite.open()
        await store.data_key(CREDENTIALS_KEY)  # something is sealed
        done = await asyncio.to_thread(here, "store", "operator-password", in_sqlite.url)
        await store.close()
        words = f"croupier: {in_sqlite.url}: another process is using this store\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", words)

    asyncio.run(in_use())
    none = here("store", "operator-password", str(tmp_path / "none.db"))
    assert (none.returncode, none.stdout, none.stderr.count("\n")) == (2, "", 1)
    assert not (tmp_path / "none.db").exists()
    file, key = in_sqlite.key, in_sqlite.key.read_bytes()
    file.unlink()
    keyless = here("store", "operator-password", in_sqlite.url)
    words = f"croupier: {in_sqlite.url}: the house's key is missing: whoever runs the house has it\n"
    assert (keyless.returncode, keyless.stdout, keyless.stderr) == (1, "", words)
    file.write_bytes(key)
    file.chmod(0o600)
    assert here("store", "operator-password", in_sqlite.url).returncode == 0
    asyncio.run(_empty(tmp_path))
    empty = here("store", "operator-password", str(tmp_path / "empty.db"))
    words = "croupier: no house has begun in this store: its first start makes an operator\n"
    assert (empty.returncode, empty.stdout, empty.stderr) == (1, "", words)


async def _empty(folder: Path) -> None:
    await (await open_store(str(folder / "empty.db"))).close()


def test_a_house_on_a_server_runs_on_while_its_operator_is_rescued(in_postgres: StorePlace) -> None:
    opened(in_postgres.url, "Olga")

    async def running() -> None:
        store = await in_postgres.open()
        people = People(House(store), quick())
        await people.house.load()
        before, _ = await people.sign_in("olga", PASSWORD, at=NOW + HOUR, address="127.0.0.1")
        done = await asyncio.to_thread(here, "store", "operator-password", in_postgres.url)
        made = MADE.match(done.stdout)
        assert made is not None, done
        _, person = await people.sign_in("olga", made[2], at=datetime.now(UTC), address="127.0.0.1")
        assert person.id == "o-1"
        await people.house.refresh()
        assert await people.session(before.id, NOW + HOUR) is None
        people.close()
        await store.close()

    asyncio.run(running())


# --- where people see it


def test_the_api_says_until_when_and_then_refuses_in_plain_words(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        await house.add("dee", "dealer", password=PASSWORD)
        until = house.people.house.state.people["dee"].handed
        assert until is not None
        dee = house.stranger()
        answer = (await dee.sign_in("dee", PASSWORD)).json()
        assert datetime.fromisoformat(answer["password_until"]) == until + 7 * DAY
        assert answer["password_until"].endswith("Z")  # as every time of the API is written
        assert (await dee.get("/api/session")).json() == answer
        house.clock.advance((7 * DAY).total_seconds())
        refused = await house.stranger().sign_in("dee", PASSWORD)
        assert (refused.status_code, refused.json()["code"]) == (401, "password_expired")
        assert refused.json()["message"] == "this first password has expired: ask the operator for a new one"
        wrong = await house.stranger().sign_in("dee", "wrong")
        assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_sign_in")
        assert "expired" not in wrong.text

    async def run() -> None:
        async with http_house(tmp_path, is_demo=False) as house:
            await work(house)

    asyncio.run(run())


def test_ones_own_password_and_one_of_a_demo_have_no_date(tmp_path: Path) -> None:
    async def run() -> None:
        async with http_house(tmp_path, is_demo=False) as house:
            await house.add("ann", "player", password=PASSWORD)
            ann = await house.visitor("ann", PASSWORD)
            own = {"old": PASSWORD, "password": "a pair of black tens"}
            assert (await ann.ask("POST", "/api/people/ann/password", own)).status_code == 200
            answer = await house.stranger().sign_in("ann", "a pair of black tens")
            assert answer.json().keys() == {"person", "csrf"}

    asyncio.run(run())


def test_the_pages_say_until_when_a_password_works(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator, dealer = await house.browser("operator"), await house.browser("dealer")
        assert "Change your password." not in (await dealer.see("/account")).text
        desk = house.desk
        real = replace(desk.house.state, demo=False)
        desk.house._state = real  # noqa: SLF001 - real money
        until = real.password_until(real.people["dealer-1"])
        assert until is not None
        account = await dealer.see("/account")
        assert f"It works until {until:%Y-%m-%d %H:%M:%S} UTC" in account.text
        assert "Change your password." in account.text
        assert account.unbalanced == []
        form = account.going_to("/account/password")
        assert form is not None
        refused = await dealer.send(form, old="play chips only", password="play chips only")
        assert "his is the password that you have: choose another one" in refused.text
        after = await dealer.send(form, old="play chips only", password="a pair of black tens")
        assert "Change your password." not in after.text
        page = await operator.see("/account")
        assert "Change your password." in page.text
        old = {person.id: replace(person, handed=NOW - 400 * DAY) for person in desk.house.state.people.values()}
        desk.house._state = replace(desk.house.state, people=old)  # noqa: SLF001 - handed out long ago
        late = await (await house.browser()).sign_in("ann")
        assert late.status == 401
        assert "his first password has expired: ask the cashier for a new one" in late.text

    browse(tmp_path, visit)
