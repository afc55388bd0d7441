"""A mix of players, against the sum over everything that they can do."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from croupier.analysis import OpenHours, PlayerMix, mixed_hours
from croupier.cli.mix_options import MixText, mix_of, read_occupancy, read_shares
from croupier.errors import Malformed
from croupier.money import Cents
from croupier.rulebook import check, load_rulebook, read_submission_text, starting_submission
from croupier.simulation import Plan, Seat, expected_win

BETS = {
    "md-mississippi-stud": {"base": Cents(1000), "progressive": Cents(100), "three_card_bonus": Cents(500)},
    "md-high-card-flush": {"base": Cents(1000), "flush_bonus": Cents(10_000), "straight_flush_bonus": Cents(10_000)},
}
SHARES = (Fraction(2, 5), Fraction(7, 10))


@pytest.mark.parametrize(("book", "players"), [("md-mississippi-stud", 2), ("md-high-card-flush", 1)])
def test_a_mix_is_the_average_over_every_set_of_bets_at_every_seat(book: str, players: int) -> None:
    """With envy for the progressives of others, and a payout limit that bonuses share."""
    house = check(read_submission_text(starting_submission(load_rulebook(book), every_wager=True), name=book)).rules()
    bets, side = BETS[book], list(BETS[book])[1:]
    shares = dict(zip(side, SHARES, strict=True))
    mix = PlayerMix(bets=bets, shares=shares, occupancy=(OpenHours(0, 1, Fraction(players)),))
    (mixed,) = mixed_hours(house, mix, lambda _: 40)
    total = Fraction(0)
    for made in product((True, False), repeat=2 * players):
        chance = prod(
            (shares[side[place % 2]] if yes else 1 - shares[side[place % 2]]) for place, yes in enumerate(made)
        )
        seats = []
        for number in range(1, players + 1):
            own = [name for place, name in enumerate(side) if made[2 * (number - 1) + place]]
            stakes = (("ante", bets["base"]), *((name, bets[name]) for name in own))
            seats.append(Seat(number, stakes))  # type: ignore[arg-type]
        expected = expected_win(Plan(house=house, seats=tuple(seats)))
        assert expected.cents is not None
        total += chance * expected.cents
    assert mixed.win * players == total
    assert mixed.theo == mixed.win * 40


def levels(*texts: str) -> dict[int, Fraction]:
    return PlayerMix(bets={}, shares={}, occupancy=read_occupancy(texts, 6)).levels


def test_hours_may_pass_midnight_and_players_may_be_an_average() -> None:
    assert levels("10-18=2, 18-2=4.5") == {2: 8, 4: 4, 5: 4}
    assert levels("0-24=1") == {1: 24}
    assert levels("8-8=3") == {3: 24}
    assert levels("8-12=0.5") == {1: 2}


def test_a_day_begins_with_the_first_hours_and_is_cut_into_shifts() -> None:
    """The hours that come first have the greater number of players where the average is not whole."""
    mix = PlayerMix(bets={}, shares={}, occupancy=read_occupancy(["18-2=4.5", "10-18=2"], 6))
    four, third = Fraction(4), Fraction(16, 3)
    assert mix.day(2) == [(5, four, 0), (4, four, 0), (2, 2 * four, 1)]
    rest = [(5, four, 0), (4, third - 4, 0), (4, 8 - third, 1), (2, 2 * third - 8, 1), (2, third, 2)]
    assert mix.day(3) == rest


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["10-18"], "--occupancy '10-18': write hours of the day (0 to 24) and players: 18-2=4.5"),
        (["10-25=2"], "write hours of the day"),
        (["10-18=2", "17-20=3"], "--occupancy: the hour from 17:00 is given twice"),
        (["10-18=7"], "this table has 6 seats"),
        (["10-18=0"], "nobody plays at any hour"),
    ],
)
def test_occupancy_that_makes_no_sense_is_refused(texts: list[str], message: str) -> None:
    book = "md-mississippi-stud"
    house = check(read_submission_text(starting_submission(load_rulebook(book)), name=book)).rules()
    with pytest.raises(Malformed) as refusal:
        mix_of(house, [MixText(occupancy=texts)], seats=1, hours=24)
    assert message in str(refusal.value)


def test_shares_are_percentages_of_side_bets() -> None:
    assert read_shares(["Three Card Bonus=60%"]) == {"three_card_bonus": Fraction(3, 5)}
    for text in ("three_card_bonus", "three_card_bonus=-5%", "three_card_bonus=150%"):
        with pytest.raises(Malformed, match="--share"):
            read_shares([text])
    with pytest.raises(Malformed, match="three_card_bonus is given twice"):
        read_shares(["three_card_bonus=10%", "Three Card Bonus=20%"])
