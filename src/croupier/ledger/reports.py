"""The figures of a shift or a gaming day at a table, from its entries and what each of them moved.

Win is what the count room says: closing tray + credits + drop - opening tray - fills. The same win follows from play:
handle, less stakes given back, less what was paid, reversals counted the other way. The two may part only by stakes
that lie in the tray while their round is in play, and by what players owe who left with chips that were reversed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final

from msgspec import Struct
from msgspec.structs import fields

from croupier.games import WagerSettled
from croupier.games import events as round_events
from croupier.ledger.accounts import account_named
from croupier.ledger.totals import TOTALS, totals_of
from croupier.table import TRAY, Entry, Posting
from croupier.table import events as table_events

__all__ = [
    "PostedEntry",
    "TableFigures",
    "figures_of",
    "settled_wagers",
    "stakes_in_tray",
    "together",
]

_AT_RISK: Final = {"win", "lose", "push", "forfeit"}


class PostedEntry(Struct, frozen=True):
    """An entry, and what it moved between the accounts of its table."""

    entry: Entry
    moves: tuple[Posting, ...] = ()

    @classmethod
    def read(cls, entry: Entry, moves: Mapping[str, int]) -> PostedEntry:
        """An entry with its postings by the names of the house's accounts."""
        return cls(entry, tuple(Posting(account_named(name), amount) for name, amount in sorted(moves.items())))


class TableFigures(Struct, frozen=True, kw_only=True):
    """What a table did in a period; all amounts in cents."""

    table: str
    """The id of the table; empty for several together."""
    opening: int = 0
    """The tray at the beginning; for a new table its first inventory."""
    closing: int = 0
    fills: int = 0
    credits: int = 0
    drop: int = 0
    chips_in: int = 0
    chips_out: int = 0
    handle: int = 0
    handle_reversed: int = 0
    returned: int = 0
    """Stakes at risk that went back to their players with wins and pushes, reversals deducted."""
    paid: int = 0
    paid_reversed: int = 0
    hand_paid: int = 0
    hand_paid_reversed: int = 0
    rounds: int = 0
    rounds_void: int = 0
    in_play: int = 0
    """Stakes in the tray whose round is still in play at the end, less those at the beginning."""
    owed: int = 0
    """What players owe at the end who left with chips that were reversed, less what they owed at the beginning."""
    held: int = 0
    """Chips that players at the table hold at the end, bets on the layout included."""

    @property
    def win(self) -> int:
        """What the tray and the drop box say the table won."""
        return self.closing + self.credits + self.drop - self.opening - self.fills

    @property
    def win_by_play(self) -> int:
        """What the settled wagers say the table won; hand pays are the cage's."""
        return self.handle - self.handle_reversed - self.returned - self.paid + self.paid_reversed

    @property
    def difference(self) -> int:
        """What neither stakes in play nor debts explain: zero in a record that is whole."""
        return self.win - self.win_by_play - self.in_play + self.owed

    @property
    def hand_pays(self) -> int:
        """Awards that the cage paid by hand, reversals deducted."""
        return self.hand_paid - self.hand_paid_reversed

    @property
    def win_after_hand_pays(self) -> int:
        """The win of the table less what the cage paid for it."""
        return self.win - self.hand_pays

    @property
    def hold(self) -> Fraction | None:
        """Win as a share of drop; None without a drop."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def win_of_handle(self) -> Fraction | None:
        """Win as a share of handle; None where nothing was bet."""
        handle = self.handle - self.handle_reversed
        return Fraction(self.win, handle) if handle else None


def figures_of(
    table: str,
    entries: Sequence[PostedEntry],
    *,
    opening: Mapping[str, int],
    closing: Mapping[str, int],
    in_play: int = 0,
) -> TableFigures:
    """The figures of a period: its entries in order, and what each kind of account held before and after it."""
    totals: dict[str, int] = dict.fromkeys(TOTALS, 0)
    returned = inventory = void = 0
    void_rounds: set[int] = set()
    for posted in entries:
        event = posted.entry.event
        for name, amount in totals_of(event, posted.moves):
            totals[name] += amount
        for sign, settled in settled_wagers(event):
            if settled.outcome in _AT_RISK:
                returned += sign * settled.returned
        match event:
            case table_events.InventoryVerified():  # the first count of a new table is what the cage brought
                inventory += sum([amount for account, amount in posted.moves if account == TRAY])
            case round_events.IrregularityRuled(void="round"):
                void_rounds.add(posted.entry.round)
            case round_events.RoundClosed() if posted.entry.round in void_rounds:
                void += 1
            case _:
                pass
    return TableFigures(
        table=table,
        opening=opening.get("tray", 0) + inventory,
        closing=closing.get("tray", 0),
        returned=returned,
        rounds_void=void,
        in_play=in_play,
        owed=closing.get("owed", 0) - opening.get("owed", 0),
        held=closing.get("chips", 0) + closing.get("layout", 0),
        **totals,
    )


def together(figures: Iterable[TableFigures], name: str = "") -> TableFigures:
    """Several tables as one.

    >>> together([TableFigures(table="1", drop=500), TableFigures(table="2", drop=300)]).drop
    800
    """
    return reduce(_added, figures, TableFigures(table=name))


def _added(left: TableFigures, right: TableFigures) -> TableFigures:
    sums = {
        field.name: getattr(left, field.name) + getattr(right, field.name)
        for field in fields(TableFigures)
        if field.name != "table"
    }
    return TableFigures(table=left.table, **sums)


def settled_wagers(event: table_events.Event) -> Iterator[tuple[int, WagerSettled]]:
    """The wagers that an event settles (1) or opens again (-1)."""
    if isinstance(event, round_events.HandSettled | round_events.SettlementReversed):
        sign = 1 if isinstance(event, round_events.HandSettled) else -1
        for settled in event.wagers:
            yield sign, settled


def stakes_in_tray(entries: Iterable[PostedEntry]) -> int:
    """Stakes collected to the tray before the deal and not settled yet, after these entries of a round."""
    collected = 0
    acts: set[str] = set()
    for posted in entries:
        event = posted.entry.event
        if isinstance(event, round_events.ActPerformed):
            moved = sum([amount for account, amount in posted.moves if account == TRAY])
            collected += moved
            acts |= {_COLLECTED[event.act]} if moved and event.act in _COLLECTED else set()
        for sign, settled in settled_wagers(event):
            collected -= sign * settled.staked if settled.wager in acts else 0
    return collected


_COLLECTED: Final[dict[str, str]] = {
    "progressive_to_tray": "progressive",
    "five_card_to_tray": "five_card_bonus",
}
"""Acts that put the chips of a wager into the tray before the deal."""
