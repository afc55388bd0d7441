"""Meters reconciled: what each held, what stakes added, what awards took and resets put back, and what it holds now.

The moves come from the events, the holdings from the accounts: two records of the same money, which must agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from croupier.games import events as round_events
from croupier.ledger.accounts import account_of
from croupier.ledger.reports import PostedEntry
from croupier.table import Account
from croupier.table import events as table_events

__all__ = ["MeterFigures", "meter_figures"]

_RESERVE = "reserve"


class MeterFigures(Struct, frozen=True, kw_only=True):
    """A meter over a period, in 1/10,000 cent."""

    account: str
    """The account of the house, such as `table/7/meter/main`; a reserve is a meter here."""
    opening: int = 0
    contributions: int = 0
    awards: int = 0
    """What was won from it, in full."""
    taken_back: int = 0
    """Awards that were rejected or reversed, in full."""
    resets: int = 0
    """What resets put back after awards, less what was undone."""
    seeded: int = 0
    """Initial amounts, and what a change of rules or the meter's own record added."""
    closing: int = 0
    """What the account holds."""
    hits: int = 0

    @property
    def expected(self) -> int:
        """What it should hold."""
        moved = self.contributions - self.awards + self.taken_back + self.resets + self.seeded
        return self.opening + moved

    @property
    def difference(self) -> int:
        """Zero in a record that is whole."""
        return self.closing - self.expected


class _Moves(Struct):
    contributions: int = 0
    awards: int = 0
    taken_back: int = 0
    resets: int = 0
    seeded: int = 0
    hits: int = 0

    def award(self, taken: int, reset: int, sign: int) -> None:
        """An award, or one that is undone."""
        if sign > 0:
            self.awards += taken + reset
            self.hits += 1
        else:
            self.taken_back += taken + reset
        self.resets += sign * reset


class _Taken(Struct, frozen=True):
    account: str
    taken: int
    reset: int


def _won_before(posted: PostedEntry, units: int) -> _Taken:
    """An award that was won before the period: its postings name the meter."""
    account = next(account for account, _ in posted.moves if account.kind == "meter")
    return _Taken(account_of(posted.entry.stream, account).name, units, 0)


def meter_figures(
    entries: Iterable[PostedEntry],
    *,
    opening: Mapping[str, int],
    closing: Mapping[str, int],
    seeded: Mapping[str, int] | None = None,
) -> tuple[MeterFigures, ...]:
    """Every meter by its account, from the entries of all tables and what its account held before and after.

    `seeded` is what records other than the tables' added: a link runs its own meters.
    """
    moves: dict[str, _Moves] = {account: _Moves(seeded=units) for account, units in (seeded or {}).items()}
    pending: dict[tuple[str, int, int], _Taken] = {}
    held = dict(opening)

    def of(stream: str, meter: str, link: str) -> tuple[str, _Moves]:
        account = Account("reserve") if meter == _RESERVE else Account("meter", meter, link)
        name = account_of(stream, account).name
        return name, moves.setdefault(name, _Moves())

    def move(name: str, units: int) -> None:
        held[name] = held.get(name, 0) + units

    for posted in entries:
        entry, event = posted.entry, posted.entry.event
        place = (entry.stream, entry.round, getattr(event, "seat", 0))
        match event:
            case table_events.TableCreated() | table_events.RulesChanged():
                for meter, units in event.meters:
                    name, line = of(entry.stream, meter, "")
                    added = units - held.get(name, 0)
                    line.seeded += added
                    move(name, added)
            case round_events.MeterRaised():
                name, line = of(entry.stream, event.meter, event.link)
                line.contributions += event.units
                move(name, event.units)
            case table_events.AwardPending() if event.meter:
                name, line = of(entry.stream, event.meter, event.link)
                line.award(event.taken, event.reset, 1)
                pending[place] = _Taken(name, event.taken, event.reset)
                move(name, -event.taken)
            case table_events.AwardRejected() | table_events.AwardReversed() if event.meter and event.units:
                was = pending.pop(place, None) or _won_before(posted, event.units)
                moves.setdefault(was.account, _Moves()).award(was.taken, was.reset, -1)
                move(was.account, was.taken)
            case _:
                pass
    names = {*moves, *(name for name, units in {**opening, **closing}.items() if units)}
    return tuple(
        MeterFigures(
            account=name,
            opening=opening.get(name, 0),
            closing=closing.get(name, 0),
            **{field: getattr(line, field) for field in _Moves.__struct_fields__},
        )
        for name in sorted(names)
        for line in [moves.get(name, _Moves())]
    )
