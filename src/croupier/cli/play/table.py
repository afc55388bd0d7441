"""The table in memory: who sits there with how much money, the round, the meters. Nothing here reads or shows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier.cards import DECK, Card
from croupier.cli.play.dealer import after_event, money_moved, open_meters
from croupier.cli.play.words import say_event
from croupier.games import Action, Box, Event, Round, SeatSettled, apply, open_round, result
from croupier.games.round import box_at
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName

__all__ = ["Player", "Table"]


@dataclass
class Player:
    """Somebody at the keyboard."""

    seat: int
    name: str
    purse: Cents
    stake: Cents | None = None
    """What was staked on the main game last."""
    extras: dict[WagerName, Cents] = field(default_factory=dict)
    """The extra wagers of the last round."""
    rounds: int = 0
    staked: int = 0
    paid: int = 0

    @property
    def alone(self) -> bool:
        """Whether this is the only one at the keyboard."""
        return self.name == "You"

    @property
    def whose(self) -> str:
        """
        >>> Player(1, "You", Cents(0)).whose, Player(2, "Seat 2", Cents(0)).whose
        ('Your', "Seat 2's")
        """
        return "Your" if self.alone else f"{self.name}'s"

    def prompt(self, words: str) -> str:
        """A question to this player, as markup.

        >>> Player(1, "You", Cents(0)).prompt("ante"), Player(2, "Seat 2", Cents(0)).prompt("ante")
        ('Ante', '[bold]Seat 2[/bold]: ante')
        """
        return words[0].upper() + words[1:] if self.alone else f"[bold]{self.name}[/bold]: {words}"


class Table:
    """One table of a house, and the round that is played there now."""

    def __init__(self, house: HouseRules, *, seats: int, others: int, bankroll: Cents) -> None:
        self.house = house
        alone = seats == 1
        self.players = [Player(seat, "You" if alone else f"Seat {seat}", bankroll) for seat in range(1, seats + 1)]
        self.others = range(seats + 1, seats + others + 1)
        self.names = {one.seat: one.name for one in self.players}
        self.names |= {seat: f"Seat {seat} (computer)" for seat in self.others}
        self.meters = open_meters(house)
        self.state = open_round(house)
        self.deck: list[Card] = []
        self.said: list[str] = []
        """What has happened since the players were told last."""
        self.drawn: frozenset[int] | None = None
        """Which cards lay face up when the table was shown last."""

    def new_round(self) -> None:
        """Clear the table."""
        self.state, self.said, self.drawn = open_round(self.house), [], None

    def shuffle(self, dice: random.Random) -> None:
        """A whole deck in a new order."""
        self.deck = list(DECK)
        dice.shuffle(self.deck)

    def do(self, action: Action) -> Sequence[Event]:
        """A move in the round; a `RuleViolation` refuses it and changes nothing."""
        return self.take(*apply(self.state, action))

    def take(self, state: Round, events: Sequence[Event]) -> Sequence[Event]:
        """Go on from a new state: money and meters follow what happened."""
        purses = {one.seat: one for one in self.players}
        self.state = state
        for event in events:
            self.meters = after_event(self.meters, event)
            for seat, cents in money_moved(event):
                if seat in purses:
                    purses[seat].purse = Cents(purses[seat].purse + cents)
            if words := say_event(event, self.names):
                self.said.append(words)
        return events

    def box(self, seat: int) -> Box:
        """The box of a seat that plays."""
        box = box_at(self.state, seat)
        if box is None:
            raise ValueError(f"nobody plays at seat {seat}")
        return box

    def settled(self, seat: int) -> SeatSettled:
        """What a seat has been paid."""
        return next(one for one in result(self.state).seats if one.seat == seat)
