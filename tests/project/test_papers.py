"""The papers of the project tell the truth: examples run, links lead somewhere, commands are documented."""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import croupier
from croupier.cli.app import app
from croupier.rulebook import load_rulebook, names, rulebook_ids
from support import slices
from support.running import built, here

ROOT = Path(__file__).parents[2]
PAPERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
FIRST_STEPS = sorted(ROOT.glob("docs/start/*.md"))
"""One page for each kind of user. Its commands begin in an empty folder and build on each other."""
WRITTEN = [paper for paper in PAPERS if paper.name != "reference.md"]
"""The reference repeats examples of docstrings, which run where they are."""
TEXTS = {".py", ".md", ".toml", ".txt", ".in", ".c", ".json", ".csv", ""}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def texts() -> list[str]:
    """Every text file of the project, told by the tree itself: a copy without git is checked too."""
    built, found = {"site", "build", "dist", "__pycache__"}, []
    for folder, inner, files in os.walk(ROOT):
        inner[:] = [name for name in inner if name not in built and (name == ".ci" or not name.startswith("."))]
        found += [Path(folder, name) for name in files if not name.startswith(".")]
    return [named(path) for path in sorted(found) if path.suffix in TEXTS]


def commands() -> list[tuple[str, list[str]]]:
    """Every command with its options."""
    return list(below("croupier", built(app)))


def below(name: str, command: object) -> Iterator[tuple[str, list[str]]]:
    yield name, options(command)
    for inner, subcommand in getattr(command, "commands", {}).items():
        yield from below(f"{name} {inner}", subcommand)


def options(command: object) -> list[str]:
    return [
        option
        for parameter in command.params  # type: ignore[attr-defined]
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--") and option != "--help"
    ]


@pytest.mark.parametrize(("command", "flags"), commands())
def test_every_command_and_option_is_documented(command: str, flags: list[str]) -> None:
    text = (ROOT / "docs/commands.md").read_text()
    heading = text if command == "croupier" else re.split(r"\n##+ ", text[text.index(f"## `{command}`") :])[0]
    assert [flag for flag in flags if flag not in heading] == []


@pytest.mark.parametrize("paper", WRITTEN, ids=named)
def test_examples_in_python_run(paper: Path) -> None:
    assert doctest.testfile(str(paper), module_relative=False).failed == 0


def test_examples_in_python_have_no_type_error(tmp_path: Path) -> None:
    """Whoever types them into a checked program gets no complaint from mypy."""
    for paper in WRITTEN:
        examples = doctest.DocTestParser().get_examples(paper.read_text())
        if examples:
            name = named(paper).replace("/", "_").replace("-", "_").replace(".md", "_examples.py")
            (tmp_path / name).write_text("".join(example.source for example in examples))
    strict = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    done = subprocess.run(
        [*strict, str(tmp_path), *map(str, ROOT.glob("examples/*.py"))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"MYPYPATH": "src"},
    )
    assert done.stdout == ""


ALONE = set("&;$`(){}\n")
"""What makes a line more than a pipe."""
SHELL = ALONE | set("<>*\\#~[]?")
"""What only a shell understands."""
IN_A_SHELL = {"README.md", "docs/commands.md"}
"""Pages whose first example is typed into a shell in `make test` too."""


def stages(command: str) -> list[str]:
    """The programs of a pipe; none if it is more than a pipe."""
    if ALONE & set(re.sub(r"'[^']*'", "", command)):
        return []
    return [stage.strip() for stage in re.findall(r"(?:'[^']*'|\"[^\"]*\"|[^|'\"])+", command)]


def ours(stage: str) -> tuple[list[str], str]:
    """What follows `croupier`, and the file that it is written to; nothing if a shell has to read it."""
    said = re.fullmatch(r"croupier (.*?)(?: >(\S+))?", stage)
    if said is None or SHELL & set(re.sub(r"'[^']*'|\"[^\"]*\"", "", said[1])):
        return [], ""
    return shlex.split(said[1]), said[2] or ""


def run_stages(piped: list[str], typed: str) -> tuple[str, str]:
    """A pipe, one program after the other: ours in this process, the others as they are; what it says and complains."""
    err = ""
    for stage in piped:
        words, target = ours(stage)
        done = here(*words, stdin=typed) if words else in_a_shell(stage, typed)
        typed, err = done.stdout, err + done.stderr
        if target:
            Path(target).write_text(typed)
            typed = ""
    return typed, err


def in_a_shell(command: str, typed: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        command, shell=True, input=typed, capture_output=True, text=True, check=False, env=environment
    )


def example_shown(command: str, *, shell: bool, typed: str = "") -> str:
    """What an example prints: in a shell, as people type it, or in this process."""
    if shell or not (piped := stages(command)):
        done = in_a_shell(command, typed)
        said, err = done.stdout, done.stderr
    else:
        said, err = run_stages(piped, typed)
    return "\n".join(line.rstrip() for line in (said + err).splitlines()).rstrip()


def examples_of(paper: Path) -> list[tuple[str, str]]:
    """Every example on the command line: what is typed, and what it prints."""
    text = re.sub(r"\\\n\s*", "", paper.read_text())  # a long command goes on after a backslash
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    examples = [example for block in blocks for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, expected.rstrip()) for command, _, expected in (example.partition("\n") for example in examples)]


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper not in FIRST_STEPS], ids=named)
def test_examples_on_the_command_line_run(paper: Path) -> None:
    """The first of two pages in a shell, the others here where they need none; `make torture` has all in a shell."""
    for number, (command, expected) in enumerate(examples_of(paper)):
        is_typed = slices.in_full() or (number == 0 and named(paper) in IN_A_SHELL)
        assert example_shown(command, shell=is_typed) == expected


