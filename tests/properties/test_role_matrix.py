"""Who may do what, tested whole: every address and every command of a table, by every role and by nobody.

What is expected is written here once more, apart from the tables that the server reads.
"""

import asyncio
import tomllib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import httpx
import pytest
from litestar import Litestar

import croupier
from croupier.driver import Outcome
from croupier.errors import RuleViolation
from croupier.house import HouseRequest, commands
from croupier.house.second_factor import code_at
from croupier.rulebook import load_rulebook, starting_submission
from croupier.table import Entry, Request, arguments
from croupier.table.commands import COMMANDS
from support import slices
from support.http_house import HttpHouse, Visitor, http_house

FLOOR: Final = {"floorperson", "supervisor", "pit_manager", "shift_manager"}
OFFICIALS: Final = {"operator", "regulator", "auditor"}
PEOPLE: Final = {"player", "dealer", "cashier"} | FLOOR | OFFICIALS
EVERYBODY: Final = PEOPLE | {"nobody", "device"}
ACCOUNTS: Final = {role: role.replace("_", " ") for role in PEOPLE} | {"player": "ann"}
PASSWORD: Final = "correct horse battery"


class Row(NamedTuple):
    """An address, and who may use it; `{me}` is the caller's own id."""

    method: str
    path: str
    roles: set[str]
    body: Any = None


