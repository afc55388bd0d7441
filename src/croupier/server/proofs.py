"""The proof of a shuffle, for whoever holds its commitment: after the round, never before."""

from __future__ import annotations

from msgspec import Struct

from croupier.cards import format_cards
from croupier.errors import RuleViolation
from croupier.fairness import GENERATOR, Proof, check
from croupier.journal import read_line
from croupier.server.callers import NotFound
from croupier.server.desk import Desk
from croupier.server.watching import Watched
from croupier.table.events import SeedRevealed

__all__ = ["ShuffleProof", "last_commitment", "proof_of"]


class ShuffleProof(Struct, frozen=True):
    """A proof as it is recorded, and what is wrong with it, if anything."""

    table: str
    entry: int
    depth: int
    proof: Proof
    problems: tuple[str, ...]


async def proof_of(desk: Desk, commitment: str) -> ShuffleProof:
    """The proof behind a commitment; refused while its shuffle is in play."""
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
    return ShuffleProof(stream.partition("/")[2], seq, event.depth, proof, tuple(map(str, check(proof))))


def last_commitment(table: Watched) -> str:
    """The commitment of the seed that a table revealed last, as far as its entries are at hand."""
    events = (entry.event for entry in reversed(table.recent(0)))
    return next((event.commitment for event in events if isinstance(event, SeedRevealed)), "")
