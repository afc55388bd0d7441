"""House keeping: submissions and who approved them, tables and who runs them, tokens of devices."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Annotated, Any, Final, Literal

from litestar import delete, get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.errors import Malformed
from croupier.house import HouseTable, SubmissionVersion, commands, may_read
from croupier.server.callers import Caller, NotFound, NotTheirs
from croupier.server.desk import Desk
from croupier.server.live import now
from croupier.wire import canonical_json

__all__ = ["ROUTES"]

_LONGEST = 3650
Name = Annotated[str, Parameter(max_length=60)]
Version = Annotated[int, Parameter(ge=1, le=1_000_000)]
Key = Annotated[str, Parameter(header="Idempotency-Key", max_length=100)]


class Draft(Struct, forbid_unknown_fields=True):
    """A submission to be filed."""

    name: str
    submission: dict[str, Any]


class Note(Struct, forbid_unknown_fields=True):
    """What the regulator says about a submission."""

    note: str = ""


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be made."""

    id: str
    submission: str
    version: int
    kind: Literal["virtual", "physical"] = "virtual"
    dealer: Literal["automatic", "person"] = "automatic"
    pace: int = 1000


class Change(Struct, forbid_unknown_fields=True):
    """Other rules for a table."""

    submission: str
    version: int


class Handing(Struct, forbid_unknown_fields=True):
    """Who deals from now on."""

    dealer: Literal["automatic", "person"] = "person"
    person: str = ""


class NewToken(Struct, forbid_unknown_fields=True):
    """A token for a device."""

    device: str
    scope: list[str]
    tables: list[str] = []
    days: int = 365


# --- submissions


@get("/submissions", summary="Every version of every submission")
async def list_submissions(desk: Desk, caller: Caller) -> list[dict[str, Any]]:
    """Drafted, approved or returned, by whom, with the regulator's note."""
    _may_read(caller, "submissions")
    return [_submission(version) for version in desk.house.state.submissions.values()]


@post("/submissions", summary="File a version of a submission")
async def draft_submission(desk: Desk, caller: Caller, data: Draft, key: Key = "") -> dict[str, Any]:
    """A submission that does not hold is refused, with every finding."""
    command = commands.DraftSubmission(name=data.name, submission=canonical_json(data.submission))
    await desk.give_house(caller, command, key)
    return _submission(desk.house.state.versions(data.name)[-1])


@get("/submissions/{name:str}/{version:int}", summary="A version of a submission, whole")
async def see_submission(desk: Desk, caller: Caller, name: Name, version: Version) -> dict[str, Any]:
    """The submission as it was filed."""
    _may_read(caller, "submissions")
    found = _version(desk, name, version)
    return _submission(found) | {"text": found.text}


@post("/submissions/{name:str}/{version:int}/approve", status_code=200, summary="Approve a submission")
async def approve_submission(
    desk: Desk, caller: Caller, name: Name, version: Version, data: Note, key: Key = ""
) -> dict[str, Any]:
    """By a regulator, never by whoever drafted it."""
    await desk.give_house(caller, commands.ApproveSubmission(name=name, version=version, note=data.note), key)
    return _submission(_version(desk, name, version))


@post("/submissions/{name:str}/{version:int}/return", status_code=200, summary="Return a submission")
async def return_submission(
    desk: Desk, caller: Caller, name: Name, version: Version, data: Note, key: Key = ""
) -> dict[str, Any]:
    """With a note that says why."""
    await desk.give_house(caller, commands.ReturnSubmission(name=name, version=version, note=data.note), key)
    return _submission(_version(desk, name, version))


# --- tables


@post("/tables", summary="Make a table")
async def make_table(desk: Desk, caller: Caller, data: NewTable, key: Key = "") -> dict[str, Any]:
    """Under a version of a submission; it opens only once that is approved."""
    command = commands.MakeTable(
        table=data.id,
        submission=data.submission,
        version=data.version,
        kind=data.kind,
        dealer=data.dealer,
        pace=data.pace,
    )
    await desk.give_house(caller, command, key)
    return _table(desk.house.state.tables[data.id])


