"""Every evening, line by line: what is recorded and refused is what the script says, no more and no less."""

from pathlib import Path

import pytest

from support.evening import Evening, evenings, read_script


@pytest.mark.parametrize("path", evenings(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_evening(path: Path) -> None:
    evening = Evening(read_script(path))
    for line in evening.script.lines:
        came = evening.play(line)
        assert came == list(line.expected), f"{path}, line {line.number}: {line.text}"
        evening.check()


def test_there_are_evenings_of_every_rulebook() -> None:
    found = evenings()
    assert len(found) >= 25
    assert {path.parent.name for path in found} == {
        "md-mississippi-stud",
        "md-high-card-flush",
        "md-let-it-ride",
        "ma-mississippi-stud",
    }
