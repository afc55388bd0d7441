"""A table with people at the keyboard and computer players; everything goes through its commands.

The automatic staff open it, deal, settle and pay. Nothing here reads or shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.cli.play.bets import Slip, Spots, spots_of
from croupier.cli.stores import MemoryHost, TableHost
from croupier.driver import FairShuffler, Staff, next_request
from croupier.errors import RuleViolation
from croupier.fairness import SYSTEM, Entropy
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.progressive import house_meters
from croupier.rulebook import HouseRules, Submission
from croupier.rulebook.names import WagerName
from croupier.table import Entry, Person, Progressive, Request, Table, commands, handle, new_table, see, view
from croupier.table.views import TableView

__all__ = ["STAFF", "Player", "Session", "memory_host"]

STAFF: Final = Staff()
YOU: Final = "You"
FULL_ROUNDS: Final = 20
"""A computer player who has fewer antes than this buys in again before a round."""


class Player(NamedTuple):
    """Somebody at the table."""

    seat: int
    name: str

    @property
    def person(self) -> Person:
        """The player as the table knows them."""
        return Person("player", self.name)

    @property
    def alone(self) -> bool:
        """Whether this is the only one at the keyboard."""
        return self.name == YOU


class Session:
    """One table of a house and everybody who sits there."""

    def __init__(
        self,
        host: TableHost,
        *,
        seats: int = 1,
        others: int = 0,
        bankroll: Cents,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._runner: Final = host
        self._clock: Final = clock
        self.house: Final[HouseRules] = host.table.house
        self.bankroll: Final = bankroll
        self.spots: Final[Spots] = spots_of(self.house)
        self.players: Final = tuple(
            Player(seat, YOU if seats == 1 else f"Player {seat}") for seat in range(1, seats + 1)
        )
        self.unfinished: Final = tuple(host.round_entries)
        """The entries of a round that an earlier run left unfinished."""
        wanted = {Player(seat, f"Computer {seat}") for seat in range(seats + 1, seats + others + 1)}
        left = {Player(seat, name) for seat, name in self.in_round if name == f"Computer {seat}"}
        self.others: Final = tuple(sorted(wanted | left))
        self._prepare()
        seated = dict(self.table.people.seats)
        for player in (*self.players, *self.others):
            if seated.get(player.seat) != player.name:
                self._give(player, commands.Sit(player.seat))
                self.buy_in(player)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self._runner.table

    @property
    def in_round(self) -> set[tuple[int, str]]:
        """Who bet in the round that was left unfinished: seats and names."""
        bets = [entry.event for entry in self.unfinished if isinstance(entry.event, round_events.WagerPlaced)]
        return {(bet.seat, bet.patron) for bet in bets}

    @property
    def is_playing(self) -> bool:
        """Whether a round is in play."""
        return self.table.round is not None

    @property
    def meters(self) -> tuple[tuple[str, Cents], ...]:
        """What every meter shows that this table plays for: its own, and those of its link."""
        return (*self.view(self.players[0]).meters, *self._runner.linked_meters)

    @property
    def is_stored(self) -> bool:
        """Whether the table is still there when the program has ended."""
        return not isinstance(self._runner, MemoryHost)

    def view(self, player: Player) -> TableView:
        """The table as a player sees it."""
        return view(self.table, player.person)

    def chips(self, player: Player) -> Cents:
        """A player's chips, not counting bets."""
        return self.view(player).chips or Cents(0)

    def money(self, player: Player) -> Cents:
        """A player's chips, with the bets of the round in play."""
        shown = self.view(player)
        bets = [amount for box in shown.seats if box.own for name, amount in box.bets if name not in box.withdrawn]
        return Cents((shown.chips or 0) + sum(bets))

    def buy_in(self, player: Player) -> None:
        """Buy in again for the starting amount."""
        self._give(player, commands.BuyIn(self.bankroll, brought=True))

    # --- a round

    def problem(self, player: Player, bets: Mapping[WagerName, Cents]) -> RuleViolation | None:
        """Why these bets would be refused, or None; nothing is placed."""
        self._prepare()
        trial = self.table
        try:
            for request in self._bets(player, bets):
                trial, _ = handle(trial, request)
        except RuleViolation as violation:
            return violation
        return None

    def bet(self, player: Player, bets: Mapping[WagerName, Cents]) -> None:
        """Place bets: all of them, or a `RuleViolation` refuses them and none is placed."""
        if (problem := self.problem(player, bets)) is not None:
            raise problem
        for request in self._bets(player, bets):
            self._runner.handle(request)

    def bet_for_computers(self) -> None:
        """The computer players bet the minimum, and the progressive where there is one."""
        main, sides = self.spots.main, self.spots.sides
        if main.stakes is None:
            raise ValueError(f"{main.name} has no stakes")
        playing = {box.seat for box in self.table.round.boxes} if self.table.round is not None else set()
        for player in self.others:
            if player.seat in playing:  # a round that was left unfinished
                continue
            while self.chips(player) < FULL_ROUNDS * main.stakes.minimum:
                self.buy_in(player)
            metered = {side.name: side.stakes.minimum for side in sides if side.meters and side.stakes is not None}
            with_meter = Slip(main.stakes.minimum, metered).amounts(self.spots)
            plain = Slip(main.stakes.minimum, {}).amounts(self.spots)
            self.bet(player, with_meter if self.problem(player, with_meter) is None else plain)

    def close_bets(self, player: Player) -> list[Entry]:
        """Close the bets and let the dealer deal until a player must decide; return what a player sees."""
        entries: list[Entry] = []
        while self.view(player).awaiting.kind == "wagers":
            request = next_request(self.table, self._now(), staff=STAFF, close_bets=True)
            if request is None:
                raise ValueError("the bets cannot be closed")
            entries += self._runner.handle(request)
        return _seen(entries, player)

    def decide(self, player: Player, choice: str, amount: Cents | None, *, seen_by: Player) -> list[Entry]:
        """Make a player's decision, and play on until the next one."""
        return _seen(self._give(player, commands.Decide(player.seat, choice, amount)), seen_by)

    def _prepare(self) -> None:
        """Have the staff do what is due: open the table, or replace a deck whose hours ran out while nobody bet."""
        while (request := next_request(self.table, self._now(), staff=STAFF)) is not None:
            self._runner.handle(request)

    def _bets(self, player: Player, bets: Mapping[WagerName, Cents]) -> list[Request]:
        order = {name: place for place, name in enumerate(self.spots.names)}
        return [
            Request(player.person, self._now(), commands.PlaceWager(player.seat, name, bets[name]))
            for name in sorted(bets, key=order.__getitem__)
        ]

    def _give(self, player: Player, command: commands.Command) -> list[Entry]:
        return self._runner.handle(Request(player.person, self._now(), command))

    def _now(self) -> datetime:
        """The current time, never earlier than the table's clock."""
        now, last = self._clock(), self.table.clock
        return now if last is None else max(now, last)


def memory_host(house: HouseRules, submission: Submission, entropy: Entropy = SYSTEM) -> TableHost:
    """A table that is gone when the program ends. A meter that is linked belongs to it: there are no other tables."""
    table = new_table(submission, house)
    table = replace(table, progressive=Progressive(meters=house_meters(house, linked=True)))
    return MemoryHost(table, FairShuffler(entropy), automatic=STAFF)


def _seen(entries: list[Entry], player: Player) -> list[Entry]:
    return [shown for entry in entries if (shown := see(entry, player.person)) is not None]
