"""The client against a house that follows the contract and fails on request: retries, keys, errors, live tables."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from decimal import Decimal
from typing import Any, TypeVar

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.client import (
    AllowedCommand,
    AsyncHouseClient,
    GarbledAnswer,
    HouseClient,
    HouseError,
    HouseUnreachable,
    LiveChange,
    NotAllowed,
    NotSignedIn,
    NotThere,
    Patience,
    Refused,
    TooOften,
    Unreadable,
)
from croupier.client.reading import read_change
from croupier.errors import Malformed, RuleViolation
from support.contract_player import play_everywhere
from support.fake_house import RULEBOOKS, FakeHouse, running

T = TypeVar("T")
HURRIED = Patience(tries=4, first_wait=0.01, longest_wait=0.02, timeout=5)


@pytest.fixture
def house() -> FakeHouse:
    return FakeHouse(("md-mississippi-stud",))


@pytest.fixture
def url(house: FakeHouse) -> Iterator[str]:
    with running(house) as address:
        yield address


def answering(*answers: httpx.Response | Exception) -> tuple[list[httpx.Request], httpx.MockTransport]:
    """A transport that gives these answers in turn, the last one for ever, and what it was asked."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        outcome = answers[min(len(asked), len(answers)) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return httpx.Response(outcome.status_code, content=outcome.content, headers=outcome.headers)

    return asked, httpx.MockTransport(answer)


def client(*answers: httpx.Response | Exception, token: str = "") -> tuple[list[httpx.Request], HouseClient]:
    asked, transport = answering(*answers)
    return asked, HouseClient("http://house.test", transport=transport, patience=HURRIED, token=token)


def command_answer(**more: object) -> httpx.Response:
    return httpx.Response(200, json={"version": 7, "entries": [], "view": {"status": "open"}} | more)


# --- retries and keys


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.Response(503),
        httpx.Response(502),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("closed"),
    ],
    ids=lambda trouble: str(getattr(trouble, "status_code", type(trouble).__name__)),
)
def test_a_command_keeps_its_key_until_it_is_answered(trouble: httpx.Response | Exception) -> None:
    asked, house = client(trouble, trouble, command_answer())
    assert house.command("1", "sit", seat=2).version == 7
    assert len(asked) == 3
    assert len({request.headers["Idempotency-Key"] for request in asked}) == 1
    assert {request.content for request in asked} == {b'{"do":"sit","seat":2}'}


def test_two_commands_have_two_keys_and_a_key_of_ones_own_is_kept() -> None:
    asked, house = client(command_answer())
    house.command("1", "sit", seat=2)
    house.command("1", "sit", seat=2)
    house.command("1", "sit", key="mine", seat=2)
    keys = [request.headers["Idempotency-Key"] for request in asked]
    assert len(set(keys)) == 3
    assert keys[2] == "mine"


def test_tries_end_and_the_error_says_who_does_not_answer() -> None:
    asked, house = client(httpx.ConnectError("refused"))
    with pytest.raises(HouseUnreachable, match=r"http://house\.test does not answer: refused"):
        house.tables()
    assert len(asked) == HURRIED.tries
    _, stopping = client(httpx.Response(503, json={"detail": "the house is stopping"}))
    with pytest.raises(HouseUnreachable, match="the house is stopping"):
        stopping.tables()


@pytest.mark.parametrize(("trouble", "times"), [(httpx.ReadTimeout("slow"), 1), (httpx.ConnectError("no"), 4)])
def test_what_has_no_key_is_sent_again_only_if_it_was_never_sent(trouble: Exception, times: int) -> None:
    asked, house = client(trouble)
    with pytest.raises(HouseUnreachable):
        house.post("/api/cage/ann/deposit", {"amount": "10.00", "reference": "slip"})
    assert len(asked) == times


def test_a_lost_answer_is_given_again_and_the_command_carried_out_once(house: FakeHouse, url: str) -> None:
    with HouseClient(url, patience=HURRIED) as ann:
        ann.sign_up("ann", "correct horse")
        ann.command("1", "sit", seat=1)
        house.faults = ["503", "lost"]
        answer = ann.command("1", "buy_in", key="k", amount="100.00")
        assert answer.view.chips == 100
        assert house.tables["1"].carried_out["k"] == 1
        assert ann.command("1", "buy_in", key="k", amount="100.00") == answer
        assert ann.table("1").view.chips == 100


