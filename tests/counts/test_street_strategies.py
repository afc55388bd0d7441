"""Lists to play by: their exact prices, against a beginner's recursion over ranks that shares no code with them."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, TypeAlias

import msgspec
import pytest
from numpy.typing import NDArray

from croupier.analysis.cases import StreetGame, streets_of, tables_of
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.lists import DERIVED, STRATEGIES
from croupier.analysis.streets.rows import Need, Street, at_least, exactly, when
from croupier.analysis.streets.sets import set_number
from croupier.analysis.streets.strategies import (
    PricedStrategy,
    StreetStrategy,
    acts_of,
    decide,
    deciding_row,
    named_strategies,
    present_strategy,
    price_strategy,
)
from croupier.cards import DECK, RANKS, Card, parse_cards, rank_letters
from croupier.errors import CardError, Malformed
from croupier.rulebook import load_rulebook
from support import naive

Acts: TypeAlias = dict[int, NDArray[Any]]
Play: TypeAlias = Callable[[list[int], bool, int], str]
"""What a beginner does: with these ranks from high to low, all of one suit or not, and so many bets staked."""

STUD, RIDE = "md-mississippi-stud", "md-let-it-ride"
LOOSE = ", A-2-4 taken for one gap and a high card"
GAMES = [(STUD, "standard"), ("ma-mississippi-stud", "standard"), (RIDE, "A"), (RIDE, "B"), (RIDE, "C")]
COSTS = {
    (STUD, "standard"): {
        "best list": Fraction(0),
        "short list": Fraction(1583, 1624350),
        "point count": Fraction(0),
        "point count" + LOOSE: Fraction(673, 4873050),
        "beginner's point count": Fraction(15601, 3248700),
        "pairs only": Fraction(429337, 1082900),
        "always 1x": Fraction(3596591, 3248700),
        "always 3x": Fraction(9230981, 3248700),
    },
    (RIDE, "A"): {
        "best list": Fraction(0),
        "short list": Fraction(9, 7735),
        "usual list": Fraction(0),
        "usual list" + LOOSE: Fraction(1, 38675),
        "only what pays": Fraction(14408, 812175),
        "always ride": Fraction(586451, 541450),
        "never ride": Fraction(16132, 47775),
    },
    (RIDE, "B"): {
        "best list": Fraction(0),
        "short list": Fraction(9, 7735),
        "usual list": Fraction(0),
        "usual list" + LOOSE: Fraction(8, 270725),
        "only what pays": Fraction(59953, 3248700),
        "always ride": Fraction(1168773, 1082900),
        "never ride": Fraction(156367, 464100),
    },
    (RIDE, "C"): {
        "best list": Fraction(0),
        "short list": Fraction(6, 15925),
        "usual list": Fraction(319, 2165800),
        "usual list" + LOOSE: Fraction(1307, 6497400),
        "only what pays": Fraction(1739, 108290),
        "always ride": Fraction(134341, 124950),
        "never ride": Fraction(182191, 541450),
    },
}


def game_of(rulebook: str, table: str) -> tuple[StreetGame, tuple[int, ...], dict[str, StreetStrategy]]:
    book = load_rulebook(rulebook)
    game = streets_of(book)
    assert game is not None
    paytable = next(one for one in tables_of(book, "base") if one.id == table)
    return game, odds_of(paytable), {strategy.name: strategy for strategy in named_strategies(book, paytable)}


def priced(rulebook: str, table: str, name: str) -> PricedStrategy:
    game, odds, named = game_of(rulebook, table)
    return price_strategy(named[name], game, odds)


@pytest.mark.parametrize(("rulebook", "table"), GAMES)
def test_the_best_list_is_best_play(rulebook: str, table: str) -> None:
    game, odds, named = game_of(rulebook, table)
    price = price_strategy(named["best list"], game, odds)
    assert price.expectation == best_play(game, odds).mean
    assert price.cost == 0


@pytest.mark.parametrize(("rulebook", "table"), COSTS)
def test_what_each_list_costs(rulebook: str, table: str) -> None:
    game, odds, named = game_of(rulebook, table)
    costs = {name: price_strategy(strategy, game, odds).cost for name, strategy in named.items()}
    assert costs == COSTS[rulebook, table]
    assert all(cost >= 0 for cost in costs.values())


def test_what_is_wagered_and_given_up() -> None:
    assert priced(STUD, "standard", "point count").average_wager == Fraction(74757, 20825)  # 3.59 antes
    assert priced(STUD, "standard", "pairs only").folded == Fraction(16, 17)
    assert priced(STUD, "standard", "always 3x").average_wager == 10
    assert priced(STUD, "standard", "always 3x").folded == 0
    assert priced(RIDE, "A", "usual list").average_wager == Fraction(333556, 270725)  # 1.23 bets
    assert 3 * priced(RIDE, "A", "never ride").expectation == priced(RIDE, "A", "always ride").expectation


def test_best_lists_are_short() -> None:
    lengths = {key: [strategy.rows for strategy in lists] for key, lists in DERIVED.items()}
    assert sorted(lengths.values()) == [[7, 6], [7, 6], [10, 7], [19, 16]]
    assert set(lengths) == {game_of(*game)[1] for game in GAMES}


# --- a beginner's second opinion


def gaps(ranks: list[int], *, ace_low: bool) -> int:
    if ace_low:
        ranks = [1 if rank == 14 else rank for rank in ranks]
    if len(set(ranks)) < len(ranks):
        return 99
    return max(ranks) - min(ranks) + 1 - len(ranks)


def pairs_of(ranks: list[int]) -> list[int]:
    return [rank for rank in set(ranks) if ranks.count(rank) >= 2]


def is_made(ranks: list[int], lowest: int) -> bool:
    paired = pairs_of(ranks)
    return len(paired) == 2 or any(ranks.count(rank) >= 3 or rank >= lowest for rank in paired)


def fills(ranks: list[int]) -> int:
    """How many ranks make four cards a straight."""
    letters = {RANKS[rank - 2] for rank in ranks}
    return sum(1 for run in naive.RUNS_OF_FIVE if len(letters) == 4 and letters < set(run))


def point_count(ranks: list[int], suited: bool, staked: int) -> str:
    high, middle = sum(rank >= 11 for rank in ranks), sum(6 <= rank <= 10 for rank in ranks)
    points, between = 2 * high + middle, gaps(ranks, ace_low=False)
    if len(ranks) == 2:
        return "3x" if pairs_of(ranks) else "1x" if points >= 2 or (suited and ranks == [6, 5]) else "fold"
    if is_made(ranks, 6):
        return "3x"
    if len(ranks) == 4:
        outside = fills(ranks) == 2 and ranks[0] >= 8
        if suited or outside:
            return "3x"
        saved = middle >= 3 and staked >= 5
        return "1x" if fills(ranks) or pairs_of(ranks) or points >= 4 or saved else "fold"
    straight_flush = {0: ranks[-1] >= 5, 1: high >= 1, 2: high >= 2}.get(between, False)
    if suited and (straight_flush or min(ranks) >= 10):
        return "3x"
    straight = {0: ranks[-1] >= 4, 1: middle >= 2}.get(between, False)
    return "1x" if suited or pairs_of(ranks) or points >= 3 or straight else "fold"


def usual_list(ranks: list[int], suited: bool, _staked: int) -> str:
    tens = sum(rank >= 10 for rank in ranks)
    if is_made(ranks, 10):
        return "ride"
    if len(ranks) == 4:
        return "ride" if suited or fills(ranks) == 2 or (fills(ranks) and tens == 4) else "withdraw"
    draw = {0: ranks[-1] >= 3, 1: tens >= 1, 2: tens >= 2}.get(gaps(ranks, ace_low=False), False)
    return "ride" if suited and (draw or tens == 3) else "withdraw"


def usual_list_read_loosely(ranks: list[int], suited: bool, staked: int) -> str:
    loose = suited and len(ranks) == 3 and gaps(ranks, ace_low=True) == 1 and max(ranks) >= 10
    return "ride" if loose else usual_list(ranks, suited, staked)


def by_hand(
    play: Play, *, first: int, adds: dict[str, int], pays: dict[str, int], lowest: int, pushes: int
) -> Fraction:
    """What a beginner's play brings, card by card. Only ranks and whether all are of one suit matter to anything."""

    def next_cards(ranks: tuple[int, ...], suited: bool) -> list[tuple[tuple[int, ...], bool, int]]:
        cards = []
        for rank in range(2, 15):
            left = 4 - ranks.count(rank)
            same = 1 if suited and rank not in ranks else 0
            more = tuple(sorted((*ranks, rank), reverse=True))
            cards += [(more, True, same), (more, False, left - same)]
        return [card for card in cards if card[2]]

    @cache
    def end(ranks: tuple[int, ...], suited: bool) -> int:
        cards = [RANKS[rank - 2] + ("h" if suited else "cdhsc"[place]) for place, rank in enumerate(ranks)]
        strength, deciding = naive.five(cards)
        name = naive.FIVE[strength]
        if name == "pair":
            return 1 if deciding[0] >= lowest else 0 if deciding[0] >= pushes else -1
        return pays.get(name, -1)

    @cache
    def value(ranks: tuple[int, ...], suited: bool, staked: int) -> int:
        """The sum over every order in which the remaining cards can come."""
        if len(ranks) == 5:
            return staked * end(ranks, suited)
        if len(ranks) >= first:
            action = play(list(ranks), suited, staked)
            if action == "fold":
                return -staked * [1, 48, 48 * 49, 48 * 49 * 50][5 - len(ranks)]
            staked += adds[action]
        return sum(ways * value(more, alike, staked) for more, alike, ways in next_cards(ranks, suited))

    deals = 52 * 51 * 50 * 49 * 48
    return Fraction(sum(4 * value((rank,), suited=True, staked=1) for rank in range(2, 15)), deals)


