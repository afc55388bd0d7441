"""The readings are finished opinions: no working notes, no names that do not exist, whole sentences."""

import re
import tomllib
from functools import reduce

import pytest

from croupier.errors import Malformed
from croupier.rulebook import load_readings, load_rulebook, read_submission, rulebook_ids
from croupier.rulebook.editions import SHIPPED
from croupier.rulebook.schema import Reading

READINGS = load_readings()
BOOKS = {name: load_rulebook(name) for name in rulebook_ids()}
OPTIONS = {row["name"]: row for row in tomllib.loads((SHIPPED / "options.toml").read_text())["option"]}
NOTES = (r"\[[VCK]\b", r"\bas item", r"\bitems? \d", r"^-$", r"\*\w", r"\b(?:NJ|PA)\d", r"\bWoO\b", r"\[\]")
SHORT_FORMS = (r"\bMD\b", r"\bMA\b", r"\bHCF\b", r"\bLIR\b", r"\bMS\b(?! Stud)")
BARE_NAMES = (r"\b[a-z]+[A-Z]\w*", r"\w_\w", r"\b[a-z]+\.(?!com\b)[a-z]+")
IDIOMS = (
    r"(?<!here )\b(?:is|are) no\b", r"\bstands\b", r"\btells?\b", r"\btold\b", r"\bwho\b[^.?]*\bleaves\b",
    r"\ban? hour\b", r"\bwanted\b", r"\bso many\b", r"\bh[eo]ld(?:s|ing)? against\b", r"favour", r"labell",
    r"cance(?:ll)", r"honour", r"monis",
)  # fmt: skip
PARTS = {"minimum", "maximum", "increment", "initial", "reset", "rate", "true", "false"}
"""Names in backquotes that go with the key before them."""


def texts_of(reading: Reading) -> tuple[str, ...]:
    return reading.title, reading.question, reading.answer, reading.why, reading.option


def names_of(reading: Reading) -> list[str]:
    return [name for text in texts_of(reading) for name in re.findall(r"`([^`]*)`", text)]


def is_submission_key(path: str) -> bool:
    """Whether a submission has this key: reading one with it leaves nothing unread."""
    first, *inner = path.split(".")
    values: list[object] = ["1.00", "1 to 1", 1, True, {}]
    for value in values:
        nested = reduce(lambda inside, name: {name: inside}, reversed(inner), value)
        try:
            if not read_submission({"rulebook": "md-let-it-ride", first: nested}).unknown:
                return True
        except Malformed:
            continue
    return False


@pytest.mark.parametrize("bad", [*NOTES, *SHORT_FORMS, *BARE_NAMES, *IDIOMS])
def test_no_reading_has_working_notes_or_odd_words(bad: str) -> None:
    """Names in backquotes are looked up by another test."""
    faults = [
        f"{reading.number}: {text}"
        for reading in READINGS
        for text in (re.sub(r"`[^`]*`", "", words) for words in (*texts_of(reading), reading.clauses))
        if re.search(bad, text)
    ]
    assert faults == []


def test_a_reading_answers_a_question_in_whole_sentences_and_says_why() -> None:
    faults = [
        f"{reading.number}: {text}"
        for reading in READINGS
        for text in texts_of(reading)[1:]
        if not re.fullmatch(r'[A-Z"`.].*[.?]', text)
    ]
    assert faults == []


def test_a_reading_names_an_option_or_says_that_there_is_none() -> None:
    assert [one.number for one in READINGS if one.option.startswith("None: ") == ("`" in one.option)] == []


def test_every_name_in_a_reading_is_an_option_one_of_its_values_or_a_key_of_a_submission() -> None:
    unknown = []
    for reading in READINGS:
        names = names_of(reading)
        values = PARTS.union(*(OPTIONS[name].get("values", ()) for name in names if name in OPTIONS))
        left = [name for name in names if name not in OPTIONS and name not in values and not name.isdigit()]
        unknown += [(reading.number, name) for name in left if not is_submission_key(name)]
    assert unknown == []


def test_a_key_that_no_submission_has_is_not_taken_for_one() -> None:
    assert is_submission_key("wagers.progressive.meters.NAME.rate")
    assert not is_submission_key("wagers.progressive.colour")
    assert not is_submission_key("six_card.minimum")


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_in_its_reading_with_its_values_and_defaults(name: str) -> None:
    rule = OPTIONS[name]
    before, mentioned, text = READINGS[rule["reading"] - 1].option.partition(f"`{name}`")
    assert mentioned, before
    values = ("true", "false") if rule["type"] == "bool" else rule.get("values", ())
    assert [value for value in values if f"`{value}`" not in text] == []
    for book in BOOKS.values():
        for option in book.options:
            if option.rule.name != name:
                continue
            match option.default:
                case bool():
                    assert f"`{str(option.default).lower()}` (default" in text, book.id
                case int() | str():
                    assert f"`{option.default}` (default" in text, book.id
                case ():
                    assert "none by default" in text, book.id
                case chosen:
                    assert [value for value in chosen if f"`{value}`" not in text.partition("(default)")[0]] == []


def test_a_reading_cites_clauses_that_exist() -> None:
    for reading in READINGS:
        for place in reading.clauses.split("; "):
            name, _, clauses = place.partition(" ")
            if place == "all four documents" or clauses == "(the whole document)":
                continue
            known = [clause.id for clause in BOOKS[name].clauses]
            for clause in clauses.split(", "):
                first = clause.partition("-")[0]
                assert any(one.startswith(first) or first.startswith(f"{one}(") for one in known), (reading, clause)
