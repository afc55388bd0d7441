"""A mix of players, played round by round: against tables on which everybody bets the same, and plain loops."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from croupier.analysis import OpenHours, PlayerMix, mixed_hours
from croupier.errors import Malformed
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text, starting_submission
from croupier.simulation import (
    Calendar,
    MixedTable,
    Plan,
    Seat,
    box_stakes,
    expected_win,
    hold_of,
    keep_history,
    largest_stake,
)

BETS = {"base": Cents(1000), "progressive": Cents(100), "three_card_bonus": Cents(500)}


def house_of(book: str, more: str = "") -> HouseRules:
    text = starting_submission(load_rulebook(book), every_wager=True)
    return check(read_submission_text(text + more, name=book)).rules()


@pytest.fixture(scope="module")
def stud() -> HouseRules:
    return house_of("md-mississippi-stud")


def mix_of(*hours: tuple[int, int, str], **more: object) -> PlayerMix:
    occupancy = tuple(OpenHours(start, long, Fraction(players)) for start, long, players in hours)
    given = {"bets": BETS, "shares": {}, "buy_in": Cents(20_000)} | more
    return PlayerMix(occupancy=occupancy, **given)  # type: ignore[arg-type]


def test_where_everybody_bets_the_same_it_is_the_table_that_hold_plays(stud: HouseRules) -> None:
    """Win, handle and drop of every shift, day and month, to the cent, with awards and envy."""
    calendar = Calendar(rounds_per_hour=120, hours=24, shifts=3)
    stakes = tuple(box_stakes(stud, BETS).items())
    plan = Plan(house=stud, seats=tuple(Seat(number, stakes) for number in (1, 2, 3)), seed=5)
    plain = hold_of(keep_history(plan, calendar.periods["month"]), calendar, buy_in=20_000)
    mixed = MixedTable(stud, mix_of((6, 24, "3")), lambda _: 120, months=1, seed=5).play()
    for one_way, other_way in zip(plain, mixed, strict=True):
        assert (one_way.period, one_way.rounds) == (other_way.period, other_way.rounds)
        assert one_way.won.tolist() == other_way.won.tolist()
        assert one_way.handle.tolist() == other_way.handle.tolist()
        assert one_way.drop is not None
        assert other_way.drop is not None
        assert one_way.drop.tolist() == other_way.drop.tolist()
        assert one_way.standard_error == pytest.approx(other_way.standard_error)
        for share, other in (
            (one_way.hold_of_handle, other_way.hold_of_handle),
            (one_way.hold_of_drop, other_way.hold_of_drop),
        ):
            assert share is not None
            assert other is not None
            assert share.mean == other.mean
            assert share.standard_error == pytest.approx(other.standard_error, rel=1e-4)


@pytest.mark.parametrize("share", [Fraction(1), Fraction(1, 2)])
def test_the_error_is_the_spread_of_the_average_over_many_runs(stud: HouseRules, share: Fraction) -> None:
    """Also where the players of a day differ from those of the next, and a side bet is most of the money."""
    bets = {"base": Cents(1000), "three_card_bonus": Cents(5000)}
    mix = mix_of((10, 4, "1"), (14, 4, "2.5"), bets=bets, shares={"three_card_bonus": share}, buy_in=None)
    days = [MixedTable(stud, mix, lambda _: 20, months=1, seed=seed).play()[1] for seed in range(100)]
    spread = np.std([float(day.mean) for day in days], ddof=1)
    assert spread == pytest.approx(np.sqrt(np.mean([day.standard_error**2 for day in days])), rel=0.25)
    shares = np.std([float(day.hold_of_handle.mean) for day in days], ddof=1)
    errors = [day.hold_of_handle.standard_error or 0 for day in days]
    assert shares == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.25)


@pytest.mark.parametrize("wager", ["three_card_bonus", "progressive"])
def test_each_hand_is_settled_for_the_bets_that_its_player_makes(stud: HouseRules, wager: str) -> None:
    """Every round is that of a table whose seats make just these bets; an award follows a meter of its own."""
    mix = mix_of((10, 2, "1"), (12, 2, "2"), shares={wager: Fraction(1, 2)}, visit_hours=Fraction(1))
    table = MixedTable(stud, mix, lambda _: 50, months=1, seed=3)
    played = table.play_rounds()
    alone, together = (np.flatnonzero(played.clock.players == players) for players in (1, 2))
    assert len(alone) == len(together) == 3000
    assert played.kinds[1, alone].tolist() == [-1] * 3000
    for first in (0, 1):
        plan = Plan(house=stud, seats=(Seat(1, table.kinds[first]),), seed=3)
        history = keep_history(plan, 3000)
        chosen = played.kinds[0, alone] == first
        assert 0.3 < chosen.mean() < 0.7
        assert played.brought[0, alone][chosen].tolist() == history.brought[0][chosen].tolist()
        for second in (0, 1):
            seats = (Seat(1, table.kinds[first]), Seat(2, table.kinds[second]))
            history = keep_history(Plan(house=stud, seats=seats, seed=3), 6000)
            chosen = (played.kinds[0, together] == first) & (played.kinds[1, together] == second)
            for seat in (0, 1):
                assert played.handle[seat, together][chosen].tolist() == history.handle[seat][3000:][chosen].tolist()
                assert played.brought[seat, together][chosen].tolist() == history.brought[seat][3000:][chosen].tolist()


def test_visits_begin_with_a_buy_in_and_keep_their_bets(stud: HouseRules) -> None:
    mix = mix_of((10, 3, "1.5"), shares={"three_card_bonus": Fraction(1, 2)}, visit_hours=Fraction(1))
    table = MixedTable(stud, mix, lambda players: 40 // players, months=1, shifts=2, seed=3)
    played = table.play_rounds()
    drops = table.drops_of(played)
    assert drops is not None
    assert played.clock.counts[0].tolist() == [30, 60]  # 1.5 hours with two players, then with one
    needs = [largest_stake(Plan(house=stud, seats=(Seat(1, stakes),))) for stakes in table.kinds]
    bought = np.zeros((30, 2), dtype=int)
    for seat, lengths in ((0, [20, 30, 40]), (1, [20, 10])):  # the first player's second hour has both paces
        rounds = [number for number in range(2700) if played.kinds[seat, number] >= 0]
        for day in range(30):
            for length in lengths:
                visit, rounds = rounds[:length], rounds[length:]
                assert len({played.kinds[seat, number] for number in visit}) == 1
                assert {number // 90 for number in visit} == {day}
                money = 0
                for number in visit:
                    while money < needs[played.kinds[seat, number]]:
                        money += 20_000
                        bought[day, int(number % 90 >= 30)] += 20_000
                    money += int(played.brought[seat, number])
    assert drops.tolist() == bought.ravel().tolist()


@pytest.mark.parametrize("book", ["md-mississippi-stud", "md-high-card-flush", "md-let-it-ride", "ma-mississippi-stud"])
def test_the_simulated_win_is_the_expected_one_within_its_error(book: str) -> None:
    """Without progressives and bets with rare prizes, whose samples say little."""
    house = house_of(book)
    side = "flush_bonus" if book == "md-high-card-flush" else "three_card_bonus"
    bets = {"base": Cents(1000), side: Cents(1000)}
    mix = mix_of((10, 8, "2"), (18, 8, "4.5"), bets=bets, shares={side: Fraction(3, 5)}, buy_in=None)
    day = MixedTable(house, mix, lambda players: 90 - 10 * players, months=6, seed=2).play(workers=2)[1]
    exact = mixed_hours(house, mix, lambda players: 90 - 10 * players)
    expected = sum(level.win * level.seat_rounds for level in exact)
    handle = sum(level.handle * level.seat_rounds for level in exact)
    assert abs(float(day.mean - expected)) < 3.5 * day.standard_error
    assert float(day.handle.mean()) == pytest.approx(float(handle), rel=0.01)
    assert day.drop is None


@pytest.mark.parametrize(("more", "pays"), [("", True), ("envy.holder_must_bet = true\n", False)])
def test_envy_for_the_hand_of_somebody_who_did_not_bet(more: str, pays: bool) -> None:
    """Reading 36: in Maryland the holder need not have bet, unless the house says so."""
    house = house_of("md-mississippi-stud", more)
    bettor, other = (Seat(number, tuple(box_stakes(house, BETS).items())) for number in (1, 2))
    silent = Seat(2, tuple(box_stakes(house, {"base": BETS["base"]}).items()))
    wins = [expected_win(Plan(house=house, seats=seats)).cents for seats in ((bettor, other), (bettor, silent))]
    alone = [expected_win(Plan(house=house, seats=(seat,))).cents for seat in (bettor, silent)]
    assert None not in (*wins, *alone)
    both, one = (Fraction(str(cents)) for cents in wins)
    with_bet, without = (Fraction(str(cents)) for cents in alone)
    envy = (2 * with_bet - both) / 2
    assert envy > 0
    assert with_bet + without - one == (envy if pays else 0)
    mix = mix_of((0, 1, "2"), shares=dict.fromkeys(("progressive", "three_card_bonus"), Fraction(1, 2)))
    (level,) = mixed_hours(house, mix, lambda _: 1)
    assert level.win * 2 == with_bet + without - envy / (1 if pays else 2)


@pytest.mark.parametrize(
    ("more", "months", "message"),
    [
        ({"buy_in": Cents(5_000)}, 1, r"a buy-in of \$50 does not cover a round, which can take \$106"),
        ({}, 100_000, "simulate fewer months"),
    ],
)
def test_what_cannot_be_played_is_refused(stud: HouseRules, more: dict[str, object], months: int, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        MixedTable(stud, mix_of((0, 24, "2"), **more), lambda _: 50, months=months)
