"""Where the cards of a table come from.

`Named`: whoever gives the command names the cards, if anybody knows them: a script, a card-reading shoe as it deals,
or a person who types them at showdown. `Virtual`: a fair shuffler that has committed itself to every deck before bets
are closed, and reveals its seed when the round is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.fairness import Entropy, Sealed, Shoe, seal
from croupier.games.actions import CorrectCard, SetAside, Tell
from croupier.table import Entry, Order, Person, Table
from croupier.table.commands import (
    CutDeck,
    DealCards,
    OrderRecut,
    OrderShuffle,
    ReceiveDeck,
    Reveal,
    RevealSeed,
    ShuffleDeck,
)
from croupier.table.state import deck_in_play, deny

__all__ = ["SHUFFLER", "Named", "Source", "Virtual"]

SHUFFLER = Person("device", "virtual shuffler")


class Source(Protocol):
    """A source of cards stands between whoever gives a command and the table."""

    def complete(self, table: Table, order: Order) -> Order:
        """The command with what the source knows."""

    def follow(self, table: Table, entries: Sequence[Entry]) -> list[Order]:
        """What the source itself does after something was recorded."""


class Named:
    """Cards are named with the commands, or told when they are turned up."""

    def complete(self, table: Table, order: Order) -> Order:
        """As it was given; nobody else can promise a shuffle here."""
        if isinstance(order.do, ShuffleDeck) and order.do.commitment:
            raise deny(table, "not_virtual", "shuffle_deck", "only a virtual shuffler commits itself to a deck")
        return order

    def follow(self, table: Table, entries: Sequence[Entry]) -> list[Order]:
        """Nothing."""
        del table, entries
        return []


def _deals(table: Table, name: str) -> bool:
    """Whether a deck is the one of this round."""
    deck = deck_in_play(table)
    return deck is None or deck.id == name


class Virtual:
    """The fair shuffler of a virtual table; `EntropyFailure` stops dealing when chance has failed."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._sealed: dict[str, Sealed] = {}
        self._shoes: dict[str, Shoe] = {}

    def __repr__(self) -> str:
        return "<Virtual>"

    def complete(self, table: Table, order: Order) -> Order:
        """Shuffle under a fresh commitment, deal from the shuffled deck; nobody else names a card."""
        command, state = order.do, table.round
        late = state is not None and state.at.kind != "wagers"
        if late and isinstance(command, OrderShuffle | OrderRecut | CutDeck) and _deals(table, command.deck):
            raise deny(table, "virtual", order.name, "the deck of a virtual table is fixed when no more bets are taken")
        match command:
            case ShuffleDeck():
                if command.commitment:
                    raise self._mine(table, order)
                sealed = seal(self._entropy)
                self._sealed[sealed.commitment] = sealed
                return replace(order, do=replace(command, commitment=sealed.commitment))
            case ReceiveDeck(preinspected=True, preshuffled=True):
                raise deny(table, "virtual", order.name, "the cards of a virtual table are shuffled at the table")
            case DealCards() | Reveal() if command.cards:
                raise self._mine(table, order)
            case Tell() | CorrectCard():
                raise self._mine(table, order)
            case DealCards():
                return replace(order, do=replace(command, cards=self._next(table, command.number)))
            case SetAside(card=None):
                cards = self._next(table, 1)
                return replace(order, do=replace(command, card=cards[0])) if cards else order
            case SetAside():
                raise self._mine(table, order)
        return order

    def follow(self, table: Table, entries: Sequence[Entry]) -> list[Order]:
        """Reveal the seed of a round that was closed."""
        if table.sealed is None or not entries:
            return []
        proof = self._shoe(table.sealed[0], table.sealed[1]).prove()
        deck = tuple(self._shoe(table.sealed[0], table.sealed[1]).dealt(52))
        self._sealed.pop(proof.commitment, None)
        self._shoes.pop(proof.commitment, None)
        return [Order(SHUFFLER, entries[-1].at, RevealSeed(proof.commitment, proof.seed, deck))]

    def _mine(self, table: Table, order: Order) -> RuleViolation:
        return deny(table, "virtual", order.name, "the cards of a virtual table come from its shuffler alone")

    def _next(self, table: Table, number: int) -> tuple[Card, ...]:
        """The next cards of the deck in play; none if the table will not deal them anyway."""
        deck, state = deck_in_play(table), table.round
        if deck is None or state is None or not deck.commitment or number < 1 or state.at.kind != "deal":
            return ()  # before, players may still add to the shuffle
        drawn = state.cards.dealt + len(state.faces.aside)
        shoe = self._shoe(deck.commitment, [entropy for _, entropy in table.entropy])
        cards = shoe.dealt(52)
        cut = (*cards[deck.depth :], *cards[: deck.depth])
        return cut[drawn : drawn + number]

    def _shoe(self, commitment: str, entropy: Sequence[str]) -> Shoe:
        if commitment not in self._shoes:
            players = [bytes.fromhex(one) for one in entropy]
            self._shoes[commitment] = self._sealed[commitment].shuffle(players)
        return self._shoes[commitment]
