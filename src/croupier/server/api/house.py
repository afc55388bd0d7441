"""House keeping: its days, submissions and who approved them, tables and who runs them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from litestar import delete, get, patch, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from croupier.house import HouseTable, SubmissionVersion, commands
from croupier.ledger import SubmissionDrafted
from croupier.server.api.answers import ToldHouse, ToldHouseTable, ToldSubmission
from croupier.server.api.parameters import Key, Label, Name, Number, TheCaller, TheDesk
from croupier.server.callers import NotFound
from croupier.server.described import ANYBODY, SOMEBODY, answers
from croupier.wire import canonical_json

__all__ = ["ROUTES"]

Version = Annotated[int, Meta(ge=1, le=1_000_000)]


class Draft(Struct, forbid_unknown_fields=True):
    """A submission to be filed."""

    name: Label
    submission: dict[str, Any]


class SubmissionJudgment(Struct, forbid_unknown_fields=True):
    """What the regulator says about a submission, and which one they looked at."""

    note: Annotated[str, Meta(max_length=2000)] = ""
    hash: Annotated[str, Meta(max_length=64, description="the hash of the version that was looked at")] = ""


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


class Settings(Struct, forbid_unknown_fields=True):
    """The house's time zone, and when its gaming day begins; what is left out stays."""

    time_zone: Annotated[str, Meta(max_length=60, description="such as America/New_York")] | None = None
    day_start: Annotated[str, Meta(max_length=5, description="such as 06:00")] | None = None


# --- the house


@get("/house", summary="The house's time zone and gaming day", responses=answers(ToldHouse, 401), security=ANYBODY)
async def see_house(desk: TheDesk, caller: TheCaller) -> dict[str, Any]:
    """And whether it is a demo."""
    del caller  # whoever they are
    return _house(desk)


@patch(
    "/house",
    summary="Change the house's time zone, or when its gaming day begins",
    responses=answers(ToldHouse, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def change_settings(desk: TheDesk, caller: TheCaller, data: JSONBody[Settings], key: Key = "") -> dict[str, Any]:
    """By the operator."""
    state = desk.house.state
    command = commands.ChangeSettings(
        time_zone=data.time_zone if data.time_zone is not None else state.time_zone,
        day_start=data.day_start if data.day_start is not None else state.day_start,
    )
    await desk.give_house(caller, command, key)
    return _house(desk)


@get(
    "/house/tables",
    summary="Every table that the house has made, also new and closed ones, with rules that were proposed",
    responses=answers(list[ToldHouseTable], 401),
    security=SOMEBODY,
)
async def list_house_tables(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """For whoever may read it; `GET /api/tables` has those that are open."""
    caller.must_read("tables")
    return [_table(table) for table in desk.house.state.tables.values()]


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
    desk: TheDesk, caller: TheCaller, name: Name, version: Number, data: JSONBody[SubmissionJudgment], key: Key = ""
) -> dict[str, Any]:
    """By a regulator, never by whoever drafted it; with `hash` only if that is the version that was looked at."""
    command = commands.ApproveSubmission(name=name, version=version, note=data.note, hash=data.hash)
    await desk.give_house(caller, command, key)
    return _submission(_version(desk, name, version))


@post(
    "/submissions/{name:str}/{version:int}/return",
    status_code=200,
    summary="Return a submission",
    responses=answers(ToldSubmission, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def return_submission(
    desk: TheDesk, caller: TheCaller, name: Name, version: Number, data: JSONBody[SubmissionJudgment], key: Key = ""
) -> dict[str, Any]:
    """With a note that says why; with `hash` only if that is the version that was looked at."""
    command = commands.ReturnSubmission(name=name, version=version, note=data.note, hash=data.hash)
    await desk.give_house(caller, command, key)
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


def _house(desk: TheDesk) -> dict[str, Any]:
    state = desk.house.state
    return {"demo": state.demo, "time_zone": state.time_zone, "day_start": state.day_start}


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
    see_house,
    change_settings,
    list_house_tables,
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
]
