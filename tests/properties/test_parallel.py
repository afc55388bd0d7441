"""The same seed gives the same whole numbers on one core, on two, in processes, on a cluster that loses a worker."""

import concurrent.futures
import csv
import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path

import msgspec
import pytest
from distributed import Client, LocalCluster
from msgspec.structs import replace
from pyarrow import parquet

from croupier.analysis.meter_long_run import long_run_of
from croupier.errors import Malformed
from croupier.rulebook import check, read_submission, read_submission_text
from croupier.simulation import Plan, Tally, merge, simulate, sit
from croupier.simulation.parallel import Interrupted, parts_of, run_on_cluster, run_parts
from croupier.simulation.report import report_meters
from croupier.simulation.run import Gathered, is_sound
from croupier.table_speed import rounds_per_hour
from support.running import here

ROUNDS, PART = 300_000, 20_000


@pytest.fixture(scope="module")
def plan() -> Plan:
    house = check(
        read_submission(
            {
                "rulebook": "md-let-it-ride",
                "wagers": {
                    "base": {"paytable": "A"},
                    "progressive": {
                        "paytable": "B",
                        "stake": "1.00",
                        "meters": {"main": {"initial": "5000.00", "reset": "1000.00", "rate": "0.1"}},
                    },
                },
            }
        )
    ).house
    assert house is not None
    seats = tuple(sit(number, bet_1=1000, bet_2=1000, bet_3=1000, progressive=100) for number in (1, 3))
    return Plan(house=house, seats=seats, seed=11)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("house") / "house.toml"
    file.write_text(here("submission", "new", "md-mississippi-stud", "--every-wager").stdout)
    return file


@pytest.fixture(scope="module")
def whole(plan: Plan) -> Tally:
    return simulate(plan, ROUNDS)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_change_nothing(plan: Plan, whole: Tally, workers: int) -> None:
    assert run_parts(plan, ROUNDS, workers=workers, part=PART) == whole


def test_processes_change_nothing(plan: Plan, whole: Tally) -> None:
    parts = list(parts_of(ROUNDS, PART))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(simulate, plan, one.rounds, one.start) for one in parts]
        assert merge(job.result() for job in jobs) == whole


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**options, silence_logs=50) as found:  # type: ignore[no-untyped-call]
        yield found


def test_a_cluster_changes_nothing(plan: Plan, whole: Tally, cluster: LocalCluster) -> None:
    assert run_on_cluster(plan, ROUNDS, scheduler=cluster.scheduler_address, part=PART) == whole


def test_a_cluster_goes_on_from_a_folder(plan: Plan, whole: Tally, cluster: LocalCluster, tmp_path: Path) -> None:
    """Threads and a cluster finish each other's runs."""
    finished: list[int] = []

    def stop(rounds: int) -> None:
        finished.append(rounds)
        if len(finished) == 4:
            raise KeyboardInterrupt

    address = cluster.scheduler_address
    with pytest.raises(Interrupted):
        run_on_cluster(plan, ROUNDS, scheduler=address, folder=tmp_path, part=PART, done=stop)
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(kept) == 4
    assert run_parts(plan, ROUNDS, workers=2, folder=tmp_path, part=PART) == whole
    for name, written in kept.items():
        assert (tmp_path / name).stat().st_mtime_ns == written
    finished.clear()
    again: list[int] = []
    assert run_on_cluster(plan, ROUNDS, scheduler=address, folder=tmp_path, part=PART, done=again.append) == whole
    assert sum(again) == ROUNDS


