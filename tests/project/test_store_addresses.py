"""A store that is mistyped, empty, foreign, damaged or write-protected: one line, the right exit code, nothing made."""

import asyncio
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import typer.main

from croupier.cli.app import app
from support import slices
from support.running import here
from support.stored_evening import play_evening
from support.stores import StorePlace

ROOT = Path(__file__).parents[2]
READS = (
    "store show", "store names", "store retention", "journal verify", "journal replay", "journal export",
    "ledger check", "ledger accounts", "ledger account {} cage", "recall",
    "report shift --from 2026-01-01", "report day", "report meters",
    "report irregularities", "report decks", "report awards",
)  # fmt: skip
WRITES = (
    "journal head", "store forget {} p1", "store name {} p1 Ann", "store operator-password",
    "store shred {} --before 2020-01-01 --yes",
)  # fmt: skip
COPIES = ("store backup {} {}.copy", "store restore {} {}.copy", "store move {} {}.copy")
TEXT = b"guests: ann, bob\n" * 100


def copied(evening: Path, folder: Path) -> str:
    """A store of one's own, with its key."""
    for suffix in ("", ".key"):
        shutil.copy(f"{evening}{suffix}", folder / f"house.db{suffix}")
    return str(folder / "house.db")


@pytest.fixture
def house(evening: Path, tmp_path: Path) -> str:
    """A store of one's own, with the evening's rounds and its key."""
    return copied(evening, tmp_path)


@pytest.fixture(scope="module")
def short_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen rounds of all four rulebooks: what opens a store, or cannot, does not depend on how long it is."""
    path = tmp_path_factory.mktemp("short") / "house.db"
    asyncio.run(play_evening(path, rounds=2))
    return path


@pytest.fixture
def small_house(short_evening: Path, tmp_path: Path) -> str:
    """A store of one's own, with sixteen rounds and its key."""
    return copied(short_evening, tmp_path)


def words(command: str, store: object) -> list[str]:
    """The words of a command for this store, which comes last unless its place is marked."""
    return (command if "{}" in command else f"{command} {{}}").replace("{}", str(store)).split()


def refusal(command: str, store: object, **environment: str) -> str:
    """The one line with which a command refuses a store."""
    done = here(*words(command, store), **environment)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), (command, done)
    assert "internal error" not in done.stderr
    return done.stderr


def test_every_command_with_a_store_is_listed_here() -> None:
    found = set()
    for group, commands in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for name, command in getattr(commands, "commands", {"": commands}).items():
            if any("STORE" in (one.metavar or "") or one.metavar == "FROM" for one in command.params):
                found.add(f"{group} {name}".strip())
    listed = {" ".join(command.split(" {}")[0].split(" --")[0].split()) for command in (*READS, *WRITES, *COPIES)}
    assert found - listed == {"table open", "table run", "play"}  # these make a store
    assert listed <= found


@pytest.mark.parametrize("command", [*READS, *WRITES, *COPIES])
def test_a_store_that_is_not_there_is_not_made(command: str, tmp_path: Path) -> None:
    assert "no such store" in refusal(command, tmp_path / "typo.db")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    assert "store" in refusal(command, tmp_path / "empty.db")
    assert list(tmp_path.iterdir()) == [tmp_path / "empty.db"]
    assert (tmp_path / "empty.db").stat().st_size == 0


def test_an_empty_database_is_not_made_a_store(in_postgres: StorePlace) -> None:
    before = in_postgres.fingerprint()
    for command in (*READS, *WRITES):
        assert "no such store: the database is empty" in refusal(command, in_postgres.url), command
        assert in_postgres.fingerprint() == before, command


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
    assert not [name for name in ("text.db.lock", "other.db.lock") if (tmp_path / name).exists()]


DAMAGE = slices.count(full=2_000, sliced=25)


