"""The workbench: the house's submissions, one of them as a form with exact prices, sent for approval when it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from litestar import Response, Router, get, post
from litestar.di import Provide
from msgspec import Struct

from croupier.documents import PAPER_NAMES, PaperAsked, Printed, every_paper
from croupier.errors import CroupierError, Malformed
from croupier.house import HOUSE_NAME, HouseTable, OpenDraft, SubmissionVersion, commands
from croupier.ledger import HouseRole, SubmissionDrafted
from croupier.present import capitalized
from croupier.rulebook import (
    Rulebook,
    check_by,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
    starting_submission,
    submission_text,
)
from croupier.server import Caller, Desk, NotFound, NotTheirs
from croupier.web.bench_fields import BenchDraft, draft_of, read_draft
from croupier.web.bench_house import Bench, drafts_of, give_bench, may, refused_words, version_of
from croupier.web.bench_page import BenchView, approved_before, bench_view, compared_with, filed
from croupier.web.bench_tables import table_changes
from croupier.web.posting import AnyRequest, Fields, new_key
from croupier.web.rendering import Page, fragment, page, redirect
from croupier.web.shell import NavItem
from croupier.web.words import namer

__all__ = ["NAV", "PAPERS", "ROUTES", "paper_answer", "version_context"]

PAPERS: Final = every_paper()
_MEDIA: Final = {
    "pdf": "application/pdf",
    "html": "text/html",
    "svg": "image/svg+xml",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_LONGEST: Final = 200_000


def _by_kind() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every paper by its kind: what each form is called, and its file."""
    kinds = dict.fromkeys(paper.kind for paper in PAPERS)
    return [
        (
            capitalized(PAPER_NAMES[kind]),
            [(_form_words(paper), paper.name) for paper in PAPERS if paper.kind == kind],
        )
        for kind in kinds
    ]


def _form_words(paper: Printed) -> str:
    """
    >>> _form_words(Printed("sign-poster.pdf", "sign", "pdf", "poster"))
    'PDF, poster'
    """
    form = {"xlsx": "Workbook"}.get(paper.form, paper.form.upper())
    return f"{form}, {paper.size}" if paper.kind == "sign" and paper.form == "pdf" else form


class SubmissionShown(Struct, frozen=True, kw_only=True):
    """A submission with its versions, the newest first."""

    name: str
    title: str
    jurisdiction: str
    versions: tuple[SubmissionVersion, ...]
    tables: tuple[HouseTable, ...]
    open: bool
    """Whether the reader works on it."""

    @property
    def approved(self) -> SubmissionVersion | None:
        """The newest approved version."""
        return next((version for version in self.versions if version.status == "approved"), None)


# --- the list


@get("/workbench")
async def see_workbench(desk: Desk, caller: Caller) -> Page:
    """Every submission of the house, and a new one."""
    return await _list_page(desk, caller)