TOP = "two_pair three_of_a_kind straight flush full_house four_of_a_kind straight_flush royal_flush".split()


@pytest.mark.parametrize(
    ("name", "play"), [("usual list", usual_list), ("usual list" + LOOSE, usual_list_read_loosely)]
)
@pytest.mark.parametrize(
    ("table", "pays"), [("A", (2, 3, 5, 8, 11, 50, 200, 1000)), ("C", (2, 3, 6, 9, 15, 30, 50, 100))]
)
def test_let_it_ride_by_hand(name: str, play: Play, table: str, pays: tuple[int, ...]) -> None:
    top = dict(zip(TOP, pays, strict=True))
    brought = by_hand(play, first=3, adds={"withdraw": 0, "ride": 1}, pays=top, lowest=10, pushes=10)
    assert priced(RIDE, table, name).expectation == brought


def test_mississippi_stud_by_hand() -> None:
    top = dict(zip(TOP, (2, 3, 4, 6, 10, 40, 100, 500), strict=True))
    brought = by_hand(point_count, first=2, adds={"1x": 1, "3x": 3}, pays=top, lowest=11, pushes=6)
    assert priced(STUD, "standard", "point count").expectation == brought == Fraction(-53223, 1082900)


@pytest.mark.parametrize(
    ("rulebook", "name", "play"), [(STUD, "point count", point_count), (RIDE, "usual list", usual_list)]
)
def test_one_hand_is_decided_as_all_are_and_as_by_hand(rulebook: str, name: str, play: Play) -> None:
    game, _, named = game_of(rulebook, "standard" if rulebook == STUD else "A")
    acts, names = acts_of(named[name], game), ("fold", *game.names)
    chance = Random(name)
    for _ in range(1500):
        cards = chance.sample(DECK, chance.randint(game.first, 4))
        staked = chance.choice(game.staked(len(cards)))
        action = decide(named[name], cards, staked)
        assert action == names[acts[len(cards)][set_number(tuple(cards)), staked]]
        ranks = sorted((card.rank for card in cards), reverse=True)
        assert action == play(ranks, len({card.suit for card in cards}) == 1, staked), cards


