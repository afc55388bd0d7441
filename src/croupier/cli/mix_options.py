"""A mix of players as it is typed: options, and a file with the same words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis import BASE, DAY_HOURS, OpenHours, PlayerMix
from croupier.cli.cost import read_bets
from croupier.cli.design import read_share
from croupier.cli.shown.console import read_file
from croupier.cli.simulation_options import read_amount
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars
from croupier.rulebook import HouseRules, typed_wager
from croupier.wire import clip

__all__ = ["MixText", "mix_of", "read_mix", "read_occupancy", "read_shares", "sample_mix"]

_HOURS: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})=([0-9]{1,2}(?:\.[0-9]{1,3})?)", re.ASCII)
_VISIT: Final = re.compile(r"[0-9]{1,2}(\.[0-9]{1,3})?", re.ASCII)
TABLES: Final = {"bets": "ante = 10", "shares": 'three_card_bonus = "60%"', "occupancy": '"18-2" = 4.5'}
"""The tables of a mix file, with what a line of each looks like."""
VALUES: Final = {"buy_in": "300", "visit_hours": "2"}


class MixText(Struct, frozen=True, kw_only=True):
    """A mix as it was typed, and where: options, or the name of a file."""

    bets: Sequence[str] = ()
    shares: Sequence[str] = ()
    occupancy: Sequence[str] = ()
    buy_in: str | None = None
    visit_hours: str | None = None
    file: Path | None = None

    def name(self, option: str) -> str:
        """How messages call a setting: `--buy-in`, or `mix.toml: buy_in`."""
        if self.file is None:
            return f"--{option}"
        tables = {"bet": "bets", "share": "shares"}
        return f"{self.file}: {tables.get(option, option.replace('-', '_'))}"


def read_mix(path: Path) -> MixText:
    """A mix file: TOML with the tables and keys that the options are called by."""
    text = read_file(path)
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{path}: {clip(str(error), 200)}") from None
    if unknown := [key for key in raw if key not in TABLES and key not in VALUES]:
        raise Malformed(f"{path}: {unknown[0]}: unknown setting: {', '.join([*VALUES, *TABLES])}")
    tables = {key: _lines(path, key, raw.get(key, {})) for key in TABLES}
    values = {key: _value(path, key, raw[key], VALUES[key]) if key in raw else None for key in VALUES}
    return MixText(
        bets=tables["bets"],
        shares=tables["shares"],
        occupancy=tables["occupancy"],
        buy_in=values["buy_in"],
        visit_hours=values["visit_hours"],
        file=path,
    )


def _lines(path: Path, key: str, table: object) -> list[str]:
    if not isinstance(table, dict):
        raise Malformed(f"{path}: {key} is a table: write [{key}], and below it {TABLES[key]}")
    return [f"{name}={_value(path, f'{key}.{name}', value, TABLES[key])}" for name, value in table.items()]


def _value(path: Path, key: str, value: Any, example: str) -> str:  # noqa: ANN401 - as TOML has it
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Malformed(f"{path}: {key}: write a number or text, such as {example}")
    return str(value)


def read_shares(texts: Sequence[str], *, option: str = "--share") -> dict[str, Fraction]:
    """Shares as they are typed: `three_card_bonus=60%`."""
    shares: dict[str, Fraction] = {}
    for text in texts:
        name, equals, share = (part.strip() for part in text.partition("="))
        if not equals or not name or not share:
            raise Malformed(f"{option} {clip(repr(text))}: write three_card_bonus=60%")
        name = typed_wager(name)
        if name in shares:
            raise Malformed(f"{option}: {name} is given twice")
        shares[name] = read_share(share, name=f"{option} {name}")
        if shares[name] < 0:
            raise Malformed(f"{option} {clip(repr(text))}: a share is 0% to 100%")
    return shares


def read_occupancy(texts: Sequence[str], seats: int, *, option: str = "--occupancy") -> tuple[OpenHours, ...]:
    """Players by hours of the day, from `10-18=2`, `18-2=4.5`.

    >>> read_occupancy(["10-18=2,18-2=4.5"], 6)[1]
    OpenHours(start=18, hours=8, players=Fraction(9, 2))
    """
    stretches = []
    for text in (part for given in texts for part in given.replace(" ", "").split(",")):
        typed = _HOURS.fullmatch(text)
        if typed is None or int(typed[1]) >= DAY_HOURS or not 0 < int(typed[2]) <= DAY_HOURS:
            raise Malformed(f"{option} {clip(repr(text))}: write hours of the day (0 to 24) and players: 18-2=4.5")
        first, last, players = int(typed[1]), int(typed[2]), Fraction(typed[3])
        if players > seats:
            raise Malformed(f"{option} {text!r}: this table has {seats} seats")
        stretches.append(OpenHours(first, (last - first - 1) % DAY_HOURS + 1, players))
    return tuple(stretches)


def mix_of(house: HouseRules, texts: Sequence[MixText], *, seats: int, hours: int) -> PlayerMix:
    """The mix that was typed; what comes later counts. Without occupancy `seats` players for `hours` per day."""
    bets: dict[str, Cents] = {}
    shares: dict[str, Fraction] = {}
    mix = PlayerMix(bets={}, shares={}, occupancy=(OpenHours(0, hours, Fraction(seats)),))
    for text in texts:
        bets |= read_bets(text.bets, option=text.name("bet"))
        shares |= read_shares(text.shares, option=text.name("share"))
        try:
            if text.occupancy:
                filled = read_occupancy(text.occupancy, house.seats, option=text.name("occupancy"))
                mix = replace(mix, occupancy=filled)
        except Malformed as error:
            known = str(error).startswith(text.name("occupancy"))
            raise error if known else Malformed(f"{text.name('occupancy')}: {error}") from None
        if text.buy_in is not None:
            mix = replace(mix, buy_in=read_amount(text.buy_in, text.name("buy-in")))
        if text.visit_hours is not None:
            mix = replace(mix, visit_hours=_visit(text.visit_hours, text.name("visit-hours")))
    return replace(mix, bets=_all_bets(house, bets), shares=shares)


def _visit(text: str, option: str) -> Fraction:
    hours = Fraction(text) if _VISIT.fullmatch(text) else Fraction(0)
    if not Fraction(1, 4) <= hours <= DAY_HOURS:
        raise Malformed(f"{option}: {clip(repr(text))} is not a number of hours from 0.25 to 24")
    return hours


def _all_bets(house: HouseRules, given: Mapping[str, Cents]) -> dict[str, Cents]:
    """The bets that were given, or every wager at its minimum."""
    if given and BASE not in given:
        raise Malformed("no bet on the main game: a side wager requires one, such as --bet ante=10")
    return dict(given) or {
        BASE if wager.paytables[0].group == BASE else wager.name: wager.stakes.minimum
        for wager in house.wagers
        if wager.stakes is not None
    }


def sample_mix(house: HouseRules) -> str:
    """A mix file for a house, to be edited: every wager at its minimum."""
    bets = _all_bets(house, {})
    busy, quiet = min(house.seats, 5) - 0.5, min(house.seats, 2)
    ante = "bet" if "bet" in house.rulebook.play.choice[0].decision else "ante"
    lines = [
        "# Who plays at this table. Use it with: croupier hold SUBMISSION --mix FILE",
        f'buy_in = "{format_dollars(Cents(30 * bets[BASE]))}"    # per player and visit',
        "visit_hours = 2      # how long a player stays; without this line, a shift",
        "",
        "[bets]               # average bets",
        *(f'{ante if name == BASE else name} = "{format_dollars(amount)}"' for name, amount in bets.items()),
        "",
        "[shares]             # share of players who make each side bet; everybody, where a line is missing",
        *(f'{name} = "40%"' for name in bets if name != BASE),
        "",
        "[occupancy]          # hours of the day = players on average; the day begins with the first line",
        f'"10-18" = {quiet}',
        f'"18-2" = {busy}',
    ]
    return "\n".join(lines) + "\n"
