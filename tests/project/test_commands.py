"""The command as people and programs meet it: its output, its exit code, and its streams in a process of its own."""

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.cli.commands import OTHER_WORDS, SUMMARIES
from support.running import croupier, here


def question(kind: str, cards: str, **more: object) -> str:
    return json.dumps({"kind": kind, "cards": cards} | more) + "\n"


def test_hand_answers_json_lines_in_order() -> None:
    lines = (
        question("five_card", "Qh Qd 9c 5s 2h")
        + question("three_card", "Ah 2h 3h")
        + question("three_card", "Ah 2h 3h", ace_low=False)
        + question("six_card", "Ad 9d Kd Qd Jd 10d")
        + question("high_card_flush", "Ah 5h 3h Kd 9d Tc 2s")
        + question("high_card_flush", "Ah 2h 3h 4h 8c 8d 8s", ace_low=False)
        + question("high_card_flush", "8h 7h 6h 9c 9d 9s 2c")
    )
    done = croupier("hand", stdin=lines)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"hand": "pair", "ranks": "Q952"},
        {"hand": "straight_flush", "ranks": "3"},
        {"hand": "flush", "ranks": "A32"},
        {"hand": "super_royal", "ranks": "A"},
        flush(3, "A53", 1, qualifies=True),
        flush(4, "A432", 3, qualifies=True),
        flush(3, "876", 3, qualifies=False),
    ]


def flush(length: int, ranks: str, run: int, *, qualifies: bool) -> dict[str, object]:
    return {
        "flush_length": length,
        "flush_ranks": ranks,
        "straight_flush_length": run,
        "four_of_a_kind": False,
        "qualifies": qualifies,
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 2: JSON is malformed"),
        (b"null", "Expected `object`"),
        (b'{"cards": "Ah"}', "missing required field `kind`; a line has kind (three_card, five_card,"),
        (b'{"kind": "five", "cards": ""}', "Invalid value 'five'"),
        (b'{"kind": "five_card"}', "missing required field `cards`"),
        (b'{"kind": "five_card", "cards": 5}', "Expected `str`, got `int` - at `$.cards`"),
        (b'{"kind": "five_card", "cards": "Ah"}', "expected 5 cards, got 1"),
        (b'{"kind": "five_card", "cards": "Ah Ah Kc Qd 2s"}', "duplicate card: Ah"),
        (b'{"kind": "five_card", "cards": "Ah Kx Kc Qd 2s"}', "'Kx' is not a card"),
        (b'{"kind": "five_card", "cards": "Ah Kd Kc Qd 2s", "ace_low": false}', "unknown field `ace_low`"),
        (b'{"kind": "three_card", "cards": "Ah Kd Kc", "ace_low": 0}', "Expected `bool`, got `int`"),
        (b'{"kind": "five_card", "cards": "\xff"}', "line 2: "),
        (b"[" * 5000, "line 2: "),
        (
            b'{"kind": "five_card", "cards": "Ah Kd Kc Qd 2s", "cards": "2h 3d 4c 5d 6s"}',
            "the key 'cards' appears twice",
        ),
        (b'{"kind": "%s", "cards": ""}' % (b"x" * 100_000), "Invalid value 'xxxx"),
        (b" " * (1 << 20) + b"{}", "longer than 1,048,576 bytes"),
    ],
)
def test_a_bad_line_answers_in_its_place_and_the_exit_is_2(line: bytes, message: str) -> None:
    good = question("five_card", "Qh Qd 9c 5s 2h").encode()
    done = here("hand", stdin=good + line + b"\n" + good.rstrip())
    first, bad, last = map(json.loads, done.stdout.splitlines())
    assert first == last == {"hand": "pair", "ranks": "Q952"}
    assert list(bad) == ["error"]
    assert message in bad["error"]
    assert len(bad["error"]) < 400
    assert (done.returncode, done.stderr) == (2, "croupier hand: 1 line could not be read\n")


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    done = croupier("hand", stdin=b"\xef\xbb\xbf" + question("five_card", "Qh Qd 9c 5s 2h").encode())
    assert (done.returncode, done.stdout) == (0, '{"hand":"pair","ranks":"Q952"}\n')


