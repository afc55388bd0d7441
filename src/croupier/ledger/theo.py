"""Theo: what the wagers of a period should have won for the house, by exact edges, beside what they did win.

The main game counts by its first bet, the ante or one of the equal bets; its edge and spread are those of best play.
Bets of one round share cards, so the spread has two bounds: bets taken as independent, and all bets of a round winning
and losing together. What parts by more than three times the wider bound is not chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import erfc, sqrt
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.analysis import BASE, cached_prices, cases_of_house, limit_cost, long_run_of, unpriced
from croupier.errors import Malformed
from croupier.games import EnvyPaid
from croupier.games import events as round_events
from croupier.ledger.reports import PostedEntry, settled_wagers
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName
from croupier.simulation import Exact, Plan, Seat, exact_edges
from croupier.table import events as table_events

__all__ = ["FAR", "Apart", "PeriodTheo", "WagerTheo", "theo_of"]

SHARED: Final = "the payout limit covers several wagers together"
WIDENED: Final = "the payout limit covers more wagers than the document names"
FAR: Final = 3
"""Standard deviations beyond which a difference is called out."""
_AT_RISK: Final = {"win", "lose", "push", "forfeit"}
Houses = Callable[[str], HouseRules | None]
"""House rules by their hash, if they can be found."""
Place = tuple[str, int]
"""A stream and the number of a round."""


class WagerTheo(Struct, frozen=True, kw_only=True):
    """A wager of a rulebook over a period; money in cents."""

    rulebook: str
    wager: str
    bets: int
    handle: int
    win: int
    """Actual: handle less stakes given back and everything paid for it."""
    theo: Fraction | None
    """None where a bet has no exact edge."""
    variance: Fraction | None
    """None where a bet has no exact edge, or pays from meters: its spread follows them."""
    long_run: bool
    """It pays from meters: `theo` is what it keeps in the long run."""
    missing: tuple[tuple[str, int], ...]
    """Why bets have no exact edge, and how many."""

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the period, bets taken as independent."""
        return None if self.variance is None else sqrt(self.variance)


class Apart(NamedTuple):
    """How far actual win is from theo."""

    by: Fraction
    """Actual win less theo, in cents."""
    deviation: float
    """The standard deviation of the period with bets taken as independent."""
    widest: float
    """The same with all bets of a round winning and losing together: the most it can be."""

    @property
    def z(self) -> float:
        """How many standard deviations apart, bets taken as independent."""
        return float(self.by) / self.deviation if self.deviation else 0.0

    @property
    def least_z(self) -> float:
        """How many of the widest standard deviations: the least that it can be."""
        return float(self.by) / self.widest if self.widest else 0.0

    @property
    def bell(self) -> float:
        """How often chance alone parts them this far or farther on a bell curve, by the widest spread."""
        return erfc(abs(self.least_z) / sqrt(2))

    @property
    def most(self) -> float:
        """The most that it can be whatever the shape of the results (Chebyshev)."""
        return min(1.0, 1 / self.least_z**2) if self.least_z else 1.0

    @property
    def is_beyond_chance(self) -> bool:
        """Whether no dependence between the bets of a round explains it."""
        return abs(self.least_z) > FAR

    @property
    def is_unusual(self) -> bool:
        """Whether it is far apart if the bets of a round are independent."""
        return abs(self.z) > FAR


class PeriodTheo(Struct, frozen=True, kw_only=True):
    """What a period should have won, wager by wager."""

    wagers: tuple[WagerTheo, ...]
    coupons: int
    """What match play coupons won, in cents; they are not among the wagers."""
    apart: Apart
    """Over the wagers that have an exact edge and a known spread."""

    @property
    def cents(self) -> Fraction:
        """Theo of all wagers that have one."""
        return sum((wager.theo for wager in self.wagers if wager.theo is not None), Fraction(0))

    @property
    def win(self) -> int:
        """What all wagers actually won, with hand pays and coupons deducted."""
        return sum(wager.win for wager in self.wagers) - self.coupons

    @property
    def win_with_theo(self) -> int:
        """What the wagers that have a theo actually won."""
        return sum(wager.win for wager in self.wagers if wager.theo is not None)

    @property
    def missing(self) -> tuple[str, ...]:
        """What has no exact edge, and why."""
        return tuple(dict.fromkeys(f"{wager.wager}: {why}" for wager in self.wagers for why, _ in wager.missing))


