"""What a house sends, as values; fields that this version does not know are ignored, so the API can grow."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from msgspec import Struct

__all__ = [
    "CARD_BACK",
    "AllowedAmount",
    "AllowedCommand",
    "CommandAnswer",
    "DemoPerson",
    "HousePerson",
    "ListedTable",
    "LiveChange",
    "RecordEntry",
    "SavedSession",
    "SeenBox",
    "SeenEnvy",
    "SeenResult",
    "SeenRound",
    "SeenTable",
    "SignedInAs",
    "TableAnswer",
    "TurnAwaited",
    "TurnChoice",
]

CARD_BACK: Final = "??"
"""A card that lies face down, or that this person may not see."""


# --- people


class HousePerson(Struct, frozen=True):
    """Somebody whom the house knows."""

    id: str
    name: str = ""
    roles: tuple[str, ...] = ()


class SignedInAs(Struct, frozen=True):
    """Who is signed in, and what every changing request has to carry."""

    person: HousePerson
    csrf: str = ""
    password_until: datetime | None = None
    """Until when a password works that somebody else handed out, unless it is changed."""


class SavedSession(Struct, frozen=True, kw_only=True):
    """A session that another process can go on with. Whoever has it is signed in: keep it like a password."""

    url: str
    person: HousePerson
    csrf: str = ""
    cookies: dict[str, str] = {}


class DemoPerson(Struct, frozen=True):
    """A name and a password of a demo."""

    name: str
    password: str
    roles: tuple[str, ...] = ()


# --- tables


class ListedTable(Struct, frozen=True, kw_only=True):
    """A table of the house, as the list shows it."""

    id: str
    rulebook: str = ""
    operator: str = ""
    status: str = ""
    seats: int = 0
    open_seats: tuple[int, ...] = ()
    limits: dict[str, Any] = {}
    meters: dict[str, Decimal] = {}
    physical: bool = False


class TurnChoice(Struct, frozen=True, kw_only=True):
    """One answer to a decision; where the house says so, what it adds to the bets."""

    choice: str
    least: Decimal = Decimal(0)
    most: Decimal = Decimal(0)
    step: Decimal = Decimal(0)


class TurnAwaited(Struct, frozen=True, kw_only=True):
    """What the table waits for."""

    kind: str = ""
    """`wagers`, `decision`, or something that the staff do."""
    words: str = ""
    seat: int | None = None
    choices: tuple[TurnChoice, ...] = ()
    deadline: datetime | None = None


class SeenResult(Struct, frozen=True, kw_only=True):
    """How one wager was settled."""

    wager: str
    outcome: str = ""
    staked: Decimal = Decimal(0)
    won: Decimal = Decimal(0)
    """Without the returned stake."""
    returned: Decimal = Decimal(0)
    hand: str | None = None
    pays: str | None = None
    clause: str | None = None
    reading: int | None = None
    why: str = ""


class SeenEnvy(Struct, frozen=True, kw_only=True):
    """An envy bonus."""

    from_seat: int = 0
    hand: str = ""
    won: Decimal = Decimal(0)


class SeenBox(Struct, frozen=True, kw_only=True):
    """A seat: who sits there, the bets, the cards as far as they may be seen, and what was settled."""

    seat: int
    patron: str = ""
    """Empty if the seat is open."""
    own: bool = False
    bets: dict[str, Decimal] = {}
    withdrawn: tuple[str, ...] = ()
    folded: bool = False
    cards: tuple[str, ...] = ()
    results: tuple[SeenResult, ...] = ()
    envy: tuple[SeenEnvy, ...] = ()

    @property
    def net(self) -> Decimal:
        """What the box won or lost by the wagers settled so far, envy included."""
        results = sum((result.won + result.returned - result.staked for result in self.results), Decimal(0))
        return results + sum((envy.won for envy in self.envy), Decimal(0))


class SeenRound(Struct, frozen=True, kw_only=True):
    """The round that was closed last."""

    number: int = 0
    seats: tuple[SeenBox, ...] = ()
    cards: dict[str, tuple[str, ...]] = {}

    def box(self, seat: int) -> SeenBox | None:
        """The box at a seat, if it played."""
        return next((box for box in self.seats if box.seat == seat), None)


class SeenTable(Struct, frozen=True, kw_only=True):
    """A table as this person may see it."""

    status: str = ""
    rulebook: str = ""
    operator: str = ""
    rounds: int = 0
    awaiting: TurnAwaited = TurnAwaited()
    seats: tuple[SeenBox, ...] = ()
    cards: dict[str, tuple[str, ...]] = {}
    """The `board`, the six-card `box` and the `dealer`'s cards."""
    meters: dict[str, Decimal] = {}
    commitment: str = ""
    last_round: SeenRound | None = None
    chips: Decimal | None = None
    """One's own, while one sits here."""

    def box(self, seat: int) -> SeenBox | None:
        """The box at a seat."""
        return next((box for box in self.seats if box.seat == seat), None)

    def own_boxes(self, person: HousePerson | None = None) -> tuple[SeenBox, ...]:
        """The boxes of whoever looks: those that the house marks, or where this person sits."""
        names = {person.id, person.name} - {""} if person is not None else set()
        return tuple(box for box in self.seats if box.own or box.patron in names)