def typed_in(shown: str) -> str:
    """What somebody answered at the prompts of a session, one answer per line."""
    return "".join(f"{answer}\n" for answer in re.findall(r"^\w.* >(?: (.*))?$", shown, flags=re.MULTILINE))


@pytest.mark.parametrize("paper", FIRST_STEPS, ids=named)
def test_first_steps_work_in_an_empty_folder(paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions too: what a page shows after each prompt is typed."""
    monkeypatch.chdir(tmp_path)
    for command, expected in examples_of(paper):
        assert example_shown(command, shell=slices.in_full(), typed=typed_in(expected)) == expected


def anchors(paper: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^##+ (.*)$", paper.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("paper", PAPERS, ids=named)
def test_links_lead_somewhere(paper: Path) -> None:
    for page, _, anchor in re.findall(r"\]\(([^)#\s]*)(#([^)]+))?\)", paper.read_text()):
        if not page.startswith("https://"):
            target = paper.parent / page if page else paper
            assert target.exists(), page
            assert not anchor or anchor in anchors(target), f"{page}#{anchor}"


def test_every_example_is_listed() -> None:
    listed = (ROOT / "docs/examples.md").read_text()
    assert [path.name for path in ROOT.glob("examples/*.[ip]*") if f"](../examples/{path.name})" not in listed] == []


@pytest.mark.parametrize("front", ["README.md", "docs/index.md"])
def test_whoever_arrives_finds_their_first_steps(front: str) -> None:
    linked = {(ROOT / front).parent / page for page in re.findall(r"\]\(([^)#\s]*)\)", (ROOT / front).read_text())}
    assert {page.stem for page in FIRST_STEPS} == {"player", "dealer-and-floor", "director", "regulator", "developer"}
    assert set(FIRST_STEPS) <= linked


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = set(re.split(r"[\s<>]+", (ROOT / "docs/index.md").read_text()))
    pages = {str(page.relative_to(ROOT / "docs").with_suffix("")) for page in ROOT.glob("docs/**/*.md")}
    assert pages - {"index"} <= listed


def test_every_option_and_key_of_a_submission_is_documented() -> None:
    text = (ROOT / "docs/submissions.md").read_text()
    options = {option.rule.name for name in rulebook_ids() for option in load_rulebook(name).options}
    assert [name for name in sorted(options) if f"| `{name}`:" not in text] == []
    assert [name for name in get_args(names.Approval) if f"`{name}`" not in text] == []


def test_contributing_says_what_each_folder_of_tests_is_for() -> None:
    rows = set(re.findall(r"^\| `tests/(\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE))
    assert {path.name for path in ROOT.glob("tests/[a-z]*/")} - rows == set()


def test_every_place_that_a_guarantee_names_exists() -> None:
    named = re.findall(r"`([\w/.*]+[/.][\w/.*]*)`", (ROOT / "docs/guarantees.md").read_text())
    homes = (ROOT, ROOT / "src/croupier")
    assert named
    assert [name for name in named if not any(any(home.glob(name.rstrip("/"))) for home in homes)] == []


def test_the_changelog_knows_this_version() -> None:
    assert f"\n## {croupier.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_ci_runs_the_command_of_the_readme() -> None:
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == "make test"
    assert "\nmake test " in (ROOT / "README.md").read_text()


def test_the_pinned_build_backend_is_the_one_asked_for() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"][0]
    low, high = (int(part) for part in re.findall(r"[>=<]+(\d+)", asked))
    pinned = re.search(r"^flit-core==(\d+)", (ROOT / "requirements/run.txt").read_text(), flags=re.MULTILINE)
    assert pinned is not None
    assert low <= int(pinned[1]) < high


def test_every_dependency_has_its_reason_and_its_hashes() -> None:
    reasons = (ROOT / "docs/dependencies.md").read_text().lower()
    for wanted in ROOT.glob("requirements/*.in"):
        lines = [line for line in wanted.read_text().split("\n") if line and not line.startswith(("#", "-"))]
        names = [line.split("<")[0] for line in lines]
        assert [name for name in names if name.split("-parser")[0] not in reasons] == []
        pinned = wanted.with_suffix(".txt").read_text()
        entries = re.split(r"^(?=\S)", pinned, flags=re.MULTILINE)[1:]
        assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
        assert {name.replace("_", "-") for name in names} <= {entry.split("==")[0] for entry in entries}


def test_no_file_names_a_package_index_or_a_machine() -> None:
    # Put together here so that this file does not find itself.
    unwanted = ["pypi" + ".org", "python" + "hosted", "index" + "-url", "npmjs" + ".", "/" + "root/", "/" + "work/"]
    later = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    found = {}
    for name in texts():
        text = (ROOT / name).read_text()
        found[name] = [word for word in unwanted if word in text] + later.findall(text)
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("tool", ["api", "events", "people", "readings", "reference"])
def test_pages_made_from_the_code_are_fresh(tool: str) -> None:
    done = subprocess.run(
        [sys.executable, f"tools/{tool}.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