def theo_of(entries: Iterable[PostedEntry], houses: Houses) -> PeriodTheo:
    """Theo beside actual win, from the entries of a period in order."""
    tally = _Tally(houses)
    for posted in entries:
        tally.add(posted)
    return tally.closed()


class _Line(Struct):
    """A wager as its bets come in."""

    book: str
    wager: str
    bets: int = 0
    handle: int = 0
    win: int = 0
    theo: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    long_run: bool = False
    missing: dict[str, int] = {}
    spreads: dict[Place, float] = {}
    """The sum of the standard deviations of its bets, round by round."""

    def lacks(self, why: str, sign: int) -> None:
        self.missing[why] = self.missing.get(why, 0) + sign

    @property
    def why(self) -> tuple[tuple[str, int], ...]:
        return tuple((why, bets) for why, bets in self.missing.items() if bets)

    @property
    def compares(self) -> bool:
        return not self.why and not self.long_run

    def closed(self) -> WagerTheo:
        return WagerTheo(
            rulebook=self.book,
            wager=self.wager,
            bets=self.bets,
            handle=self.handle,
            win=self.win,
            theo=None if self.why else self.theo,
            variance=self.variance if self.compares else None,
            long_run=self.long_run,
            missing=self.why,
        )


class _Tally:
    """The wagers of a period as they come."""

    def __init__(self, houses: Houses) -> None:
        self._houses: Final = houses
        self._lines: Final[dict[tuple[str, str], _Line]] = {}
        self._hands: Final[dict[Place, int]] = {}
        """How many hands fix what Cover All pays."""
        self._metered: Final[defaultdict[Place, dict[int, str]]] = defaultdict(dict)
        """Who bet the progressive, by seat."""
        self._progressive: Final[list[tuple[Place, int, _Line, int, HouseRules]]] = []
        self._coupons = 0

    def add(self, posted: PostedEntry) -> None:
        entry, event = posted.entry, posted.entry.event
        place = (entry.stream, entry.round)
        match event:
            case table_events.CoverAllColumnFixed():
                self._hands[place] = event.hands
            case round_events.WagerPlaced(wager="progressive"):
                self._metered[place][event.seat] = event.patron
            case round_events.HandSettled() | round_events.SettlementReversed():
                house = self._houses(entry.rules)
                sign = 1 if isinstance(event, round_events.HandSettled) else -1
                self._coupons += sign * (event.coupon.won if event.coupon is not None else 0)
                self._settle(place, event, house)
                if isinstance(event, round_events.SettlementReversed):
                    self._line(house, "progressive").win += _envy(event.envy)
            case round_events.EnvySettled():
                self._line(self._houses(entry.rules), "progressive").win -= _envy(event.paid)
            case table_events.AwardRejected():
                self._line(self._houses(entry.rules), "progressive").win += event.amount
            case _:
                pass

    def _line(self, house: HouseRules | None, wager: str) -> _Line:
        book = house.rulebook.id if house is not None else ""
        return self._lines.setdefault((book, wager), _Line(book, wager))

    def _settle(
        self, place: Place, event: round_events.HandSettled | round_events.SettlementReversed, house: HouseRules | None
    ) -> None:
        base = _base_wagers(house) if house is not None else ()
        bets = tuple(sorted({bet.wager: bet.staked for bet in event.wagers if bet.wager not in base}.items()))
        for sign, settled in settled_wagers(event):
            line = self._line(house, BASE if settled.wager in base else settled.wager)
            at_risk = settled.outcome in _AT_RISK
            if at_risk:
                line.handle += sign * settled.staked
                line.win += sign * (settled.staked - settled.returned - settled.won)
            # The first bet of the main game stands for all of it, also where it is withdrawn.
            counts = settled.outcome != "void" if settled.wager in base[:1] else at_risk
            if counts and settled.wager not in base[1:]:
                line.bets += sign
                self._price(line, place, house, _Bet(sign, event.seat, settled.staked, bets))

    def _price(self, line: _Line, place: Place, house: HouseRules | None, bet: _Bet) -> None:
        if house is None:
            line.lacks("its house rules are not in this store", bet.sign)
            return
        if line.wager == "progressive":
            line.long_run = True
            self._progressive.append((place, bet.seat, line, bet.sign * bet.staked, house))
            return
        exact = _exact(house, line.wager, bet.staked, bet.beside, self._hands.get(place, 1))
        if isinstance(exact, str):
            line.lacks(exact, bet.sign)
            return
        variance = exact.variance * bet.staked**2
        line.theo += bet.sign * exact.edge * bet.staked
        line.variance += bet.sign * variance
        line.spreads[place] = line.spreads.get(place, 0.0) + bet.sign * sqrt(variance)

    def closed(self) -> PeriodTheo:
        for place, seat, line, staked, house in self._progressive:
            priced = _long_run(house)
            if isinstance(priced, str):
                line.lacks(priced, 1 if staked > 0 else -1)
                continue
            patrons = self._metered[place]
            others = len({patron for patron in patrons.values() if patron != patrons.get(seat)})
            line.theo += staked * (priced.edge - priced.envy * others)
        lines = [line for line in self._lines.values() if line.bets or line.handle or line.win]
        lines.sort(key=lambda line: (line.book, line.wager != BASE, line.wager))
        return PeriodTheo(wagers=tuple(line.closed() for line in lines), coupons=self._coupons, apart=_apart(lines))


