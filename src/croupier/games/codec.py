"""Actions and events as plain JSON: cards by their names, money in cents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from croupier.cards import Card
from croupier.errors import Malformed

__all__ = ["reader", "write"]

T = TypeVar("T")


def reader(kinds: type[T]) -> Callable[[str | bytes], T]:
    """A function that reads any of these kinds from JSON; `Malformed` says what cannot be read."""
    decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kinds, dec_hook=_card)

    def read(text: str | bytes) -> T:
        try:
            return decoder.decode(text)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise Malformed(str(error)) from None

    return read


def write(value: msgspec.Struct) -> bytes:
    """A value as a line of JSON."""
    return msgspec.json.encode(value, enc_hook=card_name)


def card_name(value: object) -> str:
    """The encoding of what `msgspec` does not know: a card is written by name, everything else is refused."""
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written")


def _card(kind: type, name: object) -> object:
    if not isinstance(name, str):
        raise ValueError(f"{name!r} is not a card: cards are written by name, such as Ah")  # noqa: TRY004
    return kind(name)
