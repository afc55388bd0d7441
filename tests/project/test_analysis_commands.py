"""The commands of exact mathematics as others run them: their form, their figures, their refusals."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.analysis.cases import StreetGame, cases_of
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.positions import position_values
from croupier.analysis.workbench import NICE, design
from croupier.money import parse_pay
from croupier.rulebook import load_rulebook
from support.custom_paytable import written
from support.running import here as run

BOOKS = ("md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush")


@pytest.fixture(scope="module")
def everything() -> list[dict[str, Any]]:
    done = run("analyze", "--json")
    assert done.returncode == 0
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def records(everything: list[dict[str, Any]], **wanted: object) -> Iterator[dict[str, Any]]:
    return (one for one in everything if all(one.get(key) == value for key, value in wanted.items()))


def test_every_paytable_of_every_rulebook_has_a_record(everything: list[dict[str, Any]]) -> None:
    assert {one["rulebook"] for one in everything} == set(BOOKS)
    tables = {(one["rulebook"], one["wager"], one["paytable"]) for one in everything}
    printed = {(book, table.group, table.id) for book in BOOKS for table in load_rulebook(book).paytables.paytable}
    assert tables == printed
    assert [one["players"] for one in records(everything, wager="cover_all")] == [6, 5, 4, 3, 2, 1]


def test_every_count_sums_to_its_total_and_every_return_to_the_edge(everything: list[dict[str, Any]]) -> None:
    for one in everything:
        assert sum(line["combinations"] for line in one["lines"]) == one["total_combinations"]
        assert sum(Fraction(line["return_exact"]) for line in one["lines"]) == -Fraction(one["house_edge_exact"])
        assert one["house_edge"] == pytest.approx(float(Fraction(one["house_edge_exact"])), abs=1e-15)
        for line in one["lines"]:
            assert line["probability"] == pytest.approx(line["combinations"] / one["total_combinations"])


def test_a_hit_is_a_pay_and_a_win_is_more_than_the_stake(everything: list[dict[str, Any]]) -> None:
    for one in everything:
        paid = [line for line in one["lines"] if line["pays"] not in ("Push", "loses")]
        hit, win, even = (Fraction(one[f"{name}_frequency_exact"]) for name in ("hit", "win", "even"))
        assert win <= hit <= win + even
        if one["wager"] != "base":
            assert hit == sum(Fraction(line["probability_exact"]) for line in paid)
    stake_back = {one["paytable"] for one in everything if one["hit_frequency_exact"] != one["win_frequency_exact"]}
    assert stake_back == {"B", "D"}


def test_the_published_figures_known_to_be_exact_are_met(everything: list[dict[str, Any]]) -> None:
    for book in ("md-mississippi-stud", "ma-mississippi-stud"):
        edges = {one["house_edge_exact"] for one in records(everything, rulebook=book, wager="base")}
        assert edges == {"53223/1082900"}
    ride = next(records(everything, rulebook="md-let-it-ride", wager="base", paytable="A"))
    assert ride["house_edge_exact"] == "37963/1082900"
    bonus = next(records(everything, rulebook="md-mississippi-stud", wager="three_card_bonus", paytable="D"))
    assert Fraction(bonus["house_edge_exact"]) == Fraction(1568, 22100)
    hands = {line["hand"]: line["combinations"] for line in ride["lines"]}
    assert (hands["royal_flush"], hands["four_of_a_kind"], hands["flush"], hands["two_pair"]) == (4, 624, 5108, 123552)


def test_tie_rules_stand_only_where_they_make_a_difference(everything: list[dict[str, Any]]) -> None:
    found: dict[tuple[str, str], list[str | None]] = defaultdict(list)
    for one in records(everything, wager="base"):
        found[one["rulebook"], one["paytable"]].append(one.get("tie_rule"))
    assert found["md-mississippi-stud", "standard"] == ["more", "less"]
    assert found["md-let-it-ride", "A"] == ["more", "less"]
    assert found["md-let-it-ride", "C"] == [None]
    assert found["md-high-card-flush", "standard"] == [None]


def test_main_games_have_an_average_wager_and_an_element_of_risk(everything: list[dict[str, Any]]) -> None:
    for one in records(everything, wager="base"):
        risk = Fraction(one["house_edge_exact"]) / Fraction(one["average_wager_exact"])
        assert Fraction(one["element_of_risk_exact"]) == risk


def test_progressives_have_a_fixed_part_and_a_coefficient_for_each_meter(everything: list[dict[str, Any]]) -> None:
    for one in records(everything, wager="progressive"):
        stake = Fraction(one["stake"])
        returned = Fraction(one["fixed_return_exact"])
        for meter in one["meters"].values():
            returned += Fraction(meter["coefficient_exact"]) * Fraction(meter["value"]) / stake
        assert returned == 1 - Fraction(one["house_edge_exact"])
        for name, meter in one["meters"].items():
            even = Fraction(meter["break_even_exact"])
            assert 0 <= Fraction(meter["break_even"]) - even < Fraction(1, 100)
            shift = (even - Fraction(meter["value"])) * Fraction(meter["coefficient_exact"]) / stake
            assert returned + shift == 1, name


def test_a_meter_at_its_break_even_leaves_no_edge() -> None:
    done = run(
        "analyze", "md-let-it-ride", "-w", "progressive", "-p", "C", "--stake", "1.00", "--meter", "11520", "--json"
    )
    (record,) = json.loads(done.stdout)
    assert record["house_edge_exact"] == "0"


def test_a_folded_progressive_is_worth_less(everything: list[dict[str, Any]]) -> None:
    for one in records(everything, variant="forfeit_on_fold"):
        same = {key: one[key] for key in ("rulebook", "paytable", "stake")}
        other = next(records(everything, variant="all_hands", **same))
        assert Fraction(one["house_edge_exact"]) > Fraction(other["house_edge_exact"])
        assert one["total_combinations"] == 155_937_600


@pytest.mark.parametrize("flags", [(), ("--lines",)])
def test_csv_has_one_row_for_each_record_or_line(flags: tuple[str, ...]) -> None:
    done = run("analyze", "md-high-card-flush", "-w", "flush_bonus", "--csv", *flags)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == (75 if flags else 15)
    assert {row["rulebook"] for row in rows} == {"md-high-card-flush"}


def test_a_result_is_kept_and_asked_for_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    asked = ("analyze", "md-let-it-ride", "-w", "three_card_bonus", "-p", "A", "--json")
    first = run(*asked)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes().replace(b"128/5525", b"127/5525").replace(b'"3744', b'"9999'))
    assert run(*asked, "--recompute").stdout == first.stdout
    kept.write_text("[{")
    assert run(*asked).stdout == first.stdout
    assert run(*asked).stdout == first.stdout


def test_an_answer_comes_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "file"))
    assert run("analyze", "md-let-it-ride", "-w", "three_card_bonus", "-p", "A", "--json").returncode == 0


def test_a_paytable_of_ones_own_is_priced(tmp_path: Path) -> None:
    file = written(tmp_path, "three_card_bonus", '{ hand = "three_of_a_kind", pays = "424 to 1" }')
    (record,) = json.loads(run("analyze", "--own", str(file), "--json").stdout)
    assert record["house_edge_exact"] == "0"
    file = written(tmp_path, "progressive", '{ hand = "royal_flush", pays = "100% of meter" }')
    one, two = json.loads(run("analyze", "--own", str(file), "--meter", "649740", "--json").stdout)
    assert one["house_edge_exact"] == "0"
    assert two["variant"] == "forfeit_on_fold"


@pytest.mark.parametrize(
    ("group", "lines", "words"),
    [
        ("three_card_bonus", '{ hand = "full_house", pays = "3 to 1" }', "full_house"),
        ("three_card_bonus", '{ hand = "pair", pays = "3 on 1" }', "3 on 1"),
        ("three_card_bonus", '{ hand = "pair" }', "pays"),
        ("three_card_bonus", "", "no line"),
        ("base", '{ hand = "pair", pays = "$5" }', "main bet"),
        ("cover_all", '{ hand = "pair", pays = "1 to 1" }', "cover_all"),
        ("three_card_bonus", '{ hand = "pair", pays = "1 to 1" }, { hand = "pair", pays = "2 to 1" }', "twice"),
        ("three_card_bonus", '{ hand = "pair", pays = "1 to 1" }]\nevaluator = "six_card"\nstakes = [', "six_card"),
        ("three_card_bonus", '{ hand = "pair", pays = "1 to 1" }]\nplayers = 2\nstakes = [', "players"),
        ("progressive", '{ hand = "flush", pays = "9 for 1" }]\nstakes = ["0.00"', "0.00"),
        ("flush_bonus", '{ hand = "pair", pays = "1 to 1" }', "flush_bonus"),
    ],
)
def test_a_broken_paytable_of_ones_own_says_where(tmp_path: Path, group: str, lines: str, words: str) -> None:
    done = run("analyze", "--own", str(written(tmp_path, group, lines)))
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("analyze", "nowhere"), "md-mississippi-stud"),
        (("analyze", "md-let-it-ride", "-w", "cover_all"), "five_card_bonus"),
        (("analyze", "md-let-it-ride", "-p", "Z"), "'Z'"),
        (("analyze", "md-let-it-ride", "-w", "base", "--meter", "5"), "no meter"),
        (("analyze", "md-let-it-ride", "-w", "progressive", "--stake", "2.00"), "1.00 or 5.00"),
        (("analyze", "md-let-it-ride", "--stake", "x"), "'x'"),
        (("analyze", "md-let-it-ride", "--stake", "0.00"), "0.00"),
        (("analyze", "md-let-it-ride", "-w", "progressive", "-p", "A", "--meter", "main=-1"), "main=-1"),
        (("analyze", "--own", "nowhere.toml"), "nowhere.toml"),
        (("analyze", "md-let-it-ride", "-w", "three_card_bonus", "--plot", "out.pdf"), ".svg"),
        (("advise", "md-let-it-ride", "Tc Td"), "expected 3 cards"),
        (("advise", "md-let-it-ride", "Tc Td Tc"), "Tc"),
        (("advise", "md-let-it-ride", "Tc Td 2x"), "2x"),
        (("advise", "md-let-it-ride", "Tc Td 2c", "-c", "3c"), "one before each community card"),
        (("advise", "md-let-it-ride", "Tc Td 2c", "-c", "3c", "-b", "3x"), "withdraw, ride"),
        (("advise", "md-mississippi-stud", "Tc Td", "-c", "3c", "-b", "fold"), "after a fold"),
        (("advise", "md-mississippi-stud", "Tc Td", "-p", "B"), "standard"),
        (("advise", "md-high-card-flush", "Th 8h 6h Kd 9d Tc"), "7"),
        (("advise", "md-high-card-flush", "Th 8h 6h Kd 9d Tc 2s", "-b", "1x"), "one decision"),
        (("strategy", "md-let-it-ride", "luck"), "best list"),
        (("design", "md-let-it-ride", "three_card_bonus", "--edge", "lots"), "5%"),
        (("design", "md-high-card-flush", "base", "--edge", "2%"), "even money"),
        (("design", "md-high-card-flush", "base"), "even money"),
        (("design", "md-let-it-ride", "five_card_bonus"), "no line that pays odds"),
        (("design", "md-let-it-ride", "three_card_bonus", "--edge", "1e999999"), "1/20"),
        (("design", "md-let-it-ride", "three_card_bonus", "--edge", "5%", "--within", "-1%"), "zero or more"),
        (("design", "md-let-it-ride", "three_card_bonus", "--hit", "5%"), "--edge"),
        (("analyze", "md-let-it-ride", "--json", "--csv"), "not both"),
        (("certificate", "write", "md-let-it-ride", "-w", "three_card_bonus", "-o", ""), "file"),
        (("certificate", "check", "nowhere.json"), "nowhere.json"),
    ],
)
def test_nonsense_gets_one_clear_line(words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert done.returncode == 2, done
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_advise_says_what_to_type() -> None:
    done = run("advise", "md-mississippi-stud", "Ah Kh", "--community", "9h")
    assert done.returncode == 2
    assert '1 community card and 0 bets: give 1 bet, one before each community card, such as --bets "3x"' in done.stderr
    told = run("advise", "md-mississippi-stud", "Ah Kh", "--community", "9h 2c", "--bets", "3x").stderr
    assert '2 community cards and 1 bet: give 2 bets, one before each community card, such as --bets "3x 3x"' in told
    assert "give no bet" in run("advise", "md-mississippi-stud", "Ah Kh", "--bets", "1x").stderr


def test_advice_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Best play is solved once: later answers come from the cache, about this hand or any other."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    position_values.cache_clear()
    first = run("advise", "md-let-it-ride", "Tc Td 2h", "--json").stdout

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("it was worked out again")

    monkeypatch.setattr("croupier.analysis.streets.game.best_play", fail)
    position_values.cache_clear()
    assert run("advise", "md-let-it-ride", "2h Td Tc", "--json").stdout == first
    assert json.loads(run("advise", "md-let-it-ride", "2h 3d Tc", "--json").stdout)["best"] == ["withdraw"]


def test_advise_answers_line_by_line() -> None:
    lines = [
        '{"rulebook": "md-mississippi-stud", "cards": "2c 8c", "community": "4s Kd", "bets": ["1x", "2x"]}',
        '{"rulebook": "md-let-it-ride", "cards": "4c 5d 6h", "community": "7s", "bets": ["withdraw"], "paytable": "A"}',
        '{"rulebook": "md-high-card-flush", "cards": "Ah Kh Qh Jh Th 9h 8h"}',
        '{"rulebook": "md-let-it-ride", "cards": "4c 5d 5d"}',
        '{"rulebook": "md-let-it-ride", "cards": "4c 5d 6d", "luck": true}',
    ]
    done = run("advise", stdin="\n".join(lines))
    stud, ride, flush, twice, unknown = map(json.loads, done.stdout.splitlines())
    assert stud["actions"] == {"fold": "-4", "1x": "-65/16", "2x": "-39/8", "3x": "-91/16"}
    assert stud["best"] == ["fold"]
    assert ride["actions"] == {"withdraw": "0", "ride": "0"}
    assert ride["best"] == ["withdraw", "ride"]
    assert list(flush["actions"]) == ["fold", "1x", "2x", "3x"]
    assert flush["best"] == ["3x"]
    assert "line 4" in twice["error"]
    assert "luck" in unknown["error"]
    assert done.returncode == 2


# --- houses


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(run("submission", "new", "md-mississippi-stud", "--every-wager").stdout)
    return file


def test_a_house_is_priced_with_its_meters(house: Path) -> None:
    text = house.read_text().replace('initial = "10000.00"', 'initial = "20000.00"')
    house.write_text(text)
    found = json.loads(run("analyze", "-s", str(house), "-w", "progressive", "--json").stdout)
    assert {one["meters"]["main"]["value"] for one in found} == {"20000.00"}


def test_an_invalid_house_has_no_price(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('rulebook = "md-mississippi-stud"\nseats = 9\n')
    done = run("analyze", "-s", str(file))
    assert done.returncode == 1
    assert "seats" in done.stderr
    assert run("cost", str(file), "--bet", "base=10").returncode == 1


def test_two_houses_are_compared_wager_by_wager(house: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(house.read_text().replace("[wagers.three_card_bonus]", "[wagers.three_card_bonus]", 1))
    text = house.read_text()
    start = text.index("[wagers.three_card_bonus]")
    other.write_text(text[:start] + text[start:].replace('paytable = "A"', 'paytable = "B"', 1))
    rows = {one["wager"]: one for one in json.loads(run("compare", str(house), str(other), "--json").stdout)}
    assert rows["base"]["difference_exact"] == "0"
    assert Fraction(rows["three_card_bonus"]["difference_exact"]) == Fraction(308 - 128, 5525)
    assert run("compare", str(house), str(other)).returncode == 0


def test_compare_prices_progressives_in_the_long_run_too(house: Path, tmp_path: Path) -> None:
    """A rate of 15% instead of 10% changes nothing at the opening meter, and five points of return in the long run."""
    other = tmp_path / "rate15.toml"
    other.write_text(house.read_text().replace('rate = "0.10"', 'rate = "0.15"'))
    rows = {row["wager"]: row for row in json.loads(run("compare", str(house), str(other), "--json").stdout)}
    assert rows["progressive"]["difference_exact"] == "0"
    assert rows["progressive"]["long_run_difference_exact"] == "-1/20"
    assert "long_run_difference" not in rows["base"]
    shown = run("compare", str(house), str(other)).stdout
    assert "opening" in shown
    assert "long run" in shown
    assert "−5.0000%" in shown


def test_every_command_gives_the_same_long_run_edge(house: Path) -> None:
    meter = json.loads(run("meter", str(house), "--json").stdout)["long_run_house_edge_exact"]
    records = json.loads(run("analyze", "-s", str(house), "-w", "progressive", "--json").stdout)
    assert {record["long_run_house_edge_exact"] for record in records} == {meter}
    found = cost(house, "--bet", "base=10.00", "--bet", "progressive=1.00")
    bets = {bet["wager"]: bet for bet in found["bets"]}
    assert bets["progressive"]["long_run_house_edge_exact"] == meter
    difference = Fraction(found["long_run_cost_per_round_exact"]) - Fraction(bets["base"]["cost_per_round_exact"])
    assert difference == Fraction(meter)
    assert "in the long run" in run("analyze", "-s", str(house), "-w", "progressive").stdout


def test_a_progressive_breaks_even_earlier_with_play_adjusted_to_it(house: Path) -> None:
    """The cent at which adapted play first gains from the bet: found by solving again on both sides of it."""
    found = cost(house, "--bet", "base=10.00", "--bet", "progressive=1.00")
    even = found["adapted_break_even"]["main"]
    assert even == "230718.26"
    (record,) = json.loads(run("analyze", "-s", str(house), "-w", "progressive", "--json").stdout)
    assert record["meters"]["main"]["break_even"] == "253235.45"
    assert (record["adapted_break_even"], record["adapted_break_even_ante"]) == ({"main": even}, "10.00")
    alone = Fraction(cost(house, "--bet", "base=10.00")["cost_per_round_exact"])
    bets = ("--bet", "base=10.00", "--bet", "progressive=1.00", "--meter")
    below, above = (cost(house, *bets, amount)["cost_per_round_exact"] for amount in ("230718.00", "230719.00"))
    assert Fraction(above) < alone < Fraction(below)


def cost(house: Path, *words: str) -> dict[str, Any]:
    done = run("cost", str(house), *words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_bets_cost_what_their_edges_say(house: Path) -> None:
    found = cost(house, "--bet", "base=10.00", "--bet", "three_card_bonus=2.00", "--rounds", "100")
    expected = Fraction(53223, 1082900) * 10 + Fraction(128, 5525) * 2
    assert Fraction(found["cost_per_round_exact"]) == expected
    assert Fraction(found["cost_per_hour_exact"]) == 100 * expected


def test_the_payout_limit_costs_a_large_bet(house: Path) -> None:
    small, large = (cost(house, "--bet", f"base={bet}") for bet in ("10.00", "100.00"))
    assert small["payout_limit_per_round_exact"] == "0"
    assert Fraction(large["payout_limit_per_round_exact"]) > 0
    edge = Fraction(53223, 1082900) * 100
    assert Fraction(large["cost_per_round_exact"]) > edge
    minded = Fraction(large["adapted_play_per_round_exact"] or 0)
    assert Fraction(large["cost_per_round_exact"]) == edge + Fraction(large["payout_limit_per_round_exact"]) - minded


def test_a_large_meter_changes_best_play(house: Path) -> None:
    bets = ("--bet", "base=10.00", "--bet", "progressive=1.00")
    low, high = (cost(house, *bets, "--meter", meter) for meter in ("10000", "2000000"))
    gains = [Fraction(one["adapted_play_per_round_exact"] or 0) for one in (low, high)]
    assert 0 <= gains[0] < gains[1]
    assert Fraction(high["cost_per_round_exact"]) < 0


def test_bonuses_of_one_hand_share_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "flush.toml"
    file.write_text(run("submission", "new", "md-high-card-flush", "--every-wager").stdout)
    words = ("--bet", "base=100.00", "--bet", "flush_bonus=100.00", "--bet", "straight_flush_bonus=100.00")
    both = Fraction(cost(file, *words)["payout_limit_per_round_exact"])
    alone = Fraction(cost(file, *words[:2], *words[4:])["payout_limit_per_round_exact"])
    assert both > alone > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bet", "base=10.00", "--bet", "luck=5.00"), "three_card_bonus"),
        (("--bet", "three_card_bonus=5.00"), "no bet on the main game"),
        (("--bet", "base=5.00"), "$10 to"),
        (("--bet", "base=10.37"), "in steps of"),
        (("--bet", "base=10.00", "--bet", "progressive=5.00"), "progressive: $5 does not fit the limits, $1"),
        (("--bet", "base=10.00", "--bet", "base=20.00"), "given twice"),
        (("--bet", "base=10.00", "--players", "7"), "seats"),
        (("--bet", "base=10.00", "--meter", "major=5"), "'major'"),
        (("--bet", "base"), "ante=10.00"),
        ((), "no bet"),
    ],
)
def test_an_impossible_bet_is_refused(house: Path, words: tuple[str, ...], said: str) -> None:
    done = run("cost", str(house), *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_large_bets_are_exact_too(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_text(
        'rulebook = "md-mississippi-stud"\n[limits.ante]\nminimum = "1000000.00"\nmaximum = "10000000000.00"\n'
    )
    found = json.loads(run("cost", str(file), "--limit-by-size", "--json").stdout)
    takes = [Fraction(one["cost_per_round_exact"]) / Fraction(one["bets"]["base"]) for one in found]
    assert takes == sorted(takes)
    assert takes[0] == 0
    assert cost(file, "--bet", "base=1000000.00")["payout_limit_per_round_exact"] == "0"


def test_options_of_a_house_change_its_prices(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    text = run("submission", "new", "ma-mississippi-stud", "--every-wager").stdout
    one.write_text(text)
    two.write_text(
        f'{text}\n[readings.ma]\nprogressive_after_fold = "live"\n[readings.cover_all]\ncount_folded = false\n'
    )
    rows = {row["wager"]: row for row in json.loads(run("compare", str(one), str(two), "--json").stdout)}
    assert Fraction(rows["progressive"]["difference_exact"]) < 0
    assert rows["cover_all"]["second"] is None
    done = run("analyze", "-s", str(two), "--json")
    assert "count_folded" in done.stderr
    assert {record.get("variant") for record in json.loads(done.stdout) if record["wager"] == "progressive"} == {
        "all_hands"
    }


def test_a_folded_hand_brings_nobody_envy(everything: list[dict[str, Any]]) -> None:
    for one in records(everything, variant="all_hands"):
        same = {key: one[key] for key in ("rulebook", "paytable", "stake")}
        other = next(records(everything, variant="forfeit_on_fold", **same))
        assert one["envy_per_other_player_exact"] == other["envy_per_other_player_exact"]


def test_houses_with_different_main_games_are_compared(tmp_path: Path) -> None:
    files = []
    for table in "AC":
        file = tmp_path / f"{table}.toml"
        file.write_text(f'rulebook = "md-let-it-ride"\n[wagers.base]\npaytable = "{table}"\n')
        files.append(str(file))
    (row,) = json.loads(run("compare", *files, "--json").stdout)
    assert Fraction(row["difference_exact"]) == Fraction(53357, 1624350) - Fraction(37963, 1082900)


def test_two_paytables_are_compared_without_a_file() -> None:
    (row,) = json.loads(run("compare", "md-mississippi-stud", "Three Card Bonus", "a", "b", "--json").stdout)
    assert (row["first"]["house_edge_exact"], row["second"]["house_edge_exact"]) == ("128/5525", "308/5525")
    assert Fraction(row["difference_exact"]) == Fraction(308 - 128, 5525)
    assert {"hand": "straight", "first": "6 to 1", "second": "5 to 1"} in row["lines"]
    shown = run("compare", "md-mississippi-stud", "three_card_bonus", "A", "B").stdout
    assert "positive = higher house edge in the second" in shown
    (ride,) = json.loads(run("compare", "md-let-it-ride", "bet", "A", "C", "--json").stdout)
    assert Fraction(ride["difference_exact"]) == Fraction(53357, 1624350) - Fraction(37963, 1082900)


def test_a_progressive_is_tried_in_a_submission_with_the_meters_that_its_paytable_needs(house: Path) -> None:
    (row,) = json.loads(run("compare", str(house), "progressive", "A", "C", "--json").stdout)
    assert set(row["first"]["meters"]) == {"main"}
    assert set(row["second"]["meters"]) == {"mega", "major", "minor"}
    edges = [Fraction(row[side]["long_run_house_edge_exact"]) for side in ("first", "second")]
    assert Fraction(row["long_run_difference_exact"]) == edges[1] - edges[0]


def test_two_rulebooks_are_compared_with_the_range_of_their_paytables(everything: list[dict[str, Any]]) -> None:
    rows = json.loads(run("compare", "md-mississippi-stud", "ma-mississippi-stud", "--json").stdout)
    bonus = next(row for row in rows if row["wager"] == "three_card_bonus")
    for side, book in (("first", "md-mississippi-stud"), ("second", "ma-mississippi-stud")):
        edges = {
            Fraction(one["house_edge_exact"]): one["paytable"]
            for one in records(everything, rulebook=book, wager="three_card_bonus")
        }
        lowest, highest = bonus[side]["lowest"], bonus[side]["highest"]
        assert (Fraction(lowest["house_edge_exact"]), Fraction(highest["house_edge_exact"])) == (min(edges), max(edges))
    progressive = next(row for row in rows if row["wager"] == "progressive")
    assert progressive["long_run_difference_exact"] == "0"
    assert next(row for row in rows if row["wager"] == "six_card_bonus")["second"] is None


def test_every_finding_of_both_files_is_listed(tmp_path: Path) -> None:
    files = []
    for name, seats in (("one.toml", 9), ("two.toml", 8)):
        files.append(str(tmp_path / name))
        Path(files[-1]).write_text(
            f'rulebook = "md-mississippi-stud"\nseats = {seats}\n[limits.ante]\nminimum = "$500"\nmaximum = 10\n'
        )
    done = run("compare", *files)
    assert done.returncode == 1
    assert [done.stdout.count(word) for word in ("9 seats", "8 seats", "limits.ante.maximum")] == [1, 1, 2]
    answers = json.loads(run("compare", *files, "--json").stdout)
    assert [len([one for one in answer["findings"] if one["severity"] == "error"]) for answer in answers] == [2, 2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["md-mississippi-stud"], "give two submissions or rulebooks"),
        (["md-mississippi-stud", "three_card_bonus"], "three_card_bonus: neither a file nor a rulebook"),
        (["md-mississippi-stud", "three_card_bonus", "A", "z"], "has no paytable 'z': A, B"),
        (["md-mississippi-stud", "seven", "A", "B"], "has no wager 'seven'"),
        (["no.toml", "md-mississippi-stud"], "no.toml: No such file"),
    ],
)
def test_what_cannot_be_compared_says_what_can(words: list[str], message: str) -> None:
    done = run("compare", *words)
    assert done.returncode == 2
    assert message in done.stderr


# --- designs and strategies


def test_a_design_meets_its_target() -> None:
    words = ("design", "md-mississippi-stud", "three_card_bonus", "--edge", "5%", "--within", "0.05%", "--json")
    found = json.loads(run(*words).stdout)
    assert found
    for one in found:
        assert abs(Fraction(one["house_edge_exact"]) - Fraction(1, 20)) <= Fraction(5, 10_000)
        numbers = [int(pays.split()[0]) for pays in one["pays"].values()]
        assert numbers == sorted(numbers, reverse=True)


def test_a_design_is_priced_as_it_says(tmp_path: Path) -> None:
    words = ("design", "md-mississippi-stud", "three_card_bonus", "--edge", "4%", "--hit", "10%", "--json")
    one = json.loads(run(*words).stdout)[0]
    lines = ", ".join(f'{{ hand = "{hand}", pays = "{pays}" }}' for hand, pays in one["pays"].items())
    (record,) = json.loads(run("analyze", "--own", str(written(tmp_path, "three_card_bonus", lines)), "--json").stdout)
    assert record["house_edge_exact"] == one["house_edge_exact"]
    assert record["hit_frequency"] == pytest.approx(one["hit_frequency"])


def test_a_search_lists_the_nearest_paytables() -> None:
    """500/100/25/10/10/4/3/2/1 has 4.0106%, nearer to 4% than 3.9828%."""
    found = json.loads(run("design", "md-mississippi-stud", "base", "--edge", "4%", "--most", "6", "--json").stdout)
    edges = [f"{100 * design['house_edge']:.4f}" for design in found]
    assert edges == ["3.9983", "4.0040", "4.0054", "4.0084", "4.0106", "3.9828"]
    pays = [int(words.split()[0]) for words in found[4]["pays"].values()]
    assert pays == [500, 100, 25, 10, 10, 4, 3, 2, 1]


def test_a_search_changes_more_lines_until_the_target_is_met() -> None:
    words = ("design", "md-mississippi-stud", "base", "--edge", "12%")
    found = json.loads(run(*words, "--json").stdout)
    assert {design["changes_searched"] for design in found} == {3}
    assert all(abs(Fraction(design["house_edge_exact"]) - Fraction(12, 100)) < Fraction(1, 1000) for design in found)
    done = run(*words, "--changes", "2")
    assert done.returncode == 1
    assert "1,106 paytables that change up to 2 of 9 lines" in " ".join(done.stdout.split())


def test_a_search_misses_no_paytable_that_pricing_them_all_finds() -> None:
    """Every paytable with up to two other numbers, priced one by one, for four targets."""
    book = load_rulebook("md-let-it-ride")
    case = next(case for case in cases_of(book) if case.wager == "base")
    now = tuple(parse_pay(line.pays).multiple for line in case.table.line)  # type: ignore[union-attr]
    options = [[number for number in (pays, *NICE) if pays <= 2 * number and number <= 2 * pays] for pays in now]
    tables = {
        (*now[:one], a, *now[one + 1 : two], b, *now[two + 1 :])
        for one, two in combinations(range(len(now)), 2)
        for a in options[one]
        for b in options[two]
    }
    edges = {}
    for pays in tables:
        if list(pays) == sorted(pays, reverse=True):
            lines = zip(case.table.line, pays, strict=True)
            table = replace(case.table, line=tuple(replace(line, pays=f"{number} to 1") for line, number in lines))
            edges[pays] = -best_play(StreetGame(3, ("withdraw", "ride"), (0, 1), fold=False), odds_of(table)).mean
    for target in (Fraction(1, 50), Fraction(1, 25), Fraction(7, 100), Fraction(-3, 100)):
        search = design(case, edge=target, within=Fraction(1, 100), most=7, changes=2)
        assert search.candidates == len(edges)
        nearest = sorted(edges, key=lambda pays: (abs(edges[pays] - target), pays))
        near = [pays for pays in nearest[:7] if abs(edges[pays] - target) <= Fraction(1, 100)]
        assert [(found.pays, found.edge) for found in search.designs] == [(pays, edges[pays]) for pays in near]


def test_a_paytable_that_changes_five_lines_can_be_found() -> None:
    """500/50/35/6/5/3/3/2/1 of Mississippi Stud: one of its neighbors is where the search starts."""
    book = load_rulebook("md-mississippi-stud")
    case = next(case for case in cases_of(book) if case.wager == "base")
    start = dict(zip([line.hand for line in case.table.line], (500, 100, 40, 6, 5, 3, 3, 2, 1), strict=False))
    lines = tuple(
        replace(line, pays=f"{start[line.hand]} to 1") if line.hand in start else line for line in case.table.line
    )
    table = replace(case.table, line=lines)
    case = replace(case, table=table, main=table)
    (found,) = design(case, edge=Fraction(120042, 1_000_000), within=Fraction(1, 1_000_000), most=1, changes=2).designs
    assert found.pays == (500, 50, 35, 6, 5, 3, 3, 2, 1)


def test_no_design_is_an_answer_too() -> None:
    done = run("design", "md-mississippi-stud", "three_card_bonus", "--edge", "95%")
    assert done.returncode == 1


@pytest.mark.parametrize("book", BOOKS)
def test_strategies_cost_something_and_say_what_they_do(book: str) -> None:
    found = json.loads(run("strategy", book, "--json").stdout)
    assert found == sorted(found, key=lambda one: Fraction(one["cost_exact"]))
    assert all(Fraction(one["cost_exact"]) >= 0 for one in found)
    assert all(one["rows"] for one in found)
