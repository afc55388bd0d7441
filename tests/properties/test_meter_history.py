"""The life of a meter as it is played: linked tables against a plain second account, and against the exact long run."""

import csv
import json
from collections import defaultdict
from fractions import Fraction
from math import ceil, exp, floor, lgamma, log, log1p, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from pyarrow import parquet

from croupier.analysis.meter_long_run import change_meters, long_run_of
from croupier.errors import Malformed
from croupier.rulebook import HouseRules, check, read_submission
from croupier.simulation import Plan, simulate, sit
from croupier.simulation.kernels.compiled_plan import lay_out
from croupier.simulation.meters.history import award_rows, history_of
from croupier.simulation.meters.linked_tables import LinkedTables, play_link
from croupier.simulation.meters.run import MeterRun, run_link, run_meters
from croupier.simulation.run import merge
from croupier.simulation.sample import sample_of
from support.running import here

LIR, STUD = "md-let-it-ride", "md-mississippi-stud"
ROUNDS = 40_000
THREE = {
    "mega": {"initial": "12345.67", "reset": "10000.00", "rate": "0.1"},
    "major": {"initial": "1000.00", "reset": "1000.00", "rate": "0.053"},
    "minor": {"initial": "250.00", "reset": "300.00", "rate": "0.041237"},
}
ONE = {"main": {"initial": "1500.00", "reset": "1000.00", "rate": "0.123457"}}
HOUSES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "a share": (LIR, {"paytable": "A", "meters": ONE}, {}),
    "at the close": (LIR, {"paytable": "A", "meters": ONE}, {"increment": "at_close"}),
    "in dollars": (LIR, {"paytable": "A", "meters": ONE}, {"display_unit": "dollar", "percent_rounding": "nearest"}),
    "topped up": (LIR, {"paytable": "A", "meters": ONE}, {"floor": "reset"}),
    "three meters": (STUD, {"paytable": "C", "meters": THREE, "reserve_rate": "0.02"}, {}),
}


def submission_of(name: str) -> dict[str, Any]:
    rulebook, progressive, readings = HOUSES[name]
    wagers = {"progressive": {"stake": "1.00", **progressive}}
    if rulebook == LIR:
        wagers["base"] = {"paytable": "A"}
    return {"rulebook": rulebook, "wagers": wagers, "readings": {"meter": readings}}


def house_of(name: str) -> HouseRules:
    found = check(read_submission(submission_of(name)))
    assert found.house is not None, found.findings
    return found.house


def plan_of(house: HouseRules, players: int = 3, seed: int = 5) -> Plan:
    bets = {"bet_1": 1000, "bet_2": 1000, "bet_3": 1000} if house.rulebook.id == LIR else {"ante": 1000}
    seats = tuple(sit(number, patron="", progressive=100, **bets) for number in range(1, players + 1))
    return Plan(house=house, seats=seats, seed=seed)


@pytest.fixture(scope="module", params=HOUSES)
def link(request: pytest.FixtureRequest) -> LinkedTables:
    return play_link(plan_of(house_of(request.param)), ROUNDS, tables=3, period=15_000, workers=2)


# --- linked tables


def by_hand(link: LinkedTables, name: str) -> tuple[list[tuple[int, int, int, int]], Fraction, Fraction]:
    """Awards (round, table, seat, cents), the end and the average in dollars: a loop over rounds and tables."""
    house = link.plan.house
    offered = house.wager("progressive")
    assert offered is not None
    meter = next(one for one in offered.meters if one.name == name)
    number = ["main", "mega", "major", "minor"].index(name)
    tallies, hits = link.tables, defaultdict(list)
    rounds = tallies[0].rounds
    for table, tally in enumerate(tallies):
        for event in tally.events:
            if event.kind == 0 and event.source == number:
                hits[event.round - tally.start, table].append((event.seat, event.amount))
    cent = Fraction(1, 100)
    unit = 1 if house.options.meter_display_unit == "dollar" else cent
    nearest = house.options.meter_percent_rounding == "nearest"
    value, held, awards = meter.initial * cent, Fraction(0), []
    adds = Fraction(meter.rate, 1_000_000) * len(link.plan.seats) * len(tallies)
    for number_of_round in range(rounds):
        if house.options.meter_increment == "at_lock":
            value += adds
        held += value
        for table in range(len(tallies)):
            for seat, percent in hits.get((number_of_round, table), ()):
                shown = floor(value / unit) * unit
                share = shown * percent  # of a cent's hundredth
                won = floor(share + Fraction(1, 2)) if nearest else ceil(share)
                value -= won * cent
                if percent == 100:
                    value += meter.reset * cent
                elif house.options.meter_floor == "reset":
                    value = max(value, meter.reset * cent)
                awards.append((number_of_round, table, seat, won))
        if house.options.meter_increment == "at_close":
            value += adds
    return awards, value, held / rounds


