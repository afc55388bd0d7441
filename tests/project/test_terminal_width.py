"""What people read at any width of a terminal: whole words, whole amounts, and no line break of the source."""

import re
from collections import Counter
from itertools import pairwise

import pytest
import typer

from croupier.cli.app import app
from croupier.cli.shown.console import print_sheet, print_table
from croupier.present import sheet
from support.running import here


def commands(application: typer.Typer, *before: str) -> list[tuple[str, ...]]:
    """Every command, with the names that lead to it."""
    own = [
        (*before, command.name or getattr(command.callback, "__name__", ""))
        for command in application.registered_commands
    ]
    groups = [(group.typer_instance, group.name or "") for group in application.registered_groups]
    return own + [path for group, name in groups if group is not None for path in commands(group, *before, name)]


@pytest.mark.parametrize("path", commands(app), ids=" ".join)
@pytest.mark.parametrize("width", [80, 100])
def test_a_help_text_breaks_only_where_the_terminal_ends(path: tuple[str, ...], width: int) -> None:
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


@pytest.mark.parametrize("width", [80, 60, 40])
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
def test_no_character_is_lost_in_a_narrow_terminal(words: tuple[str, ...], width: int) -> None:
    wide, narrow = (Counter(here(*words, COLUMNS=str(columns)).stdout) for columns in (400, width))
    assert {character for character in wide - narrow if not character.isspace()} == set()


@pytest.mark.parametrize("width", [80, 60])
def test_the_tables_of_a_rulebook_keep_their_words(width: int) -> None:
    wide = here("rulebook", "show", "md-mississippi-stud", "table", COLUMNS="400").stdout
    narrow = here("rulebook", "show", "md-mississippi-stud", "table", COLUMNS=str(width)).stdout
    assert set(wide.split()) == set(narrow.split())
