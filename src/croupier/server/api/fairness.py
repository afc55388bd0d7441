"""The proof of a shuffle, for whoever holds its commitment: after the round, never before."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import get
from litestar.params import PathParameter

from croupier.cards import format_cards
from croupier.errors import RuleViolation
from croupier.fairness import GENERATOR, Proof, check
from croupier.journal import read_line
from croupier.server.api.answers import ToldProof
from croupier.server.api.parameters import TheCaller, TheDesk
from croupier.server.callers import NotFound
from croupier.server.described import ANYBODY, answers
from croupier.table.events import SeedRevealed

__all__ = ["ROUTES"]


@get(
    "/fairness/{commitment:str}",
    summary="The seed and the deck behind a commitment, once the round is over",
    responses=answers(ToldProof, 401, 404, 409, 503),
    security=ANYBODY,
)
async def see_proof(
    desk: TheDesk,
    caller: TheCaller,
    commitment: Annotated[str, PathParameter(pattern="^[0-9a-f]{64}$", description="64 hexadecimal digits")],
) -> dict[str, Any]:
    """The proof as `croupier fairness verify` reads it, where it is recorded, and whether it holds."""
    del caller  # whoever they are
    rows = await desk.hall.store.read("select stream, seq from reveal where commitment = $1", commitment)
    if not rows:
        if any(deck.commitment == commitment for table in desk.hall.tables() for deck in table.table.cards.decks):
            raise RuleViolation(
                "not_revealed", "this shuffle is in play: its seed is revealed after the round", clause=""
            )
        raise NotFound("no shuffle has this commitment")
    stream, seq = str(rows[0][0]), int(rows[0][1])
    line = (await desk.hall.store.load(stream, after=seq - 1, until=seq))[0]
    event = read_line(bytes(line.line)).event
    if not isinstance(event, SeedRevealed):
        raise NotFound("no shuffle has this commitment")
    proof = Proof(GENERATOR, event.commitment, event.seed, event.players, format_cards(event.deck))
    problems = check(proof)
    return {
        "table": stream.partition("/")[2],
        "entry": seq,
        "depth": event.depth,
        "proof": {name: getattr(proof, name) for name in proof.__struct_fields__},
        "holds": not problems,
    }


ROUTES: Final = [see_proof]
