"""Tables in the hands of chance: no crash, no state that the documents forbid, every refusal with its clause."""

from collections import Counter

import pytest

from croupier.table.commands import COMMANDS
from random_rounds import HCF, LIR, MA, MS
from random_table import random_tables

BOOKS = (MS, MA, LIR, HCF)
SOME = 10_000
MANY = 250_000
OFTEN = 100
_accepted: Counter[str] = Counter()


def give(seed: int, rulebook: str, commands: int) -> Counter[str]:
    accepted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for table in random_tables(seed, rulebook, commands):
        accepted += table.accepted
        refused += table.refused
    assert sum(refused.values()) > commands // 20
    assert sum(accepted.values()) > commands // 3
    return accepted


@pytest.mark.parametrize("rulebook", BOOKS)
def test_random_commands(rulebook: str) -> None:
    accepted = give(20_261_116, rulebook, SOME)
    assert len([name for name in COMMANDS if accepted[name]]) > 50


@pytest.mark.torture
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("rulebook", BOOKS)
def test_many_random_commands(rulebook: str, part: int) -> None:
    _accepted.update(give(part, rulebook, MANY // 10))


@pytest.mark.torture
def test_every_command_is_accepted_often() -> None:
    if sum(_accepted.values()) == 0:
        pytest.skip("it counts what the tests before it gave, in one process")
    assert {name: _accepted[name] for name in COMMANDS if _accepted[name] < OFTEN} == {}


def test_a_planted_fault_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same test fails where the books do not add up."""
    monkeypatch.setattr("croupier.table.evolve.post", lambda books, *moves: (*books, *moves))
    with pytest.raises(AssertionError):
        give(1, MS, 1000)
