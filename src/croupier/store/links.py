"""Meters that several tables share: one stream decides the order in which tables add to them and take from them.

At a winner's turn the meter is read, and the award taken, in one append with the table's own entries. If a table of
another process was first, the command is decided again with what the meter shows now.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from croupier.driver import Outcome
from croupier.errors import BrokenRecord, RuleViolation
from croupier.games import awaiting
from croupier.games.actions import ReadMeter
from croupier.ledger import BookEvent, LinkCreated, MeterMoved, TableJoined
from croupier.money import MeterUnits
from croupier.progressive import Meter, house_meters, moved, shown
from croupier.rulebook import Archive, HouseRules, check_links
from croupier.store.book import Book
from croupier.store.laws import LawShelf
from croupier.store.store import Store
from croupier.table import Person, Request, Table

__all__ = ["Link", "link_of"]

LINK: Final = Person("device", "progressive link")


def link_of(house: HouseRules) -> str:
    """The link that the meters of a house belong to, or nothing."""
    return next((wager.link for wager in house.wagers if wager.link), "")


class Link:
    """One link: its meters as its record has them."""

    def __init__(self, store: Store, name: str) -> None:
        self.name: Final = name
        self.book: Final = Book(store, f"link/{name}")
        self.meters: dict[str, Meter] = {}
        self._store: Final = store
        self._tables: dict[str, str] = {}
        self._values: dict[str, MeterUnits] = {}

    async def load(self) -> None:
        """Read the link's record; whoever calls holds the book."""
        entries = await self.book.load()
        self._tables = {}
        values: dict[str, MeterUnits] = {}
        for entry in entries:
            match entry.event:
                case LinkCreated(meters=meters):
                    values = dict(meters)
                case TableJoined(table=table, rules=rules):
                    self._tables[table] = rules
                case MeterMoved(meter=meter, units=units, value=value):
                    if values[meter] + units != value:
                        raise BrokenRecord(f"{entry.stream}, entry {entry.seq}: the {meter} meter does not add up")
                    values[meter] = value
                case _:
                    pass
        self._values = values

    async def reload(self) -> None:
        """Read the record again after another process has written to it, or after a failure."""
        meters = self.meters
        await self.load()
        self.meters = {name: moved(meter, self._values[name] - meter.units) for name, meter in meters.items()}

    async def join(self, table: Table, at: datetime) -> None:
        """Bring a table onto the link; refused if it does not share what the tables of a link must share."""
        async with self.book.lock:
            await self.load()
            house = table.house
            meters = {meter.name: meter for meter in house_meters(house, linked=True)}
            events: list[BookEvent] = []
            if not self._values:
                opening = tuple((meter.name, meter.units) for meter in meters.values())
                events.append(LinkCreated(link=self.name, meters=opening))
                self._values = dict(opening)
            if self._tables.get(table.id) != house.hash:
                await self._check(table)
                rule = house.rulebook.paytables.link
                events.append(
                    TableJoined(
                        table=table.id,
                        rules=house.hash,
                        clause=rule.clause if rule is not None else "",
                        reading=rule.reading if rule is not None else None,
                    )
                )
            if events:
                page = self.book.page(events, by=LINK, at=at)
                await self._store.append(page.append)
                self.book.accept(page)
                self._tables[table.id] = house.hash
            self.meters = {name: moved(meter, self._values[name] - meter.units) for name, meter in meters.items()}

    async def _check(self, table: Table) -> None:
        """Compare with a table that is on the link already."""
        others = {name: rules for name, rules in self._tables.items() if name != table.id}
        if not others:
            return
        shelf = LawShelf()
        await shelf.read(self._store)
        archive = Archive(shelf)
        name, rules = next(iter(others.items()))
        other = archive.house(rules, archive.submission(rules))
        for finding in check_links({f"table {name}": other, f"table {table.id}": table.house})[f"table {table.id}"]:
            raise RuleViolation("link_differs", finding.message, clause=finding.clause, reading=finding.reading)

    def reading(self, table: Table, at: datetime) -> Request | None:
        """The command that tells a table what a meter of the link shows, if it waits for that."""
        asked = awaiting(table.round) if table.round is not None else None
        if asked is None or asked.kind != "meter" or asked.meter not in self.meters:
            return None
        return Request(LINK, at, ReadMeter(asked.meter, shown(self.meters[asked.meter])))

    def moves(self, outcome: Outcome) -> Sequence[BookEvent]:
        """What the entries of a table move on this link."""
        values = {name: meter.units for name, meter in self.meters.items()}
        events = []
        for entry, postings in zip(outcome.entries, outcome.moves, strict=True):
            for account, amount in postings:
                if account.kind == "meter" and account.link == self.name:
                    values[account.of] = MeterUnits(values[account.of] + amount)
                    events.append(
                        MeterMoved(
                            table=outcome.table.id,
                            entry=entry.seq,
                            cause=entry.name,
                            meter=account.of,
                            units=MeterUnits(amount),
                            value=values[account.of],
                        )
                    )
        return events

    def accept(self, events: Sequence[BookEvent]) -> None:
        """Move the meters, now that these events are stored."""
        for event in events:
            if isinstance(event, MeterMoved):
                meter = self.meters[event.meter]
                self.meters[event.meter] = moved(meter, event.value - meter.units)
