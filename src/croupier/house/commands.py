"""The commands of the house, and a command with who gives it, when and how they signed in."""

from __future__ import annotations

from datetime import datetime
from typing import Final, TypeAlias

from msgspec import Struct

from croupier.ledger import DealtBy, HouseRole, LimitKind, TableKind

__all__ = [
    "THE_HOUSE",
    "AddPerson",
    "AnswerCall",
    "AnswerDispute",
    "ApproveSubmission",
    "BeginHouse",
    "CallFloor",
    "ChangePassword",
    "ChangeRoles",
    "ChangeSettings",
    "ClosePlay",
    "ConfirmRulesChange",
    "DraftSubmission",
    "EndExclusion",
    "EndSessions",
    "Exclude",
    "HandOver",
    "HouseCommand",
    "HouseRequest",
    "IssueToken",
    "MakeHandPaySlip",
    "MakeTable",
    "OpenPlay",
    "PausePlay",
    "ProposeRulesChange",
    "RaiseDispute",
    "RemoveSecondFactor",
    "RescueOperator",
    "ResetPassword",
    "RestorePerson",
    "ResumePlay",
    "ReturnSubmission",
    "RevokeToken",
    "SetLimits",
    "SetSecondFactor",
    "SignUp",
    "SuspendPerson",
    "WithdrawRulesChange",
    "about",
    "name_of",
]

THE_HOUSE: Final = "the-house"
"""Who begins the record of a house, and rescues its operators: nobody signs in as this."""