def test_a_damaged_file_is_never_an_internal_error(house: str, tmp_path: Path) -> None:
    """25 damaged files, in full 2,000: bytes changed anywhere or at the beginning, or the end cut off."""
    data, dice, damaged = Path(house).read_bytes(), random.Random(7), tmp_path / "damaged.db"
    for _ in range(DAMAGE):
        content, kind = bytearray(data), dice.random()
        if kind < 0.2:
            content = content[: dice.randrange(len(content))]
        for _ in range(dice.choice((1, 3, 30, 300)) if kind >= 0.2 else 0):
            content[dice.randrange(len(content) if kind < 0.7 else 4096)] = dice.randrange(256)
        for path in tmp_path.glob("damaged.db*"):
            path.unlink()
        damaged.write_bytes(content)
        for command in dice.sample((*READS, *WRITES[:3], COPIES[0]), 3):
            try:
                done = here(*words(command, damaged))
            except UnicodeDecodeError:  # an export gives the lines as they are
                assert command == "journal export"
                continue
            assert done.returncode in (0, 1, 2), (command, done.stderr)
            assert done.stderr.count("\n") <= 1


# --- the key


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("CROUPIER_KEY_FILE=other.key", "is not the one of this store"),
        ("CROUPIER_KEY_FILE=missing.key", "cannot be read: No such file or directory"),
        ("CROUPIER_KEY_FILE=.", "cannot be read: Is a directory"),
        ("CROUPIER_KEY_FILE=binary.key", "cannot be read: it is not text"),
        ("CROUPIER_KEY_FILE=short.key", "is not a key: 64 hexadecimal digits"),
        ("CROUPIER_KEY_COMMAND=false", "the command ended with 1"),
        ("CROUPIER_KEY_COMMAND=no-such-command", "cannot be read: No such file or directory"),
        ("CROUPIER_KEY_COMMAND=echo '", "cannot be read: No closing quotation"),
        ("CROUPIER_KEY_COMMAND=echo x", "its output is not a key"),
    ],
)
def test_a_key_that_cannot_be_used_keeps_nobody_from_reading(
    given: str, why: str, small_house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, _, value = given.partition("=")
    for key, content in (("other.key", b"ab" * 32), ("binary.key", b"\xff" * 64), ("short.key", b"ab")):
        (tmp_path / key).write_bytes(content)
    for command in (*WRITES[:3], "play md-let-it-ride --store"):
        assert why in refusal(command, small_house, **{name: value})
    for command in READS:
        assert here(*words(command, small_house), **{name: value}).returncode == 0, command
    assert "the house's key is missing" in here("store", "show", small_house, **{name: value}).stdout


# --- servers


@pytest.mark.parametrize("command", ["store show", "journal head", "play md-let-it-ride --store"])
@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://ann:secret@127.0.0.1:1/x", "the server cannot be reached"),
        ("postgresql://ann:secret@nowhere.invalid/x", "the server cannot be reached"),
        ("postgresql://ann:secret@127.0.0.1:99999/x", "the address cannot be used"),
        ("postgresql://ann:secret@127.0.0.1:1/x?sslmode=secure", "sslmode"),
        ("postgresql://[x", "the address cannot be used"),
        ("mysql://x", "is not a store"),
        ("postgrs://house:hunter2@db/house", r"postgrs://…@db/house' is not a store"),
        ("sqlite:///house.db", "is not a store"),
        ("sqlite:", "is not a store"),
    ],
)
def test_an_address_that_leads_nowhere_is_said_in_one_line(command: str, url: str, why: str) -> None:
    line = refusal(command, url)
    assert why in line
    assert "secret" not in line


