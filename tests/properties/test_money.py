from collections.abc import Callable
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import MoneyError
from croupier.money import (
    Cents,
    Dollars,
    For,
    MeterUnits,
    Pay,
    Payout,
    Push,
    Share,
    To,
    displayed,
    divide_in_order,
    divide_pro_rata,
    format_dollars,
    meter_units,
    parse_dollars,
    parse_pay,
    print_dollars,
    settle,
    share_of_meter,
    with_breakage,
)
from croupier.rulebook import Stakes

amounts = st.integers(0, 10**12).map(Cents)
meters = st.sampled_from(("main", "mega", "major", "minor"))
pays: st.SearchStrategy[Pay] = st.one_of(
    st.builds(To, st.integers(1, 10**6)),
    st.builds(For, st.integers(1, 10**6)),
    st.builds(Dollars, st.integers(1, 10**12)),
    st.builds(Share, st.integers(1, 100), meters),
    st.just(Push()),
)


@given(amounts)
def test_dollars_written_are_dollars_read(amount: Cents) -> None:
    assert parse_dollars(format_dollars(amount)) == amount
    assert print_dollars(amount).replace("$", "").replace(",", "") in (format_dollars(amount), str(amount // 100))


@pytest.mark.parametrize(("text", "cents"), [("0", 0), ("12", 1200), ("12.5", 1250), ("12.50", 1250), ("0.05", 5)])
def test_dollars(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text", ["", " 1", "-1", "+1", "1.", ".5", "1.234", "1,000", "1e3", "01", "nan", "١", "1_0", "9" * 400]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="is not an amount"):
        parse_dollars(text)


def test_a_float_and_too_much_are_refused() -> None:
    with pytest.raises(MoneyError, match="write dollars as a string"):
        parse_dollars(12.5)  # type: ignore[arg-type]
    with pytest.raises(MoneyError, match="too much"):
        parse_dollars("10000000000.01")


@given(pays)
def test_a_pay_printed_is_a_pay_read(pay: Pay) -> None:
    assert parse_pay(str(pay)) == pay
    assert msgspec.json.decode(msgspec.json.encode(pay), type=Pay) == pay


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("500 to 1", "500 to 1"),
        ("8000 to 1", "8,000 to 1"),
        ("300 for 1", "300 for 1"),
        ("$1,000", "$1,000"),
        ("$1,000,000", "$1,000,000"),
        ("$ 150", "$150"),
        ("10 % of meter", "10% of meter"),
        ("100% of the meter", "100% of meter"),
        ("10 percent of meter", "10% of meter"),
        ("100 percent of Mega Progressive", "100% of Mega Progressive"),
        ("Push", "Push"),
    ],
)
def test_pays_print_as_the_documents_print_them(text: str, printed: str) -> None:
    assert str(parse_pay(text)) == printed


@pytest.mark.parametrize(
    "text",
    ["", "5 on 1", "0 to 1", "-3 to 1", "5 to 2", "1,00 to 1", "1000001 to 1", "$0", "$1.5", "0% of meter",
     "101% of meter", "10% of main progressive", "3.5 to 1", "to 1",
     "$0.00", "9" * 5000 + " to 1", "$" + "9" * 30],
)  # fmt: skip
def test_what_is_no_pay_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match=r"is not a pay|is not an amount"):
        parse_pay(text)


@pytest.mark.parametrize(
    ("pay", "collected", "payout"),
    [
        pytest.param("500 to 1", False, Payout(Cents(500_000), Cents(1000)), id="reading 1: to returns the stake"),
        pytest.param("300 for 1", True, Payout(Cents(300_000), Cents(0)), id="reading 1: for does not"),
        pytest.param("$250", True, Payout(Cents(25_000), Cents(0)), id="readings 3, 4: in all"),
        pytest.param("$1,000,000", False, Payout(Cents(10**8), Cents(1000)), id="reading 186: stake on top"),
        pytest.param("push", False, Payout(Cents(0), Cents(1000)), id="push"),
    ],
)
def test_settle(pay: str, *, collected: bool, payout: Payout) -> None:
    assert settle(parse_pay(pay), stake=Cents(1000), collected=collected) == payout


def test_reading_2_a_share_is_the_whole_payment_and_needs_its_award() -> None:
    share = parse_pay("10% of meter")
    assert settle(share, stake=Cents(100), collected=True, award=Cents(50_124)) == Payout(Cents(50_124), Cents(0))
    with pytest.raises(MoneyError, match="an award is wanted"):
        settle(share, stake=Cents(100))
    with pytest.raises(MoneyError, match="an award is wanted"):
        settle(Push(), stake=Cents(100), award=Cents(1))


wins = st.lists(st.integers(0, 10**10).map(Cents), min_size=1, max_size=6)
limits = st.integers(0, 10**10).map(Cents)


