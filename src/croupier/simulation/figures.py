"""The totals of a tally: sums per wager, per box and per meter, in unbounded whole numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from croupier.errors import Malformed
from croupier.simulation.kernels.compiled_plan import CompiledPlan, End, lay_out, settle_end
from croupier.simulation.kernels.prizes import ENVY
from croupier.simulation.kernels.settling import OUTCOMES
from croupier.simulation.meters.run import MeterRun, run_meters
from croupier.simulation.plan import Plan
from croupier.simulation.run import Tally

__all__ = ["BoxFigures", "Figures", "MoneySums", "WagerFigures", "figures", "risked"]


class MoneySums(Struct, frozen=True):
    """Sums over all rounds, in cents; `squares` sums the squared result of each round."""

    rounds: int
    """Rounds in which it was staked."""
    staked: int
    """Cents put up, including bets taken back."""
    won: int
    returned: int
    squares: int

    @property
    def net(self) -> int:
        """The player's net result."""
        return self.won + self.returned - self.staked


class WagerFigures(Struct, frozen=True):
    """One wager of a box."""

    wager: str
    sums: MoneySums
    outcomes: dict[str, int]
    lines: dict[int, int]
    """Rounds by line of the paytable, from 0, the last for every other hand; against the dealer by place of
    `kernels.settling.VERSUS`. Only those that were settled by it."""


class BoxFigures(Struct, frozen=True):
    """One box: all its wagers and envy together, then each wager."""

    seat: int
    sums: MoneySums
    envy: int
    paths: dict[tuple[int, ...], int]
    """Rounds by what was decided (`layout.End.path`)."""
    played: dict[tuple[int, int], int]
    """Rounds played to the end, by line of the main game and number of bets at risk."""
    folded: dict[tuple[int, int], int]
    """Rounds given up, by decision, from 1, and number of bets lost."""
    wagers: tuple[WagerFigures, ...]


class Figures(Struct, frozen=True):
    """A whole table."""

    rounds: int
    boxes: tuple[BoxFigures, ...]
    meters: dict[str, MeterRun]


def figures(plan: Plan, tally: Tally) -> Figures:
    """The sums of a tally of this plan."""
    if tally.plan != plan.key:
        raise Malformed("this tally is of another plan, or of another version of the random streams")
    layout = lay_out(plan)
    meters = run_meters(layout, tally)
    awards: dict[tuple[int, int], int] = defaultdict(int)
    envy: dict[tuple[int, int], int] = defaultdict(int)
    ends = {(event.round, event.seat): event.end for event in tally.events}
    for run in meters.values():
        for award in run.awards:
            awards[award.round, award.seat] += award.paid
    for event in tally.events:
        if event.kind == ENVY:
            envy[event.round, event.seat] += event.amount
    extras: list[Counter[tuple[int, int, int]]] = [Counter() for _ in layout.seats]
    for (number, seat), end in ends.items():
        extras[seat][end, awards[number, seat], envy[number, seat]] += 1
    boxes = tuple(_box(layout, seat, tally, extra) for seat, extra in enumerate(extras))
    return Figures(tally.rounds, boxes, meters)


def _box(layout: CompiledPlan, seat: int, tally: Tally, extras: Counter[tuple[int, int, int]]) -> BoxFigures:
    """`extras` are the rounds with an award or envy, by end, award and envy."""
    settled = [(settle_end(layout, seat, code), code, count) for code, count in tally.ends[seat]]
    rows: list[tuple[End, int, int, int]] = []
    special: Counter[int] = Counter()
    by_code = {code: end for end, code, _ in settled}
    for (code, award, envy), count in extras.items():
        special[code] += count
        rows.append((by_code[code], award, envy, count))
    rows += [(end, 0, 0, count - special[code]) for end, code, count in settled]
    paths: Counter[tuple[int, ...]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    folded: Counter[tuple[int, int]] = Counter()
    for end, _, _, count in rows:
        paths[end.path] += count
        (folded if end.folded else played)[_main_end(layout, end)] += count
    envy_paid = sum(envy * count for _, _, envy, count in rows)
    staked = sum(sum(end.staked) * count for end, _, _, count in rows)
    won = sum(sum(end.won) * count for end, _, _, count in rows)
    returned = sum(sum(end.returned) * count for end, _, _, count in rows)
    squares = sum((end.net + award + envy) ** 2 * count for end, award, envy, count in rows)
    awarded = sum(award * count for _, award, _, count in rows)
    return BoxFigures(
        seat=layout.seats[seat].number,
        sums=MoneySums(tally.rounds, staked, won + awarded + envy_paid, returned, squares),
        envy=envy_paid,
        paths=dict(sorted(paths.items())),
        played=dict(sorted(played.items())),
        folded=dict(sorted(folded.items())),
        wagers=tuple(_wager(layout, place, rows) for place in range(len(layout.names))),
    )


def _main_end(layout: CompiledPlan, end: End) -> tuple[int, int]:
    """The line of the main game, or the decision on which it was given up; and the bets at risk."""
    base = [place for place, name in enumerate(layout.names) if layout.rules.offered[name].paytables[0].group == "base"]
    return len(end.path) if end.folded else end.line[base[0]], risked(end, base) // end.staked[base[0]]


def risked(end: End, places: Iterable[int] | None = None) -> int:
    """Cents at risk on all wagers, or on those in these places: a bet that is taken back is not handle."""
    chosen = range(len(end.staked)) if places is None else places
    return sum(end.staked[place] for place in chosen if OUTCOMES[end.outcome[place]] != "withdrawn")


def _wager(layout: CompiledPlan, place: int, rows: list[tuple[End, int, int, int]]) -> WagerFigures:
    outcomes: Counter[str] = Counter()
    lines: Counter[int] = Counter()
    rounds = staked = won = returned = squares = 0
    for end, award, _, count in rows:
        if not end.staked[place]:
            continue
        outcome = OUTCOMES[end.outcome[place]]
        mine = end.won[place] + (award if place == layout.metered else 0)
        rounds += count
        staked += end.staked[place] * count
        won += mine * count
        returned += end.returned[place] * count
        squares += (mine + end.returned[place] - end.staked[place]) ** 2 * count
        outcomes[outcome] += count
        if outcome not in {"forfeit", "withdrawn"}:
            lines[end.line[place]] += count
    return WagerFigures(
        layout.names[place],
        MoneySums(rounds, staked, won, returned, squares),
        dict(sorted(outcomes.items())),
        dict(sorted(lines.items())),
    )
