"""Two hits in one round, counted again by hand: the joint chances of players who share a board or a deck."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from croupier.analysis.advice import advise
from croupier.analysis.meter_long_run import long_run_of
from croupier.cards import DECK, Card
from croupier.hands import five_card, longest_straight_flush
from croupier.rulebook import HouseRules, Rulebook, check, load_rulebook, read_submission

Shares = tuple[Fraction, ...]


def house_of(book: str, *, reset: str = "10000.00", **wagers: object) -> HouseRules:
    meter = {"initial": "30000.00", "reset": reset, "rate": "0.10"}
    progressive = {"paytable": "A", "stake": "1.00", "meters": {"main": meter}}
    house = check(read_submission({"rulebook": book, "wagers": {**wagers, "progressive": progressive}})).house
    assert house is not None
    return house


def mean_meter(joint: dict[Shares, Fraction], *, contribution: int, reset: int) -> Fraction:
    """The stationary mean, from what each pattern of shares makes of a meter: `kept` of it, and `added`."""
    kept_on_average, added_on_average = Fraction(0), Fraction(0)
    for shares, chance in joint.items():
        kept, added = Fraction(1), Fraction(0)
        for share in shares:
            kept, added = (Fraction(0), Fraction(reset)) if share == 1 else (kept * (1 - share), added * (1 - share))
        kept_on_average += chance * kept
        added_on_average += chance * added
    players = len(next(iter(joint)))
    return (players * contribution + added_on_average) / (1 - kept_on_average)


def joint_of_two(pairs: Counter[Shares], alone: dict[Fraction, Fraction], deals: int) -> dict[Shares, Fraction]:
    """The chances of every pattern, from the deals in which both win and from what one wins alone."""
    joint = {shares: Fraction(count, deals) for shares, count in pairs.items()}
    for share, chance in alone.items():
        both = [found for shares, found in joint.items() if shares[0] == share and shares[1]]
        single = chance - sum(both, Fraction(0))
        joint[share, Fraction(0)] = joint[Fraction(0), share] = single
    joint[Fraction(0), Fraction(0)] = 1 - sum(joint.values(), Fraction(0))
    return joint


def suited_runs(size: int) -> Iterator[frozenset[int]]:
    """The cards of every straight flush of this many cards, the ace low too."""
    for suit in range(4):
        for low in range(-1, 14 - size):
            yield frozenset(4 * (rank % 13) + suit for rank in range(low, low + size))


def share_of(cards: frozenset[int]) -> Fraction:
    return Fraction(1 if five_card([Card(card) for card in cards]).name == "royal_flush" else Fraction(1, 10))


def is_kept(book: Rulebook, own: frozenset[int], board: tuple[int, ...]) -> bool:
    """Whether the advice, ties betting more, keeps these two cards to the end."""
    bets: list[str] = []
    for known in range(3):
        cards, community = [Card(card) for card in sorted(own)], [Card(card) for card in board[:known]]
        best = advise(book, cards, community=community, bets=bets).best[-1]
        if best == "fold":
            return False
        bets.append(best)
    return True


def test_two_players_of_mississippi_stud_share_a_board() -> None:
    house, book = house_of("md-mississippi-stud"), load_rulebook("md-mississippi-stud")
    hands = list(suited_runs(5))
    pairs: Counter[Shares] = Counter()
    boards = {frozenset(board) for hand in hands for board in combinations(hand, 3)}
    for board in boards:
        owns = {hand - board: share_of(hand) for hand in hands if board < hand}
        for one, two in permutations(owns, 2):
            if not one & two:
                for order in permutations(board):
                    if is_kept(book, one, order) and is_kept(book, two, order):
                        pairs[owns[one], owns[two]] += 1
    (meter,) = long_run_of(house).meters
    small = (meter.drain - meter.whole) * 10
    deals = comb(52, 3) * 6 * comb(49, 2) * comb(47, 2)
    joint = joint_of_two(pairs, {Fraction(1): meter.whole, Fraction(1, 10): small}, deals)
    (both,) = long_run_of(house, players=2).meters
    assert both.mean == mean_meter(joint, contribution=10, reset=1_000_000)
    assert both.mean > meter.mean


def test_two_players_of_let_it_ride_share_a_board() -> None:
    house = house_of("md-let-it-ride", base={"paytable": "A"})
    hands = list(suited_runs(5))
    pairs: Counter[Shares] = Counter()
    for board in {frozenset(board) for hand in hands for board in combinations(hand, 2)}:
        owns = {hand - board: share_of(hand) for hand in hands if board < hand}
        pairs.update((owns[one], owns[two]) for one, two in permutations(owns, 2) if not one & two)
    alone = {Fraction(1): Fraction(4, 2_598_960), Fraction(1, 10): Fraction(36, 2_598_960)}
    joint = joint_of_two(pairs, alone, comb(52, 2) * comb(50, 3) * comb(47, 3))
    (both,) = long_run_of(house, players=2).meters
    assert both.mean == mean_meter(joint, contribution=10, reset=1_000_000)


def test_two_players_of_high_card_flush_share_a_deck() -> None:
    house = house_of("md-high-card-flush", reset="30000.00")
    hands = {run | {card} for run in suited_runs(6) for card in map(int, DECK) if card not in run}
    shares = {}
    for hand in hands:
        length = longest_straight_flush([Card(card) for card in hand]).length
        shares[sum(1 << card for card in hand)] = Fraction(1) if length == 7 else Fraction(1, 10)
    counts = Counter(shares.values())
    masks = {share: np.array([cards for cards in shares if shares[cards] == share], np.uint64) for share in counts}
    pairs: Counter[Shares] = Counter()
    for one, two in product(counts, repeat=2):
        pairs[one, two] = int(((masks[one][:, None] & masks[two]) == 0).sum())
    alone = {share: Fraction(count, comb(52, 7)) for share, count in counts.items()}
    joint = joint_of_two(pairs, alone, comb(52, 7) * comb(45, 7))
    (both,) = long_run_of(house, players=2).meters
    assert both.mean == mean_meter(joint, contribution=10, reset=3_000_000)


def test_the_mean_of_six_players_is_that_of_the_audit() -> None:
    assert float(long_run_of(house_of("md-mississippi-stud"), players=6).meters[0].mean) == pytest.approx(
        4_745_369.72, abs=0.01
    )


@pytest.mark.parametrize("players", [1, 3, 6])
def test_the_return_does_not_depend_on_the_number_of_players(players: int) -> None:
    house = house_of("md-mississippi-stud")
    assert long_run_of(house, players=players).returned == long_run_of(house).returned
