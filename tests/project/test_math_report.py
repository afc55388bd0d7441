"""The math report: every figure is the one that the commands give, to the last digit that it prints."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.analysis import Outcomes, outcomes_of
from croupier.documents.math.ends import ends_of
from croupier.documents.math.figures import figures_of
from croupier.documents.math.report import math_report
from croupier.documents.math.spread import LEVELS, ROUNDS, normal_from, volatility_index, win_ranges
from croupier.documents.paper import Grid, Paper, plain
from croupier.documents.typst_writer import write_pdf
from croupier.rulebook import HouseRules, check, read_submission, rulebook_ids
from support.math_papers import (
    PARTICULARS,
    asked,
    compare,
    exact,
    facts,
    file_of,
    full_house,
    headed,
    inside,
    is_rounded,
    rows,
    table,
    tables,
)
from support.printed import every_paytable, said_in
from support.running import here

BOOKS = rulebook_ids()


def report(house: HouseRules) -> Paper:
    return math_report(house, PARTICULARS)


# --- every figure of a wager


@pytest.mark.parametrize("book", BOOKS)
def test_the_report_agrees_with_analyze(book: str, tmp_path: Path) -> None:
    house = full_house(book)
    paper, answers = report(house), asked("analyze", "--submission", str(file_of(book, tmp_path)))
    for wager, answer in zip(figures_of(house).wagers, answers, strict=True):
        compare(paper, wager.title, answer)
    summary = headed(paper, "Wager", "Paytable", "House edge")
    assert [row["Wager"] for row in summary] == [wager.title for wager in figures_of(house).wagers]
    for row, answer in zip(summary, answers, strict=True):
        assert row["Paytable"] == answer["paytable"]
        assert is_rounded(row["House edge"], Fraction(answer["house_edge_exact"]))
        assert is_rounded(row["Return"], 1 - Fraction(answer["house_edge_exact"]))
        assert is_rounded(row["Hit frequency"], Fraction(answer["hit_frequency_exact"]))
        assert is_rounded(row["Std. deviation"], Fraction(answer["standard_deviation"]))


# --- the spread


def test_intervals_follow_from_edge_and_spread() -> None:
    house = full_house("md-high-card-flush")
    record = figures_of(house).main.record
    for row in win_ranges(record.outcomes):
        z = {Fraction(9, 10): 1.6448536269514722, Fraction(19, 20): 1.959963984540054}.get(
            row.level, 2.5758293035489004
        )
        wide = z * record.outcomes.standard_deviation * math.sqrt(row.rounds)
        middle = float(record.edge) * row.rounds
        assert math.isclose(row.low, middle - wide, rel_tol=1e-9)
        assert math.isclose(row.high, middle + wide, rel_tol=1e-9)
    assert [(row.rounds, row.level) for row in win_ranges(record.outcomes)] == [
        (rounds, level) for rounds in ROUNDS for level in LEVELS
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_intervals_are_printed_in_units_and_shares(book: str) -> None:
    house = full_house(book)
    paper, figures = report(house), figures_of(house)
    for wager in figures.wagers:
        units = table(paper, f"{wager.title}: what the house wins, in {wager.record.unit}s")
        shares = table(paper, f"{wager.title}: the same as a share of one {wager.record.unit} per round")
        for place, row in enumerate(wager.ranges):
            at, head = place // 3, f"{int(row.level * 100)}% of the time"
            low, _, high = units[at][head].partition(" to ")
            assert is_rounded(low, Fraction(row.low))
            assert is_rounded(high, Fraction(row.high))
            low, _, high = shares[at][head].partition(" to ")
            assert is_rounded(low, Fraction(row.low / row.rounds))
            assert is_rounded(high, Fraction(row.high / row.rounds))
            assert units[at]["Rounds"].endswith("*") == (row.rounds < wager.normal_from)
            assert is_rounded(units[at]["Expected"], wager.record.edge * row.rounds)


def test_the_normal_distribution_needs_more_rounds_where_wins_are_rare() -> None:
    coin = outcomes_of([(Fraction(1), 1), (Fraction(-1), 1)])
    rare = outcomes_of([(Fraction(999), 1), (Fraction(-1), 999)])
    chance = Fraction(1, 1000)
    skewness = (1 - 2 * chance) ** 2 / (chance * (1 - chance))
    assert (normal_from(coin), normal_from(rare)) == (30, math.ceil(25 * skewness))
    assert math.isclose(volatility_index(coin), 1.6448536269514722)
    assert normal_from(Outcomes(((Fraction(0), 1),))) == 30


# --- the main game and its strategies


@pytest.mark.parametrize("book", BOOKS)
def test_the_ways_in_which_a_round_ends_make_every_figure_of_the_main_game(book: str) -> None:
    house = full_house(book)
    paper = report(house)
    for wager in figures_of(house).wagers:
        if not wager.is_main:
            continue
        record, ends = wager.record, ends_of(wager.case, wager.record)
        deals = sum(end.deals for end in ends)
        assert deals == record.outcomes.total
        assert Fraction(sum(end.deals * end.net for end in ends), deals) == -record.edge
        assert Fraction(sum(end.deals * end.wagered for end in ends), deals) == record.average_wager
        assert Fraction(sum(end.deals for end in ends if end.net > 0), deals) == record.hit
        if record.folded is not None:
            assert Fraction(sum(end.deals for end in ends if end.fold), deals) == record.folded
        for line in record.lines:
            parts = [end for end in ends if end.hand == line.hand]
            assert Fraction(sum(end.deals * end.net for end in parts), deals) == line.returned
        printed = table(paper, f"{wager.title}: every way in which a round ends under best play")
        for row, end in zip(printed, ends, strict=False):
            assert row["Deals"] == f"{end.deals:,}"
            assert is_rounded(row["Contribution"], Fraction(end.deals * end.net, deals))


@pytest.mark.parametrize("book", BOOKS)
def test_strategies_are_those_of_the_command(book: str) -> None:
    house = full_house(book)
    paper = report(house)
    answers = asked("strategy", book, "--paytable", figures_of(house).main.record.paytable)
    printed = headed(paper, "Strategy", "Source", "Cost")
    lists = [rows(made) for made in tables(paper) if made.head[0] == "Cards known"]
    for row, answer, listed in zip(printed, answers, lists, strict=True):
        assert (row["Strategy"], row["Source"]) == (answer["strategy"], answer["source"])
        assert exact(row["Cost exactly"]) == Fraction(answer["cost_exact"])
        assert is_rounded(row["House edge"], -Fraction(answer["expectation_exact"]))
        assert is_rounded(row["Average wager"], Fraction(answer["average_wager_exact"]))
        assert [(line["Cards known"], line["When"], line["Do"]) for line in listed] == [
            (str(line["cards"]), line["when"], line["do"]) for line in answer["rows"]
        ]


# --- the progressive


@pytest.mark.parametrize("book", BOOKS)
def test_the_progressive_is_that_of_the_meter_command(book: str, tmp_path: Path) -> None:
    house, file = full_house(book), str(file_of(book, tmp_path))
    paper = report(house)
    priced = next(answer for answer in asked("analyze", "--submission", file) if "meters" in answer)
    alone = asked("meter", file)
    full = asked("meter", file, "--players", str(house.seats))
    said = facts(paper, "The progressive")
    assert exact(said["Fixed return"]) == Fraction(priced["fixed_return_exact"])
    assert exact(said["House edge in the long run"]) == Fraction(priced["long_run_house_edge_exact"])
    assert exact(said["Return in the long run"]) == Fraction(alone["long_run_return_exact"])
    for row in headed(paper, "Meter", "Coefficient"):
        meter = priced["meters"][row["Meter"]]
        assert exact(row["Exactly"]) == Fraction(meter["coefficient_exact"])
        assert exact(row["Exactly, in dollars"]) == Fraction(meter["break_even_exact"])
        assert row["Break-even"].replace("$", "").replace(",", "") in {
            meter["break_even"],
            meter["break_even"].removesuffix(".00"),
        }
        if "adapted_break_even" in priced:
            assert is_rounded(row["With adapted play"], Fraction(priced["adapted_break_even"][row["Meter"]]))
    for row in table(paper, "The same as fractions of a dollar"):
        one, many = alone["meters"][row["Meter"]], full["meters"][row["Meter"]]
        assert exact(row["Reseeded"]) == Fraction(one["reseed_per_wager_exact"])
        assert exact(row["Average meter, 1 player"]) == Fraction(one["mean_shown_exact"])
        assert exact(row[f"Average meter, {house.seats} players"]) == Fraction(many["mean_shown_exact"])
    for row in headed(paper, "Meter", "Players", "Rounds per hour"):
        answer = alone if row["Players"] == "1" else full
        meter = answer["meters"][row["Meter"]]
        number, unit = row["Time between full awards"].split()
        hours = Fraction(meter["hours_between_whole_awards"])
        assert is_rounded(number, hours / 24 if unit == "days" else hours)
        assert row["Rounds per hour"] == f"{answer['rounds_per_hour']:,}"
        assert is_rounded(row["Wagers per full award"], Fraction(meter["wagers_between_whole_awards"]))


def test_a_meter_is_won_before_it_has_grown_with_the_chance_that_is_printed() -> None:
    progressive = figures_of(full_house("md-mississippi-stud")).progressive
    assert progressive is not None
    for meter in progressive.meters:
        assert meter.alone is not None
        for owed in meter.owed:
            missed = (1 - meter.alone.whole) ** 1
            chance = 1 - float(missed) ** owed.wagers
            before = 1 - float(missed) ** (owed.wagers - 1)
            assert before <= float(owed.chance) <= chance
            assert owed.most == meter.terms.reset + owed.wagers * meter.alone.contribution


def test_a_long_run_that_is_not_known_is_said_not_to_be() -> None:
    raw = next(iter(every_paytable("md-mississippi-stud"))) | {"seats": 1, "readings": {"meter.floor": "reset"}}
    paper = report(check(read_submission(raw)).rules())
    assert any("long run is not known exactly" in words for words in paragraphs(paper))
    assert "House edge in the long run" not in facts(paper, "The progressive")


def test_a_wager_without_an_exact_price_is_named() -> None:
    raw = next(iter(every_paytable("ma-mississippi-stud"))) | {
        "seats": 1,
        "readings": {"cover_all.count_folded": False},
    }
    house = check(read_submission(raw)).rules()
    said = [plain(item) for block in inside(report(house).blocks) for item in getattr(block, "items", ())]
    assert any(words.startswith("Cover All: folded hands") for words in said)
    assert not any(wager.record.wager == "cover_all" for wager in figures_of(house).wagers)


def test_envy_without_an_exact_figure_is_said_to_have_none() -> None:
    raw = next(iter(every_paytable("ma-mississippi-stud"))) | {"seats": 1, "readings": {"envy.after_fold": False}}
    house = check(read_submission(raw)).rules()
    assert any("Envy has no exact figure" in words for words in paragraphs(report(house)))


def paragraphs(paper: Paper) -> list[str]:
    return [plain(block.words) for block in inside(paper.blocks) if hasattr(block, "words")]


# --- simulation and certificates


def test_the_simulation_is_repeated_by_its_command(tmp_path: Path) -> None:
    book = "md-mississippi-stud"
    house, file = full_house(book), str(file_of(book, tmp_path))
    run = figures_of(house).simulation
    (command,) = [words for words in paragraphs(report(house)) if "croupier simulate SUBMISSION" in words]
    typed = command.partition("croupier simulate SUBMISSION ")[2].partition(". It")[0].split()
    answer = asked("simulate", file, *typed)
    assert [str(wager.edge) for wager in run.wagers] == [one["house_edge_exact_in_run"] for one in answer["wagers"]]
    printed = headed(report(house), "Wager", "Simulated edge")
    for row, one in zip(printed, answer["wagers"], strict=True):
        assert is_rounded(row["Simulated edge"], Fraction(one["house_edge_exact_in_run"]))
        low, _, high = row["99% interval"].partition(" to ")
        assert is_rounded(low, Fraction(one["interval_99"][0]))
        assert is_rounded(high, Fraction(one["interval_99"][1]))
        assert (row["Verdict"] == "agrees") == bool(one["agrees"] and one["conclusive"])


def test_every_line_that_came_up_is_counted_once() -> None:
    figures = figures_of(full_house("md-mississippi-stud"))
    for wager in figures.wagers:
        seen = figures.simulation.seen(wager.record)
        if seen:
            assert sum(count for count, _ in seen) == sum(expected for _, expected in seen) == figures.simulation.rounds


@pytest.mark.parametrize("book", BOOKS)
def test_certificates_are_those_of_the_command(book: str, tmp_path: Path) -> None:
    house, file = full_house(book), str(file_of(book, tmp_path))
    said = facts(report(house), "Appendix A: certificates")
    papers = json.loads(here("certificate", "write", "--submission", file).stdout)
    assert [words.split()[-1] for words in said.values()] == [paper["hash"] for paper in papers]
    for words, paper in zip(said.values(), papers, strict=True):
        assert f"{int(paper['hands']):,} hands, {int(paper['deals']):,} deals" in words


# --- the paper


def test_it_names_what_it_holds_for() -> None:
    house = full_house("md-let-it-ride")
    said = facts(report(house), "Scope and identification")
    assert (said["Hash of the rulebook"], said["Hash of the house rules"]) == (house.rulebook.hash, house.hash)
    assert said["Rulebook"] == f"md-let-it-ride, edition {house.rulebook.edition}"
    assert (said["Submission"], said["Date"]) == ("version 7", "November 17, 2026")
    assert figures_of(house).code in said["Hash of its source"]


def test_readings_are_cited_by_number_and_options_with_their_value() -> None:
    paper = report(full_house("md-mississippi-stud"))
    readings = [row["Reading"] for row in table(paper, "Readings on which a figure rests")]
    assert {"1", "2", "5", "6", "16", "17", "37", "53"} <= set(readings)
    options = {
        row["Option"]: row["This house"]
        for row in table(paper, "Options of the house that a price or a payment depends on")
    }
    assert (options["cap.scope"], options["meter.floor"]) == ("named", "none")


def test_massachusetts_prints_no_odds_with_the_word_that_it_forbids() -> None:
    paper = report(full_house("ma-mississippi-stud"))
    pays = [row["Pays"] for made in tables(paper) if "Pays" in made.head for row in rows(made)]
    assert "$300" in pays
    assert not any(" for 1" in words for words in pays)


def test_the_same_submission_is_the_same_bytes_and_its_text_can_be_read() -> None:
    house = full_house("md-let-it-ride")
    pdf = write_pdf(report(house))
    assert figures_of.__wrapped__(house) == figures_of(house)
    assert write_pdf(report(house)) == pdf
    said = said_in(pdf)
    for wager in figures_of(house).wagers:
        assert wager.title in said
        assert f"exactly {wager.record.edge}" in said
        assert all(f"{line.combinations:,}" in said for line in wager.lines)


def test_no_table_is_without_rows() -> None:
    for book in BOOKS:
        assert all(made.rows for made in inside(report(full_house(book)).blocks) if isinstance(made, Grid))
