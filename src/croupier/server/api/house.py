"""House keeping: submissions and who approved them, tables and who runs them, tokens of devices."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal

from litestar import delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from croupier.house import HouseTable, SubmissionVersion, commands
from croupier.ledger import SubmissionDrafted
from croupier.server.api.answers import ToldHouseTable, ToldRevoked, ToldSubmission, ToldToken
from croupier.server.api.parameters import Key, Name, Number, TheCaller, TheDesk
from croupier.server.callers import NotFound
from croupier.server.described import SOMEBODY, answers
from croupier.wire import canonical_json

__all__ = ["ROUTES"]

Label = Annotated[str, Meta(min_length=1, max_length=60)]
Version = Annotated[int, Meta(ge=1, le=1_000_000)]


class Draft(Struct, forbid_unknown_fields=True):
    """A submission to be filed."""

    name: Label
    submission: dict[str, Any]


class Note(Struct, forbid_unknown_fields=True):
    """What the regulator says about a submission."""

    note: Annotated[str, Meta(max_length=2000)] = ""


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be made."""

    id: Label
    submission: Label
    version: Version
    kind: Literal["virtual", "physical"] = "virtual"
    dealer: Literal["automatic", "person"] = "automatic"
    pace: Annotated[int, Meta(ge=0, le=60_000)] = 1000


class RulesOffered(Struct, forbid_unknown_fields=True):
    """Other rules for a table."""

    submission: Label
    version: Version


class Handing(Struct, forbid_unknown_fields=True):
    """Who deals from now on."""

    dealer: Literal["automatic", "person"] = "person"
    person: Annotated[str, Meta(max_length=60)] = ""


class NewToken(Struct, forbid_unknown_fields=True):
    """A token for a device."""

    device: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$")]
    scope: Annotated[list[Label], Meta(min_length=1, max_length=100)]
    tables: Annotated[list[Label], Meta(max_length=1000)] = []
    days: Annotated[int, Meta(ge=1, le=400)] = 365


# --- submissions


