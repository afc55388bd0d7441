"""`croupier house`: a running house from the terminal, through its API."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.house.connection import Address
from croupier.cli.house.people import cage, people, sessions, tokens
from croupier.cli.house.tables import submissions, tables

__all__ = ["app"]

app = typer.Typer()
app.add_typer(sessions, name="sessions")
app.add_typer(people, name="people")
app.add_typer(tables, name="tables")
app.add_typer(submissions, name="submissions")
app.add_typer(cage, name="cage")
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
    context.find_root().meta["house"] = Address(url.rstrip("/"), token)
