"""Rounds replayed from the export of a house alone, without its store and its key: identical cents and heads."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.journal.verify import verify_file
from support import slices
from support.journal_alone import Remembered, auditors_store, play_rounds, replayed
from support.resumed import RecordProperty

PARTS = slices.count(full=40, sliced=1)
ROUNDS = slices.count(full=2_500, sliced=60)


def lines_of(folder: Path) -> Iterator[bytes]:
    with (folder / "export.jsonl").open("rb") as file:
        yield from (line.removesuffix(b"\n") for line in file)


def made_again(folder: Path, lines: Iterator[bytes]) -> dict[str, tuple[Remembered, list[int]]]:
    async def run() -> dict[str, tuple[Remembered, list[int]]]:
        store = await auditors_store(folder, lines)
        tables = {stream: await replayed(store, stream) for stream in await store.streams()}
        await store.close()
        return tables

    return asyncio.run(run())


@pytest.mark.parametrize("part", range(PARTS))
def test_rounds_replayed_from_the_journal_alone_give_the_same_cents_and_heads(
    part: int, tmp_path: Path, record_property: RecordProperty
) -> None:
    """60 rounds of four rulebooks in `make test`, 100,000 in `make torture`."""
    played = asyncio.run(play_rounds(tmp_path, ROUNDS, seed=part))
    rounds = sum(table.rounds for table in played.values())
    assert rounds >= ROUNDS
    for left in tmp_path.glob("house.db*"):
        left.unlink()
    report = verify_file(tmp_path / "export.jsonl")
    assert report.lines == sum(table.head[0] for table in played.values())
    again = made_again(tmp_path, lines_of(tmp_path))
    assert again.keys() == played.keys()
    for stream, (made, differing) in again.items():
        assert differing == [], f"{stream}: settled differently"
        assert made.head == played[stream].head, f"{stream}: another head"
        assert made.rounds == played[stream].rounds
        assert made.settled == played[stream].settled, f"{stream}: other cents"
        assert made.accounts == played[stream].accounts, f"{stream}: other accounts"
        assert made.table == played[stream].table, f"{stream}: another table"
    record_property("rounds", rounds)
    record_property("entries", report.lines)
    record_property("settlements", sum(len(table.settled) for table in played.values()))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Remembered]]:
    """A few rounds, among them some with envy."""
    folder = tmp_path_factory.mktemp("few")
    return folder, asyncio.run(play_rounds(folder, 24, seed=1))


@pytest.mark.parametrize("event", ["hand_settled", "envy_settled"])
def test_one_cent_more_in_a_settlement_is_found(
    event: str, evening: tuple[Path, dict[str, Remembered]], tmp_path: Path
) -> None:
    folder, played = evening
    lines = list(lines_of(folder))
    place, stream, seq = next(
        (place, match[1].decode(), int(match[2]))
        for place, line in enumerate(lines)
        if f'"{event}/1"'.encode() in line
        and b'"what":"immediate"' not in line
        and b'"paid_by_hand":true' not in line
        and re.search(rb'"won":[1-9]', line)
        and (match := re.match(rb'{"stream":"([^"]+)","seq":([0-9]+)', line))
    )
    lines[place] = re.sub(rb'"won":([1-9][0-9]*)', lambda won: b'"won":%d' % (int(won[1]) + 1), lines[place], count=1)
    made, differing = made_again(tmp_path, iter(lines))[stream]
    assert differing == [seq]
    assert made.head != played[stream].head
    assert made.settled != played[stream].settled
