"""JSON from outside, read strictly; and JSON to be hashed, written in exactly one way."""

from __future__ import annotations

import json
from typing import Any

from croupier.errors import Malformed

__all__ = ["canonical_json", "clip", "decode_json", "no_key_twice"]


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of these pairs. Programs differ in which of two equal keys they use, so duplicates are refused."""
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise Malformed(f"the key {clip(repr(twice))} appears twice")
    return members


def decode_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever was sent
    """The value of a JSON text; `Malformed` if it is not JSON.

    >>> decode_json('{"seats": 6, "seats": 7}')
    Traceback (most recent call last):
    croupier.errors.Malformed: the key 'seats' appears twice
    """
    try:
        value = json.loads(text, object_pairs_hook=no_key_twice, parse_constant=_no_number)
        if (b"\\ud" if isinstance(text, bytes) else "\\ud") in text.lower():  # type: ignore[operator]
            json.dumps(value, ensure_ascii=False).encode()  # half of a character cannot be written again
    except UnicodeEncodeError:
        raise Malformed("JSON is malformed: it contains half of a character") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
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


def clip(text: str, most: int = 80) -> str:
    """A text cut to fit into a message.

    >>> clip("x" * 100, 5)
    'xxxx…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"