@given(wins, limits)
def test_reading_11_and_187_a_limit_is_divided_to_the_cent(won: list[Cents], limit: Cents) -> None:
    paid = divide_pro_rata(won, limit=limit)
    assert paid == naive_pro_rata(won, limit)
    assert sum(paid) == min(sum(won), limit)
    assert all(part >= 0 for part in paid)


def naive_pro_rata(won: list[Cents], limit: Cents) -> tuple[int, ...]:
    total = sum(won)
    if total <= limit:
        return tuple(won)
    parts = [int(Fraction(win) * Fraction(limit, total)) for win in won]
    for place, win in enumerate(won):
        if win == max(won):
            parts[place] += limit - sum(parts)
            break
    return tuple(parts)


def test_reading_187_leftover_goes_to_the_earliest_of_the_largest() -> None:
    equal = [Cents(1), Cents(100), Cents(100)]
    assert divide_pro_rata(equal, limit=Cents(100)) == (0, 51, 49)


@given(wins, limits)
def test_reading_11_in_order(won: list[Cents], limit: Cents) -> None:
    paid = divide_in_order(won, limit=limit)
    assert sum(paid) == min(sum(won), limit)
    short = [place for place, (part, win) in enumerate(zip(paid, won, strict=True)) if part < win]
    if short:
        assert all(part == 0 for part in paid[short[0] + 1 :])


@given(amounts)
def test_reading_15_breakage_never_pays_less(amount: Cents) -> None:
    assert with_breakage(amount) == amount
    whole = with_breakage(amount, "up_to_dollar")
    assert whole % 100 == 0
    assert 0 <= whole - amount < 100


@given(st.integers(0, 10**18).map(MeterUnits))
def test_reading_16_a_meter_shows_no_more_than_it_holds(meter: MeterUnits) -> None:
    cents, dollars = displayed(meter), displayed(meter, "dollar")
    assert 0 <= meter - meter_units(cents) < 10_000
    assert dollars == cents - cents % 100


@given(amounts, st.integers(1, 100))
def test_reading_16_a_share_is_rounded_for_the_player(shown: Cents, percent: int) -> None:
    exact = Fraction(shown * percent, 100)
    assert 0 <= share_of_meter(shown, percent=percent) - exact < 1
    assert 0 <= exact - share_of_meter(shown, percent=percent, rounding="down") < 1
    assert abs(share_of_meter(shown, percent=percent, rounding="nearest") - exact) <= Fraction(1, 2)
    assert share_of_meter(shown, percent=100) == shown


@pytest.mark.parametrize(
    "act",
    [
        lambda: divide_pro_rata([Cents(-1)], limit=Cents(1)),
        lambda: divide_in_order([Cents(1)], limit=Cents(-1)),
        lambda: with_breakage(Cents(-1)),
        lambda: displayed(MeterUnits(-1)),
        lambda: share_of_meter(Cents(-1), percent=10),
    ],
)
def test_amounts_below_zero_are_refused(act: Callable[[], object]) -> None:
    with pytest.raises(MoneyError, match="-1 cents: an amount cannot be below zero"):
        act()


@pytest.mark.parametrize(
    "act",
    [
        lambda: settle(To(5), stake=Cents(-100)),
        lambda: settle(To(5), stake=10.5),  # type: ignore[arg-type]
        lambda: settle(Share(10), stake=Cents(100), award=Cents(-5)),
        lambda: divide_pro_rata([1.5, 2.5], limit=Cents(3)),  # type: ignore[list-item]
        lambda: with_breakage(Cents(101), "upToDollar"),  # type: ignore[arg-type]
        lambda: displayed(MeterUnits(12345678), "foo"),  # type: ignore[arg-type]
        lambda: share_of_meter(Cents(1001), percent=10, rounding="foo"),  # type: ignore[arg-type]
        lambda: share_of_meter(Cents(1001), percent=10.5),  # type: ignore[arg-type]
        lambda: To(-5),
        lambda: For(1.5),  # type: ignore[arg-type]
        lambda: Dollars(0),
        lambda: Share(101),
        lambda: Share(10, "x"),  # type: ignore[arg-type]
    ],
)
def test_nonsense_is_refused_not_answered(act: Callable[[], object]) -> None:
    with pytest.raises(MoneyError):
        act()


@pytest.mark.parametrize("percent", [0, 101])
def test_shares_outside_1_to_100_are_refused(percent: int) -> None:
    with pytest.raises(MoneyError, match="cannot be won"):
        share_of_meter(Cents(1), percent=percent)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60), st.integers(-5, 70))
def test_stakes_admit_the_amounts_that_counting_up_from_the_minimum_reaches(
    minimum: int, maximum: int, increment: int, amount: int
) -> None:
    stakes = Stakes(Cents(minimum), Cents(maximum), Cents(increment))
    assert stakes.admits(amount) == (amount in range(minimum, maximum + 1, increment))
