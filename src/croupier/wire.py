"""JSON as strangers send it, read strictly; and as it is hashed, written in one way only."""

from __future__ import annotations

import json
from typing import Any

from croupier.errors import Malformed

__all__ = ["canonical_json", "clip", "decode_json", "no_key_twice"]


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of these pairs. Programs differ in which of two equal keys they believe, so neither is."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"the key {clip(repr(twice))} stands twice")
    return found


def decode_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever was sent
    """The value of a JSON text; `Malformed` for anything that is none.

    >>> decode_json('{"seats": 6, "seats": 7}')
    Traceback (most recent call last):
    croupier.errors.Malformed: the key 'seats' stands twice
    """
    try:
        value = json.loads(text, object_pairs_hook=no_key_twice)
        if (b"\\ud" if isinstance(text, bytes) else "\\ud") in text.lower():  # type: ignore[operator]
            json.dumps(value, ensure_ascii=False).encode()  # half of a character cannot be written again
    except UnicodeEncodeError:
        raise Malformed("JSON is malformed: it has half of a character") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"JSON is malformed: {clip(str(error))}") from None
    except ValueError as error:  # a number of thousands of digits
        raise error if isinstance(error, Malformed) else Malformed(f"JSON is malformed: {clip(str(error))}") from None
    return value


def canonical_json(value: object) -> str:
    """The one text of a value: keys in order, no spaces, letters as they are. What is no JSON raises TypeError.

    >>> canonical_json({"b": [1, True], "a": "é"})
    '{"a":"é","b":[1,true]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def clip(text: str, most: int = 80) -> str:
    """A text that fits into a message.

    >>> clip("x" * 100, 5)
    'xxxx…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"