async def _list_page(
    desk: Desk,
    caller: Caller,
    *,
    typed: Mapping[str, str] | None = None,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    caller.must_read("submissions")
    state = desk.house.state
    names = dict.fromkeys(name for name, _ in state.submissions)
    drafts = await drafts_of(desk).of(caller.id)
    shown = [_shown(desk, name, worked_on=name in drafts) for name in names]
    books = [load_rulebook(name) for name in rulebook_ids()]
    changes = table_changes(desk, caller) if caller.may_read("tables") else []
    return page(
        "workbench",
        caller,
        status=status,
        submissions=shown,
        drafts=[name for name in drafts if name not in names],
        books=books,
        may_draft=may(desk, caller, "draft_submission"),
        proposed=[change for change in changes if change.table.proposed is not None],
        name_of=namer(desk, caller),
        name_pattern=HOUSE_NAME.pattern,
        typed=typed or {},
        refusal=refusal,
    )


def _shown(desk: Desk, name: str, *, worked_on: bool) -> SubmissionShown:
    state = desk.house.state
    versions = state.versions(name)
    source = load_rulebook(versions[0].rulebook).source
    return SubmissionShown(
        name=name,
        title=source.title,
        jurisdiction=source.jurisdiction,
        versions=tuple(reversed(versions)),
        tables=tuple(table for table in state.tables.values() if table.submission == name),
        open=worked_on,
    )


# --- the form


@get("/workbench/edit")
async def edit(
    desk: Desk, caller: Caller, bench: Bench, *, name: str = "", rulebook: str = "", version: int = 0, fresh: str = ""
) -> Page:
    """A submission as a form: where somebody left off, else the version that is named, the newest, or a new one."""
    _must_draft(desk, caller)
    name = name.strip()
    try:
        _check_name(name)
        if fresh:
            await drafts_of(desk).drop(caller.id, name)
            under = f"&rulebook={quote(rulebook)}" if rulebook else ""
            return redirect(f"/workbench/edit?name={quote(name)}{under}")  # whoever looks again starts over once
        book, draft = await _start(desk, caller, name, rulebook=rulebook, version=version)
    except (Malformed, NotFound) as error:
        refusal, status = refused_words(error)
        typed = {"new": name, "rulebook": rulebook}
        return await _list_page(desk, caller, typed=typed, refusal=refusal, status=status)
    return await _form_page(desk, caller, bench, name, (book, draft))


async def _start(desk: Desk, caller: Caller, name: str, *, rulebook: str, version: int) -> tuple[Rulebook, BenchDraft]:
    versions = desk.house.state.versions(name)
    if version:
        return filed(version_of(desk, name, version))
    left = await drafts_of(desk).find(caller.id, name)
    known = {versions[0].rulebook} if versions else set(rulebook_ids())
    if left is not None and left.rulebook in known:
        book = load_rulebook(left.rulebook, edition=left.fields.get("edition") or None)
        return book, read_draft(book, left.fields)
    if versions:
        return filed(versions[-1])
    if rulebook not in rulebook_ids():
        raise Malformed("choose a rulebook for the new submission")
    book = load_rulebook(rulebook)
    return book, draft_of(read_submission_text(starting_submission(book), name=name), book)


def _check_name(name: str) -> None:
    if not HOUSE_NAME.fullmatch(name):
        raise Malformed("the name of a submission has 1 to 40 letters, digits, spaces, dots and hyphens")


def _must_draft(desk: Desk, caller: Caller) -> None:
    caller.must_read("submissions")
    if not may(desk, caller, "draft_submission"):
        raise NotTheirs("submissions are drafted by an operator")


@post("/workbench/edit", status_code=200)
async def check_or_send(request: AnyRequest, desk: Desk, caller: Caller, bench: Bench, fields: Fields) -> Page:
    """Look at what the form says now; sent, it is filed for the regulator if it holds."""
    _must_draft(desk, caller)
    name = fields.get("name", "").strip()
    try:
        _check_name(name)
        book, draft = _sent(desk, name, fields)
    except CroupierError as error:
        refusal, status = refused_words(error)
        return await _list_page(desk, caller, typed=fields, refusal=refusal, status=status)
    await drafts_of(desk).keep(caller.id, OpenDraft(name, book.id, dict(draft.fields)), desk.doors.now())
    if fields.get("do") != "send":
        return await _form_page(desk, caller, bench, name, (book, draft), part=_is_part(request))
    try:
        if draft.unread:
            first = draft.unread[0]
            raise Malformed(f"{first.key}: {first.message}")
        command = commands.DraftSubmission(name=name, submission=submission_text(draft.submission))
        entries = await desk.give_house(caller, command, fields.get("key", ""))
    except CroupierError as error:
        refusal, status = refused_words(error)
        return await _form_page(desk, caller, bench, name, (book, draft), refusal=refusal, status=status)
    await drafts_of(desk).drop(caller.id, name)
    made = next(entry.event for entry in entries if isinstance(entry.event, SubmissionDrafted))
    return redirect(f"/workbench/submissions/{quote(made.name)}/{made.version}?done=sent")


def _sent(desk: Desk, name: str, fields: Fields) -> tuple[Rulebook, BenchDraft]:
    """The form that was sent, or the text of a file to begin with."""
    versions = desk.house.state.versions(name)
    if text := fields.get("text", "").strip():
        if len(text) > _LONGEST:
            raise Malformed("this file is too long for a submission")
        submission = read_submission_text(text, name=name)
        book = load_rulebook(submission.rulebook, edition=submission.edition)
        if versions and versions[0].rulebook != book.id:
            raise Malformed(f"{name} is under {versions[0].rulebook}: use another name")
        return book, draft_of(submission, book)
    rulebook = versions[0].rulebook if versions else fields.get("rulebook", "")
    book = load_rulebook(rulebook, edition=fields.get("edition") or None)
    return book, read_draft(book, fields)


def _is_part(request: AnyRequest) -> bool:
    """Whether a page that is open asks for its part that changes."""
    return request.headers.get("hx-request") == "true"


async def _form_page(
    desk: Desk,
    caller: Caller,
    bench: Bench,
    name: str,
    worked_on: tuple[Rulebook, BenchDraft],
    *,
    part: bool = False,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    state = desk.house.state
    view = await bench_view(bench.workshop, name, *worked_on, compared_with(state, name))
    versions = state.versions(name)
    context: dict[str, Any] = {
        "view": view,
        "next": len(versions) + 1,
        "last": versions[-1] if versions else None,
        "papers": _by_kind(),
        "key": new_key(),
        "refusal": refusal,
        "editing": True,
        "judging": False,
        "version": None,
    }
    if part:
        return Response(fragment("bench_body", caller, **context).encode(), media_type="text/html")
    return page("bench", caller, status=status, **context)


@post("/workbench/file", status_code=200)
async def save_file(desk: Desk, caller: Caller, fields: Fields) -> Response[bytes]:
    """The draft as a file, to be kept or to be worked on elsewhere."""
    _must_draft(desk, caller)
    name = fields.get("name", "").strip()
    _check_name(name)
    _, draft = _sent(desk, name, fields)
    return _file(submission_text(draft.submission).encode(), "submission.json", "application/json")


@post("/workbench/papers/{paper:str}", status_code=200)
async def print_draft(desk: Desk, caller: Caller, bench: Bench, fields: Fields, paper: str) -> Response[bytes]:
    """A paper of what the form says now."""
    _must_draft(desk, caller)
    name = fields.get("name", "").strip()
    book, draft = _sent(desk, name, fields)
    if draft.unread:
        raise Malformed(f"{draft.unread[0].key}: {draft.unread[0].message}")
    check_by(book, draft.submission).rules(name="the draft")
    before = approved_before(desk.house.state, name)
    return await paper_answer(bench, paper, submission_text(draft.submission), before, version="draft")


async def paper_answer(
    bench: Bench, paper: str, text: str, before: SubmissionVersion | None, *, version: str
) -> Response[bytes]:
    """A paper, printed beside the server."""
    known = next((printed for printed in PAPERS if printed.name == paper), None)
    if known is None:
        raise NotFound("there is no such paper")
    asked = PaperAsked(
        submission=text,
        paper=paper,
        version=version,
        before=before.text if before is not None and known.kind == "submission" else None,
    )
    return _file(await bench.workshop.paper(asked), paper, _MEDIA[known.form])


def _file(content: bytes, name: str, media: str) -> Response[bytes]:
    """A file; what a browser would run or restyle as a page of this house is saved instead."""
    where = "inline" if media == _MEDIA["pdf"] else "attachment"
    headers = {"content-disposition": f'{where}; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type=media, headers=headers)


# --- versions


@get("/workbench/submissions/{name:str}/{number:int}")
async def see_version(
    request: AnyRequest, desk: Desk, caller: Caller, bench: Bench, *, name: str, number: int, done: str = ""
) -> Page:
    """A version as it was filed, with the same figures; nothing in it can change."""
    caller.must_read("submissions")
    context = await version_context(desk, caller, bench, version_of(desk, name, number))
    context["done"] = _DONE.get(done, "")
    if _is_part(request):
        return Response(fragment("bench_body", caller, **context).encode(), media_type="text/html")
    return page("bench", caller, **context)


_DONE: Final = {"sent": "Sent for approval. The regulator sees exactly this version."}


async def version_context(desk: Desk, caller: Caller, bench: Bench, version: SubmissionVersion) -> dict[str, Any]:
    """What a page shows of a version that was filed."""
    book, draft = filed(version)
    state = desk.house.state
    before = compared_with(state, version.name, version.version)
    earlier = next((filed for filed in reversed(state.versions(version.name)) if filed.version < version.version), None)
    view: BenchView = await bench_view(bench.workshop, version.name, book, draft, before)
    return {
        "view": view,
        "version": version,
        "last": earlier,
        "name_of": namer(desk, caller),
        "papers": _by_kind(),
        "editing": False,
        "refusal": None,
        "done": "",
        "same_law": view.house is not None and view.house.hash == version.rules,
        "may_judge": may(desk, caller, "approve_submission"),
        "may_draft": may(desk, caller, "draft_submission"),
        "key": new_key(),
        "judging": False,
    }


@get("/workbench/submissions/{name:str}/{number:int}/papers/{paper:str}")
async def print_version(
    desk: Desk, caller: Caller, bench: Bench, *, name: str, number: int, paper: str
) -> Response[bytes]:
    """A paper of a version that was filed."""
    caller.must_read("submissions")
    version = version_of(desk, name, number)
    before = approved_before(desk.house.state, name, number)
    return await paper_answer(bench, paper, version.text, before, version=str(number))


_READERS: Final[frozenset[HouseRole]] = frozenset({"operator", "auditor", "pit_manager", "shift_manager"})
"""Whoever drafts, looks into, or puts tables on versions; the regulator has a page of their own."""
NAV: Final = [NavItem("Workbench", "/workbench", _READERS, place=40)]
_HANDLERS: Final = [see_workbench, edit, check_or_send, save_file, print_draft, see_version, print_version]
ROUTES: Final = [Router("/", route_handlers=_HANDLERS, dependencies={"bench": Provide(give_bench)})]
