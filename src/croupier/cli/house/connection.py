"""Which house a command talks to, as whom, and the sessions that are kept between commands."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias
from urllib.parse import quote

import msgspec
import typer

from croupier.cli.shown.console import print_json, print_line, print_table
from croupier.client import HouseSaysNo, NotSignedIn, SavedSession
from croupier.errors import Malformed

if TYPE_CHECKING:
    from croupier.client import HouseClient

__all__ = [
    "Address",
    "AsJson",
    "Note",
    "Password",
    "address_of",
    "connected",
    "is_terminal",
    "keep_session",
    "kept_session",
    "own_id",
    "person_path",
    "read_password",
    "show",
    "show_rows",
]

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
Note: TypeAlias = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, for the record.")]
Password: TypeAlias = Annotated[
    str | None,
    typer.Option("--password", envvar="CROUPIER_PASSWORD", help="Asked for at a terminal.", show_default=False),
]
PRIVATE: Final = 0o600


class Address(NamedTuple):
    """A house, and the token of a device or a program, if it has one."""

    url: str
    token: str = ""


def address_of(context: typer.Context) -> Address:
    """The house that the command line names."""
    address = context.find_root().meta.get("house")
    if not isinstance(address, Address) or not address.url:
        raise Malformed("no house: name its address, such as http://127.0.0.1:8000, or set CROUPIER_HOUSE")
    return address


@contextmanager
def connected(context: typer.Context) -> Iterator[HouseClient]:
    """A client of the house, signed in as before."""
    from croupier.client import HouseClient

    address = address_of(context)
    session = None if address.token else kept_session(address.url)
    with HouseClient(address.url, token=address.token, session=session) as house:
        try:
            yield house
        except NotSignedIn as error:
            words = "" if str(error) == "sign in first" else f"{error}; "
            raise HouseSaysNo(f"{words}sign in first: croupier house {address.url} sessions sign-in NAME") from None


# --- sessions


def _sessions_file() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "croupier" / "sessions.json"


def _kept() -> dict[str, SavedSession]:
    path = _sessions_file()
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, SavedSession])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise Malformed(f"{path}: {error}") from None


def kept_session(url: str) -> SavedSession | None:
    """The session that was kept for a house."""
    return _kept().get(url.rstrip("/"))


def keep_session(url: str, session: SavedSession | None) -> None:
    """Keep a session for the next command, or forget it; only its owner can read the file."""
    kept, path = _kept(), _sessions_file()
    kept.pop(url.rstrip("/"), None)
    if session is not None:
        kept[url.rstrip("/")] = session
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as file:
            file.write(msgspec.json.encode(kept))
        part.replace(path)
    except OSError as error:
        raise Malformed(f"{path}: cannot be written: {error.strerror}") from None


def read_password(
    given: str | None, *, prompt: str = "Password: ", option: str = "--password or set CROUPIER_PASSWORD"
) -> str:
    """The password from the option or the environment, or typed unseen."""
    if given is not None:
        return given
    if not is_terminal():
        raise Malformed(f"no password: give {option}")
    return getpass.getpass(prompt)


def is_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def own_id(context: typer.Context) -> str:
    """The id of whoever is signed in from here."""
    url = address_of(context).url
    session = kept_session(url)
    if session is None or session.person is None:
        raise HouseSaysNo(f"nobody is signed in: croupier house {url} sessions sign-in NAME")
    return session.person.id


def person_path(person: str) -> str:
    """The address of somebody's account."""
    return f"/api/people/{quote(person, safe='')}"


# --- answers


def show(answer: Any, *, as_json: bool, words: str) -> None:  # noqa: ANN401 - plain JSON
    """An answer for programs, or what it means."""
    if as_json:
        print_json(answer)
    else:
        print_line(words)


def show_rows(answer: Any, columns: tuple[str, ...], *, as_json: bool, nothing: str) -> None:  # noqa: ANN401
    """A list of objects as a table of these of their members."""
    if as_json:
        print_json(answer)
        return
    rows = [row for row in answer if isinstance(row, dict)] if isinstance(answer, list) else []
    if not rows:
        print_line(nothing)
        return
    known = [column for column in columns if any(column in row for row in rows)]
    print_table(known, [[_cell(row.get(column)) for column in known] for row in rows])


def _cell(value: Any) -> str:  # noqa: ANN401 - plain JSON
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_cell, value))
        case dict():
            return ", ".join(f"{name} {_cell(item)}" for name, item in value.items())
    return str(value).replace("[", "\\[")
