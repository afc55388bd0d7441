"""Histories, what a table holds and what becomes of a player's money, each against a plain loop over the rounds."""

import csv
import json
import re
from fractions import Fraction
from math import floor, sqrt
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from pyarrow import parquet

from croupier.analysis.cache import cached_arrays, cached_prices
from croupier.analysis.cases import cases_of_house
from croupier.analysis.meter_long_run import long_run_of
from croupier.errors import Malformed
from croupier.money import Cents
from croupier.rulebook import check, load_rulebook, read_submission, rulebook_ids
from croupier.rulebook.submission import read_submission_text
from croupier.rulebook.template import starting_submission
from croupier.simulation import (
    Calendar,
    History,
    HistoryStopped,
    Plan,
    Seat,
    expected_win,
    figures,
    hold_of,
    keep_history,
    largest_stake,
    opening_stake,
    quantiles,
    simulate,
    sit,
    visits_of,
)
from croupier.simulation.history import MOST_KEPT
from support.random_rounds import HCF, LIR, MS
from support.running import here

CALENDAR = Calendar(rounds_per_hour=20, hours=6, shifts=3)


def plan_of(rulebook: str, *, every_wager: bool = False, seats: int = 1) -> Plan:
    """A house as one begins with it, each wager at its least."""
    text = starting_submission(load_rulebook(rulebook), every_wager=every_wager)
    house = check(read_submission_text(text, name=rulebook)).house
    assert house is not None
    stakes = tuple((wager.name, wager.stakes.minimum) for wager in house.wagers if wager.stakes)
    return Plan(house=house, seats=tuple(Seat(number, stakes) for number in range(1, seats + 1)), seed=5)


@pytest.fixture(scope="module")
def stud() -> History:
    house = check(read_submission({"rulebook": MS})).house
    assert house is not None
    return keep_history(Plan(house=house, seats=(sit(1, ante=1000), sit(2, ante=1500)), seed=3), 40_000, workers=2)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_history_adds_up_to_the_tally(rulebook: str) -> None:
    plan, rounds = plan_of(rulebook, every_wager=True, seats=3), 300_000
    history, sums = keep_history(plan, rounds, workers=2), figures(plan, simulate(plan, rounds))
    assert any(run.awards for run in sums.meters.values())
    for place, box in enumerate(sums.boxes):
        withdrawn = sum(
            wager.outcomes.get("withdrawn", 0) * wager.sums.staked // wager.sums.rounds
            for wager in box.wagers
            if wager.sums.rounds
        )
        assert int(history.handle[place].sum()) == box.sums.staked - withdrawn
        assert int(history.brought[place].sum()) == box.sums.net
        assert int((history.brought[place] ** 2).sum()) == box.sums.squares


def test_a_history_is_the_same_on_any_number_of_threads(stud: History) -> None:
    again = keep_history(stud.plan, stud.rounds, workers=1)
    for one, other in zip((*stud.handle, *stud.brought), (*again.handle, *again.brought), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("rulebook", "times"), [(MS, 10), (LIR, 3), (HCF, 4)])
def test_the_most_that_a_round_asks(rulebook: str, times: int) -> None:
    plan = plan_of(rulebook)
    assert largest_stake(plan) == times * plan.seats[0].stakes[0][1]


@pytest.mark.parametrize("rounds", [0, -1, MOST_KEPT])
def test_what_cannot_be_kept_is_refused(stud: History, rounds: int) -> None:
    with pytest.raises(Malformed, match="can be stored"):
        keep_history(stud.plan, rounds)


# --- what a table holds


