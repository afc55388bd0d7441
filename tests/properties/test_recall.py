"""Rounds recalled from a store, against a search through every decoded line; and what their stories tell."""

import asyncio
import csv
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import apsw
import pytest
from msgspec.structs import replace
from pyarrow import parquet

from croupier.store import AUDITOR, RoundSearch, Store, find_rounds, open_store, prove_round, story_of
from croupier.store.recall import _query
from croupier.table import Person, write_entry
from support import slices
from support.running import here

T = TypeVar("T")


def read(path: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        store = await open_store(str(path), write=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def lines(path: Path) -> list[dict[str, Any]]:
    rows = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY).execute(
        "select line from event order by stream, seq"
    )
    return [json.loads(line) for (line,) in rows]


def clauses_in(value: object) -> set[str]:
    """Every clause in a line, however deep."""
    if isinstance(value, dict):
        own = {value["clause"]} if isinstance(value.get("clause"), str) else set()
        return own.union(*(clauses_in(part) for part in value.values()))
    return set().union(*(clauses_in(part) for part in value)) if isinstance(value, list) else set()


def hands_that_won(entries: list[dict[str, Any]]) -> set[str]:
    wins: set[tuple[int, str]] = set()
    for what in (entry["what"] for entry in entries):
        for wager in what.get("wagers", ()):
            if wager["outcome"] == "win" and wager["hand"]:
                won = (what["seat"], wager["hand"])
                wins = wins | {won} if what["event"] == "hand_settled/1" else wins - {won}
    return {hand for _, hand in wins}


@pytest.fixture(scope="module")
def rounds(evening: Path) -> list[dict[str, Any]]:
    """Every closed round from its lines alone, in no hurry."""
    gathered: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for line in lines(evening):
        if line.get("round"):
            gathered[line["stream"], line["round"]].append(line)
    closed = []
    for (stream, number), entries in gathered.items():
        end = [entry for entry in entries if entry["what"]["event"] == "round_closed/1"]
        if not end:
            continue
        own = entries[: entries.index(end[0]) + 1]
        closed.append(
            {
                "place": (stream, number),
                "at": datetime.fromisoformat(end[0]["at"]),
                "patrons": {entry["what"]["patron"] for entry in own if entry["what"]["event"] == "wager_placed/1"},
                "staked": end[0]["what"]["staked"],
                "paid": end[0]["what"]["paid"],
                "void": any(entry["what"].get("void") == "round" for entry in own),
                "hands": hands_that_won(own),
                "clauses": {clause for entry in own for clause in clauses_in(entry)} - {""},
                "irregularities": {
                    entry["what"]["irregularity"] for entry in own if entry["what"]["event"] == "irregularity_ruled/1"
                },
            }
        )
    return sorted(closed, key=lambda found: (found["at"], found["place"]), reverse=True)


def places(path: Path, **search: Any) -> list[tuple[str, int]]:  # noqa: ANN401 - fields of a search
    found = read(path, lambda store: find_rounds(store, RoundSearch(limit=1000, **search)))
    return [(one.stream, one.number) for one in found]


def test_every_search_finds_what_a_search_through_all_lines_finds(evening: Path, rounds: list[dict[str, Any]]) -> None:
    assert len(rounds) == 200
    assert places(evening) == [found["place"] for found in rounds]
    for name in ("ann", "bo", "cy_1", "nobody"):
        assert places(evening, patron=name) == [found["place"] for found in rounds if name in found["patrons"]]
    for kind, many in (("hand", "hands"), ("clause", "clauses"), ("irregularity", "irregularities")):
        values = sorted({value for found in rounds for value in found[many]})
        assert values
        for value in [*values[:: max(1, len(values) // 6)], "%", "_", values[0].upper() + "x"]:
            expected = [found["place"] for found in rounds if value in found[many]]
            assert places(evening, **{kind: value}) == expected, (kind, value)
    for table in ("ma_1", "md_4", "ma%", "MA_1"):
        assert places(evening, table=table) == [
            found["place"] for found in rounds if found["place"][0] == f"table/{table}"
        ]
    for kind, figure in (("least_staked", "staked"), ("least_paid", "paid")):
        for least in (0, 1, sorted(found[figure] for found in rounds)[-20], 10**9):
            expected = [found["place"] for found in rounds if found[figure] >= least]
            assert places(evening, **{kind: least}) == expected, (kind, least)
    for void in (True, False):
        assert places(evening, void=void) == [found["place"] for found in rounds if found["void"] is void]
    assert 0 < sum(found["void"] for found in rounds) < len(rounds)
    early, late = datetime(2026, 1, 1, 18, 30, tzinfo=UTC), datetime(2026, 1, 1, 22, tzinfo=UTC)
    expected = [found["place"] for found in rounds if early <= found["at"] < late and "ann" in found["patrons"]]
    assert places(evening, patron="ann", start=early, end=late) == expected
    assert places(evening, number=7) == [found["place"] for found in rounds if found["place"][1] == 7]
    newest = read(evening, lambda store: find_rounds(store, RoundSearch(patron="ann", limit=3)))
    assert [(one.stream, one.number) for one in newest] == [
        found["place"] for found in rounds if "ann" in found["patrons"]
    ][:3]


def test_rounds_are_proved_again_from_their_lines_and_another_figure_in_the_list_is_found(evening: Path) -> None:
    """Every 10th round of the evening; all of them in `make torture`."""

    async def prove(store: Store) -> None:
        every = await find_rounds(store, RoundSearch(limit=1000))
        for found in every[:: slices.count(full=1, sliced=10)]:
            proof = await prove_round(store, found)
            assert proof.same_cents, (found.stream, found.number, proof)
            assert proof.balanced, (found.stream, found.number, proof)
            assert (proof.staked, proof.paid) == (found.staked, found.paid)
        other = next(found for found in every if found.staked != found.paid)
        assert not (await prove_round(store, replace(other, paid=other.paid + 1))).same_cents

    read(evening, prove)


def test_a_patrons_last_rounds_are_a_lookup_in_the_index_and_nothing_is_sorted(evening: Path) -> None:
    sql, values = _query(RoundSearch(patron="ann", limit=50))
    connection = apsw.Connection(str(evening), flags=apsw.SQLITE_OPEN_READONLY)
    plan = [row[3] for row in connection.execute(f"explain query plan {sql}", values)]
    assert plan[0] == "SEARCH p USING PRIMARY KEY (patron=?)"
    assert not any("SCAN" in step or "TEMP B-TREE" in step for step in plan)


def test_parameters_are_numbered_in_the_order_of_their_first_use() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    search = RoundSearch(patron="a", table="b", number=1, hand="c", clause="d", irregularity="e", start=at, end=at)
    sql, values = _query(replace(search, void=False, least_staked=1, least_paid=1))
    numbers = [int(word.strip("(),")[1:]) for word in sql.split() if word.strip("(),").startswith("$")]
    assert numbers == list(range(1, len(values) + 1))


def test_a_story_has_every_entry_and_hides_what_stayed_face_down(evening: Path) -> None:
    async def tell(store: Store) -> list[Any]:
        found = await find_rounds(store, RoundSearch(table="md_4", limit=1000))
        return [(one, await story_of(store, one)) for one in found]

    stored = {(line["stream"], line["seq"]): line for line in lines(evening)}
    for found, story in read(evening, tell):
        assert [entry.seq for entry in story.entries][: found.last - found.first + 1] == [
            *range(found.first, found.last + 1)
        ]
        assert {entry.round for entry in story.entries if entry.seq > found.last} <= {found.number}
        assert story.layout is not None
        for entry in story.entries:
            told = write_entry(entry)
            assert told["event"] == stored[entry.stream, entry.seq]["what"]["event"]
            if told["event"] == "cards_sealed/1":
                assert told["cards"].endswith("hidden")
        open_cards = " ".join(
            write_entry(entry)["cards"] for entry in story.entries if entry.name == "cards_shown/1"
        ).split()
        assert all(entry.name != "seed_revealed/1" for entry in story.entries)  # cards by hand: nothing else shows one
        assert len(open_cards) == len(set(open_cards))


def test_a_player_hears_of_no_staff_and_no_reason(evening: Path) -> None:
    async def tell(store: Store, audience: Person | None) -> list[str]:
        found = await find_rounds(store, RoundSearch(irregularity="community_exposed", limit=5))
        stories = [await story_of(store, one, audience=audience) for one in found]
        return [json.dumps(write_entry(entry)) for story in stories for entry in story.entries]

    everything = read(evening, lambda store: tell(store, AUDITOR))
    public = read(evening, lambda store: tell(store, None))
    assert any("automatic dealer" in line for line in everything)
    assert public
    assert not any("automatic" in line for line in public)


def test_the_command_lists_tells_and_exits(evening: Path) -> None:
    shown = here("recall", str(evening), "--patron", "ann", "--limit", "2")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Ann Lee" in shown.stdout
    plain = here("recall", f"sqlite:{evening}", "--table", "ma_1", "--round", "9", "--story", "--json")
    found = json.loads(plain.stdout)
    assert (found["table"], found["round"], found["void"]) == ("ma_1", 9, True)
    assert found["seats"][0] == {"seat": 1, "patron": "ann", "name": "Ann Lee", "staked": "56.00", "paid": "56.00"}
    assert found["story"][0]["event"] == "wager_placed/1"
    assert list(found["story"][0])[:5] == ["event", "at", "by", "clause", "reading"]
    told = here("recall", str(evening), "--irregularity", "community exposed", "--limit", "1", "--story")
    assert "Ruling: community card exposed" in told.stdout
    assert here("recall", str(evening), "--from", "2026-01-01", "--to", "2026-01-02", "--clause", "14(a)").stdout
    none = here("recall", str(evening), "--patron", "nobody")
    assert (none.returncode, none.stdout, none.stderr) == (1, "", "croupier recall: no such round\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.db"], "no such store"),
        (["mongodb://x"], "is not a store"),
        (["{}", "--from", "soon"], "--from: 'soon' is not a time such as"),
        (["{}", "--limit", "0"], "out of range"),
        (["{}", "--hand", "a|b"], "is not a name"),
        ([__file__], "not a SQLite file"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_exit_2(evening: Path, arguments: list[str], words: str) -> None:
    done = here("recall", *(word.format(evening) for word in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_has_a_row_for_each_seat(evening: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "rounds.csv", tmp_path / "rounds.parquet"
    done = here("recall", str(evening), "--limit", "5", "--json", "--csv", str(file), "--parquet", str(other))
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [(row["table"], row["seat"], row["paid"], row["round_paid"]) for row in rows] == [
        (found["table"], str(seat["seat"]), seat["paid"], found["paid"]) for found in rounds for seat in found["seats"]
    ]
    assert parquet.read_table(other).column("patron").to_pylist() == [row["patron"] for row in rows]
    assert here("recall", str(evening), "--hand", "nothing_like_it", "--csv", str(file)).returncode == 1
    assert file.read_text().count("\n") == 1
