"""`croupier house URL people`, `sessions`, `tokens` and `cage`: who may do what, and what patrons have."""

from __future__ import annotations

from typing import Annotated, TypeAlias
from urllib.parse import quote

import typer
from rich.markup import escape

from croupier.cli.house.connection import (
    AsJson,
    Password,
    address_of,
    connected,
    keep_session,
    kept_session,
    read_password,
    show,
    show_rows,
)
from croupier.cli.shown.console import print_line
from croupier.cli.simulation_options import whole_number
from croupier.money import format_dollars, parse_dollars
from croupier.present import listed

__all__ = ["cage", "people", "sessions", "tokens"]

PersonId: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="As people list shows it.")]
PatronId: TypeAlias = Annotated[str, typer.Argument(metavar="PATRON", help="The patron's id.")]
Amount: TypeAlias = Annotated[str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 100.00.")]
Reference: TypeAlias = Annotated[str, typer.Option("--reference", metavar="TEXT", help="The slip.")]

people = typer.Typer(help="The people of the house.", no_args_is_help=True)
sessions = typer.Typer(help="Sign in and out.", no_args_is_help=True)
tokens = typer.Typer(help="Tokens of devices and programs.", no_args_is_help=True)
cage = typer.Typer(help="What patrons have at the cage.", no_args_is_help=True)


# --- sessions


@sessions.command("sign-in")
def sign_in(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your name at the house.")],
    password: Password = None,
    code: Annotated[str | None, typer.Option("--code", help="The second factor, if you have one.")] = None,
) -> None:
    """Sign in. The session is kept for the next commands, in a file that only you can read.

    [bold]croupier house http://127.0.0.1:8000 sessions sign-in ann[/bold]
    """
    address = address_of(context)
    with connected(context) as house:
        person = house.sign_in(name, read_password(password), code).person
        keep_session(address.url, house.saved())
    print_line(f"signed in as {person.name or person.id}: {listed(person.roles) or 'no role'}")


@sessions.command("sign-out")
def sign_out(context: typer.Context) -> None:
    """Sign out, here and at the house."""
    address = address_of(context)
    try:
        if kept_session(address.url) is not None:
            with connected(context) as house:
                house.sign_out()
    finally:
        keep_session(address.url, None)
    print_line("signed out")


@sessions.command("show")
def show_session(context: typer.Context, as_json: AsJson = False) -> None:
    """Show who is signed in from here."""
    session = kept_session(address_of(context).url)
    person = session.person if session is not None else None
    words = "nobody is signed in" if person is None else f"{person.name or person.id}: {listed(person.roles)}"
    show(person, as_json=as_json, words=words)


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
        house.patch(_person(person), {"roles": roles})
    print_line(f"{person}: {listed(roles)}")


@people.command("suspend")
def suspend(context: typer.Context, person: PersonId) -> None:
    """Keep a person from signing in, and end their sessions."""
    with connected(context) as house:
        house.patch(_person(person), {"suspended": True})
    print_line(f"{person} is suspended")


@people.command("restore")
def restore(context: typer.Context, person: PersonId) -> None:
    """Let a suspended person sign in again."""
    with connected(context) as house:
        house.patch(_person(person), {"suspended": False})
    print_line(f"{person} may sign in again")


@people.command("password")
def set_password(
    context: typer.Context,
    person: PersonId,
    password: Annotated[
        str | None, typer.Option("--password", help="This one, where the house allows it.", show_default=False)
    ] = None,
) -> None:
    """Give a person a new password. The house makes one, and it is shown once, to be handed over."""
    with connected(context) as house:
        answer = house.post(f"{_person(person)}/password", {} if password is None else {"password": password})
    made = answer.get("password") if isinstance(answer, dict) else None
    print_line(f"the new password of {person}: {escape(made)}" if made else f"{person} has a new password")


def _person(person: str) -> str:
    return f"/api/people/{quote(person, safe='')}"


# --- tokens


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
    dollars = format_dollars(parse_dollars(amount))
    words = _asked(context, patron, way, {"amount": dollars, "reference": reference})
    print_line(escape(f"{way} of {dollars} for {patron}{words}"))


def _asked(context: typer.Context, patron: str, way: str, body: dict[str, str | int]) -> str:
    """Ask the cage, and say which entry it made."""
    from croupier.client import new_key

    with connected(context) as house:
        answer = house.post(f"/api/cage/{quote(patron, safe='')}/{way}", body, key=new_key())
    return f": entry {answer['entry']}" if isinstance(answer, dict) and "entry" in answer else ""