def test_every_period_is_summed(stud: History) -> None:
    holds = hold_of(stud, CALENDAR)
    assert [(hold.period, hold.rounds, len(hold.won)) for hold in holds] == [
        ("shift", 40, 1000),
        ("day", 120, 333),
        ("month", 3600, 11),
    ]
    for hold in holds:
        won, handle = [], []
        for first in range(0, len(hold.won) * hold.rounds, hold.rounds):
            some = slice(first, first + hold.rounds)
            won.append(-sum(sum(row[some].tolist()) for row in stud.brought))
            handle.append(sum(sum(row[some].tolist()) for row in stud.handle))
        assert hold.won.tolist() == won
        assert hold.handle.tolist() == handle
        mean = Fraction(sum(won), len(won))
        assert hold.mean == mean
        assert hold.deviation == pytest.approx(sqrt(sum((value - mean) ** 2 for value in won) / (len(won) - 1)))
        assert hold.losses == sum(value < 0 for value in won)
        assert hold.hold_of_handle.mean == Fraction(sum(won), sum(handle))
        by_round = np.sum(stud.brought, axis=0)
        assert hold.standard_error == pytest.approx(float(by_round.std()) * sqrt(hold.rounds / len(won)))


def test_the_error_of_a_hold_is_that_of_the_ratio_of_sums(stud: History) -> None:
    """A naive jackknife over the shifts gives the same error; it is one error, whatever the period is called."""
    shift, day, month = hold_of(stud, CALENDAR, buy_in=20_000)
    assert shift.drop is not None
    won, drop = shift.won.astype(float), shift.drop.astype(float)
    left_out = (won.sum() - won) / (drop.sum() - drop)
    jackknife = sqrt((len(won) - 1) / len(won) * float(((left_out - left_out.mean()) ** 2).sum()))
    assert shift.hold_of_drop is not None
    assert shift.hold_of_drop.mean == Fraction(int(shift.won.sum()), int(shift.drop.sum()))
    assert shift.hold_of_drop.standard_error == pytest.approx(jackknife, rel=0.02)
    errors = {hold.hold_of_drop and hold.hold_of_drop.standard_error for hold in (shift, day, month)}
    assert len(errors) == 1
    assert shift.hold_of_handle.deviation is not None
    assert day.hold_of_handle.deviation is not None
    assert day.hold_of_handle.deviation < shift.hold_of_handle.deviation


def test_bets_that_are_taken_back_are_not_handle() -> None:
    """Let It Ride by its exact figures: win over handle is the element of risk."""
    plan = plan_of(LIR, seats=2)
    history = keep_history(plan, 600_000, workers=2)
    record = cached_prices(next(case for case in cases_of_house(plan.house) if case.wager == "base"))[0]
    assert record.average_wager is not None
    unit = plan.seats[0].stakes[0][1]
    staked = sum(int(row.sum()) for row in history.handle) / (2 * history.rounds * unit)
    assert staked == pytest.approx(float(record.average_wager), rel=0.002)
    assert staked < 1.3  # of three bets put up


def test_the_drop_is_what_players_buy_in_for(stud: History) -> None:
    buy_in, needs = 20_000, [largest_stake(stud.plan, seat) for seat in (0, 1)]
    assert needs == [10_000, 15_000]
    (shift, *_), length = hold_of(stud, CALENDAR, buy_in=buy_in), 40
    expected = []
    for first in range(0, 40_000, length):
        bought = 0
        for row, need in zip(stud.brought, needs, strict=True):
            money = buy_in
            bought += buy_in
            for number, brought in enumerate(row[first : first + length].tolist(), start=1):
                money += brought
                while money < need and number < length:
                    money, bought = money + buy_in, bought + buy_in
        expected.append(bought)
    assert shift.drop is not None
    assert shift.drop.tolist() == expected
    assert len(set(expected)) > 2
    with pytest.raises(Malformed, match="does not cover a round"):
        hold_of(stud, CALENDAR, buy_in=14_999)