def test_blank_lines_and_no_lines_are_nothing_to_answer() -> None:
    assert here("hand", stdin="").stdout == ""
    done = here("hand", stdin="\n  \n" + question("five_card", "Qh Qd 9c 5s 2h"))
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hand", "Ah", "ah", "Kc"], "duplicate card: Ah"),
        (["hand", "Ah Kd"], "expected 3, 5, 6 or 7 cards, got 2"),
        (["hand", "Ah Kd Ah"], "duplicate card: Ah"),
        (["hand", "--jsn"], "No such option: --jsn"),
        (["hnd"], "No such command 'hnd'. Did you mean 'hand'?"),
        (["price", "md-let-it-ride"], "no such command 'price': try croupier analyze"),
        (["Pays", "flush"], "no such command 'Pays': try croupier rulebook show RULEBOOK WAGER"),
        (["zebra"], "no such command 'zebra': croupier --help lists them"),
        (["advise", "md-mississippi-stud", "Qh", "Jh"], 'put cards and names with spaces in quotes, such as "Qh Jh"'),
    ],
)
def test_bad_usage_gets_one_clear_line_and_exit_2(arguments: list[str], message: str) -> None:
    done = here(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_other_words_for_commands_lead_to_commands() -> None:
    assert not set(OTHER_WORDS) & set(SUMMARIES)
    assert {meant.split()[0] for meant in OTHER_WORDS.values()} <= {*SUMMARIES, "--help", "--version"}


def test_on_a_terminal_hand_without_cards_says_what_to_do() -> None:
    _, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "hand"], stdin=terminal, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no cards: try croupier hand" in done.stderr


def test_a_terminal_without_suits_shows_no_traceback() -> None:
    done = croupier("hand", "Ah Kd 2c", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("A? K? 2?\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["hand", "hand Ah 2h 3h", "hand --json Ah 2h 3h", "--help", "tour"])
def test_a_reader_that_leaves_early_is_no_error(arguments: str, unbuffered: str, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_text(question("five_card", "Qh Qd 9c 5s 2h") * 20_000)
    run = f'"{sys.executable}" -m croupier {arguments} < "{lines}" 2> errors; echo $? > code'
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    subprocess.run(["sh", "-c", f"({run}) | exec true"], check=True, cwd=tmp_path, env=environment)
    wait_for(tmp_path / "code")
    assert (tmp_path / "errors").read_text() == ""
    assert (tmp_path / "code").read_text() == "0\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["hand Ah 2h 3h", "hand --json Ah 2h 3h", "--version", "--help"])
@pytest.mark.parametrize("full", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_gets_one_line(arguments: str, unbuffered: str, full: str) -> None:
    command = f'"{sys.executable}" -m croupier {arguments} {full}'
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("croupier: standard output")
    assert done.stderr.count("\n") == 1


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_mistake_of_our_own_shows_no_traceback_unless_asked() -> None:
    done = croupier(_CROUPIER_COMPLETE="complete_bash", COMP_WORDS="", COMP_CWORD="x")
    assert done.returncode == 70
    assert done.stderr.startswith("croupier: internal error: ValueError")
    assert done.stderr.count("\n") == 1
    assert "Traceback" in croupier(_CROUPIER_COMPLETE="complete_bash", COMP_CWORD="x", CROUPIER_DEBUG="1").stderr


def test_the_tour_runs_through_without_a_terminal() -> None:
    done = here("tour")
    assert (done.returncode, done.stderr) == (0, "")
    assert "royal flush              4" in done.stdout
    assert "133,784,560 hands" in done.stdout
    shown = set(re.findall(r"^\$ croupier (\w+)", done.stdout, flags=re.MULTILINE))
    assert shown >= {"settle", "ruling", "table", "play", "advise", "strategy", "hold", "meter"}
    pages = re.findall(r"docs/\S+\.md", done.stdout)
    assert len(pages) == 6
    assert all((Path(__file__).parents[2] / page).exists() for page in pages)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_offered(shell: str) -> None:
    variables = {"_CROUPIER_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": "croupier ha"}
    variables |= {"COMP_WORDS": "croupier ha", "COMP_CWORD": "1", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = here(**variables)
    assert "hand" in done.stdout.splitlines()[0]
    assert "tour" not in done.stdout


@pytest.mark.parametrize("typed", ["hold", "settle --submission", "bankroll", "cost"])
def test_a_house_is_completed_by_its_file_and_by_its_rulebook(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mdhouse.toml").touch()
    (tmp_path / "notes.txt").touch()
    words = f"croupier {typed} md"
    variables = {"_CROUPIER_COMPLETE": "complete_bash", "COMP_WORDS": words}
    listed = here(**variables, COMP_CWORD=str(len(words.split()) - 1)).stdout.split()
    assert listed == ["md-high-card-flush", "md-let-it-ride", "md-mississippi-stud", "mdhouse.toml"]


def test_cards_are_completed() -> None:
    variables = {"_CROUPIER_COMPLETE": "complete_bash", "COMP_WORDS": "croupier hand Ah K", "COMP_CWORD": "3"}
    assert here(**variables).stdout.split() == ["Kc", "Kd", "Kh", "Ks"]
