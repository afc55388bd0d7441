"""House rules as arrays, for compiled kernels. The one step from law to machine.

A hand's line is `line[strength, column]`, where the strengths are those of `croupier.hands.batch` (for a
flush its length) and the column is the suit of its first card, or whether the seven cards hold four of a
kind, where a paytable asks for that. `kind`, `amount` and `meter` say what each line pays; the last line is
the one of every losing hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import SUITS
from croupier.hands import batch
from croupier.hands.flushes import Flush
from croupier.money import Dollars, For, Pay, Push, Share, To, parse_pay
from croupier.rulebook.house import HouseRules
from croupier.rulebook.lines import Judged, line_of
from croupier.rulebook.names import Evaluator, WagerName
from croupier.rulebook.schema import Envy, Paytable

__all__ = ["KINDS", "METERS", "FlatMeter", "FlatPays", "FlatRules", "flatten", "flatten_pays"]

KINDS: Final = {"lose": 0, "push": 1, "to": 2, "for": 3, "dollars": 4, "share": 5}
METERS: Final = ("main", "mega", "major", "minor")


class FlatPays(NamedTuple):
    """A paytable as arrays."""

    line: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    amount: NDArray[np.int64]
    meter: NDArray[np.uint8]


class FlatMeter(NamedTuple):
    """A meter in cents, its rate in millionths of the stake."""

    initial: int
    reset: int
    rate: int


class FlatRules(NamedTuple):
    """All that a kernel needs of a house: pays by wager (and by players for Cover All), envy, meters, limit."""

    pays: dict[WagerName, FlatPays]
    cover_all: dict[int, FlatPays]
    envy: FlatPays | None
    meters: dict[str, FlatMeter]
    stakes: dict[WagerName, tuple[int, int]]
    payout_limit: int
    ace_low: bool


def flatten(house: HouseRules) -> FlatRules:
    """The arrays of a house.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).house
    >>> ante = flatten(house).pays["ante"]
    >>> royal = len(batch.five_card_ladder()) - 1
    >>> int(ante.amount[ante.line[royal, 0]])
    500
    """
    cover, progressive = house.wager("cover_all"), house.wager("progressive")
    single = [wager for wager in house.wagers if wager is not cover]
    envy = progressive.envy if progressive else None
    return FlatRules(
        pays={wager.name: flatten_pays(wager.paytables[0], wager.evaluator) for wager in single},
        cover_all={
            table.players or 0: flatten_pays(table, "five_card") for table in (cover.paytables if cover else ())
        },
        envy=flatten_pays(envy, progressive.evaluator) if progressive and envy else None,
        meters={
            meter.name: FlatMeter(meter.initial, meter.reset, meter.rate)
            for meter in (progressive.meters if progressive else ())
        },
        stakes={one.name: (one.stakes.minimum, one.stakes.maximum) for one in house.wagers if one.stakes is not None},
        payout_limit=house.payout_limit if house.payout_limit is not None else -1,
        ace_low=house.options.hcf_ace_low,
    )


def flatten_pays(table: Paytable | Envy, evaluator: Evaluator) -> FlatPays:
    """One paytable, or one envy column, as arrays."""
    hands = [line.hand for line in table.line]
    columns = _columns(evaluator, hands)
    rows = list(_every_hand(evaluator, columns))
    line = np.full((len(rows), columns), len(hands), dtype=np.uint8)
    for strength, row in enumerate(rows):
        for column, judged in enumerate(row):
            found = line_of(hands, judged, evaluator=evaluator)
            line[strength, column] = len(hands) if found is None else found
    entries = [*(_entry(parse_pay(one.pays)) for one in table.line), (KINDS["lose"], 0, 0)]
    kind, amount, meter = zip(*entries, strict=True)
    return FlatPays(
        line, np.array(kind, dtype=np.uint8), np.array(amount, dtype=np.int64), np.array(meter, dtype=np.uint8)
    )


def _entry(pay: Pay) -> tuple[int, int, int]:
    """Kind, amount and meter of a pay."""
    match pay:
        case To(multiple):
            return KINDS["to"], multiple, 0
        case For(multiple):
            return KINDS["for"], multiple, 0
        case Dollars(cents):
            return KINDS["dollars"], cents, 0
        case Share(percent, name):
            return KINDS["share"], percent, METERS.index(name)
        case Push():
            return KINDS["push"], 0, 0


def _columns(evaluator: Evaluator, hands: Sequence[str]) -> int:
    """Four columns where a line asks for a suit, two where one asks for four of a kind beside a run."""
    if any(hand.endswith(("_spades", "_diamonds", "_other")) for hand in hands):
        return len(SUITS)
    return 2 if evaluator == "straight_flush" else 1


def _every_hand(evaluator: Evaluator, columns: int) -> Iterator[list[Judged]]:
    """Each strength of an evaluator, with each column."""
    match evaluator:
        case "five_card":
            for five in batch.five_card_ladder():
                yield [Judged(five)]
        case "three_card":
            for three in batch.three_card_ladder():
                yield [Judged(three, suit) for suit in SUITS][:columns]
        case "six_card":
            for six in batch.six_card_ladder():
                yield [Judged(six, suit) for suit in SUITS][:columns]
        case "flush":
            for length in range(8):
                yield [Judged(Flush(length, ()))]
        case "straight_flush":
            for strength in range(8 << 4):
                run = batch.read_straight_flush(strength)
                yield [Judged(run), Judged(run, quads=True)]
        case "against_dealer":
            yield [Judged(Flush(0, ()))]
