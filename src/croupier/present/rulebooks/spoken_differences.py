"""A difference between two rulebooks as people say it: what it is about, and what each of them says.

>>> from croupier.rulebook import diff_rulebooks, load_rulebook
>>> books = load_rulebook("md-mississippi-stud"), load_rulebook("md-let-it-ride")
>>> rows = {row.key: difference_words(row) for row in diff_rulebooks(*books)}
>>> rows["minimum[A main].amount"][0], rows["minimum[A main].amount"].first, rows["envy[D $5.00]"].what
('least initial and reset, paytable A, main meter', '$10,000', 'envy, paytable D at $5')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from croupier.money import parse_dollars
from croupier.present.amounts import dollars
from croupier.present.names import any_of, counted, line_words, listed, spoken, the_wager, titled
from croupier.present.options import option_value_words
from croupier.present.rulebooks.key_words import DEALT, ROWS, WORDS, KeyWords
from croupier.rulebook import Difference, Value, load_rulebook, rulebook_ids
from croupier.rulebook.schema import Option, OptionValue

__all__ = ["DifferenceWords", "difference_words"]

_ROW: Final = re.compile(r"([a-z_]*)\[([^\]]*)\]")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_]*")
_MONEY: Final = ("amount", "stakes", "stake", "warn_below", "suggested_minimum")
_AMOUNT: Final = re.compile(r"\d+\.\d\d")
_TO: Final = {
    "player": "to each player",
    "community": "to the board",
    "six_card_box": "to the box",
    "dealer": "to the dealer",
    "discard": "to the discard rack",
}
_LET_IT_RIDE: Final = {"ride": "let it ride", "withdraw": "take it back"}
_EITHER: Final = {"choices", "deal", "multiples", "waived_by", "shuffle"}
"""Lists of which one applies at a time."""
_TRUTH: Final = {"True": "yes", "False": "no"}


class DifferenceWords(NamedTuple):
    """What two rulebooks differ in, and what each says; nothing where one of them says nothing."""

    what: str
    first: str
    second: str


def difference_words(row: Difference) -> DifferenceWords:
    """Say what differs, without clauses."""
    first, second = ("" if value is None else _value(row, value) for value in (row.first, row.second))
    return DifferenceWords(_what(row), first, second)


# --- what it is about


def _what(row: Difference) -> str:
    if row.part == "options":
        option, field = _option_of(row.key)
        about = option.rule.about.rstrip(".") if option is not None else spoken(row.key.strip("[]").replace(".", ", "))
        return f"{about}: {'fixed by the document' if field == 'fixed' else 'default'}"
    words = _entry(row.part, row.key)
    if words is None:
        return _read_aloud(row.key)
    return words.label.format(*_row_names(row.part, row.key))


def _read_aloud(key: str) -> str:
    """A key that has no words of its own."""
    return ", ".join(spoken(step).strip() for step in re.split(r"[.\[\]]+", key) if step)


def _entry(part: str, key: str) -> KeyWords | None:
    bare = _ROW.sub(r"\1[]", key)
    return WORDS.get(f"{part}.{bare}")


def _row_names(part: str, key: str) -> list[str]:
    """The rows that a key names, in words."""
    return [words for kind, name in _ROW.findall(key) for words in _row_words(part, kind, name)]


def _row_words(part: str, kind: str, name: str) -> list[str]:
    known = ROWS.get(kind, {})
    if name in known:
        return [known[name]]
    match kind, name.split():
        case "paytable", [group, *rest]:
            return [_paytable(group, " ".join(rest))]
        case "envy", [*table, stake]:
            return [f"paytable {' '.join(table)} at {dollars(parse_dollars(stake.lstrip('$')))}"]
        case "minimum", [*table, meter]:
            return [f"paytable {' '.join(table)}, {meter} meter"]
        case "reveal", [slot, "after", decision]:
            return [known.get(slot, spoken(slot)), the_wager(decision)]
        case "before_deal", [deal, act]:
            return [DEALT.get(deal, spoken(deal)), known.get(act, spoken(act))]
        case "gesture", [decision, choice, gesture]:
            return [f"{the_wager(decision)}, {_LET_IT_RIDE.get(choice, choice)}", known.get(gesture, gesture)]
        case "deck_hours", deals:
            return [any_of(DEALT.get(deal, spoken(deal)) for deal in deals)]
        case "line", _:
            return [line_words(name)]
        case "wager", _:
            return [titled(name)]
        case "choice", _ if part == "paytables":
            return ["Main wager" if name == "base" else titled(name)]
        case (("choice" | "requires"), _):
            return [the_wager(name)]
    return [spoken(name)]


def _paytable(group: str, name: str) -> str:
    """
    >>> _paytable("cover_all", "standard, 1 players"), _paytable("three_card_bonus", "B"), _paytable("base", "standard")
    ('Cover All for 1 player', 'Three Card Bonus B', 'Main wager')
    """
    wager = "Main wager" if group == "base" else titled(group)
    table, _, players = name.partition(", ")
    seated = f" for {counted(int(players.split()[0]), 'player')}" if players else ""
    return f"{wager}{'' if table == 'standard' else f' {table}'}{seated}"


# --- what each says


def _value(row: Difference, value: Value) -> str:
    if row.part == "options":
        return _option_value(row, value)
    if not row.below:
        return _said(row.part, row.key, value.text)
    whole = _entry(row.part, row.key)
    inside = whole.inside if whole is not None else ""
    if "{" in inside:
        fields = {name: _said(row.part, f"{row.key}.{name}", text) for name, text in row.below}
        return re.sub(r"\b(\d+) to \1\b", r"\1", inside.format(**fields))
    return "; ".join(_phrases(row)) or inside or "yes"


def _phrases(row: Difference) -> Iterator[str]:
    """Every value of a whole that only one has; values of one kind are said together."""
    together: dict[tuple[str, str], list[str]] = {}
    before, tail = len(_row_names(row.part, row.key)), _what(row).rpartition(": ")[2]
    for name, text in row.below:
        key = f"{row.key}{'' if name.startswith('[') else '.'}{name}"
        bare, words = _ROW.sub(r"\1[]", key), _entry(row.part, key)
        said = _said(row.part, key, text, inside=True)
        phrase = words.inside if words is not None else f"{_read_aloud(name)} {{}}"
        for place, label in enumerate(_row_names(row.part, key)):
            # What the label of the whole says is not said again.
            phrase = phrase.replace(f"{{{place}}} ", "" if place < before else f"{label} ")
        if phrase and said and (said != "no" or "{}" in phrase):
            together.setdefault((bare, phrase), []).append(said)
    for (_, phrase), values in together.items():
        whole = phrase.replace("{}", listed(values))
        if whole != tail:
            yield whole.removesuffix(f" {tail}").removeprefix(f"{tail} ") if " " in tail else whole


def _said(part: str, key: str, text: str, *, inside: bool = False) -> str:
    """A value in words."""
    words, field = _entry(part, key), key.rpartition(".")[2]
    values: Mapping[str, str] = words.values if words is not None else {}
    tokens = text.split(", ")
    said = values.get(text, values.get("*"))
    if said is not None and (said or inside):
        return said
    if field in _MONEY and all(map(_AMOUNT.fullmatch, tokens)):
        return any_of(dollars(parse_dollars(amount)) for amount in tokens)
    match field:
        case "step":
            return ", ".join(f"{number} {_TO[to]}" for to, number in map(str.split, tokens))
        case "number":
            return counted(int(text), "card")
        case "ranks":
            return "-".join(tokens)
        case "option":
            option = _options().get(text)
            return option.rule.about.rstrip(".") if option is not None else _read_aloud(text)
        case "value":
            meant = (option_value_words(name, text) for name in _options())
            return next((words for words in meant if words != spoken(text)), spoken(text))
        case "offered" | "wager":
            return the_wager(text)
        case "ace_low" | "stakes_reading" if not inside:
            return f"reading {text}"
    if not all(map(_NAME.fullmatch, tokens)):
        return spoken(_TRUTH.get(text, text)).rstrip(".")
    each = [values.get(token) or spoken(token) for token in tokens]
    return any_of(each) if field in _EITHER else listed(each)


# --- options


@cache
def _options() -> dict[str, Option]:
    """The options of all rulebooks, by name."""
    return {row.rule.name: row for name in rulebook_ids() for row in load_rulebook(name).options}


def _option_of(key: str) -> tuple[Option | None, str]:
    name, _, field = key.removeprefix("[").partition("]")
    return _options().get(name), field.lstrip(".")


def _option_value(row: Difference, value: Value) -> str:
    option, field = _option_of(row.key)
    if field == "fixed":
        return _TRUTH[value.text]
    texts = dict(row.below) if row.below else {"default": value.text}
    default = texts.get("default", value.text)
    said = _TRUTH.get(default) or (
        option_value_words(option.rule.name, _tokens(option, default)) if option else default
    )
    return f"{said}, fixed" if texts.get("fixed") == "True" else said


def _tokens(option: Option, text: str) -> OptionValue:
    return tuple(text.split(", ")) if option.rule.type == "choices" else text
