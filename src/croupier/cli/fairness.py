"""`croupier fairness`: check that a revealed shuffle is the one that was committed to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cards import format_cards
from croupier.cli.fairness_export import export
from croupier.cli.shown.console import console, print_json, print_line, read_file
from croupier.errors import Malformed
from croupier.fairness import GENERATOR, SEED_BYTES, Problem, Proof, check, commit, read_hex, read_proof
from croupier.fairness import shuffle as shuffled
from croupier.present import counted
from croupier.wire import decode_json

__all__ = ["app"]

app = typer.Typer(help="Check the shuffles of virtual tables, and write samples for test batteries.")
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The proof in JSON; - is standard input.")],
    as_json: Json = False,
) -> int:
    """Check a revealed shuffle: does the seed match the commitment, and does it deal these cards?

    Exit code 0: verified. 1: failed, with the first thing that is wrong. 2: it cannot be read.

    Example: [bold]croupier fairness verify proof.json[/bold]
    """
    text = read_file(file)
    try:
        proof = read_proof(decode_json(text))
        problem = next(iter(check(proof)), None)
    except Malformed as error:
        raise Malformed(f"{file}: {error}") from None
    if as_json:
        print_json({"holds": problem is None, "problem": problem and problem._asdict()})
    else:
        _show(proof, problem)
    return 0 if problem is None else 1


@app.command()
def shuffle(
    seed: Annotated[str, typer.Option("--seed", metavar="HEX", help="The seed: 64 hexadecimal digits.")],
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="HEX", help="What a player added; repeat for each player, in order.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the commitment and the deck of a seed, first card first.

    Use it only with seeds that have been revealed or made up: anyone who sees a seed knows its cards.

    Example: [bold]croupier fairness shuffle --seed 000102…1f --player c0ffee[/bold]
    """
    secret = read_hex(seed, "--seed", size=SEED_BYTES)
    players = [read_hex(text, "--player") for text in player or ()]
    deck = format_cards(shuffled(secret, players))
    if as_json:
        print_json(Proof(GENERATOR, commit(secret), secret.hex(), tuple(added.hex() for added in players), deck))
        return
    console().print(f"[dim]commitment[/dim]\n{commit(secret)}\n[dim]deck[/dim]\n{deck}")


app.command()(export)


def _show(proof: Proof, problem: Problem | None) -> None:
    if problem is None:
        detail = f"{counted(len(proof.deck.split()), 'card')}, {counted(len(proof.players), 'player')} added bytes"
        print_line(f"[green]verified[/green] {GENERATOR}, {detail}")
    else:
        print_line(f"[red]FAILED[/red] {problem.what}: {problem.why}")
