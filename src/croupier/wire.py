"""JSON from outside, read strictly; and JSON to be hashed, written in exactly one way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from croupier.errors import Malformed

__all__ = ["canonical_json", "clip", "decode_json", "no_key_twice", "say_mismatch"]

_KINDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "datetime": "a time",
}
_TIME: Final = "expected a time with its zone, such as 2026-01-01T20:00:00Z"
_BOUNDS: Final = {">=": "at least", "<=": "at most"}
_MISMATCHES: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        r"expected `([^`]+)`, got `([^`]+)`.*",
        lambda found: f"expected {_say_kind(found[1])}, got {_say_kind(found[2])}",
    ),
    (r"expected `(?:str|array)` of length >= 1", lambda _: "it may not be empty"),
    (r"expected `str` of length (>=|<=) (\d+)", lambda found: f"expected {_BOUNDS[found[1]]} {found[2]} characters"),
    (r"expected `\w+` of length (>=|<=) (\d+)", lambda found: f"expected {_BOUNDS[found[1]]} {found[2]} of them"),
    (r"expected `\w+` (>=|<=) (\S+)", lambda found: f"expected {_BOUNDS[found[1]]} {found[2]}"),
    (r"expected `str` matching regex .*", lambda _: "it is not written as this is written"),
    (r"invalid enum value (.*)", lambda found: f"{found[1]} is not a choice here"),
    (r"object contains unknown field `(.*)`", lambda found: f"{found[1]} is not known here"),
    (r"object missing required field `(.*)`", lambda found: f"{found[1]} is missing"),
    (r"invalid RFC3339 encoded datetime|expected `datetime` with a timezone component", lambda _: _TIME),
)
"""What `msgspec` says of a value that does not fit, and what we say."""


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of these pairs. Programs differ in which of two equal keys they use, so duplicates are refused."""
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise Malformed(f"the key {clip(repr(twice))} appears twice")
    return members


def decode_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever was sent
    """The value of a JSON text; `Malformed` if it is not JSON. Bytes are UTF-8, with or without a byte order mark.

    >>> decode_json('{"seats": 6, "seats": 7}')
    Traceback (most recent call last):
    croupier.errors.Malformed: the key 'seats' appears twice
    >>> decode_json('{"seats": 6}'.encode("utf-16-le"))
    Traceback (most recent call last):
    croupier.errors.Malformed: JSON is malformed: it is not UTF-8
    """
    try:
        written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        if "\0" in written and isinstance(text, bytes):  # what UTF-16 and UTF-32 look like, read as UTF-8
            raise Malformed("JSON is malformed: it is not UTF-8")
        value = json.loads(written, object_pairs_hook=no_key_twice, parse_constant=_no_number)
        if "\\ud" in written.lower():
            json.dumps(value, ensure_ascii=False).encode()  # half of a character cannot be written again
    except UnicodeEncodeError:
        raise Malformed("JSON is malformed: it contains half of a character") from None
    except RecursionError:
        raise Malformed("JSON is malformed: it is too deep") from None
    except UnicodeDecodeError:
        raise Malformed("JSON is malformed: it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"JSON is malformed: {clip(str(error))}") from None
    except ValueError as error:  # a number of thousands of digits
        raise error if isinstance(error, Malformed) else Malformed(f"JSON is malformed: {clip(str(error))}") from None
    return value


def _no_number(name: str) -> float:
    raise Malformed(f"JSON is malformed: {name} is not a number in JSON")


def canonical_json(value: object) -> str:
    """The canonical text of a value: sorted keys, no spaces, non-ASCII unescaped. TypeError if it is not JSON.

    >>> canonical_json({"b": [1, True], "a": "é"})
    '{"a":"é","b":[1,true]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def say_mismatch(words: str) -> str:
    """What does not fit about a value, in words of ours; `words` are those of `msgspec`, without the place.

    >>> say_mismatch("Expected `int`, got `str`"), say_mismatch("Object missing required field `name`")
    ('expected a whole number, got text', 'name is missing')
    """
    plain = words[:1].lower() + words[1:]
    for pattern, say in _MISMATCHES:
        if found := re.fullmatch(pattern, plain, re.DOTALL):
            return say(found)
    return plain


def _say_kind(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def clip(text: str, most: int = 80) -> str:
    """A text cut to fit into a message.

    >>> clip("x" * 100, 5)
    'xxxx…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"
