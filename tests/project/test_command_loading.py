"""A command loads when it is asked for: what is listed is what its module says, and nothing else is loaded for it."""

import subprocess
import sys

import pytest

from croupier.cli.app import app
from croupier.cli.commands import SUMMARIES
from support.running import built, here

COMMANDS = built(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_command_is_listed_by_its_own_first_sentence(name: str) -> None:
    said = (COMMANDS[name].help or "").partition("\n\n")[0]
    assert SUMMARIES[name] == " ".join(said.split())


def test_help_lists_every_command() -> None:
    shown = here("--help", COLUMNS="200").stdout
    for name, summary in SUMMARIES.items():
        assert name in shown
        assert summary in shown


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (["--version"], ["rich", "msgspec", "numpy", "numba", "httpx", "croupier.rulebook"]),
        (["--help"], ["msgspec", "numpy", "numba", "httpx", "croupier.rulebook"]),
        (["hand", "--help"], ["numpy", "numba", "httpx", "croupier.table", "croupier.analysis"]),
        (["simulate", "--help"], ["numpy", "numba", "httpx", "litestar"]),
        (["house", "--help"], ["numpy", "numba", "httpx", "litestar"]),
        (["serve", "--help"], ["numpy", "numba", "httpx", "litestar"]),
    ],
)
def test_only_what_is_asked_for_is_loaded(words: list[str], unneeded: list[str]) -> None:
    ask = "import atexit, sys; sys.argv = ['croupier', *{}]; from croupier.cli import main; atexit.register({}); main()"
    show = "lambda: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", ask.format(words, show)], capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & set(unneeded)


def test_a_mistyped_command_gets_a_suggestion() -> None:
    done = here("analyse")
    assert done.returncode == 2
    assert "'analyze'" in done.stderr
