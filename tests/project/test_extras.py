"""Without the extras: every command works, or says in one line what to install."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from croupier.extras import EXTRAS
from croupier.rulebook import load_rulebook, starting_submission
from support.running import every_command

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED: Final = {"argon2-cffi": "argon2", "vl-convert-python": "vl_convert"}
"""Packages that are imported by another name than theirs."""
RUN: Final = """
import json, sys
sys.path[:0] = {path!r}
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
import importlib.util
sys.meta_path.insert(0, Missing())
whole = importlib.util.find_spec
def find_spec(name, package=None):
    return None if name.partition(".")[0] in {blocked!r} else whole(name, package)
importlib.util.find_spec = find_spec
from support.running import here
for words in json.load(sys.stdin):
    done = here(*words)
    print(json.dumps([done.returncode, done.stdout, done.stderr]))
"""


def without_extras(*asked: tuple[str, ...], folder: Path) -> Iterator[tuple[int, str, str]]:
    """The exit code and both outputs of commands where no package of an extra is installed."""
    blocked = {module for modules in EXTRAS.values() for module in modules}
    code = RUN.format(path=[str(ROOT / "src"), str(ROOT / "tests")], blocked=blocked)
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(asked), capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        code, out, err = json.loads(line)
        yield code, out, err


def test_the_extras_are_those_of_the_project() -> None:
    for extra, modules in EXTRAS.items():
        names = [re.split(r"[>=<,]", package)[0] for package in PROJECT["optional-dependencies"][extra]]
        brought = {IMPORTED.get(name, name.replace("-", "_")) for name in names if not name.startswith("croupier")}
        assert brought == set(modules), extra
    base = {re.split(r"[>=<,]", package)[0] for package in PROJECT["dependencies"]}
    further = {re.split(r"[>=<,]", name)[0] for names in PROJECT["optional-dependencies"].values() for name in names}
    assert not base & further
    pinned = {line.strip() for line in (ROOT / "requirements/run.in").read_text().splitlines()} - {"", "flit_core"}
    listed = {re.split(r"[>=<,]", line)[0] for line in pinned if not line.startswith("#")}
    assert listed == (base | further) - {name for name in further if name.startswith("croupier")}


def test_every_command_shows_its_help(tmp_path: Path) -> None:
    commands = every_command()
    assert len(commands) > 60
    for words, (code, out, err) in zip(
        commands, without_extras(*((*words, "--help") for words in commands), folder=tmp_path), strict=True
    ):
        assert (code, err) == (0, ""), (words, err)
        assert "Usage" in out


def test_what_needs_no_extra_works(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(starting_submission(load_rulebook("md-let-it-ride")))
    asked = [
        ("hand", "Ah Kh Qh Jh Th"),
        ("rulebook", "list"),
        ("submission", "check", "house.toml"),
        ("analyze", "md-let-it-ride", "--wager", "three_card_bonus"),
        ("advise", "md-high-card-flush", "2c 8c Ah 3h 4h 5d 9d"),
        ("table", "commands"),
        ("table", "example", "md-let-it-ride"),
        ("clauses", "md-let-it-ride"),
        ("simulate", "house.toml", "--rounds", "1000", "--csv", "wagers.csv"),
        ("play", "md-let-it-ride"),
    ]
    for words, (code, _, err) in zip(asked, without_extras(*asked, folder=tmp_path), strict=True):
        assert code == 0, (words, err)


def test_what_needs_an_extra_says_what_to_type(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(starting_submission(load_rulebook("md-let-it-ride")))
    (tmp_path / "house.db").write_bytes(b"SQLite format 3\0")
    needs: dict[str, list[tuple[str, ...]]] = {
        "plot": [
            ("analyze", "md-let-it-ride", "--wager", "three_card_bonus", "--plot", "edges.svg"),
            ("simulate", "house.toml", "--rounds", "1000", "--plot", "edges.svg"),
        ],
        "cluster": [("simulate", "house.toml", "--rounds", "1000", "--scheduler", "tcp://127.0.0.1:9")],
        "parquet": [("simulate", "house.toml", "--rounds", "1000", "--parquet", "wagers.parquet")],
        "papers": [
            ("document", "sign", "house.toml", "--out", "sign.pdf"),
            ("document", "math", "house.toml", "--out", "math.xlsx"),
            ("document", "--all", "papers", "house.toml"),
        ],
        "store": [
            ("recall", "house.db"),
            ("report", "meters", "house.db"),
            ("journal", "verify", "house.db"),
            ("ledger", "check", "house.db"),
            ("store", "backup", "house.db", "copy.db"),
            ("play", "md-let-it-ride", "--store", "new.db"),
        ],
        "client": [
            ("house", "http://127.0.0.1:9", "tables", "list"),
            ("house", "http://127.0.0.1:9", "sessions", "sign-in", "ann", "--password", "x"),
            ("bot", "http://127.0.0.1:9", "--number", "1"),
        ],
        "server": [("serve", "--demo", "--store", "new.db")],
    }
    assert needs.keys() == EXTRAS.keys()
    asked = [(extra, words) for extra, commands in needs.items() for words in commands]
    answers = without_extras(*(words for _, words in asked), folder=tmp_path)
    for (extra, words), (code, out, err) in zip(asked, answers, strict=True):
        assert (code, out) == (2, ""), (words, out, err)
        assert err.endswith(f"pip install 'croupier[{extra}]'\n"), (words, err)
        assert err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} <= {"house.toml", "house.db"}
