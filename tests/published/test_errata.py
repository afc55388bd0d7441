"""The page on published figures cannot drift: every figure of ours on it is computed here again."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from msgspec.structs import replace

from croupier.analysis.advice import advise
from croupier.analysis.cases import BASE, cases_of, streets_of, tables_of
from croupier.analysis.custom_paytables import custom_cases
from croupier.analysis.flush import solve as flush_solve
from croupier.analysis.flush import strategies as flush_strategies
from croupier.analysis.flush.dealer_hands import DEALER_HANDS, dealer_counts
from croupier.analysis.flush.game import flush_rules
from croupier.analysis.flush.strategies import FlushStrategy, by_flush
from croupier.analysis.prices import Price
from croupier.analysis.pricing import price
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.solve import StreetSolution
from croupier.analysis.streets.strategies import named_strategies, price_strategy
from croupier.cards import DECK, Card, parse_cards
from croupier.hands import FiveCard, Flush, ThreeCard, census, longest_flush
from croupier.hands.tables import read_flush
from croupier.money import parse_dollars
from croupier.rulebook import load_rulebook

Figures: TypeAlias = Iterable[Fraction | int]

PAGE: Final = (Path(__file__).parents[2] / "docs/errata.md").read_text()
STUD, RIDE, FLUSH = "md-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
FIVE = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind two_pair".split()
THREE = "mini_royal straight_flush three_of_a_kind straight flush pair".split()
SUITED_ACES = "ace_king_queen_spades ace_king_queen_other straight_flush three_of_a_kind".split()
LOOSELY = ", A-2-4 taken for one gap and a high card"


# --- what the figures are computed with


@cache
def priced(rulebook: str, wager: str, table: str, *, ace_low: bool = True) -> tuple[Price, ...]:
    """A paytable of a rulebook at its lowest stake; ties bet more, and then less where that is another game."""
    cases = cases_of(load_rulebook(rulebook))
    case = next(case for case in cases if (case.wager, case.table.id) == (wager, table))
    return price(replace(case, ace_low=ace_low))


def edge(rulebook: str, wager: str, table: str, *, ace_low: bool = True) -> Fraction:
    return priced(rulebook, wager, table, ace_low=ace_low)[0].edge


def stud(ties: str = "more") -> Price:
    return next(record for record in priced(STUD, BASE, "standard") if record.tie_rule == ties)


def ride(ties: str = "more") -> Price:
    return next(record for record in priced(RIDE, BASE, "A") if record.tie_rule == ties)


def flush() -> Price:
    return priced(FLUSH, BASE, "standard")[0]


@cache
def own(rulebook: str, group: str, hands: tuple[str, ...], pays: tuple[str, ...], more: str = "") -> Price:
    """A paytable that no rulebook prints; a meter shows $5,000."""
    lines = ", ".join(f'{{ hand = "{hand}", pays = "{pay}" }}' for hand, pay in zip(hands, pays, strict=True))
    table = f'[[paytable]]\ngroup = "{group}"\nid = "own"\nline = [{lines}]\n{more}'
    (case,) = custom_cases(f'rulebook = "{rulebook}"\n{table}')
    return price(replace(case, meters={"main": parse_dollars("5000.00")}))[0]


def to_one(pays: str) -> tuple[str, ...]:
    return tuple(f"{pay} to 1" for pay in pays.split("/"))


def own_stud(pays: str) -> Price:
    pairs = ("pair_jacks_or_better", "pair_sixes_to_tens")
    return own(STUD, BASE, (*FIVE, *pairs), (*to_one(pays), "Push"))


def own_ride(pays: str) -> Price:
    return own(RIDE, BASE, (*FIVE, "pair_tens_or_better"), to_one(pays))


def three(pays: str) -> Fraction:
    """A bonus on three cards, a mini-royal first."""
    return own(STUD, "three_card_bonus", tuple(THREE), to_one(pays)).edge


def six(pays: str) -> Price:
    return own(STUD, "six_card_bonus", tuple(FIVE[:7]), to_one(pays))


def five(pays: str) -> Price:
    """A bonus on five cards, in dollars for each one staked."""
    dollars = tuple(f"{pay} for 1" for pay in pays.split("/"))
    return own(RIDE, "five_card_bonus", tuple(FIVE[: len(dollars)]), dollars)


def stake_back(bonus: Price) -> Fraction:
    """The edge when what is printed is paid to one."""
    return bonus.edge - bonus.hit


def suited_aces(three_of_a_kind: int) -> Price:
    """A progressive on three cards."""
    dollars = ("100% of meter", "500 for 1", "100 for 1", f"{three_of_a_kind} for 1")
    return own(RIDE, "progressive", tuple(SUITED_ACES), dollars, 'evaluator = "three_card"')


def wagered(record: Price) -> Fraction:
    assert record.average_wager is not None
    return record.average_wager


def risk(record: Price) -> Fraction:
    assert record.element_of_risk is not None
    return record.element_of_risk


@cache
def played(rulebook: str) -> StreetSolution:
    book = load_rulebook(rulebook)
    game = streets_of(book)
    assert game is not None
    return best_play(game, odds_of(tables_of(book, BASE)[0]))


@cache
def starting_hands() -> dict[tuple[Card, ...], int]:
    """Three cards, and how many like them there are but for the names of the suits."""
    alike: dict[tuple[object, ...], list[tuple[Card, ...]]] = {}
    for cards in combinations(DECK, 3):
        suits = sorted(tuple(card.rank for card in cards if card.suit == suit) for suit in "cdhs")
        alike.setdefault(tuple(suits), []).append(cards)
    return {hands[0]: len(hands) for hands in alike.values()}


@cache
def first_bets() -> Counter[int]:
    """What the first bet of Let It Ride wins over the 1,176 ways to go on, and with how many hands."""
    found: Counter[int] = Counter()
    for cards, hands in starting_hands().items():
        values = played(RIDE).action_values(cards, 1)
        found[int(1176 * (values[2] - values[1]))] += hands
    return found


@cache
def first_card_known() -> Fraction:
    """What Mississippi Stud brings whoever knows the first community card: two bets are made with three cards."""
    won = Fraction(0)
    for cards, hands in starting_hands().items():
        raised = [played(STUD).action_values(cards, staked)[bet] for staked in (2, 4) for bet in (1, 2, 3)]
        won += hands * max(Fraction(-1), *raised)
    return won / comb(52, 3)


def list_cost(rulebook: str, name: str) -> Fraction:
    book, game = load_rulebook(rulebook), played(rulebook).game
    table = tables_of(book, BASE)[0]
    found = next(one for one in named_strategies(book, table) if one.name == name)
    return price_strategy(found, game, odds_of(table)).cost


def riding(cards: str, community: str = "") -> Fraction:
    """What one bet wins when it rides."""
    bets = ["withdraw"] * len(community.split())
    known = parse_cards(community) if community else ()
    actions = advise(load_rulebook(RIDE), parse_cards(cards), community=known, bets=bets).actions
    return actions["ride"] - actions["withdraw"]


def raising(cards: str) -> Fraction:
    return advise(load_rulebook(FLUSH), parse_cards(cards)).actions["1x"]


def flush_edge(strategy: FlushStrategy) -> Fraction:
    return -flush_strategies.price(strategy, *flush_rules(load_rulebook(FLUSH))).expectation


def flush_hands(chosen: Callable[[Flush], bool]) -> Fraction:
    """How often the longest flush of seven cards is such a one."""
    play = flush_solve.best_play(*flush_rules(load_rulebook(FLUSH)))
    flushes = map(read_flush, play.strengths.tolist())
    hands = zip(flushes, play.tallies[:, :, 0].sum(axis=1).tolist(), strict=True)
    return Fraction(sum(count for held, count in hands if chosen(held)), flush_solve.PLAYER_HANDS)


def flush_line(name: str) -> Fraction:
    line = next(line for line in flush().lines if line.hand == name)
    return Fraction(line.combinations, flush().total)


def runs(*names: str) -> Fraction:
    """How often seven cards fall on these lines of the straight flush bonus."""
    (record,) = priced(FLUSH, "straight_flush_bonus", "A")
    found = [line.combinations for line in record.lines if line.hand.removesuffix("_card_straight_flush") in names]
    return Fraction(sum(found), record.total)


@cache
def five_cards() -> dict[FiveCard, Fraction]:
    counts = census.five_card()
    return {hand: Fraction(count, comb(52, 5)) for hand, count in counts.items()}


def pairs_of(ranks: int) -> Fraction:
    """How often five cards are a pair of one of so many ranks."""
    return five_cards()[FiveCard.PAIR] * ranks / 13


def from_two_pair() -> Fraction:
    return sum((share for hand, share in five_cards().items() if hand >= FiveCard.TWO_PAIR), Fraction(0))


def three_cards() -> dict[str, Fraction]:
    counts = census.three_card()
    counts[ThreeCard.STRAIGHT_FLUSH] += counts.pop(ThreeCard.MINI_ROYAL)
    return {hand.name.lower(): Fraction(count, comb(52, 3)) for hand, count in counts.items()}


def always_stays() -> Fraction:
    """What the bet of Let It Ride brings that cannot be withdrawn."""
    table = tables_of(load_rulebook(RIDE), BASE)[0]
    game = played(RIDE).game
    never = next(one for one in named_strategies(load_rulebook(RIDE), table) if one.name == "never ride")
    return price_strategy(never, game, odds_of(table)).expectation


def qualifies(held: Flush) -> bool:
    return held >= Flush(3, (9, 3, 2))


TEN_EIGHT_SIX = flush_strategies.PUBLISHED
ROWS: Final[dict[str, Callable[[], Figures]]] = {
    # Mississippi Stud
    "M1": lambda: (stud().edge, risk(stud())),
    "M2": lambda: (5 * stud().edge,),
    "M3": lambda: (pairs_of(4), pairs_of(5), pairs_of(4), five_cards()[FiveCard.NOTHING], from_two_pair()),
    "M4": lambda: (five_cards()[FiveCard.NOTHING] + pairs_of(9),),
    # Let It Ride
    "L1": lambda: (risk(ride()), risk(ride("less")), wagered(ride("less")), wagered(ride())),
    "L2": lambda: (ride().edge, risk(ride())),
    "L3": lambda: (risk(ride()), ride().edge),
    "L4": lambda: (-riding("5c 5d 9h"),),
    "L5": lambda: (comb(52, 3), sum(hands for won, hands in first_bets().items() if won < 0)),
    "L6": lambda: (24 * 1176 * riding("Ah Kh Jh"),),
    "L7": lambda: (1 + always_stays(),),
    "L8": lambda: (1 / ride().hit - 1, ride().hit),
    "L9": lambda: (1 - own_ride("1000/200/50/11/8/6/3/2/1").edge, 1 - ride().edge),
    "L10": lambda: (ride().edge, own_ride("999/199/49/11/8/5/3/2/1").edge),
    "L11": lambda: (1 - five("20000/2000/400/200/50/25/5").edge,),
    "L12": lambda: (five_cards()[FiveCard.STRAIGHT_FLUSH], five_cards()[FiveCard.FOUR_OF_A_KIND]),
    "L13": lambda: [edge(RIDE, "five_card_bonus", table) for table in "AGE"],
    # High Card Flush
    "H1": lambda: (raising("Th 8h 6h Js Ad Qd Jc"), raising("Th 8h 6h Ts Ad Qd Jc")),
    "H2": lambda: (raising("Th 8h 6h 7d 4d 2d 9c"),),
    "H3": lambda: (flush_edge(TEN_EIGHT_SIX) - flush().edge,),
    "H4": lambda: (flush().edge, flush_edge(TEN_EIGHT_SIX), flush_edge(flush_strategies.BY_HIGH_CARDS)),
    "H5": lambda: (flush_edge(by_flush(Flush(4, (5, 4, 3, 2)))), flush_edge(TEN_EIGHT_SIX)),
    "H6": lambda: (runs("six", "seven"), comb(52, 7) * runs("six"), comb(52, 7) * runs("seven")),
    "H7": lambda: (runs("five"), comb(52, 7) * runs("five")),
    # bonuses
    "B1": lambda: (three("50/40/30/6/3/1"), three("50/40/30/6/4/1")),
    "B2": lambda: (three("100/40/30/5/4/1"), three("40/40/25/6/4/1")),
    "B3": lambda: (three_cards()["pair"], three_cards()["nothing"]),
    "B4": lambda: (six("1000/200/50/25/20/10/5").edge,),
    "B5": lambda: (suited_aces(50).edge, 1 - suited_aces(90).edge),
    "B6": lambda: (suited_aces(50).meters[0].break_even, suited_aces(90).meters[0].break_even),
    # readings
    "R1": lambda: [edge(STUD, "three_card_bonus", "E", ace_low=low) for low in (True, False)],
    "R2": lambda: [edge(STUD, "three_card_bonus", "D", ace_low=low) for low in (True, False)],
    "R3": lambda: [edge(FLUSH, "straight_flush_bonus", "A", ace_low=low) for low in (True, False)],
    "R4": lambda: [figure(stud(ties)) for ties in ("more", "less") for figure in (wagered, risk)],
    "R5": lambda: [figure(ride(ties)) for ties in ("more", "less") for figure in (wagered, risk)],
    "R6": lambda: [list_cost(STUD, "point count" + reading) for reading in ("", LOOSELY)],
    "R7": lambda: [list_cost(RIDE, "usual list" + reading) for reading in ("", LOOSELY)],
    "R8": lambda: [show(five("20000/2000/400/200/50/25/5")) for show in (lambda bonus: bonus.edge, stake_back)],
    "R9": lambda: [show(five("20000/2000/100/75/50/25/9/6")) for show in (lambda bonus: bonus.edge, stake_back)],
    # agreement
    "A1": lambda: (stud().edge, own_stud("500/100/40/10/6/5/3/2/1").edge),
    "A2": lambda: (first_card_known(),),
    "A3": lambda: (stud().edge, risk(stud()), wagered(stud())),
    "A4": lambda: (
        Fraction(sum(hands for won, hands in first_bets().items() if won > 0), comb(52, 3)),
        Fraction(sum(won * hands for won, hands in first_bets().items() if won > 0), comb(52, 3) * 1176),
    ),
    "A5": lambda: (1176 * riding("Tc Td 2h"), 1176 * riding("5c 5d 5h")),
    "A6": lambda: (ride().edge, own_ride("500/200/50/11/8/5/3/2/1").edge),
    "A7": lambda: (-riding("5c 5d 9h", "Ks"),),
    "A8": lambda: (ride().edge, wagered(ride()), risk(ride())),
    "A9": lambda: (1 - ride().edge,),
    "A10": lambda: (ride().hit,),
    "A11": lambda: (1 - flush_line("fold"), flush_hands(qualifies), flush_line("tie")),
    "A12": lambda: (flush_hands(lambda held: held.length == 3 and held.ranks[0] == 10),),
    "A13": lambda: (flush().edge, edge(FLUSH, "flush_bonus", "A")),
    "A14": lambda: (runs("four"), runs("three")),
    "A15": lambda: [three(pays) for pays in ("40/40/30/6/4/1", "40/40/25/6/4/1", "35/35/25/6/4/1", "50/50/30/6/3/1")],
    "A16": lambda: [three(pays) for pays in ("40/40/30/5/4/1", "50/40/30/5/4/1", "100/40/30/5/4/1")],
    "A17": lambda: (three("40/40/30/6/3/1"), three("50/40/30/6/3/1")),
    "A18": lambda: (three("50/40/30/6/4/1"),),
    "A19": lambda: list(three_cards().values())[::-1],
    "A20": lambda: (suited_aces(90).meters[0].break_even,),
    "A21": lambda: (six("1000/200/100/20/15/10/7").edge, six("1000/200/100/20/15/10/7").hit),
}
"""The figures of each row of the page, in the order in which they stand there."""


# --- the page


def rows() -> dict[str, list[str]]:
    """The cells of every row of a table by the number in the first."""
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in PAGE.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in cells if re.fullmatch(r"[A-Z]\d+", row[0])}


FIGURE = re.compile(
    r"(?:(?P<one_in>1 in )?\$?(?P<shown>−?[\d,]*\.?\d+)(?P<percent>%)?(?: to 1)? )?`(?P<exact>-?\d+(?:/\d+)?)`"
)
"""A figure of ours: rounded where it is no whole number, then exactly."""


def is_rounded(shown: str, exact: Fraction, *, up_to: Fraction = Fraction(1, 2)) -> bool:
    """Whether a figure as written is this one but for less than half of its last digit."""
    digits = len(shown.partition(".")[2])
    return abs(exact - Fraction(shown.replace(",", "").replace("−", "-"))) <= up_to / Fraction(10) ** digits


def as_shown(exact: Fraction, *, percent: object, one_in: object) -> Fraction:
    return exact * 100 if percent else 1 / exact if one_in else exact


def test_every_row_is_computed() -> None:
    assert list(rows()) == list(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_our_figures_are_recomputed(row: str) -> None:
    found = list(FIGURE.finditer(" | ".join(rows()[row])))
    computed = [Fraction(figure) for figure in ROWS[row]()]
    assert [figure["exact"] for figure in found] == [str(figure) for figure in computed]
    for figure, exact in zip(found, computed, strict=True):
        if figure["shown"]:
            scaled = as_shown(exact, percent=figure["percent"], one_in=figure["one_in"])
            assert is_rounded(figure["shown"], scaled), figure[0]
        else:
            assert exact.denominator == 1


@pytest.mark.parametrize("row", ROWS)
def test_every_figure_of_ours_is_exact_too(row: str) -> None:
    ours = rows()[row][1:3] if row.startswith("R") else rows()[row][3:4]
    assert not re.search(r"\d%|\.\d", FIGURE.sub("", " | ".join(ours)))


def test_no_figure_of_ours_stands_outside_the_rows() -> None:
    in_rows = sum(len(FIGURE.findall(" | ".join(row))) for row in rows().values())
    assert len(re.findall(r"`-?\d+(?:/\d+)?`", PAGE)) == in_rows


@pytest.mark.parametrize("row", [row for row in ROWS if row.startswith("A")])
def test_what_agrees_agrees_to_its_last_digit(row: str) -> None:
    published, computed = rows()[row][0], [Fraction(figure) for figure in ROWS[row]()]
    figures = list(re.finditer(r"(over )?(1 in )?\$?([\d,]*\.?\d+)(%)?", published))
    for figure, exact in zip(figures, computed, strict=True):
        over, one_in, shown, percent = figure.groups()
        scaled = as_shown(exact, percent=percent, one_in=one_in)
        assert is_rounded(shown, scaled, up_to=Fraction(1) if over else Fraction(1, 2)), figure[0]
        assert not over or scaled > Fraction(shown)


def test_the_nearest_hand_to_a_published_value() -> None:
    """Row H1: of all hands whose flush is T-8-6, one for each choice of suits."""
    held, (qualifier, _) = parse_cards("Th 8h 6h"), flush_rules(load_rulebook(FLUSH))
    values = []
    for cards in combinations([card for card in DECK if card.suit != held[0].suit], 4):
        suits = [[card.rank for card in cards if card.suit == suit] for suit in "cds"]
        if suits == sorted(suits) and longest_flush([*held, *cards]) == Flush(3, (10, 8, 6)):
            counts = dealer_counts([*held, *cards], qualifier)
            values.append(Fraction(counts.unqualified + 2 * (counts.lower - counts.higher), DEALER_HANDS))
    nearest = min(values, key=lambda value: abs(value - Fraction("-0.86655")))
    assert (len(values), nearest) == (11_167, raising("Th 8h 6h Ts Ad Qd Jc"))


def test_sources_are_those_at_the_end_of_the_page() -> None:
    used = set(re.findall(r"\]\[([a-z0-9-]+)\]", PAGE))
    defined = re.findall(r"^\[([a-z0-9-]+)\]: https?://\S+$", PAGE, flags=re.MULTILINE)
    assert sorted(used) == sorted(defined)


def test_the_paytable_on_the_page_can_be_priced() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    (case,) = custom_cases(text)
    assert price(case)[0].edge == own_stud("500/100/40/10/6/5/3/2/1").edge
