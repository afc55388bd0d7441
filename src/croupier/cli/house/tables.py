"""`croupier house URL tables` and `submissions`: the tables of a house, and the rules that they play by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeAlias
from urllib.parse import quote

import msgspec
import typer

from croupier.cli.house.connection import AsJson, Note, connected, show, show_rows
from croupier.cli.shown.console import print_json, print_line
from croupier.cli.submission import raw_submission
from croupier.client import ListedTable
from croupier.errors import Malformed

__all__ = ["submissions", "tables"]

TableId: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="The table, as tables list shows it.")]
SubmissionName: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="The submission.")]
Version: TypeAlias = Annotated[int, typer.Argument(metavar="VERSION", min=1, help="Its version.")]

Seen: TypeAlias = Annotated[
    str | None,
    typer.Option("--hash", metavar="HASH", help="Only if this is the version: its hash, as submissions show says it."),
]

tables = typer.Typer(help="The tables of the house.", no_args_is_help=True)
submissions = typer.Typer(help="The Rules Submissions of the house.", no_args_is_help=True)


@tables.command("list")
def list_tables(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="As the house keeps them, for staff: also new and closed, and proposed rules.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the tables: game, status, open seats, limits of the main game, meters."""
    with connected(context) as house:
        if everything:
            kept = house.get("/api/house/tables")
            columns: tuple[str, ...] = ("id", "status", "submission", "version", "kind", "dealer", "pace", "proposed")
            show_rows(kept, columns, as_json=as_json, nothing="no tables yet")
            return
        answer = house.get("/api/tables") if as_json else [_listed(table) for table in house.tables()]
    columns = ("table", "game", "status", "open seats", "from", "to", "meters")
    show_rows(answer, columns, as_json=as_json, nothing="no tables yet")


def _listed(table: ListedTable) -> dict[str, Any]:
    limits: dict[str, Any] = next(iter(table.limits.values()), {})
    return {
        "table": table.id,
        "game": table.rulebook,
        "status": table.status,
        "open seats": " ".join(map(str, table.open_seats)),
        "from": limits.get("minimum", ""),
        "to": limits.get("maximum", ""),
        "meters": {name: str(value) for name, value in table.meters.items()},
    }


@tables.command("show")
def show_table(context: typer.Context, table: TableId, as_json: AsJson = False) -> None:
    """Show a table as you may see it, and what you may do there."""
    with connected(context) as house:
        answer = house.table(table)
        if as_json:
            print_json(house.get(f"/api/tables/{quote(table, safe='')}"))
            return
    view = answer.view
    print_line(f"table {table}, {view.rulebook}: {view.status}, awaiting {view.awaiting.words or view.awaiting.kind}")
    for box in view.seats:
        bets = ", ".join(f"{wager} {amount}" for wager, amount in box.bets.items())
        print_line(f"  seat {box.seat}  {box.patron or 'open'}  {bets}  {' '.join(box.cards)}".rstrip())
    names = sorted({offer.do for offer in answer.allowed})
    print_line(f"you may: {', '.join(names) or 'look'}")


@tables.command("create")
def create_table(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="ID", help="The new table.")],
    submission: Annotated[str, typer.Option("--submission", metavar="NAME", help="The rules it plays by.")],
    version: Annotated[int, typer.Option("--version", min=1, help="The approved version.")],
    kind: Annotated[str, typer.Option("--kind", help="virtual or physical.")] = "virtual",
    dealer: Annotated[str | None, typer.Option("--dealer", help="automatic or person.")] = None,
    pace: Annotated[int | None, typer.Option("--pace", min=0, help="An automatic dealer's pause, in ms.")] = None,
    as_json: AsJson = False,
) -> None:
    """Set up a table under an approved submission.

    [bold]croupier house http://127.0.0.1:8000 tables create 7 --submission stud --version 1[/bold]
    """
    body = {"id": table, "submission": submission, "version": version, "kind": kind}
    body |= {name: value for name, value in (("dealer", dealer), ("pace", pace)) if value is not None}
    with connected(context) as house:
        answer = house.post("/api/tables", body)
    show(answer, as_json=as_json, words=f"table {table} is set up")


@tables.command("open")
def open_table(context: typer.Context, table: TableId) -> None:
    """Open a table."""
    _change(context, table, "open", "is open")


@tables.command("pause")
def pause_table(context: typer.Context, table: TableId) -> None:
    """Let no new round begin at a table."""
    _change(context, table, "pause", "is paused")


@tables.command("resume")
def resume_table(context: typer.Context, table: TableId) -> None:
    """Let a paused table go on."""
    _change(context, table, "resume", "goes on")


@tables.command("close")
def close_table(context: typer.Context, table: TableId) -> None:
    """Close a table."""
    _change(context, table, "close", "is closed")


@tables.command("hand-over")
def hand_over(
    context: typer.Context,
    table: TableId,
    to: Annotated[str | None, typer.Option("--to", metavar="DEALER", help="The dealer's id.")] = None,
) -> None:
    """Hand a table over to a dealer; without one, to the automatic dealer."""
    body = {"dealer": "automatic"} if to is None else {"dealer": "person", "person": to}
    _change(context, table, "hand_over", "is handed over", body)


def _change(context: typer.Context, table: str, how: str, words: str, body: dict[str, Any] | None = None) -> None:
    with connected(context) as house:
        house.post(f"/api/tables/{quote(table, safe='')}/{how}", body or {})
    print_line(f"table {table} {words}")


