"""Measure Croupier against named peers, as ratios in one interleaved run on one core.

Every contender of a race works once in each round, in an order that rotates, so that whatever else the
machine does falls on all alike. A ratio is Croupier's rate divided by the peer's in the same round; its
median over the rounds is shown with its quartiles. Above 1 Croupier is faster.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pokerkit
import treys
from numpy.typing import NDArray

import analysis
import server
import simulation
import store
from croupier.cards import DECK
from croupier.games import actions, apply, open_round
from croupier.hands import batch, five_card, tables
from croupier.money import Cents
from croupier.rulebook import check, read_submission

HERE = Path(__file__).parent
OURS = "croupier"


class Race(NamedTuple):
    """One piece of work done by several; each contender does all of it once when called."""

    name: str
    units: int
    contenders: dict[str, Callable[[], object]]
    goals: dict[str, float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31, help="how often each contender works (default 31)")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"), help="where the figures go as JSON")
    options = parser.parse_args()
    if options.rounds < 3:
        parser.error("--rounds: at least 3, else there is no spread")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("bench: a C compiler is needed for the plain C peers (Debian: apt install gcc)", file=sys.stderr)
        return 2
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    with tempfile.TemporaryDirectory() as folder:
        peers = {"C -O3": ["-O3"], "C -O3 -march=native": ["-O3", "-march=native"]}
        libraries = {name: build(compiler, flags, Path(folder)) for name, flags in peers.items()}
        races = [five_card_race(libraries), longest_flush_race(libraries), scalar_race(), rounds_race()]
        races += [*streets_races(libraries["C -O3"]), flush_game_race(libraries["C -O3"])]
        races += simulated_races(simulation.build(compiler, Path(folder)))
        results = [run(race, rounds=options.rounds) for race in races]
    measured = (*analysis.commands(), *simulation.commands(), *store.figures(), *server.figures())
    figures = [figure._asdict() for figure in measured]

    report = {"machine": machine(compiler), "rounds": options.rounds, "races": results, "figures": figures}
    show(report)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(report, indent=2) + "\n")
    print(f"\nwritten to {options.json}")
    return 0


def build(compiler: str, flags: Sequence[str], folder: Path) -> ctypes.CDLL:
    """Compile peer.c over the very tables that the kernels use."""
    five = tables.five_card_table()
    arrays = {
        "KEYS": batch.KEYS,
        "BITS": batch.BITS,
        "FIVE_OFFSETS": five.offsets,
        "FIVE_VALUES": five.values,
        "FIVE_SUITED": five.suited,
        "FLUSH": tables.flush_table(),
    }
    header = [
        f"static const {array.dtype}_t {name}[{len(array)}] = {{{','.join(map('{}u'.format, array.tolist()))}}};"
        for name, array in arrays.items()
    ]
    (folder / "tables.h").write_text("\n".join(header).replace("u,", "ull,"))
    library = folder / f"peer{'_'.join(flags)}.so"
    command = [compiler, *flags, "-w", "-shared", "-fPIC", f"-I{folder}", "-o", str(library), str(HERE / "peer.c")]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def in_c(function: Callable[..., object], cards: NDArray[np.uint8]) -> Callable[[], NDArray[np.uint16]]:
    def work() -> NDArray[np.uint16]:
        strengths = np.empty(len(cards), dtype=np.uint16)
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (cards, strengths))
        function(*pointers, ctypes.c_size_t(len(cards)))
        return strengths

    return work


def five_card_race(libraries: dict[str, ctypes.CDLL]) -> Race:
    """All 2,598,960 hands, shuffled so that no order helps a branch or a cache."""
    cards = np.concatenate([block.copy() for block in batch.all_hands(5)])
    np.random.default_rng(1).shuffle(cards)
    contenders: dict[str, Callable[[], object]] = {OURS: lambda: batch.five_card(cards)}
    contenders |= {name: in_c(library.five_card, cards) for name, library in libraries.items()}
    return Race("five-card hands, batch", len(cards), same_answers(contenders), {"C -O3": 0.8})


def longest_flush_race(libraries: dict[str, ctypes.CDLL]) -> Race:
    """Two million random hands of seven."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (2_000_000, 1))
    cards = np.ascontiguousarray(np.random.default_rng(2).permuted(decks, axis=1)[:, :7])
    contenders: dict[str, Callable[[], object]] = {OURS: lambda: batch.longest_flush(cards)}
    contenders |= {name: in_c(library.longest_flush, cards) for name, library in libraries.items()}
    return Race("longest flush of seven, batch", len(cards), same_answers(contenders), {"C -O3": 0.8})