def test_linked_tables_are_a_loop_over_rounds_and_tables(link: LinkedTables) -> None:
    history, runs = history_of(link)
    for meter in history.meters:
        awards, value, average = by_hand(link, meter.name)
        assert [(one.round, one.table, one.seat, one.amount) for one in runs[meter.name].awards] == awards
        assert Fraction(meter.final, 1_000_000) == value
        assert meter.average == 100 * average
    assert len({award.table for run in runs.values() for award in run.awards}) > 1


def test_nothing_is_lost_between_what_goes_in_and_out(link: LinkedTables) -> None:
    history, runs = history_of(link)
    offered = link.plan.house.wager("progressive")
    assert offered is not None
    wagers, floored = ROUNDS * 9, link.plan.house.options.meter_floor == "reset"
    for meter, filed in zip(history.meters, offered.meters, strict=True):
        assert meter.initial + meter.contributed + meter.reseeded - meter.taken == meter.final
        assert meter.initial == filed.initial * 10_000
        assert meter.contributed == wagers * filed.rate
        assert meter.taken == 10_000 * sum(award.amount for award in runs[meter.name].awards)
        assert floored or meter.reseeded == meter.whole * filed.reset * 10_000
        assert meter.path[0] == (0, filed.initial // 100 * 100 if run_in_dollars(link) else filed.initial)
        assert meter.path[-1][0] == ROUNDS
        assert meter.largest >= max(cents for _, cents in meter.path)
    assert history.reserve == wagers * offered.reserve_rate
    assert history.total.staked == wagers * 100
    assert history.total.awarded == sum(meter.paid for meter in history.meters)
    assert [period.rounds for period in history.periods] == [15_000, 15_000, 10_000]
    again, _ = history_of(play_link(link.plan, ROUNDS, tables=3))
    assert again.periods == (history.total,)


def run_in_dollars(link: LinkedTables) -> bool:
    return link.plan.house.options.meter_display_unit == "dollar"


def test_the_path_passes_through_every_award() -> None:
    link = play_link(plan_of(house_of("three meters")), 1000, tables=2)
    history, runs = history_of(link)
    for meter in history.meters:
        run, shown = runs[meter.name], dict(meter.path)
        each = run.contributed // run.rounds
        units = int(meter.initial)
        for played in range(run.rounds):
            if played in shown:
                assert shown[played] == units // 10_000
            units += each + sum(
                award.reseed - award.amount * 10_000 for award in run.awards if award.round - run.start == played
            )
        assert units == meter.final


def test_one_table_is_what_it_was(link: LinkedTables) -> None:
    tally = simulate(link.plan, ROUNDS)
    assert link.tables[0] == tally
    layout = lay_out(link.plan)
    runs = run_meters(layout, tally)
    assert runs == run_link(layout, [tally])
    _, alone = history_of(link.first(1))
    assert alone == runs


def test_parts_of_a_run_in_the_middle_are_a_link_too() -> None:
    plan = plan_of(house_of("three meters"))
    tallies = [simulate(plan, 9_000, start=(table << 48) + 4_000) for table in range(2)]
    link = play_link(plan, 13_000, tables=2, period=4_000)
    assert [merge(parts) for parts in zip(*link.periods[1:], strict=True)] == tallies
    layout = lay_out(plan)
    with pytest.raises(Malformed, match="as many rounds"):
        run_link(layout, [tallies[0], simulate(plan, 5)])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"rounds": 0}, "0 rounds"),
        ({"tables": 0}, "0 tables"),
        ({"tables": 20_000}, "share a meter"),
        ({"period": 0}, "periods of 0"),
        ({"rounds": 5_000, "period": 1}, "1,000 periods"),
        ({"workers": 0}, "0 workers"),
    ],
)
def test_what_cannot_be_played_is_said(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(Malformed, match=said):
        play_link(plan_of(house_of("a share")), **{"rounds": 10} | asked)


def test_a_table_that_nobody_bets_the_meter_at_has_no_history() -> None:
    plan = plan_of(house_of("three meters"))
    with pytest.raises(Malformed, match="nobody"):
        history_of(play_link(replace(plan, seats=(sit(1, ante=1000),)), 10))


# --- what if


def test_the_same_hits_under_other_rates_and_resets_are_a_run_of_the_changed_house() -> None:
    filed = plan_of(house_of("three meters"))
    house = change_meters(filed.house, rates={"minor": 90_000, "mega": 0}, resets={"major": 77_700})
    changed = replace(filed, house=house)
    link = play_link(filed, ROUNDS, tables=2, period=20_000)
    folded, runs = history_of(link, changed)
    played, again = history_of(play_link(changed, ROUNDS, tables=2, period=20_000))
    assert (folded, runs) == (played, again)
    assert folded != history_of(link)[0]
    wheres = [[(award.round, award.table, award.seat) for award in one["minor"].awards] for one in (runs, again)]
    assert wheres[0] == wheres[1]
    with pytest.raises(Malformed, match="no meter 'main'"):
        change_meters(filed.house, rates={"main": 1}, resets={})


# --- against the exact long run


def chance_beyond(hits: int, wagers: int, chance: float) -> float:
    """How likely so many hits are, or fewer, or more: the smaller of the two tails of the binomial."""

    def exactly(count: int) -> float:
        ways = lgamma(wagers + 1) - lgamma(count + 1) - lgamma(wagers - count + 1)
        return exp(ways + count * log(chance) + (wagers - count) * log1p(-chance))

    below = sum(map(exactly, range(hits)))
    return min(below + exactly(hits), 1 - below)


def test_a_long_run_is_what_the_mathematics_says() -> None:
    """Two million wagers: hits, time between them, amounts, the average, and what was returned."""
    plan, rounds = plan_of(house_of("three meters"), players=1, seed=3), 1_000_000
    history, _ = history_of(play_link(plan, rounds, tables=2, workers=2, period=100_000))
    long_run = long_run_of(plan.house)
    returned, lives = long_run.returned, long_run.meters
    for life, meter in zip(lives, history.meters, strict=True):
        assert chance_beyond(meter.whole, 2 * rounds, float(life.whole)) > 0.0005
    life, meter = next((one, two) for one, two in zip(lives, history.meters, strict=True) if one.name == "minor")
    assert meter.between is not None
    assert meter.amounts is not None
    assert meter.between.deviation is not None
    assert meter.amounts.deviation is not None
    between = 1 / (2 * life.whole)
    assert abs(meter.between.mean - between) < 4 * meter.between.deviation / sqrt(meter.whole)
    assert meter.between.deviation == pytest.approx(float(between), rel=0.15)  # as of any rare event
    assert abs(meter.amounts.mean - life.mean) < 4 * meter.amounts.deviation / sqrt(meter.whole)
    assert float(meter.average) == pytest.approx(float(life.mean), rel=0.1)
    fixed = returned - sum((one.paid for one in lives), Fraction(0)) / 100
    assert history.total.fixed / history.total.staked == pytest.approx(float(fixed), abs=0.01)
    # What the run returned less than the long run stands on the meters, or was not put in yet.
    held = sum(one.final - one.initial for one in history.meters)
    reseeded = sum(one.reseeded for one in history.meters)
    contributed = sum(one.contribution for one in lives) * 2 * rounds
    assert history.total.awarded == contributed + Fraction(reseeded - held, 10_000)


def test_samples_are_told_by_numbers_that_were_there() -> None:
    sample = sample_of([7, 1, 3, 3, 100])
    assert sample is not None
    assert (sample.count, sample.mean, sample.least, sample.most) == (5, Fraction(114, 5), 1, 100)
    assert sample.quantiles == {1: 1, 5: 1, 25: 3, 50: 3, 75: 7, 95: 100, 99: 100}
    assert sample.deviation == pytest.approx(43.21, abs=0.01)
    single = sample_of([4])
    assert single is not None
    assert single.deviation is None


def test_rows_count_from_the_last_whole_award(link: LinkedTables) -> None:
    _, runs = history_of(link)
    rows = list(award_rows(link.plan, runs))
    assert len(rows) == sum(len(run.awards) for run in runs.values())
    last: dict[object, int] = defaultdict(int)
    for row in rows:
        assert row["rounds_since_whole_award"] == int(row["round"]) - last[row["meter"]]
        assert row["seat"] in (1, 2, 3)
        if row["percent"] == 100:
            assert row["amount_cents"] == row["shown_before_cents"]
            last[row["meter"]] = int(row["round"])


# --- the command


@pytest.fixture
def house(tmp_path: Path) -> str:
    path = tmp_path / "house.toml"
    path.write_text(json.dumps(submission_of("three meters")))
    return str(path)


def test_the_command_tells_the_long_run_and_what_was_played(house: str, tmp_path: Path) -> None:
    files = ["--csv", str(tmp_path / "a.csv"), "--parquet", str(tmp_path / "a.parquet")]
    asked = (
        "meter",
        house,
        "--players",
        "2",
        "--simulate",
        "30000",
        "--seed",
        "3",
        "--period",
        "10000",
        "--json",
        "--rounds",
        "60",
    )
    found = json.loads(here(*asked, *files).stdout)
    assert "filed" not in found
    played = found["simulated"]
    assert (played["rounds"], played["tables"], played["players"], played["seed"]) == (30_000, 1, 2, 3)
    assert [one["rounds"] for one in played["periods"]] == [10_000] * 3
    assert played["periods"][-1]["return_so_far"] == played["return"] == float(Fraction(played["return_exact_in_run"]))
    link = play_link(plan_of(house_of("three meters"), players=2, seed=3), 30_000)
    history, runs = history_of(link)
    for meter in history.meters:
        one = played["meters"][meter.name]
        assert (one["awards"], one["whole_awards"]) == (meter.awards, meter.whole)
        assert one["units"]["final"] == meter.final
        assert Fraction(one["average_shown_exact"]) == meter.average / 100
        assert one["path"][-1]["rounds"] == 30_000
        if meter.between is not None:
            assert one["rounds_between_whole_awards"]["mean"] == float(meter.between.mean)
            assert one["hours_between_whole_awards"]["mean"] == float(meter.between.mean / 60)
            assert one["whole_award_amount"]["quantiles"].keys() == {"1", "5", "25", "50", "75", "95", "99"}
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert len(rows) == sum(len(run.awards) for run in runs.values())
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == [
        {"rules": "as filed", **row} for row in award_rows(link.plan, runs)
    ]
    assert rows[0].keys() == {"rules", *next(award_rows(link.plan, runs))}


def test_a_change_is_shown_beside_the_house_as_filed(house: str) -> None:
    tables = ("--tables", "2", "--simulate", "20000", "--rounds-per-hour", "60")
    changed = json.loads(here("meter", house, "--rate", "minor=0.08", *tables, "--json").stdout)
    filed = json.loads(here("meter", house, *tables, "--json").stdout)
    assert changed["filed"] == filed
    assert changed["tables"] == 2
    assert changed["wagers_per_hour"] == 120
    same = [outlook["simulated"]["meters"]["minor"]["whole_awards"] for outlook in (filed, changed)]
    assert same[0] == same[1]
    shown = here("meter", house, "--rate", "minor=0.08", *tables).stdout
    assert "as filed" in shown
    assert "changed" in shown
    assert "2 tables, 1 player each, 60 rounds per hour: 120 bets per hour" in shown
    assert "simulated" not in here("meter", house, "--rate", "minor=0.08").stdout


def test_nothing_is_called_changed_that_is_as_filed(house: str) -> None:
    for words in ((), ("--tables", "12"), ("--tables", "1", "--rate", "mega=0.1")):
        shown = here("meter", house, *words).stdout
        assert "changed" not in shown
        assert "as filed" not in shown


def test_the_reserve_is_in_the_exact_answer(tmp_path: Path) -> None:
    text = submission_of("a share")
    text["wagers"]["progressive"]["reserve_rate"] = "0.02"
    path = tmp_path / "reserve.json"
    path.write_text(json.dumps(text))
    assert json.loads(here("meter", str(path), "--json").stdout)["reserve_per_wager_exact"] == "1/50"
    assert "reserve: $0.02 per bet" in here("meter", str(path)).stdout


def test_another_paytable_is_played_with_the_same_cards(house: str) -> None:
    """Paytable D differs from C in a fixed pay alone, so its meters live the same."""
    found = json.loads(here("meter", house, "--paytable", "D", "--simulate", "20000", "--json").stdout)
    assert found["simulated"]["meters"] == found["filed"]["simulated"]["meters"]
    assert found["long_run_return"] < found["filed"]["long_run_return"]
    assert found["simulated"]["return"] < found["filed"]["simulated"]["return"]
    given = ("--paytable", "B", "--reset", "minor=260.00")
    other = json.loads(here("meter", house, *given, "--json").stdout)
    assert set(other["meters"]) == {"major", "minor"}
    assert other["meters"]["minor"]["reset"] == "260.00"
    one = ("--paytable", "A", "--rate", "main=0.1")
    done = here("meter", house, *one, "--reset", "main=20000.00", "--simulate", "9000")
    assert done.returncode == 0, done.stderr
    assert "main: 9,000 rounds" in done.stdout
    assert "major: 9,000 rounds" in done.stdout
    low = here("meter", house, *one, "--reset", "main=5.00")
    assert low.returncode == 1
    assert "at least $10,000" in low.stderr


def test_tables_that_the_submission_names_are_as_filed(tmp_path: Path) -> None:
    text = submission_of("a share")
    text["wagers"]["progressive"]["link"] = {"name": "the hall", "tables": [{"paytable": "A", "stake": "1.00"}] * 2}
    path = tmp_path / "linked.json"
    path.write_text(json.dumps(text))
    found = json.loads(here("meter", str(path), "--simulate", "1000", "--json").stdout)
    assert (found["tables"], found["simulated"]["tables"]) == (3, 3)
    assert "filed" not in found


def test_a_time_without_an_award_has_files_without_rows(house: str, tmp_path: Path) -> None:
    files = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    done = here("meter", house, "--simulate", "1", "--csv", str(files[0]), "--parquet", str(files[1]))
    assert (done.returncode, done.stderr) == (0, "")
    names = files[0].read_text().rstrip().split(",")
    assert names[:3] == ["rules", "meter", "table"]
    table = parquet.read_table(files[1])
    assert (table.num_rows, table.column_names) == (0, names)


def test_what_was_played_until_ctrl_c_is_shown(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []

    def stop(*_: object, **__: object) -> None:
        told.append(None)
        if len(told) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr("croupier.cli.simulation_options.Progress.update", stop)
    done = here("meter", house, "--simulate", "10000", "--workers", "1", "--json")
    assert done.returncode == 130
    assert done.stderr == "croupier: stopped after 4,000 of 10,000 rounds\n"
    assert json.loads(done.stdout)["simulated"]


def test_few_awards_have_no_percentiles(house: str) -> None:
    few, many = (here("meter", house, "--simulate", rounds, "--players", "6").stdout for rounds in ("2000", "2000000"))
    assert "percentile" not in few
    assert "95th percentile" in many


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--simulate", "0"), "--simulate"),
        (("--simulate", "x"), "--simulate"),
        (("--simulate", "100", "--period", "0"), "--period"),
        (("--simulate", "5000", "--period", "1"), "1,000 periods"),
        (("--simulate", "100", "--players", "7"), "--players: 7, but this table has 6"),
        (("--simulate", "100", "--seed", str(1 << 64)), "2^64"),
        (("--simulate", "100", "--plot", "picture.pdf"), "a picture ends in .svg or .png"),
        (("--simulate", "100", "--plot", "nowhere/picture.svg"), "there is no folder"),
        (("--simulate", "100", "--csv", "nowhere/rows.csv"), "there is no folder"),
        (("--simulate", "200000000000"), "at most 100,000,000,000 rounds"),
        (("--csv", "a.csv"), "--csv requires --simulate"),
        (("--plot", "a.svg"), "--plot requires --simulate"),
        (("--rate", "minor=-0.1"), "between 0 and 1"),
        (("--rate", "main=0.1"), "no meter 'main'"),
        (("--reset", "minor=x"), "--reset"),
        (("--paytable", "Z"), "--paytable: the progressive has no 'Z': A, B, C, D"),
        (("--paytable", "A"), "--rate main=… and --reset main=…"),
        (("--tables", "0"), "--tables"),
    ],
)
def test_nonsense_is_one_line(house: str, words: tuple[str, ...], said: str) -> None:
    done = here("meter", house, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["picture.svg", "picture.PNG"])
def test_a_picture_shows_path_and_amounts(name: str, house: str, tmp_path: Path) -> None:
    path = tmp_path / name
    done = here("meter", house, "--simulate", "20000", "--tables", "2", "--plot", str(path))
    assert done.returncode == 0, done.stderr
    if name.endswith("PNG"):
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert data.endswith(b"IEND\xaeB`\x82")
        return
    shown = {text for element in ElementTree.parse(path).iter() if (text := (element.text or "").strip())}
    assert "Mississippi Stud, Maryland: house.toml" in shown
    assert {"What the minor meter shows", "rounds played at each table"} <= shown
    assert "Size of full jackpots" not in shown, "too few to be a picture"
    assert "20,000 rounds at each table, seed 0; 2 tables with 1 player" in shown


def test_a_run_that_was_stopped_ends_quietly(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> LinkedTables:
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.simulation.play_link", stop)
    done = here("meter", house, "--simulate", "1000")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_run_of_a_meter_knows_its_rounds() -> None:
    run: MeterRun = run_meters(lay_out(plan := plan_of(house_of("at the close"))), simulate(plan, 500, start=7))["main"]
    assert (run.start, run.rounds, run.late) == (7, 500, True)
