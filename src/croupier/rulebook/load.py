"""Rulebooks from their files: typed, frozen, and checked to hold together."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from croupier.errors import Malformed, RegulationError
from croupier.money import Dollars, Share, parse_dollars, parse_pay
from croupier.rulebook import schema
from croupier.rulebook.lines import HANDS

__all__ = [
    "SHIPPED",
    "citations",
    "load_readings",
    "load_rulebook",
    "option_problem",
    "option_value",
    "row_label",
    "rulebook_ids",
]

SHIPPED: Final = Path(str(files("croupier") / "regulations"))
ENVIRONMENT: Final = "CROUPIER_REGULATIONS"
"""Names a folder of further rulebooks, laid out as the shipped one."""

Shape = TypeVar("Shape", bound=Struct)


class _Clauses(schema.Part, frozen=True, kw_only=True):
    clause: tuple[schema.Clause, ...]


class _Readings(schema.Part, frozen=True, kw_only=True):
    reading: tuple[schema.Reading, ...]


class _OptionRules(schema.Part, frozen=True, kw_only=True):
    option: tuple[schema.OptionRule, ...]


class _OptionDefaults(schema.Part, frozen=True, kw_only=True):
    option: tuple[schema.OptionDefault, ...]


def rulebook_ids() -> list[str]:
    """Every rulebook there is: `state-game`, the shipped ones first.

    >>> rulebook_ids()[0]
    'ma-mississippi-stud'
    """
    found = [f"{path.parent.parent.name}-{path.parent.name}" for root in _roots() for path in _sources(root)]
    return list(dict.fromkeys(found))


def load_rulebook(name: str) -> schema.Rulebook:
    """One rulebook by its id.

    >>> load_rulebook("md-let-it-ride").source.status
    'draft'
    """
    for root in _roots():
        for source in _sources(root):
            if name == f"{source.parent.parent.name}-{source.parent.name}":
                return _load(source.parent)
    raise Malformed(f"unknown rulebook {name!r}: {', '.join(rulebook_ids())}")


@cache
def load_readings() -> tuple[schema.Reading, ...]:
    """The 192 readings."""
    return _file(SHIPPED / "readings.toml", _Readings).reading


@cache
def _option_rules() -> dict[str, schema.OptionRule]:
    return {rule.name: rule for rule in _file(SHIPPED / "options.toml", _OptionRules).option}


def _roots() -> list[Path]:
    further = os.environ.get(ENVIRONMENT)
    return [SHIPPED, Path(further)] if further else [SHIPPED]


def _sources(root: Path) -> list[Path]:
    return sorted(root.glob("*/*/source.toml"))


@cache
def _load(folder: Path) -> schema.Rulebook:
    options = _file(folder / "options.toml", _OptionDefaults).option
    rules = _option_rules()
    unknown = [
        f"{folder / 'options.toml'}: {option.name}: no such option" for option in options if option.name not in rules
    ]
    if unknown:
        raise RegulationError(unknown)
    parts: dict[str, Any] = {
        "source": _file(folder / "source.toml", schema.Source),
        "clauses": _file(folder / "clauses.toml", _Clauses).clause,
        "glossary": _file(folder / "glossary.toml", schema.Glossary),
        "table": _file(folder / "table.toml", schema.Table),
        "wagers": _file(folder / "wagers.toml", schema.Wagers),
        "paytables": _file(folder / "paytables.toml", schema.Paytables),
        "dealing": _file(folder / "dealing.toml", schema.Dealing),
        "play": _file(folder / "play.toml", schema.Play),
        "irregularities": _file(folder / "irregularities.toml", schema.Irregularities),
        "options": tuple(
            schema.Option(rule=rules[option.name], default=option.default, fixed=option.fixed) for option in options
        ),
    }
    content = msgspec.json.encode(parts, order="sorted")
    book = schema.Rulebook(**parts, hash=hashlib.sha256(content).hexdigest())
    problems = list(_problems(book, folder))
    if problems:
        raise RegulationError(problems)
    return book


def _file(path: Path, shape: type[Shape]) -> Shape:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=shape)
    except FileNotFoundError:
        raise RegulationError([f"{path}: the file is missing"]) from None
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        raise RegulationError([f"{path}: {key.rstrip('`') or 'top level'}: {what}"]) from None
    except msgspec.DecodeError as error:
        raise RegulationError([f"{path}: not TOML: {error}"]) from None


def citations(book: schema.Rulebook) -> Iterator[tuple[str, str, schema.Cited]]:
    """Every value of the law in a rulebook: its file, its key and what it cites."""
    for part in ("glossary", "table", "wagers", "paytables", "dealing", "play", "irregularities"):
        for key, cited in _cited(getattr(book, part), ""):
            yield f"{part}.toml", key, cited


def _cited(value: object, key: str) -> Iterator[tuple[str, schema.Cited]]:
    if isinstance(value, schema.Cited):
        yield key or "clause", value
    if isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _cited(getattr(value, field), f"{key}.{field}" if key else field)
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield from _cited(item, f"{key}[{row_label(item, place)}]")


def row_label(item: object, place: int) -> str:
    """A row of a list by its own name where it has one, so that a reader finds it."""
    match item:
        case schema.Paytable():
            return f"{item.group} {item.id}" + (f", {item.players} players" if item.players else "")
        case schema.Envy():
            return f"{item.paytable} ${item.stake}"
        case schema.MeterMinimum():
            return f"{item.paytable} {item.meter}"
        case schema.BeforeDeal():
            return f"{item.deal} {item.act}"
        case schema.Script():
            return f"{item.deal} {item.option}".strip()
        case schema.Announce() | schema.Reveal():
            return f"{item.before}" if isinstance(item, schema.Announce) else f"after {item.after}"
        case schema.DeckHours():
            return " ".join(item.deal)
        case schema.Option():
            return item.rule.name
    for field in ("name", "event", "term", "decision", "rule", "method", "hand", "wager", "group", "deal", "says"):
        if isinstance(name := getattr(item, field, None), str):
            return name
    return str(place)


def _problems(book: schema.Rulebook, folder: Path) -> Iterator[str]:
    """Whatever does not hold together, each with its file and key."""
    for file, key, problem in (
        *_identity(book, folder),
        *_citing(book),
        *_naming(book),
        *_paying(book),
        *_choosing(book),
    ):
        yield f"{folder / file}: {key}: {problem}"


Problems = Iterator[tuple[str, str, str]]


def _identity(book: schema.Rulebook, folder: Path) -> Problems:
    wanted = f"{folder.parent.name}-{folder.name}"
    if book.id != wanted:
        yield "source.toml", "id", f"{book.id!r} stands in the folder of {wanted!r}"
    seen = set()
    for clause in book.clauses:
        if clause.id in seen:
            yield "clauses.toml", clause.id, "the clause stands twice"
        seen.add(clause.id)
        if clause.kind == "physical" and not clause.note:
            yield "clauses.toml", clause.id, "no effect in software, and no note why"


def _citing(book: schema.Rulebook) -> Problems:
    known = {clause.id for clause in book.clauses}
    readings = {reading.number for reading in load_readings()}
    for file, key, cited in citations(book):
        for clause in (cited.clause, *cited.also):
            if clause not in known:
                yield file, key, f"cites {clause!r}, which is no clause of this document"
        if cited.reading is not None and cited.reading not in readings:
            yield file, key, f"cites reading {cited.reading}, which does not exist"


def _naming(book: schema.Rulebook) -> Problems:
    wagers = [wager.name for wager in book.wagers.wager]
    options = {option.rule.name for option in book.options}
    for wager in book.wagers.wager:
        for requirement in wager.requires:
            if requirement.wager not in wagers:
                yield "wagers.toml", f"wager[{wager.name}].requires", f"{requirement.wager} is no wager here"
        if wager.needs and wager.needs.option and wager.needs.option not in options:
            yield "wagers.toml", f"wager[{wager.name}].needs.option", f"{wager.needs.option} is no option here"
        if not any(table.group == wager.paytables for table in book.paytables.paytable):
            yield "wagers.toml", f"wager[{wager.name}].paytables", f"{wager.paytables} has no paytable"
    settled = [name for name in (*book.play.settlement.order, *book.play.settlement.last) if name != "envy"]
    if sorted(settled) != sorted(wagers):
        yield "play.toml", "settlement.order", f"settles {sorted(settled)}, but the wagers are {sorted(wagers)}"
    for script in book.dealing.script:
        if script.option and script.option not in options:
            yield "dealing.toml", f"script[{script.title}].option", f"{script.option} is no option here"
    methods = {deal.method for deal in book.table.deal}
    for file, key, used in (
        ("dealing.toml", "script", {script.deal for script in book.dealing.script}),
        ("dealing.toml", "before_deal", {act.deal for act in book.dealing.before_deal}),
        ("table.toml", "stub_count", {count.deal for count in book.table.stub_count}),
        ("table.toml", "deck_hours", {deal for hours in book.table.deck_hours for deal in hours.deal}),
    ):
        if used != methods:
            yield file, key, f"covers {sorted(used)}, but the ways to deal are {sorted(methods)}"


def _paying(book: schema.Rulebook) -> Problems:
    seen = set()
    evaluators = {wager.paytables: wager.evaluator for wager in book.wagers.wager}
    for table in book.paytables.paytable:
        key = f"paytable[{row_label(table, 0)}]"
        if key in seen:
            yield "paytables.toml", key, "the paytable stands twice"
        seen.add(key)
        if table.group not in evaluators:
            yield "paytables.toml", key, f"no wager is paid by {table.group}"
            continue
        yield from _lines(key, table.line, table.evaluator or evaluators[table.group])
        meters = {pay.meter for pay in _pays(table.line) if isinstance(pay, Share)}
        given = {minimum.meter for minimum in book.paytables.minimum if minimum.paytable == table.id}
        if table.group == "progressive" and meters != given:
            yield "paytables.toml", key, f"pays the meters {sorted(meters)}, but the minimums are for {sorted(given)}"
    progressive = {table.id: table for table in book.paytables.paytable if table.group == "progressive"}
    for envy in book.paytables.envy:
        key = f"envy[{row_label(envy, 0)}]"
        if envy.paytable not in progressive or envy.stake not in progressive[envy.paytable].stakes:
            yield "paytables.toml", key, "no progressive paytable has this id and stake"
            continue
        yield from _lines(key, envy.line, progressive[envy.paytable].evaluator or evaluators["progressive"])
        if not all(isinstance(pay, Dollars) for pay in _pays(envy.line)):
            yield "paytables.toml", key, "envy is paid in dollars"
    for amount_key, amount in _amounts(book):
        try:
            parse_dollars(amount)
        except Malformed as error:
            yield amount_key[0], amount_key[1], str(error)


def _lines(key: str, lines: tuple[schema.Line, ...], evaluator: str) -> Problems:
    allowed = HANDS[evaluator]  # type: ignore[index]
    hands = [line.hand for line in lines]
    for line in lines:
        if line.hand not in allowed:
            yield "paytables.toml", f"{key}.line", f"{line.hand} is no {evaluator} hand"
        elif hands.count(line.hand) > 1:
            yield "paytables.toml", f"{key}.line", f"{line.hand} stands twice"
        try:
            if str(parse_pay(line.pays)) != line.pays:
                yield "paytables.toml", f"{key}.line", f"write {line.pays!r} as {str(parse_pay(line.pays))!r}"
        except Malformed as error:
            yield "paytables.toml", f"{key}.line", str(error)


def _pays(lines: tuple[schema.Line, ...]) -> Iterator[object]:
    for line in lines:
        try:
            yield parse_pay(line.pays)
        except Malformed:
            continue  # named by _lines


def _amounts(book: schema.Rulebook) -> Iterator[tuple[tuple[str, str], str]]:
    for minimum in book.paytables.minimum:
        if minimum.amount is not None:
            yield ("paytables.toml", f"minimum[{minimum.paytable} {minimum.meter}]"), minimum.amount
        if minimum.warn_below is not None:
            yield ("paytables.toml", f"minimum[{minimum.paytable} {minimum.meter}].warn_below"), minimum.warn_below
    for table in book.paytables.paytable:
        for stake in table.stakes:
            yield ("paytables.toml", f"paytable[{row_label(table, 0)}].stakes"), stake
    if book.play.payout_limit.amount is not None:
        yield ("play.toml", "payout_limit.amount"), book.play.payout_limit.amount


def _choosing(book: schema.Rulebook) -> Problems:
    """A group of several paytables has a clause by which one is chosen; defaults are values that are allowed."""
    choices = {choice.group for choice in book.paytables.choice}
    for wager in book.wagers.wager:
        tables = {table.id for table in book.paytables.paytable if table.group == wager.paytables}
        if (len(tables) > 1 or wager.offered == "option") and wager.paytables not in choices:
            yield "paytables.toml", "choice", f"no clause says who chooses among the paytables of {wager.paytables}"
    for option in book.options:
        if problem := option_problem(option.rule, option.default):
            yield "options.toml", option.rule.name, problem


def option_problem(rule: schema.OptionRule, value: object) -> str | None:
    """Why a value is none of the option's, or None."""
    fine, allowed = False, ""
    match rule.type:
        case "bool":
            fine, allowed = isinstance(value, bool), "true or false"
        case "count":
            fine = isinstance(value, int) and not isinstance(value, bool) and rule.minimum <= value <= rule.maximum
            allowed = f"a whole number from {rule.minimum} to {rule.maximum}"
        case "choice":
            fine, allowed = value in rule.values, f"one of {', '.join(rule.values)}"
        case "choices":
            fine = isinstance(value, tuple | list) and set(value) <= set(rule.values) and len(set(value)) == len(value)
            allowed = f"a list of {', '.join(rule.values)}"
        case "labels":
            fine = isinstance(value, dict) and set(value) <= set(rule.values) and all(map(_is_label, value.values()))
            allowed = f"a table of names for {', '.join(rule.values)}"
    return None if fine else f"{value!r} is not allowed: {allowed}"


def option_value(rule: schema.OptionRule, value: schema.OptionValue) -> schema.OptionValue:
    """A value as the option keeps it: `none` and `off` are the readings' words for no number and no choice."""
    if value in ("none", "off"):
        if rule.type == "count" and rule.minimum == 0:
            return 0
        if rule.type == "choices":
            return ()
    return value


def _is_label(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 40
