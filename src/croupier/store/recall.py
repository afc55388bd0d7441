"""Recall: rounds by table, time, patron, hand, clause, irregularity or number, and the whole story of a round.

The SQL is shared by both engines. What is listed in a column stands between bars, `|a|b|`, and is found by replacing
it: that minds capitals on every engine and takes no character for a wildcard.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.games import Round, evolve, open_round
from croupier.games import events as round_events
from croupier.journal import micros, read_line
from croupier.ledger import SeatLine, round_line
from croupier.store.periods import TABLES
from croupier.store.reporting import HouseShelf
from croupier.store.store import Store
from croupier.table import Entry, Person, see

__all__ = ["AUDITOR", "RecalledRound", "RoundSearch", "Story", "find_rounds", "story_of"]

AUDITOR: Final = Person("regulator", "auditor")
"""Sees everything that happened, and no card that stayed face down."""
MOST: Final = 100_000
_AFTER: Final = 20
"""Entries after the last one of a round that may still belong to it: the seed of its shuffle."""


class RoundSearch(Struct, frozen=True, kw_only=True):
    """What to look for; whatever is not given does not matter."""

    table: str | None = None
    number: int | None = None
    patron: str | None = None
    hand: str | None = None
    clause: str | None = None
    irregularity: str | None = None
    void: bool | None = None
    least_staked: int | None = None
    """In cents, like `least_paid`: rounds in which at least so much was staked, or paid."""
    least_paid: int | None = None
    start: datetime | None = None
    """Rounds that closed at this time or later."""
    end: datetime | None = None
    """Rounds that closed before this time."""
    limit: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST:
            raise ValueError(f"limit {self.limit}: from 1 to {MOST:,}")


class RecalledRound(Struct, frozen=True, kw_only=True):
    """A closed round as it is found."""

    stream: str
    number: int
    opened: datetime
    closed: datetime
    first: int
    last: int
    rules: str
    void: bool
    staked: int
    paid: int
    hands: tuple[str, ...]
    """The hands that won."""
    clauses: tuple[str, ...]
    irregularities: tuple[str, ...]
    seats: tuple[SeatLine, ...] = ()
    """Who sat where, what they staked and what they were paid."""

    @property
    def table(self) -> str:
        """The id of the table."""
        return self.stream.removeprefix(TABLES)


class Story(Struct, frozen=True, kw_only=True):
    """A round from its first bet to its last entry, as an audience may see it."""

    found: RecalledRound
    entries: tuple[Entry, ...]
    layout: Round | None
    """The round without faces, for whoever needs to know whose cards lay where; None without its rules."""


async def find_rounds(store: Store, search: RoundSearch, *, seats: bool = True) -> list[RecalledRound]:
    """The rounds that a search finds, newest first, each with its seats; without them no line is read."""
    sql, values = _query(search)
    rounds = []
    for row in await store.read(sql, *values):
        if not seats:
            rounds.append(_recalled(row, ()))
            continue
        entries = await _entries(store, str(row[0]), int(row[4]), int(row[5]))
        rounds.append(_recalled(row, round_line(entries).seats))
    return rounds


def _query(search: RoundSearch) -> tuple[str, list[Any]]:
    """The statement for a search and its values, numbered in the order of their use."""
    values: list[Any] = []
    tests: list[str] = []

    def test(words: str, value: object) -> None:
        values.append(value)
        tests.append(words.replace("?", f"${len(values)}"))

    # Asked about a patron, the list of who played is read in its own order; else that of the rounds.
    at = "p" if search.patron is not None else "r"
    if search.patron is not None:
        test("p.patron = ?", search.patron)
    if search.table is not None:
        test(f"{at}.stream = ?", f"{TABLES}{search.table}")
    if search.number is not None:
        test(f"{at}.number = ?", search.number)
    if search.start is not None:
        test(f"{at}.closed >= ?", micros(search.start))
    if search.end is not None:
        test(f"{at}.closed < ?", micros(search.end))
    for column in ("hand", "clause", "irregularity"):
        if (wanted := getattr(search, column)) is not None:
            listed = f"r.{_LISTS[column]}"
            test(f"replace({listed}, ?, '') <> {listed}", f"|{wanted}|")
    if search.void is not None:
        test("r.void = ?", int(search.void))
    if search.least_staked is not None:
        test("r.staked >= ?", search.least_staked)
    if search.least_paid is not None:
        test("r.paid >= ?", search.least_paid)
    columns = ", ".join(f"r.{name}" for name in _COLUMNS)
    where = f" where {' and '.join(tests)}" if tests else ""
    if search.patron is not None:
        # A patron may play several boxes of a round; the round is found once, by the first of them.
        first = (
            "p.seat = (select min(q.seat) from played q where q.patron = p.patron and q.closed = p.closed"
            " and q.stream = p.stream and q.number = p.number)"
        )
        source = "played p join round r on r.stream = p.stream and r.number = p.number"
        where, order = f"{where} and {first}", "p.closed desc, p.stream desc, p.number desc"
    else:
        source = "round r"
        # Within a table rounds close in the order of their numbers.
        order = "r.number desc" if search.table is not None else "r.closed desc, r.stream desc, r.number desc"
    values.append(search.limit)
    return f"select {columns} from {source}{where} order by {order} limit ${len(values)}", values  # noqa: S608 - names of ours


_COLUMNS: Final = (
    "stream", "number", "opened", "closed", "first", "last", "rules", "void", "staked", "paid",
    "hands", "clauses", "irregularities",
)  # fmt: skip
_LISTS: Final = {"hand": "hands", "clause": "clauses", "irregularity": "irregularities"}


def _recalled(row: Sequence[Any], seats: tuple[SeatLine, ...]) -> RecalledRound:
    given = dict(zip(_COLUMNS, row, strict=True))
    return RecalledRound(
        stream=str(given["stream"]),
        number=int(given["number"]),
        opened=_time(int(given["opened"])),
        closed=_time(int(given["closed"])),
        first=int(given["first"]),
        last=int(given["last"]),
        rules=str(given["rules"]),
        void=bool(given["void"]),
        staked=int(given["staked"]),
        paid=int(given["paid"]),
        hands=_listed(given["hands"]),
        clauses=_listed(given["clauses"]),
        irregularities=_listed(given["irregularities"]),
        seats=seats,
    )


def _time(at: int) -> datetime:
    seconds, rest = divmod(at, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)


def _listed(column: str) -> tuple[str, ...]:
    return tuple(column.strip("|").split("|")) if column else ()


async def _entries(store: Store, stream: str, first: int, last: int) -> list[Entry]:
    lines = await store.load(stream, after=first - 1, until=last)
    return [read_line(bytes(line.line)) for line in lines]


# --- the story


async def story_of(
    store: Store, found: RecalledRound, *, audience: Person | None = AUDITOR, houses: HouseShelf | None = None
) -> Story:
    """All entries of a round as a person may see them; None is a passerby. Cards that lay face down stay closed."""
    entries = await _entries(store, found.stream, found.first, found.last + _AFTER)
    own = [
        entry
        for entry in entries
        if entry.seq <= found.last
        or (entry.round == found.number and not isinstance(entry.event, round_events.WagerPlaced))
    ]
    seen = [see(entry, audience) for entry in own]
    houses = houses or await HouseShelf.read(store)
    return Story(
        found=found,
        entries=tuple(entry for entry in seen if entry is not None),
        layout=_layout(own, houses),
    )


def _layout(entries: Sequence[Entry], houses: HouseShelf) -> Round | None:
    """The round replayed without its cards, which says whose cards lay where.

    Where only a card decides what comes next the replay stops: by then the places are known.
    """
    house = houses(entries[-1].rules)
    if house is None:
        return None
    state = open_round(house)
    for entry in entries:
        if isinstance(entry.event, round_events.Recorded):
            try:
                state = evolve(state, entry.event)
            except (CroupierError, LookupError, ValueError, TypeError):
                break
    return state if state.cards.plan.places else None
