"""`croupier house URL settings`: the house's time zone and gaming day."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.house.connection import AsJson, connected, show
from croupier.errors import Malformed

__all__ = ["settings"]

settings = typer.Typer(help="The time zone and the gaming day.", no_args_is_help=True)


@settings.command("show")
def show_settings(context: typer.Context, as_json: AsJson = False) -> None:
    """Show the house's time zone, and when its gaming day begins."""
    with connected(context) as house:
        answer = house.get("/api/house")
    show(answer, as_json=as_json, words=_said(answer))


@settings.command("change")
def change_settings(
    context: typer.Context,
    time_zone: Annotated[
        str | None, typer.Option("--time-zone", metavar="ZONE", help="Such as America/New_York.", show_default=False)
    ] = None,
    day_start: Annotated[
        str | None, typer.Option("--day-start", metavar="TIME", help="Such as 06:00.", show_default=False)
    ] = None,
) -> None:
    """Change the time zone, or when the gaming day begins.

    [bold]croupier house http://127.0.0.1:8000 settings change --time-zone America/New_York --day-start 06:00[/bold]
    """
    given = {"time_zone": time_zone, "day_start": day_start}
    body = {name: value for name, value in given.items() if value is not None}
    if not body:
        raise Malformed("nothing to change: give --time-zone or --day-start")
    with connected(context) as house:
        answer = house.patch("/api/house", body)
    show(answer, as_json=False, words=_said(answer))


def _said(answer: dict[str, str]) -> str:
    return f"the gaming day begins at {answer['day_start']}, {answer['time_zone']}"
