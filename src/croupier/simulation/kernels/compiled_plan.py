"""House rules and a plan, laid out for kernels.

A kernel does not look at lines of paytables. What decides wagers are a few judgments of cards, the sources: the five
cards, the three, the six, the best hand at the table; or the dealer's hand, the flush and the run. The hands of a
source that fall on the same line of every wager are one class. So what a round comes to for a box is its end: what
was decided, and one class of each source, together one small number. Kernels count ends, and each end is settled
once.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import cached_arrays, streets_of
from croupier.errors import Malformed
from croupier.games import Rules, forfeited, rules_of
from croupier.money import Cents, parse_dollars, print_dollars
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Evaluator, WagerName
from croupier.rulebook.paytable_arrays import KINDS, FlatPays, flatten_pays
from croupier.rulebook.schema import Envy, Paytable
from croupier.simulation.kernels.settling import VERSUS, Pays, settle_box
from croupier.simulation.plan import Plan, Seat

__all__ = ["CompiledPlan", "End", "LineClasses", "decided", "lay_out", "settle_end", "settle_lines"]

Array: TypeAlias = NDArray[Any]

STREETS: Final = {
    ("five_card", "own_and_community"): 0,
    ("three_card", "own"): 1,
    ("three_card", "community"): 1,
    ("six_card", "own_and_box"): 2,
    ("five_card", "best_at_table"): 3,
}
FLUSHES: Final = {("against_dealer", "own"): 0, ("flush", "own"): 1, ("straight_flush", "own"): 2}
SUITS, QUADS = 4, 2
COLUMNS: Final = {0: 1, 1: SUITS, 2: SUITS, 3: 1}
FLUSH_COLUMNS: Final = {0: 1, 1: 1, 2: QUADS, 3: 1}
LARGEST: Final = 1 << 62
MOST_ENDS: Final = 1 << 20
STRENGTHS: Final = 1 << 13
"""No ladder is longer."""


class LineClasses(NamedTuple):
    """`classes[strength, column]`; and `lines[class]` by wager, with the line of the envy column last."""

    classes: Array
    lines: dict[str, tuple[int, ...]]

    @property
    def size(self) -> int:
        """How many classes there are."""
        return int(self.classes.max()) + 1


class End(NamedTuple):
    """What a round comes to for a box without meters and envy: rows of one number a wager, as in `settle_box`."""

    staked: tuple[int, ...]
    won: tuple[int, ...]
    returned: tuple[int, ...]
    outcome: tuple[int, ...]
    line: tuple[int, ...]
    path: tuple[int, ...]
    """The action of each decision that was made, numbered as in `analysis.streets`; for a raise its antes."""
    folded: bool

    @property
    def net(self) -> int:
        """What the player has more than before."""
        return sum(self.won) + sum(self.returned) - sum(self.staked)


class CompiledPlan(NamedTuple):
    """A plan in the form in which it is played."""

    plan: Plan
    rules: Rules
    seats: tuple[Seat, ...]
    """By number."""
    names: tuple[WagerName, ...]
    """The wagers of a box in settlement order."""
    sources: tuple[LineClasses, ...]
    source_of: tuple[int, ...]
    """By wager."""
    pays: Pays
    paths: int
    share: Array
    """`[class of the metered source]`: percent of a meter, else 0."""
    meter: Array
    envy: Array
    """`[class of the metered source]`: cents for everybody else, else 0."""
    metered: int
    """The place of the metered wager, or -1."""

    @property
    def ends(self) -> int:
        """How many ends there can be."""
        return self.paths * prod(source.size for source in self.sources)

    def path_of(self, code: int) -> int:
        """What was decided."""
        return code % self.paths

    def classes_of(self, code: int) -> list[int]:
        """The class of each source."""
        rest, classes = code // self.paths, []
        for source in self.sources:
            rest, place = divmod(rest, source.size)
            classes.append(place)
        return classes


@lru_cache(maxsize=256)
def _flat_pays(table: Paytable | Envy, evaluator: Evaluator) -> FlatPays:
    return FlatPays(*cached_arrays(["flat pays", table, evaluator], lambda: flatten_pays(table, evaluator)))


@lru_cache(maxsize=64)
def _sources(house: HouseRules, players: int) -> tuple[tuple[WagerName, ...], tuple[LineClasses, ...], tuple[int, ...]]:
    """The wagers in settlement order, the sources, and which source decides which wager."""
    rules = rules_of(house)
    streets = streets_of(house.rulebook) is not None
    kinds, columns = (STREETS, COLUMNS) if streets else (FLUSHES, FLUSH_COLUMNS)
    names = (*rules.order, *rules.last)
    source_of = tuple(kinds[rules.offered[name].evaluator, rules.judged[name]] for name in names)
    sources = []
    for number in range(4 if streets else 3):
        lines: dict[str, Array] = {
            name: _pays(rules, name, players).line
            for name, kind in zip(names, source_of, strict=True)
            if kind == number
        }
        envy = _envy(rules)
        if envy is not None and rules.metered is not None and rules.metered.name in lines:
            lines["envy"] = envy.line
        if number == 0 and not streets:
            sources.append(
                LineClasses(np.arange(len(VERSUS))[:, None], {name: tuple(range(len(VERSUS))) for name in lines})
            )
        else:
            sources.append(_source(lines, columns[number]))
    return names, tuple(sources), source_of


def _pays(rules: Rules, name: WagerName, players: int) -> FlatPays:
    """The paytable of a wager; Cover All has one for each number of hands dealt."""
    offered = rules.offered[name]
    tables = offered.paytables
    table = tables[0] if len(tables) == 1 else next(table for table in tables if table.players == players)
    return _flat_pays(table, offered.evaluator)


def _envy(rules: Rules) -> FlatPays | None:
    offered = rules.offered[rules.metered.name] if rules.metered else None
    return _flat_pays(offered.envy, offered.evaluator) if offered and offered.envy else None


def _source(lines: dict[str, Array], columns: int) -> LineClasses:
    """Hands are of one class when they are on the same line of each wager."""
    if not lines:
        return LineClasses(np.zeros((STRENGTHS, columns), dtype=np.uint8), {})
    spread = [np.broadcast_to(line, (len(line), columns)) for line in lines.values()]
    rows = np.stack(spread, axis=-1)
    kinds, classes = np.unique(rows.reshape(-1, len(spread)), axis=0, return_inverse=True)
    by_wager = {name: tuple(kinds[:, place].tolist()) for place, name in enumerate(lines)}
    return LineClasses(classes.reshape(rows.shape[:2]).astype(np.uint8), by_wager)


def lay_out(plan: Plan) -> CompiledPlan:
    """A plan in the form in which it is played."""
    house, rules = plan.house, rules_of(plan.house)
    names, sources, source_of = _sources(house, len(plan.seats))
    metered = names.index(rules.metered.name) if rules.metered is not None else -1
    share, meter, envy = _prizes(rules, names, sources, source_of, metered)
    layout = CompiledPlan(
        plan=plan,
        rules=rules,
        seats=tuple(sorted(plan.seats, key=lambda seat: seat.number)),
        names=names,
        sources=sources,
        source_of=source_of,
        pays=_all_pays(rules, names, len(plan.seats)),
        paths=64 if streets_of(house.rulebook) else 4,
        share=share,
        meter=meter,
        envy=envy,
        metered=metered,
    )
    _check_size(layout)
    return layout


def _prizes(
    rules: Rules,
    names: tuple[WagerName, ...],
    sources: tuple[LineClasses, ...],
    source_of: tuple[int, ...],
    metered: int,
) -> tuple[Array, Array, Array]:
    """Shares of meters and envy, by class of the metered source."""
    if metered < 0:
        nothing = np.zeros(1, dtype=np.int64)
        return nothing, nothing, nothing
    source, pays = sources[source_of[metered]], _pays(rules, names[metered], 0)
    lines = np.array(source.lines[names[metered]])
    shares = pays.kind[lines] == KINDS["share"]
    envy = np.zeros(source.size, dtype=np.int64)
    if (paid := _envy(rules)) is not None:
        envy = np.where(paid.kind == KINDS["dollars"], paid.amount, 0)[np.array(source.lines["envy"])]
    return np.where(shares, pays.amount[lines], 0), np.where(shares, pays.meter[lines], 0).astype(np.int64), envy


def _all_pays(rules: Rules, names: tuple[WagerName, ...], players: int) -> Pays:
    house = rules.house
    flat = [_pays(rules, name, players) for name in names]
    kind, amount, scale = (
        [pays.kind.tolist() for pays in flat],
        [pays.amount.tolist() for pays in flat],
        [0] * len(names),
    )
    for place, name in enumerate(names):
        wager = rules.wagers[name]
        if wager.collected and wager.stake_approval:  # reading 3
            scale[place] = parse_dollars(rules.offered[name].paytables[0].stakes[0])
    wagers = [rules.wagers[name] for name in names]
    against = [(wager.evaluator == "against_dealer") * (2 if wager.stake == "raise" else 1) for wager in wagers]
    return Pays(
        kind=kind,
        amount=amount,
        scale=scale,
        forfeits=[forfeited(house, wager) for wager in wagers],
        collected=[wager.collected is not None for wager in wagers],
        limited=[name in rules.limited for name in names],
        metered=[rules.metered is not None and name == rules.metered.name for name in names],
        against=against,
        limit=-1 if house.payout_limit is None else int(house.payout_limit),
        pro_rata=house.options.cap_allocation == "prorata",
        whole_dollars=rules.breakage != "exact",
        threshold=-1 if house.handpay_threshold is None else int(house.handpay_threshold),
    )


def _check_size(layout: CompiledPlan) -> None:
    """Everything that a kernel multiplies stays a whole number of 64 bits."""
    if layout.ends > MOST_ENDS:
        raise Malformed(f"{layout.ends:,} ends of a round are too many to be counted: at most {MOST_ENDS:,}")
    for seat in layout.seats:
        largest = sum(_most_won(layout, seat, place) for place in range(len(layout.names)))
        if largest * max(layout.pays.limit, 1) >= LARGEST:
            raise Malformed(f"seat {seat.number}: a win of {print_dollars(Cents(largest))} is too large for exact sums")


def _most_won(layout: CompiledPlan, seat: Seat, place: int) -> int:
    """A bound of what a wager can win."""
    placed, pays = dict(seat.stakes), layout.pays
    stake = placed.get(layout.names[place], 3 * placed[layout.rules.main.name])  # a bet that follows is three at most
    lines = list(zip(pays.kind[place], pays.amount[place], strict=True))
    odds = max((amount for kind, amount in lines if kind in {KINDS["to"], KINDS["for"]}), default=0)
    fixed = max((amount for kind, amount in lines if kind == KINDS["dollars"]), default=0)
    scaled = fixed * stake // pays.scale[place] if pays.scale[place] else fixed
    return max(odds * stake, scaled)


def settle_end(layout: CompiledPlan, seat: int, code: int) -> End:
    """Settle an end of the seat in this place."""
    path = layout.path_of(code)
    classes = layout.classes_of(code)
    lines = [
        layout.sources[kind].lines[name][classes[kind]]
        for name, kind in zip(layout.names, layout.source_of, strict=True)
    ]
    stakes, withdrawn, acts, folded = decided(layout, seat, path)
    return settle_lines(layout, lines, stakes, withdrawn, acts, folded=folded)


def settle_lines(
    layout: CompiledPlan,
    lines: list[int],
    stakes: list[int],
    withdrawn: list[bool],
    acts: tuple[int, ...],
    *,
    folded: bool,
) -> End:
    """Settle a box whose wagers are on these lines."""
    won, returned, outcome = settle_box(layout.pays, lines, stakes, withdrawn, folded=folded)
    return End(tuple(stakes), tuple(won), tuple(returned), tuple(outcome), tuple(lines), acts, folded)


def decided(layout: CompiledPlan, seat: int, path: int) -> tuple[list[int], list[bool], tuple[int, ...], bool]:
    """What the decisions of a path make of the stakes of a seat: stakes, which are withdrawn, the actions, a fold."""
    placed = dict(layout.seats[seat].stakes)
    stakes: dict[WagerName, int] = {name: placed.get(name, 0) for name in layout.names}
    main = placed[layout.rules.main.name]
    withdrawn, acts, folded = dict.fromkeys(layout.names, False), [], False
    for choice in layout.plan.house.rulebook.play.choice:
        act, path = path % 4, path // 4
        acts.append(act)
        if "ride" in choice.choices:
            withdrawn[choice.decision] = act == 1
        elif act:
            stakes[choice.decision] = act * main
        else:
            folded = True
            break
    return list(stakes.values()), list(withdrawn.values()), tuple(acts), folded