@post("/tables/{table_id:str}/open", status_code=200, summary="Have the house run a table")
async def open_play(desk: Desk, caller: Caller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """Only on an approved submission."""
    await desk.give_house(caller, commands.OpenPlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post("/tables/{table_id:str}/pause", status_code=200, summary="Have no new round begin")
async def pause_play(desk: Desk, caller: Caller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """A round in play goes on to its end."""
    await desk.give_house(caller, commands.PausePlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post("/tables/{table_id:str}/resume", status_code=200, summary="Have rounds begin again")
async def resume_play(desk: Desk, caller: Caller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """After a pause."""
    await desk.give_house(caller, commands.ResumePlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post("/tables/{table_id:str}/close", status_code=200, summary="Have the house run a table no longer")
async def close_play(desk: Desk, caller: Caller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """Between rounds."""
    await desk.give_house(caller, commands.ClosePlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post("/tables/{table_id:str}/hand_over", status_code=200, summary="Hand a table over to another dealer")
async def hand_over(desk: Desk, caller: Caller, table_id: Name, data: Handing, key: Key = "") -> dict[str, Any]:
    """To the automatic dealer, or to a person."""
    await desk.give_house(caller, commands.HandOver(table=table_id, dealer=data.dealer, person=data.person), key)
    return _table(desk.house.state.tables[table_id])


@post("/tables/{table_id:str}/rules", status_code=200, summary="Propose other rules for a table")
async def propose_rules(desk: Desk, caller: Caller, table_id: Name, data: Change, key: Key = "") -> dict[str, Any]:
    """Another approved version; somebody else confirms it, between rounds."""
    command = commands.ProposeRulesChange(table=table_id, submission=data.submission, version=data.version)
    await desk.give_house(caller, command, key)
    return _table(desk.house.state.tables[table_id])


@post("/tables/{table_id:str}/rules/confirm", status_code=200, summary="Confirm other rules for a table")
async def confirm_rules(desk: Desk, caller: Caller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """By somebody else than whoever proposed them, between rounds."""
    in_round = desk.table(table_id).table.round is not None
    await desk.give_house(caller, commands.ConfirmRulesChange(table=table_id, in_round=in_round), key)
    return _table(desk.house.state.tables[table_id])


@delete("/tables/{table_id:str}/rules", status_code=200, summary="Take back what was proposed")
async def withdraw_rules(desk: Desk, caller: Caller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """By the operator."""
    await desk.give_house(caller, commands.WithdrawRulesChange(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


# --- tokens


@post("/tokens", summary="Give a device a token")
async def issue_token(desk: Desk, caller: Caller, data: NewToken) -> dict[str, Any]:
    """It is shown this once."""
    if not 1 <= data.days <= _LONGEST:
        raise Malformed(f"days: from 1 to {_LONGEST}")
    command = commands.IssueToken(
        token=secrets.token_hex(6),
        device=data.device,
        scope=tuple(data.scope),
        tables=tuple(data.tables),
        expires=now() + timedelta(days=data.days),
    )
    return {"id": command.token, "token": await desk.doors.issue_token(caller, command), "expires": command.expires}


@delete("/tokens/{token_id:str}", status_code=200, summary="Take a token back")
async def revoke_token(desk: Desk, caller: Caller, token_id: Name, key: Key = "") -> dict[str, str]:
    """At once."""
    await desk.give_house(caller, commands.RevokeToken(token=token_id), key)
    return {"token": token_id, "status": "revoked"}


def _may_read(caller: Caller, what: str) -> None:
    caller.must_be_somebody()
    if not may_read(caller.roles, what):
        raise NotTheirs(f"{what} are not yours to read")


def _version(desk: Desk, name: str, version: int) -> SubmissionVersion:
    found = desk.house.state.submissions.get((name, version))
    if found is None:
        raise NotFound("there is no such submission")
    return found


def _submission(version: SubmissionVersion) -> dict[str, Any]:
    return {
        "name": version.name,
        "version": version.version,
        "rulebook": version.rulebook,
        "hash": version.hash,
        "status": version.status,
        "drafted_by": version.drafted_by,
        "judged_by": version.judged_by or None,
        "note": version.note or None,
    }


def _table(table: HouseTable) -> dict[str, Any]:
    change = table.proposed
    return {
        "id": table.id,
        "submission": table.submission,
        "version": table.version,
        "kind": table.kind,
        "dealer": table.dealer,
        "pace": table.pace,
        "status": table.run,
        "proposed": {"submission": change.submission, "version": change.version, "by": change.by} if change else None,
    }


ROUTES: Final = [
    list_submissions,
    draft_submission,
    see_submission,
    approve_submission,
    return_submission,
    make_table,
    open_play,
    pause_play,
    resume_play,
    close_play,
    hand_over,
    propose_rules,
    confirm_rules,
    withdraw_rules,
    issue_token,
    revoke_token,
]
