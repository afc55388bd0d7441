"""What commands about submissions and tables demand, and what they lead to, with the clauses of their documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from croupier.errors import Malformed
from croupier.house import commands
from croupier.house.commands import HouseRequest
from croupier.house.refusals import LONGEST_NOTE, refuse
from croupier.house.state import HouseState, HouseTable, SubmissionVersion
from croupier.ledger import (
    HouseEvent,
    PlayClosed,
    PlayOpened,
    PlayPaused,
    PlayResumed,
    RulesChangeConfirmed,
    RulesChangeProposed,
    RulesChangeWithdrawn,
    SubmissionApproved,
    SubmissionDrafted,
    SubmissionReturned,
    TableHandedOver,
    TableMade,
)
from croupier.rulebook import check, load_rulebook, read_submission_text, submission_text
from croupier.rulebook.names import Duty
from croupier.wire import clip

__all__ = ["HOUSE_NAME", "TABLE_STEPS"]

Events = tuple[HouseEvent, ...]
HOUSE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._\-]{0,39}")
"""The name of a submission or of a table, as a browser reads it too."""
_SLOWEST: Final = 60_000
_LONGEST_HASH: Final = 64


def _cite(version: SubmissionVersion, duty: Duty) -> dict[str, Any]:
    """The clause of the document that speaks of this, at a table under this version."""
    rows = load_rulebook(version.rulebook).procedure.duty
    row = next(row for row in rows if row.do == duty)
    return {"clause": row.clause, "reading": row.reading}


# --- submissions


def _draft(state: HouseState, command: commands.DraftSubmission, _: HouseRequest) -> Events:
    if not HOUSE_NAME.fullmatch(command.name):
        raise Malformed("the name of a submission has 1 to 40 letters, digits, spaces, dots and hyphens")
    submission = read_submission_text(command.submission, name=command.name)
    checked = check(submission)
    if checked.house is None:
        first = next(finding for finding in checked.findings if finding.severity == "error")
        raise refuse("bad_submission", f"{first.key}: {first.message}", first.clause, first.reading)
    text, versions = submission_text(submission), state.versions(command.name)
    if versions and versions[-1].text == text:
        raise refuse("no_change", f"version {versions[-1].version} of {command.name} says exactly this")
    if versions and versions[0].rulebook != submission.rulebook:
        raise refuse("other_rulebook", f"{command.name} is under {versions[0].rulebook}: use another name")
    return (
        SubmissionDrafted(
            name=command.name,
            version=len(versions) + 1,
            rulebook=submission.rulebook,
            submission=text,
            hash=sha256(text.encode()).hexdigest(),
            rules=checked.house.hash,
        ),
    )


def _version(state: HouseState, name: str, version: int) -> SubmissionVersion:
    filed = state.submissions.get((name, version))
    if filed is None:
        raise refuse("unknown_submission", f"there is no version {version} of a submission {name}")
    return filed


def _approved(state: HouseState, name: str, version: int, duty: Duty) -> SubmissionVersion:
    filed = _version(state, name, version)
    if filed.status != "approved":
        words = f"version {version} of {name} is not approved: a table plays under an approved version"
        raise refuse("not_approved", words, **_cite(filed, duty))
    return filed


def _judged(
    state: HouseState, command: commands.ApproveSubmission | commands.ReturnSubmission, by: str
) -> dict[str, Any]:
    filed = _version(state, command.name, command.version)
    cited = _cite(filed, "propose_rules")
    if filed.status != "drafted":
        raise refuse("judged_before", f"version {filed.version} of {filed.name} was {filed.status} before", **cited)
    if command.hash and command.hash != filed.hash:
        seen = clip(command.hash, _LONGEST_HASH)
        words = (
            f"version {filed.version} of {filed.name} is not what was looked at: its hash is {filed.hash}, not {seen}"
        )
        raise refuse("not_what_was_seen", words, **cited)
    if filed.drafted_by == by:
        raise refuse("own_act", "who drafted a submission does not judge it", **cited)
    if len(command.note) > LONGEST_NOTE:
        raise refuse("too_long", f"a note has at most {LONGEST_NOTE} characters")
    return cited


def _approve(state: HouseState, command: commands.ApproveSubmission, request: HouseRequest) -> Events:
    cited = _judged(state, command, request.by)
    return (SubmissionApproved(name=command.name, version=command.version, note=command.note, **cited),)


def _return(state: HouseState, command: commands.ReturnSubmission, request: HouseRequest) -> Events:
    cited = _judged(state, command, request.by)
    if not command.note.strip():
        raise refuse("no_reason", "say why the submission is returned")
    return (SubmissionReturned(name=command.name, version=command.version, note=command.note, **cited),)


# --- tables


def _table(state: HouseState, table: str) -> HouseTable:
    if table not in state.tables:
        raise refuse("unknown_table", f"nobody has made table {table}")
    return state.tables[table]


def _make(state: HouseState, command: commands.MakeTable, _: HouseRequest) -> Events:
    if not HOUSE_NAME.fullmatch(command.table):
        raise Malformed("the id of a table has 1 to 40 letters, digits, spaces, dots and hyphens")
    if command.table in state.tables:
        raise refuse("known_table", f"there is a table {command.table} already")
    if not 0 <= command.pace <= _SLOWEST:
        raise refuse("bad_pace", f"the pace is from 0 to {_SLOWEST:,} milliseconds")
    filed = _version(state, command.submission, command.version)
    cited = _cite(filed, "open_table")
    if filed.status == "returned":
        raise refuse("not_approved", f"version {filed.version} of {filed.name} was returned: {filed.note}", **cited)
    _check_dealer(command.kind, command.dealer)
    return (
        TableMade(
            table=command.table,
            submission=filed.name,
            version=filed.version,
            kind=command.kind,
            dealer=command.dealer,
            pace=command.pace,
            link=_link(filed),
            **cited,
        ),
    )


def _check_dealer(kind: str, dealer: str) -> None:
    if kind == "physical" and dealer == "automatic":
        raise refuse("no_hands", "the cards of a physical table are dealt by a person")


def _link(filed: SubmissionVersion) -> str:
    wagers = read_submission_text(filed.text, name=filed.name).wagers.values()
    return next((wager.link.name for wager in wagers if wager.link is not None), "")


def _open(state: HouseState, command: commands.OpenPlay, _: HouseRequest) -> Events:
    table = _in(state, command.table, ("new", "closed"), "it runs already")
    filed = _approved(state, table.submission, table.version, "open_table")
    return (PlayOpened(table=table.id, **_cite(filed, "open_table")),)


def _in(state: HouseState, table: str, runs: tuple[str, ...], otherwise: str) -> HouseTable:
    made = _table(state, table)
    if made.run not in runs:
        raise refuse("wrong_time", f"table {table} is {made.run}: {otherwise}")
    return made


def _pause(state: HouseState, command: commands.PausePlay, _: HouseRequest) -> Events:
    table = _in(state, command.table, ("open",), "only an open table is paused")
    return (PlayPaused(table=table.id, **_cite(state.rules_of(table), "suspend_table")),)


def _resume(state: HouseState, command: commands.ResumePlay, _: HouseRequest) -> Events:
    table = _in(state, command.table, ("paused",), "only a paused table is resumed")
    return (PlayResumed(table=table.id, **_cite(state.rules_of(table), "release_table")),)


def _close(state: HouseState, command: commands.ClosePlay, _: HouseRequest) -> Events:
    table = _in(state, command.table, ("open", "paused"), "it does not run")
    return (PlayClosed(table=table.id, **_cite(state.rules_of(table), "close_table")),)


def _hand_over(state: HouseState, command: commands.HandOver, _: HouseRequest) -> Events:
    table = _table(state, command.table)
    _check_dealer(table.kind, command.dealer)
    if command.dealer == "person":
        person = state.people.get(command.person)
        if person is None or person.suspended or "dealer" not in person.roles:
            raise refuse("not_a_dealer", "name a dealer who can sign in")
    elif command.person:
        raise refuse("not_a_dealer", "the automatic dealer has no name")
    if (table.dealer, table.dealt_by) == (command.dealer, command.person):
        raise refuse("no_change", f"table {table.id} is theirs already")
    cited = _cite(state.rules_of(table), "assign")
    return (TableHandedOver(table=table.id, dealer=command.dealer, person=command.person, **cited),)


def _propose(state: HouseState, command: commands.ProposeRulesChange, _: HouseRequest) -> Events:
    table = _table(state, command.table)
    now, filed = state.rules_of(table), _approved(state, command.submission, command.version, "propose_rules")
    cited = _cite(now, "propose_rules")
    if filed.rulebook != now.rulebook:
        words = f"table {table.id} plays by {now.rulebook}: new rules must be under the same rulebook"
        raise refuse("other_rulebook", words, **cited)
    if filed == now:
        raise refuse("no_change", f"table {table.id} plays under this version already")
    return (RulesChangeProposed(table=table.id, submission=filed.name, version=filed.version, **cited),)


def _confirm(state: HouseState, command: commands.ConfirmRulesChange, request: HouseRequest) -> Events:
    table = _table(state, command.table)
    cited, proposed = _cite(state.rules_of(table), "confirm_rules"), table.proposed
    if proposed is None:
        raise refuse("nothing_there", f"no change of the rules of table {table.id} is proposed", **cited)
    if proposed.by == request.by:
        raise refuse("own_act", "who proposed a change of rules does not confirm it: somebody else has to", **cited)
    if command.in_round:
        raise refuse("round_in_progress", "change the rules between rounds", **cited)
    return (
        RulesChangeConfirmed(
            table=table.id,
            submission=proposed.submission,
            version=proposed.version,
            proposed_by=proposed.by,
            **cited,
        ),
    )


def _withdraw(state: HouseState, command: commands.WithdrawRulesChange, _: HouseRequest) -> Events:
    table = _table(state, command.table)
    if table.proposed is None:
        raise refuse("nothing_there", f"no change of the rules of table {table.id} is proposed")
    return (RulesChangeWithdrawn(table=table.id, **_cite(state.rules_of(table), "propose_rules")),)


TABLE_STEPS: Final[dict[type, Callable[[HouseState, Any, HouseRequest], Events]]] = {
    commands.DraftSubmission: _draft,
    commands.ApproveSubmission: _approve,
    commands.ReturnSubmission: _return,
    commands.MakeTable: _make,
    commands.OpenPlay: _open,
    commands.PausePlay: _pause,
    commands.ResumePlay: _resume,
    commands.ClosePlay: _close,
    commands.HandOver: _hand_over,
    commands.ProposeRulesChange: _propose,
    commands.ConfirmRulesChange: _confirm,
    commands.WithdrawRulesChange: _withdraw,
}
