"""The house as its record has it: people with roles and limits, submissions, tables. A pure fold over its entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.house.floor_state import FloorState, evolve_floor
from croupier.ledger import (
    BookEntry,
    DealtBy,
    DisputeAnswered,
    DisputeRaised,
    ExclusionBegun,
    ExclusionEnded,
    FloorCalled,
    FloorCame,
    HandPaySlipMade,
    HouseBegun,
    HouseRole,
    LimitKind,
    LimitSet,
    PasswordChanged,
    PersonAdded,
    PersonRestored,
    PersonSuspended,
    PlayClosed,
    PlayOpened,
    PlayPaused,
    PlayResumed,
    RolesChanged,
    RulesChangeConfirmed,
    RulesChangeProposed,
    RulesChangeWithdrawn,
    SecondFactorRemoved,
    SecondFactorSet,
    SessionsEnded,
    SettingsChanged,
    SubmissionApproved,
    SubmissionDrafted,
    SubmissionReturned,
    TableHandedOver,
    TableKind,
    TableMade,
    TokenIssued,
    TokenRevoked,
)

__all__ = [
    "HANDED_OUT",
    "RAISED_AFTER",
    "DeviceToken",
    "HandOverOrder",
    "HouseState",
    "HouseTable",
    "PersonState",
    "PlayExclusion",
    "RulesChange",
    "RulesConfirmed",
    "SubmissionVersion",
    "TableRun",
    "evolve_house",
    "limit_at",
]

HANDED_OUT: Final = timedelta(days=7)
"""A password that somebody else handed out works this long, unless its person changes it."""
RAISED_AFTER: Final = timedelta(hours=24)
"""A raised limit holds this long after it was asked for."""
TableRun: TypeAlias = Literal["new", "open", "paused", "closed"]
Asked: TypeAlias = tuple[tuple[datetime, int | None], ...]
"""Each time at which a limit was set, and to what; None takes it away."""


class PlayExclusion(Struct, frozen=True):
    """A player keeps away from play: until this time at least, or for good."""

    since: datetime
    until: datetime | None


class PersonState(Struct, frozen=True, kw_only=True):
    """One person of the house."""

    id: str
    roles: tuple[HouseRole, ...]
    added: datetime
    suspended: bool = False
    second_factor: bool = False
    asked: tuple[tuple[LimitKind, Asked], ...] = ()
    exclusion: PlayExclusion | None = None
    sessions_ended: datetime | None = None
    """Sessions made up to this time are over."""
    handed: datetime | None = None
    """When somebody else handed out the password that this person has not changed since."""

    def limit(self, kind: LimitKind, at: datetime) -> int | None:
        """The limit of this kind that holds at a time."""
        return limit_at(dict(self.asked).get(kind, ()), at)

    @property
    def is_player(self) -> bool:
        """Whether this is a player, not staff."""
        return self.roles == ("player",)


class DeviceToken(Struct, frozen=True, kw_only=True):
    """What a device may do with its token."""

    id: str
    device: str
    scope: tuple[str, ...]
    tables: tuple[str, ...]
    """No tables: every table."""
    expires: datetime
    revoked: bool = False


class SubmissionVersion(Struct, frozen=True, kw_only=True):
    """One version of a submission."""

    name: str
    version: int
    rulebook: str
    text: str
    hash: str
    rules: str
    drafted_by: str
    drafted: datetime
    status: Literal["drafted", "approved", "returned"] = "drafted"
    judged_by: str = ""
    judged: datetime | None = None
    note: str = ""


class RulesChange(Struct, frozen=True):
    """A change of a table's rules that somebody else has to confirm."""

    submission: str
    version: int
    by: str


class RulesConfirmed(Struct, frozen=True, kw_only=True):
    """A change of a table's rules that two people have agreed on: the table takes it between rounds."""

    entry: int
    """The entry of the house's record that says so."""
    proposed_by: str
    by: str
    role: str
    """The role in which it was confirmed."""


class HandOverOrder(Struct, frozen=True, kw_only=True):
    """A person who deals at a table because somebody ordered it: the table takes them on duty."""

    entry: int
    """The entry of the house's record that says so."""
    person: str
    by: str
    role: str
    """The role in which it was ordered."""