def test_a_scheduler_is_given_some_parts_at_a_time(
    plan: Plan, whole: Tally, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.simulation.parallel.AHEAD", 2)
    assert run_on_cluster(plan, ROUNDS, scheduler=cluster.scheduler_address, part=PART) == whole


def test_parts_that_overlap_are_not_added_up(plan: Plan) -> None:
    gathered = Gathered()
    gathered.add(simulate(plan, 10, start=5))
    assert gathered.rounds == 0
    with pytest.raises(Malformed, match="in two parts"):
        gathered.add(simulate(plan, 3, start=5))
    gathered.add(simulate(plan, 5))
    with pytest.raises(Malformed, match="in two parts"):
        gathered.add(simulate(plan, 3, start=12))
    assert gathered.tally == simulate(plan, 15)


def test_a_cluster_without_workers_and_one_that_is_gone(house: Path, plan: Plan) -> None:
    options = {"n_workers": 0, "processes": False, "dashboard_address": ":0", "silence_logs": 50}
    with LocalCluster(**options) as nobody:  # type: ignore[no-untyped-call]
        done = here("simulate", str(house), "--rounds", "10", "--scheduler", nobody.scheduler_address)
        assert (done.returncode, done.stdout) == (2, "")
        assert "no workers" in done.stderr
        with pytest.raises(Malformed, match="it has no workers"):
            run_on_cluster(plan, 10, scheduler=nobody.scheduler_address)
    options |= {"n_workers": 1}
    one = LocalCluster(**options)  # type: ignore[no-untyped-call]
    with pytest.raises(Malformed, match=one.scheduler_address):
        run_on_cluster(plan, ROUNDS, scheduler=one.scheduler_address, part=1000, done=lambda _: one.close())


@pytest.mark.parametrize("most", [1, 2])
def test_workers_that_are_killed_change_nothing(plan: Plan, whole: Tally, cluster: LocalCluster, most: int) -> None:
    """One of two, or both, and with them every answer that nobody has fetched yet."""
    finished: list[int] = []
    killed: list[int] = []

    def kill(rounds: int) -> None:
        finished.append(rounds)
        if len(finished) in {1, 5, 9}:
            with Client(cluster) as client:  # type: ignore[no-untyped-call]
                workers = [*client.run(os.getpid).values()][:most]
            killed.extend(workers)
            for worker in workers:
                os.kill(worker, signal.SIGKILL)

    assert run_on_cluster(plan, ROUNDS, scheduler=cluster.scheduler_address, part=PART, done=kill) == whole
    assert len(killed) >= 3


def test_what_was_done_is_not_done_again(plan: Plan, whole: Tally, tmp_path: Path) -> None:
    def stop(_: int) -> None:
        if len(list(tmp_path.iterdir())) >= 5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        run_parts(plan, ROUNDS, workers=1, folder=tmp_path, part=PART, done=stop)
    assert stopped.value.tally is not None
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert 0 < len(kept) < ROUNDS // PART
    broken = min(tmp_path.iterdir())
    broken.write_text("{")
    assert run_parts(plan, ROUNDS, workers=2, folder=tmp_path, part=PART) == whole
    again = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert [name for name in kept if kept[name] != again[name]] == [broken.name]


def _forged(tally: Tally, **changes: object) -> Tally:
    return msgspec.structs.replace(tally, **changes)


def test_a_part_that_cannot_be_of_this_plan_is_played_again(plan: Plan, tmp_path: Path) -> None:
    part = next(part for start in range(0, ROUNDS, 1000) if (part := simulate(plan, 1000, start)).events)
    assert is_sound(plan, part)
    (code, count), *rest = part.ends[0]
    event, other = part.events[0], part.ends[1]
    forged = [
        _forged(part, ends=()),
        _forged(part, ends=(part.ends[0],)),
        _forged(part, ends=(((code, count - 1), *rest), other)),
        _forged(part, ends=(((code, -count), (code + 1, 2 * count), *rest), other)),
        _forged(part, ends=(((-1, count), *rest), other)),
        _forged(part, ends=((*rest, (10**8, count)), other)),
        *(
            _forged(part, events=(event._replace(**change), *part.events[1:]))
            for change in (
                {"round": part.start + 1000},
                {"seat": 2},
                {"kind": 2},
                {"source": 9},
                {"amount": 0},
                {"end": 10**8},
            )
        ),
        _forged(part, plan="another"),
    ]
    for one in forged:
        assert not is_sound(plan, one), one
    assert not is_sound(replace(plan, seed=1), part)
    whole = run_parts(plan, 2000, part=1000, folder=tmp_path)
    first, second = sorted(tmp_path.iterdir())
    sound = first.read_bytes()
    first.write_bytes(sound.replace(b'"rounds":1000', b'"rounds":1001'))
    second.unlink()
    second.mkdir()  # a folder stands where a part should
    with pytest.raises(Malformed, match="cannot be written"):
        run_parts(plan, 2000, part=1000, folder=tmp_path)
    assert first.read_bytes() == sound
    second.rmdir()
    assert run_parts(plan, 2000, part=1000, folder=tmp_path) == whole


@pytest.mark.parametrize("rounds", [(1 << 62) + 1, 10**25])
def test_more_rounds_than_can_be_numbered_are_refused_at_once(plan: Plan, rounds: int) -> None:
    with pytest.raises(Malformed, match="2\\^62"):
        run_parts(plan, rounds)


def test_parts_are_not_listed_beforehand(plan: Plan) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        run_parts(plan, 10**18, done=stop, part=10)


def test_ctrl_c_waits_for_what_is_nearly_done(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(100))

    def wait_or_stop(futures: set[Future[Tally]], return_when: str) -> object:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return concurrent.futures.wait(futures, return_when=return_when)

    monkeypatch.setattr("croupier.simulation.parallel.wait", wait_or_stop)
    with pytest.raises(Interrupted) as stopped:
        run_parts(plan, ROUNDS, workers=1, part=PART)
    assert stopped.value.tally == simulate(plan, 3 * PART)  # two that had come in, and the one under way


def test_a_run_that_is_stopped_tells_what_was_done(plan: Plan) -> None:
    finished: list[int] = []

    def stop(rounds: int) -> None:
        finished.append(rounds)
        if len(finished) == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        run_parts(plan, ROUNDS, workers=1, part=PART, done=stop)
    assert stopped.value.tally == simulate(plan, 3 * PART)


@pytest.mark.parametrize(("rounds", "workers"), [(0, 1), (-5, 1), (10, 0)])
def test_nonsense_is_refused(plan: Plan, rounds: int, workers: int) -> None:
    with pytest.raises(Malformed):
        run_parts(plan, rounds, workers=workers)


# --- the command


def test_the_command_gives_each_wager_beside_its_exact_edge(house: Path) -> None:
    words = ("simulate", str(house), "--rounds", "200000", "--seed", "3", "--json")
    one, two = (json.loads(here(*words, "--workers", workers).stdout) for workers in ("1", "2"))
    assert one == two
    found = {wager["wager"]: wager for wager in one["wagers"]}
    assert set(found) == {"base", "progressive", "three_card_bonus", "six_card_bonus"}
    assert found["base"]["exact_edge_exact"] == "53223/1082900"
    assert found["three_card_bonus"]["agrees"]
    assert found["progressive"]["exact_edge"] is None
    for wager in found.values():
        low, high = wager["interval_99"]
        assert low < wager["house_edge"] < high
        assert wager["rounds"] == 200_000
    meter = {name: Fraction(str(value)) for name, value in one["meters"]["main"].items() if value is not None}
    assert meter["contributions"] == 20_000
    assert meter["initial"] + meter["contributions"] + meter["reseeded"] - meter["taken"] == meter["final"]
    assert one["asked"] == one["rounds"] == 200_000
    assert list(one["envy"]) == ["1"]


def test_the_command_writes_files(house: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("rows.csv", "rows.parquet", "edges.svg")]
    options = [
        word
        for option, file in zip(("--csv", "--parquet", "--plot"), files, strict=True)
        for word in (option, str(file))
    ]
    done = here("simulate", str(house), "--rounds", "50000", "--seats", "2", "--json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)["wagers"]
    with files[0].open() as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["seat"]), row["wager"], row["exact_edge_exact"] or None) for row in rows] == [
        *((one["seat"], one["wager"], one["exact_edge_exact"]) for one in told),
        (1, "envy", None),
        (2, "envy", None),
    ]
    *wagers, _, _ = parquet.read_table(files[1]).to_pylist()
    for row, one in zip(wagers, told, strict=True):
        assert row["house_edge"] == one["house_edge"]
        assert row["agrees"] == one["agrees"]
        assert row["net_cents"] == round(float(one["net"]) * 100)
    picture = files[2].read_text()
    assert ">Six Card Bonus<" in picture
    assert ">seat 2<" in picture


