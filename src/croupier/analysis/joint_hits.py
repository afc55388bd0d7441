"""What the hands of one round take from a meter together: players share a board, or at least a deck.

Each player wins a share S of the meter, or nothing. In turn they leave (1 - S)(1 - S')… of it, whose mean is a sum of
means of products S S'…, each over one, two, three … players: what has to be counted is disjoint hands that all win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial, perm, prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.cases import Case, StreetGame, streets_of, wager_of
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.sets import set_number, sets_of
from croupier.analysis.streets.solve import FOLD, StreetSolution
from croupier.cards import DECK, RANKS, SUITS
from croupier.errors import Malformed
from croupier.hands import StraightFlush, batch
from croupier.money import Share, parse_pay
from croupier.rulebook import Judged, line_of
from croupier.rulebook.names import Evaluator

__all__ = ["RoundShares", "round_shares"]

Array: TypeAlias = NDArray[Any]
WHOLE: Final = Fraction(1)


class RoundShares(NamedTuple):
    """The average shares of a meter won in one round."""

    taken: Fraction
    """The share of the meter that is gone after the round."""
    left: Fraction
    """What a reset in this round leaves on the meter after the round, as a share of the reset."""


class Products(NamedTuple):
    """Sums over all sets of k disjoint winning hands, k being the place."""

    shares: list[Fraction]
    """Sums of the product of their shares."""
    wholes: list[Fraction]
    """Of the product of their shares but one, which takes the whole meter; over all hands that it can be."""


class Hit(NamedTuple):
    """A hand that wins a share of the meter: its own cards as bits."""

    cards: int
    share: Fraction


def round_shares(case: Case, meter: str, players: int, *, single: RoundShares) -> RoundShares:
    """What this many players take from a meter in a round, when a single one takes `single`."""
    if players == 1:
        return single
    taken, left = players * single.taken, players * single.left
    sums, deals = _products(case, meter, players)
    for size in range(2, players + 1):
        sign = (-1) ** (size + 1)
        taken += sign * comb(players, size) * factorial(size) * sums.shares[size] / deals(size)
        left += sign * comb(players, size) * factorial(size - 1) * sums.wholes[size] / deals(size)
    return RoundShares(taken, left)


def _products(case: Case, meter: str, players: int) -> tuple[Products, Callable[[int], int]]:
    """The sums, and the number of ways to deal hands to this many players."""
    game, wager = streets_of(case.book), wager_of(case.book, case.wager)
    evaluator, cards = case.table.evaluator or wager.evaluator, case.table.cards or wager.cards
    if evaluator == "straight_flush" and cards == "own":
        return _run_products(case, meter, players), lambda size: _ways(len(DECK), 7, size)
    if game is None or (evaluator, cards) not in {("five_card", "own_and_community"), ("three_card", "own")}:
        raise Malformed(f"{case.wager} {case.table.id}: the long run with several players is not known exactly")
    board = 5 - game.first if cards == "own_and_community" else 0
    play = best_play(game, odds_of(case.main)) if case.forfeits else None
    orders = factorial(board) if play else 1
    total, percents = comb(len(DECK), board) * orders, _percents(case, meter, evaluator)
    sums = Products([Fraction(0)] * (players + 1), [Fraction(0)] * (players + 1))
    for community, size in zip(sets_of(board).cards.tolist(), sets_of(board).sizes.tolist(), strict=True):
        hits = _hits(case, percents, evaluator, community, game.first)
        if not any(_disjoint(hits, players).shares[2:]):
            continue
        for order in permutations(community) if play else [community]:
            played = hits if play is None else [hit for hit in hits if _is_played(play, game, hit.cards, order)]
            more = _disjoint(played, players)
            for place in range(players + 1):
                sums.shares[place] += size * more.shares[place]
                sums.wholes[place] += size * more.wholes[place]
    return sums, lambda size: total * _ways(len(DECK) - board, game.first, size)


def _ways(cards: int, own: int, players: int) -> int:
    """The number of ways to deal this many players their own cards."""
    return prod(comb(cards - own * player, own) for player in range(players))


def _disjoint(hits: Sequence[Hit], players: int) -> Products:
    """The sums over disjoint hits of one board."""
    shares, wholes = [Fraction(0)] * (players + 1), [Fraction(0)] * (players + 1)

    def add(start: int, used: int, size: int, product: Fraction, whole: Fraction) -> None:
        shares[size] += product
        wholes[size] += whole
        if size < players:
            for place in range(start, len(hits)):
                hit = hits[place]
                if not hit.cards & used:
                    marked = whole * hit.share + product * (hit.share == WHOLE)
                    add(place + 1, used | hit.cards, size + 1, product * hit.share, marked)

    add(0, 0, 0, Fraction(1), Fraction(0))
    return Products(shares, wholes)


# --- hands on a board, or of three cards of their own


def _percents(case: Case, meter: str, evaluator: Evaluator) -> Array:
    """`[strength, suit]`: the percent of the meter that a hand wins, the suit being that of its first card."""
    ladder: Sequence[Any] = batch.three_card_ladder(ace_low=case.ace_low)
    if evaluator == "five_card":
        ladder = batch.five_card_ladder()
    shares = [[_share(case, meter, evaluator, Judged(hand, suit)) for suit in SUITS] for hand in ladder]
    return np.array([[int((share or 0) * 100) for share in row] for row in shares])


@cache
def _choices(cards: int, own: int) -> Array:
    return np.array(list(combinations(range(cards), own)), dtype=np.int64)


def _hits(case: Case, percents: Array, evaluator: Evaluator, community: Sequence[int], own: int) -> list[Hit]:
    """The hands that win a share with these community cards."""
    rest = np.array([card for card in DECK if card not in community], dtype=np.uint8)
    owns = rest[_choices(len(rest), own)]
    rows = np.concatenate([owns, np.repeat(np.array([community], dtype=np.uint8), len(owns), axis=0)], axis=1)
    strengths = batch.five_card(rows) if evaluator == "five_card" else batch.three_card(rows, ace_low=case.ace_low)
    won = percents[strengths, owns[:, 0] & 3]
    return [
        Hit(sum(1 << card for card in owns[place].tolist()), Fraction(int(won[place]), 100))
        for place in np.flatnonzero(won).tolist()
    ]


def _share(case: Case, meter: str, evaluator: Evaluator, judged: Judged) -> Fraction | None:
    place = line_of([line.hand for line in case.table.line], judged, evaluator=evaluator)
    pay = None if place is None else parse_pay(case.table.line[place].pays)
    return Fraction(pay.percent, 100) if isinstance(pay, Share) and pay.meter == meter else None


def _is_played(play: StreetSolution, game: StreetGame, own: int, community: Sequence[int]) -> bool:
    """Whether best play of the main game keeps these cards to the end when the board comes in this order."""
    cards, staked = [card for card in range(len(DECK)) if own >> card & 1], 1
    for known in range(game.first, 5):
        act = int(play.acts[known][set_number([*cards, *community[: known - game.first]]), staked])
        if act == FOLD:
            return False
        staked += game.adds[act - 1]
    return True


# --- runs of six and seven among the player's seven cards


class Run(NamedTuple):
    """A run in one suit: its ranks as bits, its share, and the ranks of the same suit that would lengthen it."""

    ranks: int
    share: Fraction
    longer: tuple[int, ...]
    """Empty for seven cards, which have no room for another."""


Term: TypeAlias = tuple[int, int, int, int]
"""Hands, those with a seventh card to choose, cards used, and seventh cards that are chosen wrongly."""
Terms: TypeAlias = dict[Term, tuple[Fraction, Fraction]]


def _run_products(case: Case, meter: str, players: int) -> Products:
    """Disjoint hands with a run of six or seven: suit by suit, then the seventh cards by inclusion and exclusion."""
    suit = _suit_terms(_runs(case, meter))
    terms: Terms = {(0, 0, 0, 0): (Fraction(1), Fraction(0))}
    for _ in SUITS:
        terms = _multiplied(terms, suit)
    shares, wholes = [Fraction(0)] * (players + 1), [Fraction(0)] * (players + 1)
    for (hands, open_hands, used, wrong), (share, whole) in terms.items():
        if hands <= players:
            ways = (-1) ** wrong * perm(len(DECK) - used - wrong, open_hands - wrong)
            shares[hands] += ways * share
            wholes[hands] += ways * whole
    return Products(shares, wholes)


def _runs(case: Case, meter: str) -> list[Run]:
    if any(_share(case, meter, "straight_flush", Judged(StraightFlush(length, 14))) for length in range(1, 6)):
        raise Malformed(f"{case.wager} {case.table.id}: the long run with several players is not known exactly")
    lowest = 1 if case.ace_low else 2
    runs = []
    for length in (6, 7):
        for low in range(lowest, 14 - length + 2):
            top = low + length - 1
            share = _share(case, meter, "straight_flush", Judged(StraightFlush(length, top)))
            longer = tuple(_bit(rank) for rank in (low - 1, top + 1) if lowest <= rank <= 14) if length == 6 else ()
            if share:
                runs.append(Run(sum(_bit(rank) for rank in range(low, top + 1)), share, longer))
    return runs


def _bit(rank: int) -> int:
    """A rank as a bit; the ace, the highest, is also the rank below the deuce."""
    return 1 << (rank - 2) % len(RANKS)


def _suit_terms(runs: Sequence[Run]) -> Terms:
    """What one suit can hold: no run, one, or two that share no card."""
    pairs = [pair for pair in combinations(runs, 2) if not pair[0].ranks & pair[1].ranks]
    terms: Terms = {}
    for held in ((), *((run,) for run in runs), *pairs):
        used = sum(run.ranks for run in held)
        free = [[rank for rank in run.longer if not rank & used] for run in held]
        share = prod((run.share for run in held), start=Fraction(1))
        whole = sum(
            (
                prod((run.share for run in held if run is not first), start=Fraction(first.share == WHOLE))
                for first in held
            ),
            Fraction(0),
        )
        for wrong in range(len(held) + 1):
            ways = sum(1 for chosen in combinations(free, wrong) for _ in _distinct(chosen))
            if not ways:
                continue
            key = (len(held), sum(bool(run.longer) for run in held), used.bit_count(), wrong)
            before = terms.get(key, (Fraction(0), Fraction(0)))
            terms[key] = (before[0] + ways * share, before[1] + ways * whole)
    return terms


def _distinct(chosen: Sequence[Sequence[int]], used: frozenset[int] = frozenset()) -> Iterator[None]:
    """Yield once for each way to pick a different rank from each list."""
    if not chosen:
        yield
        return
    for rank in chosen[0]:
        if rank not in used:
            yield from _distinct(chosen[1:], used | {rank})


def _multiplied(terms: Terms, others: Terms) -> Terms:
    product: Terms = {}
    for key, (share, whole) in terms.items():
        for more, (other_share, other_whole) in others.items():
            place = (key[0] + more[0], key[1] + more[1], key[2] + more[2], key[3] + more[3])
            before = product.get(place, (Fraction(0), Fraction(0)))
            marked = share * other_whole + whole * other_share
            product[place] = (before[0] + share * other_share, before[1] + marked)
    return product
