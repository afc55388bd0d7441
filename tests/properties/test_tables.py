"""Tables in the hands of chance: no crash, no state that the documents forbid, every refusal with its clause."""

import json
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from croupier.table.commands import COMMANDS
from support import slices
from support.folder_host import digest, fresh
from support.random_rounds import HCF, LIR, MA, MS
from support.random_table import random_tables

BOOKS = (MS, MA, LIR, HCF)
MANY = 250_000
RECORDED = slices.count(full=5_000, sliced=1_000)
OFTEN = 100


def give(seed: int, rulebook: str, commands: int, folder: Path | None = None) -> Counter[str]:
    """Commands of chance; with a folder their record is read back by another process, which finds the same tables."""
    accepted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    recorded = {}
    for table in random_tables(seed, rulebook, commands, folder=folder):
        accepted += table.accepted
        refused += table.refused
        if table.host is not None:
            recorded[str(table.host.folder)] = digest(table.table)
    if recorded:
        assert fresh("read", *recorded) == list(recorded.values())
    assert sum(refused.values()) > commands // 20
    assert sum(accepted.values()) > commands // 3
    return accepted


@pytest.mark.parametrize("rulebook", BOOKS)
def test_random_commands(rulebook: str, tmp_path: Path) -> None:
    accepted = give(20_261_116, rulebook, RECORDED, tmp_path)
    assert len([name for name in COMMANDS if accepted[name]]) > 50


@pytest.mark.torture
@pytest.mark.parametrize("rulebook", BOOKS)
def test_many_random_commands(rulebook: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    accepted = give(1, rulebook, MANY)
    counts = tmp_path_factory.getbasetemp().parent / "accepted"  # workers share it
    counts.mkdir(exist_ok=True)
    (counts / rulebook).write_text(json.dumps(accepted))
    done = [Counter(json.loads(path.read_text())) for path in counts.iterdir()]
    if len(done) == len(BOOKS):  # the last one counts for all
        together = sum(done, Counter[str]())
        assert {name: together[name] for name in COMMANDS if together[name] < OFTEN} == {}


def test_a_planted_fault_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same test fails where the books do not add up."""
    monkeypatch.setattr(import_module("croupier.table.evolve"), "post", lambda books, moves: (*books, *moves))
    with pytest.raises(AssertionError):
        give(1, MS, 1000)
