"""Meters that several tables share: one stream decides the order in which tables add to them and take from them.

At a winner's turn the meter is read, and the award taken, in one append with the table's own entries. If a table of
another process was first, the command is decided again with what the meter shows now.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from croupier.driver import Outcome, TableRunner
from croupier.errors import BrokenRecord, RuleViolation
from croupier.games import awaiting
from croupier.games.actions import ReadMeter, Settle
from croupier.ids import check_id
from croupier.ledger import BookEvent, LinkCreated, MeterMoved, TableJoined
from croupier.money import Cents, MeterUnits, print_dollars
from croupier.progressive import Meter, house_meters, moved, shown
from croupier.rulebook import Archive, HouseRules, check_links
from croupier.store.book import Book
from croupier.store.laws import LawShelf
from croupier.store.store import Store
from croupier.table import Person, Request, Table, cited_duty

__all__ = ["Link", "check_proposal", "link_of"]

LINK: Final = Person("device", "progressive link")


def link_of(house: HouseRules) -> str:
    """The link that the meters of a house belong to, or nothing."""
    return next((wager.link for wager in house.wagers if wager.link), "")


def check_proposal(before: HouseRules, after: HouseRules) -> None:
    """Refuse new rules that would take a table off its link, onto another, or apart from the tables on it."""
    if link_of(before) == link_of(after) == "":
        return
    rule = after.rulebook.paytables.link or before.rulebook.paytables.link
    differing = [finding.message for finding in check_links({"the table": before, "": after})[""]]
    if link_of(before) != link_of(after):
        differing = ["a table joins a link when it is created, and stays on it"]
    if differing:
        clause, reading = (rule.clause, rule.reading) if rule is not None else ("", None)
        raise RuleViolation("link_differs", differing[0], clause=clause, reading=reading)


class Link:
    """One link: its meters as its record has them."""

    def __init__(self, store: Store, name: str) -> None:
        self.name: Final = check_id(name, "link")
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

    async def shown(self) -> tuple[tuple[str, Cents], ...]:
        """What every meter shows now, whichever process moved it last."""
        held: dict[str, int] = dict(await self._store.read("select name, amount from account where unit = 'meter'"))
        names = {name: f"{self.book.stream}/meter/{name}" for name in self.meters}
        return tuple(
            (name, shown(moved(meter, held[names[name]] - meter.units))) for name, meter in self.meters.items()
        )

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
                try:
                    await self._store.append(page.append)
                except BaseException:
                    self.book.forget()
                    raise
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

    def reading(self, table: Table, at: datetime, outcome: Outcome | None = None) -> Request | None:
        """The command that tells a table what a meter of the link shows, if it waits for that.

        `outcome` is what is decided already and not stored yet: it may have moved the meter.
        """
        asked = awaiting(table.round) if table.round is not None else None
        if asked is None or asked.kind != "meter" or asked.meter not in self.meters:
            return None
        return Request(LINK, at, ReadMeter(asked.meter, self._shown(asked.meter, outcome)))

    def _shown(self, name: str, outcome: Outcome | None) -> Cents:
        meter = self.meters[name]
        for event in self.moves(outcome) if outcome is not None else ():
            if isinstance(event, MeterMoved) and event.meter == name:
                meter = moved(meter, event.units)
        return shown(meter)

    def check_reading(self, table: Table, command: ReadMeter) -> None:
        """Refuse a reading that is not what the link's own record says."""
        if command.meter in self.meters and command.shown != (due := shown(self.meters[command.meter])):
            cited = cited_duty(table.house, "tell_meter")
            words = f"the {command.meter} meter of the link shows {print_dollars(due)}"
            raise RuleViolation("own_meter", words, clause=cited.clause, reading=cited.reading)

    def decide(self, runner: TableRunner, request: Request, *, automatic: bool) -> Outcome:
        """The result of a command; where a winner's turn comes, the link says what its meter shows."""
        if isinstance(request.command, ReadMeter):
            self.check_reading(runner.table, request.command)
        before: Outcome | None = None
        if isinstance(request.command, Settle):
            while (told := self.reading(before.table if before else runner.table, request.at, before)) is not None:
                before = runner.decide(told, before)
        outcome = runner.decide(request, before)
        while automatic and (told := self.reading(outcome.table, request.at, outcome)) is not None:
            outcome = runner.decide(told, outcome)
        return outcome

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
