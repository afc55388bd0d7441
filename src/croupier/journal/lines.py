"""An entry as one line of JSON, and back: what is written can be read, byte for byte, or it is not written.

Money is in whole cents, meters in 1/10,000 cent, cards by their names, times in UTC. Keys are in the order of the
structs, so the same entry always gives the same bytes. A card that lies face down is the commitment to it.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Any, Final, get_args

import msgspec

from croupier.cards import Card
from croupier.errors import BrokenRecord
from croupier.journal.upcast import NEWEST, is_newer, upcast
from croupier.table.events import Entry, Event, Hidden
from croupier.wire import clip

__all__ = ["event_names", "micros", "read_line", "write_line"]


def event_names() -> tuple[str, ...]:
    """Every event that a record can hold, by its name and version.

    >>> len(event_names()) == len(set(event_names())), event_names()[0]
    (True, 'table_created/1')
    """
    return tuple(str(kind.__struct_config__.tag) for kind in get_args(Event))


def micros(at: datetime) -> int:
    """A time as stores sort it: microseconds since 1970, UTC.

    >>> from datetime import UTC
    >>> micros(datetime(1970, 1, 2, tzinfo=UTC))
    86400000000
    """
    return round(at.timestamp() * 1_000_000)


def write_line(entry: Entry) -> bytes:
    """An entry as a line; anything a line cannot represent is refused."""
    if type(entry.event) not in _KINDS:
        raise BrokenRecord(f"{type(entry.event).__name__} is not an event that a record can hold")
    try:
        line = _ENCODER.encode(entry)
        _DECODER.decode(line)
    except (NotImplementedError, ValueError, TypeError, OverflowError) as error:
        raise BrokenRecord(f"{entry.stream}, entry {entry.seq}: {entry.name} cannot be written: {error}") from None
    return line


def read_line(line: bytes) -> Entry:
    """An entry from a line. Cards that lie face down stay closed: `open_entry` opens them with the key.

    >>> read_line(b'{"stream":"table/1"}')
    Traceback (most recent call last):
    croupier.errors.BrokenRecord: this line cannot be read: Object missing required field `seq`: {"stream":"table/1"}
    """
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        problem = str(error)
    try:
        raw = msgspec.json.decode(line)
        name = str(raw["what"]["event"])
        if name in NEWEST:  # an older form of an event that there still is
            return msgspec.convert(raw | {"what": upcast(raw["what"])}, Entry, dec_hook=_read)
        if is_newer(name, event_names()):
            problem = f"{clip(name)} comes from a newer version of Croupier"
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BrokenRecord(f"this line cannot be read: {problem}: {_clipped(line)}")


def _clipped(line: bytes) -> str:
    return clip(line.decode(errors="replace"), 120)


def _write(value: object) -> object:
    match value:
        case Card():
            return str(value)
        case Hidden():
            return [urlsafe_b64encode(commitment).decode().rstrip("=") for commitment in value.commitments]
    raise NotImplementedError(f"no line can hold a {type(value).__name__}")


def _read(kind: type, value: Any) -> object:  # noqa: ANN401 - whatever stands in a line
    if kind is Card and isinstance(value, str):
        return Card(value)
    if kind is Hidden and isinstance(value, list) and all(isinstance(item, str) for item in value):
        commitments = tuple(urlsafe_b64decode(item + "=") for item in value)
        if all(len(commitment) == 32 for commitment in commitments):
            return Hidden.closed(commitments)
    raise ValueError(f"{clip(repr(value))} is not a {kind.__name__.lower()}")


_KINDS: Final = frozenset(get_args(Event))
_ENCODER: Final = msgspec.json.Encoder(enc_hook=_write)
_DECODER: Final = msgspec.json.Decoder(Entry, dec_hook=_read)
