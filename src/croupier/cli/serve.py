"""`croupier serve`: the running house on one address."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from croupier.cli.shown.console import print_line
from croupier.errors import CroupierError
from croupier.extras import need

__all__ = ["serve"]

_CALM: Final = 4.0
"""Seconds that the patrons of a demo think, on average."""
_REST: Final = 30.0


def serve(
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where the record is: a SQLite file or postgresql://…", show_default=False),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, envvar="PORT", help="The port.")] = 8000,
    host: Annotated[str, typer.Option(envvar="HOST", help="The address to listen on.")] = "127.0.0.1",
    demo: Annotated[
        bool, typer.Option("--demo", help="A house with play chips: an account for each role, open tables, sign-up.")
    ] = False,
    patrons: Annotated[
        bool, typer.Option("--patrons/--no-patrons", help="Whether a few automatic patrons play in a demo.")
    ] = True,
    public_url: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The address of the proxy in front of the house, which adds TLS: https://house.example",
            show_default=False,
        ),
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy on another machine, whose X-Forwarded-For is believed.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[str, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")] = "warning",
) -> int:
    """Run a house: its tables, live, for players, dealers and the floor.

    The first start makes an operator, whose password is printed once. With --demo every role has an account, players
    sign themselves up, and chips are free. Without --store the record is in your data directory.

    Stop it with Ctrl+C or a SIGTERM, which both end with exit code 0: every round is kept, and goes on where it
    stopped when the house opens again. A second Ctrl+C does not wait for open requests.

    Example: [bold]croupier serve --demo[/bold]
    """
    import asyncio

    need("server")
    from croupier.server import CannotListen, listen, run_house
    from croupier.web import PAGES

    if log not in {"debug", "info", "warning", "error"}:
        raise typer.BadParameter("debug, info, warning or error", param_hint="--log")
    url = store or str(default_store(demo=demo))
    try:
        sock = listen(host, port)
    except CannotListen as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 1
    with sock:
        asyncio.run(
            run_house(
                url,
                sock,
                demo_house=demo,
                log=log,
                say=print_line,
                pages=PAGES,
                public_url=public_url,
                proxies=proxy or [],
                patrons=_patrons if patrons else None,
            )
        )
    return 0


async def _patrons(url: str, password: str) -> None:
    """A few patrons who play at a calm pace for as long as the demo runs."""
    import asyncio
    import logging

    from croupier.bots import BotPlan, Crowd
    from croupier.house import DEMO_PATRONS

    plan = BotPlan(pace=_CALM, side_bets=0.25, stay=20)
    while True:
        try:
            await Crowd(url, plan, number=len(DEMO_PATRONS), name="patron", password=password).play()
        except CroupierError as error:
            logging.getLogger("croupier.server").info("the patrons rest: %s", error)
        await asyncio.sleep(_REST)


def default_store(*, demo: bool) -> Path:
    """The store of a house that names none: one file in the user's data directory."""
    from croupier.store import user_folder

    folder = user_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / ("demo.db" if demo else "house.db")
