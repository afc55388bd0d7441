"""Lists to play Mississippi Stud and Let It Ride by: published ones, extremes, short ones derived from best play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.analysis.streets.rows import Need, StreetRow, StreetStrategy, at_least, exactly, listed, when

__all__ = ["DERIVED", "STRATEGIES"]

ANY_PAIR: Final = at_least(2, "made")
LOW_PAIR: Final = Need(("made",), 2, 5)
MIDDLE_PAIR: Final = at_least(6, "made")
TENS: Final = at_least(10, "made")
SUITED: Final = exactly(1, "suited")
IN_A_ROW: Final = exactly(0, "gaps")
ONE_GAP: Final = exactly(1, "gaps")
TWO_GAPS: Final = exactly(2, "gaps")
STRAIGHT_DRAW: Final = at_least(1, "straights")
OUTSIDE_DRAW: Final = at_least(2, "straights")
IN_THE_MIDDLE: Final = OUTSIDE_DRAW
"""With one gap among three cards: not at the end of the ranks, unlike A-2-4 and A-3-4."""

KISENWETHER: Final = "Joseph Kisenwether, as quoted in public programs"
USUAL: Final = "table-games-online.com, Let It Ride strategy"
READ_LOOSELY: Final = ", A-2-4 taken for one gap and a high card"
DERIVED_FROM: Final = "derived from best play"
EXTREME: Final = "an extreme"


def _point_count(name: str, *one_gap: Need) -> StreetStrategy:
    """`one_gap` is what three suited cards with one gap need to be worth 3x."""
    two = (
        when("3x", ANY_PAIR),
        when("1x", at_least(2, "points")),
        when("1x", SUITED, exactly(5, "lowest"), exactly(6, "highest")),
    )
    three = (
        when("3x", MIDDLE_PAIR),
        when("3x", SUITED, exactly(3, "ten_up")),
        when("3x", SUITED, IN_A_ROW, at_least(5, "lowest")),
        when("3x", SUITED, ONE_GAP, *one_gap),
        when("3x", SUITED, TWO_GAPS, at_least(2, "high")),
        when("1x", SUITED),
        when("1x", LOW_PAIR),
        when("1x", at_least(3, "points")),
        when("1x", IN_A_ROW, at_least(4, "lowest")),
        when("1x", ONE_GAP, at_least(2, "middle")),
    )
    four = (
        when("3x", MIDDLE_PAIR),
        when("3x", SUITED),
        when("3x", OUTSIDE_DRAW, at_least(8, "highest")),
        when("1x", STRAIGHT_DRAW),
        when("1x", LOW_PAIR),
        when("1x", at_least(4, "points")),
        when("1x", at_least(3, "middle"), at_least(5, "staked")),
    )
    return listed(name, KISENWETHER, {2: two, 3: three, 4: four}, otherwise="fold")


BEGINNERS_COUNT: Final = listed(
    "beginner's point count",
    "the point count with few draws",
    {
        2: (when("3x", ANY_PAIR), when("1x", at_least(2, "points"))),
        3: (
            when("3x", MIDDLE_PAIR),
            when("1x", at_least(3, "points")),
            when("1x", LOW_PAIR),
            when("1x", SUITED),
        ),
        4: (
            when("3x", MIDDLE_PAIR),
            when("3x", SUITED),
            when("1x", LOW_PAIR),
            when("1x", at_least(4, "points")),
            when("1x", STRAIGHT_DRAW),
        ),
    },
    otherwise="fold",
)


def _usual_ride(name: str, *one_gap: Need) -> StreetStrategy:
    """`one_gap` is what three suited cards with one gap need to ride."""
    three = (
        when("ride", TENS),
        when("ride", SUITED, exactly(3, "ten_up")),
        when("ride", SUITED, IN_A_ROW, at_least(3, "lowest")),
        when("ride", SUITED, ONE_GAP, *one_gap),
        when("ride", SUITED, TWO_GAPS, at_least(2, "ten_up")),
    )
    four = (
        when("ride", TENS),
        when("ride", SUITED),
        when("ride", OUTSIDE_DRAW),
        when("ride", STRAIGHT_DRAW, exactly(4, "ten_up")),
    )
    return listed(name, USUAL, {3: three, 4: four}, otherwise="withdraw")


def _throughout(name: str, known: range, otherwise: str, *rows: StreetRow) -> StreetStrategy:
    """Apply the same rows on every street."""
    return listed(name, EXTREME, dict.fromkeys(known, rows), otherwise=otherwise)


STRATEGIES: Final[tuple[StreetStrategy, ...]] = (
    _point_count("point count", at_least(1, "high"), IN_THE_MIDDLE),
    _point_count("point count" + READ_LOOSELY, at_least(1, "high")),
    BEGINNERS_COUNT,
    _throughout("pairs only", range(2, 5), "fold", when("3x", ANY_PAIR)),
    _throughout("always 1x", range(2, 5), "1x"),
    _throughout("always 3x", range(2, 5), "3x"),
    _usual_ride("usual list", at_least(1, "ten_up"), IN_THE_MIDDLE),
    _usual_ride("usual list" + READ_LOOSELY, at_least(1, "ten_up")),
    _throughout("only what pays", range(3, 5), "withdraw", when("ride", TENS)),
    _throughout("always ride", range(3, 5), "ride"),
    _throughout("never ride", range(3, 5), "withdraw"),
)
"""Every list that is not made for one paytable."""

# Three suited cards are worth as much as the straights they fit into and their high cards together.
SHORT_COUNT: Final = (
    listed(
        "best list",
        DERIVED_FROM,
        {
            2: (
                when("3x", ANY_PAIR),
                when("1x", at_least(2, "points")),
                when("1x", SUITED, exactly(5, "lowest"), exactly(6, "highest")),
            ),
            3: (
                when("3x", MIDDLE_PAIR),
                when("3x", SUITED, at_least(3, "straights", "high"), at_least(5, "lowest")),
                when("1x", ANY_PAIR),
                when("1x", SUITED),
                when("1x", at_least(3, "points")),
                when("1x", at_least(4, "points", "straights")),
            ),
            4: (
                when("3x", MIDDLE_PAIR),
                when("3x", SUITED),
                when("3x", OUTSIDE_DRAW, at_least(8, "highest")),
                when("1x", ANY_PAIR),
                when("1x", STRAIGHT_DRAW),
                when("1x", at_least(4, "points")),
                when("1x", at_least(3, "points"), at_least(5, "staked")),
            ),
        },
        otherwise="fold",
    ),
    listed(
        "short list",
        DERIVED_FROM,
        {
            2: (when("3x", ANY_PAIR), when("1x", at_least(2, "points"))),
            3: (
                when("3x", MIDDLE_PAIR),
                when("3x", SUITED, at_least(3, "straights", "high")),
                when("1x", ANY_PAIR),
                when("1x", SUITED),
                when("1x", at_least(3, "points")),
            ),
            4: (
                when("3x", MIDDLE_PAIR),
                when("3x", SUITED),
                when("3x", OUTSIDE_DRAW),
                when("1x", ANY_PAIR),
                when("1x", STRAIGHT_DRAW),
                when("1x", at_least(4, "points")),
            ),
        },
        otherwise="fold",
    ),
)
RIDE_FOR_FIVE: Final = (
    listed(
        "best list",
        DERIVED_FROM,
        {
            3: (when("ride", TENS), when("ride", SUITED, at_least(3, "straights", "ten_up"))),
            4: (when("ride", TENS), when("ride", SUITED), when("ride", OUTSIDE_DRAW)),
        },
        otherwise="withdraw",
    ),
    listed(
        "short list",
        DERIVED_FROM,
        {
            3: (when("ride", TENS), when("ride", SUITED, at_least(3, "straights", "ten_up"))),
            4: (when("ride", TENS), when("ride", SUITED)),
        },
        otherwise="withdraw",
    ),
)
RIDE_FOR_SIX: Final = (
    listed(
        "best list",
        DERIVED_FROM,
        {
            3: (
                when("ride", TENS),
                when("ride", SUITED, STRAIGHT_DRAW, at_least(2, "ten_up")),
                when("ride", SUITED, at_least(3, "straights"), at_least(1, "ten_up")),
                when("ride", at_least(3, "straights"), at_least(3, "ten_up")),
            ),
            4: (
                when("ride", TENS),
                when("ride", SUITED),
                when("ride", OUTSIDE_DRAW),
                when("ride", STRAIGHT_DRAW, exactly(4, "ten_up")),
            ),
        },
        otherwise="withdraw",
    ),
    listed(
        "short list",
        DERIVED_FROM,
        {
            3: (when("ride", TENS), when("ride", SUITED, STRAIGHT_DRAW, at_least(2, "ten_up"))),
            4: (when("ride", TENS), when("ride", SUITED), when("ride", OUTSIDE_DRAW)),
        },
        otherwise="withdraw",
    ),
)

PAIRS_FROM_SIX: Final = (-1,) * 5 + (0,) * 5 + (1,) * 4
PAIRS_FROM_TEN: Final = (-1,) * 9 + (1,) * 5
DERIVED: Final[Mapping[tuple[int, ...], tuple[StreetStrategy, ...]]] = {
    (*PAIRS_FROM_SIX, 2, 3, 4, 6, 10, 40, 100, 500): SHORT_COUNT,
    (*PAIRS_FROM_TEN, 2, 3, 5, 8, 11, 50, 200, 1000): RIDE_FOR_FIVE,
    (*PAIRS_FROM_TEN, 2, 3, 5, 10, 15, 25, 100, 500): RIDE_FOR_FIVE,
    (*PAIRS_FROM_TEN, 2, 3, 6, 9, 15, 30, 50, 100): RIDE_FOR_SIX,
}
"""By what each kind of hand pays, weakest first: a list that costs nothing against best play, and a shorter one.

The best list is as good as best play for anyone who follows it from the first street.
"""
