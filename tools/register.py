"""Collect where each clause is carried out and shown, and write `regulations/register.json`.

    python tools/register.py            write it; refuses to let the number of open clauses rise
    python tools/register.py --check    say what has gone stale, and exit 1 if anything has

Marks are `clause = …` in the regulations, `@clause("…")` in code, the pytest marker `clause` and what recorded
rounds say that they show. A trailing `*` stands for every clause that begins so.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebook import SHIPPED, ClauseEntry, citations, edition_folder, is_open, load_rulebook, rulebook_ids

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/croupier/regulations/register.json"
BOOKS = {name: folder for name in rulebook_ids() if (folder := edition_folder(name)).is_relative_to(SHIPPED)}
"""The newest edition of each shipped rulebook."""
Places = dict[str, dict[str, list[str]]]


def main() -> int:
    found = collect()
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    old = TARGET.read_text() if TARGET.exists() else ""
    if "--check" in sys.argv:
        if text != old:
            print("register: regulations/register.json is stale; run `make register`")
        return int(text != old)
    before = json.loads(old)["open"] if old else {}
    risen = {name: count for name, count in found["open"].items() if count > before.get(name, count)}
    if risen:
        print(f"register: the number of open clauses would rise: {risen}, from {before}")
        return 1
    TARGET.write_text(text)
    print(f"register: {sum(found['open'].values())} clauses open: {found['open']}")
    return 0


def collect() -> dict[str, dict[str, Any]]:
    where, tests = data_marks(), test_marks()
    for name, cited in code_marks().items():
        for number, found in cited.items():
            where[name][number] += found
    marked: dict[str, dict[str, dict[str, list[str]]]] = {}
    still_open: dict[str, int] = {}
    for name in BOOKS:
        clauses = load_rulebook(name).clauses
        marked[name] = {
            clause.id: {"where": sorted(set(where[name][clause.id])), "tests": sorted(set(tests[name][clause.id]))}
            for clause in clauses
        }
        entries = (
            ClauseEntry(name, clause.id, clause.kind, "", tuple(mark["where"]), tuple(mark["tests"]), "")
            for clause in clauses
            for mark in (marked[name][clause.id],)
        )
        still_open[name] = sum(map(is_open, entries))
    return {"open": still_open, "clauses": marked}


def places() -> Places:
    return defaultdict(lambda: defaultdict(list))


def data_marks() -> Places:
    found = places()
    for name, folder in BOOKS.items():
        for file, key, cited in citations(load_rulebook(name)):
            place = f"{folder.relative_to(SHIPPED.parent)}/{file}:{key}"
            for clause in (cited.clause, *cited.also):
                found[name][clause].append(place)
    return found


def code_marks() -> Places:
    found = places()
    for path in sorted((ROOT / "src").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text())):
            for mark in getattr(node, "decorator_list", ()):
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "clause":
                    cited = [ast.literal_eval(argument) for argument in mark.args]
                    add(found, cited, f"{module}:{getattr(node, 'name', '')}")
    return found


def test_marks() -> Places:
    """Ask pytest itself, so that parametrised marks count too."""
    marks: list[tuple[list[str], str]] = []

    class Collector:
        def pytest_collection_finish(self, session: pytest.Session) -> None:
            for item in session.items:
                cited = [one for mark in item.iter_markers("clause") for one in mark.args]
                marks.append((cited, item.nodeid.partition("[")[0]))

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        arguments = ["--collect-only", "-q", "-p", "no:cacheprovider", str(ROOT / "tests")]
        code = pytest.main(arguments, plugins=[Collector()])
    if code != 0:
        raise SystemExit(said.getvalue()[-2000:])
    found = places()
    for cited, test in (*marks, *recorded_marks()):
        add(found, cited, test)
    return found


def recorded_marks() -> list[tuple[list[str], str]]:
    """What the headers of recorded rounds and evenings say that they show; their readers in tests/ read the rest."""
    marks = []
    for path in sorted([*(ROOT / "tests/rounds").glob("*/*.txt"), *(ROOT / "tests/evenings").glob("*/*.txt")]):
        shows = path.read_text().partition("\nshows:")[2].partition("\n\n")[0].partition("\ncards: ")[0]
        cited = [f"{path.parent.name} {one.strip()}" for one in shows.replace("\n", ",").split(",") if one.strip()]
        marks.append((cited, path.relative_to(ROOT).as_posix()))
    return marks


def add(found: Places, cited: list[str], place: str) -> None:
    for one in cited:
        name, _, number = one.partition(" ")
        if name not in BOOKS:
            raise SystemExit(f"{place} cites {one!r}, which names no rulebook")
        clauses = [
            clause.id
            for clause in load_rulebook(name).clauses
            if clause.id == number or (number.endswith("*") and clause.id.startswith(number[:-1]))
        ]
        if not clauses:
            raise SystemExit(f"{place} cites {one!r}, which is no clause")
        for clause in clauses:
            found[name][clause].append(place)


if __name__ == "__main__":
    sys.exit(main())
