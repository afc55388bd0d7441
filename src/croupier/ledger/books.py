"""The records beside those of tables: the cage with its patrons' accounts, shared meters, and the house's own.

The chips of a table are in the record of the table. What stands here is what no single table can say: what a patron has
at the cage, and in which order the tables of a link moved its meters.

>>> from datetime import UTC
>>> entry = BookEntry(stream="cage", seq=1, at=datetime(2026, 1, 1, tzinfo=UTC), by=Author("cashier", "c1"),
...     event=Deposited(patron="ann", amount=Cents(5000), reference="D-1"))
>>> read_book_line(write_book_line(entry)) == entry
True
>>> for posting in book_postings(entry.event):
...     print(posting.account.name, posting.amount)
patron/ann 5000
cage -5000
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import Struct, field

from croupier.errors import BrokenRecord
from croupier.ledger.accounts import CAGE_ACCOUNT, LedgerAccount, account_of, patron_account
from croupier.ledger.house_events import HouseEvent
from croupier.money import Cents, MeterUnits
from croupier.table.accounts import METER_SEEDED, meter
from croupier.wire import clip

__all__ = [
    "Author",
    "BookEntry",
    "BookEvent",
    "BookPosting",
    "CageReversed",
    "ChipsIssued",
    "ChipsRedeemed",
    "Deposited",
    "LinkCreated",
    "MeterMoved",
    "TableJoined",
    "Withdrawn",
    "book_event_names",
    "book_postings",
    "read_book_line",
    "write_book_line",
]


class _BookEvent(Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True):
    pass


class Deposited(_BookEvent, frozen=True, kw_only=True, tag="deposited/1"):
    """A patron brought money to the cage."""

    patron: str
    amount: Cents
    reference: str = ""


class Withdrawn(_BookEvent, frozen=True, kw_only=True, tag="withdrawn/1"):
    """A patron took money from the cage."""

    patron: str
    amount: Cents
    reference: str = ""


class ChipsIssued(_BookEvent, frozen=True, kw_only=True, tag="chips_issued/1"):
    """A patron took chips to a table, from the account at the cage."""

    patron: str
    amount: Cents
    table: str


class ChipsRedeemed(_BookEvent, frozen=True, kw_only=True, tag="chips_redeemed/1"):
    """The chips that a patron took from a table went to the account at the cage."""

    patron: str
    amount: Cents
    table: str


class CageReversed(_BookEvent, frozen=True, kw_only=True, tag="cage_reversed/1"):
    """An earlier entry of the cage was undone; it stays in the record."""

    entry: int
    patron: str
    amount: Cents
    """What the account gains by it, which may be less than nothing."""


class LinkCreated(_BookEvent, frozen=True, kw_only=True, tag="link_created/1"):
    """A link began, with its meters at their initial amounts."""

    link: str
    meters: tuple[tuple[str, MeterUnits], ...]


class TableJoined(_BookEvent, frozen=True, kw_only=True, tag="table_joined/1"):
    """A table joined the link under these house rules; what the tables of a link must share was checked."""

    table: str
    rules: str
    clause: str
    reading: int | None = None


class MeterMoved(_BookEvent, frozen=True, kw_only=True, tag="meter_moved/1"):
    """An entry of a table moved a meter of the link: a contribution, an award with its reset, or one of them undone."""

    table: str
    entry: int
    cause: str
    """The event of the table."""
    meter: str
    units: MeterUnits
    value: MeterUnits
    """What the meter holds after it."""


BookEvent: TypeAlias = (
    Deposited
    | Withdrawn
    | ChipsIssued
    | ChipsRedeemed
    | CageReversed
    | LinkCreated
    | TableJoined
    | MeterMoved
    | HouseEvent
)


class Author(Struct, frozen=True):
    """Who made an entry: a cashier, the operator, a device, or somebody at a table."""

    role: str
    id: str


class BookEntry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of the record of the cage, of a link or of the house itself."""

    stream: str
    seq: int
    at: datetime
    by: Author
    command: str = ""
    reason: str = ""
    event: BookEvent = field(name="what")

    @property
    def name(self) -> str:
        """The name of the event with its version."""
        return str(self.event.__struct_config__.tag)


class BookPosting(NamedTuple):
    """What an event adds to an account, or takes from it."""

    account: LedgerAccount
    amount: int


def book_postings(event: BookEvent) -> tuple[BookPosting, ...]:
    """What an event moves; each unit sums to zero. The meters of a link are moved by the entries of its tables."""
    match event:
        case Deposited() | ChipsRedeemed() | CageReversed():
            return _patron(event.patron, event.amount)
        case Withdrawn() | ChipsIssued():
            return _patron(event.patron, -event.amount)
        case LinkCreated():
            stream = f"link/{event.link}"
            return tuple(
                BookPosting(account_of(stream, account), amount)
                for name, units in event.meters
                for account, amount in ((meter(name), units), (METER_SEEDED, -units))
            )
    return ()


def _patron(patron: str, amount: int) -> tuple[BookPosting, ...]:
    return BookPosting(patron_account(patron), amount), BookPosting(CAGE_ACCOUNT, -amount)


def book_event_names() -> tuple[str, ...]:
    """Every event of these records, by its name and version."""
    return tuple(str(kind.__struct_config__.tag) for kind in get_args(BookEvent))


def write_book_line(entry: BookEntry) -> bytes:
    """An entry as a line."""
    return _ENCODER.encode(entry)


def read_book_line(line: bytes) -> BookEntry:
    """An entry from a line."""
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        text = clip(line.decode(errors="replace"), 120)
        raise BrokenRecord(f"this line cannot be read: {error}: {text}") from None


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(BookEntry)
