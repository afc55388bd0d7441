"""The highest hand at a table of Mississippi Stud, counted exactly for every number of players.

Each player's two cards make five with the three community cards. How often nobody has, say, a flush or
better comes by inclusion and exclusion from the ways to pick disjoint pairs of cards that would make one.

>>> from croupier.cards import parse_cards
>>> for hand, count in highest_on(parse_cards("Th Jh Qh"), players=2).items():
...     print(f"{hand.name.lower():<16} {count:>7,}")
nothing          178,473
pair             327,810
two_pair          26,406
three_of_a_kind    8,892
straight          46,032
flush             44,773
full_house             0
four_of_a_kind         0
straight_flush     2,161
royal_flush        1,081
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial, perm, prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, SUITS, Card, check_cards
from croupier.errors import Malformed
from croupier.hands import FiveCard, batch

__all__ = ["MOST_PLAYERS", "Groups", "Ways", "board_classes", "highest_of", "highest_on", "matchings"]

MOST_PLAYERS: Final = 6
_BOARD: Final = 3
_LEFT: Final = len(DECK) - _BOARD
_ITSELF: Final = 255  # stands where the table of pairs would pair a card with itself

Ways: TypeAlias = tuple[int, ...]
"""The number of ways to pick 0, 1, … 6 disjoint pairs of cards."""


class Groups(NamedTuple):
    """A graph on cards: a group is cards that make the same with every other card."""

    sizes: tuple[int, ...]
    kinds: tuple[tuple[int, ...], ...]
    """What two cards make, by the groups that they are of; 0 is nothing."""

    def without(self, group: int) -> Groups:
        """What is left when one card of this group is gone."""
        return Groups((*self.sizes[:group], self.sizes[group] - 1, *self.sizes[group + 1 :]), self.kinds)

    def only(self, groups: Sequence[int]) -> Groups:
        """Only these groups, in this order."""
        kinds = tuple(tuple(self.kinds[group][other] for other in groups) for group in groups)
        return Groups(tuple(self.sizes[group] for group in groups), kinds)

    def at_least(self, kind: int) -> Groups:
        """The graph with every hand weaker than this kind set to 0 and the rest to 1."""
        return Groups(self.sizes, tuple(tuple(int(made >= kind) for made in row) for row in self.kinds))

    def neighbours(self, group: int) -> int:
        """How many cards make something with a card of this group."""
        near = sum(size for size, made in zip(self.sizes, self.kinds[group], strict=True) if made)
        return near - bool(self.kinds[group][group])


def highest_of(players: int) -> dict[FiveCard, int]:
    """Every board with every set of the players' hands, by the highest hand at the table.

    The players have no order: the counts add up to C(52, 3) · C(49, 2) · C(47, 2) · … / players!.

    >>> highest_of(7)
    Traceback (most recent call last):
    croupier.errors.Malformed: 7 players: the highest hand is counted for 1 to 6
    """
    _check(players)
    return _highest(_ways_on_all_boards(), players)


def highest_on(board: Iterable[Card], players: int) -> dict[FiveCard, int]:
    """The counts of `highest_of` on one board of three cards."""
    _check(players)
    return _highest(_ways_by_kind(_groups(check_cards(board, count=_BOARD))), players)


def board_classes() -> dict[tuple[Card, ...], int]:
    """One board from each of the 1,755 classes that differ by more than suit names, with the size of the class."""
    boards = np.array(list(combinations(range(len(DECK)), _BOARD)))
    places = len(DECK) ** np.arange(_BOARD)
    lowest = boards @ places
    for suits in permutations(range(len(SUITS))):
        renamed = np.sort(boards // 4 * 4 + np.array(suits)[boards % 4])
        lowest = np.minimum(lowest, renamed @ places)
    _, first, sizes = np.unique(lowest, return_index=True, return_counts=True)
    return {tuple(map(Card, boards[i])): size for i, size in zip(first.tolist(), sizes.tolist(), strict=True)}


def matchings(groups: Groups) -> Ways:
    """The number of ways to pick 0, 1, … 6 disjoint pairs of cards that each make something.

    >>> square = Groups(sizes=(2, 2), kinds=((0, 1), (1, 0)))
    >>> matchings(square)
    (1, 4, 2, 0, 0, 0, 0)
    """
    ways = [1] + [0] * MOST_PLAYERS
    for part in _parts(groups):
        more = _connected(_in_order(part))
        ways = [sum(ways[i] * more[k - i] for i in range(k + 1)) for k in range(MOST_PLAYERS + 1)]
    return tuple(ways)


@cache
def _connected(groups: Groups) -> Ways:
    """Take a card of the busiest group: it is in no pair, or it is in one with one of its neighbours."""
    hub = max(range(len(groups.sizes)), key=groups.neighbours)
    rest, neighbours = groups.without(hub), groups.neighbours(hub)
    ways = matchings(rest)
    if neighbours == sum(rest.sizes):  # it goes with any card that k pairs of the rest leave over
        return (1, *(ways[k + 1] + (neighbours - 2 * k) * ways[k] for k in range(MOST_PLAYERS)))
    for other, size in enumerate(rest.sizes):
        if size and groups.kinds[hub][other]:
            fewer = matchings(rest.without(other))
            ways = (1, *(ways[k + 1] + size * fewer[k] for k in range(MOST_PLAYERS)))
    return ways


def _parts(groups: Groups) -> Iterator[Groups]:
    """The connected components, without single cards and groups that make nothing."""
    left = {group for group, size in enumerate(groups.sizes) if size}
    while left:
        part: list[int] = []
        reached = [left.pop()]
        while reached:
            part.append(reached.pop())
            near = {group for group in left if groups.kinds[part[-1]][group]}
            left -= near
            reached += near
        if len(part) > 1 or groups.neighbours(part[0]):
            yield groups.only(part)


@cache
def _in_order(groups: Groups) -> Groups:
    """The groups ordered by what surrounds them, not by rank or suit, so that graphs of one shape become equal."""
    every = range(len(groups.sizes))
    marks = _numbered([(groups.sizes[i], groups.kinds[i][i]) for i in every])
    for _ in range(2):  # should two looks around not tell groups apart, a shape is counted twice: slower, not wrong
        near = (tuple(sorted((groups.kinds[i][j], marks[j]) for j in every if j != i)) for i in every)
        marks = _numbered(list(zip(marks, near, strict=True)))
    return groups.only(sorted(every, key=marks.__getitem__))


def _numbered(keys: Sequence[tuple[Any, ...]]) -> list[int]:
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def _groups(board: tuple[Card, ...]) -> Groups:
    """The cards that a board leaves, by what any two of them make with it."""
    kinds = _kinds(board)
    alike = np.count_nonzero(kinds[:, None] != kinds, axis=2) <= 2  # their rows differ only where one is itself
    first = np.flatnonzero(alike.argmax(axis=1) == np.arange(_LEFT))
    last = _LEFT - 1 - alike[first, ::-1].argmax(axis=1)
    table = kinds[np.ix_(first, last)]  # the first against the last, so that a group also meets itself
    return _in_order(Groups(tuple(alike[first].sum(axis=1).tolist()), tuple(map(tuple, table.tolist()))))


def _kinds(board: tuple[Card, ...]) -> NDArray[np.uint8]:
    """The category that each two of the 49 other cards make with the board."""
    left = np.array([card for card in DECK if card not in board], dtype=np.uint8)
    first, second = np.triu_indices(_LEFT, 1)
    fixed = np.broadcast_to(np.array(board, dtype=np.uint8), (len(first), _BOARD))
    made = _categories()[batch.five_card(np.column_stack((fixed, left[first], left[second])))]
    kinds = np.full((_LEFT, _LEFT), _ITSELF, dtype=np.uint8)
    kinds[first, second] = kinds[second, first] = made
    return kinds


@cache
def _categories() -> NDArray[np.uint8]:
    return np.array([hand.category for hand in batch.five_card_ladder()], dtype=np.uint8)


def _ways_by_kind(groups: Groups) -> tuple[Ways, ...]:
    """For each category, the ways to pick pairs that make something better."""
    return tuple(matchings(groups.at_least(kind + 1)) for kind in FiveCard)


@cache
def _ways_on_all_boards() -> tuple[Ways, ...]:
    shapes: Counter[Groups] = Counter()  # only 15, for the names of the ranks do not matter
    for board, size in board_classes().items():
        shapes[_groups(board)] += size
    tables = [(size, _ways_by_kind(groups)) for groups, size in shapes.items()]
    counts = range(MOST_PLAYERS + 1)
    return tuple(tuple(sum(size * table[kind][k] for size, table in tables) for k in counts) for kind in FiveCard)


def _highest(ways: tuple[Ways, ...], players: int) -> dict[FiveCard, int]:
    at_most = [_avoiding(better, players) for better in ways]
    weaker = [0, *at_most[:-1]]
    return {kind: at_most[kind] - weaker[kind] for kind in FiveCard}


def _avoiding(ways: Ways, players: int) -> int:
    """How many sets of the players' hands hold none of the pairs that these are the ways to pick."""
    dealt = 0
    for k in range(players + 1):  # k of the players hold such pairs, the others hold anything
        others = prod(comb(_LEFT - 2 * seat, 2) for seat in range(k, players))
        dealt += (-1) ** k * perm(players, k) * ways[k] * others
    return dealt // factorial(players)


def _check(players: int) -> None:
    if not 1 <= players <= MOST_PLAYERS:
        raise Malformed(f"{players} players: the highest hand is counted for 1 to {MOST_PLAYERS}")