@tables.command("propose")
def propose_rules(
    context: typer.Context,
    table: TableId,
    submission: Annotated[str, typer.Option("--submission", metavar="NAME", help="The rules it is to play by.")],
    version: Annotated[int, typer.Option("--version", min=1, help="The approved version.")],
) -> None:
    """Propose other rules for a table: somebody else confirms them.

    [bold]croupier house http://127.0.0.1:8000 tables propose 7 --submission stud --version 2[/bold]
    """
    body = {"submission": submission, "version": version}
    _change(context, table, "rules", f"is to play by {submission}, version {version}, once somebody confirms it", body)


@tables.command("confirm")
def confirm_rules(context: typer.Context, table: TableId) -> None:
    """Confirm the rules that somebody else has proposed: tables list --all shows which."""
    _change(context, table, "rules/confirm", "takes the rules that were proposed, between rounds")


@tables.command("withdraw")
def withdraw_rules(context: typer.Context, table: TableId) -> None:
    """Take back the rules that were proposed for a table."""
    with connected(context) as house:
        house.delete(f"/api/tables/{quote(table, safe='')}/rules")
    print_line(f"table {table} keeps its rules")


@tables.command("command")
def give_command(
    context: typer.Context,
    table: TableId,
    do: Annotated[str, typer.Argument(metavar="COMMAND", help="As croupier table commands lists them.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY=VALUE...]", help="Its arguments.", show_default=False)
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="The same key again gives the same answer.")] = None,
    as_json: AsJson = False,
) -> None:
    """Give a command at a table: what any role may do there.

    [bold]croupier house http://127.0.0.1:8000 tables command 1 sit seat=2[/bold]
    """
    given = dict(map(_argument, arguments or ()))
    with connected(context) as house:
        answer = house.command(table, do, key, **given)
    if as_json:
        print_json({"version": answer.version, "entries": [_entry(entry) for entry in answer.entries]})
        return
    for entry in answer.entries:
        print_line(f"{entry.name}{f' ({entry.clause})' if entry.clause else ''}")


def _entry(entry: Any) -> dict[str, Any]:  # noqa: ANN401 - a struct of the client
    members: dict[str, Any] = msgspec.to_builtins(entry)
    fields: dict[str, Any] = members.pop("fields")
    return members | fields


def _argument(text: str) -> tuple[str, object]:
    """`seat=2` is a number, `amount=10.00` and everything else is text; JSON where it begins like JSON."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise Malformed(f"{text!r} is not an argument such as seat=2")
    if value.isdecimal() or value in {"true", "false"} or value[:1] in {"{", "["}:
        try:
            return name, msgspec.json.decode(value)
        except msgspec.DecodeError as error:
            raise Malformed(f"{name}: {error}") from None
    return name, value


# --- submissions


@submissions.command("list")
def list_submissions(context: typer.Context, as_json: AsJson = False) -> None:
    """List the submissions of the house, with their versions and where each stands."""
    columns = ("name", "version", "status", "rulebook", "note")
    with connected(context) as house:
        answer = house.get("/api/submissions")
    show_rows(answer, columns, as_json=as_json, nothing="no submissions yet")


@submissions.command("show")
def show_submission(context: typer.Context, name: SubmissionName, version: Version, as_json: AsJson = False) -> None:
    """Show a version as it was sent, with its hash: what approve and return can be held to.

    [bold]croupier house http://127.0.0.1:8000 submissions show stud 1[/bold]
    """
    with connected(context) as house:
        answer = house.get(f"/api/submissions/{quote(name, safe='')}/{version}")
    if as_json:
        print_json(answer)
        return
    print_line(
        f"{name}, version {version}: {answer['status']}, under {answer['rulebook']}, sent by {answer['drafted_by']}"
    )
    print_line(f"hash {answer['hash']}")
    print_json(msgspec.json.decode(answer["text"]))


@submissions.command("send")
def send_submission(
    context: typer.Context,
    name: SubmissionName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="TOML or JSON; - is standard input.")],
    as_json: AsJson = False,
) -> None:
    """Send a submission as a new draft.

    [bold]croupier house http://127.0.0.1:8000 submissions send stud house.toml[/bold]
    """
    body = {"name": name, "submission": raw_submission(file)}
    with connected(context) as house:
        answer = house.post("/api/submissions", body)
    version = f", version {answer['version']}" if isinstance(answer, dict) and "version" in answer else ""
    show(answer, as_json=as_json, words=f"sent {name}{version}")


@submissions.command("approve")
def approve(context: typer.Context, name: SubmissionName, version: Version, note: Note = "", seen: Seen = None) -> None:
    """Approve a version: tables may play by it. With its hash, exactly what you looked at is approved, or nothing.

    [bold]croupier house http://127.0.0.1:8000 submissions approve stud 1 --hash 9f2c…[/bold]
    """
    _judge(context, name, version, "approve", note, seen)
    print_line(f"approved {name}, version {version}")


@submissions.command("return")
def return_draft(
    context: typer.Context, name: SubmissionName, version: Version, note: Note = "", seen: Seen = None
) -> None:
    """Return a version to whoever sent it, with a note."""
    _judge(context, name, version, "return", note, seen)
    print_line(f"returned {name}, version {version}")


def _judge(context: typer.Context, name: str, version: int, verdict: str, note: str, seen: str | None) -> None:
    body = {"note": note} if seen is None else {"note": note, "hash": seen.strip()}
    with connected(context) as house:
        house.post(f"/api/submissions/{quote(name, safe='')}/{version}/{verdict}", body)
