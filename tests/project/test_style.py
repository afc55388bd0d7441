"""House style that a program can check: names that can be searched for, modules of one subject, plain words."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = sorted(ROOT.glob("src/croupier/**/*.py"))
CODE: Final = sorted([*SOURCES, *ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/*.py"), *ROOT.glob("tools/*.py")])
SHORT: Final = {"np": "NumPy", "pd": "pandas", "pl": "Polars", "st": "Hypothesis"}
"""Import aliases of two letters that these projects teach everybody."""
LONGEST: Final = 400
LONG: Final = {
    "src/croupier/journal/verify.py": "a checker that somebody can carry away is one file",
    "tools/check_certificate.py": "the same",
}
"""Modules above the limit, with the reason."""
IDIOMS: Final = {
    r"\bis no (?:card|role|table|amount|number|whole|text|list|clause|reading|choice|bet|value)\b": "is not",
    r"\bstands? twice\b": "appears twice",
    r"\b\d+ wanted\b|\bof them wanted\b|\bbits wanted\b": "must be …; expected …",
    r"\ban hour\b(?! ago)|\bper an\b": "per hour",
    r"\bof the computer\b": "computer players",
    r"\b(?:maxim|minim|optim|organ|recogn|summar|memor|general|normal)is(?:e|es|ed|ing|ation)\b": "American spelling",
    r"\bfavours?\b|\bcolours?\b|\bjudgements?\b|\bgrey\b|\blearnt\b|\bbehaviours?\b": "American spelling",
}
"""What nobody in an American casino says, and what they say instead."""


DOORS: Final = {
    "analysis.flush": "the solved High Card Flush has a room and a door of its own",
    "analysis.streets": "so have the games of streets",
    "games.actions": "the vocabulary of a round: one class per action",
    "games.events": "the vocabulary of its record",
    "hands.batch": "compiled code, which loads when it is asked for",
    "hands.census": "the same",
    "hands.tables": "the same",
    "house.commands": "the vocabulary of a house: one class per command",
    "journal.verify": "the checker that somebody can carry away",
    "rulebook.names": "the closed lists of names",
    "rulebook.paytable_arrays": "compiled code, which loads when it is asked for",
    "rulebook.schema": "the shape of every file of the law",
    "table.accounts": "the vocabulary of its books",
    "table.commands": "the vocabulary of a table: one class per command",
    "table.events": "the vocabulary of its record",
    "table.views": "what each audience may see",
}
"""Doors beside those of the packages themselves, with the reason."""


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """What the tests below ask for in a module; it is parsed and walked once for all tests."""
    return tuple(
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom | ast.For | ast.comprehension)
    )


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_each_class_name_appears_once() -> None:
    places = defaultdict(list)
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(named(path))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_import_alias_has_two_letters() -> None:
    short = [
        f"{named(path)}:{node.lineno} {alias.asname}"
        for path in CODE
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.asname and len(alias.asname) <= 2 and alias.asname not in SHORT
    ]
    assert short == []


def test_no_loop_variable_is_called_one_or_found() -> None:
    loops = []
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.For | ast.comprehension):
                names = {leaf.id for leaf in ast.walk(node.target) if isinstance(leaf, ast.Name)}
                loops += [f"{named(path)}:{node.target.lineno}" for _ in names & {"one", "found"}]
    assert loops == []


def test_a_module_has_at_most_400_lines() -> None:
    sizes = {named(path): len(path.read_text().splitlines()) for path in [*SOURCES, *ROOT.glob("tools/*.py")]}
    assert {name: size for name, size in sizes.items() if size > LONGEST and name not in LONG} == {}


def test_words_are_those_of_the_trade() -> None:
    odd = []
    for path in [*SOURCES, *sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md"]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            odd += [f"{named(path)}:{number} {match[0]!r}" for idiom in IDIOMS for match in re.finditer(idiom, line)]
    assert odd == []


def test_packages_are_entered_through_their_doors() -> None:
    deep = []
    for path in SOURCES:
        own = path.relative_to(ROOT / "src/croupier").parts[0]
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("croupier."):
                inside = node.module.removeprefix("croupier.")
                if "." in inside and inside.split(".")[0] != own and inside not in DOORS:
                    deep.append(f"{named(path)}:{node.lineno} {node.module}")
    assert deep == []
