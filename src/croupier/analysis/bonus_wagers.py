"""Wagers that a paytable alone decides: bonuses and progressives, priced from counts of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from croupier.analysis.cases import meters_of
from croupier.analysis.outcomes import outcomes_of
from croupier.analysis.prices import MeterPrice, Price, PricedLine
from croupier.analysis.tallies import NOTHING, HandCount, hand_counts, line_counts
from croupier.money import Cents, Dollars, Pay, Share, parse_dollars, parse_pay, settle
from croupier.rulebook import SUGGESTED_METER, Rulebook, for_stake
from croupier.rulebook.schema import Envy, Paytable, Wager

__all__ = ["least_meters", "price_lines", "price_side"]

LOSES = "loses"


def price_side(
    book: Rulebook,
    wager: Wager,
    table: Paytable,
    *,
    stake: Cents,
    meters: Mapping[str, Cents] | None = None,
    ace_low: bool = True,
    counts: Sequence[HandCount] | None = None,
    holders: Sequence[HandCount] | None = None,
    envy: bool = True,
    method: str = "every hand counted",
) -> Price:
    """The price of a bonus or progressive.

    `counts` are the hands that may win, and `holders` those that pay others envy, where not every hand does.
    """
    evaluator = table.evaluator or wager.evaluator
    every = hand_counts(evaluator, ace_low=ace_low)
    tally = line_counts([line.hand for line in table.line], counts or every, evaluator=evaluator)
    record = price_lines(book, wager, table, tally, stake=stake, meters=meters, method=method)
    columns = book.paytables.envy if envy else ()
    column = next((column for column in columns if _is_column(book, column, wager, table, stake)), None)
    if column is None:
        return record
    held = line_counts([line.hand for line in column.line], holders or every, evaluator=evaluator)
    return replace(record, envy=_envy(column, held, stake=stake))


def price_lines(
    book: Rulebook,
    wager: Wager,
    table: Paytable,
    tally: Sequence[int],
    *,
    stake: Cents,
    meters: Mapping[str, Cents] | None = None,
    method: str,
    players: int | None = None,
) -> Price:
    """The price of a paytable from how often each line comes up; the last count is the losing hands."""
    total = sum(tally)
    values = least_meters(book, table) | (dict(meters) if meters else {})
    pays = [parse_pay(line.pays) for line in table.line]
    nets = [_net(pay, wager, table, stake, values) for pay in pays] + [Fraction(-1)]
    printed = [str(for_stake(pay, wager=wager, table=table, stake=stake)) for pay in pays]
    names = [(line.hand, words) for line, words in zip(table.line, printed, strict=True)] + [(NOTHING, LOSES)]
    paying = [count for pay, count in zip(pays, tally, strict=False) if str(pay) != "Push"]
    in_dollars = any(isinstance(pay, Dollars | Share) for pay in pays)
    fixed, prices = _meter_prices(pays, nets, tally, stake=stake, values=values)
    return Price(
        rulebook=book.id,
        wager=wager.name,
        paytable=table.id,
        clause=table.clause,
        unit="stake",
        outcomes=outcomes_of(zip(nets, tally, strict=True)),
        hit=Fraction(sum(paying), total),
        lines=tuple(
            PricedLine(hand, words, count, Fraction(count, total) * net)
            for (hand, words), count, net in zip(names, tally, nets, strict=True)
        ),
        total=total,
        method=method,
        players=players,
        stake=stake if in_dollars else None,
        fixed_return=fixed if prices else None,
        meters=prices,
    )


def least_meters(book: Rulebook, table: Paytable) -> dict[str, Cents]:
    """The minimum opening value of each meter of a paytable; the usual one where the document sets none."""
    printed = {str(least.meter): least.amount for least in book.paytables.minimum if least.paytable == table.id}
    return {name: parse_dollars(printed.get(name) or SUGGESTED_METER) for name in meters_of(table)}


def _net(pay: Pay, wager: Wager, table: Paytable, stake: Cents, meters: Mapping[str, Cents]) -> Fraction:
    """What a line wins above the stake, in stakes."""
    if isinstance(pay, Share):
        return Fraction(pay.percent * meters[pay.meter], 100 * stake) - 1
    pay = for_stake(pay, wager=wager, table=table, stake=stake)
    won, returned = settle(pay, stake=stake, collected=wager.collected is not None)
    return Fraction(won + returned - stake, stake)


def _meter_prices(
    pays: Sequence[Pay], nets: Sequence[Fraction], tally: Sequence[int], *, stake: Cents, values: Mapping[str, Cents]
) -> tuple[Fraction, tuple[MeterPrice, ...]]:
    """The fixed return per dollar, and what each meter adds."""
    total = sum(tally)
    fixed, coefficients = Fraction(0), dict.fromkeys(values, Fraction(0))
    for pay, net, count in zip(pays, nets, tally, strict=False):
        if isinstance(pay, Share):
            coefficients[pay.meter] += Fraction(pay.percent * count, 100 * total)
        else:
            fixed += Fraction(count, total) * (net + 1)
    whole = fixed + sum((share * values[name] / stake for name, share in coefficients.items()), Fraction(0))
    prices = []
    for name, share in coefficients.items():
        if share:
            even = (values[name] + (1 - whole) * stake / share) / 100
            prices.append(MeterPrice(name, share, values[name], max(even, Fraction(0))))
    return fixed, tuple(prices)


def _is_column(book: Rulebook, envy: Envy, wager: Wager, table: Paytable, stake: Cents) -> bool:
    own = table not in book.paytables.paytable
    return (
        not own
        and wager.paytables == "progressive"
        and envy.paytable == table.id
        and parse_dollars(envy.stake) == stake
    )


def _envy(envy: Envy, held: Sequence[int], *, stake: Cents) -> Fraction:
    won = Fraction(0)
    for line, count in zip(envy.line, held, strict=False):
        pay = parse_pay(line.pays)
        won += Fraction(count * (pay.cents if isinstance(pay, Dollars) else 0), sum(held) * stake)
    return won
