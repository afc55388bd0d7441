"""What the API answers with about the floor and the cage, as types."""

from __future__ import annotations

from msgspec import Struct

from croupier.server.api.answers import Money

__all__ = ["ToldDispute", "ToldHandPay", "ToldShift", "ToldSlip"]


class ToldDispute(Struct, forbid_unknown_fields=True):
    """A disputed round; `stands` and `answer` once the floor has answered."""

    number: int
    person: str | None
    table: str
    round: int
    seat: int | None
    words: str
    raised: str
    raised_by: str
    """The role in which it was raised."""
    stands: bool | None
    answer: str | None
    answered: str | None


class ToldSlip(Struct, forbid_unknown_fields=True):
    """The slip of an award that is paid by hand."""

    table: str
    round: int
    seat: int
    patron: str
    amount: Money
    slip: str


class ToldHandPay(Struct, forbid_unknown_fields=True):
    """An award that waits to be paid by hand; its slip, once the cage has made it out."""

    table: str
    round: int
    seat: int
    patron: str
    amount: Money
    meter: str
    status: str
    slip: str | None


class FiguresOfDay(Struct, forbid_unknown_fields=True):
    """What a table came to, as `croupier report day` has it."""

    drop: Money
    chips_in: Money
    chips_out: Money
    handle: Money
    paid: Money
    win: Money
    hand_pays: Money
    fills: Money
    credits: Money
    hold: float | None
    win_of_handle: float | None
    rounds: int
    rounds_void: int


class ToldShift(Struct, forbid_unknown_fields=True):
    """A table's gaming day so far; null before its first."""

    table: str
    rulebook: str
    day: str | None
    figures: FiguresOfDay | None
    irregularities: dict[str, int]
