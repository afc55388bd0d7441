"""`croupier house` as people use it: each command is one request of the API, and a session lasts between commands."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.fake_house import FakeHouse, running
from support.running import here


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
        (["URL", "sessions", "sign-in", "nobody"], 1, "name or password is wrong"),
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
