"""`croupier journal`, `ledger` and `store`, and `--store`: what people type, and what comes back."""

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal import chain_hash, first_hash
from croupier.store import check_ledger, open_store
from croupier.store.sqlite import SqliteEngine
from croupier.store.values import Row
from support.running import here
from support.stores import StorePlace


@pytest.fixture
def house(evening: Path, tmp_path: Path) -> str:
    """A store of one's own, with the evening's rounds and its key."""
    for suffix in ("", ".key"):
        shutil.copy(f"{evening}{suffix}", tmp_path / f"house.db{suffix}")
    return str(tmp_path / "house.db")


def change(path: str, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for sql in statements:
            connection.execute(sql)


def forge(path: str, name: str, change_line: Callable[[bytes], bytes]) -> None:
    """Change the first line of these events that can be changed so, and make all hashes after it anew."""
    with closing(sqlite3.connect(path)) as connection, connection:
        find = "select stream, seq, line from event where name = ? order by stream, seq"
        stream, seq = next(
            (stream, seq)
            for stream, seq, line in connection.execute(find, (name,))
            if change_line(bytes(line)) != bytes(line)
        )
        head = first_hash(stream)
        rows = "select id, seq, line from event where stream = ? order by seq"
        for place, number, line in connection.execute(rows, (stream,)).fetchall():
            new = change_line(bytes(line)) if number == seq else bytes(line)
            head = chain_hash(head, new)
            connection.execute("update event set line = ?, hash = ? where id = ?", (new, head, place))
        connection.execute("update head set hash = ? where stream = ?", (head, stream))


def head_of(path: str, stream: str) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute("select hash from head where stream = ?", (stream,)).fetchone()
    return bytes(row[0])


# --- journal


def test_a_whole_record_is_verified_with_and_without_a_checkpoint(house: str, tmp_path: Path) -> None:
    saved, exported = str(tmp_path / "saved.json"), str(tmp_path / "house.jsonl")
    assert here("journal", "head", house, "--out", saved).returncode == 0
    assert here("journal", "export", house, "--out", exported).returncode == 0
    for record in (house, exported):
        done = here("journal", "verify", record, "--head", saved)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("whole: ")
    counted = json.loads(here("journal", "verify", exported, "--json").stdout)
    assert counted["holds"] is True
    assert min(counted["lines"], counted["openings"], counted["shuffles"], counted["checkpoints"]) >= 1


@pytest.mark.parametrize(
    "sql",
    [
        "update event set line = cast(replace(line, '000', '001') as blob) where name = 'wager_placed/1'",
        "delete from event where id = (select max(id) from event)",
        "update head set seq = seq - 1 where stream = (select min(stream) from head)",
        "update account set amount = amount + 1",
        "update event set hash = zeroblob(32) where seq = 9",
        "update event set name = 'wager_placed/1' where name = 'irregularity_ruled/1'",
        "update event set at = at - 86400000000 where name = 'round_closed/1'",
        "update event set round = 1 where round = 3",
    ],
)
def test_a_changed_record_is_found_in_the_store_and_in_its_export(house: str, sql: str, tmp_path: Path) -> None:
    change(house, sql)
    done = here("journal", "verify", house)
    assert (done.returncode, done.stdout.startswith("broken: ")) == (1, True)
    exported = tmp_path / "house.jsonl"
    if here("journal", "export", house, "--out", str(exported)).returncode == 0:
        assert here("journal", "verify", str(exported)).returncode == 1
    else:
        assert not exported.exists()
    report = json.loads(here("ledger", "check", house, "--json").stdout)
    assert (report["holds"], bool(report["problems"])) == (False, True)


SHORTENED = (
    "delete from event where stream = 'table/md_4' and seq > (select seq - 300 from head where stream = 'table/md_4')",
    "update head set seq = seq - 300 where stream = 'table/md_4'",
    "update head set hash = (select hash from event where event.stream = head.stream and event.seq = head.seq)",
    "update account set amount = (select coalesce(sum(amount), 0) from posting where account = name)",
)
"""The last 300 entries of a table never happened, and everything beside the lines agrees."""


def test_what_a_checkpoint_refutes_does_not_become_good_by_an_export(house: str, tmp_path: Path) -> None:
    exported = str(tmp_path / "house.jsonl")
    assert here("journal", "head", house, "--out", str(tmp_path / "saved.json")).returncode == 0
    change(house, *SHORTENED)
    assert here("journal", "verify", house).returncode == 1
    assert here("journal", "export", house, "--out", exported).returncode == 0
    done = here("journal", "verify", exported)
    assert (done.returncode, "table/md_4 has no entry at" in done.stdout) == (1, True)


def test_what_is_changed_on_a_server_is_found(house: str, in_postgres: StorePlace) -> None:
    saved = f"{house}.json"
    assert here("journal", "head", house, "--out", saved).returncode == 0
    assert here("store", "move", house, in_postgres.url).returncode == 0
    assert here("journal", "verify", in_postgres.url, "--head", saved).returncode == 0
    more, less = (f"update account set amount = amount {sign} 1 where name = 'cage'" for sign in "+-")
    later, sooner = (f"update event set at = at {sign} 1 where stream = 'table/md_4'" for sign in "+-")
    right, wrong = "name = 'irregularity_ruled/1'", "name = 'wager_placed/1'"
    ruled = f"update event set {wrong} where {right}"
    unruled = f"update event set {right} where convert_from(line, 'UTF8') like '%\"irregularity_ruled/1\"%'"
    empty = "hash = '\\x00'"
    for sql, undone in ((more, less), (later, sooner), (ruled, unruled), (f"update event set {empty}", "")):
        in_postgres.change(sql)
        done = here("journal", "verify", in_postgres.url, "--json")
        assert (done.returncode, json.loads(done.stdout)["holds"]) == (1, False), sql
        if undone:
            in_postgres.change(undone)
            assert here("journal", "verify", in_postgres.url).returncode == 0, undone


def test_a_shortened_record_on_a_server_is_refuted_by_its_own_checkpoint(house: str, in_postgres: StorePlace) -> None:
    assert here("journal", "head", house, "--out", f"{house}.json").returncode == 0
    change(house, *SHORTENED)
    assert here("store", "move", house, in_postgres.url).returncode == 0
    done = here("journal", "verify", in_postgres.url)
    assert (done.returncode, "table/md_4 has no entry at" in done.stdout) == (1, True)


def test_a_record_that_was_rewritten_fails_against_a_saved_checkpoint(house: str, tmp_path: Path) -> None:
    saved, other = tmp_path / "saved.json", str(tmp_path / "other.db")
    assert here("journal", "head", house, "--out", str(saved)).returncode == 0
    script = here("table", "example").stdout
    assert here("table", "run", "-", "--store", other, stdin=script).returncode == 0
    assert here("journal", "verify", other).returncode == 0
    assert here("journal", "verify", other, "--head", str(saved)).returncode == 1


def test_a_replay_settles_every_round_again(house: str) -> None:
    done = here("journal", "replay", house)
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("every one agrees")
    lines = [json.loads(line) for line in here("journal", "replay", house, "--json").stdout.splitlines()]
    assert all(line["agrees"] for line in lines)
    assert {line["outcome"] for line in lines} >= {"win", "lose", "push"}


@pytest.mark.parametrize(
    ("settled", "was", "won", "is_immediate"),
    [
        ("hand_settled/1", '"outcome":"lose"', 0, False),
        ("envy_settled/1", '"from_seat"', 30_000, False),
        ("hand_settled/1", '"outcome":"withdrawn"', 0, True),
        ("hand_settled/1", '"outcome":"forfeit"', 0, True),
        ("hand_settled/1", '"outcome":"void"', 0, True),
    ],
)
def test_a_replay_finds_a_settlement_that_the_law_does_not_give(
    house: str, settled: str, was: str, won: int, *, is_immediate: bool
) -> None:
    """Even if somebody makes all hashes anew: the cents follow from the cards, the decisions and the rulings."""

    def pays_more(line: bytes) -> bytes:
        if was.encode() not in line or (b'"what":"immediate"' in line) != is_immediate:
            return line
        return line.replace(b'"won":%d' % won, b'"won":%d' % (won + 500), 1)

    forge(house, settled, pays_more)
    done = here("journal", "replay", house)
    assert (done.returncode, "is settled differently today" in done.stdout) == (1, True)
    assert '"agrees":false' in here("journal", "replay", house, "--json").stdout
    assert here("ledger", "check", house).returncode == 1


def test_a_settlement_that_was_left_out_is_found(house: str) -> None:
    """The fold stands in the record, but not what it lost: somebody took the line away and numbered the others anew."""
    with closing(sqlite3.connect(house)) as connection, connection:
        find = "select stream, seq from event where cast(line as text) like ? order by stream, seq"
        stream, seq = connection.execute(find, ('%"what":"immediate"%"outcome":"forfeit"%',)).fetchone()
        rows = connection.execute("select line from event where stream = ? order by seq", (stream,)).fetchall()
        lines = [bytes(line) for (line,) in rows]
        del lines[seq - 1]
        connection.execute("delete from event where stream = ? and seq > ?", (stream, len(lines)))
        head = first_hash(stream)
        for number, line in enumerate(lines, 1):
            new = re.sub(rb'"seq":[0-9]+', b'"seq":%d' % number, line, count=1)
            head = chain_hash(head, new)
            place = (new, head, stream, number)
            connection.execute("update event set line = ?, hash = ? where stream = ? and seq = ?", place)
        connection.execute("update head set seq = ?, hash = ? where stream = ?", (len(lines), head, stream))
    done = here("journal", "replay", house)
    assert (done.returncode, "what should be settled before it is settled differently" in done.stdout) == (1, True)


def test_a_file_that_is_no_checkpoint_and_a_key_that_is_none_are_bad_usage(house: str, tmp_path: Path) -> None:
    saved, letter = tmp_path / "saved.json", tmp_path / "letter.txt"
    letter.write_text("Dear auditor,\n")
    assert here("journal", "head", house, "--out", str(saved)).returncode == 0
    signer = json.loads(saved.read_text())["signer"]
    assert here("journal", "verify", house, "--signer", signer).returncode == 0
    assert here("journal", "verify", house, "--signer", "00" * 32).returncode == 1
    for words in (("--head", str(letter)), ("--signer", "me"), ("--head", str(tmp_path / "none"))):
        done = here("journal", "verify", house, *words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), words
    change(house, "insert into migration(number, checksum) values(99, '')")
    done = here("journal", "verify", house)
    assert (done.returncode, "a newer version made this store" in done.stderr) == (2, True)


# --- ledger


def test_the_ledger_follows_from_the_record_and_a_changed_figure_is_found(house: str) -> None:
    done = here("ledger", "check", house)
    assert (done.returncode, done.stdout.rstrip().endswith("every account follows")) == (0, True)
    for sql in (
        "update account set amount = amount + 1 where name = 'cage'",
        "update total set amount = amount + 1",
        "update round set paid = paid + 1 where number = 3",
        "update event set postings = replace(postings, ',-', ',-1') where postings is not null",
        "update event set postings = '[[' where postings is not null",
    ):
        shutil.copy(house, copy := f"{house}.changed")
        change(copy, sql)
        report = json.loads(here("ledger", "check", copy, "--json").stdout)
        assert report["holds"] is False
        assert report["problems"]


def test_a_store_without_its_key_is_verified_replayed_and_checked_but_not_dealt_from(house: str) -> None:
    Path(f"{house}.key").unlink()
    for words in (("journal", "verify"), ("journal", "replay"), ("ledger", "check"), ("store", "show")):
        assert here(*words, house).returncode == 0, words
    done = here("play", "md-let-it-ride", "--store", house, "--rounds", "1")
    assert done.returncode == 1
    assert "the house's key is missing" in done.stderr


# --- stores


def test_a_backup_is_equal_and_can_be_restored(house: str, tmp_path: Path) -> None:
    backup, restored = str(tmp_path / "backup.db"), str(tmp_path / "restored.db")
    assert here("store", "backup", house, backup).returncode == 0
    done = here("store", "restore", backup, restored)
    assert (done.returncode, "equal" in done.stdout) == (0, True)
    stream = "table/ma_1"
    assert head_of(house, stream) == head_of(backup, stream) == head_of(restored, stream)
    assert here("ledger", "check", restored).returncode == 0
    assert here("store", "backup", house, backup).returncode == 2  # nothing is overwritten


def test_a_store_moves_to_postgresql_and_back(house: str, tmp_path: Path, in_postgres: StorePlace) -> None:
    back = str(tmp_path / "back.db")
    assert here("store", "move", house, in_postgres.url).returncode == 0
    for words in (("journal", "verify"), ("ledger", "check"), ("journal", "replay")):
        assert here(*words, in_postgres.url).returncode == 0, words
    assert here("store", "move", in_postgres.url, back).returncode == 0
    first, last = (here("journal", "export", store).stdout for store in (house, back))
    assert first == last

    async def check() -> None:
        store = await open_store(back, write=False)
        assert (await check_ledger(store)).problems == ()
        await store.close()

    asyncio.run(check())


def test_a_name_is_erased_and_the_id_stays(house: str) -> None:
    change(house, "insert into person(id, name) values('p1', 'Ann Example')")
    assert here("store", "forget", house, "p1").returncode == 0
    assert here("store", "forget", house, "p1").returncode == 1
    assert "Ann Example" not in here("journal", "export", house).stdout


@pytest.mark.parametrize(
    "words", [("journal", "verify"), ("journal", "replay"), ("ledger", "check"), ("store", "show")]
)
def test_what_is_not_a_store_is_refused_in_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    missing, foreign = tmp_path / "missing.db", tmp_path / "foreign.db"
    foreign.write_bytes(b"not a database" * 100)
    for path in (missing, foreign):
        done = here(*words, str(path))
        assert (done.returncode, done.stdout) in ((2, ""), (1, ""))
        assert done.stderr.count("\n") == 1
        assert str(path) in done.stderr
    assert not missing.exists()


def test_a_table_without_an_entry_does_not_break_a_record(tmp_path: Path) -> None:
    store, first = str(tmp_path / "house.db"), here("table", "example").stdout.splitlines()[0]
    assert here("table", "run", "-", "--store", store, stdin=first).returncode == 0
    for words in (("journal", "verify"), ("ledger", "check"), ("journal", "replay")):
        assert here(*words, store).returncode == 0, words


def test_another_key_opens_nothing_for_writing(house: str, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    other.write_text("ab" * 32)
    script = here("table", "example").stdout
    done = here("table", "run", "-", "--store", house, stdin=script, CROUPIER_KEY_FILE=str(other))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not the one of this store" in done.stderr
    assert here("ledger", "check", house, CROUPIER_KEY_FILE=str(other)).returncode == 0


@pytest.mark.parametrize("suffix", ["", ".key", "-wal"])
def test_nothing_is_written_over_the_store_or_its_key(house: str, suffix: str) -> None:
    before = Path(house).read_bytes(), Path(f"{house}.key").read_bytes()
    for word in ("export", "head"):
        done = here("journal", word, house, "--out", f"{house}{suffix}")
        assert (done.returncode, "that is the store itself" in done.stderr) == (2, True)
    assert (Path(house).read_bytes(), Path(f"{house}.key").read_bytes()) == before


def test_a_store_whose_chain_is_broken_is_not_copied(house: str, tmp_path: Path) -> None:
    change(house, "update event set hash = zeroblob(32) where stream = 'table/md_4' and seq = 9")
    done = here("store", "backup", house, str(tmp_path / "copy.db"))
    assert (done.returncode, "table/md_4, entry 9: the chain does not hold" in done.stderr) == (1, True)
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.parametrize("table", ["law", "played", "person", "event"])
def test_a_copy_is_compared_row_by_row(house: str, tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that is as long as the store, and has one cell that differs, is not equal."""
    change(house, "insert into person(id, name) values('p1', 'Ann')")
    insert = SqliteEngine.insert

    async def careless(self: SqliteEngine, name: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        if name == table and rows:
            last = rows[0][-1]
            rows = [(*rows[0][:-1], last + 1 if isinstance(last, int) else f"{last} "), *rows[1:]]
        await insert(self, name, columns, rows)

    monkeypatch.setattr(SqliteEngine, "insert", careless)
    done = here("store", "backup", house, str(tmp_path / "copy.db"))
    assert (done.returncode, f"the table {table} is not the same" in done.stderr) == (2, True)
    assert not (tmp_path / "copy.db").exists()


def test_a_copy_that_was_not_finished_is_not_read_and_not_written(house: str, in_postgres: StorePlace) -> None:
    assert here("store", "move", house, in_postgres.url).returncode == 0
    in_postgres.change("delete from meta where key = 'store'")
    for words in (
        ("store", "move", house, in_postgres.url),
        ("recall", in_postgres.url, "--patron", "ann"),
        ("report", "day", in_postgres.url),
        ("journal", "verify", in_postgres.url),
        ("ledger", "check", in_postgres.url),
    ):
        done = here(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), words
        assert "a copy into it was not finished: drop this database" in done.stderr


def test_a_store_that_was_signed_keeps_its_key_even_if_nothing_is_sealed(house: str, tmp_path: Path) -> None:
    assert here("journal", "head", house, "--out", str(tmp_path / "1.json")).returncode == 0
    change(house, "update data_key set destroyed = 1, wrapped = x''")
    other = tmp_path / "other.key"
    other.write_text("ab" * 32)
    head = ("journal", "head", house, "--out", str(tmp_path / "2.json"))
    done = here(*head, CROUPIER_KEY_FILE=str(other))
    assert (done.returncode, "is not the one of this store" in done.stderr) == (2, True)
    change(house, "delete from data_key")
    key = Path(f"{house}.key").rename(tmp_path / "kept.key")
    assert here(*head).returncode != 0
    assert not Path(f"{house}.key").exists()  # no new one is made in silence
    assert here(*head, CROUPIER_KEY_FILE=str(key)).returncode == 0


def test_a_copy_that_fails_leaves_nothing_behind(house: str, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    Path(f"{house}.broken").write_bytes(Path(house).read_bytes()[:20_000])
    done = here("store", "backup", f"{house}.broken", str(tmp_path / "copy.db"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    left = {path for path in set(tmp_path.iterdir()) - before if "copy" in path.name}
    assert left == set()


def test_a_damaged_file_and_an_empty_checkpoint_are_refused_in_one_line(house: str, tmp_path: Path) -> None:
    empty, cut = tmp_path / "empty.json", tmp_path / "cut.db"
    empty.write_text("")
    cut.write_bytes(Path(house).read_bytes()[:20_000])
    for words in (("journal", "verify", house, "--head", str(empty)), ("journal", "verify", str(cut))):
        done = here(*words)
        assert done.returncode in (1, 2), words
        assert "internal error" not in done.stderr, words
    done = here("recall", house, "--patron", "\udcff")
    assert "internal error" not in done.stderr


# --- --store


@pytest.mark.parametrize("book", ["md-mississippi-stud", "md-let-it-ride", "md-high-card-flush", "ma-mississippi-stud"])
def test_a_script_in_two_runs_says_what_it_says_in_one(book: str, tmp_path: Path) -> None:
    lines = here("table", "example", book).stdout.splitlines(keepends=True)
    whole = here("table", "run", "-", stdin="".join(lines)).stdout
    url = f"sqlite:{tmp_path / 'house.db'}"
    halves = (lines[:20], [lines[0], *lines[20:]])
    parts = [here("table", "run", "-", "--store", url, stdin="".join(half)) for half in halves]
    assert [part.returncode for part in parts] == [0, 0]
    assert "".join(part.stdout for part in parts) == whole
    assert here("ledger", "check", url).returncode == 0


def test_a_command_with_a_key_is_carried_out_once_in_two_runs(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in here("table", "example").stdout.splitlines()]
    keyed = [lines[0], *(line | {"key": f"k{place}"} for place, line in enumerate(lines[1:]))]
    script = "".join(json.dumps(line) + "\n" for line in keyed)
    store = str(tmp_path / "house.db")
    first = here("table", "run", "-", "--store", store, stdin=script)
    again = here("table", "run", "-", "--store", store, stdin=script)
    assert (first.returncode, again.returncode) == (0, 0)
    assert first.stdout == again.stdout
    other = keyed[0], keyed[1] | {"person": "somebody else"}
    done = here("table", "run", "-", "--store", store, stdin="".join(json.dumps(line) + "\n" for line in other))
    assert json.loads(done.stdout)["refused"]["code"] == "key_used"


def test_other_rules_are_refused_for_a_table_that_is_there(tmp_path: Path) -> None:
    store = str(tmp_path / "house.db")
    assert here("table", "run", "-", "--store", store, stdin=here("table", "example").stdout).returncode == 0
    other = here("table", "example", "md-let-it-ride").stdout
    done = here("table", "run", "-", "--store", store, stdin=other)
    assert (done.returncode, done.stdout) == (2, "")
    assert "plays under other rules in this store" in done.stderr


def test_the_shuffles_of_a_seed_go_on_after_a_stop(tmp_path: Path) -> None:
    """A seed gives the same shuffles in one run and in two: none is dealt twice."""
    first = json.loads(here("table", "example").stdout.splitlines()[0])
    first |= {"cards": {"source": "virtual", "seed": "ab" * 32}, "dealer": "automatic"}
    first["submission"]["cards"] = {"decks": 1, "shuffle": "automated_counting", "deal": "automated_shoe"}
    at = "2026-01-01T18:00:00Z"
    manager = {"role": "pit_manager", "id": "automatic manager"}
    floor = {"role": "floorperson", "id": "automatic floorperson"}
    opening = {"by": manager, "at": at, "do": "assign", "post": "floorperson", "person": "automatic floorperson"}
    sit = {"by": {"role": "player", "id": "ann"}, "at": at, "do": "sit", "seat": 1}
    again = {"by": floor, "at": at, "do": "order_shuffle", "deck": "red deck 1"}

    def shuffles(*moves: object, store: str | None = None) -> list[str]:
        script = "".join(json.dumps(line) + "\n" for line in (first, *moves))
        done = here("table", "run", "-", *(("--store", store) if store else ()), stdin=script)
        assert done.returncode == 0, done.stderr
        entries = [json.loads(line) for line in done.stdout.splitlines()]
        return [entry["commitment"] for entry in entries if entry.get("event") == "deck_shuffled/1"]

    in_one = shuffles(opening, sit, again, again)
    store = str(tmp_path / "house.db")
    assert shuffles(opening, sit, store=store) + shuffles(again, store=store) + shuffles(again, store=store) == in_one
    assert len(set(in_one)) == len(in_one) == 3
