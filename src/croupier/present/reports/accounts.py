"""Accounts and their postings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.money import Cents, format_dollars
from croupier.present.amounts import meter_dollars
from croupier.present.reports.happenings import units_text
from croupier.present.reports.shared import amount, iso, when
from croupier.present.sheets import Sheet, sheet

if TYPE_CHECKING:
    from croupier.store import AccountHeld, AccountPosting

__all__ = ["account_json", "account_sheet", "move_json", "move_sheet"]


def account_sheet(accounts: Sequence[AccountHeld]) -> Sheet:
    """A row for each account."""
    return sheet(("account", "holds"), [(held.name, _shown(held.unit, held.amount)) for held in accounts], title="")


def account_json(held: AccountHeld) -> dict[str, Any]:
    """An account for programs: dollars as text, meters to 1/10,000 cent."""
    floor = None if held.floor is None else _plain(held.unit, held.floor)
    return {"account": held.name, "unit": held.unit, "floor": floor, "balance": _plain(held.unit, held.amount)}


def move_sheet(held: AccountHeld, moves: Sequence[AccountPosting]) -> Sheet:
    """A row for each posting."""
    rows = [
        (
            when(move.at),
            f"{move.stream} {move.entry}",
            move.event.partition("/")[0].replace("_", " "),
            _shown(held.unit, move.amount),
            _shown(held.unit, move.balance),
        )
        for move in moves
    ]
    title = f"{held.name}: {_shown(held.unit, held.amount)}; the newest first, times in UTC"
    return sheet(("time", "entry", "event", "amount", "holds"), rows, title=title)


def move_json(held: AccountHeld, move: AccountPosting) -> dict[str, Any]:
    """A posting for programs."""
    return {
        "stream": move.stream,
        "entry": move.entry,
        "at": iso(move.at),
        "event": move.event,
        "amount": _plain(held.unit, move.amount),
        "balance": _plain(held.unit, move.balance),
    }


def _plain(unit: str, number: int) -> str:
    return format_dollars(Cents(number)) if unit == "cents" else units_text(number)


def _shown(unit: str, number: int) -> str:
    return amount(number) if unit == "cents" else meter_dollars(number)
