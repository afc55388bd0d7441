"""Values of the operator's options."""

from __future__ import annotations

from croupier.errors import Malformed
from croupier.rulebook import schema

__all__ = ["frozen_value", "option_problem", "option_value"]


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
            fine = (
                isinstance(value, tuple)
                and all(map(_is_label, value))
                and {one[0] for one in value} <= set(rule.values)
            )
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


def frozen_value(value: object) -> schema.OptionValue:
    """A value as a file holds it, made immutable: a list is a tuple, a table of names a tuple of pairs."""
    if isinstance(value, dict):
        return tuple(sorted((str(name), str(label)) for name, label in value.items()))
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    if isinstance(value, bool | int | str):
        return value
    raise Malformed(f"{value!r} is no value of an option")


def _is_label(pair: object) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and 0 < len(pair[1]) <= 40
