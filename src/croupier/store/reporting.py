"""The rows behind each report: entries with their postings, and what accounts held before and after.

Everything is read in SQL that both engines understand, while the house runs, and without its key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.errors import BrokenRecord, RulesMismatch
from croupier.games import events as round_events
from croupier.journal import micros, read_line
from croupier.ledger import (
    MeterFigures,
    PostedEntry,
    TableFigures,
    account_named,
    figures_of,
    meter_figures,
    stakes_in_tray,
)
from croupier.rulebook import Archive
from croupier.store.laws import LawShelf
from croupier.store.periods import TABLES, Span, entries_before, names_of, time_of
from croupier.table import events as table_events

if TYPE_CHECKING:
    from croupier.rulebook import HouseRules
    from croupier.store.store import Store

__all__ = [
    "AWARD_EVENTS",
    "DECK_EVENTS",
    "MONEY_EVENTS",
    "RULING_EVENTS",
    "HouseShelf",
    "figures_in",
    "held_by_kind",
    "meters_in",
    "posted_entries",
    "stakes_in_play",
]

_AWARD_STEPS: Final = (
    table_events.AwardPending,
    table_events.AwardVerified,
    table_events.AwardNotVerified,
    table_events.AwardValidated,
    table_events.AwardRejected,
    table_events.AwardReversed,
    table_events.AwardPaid,
    table_events.AwardHandPaid,
)
MONEY_EVENTS: Final = (
    round_events.WagerPlaced,
    round_events.ActPerformed,
    round_events.HandSettled,
    round_events.SettlementReversed,
    round_events.EnvySettled,
    round_events.IrregularityRuled,
    round_events.RoundClosed,
    table_events.CoverAllColumnFixed,
    table_events.InventoryVerified,
    table_events.TrayFilled,
    table_events.TrayCredited,
    table_events.PlayerBoughtIn,
    table_events.PlayerStoodUp,
    *_AWARD_STEPS,
)
"""What the figures of a shift or a day are made of."""
METER_EVENTS: Final = (
    table_events.TableCreated,
    table_events.RulesChanged,
    table_events.AwardPending,
    table_events.AwardRejected,
    table_events.AwardReversed,
    round_events.MeterRaised,
)
RULING_EVENTS: Final = (round_events.IrregularityRuled, round_events.HandSettled, round_events.SettlementReversed)
DECK_EVENTS: Final = (
    table_events.DeckReceived,
    table_events.DeckInspected,
    table_events.DeckVerified,
    table_events.DeckLoaded,
    table_events.DeckCondemned,
    table_events.DeckRemoved,
)
AWARD_EVENTS: Final = (round_events.HandSettled, *_AWARD_STEPS)
_AT_ONCE: Final = 20_000
"""Entries that are read at once."""
_POSTED: Final = (
    "select e.seq, e.line, p.account, p.amount from event e"
    " left join posting p on p.stream = e.stream and p.seq = e.seq where e.stream = $1 and e.seq > $2 and e.seq <= $3"
)


async def posted_entries(store: Store, span: Span, kinds: Iterable[type]) -> list[PostedEntry]:
    """The entries of a span of these kinds, in order, each with what it moved."""
    names = names_of(kinds)
    wanted = ", ".join(f"${4 + number}" for number in range(len(names)))
    sql = f"{_POSTED} and e.name in ({wanted}) order by e.seq, p.account"
    entries: list[PostedEntry] = []
    for after in range(span.after, span.until, _AT_ONCE):
        rows = await store.read(sql, span.stream, after, min(span.until, after + _AT_ONCE), *names)
        entries += _gathered(rows)
    return entries


def _gathered(rows: Sequence[tuple[Any, ...]]) -> list[PostedEntry]:
    lines: dict[int, bytes] = {}
    moves: dict[int, dict[str, int]] = {}
    for seq, line, account, amount in rows:
        lines[int(seq)] = line
        if account is not None:
            moves.setdefault(int(seq), {})[str(account)] = int(amount)
    return [PostedEntry.read(read_line(bytes(line)), moves.get(seq, {})) for seq, line in lines.items()]


# --- the table


async def figures_in(store: Store, span: Span, entries: Sequence[PostedEntry]) -> TableFigures:
    """The figures of a table over a span, from its entries there."""
    opening, closing = [await held_by_kind(store, span.stream, seq) for seq in (span.after, span.until)]
    in_play = [await stakes_in_play(store, span.stream, seq) for seq in (span.after, span.until)]
    return figures_of(span.table, entries, opening=opening, closing=closing, in_play=in_play[1] - in_play[0])


async def held_by_kind(store: Store, stream: str, seq: int) -> dict[str, int]:
    """What the accounts of a table held after an entry, by kind: what they hold now, less what was posted since."""
    rows = await store.read(
        "select a.name, a.amount - coalesce(s.moved, 0) from account a left join"
        " (select account, sum(amount) as moved from posting where stream = $1 and seq > $2 group by account) s"
        " on s.account = a.name where a.name like $3 escape '!'",
        stream,
        seq,
        f"{_literal(stream)}/%",
    )
    held: dict[str, int] = {}
    for name, amount in rows:
        if str(name).startswith(f"{stream}/"):  # one engine's `like` knows no capitals
            kind = account_named(str(name)).kind
            held[kind] = held.get(kind, 0) + int(amount)
    return held


def _literal(text: str) -> str:
    """A text that `like` takes as it is."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


