"""What a dealer takes and pays at a seat: each settled wager as a move of chips."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from croupier.games import CouponSettled, EnvyPaid, WagerSettled
from croupier.money import Cents
from croupier.present.names import line_words

__all__ = ["ChipMove", "MoveKind", "chip_moves", "coupon_move", "envy_moves"]

MoveKind: TypeAlias = Literal["take", "pay", "leave", "return", "award"]
"""`leave` for a push, `return` for a stake that is given back, `award` for what is verified before it is paid."""


class ChipMove(Struct, frozen=True, kw_only=True):
    """What the dealer does with one wager."""

    wager: str
    kind: MoveKind
    staked: Cents
    amount: Cents
    """What is taken, paid or given back."""
    takes: Cents = Cents(0)
    """The stake of a winning bet, where the pay replaces it."""
    why: str
    clause: str
    reading: int | None = None
    in_tray: bool = False
    """Whether the stake was put in the tray before the deal."""


def chip_moves(settled: Iterable[WagerSettled], in_tray: Collection[str] = ()) -> tuple[ChipMove, ...]:
    """Settled wagers as the dealer moves their chips, in the order in which they were settled.

    >>> won = WagerSettled(
    ...     wager="ante", staked=1000, outcome="win", hand="pair_jacks", pays="1 to 1", won=1000, returned=1000,
    ...     clause="12.A", reading=None, cause="paytable", made="pair J",
    ... )
    >>> [(move.kind, move.amount) for move in chip_moves([won])]
    [('pay', 1000)]
    """
    return tuple(_move(wager, already=wager.wager in in_tray) for wager in settled)


def _move(wager: WagerSettled, *, already: bool) -> ChipMove:
    kind, amount = _chips(wager, already=already)
    return ChipMove(
        wager=wager.wager,
        kind=kind,
        staked=wager.staked,
        amount=amount,
        takes=Cents(wager.staked - wager.returned) if wager.outcome == "win" else Cents(0),
        why=wager.why,
        clause=wager.clause,
        reading=wager.reading,
        in_tray=already,
    )


def _chips(wager: WagerSettled, *, already: bool) -> tuple[MoveKind, Cents]:
    match wager.outcome:
        case "lose" | "forfeit":
            return "take", wager.staked
        case "push":
            return ("return", wager.returned) if already else ("leave", Cents(0))
        case "win":
            # A stake that went to the tray before the deal comes back with what it won.
            back = wager.returned if already else 0
            return "award" if wager.award is not None else "pay", Cents(wager.won + back)
    return "return", wager.returned


def coupon_move(coupon: CouponSettled) -> ChipMove:
    """A match play coupon: a win is paid, and whatever does not come back is dropped."""
    kept = coupon.outcome in {"push", "void"}
    kind: MoveKind = "pay" if coupon.won else "leave" if kept else "take"
    return ChipMove(
        wager="match_play",
        kind=kind,
        staked=coupon.value,
        amount=coupon.won or (Cents(0) if kept else coupon.value),
        why=coupon.why,
        clause=coupon.clause,
        reading=coupon.reading,
    )


def envy_moves(paid: Iterable[EnvyPaid]) -> tuple[ChipMove, ...]:
    """Envy bonuses of a seat, each for another player's hand."""
    return tuple(
        ChipMove(
            wager="envy",
            kind="pay",
            staked=Cents(0),
            amount=bonus.won,
            why=f"seat {bonus.from_seat} has a {line_words(bonus.hand)}",
            clause=bonus.clause,
        )
        for bonus in paid
    )
