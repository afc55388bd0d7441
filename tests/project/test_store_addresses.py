"""A store that is mistyped, empty, foreign, damaged or write-protected: one line, the right exit code, nothing made."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import typer.main

from croupier.cli.app import app
from support.running import croupier, here
from support.stores import StorePlace

READS = (
    "store show", "store names", "store retention", "journal verify", "journal replay", "journal export",
    "ledger check", "recall", "report shift --from 2026-01-01", "report day", "report meters",
    "report irregularities", "report decks", "report awards",
)  # fmt: skip
WRITES = ("journal head", "store forget {} p1", "store name {} p1 Ann", "store shred {} --before 2020-01-01 --yes")
COPIES = ("store backup {} {}.copy", "store restore {} {}.copy", "store move {} {}.copy")
TEXT = b"guests: ann, bob\n" * 100


def words(command: str, store: object) -> list[str]:
    """The words of a command for this store, which comes last unless its place is marked."""
    return (command if "{}" in command else f"{command} {{}}").replace("{}", str(store)).split()


def refusal(command: str, store: object, code: int = 2, **environment: str) -> str:
    """The one line with which a command refuses a store."""
    done = here(*words(command, store), **environment)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1), (command, done)
    assert "internal error" not in done.stderr
    return done.stderr


def test_every_command_with_a_store_is_listed_here() -> None:
    found = set()
    for group, commands in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for name, command in getattr(commands, "commands", {"": commands}).items():
            if any("STORE" in (one.metavar or "") or one.metavar == "FROM" for one in command.params):
                found.add(f"{group} {name}".strip())
    listed = {" ".join(command.split(" {}")[0].split(" --")[0].split()) for command in (*READS, *WRITES, *COPIES)}
    assert found - listed == {"table run", "play"}  # these two make a store
    assert listed <= found


@pytest.mark.parametrize("command", [*READS, *WRITES, *COPIES])
def test_a_store_that_is_not_there_is_not_made(command: str, tmp_path: Path) -> None:
    assert "no such store" in refusal(command, tmp_path / "typo.db")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    assert "store" in refusal(command, tmp_path / "empty.db")
    assert list(tmp_path.iterdir()) == [tmp_path / "empty.db"]
    assert (tmp_path / "empty.db").stat().st_size == 0


@pytest.mark.parametrize("command", [*READS, *WRITES])
def test_an_empty_database_is_not_made_a_store(command: str, in_postgres: StorePlace) -> None:
    before = in_postgres.fingerprint()
    assert "no such store: the database is empty" in refusal(command, in_postgres.url)
    assert in_postgres.fingerprint() == before


@pytest.mark.parametrize("command", [*READS, *WRITES, *COPIES, "play md-let-it-ride --store"])
def test_what_is_no_store_is_refused_and_left_as_it_is(command: str, evening: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    (tmp_path / "text.db").write_bytes(TEXT)
    (tmp_path / "cut.db").write_bytes(evening.read_bytes()[:20_000])
    (tmp_path / "short.db").write_bytes(evening.read_bytes()[:50])
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute("create table guests(name text)")
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for name in ("folder.db", "text.db", "cut.db", "short.db", "other.db", "nowhere/house.db", "x" * 300):
        if command == "journal verify" and name in {"other.db", "cut.db"}:
            assert here("journal", "verify", str(tmp_path / name)).returncode in (1, 2)
            continue
        assert str(tmp_path / name) in refusal(command, tmp_path / name)
    assert {path: path.read_bytes() for path in before} == before
    assert not [path for path in tmp_path.iterdir() if path.name.endswith((".key", ".copy", ".part"))]
    assert list((tmp_path / "folder.db").iterdir()) == []


# --- where nothing can be written


@pytest.fixture
def shut(evening: Path, tmp_path: Path) -> Path:
    """A folder with stores: one at rest, one with a log, one with a log that nobody has read in."""
    folder = tmp_path / "shut"
    folder.mkdir()
    for name in ("rest.db", "log.db"):
        shutil.copy(evening, folder / name)
    script = (
        "import asyncio, os, sys\nfrom croupier.store import open_store\n"
        "async def main():\n"
        "    store = await open_store(sys.argv[1], create=False, make_key=False)\n"
        "    await store.engine.execute(\"insert into person(id, name) values('in the log', 'Zoe')\")\n"
        "    os._exit(0)\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", script, str(folder / "log.db")], check=True)
    for suffix in ("", "-wal"):
        shutil.copy(folder / f"log.db{suffix}", folder / f"unread.db{suffix}")
    return folder


def write_protected(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command where nothing can be written in a folder, whoever runs it."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        try:
            return croupier(*arguments)
        finally:
            folder.chmod(0o755)
    mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", mount, str(folder), sys.executable, "-m", "croupier", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def mounts(tmp_path: Path) -> None:
    """Skip where a folder cannot be write-protected."""
    probe = tmp_path / "probe"
    probe.mkdir()
    if write_protected(probe, "--version").returncode != 0:
        pytest.skip("no folder can be write-protected here")


@pytest.mark.usefixtures("mounts")
@pytest.mark.parametrize(
    "command", ["store show", "journal verify", "ledger check", "recall", "report day", "store names"]
)
def test_a_write_protected_store_is_read(command: str, shut: Path) -> None:
    before = sorted(path.name for path in shut.iterdir())
    for name in ("rest.db", "log.db"):
        done = write_protected(shut, *words(command, shut / name))
        assert (done.returncode, done.stderr) == (0, ""), (name, done)
        if command == "store names":
            assert ("Zoe" in done.stdout) == (name == "log.db")
    done = write_protected(shut, *words(command, shut / "unread.db"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"its log has to be read in, but nothing can be written in {shut}" in done.stderr
    assert sorted(path.name for path in shut.iterdir()) == before


@pytest.mark.usefixtures("mounts")
@pytest.mark.parametrize("command", [*WRITES[:-1], "store retention {} --years 9", "play md-let-it-ride --store"])
def test_nothing_is_written_to_a_write_protected_store(command: str, shut: Path) -> None:
    done = write_protected(shut, *words(command, shut / "rest.db"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"nothing can be written in {shut}" in done.stderr
