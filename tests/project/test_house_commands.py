"""`croupier house` as people use it: each command is one request of the API, and a session lasts between commands."""

import base64
import json
import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.house.second_factor import code_at
from support.fake_house import FakeHouse, running
from support.running import here
from support.served_house import served_house


@pytest.fixture
def house() -> FakeHouse:
    return FakeHouse(("md-let-it-ride",))


@pytest.fixture
def url(house: FakeHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("CROUPIER_PASSWORD", "open sesame")
    with running(house) as address:
        yield address


def at(url: str, *arguments: str) -> str:
    done = here("house", url, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_session_lasts_from_sign_in_to_sign_out(url: str, tmp_path: Path) -> None:
    assert at(url, "sessions", "show") == "nobody is signed in\n"
    assert at(url, "sessions", "sign-in", "floor") == "signed in as floor: player\n"
    file = tmp_path / "croupier/sessions.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert at(url + "/", "sessions", "show") == "floor: player\n"
    assert json.loads(at(url, "sessions", "show", "--json"))["name"] == "floor"
    assert at(url, "tables", "command", "1", "sit", "seat=2") == "player_sat (.07B)\n"
    assert "seat 2  floor" in at(url, "tables", "show", "1")
    assert at(url, "sessions", "sign-out") == "signed out\n"
    assert json.loads(file.read_text()) == {}
    done = here("house", url, "tables", "command", "1", "stand_up")
    assert done.returncode == 1
    assert "nobody is signed in; sign in first: croupier house http://" in done.stderr


SUBMISSION = {"rulebook": "md-let-it-ride", "seats": 6}


@pytest.mark.parametrize(
    ("command", "change"),
    [
        (
            "people add dan --role dealer --role floorperson",
            ("POST", "people", {"name": "dan", "password": "open sesame", "roles": ["dealer", "floorperson"]}),
        ),
        ("people roles 7 dealer", ("PATCH", "people/7", {"roles": ["dealer"]})),
        ("people suspend 7", ("PATCH", "people/7", {"suspended": True})),
        ("people restore 7", ("PATCH", "people/7", {"suspended": False})),
        ("people password 7", ("POST", "people/7/password", {})),
        ("submissions send stud FILE", ("POST", "submissions", {"name": "stud", "submission": SUBMISSION})),
        ("submissions approve stud 2 --note fine", ("POST", "submissions/stud/2/approve", {"note": "fine"})),
        ("submissions return stud 2", ("POST", "submissions/stud/2/return", {"note": ""})),
        (
            "submissions approve stud 2 --hash 9f2c",
            ("POST", "submissions/stud/2/approve", {"note": "", "hash": "9f2c"}),
        ),
        ("submissions return stud 2 --hash 9f", ("POST", "submissions/stud/2/return", {"note": "", "hash": "9f"})),
        (
            "tables create 7 --submission stud --version 2 --dealer automatic --pace 200",
            (
                "POST",
                "tables",
                {
                    "id": "7",
                    "submission": "stud",
                    "version": 2,
                    "kind": "virtual",
                    "dealer": "automatic",
                    "pace": 200,
                },
            ),
        ),
        ("tables open 1", ("POST", "tables/1/open", {})),
        ("tables pause 1", ("POST", "tables/1/pause", {})),
        ("tables resume 1", ("POST", "tables/1/resume", {})),
        ("tables close 1", ("POST", "tables/1/close", {})),
        (
            "tables hand-over 1 --to dealer-1",
            ("POST", "tables/1/hand_over", {"dealer": "person", "person": "dealer-1"}),
        ),
        (
            "cage deposit ann 12.5 --reference slip",
            ("POST", "cage/ann/deposit", {"amount": "12.50", "reference": "slip"}),
        ),
        (
            "cage withdraw ann 12 --reference slip",
            ("POST", "cage/ann/withdraw", {"amount": "12.00", "reference": "slip"}),
        ),
        (
            "cage reverse ann --entry 3 --reason typo",
            ("POST", "cage/ann/reverse", {"entry": 3, "reason": "typo"}),
        ),
        (
            "tokens create shoe-3 --scope deal --table 1 --days 30",
            ("POST", "tokens", {"device": "shoe-3", "scope": ["deal"], "tables": ["1"], "days": 30}),
        ),
        ("tokens revoke 5", ("DELETE", "tokens/5", {})),
        (
            "disputes raise 4 short --round 12",
            ("POST", "disputes", {"table": "4", "round": 12, "person": "", "words": "short"}),
        ),
        ("disputes answer 3 right --stands", ("POST", "disputes/3/answer", {"stands": True, "words": "right"})),
        (
            "tables propose 1 --submission stud --version 2",
            ("POST", "tables/1/rules", {"submission": "stud", "version": 2}),
        ),
        ("tables confirm 1", ("POST", "tables/1/rules/confirm", {})),
        ("tables withdraw 1", ("DELETE", "tables/1/rules", {})),
        ("people sign-out 7", ("DELETE", "people/7/sessions", {})),
        ("people remove-second-factor 7", ("DELETE", "people/7/second_factor", {})),
        (
            "people limits 7 --loss-day 12.5 --loss-week none --minutes-day 90",
            ("POST", "people/7/limits", {"loss_day": "12.50", "loss_week": None, "minutes_day": 90}),
        ),
        (
            "people exclude 7 --until 2027-01-01T00:00:00Z",
            ("POST", "people/7/exclusion", {"until": "2027-01-01T00:00:00Z"}),
        ),
        ("people exclude 7 --for-good", ("POST", "people/7/exclusion", {"until": None})),
        ("people come-back 7", ("DELETE", "people/7/exclusion", {})),
    ],
)
def test_each_command_is_one_request(
    house: FakeHouse, url: str, tmp_path: Path, command: str, change: tuple[str, str, dict[str, Any]]
) -> None:
    file = tmp_path / "house.json"
    file.write_text(json.dumps(SUBMISSION))
    at(url, "sessions", "sign-in", "floor")
    assert at(url, *command.replace("FILE", str(file)).split())
    method, path, body = change
    assert house.changes == [(method, f"api/{path}", body)]


def test_lists_are_tables_for_people_and_json_for_programs(url: str) -> None:
    assert at(url, "people", "list").split() == ["id", "name", "roles", "1", "floor", "floorperson"]
    assert json.loads(at(url, "people", "list", "--json"))[0]["name"] == "floor"
    assert at(url, "submissions", "list").split() == ["name", "version", "status", "stud", "2", "draft"]
    assert "md-let-it-ride" in at(url, "tables", "list")
    assert json.loads(at(url, "tables", "list", "--json"))[0]["id"] == "1"
    assert json.loads(at(url, "tables", "show", "1", "--json"))["version"] > 0
    assert json.loads(at(url, "cage", "show", "ann")) == {"balance": "12.50"}
    at(url, "sessions", "sign-in", "floor")
    answer = json.loads(at(url, "tables", "command", "1", "sit", "seat=1", "--key", "k", "--json"))
    assert [entry["event"] for entry in answer["entries"]] == ["player_sat/1"]
    assert answer["entries"][0]["seat"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["house", "tables", "list"], 2, "'house' is not the address of a house"),
        (["URL", "tables", "show", "9"], 1, "there is no such thing"),
        (["URL", "sessions", "sign-in", "nobody"], 1, "name or password is wrong\n"),
        (["URL", "people", "limits", "ann"], 2, "no limit: give --loss-day"),
        (["URL", "people", "limits", "ann", "--minutes-day", "x"], 2, "'x' is not a number of minutes"),
        (["URL", "people", "exclude", "ann"], 2, "say until when"),
        (["URL", "sessions", "password"], 1, "nobody is signed in: croupier house http://"),
        (["URL", "settings", "change"], 2, "nothing to change"),
        (["URL", "tables", "command", "1", "sit", "seat"], 2, "'seat' is not an argument such as seat=2"),
        (["URL", "tables", "command", "1", "sit", "seat={"], 2, "seat: "),
        (["URL", "cage", "deposit", "ann", "much", "--reference", "x"], 2, "'much' is not an amount"),
        (["URL", "submissions", "send", "stud", "missing.toml"], 2, "missing.toml: No such file"),
        (["--token", "device-token", "URL", "tables", "command", "1", "deal"], 1, "deal"),
    ],
)
def test_what_is_wrong_is_one_line_and_an_exit_code(url: str, arguments: list[str], code: int, message: str) -> None:
    done = here("house", *(url if argument == "URL" else argument for argument in arguments))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_arguments_the_help_is_shown() -> None:
    done = here("house")
    assert "Usage: croupier house" in done.stdout + done.stderr
    assert "croupier: \n" not in done.stderr


