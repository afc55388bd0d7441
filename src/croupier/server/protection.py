"""Protection of players at the tables: what their own limits do not allow is refused, whatever they send at once, and
whoever enters it for them.

Whoever has a limit is served one bet at a time: the next one is judged when the one before is stored. Of several
processes, the one that judges holds the player for that while, and has read what the others have recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from weakref import WeakValueDictionary

from croupier.errors import Conflict, RuleViolation, StoreError
from croupier.house import PersonState, play_problem, played_so_far
from croupier.money import Cents, parse_dollars
from croupier.server.doors import Doors
from croupier.server.hall import Hall
from croupier.table import Person, Table, view

__all__ = ["Protection"]

_GUARDED: Final = ("sit", "buy_in", "place_wager", "decide")
"""What a player's own limits are asked about."""
_BETS: Final = ("place_wager", "decide")
_HELD: Final = 10.0
"""Seconds that a process holds a player at most."""
_PAUSE: Final = 0.02
_TO_THE_STAFF: Final = {
    "suspended": "the account of this player is suspended: call the floor",
    "excluded": "this player is excluded from play: call the floor",
    "limit_reached": "a limit that this player has set does not allow it",
}
"""What whoever enters it for a player is told: no more than they need."""


class Protection:
    """The limits of players, at every table of the house."""

    def __init__(self, doors: Doors, hall: Hall) -> None:
        self._doors, self._hall = doors, hall
        self._locks: Final[WeakValueDictionary[str, asyncio.Lock]] = WeakValueDictionary()

    @asynccontextmanager
    async def checked(
        self, table: Table, person: Person, do: str, body: Mapping[str, Any]
    ) -> AsyncIterator[RuleViolation | None]:
        """What a player's own limits have against this, while nothing else of theirs is judged; None: nothing."""
        player = _player(table, person, do, body)
        known = self._doors.people.house.state.people.get(player)
        if do not in _GUARDED or known is None or not _is_limited(known):
            yield None
            return
        bet = _amount(body) if do == "place_wager" else _raised(table, player, body) if do == "decide" else 0
        if do == "decide" and not bet:  # a round that has begun may be finished
            yield None
            return
        lock = self._locks.setdefault(player, asyncio.Lock())
        async with lock, self._held(player):
            problem = await self._problem(player, do, bet)
            yield problem if person.role == "player" or problem is None else _to_the_staff(problem)

    async def _problem(self, player: str, do: str, bet: int) -> RuleViolation | None:
        house, at = self._doors.people.house, self._doors.now()
        if self._hall.is_shared:
            await self._hall.read_on()
        played = await played_so_far(house.store, house.state, player, at)
        risk = Cents(bet + self._hall.at_risk(player)) if do in _BETS else Cents(0)
        return play_problem(house.state.people[player], do, played, at, amount=risk)  # type: ignore[arg-type] # one of them

    @asynccontextmanager
    async def _held(self, player: str) -> AsyncIterator[None]:
        """No other process judges this player meanwhile."""
        if not self._hall.is_shared:
            yield
            return
        store, stream = self._hall.store, f"player/{player}"  # nothing is ever written to it
        clock = asyncio.get_running_loop().time
        until = clock() + _HELD
        while not await store.claim([stream], seconds=_HELD):
            if clock() > until:
                raise Conflict("another process judges what this player has sent")
            await asyncio.sleep(_PAUSE)
        try:
            yield
        finally:
            with suppress(StoreError):  # it is free after a while
                await store.release([stream])


def _player(table: Table, person: Person, do: str, body: Mapping[str, Any]) -> str:
    """Whose seat, chips or bet it is: a dealer enters them for a player."""
    if person.role == "player":
        return person.id
    if do in _BETS:
        return next((patron for seat, patron in table.people.seats if seat == body.get("seat")), "")
    patron = body.get("patron")
    return patron if isinstance(patron, str) else ""


def _to_the_staff(problem: RuleViolation) -> RuleViolation:
    return RuleViolation(problem.code, _TO_THE_STAFF.get(problem.code, str(problem)), clause=problem.clause)


def _is_limited(known: PersonState) -> bool:
    return bool(known.asked) or known.exclusion is not None or known.suspended


def _raised(table: Table, player: str, body: Mapping[str, Any]) -> int:
    """What a decision would bet, if it is more than the lowest bet that could be made instead."""
    asked = view(table, Person("player", player)).awaiting
    if asked.seat != body.get("seat"):
        return 0
    bets = {choice.choice: choice.least for choice in asked.choices if choice.least}
    chosen = str(body.get("choice"))
    if chosen not in bets:
        return 0  # it costs nothing, or the table says what is wrong with it
    bet = max(bets[chosen], _amount(body)) if chosen == "raise" else bets[chosen]
    return bet if bet > min(bets.values()) else 0


def _amount(body: Mapping[str, Any]) -> int:
    try:
        return parse_dollars(body.get("amount", "0"))
    except (ValueError, TypeError):
        return 0  # the table says what is wrong with it
