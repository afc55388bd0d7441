"""`croupier house URL disputes`: rounds that players dispute, and the floor's answers."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.house.connection import AsJson, connected, show, show_rows
from croupier.cli.simulation_options import whole_number

__all__ = ["disputes"]

disputes = typer.Typer(help="Disputed rounds, and the floor's answers.", no_args_is_help=True)


@disputes.command("list")
def list_disputes(context: typer.Context, as_json: AsJson = False) -> None:
    """List the disputes, those that wait for an answer first: your own, or all for the floor."""
    with connected(context) as house:
        answer = house.get("/api/disputes")
    columns = ("number", "table", "round", "seat", "person", "words", "stands", "answer")
    show_rows(answer, columns, as_json=as_json, nothing="no disputes")


@disputes.command("raise")
def raise_dispute(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")],
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What is disputed.")],
    played: Annotated[int, whole_number("--round", least=0, text="Without it, your last round there.")] = 0,
    person: Annotated[str, typer.Option("--person", metavar="ID", help="The player, where the floor raises it.")] = "",
    as_json: AsJson = False,
) -> None:
    """Dispute a round.

    [bold]croupier house http://127.0.0.1:8000 disputes raise 4 "my pair of tens was a win" --round 12[/bold]
    """
    with connected(context) as house:
        answer = house.post("/api/disputes", {"table": table, "round": played, "person": person, "words": words})
    number = answer.get("number") if isinstance(answer, dict) else None
    show(answer, as_json=as_json, words=f"dispute {number} is on record: the floor answers it")


@disputes.command("answer")
def answer_dispute(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The dispute, as disputes list shows it.")],
    words: Annotated[str, typer.Argument(metavar="WORDS", help="Why; the player reads it.")],
    stands: Annotated[bool, typer.Option("--stands/--does-not-stand", help="Whether the settlement stands.")],
    as_json: AsJson = False,
) -> None:
    """Answer a dispute, as the floor: once."""
    with connected(context) as house:
        answer = house.post(f"/api/disputes/{number}/answer", {"stands": stands, "words": words})
    verdict = "stands" if stands else "does not stand"
    show(answer, as_json=as_json, words=f"dispute {number} is answered: the settlement {verdict}")
