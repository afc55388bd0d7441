"""Refusals that programs were answered lately: the same command with the same key is refused in the same words.

What was carried out is in the record, and its key with it: that comes first. A refusal leaves nothing there, so it is
remembered here: by this process, and for the last few thousand.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec

from croupier.errors import CroupierError

__all__ = ["CommandPlace", "RefusedAgain", "RefusedBefore"]

_KEPT: Final = 2_000


class CommandPlace(NamedTuple):
    """Whose command it is, at which table, under which key."""

    person: str
    table: str
    key: str


class RefusedAgain(CroupierError):
    """A command that was refused before, under the same key: in the same words."""

    def __init__(self, shown: dict[str, Any]) -> None:
        super().__init__(str(shown["message"]))
        self.shown: Final = shown


class RefusedBefore:
    """Refusals by whose command it was, where, and under which key.

    >>> before, place = RefusedBefore(), CommandPlace("ann", "1", "k1")
    >>> before.keep(place, {"do": "look"}, {"code": "no_hand"})
    >>> before.find(place, {"do": "look"}), before.find(place, {"do": "sit"})
    ({'code': 'no_hand'}, None)
    """

    def __init__(self) -> None:
        self._kept: Final[OrderedDict[tuple[CommandPlace, bytes], bytes]] = OrderedDict()

    def find(self, place: CommandPlace, body: dict[str, Any]) -> dict[str, Any] | None:
        """How this command was refused before, if it was; another command under the key is another matter."""
        kept = self._kept.get((place, _digest(body))) if place.key else None
        return None if kept is None else msgspec.json.decode(kept, type=dict[str, Any])

    def keep(self, place: CommandPlace, body: dict[str, Any], shown: dict[str, Any]) -> None:
        """Remember a refusal as it was shown; what it is made of would keep the table of then."""
        if place.key:
            self._kept[place, _digest(body)] = msgspec.json.encode(shown)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)


def _digest(body: dict[str, Any]) -> bytes:
    return sha256(msgspec.json.encode(body, order="sorted")).digest()
