"""The house's own record: people by id, roles, limits, submissions, tables and disputes, in the stream `house`.

A line never has a name, a password or a secret: names and credentials are kept apart, where they can be forgotten.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "DealtBy",
    "DisputeAnswered",
    "DisputeRaised",
    "ExclusionBegun",
    "ExclusionEnded",
    "FloorCalled",
    "FloorCame",
    "HandPaySlipMade",
    "HouseBegun",
    "HouseEvent",
    "HouseRole",
    "LimitKind",
    "LimitSet",
    "PasswordChanged",
    "PersonAdded",
    "PersonRestored",
    "PersonSuspended",
    "PlayClosed",
    "PlayOpened",
    "PlayPaused",
    "PlayResumed",
    "RolesChanged",
    "RulesChangeConfirmed",
    "RulesChangeProposed",
    "RulesChangeWithdrawn",
    "SecondFactorRemoved",
    "SecondFactorSet",
    "SessionsEnded",
    "SettingsChanged",
    "SubmissionApproved",
    "SubmissionDrafted",
    "SubmissionReturned",
    "TableHandedOver",
    "TableKind",
    "TableMade",
    "TokenIssued",
    "TokenRevoked",
]

HouseRole: TypeAlias = Literal[
    "player",
    "dealer",
    "floorperson",
    "supervisor",
    "pit_manager",
    "shift_manager",
    "cashier",
    "operator",
    "regulator",
    "auditor",
    "device",
]
"""The roles of a house: those at a table, the cashier, and the auditor."""
LimitKind: TypeAlias = Literal["loss_day", "loss_week", "loss_month", "minutes_day"]
TableKind: TypeAlias = Literal["virtual", "physical"]
DealtBy: TypeAlias = Literal["automatic", "person"]


class _HouseEvent(Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True, omit_defaults=True):
    clause: str = ""
    """The clause that demands it, where a document does."""
    reading: int | None = None


class HouseBegun(_HouseEvent, frozen=True, kw_only=True, tag="house_begun/1"):
    """The record of a house began; in a demo players sign themselves up and play with play chips."""

    demo: bool
    time_zone: str
    day_start: str


class SettingsChanged(_HouseEvent, frozen=True, kw_only=True, tag="settings_changed/1"):
    """The time zone of the house, and the time at which its gaming day begins."""

    time_zone: str
    day_start: str


# --- people


class PersonAdded(_HouseEvent, frozen=True, kw_only=True, tag="person_added/1"):
    """A person got an account with these roles."""

    person: str
    roles: tuple[HouseRole, ...]


class RolesChanged(_HouseEvent, frozen=True, kw_only=True, tag="roles_changed/1"):
    """A person has these roles from now on."""

    person: str
    roles: tuple[HouseRole, ...]


class PersonSuspended(_HouseEvent, frozen=True, kw_only=True, tag="person_suspended/1"):
    """A person can no longer sign in; whoever is signed in is signed out."""

    person: str


class PersonRestored(_HouseEvent, frozen=True, kw_only=True, tag="person_restored/1"):
    """A suspended person can sign in again."""

    person: str


class PasswordChanged(_HouseEvent, frozen=True, kw_only=True, tag="password_changed/1"):
    """A password was set: by the person, or by whoever made the entry."""

    person: str


class SecondFactorSet(_HouseEvent, frozen=True, kw_only=True, tag="second_factor_set/1"):
    """A person needs a code beside the password from now on."""

    person: str


class SecondFactorRemoved(_HouseEvent, frozen=True, kw_only=True, tag="second_factor_removed/1"):
    """A person's second factor is gone: a lost phone."""

    person: str


class SessionsEnded(_HouseEvent, frozen=True, kw_only=True, tag="sessions_ended/1"):
    """A person was signed out everywhere."""

    person: str


class TokenIssued(_HouseEvent, frozen=True, kw_only=True, tag="token_issued/1"):
    """A device got a token: what it may do and read, at which tables, until when. No tables: at every table."""

    token: str
    device: str
    scope: tuple[str, ...]
    tables: tuple[str, ...]
    expires: datetime


class TokenRevoked(_HouseEvent, frozen=True, kw_only=True, tag="token_revoked/1"):
    """A token is no longer accepted."""

    token: str


# --- protection of players


class LimitSet(_HouseEvent, frozen=True, kw_only=True, tag="limit_set/1"):
    """A player's limit: cents lost in a day, week or month, or minutes played in a day; none takes it away.

    A lower limit holds at once, a higher one after a day.
    """

    person: str
    limit: LimitKind
    amount: int | None


class ExclusionBegun(_HouseEvent, frozen=True, kw_only=True, tag="exclusion_begun/1"):
    """A player is excluded until this time at least; without one, for good."""

    person: str
    until: datetime | None


