"""`croupier serve` as people and service managers meet it: what it says, how it stops, its exit codes."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from croupier.house import House, Passwords, People, first_start
from croupier.store import open_store
from support.running import croupier, here


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Served:
    """A house in a process of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "croupier", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | environment,
        )
        self.said: list[str] = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line.rstrip())
            if line.startswith("Stop it"):
                break
        opened = re.search(r"http://\S+", "\n".join(self.said))
        assert opened is not None, self.said
        self.address = opened[0]

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=30) as answer:
            return str(answer.read(), "utf-8")

    def stop(self, number: int) -> int:
        """The exit code after a signal."""
        self._process.send_signal(number)
        more, _ = self._process.communicate(timeout=60)
        self.said += more.splitlines()
        return self._process.returncode

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[Served]:
    """A demo in the user's data directory, on the port of the environment, as `make run` starts it."""
    served = Served("--demo", PORT=str(free_port()), XDG_DATA_HOME=str(folder))
    yield served
    served.kill()


def refused(*arguments: str) -> tuple[int, str]:
    """The exit code and the one line of a house that does not open."""
    done = here("serve", *arguments)
    assert done.stdout == ""
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr.removeprefix("croupier: ").rstrip()


def test_the_first_start_says_where_to_go_and_how_to_sign_in(house: Served) -> None:
    assert house.said[0] == "A demo with play chips: not for money."
    assert "ann (a player)" in house.said[1]
    assert house.said[1].endswith("the password: play chips only")
    assert house.said[-2] == f"The house is open: {house.address}"
    assert house.said[-1] == "Stop it with Ctrl+C: every round is kept, and goes on when the house opens again."
    assert json.loads(house.get("/readyz"))["status"] == "ready"
    assert len(json.loads(house.get("/api/tables"))) == 5
    assert "Mississippi Stud" in house.get("/"), "the lobby"
    assert {"name": "ann", "password": "play chips only", "roles": ["player"]} in json.loads(house.get("/api/demo"))


def test_a_store_in_use_is_left_alone(house: Served, folder: Path) -> None:
    store = folder / "croupier" / "demo.db"
    code, said = refused("--demo", "--store", str(store), "--port", str(free_port()))
    assert (code, said) == (2, f"{store}: another process is using this store")
    assert json.loads(house.get("/readyz"))["status"] == "ready"


def test_a_port_that_is_taken(house: Served, tmp_path: Path) -> None:
    port = house.address.rpartition(":")[2]
    code, said = refused("--demo", "--store", str(tmp_path / "a.db"), "--port", port)
    assert (code, said) == (1, f"port {port} is taken: stop what uses it, or choose another with --port")
    assert not list(tmp_path.iterdir()), "nothing is made before the address is ours"