async def stakes_in_play(store: Store, stream: str, seq: int) -> int:
    """Stakes that lay in the tray after this entry, for a round that was in play then."""
    closed = "select last from round where stream = $1 and last <= $2 order by number desc limit 1"
    rows = await store.read(closed, stream, seq)
    span = Span(stream, int(rows[0][0]) if rows else 0, seq)
    kinds = (round_events.ActPerformed, round_events.HandSettled, round_events.SettlementReversed)
    return stakes_in_tray(await posted_entries(store, span, kinds))


# --- the meters


async def meters_in(store: Store, spans: Sequence[Span], *, links: bool = True) -> tuple[MeterFigures, ...]:
    """Every meter of these tables and of the house's links, from the entries of these spans."""
    if not spans:
        return ()
    streams = {span.stream for span in spans}
    rows = await store.read("select name, amount from account where unit = 'meter'")
    held = {str(name): int(amount) for name, amount in rows if _is_meter(str(name), streams, links=links)}
    opening, closing, seeded = dict.fromkeys(held, 0), dict(held), dict.fromkeys(held, 0)
    entries: list[PostedEntry] = []
    for span in await _with_others(store, spans) if links else spans:
        is_table = span.stream.startswith(TABLES)
        entries += await posted_entries(store, span, METER_EVENTS) if is_table else []
        parts = ((0, span.after, opening, 1), (span.until, _END, closing, -1))
        for low, high, target, sign in parts if is_table else (*parts, (span.after, span.until, seeded, 1)):
            for account, amount in await store.read(_MOVED, span.stream, low, high):
                if account in target:
                    target[account] += sign * int(amount)
    figures = meter_figures(
        entries, opening=opening, closing=closing, seeded={name: units for name, units in seeded.items() if units}
    )
    return tuple(meter for meter in figures if meter.account in held)


_END: Final = 2**62
_MOVED: Final = "select account, sum(amount) from posting where stream = $1 and seq > $2 and seq <= $3 group by account"


async def _with_others(store: Store, spans: Sequence[Span]) -> list[Span]:
    """These spans, and what every other stream recorded in the same time: tables and links share meters."""
    known = {span.stream for span in spans}
    start = [await time_of(store, span.stream, span.after + 1) for span in spans if span.after]
    end = [await time_of(store, span.stream, span.until) for span in spans]
    others = []
    for stream, last in await store.read("select stream, seq from head where seq > 0"):
        if stream not in known:
            after = (
                await entries_before(store, stream, micros(min(start)), last=last) if len(start) == len(spans) else 0
            )
            until = await entries_before(store, stream, micros(max(end)) + 1, last=last)
            others.append(Span(str(stream), after, until))
    return [*spans, *others]


def _is_meter(name: str, streams: Collection[str], *, links: bool) -> bool:
    """Whether an account is a meter or a reserve of one of these tables, or of a link."""
    owner = "/".join(name.split("/")[:2])
    return (links if name.startswith("link/") else owner in streams) and (
        account_named(name).kind in {"meter", "reserve"}
    )


# --- rules


class HouseShelf:
    """The house rules of a record by their hash, from the law that the store keeps."""

    def __init__(self, shelf: LawShelf) -> None:
        self._shelf: Final = shelf
        self._archive: Final = Archive(shelf)
        self._houses: Final[dict[str, HouseRules | None]] = {}

    @classmethod
    async def read(cls, store: Store) -> HouseShelf:
        """All house rules of a store."""
        shelf = LawShelf()
        await shelf.read(store)
        return cls(shelf)

    def all(self) -> list[HouseRules]:
        """All house rules that the law of the store gives."""
        return [house for rules in self._shelf.rules if (house := self(rules)) is not None]

    def __call__(self, rules: str) -> HouseRules | None:
        """The house rules with this hash; None if the store does not have them."""
        if rules not in self._houses:
            try:
                self._houses[rules] = self._archive.house(rules, self._archive.submission(rules))
            except (RulesMismatch, BrokenRecord):
                self._houses[rules] = None
        return self._houses[rules]