def test_the_exact_edges_of_a_round() -> None:
    plan = plan_of(MS)
    assert expected_win(plan).cents == Fraction(53223, 1082900) * plan.seats[0].stakes[0][1]
    assert not expected_win(plan).long_run


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_expected_win_of_every_wager_is_what_is_won_in_the_end(rulebook: str) -> None:
    """Exact edges, progressives in the long run and envy; the run begins where the meters are on average."""
    plan = plan_of(rulebook, every_wager=True, seats=2)
    lives = {life.name: round(life.mean) for life in long_run_of(plan.house).meters}
    wagers = tuple(
        replace(wager, meters=tuple(replace(meter, initial=Cents(lives[meter.name])) for meter in wager.meters))
        for wager in plan.house.wagers
    )
    plan = replace(plan, house=replace(plan.house, wagers=wagers))
    expected, history = expected_win(plan), keep_history(plan, 1_500_000, workers=2)
    assert expected.cents is not None
    assert (expected.missing, expected.long_run) == ((), True)
    won = -np.sum(history.brought, axis=0)
    assert abs(float(won.mean()) - float(expected.cents)) < 3.5 * float(won.std()) / sqrt(history.rounds)


def test_what_has_no_expected_win_says_why() -> None:
    plan = plan_of(MS, every_wager=True)
    assert expected_win(replace(plan, mistakes=10_000)).missing == (
        "main game: decisions are made at random",
        "progressive: a fold forfeits it, so its long-run return is known for optimal play only",
    )
    assert expected_win(replace(plan, strategy="mine:own")).missing[0] == "main game: decisions are made by a function"


def test_the_swing_of_a_day_follows_from_a_round() -> None:
    """Rounds are independent, so a day deviates by the root of its rounds times as much as one."""
    plan = plan_of(HCF)
    history = keep_history(plan, 1_200_000, workers=2)
    day = hold_of(history, CALENDAR)[1]
    assert day.deviation == pytest.approx(float(history.brought[0].std()) * sqrt(day.rounds), rel=0.03)
    expected = expected_win(plan).cents
    assert expected is not None
    error = float(history.brought[0].std()) / sqrt(history.rounds)
    assert abs(float(day.mean / day.rounds - expected)) < 3 * error


def test_less_than_a_shift_is_no_hold(stud: History) -> None:
    with pytest.raises(Malformed, match="do not fill a shift"):
        hold_of(stud, Calendar(rounds_per_hour=10_000, hours=24, shifts=1))
    with pytest.raises(Malformed, match="whole rounds; numbers of shifts that fit: 1, 2, 4, 8"):
        Calendar(rounds_per_hour=1, hours=8, shifts=3)


def test_quantiles_are_values_that_came_about() -> None:
    values = np.array([5, -3, 9, 0, 7, 7, 2, 1, 4, 8])
    assert quantiles(values, (1, 10, 50, 91, 100)) == {1: -3, 10: -3, 50: 4, 91: 9, 100: 9}


def test_sums_that_would_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch, stud: History) -> None:
    monkeypatch.setattr("croupier.simulation.history.LARGEST", 10**7)
    with pytest.raises(Malformed, match="too much for exact sums"):
        keep_history(stud.plan, 1000)


def test_a_history_that_is_stopped_has_the_rounds_up_to_then(
    monkeypatch: pytest.MonkeyPatch, stud: History, tmp_path: Path
) -> None:
    monkeypatch.setattr("croupier.simulation.history.PART", 1000)
    told: list[int] = []

    def stop(rounds: int) -> None:
        told.append(rounds)
        if len(told) == 5:
            raise KeyboardInterrupt

    with pytest.raises(HistoryStopped) as stopped:
        keep_history(stud.plan, 20_000, done=stop)
    assert stopped.value.history is not None
    assert stopped.value.history.rounds == 5000
    assert np.array_equal(stopped.value.history.brought[1], stud.brought[1][:5000])
    (tmp_path / "house.toml").write_text('rulebook = "md-mississippi-stud"\n')
    monkeypatch.chdir(tmp_path)
    for words in (("hold", "--months", "1"), ("bankroll", "--bankroll", "500", "--visits", "100")):
        told.clear()
        with monkeypatch.context() as patch:
            patch.setattr("croupier.cli.simulation_options.Progress.update", lambda *_, **__: stop(1000))
            run = here(words[0], "house.toml", *words[1:])
        assert run.returncode == 130
        assert run.stderr.startswith("croupier: stopped after 5,000 of ")
        assert "md-mississippi-stud" not in run.stderr
        assert run.stdout


