"""A second opinion: each evaluator again, written as a beginner would, sharing no code with the product.

Cards are strings such as `Ah`. Results are tuples that compare as the hands do.
"""

from itertools import combinations

ORDER = "23456789TJQKA"
RUNS_OF_FIVE = ["A2345"] + [ORDER[i : i + 5] for i in range(9)]
FIVE = (
    "nothing pair two_pair three_of_a_kind straight flush full_house four_of_a_kind straight_flush royal_flush".split()
)
THREE = "nothing pair flush straight three_of_a_kind straight_flush mini_royal".split()
SIX = [*FIVE, "super_royal"]


def five(cards: list[str]) -> tuple[int, list[int]]:
    ranks = sorted((card[0] for card in cards), key=ORDER.index)
    flush = len({card[1] for card in cards}) == 1
    times = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    runs = [run for run in RUNS_OF_FIVE if set(run) == set(ranks)]
    deciding = [ORDER.index(rank) + 2 for rank in sorted(set(ranks), key=lambda r: (-ranks.count(r), -ORDER.index(r)))]
    if runs:
        deciding = [ORDER.index(runs[0][-1]) + 2]
    name = {
        (4, 1): "four_of_a_kind",
        (3, 2): "full_house",
        (3, 1, 1): "three_of_a_kind",
        (2, 2, 1): "two_pair",
        (2, 1, 1, 1): "pair",
        (1, 1, 1, 1, 1): "nothing",
    }[tuple(times)]
    if runs:
        name = "straight"
    if flush:
        name = "flush"
    if flush and runs:
        name = "royal_flush" if runs[0] == "TJQKA" else "straight_flush"
    return FIVE.index(name), deciding


def three(cards: list[str], *, ace_low: bool) -> tuple[int, list[int]]:
    ranks = sorted((card[0] for card in cards), key=ORDER.index)
    flush = cards[0][1] == cards[1][1] == cards[2][1]
    line = "".join(ranks)
    straight = line in ORDER or (ace_low and line == "23A")
    numbers = [ORDER.index(rank) + 2 for rank in ranks]
    if straight:
        top = [3] if line == "23A" else [numbers[2]]
        if flush:
            return THREE.index("mini_royal" if line == "QKA" else "straight_flush"), top
        return THREE.index("straight"), top
    if ranks[0] == ranks[2]:
        return THREE.index("three_of_a_kind"), [numbers[0]]
    if flush:
        return THREE.index("flush"), numbers[::-1]
    if ranks[1] in (ranks[0], ranks[2]):
        other = numbers[2] if ranks[0] == ranks[1] else numbers[0]
        return THREE.index("pair"), [numbers[1], other]
    return THREE.index("nothing"), numbers[::-1]


def six(cards: list[str]) -> tuple[int, list[int]]:
    if any(sorted(cards) == sorted(rank + suit for rank in "9TJQKA") for suit in "cdhs"):
        return SIX.index("super_royal"), [14]
    return max(five(list(choice)) for choice in combinations(cards, 5))


def flush_of_seven(cards: list[str]) -> tuple[int, list[int]]:
    found = []
    for suit in "cdhs":
        ranks = sorted((ORDER.index(card[0]) + 2 for card in cards if card[1] == suit), reverse=True)
        found.append((len(ranks), ranks))
    return max(found)


def straight_flush_of_seven(cards: list[str], *, ace_low: bool) -> tuple[int, int]:
    """Length and top rank of the longest run; a run of one is the highest card."""
    longest = (1, max(ORDER.index(card[0]) + 2 for card in cards))
    line = "A" + ORDER if ace_low else ORDER
    for suit in "cdhs":
        for length in range(2, 8):
            for start in range(len(line) - length + 1):
                run = line[start : start + length]
                if all(rank + suit in cards for rank in run):
                    longest = max(longest, (length, ORDER.index(run[-1]) + 2))
    return longest


def four_alike(cards: list[str]) -> bool:
    return any(all(rank + suit in cards for suit in "cdhs") for rank in ORDER)


def dealer_plays(cards: list[str]) -> bool:
    length, ranks = flush_of_seven(cards)
    return length > 3 or (length == 3 and ranks[0] >= 9)