# --- errors


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Unreadable),
        (401, NotSignedIn),
        (403, NotAllowed),
        (404, NotThere),
        (409, Refused),
        (413, Unreadable),
        (429, TooOften),
        (500, HouseUnreachable),
        (302, GarbledAnswer),
    ],
)
@pytest.mark.parametrize("body", [b"", b"<html>", b'{"message": "no"}', b'{"detail": "no"}', b'["no"]'])
def test_every_status_has_its_error_whatever_the_body(status: int, kind: type[HouseError], body: bytes) -> None:
    asked, house = client(httpx.Response(status, content=body))
    with pytest.raises(kind, match=r"no|the house answered"):
        house.tables()
    assert len(asked) == 1


def test_a_refusal_has_code_clause_reading_and_what_is_allowed() -> None:
    problem = {
        "code": "below_minimum",
        "clause": "7.F(1)",
        "reading": 12,
        "message": "the minimum is $10",
        "allowed": [
            {"do": "place_wager", "wager": "ante", "amount": {"from": "10.00", "to": "500.00", "step": "5.00"}}
        ],
    }
    _, house = client(httpx.Response(409, json=problem))
    with pytest.raises(RuleViolation) as refused:
        house.command("1", "place_wager", seat=1, wager="ante", amount=Decimal("1.00"))
    error = refused.value
    assert isinstance(error, Refused)
    assert (error.code, error.clause, error.reading, str(error)) == (
        "below_minimum",
        "7.F(1)",
        12,
        "the minimum is $10",
    )
    (offer,) = error.allowed
    assert isinstance(offer, AllowedCommand)
    amount = offer.amount()
    assert amount is not None
    assert [amount.nearest(Decimal(wanted)) for wanted in (3, 13, 900)] == [10, 10, 500]


@pytest.mark.parametrize(("said", "seconds"), [("2.5", 2.5), ("", 1), ("Wed, 21 Oct 2026 07:28:00 GMT", 1), ("-3", 0)])
def test_too_often_says_when_to_come_back(said: str, seconds: float) -> None:
    _, house = client(httpx.Response(429, headers={"Retry-After": said}))
    with pytest.raises(TooOften) as error:
        house.tables()
    assert error.value.retry_after == seconds


@pytest.mark.parametrize("body", [b"{", b'{"id": 1}', b"[5]", b'[{"seats": "six"}]', b"\xff"])
def test_an_answer_that_the_contract_does_not_know_is_an_error_of_its_own(body: bytes) -> None:
    _, house = client(httpx.Response(200, content=body))
    with pytest.raises(GarbledAnswer):
        house.tables()


@pytest.mark.parametrize("address", ["", "house", "ftp://house", "http://", "http://house:port", "//house"])
def test_what_is_not_an_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(Malformed, match="is not the address of a house"):
        HouseClient(address)


def test_a_table_name_cannot_leave_its_place_in_the_path() -> None:
    asked, house = client(httpx.Response(200, json={"version": 1, "view": {}}))
    house.table("../people?x=1#y")
    assert asked[0].url.raw_path == b"/api/tables/..%2Fpeople%3Fx%3D1%23y"


# --- who asks


def test_changing_requests_carry_the_token_and_the_origin_and_a_session_can_go_on(house: FakeHouse, url: str) -> None:
    with HouseClient(url) as first:
        signed_in = first.sign_up("ann", "correct horse")
        assert signed_in.person.name == "ann"
        first.command("1", "sit", seat=1)
        saved = first.saved()
    assert saved is not None
    again = msgspec.json.decode(msgspec.json.encode(saved), type=type(saved))
    with HouseClient(url, session=again) as second:
        assert second.person == signed_in.person
        assert second.command("1", "buy_in", amount="20").view.chips == 20
        second.sign_out()
        assert second.saved() is None
        with pytest.raises(NotSignedIn):
            second.command("1", "stand_up")
    changing = [headers for method, path, headers in house.requests if method == "POST" and "commands" in path]
    assert [headers.get("x-csrf-token", "") for headers in changing] == ["csrf of ann", "csrf of ann", ""]
    assert {headers["origin"] for headers in changing} == {url}


def test_a_device_shows_its_token_and_nothing_else() -> None:
    asked, house = client(command_answer(), token="device-token")
    house.command("1", "deal")
    headers = asked[0].headers
    assert headers["Authorization"] == "Bearer device-token"
    assert not {"Origin", "X-CSRF-Token", "Cookie"} & set(headers)


