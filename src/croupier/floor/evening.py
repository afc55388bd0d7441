"""An evening at a table: rounds played by commands, one after another, with a clock.

It begins with an open table, players with chips and cards that are ready to be dealt. The meters start at their initial
amounts, a linked one as if this table had it alone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier.driver import next_request
from croupier.errors import RuleViolation
from croupier.floor.assumptions import Floor, seconds_of
from croupier.floor.incidents import Incident, acts_now
from croupier.games import Round, awaiting, patron_of
from croupier.games import events as round_events
from croupier.money import MOST, Cents
from croupier.progressive import house_meters
from croupier.rulebook import read_submission
from croupier.simulation import Plan, ScriptedRound, Seat, places_in_order
from croupier.table import Person, Progressive, Request, Table, commands, handle, new_table

__all__ = ["Evening", "RoundSpan", "open_evening"]

NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)


class RoundSpan(NamedTuple):
    """A round from its first wager until the cards are ready for the next."""

    round: Round
    seconds: Fraction
    raised: int
    """What stakes added to meters and reserve, in 1/10,000 cent."""
    lowered: int
    """How much of that was taken back because stakes were void (reading 20)."""
    happened: bool
    """Whether the planned irregularity happened."""


class Evening:
    """A table with its players and its clock, between two rounds; `table` is its current state."""

    def __init__(self, plan: Plan, floor: Floor, table: Table, at: datetime = NOON) -> None:
        self.table = table
        self._plan = plan
        self._floor = floor
        self._at = at
        self._raised = self._lowered = 0
        self._spent = Fraction(0)

    def once_more(self) -> Evening:
        """A copy of this evening, to replay the round without its incident."""
        return Evening(self._plan, self._floor, self.table, self._at)

    def play(self, script: ScriptedRound, incident: Incident | None = None) -> RoundSpan:
        """One round; an incident happens when its moment comes and the table accepts it."""
        began, raised, lowered = self._spent, self._raised, self._lowered
        for seat in self._plan.seats:
            for wager, amount in sorted(seat.stakes, key=lambda stake: _order(self._plan, stake[0])):
                self._give(player_of(seat), commands.PlaceWager(seat.number, wager, amount))
        waiting = incident
        while True:
            request = self._next(script, waiting)
            if waiting is not None and self._happens(waiting, request):
                waiting = None
            elif request is not None:
                self._give(request.by, request.command)
            else:
                break
        closed = self.table.last_round
        if closed is None or self.table.round is not None:
            raise ValueError("the round does not end")
        seconds = self._spent - began
        return RoundSpan(closed, seconds, self._raised - raised, self._lowered - lowered, waiting is not incident)

    def open(self) -> None:
        """Open the table, seat the players with more chips than they can lose, and bring the cards."""
        self._prepare()
        for seat in self._plan.seats:
            self._give(player_of(seat), commands.Sit(seat.number))
        for player in dict.fromkeys(player_of(seat) for seat in self._plan.seats):
            self._give(player, commands.BuyIn(MOST, brought=True))
        self._prepare()

    def _prepare(self) -> None:
        while (request := next_request(self.table, self._at)) is not None:
            self._give(request.by, request.command)

    def _happens(self, incident: Incident, coming: Request | None) -> bool:
        acts = acts_now(incident, self.table, coming)
        try:
            for by, command in acts:
                self._give(by, command)
        except RuleViolation:
            return False  # it cannot have happened now
        return bool(acts)

    def _give(self, by: Person, command: Any) -> None:  # noqa: ANN401 - whatever is commanded
        seconds = seconds_of(self._floor, self.table, command)
        self.table, entries = handle(self.table, Request(by, self._at, command))
        self._spent += seconds
        self._at += timedelta(seconds=float(seconds))
        for entry in entries:
            if isinstance(entry.event, round_events.MeterRaised):
                self._raised += max(0, entry.event.units)
                self._lowered += max(0, -entry.event.units)

    # --- what comes next

    def _next(self, script: ScriptedRound, waiting: Incident | None) -> Request | None:
        """What the staff do, else the player whose turn it is; None when a new round can begin."""
        request, state = next_request(self.table, self._at, close_bets=True), self.table.round
        if request is None and state is not None:
            return self._decision(state, script)
        if request is not None and state is not None and isinstance(request.command, commands.DealCards):
            return replace(request, command=_deal(state, script, request.command.number, waiting))
        return request

    def _decision(self, state: Round, script: ScriptedRound) -> Request:
        seat, choice = awaiting(state).seat, state.at.choice
        if choice is None:
            raise ValueError(f"the table waits for {awaiting(state)}, which no script answers")
        box = next(box for box in state.boxes if box.seat == seat)
        place = state.rules.house.rulebook.play.choice.index(choice)
        command = _decide(seat, choice.choices, script.acts[seat] >> 2 * place & 3, box.main)
        return Request(Person("player", patron_of(state, box)), self._at, command)


def open_evening(plan: Plan, floor: Floor) -> Evening:
    """A table that is ready for its first round."""
    house = plan.house
    submission = read_submission({"rulebook": house.rulebook.id})  # a table asks for it when its method changes
    table = replace(new_table(submission, house), progressive=Progressive(meters=house_meters(house, linked=True)))
    evening = Evening(plan, floor, table)
    evening.open()
    return evening


def player_of(seat: Seat) -> Person:
    """The player of a box; names such as `seat 3` are reserved."""
    return Person("player", seat.patron or f"player {seat.number}")


def _order(plan: Plan, wager: str) -> int:
    """Main wagers first, as a house lists them."""
    return next(place for place, offered in enumerate(plan.house.wagers) if offered.name == wager)


def _deal(state: Round, script: ScriptedRound, number: int, waiting: Incident | None) -> commands.DealCards:
    """The next cards; where something is to be found in the deal, those before it."""
    plan, dealt = state.cards.plan, state.cards.dealt
    if waiting is not None and waiting.chance.found == "deal" and dealt < waiting.cards:
        number = waiting.cards - dealt
    of = dict(zip(places_in_order(plan), script.cards, strict=False))
    return commands.DealCards(number, tuple(of[place] for place in range(dealt, dealt + number)))


def _decide(seat: int, choices: tuple[str, ...], act: int, main: int) -> commands.Decide:
    """An action of a kernel as a player says it: 0 folds; 1 withdraws and 2 rides; else a multiple of the main bet."""
    if "ride" in choices:
        return commands.Decide(seat, "ride" if act == 2 else "withdraw")
    if act == 0:
        return commands.Decide(seat, "fold")
    return commands.Decide(seat, "raise", Cents(act * main)) if "raise" in choices else commands.Decide(seat, f"{act}x")