def test_every_cent_is_in_some_row(house: Path, tmp_path: Path) -> None:
    """What the rows say players won is what the table lost in these rounds."""
    file = tmp_path / "rows.csv"
    seated = ("--seats", "2", "--seed", "5")
    here("simulate", str(house), "--rounds", "129600", *seated, "--csv", str(file))
    with file.open() as opened:
        net = sum(int(row["net_cents"]) for row in csv.DictReader(opened))
    here("hold", str(house), "--months", "3", "--rounds-per-hour", "60", *seated, "--csv", str(file))
    with file.open() as opened:
        assert sum(int(row["won_cents"]) for row in csv.DictReader(opened)) == -net


def test_a_progressive_has_the_spread_of_all_its_lines(house: Path) -> None:
    """Also of those that have not come about: a sample without them would be too sure of itself."""
    found = json.loads(here("simulate", str(house), "--rounds", "1000", "--json").stdout)["wagers"]
    progressive = next(one for one in found if one["wager"] == "progressive")
    assert progressive["standard_error"] > 0.3
    low, high = progressive["interval_99"]
    assert low < 0.5 < high
    single = json.loads(here("simulate", str(house), "--rounds", "1", "--mistakes", "1%", "--json").stdout)["wagers"]
    assert next(one for one in single if one["wager"] == "base")["interval_99"] is None


