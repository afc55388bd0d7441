"""What people read at any width of a terminal: whole words, whole amounts, and no line break of the source."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from rich.text import Text

from croupier.cli.shown.console import print_sheet, print_table
from croupier.present import sheet
from croupier.rulebook import load_rulebook, rulebook_ids
from croupier.rulebook.template import starting_submission
from support.running import every_command, here
from support.terminal import on_a_terminal


@pytest.mark.parametrize("path", every_command(), ids=" ".join)
def test_a_help_text_breaks_only_where_the_terminal_ends(path: tuple[str, ...]) -> None:
    for width in (80, 100):
        done = here(*path, "--help", COLUMNS=str(width))
        assert done.returncode == 0
        about = done.stdout.partition("╭")[0].splitlines()[3:]
        for line, below in pairwise(about):
            words = below.split()
            if line.strip() and words and words[0] != "croupier":
                assert len(line.rstrip()) + 1 + len(words[0]) > width - 2, f"{line!r} breaks before {words[0]!r}"


ROWS = [
    ("three card bonus", "$10,066,329.60", "−$1,234.56", "pair of jacks or better: paytable A pays 1 to 1"),
    ("base", "$5.00", "12.5000%", "nothing"),
    ("  standard", "", "", "12.A(1)-(10)"),
]


@pytest.mark.parametrize("width", [120, 80, 60, 40, 30])
def test_no_amount_and_no_word_is_ever_broken(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(("wager", "handle", "win", "why"), ROWS)
    print_sheet(sheet(("wager", "A", "B", "C"), ROWS, alike=True))
    shown = capsys.readouterr().out
    assert all(len(line.rstrip()) <= width for line in shown.splitlines())
    whole = set(re.split(r"\s+", shown))
    for word in (word for row in ROWS for cell in row for word in cell.split()):
        assert word in whole, f"{word} is broken at {width} columns"


@pytest.mark.parametrize(
    "words",
    [
        ("strategy", "md-mississippi-stud"),
        ("design", "md-high-card-flush", "flush_bonus"),
        ("analyze", "md-high-card-flush"),
        ("rulebook", "diff", "md-mississippi-stud", "ma-mississippi-stud"),
    ],
    ids=" ".join,
)
def test_no_character_is_lost_in_a_narrow_terminal(words: tuple[str, ...]) -> None:
    wide, *narrow = (Counter(here(*words, COLUMNS=str(columns)).stdout) for columns in (400, 80, 60, 40))
    for shown in narrow:
        assert {character for character in wide - shown if not character.isspace()} == set()


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "md-mississippi-stud"),
        ("strategy", "md-mississippi-stud"),
        ("design", "md-high-card-flush", "flush_bonus"),
        ("compare", "-", "house.toml"),
        ("simulate", "-", "--rounds", "1e6", "--seats", "2"),
        ("meter", "-", "--players", "5", "--simulate", "1e6"),
        ("hold", "-", "--months", "1", "--buy-in", "300"),
    ],
    ids=" ".join,
)
def test_every_word_and_amount_of_an_answer_is_whole(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True)
    (tmp_path / "house.toml").write_text(house)
    monkeypatch.chdir(tmp_path)
    wide, *narrow = (here(*words, stdin=house, COLUMNS=str(columns)).stdout for columns in (400, 80, 60))
    for shown in narrow:
        assert set(wide.split()) - set(shown.split()) == set()


def test_a_long_key_is_folded_at_its_dot(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    key = "irregularity[stub_wrong_misdealt].device[automated_shoe]"
    print_table(("play", "md-mississippi-stud", "ma"), [(Text(key), "deal automated_shoe, cards 40 (10.G)", "none")])
    shown = capsys.readouterr().out.split()
    assert {"irregularity[stub_wrong_misdealt]", ".device[automated_shoe]"} <= set(shown)


def test_a_terminal_breaks_no_line_of_a_paytable_inside_a_word() -> None:
    asked = ["analyze", "md-mississippi-stud", "-w", "progressive", "-p", "A", "--lines"]
    text, code = on_a_terminal(asked, [], COLUMNS="80")
    assert code == 0
    assert "the player has the edge" in " ".join(plain(text).split())
    assert all(len(line.rstrip()) <= 80 for line in plain(text).splitlines())


def test_the_tour_breaks_no_word_at_80_columns_and_q_leaves() -> None:
    prompt = rb"Q and Enter to leave (\x1b\[0m)?$"
    text, code = on_a_terminal(["tour"], ["\n", "\n", "q\n"], prompt=prompt, COLUMNS="80")
    shown = plain(text)
    assert code == 0
    assert "The law as data" in shown
    assert "Every five-card hand" not in shown
    assert all(len(line.rstrip()) <= 80 for line in shown.splitlines())
    words = set(shown.split())
    for source in (load_rulebook(name).source for name in rulebook_ids()):
        assert words >= set(f"{source.document} ({source.edition})".split())
    assert "(10.B(1), reading 99)" in " ".join(shown.split())


def plain(text: str) -> str:
    """What a terminal shows, without colors."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.mark.parametrize("width", [80, 60])
def test_the_tables_of_a_rulebook_keep_their_words(width: int) -> None:
    wide = here("rulebook", "show", "md-mississippi-stud", "table", COLUMNS="400").stdout
    narrow = here("rulebook", "show", "md-mississippi-stud", "table", COLUMNS=str(width)).stdout
    assert set(wide.split()) == set(narrow.split())
