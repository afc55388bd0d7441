"""`croupier house`: a running house from the terminal, through its API."""

from __future__ import annotations

import os
import re
from typing import Annotated, Any, Final

import typer

from croupier.cli.hints import Subcommands, meant_by
from croupier.cli.house.connection import Address
from croupier.cli.house.disputes import disputes
from croupier.cli.house.people import cage, people, tokens
from croupier.cli.house.sessions import sessions
from croupier.cli.house.settings import settings
from croupier.cli.house.tables import submissions, tables
from croupier.errors import Malformed

__all__ = ["app"]

_WORD: Final = re.compile(r"(?!localhost$)[^\W\d][^.:/]*")
"""What cannot be an address: a command, perhaps a mistyped one."""


class _AddressFirst(Subcommands):
    """The address comes first, and can be left out: for help, or where the environment names the house."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - its type is private to Typer
        if args and _WORD.fullmatch(args[0]) and meant_by(args[0], self.commands):
            args = ["", *args]
        elif args and _WORD.fullmatch(args[0]):
            raise Malformed(
                f"{args[0]!r} is not the address of a house: begin with it, such as"
                " croupier house http://127.0.0.1:8000 sessions sign-in ann"
            )
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_AddressFirst, no_args_is_help=True)
app.add_typer(sessions, name="sessions")
app.add_typer(settings, name="settings")
app.add_typer(people, name="people")
app.add_typer(tables, name="tables")
app.add_typer(submissions, name="submissions")
app.add_typer(cage, name="cage")
app.add_typer(disputes, name="disputes")
app.add_typer(tokens, name="tokens")


@app.callback()
def house(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="The house, such as http://127.0.0.1:8000.")],
    token: Annotated[
        str, typer.Option("--token", envvar="CROUPIER_TOKEN", help="The token of a device, instead of a session.")
    ] = "",
) -> None:
    """Work at a running house without a browser: sign in, then go on.

    [bold]croupier house http://127.0.0.1:8000 sessions sign-in ann[/bold]
    [bold]croupier house http://127.0.0.1:8000 tables list[/bold]
    """
    address = url or os.environ.get("CROUPIER_HOUSE", "")
    context.find_root().meta["house"] = Address(address.rstrip("/"), token)
