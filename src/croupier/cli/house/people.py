"""`croupier house URL people`, `tokens` and `cage`: who may do what, and what patrons have."""

from __future__ import annotations

from typing import Annotated, TypeAlias
from urllib.parse import quote

import typer
from rich.markup import escape

from croupier.cli.house.connection import (
    AsJson,
    Password,
    connected,
    own_id,
    person_path,
    read_password,
    show,
    show_rows,
)
from croupier.cli.shown.console import print_line
from croupier.cli.simulation_options import whole_number
from croupier.errors import Malformed
from croupier.money import format_dollars, typed_dollars
from croupier.present import listed

__all__ = ["cage", "people", "tokens"]

PersonId: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="As people list shows it.")]
PatronId: TypeAlias = Annotated[str, typer.Argument(metavar="PATRON", help="The patron's id.")]
Amount: TypeAlias = Annotated[str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 100.00.")]
Limit: TypeAlias = Annotated[str | None, typer.Option(metavar="AMOUNT", help="none takes it away.", show_default=False)]
Reference: TypeAlias = Annotated[str, typer.Option("--reference", metavar="TEXT", help="The slip.")]

people = typer.Typer(help="The people of the house.", no_args_is_help=True)
tokens = typer.Typer(help="Tokens of devices and programs.", no_args_is_help=True)
cage = typer.Typer(help="What patrons have at the cage.", no_args_is_help=True)


# --- people


@people.command("list")
def list_people(context: typer.Context, as_json: AsJson = False) -> None:
    """List the people whom the house knows."""
    with connected(context) as house:
        answer = house.get("/api/people")
    show_rows(answer, ("id", "name", "roles", "suspended"), as_json=as_json, nothing="nobody yet")


@people.command("add")
def add_person(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")],
    role: Annotated[list[str] | None, typer.Option("--role", metavar="ROLE", help="Once for each role.")] = None,
    password: Password = None,
    as_json: AsJson = False,
) -> None:
    """Add a person, with a first password.

    [bold]croupier house http://127.0.0.1:8000 people add dan --role dealer[/bold]
    """
    body = {"name": name, "password": read_password(password), "roles": role or []}
    with connected(context) as house:
        answer = house.post("/api/people", body)
    show(answer, as_json=as_json, words=f"added {name}")


@people.command("roles")
def set_roles(
    context: typer.Context,
    person: PersonId,
    roles: Annotated[list[str], typer.Argument(metavar="ROLE...", help="All roles that the person has from now on.")],
) -> None:
    """Set the roles of a person."""
    with connected(context) as house:
        house.patch(person_path(person), {"roles": roles})
    print_line(f"{person}: {listed(roles)}")


@people.command("suspend")
def suspend(context: typer.Context, person: PersonId) -> None:
    """Keep a person from signing in, and end their sessions."""
    with connected(context) as house:
        house.patch(person_path(person), {"suspended": True})
    print_line(f"{person} is suspended")


@people.command("restore")
def restore(context: typer.Context, person: PersonId) -> None:
    """Let a suspended person sign in again."""
    with connected(context) as house:
        house.patch(person_path(person), {"suspended": False})
    print_line(f"{person} may sign in again")


@people.command("show")
def show_person(context: typer.Context, person: PersonId) -> None:
    """Show an account, with a player's limits, as JSON."""
    with connected(context) as house:
        answer = house.get(person_path(person))
    show(answer, as_json=True, words="")


@people.command("password")
def set_password(context: typer.Context, person: PersonId) -> None:
    """Give somebody else a new password. The house makes one, and it is shown once, to be handed over.

    Your own is changed with [bold]sessions password[/bold].
    """
    if person == own_id(context):
        raise Malformed("this is you: change your own password with sessions password")
    with connected(context) as house:
        answer = house.post(f"{person_path(person)}/password", {})
    made = answer.get("password") if isinstance(answer, dict) else None
    print_line(f"the new password of {person}: {escape(made)}" if made else f"{person} has a new password")


@people.command("sign-out")
def sign_out(context: typer.Context, person: PersonId) -> None:
    """End every session of a person."""
    with connected(context) as house:
        house.delete(f"{person_path(person)}/sessions")
    print_line(f"{person} is signed out everywhere")


@people.command("remove-second-factor")
def remove_second_factor(context: typer.Context, person: PersonId) -> None:
    """Remove the second factor of somebody who has lost it."""
    with connected(context) as house:
        house.delete(f"{person_path(person)}/second_factor")
    print_line(f"{person} has no second factor any more")


# --- protection of players


@people.command("limits")
def set_limits(
    context: typer.Context,
    person: PersonId,
    loss_day: Limit = None,
    loss_week: Limit = None,
    loss_month: Limit = None,
    minutes_day: Limit = None,
) -> None:
    """Set limits of a player: a lower one holds at once, a higher one, or none, after a day.

    [bold]croupier house http://127.0.0.1:8000 people limits ann-1 --loss-day 100.00 --minutes-day 90[/bold]
    """
    given = {"loss_day": loss_day, "loss_week": loss_week, "loss_month": loss_month, "minutes_day": minutes_day}
    body = {kind: _limit(kind, text) for kind, text in given.items() if text is not None}
    if not body:
        raise Malformed("no limit: give --loss-day, --loss-week, --loss-month or --minutes-day")
    with connected(context) as house:
        answer = house.post(f"{person_path(person)}/limits", body)
    show(answer, as_json=True, words="")


def _limit(kind: str, text: str) -> str | int | None:
    if text == "none":
        return None
    if kind != "minutes_day":
        return format_dollars(typed_dollars(text))
    if not text.isdecimal():
        raise Malformed(f"{text!r} is not a number of minutes")
    return int(text)


@people.command("exclude")
def exclude(
    context: typer.Context,
    person: PersonId,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="Such as 2027-01-01T00:00:00Z.", show_default=False)
    ] = None,
    for_good: Annotated[bool, typer.Option("--for-good", help="It never ends.")] = False,
) -> None:
    """Keep a player away from play: it can be made longer, never shorter."""
    if (until is None) != for_good:
        raise Malformed("say until when: --until TIME, or --for-good")
    with connected(context) as house:
        house.post(f"{person_path(person)}/exclusion", {"until": until})
    print_line(f"{person} is excluded from play {'for good' if until is None else f'until {until}'}")


