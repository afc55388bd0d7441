"""Forms that were sent, as the commands that the API takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from croupier.table import arguments
from croupier.table.commands import COMMANDS
from croupier.web.posting import Fields

__all__ = ["read_command_form"]

_SENT: Final = {"csrf", "key", "do", "asked"}
"""Fields of a form that are not arguments."""
_WHOLE: Final = re.compile(r"\d{1,9}", re.ASCII)
_FLAGS: Final = {"true": True, "false": False}


def read_command_form(fields: Fields) -> dict[str, Any]:
    """The command that a form sends, as the API takes it; whatever cannot be read is left for the table to refuse.

    >>> read_command_form({"csrf": "…", "do": "sit", "seat": "3", "patron": "ann-1"})
    {'do': 'sit', 'seat': 3, 'patron': 'ann-1'}
    """
    do = fields.get("do", "")
    known: Sequence[Mapping[str, Any]] = arguments(COMMANDS[do]) if do in COMMANDS else ()
    kinds = {row["name"]: row["kind"] for row in known}
    body: dict[str, Any] = {"do": do}
    for name, text in fields.items():
        whole, _, seat = name.partition(".")
        if name in _SENT or text == "":
            continue
        if kinds.get(whole) == "numbers by seat" and seat:
            body.setdefault(whole, {})[seat] = _number(text)
        elif kinds.get(name) == "number":
            body[name] = _number(text)
        elif kinds.get(name) == "true or false":
            body[name] = _FLAGS.get(text, text)
        elif kinds.get(name) in {"card", "cards"}:
            body[name] = " ".join(_card(word) for word in text.split())
        else:
            body[name] = text
    return body


def _number(text: str) -> int | str:
    return int(text) if _WHOLE.fullmatch(text) else text


def _card(word: str) -> str:
    """A card as people type it: `ah` is `Ah`."""
    return word[:-1].upper() + word[-1:].lower()