def test_the_command_shows_a_table(house: Path) -> None:
    done = here(
        "simulate", str(house), "--rounds", "1000", "--seats", "2", "--bet", "base=10.00", "--strategy", "always"
    )
    assert done.returncode == 0
    assert "99% interval" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rounds", "0"), "rounds"),
        (("--rounds", "x"), "--rounds"),
        (("--seats", "9"), "--seats"),
        (("--seats", "7"), "6"),
        (("--seed", "-1"), "--seed"),
        (("--strategy", "luck"), "optimal"),
        (("--mistakes", "200%"), "200%"),
        (("--mistakes", "-1%"), "-1%"),
        (("--bet", "luck=5.00"), "luck"),
        (("--bet", "base=0.50"), "0.50"),
        (("--resume", "nowhere"), "nowhere"),
        (("--scheduler", "tcp://127.0.0.1:1"), "127.0.0.1:1"),
        (("--scheduler", "nonsense"), "nonsense"),
        (("--plot", "edges.pdf"), ".svg or .png"),
        (("--csv", "nowhere/rows.csv"), "nowhere"),
        (("--parquet", "nowhere/rows.parquet"), "nowhere"),
        (("--rounds", str(10**25)), "from 1 to 4,611,686,018,427,387,904"),
        (("--bet", "base=0"), "--bet"),
        (("--bet", "progressive=1.00"), "--bet"),
        (("--workers", "2", "--scheduler", "tcp://127.0.0.1:1"), "--workers"),
        (("--strategy", "\x1b[31mred.py:fn"), "\\x1b[31mred.py"),
    ],
)
def test_nonsense_gets_one_clear_line(
    house: Path, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.simulation.parallel.SECONDS", 1)
    done = here("simulate", str(house), *words)
    assert done.returncode == 2, done
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


# --- meters in the long run


def test_a_simulated_meter_agrees_with_the_exact_long_run(plan: Plan) -> None:
    """Twenty million wagers: hits, payments and the return against the exact long run."""
    (life,) = long_run_of(plan.house).meters
    tally = run_parts(plan, 10_000_000, workers=2)
    (meter,) = report_meters(plan, tally)
    wagers = 2 * tally.rounds
    expected = float(wagers * life.hit)
    assert abs(meter.hits - expected) < 5 * expected**0.5
    assert meter.contributed == wagers * life.contribution
    awarded = meter.paid / meter.hits
    assert awarded == pytest.approx(float(life.mean), rel=0.2)


def test_in_the_long_run_a_meter_gives_back_what_it_took_and_the_resets(plan: Plan) -> None:
    long_run = long_run_of(plan.house)
    (life,) = long_run.meters
    assert life.mean == life.reset + life.contribution / life.whole
    assert life.drain * life.mean == life.paid
    dearer = long_run_of(plan.house, rates={"main": 200_000})
    assert dearer.returned - long_run.returned == Fraction(1, 10)
    with pytest.raises(Malformed):
        long_run_of(plan.house, resets={"mega": 5})


def test_the_meter_command(house: Path) -> None:
    found = json.loads(here("meter", str(house), "--players", "4", "--tables", "3", "--json").stdout)
    assert found["wagers_per_hour"] == 12 * found["rounds_per_hour"]
    rules = check(read_submission_text(house.read_text(), name="house")).house
    assert rules is not None
    assert found["rounds_per_hour"] == rounds_per_hour(rules, 4)
    assert found["meters"]["main"]["whole_award_probability_exact"] == "1/649740"
    assert here("meter", str(house), "--rate", "main=0.15", "--reset", "main=20000.00").returncode == 0
    for words, said in (
        (("--rate", "main=-1"), "between 0 and 1"),
        (("--rate", "mega=0.1"), "mega"),
        (("--reset", "x"), "x"),
    ):
        done = here("meter", str(house), *words)
        assert done.returncode == 2
        assert said in done.stderr