def test_wrong_passwords_taken_names_and_other_addresses(url: str) -> None:
    with HouseClient(url) as ann:
        with pytest.raises(NotSignedIn, match="name or password is wrong"):
            ann.sign_in("ann", "wrong")
        assert ann.person is None
        ann.sign_up("ann", "correct horse")
        with pytest.raises(Refused, match="somebody has this name"):
            ann.sign_up("ann", "another one")
        assert ("ann", "correct horse") in [(person.name, person.password) for person in ann.demo()]
        assert ann.rounds(table="1", from_="2026-01-01", to=None)[0]["id"] == "1"
        with pytest.raises(NotAllowed, match="only the cashier"):
            ann.get("/api/people/ann")
        with pytest.raises(NotThere):
            ann.fairness("00ff")
        with pytest.raises(Malformed, match="begins with a slash"):
            ann.get("api/people")


def test_the_second_factor_and_the_query_go_where_the_contract_says() -> None:
    person = {"person": {"id": "7", "name": "ann", "roles": []}, "csrf": "x"}
    asked, house = client(httpx.Response(200, json=person))
    house.sign_in("ann", "correct horse", code="123456")
    assert msgspec.json.decode(asked[0].content) == {"name": "ann", "password": "correct horse", "code": "123456"}
    house.rounds(table="1", from_="2026-01-01", to=None)
    house.round("1:7")
    house.patch("/api/people/7", {"suspended": True})
    house.delete("/api/tokens/3")
    assert [(request.method, str(request.url)) for request in asked[1:]] == [
        ("GET", "http://house.test/api/rounds?table=1&from=2026-01-01"),
        ("GET", "http://house.test/api/rounds/1%3A7"),
        ("PATCH", "http://house.test/api/people/7"),
        ("DELETE", "http://house.test/api/tokens/3"),
    ]


# --- values


def test_views_are_read_in_both_spellings_and_new_fields_are_ignored() -> None:
    short = {
        "status": "open",
        "awaiting": {"kind": "decision", "seat": 1, "choices": ["1x", "fold"], "deadline": "2026-01-01T20:00:00Z"},
        "seats": [
            {"seat": 1, "patron": "7", "bets": {"ante": "10.00"}, "cards": "Ah ??", "results": [], "mood": "good"},
            {"seat": 2, "patron": None, "bets": None, "cards": None, "results": None},
        ],
        "cards": {"board": "2c", "dealer": ""},
        "meters": {"main": "5000.12"},
        "chips": "90.00",
        "weather": "fine",
    }
    long = short | {
        "awaiting": short["awaiting"] | {"choices": [{"choice": "1x"}, {"choice": "fold"}]},  # type: ignore[operator]
        "seats": [
            {"seat": 1, "patron": "7", "bets": [["ante", "10.00"]], "cards": ["Ah", "??"], "results": []},
            {"seat": 2},
        ],
        "cards": [["community", ["2c"]], ["dealer", []]],
        "meters": [["main", "5000.12"]],
    }
    views = []
    for view in (short, long):
        _, house = client(
            httpx.Response(200, json={"version": 3, "view": view, "allowed": [{"do": "look", "seat": 1}]})
        )
        answer = house.table("1")
        assert [offer.arguments for offer in answer.offers("look")] == [{"seat": 1}]
        views.append(answer.view)
    assert views[0] == views[1]
    assert views[0].cards == {"board": ("2c",), "dealer": ()}
    assert [choice.choice for choice in views[0].awaiting.choices] == ["1x", "fold"]
    assert views[0].seats[0].cards == ("Ah", "??")


NAMES = (
    "version view allowed entries seats open_seats meters awaiting choices cards bets results last_round do id".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=3), inner),
    max_leaves=12,
)


@given(body=JSON, status=st.sampled_from([200, 200, 400, 409, 429]))
def test_no_answer_whatever_it_is_raises_anything_else_than_an_error_of_the_client(body: object, status: int) -> None:
    _, house = client(httpx.Response(status, content=msgspec.json.encode(body)))
    for ask in (house.tables, house.demo, lambda: house.table("1"), lambda: house.command("1", "sit", seat=1)):
        try:
            ask()
        except HouseError:
            continue
    try:
        read_change(body)
    except HouseError:
        return