@people.command("come-back")
def come_back(context: typer.Context, person: PersonId) -> None:
    """End an exclusion whose time is over."""
    with connected(context) as house:
        house.delete(f"{person_path(person)}/exclusion")
    print_line(f"{person} may play again")


# --- tokens


@tokens.command("list")
def list_tokens(context: typer.Context, as_json: AsJson = False) -> None:
    """List the tokens: what each device may do, where and until when."""
    with connected(context) as house:
        answer = house.get("/api/tokens")
    columns = ("id", "device", "scope", "tables", "expires", "revoked")
    show_rows(answer, columns, as_json=as_json, nothing="no tokens yet")


@tokens.command("create")
def create_token(
    context: typer.Context,
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="Its name, such as shoe-3.")],
    scope: Annotated[list[str] | None, typer.Option("--scope", help="What it may do; once for each.")] = None,
    table: Annotated[list[str] | None, typer.Option("--table", metavar="ID", help="At this table.")] = None,
    days: Annotated[int, typer.Option("--days", min=1, help="How long it holds.")] = 365,
) -> None:
    """Make a token for a device or a program. It is shown once.

    [bold]croupier house http://127.0.0.1:8000 tokens create shoe-3 --scope deal --table 3[/bold]
    """
    body = {"device": device, "scope": scope or [], "tables": table or [], "days": days}
    with connected(context) as house:
        answer = house.post("/api/tokens", body)
    show(answer, as_json=True, words="")


@tokens.command("revoke")
def revoke_token(
    context: typer.Context, token: Annotated[str, typer.Argument(metavar="ID", help="The token's id.")]
) -> None:
    """Revoke a token: whoever has it is refused from now on."""
    with connected(context) as house:
        house.delete(f"/api/tokens/{quote(token, safe='')}")
    print_line(f"revoked {token}")


# --- the cage


@cage.command("show")
def show_patron(context: typer.Context, patron: PatronId) -> None:
    """Show what a patron has at the cage, as JSON."""
    with connected(context) as house:
        answer = house.get(f"/api/cage/{quote(patron, safe='')}")
    show(answer, as_json=True, words="")


@cage.command("deposit")
def deposit(context: typer.Context, patron: PatronId, amount: Amount, reference: Reference) -> None:
    """Take a deposit from a patron."""
    _move(context, patron, "deposit", amount, reference)


@cage.command("withdraw")
def withdraw(context: typer.Context, patron: PatronId, amount: Amount, reference: Reference) -> None:
    """Pay a patron out of the cage."""
    _move(context, patron, "withdraw", amount, reference)


@cage.command("reverse")
def reverse(
    context: typer.Context,
    patron: PatronId,
    entry: Annotated[int, whole_number("--entry", text="The entry of the cage, as ledger account shows it.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for the record.")],
) -> None:
    """Take back a mistaken deposit or withdrawal: the entry stays, and another one undoes it."""
    words = _asked(context, patron, "reverse", {"entry": entry, "reason": reason})
    print_line(escape(f"entry {entry} of {patron} is reversed{words}"))


def _move(context: typer.Context, patron: str, way: str, amount: str, reference: str) -> None:
    dollars = format_dollars(typed_dollars(amount))
    words = _asked(context, patron, way, {"amount": dollars, "reference": reference})
    print_line(escape(f"{way} of {dollars} for {patron}{words}"))


def _asked(context: typer.Context, patron: str, way: str, body: dict[str, str | int]) -> str:
    """Ask the cage, and say which entry it made."""
    from croupier.client import new_key

    with connected(context) as house:
        answer = house.post(f"/api/cage/{quote(patron, safe='')}/{way}", body, key=new_key())
    return f": entry {answer['entry']}" if isinstance(answer, dict) and "entry" in answer else ""