# --- where lists differ


def written(cards: tuple[Card, ...]) -> str:
    suited = "s" if len({card.suit for card in cards}) == 1 else ""
    return rank_letters(sorted((card.rank for card in cards), reverse=True)) + suited


def differing(one: Acts, other: Acts, *, known: int, staked: int) -> set[str]:
    """The hands in which two ways of acting differ."""
    differ = one[known][:, staked] != other[known][:, staked]
    return {written(cards) for cards in combinations(DECK, known) if differ[set_number(cards)]}


@pytest.mark.parametrize(
    ("rulebook", "table", "name", "staked"), [(STUD, "standard", "point count", 2), (RIDE, "A", "usual list", 1)]
)
def test_the_two_readings_differ_in_two_hands(rulebook: str, table: str, name: str, staked: int) -> None:
    game, _, named = game_of(rulebook, table)
    readings = acts_of(named[name], game), acts_of(named[name + LOOSE], game)
    assert differing(*readings, known=3, staked=staked) == {"A42s", "A43s"}


def test_where_the_usual_list_is_wrong_when_straight_flushes_pay_little() -> None:
    game, odds, named = game_of(RIDE, "C")
    best, usual = best_play(game, odds).acts, acts_of(named["usual list"], game)
    too_bold = {"543s", "654s", "765s", "876s", "987s", "T87s", "T97s", "J98s"}
    assert differing(best, usual, known=3, staked=1) == {*too_bold, "QJT"}
    assert decide(named["usual list"], parse_cards("Qh Jd Tc"), 1) == "withdraw"
    assert decide(named["best list"], parse_cards("Qh Jd Tc"), 1) == "ride"