class HouseTable(Struct, frozen=True, kw_only=True):
    """A table of the house."""

    id: str
    submission: str
    version: int
    kind: TableKind
    dealer: DealtBy
    pace: int
    link: str
    run: TableRun = "new"
    dealt_by: str = ""
    """The person who took the table over, if one did."""
    handed: HandOverOrder | None = None
    """Who ordered it."""
    proposed: RulesChange | None = None
    confirmed: RulesConfirmed | None = None
    """The last change of its rules."""


class HouseState(Struct, frozen=True, kw_only=True):
    """Everything that the house's own record says."""

    seq: int = 0
    begun: bool = False
    demo: bool = False
    time_zone: str = "UTC"
    day_start: str = "06:00"
    people: Mapping[str, PersonState] = MappingProxyType({})
    tokens: Mapping[str, DeviceToken] = MappingProxyType({})
    submissions: Mapping[tuple[str, int], SubmissionVersion] = MappingProxyType({})
    tables: Mapping[str, HouseTable] = MappingProxyType({})
    floor: FloorState = FloorState()
    """Disputes, the paperwork of hand pays, and calls for the floor."""

    def versions(self, name: str) -> tuple[SubmissionVersion, ...]:
        """The versions of a submission, in order."""
        return tuple(version for version in self.submissions.values() if version.name == name)

    def rules_of(self, table: HouseTable) -> SubmissionVersion:
        """The version that a table plays under."""
        return self.submissions[table.submission, table.version]

    def password_until(self, person: PersonState) -> datetime | None:
        """When a password that was handed out stops working; None for one's own, and in a demo."""
        return None if self.demo or person.handed is None else person.handed + HANDED_OUT

    def is_expired(self, person: PersonState, at: datetime) -> bool:
        """Whether a password that was handed out no longer works."""
        until = self.password_until(person)
        return until is not None and at >= until

    def operators(self) -> tuple[str, ...]:
        """The operators who can sign in."""
        return tuple(
            person.id for person in self.people.values() if "operator" in person.roles and not person.suspended
        )


def limit_at(asked: Asked, at: datetime) -> int | None:
    """The strictest of what a player has asked for within the last 24 hours: the limit that holds.

    So a lower limit holds at once, and a higher one, or none, after a day.

    >>> day = datetime(2026, 1, 1)
    >>> asked = ((day, 100), (day + timedelta(days=2), 500))
    >>> limit_at(asked, day + timedelta(days=2, hours=23)), limit_at(asked, day + timedelta(days=3))
    (100, 500)
    """
    standing: int | None = None
    amounts = []
    for when, amount in asked:
        if when <= at - RAISED_AFTER:
            standing = amount
        elif when <= at:
            amounts.append(amount)
    return min((amount for amount in (standing, *amounts) if amount is not None), default=None)


