"""The client and the server meet: both were written from the same description, and neither from the other."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.client import HouseClient, HouseError, NotAllowed, NotSignedIn, NotThere, Patience, Refused, Unreadable
from support.contract_player import play_everywhere
from support.fake_house import RULEBOOKS
from support.running import croupier

LONGEST_START = 90


@contextmanager
def serving(store: Path, port: int) -> Iterator[str]:
    """A demo in a process of its own; its address."""
    command = [
        sys.executable,
        "-m",
        "croupier",
        "serve",
        "--demo",
        "--no-patrons",
        "--port",
        str(port),
        "--store",
        str(store),
    ]
    log = store.with_suffix(".log").open("ab")
    server = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | {"XDG_DATA_HOME": str(store.parent)})
    url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + LONGEST_START
    try:
        while not is_open(url):
            assert server.poll() is None, store.with_suffix(".log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def is_open(url: str) -> bool:
    with HouseClient(url, patience=Patience(tries=1, timeout=5)) as house:
        try:
            return any(table.status == "open" for table in house.tables())
        except HouseError:
            return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served") / "house.db", free_port()) as address:
        yield address


def test_a_player_written_from_the_contract_plays_every_rulebook_at_the_real_house(url: str) -> None:
    played = asyncio.run(play_everywhere(url, rounds=2))
    assert {round_.rulebook for round_ in played} == set(RULEBOOKS)
    assert len(played) == 2 * len({round_.rulebook for round_ in played})


def test_bots_play_at_the_real_house(url: str) -> None:
    done = croupier("bot", url, "--number", "4", "--rounds", "2", "--pace", "0", "--side-bets", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(done.stdout)
    assert (figures["rounds"], figures["troubles"]) == (8, {})
    assert figures["latency_ms"]["p50"] > 0


def test_what_the_house_refuses_is_the_error_that_the_contract_says(url: str) -> None:
    with HouseClient(url) as house:
        with pytest.raises(NotSignedIn):
            house.command("1", "sit", seat=1)
        with pytest.raises(NotSignedIn):
            house.sign_in("ann", "not her password")
        house.sign_up("refused", "a long enough password")
        with HouseClient(url) as other, pytest.raises(Refused):
            other.sign_up("refused", "another long password")
        with pytest.raises(NotThere):
            house.table("no such table")
        with pytest.raises(NotAllowed):
            house.command("1", "close_table")
        with pytest.raises(Unreadable):
            house.command("1", "sit", seat="first")
        with pytest.raises(Refused) as refused:
            house.command("1", "sit", seat=99)
        assert refused.value.clause
        assert {offer.do for offer in refused.value.allowed} == {"sit"}
        with pytest.raises(NotAllowed):
            house.get("/api/people")


def test_the_same_key_is_carried_out_once(url: str) -> None:
    with HouseClient(url) as house:
        house.sign_up("once", "a long enough password")
        table = house.tables()[0]
        house.command(table.id, "sit", seat=table.open_seats[0])
        first = house.command(table.id, "buy_in", key="once and for all", amount="100.00")
        again = house.command(table.id, "buy_in", key="once and for all", amount="100.00")
        assert (again.version, again.entries) == (first.version, first.entries)
        assert house.table(table.id).view.chips == 100
        house.command(table.id, "stand_up")


def test_a_key_and_a_session_outlive_the_process_of_the_house(tmp_path: Path) -> None:
    store, port = tmp_path / "house.db", free_port()
    with serving(store, port) as url, HouseClient(url) as house:
        house.sign_up("stayer", "a long enough password")
        house.command("1", "sit", seat=1)
        first = house.command("1", "buy_in", key="before", amount="100.00")
        session = house.saved()
    with serving(store, port) as url, HouseClient(url, session=session) as house:
        again = house.command("1", "buy_in", key="before", amount="100.00")
        assert again.entries == first.entries
        assert house.command("1", "buy_in", key="after", amount="20.00").view.chips == 120
