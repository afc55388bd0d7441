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
    typed_count,
    typed_dollars,
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


@given(amounts, st.sampled_from(["{}", "${}", " $ {} ", "{:,}", "${:,}"]), st.booleans())
def test_however_dollars_are_typed_they_are_the_same_amount(amount: Cents, form: str, cents_shown: bool) -> None:
    dollars, rest = divmod(amount, 100)
    text = form.format(dollars).rstrip() + (f".{rest:02}" if rest or cents_shown else "")
    assert (
        typed_dollars(text) == typed_dollars(print_dollars(amount)) == typed_dollars(format_dollars(amount)) == amount
    )


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("$25", 2500),
        ("25,000", 2_500_000),
        ("10", 1000),
        ("10.5", 1050),
        ("1,000.00", 100_000),
        (".5", 50),
        ("7.", 700),
        ("25k", 2_500_000),
        ("$1.5K", 150_000),
        ("12.505k", 1_250_500),
        ("0.0015k", 150),
        ("2m", 200_000_000),
    ],
)
def test_dollars_as_people_type_them(text: str, cents: int) -> None:
    assert typed_dollars(text) == cents


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,00", "'1,00' is not an amount: a comma goes before three digits, as in 1,000.00"),
        ("1,0000", "a comma goes before three digits"),
        ("12,34,567", "a comma goes before three digits"),
        ("1000,000", "a comma goes before three digits"),
        ("", "is not an amount"),
        ("$", "is not an amount"),
        ("$$5", "is not an amount"),
        ("-5", "is not an amount"),
        ("1.005", "at most two decimals"),
        ("5 000", "is not an amount"),
        ("1e3", "is not an amount"),
        ("١", "is not an amount"),
        ("9" * 400, "is not an amount"),
        ("99,999,999,999", "too much"),
        ("999999999999m", "too much"),
        ("0.000001k", "at most two decimals"),
        ("k", "is not an amount"),
        ("1kk", "is not an amount"),
    ],
)
def test_amounts_that_could_mean_two_things_or_nothing_are_refused(text: str, message: str) -> None:
    with pytest.raises(MoneyError) as refusal:
        typed_dollars(text)
    assert message in str(refusal.value)


@given(st.text())
def test_any_text_is_an_amount_or_refused(text: str) -> None:
    try:
        amount = typed_dollars(text)
    except MoneyError:
        return
    assert typed_dollars(format_dollars(amount)) == amount


@given(st.integers(0, 10**18), st.sampled_from(["{}", "{:,}", "{:_}", " {} "]))
def test_however_a_count_is_typed_it_is_the_same_number(number: int, form: str) -> None:
    assert typed_count(form.format(number)) == number
    thousands, rest = divmod(number, 1000)
    assert typed_count(f"{thousands}.{rest:03}k") == typed_count(f"{thousands:,}.{rest:03} K") == number
    assert typed_count(f"{number}.0") == number


@pytest.mark.parametrize(
    ("text", "number"), [("1e6", 10**6), ("1m", 10**6), ("250k", 250_000), ("2.5E6", 2_500_000), ("3b", 3 * 10**9)]
)
def test_counts_as_people_type_them(text: str, number: int) -> None:
    assert typed_count(text) == number


@pytest.mark.parametrize(
    "text", ["", "k", "1,00", "1.5", "1.0005k", "1e", "1e-3", "ten", "1 2", "9" * 100, "٣", "1__0"]
)
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="is not a whole number, such as 1000, 1,000, 250k or 1e6"):
        typed_count(text)


def test_a_count_out_of_range_says_the_range() -> None:
    with pytest.raises(MoneyError, match=r"^8 is out of range: from 1 to 7$"):
        typed_count("8", least=1, most=7)
    with pytest.raises(MoneyError, match=r"^-3 is out of range: at least 1$"):
        typed_count("-3", least=1)


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
    with pytest.raises(MoneyError, match="an award is required"):
        settle(share, stake=Cents(100))
    with pytest.raises(MoneyError, match="an award is required"):
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
    with pytest.raises(MoneyError, match="-1 cents: an amount cannot be negative"):
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
