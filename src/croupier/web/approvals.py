"""The regulator's page: what waits to be judged, with the same figures and differences, approved or returned."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from litestar import Response, Router, get, post
from litestar.di import Provide

from croupier.documents import asked_of
from croupier.errors import CroupierError
from croupier.house import SubmissionVersion, commands
from croupier.rulebook import load_rulebook
from croupier.server import Caller, Desk
from croupier.web.bench_house import Bench, give_bench, may, refused_words, version_of
from croupier.web.bench_page import filed
from croupier.web.bench_tables import table_changes
from croupier.web.posting import AnyRequest, Fields
from croupier.web.rendering import Page, fragment, page, redirect
from croupier.web.shell import NavItem
from croupier.web.words import namer, submission_title
from croupier.web.workbench import version_context

__all__ = ["NAV", "ROUTES"]

_DONE: Final = {"approved": "is approved. Tables may open under it.", "returned": "is returned, with your note."}
_JUDGED: Final = 20
"""Judged versions that are listed."""


@get("/approvals")
async def see_approvals(
    desk: Desk, caller: Caller, bench: Bench, *, done: str = "", name: str = "", number: int = 0
) -> Page:
    """Submissions that wait, and what was judged before."""
    caller.must_read("submissions")
    versions = list(desk.house.state.submissions.values())
    waiting = [version for version in versions if version.status == "drafted"]
    for version in waiting:  # its figures are ready when it is opened
        book, draft = filed(version)
        bench.workshop.begin(asked_of(book, draft.submission))
    changes = table_changes(desk, caller) if caller.may_read("tables") else []
    return page(
        "approvals",
        caller,
        waiting=waiting,
        judged=[version for version in reversed(versions) if version.status != "drafted"][:_JUDGED],
        proposed=[change for change in changes if change.table.proposed is not None],
        titles={version.rulebook: _title(version) for version in versions},
        name_of=namer(desk, caller),
        may_judge=may(desk, caller, "approve_submission"),
        done=_decided(desk.house.state.submissions.get((name, number)), done),
    )


def _decided(version: SubmissionVersion | None, done: str) -> str:
    """What was just decided, in a sentence."""
    if version is None or done not in _DONE:
        return ""
    return f"{submission_title(version.name)}, version {version.version} {_DONE[done]}"


def _title(version: SubmissionVersion) -> str:
    source = load_rulebook(version.rulebook).source
    return f"{source.title}, {source.jurisdiction}"


@get("/approvals/{name:str}/{number:int}")
async def look(request: AnyRequest, desk: Desk, caller: Caller, bench: Bench, *, name: str, number: int) -> Page:
    """A version with its figures, its findings and what differs, to be judged."""
    caller.must_read("submissions")
    context = await version_context(desk, caller, bench, version_of(desk, name, number))
    context["judging"] = True
    if request.headers.get("hx-request") == "true":
        return Response(fragment("bench_body", caller, **context).encode(), media_type="text/html")
    return page("bench", caller, **context)


@post("/approvals/{name:str}/{number:int}", status_code=200)
async def judge(desk: Desk, caller: Caller, bench: Bench, fields: Fields, *, name: str, number: int) -> Page:
    """Approve or return exactly what was looked at."""
    caller.must_read("submissions")
    version = version_of(desk, name, number)
    note, seen = fields.get("note", "").strip(), fields.get("hash", "") or "none"
    approving = fields.get("do") == "approve"
    command: commands.ApproveSubmission | commands.ReturnSubmission
    if approving:
        command = commands.ApproveSubmission(name=name, version=number, note=note, hash=seen)
    else:
        command = commands.ReturnSubmission(name=name, version=number, note=note, hash=seen)
    try:
        await desk.give_house(caller, command, fields.get("key", ""))
    except CroupierError as error:
        refusal, status = refused_words(error)
        context = await version_context(desk, caller, bench, version)
        return page("bench", caller, status=status, **context | {"refusal": refusal, "judging": True, "note": note})
    done = "approved" if approving else "returned"
    return redirect(f"/approvals?{urlencode({'done': done, 'name': name, 'number': number})}")


NAV: Final = [NavItem("Approvals", "/approvals", frozenset({"regulator"}), place=41)]
_HANDLERS: Final = [see_approvals, look, judge]
ROUTES: Final = [Router("/", route_handlers=_HANDLERS, dependencies={"bench": Provide(give_bench)})]