SUBMISSION: Final = {"name": "stud", "submission": {"rulebook": "md-mississippi-stud"}}
NEW_TABLE: Final = {"id": "9", "submission": "md-let-it-ride", "version": 1, "dealer": "person"}
ROWS: Final = [
    Row("GET", "/healthz", EVERYBODY),
    Row("GET", "/readyz", EVERYBODY),
    Row("GET", "/metrics", EVERYBODY),
    Row("GET", "/openapi.json", EVERYBODY),
    Row("GET", "/verify.py", EVERYBODY),
    Row("GET", "/verify_shuffle.py", EVERYBODY),
    Row("POST", "/internal/commands", set(), {"table": "4"}),
    Row("GET", "/api/tables", EVERYBODY),
    Row("GET", "/api/tables/4", EVERYBODY),
    Row("GET", "/api/tables/4/rules", EVERYBODY),
    Row("GET", "/api/demo", EVERYBODY),
    Row("GET", f"/api/fairness/{'0' * 64}", EVERYBODY),
    Row("POST", "/api/session", EVERYBODY, {"name": "ann", "password": "play chips only"}),
    Row("GET", "/api/session", PEOPLE),
    Row("DELETE", "/api/session", PEOPLE),
    # people
    Row("GET", "/api/people", FLOOR | OFFICIALS | {"cashier"}),
    Row("POST", "/api/people", {"operator"}, {"name": "New", "password": PASSWORD, "roles": ["dealer"]}),
    Row("POST", "/api/people", {"operator"}, {"name": "New", "password": PASSWORD, "roles": ["operator"]}),
    Row("POST", "/api/people", {"operator", "cashier", "nobody"}, {"name": "New 2", "password": PASSWORD}),
    Row("GET", "/api/people/zed", FLOOR | OFFICIALS | {"cashier"}),
    Row("GET", "/api/people/dora", OFFICIALS | {"cashier"}),
    Row("GET", "/api/people/{me}", PEOPLE),
    Row("PATCH", "/api/people/zed", {"operator", "cashier"}, {"suspended": False}),
    Row("PATCH", "/api/people/zed", {"operator", "cashier", "shift_manager"}, {"suspended": True}),
    Row("PATCH", "/api/people/dora", {"operator"}, {"suspended": True}),
    Row("PATCH", "/api/people/dora", {"operator"}, {"roles": ["dealer"]}),
    Row("PATCH", "/api/people/{me}", {"operator"}, {"roles": ["operator"]}),
    Row("POST", "/api/people/zed/password", {"operator", "cashier"}, {}),
    Row("POST", "/api/people/dora/password", {"operator"}, {}),
    Row("POST", "/api/people/{me}/password", PEOPLE, {"old": "wrong", "password": PASSWORD}),
    Row("POST", "/api/people/zed/second_factor", set()),
    Row("POST", "/api/people/{me}/second_factor", PEOPLE),
    Row("POST", "/api/people/zed/second_factor/confirm", set(), {"password": "x", "offer": "x", "code": "1"}),
    Row("POST", "/api/people/{me}/second_factor/confirm", PEOPLE, {"password": "x", "offer": "x", "code": "1"}),
    Row("DELETE", "/api/people/zed/second_factor", {"operator", "cashier"}),
    Row("DELETE", "/api/people/dora/second_factor", {"operator"}),
    Row("DELETE", "/api/people/zed/sessions", {"operator", "cashier"}),
    Row("DELETE", "/api/people/dora/sessions", {"operator"}),
    Row("DELETE", "/api/people/{me}/sessions", PEOPLE),
    Row("POST", "/api/people/zed/limits", {"cashier"}, {"loss_day": "10.00"}),
    Row("POST", "/api/people/{me}/limits", {"player"}, {"loss_day": "10.00"}),
    Row("POST", "/api/people/zed/exclusion", {"cashier", "shift_manager"}, {"until": "2026-02-01T00:00:00Z"}),
    Row("POST", "/api/people/{me}/exclusion", {"player"}, {"until": "2025-02-01T00:00:00Z"}),
    Row("DELETE", "/api/people/zed/exclusion", {"cashier"}),
    Row("DELETE", "/api/people/{me}/exclusion", {"player"}),
    # the house
    Row("GET", "/api/house", EVERYBODY),
    Row("PATCH", "/api/house", {"operator"}, {"day_start": "05:00"}),
    Row("GET", "/api/house/tables", FLOOR | OFFICIALS | {"dealer"}),
    # submissions
    Row("GET", "/api/submissions", FLOOR | OFFICIALS),
    Row("GET", "/api/submissions/md-let-it-ride/1", FLOOR | OFFICIALS),
    Row("POST", "/api/submissions", {"operator"}, SUBMISSION),
    Row("POST", "/api/submissions/stud/1/approve", {"regulator"}, {}),
    Row("POST", "/api/submissions/stud/1/return", {"regulator"}, {"note": "no"}),
    # tables
    Row("POST", "/api/tables", {"operator"}, NEW_TABLE),
    Row("POST", "/api/tables/9/open", {"operator", "pit_manager", "shift_manager"}),
    Row("POST", "/api/tables/9/pause", FLOOR | {"operator", "regulator"}),
    Row("POST", "/api/tables/9/resume", {"operator", "pit_manager", "shift_manager"}),
    Row("POST", "/api/tables/9/close", {"operator", "pit_manager", "shift_manager"}),
    Row("POST", "/api/tables/9/hand_over", FLOOR, {"dealer": "person", "person": "dora"}),
    Row("POST", "/api/tables/9/rules", {"operator"}, {"submission": "md-let-it-ride", "version": 1}),
    Row("POST", "/api/tables/9/rules/confirm", FLOOR | {"operator", "regulator"}),
    Row("DELETE", "/api/tables/9/rules", {"operator"}),
    Row("POST", "/api/tables/4/commands", {"player", "dealer"}, {"do": "look", "seat": 1}),
    # tokens, the cage, rounds
    Row("GET", "/api/tokens", {"operator", "auditor"}),
    Row("POST", "/api/tokens", {"operator"}, {"device": "shoe", "scope": ["register"]}),
    Row("DELETE", "/api/tokens/none", {"operator"}),
    Row("GET", "/api/cage/zed", OFFICIALS | {"cashier"}),
    Row("GET", "/api/cage/{me}", OFFICIALS | {"cashier", "player"}),
    Row("POST", "/api/cage/zed/deposit", {"cashier"}, {"amount": "1.00"}),
    Row("POST", "/api/cage/zed/withdraw", {"cashier"}, {"amount": "1.00"}),
    Row("POST", "/api/cage/zed/reverse", {"cashier"}, {"entry": 1, "reason": "typed twice"}),
    Row("POST", "/api/cage/{me}/deposit", set(), {"amount": "1.00"}),
    # the floor and the cage
    Row("GET", "/api/disputes", FLOOR | OFFICIALS | {"player"}),
    Row("POST", "/api/disputes", FLOOR | {"player"}, {"table": "4", "round": 9, "words": "no"}),
    Row("GET", "/api/disputes/7", FLOOR | OFFICIALS | {"player"}),
    Row("POST", "/api/disputes/7/answer", FLOOR, {"stands": True, "words": "as dealt"}),
    Row("GET", "/api/hand_pays", FLOOR | OFFICIALS | {"cashier"}),
    Row("POST", "/api/hand_pays/4/1/slip", {"cashier"}, {"reference": "W-1"}),
    Row("GET", "/api/figures", FLOOR | OFFICIALS),
    Row("GET", "/api/rounds", FLOOR | OFFICIALS | {"player"}),
    Row("GET", "/api/rounds?patron=zed", FLOOR | OFFICIALS),
    Row("GET", "/api/rounds/4-1", PEOPLE),
]
PUBLIC: Final = {row.path for row in ROWS if "nobody" in row.roles}


