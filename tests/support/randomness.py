"""Is a heap of decks random? Seven tests, fixed beforehand, judged together.

Each test has an exact or well-known distribution for decks in independent, uniform order. Decks come in
batches, so that ten million need no memory to speak of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from croupier.hands import batch

Decks = NDArray[np.uint8]
Shuffler = Callable[[bytes], Sequence[int]]

LEVEL = 0.01
CARDS = 52
KEY_CARDS = 11  # as many as fit into 64 bits
# Five-card hands from nothing to four of a kind, straight flushes with them: 2,598,960 in all.
HANDS = {
    "nothing": 1_302_540,
    "pair": 1_098_240,
    "two_pair": 123_552,
    "three_of_a_kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full_house": 3_744,
    "four_of_a_kind": 624 + 40,
}


def fixed_seed(number: int) -> bytes:
    return sha256(b"shuffle statistics %d" % number).digest()


def batches(shuffler: Shuffler, number: int, size: int = 50_000) -> Iterable[Decks]:
    """So many decks of a shuffler, from fixed seeds."""
    for start in range(0, number, size):
        seeds = map(fixed_seed, range(start, min(start + size, number)))
        cards = b"".join(bytes(shuffler(seed)) for seed in seeds)
        yield np.frombuffer(cards, dtype=np.uint8).reshape(-1, CARDS)


class Tally:
    """What the seven tests count."""

    def __init__(self) -> None:
        self.decks = 0
        self.positions = np.zeros((CARDS, CARDS), dtype=np.int64)
        self.pairs = np.zeros(CARDS * CARDS, dtype=np.int64)
        self.ascents = np.zeros(CARDS, dtype=np.int64)
        self.strengths = np.zeros(len(batch.five_card_ladder()), dtype=np.int64)
        self.within = np.zeros(3)
        self.between = np.zeros(3)
        self.keys: list[NDArray[np.uint64]] = []
        self.last: Decks | None = None

    def add(self, decks: Decks) -> None:
        for place in range(CARDS):
            self.positions[place] += np.bincount(decks[:, place], minlength=CARDS)
        self.add_pairs(decks)
        rises = (decks[:, 1:] > decks[:, :-1]).sum(axis=1)
        self.ascents += np.bincount(rises, minlength=CARDS)
        strengths = batch.five_card(np.ascontiguousarray(decks[:, :5]))
        self.strengths += np.bincount(strengths, minlength=len(self.strengths))
        self.add_products(decks)
        key = np.zeros(len(decks), dtype=np.uint64)
        for place in range(KEY_CARDS):
            key = key * np.uint64(CARDS) + decks[:, place]
        self.keys.append(key)
        self.decks += len(decks)

    def add_pairs(self, decks: Decks) -> None:
        """One pair of neighbours from each deck, at a place that moves on: so all counted pairs are independent."""
        rows = np.arange(len(decks))
        place = (rows + self.decks) % (CARDS - 1)
        pair = decks[rows, place].astype(np.int64) * CARDS + decks[rows, place + 1]
        self.pairs += np.bincount(pair, minlength=CARDS * CARDS)

    def add_products(self, decks: Decks) -> None:
        centred = decks - (CARDS - 1) / 2
        self.within += sums((centred[:, 1:] * centred[:, :-1]).sum(axis=1))
        before = centred[:-1] if self.last is None else np.vstack([self.last - (CARDS - 1) / 2, centred[:-1]])
        after = centred[1:] if self.last is None else centred
        self.between += sums((before * after).sum(axis=1))
        self.last = decks[-1:]

    def p_values(self) -> dict[str, float]:
        return {
            "position": self.p_position(),
            "pairs": self.p_pairs(),
            "runs": self.p_runs(),
            "serial correlation": self.p_within(),
            "deck to deck": self.p_between(),
            "hands": self.p_hands(),
            "repeats": self.p_repeats(),
        }

    def p_position(self) -> float:
        """Rows and columns have fixed sums in every single deck; hence 51 for 52, and 51 times 51."""
        spread = float(((self.positions - self.decks / CARDS) ** 2).sum())
        return chi_square_tail(spread * (CARDS - 1) / self.decks, (CARDS - 1) ** 2)

    def p_pairs(self) -> float:
        different = self.pairs.reshape(CARDS, CARDS)[~np.eye(CARDS, dtype=bool)]
        return fit(different, np.full(len(different), self.decks / len(different)))

    def p_runs(self) -> float:
        """A deck with so many ascents has 52 less as many runs; Euler counted the orders with each number."""
        shares = [count / math.factorial(CARDS) for count in eulerian(CARDS)]
        return fit(self.ascents, np.array(shares) * self.decks)

    def p_within(self) -> float:
        """Two different cards of a deck have covariance -1/51 of the variance."""
        number, total, squares = self.within.tolist()
        mean = total / number
        expected = -(CARDS**2 - 1) / 12  # 51 pairs of neighbours
        return normal_tails(mean - expected, math.sqrt(max(0, squares / number - mean**2) / number))

    def p_between(self) -> float:
        """Two independent decks: the sum of 52 products has mean 0 and variance (sum of squares) squared / 51."""
        squares = CARDS * (CARDS**2 - 1) / 12
        number, total, _ = self.between.tolist()
        return normal_tails(total / number, squares / math.sqrt((CARDS - 1) * number))

    def p_hands(self) -> float:
        found = dict.fromkeys(HANDS, 0)
        for hand, count in zip(batch.five_card_ladder(), self.strengths.tolist(), strict=True):
            name = hand.category.name.lower()
            found[name if name in found else "four_of_a_kind"] += count
        expected = np.array(list(HANDS.values())) * (self.decks / math.comb(CARDS, 5))
        return fit(np.array(list(found.values())), expected)

    def p_repeats(self) -> float:
        """The chance that any two decks begin with the same eleven cards, if any do."""
        keys = np.concatenate(self.keys)
        repeats = len(keys) - len(np.unique(keys))
        expected = math.comb(len(keys), 2) / math.perm(CARDS, KEY_CARDS)
        return 1.0 if repeats == 0 else -math.expm1(-expected)


def judge(decks: Iterable[Decks]) -> dict[str, float]:
    """The p-value of each test."""
    tally = Tally()
    for some in decks:
        tally.add(some)
    return tally.p_values()


def rejected(p_values: dict[str, float], level: float = LEVEL) -> list[str]:
    """The tests that reject at this level all together, by Holm's correction.

    >>> rejected({"a": 0.004, "b": 0.006, "c": 0.5}, level=0.01)
    []
    >>> rejected({"a": 0.003, "b": 0.004, "c": 0.5}, level=0.01)
    ['a', 'b']
    """
    found = []
    for place, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        if p > level / (len(p_values) - place):
            break
        found.append(name)
    return found


def fit(observed: NDArray[np.int64], expected: NDArray[np.float64]) -> float:
    """Pearson's chi-square test; cells that expect fewer than five are put together."""
    few = expected < 5
    if few.any():
        observed = np.append(observed[~few], observed[few].sum())
        expected = np.append(expected[~few], expected[few].sum())
    # A last cell of next to nothing would make its one odd deck look like proof.
    if expected[-1] < 1:
        observed = np.append(observed[:-2], observed[-2:].sum())
        expected = np.append(expected[:-2], expected[-2:].sum())
    return chi_square_tail(float(((observed - expected) ** 2 / expected).sum()), len(expected) - 1)


def sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many, their sum, the sum of their squares."""
    return np.array([len(values), values.sum(), (values**2).sum()])


def normal_tails(difference: float, spread: float) -> float:
    if spread == 0:
        return 1.0 if difference == 0 else 0.0
    return math.erfc(abs(difference) / spread / math.sqrt(2))


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance of a chi-square of at least this value: the upper regularized incomplete gamma function."""
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    return 1 - _lower_series(a, x) if x < a + 1 else _upper_fraction(a, x)


def _lower_series(a: float, x: float) -> float:
    """Abramowitz and Stegun 6.5.29."""
    term = total = 1 / a
    above = a
    while term > total * 1e-16:
        above += 1
        term *= x / above
        total += term
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))


def _upper_fraction(a: float, x: float) -> float:
    """Abramowitz and Stegun 6.5.31, summed by Lentz's method."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    total = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))


@cache
def eulerian(size: int) -> list[int]:
    """How many orders of so many things have 0, 1, 2, … ascents.

    >>> eulerian(4)
    [1, 11, 11, 1]
    """
    row = [1]
    for n in range(2, size + 1):
        padded = [0, *row, 0]
        row = [(n - k) * padded[k] + (k + 1) * padded[k + 1] for k in range(n)]
    return row