def test_who_has_to_sign_in_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "house"
    folder.mkdir()
    with served_house(folder) as served:
        said = here("house", served.url, "people", "list").stderr
        assert said == f"croupier: sign in first: croupier house {served.url} sessions sign-in NAME\n"
        said = here("house", served.url, "sessions", "sign-in", "ann", "--password", "wrong").stderr
        assert said == "croupier: the name or the password is wrong\n"


def test_the_environment_may_name_the_house(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = here("house", "tables", "list")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no house: name its address" in done.stderr
    monkeypatch.setenv("CROUPIER_HOUSE", url)
    assert here("house", "tables", "list").stdout == at(url, "tables", "list")


def test_without_a_password_and_a_terminal_the_command_says_so(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CROUPIER_PASSWORD")
    done = here("house", url, "sessions", "sign-in", "floor")
    assert (done.returncode, done.stderr) == (2, "croupier: no password: give --password or set CROUPIER_PASSWORD\n")


def test_a_real_house_is_set_up_from_the_terminal_alone(  # noqa: PLR0915 - one evening
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CROUPIER_PASSWORD", raising=False)
    folder = tmp_path / "house"
    folder.mkdir()
    secrets: dict[str, bytes] = {}
    with served_house(folder, is_demo=False) as served:
        url, clock = served.url, served.house.clock

        def code(name: str) -> str:
            clock.advance(60)  # each code holds once
            return code_at(secrets[name], clock.at)

        def sign_in(name: str, password: str) -> None:
            more = ["--code", code(name)] if name in secrets else []
            at(url, "sessions", "sign-in", name, "--password", password, *more)

        def prove(name: str, password: str) -> None:
            """The first password is changed, and a second factor set up."""
            sign_in(name, password)
            at(url, "sessions", "password", "--password", password, "--new", f"{password} too")
            begun = at(url, "sessions", "second-factor").replace("\n", "")
            secret, offer = re.search(r"secret=([A-Z2-7]+)", begun), re.search(r"--offer (\S+)", begun)
            assert secret is not None
            assert offer is not None
            secrets[name] = base64.b32decode(secret[1] + "=" * (-len(secret[1]) % 8))
            words = ["--offer", offer[1], "--code", code(name), "--password", f"{password} too"]
            assert at(url, "sessions", "second-factor", *words).count("\n") >= 9, "eight recovery codes"

        prove("operator", "correct horse battery")
        assert "America/New_York" in at(url, "settings", "change", "--time-zone", "America/New_York")
        assert at(url, "settings", "show") == "the gaming day begins at 06:00, America/New_York\n"
        for name, role in (("rita", "regulator"), ("sam", "shift_manager"), ("carl", "cashier"), ("ann", "player")):
            at(url, "people", "add", name, "--role", role, "--password", f"the first for {role}s")
        file = tmp_path / "house.toml"
        file.write_text('rulebook = "md-mississippi-stud"\n')
        at(url, "submissions", "send", "stud", str(file))
        file.write_text('rulebook = "md-mississippi-stud"\nseats = 5\n')
        at(url, "submissions", "send", "stud", str(file))
        prove("rita", "the first for regulators")
        shown = at(url, "submissions", "show", "stud", "1")
        assert shown.startswith("stud, version 1: drafted, under md-mississippi-stud, sent by operator-1\nhash ")
        seen = json.loads(at(url, "submissions", "show", "stud", "1", "--json"))
        assert sha256(seen["text"].encode()).hexdigest() == seen["hash"]
        assert seen["hash"] in shown
        done = here("house", url, "submissions", "approve", "stud", "2", "--hash", seen["hash"])
        assert done.returncode == 1
        assert "version 2 of stud is not what was looked at: its hash is " in " ".join(done.stderr.split())
        at(url, "submissions", "approve", "stud", "1", "--hash", seen["hash"])
        at(url, "submissions", "approve", "stud", "2")
        sign_in("operator", "correct horse battery too")
        at(url, "tables", "create", "7", "--submission", "stud", "--version", "1", "--dealer", "person")
        assert "new" in at(url, "tables", "list", "--all")
        at(url, "tables", "open", "7")
        at(url, "tables", "propose", "7", "--submission", "stud", "--version", "2")
        (listed,) = json.loads(at(url, "tables", "list", "--all", "--json"))
        assert listed["proposed"] == {"submission": "stud", "version": 2, "by": "operator-1"}
        ids = {person["name"]: person["id"] for person in json.loads(at(url, "people", "list", "--json"))}
        prove("sam", "the first for shift_managers")
        at(url, "tables", "confirm", "7")
        prove("carl", "the first for cashiers")
        at(url, "people", "limits", ids["ann"], "--loss-day", "100", "--minutes-day", "60")
        at(url, "people", "exclude", ids["ann"], "--until", (clock.at + timedelta(hours=1)).isoformat())
        clock.advance(3600)
        sign_in("carl", "the first for cashiers too")
        assert at(url, "people", "come-back", ids["ann"]) == f"{ids['ann']} may play again\n"
        assert json.loads(at(url, "people", "show", ids["ann"]))["limits"]["loss_day"] == "100.00"
        assert at(url, "sessions", "sign-out", "--everywhere") == "signed out everywhere\n"
        assert at(url, "sessions", "show") == "nobody is signed in\n"
