import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import MoneyError
from croupier.money import Cents, meter_units
from croupier.progressive import Meter, accrue, contribution, open_meter, shown, take
from support.meters import give_back

dollars = st.integers(0, 10**6).map(lambda whole: Cents(whole * 100))
rates = st.integers(0, 1_000_000)
meters = st.builds(
    lambda initial, reset, rate, unit, rounding, floor, extra: accrue(
        open_meter("main", initial=initial, reset=reset, rate=rate, unit=unit, rounding=rounding, floor=floor), extra
    ),
    dollars,
    dollars,
    rates,
    st.sampled_from(("cent", "dollar")),
    st.sampled_from(("up", "nearest", "down")),
    st.sampled_from(("none", "reset")),
    dollars,
)


@given(meters, dollars)
def test_what_a_stake_adds_is_exact(meter: Meter, stake: Cents) -> None:
    added = accrue(meter, stake)
    assert (added.units - meter.units) * 1_000_000 == stake * meter.rate * 10_000


@given(meters)
def test_the_whole_meter_is_paid_as_shown_and_nothing_is_lost(meter: Meter) -> None:
    after, award = take(meter, percent=100)
    assert award == shown(meter)
    assert after.units == meter.units - meter_units(award) + meter_units(meter.reset)
    assert give_back(after, award, percent=100) == meter


@given(meters, st.integers(1, 99))
def test_a_share_is_taken_off_at_once(meter: Meter, percent: int) -> None:
    after, award = take(meter, percent=percent)
    if meter.floor == "none":
        assert after.units == meter.units - meter_units(award)
        assert give_back(after, award, percent=percent) == meter
    else:
        assert after.units == max(meter.units - meter_units(award), meter_units(meter.reset))


@pytest.mark.clause("md-mississippi-stud 12.C(4)")
def test_12_c_4_each_winner_is_paid_on_the_meter_as_it_stands_at_the_turn() -> None:
    meter = open_meter("main", initial=Cents(2_000_000), reset=Cents(1_000_000), rate=0)
    meter, first = take(meter, percent=10)
    meter, second = take(meter, percent=10)
    assert (first, second, shown(meter)) == (200_000, 180_000, 1_620_000)


@pytest.mark.clause("md-high-card-flush 12.E(3)", "md-let-it-ride .12G")
def test_12_e_3_a_share_after_a_share() -> None:
    meter = open_meter("main", initial=Cents(4_000_000), reset=Cents(3_000_000), rate=0)
    meter, first = take(meter, percent=10)
    _, second = take(meter, percent=10)
    assert (first, second) == (400_000, 360_000)


@pytest.mark.clause("ma-mississippi-stud 11bis(g)")
def test_11bis_g_after_a_royal_the_next_is_paid_on_the_reset() -> None:
    meter = open_meter("main", initial=Cents(1_400_000), reset=Cents(1_000_000), rate=0)
    meter, royal = take(meter, percent=100)
    _, straight_flush = take(meter, percent=10)
    assert (royal, straight_flush) == (1_400_000, 100_000)


def test_reading_16_the_part_not_shown_is_carried_over() -> None:
    meter = accrue(open_meter("main", initial=Cents(100), reset=Cents(50), rate=33), Cents(100))
    assert (meter.units, shown(meter)) == (1_000_033, 100)
    after, award = take(meter, percent=100)
    assert (award, after.units) == (100, 500_033)


def test_what_cannot_be_is_refused() -> None:
    meter = open_meter("main", initial=Cents(0), reset=Cents(0), rate=1)
    with pytest.raises(MoneyError, match="do not add a whole number of units"):
        contribution(Cents(1), meter.rate)
    with pytest.raises(MoneyError, match="at most the whole stake"):
        open_meter("main", initial=Cents(0), reset=Cents(0), rate=1_000_001)