def scalar_race() -> Race:
    """Five-card hands one call at a time, each contender on cards of its own kind."""
    shuffled = random.Random(3)  # noqa: S311 - a sample, not a secret
    ours = [tuple(shuffled.sample(DECK, 5)) for _ in range(20_000)]
    theirs = [[treys.Card.new(str(card)) for card in hand] for hand in ours]
    evaluate = treys.Evaluator().evaluate
    empty: list[int] = []

    def by_croupier() -> None:
        for hand in ours:
            five_card(hand)

    def by_treys() -> None:
        for hand in theirs:
            evaluate(hand, empty)

    ranks = sorted((evaluate(hand, empty), five_card(mine)) for hand, mine in zip(theirs, ours, strict=True))
    if [hand for _, hand in ranks] != sorted((hand for _, hand in ranks), reverse=True):
        raise ValueError("croupier and treys order these hands differently")
    return Race("five-card hands, one call each", len(ours), {OURS: by_croupier, "treys": by_treys}, {"treys": 1.0})


def rounds_race() -> Race:
    """Complete rounds of Mississippi Stud for two players, one call a move: wagers, deal, decisions, settlement.

    Pokerkit's nearest is a state of two hole and three board cards whose players call a bet on each street; it
    compares the two hands, where Croupier settles eight wagers by a paytable, each with its clause.
    """
    shuffled = random.Random(4)  # noqa: S311 - a sample, not a secret
    deals = [tuple(shuffled.sample(DECK, 7)) for _ in range(20_000)]
    count = 500
    house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    streets = [(actions.Decide(1, "1x"), actions.Decide(2, "1x"), actions.Reveal("community"))] * 3
    before = (
        actions.PlaceWager(1, "ante", Cents(1000)),
        actions.PlaceWager(2, "ante", Cents(1000)),
        actions.Perform("announce"),
    )
    after = (
        *(move for street in streets for move in street),
        actions.Settle("hand", 2),
        actions.Settle("hand", 1),
        actions.Close(),
    )

    def by_croupier() -> None:
        for deal in next(ours):
            state = open_round(house)
            for move in (*before, actions.Deal(7), actions.IdentifyCards(0, deal), *after):
                state, _ = apply(state, move)

    bets = (pokerkit.Opening.POSITION, 10, None)
    hole, board = (False, (False, False), 0, False, *bets), (False, (), 1, False, *bets)
    theirs = tuple(pokerkit.Street(*street) for street in (hole, board, board, board))
    kinds = pokerkit.Automation
    automatic = (
        kinds.ANTE_POSTING,
        kinds.BET_COLLECTION,
        kinds.BLIND_OR_STRADDLE_POSTING,
        kinds.CARD_BURNING,
        kinds.HOLE_CARDS_SHOWING_OR_MUCKING,
        kinds.HAND_KILLING,
        kinds.CHIPS_PUSHING,
        kinds.CHIPS_PULLING,
    )
    ante_trimming = True
    # Every turn of the race has deals of its own, the same for both.
    turns = [deals[start : start + count] for start in range(0, len(deals), count)]
    ours = itertools.cycle(turns)
    theirs_ = itertools.cycle([[tuple(map(str, deal)) for deal in turn] for turn in turns])

    def by_pokerkit() -> None:
        for one, two, three, four, *table in next(theirs_):
            state = pokerkit.State(
                automatic,
                pokerkit.Deck.STANDARD,
                (pokerkit.StandardHighHand,),
                theirs,
                pokerkit.BettingStructure.NO_LIMIT,
                ante_trimming,
                (10, 10),
                (0, 0),
                0,
                (1000, 1000),
                2,
            )
            state.deal_hole(one + two)
            state.deal_hole(three + four)
            for card in table:
                state.complete_bet_or_raise_to(10)
                state.check_or_call()
                state.deal_board(card)
            state.check_or_call()
            state.check_or_call()
            if state.status:
                raise ValueError("the pokerkit round is not over")

    contenders: dict[str, Callable[[], object]] = {OURS: by_croupier, "pokerkit": by_pokerkit}
    for work in contenders.values():
        work()
    return Race("complete rounds for two players", count, contenders, {"pokerkit": 20.0})


