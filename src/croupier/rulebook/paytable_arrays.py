"""A paytable as arrays, for compiled kernels.

A hand's line is `line[strength, column]`. The strengths are those of `croupier.hands.batch`, or the length of a flush.
The column is the suit of the first card, or whether seven cards hold four of a kind, where a paytable asks for that.
`kind`, `amount` and `meter` say what each line pays; the last line is that of every losing hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from croupier.cards import SUITS
from croupier.hands import Flush, batch
from croupier.money import Dollars, For, MeterName, Pay, Push, Share, To, parse_pay
from croupier.rulebook.lines import Judged, line_of
from croupier.rulebook.names import Evaluator
from croupier.rulebook.schema import Envy, Paytable

__all__ = ["KINDS", "METERS", "FlatPays", "flatten_pays"]

KINDS: Final = {"lose": 0, "push": 1, "to": 2, "for": 3, "dollars": 4, "share": 5}
METERS: Final[tuple[MeterName, ...]] = get_args(MeterName)


class FlatPays(NamedTuple):
    """A paytable as arrays."""

    line: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    amount: NDArray[np.int64]
    meter: NDArray[np.uint8]


def flatten_pays(table: Paytable | Envy, evaluator: Evaluator) -> FlatPays:
    """The arrays of a paytable, or of an envy column.

    >>> from croupier.rulebook import load_rulebook
    >>> main, *_ = load_rulebook("md-mississippi-stud").paytables.paytable
    >>> pays = flatten_pays(main, "five_card")
    >>> royal = len(batch.five_card_ladder()) - 1
    >>> int(pays.amount[pays.line[royal, 0]])
    500
    """
    hands = [line.hand for line in table.line]
    columns = _columns(evaluator, hands)
    rows = list(_every_hand(evaluator, columns))
    line = np.full((len(rows), columns), len(hands), dtype=np.uint8)
    for strength, row in enumerate(rows):
        for column, judged in enumerate(row):
            number = line_of(hands, judged, evaluator=evaluator)
            line[strength, column] = len(hands) if number is None else number
    entries = [*(_entry(parse_pay(row.pays)) for row in table.line), (KINDS["lose"], 0, 0)]
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
