"""The parts of `make torture`: every test is in one of them, each is listed, and an interrupted run goes on."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
MAKEFILE: Final = (ROOT / "Makefile").read_text()
PASSES: Final = """
import pytest

@pytest.mark.parametrize("part", range(3))
def test_long(part, record_property):
    record_property("kills", 1000 + part)
    assert part != {failing}
"""


def parts() -> dict[str, list[str]]:
    """What each part runs, as the Makefile has it."""
    found = dict(re.findall(r"^TORTURE_(\w+) := (.*)$", MAKEFILE, re.MULTILINE))
    return {name: paths.split(" $(")[0].split() for name, paths in found.items() if name != "all"}


def test_every_test_is_in_one_part() -> None:
    listed = [path for paths in parts().values() for path in paths]
    assert len(listed) == len(set(listed))
    assert [path for path in listed if not (ROOT / path).exists()] == []
    for path in (ROOT / "tests").rglob("test_*.py"):
        name = str(path.relative_to(ROOT))
        assert name in listed or any(name.startswith(f"{folder}/") for folder in listed), name


def test_every_part_is_named_and_explained() -> None:
    (store,) = re.findall(r"^STORE_PARTS := (.*)$", MAKEFILE, re.MULTILINE)
    (names,) = re.findall(r"^PARTS := (.*)$", MAKEFILE, re.MULTILINE)
    assert names.replace("$(STORE_PARTS)", store).split() == [*parts()]
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("| part | what it does |")[2].partition("##")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*parts()]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one long check of three parts, and the conftest that matters."""
    (tmp_path / "tests/support").mkdir(parents=True)
    (tmp_path / "src").mkdir()
    for name in ("resumed", "slices"):
        (tmp_path / f"tests/support/{name}.py").write_text((ROOT / f"tests/support/{name}.py").read_text())
    hooks = re.findall(r"^(?:@pytest.hookimpl.*\n)?def pytest_runtest_\w+\(.*\n(?:    .*\n)+", CONFTEST, re.MULTILINE)
    assert len(hooks) == 2
    (tmp_path / "tests/conftest.py").write_text(
        "import os, pytest\nfrom hypothesis import settings\nfrom support import resumed\n"
        "settings.register_profile('torture')\n" + "\n".join(hooks)
    )
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['tests']\n")
    return tmp_path


CONFTEST: Final = (ROOT / "tests/conftest.py").read_text()


def run(project: Path, *more: str, failing: int = -1, profile: str = "torture") -> str:
    (project / "tests/test_long.py").write_text(PASSES.replace("{failing}", str(failing)))
    words = [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", f"--hypothesis-profile={profile}", *more]
    words += ["-p", "xdist", "-p", "_hypothesis_pytestplugin"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"CROUPIER_TORTURE_DIR": str(project / "kept"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=project, env=environment)
    return done.stdout


def test_an_interrupted_run_goes_on_and_says_what_was_done(project: Path) -> None:
    kept = project / "kept/done.jsonl"
    assert "1 failed, 2 passed" in run(project, "-n", "2", failing=2)
    assert sorted(json.loads(line)[2]["kills"] for line in kept.read_text().splitlines()) == [1000, 1001]
    kept.write_text(kept.read_text()[:-20])  # cut off in the middle of a line, which counts for nothing
    again = run(project, failing=2)
    assert "1 failed, 1 passed, 1 skipped" in again
    assert re.search(r"done before: kills 1,00[01]", again)
    assert "1 failed, 2 skipped" in run(project, failing=2)


def test_other_code_has_to_pass_again(project: Path) -> None:
    assert "3 passed" in run(project, profile="default")
    assert not (project / "kept").exists()  # outside of torture nothing is kept
    assert "3 passed" in run(project)
    (project / "src/engine.py").write_text("# changed\n")
    assert "3 passed" in run(project)
    assert "1 failed, 2 passed" in run(project, failing=0)  # the test itself is another one