class ExclusionEnded(_HouseEvent, frozen=True, kw_only=True, tag="exclusion_ended/1"):
    """A player came back after the time of an exclusion."""

    person: str


# --- submissions


class SubmissionDrafted(_HouseEvent, frozen=True, kw_only=True, tag="submission_drafted/1"):
    """A version of a submission: its canonical text and the hash of that, and the hash of the house rules it makes."""

    name: str
    version: int
    rulebook: str
    submission: str
    hash: str
    rules: str


class SubmissionApproved(_HouseEvent, frozen=True, kw_only=True, tag="submission_approved/1"):
    """A regulator approved a version: tables may open on it."""

    name: str
    version: int
    note: str


class SubmissionReturned(_HouseEvent, frozen=True, kw_only=True, tag="submission_returned/1"):
    """A regulator returned a version, and said why."""

    name: str
    version: int
    note: str


# --- tables


class TableMade(_HouseEvent, frozen=True, kw_only=True, tag="table_made/1"):
    """A table of the house: what it plays under, whether its cards are real, who deals, how fast, and its link."""

    table: str
    submission: str
    version: int
    kind: TableKind
    dealer: DealtBy
    pace: int
    """Milliseconds between two steps of an automatic dealer."""
    link: str = ""


class PlayOpened(_HouseEvent, frozen=True, kw_only=True, tag="play_opened/1"):
    """The house runs the table: its staff may open it."""

    table: str


class PlayPaused(_HouseEvent, frozen=True, kw_only=True, tag="play_paused/1"):
    """No new round begins at the table."""

    table: str


class PlayResumed(_HouseEvent, frozen=True, kw_only=True, tag="play_resumed/1"):
    """Rounds begin at the table again."""

    table: str


class PlayClosed(_HouseEvent, frozen=True, kw_only=True, tag="play_closed/1"):
    """The house no longer runs the table."""

    table: str


class TableHandedOver(_HouseEvent, frozen=True, kw_only=True, tag="table_handed_over/1"):
    """The automatic dealer took the table over from a person, or a person from it."""

    table: str
    dealer: DealtBy
    person: str = ""


class RulesChangeProposed(_HouseEvent, frozen=True, kw_only=True, tag="rules_change_proposed/1"):
    """An approved version of the table's submission is to be its rules; somebody else has to confirm it."""

    table: str
    submission: str
    version: int


class RulesChangeConfirmed(_HouseEvent, frozen=True, kw_only=True, tag="rules_change_confirmed/1"):
    """The table plays under this version from its next round on."""

    table: str
    submission: str
    version: int
    proposed_by: str


class RulesChangeWithdrawn(_HouseEvent, frozen=True, kw_only=True, tag="rules_change_withdrawn/1"):
    """A proposed change of rules was taken back."""

    table: str


# --- the floor and the cage


class DisputeRaised(_HouseEvent, frozen=True, kw_only=True, tag="dispute_raised/1"):
    """A player, or the floor for one, disputes a round; `person` is the player, if the house knows them."""

    dispute: int
    person: str
    table: str
    round: int
    seat: int
    words: str


class DisputeAnswered(_HouseEvent, frozen=True, kw_only=True, tag="dispute_answered/1"):
    """The floor answered a dispute: whether the settlement stands, and in words."""

    dispute: int
    stands: bool
    words: str


class HandPaySlipMade(_HouseEvent, frozen=True, kw_only=True, tag="hand_pay_slip_made/1"):
    """The cage made out the paperwork for an award that is paid by hand; the floor pays it at the table."""

    table: str
    round: int
    seat: int
    person: str
    amount: int
    reference: str


class FloorCalled(_HouseEvent, frozen=True, kw_only=True, tag="floor_called/1"):
    """Somebody at a table asked for the floor, and said about what."""

    table: str
    about: str


class FloorCame(_HouseEvent, frozen=True, kw_only=True, tag="floor_came/1"):
    """The floor came to a table that had called."""

    table: str


HouseEvent: TypeAlias = (
    HouseBegun
    | SettingsChanged
    | PersonAdded
    | RolesChanged
    | PersonSuspended
    | PersonRestored
    | PasswordChanged
    | SecondFactorSet
    | SecondFactorRemoved
    | SessionsEnded
    | TokenIssued
    | TokenRevoked
    | LimitSet
    | ExclusionBegun
    | ExclusionEnded
    | SubmissionDrafted
    | SubmissionApproved
    | SubmissionReturned
    | TableMade
    | PlayOpened
    | PlayPaused
    | PlayResumed
    | PlayClosed
    | TableHandedOver
    | RulesChangeProposed
    | RulesChangeConfirmed
    | RulesChangeWithdrawn
    | DisputeRaised
    | DisputeAnswered
    | HandPaySlipMade
    | FloorCalled
    | FloorCame
)
