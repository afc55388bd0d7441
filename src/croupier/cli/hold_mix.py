"""`croupier hold` with a mix of players: hours, seats and side bets as a director plans them, exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.cost import read_bets
from croupier.cli.design import read_share
from croupier.cli.shown.console import console, print_json, print_table
from croupier.errors import Malformed
from croupier.money import Cents, round_dollars
from croupier.present import dollars_and_cents, percent
from croupier.rulebook import HouseRules, typed_wager
from croupier.table_speed import rounds_per_hour

if TYPE_CHECKING:
    from croupier.analysis import MixedHours

__all__ = ["hold_mix", "read_occupancy", "read_shares"]

DAY: Final = 24
DAYS: Final = {"day": 1, "month": 30}
WHOLE_DOLLARS: Final = 1_000.0
"""An error of ten dollars, in cents: totals are shown in whole dollars."""
_HOURS: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})=([0-9]{1,2}(?:\.[0-9]{1,3})?)", re.ASCII)


def read_shares(texts: Sequence[str]) -> dict[str, Fraction]:
    """Shares as they are typed: `three_card_bonus=60%`."""
    shares = {}
    for text in texts:
        name, equals, share = text.partition("=")
        if not equals:
            raise Malformed(f"--share {text!r}: write three_card_bonus=60%")
        shares[typed_wager(name)] = read_share(share, name=f"--share {typed_wager(name)}")
        if shares[typed_wager(name)] < 0:
            raise Malformed(f"--share {text!r}: a share is 0% to 100%")
    return shares


def read_occupancy(texts: Sequence[str], seats: int) -> dict[int, Fraction]:
    """Hours per day by number of players, from `10-18=2`, `18-2=4.5`: 4.5 is half of the time 4 and half 5.

    >>> read_occupancy(["10-18=2", "18-2=4.5"], 6)
    {2: Fraction(8, 1), 4: Fraction(4, 1), 5: Fraction(4, 1)}
    """
    hours: dict[int, Fraction] = {}
    taken: set[int] = set()
    for text in (part for given in texts for part in given.replace(" ", "").split(",")):
        typed = _HOURS.fullmatch(text)
        if typed is None or int(typed[1]) >= DAY or not 0 < int(typed[2]) <= DAY:
            raise Malformed(f"--occupancy {text!r}: write hours of the day and players, such as 18-2=4.5")
        first, last, players = int(typed[1]), int(typed[2]), Fraction(typed[3])
        clock = {(first + hour) % DAY for hour in range((last - first - 1) % DAY + 1)}
        if again := sorted(clock & taken):
            raise Malformed(f"--occupancy {text!r}: the hour from {again[0]}:00 is given twice")
        if players > seats:
            raise Malformed(f"--occupancy {text!r}: this table has {seats} seats")
        taken |= clock
        whole, part = int(players), players % 1
        for number, share in ((whole, 1 - part), (whole + 1, part)):
            if number and share:
                hours[number] = hours.get(number, Fraction(0)) + share * len(clock)
    if not hours:
        raise Malformed("--occupancy: nobody plays at any hour")
    return hours


def hold_mix(
    submission: Path,
    bets: Sequence[str],
    shares: Sequence[str],
    occupancy: Sequence[str],
    *,
    pace: int | None,
    usual: tuple[int, int],
    as_json: bool,
) -> None:
    """Show what the house expects with these players; `usual` has the seats and hours where no occupancy is given."""
    from croupier.analysis import mixed_hours

    house = house_of(submission)
    seats, hours = usual
    filled = read_occupancy(occupancy, house.seats) if occupancy else {seats: Fraction(hours)}
    if seats > house.seats:
        raise Malformed(f"--seats: {seats}, but this table has {house.seats} seats")
    made = _bets(house, read_bets(list(bets)))
    with Console(stderr=True).status("pricing"):
        mixed = mixed_hours(
            house, made, read_shares(shares), filled, lambda players: pace or rounds_per_hour(house, players)
        )
    if as_json:
        print_json(_plain(mixed, made))
    else:
        _show(submission, mixed, made, read_shares(shares))


def _bets(house: HouseRules, given: Mapping[str, Cents]) -> dict[str, Cents]:
    """The bets that were given, or every wager at its minimum."""
    if given:
        return dict(given)
    return {
        "base" if wager.paytables[0].group == "base" else wager.name: wager.stakes.minimum
        for wager in house.wagers
        if wager.stakes is not None
    }


def _sums(mixed: Sequence[MixedHours]) -> dict[str, Fraction]:
    """Expected win and handle per day, and the hours that seats are taken."""
    return {
        "win": sum((level.win * level.seat_rounds for level in mixed), Fraction(0)),
        "handle": sum((level.handle * level.seat_rounds for level in mixed), Fraction(0)),
        "seat_hours": sum((level.hours * level.players for level in mixed), Fraction(0)),
        "hours": sum((level.hours for level in mixed), Fraction(0)),
    }


def _show(
    submission: Path, mixed: Sequence[MixedHours], bets: Mapping[str, Cents], shares: Mapping[str, Fraction]
) -> None:
    sums = _sums(mixed)
    average = float(sums["seat_hours"] / sums["hours"])
    title = f"{escape(str(submission))}: {average:.2f} players on average, {float(sums['hours']):g} hours per day"
    rows = [
        (
            str(level.players),
            f"{float(level.hours):g}",
            str(level.rounds),
            dollars_and_cents(round(level.theo * level.players)),
            dollars_and_cents(round(level.theo)),
        )
        for level in mixed
    ]
    columns = ("players", "hours per day", "rounds per hour", "win per hour", "theo per player per hour")
    print_table(columns, rows, title=title)
    parts = []
    for name in mixed[0].wins:
        won = sum((level.wins[name] * level.seat_rounds for level in mixed), Fraction(0))
        if name in bets or won:
            bet = dollars_and_cents(bets[name]) if name in bets else ""
            share = percent(shares.get(name, Fraction(1)), 0) if name in bets else ""
            parts.append((name, bet, share, round_dollars(won, WHOLE_DOLLARS)))
    print_table(("wager", "bet", "share of players", "win per day"), parts)
    totals = [
        (
            f"per {period}",
            round_dollars(sums["win"] * days, WHOLE_DOLLARS),
            round_dollars(sums["handle"] * days, WHOLE_DOLLARS),
        )
        for period, days in DAYS.items()
    ]
    print_table(("", "expected win", "handle"), totals)
    theo = dollars_and_cents(round(sums["win"] / sums["seat_hours"]))
    for words in (
        f"win ÷ handle {percent(sums['win'] / sums['handle'])}; theo per player per hour {theo} on average.",
        "Exact, for optimal play and side bets made independently, progressives in the long run.",
        "Not covered: mistakes, changing bets, hold % and swings; croupier hold without a mix simulates those.",
    ):
        console().print(f"[dim]{escape(words)}[/dim]")


def _plain(mixed: Sequence[MixedHours], bets: Mapping[str, Cents]) -> dict[str, object]:
    sums = _sums(mixed)
    return {
        "occupancy": [
            {
                "players": level.players,
                "hours_per_day": float(level.hours),
                "rounds_per_hour": level.rounds,
                "win_per_hour_exact": str(level.theo * level.players / 100),
                "theo_per_player_per_hour_exact": str(level.theo / 100),
                "wagers": {name: str(won * level.rounds / 100) for name, won in level.wins.items() if name in bets},
            }
            for level in mixed
        ],
        "expected_win_per_day": float(sums["win"] / 100),
        "expected_win_per_day_exact": str(sums["win"] / 100),
        "expected_win_per_month_exact": str(sums["win"] * DAYS["month"] / 100),
        "handle_per_day_exact": str(sums["handle"] / 100),
        "win_of_handle_exact": str(sums["win"] / sums["handle"]),
        "theo_per_player_per_hour_exact": str(sums["win"] / sums["seat_hours"] / 100),
    }
