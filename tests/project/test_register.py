"""The register of clauses keeps itself true."""

import json
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.citing import clause
from croupier.rulebook import clause_entries, is_open, load_readings, load_register, load_rulebook, rulebook_ids

ROOT = Path(__file__).parents[2]


def test_it_is_up_to_date(
    collected: list[pytest.Item], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tool has pytest look for all tests; a run that has found them all tells it those."""
    tool = str(ROOT / "tools/register.py")
    ours = [item for item in collected if item.nodeid.startswith("tests/")]
    missing = {*(ROOT / "tests").rglob("test_*.py")} - {item.path for item in ours}
    if missing or "::" in "".join(ours[0].config.args):
        done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
        return

    def tell(_: list[str], plugins: list[Any]) -> int:
        plugins[0].pytest_collection_finish(SimpleNamespace(items=ours))
        return 0

    monkeypatch.setattr(pytest, "main", tell)
    monkeypatch.setattr(sys, "argv", [tool, "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(tool, run_name="__main__")
    assert (ended.value.code, capsys.readouterr().out) == (0, "")


def test_880_clauses_in_the_order_of_the_documents() -> None:
    counts = Counter(entry.rulebook for entry in clause_entries())
    assert counts == {
        "md-mississippi-stud": 257,
        "md-high-card-flush": 218,
        "md-let-it-ride": 254,
        "ma-mississippi-stud": 151,
    }
    for name in rulebook_ids():
        assert [entry.clause for entry in clause_entries(name)] == [one.id for one in load_rulebook(name).clauses]


def test_every_configure_clause_is_closed() -> None:
    assert [
        f"{entry.rulebook} {entry.clause}" for entry in clause_entries() if entry.kind == "configure" and is_open(entry)
    ] == []


def test_the_stated_number_of_open_clauses_is_the_true_one() -> None:
    counts = Counter(entry.rulebook for entry in clause_entries() if is_open(entry))
    assert {name: counts[name] for name in rulebook_ids()} == load_register().open


def test_a_clause_without_effect_says_why() -> None:
    assert [entry.clause for entry in clause_entries() if entry.kind == "physical" and not entry.note] == []


def test_every_defined_term_is_in_a_glossary() -> None:
    lacking = [
        f"{entry.rulebook} {entry.clause}" for entry in clause_entries() if entry.kind == "define" and not entry.where
    ]
    assert lacking == []


def test_197_readings_and_every_option_among_them() -> None:
    numbers = [reading.number for reading in load_readings()]
    assert numbers == list(range(1, 198))
    have = {option.rule.reading for name in rulebook_ids() for option in load_rulebook(name).options}
    assert have <= set(numbers)


def test_readings_cited_in_the_sources_exist() -> None:
    for path in sorted((ROOT / "src").rglob("*.py")):
        for number in re.findall(r"reading[s]? (\d+)", path.read_text()):
            assert 1 <= int(number) <= 197


def test_what_a_person_reads_of_a_hand_cites_clauses_that_exist() -> None:
    text = (ROOT / "src/croupier/hands/describe.py").read_text()
    for name, numbers in re.findall(r"(m[ad]-[a-z-]+) ((?:\.?[0-9][^,\s\"]*)(?:, \.?[0-9][^,\s\"]*)*)", text):
        known = [one.id for one in load_rulebook(name).clauses]
        for number in numbers.split(", "):
            assert any(one.startswith(number) for one in known), f"{name} {number}"


@pytest.mark.parametrize("marks", [(), ("6.A",)])
def test_a_mark_names_a_clause(marks: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="a mark names at least one clause"):
        clause(*marks)


def test_the_register_is_shipped_as_plain_json() -> None:
    text = (ROOT / "src/croupier/regulations/register.json").read_text()
    assert set(json.loads(text)) == {"open", "clauses"}
