"""The options of the readings: the type, regulations/options.toml and the code that reads them agree."""

import re
import tomllib
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import fields

from croupier.present.options import OPTION_VALUES
from croupier.rulebook import HouseOptions, check, load_rulebook, read_submission_text, rulebook_ids
from croupier.rulebook.house_options import attribute_of
from croupier.rulebook.template import starting_submission

SOURCE = Path(__file__).parents[2] / "src/croupier"
ROWS: list[dict[str, Any]] = tomllib.loads((SOURCE / "regulations/options.toml").read_text())["option"]
TYPES = get_type_hints(HouseOptions)

SHOWN_ONLY = {
    "five_card.scale": "it has a single value, which paytables have by themselves",
    "envy.scope": "it has a single value: a table never sees another's hands",
    "leave.default": "a proposal to the floorperson, who decides",
    "ma.auto_order": "the device's own procedure is approved outside Croupier",
}
"""Options that no rule reads: each is filed, hashed and shown, and this is why that is enough."""


def named_by_rows() -> set[str]:
    """The options that rows of the regulations name."""
    texts = [path.read_text() for path in SOURCE.glob("regulations/*/*/*/*.toml") if path.name != "options.toml"]
    return {name for text in texts for name in re.findall(r'\boption = "([a-z_.]+)"', text)}


def read_by_code() -> set[str]:
    """The attributes of HouseOptions that some module reads."""
    texts = [path.read_text() for path in SOURCE.rglob("*.py")]
    return {name for text in texts for name in re.findall(r"options(?:\([a-z, ]*\))?\.([a-z_]+)\b", text)}


def test_every_option_is_an_attribute_and_every_attribute_an_option() -> None:
    assert sorted(TYPES) == sorted(attribute_of(row["name"]) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_an_attribute_has_the_type_of_its_option(row: dict[str, Any]) -> None:
    kind = TYPES[attribute_of(row["name"])]
    match row["type"]:
        case "bool":
            assert kind is bool
        case "count":
            assert kind is int
        case "choice":
            assert get_origin(kind) is Literal
            assert sorted(get_args(kind)) == sorted(row["values"])
        case "choices":
            assert get_args(kind)[1] is ...
            assert sorted(get_args(get_args(kind)[0])) == sorted(row["values"])
        case "labels":
            name, label = get_args(get_args(kind)[0])
            assert (sorted(get_args(name)), label) == (sorted(row["values"]), str)


def test_an_option_is_read_somewhere_or_there_is_a_reason_why_not() -> None:
    read = {row["name"] for row in ROWS if attribute_of(row["name"]) in read_by_code()} | named_by_rows()
    assert sorted(SHOWN_ONLY) == sorted({row["name"] for row in ROWS} - read)


def test_no_code_reads_an_option_by_a_name_written_in_it() -> None:
    texts = {path: path.read_text() for path in SOURCE.rglob("*.py")}
    by_name = [
        path.name for path, text in texts.items() if re.search(r"\b(named|readings\.get|readings)[(\[][\"']", text)
    ]
    assert by_name == ["house_options.py"]  # its doctest


def test_an_absent_option_means_the_same_as_a_default_of_the_rulebooks_that_have_it() -> None:
    """Except for these, each for its reason."""
    defaults = {field.name: field.default for field in fields(HouseOptions)}
    differing = {
        (book.id, option.rule.name)
        for book in map(load_rulebook, rulebook_ids())
        for option in book.options
        if option.default != defaults[attribute_of(option.rule.name)]
    }
    assert differing == {
        ("md-high-card-flush", "csm.idle_exempt"),  # its document alone frees such a table
        ("md-high-card-flush", "envy.holder_must_bet"),  # every rulebook has it; without it no bet, no envy
        ("md-let-it-ride", "envy.holder_must_bet"),
        ("md-mississippi-stud", "envy.holder_must_bet"),
    }


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_stored_form_lists_the_options_of_the_rulebook_and_no_others(rulebook: str) -> None:
    house = check(read_submission_text(starting_submission(load_rulebook(rulebook)), name=rulebook)).house
    assert house is not None
    assert house.readings == {option.rule.name: option.default for option in house.rulebook.options}
    assert list(house.readings) == sorted(house.readings)


def test_every_value_of_every_option_has_words() -> None:
    """What people choose from is said in words; a value without any would be shown as the data has it."""
    values = {row["name"]: set(row["values"]) for row in ROWS if row.get("values")}
    assert {name: set(words) for name, words in OPTION_VALUES.items()} == values
    for name, words in OPTION_VALUES.items():
        assert len(set(words.values())) == len(words), f"{name}: two values have the same words"
        assert not [said for said in words.values() if not said or "_" in said], name
