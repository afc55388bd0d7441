"""Bodies of requests, read strictly: JSON with each key once, not too deep, no half characters, exact types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request

from croupier.errors import Malformed
from croupier.wire import clip, decode_json, say_mismatch

__all__ = ["KEY", "StrictRequest", "check_fields", "check_plain", "say_wrong"]

_DEEPEST: Final = 20
"""Levels of a JSON value: a submission has five."""
_MOST: Final = 5_000
"""Members of a JSON value, all levels together."""
_JSON: Final = {"", "application/json", "application/x-www-form-urlencoded"}
"""What a program may call JSON; the last is what some say by default. A browser's form cannot write JSON in it."""
KEY: Final = "[ -~]{0,100}"
"""How the key of a request is written that is safe to send again."""

_WRITTEN: Final = {
    "(0|[1-9][0-9]{0,9})": "expected dollars, such as 12.50",
    "[A-Za-z0-9 ._-]{0,39}": "expected 1 to 40 letters, digits, spaces, dots and hyphens",
    "[0-9a-f]{64}": "expected 64 hexadecimal digits",
    KEY: "expected at most 100 plain characters",
}
"""How a value is written whose pattern contains this."""


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is read as its handler declares it, and in no other way."""

    async def json(self) -> Any:  # noqa: ANN401 - as the handler declares
        """The body, as the type of the handler's `data`."""
        kind, _, _ = self.headers.get("content-type", "").partition(";")
        kind = kind.strip().lower()
        if kind not in _JSON and not kind.endswith("+json"):
            raise Malformed("the body must be JSON: Content-Type: application/json")
        body = await self.body()
        if not body:
            raise Malformed("the request has no body: send JSON, such as {}")
        value = decode_json(body)
        check_plain(value)
        declared = self.route_handler.parsed_data_field
        if declared is None:
            return value
        try:
            return msgspec.convert(value, declared.annotation)
        except msgspec.ValidationError as error:
            raise Malformed(clip(_plain(str(error)), 200)) from None


def check_plain(value: object) -> None:
    """Refuse a JSON value that is too deep or too large, or has text with characters that no one can type."""
    left, level, depth = _MOST, [value], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise Malformed(f"at most {_DEEPEST} levels are read")
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                if "\0" in item:
                    raise Malformed("text may not contain the character U+0000")
            elif isinstance(item, dict):
                below += item.keys()
                below += item.values()
            elif isinstance(item, list):
                below += item
        left -= len(below)
        if left < 0:
            raise Malformed(f"at most {_MOST:,} values are read")
        level = below


def check_fields(fields: Mapping[str, str]) -> None:
    """Refuse a form with what the API would not take either: too many fields, text that no one can type, a bad key."""
    check_plain(dict(fields))
    if not re.fullmatch(KEY, fields.get("key", "")):
        raise Malformed(f"key: {_WRITTEN[KEY]}")


def _plain(words: str) -> str:
    """What is wrong with a body, in words: `name: expected text, got a whole number`."""
    what, _, where = words.partition(" - at `$")
    place = where.rstrip("`").lstrip(".")
    return f"{place}: {say_wrong(what)}" if place else say_wrong(what)


def say_wrong(words: str) -> str:
    """What is wrong with a value, in words; `words` are those of the framework."""
    if "matching regex" in words:
        return next((said for pattern, said in _WRITTEN.items() if pattern in words), say_mismatch(words))
    return say_mismatch(words)