# --- what becomes of a player's money


def test_visits_end_when_the_money_does(stud: History) -> None:
    """Against a plain loop: ruin is less than an ante, and a round that takes more than is left is played for that."""
    bankroll, rounds = 20_000, 150
    visits = visits_of(stud, bankroll=bankroll, rounds=rounds)
    opening, need = opening_stake(stud.plan), largest_stake(stud.plan)
    assert (opening, need) == (1000, 10_000)
    shorts = 0
    for visit in range(40_000 // rounds):
        money, played, seen, short = bankroll, 0, [bankroll], bankroll < need
        some = slice(visit * rounds, (visit + 1) * rounds)
        for brought, handle in zip(stud.brought[0][some].tolist(), stud.handle[0][some].tolist(), strict=True):
            if money >= opening:
                shorts += handle > money
                money += brought if handle <= money else floor(Fraction(brought * money, handle))
                played, short = played + 1, short or money < need
            seen.append(money)
        assert (int(visits.left[visit]), int(visits.played[visit]), bool(visits.short[visit])) == (money, played, short)
        if visit < len(visits.paths):
            assert visits.paths[visit].tolist() == [seen[time] for time in visits.times]
    assert shorts > 10
    assert int(visits.left.min()) >= 0
    assert 0 < visits.ruin < visits.short_of_a_round < 1
    assert visits.ruined == int((visits.left < opening).sum()) >= int((visits.played < rounds).sum())
    low, high = visits.ruin_interval
    assert low < float(visits.ruin) < high
    assert visits.fan[0] == dict.fromkeys(visits.fan[0], bankroll)
    assert visits.fan[-1] == quantiles(visits.left)


def test_meters_begin_again_with_every_visit() -> None:
    """So a visit is worth the same however many come before it, and the first ones do not know how many follow."""
    plan, length, visits = plan_of(LIR, every_wager=True, seats=3), 3000, 400
    history = keep_history(plan, visits * length, workers=2, restart=length)
    few = keep_history(plan, 20 * length, restart=length)
    assert np.array_equal(history.brought[0][: 20 * length], few.brought[0])
    running = figures(plan, simulate(plan, visits * length))
    hits = {award.round // length for run in running.meters.values() for award in run.awards}
    assert hits - {0, 1}
    for visit in {0, 1} | hits:
        alone = figures(plan, simulate(plan, length, visit * length))
        for place, box in enumerate(alone.boxes):
            assert int(history.brought[place][visit * length : (visit + 1) * length].sum()) == box.sums.net
    assert sum(int(row.sum()) for row in history.brought) < sum(box.sums.net for box in running.boxes)


def test_more_money_is_ruined_less_often(stud: History) -> None:
    risks = [visits_of(stud, bankroll=money, rounds=200).ruin for money in (15_000, 30_000, 100_000, 1_000_000)]
    assert risks == sorted(risks, reverse=True)
    assert risks[0] > Fraction(1, 2)
    assert risks[-1] == 0
    with pytest.raises(Malformed, match="does not cover a round"):
        visits_of(stud, bankroll=999, rounds=200)
    for rounds in (40_001, 0):
        with pytest.raises(Malformed, match="do not make a visit"):
            visits_of(stud, bankroll=15_000, rounds=rounds)


# --- commands


def test_hold_and_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text('rulebook = "md-mississippi-stud"\n')
    files = ("--csv", "shifts.csv", "--parquet", "shifts.parquet", "--plot", "hold.svg")
    monkeypatch.chdir(tmp_path)
    run = here("hold", "house.toml", "--months", "2", "--buy-in", "300", "--json", *files)
    assert (run.returncode, run.stderr) == (0, "")
    periods = json.loads(run.stdout)["periods"]
    rows = list(csv.DictReader((tmp_path / "shifts.csv").read_text().splitlines()))
    assert len(rows) == periods["shift"]["periods"] == 180
    won = sum(int(row["won_cents"]) for row in rows)
    assert Fraction(periods["month"]["mean_win_exact_in_run"]) * 200 == won
    rounds = 30 * 24 * json.loads(run.stdout)["rounds_per_hour"]
    assert periods["month"]["rounds"] == rounds
    assert periods["month"]["expected_win_exact"] == str(Fraction(53223, 1082900) * 10 * rounds)
    handles = {name: float(period["handle"]) / period["rounds"] for name, period in periods.items()}
    assert handles == pytest.approx(dict.fromkeys(handles, handles["shift"]), rel=1e-6)
    table = parquet.read_table(tmp_path / "shifts.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in table] == rows
    assert (tmp_path / "hold.svg").read_text().startswith("<svg")


def test_bankroll_and_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text(starting_submission(load_rulebook(LIR)))
    files = ("--csv", "visits.csv", "--parquet", "visits.parquet", "--plot", "visits.png")
    asked = ("--bankroll", "200", "--hours", "2", "--visits", "500")
    monkeypatch.chdir(tmp_path)
    run = here("bankroll", "house.toml", *asked, "--json", *files)
    assert (run.returncode, run.stderr) == (0, "")
    found = json.loads(run.stdout)
    rows = list(csv.DictReader((tmp_path / "visits.csv").read_text().splitlines()))
    assert len(rows) == found["visits"] == 500
    assert sum(int(row["left_cents"]) for row in rows) == round(found["mean_left"] * 100 * 500)
    opening = float(found["opening_bets"]) * 100
    early = [row for row in rows if int(row["rounds"]) < found["rounds_a_visit"]]
    assert 0 < len(early) <= found["ruined"] == sum(int(row["left_cents"]) < opening for row in rows)
    assert all(int(row["left_cents"]) < opening for row in early)
    assert found["short_of_a_round_share"] == found["risk_of_ruin"]  # all three bets are put up before the deal
    assert parquet.read_table(tmp_path / "visits.parquet").num_rows == 500
    assert (tmp_path / "visits.png").read_bytes().startswith(b"\x89PNG")


def test_the_former_name_of_an_option_still_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text('rulebook = "md-mississippi-stud"\n')
    monkeypatch.chdir(tmp_path)
    asked = ("hold", "house.toml", "--months", "1", "--json")
    former, now = (here(*asked, option, "20") for option in ("--rounds-an-hour", "--rounds-per-hour"))
    assert json.loads(former.stdout) == json.loads(now.stdout)
    assert json.loads(now.stdout)["rounds_per_hour"] == 20
    assert "--rounds-an-hour" not in here("hold", "--help").stdout


def test_hold_shows_no_digit_that_it_cannot_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text(starting_submission(load_rulebook(MS), every_wager=True))
    monkeypatch.chdir(tmp_path)
    run = here("hold", "house.toml", "--months", "2", "--seats", "2", "--mistakes", "1%", COLUMNS="200")
    rows = {row: cells for row, *cells in (re.split(r" {2,}", line.strip()) for line in run.stdout.splitlines())}
    assert re.fullmatch(r"\$[0-9]+,[0-9]00 ± \$[0-9],[0-9]00|\$[0-9]+,000 ± \$[0-9]+,000", rows["average win"][-1])
    assert rows["losing periods"][-1] == "0 of 2"
    assert rows["1st percentile"][-1] == "too few"
    assert set(rows["expected win"]) == {"not exact"}
    assert "No expected win: main game: decisions are made at random; progressive: a fold forfeits it" in run.stdout


def test_bankroll_says_when_a_player_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text('rulebook = "md-mississippi-stud"\n')
    monkeypatch.chdir(tmp_path)
    shown = here("bankroll", "house.toml", "--bankroll", "100", "--visits", "200", COLUMNS="200").stdout
    assert "the money no longer covers the opening bets of $10; then the player leaves" in shown
    assert "A round can cost $100; with less, it is played in proportion to what is left" in shown
    assert "ever below $100" in shown
    assert re.search(r"risk of ruin +[0-9.]+%, 99% interval", shown)


@pytest.mark.parametrize("rounds", ["1000", "1,000", "1_000", "1e3", "1E3"])
def test_rounds_may_be_written_as_people_write_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: str
) -> None:
    (tmp_path / "house.toml").write_text('rulebook = "md-mississippi-stud"\n')
    monkeypatch.chdir(tmp_path)
    run = here("simulate", "house.toml", "--rounds", rounds)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("house.toml: 1,000 rounds, ")


@pytest.mark.parametrize("months", [2, 120])
def test_a_percentile_needs_a_period_beyond_it_for_programs_too(months: int) -> None:
    run = here("hold", "-", "--months", str(months), "--rounds-per-hour", "1", "--json", stdin=f'rulebook = "{MS}"\n')
    for period in json.loads(run.stdout)["periods"].values():
        for percent, value in period["quantiles"].items():
            share = min(int(percent), 100 - int(percent)) / 100
            assert (value is None) == (period["periods"] * share < 1), (period["periods"], percent)


def test_people_read_one_minus_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the table and on the chart; programs get a hyphen."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text(f'rulebook = "{MS}"\n')
    asked = ("hold", "house.toml", "--months", "3", "--rounds-per-hour", "10")
    shown = here(*asked, "--plot", "hold.svg").stdout
    chart = (tmp_path / "hold.svg").read_text()
    assert "−$" in shown
    assert "−$" in chart
    assert "-$" not in shown + chart
    assert json.loads(here(*asked, "--json").stdout)["periods"]["shift"]["quantiles"]["5"].startswith("-")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("hold", "--months", "0"), "--months: 0 is out of range: from 1 to 100,000"),
        (("hold", "--months", "many"), "--months: 'many' is not a whole number"),
        (("hold", "--months", "1,00"), "--months: '1,00' is not a whole number"),
        (("simulate", "--rounds", "1.5"), "--rounds: '1.5' is not a whole number, such as 1000"),
        (("hold", "--shifts", "7"), "7 shifts of whole rounds"),
        (("hold", "--buy-in", "1"), "does not cover a round"),
        (("hold", "--buy-in", "lots"), "--buy-in"),
        (("hold", "--months", "100000"), "can be stored"),
        (("hold", "--plot", "hold.pdf", "--months", "1"), ".svg or .png"),
        (("hold", "--seats", "7"), "this table has"),
        (("bankroll", "--bankroll", "1"), "does not cover a round"),
        (("bankroll", "--bankroll", "-5"), "--bankroll"),
        (("bankroll", "--bankroll", "500", "--visits", "10000000"), "can be stored"),
        (("bankroll", "--bankroll", "500", "--csv", "nowhere/x.csv", "--visits", "10"), "nowhere/x.csv"),
        (("bankroll",), "--bankroll"),
    ],
)
def test_nonsense_gets_a_clear_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "house.toml").write_text('rulebook = "md-mississippi-stud"\n')
    command, *rest = arguments
    monkeypatch.chdir(tmp_path)
    run = here(command, "house.toml", *rest)
    assert run.returncode == 2
    assert said in run.stderr
    assert run.stdout == ""
    assert "Traceback" not in run.stderr


# --- tables that are kept


@pytest.mark.parametrize("garbage", [b"", b"nonsense", b"\x93NUMPY", None])
def test_arrays_that_are_not_whole_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, garbage: bytes | None
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    made: list[int] = []

    def make() -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
        made.append(1)
        return [np.arange(5), np.arange(3)]

    for _ in range(2):
        assert [one.tolist() for one in cached_arrays(["asked"], make)] == [[0, 1, 2, 3, 4], [0, 1, 2]]
    assert len(made) == 1
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-40] + bytes(40) if garbage is None else garbage)
    assert [one.tolist() for one in cached_arrays(["asked"], make)] == [[0, 1, 2, 3, 4], [0, 1, 2]]
    assert len(made) == 2
    assert file.read_bytes().split(b"\n", 1)[0] == whole.split(b"\n", 1)[0]
