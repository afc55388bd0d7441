"""Procedure load: the same cents as the compiled simulation, and what irregularities do to money, cards and time."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from typing import get_args

import pytest

from croupier.errors import Malformed
from croupier.floor import (
    EVENING,
    Evening,
    Floor,
    LoadPlan,
    LoadRecord,
    RoundSpan,
    floor_of,
    load,
    merge,
    open_evening,
    play_evenings,
    play_parts,
)
from croupier.floor.incidents import draw
from croupier.games.round import patron_of
from croupier.money import MOST
from croupier.rulebook import check, load_rulebook, read_submission_text, rulebook_ids
from croupier.rulebook.names import Irregularity
from croupier.rulebook.template import starting_submission
from croupier.simulation import Plan, Seat, figures, simulate, write_scripts
from croupier.table_speed import round_seconds
from support import slices
from support.random_rounds import HCF, LIR, MA, MS
from support.running import here

EVENINGS = slices.count(full=2, sliced=1)
"""Whole ones, before a short one."""
MACHINES = 'decks = 2\nshuffle = "automated_counting"\ndeal = "automated_shoe"\ndeck_hours = 8\n'
APPROVED = 'continuous_shuffler = "A-1"'
BY_HAND = 'decks = 1\nshuffle = "manual"\ndeal = "manual_shoe"\ndeck_hours = 4\n'


@cache
def plan_of(
    rulebook: str, seats: int = 2, *, cards: str = MACHINES, main_only: bool = False, mistakes: int = 0
) -> Plan:
    """A table with every wager at its minimum, or with the main ones alone."""
    lines = starting_submission(load_rulebook(rulebook), every_wager=cards == MACHINES).splitlines()
    first = lines.index("[cards]") + 1
    last = lines.index("", first)
    mode = [line for line in lines[first:last] if "cover_all_mode" in line]
    lines = [*lines[:first], cards, *mode, *lines[last:]]
    lines.insert(lines.index(next(line for line in lines if line.startswith("[approvals]"))) + 1, APPROVED)
    verdict = check(read_submission_text("\n".join(lines), name="a house"))
    assert verdict.house is not None, verdict.findings
    stakes = tuple(
        (wager.name, wager.stakes.minimum)
        for wager in verdict.house.wagers
        if wager.stakes is not None and (not main_only or wager.paytables[0].group == "base")
    )
    boxes = tuple(Seat(number, stakes) for number in range(1, seats + 1))
    return Plan(house=verdict.house, seats=boxes, seed=20_260_702, mistakes=mistakes)


def periods(evening: Evening, plan: Plan, floor: Floor, rounds: int, start: int = 0) -> Iterator[RoundSpan]:
    for number, script in enumerate(write_scripts(plan, rounds, start), start):
        yield evening.play(script, draw(plan, floor.chance, number, script))


def chips(evening: Evening, plan: Plan) -> dict[int, int]:
    """What each player has more than at first, with what was paid away from the tray."""
    books = {str(account): amount for account, amount in evening.table.books}
    found = {seat.number: books[f"chips player {seat.number}"] - MOST for seat in plan.seats}
    return found | {0: books.get("hand paid", 0)}


# --- without irregularities


@pytest.mark.parametrize(
    ("rulebook", "cards"),
    [(MS, MACHINES), (MA, MACHINES), (LIR, MACHINES), (HCF, MACHINES), (MS, BY_HAND)],
    ids=[MS, MA, LIR, HCF, "by hand"],
)
def test_without_irregularities_every_cent_is_the_simulation_s(rulebook: str, cards: str) -> None:
    """Each wager of each seat, and each meter: two evenings, with a tenth of the decisions left to chance."""
    plan = plan_of(rulebook, 3, cards=cards, mistakes=100_000)
    floor = floor_of(plan, rates={"all": 0})
    for start, rounds in ((0, 100), (EVENING, 50)):
        evening, sums = open_evening(plan, floor), defaultdict[tuple[int, str], list[int]](lambda: [0, 0, 0])
        for period in periods(evening, plan, floor, rounds, start):
            for box in period.round.boxes:
                for one in box.results:
                    for place, cents in enumerate((one.staked, one.won, one.returned)):
                        sums[box.seat, one.wager][place] += cents
        expected = figures(plan, simulate(plan, rounds, start))
        assert dict(sums) == {
            (box.seat, wager.wager): [wager.sums.staked, wager.sums.won, wager.sums.returned]
            for box in expected.boxes
            for wager in box.wagers
            if wager.sums.staked
        }
        assert {meter.name: meter.units for meter in evening.table.progressive.meters} == {
            name: run.final.units for name, run in expected.meters.items()
        }
        assert sum(chips(evening, plan).values()) == sum(box.sums.net for box in expected.boxes)


def test_a_player_with_two_boxes_and_a_linked_meter() -> None:
    text = starting_submission(load_rulebook(LIR), every_wager=True).replace("boxes = 1", "boxes = 2")
    text = text.replace("[wagers.progressive]", '[wagers.progressive]\nlink = "harbor"')
    house = check(read_submission_text(text, name="a house")).house
    assert house is not None
    stakes = tuple((wager.name, wager.stakes.minimum) for wager in house.wagers if wager.stakes is not None)
    plan = Plan(house=house, seats=(Seat(4, stakes, "Ann"), Seat(3, stakes[::-1], "Ann"), Seat(1, stakes)), seed=8)
    floor = floor_of(plan, rates={"all": 0})
    evening = open_evening(plan, floor)
    boxes = [(period.round, box) for period in periods(evening, plan, floor, 60) for box in period.round.boxes]
    expected = figures(plan, simulate(plan, 60))
    nets = {box.seat: box.sums.net for box in expected.boxes}
    books = {str(account): amount for account, amount in evening.table.books}
    assert {box.seat: patron_of(state, box) for state, box in boxes} == {1: "player 1", 3: "Ann", 4: "Ann"}
    assert books["chips Ann"] - MOST == nets[3] + nets[4]
    assert books["chips player 1"] - MOST == nets[1]
    assert evening.table.progressive.meters[0].units == expected.meters["main"].final.units


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_what_was_undisturbed_is_what_a_quiet_table_plays(rulebook: str) -> None:
    plan = plan_of(rulebook, main_only=True)
    rates = ({"all": 30_000}, {"all": 0})
    loud, quiet = (play_evenings(LoadPlan(plan=plan, floor=floor_of(plan, rates=one)), 60) for one in rates)
    assert sum(one.times for one in loud.happened) > 10
    assert quiet.played == quiet.undisturbed
    for field in ("staked", "returned", "won", "house", "void", "refunded"):
        assert getattr(loud.undisturbed, field) == getattr(quiet.played, field)
    assert loud.played.house != quiet.played.house
    assert loud.played.seconds > loud.undisturbed.seconds


# --- with them: money


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_cent_is_accounted_for(rulebook: str) -> None:
    plan = plan_of(rulebook, 3)
    floor = floor_of(plan, rates={"all": 40_000})
    evening, record = open_evening(plan, floor), play_evenings(LoadPlan(plan=plan, floor=floor), 80)
    rounds = [period.round for period in periods(evening, plan, floor, 80)]
    played = record.played
    books = {str(account): amount for account, amount in evening.table.books}
    assert sum(books.values()) == 0
    assert books.get("layout", 0) == 0
    assert sum(chips(evening, plan).values()) == -played.house
    assert played.staked == played.refunded + played.returned + played.won + played.house
    void = [one for state in rounds for box in state.boxes for one in box.results if one.outcome == "void"]
    assert played.refunded == sum(one.staked for one in void) == sum(one.refunded for one in record.happened) > 0
    assert played.void == sum(one.void for one in record.happened)
    assert played.hands_void == sum(one.hands_void for one in record.happened)
    (rate,) = {meter.rate for wager in plan.house.wagers for meter in wager.meters}
    staked = sum(dict(seat.stakes)["progressive"] for seat in plan.seats)
    back = sum(one.staked for one in void if one.wager == "progressive")
    assert (played.raised, played.lowered) == (80 * staked * rate // 100, back * rate // 100)
    assert played.completed == played.rounds - played.void


@pytest.mark.parametrize("option", ["reverse", "keep"])
def test_contributions_of_void_stakes_follow_the_house(option: str) -> None:
    text = starting_submission(load_rulebook(MS), every_wager=True)
    house = check(read_submission_text(f'{text}\nmeter.on_void = "{option}"\n', name="a house")).house
    assert house is not None
    stakes = tuple((wager.name, wager.stakes.minimum) for wager in house.wagers if wager.stakes is not None)
    plan = Plan(house=house, seats=(Seat(1, stakes),))
    floor = floor_of(plan, rates={"all": 0, "stub_wrong_misdealt": 1_000_000})
    played = play_evenings(LoadPlan(plan=plan, floor=floor), 4).played
    assert (played.raised, played.void) == (4 * 100_000, 4)
    assert played.lowered == (played.raised if option == "reverse" else 0)


# --- with them: what each does

GOES_ON = {"one_card_face_up", "card_drawn_unseen", "card_drawn_seen", "player_card_flashed", "shoe_failed_after_deal"}
OF_THE_TABLE = {"shuffler_failed", "shuffler_count_wrong", "device_unusable"}
MAIN_VOID = {HCF: {"cards_face_up", "wrong_count_player", "wrong_count_dealer", "dealer_exposed"}}
HAND_VOID = {MA: {"wrong_count_player"}}
NOT_HERE = {
    MS: {"wrong_count_dealer", "dealer_exposed"},
    LIR: {"wrong_count_dealer", "dealer_exposed"},
    MA: {"wrong_count_dealer", "dealer_exposed", "wrong_count_box", "box_exposed"},
    HCF: {"wrong_count_community", "community_exposed", "wrong_count_box", "box_exposed"},
}
"""Read from the documents: what voids nothing, what voids the main wagers or one hand; all others void the round."""
CASES = [(book, name) for book in rulebook_ids() for name in get_args(Irregularity) if name not in NOT_HERE[book]]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_floor_knows_every_irregularity_of_the_document(rulebook: str) -> None:
    plan = plan_of(rulebook)
    names = {one.name for one in floor_of(plan).chance}
    assert names == {one.event for one in plan.house.rulebook.irregularities.irregularity}
    assert names == {name for book, name in CASES if book == rulebook}


@pytest.mark.parametrize(("rulebook", "name"), CASES)
def test_each_irregularity_does_what_its_clause_says(rulebook: str, name: Irregularity) -> None:
    plan = plan_of(rulebook)
    floor = floor_of(plan, rates={"all": 0, name: 1_000_000})
    evening, before = open_evening(plan, floor), dict.fromkeys((0, 1, 2), 0)
    happened = 0
    for period in periods(evening, plan, floor, 5):
        results = {(box.seat, one.wager): one for box in period.round.boxes for one in box.results}
        void = {key for key, one in results.items() if one.outcome == "void"}
        main = {key for key in results if plan.house.wager(key[1]).paytables[0].group == "base"}  # type: ignore[union-attr]
        after = chips(evening, plan)
        happened += period.happened
        if not period.happened or name in GOES_ON | OF_THE_TABLE:
            assert not void
        elif name in MAIN_VOID.get(rulebook, ()):
            assert {key for key in void if key in main} == main
        elif name in HAND_VOID.get(rulebook, ()):
            assert len({seat for seat, _ in void & main}) == 1
        else:
            assert all(one.outcome in {"void", "withdrawn"} for one in results.values())
            assert after == before
            assert period.raised == period.lowered > 0
        assert all((one.won, one.returned) == (0, one.staked) for key, one in results.items() if key in void)
        before = after
    assert happened >= (3 if name in {"community_exposed", "wrong_count_dealer"} else 5)
    gone = name in {"stub_wrong_deck", "foreign_card", "shuffler_count_wrong"}
    assert len(evening.table.cards.retired) == (happened if gone else 0)
    assert (evening.table.devices.out_of_use, evening.table.devices.failed) == ((), ())


@pytest.mark.parametrize(
    ("rulebook", "name"), [(MS, "wrong_count_box"), (LIR, "stub_wrong_misdealt"), (MA, "shoe_failed")]
)
def test_a_void_stake_cites_the_clause_that_the_record_names(rulebook: str, name: Irregularity) -> None:
    plan = plan_of(rulebook)
    procedure = LoadPlan(plan=plan, floor=floor_of(plan, rates={"all": 0, name: 1_000_000}))
    period = next(periods(open_evening(plan, procedure.floor), plan, procedure.floor, 1))
    (said,) = {(one.clause, one.reading) for box in period.round.boxes for one in box.results}
    (row,) = (one for one in play_evenings(procedure, 1).happened if one.times)
    assert (row.name, row.clause, row.reading) == (name, *said)


def test_a_table_without_devices_or_box_is_spared_what_befalls_them() -> None:
    names = {one.name for one in floor_of(plan_of(MS, cards=BY_HAND)).chance}
    spared = OF_THE_TABLE | {"shoe_failed", "shoe_failed_after_deal", "wrong_count_box", "box_exposed"}
    assert names == {name for book, name in CASES if book == MS} - spared


# --- with them: time

NOTHING = dict.fromkeys((one.name for one in floor_of(plan_of(MS)).step), 0)


def lost(name: Irregularity, **seconds: int) -> tuple[float, float, float]:
    """How often something happened, seconds in all, and seconds lost by it."""
    plan = plan_of(MS)
    floor = floor_of(plan, rates={"all": 0, name: 1_000_000}, seconds=NOTHING | seconds)
    record = play_evenings(LoadPlan(plan=plan, floor=floor), 4)
    (row,) = (one for one in record.happened if one.times)
    return row.times, float(record.played.seconds), float(row.seconds)


def test_time_lost_is_all_of_a_void_round_and_else_what_the_round_took_longer() -> None:
    assert lost("one_card_face_up", betting=10, floor_called=7) == (4, 4 * 17, 4 * 7)
    assert lost("cards_face_up", betting=10, floor_called=7) == (4, 4 * 17, 4 * 17)
    assert lost("foreign_card", betting=10, deck_brought=60, deck_opened=5) == (4, 4 * 105, 4 * 105)
    assert lost("shuffler_count_wrong", betting=10, deck_removed=30) == (4, 4 * 40, 4 * 30)
    assert lost("device_unusable", device_out=60, device_restored=300) == (4, 4 * 360, 4 * 360)
    assert lost("stub_wrong_deck", stub_count=15, holdings=120, settlement=1000) == (4, 4 * 135, 4 * 135)


@pytest.mark.parametrize("rulebook", rulebook_ids())
@pytest.mark.parametrize("cards", [MACHINES, BY_HAND], ids=["machines", "by hand"])
@pytest.mark.parametrize("seats", [1, 3, 5])
def test_an_undisturbed_round_takes_what_the_table_speed_model_says(rulebook: str, cards: str, seats: int) -> None:
    """Whoever folds, and whatever is staked on the side: every command that counts hours counts the same ones."""
    plan = plan_of(rulebook, seats, cards=cards, main_only=True)
    for pace, seconds in ((None, round_seconds(plan.house, seats)), (37, Fraction(3600, 37))):
        floor = floor_of(plan, rates={"all": 0}, rounds_per_hour=pace)
        rounds = list(periods(open_evening(plan, floor), plan, floor, 4))
        assert {period.seconds for period in rounds} == {seconds}


def test_dollars_per_hour_come_with_their_error() -> None:
    plan = plan_of(LIR, 3, main_only=True)
    floor = floor_of(plan, rates={"all": 0})
    wins = [
        sum(wager.staked - wager.returned - wager.won for box in period.round.boxes for wager in box.results)
        for period in periods(open_evening(plan, floor), plan, floor, 80)
    ]
    played = play_evenings(LoadPlan(plan=plan, floor=floor), 80).played
    mean = Fraction(sum(wins), 80)
    error = sqrt(sum((won - mean) ** 2 for won in wins) / 79 / 80)
    assert played.completed_per_hour is not None
    assert played.won_per_hour is not None
    assert played.won_per_hour[0] == mean * played.completed_per_hour
    assert played.won_per_hour[1] == pytest.approx(error * float(played.completed_per_hour))


def test_a_shuffle_takes_time_from_a_table_that_waits_for_it() -> None:
    cards = {
        BY_HAND: 60,
        MACHINES: 2,
        MACHINES.replace("2", "1", 1): 45,
        MACHINES.replace("2", "1", 1).replace("automated_counting", "continuous"): 2,
    }
    for text, seconds in cards.items():
        plan = plan_of(MS, cards=text, main_only=True)
        only = NOTHING | {"shuffle_by_hand": 60, "shuffle_by_device": 45, "shuffle_meanwhile": 2}
        floor = floor_of(plan, rates={"all": 0}, seconds=only)
        assert play_evenings(LoadPlan(plan=plan, floor=floor), 6).played.seconds == 6 * seconds


def test_a_deck_is_replaced_when_its_hours_are_over() -> None:
    plan = plan_of(MS, cards=BY_HAND, main_only=True)
    floor = floor_of(plan, rates={"all": 0}, seconds=NOTHING | {"betting": 1800, "deck_brought": 60})
    played = play_evenings(LoadPlan(plan=plan, floor=floor), 20).played
    assert played.seconds == 20 * 1800 + 2 * 60


# --- the same figures


@pytest.fixture(scope="module")
def procedure() -> LoadPlan:
    plan = plan_of(HCF, 1, main_only=True)
    return LoadPlan(plan=plan, floor=floor_of(plan, rates={"all": 20_000}))


@pytest.fixture(scope="module")
def whole(procedure: LoadPlan) -> LoadRecord:
    return play_evenings(procedure, EVENINGS * EVENING + 40)


def test_evenings_can_be_played_anywhere_in_any_order(procedure: LoadPlan, whole: LoadRecord) -> None:
    parts = [play_evenings(procedure, 40, EVENINGS * EVENING), play_evenings(procedure, EVENINGS * EVENING)]
    assert merge(parts) == merge(parts[::-1]) == whole
    assert sum(one.times for one in whole.happened) > 25 * EVENINGS
    assert play_evenings(procedure, 40, EVENING) != play_evenings(procedure, 40)


def test_processes_change_nothing(procedure: LoadPlan, whole: LoadRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LONG", 0)
    records = list(play_parts(procedure, EVENINGS * EVENING + 40, workers=2))
    assert len(records) == EVENINGS + 1
    assert merge(records) == whole


def test_another_seed_is_another_record(procedure: LoadPlan) -> None:
    other = Plan(house=procedure.plan.house, seats=procedure.plan.seats, seed=1)
    assert play_evenings(LoadPlan(plan=other, floor=procedure.floor), 40) != play_evenings(procedure, 40)


@pytest.mark.parametrize(("rounds", "start"), [(0, 0), (-1, 0), (5, -250), (5, 7)])
def test_nonsense_is_refused(procedure: LoadPlan, rounds: int, start: int) -> None:
    with pytest.raises(Malformed):
        play_evenings(procedure, rounds, start)


def test_nothing_cannot_be_merged(procedure: LoadPlan) -> None:
    with pytest.raises(Malformed):
        merge([])
    with pytest.raises(Malformed):
        next(play_parts(procedure, 0))


# --- the command


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("house") / "house.toml"
    file.write_text(starting_submission(load_rulebook(HCF)))
    return file


def test_the_command_gives_the_record(house: Path, tmp_path: Path) -> None:
    words = ("irregularities", str(house), "-n", "60", "--seed", "3", "--rate", "all=2%", "--rate", "foreign_card=20%")
    done = here(*words, "--seconds", "floor_called=600", "--json", "--csv", str(tmp_path / "rows.csv"))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    rows = {row["name"]: row for row in found["irregularities"]}
    assert rows["foreign_card"]["rate"] == "1/5"
    assert rows["foreign_card"]["times"] == rows["foreign_card"]["rounds_void"] > 3
    assert found["seconds"]["floor_called"] == 600
    assert float(found["played"]["refunded"]) == sum(float(row["refunded"]) for row in rows.values()) > 0
    with (tmp_path / "rows.csv").open() as file:
        lines = {row["irregularity"]: row for row in csv.DictReader(file)}
    assert {name: float(row["seconds_lost"]) for name, row in lines.items()} == {
        name: row["seconds_lost"] for name, row in rows.items()
    }
    shown = here(*words).stdout
    assert "assumed, not measured" in shown
    assert "foreign card" in shown


def test_a_table_where_nothing_goes_wrong(house: Path) -> None:
    done = here("irregularities", str(house), "-n", "20", "--rate", "all=0%", "--json")
    found = json.loads(done.stdout)
    assert found["played"] == found["undisturbed"]
    assert {row["times"] for row in found["irregularities"]} == {0}


def test_ctrl_c_shows_what_was_done(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = play_evenings

    def stop(procedure: LoadPlan, rounds: int, start: int = 0) -> LoadRecord:
        if start:
            raise KeyboardInterrupt
        return played(procedure, rounds // 25, start)

    monkeypatch.setattr(load, "play_evenings", stop)
    done = here("irregularities", str(house), "-n", "2000", "--workers", "1", "--json")
    assert done.returncode == 130
    assert json.loads(done.stdout)["rounds"] == 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rate", "luck=1%"), "foreign_card"),
        (("--rate", "shoe_failed=1%"), "shoe_failed"),
        (("--rate", "foreign_card=-1%"), "-1%"),
        (("--rate", "foreign_card=101%"), "101%"),
        (("--rate", "foreign_card=0.00001%"), "millionths"),
        (("--rate", "all=20%"), "in total"),
        (("--rate", "foreign_card"), "foreign_card=0.1%"),
        (("--rate", "all=1%", "--rate", "all=2%"), "twice"),
        (("--seconds", "lunch=5"), "betting"),
        (("--seconds", "betting=-5"), "-5"),
        (("--seconds", "betting=100000"), "86400"),
        (("--rounds", "0"), "rounds"),
        (("--seats", "7"), "6"),
        (("--strategy", "luck"), "optimal"),
        (("--bet", "luck=5.00"), "luck"),
        (("--scheduler", "nonsense"), "nonsense"),
        (("--rounds", "1", "--csv", "/nowhere/rows.csv"), "/nowhere"),
    ],
)
def test_nonsense_gets_one_clear_line(
    house: Path, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.simulation.parallel.SECONDS", 1)
    done = here("irregularities", str(house), *words)
    assert done.returncode == 2, done
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