class AllowedAmount(Struct, frozen=True, kw_only=True):
    """Which amounts are allowed."""

    least: Decimal
    most: Decimal
    step: Decimal = Decimal("0.01")

    def nearest(self, amount: Decimal) -> Decimal:
        """The allowed amount nearest below, or the minimum.

        >>> AllowedAmount(least=Decimal(10), most=Decimal(500), step=Decimal(5)).nearest(Decimal(27))
        Decimal('25')
        """
        within = min(max(amount, self.least), self.most)
        return within - (within - self.least) % self.step if self.step > 0 else within


class AllowedCommand(Struct, frozen=True):
    """Something that may be done now: each argument is a value, a list of values, a range, or words."""

    do: str
    arguments: dict[str, Any] = {}

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> AllowedCommand:
        """From JSON: `do`, and the arguments beside it."""
        return cls(str(raw.get("do", "")), {name: value for name, value in raw.items() if name != "do"})

    def values(self, name: str) -> tuple[Any, ...]:
        """The values that an argument may have, where they are listed; nothing where it is free.

        >>> AllowedCommand("decide", {"seat": 1, "choice": ["1x", "fold"]}).values("choice")
        ('1x', 'fold')
        """
        value = self.arguments.get(name)
        if value is None or isinstance(value, Mapping):
            return ()
        return tuple(value) if isinstance(value, list | tuple) else (value,)

    def amount(self, name: str = "amount") -> AllowedAmount | None:
        """The range of an amount of money; a fixed stake is a range of one amount.

        >>> AllowedCommand("place_wager", {"amount": "1.00"}).amount().most
        Decimal('1.00')
        """
        value = self.arguments.get(name)
        limits = value if isinstance(value, Mapping) else {"from": value, "to": value}
        try:
            least, most, step = (Decimal(str(limits.get(key, "0.01"))) for key in ("from", "to", "step"))
        except InvalidOperation:
            return None  # words, or nothing
        return AllowedAmount(least=least, most=most, step=step)


class RecordEntry(Struct, frozen=True, kw_only=True):
    """A line of the table's record: what happened, when, by whom and by which clause; the rest is in `fields`."""

    event: str
    """With its version: `wager_placed/1`."""
    at: str = ""
    by: dict[str, str] = {}
    clause: str | None = None
    reading: int | None = None
    fields: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """The event without its version."""
        return self.event.partition("/")[0]


class TableAnswer(Struct, frozen=True, kw_only=True):
    """A table now, and what this person may do there."""

    version: int
    view: SeenTable
    allowed: tuple[AllowedCommand, ...] = ()

    def offers(self, do: str) -> tuple[AllowedCommand, ...]:
        """What is allowed of one command."""
        return tuple(offer for offer in self.allowed if offer.do == do)


class CommandAnswer(Struct, frozen=True, kw_only=True):
    """What a command led to, and the table after it."""

    version: int
    entries: tuple[RecordEntry, ...] = ()
    view: SeenTable = SeenTable()


class LiveChange(Struct, frozen=True, kw_only=True):
    """A table after something changed; several changes come as one to a reader who is slower than the table."""

    version: int
    view: SeenTable
    entries: tuple[RecordEntry, ...] = ()
    resumed: bool = False
    """Whether this is the table as it was found on connecting: entries in between are not in it."""