def test_a_server_that_asks_for_a_password_and_a_reader_who_may_only_read(in_postgres: StorePlace) -> None:
    server, schema = in_postgres.server, in_postgres.url.rpartition("=")[2]
    assert server is not None
    assert here("table", "run", "-", "--store", in_postgres.url, stdin=here("table", "example").stdout).returncode == 0
    server.sql(f"create role auditor_{schema} login password 'right'", schema)
    server.sql(f"grant usage on schema {schema} to auditor_{schema}", schema)
    server.sql(f"grant select on all tables in schema {schema} to auditor_{schema}", schema)
    reader = in_postgres.url.replace("postgres@", f"auditor_{schema}:wrong@")
    for command in READS:
        assert here(*words(command, reader)).returncode == 0, command
    assert "permission denied" in refusal("store name {} p1 Ann", reader)
    rules = server.folder / "data" / "pg_hba.conf"
    trusting = rules.read_text()
    try:
        rules.write_text("local all postgres trust\nlocal all all scram-sha-256\n")
        server.sql("select pg_reload_conf()", schema)
        for command in ("store show", "journal head"):
            line = refusal(command, reader)
            assert "password authentication failed" in line
            assert "wrong" not in line
        assert here("store", "show", reader.replace("wrong@", "right@")).returncode == 0
    finally:
        rules.write_text(trusting)
        server.sql("select pg_reload_conf()", schema)


# --- where nothing can be written


@pytest.fixture(scope="module")
def shut(short_evening: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with stores: one at rest, one with a log, one with a log that nobody has read in."""
    folder = tmp_path_factory.mktemp("shut")
    try:
        write_protected(folder, ["--version"])
    except subprocess.CalledProcessError:
        pytest.skip("no folder can be write-protected here")
    for name in ("rest.db", "log.db"):
        shutil.copy(short_evening, folder / name)
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


IN_TURN = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from support.running import here
for words in json.load(sys.stdin):
    done = here(*words)
    print(json.dumps([done.returncode, done.stdout, done.stderr]))
"""
"""Commands in one process, one after the other."""


def write_protected(folder: Path, *asked: list[str]) -> list[tuple[int, str, str]]:
    """The exit code and both outputs of commands where nothing can be written in a folder, whoever runs them."""
    command = [sys.executable, "-c", IN_TURN, json.dumps([str(ROOT / "src"), str(ROOT / "tests")])]
    is_root = os.geteuid() == 0
    if is_root:
        mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
        command = ["unshare", "-m", "sh", "-c", mount, str(folder), *command]
    else:
        folder.chmod(0o555)
    try:
        done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    finally:
        if not is_root:
            folder.chmod(0o755)
    answers = [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked), done.stderr
    return answers


def test_a_write_protected_store_is_read(shut: Path) -> None:
    before = sorted(path.name for path in shut.iterdir())
    commands = ("store show", "journal verify", "ledger check", "recall", "report day", "store names")
    stores = [shut / name for name in ("rest.db", "log.db", "unread.db")]
    answers = iter(write_protected(shut, *(words(command, store) for command in commands for store in stores)))
    for command, rest, log, unread in zip(commands, answers, answers, answers, strict=True):
        for code, _, err in (rest, log):
            assert (code, err) == (0, ""), command
        if command == "store names":
            assert ["Zoe" in out for _, out, _ in (rest, log)] == [False, True]
        code, out, err = unread
        assert (code, out, err.count("\n")) == (2, "", 1), command
        assert f"its log has to be read in, but nothing can be written in {shut}" in err
    assert sorted(path.name for path in shut.iterdir()) == before


def test_nothing_is_written_to_a_write_protected_store(shut: Path) -> None:
    asked = [*WRITES[:-1], "store retention {} --years 9", "play md-let-it-ride --store"]
    before = {path: path.read_bytes() for path in shut.iterdir()}
    answers = write_protected(shut, *(words(command, shut / "rest.db") for command in asked))
    for command, (code, out, err) in zip(asked, answers, strict=True):
        assert (code, out, err.count("\n")) == (2, "", 1), command
        assert f"nothing can be written in {shut}" in err
    assert {path: path.read_bytes() for path in shut.iterdir()} == before