def evolve_house(state: HouseState, entries: Iterable[BookEntry]) -> HouseState:
    """The house after these entries."""
    people, tokens = dict(state.people), dict(state.tokens)
    submissions, tables, floor = dict(state.submissions), dict(state.tables), state.floor
    seq, begun, demo, time_zone, day_start = state.seq, state.begun, state.demo, state.time_zone, state.day_start
    for entry in entries:
        seq, event, at = entry.seq, entry.event, entry.at
        match event:
            case HouseBegun():
                begun, demo, time_zone, day_start = True, event.demo, event.time_zone, event.day_start
            case SettingsChanged():
                time_zone, day_start = event.time_zone, event.day_start
            case PersonAdded():
                handed = None if entry.by.id == event.person else at
                people[event.person] = PersonState(id=event.person, roles=event.roles, added=at, handed=handed)
            case PasswordChanged():
                handed = None if entry.by.id == event.person else at
                people[event.person] = replace(people[event.person], handed=handed)
            case (
                RolesChanged()
                | PersonSuspended()
                | PersonRestored()
                | SecondFactorSet()
                | SecondFactorRemoved()
                | SessionsEnded()
                | LimitSet()
                | ExclusionBegun()
                | ExclusionEnded()
            ):
                people[event.person] = _person(people[event.person], event, at)
            case TokenIssued():
                tokens[event.token] = DeviceToken(
                    id=event.token, device=event.device, scope=event.scope, tables=event.tables, expires=event.expires
                )
            case TokenRevoked():
                tokens[event.token] = replace(tokens[event.token], revoked=True)
            case SubmissionDrafted():
                submissions[event.name, event.version] = _drafted(event, entry)
            case SubmissionApproved() | SubmissionReturned():
                place = event.name, event.version
                status: Literal["approved", "returned"] = (
                    "approved" if isinstance(event, SubmissionApproved) else "returned"
                )
                submissions[place] = replace(
                    submissions[place], status=status, judged_by=entry.by.id, judged=at, note=event.note
                )
            case TableMade():
                tables[event.table] = HouseTable(
                    id=event.table,
                    submission=event.submission,
                    version=event.version,
                    kind=event.kind,
                    dealer=event.dealer,
                    pace=event.pace,
                    link=event.link,
                )
            case (
                PlayOpened()
                | PlayPaused()
                | PlayResumed()
                | PlayClosed()
                | TableHandedOver()
                | RulesChangeProposed()
                | RulesChangeConfirmed()
                | RulesChangeWithdrawn()
            ):
                tables[event.table] = _table(tables[event.table], event, entry)
            case DisputeRaised() | DisputeAnswered() | HandPaySlipMade() | FloorCalled() | FloorCame():
                floor = evolve_floor(floor, entry)
            case _:
                pass
    return HouseState(
        seq=seq,
        begun=begun,
        demo=demo,
        time_zone=time_zone,
        day_start=day_start,
        people=MappingProxyType(people),
        tokens=MappingProxyType(tokens),
        submissions=MappingProxyType(submissions),
        tables=MappingProxyType(tables),
        floor=floor,
    )


def _person(person: PersonState, event: Struct, at: datetime) -> PersonState:
    match event:
        case RolesChanged(roles=roles):
            return replace(person, roles=roles)
        case PersonSuspended():
            return replace(person, suspended=True, sessions_ended=at)
        case PersonRestored():
            return replace(person, suspended=False)
        case SecondFactorSet():
            return replace(person, second_factor=True)
        case SecondFactorRemoved():
            return replace(person, second_factor=False)
        case SessionsEnded():
            return replace(person, sessions_ended=at)
        case LimitSet(limit=kind, amount=amount):
            asked = dict(person.asked)
            asked[kind] = (*asked.get(kind, ()), (at, amount))
            return replace(person, asked=tuple(asked.items()))
        case ExclusionBegun(until=until):
            since = person.exclusion.since if person.exclusion is not None else at
            return replace(person, exclusion=PlayExclusion(since, until))
        case _:
            return replace(person, exclusion=None)


def _drafted(event: SubmissionDrafted, entry: BookEntry) -> SubmissionVersion:
    return SubmissionVersion(
        name=event.name,
        version=event.version,
        rulebook=event.rulebook,
        text=event.submission,
        hash=event.hash,
        rules=event.rules,
        drafted_by=entry.by.id,
        drafted=entry.at,
    )


def _table(table: HouseTable, event: Struct, entry: BookEntry) -> HouseTable:
    match event:
        case PlayOpened() | PlayResumed():
            return replace(table, run="open")
        case PlayPaused():
            return replace(table, run="paused")
        case PlayClosed():
            return replace(table, run="closed")
        case TableHandedOver(dealer=dealer, person=person):
            order = HandOverOrder(entry=entry.seq, person=person, by=entry.by.id, role=entry.by.role)
            return replace(table, dealer=dealer, dealt_by=person, handed=order if person else None)
        case RulesChangeProposed(submission=submission, version=version):
            return replace(table, proposed=RulesChange(submission, version, entry.by.id))
        case RulesChangeConfirmed(submission=submission, version=version, proposed_by=proposed_by):
            confirmed = RulesConfirmed(entry=entry.seq, proposed_by=proposed_by, by=entry.by.id, role=entry.by.role)
            return replace(table, submission=submission, version=version, proposed=None, confirmed=confirmed)
        case _:
            return replace(table, proposed=None)
