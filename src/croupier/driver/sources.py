"""Where the cards of a table come from.

`CardsByHand`: whoever gives the command names the cards, if anybody knows them: a script, a card-reading shoe as it
deals, or a person who types them at showdown. `FairShuffler`: a shuffler that commits to every deck before bets are
closed and reveals its seed when the round is over.

A source holds no state of its own: what it needs later is a secret that the host stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from croupier.cards import DECK, Card
from croupier.errors import RuleViolation, Unopened
from croupier.fairness import SYSTEM, Entropy, Sealed, Shoe
from croupier.games import refuse
from croupier.games.actions import CorrectCard, IdentifyCards, SetAside
from croupier.table import VIRTUAL_SHUFFLER, Entry, Person, Request, Table, cited_duty, deck_in_play
from croupier.table.commands import (
    CutDeck,
    DealCards,
    OrderRecut,
    OrderShuffle,
    ReceiveDeck,
    RevealCards,
    RevealSeed,
    ShuffleDeck,
)

__all__ = ["SHUFFLER", "CardSource", "CardsByHand", "Completed", "FairShuffler", "Seeds"]

SHUFFLER: Final = Person("device", VIRTUAL_SHUFFLER)
_SEALS: Final = (DealCards, RevealCards, IdentifyCards, CorrectCard)
"""Commands that name cards which may lie face down."""


_OF_A_SHUFFLER: Final = frozenset(
    {
        OrderShuffle,
        OrderRecut,
        CutDeck,
        ShuffleDeck,
        ReceiveDeck,
        DealCards,
        RevealCards,
        IdentifyCards,
        CorrectCard,
        SetAside,
    }
)
"""Commands in which a virtual shuffler has a say."""


class Seeds(Protocol):
    """Where the seeds of unrevealed shuffles are stored: in memory, or in a store that outlives the process."""

    def get(self, commitment: str, /) -> Sealed | None:
        """The seed behind a commitment, if it is stored here."""


class Completed(NamedTuple):
    """A command with what the source knows, and the seed to store with its entries."""

    request: Request
    secret: Sealed | None = None


class CardSource(Protocol):
    """A source of cards, between the giver of a command and the table."""

    def draw(self, request: Request) -> Request:
        """The command with fresh randomness where it needs any: the one thing that differs every time."""

    def complete(self, table: Table, request: Request, seeds: Seeds) -> Completed:
        """The command with what the source knows."""

    def follow(self, table: Table, entries: Sequence[Entry], seeds: Seeds) -> list[Request]:
        """What the source itself does after something was recorded."""


class CardsByHand:
    """Cards are named with the commands, or when they are turned up; `salts` where a record seals them."""

    def __init__(self, *, salts: Entropy | None = None) -> None:
        self._salts = salts

    def draw(self, request: Request) -> Request:
        """Salts for what is sealed."""
        return _salted(request, self._salts)

    def complete(self, table: Table, request: Request, seeds: Seeds) -> Completed:
        """The command unchanged; nobody can commit to a shuffle here."""
        del seeds
        if isinstance(request.command, ShuffleDeck) and request.command.commitment:
            raise refuse(
                "not_virtual",
                cited_duty(table.house, "shuffle_deck"),
                "only a virtual shuffler commits to a deck",
            )
        return Completed(request)

    def follow(self, table: Table, entries: Sequence[Entry], seeds: Seeds) -> list[Request]:
        """Do nothing."""
        del table, entries, seeds
        return []


def _salted(request: Request, salts: Entropy | None) -> Request:
    return (
        replace(request, chance=salts.chance())
        if salts is not None and isinstance(request.command, _SEALS)
        else request
    )


def _deals(table: Table, name: str) -> bool:
    """Whether a deck is the one in play."""
    deck = deck_in_play(table)
    return deck is None or deck.id == name


class FairShuffler:
    """The shuffler of a virtual table; `EntropyFailure` stops dealing when the random source fails."""

    def __init__(self, entropy: Entropy = SYSTEM, *, salts: Entropy | None = None) -> None:
        self._entropy = entropy
        self._salts = salts

    def __repr__(self) -> str:
        return "<FairShuffler>"

    def draw(self, request: Request) -> Request:
        """A seed for a shuffle, salts for what is sealed."""
        if isinstance(request.command, ShuffleDeck):
            return replace(request, chance=self._entropy.chance())
        return _salted(request, self._salts)

    def complete(self, table: Table, request: Request, seeds: Seeds) -> Completed:
        """Shuffle under a fresh commitment, deal from the shuffled deck; nobody else names a card."""
        command, state = request.command, table.round
        if type(command) not in _OF_A_SHUFFLER:
            return Completed(request)
        late = state is not None and state.at.kind != "wagers"
        if late and isinstance(command, OrderShuffle | OrderRecut | CutDeck) and _deals(table, command.deck):
            raise refuse(
                "virtual",
                cited_duty(table.house, request.name),
                "the deck of a virtual table is fixed once the bets are closed",
            )
        match command:
            case ShuffleDeck():
                if command.commitment:
                    raise self._mine(table, request)
                if request.chance is None:
                    raise ValueError("a shuffle needs its randomness: `draw` adds it")
                sealed = request.chance.seal()
                promised = replace(request, command=replace(command, commitment=sealed.commitment), chance=None)
                return Completed(promised, sealed)
            case ReceiveDeck(preinspected=True, preshuffled=True):
                raise refuse(
                    "virtual",
                    cited_duty(table.house, request.name),
                    "the cards of a virtual table are shuffled at the table",
                )
            case DealCards() | RevealCards() if command.cards:
                raise self._mine(table, request)
            case IdentifyCards() | CorrectCard():
                raise self._mine(table, request)
            case DealCards():
                cards = self._next(table, command.number, seeds)
                return Completed(replace(request, command=replace(command, cards=cards)))
            case SetAside(card=None):
                cards = self._next(table, 1, seeds)
                return Completed(replace(request, command=replace(command, card=cards[0])) if cards else request)
            case SetAside():
                raise self._mine(table, request)
        return Completed(request)

    def follow(self, table: Table, entries: Sequence[Entry], seeds: Seeds) -> list[Request]:
        """Reveal the seed of a round that was closed."""
        shuffle = table.fairness.unrevealed_shuffle
        if shuffle is None or not entries:
            return []
        shoe = _shoe(shuffle.commitment, shuffle.entropy, seeds)
        revealed = RevealSeed(shuffle.commitment, shoe.prove().seed, shoe.dealt(len(DECK)))
        return [Request(SHUFFLER, entries[-1].at, revealed)]

    def _mine(self, table: Table, request: Request) -> RuleViolation:
        return refuse(
            "virtual",
            cited_duty(table.house, request.name),
            "the cards of a virtual table come only from its shuffler",
        )

    def _next(self, table: Table, number: int, seeds: Seeds) -> tuple[Card, ...]:
        """The next cards of the deck in play; none if the table will not deal them anyway."""
        deck, state = deck_in_play(table), table.round
        if deck is None or state is None or not deck.commitment or number < 1 or state.at.kind != "deal":
            return ()  # before, players may still add to the shuffle
        drawn = state.cards.dealt + len(state.faces.aside)
        cards = _shoe(deck.commitment, [entropy for _, entropy in table.fairness.entropy], seeds).dealt(len(DECK))
        cut = (*cards[deck.depth :], *cards[: deck.depth])
        return cut[drawn : drawn + number]


def _shoe(commitment: str, entropy: Sequence[str], seeds: Seeds) -> Shoe:
    sealed = seeds.get(commitment)
    if sealed is None:
        raise Unopened(f"the seed of the shuffle {commitment[:16]}… is missing: this deck cannot be dealt")
    return sealed.shuffle([bytes.fromhex(added) for added in entropy])
