"""Rounds as a floorperson would read them aloud, replayed: `tests/rounds` holds one text for each."""

from pathlib import Path

import pytest

from croupier.games import decode_event, encode_event, rebuild
from support import slices
from support.recorded import Unreadable, begin, differences, read_record, recorded

RECORDS = recorded()
SAMPLE = RECORDS[:: slices.count(full=4, sliced=24)]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_round(path: Path) -> None:
    found = differences(read_record(path))
    assert not found, "\n" + "\n".join(found)


def test_there_are_rounds_enough_of_every_document() -> None:
    assert len(RECORDS) >= 150
    assert len({path.parent.name for path in RECORDS}) == 4


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_events_alone_rebuild_the_round(path: Path) -> None:
    record = read_record(path)
    replay = begin(record)
    for move in record.moves:
        replay.play(move.text)
    written = [decode_event(encode_event(event)) for event in replay.events]
    assert rebuild(record.house, written) == replay.state


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_any_changed_line_is_noticed(path: Path) -> None:
    """Each line in turn is changed by a digit, dropped and told twice; in every 24th round, in full every 4th."""
    lines = path.read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("> "))
    told = [number for number, line in enumerate(lines) if number > first and line.startswith("    ")]
    assert told
    for number in told:
        line = lines[number]
        for changed in ([f"{line}1"], [], [line, line]):
            text = "\n".join([*lines[:number], *changed, *lines[number + 1 :]])
            assert differences(read_record(path, text)), f"line {number + 1} does not matter"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A round\n\n> seat 1 places ante 10", "which clauses it shows"),
        ("A round\nshows: 7.Z\n\n> seat 1 places ante 10", "7.Z is not a clause"),
        ("A round\nshows: 7.A\n\nhouse\n    seats = 9\n\n> seat 1 places ante 10", "2.A"),
        ("A round\nshows: 7.A\n\nmeter main 5.00\n\n> seat 1 places ante 10", "no meter main"),
        ("A round\nshows: 7.A\n\n> seat 1 sings", "is not a move"),
        ("A round\nshows: 7.A\n\n> seat 1 places ante 10\nand then", "neither a move nor a remark"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, problem: str) -> None:
    path = RECORDS[0].parents[1] / "md-mississippi-stud" / "made-up.txt"
    with pytest.raises(Unreadable, match=problem):
        differences(read_record(path, text))
