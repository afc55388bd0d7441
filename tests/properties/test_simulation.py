"""The compiled simulation: its chance, its decisions, its cents against the engine's, its sums against exact counts."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from croupier.analysis.advice import advise
from croupier.analysis.cases import main_table, streets_of
from croupier.analysis.flush.game import flush_rules
from croupier.analysis.flush.solve import DEALS, raise_values
from croupier.analysis.flush.solve import best_play as best_raises
from croupier.analysis.strategies import FLUSHES
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.strategies import decide, named_strategies
from croupier.analysis.tallies import hand_counts, line_counts
from croupier.cards import Card
from croupier.errors import Malformed, RuleViolation
from croupier.money import Cents
from croupier.progressive import accrue, open_meter, take
from croupier.rulebook import HouseRules, check, read_submission, rulebook_ids
from croupier.simulation.figures import figures
from croupier.simulation.kernels import streams
from croupier.simulation.kernels.compiled_plan import lay_out, settle_end
from croupier.simulation.kernels.prizes import ENVY, make_room
from croupier.simulation.kernels.streams import MOST_CARDS
from croupier.simulation.kernels.table_inputs import playable
from croupier.simulation.parallel import run_parts
from croupier.simulation.plan import Plan, Seat, sit
from croupier.simulation.run import merge, simulate
from support import slices
from support.random_rounds import HCF, LIR, MA, MS
from support.randomness import fit, rejected
from support.simulated import Table, agree, by_engine, callable_here, random_house

bounded, deal, make_deal, philox = map(
    callable_here, (streams.bounded, streams.deal, streams.make_deal, streams.philox)
)

ROUNDS = 2_000_000
SEED = 20_260_701


def dealt(seed: int, start: int, rounds: int, count: int = 50, batch: int = 256) -> NDArray[np.uint8]:
    cards, found = np.zeros((MOST_CARDS, batch), dtype=np.uint8), []
    room = make_deal(batch)
    for first in range(0, rounds, batch):
        some = min(batch, rounds - first)
        deal(np.uint64(seed), np.uint64(start + first), some, count, room, cards)
        assert room.deck[:52].tolist() == list(range(52))
        found.append(cards[:count, :some].T.copy())
    return np.concatenate(found)


# --- chance


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0,) * 4, (0,) * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_the_generator_gives_the_published_words(counter: tuple[int, ...], key: tuple[int, ...], words: str) -> None:
    """The known answers that its authors publish with Random123."""
    given = philox(*map(np.uint64, counter), *map(np.uint64, key))
    assert " ".join(f"{int(word):08x}" for word in given) == words


def plainly_dealt(seed: int, number: int, count: int) -> list[int]:
    """The same by long division, written from the description of the streams."""

    def words() -> Iterator[int]:
        block = 0
        while True:
            counter = [block, 0, number & 0xFFFFFFFF, number >> 32]
            yield from map(int, philox(*map(np.uint64, [*counter, seed & 0xFFFFFFFF, seed >> 32])))
            block += 1

    stream, deck = words(), list(range(52))
    for first in range(0, count, 5):
        sizes = range(52 - first, 47 - first, -1)
        ways = prod(sizes)
        choice, rest = divmod(next(stream) * ways, 1 << 32)
        while rest < (1 << 32) % ways:
            choice, rest = divmod(next(stream) * ways, 1 << 32)
        for place, size in enumerate(sizes, first):
            ways //= size
            index, choice = divmod(choice, ways)
            deck[place], deck[place + index] = deck[place + index], deck[place]
    return deck[:count]


def test_the_cards_of_a_round_are_those_of_its_seed_and_number() -> None:
    for seed, start in ((0, 0), (SEED, 1 << 40), ((1 << 64) - 1, 12_345)):
        cards = dealt(seed, start, 300)
        assert [plainly_dealt(seed, start + one, 50) for one in range(300)] == cards.tolist()
        for count in (5, 23):
            assert dealt(seed, start + 100, 200, count=count).tolist() == cards[100:, :count].tolist()


def test_every_choice_of_cards_comes_from_equally_many_words() -> None:
    """On a generator of few bits the mapping can be enumerated: so many words for each number below a size."""
    for bits, size in product((6, 8, 10), (1, 2, 3, 5, 6, 7, 20, 24, 60)):
        found = Counter(
            word * size >> bits for word in range(1 << bits) if word * size % (1 << bits) >= (1 << bits) % size
        )
        assert set(found.values()) == {(1 << bits) // size}
        assert len(found) == size


def test_dealt_cards_are_even() -> None:
    cards = dealt(SEED, 0, 400_000, count=10)
    p_values = {}
    for place in range(10):
        expected = np.full(52, len(cards) / 52)
        p_values[f"place {place}"] = fit(np.bincount(cards[:, place], minlength=52), expected)
    pairs = cards[:, 4].astype(np.int64) * 52 + cards[:, 5]  # the last of one word and the first of the next
    seen = np.bincount(pairs, minlength=52 * 52)[[a * 52 + b for a in range(52) for b in range(52) if a != b]]
    p_values["pairs"] = fit(seen, np.full(len(seen), len(cards) / len(seen)))
    assert not rejected(p_values)


def test_a_number_below_a_size_is_even() -> None:
    drawn = np.array([bounded(np.uint64(1), 3, np.uint64(number), 0, 7)[0] for number in range(20_000)])
    assert not rejected({"seven": fit(np.bincount(drawn), np.full(7, len(drawn) / 7))})


# --- houses and plans


def plain_house(rulebook: str, **changes: object) -> HouseRules:
    base = {"wagers": {"base": {"paytable": "A"}}} if rulebook == LIR else {}
    verdict = check(read_submission({"rulebook": rulebook, **base, **changes}))
    assert verdict.house is not None, verdict.findings
    return verdict.house


def main_stakes(rulebook: str, cents: int = 1000) -> dict[str, int]:
    return dict.fromkeys(("bet_1", "bet_2", "bet_3") if rulebook == LIR else ("ante",), cents)


def seat_of(rulebook: str, cents: int = 1000) -> Seat:
    return sit(1, patron="", **main_stakes(rulebook, cents))


def full_plan(rulebook: str, *, seed: int = SEED, **changes: object) -> Plan:
    """Five seats with every wager, on a random house whose limits allow them."""
    house = random_house(random.Random(seed), rulebook)[1]
    stakes = {
        wager.name: wager.stakes.minimum
        for wager in house.wagers
        if wager.stakes is not None and wager.name not in main_stakes(rulebook)
    }
    seats = tuple(sit(number, **main_stakes(rulebook, 2500), **stakes) for number in (1, 2, 4, 5, 6))  # type: ignore[arg-type]
    return Plan(house=house, seats=seats, seed=seed, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seats", "error"),
    [
        ((), Malformed),
        ((sit(1),), RuleViolation),
        ((sit(1, ante=1000), sit(1, ante=1000)), RuleViolation),
        ((sit(9, ante=1000),), RuleViolation),
        ((sit(1, ante=1000, cover_all=100),), RuleViolation),
        ((sit(1, ante=1),), Malformed),
        ((sit(1, third_street=1000, ante=1000),), RuleViolation),
    ],
)
def test_only_lawful_wagers_are_simulated(seats: tuple[Seat, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        Plan(house=plain_house(MS), seats=seats)


@pytest.mark.parametrize(
    "wrong", [{"seed": -1}, {"seed": 1 << 64}, {"mistakes": 1_000_001}, {"strategy": "by feeling"}]
)
def test_a_plan_that_cannot_be_played_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        Plan(house=plain_house(MS), seats=(sit(1, ante=1000),), **wrong)  # type: ignore[arg-type]


# --- cents


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_random_decks_settle_as_at_the_table(rulebook: str) -> None:
    """1,000,000 of each rulebook in full, 800 in a slice."""
    houses = slices.count(full=2_500, sliced=2)
    met = agree(rulebook, seed=12, houses=houses, seatings=10, decks=40)
    assert met["decks"] == 400 * houses
    assert min(met[rare] for rare in ("at the limit", "envy", "progressive wins")) > 10 * houses


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_rounds_dealt_and_decided_by_the_kernel_settle_as_at_the_table(rulebook: str) -> None:
    """From the seed to the sums: each round is dealt once more, and the engine settles what the kernel decided."""
    plan = full_plan(rulebook, mistakes=200_000)
    layout = lay_out(plan)
    for number in range(slices.count(full=200, sliced=30)):
        tally = simulate(plan, 1, start=number)
        sums, room = figures(plan, tally), make_room(5, 1)
        room.paths[:, 0] = [layout.path_of(code) for ((code, _),) in tally.ends]
        cards = dealt(SEED, number, 1).T
        answers, meters = by_engine(Table(layout, playable(layout), cards, room), 0, {})
        for box, answer in zip(sums.boxes, reversed(answers), strict=True):
            wagers = [
                (one.wager, one.sums.staked, *one.outcomes, one.sums.won, one.sums.returned)
                for one in box.wagers
                if one.sums.rounds
            ]
            assert (box.seat, wagers) == (answer.seat, answer.wagers)
            assert box.envy == sum(cents for _, cents in answer.envy)
            assert box.sums.squares == box.sums.net**2
        assert {name: run.final.units for name, run in sums.meters.items()} == meters


# --- whole runs


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_any_split_gives_the_same_tally(rulebook: str) -> None:
    plan = full_plan(rulebook, mistakes=50_000)
    whole = simulate(plan, 30_000, start=1_000)
    cuts = [1_000, 1_001, 1_257, 9_000, 22_222, 31_000]
    parts = [simulate(plan, end - start, start=start) for start, end in pairwise(cuts)]
    random.Random(1).shuffle(parts)
    assert merge(parts) == whole
    assert figures(plan, merge(parts)) == figures(plan, whole)
    assert merge([merge(parts[:1]), whole][1:]) == whole
    assert sum(count for _, count in whole.ends[0]) == 30_000


def test_parts_that_are_not_consecutive_are_refused() -> None:
    plan = Plan(house=plain_house(MS), seats=(sit(1, ante=1000),))
    other = msgspec.structs.replace(plan, seed=1)
    with pytest.raises(Malformed, match="not consecutive"):
        merge([simulate(plan, 10), simulate(plan, 10, start=11)])
    with pytest.raises(Malformed, match="different plans"):
        merge([simulate(plan, 10), simulate(other, 10, start=10)])
    with pytest.raises(Malformed, match="another plan"):
        figures(other, simulate(plan, 10))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_sums_and_meters_are_those_of_the_events(rulebook: str) -> None:
    """Meters are folded once more, round by round, and all money is added up once more."""
    plan = full_plan(rulebook, mistakes=300_000, strategy="always")
    tally = simulate(plan, 40_000)
    sums, layout = figures(plan, tally), lay_out(plan)
    staked = 5 * next(amount for name, amount in plan.seats[0].stakes if name == "progressive")
    house = plan.house
    offered = house.wager("progressive")
    assert offered is not None
    late = house.options.meter_increment == "at_close"
    for one in offered.meters:
        run = sums.meters[one.name]
        meter = open_meter(one.name, initial=one.initial, reset=one.reset, rate=one.rate)
        meter = msgspec.structs.replace(run.final, units=meter.units)
        awards = {(award.round, award.seat): award for award in run.awards}
        for number in range(40_000):
            if not late:
                meter = accrue(meter, Cents(staked))
            for seat in reversed(range(5)):
                if award := awards.get((number, seat)):
                    meter, amount = take(meter, percent=award.percent)
                    assert amount == award.amount
            if late:
                meter = accrue(meter, Cents(staked))
        assert meter == run.final
    for place, box in enumerate(sums.boxes):
        ends = [(settle_end(layout, place, code), count) for code, count in tally.ends[place]]
        won = sum(sum(end.won) * count for end, count in ends)
        awarded = sum(award.paid for run in sums.meters.values() for award in run.awards if award.seat == place)
        envy = sum(event.amount for event in tally.events if event.kind == ENVY and event.seat == place)
        assert box.sums.won == won + awarded + envy
        assert box.envy == envy
        assert box.sums.staked == sum(wager.sums.staked for wager in box.wagers)
        assert box.sums.net == sum(wager.sums.net for wager in box.wagers) + envy
        assert box.sums.rounds == sum(box.paths.values()) == 40_000
        for wager in box.wagers:
            assert sum(wager.outcomes.values()) == wager.sums.rounds


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_single_round_is_its_own_sum(rulebook: str) -> None:
    """The squares of one round are the square of what it brought; many rounds are the sum of their squares."""
    plan = full_plan(rulebook, mistakes=500_000)
    rounds = [figures(plan, simulate(plan, 1, start=number)) for number in range(100)]
    whole = figures(plan, simulate(plan, 100))
    if not any(run.awards for run in whole.meters.values()):
        for seat in range(5):
            assert whole.boxes[seat].sums.squares == sum(one.boxes[seat].sums.net ** 2 for one in rounds)
            assert whole.boxes[seat].sums.net == sum(one.boxes[seat].sums.net for one in rounds)


# --- decisions


def paths_of(plan: Plan, number: int) -> tuple[int, ...]:
    ((code, _),) = simulate(plan, 1, start=number).ends[0]
    return settle_end(lay_out(plan), 0, code).path


@pytest.mark.parametrize("rulebook", [MS, LIR])
def test_streets_are_decided_by_best_play(rulebook: str) -> None:
    plan = Plan(house=plain_house(rulebook), seats=(seat_of(rulebook),), seed=SEED)
    game = streets_of(plan.house.rulebook)
    assert game is not None
    board, names = 5 - game.first, ("fold", *game.names)
    for number, cards in enumerate(dealt(SEED, 0, 150, count=5).tolist()):
        own, bets = [Card(card) for card in cards[board:]], list[str]()
        for act in paths_of(plan, number):
            community = [Card(card) for card in cards[: len(bets)]]
            assert names[act] == advise(plan.house.rulebook, own, community=community, bets=bets).best[-1]
            bets.append(names[act])


def test_raises_are_decided_by_best_play() -> None:
    """On hands by chance, and beside ten-high flushes, where the other cards decide."""
    plan = Plan(house=plain_house(HCF), seats=(sit(1, ante=1000),), seed=SEED)
    qualifier, most = flush_rules(plan.house.rulebook)
    seen = Counter[bool]()
    for number, cards in enumerate(dealt(SEED, 0, 3_000, count=14).tolist()):
        own = [Card(card) for card in cards[7:]]
        values = raise_values(own, qualifier, most)
        best = max(times for times, value in values.items() if value == max(values.values()))
        if number < 300 or abs(values[1] + 1) < Fraction(1, 20):
            assert paths_of(plan, number) == (best,)
            seen[best == 0] += 1
    assert min(seen.values()) > 100


@pytest.mark.parametrize("rulebook", [MS, LIR])
def test_lists_are_followed(rulebook: str) -> None:
    house = plain_house(rulebook)
    game = streets_of(house.rulebook)
    assert game is not None
    board, names = 5 - game.first, ("fold", *game.names)
    for strategy in named_strategies(house.rulebook, main_table(house)):
        plan = Plan(house=house, seats=(seat_of(rulebook),), seed=SEED, strategy=strategy.name)
        for number, cards in enumerate(dealt(SEED, 0, 30, count=5).tolist()):
            known, staked = [Card(card) for card in cards[board:]], 1
            for street, act in enumerate(paths_of(plan, number)):
                assert names[act] == decide(strategy, [*known, *map(Card, cards[:street])], staked)
                staked += (0, *game.adds)[act]


def test_flush_strategies_are_followed() -> None:
    house = plain_house(HCF)
    most = flush_rules(house.rulebook)[1]
    for name, (_, strategy) in FLUSHES.items():
        plan = Plan(house=house, seats=(sit(1, ante=1000),), seed=SEED, strategy=name)
        for number, cards in enumerate(dealt(SEED, 0, 100, count=14).tolist()):
            assert paths_of(plan, number) == (strategy.raises([Card(card) for card in cards[7:]], most),)


def test_always_plays_every_hand() -> None:
    for rulebook, path in ((MS, (1, 1, 1)), (LIR, (2, 2))):
        plan = Plan(house=plain_house(rulebook), seats=(seat_of(rulebook),), strategy="always")
        assert figures(plan, simulate(plan, 1000)).boxes[0].paths == {path: 1000}
    plan = Plan(house=plain_house(HCF), seats=(sit(1, ante=1000),), strategy="always")
    assert figures(plan, simulate(plan, 1000)).boxes[0].folded == {}


def test_mistakes_take_every_legal_action() -> None:
    plan = Plan(house=plain_house(MS), seats=(sit(1, ante=1000),), seed=SEED, mistakes=1_000_000)
    paths = figures(plan, simulate(plan, 400_000)).boxes[0].paths
    expected = {path: Fraction(1, 4 ** len(path)) for path in paths}
    assert sum(expected.values()) == 1
    shares = np.array([float(expected[path] * 400_000) for path in paths])
    assert not rejected({"paths": fit(np.array(list(paths.values())), shares)})


# --- against exact counts


def p_value(observed: dict[object, int], expected: dict[object, Fraction]) -> float:
    """Of the counts of a run; what comes less than ten times is put together."""
    assert observed.keys() <= expected.keys()
    rounds = sum(observed.values())
    cells = sorted(((float(share * rounds), observed.get(key, 0)) for key, share in expected.items()), reverse=True)
    often = [cell for cell in cells if cell[0] >= 10]
    seldom = [cell for cell in cells if cell[0] < 10]
    often.append((sum(cell[0] for cell in seldom), sum(cell[1] for cell in seldom)))
    shares, counts = zip(*(cell for cell in often if cell[0] > 1), strict=True)
    return fit(np.array(counts), np.array(shares))


def main_game(rulebook: str, rounds: int) -> tuple[HouseRules, dict[object, int]]:
    """The base game by line and bets, and its folds by decision and bets."""
    house = plain_house(rulebook)
    plan = Plan(house=house, seats=(seat_of(rulebook),), seed=SEED)
    box = figures(plan, run_parts(plan, rounds, workers=2)).boxes[0]
    found: dict[object, int] = {("played", *key): count for key, count in box.played.items()}
    return house, found | {("folded", *key): count for key, count in box.folded.items()}


def street_p_value(rulebook: str, rounds: int = ROUNDS) -> float:
    house, found = main_game(rulebook, rounds)
    game, table = streets_of(house.rulebook), main_table(house)
    assert game is not None
    solved = best_play(game, odds_of(table))
    expected: Counter[object] = Counter()
    hands = [line.hand for line in table.line]
    for kind, (judged, _) in enumerate(hand_counts("five_card")):
        line = line_counts(hands, [(judged, 1)], evaluator="five_card").index(1)
        for bets, count in enumerate(solved.played[kind].tolist()):
            expected["played", line, bets] += count
    for known, row in enumerate(solved.folded.tolist()):
        for bets, count in enumerate(row):
            expected["folded", known - game.first + 1, bets] += count
    return p_value(found, {key: Fraction(count, game.deals) for key, count in expected.items()})


def raise_p_value(rounds: int = ROUNDS) -> float:
    house, found = main_game(HCF, rounds)
    solved = best_raises(*flush_rules(house.rulebook))
    expected: dict[object, Fraction] = {}
    for times, tally in solved.by_raise.items():
        for place, count in enumerate((tally.lower, tally.equal, tally.higher, tally.unqualified)):
            expected["played", place, 1 + times] = Fraction(count, DEALS)
    expected = {key: share for key, share in expected.items() if key[2] > 1}  # type: ignore[index]
    expected["folded", 1, 1] = solved.share(0)
    return p_value(found, expected)


def bonus_p_values(rulebook: str, rounds: int = ROUNDS, seats: int = 5) -> dict[str, float]:
    """Every line of every bonus of the first seat of a table."""
    plan = full_plan(rulebook)
    plan = replace(plan, seats=plan.seats[:seats])
    layout, p_values = lay_out(plan), {}
    ace_low = plan.house.options.hcf_ace_low
    counted = run_parts(plan, rounds, workers=2).ends[0]
    for place, name in enumerate(layout.names):
        if name in {"ante", "raise", "third_street", "fourth_street", "fifth_street", "cover_all"}:
            continue
        found: Counter[object] = Counter()
        if layout.pays.forfeits[place] and rulebook != LIR:
            continue  # which hands are folded is in the test of the main game
        for code, count in counted:
            found[settle_end(layout, 0, code).line[place]] += count
        offered = layout.rules.offered[name]
        hands = [line.hand for line in offered.paytables[0].line]
        counts = line_counts(hands, hand_counts(offered.evaluator, ace_low=ace_low), evaluator=offered.evaluator)
        expected = {line: Fraction(count, sum(counts)) for line, count in enumerate(counts)}
        p_values[f"{rulebook} {name}"] = p_value(found, expected)  # type: ignore[arg-type]
    return p_values


def test_2_000_000_rounds_fall_as_counted() -> None:
    p_values = {MS: street_p_value(MS), LIR: street_p_value(LIR), HCF: raise_p_value()}
    for rulebook in rulebook_ids():
        p_values |= bonus_p_values(rulebook)
    assert len(p_values) >= 10
    assert not rejected(p_values), p_values


@pytest.mark.torture
def test_1_000_000_000_rounds_fall_as_counted() -> None:
    """Of Mississippi Stud; and a tenth of that of the others."""
    many, few = 1_000_000_000, 100_000_000
    p_values = {MS: street_p_value(MS, many), LIR: street_p_value(LIR, few), HCF: raise_p_value(few)}
    for rulebook in rulebook_ids():
        p_values |= bonus_p_values(rulebook, many if rulebook in {MS, MA} else few, seats=1)
    print(sorted(p_values.items(), key=lambda one: one[1]))
    assert not rejected(p_values), p_values
