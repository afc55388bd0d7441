"""`croupier house URL sessions`: signing in and out, one's own password and second factor."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from croupier.cli.house.connection import (
    AsJson,
    Password,
    address_of,
    connected,
    is_terminal,
    keep_session,
    kept_session,
    own_id,
    person_path,
    read_password,
    show,
)
from croupier.cli.shown.console import print_line
from croupier.present import listed

__all__ = ["sessions"]

sessions = typer.Typer(help="Sign in and out; your own password and second factor.", no_args_is_help=True)


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
    from croupier.client import HouseClient

    address = address_of(context)
    with HouseClient(address.url, session=kept_session(address.url)) as house:
        answer = house.sign_in(name, read_password(password), code)
        keep_session(address.url, house.saved())
    person, until = answer.person, answer.password_until
    print_line(f"signed in as {person.name or person.id}: {listed(person.roles) or 'no role'}")
    if until is not None:
        print_line(
            f"this password was handed out and works until {until:%Y-%m-%d %H:%M} UTC: sessions password changes it"
        )


@sessions.command("sign-out")
def sign_out(
    context: typer.Context,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="Every session of yours, on any device.")] = False,
) -> None:
    """Sign out, here and at the house."""
    address = address_of(context)
    if everywhere:
        with connected(context) as house:
            house.delete(f"{person_path(own_id(context))}/sessions")
        keep_session(address.url, None)
        print_line("signed out everywhere")
        return
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


@sessions.command("password")
def change_password(
    context: typer.Context,
    password: Password = None,
    new: Annotated[str | None, typer.Option("--new", help="Asked for at a terminal.", show_default=False)] = None,
) -> None:
    """Change your own password. Your other sessions end, and you stay signed in here."""
    path = f"{person_path(own_id(context))}/password"
    old = read_password(password, prompt="Your password: ")
    body = {"old": old, "password": read_password(new, prompt="A new password: ", option="--new")}
    with connected(context) as house:
        house.post(path, body)
        keep_session(address_of(context).url, house.saved())
    print_line("your password is changed; your other sessions have ended")


@sessions.command("second-factor")
def set_second_factor(
    context: typer.Context,
    password: Password = None,
    offer: Annotated[
        str | None, typer.Option("--offer", help="What the first call printed, without a terminal.", show_default=False)
    ] = None,
    code: Annotated[
        str | None, typer.Option("--code", help="What the authenticator shows.", show_default=False)
    ] = None,
) -> None:
    """Set up a second factor: enter the address that is printed in an authenticator, and give the code that it shows.

    Without a terminal it takes two calls: the second one with the --offer that the first one printed, and the --code.
    Recovery codes are printed once.
    """
    path = f"{person_path(own_id(context))}/second_factor"
    with connected(context) as house:
        if offer is None:
            answer = house.post(path)
            offer = str(answer["offer"])
            print_line(f"enter this in your authenticator: {escape(answer['uri'])}")
            if not is_terminal():
                print_line(f"then call this again with --offer {escape(offer)} --code CODE")
                return
        secret = read_password(password, prompt="Your password: ")
        shown = code if code is not None else input("The code that it shows: ")
        answer = house.post(f"{path}/confirm", {"password": secret, "offer": offer, "code": shown.strip()})
        keep_session(address_of(context).url, house.saved())
    print_line("your second factor holds from now on; these codes replace it, once each:")
    for recovery in answer["recovery"]:
        print_line(f"  {escape(recovery)}")