@get(
    "/submissions",
    summary="Every version of every submission",
    responses=answers(list[ToldSubmission], 401),
    security=SOMEBODY,
)
async def list_submissions(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """Drafted, approved or returned, by whom, with the regulator's note."""
    caller.must_read("submissions")
    return [_submission(version) for version in desk.house.state.submissions.values()]


@post(
    "/submissions",
    summary="File a version of a submission",
    responses=answers(ToldSubmission, 401, 404, 409, 413, 503, status=201),
    security=SOMEBODY,
)
async def draft_submission(desk: TheDesk, caller: TheCaller, data: JSONBody[Draft], key: Key = "") -> dict[str, Any]:
    """A submission that does not hold is refused, with every finding."""
    command = commands.DraftSubmission(name=data.name, submission=canonical_json(data.submission))
    entries = await desk.give_house(caller, command, key)
    filed = next(entry.event for entry in entries if isinstance(entry.event, SubmissionDrafted))
    return _submission(_version(desk, filed.name, filed.version))


@get(
    "/submissions/{name:str}/{version:int}",
    summary="A version of a submission, whole",
    responses=answers(ToldSubmission, 401, 404),
    security=SOMEBODY,
)
async def see_submission(desk: TheDesk, caller: TheCaller, name: Name, version: Number) -> dict[str, Any]:
    """The submission as it was filed."""
    caller.must_read("submissions")
    found = _version(desk, name, version)
    return _submission(found) | {"text": found.text}


@post(
    "/submissions/{name:str}/{version:int}/approve",
    status_code=200,
    summary="Approve a submission",
    responses=answers(ToldSubmission, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def approve_submission(
    desk: TheDesk, caller: TheCaller, name: Name, version: Number, data: JSONBody[Note], key: Key = ""
) -> dict[str, Any]:
    """By a regulator, never by whoever drafted it."""
    await desk.give_house(caller, commands.ApproveSubmission(name=name, version=version, note=data.note), key)
    return _submission(_version(desk, name, version))


@post(
    "/submissions/{name:str}/{version:int}/return",
    status_code=200,
    summary="Return a submission",
    responses=answers(ToldSubmission, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def return_submission(
    desk: TheDesk, caller: TheCaller, name: Name, version: Number, data: JSONBody[Note], key: Key = ""
) -> dict[str, Any]:
    """With a note that says why."""
    await desk.give_house(caller, commands.ReturnSubmission(name=name, version=version, note=data.note), key)
    return _submission(_version(desk, name, version))


# --- tables


@post(
    "/tables",
    summary="Make a table",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503, status=201),
    security=SOMEBODY,
)
async def make_table(desk: TheDesk, caller: TheCaller, data: JSONBody[NewTable], key: Key = "") -> dict[str, Any]:
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


@post(
    "/tables/{table_id:str}/open",
    status_code=200,
    summary="Have the house run a table",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def open_play(desk: TheDesk, caller: TheCaller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """Only on an approved submission."""
    await desk.give_house(caller, commands.OpenPlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post(
    "/tables/{table_id:str}/pause",
    status_code=200,
    summary="Have no new round begin",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def pause_play(desk: TheDesk, caller: TheCaller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """A round in play goes on to its end."""
    await desk.give_house(caller, commands.PausePlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post(
    "/tables/{table_id:str}/resume",
    status_code=200,
    summary="Have rounds begin again",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def resume_play(desk: TheDesk, caller: TheCaller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """After a pause."""
    await desk.give_house(caller, commands.ResumePlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post(
    "/tables/{table_id:str}/close",
    status_code=200,
    summary="Have the house run a table no longer",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def close_play(desk: TheDesk, caller: TheCaller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """Between rounds."""
    await desk.give_house(caller, commands.ClosePlay(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


@post(
    "/tables/{table_id:str}/hand_over",
    status_code=200,
    summary="Hand a table over to another dealer",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def hand_over(
    desk: TheDesk, caller: TheCaller, table_id: Name, data: JSONBody[Handing], key: Key = ""
) -> dict[str, Any]:
    """To the automatic dealer, or to a person."""
    await desk.give_house(caller, commands.HandOver(table=table_id, dealer=data.dealer, person=data.person), key)
    return _table(desk.house.state.tables[table_id])


@post(
    "/tables/{table_id:str}/rules",
    status_code=200,
    summary="Propose other rules for a table",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def propose_rules(
    desk: TheDesk, caller: TheCaller, table_id: Name, data: JSONBody[RulesOffered], key: Key = ""
) -> dict[str, Any]:
    """Another approved version; somebody else confirms it, between rounds."""
    command = commands.ProposeRulesChange(table=table_id, submission=data.submission, version=data.version)
    await desk.give_house(caller, command, key)
    return _table(desk.house.state.tables[table_id])


@post(
    "/tables/{table_id:str}/rules/confirm",
    status_code=200,
    summary="Confirm other rules for a table",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def confirm_rules(desk: TheDesk, caller: TheCaller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """By somebody else than whoever proposed them, between rounds."""
    caller.must_be_person()
    table = desk.hall.find(table_id)
    in_round = table is not None and table.table.round is not None
    await desk.give_house(caller, commands.ConfirmRulesChange(table=table_id, in_round=in_round), key)
    return _table(desk.house.state.tables[table_id])


@delete(
    "/tables/{table_id:str}/rules",
    status_code=200,
    summary="Take back what was proposed",
    responses=answers(ToldHouseTable, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def withdraw_rules(desk: TheDesk, caller: TheCaller, table_id: Name, key: Key = "") -> dict[str, Any]:
    """By the operator."""
    await desk.give_house(caller, commands.WithdrawRulesChange(table=table_id), key)
    return _table(desk.house.state.tables[table_id])


# --- tokens


@post(
    "/tokens",
    summary="Give a device a token",
    responses=answers(ToldToken, 401, 404, 409, 413, 503, status=201),
    security=SOMEBODY,
)
async def issue_token(desk: TheDesk, caller: TheCaller, data: JSONBody[NewToken]) -> dict[str, Any]:
    """It is shown this once."""
    caller.must_be_person()
    desk.commands.take(caller.id)
    command = commands.IssueToken(
        token=secrets.token_hex(6),
        device=data.device,
        scope=tuple(data.scope),
        tables=tuple(data.tables),
        expires=desk.doors.now() + timedelta(days=data.days),
    )
    return {
        "id": command.token,
        "token": await desk.doors.issue_token(caller, command),
        "expires": _iso(command.expires),
    }


@delete(
    "/tokens/{token_id:str}",
    status_code=200,
    summary="Take a token back",
    responses=answers(ToldRevoked, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def revoke_token(desk: TheDesk, caller: TheCaller, token_id: Name, key: Key = "") -> dict[str, str]:
    """At once."""
    await desk.give_house(caller, commands.RevokeToken(token=token_id), key)
    return {"token": token_id, "status": "revoked"}


def _iso(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def _version(desk: TheDesk, name: str, version: int) -> SubmissionVersion:
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
