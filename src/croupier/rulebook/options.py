"""Values of the operator's options: as written in a file, as stored, and which are allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from croupier.errors import Malformed
from croupier.rulebook import schema
from croupier.wire import clip

__all__ = ["frozen_value", "option_problem", "option_values", "say_value"]


def option_values(
    options: tuple[schema.Option, ...], given: Mapping[str, schema.OptionValue]
) -> dict[str, schema.OptionValue]:
    """The options of a submission in their stored form; unknown ones stay as written.

    Choices may be written in camelCase or with hyphens; `none` and `off` are the readings' words for no number and no
    choice; a list of choices takes the option's own order; labels come as a table.
    """
    values = dict(given)
    for option in options:
        rule = option.rule
        if rule.type == "labels":
            inside = {key: values.pop(key) for key in list(values) if key.startswith(f"{rule.name}.")}
            if inside:
                values[rule.name] = tuple(
                    sorted((key[len(rule.name) + 1 :], str(label)) for key, label in inside.items())
                )
        elif rule.name in values:
            values[rule.name] = _stored(rule, values[rule.name])
    return values


def _stored(rule: schema.OptionRule, value: schema.OptionValue) -> schema.OptionValue:
    if rule.type == "count" and rule.minimum == 0 and value in ("none", "off"):
        return 0
    if rule.type == "choice" and isinstance(value, str):
        return _snake(value)
    if rule.type == "choices":
        names = {
            _snake(str(item)) for item in ([] if value == "none" else value if isinstance(value, tuple) else [value])
        }
        return tuple(sorted(names, key=lambda name: rule.values.index(name) if name in rule.values else -1))
    return value


def option_problem(rule: schema.OptionRule, value: object) -> str | None:
    """Why a value is not allowed for an option, or None."""
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
            fine = isinstance(value, tuple) and set(value) <= set(rule.values)
            allowed = f"a list of {', '.join(rule.values)}"
        case "labels":
            fine = (
                isinstance(value, tuple)
                and all(map(_is_label, value))
                and {name for name, _ in value} <= set(rule.values)
            )
            allowed = f"a table of names for {', '.join(rule.values)}"
    return None if fine else f"{say_value(value)} is not allowed: {allowed}"


def say_value(value: object) -> str:
    """A value as TOML writes it."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return clip(f"[{', '.join(map(say_value, value))}]")
        case _:
            return clip(repr(value))


def frozen_value(value: object) -> schema.OptionValue:
    """A value of a file made immutable: a list becomes a tuple, a table of labels a tuple of pairs."""
    if isinstance(value, dict) and all(isinstance(label, str) for label in value.values()):
        return tuple(sorted(value.items()))
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(value, bool | int | str):
        return value
    raise Malformed(f"{clip(repr(value))} is not a value of an option")


def _snake(text: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).replace("-", "_").lower()


def _is_label(pair: object) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], str) and 0 < len(pair[1].strip()) <= 40
