"""`croupier ledger accounts` and `account`; commands whose reader leaves, or whose file is no file."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from croupier.money import Cents, format_dollars
from croupier.store import Cage, open_store
from support.running import croupier, here
from support.stored import CASHIER
from support.stores import StorePlace
from support.table_harness import START


@pytest.fixture
def house(evening: Path, tmp_path: Path) -> str:
    """A store of one's own, with the evening's rounds and its key."""
    for suffix in ("", ".key"):
        shutil.copy(f"{evening}{suffix}", tmp_path / f"house.db{suffix}")
    return str(tmp_path / "house.db")


def test_every_account_is_listed_with_what_it_holds(house: str) -> None:
    accounts = json.loads(here("ledger", "accounts", house, "--json").stdout)
    with closing(sqlite3.connect(house)) as connection:
        held = dict(connection.execute("select name, amount from account where unit = 'cents'"))
    told = {row["account"]: row["balance"] for row in accounts if row["unit"] == "cents"}
    assert told == {name: format_dollars(Cents(amount)) for name, amount in held.items()}
    shown = here("ledger", "accounts", house, "table/md_2/")
    assert (shown.returncode, "table/md_2/tray" in shown.stdout, "md_3" in shown.stdout) == (0, True, False)
    assert here("ledger", "accounts", house, "nobody/").returncode == 1


@pytest.mark.parametrize("name", ["table/md_2/tray", "table/md_4/meter/main", "cage"])
def test_the_postings_of_an_account_add_up_to_what_it_holds(house: str, name: str) -> None:
    account = json.loads(here("ledger", "account", house, name, "--limit", "100000", "--json").stdout)
    postings = account["postings"]
    sums = sum(int(posting["amount"].replace(".", "")) for posting in postings)
    assert (postings[0]["balance"], sums) == (account["balance"], int(account["balance"].replace(".", "")))
    shown = here("ledger", "account", house, name, "--limit", "3")
    assert (shown.returncode, name in shown.stdout) == (0, True)
    done = here("ledger", "account", house, "table/md_2/nothing")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_deposit_and_its_reversal_are_seen_on_the_patrons_account(place: StorePlace) -> None:
    async def work() -> None:
        store = await open_store(place.url)
        try:
            cage = Cage(store)
            entry = await cage.deposit("ann", Cents(50_000), by=CASHIER, at=START)
            await cage.reverse(entry.seq, by=CASHIER, at=START, reason="typed twice")
        finally:
            await store.close()

    asyncio.run(work())
    account = json.loads(here("ledger", "account", place.url, "patron/ann", "--json").stdout)
    assert account["balance"] == "0.00"
    assert [(posting["event"], posting["entry"], posting["amount"]) for posting in account["postings"]] == [
        ("cage_reversed/1", 2, "-500.00"),
        ("deposited/1", 1, "500.00"),
    ]


# --- where it is written


def cut_off(*arguments: str) -> int:
    """The exit code of a command whose reader takes one byte and leaves."""
    with subprocess.Popen(
        [sys.executable, "-m", "croupier", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        return process.wait(60)


def test_a_command_whose_reader_leaves_still_answers_with_its_exit_code(house: str) -> None:
    with closing(sqlite3.connect(house)) as connection, connection:
        connection.execute("update round set paid = paid + 1")
    assert cut_off("ledger", "check", house) == 1
    assert cut_off("journal", "export", house) == 0


def test_a_script_whose_reader_leaves_is_run_to_its_end(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(here("table", "example").stdout)
    stores = [str(tmp_path / "cut.db"), str(tmp_path / "whole.db")]
    assert cut_off("table", "run", str(script), "--store", stores[0]) == 0
    assert here("table", "run", str(script), "--store", stores[1]).returncode == 0
    streams = [json.loads(here("store", "show", store, "--json").stdout)["streams"] for store in stores]
    assert streams[0] == streams[1]


def test_an_export_goes_through_links_and_pipes_and_never_over_a_device(house: str, tmp_path: Path) -> None:
    link, target, pipe = tmp_path / "link", tmp_path / "target", tmp_path / "pipe"
    link.symlink_to(target)
    os.mkfifo(pipe)
    assert here("journal", "export", house, "--out", str(link)).returncode == 0
    assert (link.is_symlink(), target.read_bytes().count(b"\n") > 100) == (True, True)
    with (tmp_path / "read").open("wb") as read, subprocess.Popen(["cat", str(pipe)], stdout=read) as reader:
        assert here("journal", "export", house, "--out", str(pipe)).returncode == 0
        assert reader.wait(60) == 0
    assert (pipe.is_fifo(), (tmp_path / "read").read_bytes()) == (True, target.read_bytes())
    for name in (".", str(tmp_path)):
        done = here("journal", "export", house, "--out", name)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)


# --- names of stores


def test_a_name_that_is_not_text_and_a_store_in_memory_are_refused_in_one_line(tmp_path: Path) -> None:
    script = here("table", "example").stdout
    for store in (os.fsdecode(b"h\xff.db"), ":memory:"):
        done = here(
            "table", "run", "-", "--store", store if store == ":memory:" else str(tmp_path / store), stdin=script
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "internal error" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_copy_shows_no_password_and_says_where_the_key_belongs(house: str, in_postgres: StorePlace) -> None:
    secret = in_postgres.url.replace("://postgres@", "://postgres:hunter2@")
    assert "hunter2" in secret
    done = here("store", "move", house, secret)
    assert (done.returncode, "hunter2" in done.stdout + done.stderr) == (0, False)
    key = Path(done.stdout.rstrip().rpartition("put it in ")[2])
    key.parent.mkdir(exist_ok=True)
    shutil.copy(f"{house}.key", key)
    key.chmod(0o600)
    done = here("journal", "head", secret, "--out", f"{house}.json")
    assert (done.returncode, "hunter2" in done.stdout + done.stderr) == (0, False)


def test_a_copy_into_a_folder_that_is_not_there_names_the_file_that_was_asked_for(house: str, tmp_path: Path) -> None:
    done = here("store", "move", house, str(tmp_path / "nowhere" / "x.db"))
    assert (done.returncode, ".part" in done.stderr) == (2, False)


def test_keys_that_were_not_to_be_destroyed_are_an_answer(house: str) -> None:
    done = croupier("store", "shred", house, "--before", "2026-01-02", stdin="n\n")
    assert done.returncode == 1