# --- live tables


def live(url: str, work: Callable[[AsyncHouseClient], Coroutine[Any, Any, T]]) -> T:
    """What somebody does who is signed in and sits at table 1 with $500."""

    async def run() -> T:
        async with AsyncHouseClient(url, patience=HURRIED) as ann:
            await ann.sign_up("ann", "correct horse")
            await ann.command("1", "sit", seat=1)
            await ann.command("1", "buy_in", amount="500.00")
            return await asyncio.wait_for(work(ann), 30)

    return asyncio.run(run())


def test_a_live_table_begins_with_the_table_and_goes_on_with_every_change(url: str) -> None:
    async def work(ann: AsyncHouseClient) -> list[LiveChange]:
        async with ann.live("1") as table:
            first = await anext(table)
            answer = await table.send("place_wager", seat=1, wager="ante", amount="10.00")
            second = await anext(table)
            assert second.version == answer.version
            return [first, second]

    first, second = live(url, work)
    assert (first.resumed, first.entries, first.view.chips) == (True, (), Decimal(500))
    assert (second.resumed, second.view.chips) == (False, Decimal(490))
    assert [(entry.name, entry.clause, entry.fields["amount"]) for entry in second.entries] == [
        ("wager_placed", "7.F(1)", "10.00")
    ]


def test_a_refusal_over_the_socket_is_the_same_error(url: str) -> None:
    async def work(ann: AsyncHouseClient) -> None:
        async with ann.live("1") as table:
            with pytest.raises(Refused) as refused:
                await table.send("place_wager", seat=2, wager="ante", amount="10.00")
            assert refused.value.clause
            assert any(offer.do == "place_wager" for offer in refused.value.allowed)

    live(url, work)


def test_a_lost_connection_is_made_again_and_the_reader_sees_the_table_as_it_is(house: FakeHouse, url: str) -> None:
    async def work(ann: AsyncHouseClient) -> tuple[list[LiveChange], int]:
        async with ann.live("1") as table:
            seen = [await anext(table)]
            for amount in ("10.00", "20.00", "30.00"):
                house.hang_up()
                await ann.command("1", "buy_in", amount=amount)
                while seen[-1].view.chips != (await ann.table("1")).view.chips:
                    seen.append(await anext(table))
            return seen, table.connections

    seen, connections = live(url, work)
    assert seen[-1].view.chips == 560
    assert connections >= 2
    assert [change.version for change in seen] == sorted(change.version for change in seen)


def test_a_command_whose_connection_is_lost_is_sent_again_with_its_key(house: FakeHouse, url: str) -> None:
    async def work(ann: AsyncHouseClient) -> int:
        async with ann.live("1") as table:
            await anext(table)
            house.faults = ["lost"]
            answer = await table.send("buy_in", key="once", amount="100.00")
            assert answer.view.chips == 600
            return table.connections

    assert live(url, work) == 2
    assert house.tables["1"].carried_out["once"] == 1


def test_a_slow_reader_gets_several_changes_as_one(url: str) -> None:
    async def work(ann: AsyncHouseClient) -> LiveChange:
        async with ann.live("1") as table:
            await anext(table)
            for _ in range(5):
                await table.send("buy_in", amount="1.00")
            await asyncio.sleep(0.3)  # a change may come after the answer
            return await anext(table)

    change = live(url, work)
    assert change.view.chips == 505
    assert [entry.name for entry in change.entries] == ["player_bought_in"] * 5


def test_a_live_table_that_stays_away_ends_with_an_error(house: FakeHouse) -> None:
    with running(house) as url:
        pass  # and gone

    async def run() -> None:
        async with AsyncHouseClient(url, patience=HURRIED) as nobody:
            with pytest.raises(HouseUnreachable, match="live table 1 cannot be reached"):
                await anext(nobody.live("1"))
            table = nobody.live("1")
            with pytest.raises(HouseUnreachable):
                await table.send("sit", seat=1)
            await table.close()

    asyncio.run(run())


# --- a whole round


def test_a_player_written_from_the_contract_plays_a_round_of_every_rulebook() -> None:
    with running(FakeHouse(betting_time=1.5)) as url:
        played = asyncio.run(play_everywhere(url))
    assert [round_.rulebook for round_ in played] == list(RULEBOOKS)
    assert all(len(round_.wagers) > 1 for round_ in played)
