"""A table as it really fills, played round by round: occupancy by hour, visits, and players with different side bets.

For each number of players the kernels deal a table on which everybody bets everything. What a round comes to does not
depend on the side bets, so each hand is then settled for the bets that its player really makes. Players at one table
share its board, its deck and its meters, so whatever makes their results move together is in the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from itertools import product
from math import lcm, sqrt
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import PlayerMix
from croupier.errors import Malformed
from croupier.money import Cents, print_dollars
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName
from croupier.simulation.figures import risked
from croupier.simulation.history import MOST_KEPT, check_sums, largest_of, play_parts
from croupier.simulation.hold import DAYS, Hold, ratio_error, ratio_of
from croupier.simulation.kernels.compiled_plan import CompiledPlan, decided, settle_end
from croupier.simulation.kernels.prizes import ENVY, SHARE
from croupier.simulation.meters.run import run_varied
from croupier.simulation.parallel import Done
from croupier.simulation.plan import Plan, Seat, box_stakes
from croupier.simulation.run import Prize, Tally, prepared

__all__ = ["MixedRounds", "MixedTable"]

Array: TypeAlias = NDArray[Any]
Stakes: TypeAlias = tuple[tuple[WagerName, Cents], ...]


class Clock(NamedTuple):
    """When each round is played."""

    counts: Array
    """`[day, piece]`: rounds."""
    players: Array
    """`[round]`"""
    day: Array
    """`[round]`"""
    piece: Array
    """`[round]`"""
    passed: Array
    """`[round]`: the part of its piece that has passed."""


class SeatRounds(NamedTuple):
    """The rounds in which a box is taken."""

    rounds: Array
    """Their numbers at the table."""
    begins: Array
    """`[visit]`: the place among `rounds` of its first one."""
    kinds: Array
    """`[visit]`: which side bets its player makes."""

    @property
    def kind(self) -> Array:
        """`[place among rounds]`: which side bets are made."""
        return np.repeat(self.kinds, np.diff([*self.begins, len(self.rounds)]))


class MixedRounds(NamedTuple):
    """Every round, as it was played."""

    clock: Clock
    seats: Sequence[SeatRounds]
    kinds: Array
    """`[seat, round]`: which side bets are made there; -1 where nobody sits."""
    handle: Array
    """`[seat, round]`: cents at risk."""
    brought: Array
    """`[seat, round]`: cents that the player won or lost, with awards and envy."""


class LevelRounds(NamedTuple):
    """The rounds with the same number of players, with every bet made."""

    layout: CompiledPlan
    codes: Array
    """`[seat, round]`: what each round comes to."""
    at: Array
    """Their numbers at the table."""
    start: int
    """The number of the first in the random streams."""


class MixedTable:
    """A mix of players at the table of a house, for so many months."""

    def __init__(
        self,
        house: HouseRules,
        mix: PlayerMix,
        pace: Callable[[int], int],
        *,
        months: int,
        shifts: int = 3,
        strategy: str = "optimal",
        mistakes: int = 0,
        seed: int = 0,
    ) -> None:
        self.house, self.mix, self.pace, self.seed = house, mix, pace, seed
        self.days, self.shifts = months * DAYS, shifts
        self.pieces = mix.day(shifts)
        made = {name: amount for name, amount in mix.bets.items() if mix.shares.get(name, 1)}
        self.uncertain = [name for name in made if mix.shares.get(name, 1) < 1]
        self.kinds: list[Stakes] = []
        """The stakes of each kind of player; the first makes every bet."""
        for yes in product((True, False), repeat=len(self.uncertain)):
            left_out = {name for name, bets in zip(self.uncertain, yes, strict=True) if not bets}
            bets = {name: amount for name, amount in made.items() if name not in left_out}
            self.kinds.append(tuple(box_stakes(house, bets).items()))
        self.seats = max(mix.levels)
        self.plans = {
            players: Plan(
                house=house,
                seats=tuple(Seat(number, self.kinds[0]) for number in range(1, players + 1)),
                strategy=strategy,
                mistakes=mistakes,
                seed=seed,
            )
            for players in mix.levels
        }
        rounds = {players: int(self.days * hours * pace(players)) for players, hours in mix.levels.items()}
        if rare := [players for players in rounds if not rounds[players]]:
            raise Malformed(f"less than one round with {rare[0]} players in {months} months: simulate more months")
        self.rounds = sum(rounds.values())
        if self.rounds * self.seats > MOST_KEPT:
            raise Malformed(
                f"{self.rounds:,} rounds with up to {self.seats} players: at most {MOST_KEPT:,} rounds of a player can"
                " be stored; simulate fewer months"
            )
        if mix.buy_in is not None and mix.buy_in < (need := max(map(self._need, range(len(self.kinds))))):
            asked, given = print_dollars(Cents(need)), print_dollars(mix.buy_in)
            raise Malformed(f"a buy-in of {given} does not cover a round, which can take {asked}")

    def play(self, *, workers: int = 1, done: Done | None = None) -> tuple[Hold, ...]:
        """Play the months and give the hold of every shift, day and month."""
        return self.holds_of(self.play_rounds(workers=workers, done=done))

    def play_rounds(self, *, workers: int = 1, done: Done | None = None) -> MixedRounds:
        """Play the months, round by round."""
        clock = self._clock()
        seats = [self._seat_rounds(clock, seat) for seat in range(self.seats)]
        kinds = np.full((self.seats, self.rounds), -1, dtype=np.int16)
        for seat, taken in enumerate(seats):
            kinds[seat, taken.rounds] = taken.kind
        played = MixedRounds(clock, seats, kinds, *np.zeros((2, self.seats, self.rounds), dtype=np.int64))
        prizes, start = list[Prize](), 0
        for players in self.plans:
            at = np.flatnonzero(clock.players == players)
            level = LevelRounds(self._layout(players), np.zeros((players, len(at)), dtype=np.int32), at, start)
            with closing(play_parts(self.plans[players], level.codes, start=start, workers=workers)) as parts:
                for some, won in parts:
                    prizes += self._paid(level, kinds, won)
                    if done is not None:
                        done(some)
            start += len(at)
            self._settle(level, played)
        self._pay(prizes, played)
        check_sums((played.handle, played.brought), played.handle.size)
        return played

    # --- time

    def _clock(self) -> Clock:
        """The pieces of every day, each with the whole rounds that end in it."""
        counts = np.zeros((self.days, len(self.pieces)), dtype=np.int64)
        for players in self.mix.levels:
            places = [place for place, piece in enumerate(self.pieces) if piece.players == players]
            dealt = [self.pieces[place].hours * self.pace(players) for place in places]
            unit = lcm(*(rounds.denominator for rounds in dealt))
            ends = np.cumsum([int(rounds * unit) for rounds in dealt])
            total = (np.arange(self.days)[:, None] * ends[-1] + ends) // unit
            counts[:, places] = np.diff(total.ravel(), prepend=0).reshape(total.shape)
        flat, pieces = counts.ravel(), len(self.pieces)
        cell = np.repeat(np.arange(len(flat)), flat)
        place = np.arange(len(cell)) - np.repeat(np.cumsum(flat) - flat, flat)
        by_piece = np.array([piece.players for piece in self.pieces])
        return Clock(counts, by_piece[cell % pieces], cell // pieces, cell % pieces, place / flat[cell])

    def _seat_rounds(self, clock: Clock, seat: int) -> SeatRounds:
        """Who sits in a box: the first boxes fill first, and a player stays for a visit, within the day."""
        visit = self.mix.visit_hours or Fraction(self.mix.open_hours, self.shifts)
        before = [
            float(sum(piece.hours for piece in self.pieces[:place] if piece.players > seat) / visit)
            for place in range(len(self.pieces))
        ]
        long = np.array([float(piece.hours / visit) for piece in self.pieces])
        rounds = np.flatnonzero(clock.players > seat)
        piece = clock.piece[rounds]
        number = np.floor(np.array(before)[piece] + long[piece] * clock.passed[rounds] + 1e-9).astype(np.int64)
        most = int(number.max()) + 1
        visits, begins = np.unique(clock.day[rounds] * most + number, return_index=True)
        generator = np.random.Generator(np.random.Philox(key=[self.seed, seat]))
        shares = [float(self.mix.shares[name]) for name in self.uncertain]
        without = generator.random((self.days * most, len(shares)))[visits] >= np.array(shares)
        return SeatRounds(rounds, begins, without @ (1 << np.arange(len(shares))[::-1]))

    # --- money

    def _layout(self, players: int) -> CompiledPlan:
        return prepared(self.plans[players])[0]

    def _by_kind(self, layout: CompiledPlan) -> CompiledPlan:
        """The same table with one player of each kind instead."""
        return layout._replace(seats=tuple(Seat(number, stakes) for number, stakes in enumerate(self.kinds, 1)))

    def _need(self, kind: int) -> int:
        """The most that a round can take from a player of this kind."""
        return largest_of(self._by_kind(self._layout(self.seats)), kind)

    def _settle(self, level: LevelRounds, played: MixedRounds) -> None:
        """Settle rounds: every outcome once for each kind of player who had it."""
        by_kind, settled = self._by_kind(level.layout), dict[int, tuple[int, int]]()
        for seat, row in enumerate(level.codes):
            kinds = played.kinds[seat, level.at].astype(np.int64)
            ends, places = np.unique(kinds * level.layout.ends + row, return_inverse=True)
            for end in ends.tolist():
                if end not in settled:
                    result = settle_end(by_kind, *divmod(end, level.layout.ends))
                    settled[end] = risked(result), result.net
            results = np.array([settled[end] for end in ends.tolist()])[places]
            played.handle[seat, level.at], played.brought[seat, level.at] = results.T

    def _progressive(self) -> tuple[Array, int]:
        """`[kind]`: whether a player bets on the progressive; and the stake."""
        metered = prepared(self.plans[self.seats])[0].rules.metered
        stakes = [dict(stakes).get(metered.name, Cents(0)) if metered else Cents(0) for stakes in self.kinds]
        return np.array(stakes) > 0, max(stakes)

    def _paid(self, level: LevelRounds, kinds: Array, prizes: Sequence[Prize]) -> Iterator[Prize]:
        """The prizes that are paid with the bets really made, by the numbers of rounds at the table."""
        bets, _ = self._progressive()
        for prize in prizes:
            place = prize.round - level.start
            number = int(level.at[place])
            if not bets[kinds[prize.seat, number]]:
                continue
            if prize.kind == ENVY and not bets[kinds[prize.source, number]]:  # readings 36, 37
                path = level.layout.path_of(int(level.codes[prize.source, place]))
                if self.house.options.envy_holder_must_bet or decided(level.layout, prize.source, path)[3]:
                    continue
            yield prize._replace(round=number)

    def _pay(self, prizes: Sequence[Prize], played: MixedRounds) -> None:
        """Add awards and envy to what players won; the meters take in what is staked round by round."""
        bets, stake = self._progressive()
        bettors = (bets[played.kinds] & (played.kinds >= 0)).sum(axis=0)
        tally = Tally("", 0, self.rounds, (), tuple(sorted(prizes, key=attrgetter("round"))))
        if any(prize.kind == SHARE for prize in prizes):
            staked = [0, *np.cumsum(stake * bettors).tolist()]
            for run in run_varied(self._layout(self.seats), tally, staked).values():
                for award in run.awards:
                    played.brought[award.seat, award.round] += award.paid
        for prize in prizes:
            if prize.kind == ENVY:
                played.brought[prize.seat, prize.round] += prize.amount

    def drops_of(self, played: MixedRounds) -> Array | None:
        """`[shift]`: what is bought in for, at the start of a visit and whenever the rest does not cover a round."""
        buy_in, clock = self.mix.buy_in, played.clock
        if buy_in is None:
            return None
        needs = np.array([self._need(kind) for kind in range(len(self.kinds))])
        shift_of = clock.day * self.shifts + np.array([piece.shift for piece in self.pieces])[clock.piece]
        dropped = np.zeros(self.days * self.shifts, dtype=np.int64)
        for seat, taken in enumerate(played.seats):
            lengths = np.diff([*taken.begins, len(taken.rounds)])
            left, need = np.full(len(lengths), buy_in, dtype=np.int64), needs[taken.kinds]
            np.add.at(dropped, shift_of[taken.rounds[taken.begins]], buy_in)
            for place in range(int(lengths.max()) - 1):  # after the last round nobody buys in again
                here = np.flatnonzero(lengths > place + 1)
                rounds = taken.rounds[taken.begins[here] + place]
                left[here] += played.brought[seat, rounds]
                times = np.maximum(-((left[here] - need[here]) // buy_in), 0)
                left[here] += times * buy_in
                np.add.at(dropped, shift_of[taken.rounds[taken.begins[here] + place + 1]], times * buy_in)
        return dropped

    # --- the report

    def holds_of(self, played: MixedRounds) -> tuple[Hold, ...]:
        """By shift, day and month. The error of hold % is that of shifts where all are alike, else that of days."""
        clock, drop = played.clock, self.drops_of(played)
        by_shift = np.zeros((self.days, self.shifts), dtype=np.int64)
        for place, piece in enumerate(self.pieces):
            by_shift[:, piece.shift] += clock.counts[:, place]
        ends = np.cumsum([0, *by_shift.ravel()])

        def shifts_of(rounds: Array) -> Array:
            return np.diff(np.concatenate([[0], np.cumsum(rounds)])[ends])

        won, handle = -played.brought.sum(axis=0), played.handle.sum(axis=0)
        sums = [shifts_of(won), shifts_of(handle), *([] if drop is None else [drop])]
        kept = float(won.sum() / handle.sum())
        error = self._error(played, 0.0) / self.days
        error_of_handle = self._error(played, kept) / float(handle.sum())
        alike = len(set(self.mix.levels)) == 1 and len(self.pieces) == self.shifts and self.mix.visit_hours is None
        parts = [row.reshape(-1, 1 if alike else self.shifts).sum(axis=1) for row in sums]
        error_of_drop = None if drop is None else ratio_error(parts[0], parts[2])
        holds = []
        for period, length, share in (("shift", 1, 1 / self.shifts), ("day", self.shifts, 1), ("month", 0, DAYS)):
            rows = [row.reshape(-1, length or self.shifts * DAYS).sum(axis=1) for row in sums]
            holds.append(
                Hold(
                    period=period,
                    rounds=round(self.rounds / len(rows[0])),
                    won=rows[0],
                    handle=rows[1],
                    drop=None if drop is None else rows[2],
                    standard_error=error * share,
                    hold_of_handle=ratio_of(rows[0], rows[1], error_of_handle),
                    hold_of_drop=None if drop is None else ratio_of(rows[0], rows[2], error_of_drop),
                )
            )
        return tuple(holds)

    def _error(self, played: MixedRounds, kept: float) -> float:
        """The standard error of what the house won in all, less the share `kept` of the handle.

        Rounds are independent once it is known who makes which bets, so every round counts by how far it strays from
        what its players bring on average; who comes is independent from day to day, so days count by that average.
        """
        clock, kinds = played.clock, len(self.kinds)
        sums, counts = np.zeros((2, (self.seats + 1) * kinds))
        cells = [clock.players[taken.rounds] * kinds + taken.kind for taken in played.seats]
        strays, usual = np.zeros((2, self.rounds))
        for seat, (taken, cell) in enumerate(zip(played.seats, cells, strict=True)):
            won = -played.brought[seat, taken.rounds] - kept * played.handle[seat, taken.rounds]
            strays[taken.rounds] += won
            sums += np.bincount(cell, won, len(sums))
            counts += np.bincount(cell, minlength=len(counts))
        average = sums / np.maximum(counts, 1)
        for taken, cell in zip(played.seats, cells, strict=True):
            usual[taken.rounds] += average[cell]
        strays -= usual
        days = np.bincount(clock.day, usual, self.days)
        return sqrt(float((strays**2).sum()) + self.days * float(days.var(ddof=1)))
