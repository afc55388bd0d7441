"""How long the cards of old gaming days can be opened: afterward their keys are destroyed, and nothing but the keys.

The lines, their hashes, the money, the rounds and their stories stay: all of it is verified, recalled, reported and
replayed without a key. What goes is every card that was never turned up.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from croupier.errors import RuleViolation
from croupier.rulebook import HouseOptions
from croupier.store.people import CREDENTIALS_KEY
from croupier.store.periods import TABLES, day_at, names_of
from croupier.store.reporting import HouseShelf
from croupier.store.store import Store
from croupier.table.events import TableClosed, TableOpened

__all__ = ["KeyDays", "days_to_shred", "keep_for", "key_days", "retention_years", "shred"]

READING: Final = 173
_SETTING: Final = "retention_years"
_KEYS_SINCE: Final = "select distinct key from event where stream = $1 and seq > $2 and key is not null"
_LAST_ROUND: Final = "select last from round where stream = $1 order by number desc limit 1"


class KeyDays(NamedTuple):
    """Gaming days by what became of the keys that sealed their cards."""

    kept: tuple[str, ...]
    in_play: tuple[str, ...]
    """Kept, and still needed: a deck, a round or a table goes on."""
    destroyed: tuple[str, ...]

    def old(self, before: date) -> tuple[str, ...]:
        """The days before this one whose keys can be destroyed."""
        return tuple(day for day in self.kept if day < str(before) and day not in self.in_play)


async def _filed_years(store: Store) -> int:
    """The longest `retention.years` of the house's submissions."""
    houses = (await HouseShelf.read(store)).all()
    return max((house.options.retention_years for house in houses), default=HouseOptions().retention_years)


async def retention_years(store: Store) -> int:
    """How many years the cards of a gaming day are kept: as filed, or longer if the operator says so."""
    rows = await store.read("select value from meta where key = $1", _SETTING)
    return max(await _filed_years(store), int(rows[0][0]) if rows else 0)


async def keep_for(store: Store, years: int) -> None:
    """Keep cards for so many years; fewer than were filed are refused."""
    if years < (filed := await _filed_years(store)):
        raise _refusal(f"the submissions of this house say {filed} years (retention.years): file fewer there first")
    await store.engine.execute(
        "insert into meta(key, value) values($1, $2) on conflict(key) do update set value = excluded.value",
        _SETTING,
        str(years),
    )


async def key_days(store: Store) -> KeyDays:
    """Every gaming day that has, or had, a key."""
    rows = await store.read("select id, day, destroyed from data_key where day <> $1 order by day, id", CREDENTIALS_KEY)
    used, days = await _in_play(store)
    held = [(int(number), str(day)) for number, day, destroyed in rows if destroyed is None]
    return KeyDays(
        tuple(day for _, day in held),
        tuple(day for number, day in held if number in used or day in days),
        tuple(str(day) for _, day, destroyed in rows if destroyed is not None),
    )


async def _in_play(store: Store) -> tuple[set[int], set[str]]:
    """Keys that something sealed is still needed from, and the gaming days of tables that are open."""
    keys = {int(key) for (key,) in await store.read("select distinct key from secret")}
    days = set()
    opened, closed = names_of([TableOpened]), names_of([TableClosed])
    places = ", ".join(f"${place}" for place in range(2, 2 + len(opened) + len(closed)))
    status = f"select name from event where stream = $1 and name in ({places}) order by seq desc limit 1"  # noqa: S608 - only places
    for stream, seq in await store.read("select stream, seq from head where seq > 0"):
        if not stream.startswith(TABLES):
            continue
        over = await store.read(_LAST_ROUND, stream)
        keys |= {int(key) for (key,) in await store.read(_KEYS_SINCE, stream, int(over[0][0]) if over else 0)}
        last = await store.read(status, stream, *opened, *closed)
        if last and last[0][0] in opened:
            days.add(str(await day_at(store, stream, seq)))
    return keys, days


async def days_to_shred(store: Store, before: date) -> KeyDays:
    """Every gaming day that has, or had, a key; refused if some day before this one has to be kept."""
    today = datetime.fromtimestamp(await store.engine.now() / 1_000_000, UTC).date()
    years = await retention_years(store)
    last = date(max(1, today.year - years), today.month, min(today.day, 28))  # every month has one
    if before > last:
        raise _refusal(f"cards are kept for {years} years: of days before {last}, not {before}, they can be shredded")
    return await key_days(store)


async def shred(store: Store, before: date) -> tuple[str, ...]:
    """Destroy the keys of the gaming days before this one, without a trace, and return the days."""
    days = (await days_to_shred(store, before)).old(before)
    places = ", ".join(f"${place}" for place in range(2, 2 + len(days)))
    if days:
        await store.engine.erase(
            "data_key",
            f"update data_key set wrapped = $1, destroyed = {store.engine.clock}"  # noqa: S608 - our own expression
            f" where destroyed is null and day in ({places})",
            b"",
            *days,
        )
    return days


def _refusal(words: str) -> RuleViolation:
    return RuleViolation("retention", words, clause="", reading=READING)
