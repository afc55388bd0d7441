"""Every figure that two or more commands give for the same file: they are equal, or differ for the stated reason.

`asked` runs a command on the file of a rulebook and reads its JSON; each test compares one figure across commands.
"""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebook import check, load_rulebook, read_submission_text, rulebook_ids
from croupier.rulebook.template import starting_submission
from croupier.table_speed import round_seconds, rounds_per_hour
from support.running import here

ANTE = "10.00"
"""The main bet of every command here."""


@cache
def files() -> dict[str, str]:
    """One submission with every wager for each rulebook."""
    return {book: starting_submission(load_rulebook(book), every_wager=True) for book in rulebook_ids()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("houses")
    for book, text in files().items():
        (place / f"{book}.toml").write_text(text)
    return place


@cache
def asked(folder: Path, command: str, book: str, *options: str) -> Any:  # noqa: ANN401 - JSON
    """The answer of a command about the file of a rulebook."""
    file = book if command == "analyze" else str(folder / f"{book}.toml")
    done = here(command, file, *options, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def main_paytable(book: str) -> str:
    house = check(read_submission_text(files()[book], name=book)).house
    assert house is not None
    return next(wager.paytables[0].id for wager in house.wagers if wager.paytables[0].group == "base")


def analyzed(folder: Path, book: str) -> Any:  # noqa: ANN401 - JSON
    """The main game by `analyze`; of equally good actions the larger stake, as the simulations play."""
    records = asked(folder, "analyze", book, "--wager", "base", "--paytable", main_paytable(book))
    return next(record for record in records if record.get("tie_rule") in (None, "more"))


def simulated(folder: Path, book: str) -> Any:  # noqa: ANN401 - JSON
    """The main game by `simulate`, alone."""
    return asked(folder, "simulate", book, "--rounds", "200000", "--bet", f"base={ANTE}")["wagers"][0]


def held(folder: Path, book: str, seats: int = 1) -> Any:  # noqa: ANN401 - JSON
    """The main game by `hold`, alone."""
    return asked(folder, "hold", book, "--months", "3", "--seats", str(seats), "--bet", f"base={ANTE}")


books = pytest.mark.parametrize("book", rulebook_ids())


@books
def test_the_edge_of_the_main_game(folder: Path, book: str) -> None:
    edge = analyzed(folder, book)["house_edge_exact"]
    cost = asked(folder, "cost", book, "--bet", f"base={ANTE}")
    assert simulated(folder, book)["exact_edge_exact"] == edge
    assert cost["bets"][0]["house_edge_exact"] == edge
    shift = held(folder, book)["periods"]["shift"]
    assert Fraction(shift["expected_win_exact"]) == Fraction(edge) * Fraction(ANTE) * shift["rounds"]
    assert simulated(folder, book)["agrees"]


@books
def test_the_edge_of_every_side_bet(folder: Path, book: str) -> None:
    wagers = asked(folder, "simulate", book, "--rounds", "1000")["wagers"]
    bets = [f"{wager['wager']}={float(wager['staked']) / wager['rounds']:.2f}" for wager in wagers[1:]]
    options = [word for bet in (f"base={ANTE}", *bets) for word in ("--bet", bet)]
    costs = {bet["wager"]: bet["house_edge_exact"] for bet in asked(folder, "cost", book, *options)["bets"]}
    for wager in wagers[1:]:
        if wager["exact_edge_exact"] is not None:  # a progressive follows its meter: see the long-run test
            assert costs[wager["wager"]] == wager["exact_edge_exact"], wager["wager"]
    assert {wager["wager"] for wager in wagers if wager["exact_edge"] is None} <= {"progressive"}


@books
def test_win_over_handle_is_the_element_of_risk(folder: Path, book: str) -> None:
    """A bet that is taken back is not handle, so `analyze`, `simulate` and `hold` speak of the same money."""
    exact = analyzed(folder, book)
    assert exact["element_of_risk"] == pytest.approx(exact["house_edge"] / exact["average_wager"])
    wager = simulated(folder, book)
    average = float(wager["handle"]) / wager["rounds"] / float(ANTE)
    assert average == pytest.approx(exact["average_wager"], rel=0.01)
    assert wager["element_of_risk"] == pytest.approx(wager["house_edge"] / average)
    for name, period in held(folder, book)["periods"].items():
        average = float(period["handle"]) / period["rounds"] / float(ANTE)
        assert average == pytest.approx(exact["average_wager"], rel=0.01), name
        share = period["hold_of_handle"]
        assert share["mean"] == pytest.approx(period["mean_win"] / float(period["handle"]), rel=1e-4)
        assert (
            abs(share["mean"] - exact["element_of_risk"])
            < 4 * held(folder, book)["periods"]["shift"]["hold_of_handle"]["standard_error"]
        )


@books
@pytest.mark.parametrize("seats", [1, 4])
def test_rounds_per_hour(folder: Path, book: str, seats: int) -> None:
    house = check(read_submission_text(files()[book], name=book)).house
    assert house is not None
    pace = rounds_per_hour(house, seats)
    assert held(folder, book, seats)["rounds_per_hour"] == pace
    visit = asked(folder, "bankroll", book, "--bankroll", "500", "--visits", "50", "--seats", str(seats))
    assert (visit["rounds_per_hour"], visit["rounds_a_visit"]) == (pace, 4 * pace)
    quiet = ("--rounds", "30", "--seats", str(seats), "--rate", "all=0%", "--bet", f"base={ANTE}")
    played = asked(folder, "irregularities", book, *quiet)["played"]
    assert Fraction(played["seconds"]) / 30 == round_seconds(house, seats)
    assert played["completed_per_hour"] == pytest.approx(pace, abs=0.5)


@books
def test_the_long_run_of_a_progressive(folder: Path, book: str) -> None:
    """`hold` expects of a progressive what `meter` says it keeps in the long run."""
    meter = asked(folder, "meter", book)
    bets = ("--bet", f"base={ANTE}", "--bet", f"progressive={progressive_stake(book)}")
    both = asked(folder, "hold", book, "--months", "1", *bets)
    alone = held(folder, book)["periods"]["shift"]["expected_win_exact"]
    shift = both["periods"]["shift"]
    assert both["expected_win_is_long_run"]
    kept = (Fraction(shift["expected_win_exact"]) - Fraction(alone)) / shift["rounds"]
    assert kept == (1 - Fraction(meter["long_run_return_exact"])) * Fraction(progressive_stake(book))


def progressive_stake(book: str) -> str:
    house = check(read_submission_text(files()[book], name=book)).house
    wager = None if house is None else house.wager("progressive")
    assert wager is not None
    assert wager.stakes is not None
    return f"{wager.stakes.minimum / 100:.2f}"


def house_records(folder: Path, book: str, wager: str) -> list[Any]:
    """A wager of the file by `analyze --submission`."""
    done = here("analyze", "--submission", str(folder / f"{book}.toml"), "--wager", wager, "--json")
    assert done.returncode == 0, done.stderr
    records: list[Any] = json.loads(done.stdout)
    return records


def side_bets(book: str) -> list[tuple[str, str]]:
    """Every side bet of the file with its smallest amount; Cover All is priced by the number of players."""
    house = check(read_submission_text(files()[book], name=book)).house
    assert house is not None
    wagers = [wager for wager in house.wagers if wager.paytables[0].group != "base" and wager.stakes]
    return [(wager.name, f"{wager.stakes.minimum / 100:.2f}") for wager in wagers if wager.stakes]


@books
def test_every_side_bet_has_one_exact_edge(folder: Path, book: str) -> None:
    """`analyze` of the file, `cost`, `compare` with itself, and the certificate that `certificate write` makes."""
    file, bets = str(folder / f"{book}.toml"), side_bets(book)
    options = [word for name, amount in (("base", ANTE), *bets) for word in ("--bet", f"{name}={amount}")]
    costs = {bet["wager"]: bet["house_edge_exact"] for bet in asked(folder, "cost", book, *options)["bets"]}
    compared = {row["wager"]: row for row in asked(folder, "compare", book, file)}
    papers = {paper["wager"]: paper for paper in json.loads(here("certificate", "write", "-s", file).stdout)}
    for name, _ in bets:
        record = next(record for record in house_records(folder, book, name) if record.get("players") in (None, 1))
        assert costs[name] == record["house_edge_exact"], name
        assert compared[name]["first"] == compared[name]["second"]
        assert compared[name]["difference_exact"] == "0"
        if "players" not in record:
            assert compared[name]["first"]["house_edge_exact"] == record["house_edge_exact"], name
            assert papers[name]["figures"]["house_edge"] == record["house_edge_exact"], name
            assert papers[name]["figures"]["hit_frequency"] == record["hit_frequency_exact"], name


@books
def test_the_exact_commands_have_one_long_run_edge(folder: Path, book: str) -> None:
    """`analyze` of the file, `cost`, `compare` and `meter`; at the meters shown the edge is another figure."""
    long_run = asked(folder, "meter", book)["long_run_house_edge_exact"]
    assert asked(folder, "meter", book, "--players", "3")["long_run_house_edge_exact"] == long_run
    records = house_records(folder, book, "progressive")
    assert {record["long_run_house_edge_exact"] for record in records} == {long_run}
    bets = ("--bet", f"base={ANTE}", "--bet", f"progressive={progressive_stake(book)}")
    cost = {bet["wager"]: bet for bet in asked(folder, "cost", book, *bets)["bets"]}["progressive"]
    assert cost["long_run_house_edge_exact"] == long_run
    assert cost["house_edge_exact"] == records[0]["house_edge_exact"]
    rows = asked(folder, "compare", book, str(folder / f"{book}.toml"))
    compared = next(row for row in rows if row["wager"] == "progressive")
    assert compared["first"]["long_run_house_edge_exact"] == long_run


@books
def test_theo_per_hour(folder: Path, book: str) -> None:
    """`cost` and `hold` expect the same win per hour from one player's main bet, at the same pace."""
    cost = asked(folder, "cost", book, "--bet", f"base={ANTE}")
    shift = held(folder, book)["periods"]["shift"]
    per_round = Fraction(shift["expected_win_exact"]) / shift["rounds"]
    assert Fraction(cost["cost_per_round_exact"]) == per_round
    assert Fraction(cost["cost_per_hour_exact"]) == per_round * held(folder, book)["rounds_per_hour"]
    assert cost["rounds_per_hour"] == asked(folder, "meter", book)["rounds_per_hour"]


@books
def test_a_mix_in_which_everybody_bets_everything_is_the_table_that_hold_simulates(folder: Path, book: str) -> None:
    """The exact win per day with `--share` is the expected win of `hold` for the same seats and bets."""
    bets = [word for name, amount in (("ante", ANTE), *side_bets(book)) for word in ("--bet", f"{name}={amount}")]
    usual = asked(folder, "hold", book, "--months", "1", "--seats", "3", *bets)
    mixed = asked(folder, "hold", book, "--months", "1", "--seats", "3", "--share", "progressive=100%", *bets)
    assert usual["periods"]["day"]["expected_win_exact"] == mixed["expected_win_per_day_exact"]
    for period in ("shift", "day", "month"):
        for figure in ("expected_win_exact", "mean_win_exact_in_run", "standard_deviation", "quantiles", "handle"):
            assert usual["periods"][period][figure] == mixed["periods"][period][figure], (period, figure)
        one, other = usual["periods"][period], mixed["periods"][period]
        assert one["standard_error"] == pytest.approx(other["standard_error"], rel=1e-3), period
        handle, other_handle = one["hold_of_handle"], other["hold_of_handle"]
        assert handle["mean"] == other_handle["mean"], period
        assert handle["standard_error"] == pytest.approx(other_handle["standard_error"], rel=1e-3), period
    assert mixed["occupancy"][0]["rounds_per_hour"] == usual["rounds_per_hour"]


def test_a_mix_file_and_the_options_give_the_same_answer(folder: Path, tmp_path: Path) -> None:
    book, file = "md-let-it-ride", tmp_path / "mix.toml"
    file.write_text(
        'buy_in = 300\nvisit_hours = 2\n[bets]\nbet = 10\nthree_card_bonus = "$5"\n[shares]\n'
        'three_card_bonus = "60%"\n[occupancy]\n"10-18" = 2\n"18-2" = 3.5\n'
    )
    words = "--buy-in 300 --visit-hours 2 --bet bet=10 --bet three_card_bonus=5 --share three_card_bonus=60%"
    options = (*words.split(), "--occupancy", "10-18=2,18-2=3.5", "--months", "1")
    typed = asked(folder, "hold", book, *options)
    assert asked(folder, "hold", book, "--mix", str(file), "--months", "1") == typed
    day = typed["periods"]["day"]
    assert day["hold_of_drop"]["mean"] == pytest.approx(day["mean_win"] / float(day["drop"]), rel=0.001)
    assert day["standard_deviation"] > 0
    assert len(typed["occupancy"]) == 3


@books
def test_theo_per_player_of_a_mix_and_of_a_promotion_is_that_of_cost(folder: Path, book: str) -> None:
    name, amount = next(bet for bet in side_bets(book) if bet[0] != "progressive" and bet[0] != "cover_all")
    bets = ("--bet", f"ante={ANTE}", "--bet", f"{name}={amount}")
    cost = asked(folder, "cost", book, *bets)
    mixed = asked(folder, "hold", book, "--months", "1", "--share", f"{name}=100%", *bets)
    assert mixed["theo_per_player_per_hour_exact"] == cost["cost_per_hour_exact"]
    record = house_records(folder, book, name)[0]
    line = record["lines"][0]
    same = ("--line", f"{name}:{line['hand']}={line['pays']}")
    done = here("promotion", "pays", str(folder / f"{book}.toml"), *same, *bets, "--json")
    promoted = json.loads(done.stdout)
    assert promoted["theo_per_hour_exact"] == cost["cost_per_hour_exact"]
    assert promoted["cost_per_hour_exact"] == "0"


@books
def test_two_paytables_compared_have_the_edges_of_analyze(folder: Path, book: str) -> None:
    records = asked(folder, "analyze", book, "--wager", "progressive")
    one, two = records[0]["paytable"], records[-1]["paytable"]
    (row,) = json.loads(here("compare", book, "progressive", one.lower(), two, "--json").stdout)
    edges = [Fraction(row[side]["house_edge_exact"]) for side in ("first", "second")]
    assert Fraction(row["difference_exact"]) == edges[1] - edges[0]
    for side, table in (("first", one), ("second", two)):
        known = {record["house_edge_exact"] for record in records if record["paytable"] == table}
        assert row[side]["paytable"] == table
        assert row[side]["house_edge_exact"] in known


@books
def test_a_certificate_of_the_main_game_has_the_figures_of_analyze(folder: Path, book: str) -> None:
    record = analyzed(folder, book)
    done = here("certificate", "write", book, "-w", "base", "-p", main_paytable(book))
    paper = next(paper for paper in json.loads(done.stdout) if paper["case"].get("tie_rule", "more") == "more")
    for name in ("house_edge", "hit_frequency", "average_wager", "element_of_risk"):
        assert paper["figures"][name] == record[f"{name}_exact"], name
    assert paper["figures"]["variance"] == record["variance_exact"]


@books
def test_a_named_strategy_has_one_price(folder: Path, book: str) -> None:
    """`strategy` prices it and `simulate` shows that price beside what it played."""
    done = here("strategy", book, "--paytable", main_paytable(book), "--json")
    for listed in json.loads(done.stdout):
        if listed["strategy"] in SOME:
            options = ("--rounds", "20000", "--bet", f"base={ANTE}", "--strategy", listed["strategy"])
            wager = asked(folder, "simulate", book, *options)["wagers"][0]
            assert Fraction(wager["exact_edge_exact"]) == -Fraction(listed["expectation_exact"])
            assert wager["agrees"]


SOME = {"short list", "pairs only", "always 1x", "ten-eight-six", "always raise"}
"""Of each game one that is good and one that is not."""


def test_an_ante_that_meets_the_payout_limit_has_one_price(folder: Path, tmp_path: Path) -> None:
    """`cost` says what the limit takes, and `simulate` and `hold` have it in the edge."""
    book = "md-mississippi-stud"
    file = tmp_path / f"{book}.toml"
    file.write_text(files()[book])
    options = ("--bet", "base=500.00")
    cost = asked(tmp_path, "cost", book, *options)
    limit = Fraction(cost["payout_limit_per_round_exact"])
    assert limit > 0
    wager = asked(tmp_path, "simulate", book, "--rounds", "50000", *options)["wagers"][0]
    edge = Fraction(analyzed(folder, book)["house_edge_exact"]) + limit / 500
    assert Fraction(wager["exact_edge_exact"]) == edge
    assert wager["agrees"]
    shift = asked(tmp_path, "hold", book, "--months", "1", *options)["periods"]["shift"]
    assert Fraction(shift["expected_win_exact"]) == edge * 500 * shift["rounds"]


def test_the_interval_of_a_progressive_follows_the_strategy(folder: Path) -> None:
    """Where a fold forfeits it, whoever folds more wins it less often."""
    book = "md-mississippi-stud"
    errors = {}
    for strategy, mistakes in (("optimal", "0%"), ("always", "0%"), ("pairs only", "0%"), ("optimal", "20%")):
        options = ("--rounds", "100000", "--seed", "5", "--strategy", strategy, "--mistakes", mistakes)
        wagers = asked(folder, "simulate", book, *options)["wagers"]
        errors[strategy, mistakes] = next(
            wager["standard_error"] for wager in wagers if wager["wager"] == "progressive"
        )
    best, every, pairs, slips = errors.values()
    assert pairs < best / 5 < best < every
    assert slips < best


def test_agreeing_means_something_only_with_enough_rounds(folder: Path) -> None:
    wagers = {
        wager["wager"]: wager for wager in asked(folder, "simulate", "md-mississippi-stud", "-n", "1e6")["wagers"]
    }
    assert (wagers["base"]["agrees"], wagers["base"]["conclusive"]) == (True, True)
    assert (wagers["six_card_bonus"]["agrees"], wagers["six_card_bonus"]["conclusive"]) == (True, False)
    assert (wagers["progressive"]["agrees"], wagers["progressive"]["conclusive"]) == (None, None)
