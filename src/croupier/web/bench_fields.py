"""A submission as the fields of a form, and back: every choice under the key that the submission's own file has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from croupier.errors import Malformed, MoneyError
from croupier.money import format_dollars, typed_dollars
from croupier.rulebook import (
    SUGGESTED_METER,
    Finding,
    Rulebook,
    Submission,
    read_submission,
    read_submission_text,
    starting_submission,
)
from croupier.rulebook import submission_text as text_of
from croupier.rulebook.schema import OptionRule
from croupier.web.posting import Fields
from croupier.wire import clip, decode_json

__all__ = [
    "NO",
    "SHOWN",
    "YES",
    "BenchDraft",
    "FieldKind",
    "draft_of",
    "fields_of",
    "kind_of",
    "offered_key",
    "read_draft",
]

FieldKind: TypeAlias = Literal["count", "money", "rate", "flag", "text"]
YES: Final = "yes"
SHOWN: Final = "shown"
"""Says that a list of ticks was on the form: none of them ticked means an empty list."""
NO: Final = "no"
_RATE: Final = "0.10"
"""The share of each stake that a meter of a new submission gets."""
LONGEST: Final = 300
"""The most characters of a field."""
_PARTS: Final = frozenset(
    "operator edition seats boxes limits cards wagers payout_limit approvals match_play handpay readings papers".split()
)
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*(\.[A-Za-z0-9_ -]{1,40}){0,6}")
_COUNTS: Final = frozenset({"seats", "boxes", "decks", "deck_hours"})
_MONEY: Final = frozenset({"minimum", "maximum", "increment", "stake", "initial", "reset", "amount", "threshold"})
_RATES: Final = frozenset({"rate", "reserve_rate"})
_FLAGS: Final = frozenset({"offered", "cover_all_mode", "enabled"})
_PERCENT: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,8}))?\s*%")


class BenchDraft(Struct, frozen=True, kw_only=True):
    """A submission in the making: as it can be read, with the texts of its form, and what could not be read."""

    submission: Submission
    fields: Fields
    unread: tuple[Finding, ...] = ()


def offered_key(wager: str) -> str:
    """The field that says whether a wager is offered."""
    return f"wagers.{wager}.offered"


def draft_of(submission: Submission, book: Rulebook) -> BenchDraft:
    """A submission as it was filed, to be shown or worked on."""
    return BenchDraft(submission=submission, fields=fields_of(submission, book))


# --- from a submission to fields


def fields_of(submission: Submission, book: Rulebook) -> Fields:
    """The texts of a form that says what a submission says.

    >>> from croupier.rulebook import load_rulebook, read_submission
    >>> wagers = {"base": {"paytable": "A"}, "three_card_bonus": {"paytable": "B"}}
    >>> submission = read_submission({"rulebook": "md-let-it-ride", "wagers": wagers})
    >>> fields = fields_of(submission, load_rulebook("md-let-it-ride"))
    >>> fields["wagers.base.paytable"], fields["wagers.three_card_bonus.offered"], fields["boxes"]
    ('A', 'yes', '1')
    """
    plain: dict[str, Any] = decode_json(text_of(submission))
    plain.pop("rulebook")
    readings = plain.pop("readings", {})
    fields = dict(_flat(plain))
    fields |= {offered_key(name): YES for name in submission.wagers if name != "base"}
    lists = {option.rule.name for option in book.options if option.rule.type == "choices"}
    for name, value in readings.items():
        if name in lists:
            chosen = [value] if isinstance(value, str) else value
            fields |= {f"readings.{name}.{item}": YES for item in (SHOWN, *chosen)}
        else:
            fields |= dict(_flat(value, f"readings.{name}"))
    return fields


def _flat(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, inner in value.items():
                yield from _flat(inner, f"{key}.{name}" if key else str(name))
        case list() | tuple():
            for place, inner in enumerate(value):
                yield from _flat(inner, f"{key}.{place}")
        case bool():
            yield key, YES if value else NO
        case _:
            yield key, str(value)


# --- from fields to a submission


def read_draft(book: Rulebook, sent: Mapping[str, str]) -> BenchDraft:
    """What a form says, as a submission; a text that says nothing sensible is a finding beside its field.

    >>> from croupier.rulebook import load_rulebook
    >>> draft = read_draft(load_rulebook("md-let-it-ride"), {"seats": "6", "limits.bet.minimum": "ten"})
    >>> draft.submission.seats, [(finding.key, finding.message) for finding in draft.unread]
    (6, [('limits.bet.minimum', "'ten' is not an amount in dollars, such as 10 or 12.50")])
    """
    texts = {key: text.strip() for key, text in sent.items() if _is_ours(key)}
    texts = _with_meters(book, _with_new_wagers(book, {key: text for key, text in texts.items() if text}))
    rules = {option.rule.name: option.rule for option in book.options}
    raw: dict[str, Any] = {"rulebook": book.id}
    unread: list[Finding] = []
    for key, text in texts.items():
        try:
            _put(raw, key, _value(key, text, rules), rules)
        except Malformed as error:
            unread.append(Finding(severity="error", clause="", reading=None, key=key, message=str(error)))
    _tidy(raw, book)
    while True:
        try:
            return BenchDraft(submission=read_submission(raw), fields=texts, unread=tuple(unread))
        except Malformed as error:  # a name that no record could have, such as that of a link
            key, _, words = str(error).partition(": ")
            unread.append(Finding(severity="error", clause="", reading=None, key=key, message=words))
            if not _take_out(raw, key):
                raise


def _is_ours(key: str) -> bool:
    return key.partition(".")[0] in _PARTS and _KEY.fullmatch(key) is not None


def _with_new_wagers(book: Rulebook, texts: Fields) -> Fields:
    """A wager that was just offered begins with the usual choices; one that is not offered has none."""
    kept: Fields = {}
    usual: Fields = {}
    names: set[str] = {wager.name for wager in book.wagers.wager if wager.offered == "option"}
    idle = tuple(
        f"readings.{option.rule.name}"
        for option in book.options
        if option.rule.offered is not None and texts.get(offered_key(option.rule.offered)) != YES
    )
    for name in names:
        inside = {key for key in texts if key.startswith(f"wagers.{name}.")}
        if texts.get(offered_key(name)) == YES and inside == {offered_key(name)}:
            usual |= _usual(book, name)
    for key, text in texts.items():
        match key.split("."):
            case ["wagers", name, *_] if name in names and texts.get(offered_key(name)) != YES:
                continue
            case ["readings", *_] if any(key == option or key.startswith(f"{option}.") for option in idle):
                continue
        kept[key] = text
    return usual | kept


def _with_meters(book: Rulebook, texts: Fields) -> Fields:
    """Another progressive paytable has other meters, which begin with the least that the document allows."""
    key = "wagers.progressive"
    table = next(
        (t for t in book.paytables.paytable if (t.group, t.id) == ("progressive", texts.get(f"{key}.paytable"))), None
    )
    if texts.get(offered_key("progressive")) != YES or table is None:
        return texts
    minimums = {row.meter: row for row in book.paytables.minimum if row.paytable == table.id}
    said = {part[3] for part in (name.split(".") for name in texts) if part[:3] == ["wagers", "progressive", "meters"]}
    if said and said <= minimums.keys():
        return texts
    kept = {name: text for name, text in texts.items() if not name.startswith(f"{key}.meters.")}
    for meter, row in minimums.items():
        for what in ("initial", "reset", "rate"):
            name = f"{key}.meters.{meter}.{what}"
            kept[name] = texts.get(name) or (row.amount or SUGGESTED_METER if what != "rate" else _RATE)
    if len(table.stakes) == 1:
        kept[f"{key}.stake"] = table.stakes[0]
    return kept


def _usual(book: Rulebook, wager: str) -> Fields:
    whole = read_submission_text(starting_submission(book, every_wager=True), name="template")
    return {key: text for key, text in fields_of(whole, book).items() if key.startswith(f"wagers.{wager}.")}


def kind_of(key: str, rules: Mapping[str, OptionRule]) -> FieldKind:
    """What a field holds, by its key."""
    if key.startswith("readings."):
        rule = rules.get(key.removeprefix("readings."))
        match rule.type if rule is not None else "":
            case "count":
                return "count"
            case "bool":
                return "flag"
        return "text"
    last = key.rpartition(".")[2]
    if last in _COUNTS:
        return "count"
    if last in _MONEY:
        return "money"
    if last in _RATES:
        return "rate"
    return "flag" if last in _FLAGS else "text"


def _value(key: str, text: str, rules: Mapping[str, OptionRule]) -> object:
    if len(text) > LONGEST:
        raise Malformed(f"{len(text)} characters: at most {LONGEST}")
    match kind_of(key, rules):
        case "count":
            if not re.fullmatch(r"[0-9]{1,6}", text):
                raise Malformed(f"{clip(repr(text))} is not a whole number")
            return int(text)
        case "money":
            try:
                return format_dollars(typed_dollars(text))
            except MoneyError:
                raise Malformed(f"{clip(repr(text))} is not an amount in dollars, such as 10 or 12.50") from None
        case "rate":
            return _rate(text)
        case "flag":
            return text == YES
    return text


def _rate(text: str) -> str:
    """A share of the stake, also when it was written in percent.

    >>> _rate("12 %"), _rate("0.5%"), _rate("0.12")
    ('0.12', '0.005', '0.12')
    """
    percent = _PERCENT.fullmatch(text)
    if percent is None:
        if not re.fullmatch(r"(0|[1-9][0-9]{0,8})(\.[0-9]{1,100})?", text):
            raise Malformed(f"{clip(repr(text))} is not a share of the stake, such as 0.12 or 12%")
        return text
    digits = percent[1].rjust(3, "0") + (percent[2] or "")
    whole, part = digits[: len(percent[1].rjust(3, "0")) - 2], digits[len(percent[1].rjust(3, "0")) - 2 :]
    part = part.rstrip("0")
    return f"{int(whole)}.{part}" if part else str(int(whole))


def _put(raw: dict[str, Any], key: str, value: object, rules: Mapping[str, OptionRule]) -> None:
    head, _, rest = key.partition(".")
    if head == "readings":
        values = raw.setdefault("readings", {})
        name, _, item = rest.rpartition(".")
        if name in rules and rules[name].type == "choices":
            values.setdefault(name, []).extend([item] if item != SHOWN else [])
        else:
            values[rest] = value
        return
    if head == "approvals":
        raw.setdefault("approvals", {})[rest] = value
        return
    if key.endswith(".offered"):
        raw.setdefault("wagers", {}).setdefault(key.split(".")[1], {})
        return
    place, parts = raw, key.split(".")
    for part in parts[:-1]:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            raise Malformed("this field does not belong here")
    if isinstance(place.get(parts[-1]), dict):
        raise Malformed("this field does not belong here")
    place[parts[-1]] = value


def _tidy(raw: dict[str, Any], book: Rulebook) -> None:
    """What stays at its default is not said, and rows of linked tables are a list."""
    readings, defaults = raw.get("readings", {}), {option.rule.name: option.default for option in book.options}
    for name in [name for name, value in readings.items() if _as_stored(value) == defaults.get(name)]:
        del readings[name]
    coupon = raw.get("match_play", {})
    if not coupon.get("enabled"):
        raw.pop("match_play", None)
    for wager in raw.get("wagers", {}).values():
        link = wager.get("link")
        if isinstance(link, dict):
            rows = link.get("tables", {})
            link["tables"] = [row for _, row in sorted(rows.items()) if {"paytable", "stake"} <= row.keys()]
            if not link.get("name"):
                del wager["link"]


def _as_stored(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _take_out(raw: dict[str, Any], key: str) -> bool:
    place: Any = raw
    parts = key.split(".")
    try:
        for part in parts[:-1]:
            place = place[part]
        del place[parts[-1]]
    except (KeyError, TypeError):
        return False
    if parts[-1] == "name" and parts[-2] == "link":
        place["name"] = ""
    return True
