"""A submission with its versions, and the tables that play under them: made, opened, and put on another version."""

from __future__ import annotations

from typing import Any, Final

from litestar import get, post
from msgspec import Struct

from croupier.errors import CroupierError, Malformed
from croupier.house import HouseCommand, HouseTable, SubmissionVersion, commands
from croupier.rulebook import load_rulebook
from croupier.server import Caller, Desk, NotFound
from croupier.web.bench_house import may, refused_words
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.words import namer

__all__ = ["ROUTES", "TableChange", "table_changes"]

_DONE: Final = {
    "made": "The table is made. Open it below when the floor is ready.",
    "open": "The table is open.",
    "proposed": "Proposed. Somebody else confirms it, between rounds.",
    "confirmed": "Confirmed. The table takes its new rules before the next round.",
    "withdrawn": "What was proposed is withdrawn.",
}


class TableChange(Struct, frozen=True, kw_only=True):
    """A table, and the change of its rules that waits for somebody else."""

    table: HouseTable
    now: SubmissionVersion
    newer: tuple[SubmissionVersion, ...]
    """Approved versions under the same rulebook that it could be put on."""
    own: bool
    """Whether the reader proposed what is waiting."""


def table_changes(desk: Desk, caller: Caller) -> list[TableChange]:
    """Every table of the house with what could become of its rules."""
    state = desk.house.state
    approved = [version for version in state.submissions.values() if version.status == "approved"]
    return [
        TableChange(
            table=table,
            now=(now := state.rules_of(table)),
            newer=tuple(version for version in approved if version.rulebook == now.rulebook and version != now),
            own=table.proposed is not None and table.proposed.by == caller.id,
        )
        for table in state.tables.values()
    ]


@get("/workbench/submissions/{name:str}")
async def see_submission(desk: Desk, caller: Caller, name: str, done: str = "") -> Page:
    """Every version of a submission, and the tables of its rulebook."""
    return _page(desk, caller, name, done=_DONE.get(done, ""))


def _page(
    desk: Desk,
    caller: Caller,
    name: str,
    *,
    done: str = "",
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    caller.must_read("submissions")
    versions = desk.house.state.versions(name)
    if not versions:
        raise NotFound("there is no such submission")
    book = load_rulebook(versions[0].rulebook)
    changes = table_changes(desk, caller) if caller.may_read("tables") else []
    return page(
        "bench_submission",
        caller,
        status=status,
        name=name,
        source=book.source,
        versions=tuple(reversed(versions)),
        approved=tuple(version for version in reversed(versions) if version.status == "approved"),
        tables=[change for change in changes if change.now.rulebook == book.id],
        name_of=namer(desk, caller),
        may={do: may(desk, caller, do) for do in _NEEDED},
        key=new_key(),
        done=done,
        refusal=refusal,
    )


_NEEDED: Final = (
    "draft_submission",
    "make_table",
    "open_play",
    "propose_rules_change",
    "confirm_rules_change",
    "withdraw_rules_change",
)


@post("/workbench/submissions/{name:str}/tables", status_code=200)
async def change_table(desk: Desk, caller: Caller, fields: Fields, name: str) -> Page:
    """Make a table under an approved version, open it, or change its rules by two people."""
    caller.must_read("submissions")
    if not desk.house.state.versions(name):
        raise NotFound("there is no such submission")
    do = fields.get("do", "")
    try:
        await desk.give_house(caller, _command(desk, do, name, fields), fields.get("key", ""))
    except CroupierError as error:
        refusal, status = refused_words(error)
        return _page(desk, caller, name, refusal=refusal, status=status)
    then = {"make": "made", "open": "open", "propose": "proposed", "confirm": "confirmed", "withdraw": "withdrawn"}
    return redirect(f"/workbench/submissions/{name.replace(' ', '%20')}?done={then[do]}")


def _command(desk: Desk, do: str, name: str, fields: Fields) -> HouseCommand:
    table = fields.get("table", "").strip()
    match do:
        case "make":
            return commands.MakeTable(
                table=table,
                submission=name,
                version=_number(fields.get("version", "")),
                kind="physical" if fields.get("kind") == "physical" else "virtual",
                dealer="person"
                if fields.get("kind") == "physical" or fields.get("dealer") == "person"
                else "automatic",
            )
        case "open":
            return commands.OpenPlay(table=table)
        case "propose":
            submission, _, version = fields.get("to", "").rpartition(" v")
            return commands.ProposeRulesChange(table=table, submission=submission, version=_number(version))
        case "confirm":
            found = desk.hall.find(table)
            in_round = found is not None and found.table.round is not None
            return commands.ConfirmRulesChange(table=table, in_round=in_round)
        case "withdraw":
            return commands.WithdrawRulesChange(table=table)
    raise Malformed("this form says nothing that can be done here")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise Malformed("choose a version")
    return int(text)


ROUTES: Final = [see_submission, change_table]