def streets_races(library: ctypes.CDLL) -> list[Race]:
    """The whole main game under best play, against plain C that looks at each five-card hand once."""
    counts = analysis.five_card_counts()
    in_c = analysis.enumerate_in_c(library, "enumerate_five", len(counts), counts)
    return [
        Race(
            f"best play of {rulebook} (in C: every hand looked at)",
            sum(counts.values()),
            {OURS: analysis.streets_work(rulebook), "C -O3": in_c},
            {"C -O3": 0.04},
        )
        for rulebook in ("md-mississippi-stud", "md-let-it-ride")
    ]


def flush_game_race(library: ctypes.CDLL) -> Race:
    """High Card Flush under best play, against plain C that scores each seven-card hand once."""
    counts = analysis.seven_card_counts()
    in_c = analysis.enumerate_in_c(library, "enumerate_seven", 8, counts)
    name = "best play of md-high-card-flush (in C: every hand scored)"
    return Race(name, sum(counts.values()), {OURS: analysis.flush_work(), "C -O3": in_c}, {"C -O3": 0.33})


def simulated_races(library: ctypes.CDLL) -> list[Race]:
    """Rounds of one seat under best play, against plain C that plays the same ones to the same ends."""
    races = []
    for rulebook, rounds, goal in ((simulation.STUD, 2_000_000, 0.75), (simulation.FLUSH, 500_000, 0.65)):
        ours, in_c = simulation.contenders(library, rulebook, rounds)
        races.append(Race(f"simulated rounds of {rulebook}", rounds, {OURS: ours, "C -O3": in_c}, {"C -O3": goal}))
    return races


def same_answers(contenders: dict[str, Callable[[], Any]]) -> dict[str, Callable[[], object]]:
    """A race is fair only if all do the same work; this also warms each of them up."""
    expected = contenders[OURS]()
    for name, work in contenders.items():
        if not np.array_equal(work(), expected):
            raise ValueError(f"{name} answers differently")
    return dict(contenders)


def run(race: Race, *, rounds: int) -> dict[str, Any]:
    names = list(race.contenders)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = time.perf_counter()
            race.contenders[name]()
            seconds[name].append(time.perf_counter() - start)
    nanoseconds = {name: spread([1e9 * s / race.units for s in taken]) for name, taken in seconds.items()}
    ratios = {
        name: spread([theirs / ours for theirs, ours in zip(seconds[name], seconds[OURS], strict=True)])
        for name in names
        if name != OURS
    }
    return {"name": race.name, "units": race.units, "ns": nanoseconds, "ratio": ratios, "goal": race.goals}


def spread(values: list[float]) -> dict[str, float]:
    low, median, high = statistics.quantiles(values, n=4)
    return {"median": round(median, 4), "low": round(low, 4), "high": round(high, 4), "best": round(min(values), 4)}


def machine(compiler: str) -> dict[str, str]:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    cc = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    packages = {name: version(name) for name in ("croupier", "numba", "numpy", "pokerkit", "treys")}
    return {"cpu": model, "system": platform.platform(), "python": platform.python_version(), "compiler": cc} | packages


def show(report: dict[str, Any]) -> None:
    print(", ".join(f"{key} {value}" for key, value in report["machine"].items()))
    for race in report["races"]:
        print(f"\n{race['name']}: {race['units']:,} in each of {report['rounds']} rounds (median, quartiles)")
        for name, ns in race["ns"].items():
            line = f"  {name:<20} {ns['median']:8.2f} ns ({ns['low']:.2f} to {ns['high']:.2f})"
            if ratio := race["ratio"].get(name):
                line = f"{line:<56} ratio {ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"
            if goal := race["goal"].get(name):
                line += f", goal {goal:.2f}"
            print(line)
    print("\nas people run it")
    for figure in report["figures"]:
        line = f"  {figure['name']:<50} {figure['value']:8.2f} {figure['unit']}"
        if figure["goal"] is not None:
            line += f", goal {'at least' if figure.get('at_least') else 'below'} {figure['goal']:g}"
        print(line)


if __name__ == "__main__":
    sys.exit(main())