def _apart(lines: Iterable[_Line]) -> Apart:
    compared = [line for line in lines if line.compares]
    rounds: defaultdict[Place, float] = defaultdict(float)
    for line in compared:
        for place, spread in line.spreads.items():
            rounds[place] += spread
    return Apart(
        sum((line.win - line.theo for line in compared), Fraction(0)),
        sqrt(sum((line.variance for line in compared), Fraction(0))),
        sqrt(sum(spread**2 for spread in rounds.values())),
    )


def _envy(paid: Iterable[tuple[int, Iterable[EnvyPaid]]]) -> int:
    return sum(bonus.won for _, bonuses in paid for bonus in bonuses)


class _Bet(NamedTuple):
    sign: int
    seat: int
    staked: int
    beside: tuple[tuple[WagerName, Cents], ...]
    """The side bets settled with it: the payout limit may cover several together."""


class _LongRun(NamedTuple):
    edge: Fraction
    envy: Fraction
    """What envy adds for every other player in the progressive."""


@lru_cache(64)
def _base_wagers(house: HouseRules) -> tuple[WagerName, ...]:
    """The bets of the main game, the first one first."""
    return tuple(wager.name for wager in house.wagers if wager.paytables[0].group == BASE)


@lru_cache(64)
def _plan(house: HouseRules, hands: int) -> Plan:
    """Best play by this many hands at the house's minimum; what is bet beside it is asked for with each price."""
    first = next(wager for wager in house.wagers if wager.paytables[0].group == BASE and wager.stakes is not None)
    bet = first.stakes.minimum if first.stakes is not None else Cents(0)
    main = tuple((wager, bet) for wager in (first.name, *_equal_bets(house, first.name)))
    return Plan(house=house, seats=tuple(Seat(number, main) for number in range(1, hands + 1)))


def _equal_bets(house: HouseRules, first: str) -> Iterator[WagerName]:
    """The other bets that are made before the deal."""
    for wager in house.wagers:
        if wager.paytables[0].group == BASE and wager.stakes is not None and wager.name != first:
            yield wager.name


@lru_cache(4096)
def _exact(
    house: HouseRules, wager: str, staked: int, beside: tuple[tuple[WagerName, Cents], ...], hands: int
) -> Exact | str:
    """The exact results of a bet of this size; in words why there are none."""
    if reasons := [why for why in unpriced(house) if why.startswith(f"{wager}:")]:
        return reasons[0].partition(": ")[2]
    plan = _plan(house, hands if wager == "cover_all" else 1)
    first = _base_wagers(house)[0]
    main = staked if wager == BASE else plan.seats[0].stakes[0][1]
    edges = exact_edges(plan, {first: Cents(main), **dict(beside)})
    if wager in edges:
        return edges[wager]
    return WIDENED if limit_cost(house, {BASE: Cents(main)}) is None else SHARED


@lru_cache(64)
def _long_run(house: HouseRules) -> _LongRun | str:
    """What the house keeps of a stake on the progressive in the long run; in words why that is not known."""
    try:
        edge = long_run_of(house).edge
    except Malformed as error:
        return str(error)
    case = next(case for case in cases_of_house(house) if case.wager == "progressive")
    return _LongRun(edge, cached_prices(case)[0].envy or Fraction(0))
