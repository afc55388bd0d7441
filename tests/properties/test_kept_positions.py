"""Advice from tables that are kept on disk: what the solver says, and nothing that somebody else left there."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from croupier.analysis import advise
from croupier.analysis.cases import BASE, streets_of, tables_of
from croupier.analysis.streets import best_play, odds_of
from croupier.analysis.streets.positions import position_values
from croupier.cards import DECK
from croupier.rulebook import load_rulebook

STREETS = ["md-mississippi-stud", "md-let-it-ride", "ma-mississippi-stud"]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    position_values.cache_clear()
    return tmp_path


@pytest.mark.parametrize("name", STREETS)
def test_values_from_disk_are_those_of_the_solver(name: str, kept: Path) -> None:
    book, dice = load_rulebook(name), Random(7)
    game, table = streets_of(book), tables_of(book, BASE)[0]
    assert game is not None
    made = position_values(game, table)
    position_values.cache_clear()
    read, solved = position_values(game, table), best_play(game, odds_of(table))
    assert read is not made
    assert len(list(kept.iterdir())) == 1
    for known in range(game.first, 5):
        for _ in range(200):
            cards, staked = dice.sample(DECK, known), dice.choice(game.staked(known))
            assert read.at(cards, staked) == made.at(cards, staked) == solved.action_values(cards, staked)


def test_a_second_question_needs_no_compiler(kept: Path) -> None:
    ask = "from croupier import advise; import sys; print(advise('md-let-it-ride', '{}').best, 'numba' in sys.modules)"
    first, second = (
        subprocess.run([sys.executable, "-c", ask.format(cards)], check=True, capture_output=True, text=True).stdout
        for cards in ("Tc Td 2h", "9c Jd 2h")
    )
    assert (first, second) == ("('ride',) True\n", "('withdraw',) False\n")
    assert len(list(kept.iterdir())) == 1


@pytest.mark.parametrize("left", [b"", b"nonsense", b"PK\x03\x04", "cut", "a folder"])
def test_what_is_not_whole_is_worked_out_again(left: bytes | str, kept: Path) -> None:
    book = load_rulebook("md-let-it-ride")
    hand = DECK[:2] + DECK[30:31]
    told = advise(book, hand)
    (file,) = kept.iterdir()
    whole = file.read_bytes()
    if left == "a folder":
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(whole[: len(whole) // 2] if isinstance(left, str) else left)
    position_values.cache_clear()
    assert advise(book, hand) == told
