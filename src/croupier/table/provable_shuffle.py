"""What a virtual table adds: the players' own bytes before the deal, and the seed after the round."""

from __future__ import annotations

import re
from typing import Final

from croupier.cards import DECK
from croupier.errors import Malformed
from croupier.fairness import GENERATOR, SEED_BYTES, read_hex, verify
from croupier.games import refuse
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.duties import cite, cited_duty
from croupier.table.players import patron_of
from croupier.table.requests import Request
from croupier.table.state import Table, deck_in_play, seats_of

__all__ = ["add_entropy", "reveal_seed"]

_HEX: Final = re.compile(r"(?:[0-9a-f]{2}){1,64}")


def add_entropy(table: Table, command: commands.AddEntropy, request: Request) -> list[table_events.Event]:
    """A player adds bytes to the shuffle until the bets are closed."""
    cited, patron = cited_duty(table.house, "add_entropy"), patron_of(table, request, "")
    deck = deck_in_play(table)
    if deck is None or not deck.commitment:
        raise refuse("no_commitment", cited, "there is no shuffle to add to: the shuffler commits first")
    if table.round is not None and table.round.at.kind != "wagers":
        raise refuse("too_late", cited, "the deck is fixed once the bets are closed")
    if not seats_of(table, patron):
        raise refuse("nobody_there", cited_duty(table.house, "sit"), f"{patron} is not seated here")
    if patron in dict(table.fairness.entropy):
        raise refuse("added", cited, f"{patron} has already added to this shuffle")
    if not _HEX.fullmatch(command.entropy):
        raise refuse("no_bytes", cited, "add 1 to 64 bytes, in lowercase hexadecimal")
    return [table_events.EntropyAdded(patron=patron, entropy=command.entropy, **cite(cited))]


def reveal_seed(table: Table, command: commands.RevealSeed, _: Request) -> list[table_events.Event]:
    """Reveal the seed of the closed round."""
    cited = cited_duty(table.house, "reveal_seed")
    shuffle = table.fairness.unrevealed_shuffle
    if shuffle is None:
        raise refuse("nothing_there", cited, "there is no seed to reveal: close the round first")
    players = [read_hex(entropy, "entropy") for entropy in shuffle.entropy]
    try:
        wrong = verify(shuffle.commitment, read_hex(command.seed, "seed", size=SEED_BYTES), players, command.deck)
    except Malformed as error:
        raise refuse("cannot_be_read", cited, str(error)) from None
    if command.commitment != shuffle.commitment or wrong or len(command.deck) != len(DECK):
        why = wrong[0].why if wrong else f"the round was dealt under the commitment {shuffle.commitment}"
        raise refuse("does_not_hold", cited, f"this is not the shuffle that was committed to: {why}")
    return [
        table_events.SeedRevealed(
            generator=GENERATOR,
            commitment=shuffle.commitment,
            seed=command.seed,
            players=shuffle.entropy,
            deck=command.deck,
            depth=shuffle.depth,
            **cite(cited),
        )
    ]