def test_the_example_plays_a_round_with_the_standard_library_alone(tmp_path: Path) -> None:
    served = Served("--demo", "--no-patrons", "--store", str(tmp_path / "a.db"), "--port", str(free_port()))
    example = Path(__file__).parents[2] / "examples/play_over_http.py"
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(example), served.address], capture_output=True, text=True, check=False
        )
    finally:
        served.kill()
    assert done.returncode == 0, done.stderr
    assert "sits down at table 1, ma-mississippi-stud, seat 1" in done.stdout
    assert re.findall(r"^  (\w+) 10\.00: \w+, .+ \(.+\)$", done.stdout, flags=re.MULTILINE) == [
        "ante",
        "third_street",
        "fourth_street",
        "fifth_street",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--host", "203.0.113.9"], 1, "203.0.113.9 is not an address of this machine: 127.0.0.1 is for this machine"),
        (["--host", "no.such.host.invalid"], 1, "no.such.host.invalid is not an address of this machine"),
        (["--store", "mysql://house"], 2, "'mysql://house' is not a store: use sqlite:PATH or postgresql://…"),
        (["--store", "postgresql://127.0.0.1:1/house"], 2, "postgresql://127.0.0.1:1/house: the server cannot be"),
        (["--store", "nowhere/house.db"], 2, "nowhere/house.db: the folder nowhere does not exist"),
        (["--store", "text.db"], 2, "text.db: it is not a store of Croupier"),
        (["--log", "loud"], 2, "debug, info, warning or error"),
    ],
)
def test_one_clear_line_says_why_a_house_does_not_open(
    arguments: list[str], code: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.db").write_text("not a store, but a text that somebody wrote " * 20)
    store = [] if "--store" in arguments else ["--store", "house.db"]
    answer = refused("--demo", "--port", str(free_port()), *store, *arguments)
    assert answer[0] == code
    assert words in answer[1]


@pytest.mark.parametrize("port", ["0", "70000", "many"])
def test_a_port_that_is_none(port: str) -> None:
    code, said = refused("--demo", "--port", port)
    assert code == 2
    assert "--port" in said


def seated(served: Served) -> dict[str, int]:
    """How many seats are taken at each table, and how many entries it has."""
    tables = json.loads(served.get("/api/tables"))
    return {table["id"]: table["seats"] - len(table["open_seats"]) for table in tables}


def versions(served: Served) -> int:
    return sum(json.loads(served.get(f"/api/tables/{table}"))["version"] for table in seated(served))


def wait_for(holds: Callable[[], bool], seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.3)  # each look is six requests


def test_a_few_patrons_play_in_a_demo_and_go_on_after_a_restart(tmp_path: Path) -> None:
    store = ["--demo", "--store", str(tmp_path / "demo.db"), "--port", str(free_port())]
    served = Served(*store)
    wait_for(lambda: sum(seated(served).values()) == 3)
    before, entries = seated(served), versions(served)
    wait_for(lambda: versions(served) > entries)
    began = time.monotonic()
    assert served.stop(signal.SIGTERM) == 0
    assert time.monotonic() - began < 10
    served = Served(*store)
    try:
        assert seated(served) == before
        entries = versions(served)
        wait_for(lambda: versions(served) > entries + 3)
        assert sum(seated(served).values()) <= 3, "nobody sits twice"
    finally:
        assert served.stop(signal.SIGTERM) == 0
    served = Served(*store, "--no-patrons")
    served.kill()


def test_a_demo_that_others_could_reach_says_on_loopback_only_what_holds(tmp_path: Path) -> None:
    store = ["--demo", "--no-patrons", "--store", str(tmp_path / "demo.db"), "--port", str(free_port())]
    public = Served(*store, "--public-url", "http://house.example")
    said = "\n".join(public.said)
    assert "operator (operator): " in said
    public.kill()
    here_ = Served(*store)
    said = "\n".join(here_.said)
    assert "play chips only" not in said
    assert "the passwords that were printed when they were made" in said
    assert {account["password"] for account in json.loads(here_.get("/api/demo"))} == {None}
    here_.kill()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--public-url", "ftp://x"], "'ftp://x' is not the address of a house"),
        (["--proxy", "notanip"], "'notanip' is not the address of a proxy"),
    ],
)
def test_options_are_looked_at_before_anything_is_made(tmp_path: Path, arguments: list[str], words: str) -> None:
    code, said = refused("--store", str(tmp_path / "house.db"), "--port", str(free_port()), *arguments)
    assert code == 2
    assert words in said
    assert not list(tmp_path.iterdir())


def test_a_missing_key_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "no.key"))
    code, said = refused("--store", str(tmp_path / "house.db"), "--port", str(free_port()))
    assert code == 2
    assert "the house's key cannot be read" in said
    assert not list(tmp_path.iterdir())


def test_a_real_house_is_no_demo(tmp_path: Path) -> None:
    async def begin() -> None:
        store = await open_store(str(tmp_path / "house.db"))
        people = People(House(store), Passwords(time_cost=1, memory_kib=64))
        await first_start(people, datetime.now(UTC))
        people.close()
        await store.close()

    asyncio.run(begin())
    code, said = refused("--demo", "--store", str(tmp_path / "house.db"), "--port", str(free_port()))
    assert (code, said) == (1, "this store is a real house: a demo needs a store of its own")


def test_ctrl_c_keeps_every_round_and_ends_well(house: Served, folder: Path) -> None:
    """The last test of this house: afterward its store is whole, and without its key it does not open."""
    assert house.stop(signal.SIGINT) == 0
    assert house.said[-1] == "The house is closed. Every round is kept."
    store = folder / "croupier" / "demo.db"
    assert here("journal", "verify", str(store)).returncode == 0
    assert here("ledger", "check", str(store)).returncode == 0
    key = store.with_name("demo.db.key")
    held = key.read_bytes()
    key.unlink()
    code, said = refused("--demo", "--store", str(store), "--port", str(free_port()))
    words = "the house's key is missing: without it this store can be read, but not dealt from"
    assert (code, said) == (1, f"{store}: {words}")
    assert not key.exists(), "a new key would not open what is there"
    key.write_bytes(b"00" * 32)
    key.chmod(0o600)
    code, said = refused("--demo", "--store", str(store), "--port", str(free_port()))
    assert (code, said) == (2, "the house's key given here is not the one of this store")
    key.write_bytes(held)


def test_a_service_manager_stops_a_new_house_with_sigterm(tmp_path: Path) -> None:
    served = Served("--store", str(tmp_path / "house.db"), "--port", str(free_port()))
    try:
        assert re.fullmatch(
            r"A new house. Sign in as operator with the password [\w-]{19} and change it.", served.said[0]
        )
        assert served.said[1] == "This password is not shown again, and stops working after 7 days."
        assert served.stop(signal.SIGTERM) == 0
        assert served.said[-1] == "The house is closed. Every round is kept."
    finally:
        served.kill()
    assert croupier("store", "show", str(tmp_path / "house.db")).returncode == 0
