"""The front door: what people who write Python type first, and what they read when they mistype."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.errors import Malformed, RuleViolation
from croupier.rulebook import InvalidSubmission, load_rulebook, rulebook_ids
from croupier.simulation import DecisionPoint

ROYAL = {"seat": 1, "wagers": {"ante": "10.00"}, "cards": "Ah Kh", "decisions": ["3x", "1x", "2x"]}
HOUSE = '{"rulebook": "md-mississippi-stud", "seats": 5, "wagers": {"three_card_bonus": {"paytable": "A"}}}'


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_rulebook_opens_by_its_name(name: str) -> None:
    house = croupier.load_house(name)
    assert house.rulebook.id == name
    assert croupier.open_round(name).rules.house == house
    assert croupier.price(name).edge > 0


def test_a_house_is_loaded_from_a_file_a_dict_or_itself(tmp_path: Path) -> None:
    file = tmp_path / "house.json"
    file.write_text(HOUSE)
    house = croupier.load_house(file)
    assert house.seats == 5
    assert (
        croupier.load_house(str(file)) == croupier.load_house(json.loads(HOUSE)) == croupier.load_house(house) == house
    )


def test_an_invalid_house_lists_every_finding() -> None:
    with pytest.raises(InvalidSubmission) as raised:
        croupier.load_house({"rulebook": "md-mississippi-stud", "seats": 9, "cards": {"decks": 7}})
    assert {finding.key for finding in raised.value.findings} == {"seats", "cards.decks"}


def test_one_price_and_all_prices_are_the_same() -> None:
    table = croupier.prices("md-mississippi-stud", wager="three_card_bonus")
    assert [price.paytable for price in table] == list("ABCDEF")
    assert table[0] == croupier.price("md-mississippi-stud", "three_card_bonus", "a")
    assert croupier.price(load_rulebook("md-mississippi-stud"), "ante") == croupier.price("md-mississippi-stud")
    assert croupier.price("md-mississippi-stud").edge == Fraction(53223, 1082900)


def test_a_paytable_of_your_own_is_priced_from_a_dict() -> None:
    stud, bonus = "md-mississippi-stud", "three_card_bonus"
    printed: dict[str, str | int] = {
        "straight flush": 40,
        "Three of a Kind": "30 to 1",
        "straight": 6,
        "flush": 4,
        "pair": 1,
    }
    assert croupier.price(stud, bonus, printed).edge == croupier.price(stud, bonus, "A").edge
    stingy = croupier.price(stud, "3 Card Bonus", {**printed, "flush": 3})
    assert stingy.edge - Fraction(128, 5525) == Fraction(1096, 22100)  # 1,096 flushes in 22,100 hands
    assert (stingy.paytable, stingy.clause) == ("yours", "custom")


@pytest.mark.parametrize(
    ("source", "wager", "pays", "said"),
    [
        ("md-mississippi-stud", "three_card_bonus", {"strait": 4}, "'strait' is not a hand of this wager: "),
        ("md-mississippi-stud", "three_card_bonus", {"pair": "lots"}, "paytable yours, pair: "),
        ("md-mississippi-stud", "three_card_bonus", {"pair": 1.5}, "paytable yours: "),
        ("md-mississippi-stud", "three_card_bonus", {}, "it has no lines"),
        ("md-mississippi-stud", "lucky", {"pair": 1}, "no wager 'lucky' here; available: base, progressive"),
        ({"rulebook": "md-mississippi-stud"}, "base", {"flush": 6}, "priced under a rulebook: ma-mississippi-stud"),
    ],
)
def test_a_wrong_paytable_of_your_own_is_explained(
    source: str | dict[str, str], wager: str, pays: dict[str, Any], said: str
) -> None:
    with pytest.raises(Malformed, match=re.escape(said)):
        croupier.price(source, wager, pays)


def test_cards_may_be_a_list_and_a_name_that_is_not_there_is_said() -> None:
    listed = croupier.advise("md-mississippi-stud", ["Qh", "Jh"], community=["9h", "2c"], bets=["1x", "1x"])
    assert listed == croupier.advise("md-mississippi-stud", "Qh Jh", community="9h 2c", bets="1x 1x")
    with pytest.raises(Malformed, match="baccarat: neither a file nor a rulebook; the rulebooks are ma-miss"):
        croupier.price("baccarat")


def test_a_game_goes_by_the_name_that_people_use() -> None:
    assert croupier.price("lir") == croupier.price("Let It Ride") == croupier.price("md-let-it-ride")
    assert croupier.advise("lir", "Tc Td 2h") == croupier.advise("md-let-it-ride", "Tc Td 2h")
    assert croupier.load_house("hcf").rulebook.id == "md-high-card-flush"
    with pytest.raises(Malformed, match="did you mean ma-mississippi-stud or md-mississippi-stud"):
        croupier.price("ms")


@pytest.mark.parametrize(
    ("wager", "paytable", "players", "said"),
    [
        ("lucky", None, None, "no wager 'lucky' here; available: base, progressive, six_card_bonus, three_card_bonus"),
        ("progressive", "Z", None, "no paytable 'Z' here; available: A, B, C, D"),
        ("base", None, 9, "no price for 9 players here; available: any"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(wager: str, paytable: str, players: int, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        croupier.price("md-mississippi-stud", wager, paytable, players=players)


def test_a_wager_that_pays_by_the_number_of_players_asks_for_it() -> None:
    with pytest.raises(
        Malformed, match="cover_all pays by the number of players: give players=1 or 2 or 3 or 4 or 5 or 6"
    ):
        croupier.price("ma-mississippi-stud", "cover_all")
    table = croupier.prices("ma-mississippi-stud", wager="cover_all")
    for item in table:
        assert croupier.price("ma-mississippi-stud", "cover_all", players=item.players) == item


def test_a_meter_at_its_break_even_makes_an_even_bet() -> None:
    priced = croupier.price("md-mississippi-stud", "progressive", "A")
    even = priced.meters[0].break_even
    above = croupier.price("md-mississippi-stud", "progressive", "A", meters={"main": f"{int(even) + 1}.00"})
    assert above.edge < 0 < priced.edge


def test_advice_takes_a_house_with_its_own_paytable() -> None:
    house = croupier.load_house({"rulebook": "md-let-it-ride", "wagers": {"base": {"paytable": "C"}}})
    by_house = croupier.advise(house, "Th Jh Qh")
    assert by_house == croupier.advise("md-let-it-ride", "Th Jh Qh", paytable="C")
    assert by_house != croupier.advise("md-let-it-ride", "Th Jh Qh", paytable="A")


def test_a_round_settles_with_a_house_or_its_own_submission(tmp_path: Path) -> None:
    described = {"seats": [ROYAL], "community": "Qh Jh Th"}
    paid = croupier.settle(described, house="md-mississippi-stud")
    assert paid.house_net == 7000 - sum(seat.paid for seat in paid.seats)
    file = tmp_path / "round.json"
    file.write_text(json.dumps(described | {"submission": {"rulebook": "md-mississippi-stud"}}))
    assert croupier.settle(file).rows() == paid.rows()
    with pytest.raises(RuleViolation, match="fifth street"):
        croupier.settle(
            {"seats": [ROYAL | {"decisions": ["3x", "1x"]}], "community": "Qh Jh Th"}, house="md-mississippi-stud"
        )


def test_a_simulation_takes_a_strategy_by_name_or_as_a_function() -> None:
    def cautious(turn: DecisionPoint) -> str:
        return "1x" if "1x" in turn.legal else turn.legal[0]

    named = croupier.simulate("md-mississippi-stud", 500, bets={"ante": "$10"}, strategy="always")
    asked = croupier.simulate("md-mississippi-stud", 500, bets={"ante": 10}, strategy=cautious)
    assert [wager.net for wager in named.wagers] == [wager.net for wager in asked.wagers]
    assert repr(named) == "<Simulation: 500 rounds of md-mississippi-stud>"


@pytest.mark.parametrize("bets", [{"ante": 10.5}, {"ante": "ten"}, {"lucky": 5}, {"ante": True}])
def test_a_bet_that_cannot_be_read_is_refused(bets: dict[str, int]) -> None:
    with pytest.raises(Malformed):
        croupier.simulate("md-mississippi-stud", 10, bets=bets)


def test_answers_are_frames_and_html() -> None:
    table = croupier.prices("md-high-card-flush", wager="flush_bonus")
    frame, polars = table.to_pandas(), table.to_polars()
    assert list(frame["house_edge_exact"]) == [price.edge for price in table]
    assert polars["house_edge_exact"].to_list() == [str(price.edge) for price in table]
    html = table._repr_html_()
    assert html.count("<tr>") == len(table) + 1
    assert "<th>house edge exact</th>" in html


@pytest.mark.parametrize("name", rulebook_ids())
def test_what_a_notebook_shows_of_a_house_is_one_line(name: str) -> None:
    house = croupier.load_house(name)
    for value in (house, house.rulebook, croupier.open_round(house), croupier.price(house)):
        assert len(repr(value)) <= 160, repr(value)
        assert "\n" not in repr(value)


def test_importing_croupier_loads_nothing_else() -> None:
    code = (
        "import croupier, sys; print(sorted(name for name in sys.modules if name.startswith(('croupier.', 'numba'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_tab_completion_finds_the_front_door() -> None:
    assert {"advise", "load_house", "price", "settle", "simulate"} <= set(dir(croupier))


def test_a_meter_that_is_not_there_is_refused() -> None:
    with pytest.raises(Malformed, match="no meter 'jumbo' here; there is main"):
        croupier.price("md-mississippi-stud", "progressive", "A", meters={"jumbo": 1})


@pytest.mark.parametrize("rounds", [0, -5, 1.5, True])
def test_rounds_are_a_whole_number(rounds: int) -> None:
    with pytest.raises(Malformed, match="give a whole number of at least 1"):
        croupier.simulate("md-mississippi-stud", rounds)


def test_the_rows_of_a_settled_round_add_up_with_its_envy() -> None:
    meters = {"main": {"initial": "10000.00", "reset": "10000.00", "rate": "0.10"}}
    progressive = {"paytable": "A", "stake": "1.00", "meters": meters}
    house = {"rulebook": "md-mississippi-stud", "wagers": {"progressive": progressive}}
    wagers = {"ante": "10.00", "progressive": "1.00"}
    other = {"seat": 4, "wagers": wagers, "cards": "7c 2d", "decisions": ["fold"]}
    described = {"seats": [ROYAL | {"wagers": wagers}, other], "community": "Qh Jh Th", "meters": {"main": "10000.00"}}
    paid = croupier.settle(described, house=house)
    frame = paid.to_pandas()
    assert "envy" in set(frame["wager"])
    assert round(100 * (frame["staked"] - frame["won"] - frame["returned"]).sum()) == paid.house_net