# --- the lists as data


def test_lists_go_by_the_shape_of_the_game() -> None:
    stud, _, stud_lists = game_of(STUD, "standard")
    ride, _, ride_lists = game_of(RIDE, "A")
    assert not stud_lists.keys() & ride_lists.keys() - {"best list", "short list"}
    assert len(stud_lists) + len(ride_lists) == len(STRATEGIES) + 4
    with pytest.raises(Malformed, match="'never ride' is for another game; here 2 cards come first, then 1x, 2x, 3x"):
        acts_of(ride_lists["never ride"], stud)
    with pytest.raises(Malformed, match="'always 1x' is for another game"):
        acts_of(stud_lists["always 1x"], ride)
    flush = load_rulebook("md-high-card-flush")
    assert named_strategies(flush, flush.paytables.paytable[0]) == ()


def test_a_paytable_of_its_own_has_no_derived_list() -> None:
    book = load_rulebook(RIDE)
    table = tables_of(book, "base")[0]
    other = msgspec.structs.replace(table, line=table.line[1:])
    assert named_strategies(book, other) == named_strategies(book, table)[2:]


@pytest.mark.parametrize("strategy", [*STRATEGIES, *(one for lists in DERIVED.values() for one in lists)])
def test_lists_can_be_written_down_and_read_again(strategy: StreetStrategy) -> None:
    assert msgspec.json.decode(msgspec.json.encode(strategy), type=StreetStrategy) == strategy
    assert hash(strategy)
    for street in strategy.streets:
        words = [row.words for row in street.rows]
        assert len(set(words)) == len(words)
        assert words[-1] == "anything else"


def test_a_list_must_decide_every_hand() -> None:
    with pytest.raises(Malformed, match="the rows for 3 cards must end with one that needs nothing"):
        Street(3, (when("ride", at_least(10, "made")),))
    with pytest.raises(CardError, match="expected 3 or 4 cards, got 1"):
        decide(game_of(RIDE, "A")[2]["usual list"], parse_cards("As"), 1)


def test_the_row_that_decides_is_the_reason() -> None:
    named = game_of(STUD, "standard")[2]
    row = deciding_row(named["point count"], parse_cards("7s 8s 9s 4h"), 5)
    assert (row.action, row.words) == ("1x", "at least 3 middle cards, at least 5 bets staked")
    assert decide(named["point count"], parse_cards("7s 8s 9s 4h"), 3) == "fold"


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (at_least(2, "made"), "any pair or better"),
        (at_least(15, "made"), "two pair or better"),
        (exactly(0, "made"), "nothing"),
        (exactly(16, "made"), "three of a kind"),
        (Need(("made",), 2, 5), "pair of fives or lower"),
        (Need(("made",), 6, 10), "pair of sixes to pair of tens"),
        (exactly(0, "suited"), "not suited"),
        (at_least(0, "suited"), "suited or not"),
        (at_least(5, "lowest"), "lowest card five or higher"),
        (Need(("highest",), 2, 9), "highest card nine or lower"),
        (Need(("highest",), 7, 9), "highest card seven to nine"),
        (Need(("points",), 0, 2), "at most 2 points"),
        (Need(("points",), 2, 3), "2 to 3 points"),
        (exactly(1, "straights"), "1 straight in reach"),
        (at_least(3, "staked"), "at least 3 bets staked"),
    ],
)
def test_needs_in_words(need: Need, words: str) -> None:
    assert need.words == words


def test_a_priced_list_for_other_programs() -> None:
    shown = present_strategy(priced(RIDE, "A", "only what pays"))
    assert shown == {
        "strategy": "only what pays",
        "source": "an extreme",
        "expectation_exact": "-24503/464100",
        "cost_exact": "14408/812175",
        "average_wager_exact": "325999/270725",
        "folded_exact": "0",
        "rows": [
            {"cards": 3, "when": "pair of tens or better", "do": "ride"},
            {"cards": 3, "when": "anything else", "do": "withdraw"},
            {"cards": 4, "when": "pair of tens or better", "do": "ride"},
            {"cards": 4, "when": "anything else", "do": "withdraw"},
        ],
    }