class _HouseCommand(Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    pass


class BeginHouse(_HouseCommand, frozen=True, kw_only=True, tag="begin_house"):
    """Begin the record of a house with its first operator."""

    operator: str
    demo: bool = False
    time_zone: str = "UTC"
    day_start: str = "06:00"


class ChangeSettings(_HouseCommand, frozen=True, kw_only=True, tag="change_settings"):
    """Set the time zone, and when the gaming day begins."""

    time_zone: str
    day_start: str


class _AboutPerson(_HouseCommand, frozen=True, kw_only=True):
    person: str


class AddPerson(_AboutPerson, frozen=True, kw_only=True, tag="add_person"):
    """Give somebody an account."""

    roles: tuple[HouseRole, ...]


class SignUp(_AboutPerson, frozen=True, kw_only=True, tag="sign_up"):
    """A player of a demo makes an account."""


class ChangeRoles(_AboutPerson, frozen=True, kw_only=True, tag="change_roles"):
    """Give somebody other roles."""

    roles: tuple[HouseRole, ...]


class SuspendPerson(_AboutPerson, frozen=True, kw_only=True, tag="suspend_person"):
    """Keep somebody from signing in."""


class RestorePerson(_AboutPerson, frozen=True, kw_only=True, tag="restore_person"):
    """Let somebody sign in again."""


class ChangePassword(_AboutPerson, frozen=True, kw_only=True, tag="change_password"):
    """A person sets a password of their own."""


class ResetPassword(_AboutPerson, frozen=True, kw_only=True, tag="reset_password"):
    """Somebody else sets a password, for who has forgotten it."""


class SetSecondFactor(_AboutPerson, frozen=True, kw_only=True, tag="set_second_factor"):
    """A person signs in with a code as well from now on."""


class RemoveSecondFactor(_AboutPerson, frozen=True, kw_only=True, tag="remove_second_factor"):
    """Somebody else removes a second factor that was lost."""


class RescueOperator(_AboutPerson, frozen=True, kw_only=True, tag="rescue_operator"):
    """Whoever runs the machine gives an operator a new password, and takes a lost second factor away."""

    remove_second_factor: bool = False


class EndSessions(_AboutPerson, frozen=True, kw_only=True, tag="end_sessions"):
    """Sign somebody out everywhere."""


class IssueToken(_HouseCommand, frozen=True, kw_only=True, tag="issue_token"):
    """Give a device a token: what it may do and read, at which tables (none: at every one), until when."""

    token: str
    device: str
    scope: tuple[str, ...]
    tables: tuple[str, ...] = ()
    expires: datetime


class RevokeToken(_HouseCommand, frozen=True, kw_only=True, tag="revoke_token"):
    """Take a token back."""

    token: str


class SetLimits(_AboutPerson, frozen=True, kw_only=True, tag="set_limits"):
    """Set a player's limits, in cents and minutes; None takes one away, and those not named stay."""

    limits: dict[LimitKind, int | None]


class Exclude(_AboutPerson, frozen=True, kw_only=True, tag="exclude"):
    """Keep a player away from play until this time at least, or for good."""

    until: datetime | None


class EndExclusion(_AboutPerson, frozen=True, kw_only=True, tag="end_exclusion"):
    """Let a player come back once the time of an exclusion is over."""


class DraftSubmission(_HouseCommand, frozen=True, kw_only=True, tag="draft_submission"):
    """File a new version of a submission, as TOML or JSON."""

    name: str
    submission: str


class ApproveSubmission(_HouseCommand, frozen=True, kw_only=True, tag="approve_submission"):
    """Approve a version of a submission; with `hash` only if that is the submission that was looked at."""

    name: str
    version: int
    note: str = ""
    hash: str = ""


class ReturnSubmission(_HouseCommand, frozen=True, kw_only=True, tag="return_submission"):
    """Return a version of a submission, and say why; with `hash` only if that is the one that was looked at."""

    name: str
    version: int
    note: str
    hash: str = ""


class _AboutTable(_HouseCommand, frozen=True, kw_only=True):
    table: str


class MakeTable(_AboutTable, frozen=True, kw_only=True, tag="make_table"):
    """Make a table under a version of a submission."""

    submission: str
    version: int
    kind: TableKind = "virtual"
    dealer: DealtBy = "automatic"
    pace: int = 1_000


class OpenPlay(_AboutTable, frozen=True, kw_only=True, tag="open_play"):
    """Have the house run a table."""


class PausePlay(_AboutTable, frozen=True, kw_only=True, tag="pause_play"):
    """Have no new round begin at a table."""


class ResumePlay(_AboutTable, frozen=True, kw_only=True, tag="resume_play"):
    """Have rounds begin again."""


class ClosePlay(_AboutTable, frozen=True, kw_only=True, tag="close_play"):
    """Have the house run a table no longer."""


class HandOver(_AboutTable, frozen=True, kw_only=True, tag="hand_over"):
    """Hand a table over: to the automatic dealer, or to a person who deals."""

    dealer: DealtBy
    person: str = ""


class ProposeRulesChange(_AboutTable, frozen=True, kw_only=True, tag="propose_rules_change"):
    """Propose another approved version as a table's rules."""

    submission: str
    version: int


class ConfirmRulesChange(_AboutTable, frozen=True, kw_only=True, tag="confirm_rules_change"):
    """Confirm what somebody else has proposed; whoever runs the table says whether a round is in play."""

    in_round: bool


class WithdrawRulesChange(_AboutTable, frozen=True, kw_only=True, tag="withdraw_rules_change"):
    """Take back what was proposed."""


class RaiseDispute(_AboutPerson, frozen=True, kw_only=True, tag="raise_dispute"):
    """Dispute a round: a player their own, the floor any; whoever serves it says that there was such a round."""

    table: str
    round: int
    seat: int = 0
    words: str


class AnswerDispute(_HouseCommand, frozen=True, kw_only=True, tag="answer_dispute"):
    """Answer a dispute: whether the settlement stands, and why."""

    dispute: int
    stands: bool
    words: str


class MakeHandPaySlip(_AboutTable, frozen=True, kw_only=True, tag="make_hand_pay_slip"):
    """Make out the paperwork of an award that waits to be paid by hand, as the table says it is."""

    round: int
    seat: int
    person: str
    amount: int
    reference: str


class CallFloor(_AboutTable, frozen=True, kw_only=True, tag="call_floor"):
    """Ask for the floor at a table, and say what it is about; whoever asks again says more."""

    about: str = ""


class AnswerCall(_AboutTable, frozen=True, kw_only=True, tag="answer_call"):
    """Say that the floor is at a table that has called."""


HouseCommand: TypeAlias = (
    BeginHouse
    | ChangeSettings
    | AddPerson
    | SignUp
    | ChangeRoles
    | SuspendPerson
    | RestorePerson
    | ChangePassword
    | ResetPassword
    | SetSecondFactor
    | RemoveSecondFactor
    | RescueOperator
    | EndSessions
    | IssueToken
    | RevokeToken
    | SetLimits
    | Exclude
    | EndExclusion
    | DraftSubmission
    | ApproveSubmission
    | ReturnSubmission
    | MakeTable
    | OpenPlay
    | PausePlay
    | ResumePlay
    | ClosePlay
    | HandOver
    | ProposeRulesChange
    | ConfirmRulesChange
    | WithdrawRulesChange
    | RaiseDispute
    | AnswerDispute
    | MakeHandPaySlip
    | CallFloor
    | AnswerCall
)


class HouseRequest(Struct, frozen=True, kw_only=True):
    """A command with who gives it and when."""

    by: str
    """The id of a person."""
    at: datetime
    command: HouseCommand
    factor: bool = False
    """Whether they signed in with a second factor."""
    reason: str = ""
    key: str = ""
    """A key that makes the command safe to send twice."""


def name_of(command: HouseCommand) -> str:
    """The name of a command.

    >>> name_of(PausePlay(table="7"))
    'pause_play'
    """
    return str(command.__struct_config__.tag)


def about(command: HouseCommand) -> str:
    """The person whom a command is about, or nothing."""
    return command.person if isinstance(command, _AboutPerson) else ""
