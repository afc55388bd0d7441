"""Rounds through the whole procedure of a table, with irregularities at given rates.

| step | |
|---|---|
| `LoadPlan(plan=…, floor=floor_of(plan))` | what is played: a plan, and what is assumed of the floor |
| `play_evenings(procedure, rounds, start=0)` | a `LoadRecord`, exact |
| `play_parts(procedure, rounds, workers=…)` | the record of each evening as it is finished |
| `merge(records)` | the record of all of them together, by addition |

Rounds are played in evenings of `EVENING` rounds, each at a table of its own that begins with the house's initial
meters and carries them on. A round has the cards and decisions that `simulate` gives the round of its number; whether
an irregularity happens, and which, follows from the seed and that number. So evenings can be played anywhere, in any
order. Where something happened the round is played once more without it: what was lost is the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from math import sqrt
from time import perf_counter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import Malformed
from croupier.floor.assumptions import Floor, cited
from croupier.floor.evening import RoundSpan, open_evening
from croupier.floor.incidents import draw
from croupier.rulebook.names import Irregularity
from croupier.simulation import Plan, own_cluster, parts_of, play_on_cluster, write_scripts
from croupier.table_speed import HOUR

__all__ = ["EVENING", "Happened", "LoadPlan", "LoadRecord", "LoadSums", "merge", "play_evenings", "play_parts"]

EVENING: Final = 250
"""Rounds at one table."""
LONG: Final = 30
"""Seconds of work above which extra processes are worth starting."""


class LoadPlan(Struct, frozen=True, kw_only=True):
    """What is played."""

    plan: Plan
    floor: Floor


class LoadSums(Struct, frozen=True, kw_only=True):
    """The totals of some rounds."""

    rounds: int = 0
    void: int = 0
    """Rounds that were ruled void as a whole."""
    hands_void: int = 0
    """Boxes whose main wager was void in a round that was not."""
    staked: int = 0
    refunded: int = 0
    """Stakes returned because they were void."""
    returned: int = 0
    """Stakes returned with a win, on a push, or withdrawn."""
    won: int = 0
    """Won by players on top of their stakes, including envy and awards."""
    raised: int = 0
    lowered: int = 0
    """What stakes added to meters and reserve, and what was taken back for void ones, in 1/10,000 cent."""
    squares: int = 0
    """The sum of squares of the house win per round."""
    seconds: Fraction = Fraction(0)

    @property
    def completed(self) -> int:
        """Rounds that were not void."""
        return self.rounds - self.void

    @property
    def house(self) -> int:
        """What the house won."""
        return self.staked - self.refunded - self.returned - self.won

    @property
    def completed_per_hour(self) -> Fraction | None:
        """Completed rounds per hour; None where no time passes."""
        return self.completed * HOUR / self.seconds if self.seconds else None

    @property
    def won_per_hour(self) -> tuple[Fraction, float | None] | None:
        """Cents that the house won per hour, with the standard error of that; a single round has none."""
        if not self.seconds:
            return None
        spread = self.squares - Fraction(self.house**2, self.rounds)
        error = sqrt(spread * self.rounds / (self.rounds - 1)) if self.rounds > 1 else None
        return self.house * HOUR / self.seconds, None if error is None else error * HOUR / float(self.seconds)

    def __add__(self, other: LoadSums) -> LoadSums:
        return LoadSums(**{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__})


class Happened(Struct, frozen=True, kw_only=True):
    """An irregularity: how often it happened, and what it cost."""

    name: Irregularity
    clause: str
    reading: int | None
    times: int = 0
    void: int = 0
    hands_void: int = 0
    refunded: int = 0
    seconds: Fraction = Fraction(0)
    """Time lost: the whole round if every hand is void, otherwise its extra time."""

    def __add__(self, other: Happened) -> Happened:
        counted = ("times", "void", "hands_void", "refunded", "seconds")
        sums = {name: getattr(self, name) + getattr(other, name) for name in counted}
        return Happened(name=self.name, clause=self.clause, reading=self.reading, **sums)


class LoadRecord(Struct, frozen=True, kw_only=True):
    """What was played, what the same rounds are without irregularities, and each irregularity of this house."""

    played: LoadSums
    undisturbed: LoadSums
    happened: tuple[Happened, ...]

    def __add__(self, other: LoadRecord) -> LoadRecord:
        return LoadRecord(
            played=self.played + other.played,
            undisturbed=self.undisturbed + other.undisturbed,
            happened=tuple(mine + theirs for mine, theirs in zip(self.happened, other.happened, strict=True)),
        )


def merge(records: Iterable[LoadRecord]) -> LoadRecord:
    """Merge records, given in any order."""
    parts = list(records)
    if not parts:
        raise Malformed("nothing to merge: give at least one record")
    return reduce(LoadRecord.__add__, parts)


def play_evenings(procedure: LoadPlan, rounds: int, start: int = 0) -> LoadRecord:
    """The rounds from `start` on, where an evening begins; the last evening may be shorter."""
    if rounds < 1 or start < 0 or start % EVENING:
        raise Malformed(f"{rounds} rounds from {start}: play at least one, starting at a multiple of {EVENING}")
    firsts = range(start, start + rounds, EVENING)
    return merge(_evening(procedure, range(first, min(first + EVENING, start + rounds))) for first in firsts)


def play_parts(
    procedure: LoadPlan, rounds: int, *, workers: int = 1, scheduler: str | None = None
) -> Iterator[LoadRecord]:
    """The record of each evening as it is finished: on a cluster, or here, by several processes if it takes long."""
    if rounds < 1 or workers < 1:
        raise Malformed(f"{rounds} rounds on {workers} workers: at least one of each")
    parts = list(parts_of(rounds, EVENING))
    if scheduler is not None:
        yield from play_on_cluster(scheduler, play_evenings, procedure, parts)
        return
    for done, part in enumerate(parts):
        began = perf_counter()
        yield play_evenings(procedure, part.rounds, part.start)
        left = parts[done + 1 :]
        if done and workers > 1 and len(left) * (perf_counter() - began) > LONG:  # the first one may compile
            with own_cluster(min(workers, len(left))) as address:
                yield from play_on_cluster(address, play_evenings, procedure, left)
            return


def _evening(procedure: LoadPlan, numbers: range) -> LoadRecord:
    plan, floor = procedure.plan, procedure.floor
    evening, scripts = open_evening(plan, floor), write_scripts(plan, len(numbers), numbers.start)
    played, undisturbed = LoadSums(), LoadSums()
    happened = {chance.name: _never(plan, chance.name) for chance in floor.chance}
    for number, script in zip(numbers, scripts, strict=True):
        incident, before = draw(plan, floor.chance, number, script), evening.once_more()
        period = evening.play(script, incident)
        sums = calm = _sums(period)
        if incident is not None and period.happened:
            calm, name = _sums(before.play(script)), incident.chance.name
            happened[name] += _priced(happened[name], period, sums, calm)
        played, undisturbed = played + sums, undisturbed + calm
    return LoadRecord(played=played, undisturbed=undisturbed, happened=tuple(happened.values()))


def _sums(period: RoundSpan) -> LoadSums:
    """The totals of one round, from its boxes at the end."""
    boxes, void = period.round.boxes, period.round.proceedings.void == "round"
    wagers = [wager for box in boxes for wager in box.results]
    main = period.round.rules.main.name
    sums = LoadSums(
        rounds=1,
        void=void,
        hands_void=0 if void else sum(wager.wager == main and wager.outcome == "void" for wager in wagers),
        staked=sum(wager.staked for wager in wagers),
        refunded=sum(wager.returned for wager in wagers if wager.outcome == "void"),
        returned=sum(wager.returned for wager in wagers if wager.outcome != "void"),
        won=sum(wager.won for wager in wagers) + sum(paid.won for box in boxes for paid in box.envy),
        raised=period.raised,
        lowered=period.lowered,
        seconds=period.seconds,
    )
    return replace(sums, squares=sums.house**2)


def _never(plan: Plan, name: Irregularity) -> Happened:
    row = cited(plan.house, name)
    return Happened(name=name, clause=row.clause, reading=row.reading)


def _priced(what: Happened, period: RoundSpan, sums: LoadSums, calm: LoadSums) -> Happened:
    """What one irregularity cost."""
    stands = not sums.void and sums.hands_void < len(period.round.boxes)
    return replace(
        what,
        times=1,
        void=sums.void,
        hands_void=sums.hands_void,
        refunded=sums.refunded,
        seconds=sums.seconds - calm.seconds if stands else sums.seconds,
    )