def run(folder: Path, work: Callable[[HttpHouse], Awaitable[None]], *, is_demo: bool = True) -> None:
    async def main() -> None:
        async with http_house(folder, is_demo=is_demo) as house:
            await work(house)

    asyncio.run(main())


async def ask(visitor: Visitor, row: Row) -> httpx.Response:
    return await visitor.ask(row.method, row.path.replace("{me}", visitor.id or "nobody"), row.body)


def is_denied(answer: httpx.Response) -> bool:
    """Whether it was not theirs to do; whatever else was wrong, they might have."""
    assert answer.status_code < 500, answer.text
    return answer.status_code in {401, 403}


async def heads(house: HttpHouse) -> list[Any]:
    """Where every record stands."""
    return [tuple(row) for row in await house.store.read("select stream, seq, hash from head order by stream")]


async def with_spares(house: HttpHouse) -> None:
    await house.add("zed", "player")
    await house.add("dora", "dealer")


async def with_a_table(house: HttpHouse) -> None:
    """Table 4 in a house that has none yet."""
    await house.add("rita", "regulator")
    text = starting_submission(load_rulebook("md-mississippi-stud"))
    for by, command in (
        ("operator-1", commands.DraftSubmission(name="first", submission=text)),
        ("rita", commands.ApproveSubmission(name="first", version=1)),
        ("operator-1", commands.MakeTable(table="4", submission="first", version=1, dealer="person")),
        ("operator-1", commands.OpenPlay(table="4")),
    ):
        await house.people.house.give(HouseRequest(by=by, at=house.clock(), command=command, factor=True))
    await house.desk.set_up()


# --- addresses


