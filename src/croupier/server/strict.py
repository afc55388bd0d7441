"""Bodies of requests, read strictly: JSON with each key once, not too deep, no half characters, exact types."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Request

from croupier.errors import Malformed
from croupier.wire import clip, decode_json

__all__ = ["StrictRequest", "check_plain"]

_DEEPEST: Final = 20
"""Levels of a JSON value: a submission has five."""
_MOST: Final = 5_000
"""Members of a JSON value, all levels together."""
_JSON: Final = {"", "application/json", "application/x-www-form-urlencoded"}
"""What a program may call JSON; the last is what some say by default. A browser's form cannot write JSON in it."""


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is read as its handler declares it, and in no other way."""

    async def json(self) -> Any:  # noqa: ANN401 - as the handler declares
        """The body, as the type of the handler's `data`."""
        kind, _, _ = self.headers.get("content-type", "").partition(";")
        kind = kind.strip().lower()
        if kind not in _JSON and not kind.endswith("+json"):
            raise Malformed("the body must be JSON: Content-Type: application/json")
        value = decode_json(await self.body())
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


def _plain(words: str) -> str:
    """What is wrong with a body, in words: `name: expected str, got int`."""
    what, _, where = words.partition(" - at `$")
    place = where.rstrip("`").lstrip(".")
    what = what[:1].lower() + what[1:]
    return f"{place}: {what}" if place else what
