"""`croupier hold` with a mix of players, from the command line: files, examples, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.rulebook import load_rulebook, rulebook_ids, starting_submission
from support.running import here


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("mix") / "house.toml"
    file.write_text(starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True))
    return file


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_example_of_a_house_is_a_mix_that_it_takes(book: str, tmp_path: Path) -> None:
    file, mix = tmp_path / "house.toml", tmp_path / "mix.toml"
    file.write_text(starting_submission(load_rulebook(book), every_wager=True))
    mix.write_text(here("hold", str(file), "--mix-example").stdout)
    done = here("hold", str(file), "--mix", str(mix), "--months", "1", "--mistakes", "2%")
    assert done.returncode == 0, done.stderr
    for words in ("hold % (win ÷ drop)", "theo per player per hour", "standard deviation", "No expected win"):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("buyin = 300\n", "mix.toml: buyin: unknown setting: buy_in, visit_hours, bets, shares, occupancy"),
        ("bets = 5\n", "mix.toml: bets is a table: write [bets], and below it ante = 10"),
        ("[bets]\nante = true\n", "mix.toml: bets.ante: write a number or text, such as ante = 10"),
        ('buy_in = "abc"\n', "mix.toml: buy_in: 'abc' is not an amount"),
        ("visit_hours = 100\n", "mix.toml: visit_hours: '100' is not a number of hours from 0.25 to 24"),
        (
            "[shares]\nprogressive = 60\n",
            "mix.toml: shares progressive: 60 is more than 100%; a percentage is written 60%",
        ),
        ('[occupancy]\n"10-18" = 2\n"17-20" = 3\n', "mix.toml: occupancy: the hour from 17:00 is given twice"),
        ('[occupancy]\n"10-18" = 9\n', "mix.toml: occupancy '10-18=9': this table has 6 seats"),
        ("[bets]\nprogressive = 1\n", "no bet on the main game"),
        ("[[[", "mix.toml: Invalid"),
    ],
)
def test_a_mix_file_that_cannot_be_read_is_answered_in_one_line(
    house: Path, tmp_path: Path, text: str, message: str
) -> None:
    mix = tmp_path / "mix.toml"
    mix.write_text(text)
    done = here("hold", str(house), "--mix", str(mix))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--mix nowhere.toml", "croupier: nowhere.toml: No such file or directory"),
        ("--occupancy 10-18=2 --seats 3", "--seats and --hours do not go with --occupancy"),
        ("--occupancy 10-18=2 --buy-in 5", "a buy-in of $5 does not cover a round, which can take $107"),
        ("--occupancy 10-18=2 --months 100000", "simulate fewer months"),
        ("--occupancy 10-11=0.001 --rounds-per-hour 1 --months 1", "simulate more months"),
        ("--occupancy 10-18=2 --bet progressive=1", "no bet on the main game"),
        ("--share foo=60%", "share of foo: these players have no such side bet: progressive, three_card_bonus"),
        ("--share progressive=160%", "--share progressive: 160% is more than 100%"),
    ],
)
def test_a_mix_that_makes_no_sense_is_refused(house: Path, options: str, message: str) -> None:
    done = here("hold", str(house), *options.split())
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