def test_every_address_is_in_the_matrix(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        app = cast("Litestar", house.app._app)  # type: ignore[attr-defined] # noqa: SLF001 - its routes
        served = {
            (method, route.path_format)
            for route in app.routes
            for method in getattr(route, "methods", ())
            if method != "OPTIONS" and not route.path_format.startswith("/schema")
        }
        listed = {(row.method, row.path.partition("?")[0]) for row in ROWS}
        for method, path in served:
            parts = path.split("/")
            assert any(
                method == known
                and len(words := other.split("/")) == len(parts)
                and all(part == word or part.startswith("{") for part, word in zip(parts, words, strict=True))
                for known, other in listed
            ), f"{method} {path} is not in the matrix"

    run(tmp_path, work)


@pytest.mark.parametrize("role", sorted(EVERYBODY))
def test_every_address_by_every_role(tmp_path: Path, role: str) -> None:
    async def work(house: HttpHouse) -> None:
        await with_spares(house)
        for row in ROWS:
            if role == "nobody":
                visitor = house.stranger()
            elif role == "device":
                visitor = await house.device(["register", "read:meters", "read:sign"])
            else:
                visitor = await house.visitor(ACCOUNTS[role])
            before = await heads(house)
            answer = await ask(visitor, row)
            assert is_denied(answer) == (role not in row.roles), f"{role}: {row.method} {row.path}: {answer.text}"
            if answer.status_code >= 400:
                assert await heads(house) == before, f"{role}: {row.method} {row.path} was refused and recorded"
            if role == "nobody" and answer.status_code == 403:
                assert row.path == "/internal/commands" or row.body["roles"], row.path

    run(tmp_path, work)


def test_whoever_is_suspended_or_was_away_may_do_nothing(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        await with_spares(house)
        await house.add("sue", "floorperson")
        sue, idle = await house.visitor("sue", PASSWORD), await house.visitor("floorperson")
        await house.people.suspend("sue", by="operator-1", at=house.clock())
        house.clock.advance(15 * 60)
        for row in ROWS:
            if row.path in PUBLIC or (row.method, row.path) == ("DELETE", "/api/session"):
                continue
            for visitor, code in ((sue, "not_signed_in"), (idle, "idle")):
                if row.path == "/internal/commands":
                    continue
                answer = await ask(visitor, row)
                assert answer.status_code == 401, f"{row.method} {row.path}: {answer.text}"
                assert row.path == "/api/session" or answer.json()["code"] == code
        assert (await idle.sign_in("floorperson")).status_code == 200
        assert (await idle.get("/api/submissions")).status_code == 200
        assert (await sue.sign_in("sue", PASSWORD)).json()["code"] == "suspended"

    run(tmp_path, work)


def test_twelve_hours_end_every_session(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        house.clock.advance(12 * 3600 - 60)
        assert (await ann.get("/api/session")).status_code == 200
        house.clock.advance(61)
        assert (await ann.get("/api/session")).status_code == 401

    run(tmp_path, work)


OWN_ACCOUNT: Final = (
    "/api/session",
    "/api/people/{me}",
    "/api/people/{me}/password",
    "/api/people/{me}/sessions",
)


@pytest.mark.parametrize("role", sorted(FLOOR | {"cashier", "operator", "regulator"}))
def test_without_a_second_factor_staff_of_a_real_house_look_after_their_own_account_alone(
    tmp_path: Path, role: str
) -> None:
    async def work(house: HttpHouse) -> None:
        await with_spares(house)
        await house.add("me", cast("Any", role))
        await with_a_table(house)
        bare = await house.visitor("me", PASSWORD)
        for row in ROWS:
            if row.path in PUBLIC or row.path in OWN_ACCOUNT or "/{me}/second_factor" in row.path:
                continue
            answer = await ask(bare, row)
            if row.path == "/api/rounds/4-1":
                assert answer.status_code == 404
                continue
            assert answer.status_code == 403, f"{row.method} {row.path}: {answer.text}"
        for path in ("/api/session", "/api/people/me"):
            assert (await bare.get(path)).status_code == 200
        offer = (await bare.ask("POST", "/api/people/me/second_factor")).json()
        secret = _secret(offer["uri"])
        confirmed = {"password": PASSWORD, "offer": offer["offer"], "code": code_at(secret, house.clock())}
        answer = await bare.ask("POST", "/api/people/me/second_factor/confirm", confirmed)
        assert answer.status_code == 200
        bare.csrf = answer.json()["csrf"]
        for row in ROWS:
            if row.method == "GET" and "/cage/{me}" not in row.path:
                assert is_denied(await ask(bare, row)) == (role not in row.roles), row.path
        again = house.stranger()
        assert (await again.sign_in("me", PASSWORD)).json()["code"] == "code_needed"
        house.clock.advance(60)
        assert (await again.sign_in("me", PASSWORD, code_at(secret, house.clock()))).status_code == 200
        assert (await again.sign_in("me", PASSWORD, code_at(secret, house.clock()))).json()["code"] == "bad_code"

    run(tmp_path, work, is_demo=False)


def _secret(uri: str) -> bytes:
    import base64  # noqa: PLC0415

    text = uri.partition("secret=")[2].partition("&")[0]
    return base64.b32decode(text + "=" * (-len(text) % 8))


def test_a_token_is_for_its_scope_its_tables_and_its_time(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        device = await house.device(["register"], ["4"])
        for do in COMMANDS:
            answer = await device.command("4", do, **sample(do))
            assert (answer.status_code == 403) == (do != "register"), f"{do}: {answer.text}"
            assert (await device.command("3", do, **sample(do))).status_code == 403
        offered = (await device.get("/api/tables/4")).json()["allowed"]
        assert {offer["do"] for offer in offered} <= {"register"}
        assert "staff" not in (await device.get("/api/tables/4")).json()["view"]
        house.clock.advance(timedelta(days=1).total_seconds())
        assert (await device.command("4", "register", seat=1)).status_code == 401

    run(tmp_path, work)


# --- commands at tables


DUTIES: Final = Path(croupier.__file__).parent / "regulations"


def may_give(rulebook: str) -> dict[str, set[str]]:
    """Who may give each command, by the file of the rulebook alone."""
    state, _, game = rulebook.partition("-")
    procedure = tomllib.loads(max((DUTIES / state / game).glob("*/procedure.toml")).read_text())
    order = procedure["ranks"]["order"]
    return {
        duty["do"]: {*duty.get("by", ()), *(order[order.index(duty["least"]) :] if "least" in duty else ())}
        for duty in procedure["duty"]
    }


SAMPLES: Final[dict[str, object]] = {
    "dollars": "10.00",
    "number": 1,
    "text": "x",
    "true or false": True,
    "date": "2026-01-02",
    "card": "Ah",
    "cards": "Ah",
    "numbers by seat": {"1": 2},
    "object": {"rulebook": "md-mississippi-stud"},
}
NAMED: Final[dict[str, object]] = {"patron": "ann-1", "choice": "1x", "deck": "red deck 1", "person": "dora"}


def sample(do: str) -> dict[str, Any]:
    """Arguments for a command; whether they are right is for the table to say."""
    return {
        row["name"]: row["values"][0] if "values" in row else NAMED.get(row["name"], SAMPLES[row["kind"]])
        for row in arguments(COMMANDS[cast("Any", do)])
        if row["required"]
    }


@contextmanager
def nothing_stored(house: HttpHouse, table: str, judged: list[Outcome | RuleViolation]) -> Iterator[None]:
    """Commands at a table are judged, and then forgotten."""
    stored = house.desk.hall.live[table].stored

    async def judge(request: Request, *, beside: object = None, meanwhile: object = None) -> list[Entry]:
        del beside, meanwhile
        try:
            outcome = stored._running.decide(request)  # noqa: SLF001 - judged, not stored
        except RuleViolation as violation:
            judged.append(violation)
            raise
        judged.append(outcome)
        return []

    stored.handle = judge  # type: ignore[method-assign]
    try:
        yield
    finally:
        del stored.handle


async def check_commands(house: HttpHouse, table: str, visitors: dict[str, Visitor]) -> int:
    """Every command by every role, as the table stands now."""
    live = house.desk.hall.live[table]
    expected = may_give(live.table.house.rulebook.id)
    before, count = await heads(house), 0
    judged: list[Outcome | RuleViolation] = []
    with nothing_stored(house, table, judged):
        for role, visitor in visitors.items():
            for do in COMMANDS:
                judged.clear()
                answer = await visitor.command(table, do, reason="because", **sample(do))
                count += 1
                allowed = role in expected.get(do, ())
                if role == "nobody":
                    assert answer.status_code == 401
                elif not allowed:
                    assert answer.status_code == 403, f"{role} {do}: {answer.text}"
                    assert not judged
                elif judged and isinstance(judged[-1], RuleViolation):
                    assert (answer.status_code, answer.json()["code"]) == (409, judged[-1].code), f"{role} {do}"
                else:
                    assert answer.status_code == (200 if judged else answer.status_code), f"{role} {do}"
                    assert judged or answer.status_code in {400, 409}, f"{role} {do}: {answer.text}"
    assert await heads(house) == before
    return count


def test_every_command_by_every_role_in_every_state_of_a_table(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """At every table of a demo: before it opens, between rounds, with bets, in a decision, suspended, and after a
    round; in `make test` at two of them, before one opens, in a decision and suspended.
    """

    async def work(house: HttpHouse) -> None:
        await with_spares(house)
        visitors = {role: await house.visitor(name) for role, name in ACCOUNTS.items()} | {"nobody": house.stranger()}
        visitors["device"] = await house.device(sorted(_device_commands()))
        ann, count = visitors["player"], await check_commands(house, "5", visitors)
        for table in ("1", "2", "3", "4") if slices.in_full() else ("4",):
            count += await check_commands(house, table, visitors) if slices.in_full() else 0
            await ann.command(table, "sit", seat=1)
            await ann.command(table, "buy_in", amount="1000.00")
            await house.tick(table)
            house_rules = house.desk.hall.live[table].table.house
            main = [wager for wager in house_rules.wagers if wager.name in {"ante", "bet_1", "bet_2", "bet_3"}]
            for wager in main:
                least = wager.stakes.minimum if wager.stakes is not None else 1000
                answer = await ann.command(table, "place_wager", seat=1, wager=wager.name, amount=f"{least // 100}.00")
                assert answer.status_code == 200, answer.text
            count += await check_commands(house, table, visitors) if slices.in_full() else 0
            await house.tick(table, seconds=20)
            assert (await ann.get(f"/api/tables/{table}")).json()["view"]["awaiting"]["kind"] == "decision"
            count += await check_commands(house, table, visitors)
            for _ in range(3):
                offers = (await ann.get(f"/api/tables/{table}")).json()["allowed"]
                decisions = [offer for offer in offers if offer["do"] == "decide"]
                if decisions:
                    first, offer = next(
                        (choice, offer)
                        for offer in decisions
                        for choice in ([offer["choice"]] if isinstance(offer["choice"], str) else offer["choice"])
                        if choice != "fold"
                    )
                    amount = offer.get("amount")
                    more = {"amount": amount["from"] if isinstance(amount, dict) else amount} if amount else {}
                    answer = await ann.command(table, "decide", seat=1, choice=first, **more)
                    assert answer.status_code == 200, answer.text
            await house.tick(table, seconds=20)
            count += await check_commands(house, table, visitors) if slices.in_full() else 0
            answer = await visitors["pit_manager"].command(table, "suspend_table", reason="a spill")
            assert answer.status_code == 200, answer.text
            count += await check_commands(house, table, visitors)
        record_property("commands", count)

    run(tmp_path, work)


def _device_commands() -> set[str]:
    books = ("md-mississippi-stud", "md-high-card-flush", "md-let-it-ride", "ma-mississippi-stud")
    return {do for book in books for do, roles in may_give(book).items() if "device" in roles}
