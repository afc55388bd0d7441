"""Pictures of meters over a simulated run: the path of each with its hits, and the size of full jackpots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from croupier.documents.pictures import GAIN, LOSS, Panel, styled, title_of, write_picture
from croupier.errors import Malformed
from croupier.money import UNITS_PER_CENT, WHOLE, Cents, print_dollars
from croupier.simulation import JackpotHit, MeterHistory, MeterRun, Plan

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Drawn", "draw_meters"]

COLORS: Final = (GAIN, LOSS)
"""The colors of the house as filed and of the changed one."""
PATH, AMOUNTS, HEIGHT, GAP = 560, 260, 200, 70
"""Widths of the panels, their height and the space between them, in points."""
CORNERS: Final = 150
"""With more awards than this each is a dot, and the path faint and drawn from evenly spaced points alone."""
BINS: Final = 18
FAR: Final = 3
"""A long-run mean this many times above everything that was shown is named and not drawn."""

Row: TypeAlias = Mapping[str, float]


class Drawn(Struct, frozen=True, kw_only=True):
    """A house whose meters are drawn."""

    label: str
    plan: Plan
    tables: int
    runs: Mapping[str, MeterRun]
    histories: Mapping[str, MeterHistory]
    means: Mapping[str, Fraction]
    """What each meter shows on average in the long run, in cents."""


def draw_meters(houses: Sequence[Drawn], path: Path) -> None:
    """Write a picture of one house, or of a house as filed and changed; the suffix names the format."""
    import altair as alt

    if not houses:
        raise Malformed("there is nothing to draw: at least one simulated house is needed")
    names = dict.fromkeys(name for house in houses for name in house.runs)
    rows = []
    for name in names:
        having = [(house, COLORS[place]) for place, house in enumerate(houses) if name in house.runs]
        rows.append(alt.hconcat(_path(name, having), _amounts(name, having), spacing=GAP, bounds="flush"))
    plan = houses[0].plan
    source, rounds = plan.house.rulebook.source, next(iter(houses[0].runs.values())).rounds
    words = [_words(house) for house in houses]
    if len(set(words)) > 1:
        words = [f"{house.label} {size}" for house, size in zip(houses, words, strict=True)]
    title = f"{source.title}, {source.jurisdiction}: progressive meter{'s' * (len(names) > 1)}"
    notes = [f"{rounds:,} rounds at each table, seed {plan.seed}; {'; '.join(dict.fromkeys(words))}"]
    if len(houses) > 1:
        notes.append("Blue: as filed. Orange: changed. Both with the same cards.")
    write_picture(styled(rows, title, notes), path)


def _words(house: Drawn) -> str:
    players = len(house.plan.seats)
    return f"{house.tables:,} table{'s' * (house.tables > 1)} with {players} player{'s' * (players > 1)}"


# --- the path


def _path(name: str, houses: Sequence[tuple[Drawn, str]]) -> Panel:
    import altair as alt

    shown = max(house.histories[name].largest for house, _ in houses)
    means = [(house.means[name], color) for house, color in houses]
    near = [(mean, color) for mean, color in means if mean <= FAR * shown]
    top = float(max([Fraction(shown), *(mean for mean, _ in near)])) / 100 * 1.08
    rounds = houses[0][0].runs[name].rounds
    x = alt.X("x", type="quantitative", title="rounds played", axis=_rounds(), scale=_scale(rounds))
    y = alt.Y("y", type="quantitative", title=None, axis=_dollars(top, 6), scale=_scale(top))
    layers = [
        _chart([{"y": float(mean) / 100}]).mark_rule(color=color, strokeDash=[5, 4], strokeWidth=1.2).encode(y=y)
        for mean, color in near
    ]
    for house, color in houses:
        line, few = _chart(_corners(house.runs[name], house.histories[name])), _few(house.runs[name])
        width, opacity = (1.6, 1) if few else (1, 0.3)
        line = line.mark_line(color=color, strokeWidth=width, opacity=opacity, strokeJoin="round")
        layers.append(line.encode(x=x, y=y))
    for house, color in houses:
        layers += [spots.encode(x=x, y=y) for spots in _spots(house.runs[name], color)]
    title = title_of(f"What the {name} meter shows", _path_note(name, houses, drawn=bool(near)))
    return alt.layer(*layers, title=title).properties(width=PATH, height=HEIGHT)


def _path_note(name: str, houses: Sequence[tuple[Drawn, str]], *, drawn: bool) -> str:
    means = " and ".join(dict.fromkeys(_print(house.means[name]) for house, _ in houses))
    awards = [award for house, _ in houses for award in house.runs[name].awards]
    marks = ["dots: full jackpots"] if any(award.percent == WHOLE for award in awards) else []
    few = any(_few(house.runs[name]) for house, _ in houses)
    marks += ["rings: partial awards"] if few and any(award.percent != WHOLE for award in awards) else []
    return "; ".join([*marks, f"{'dashed: ' if drawn else ''}long-run mean {means}"])


def _spots(run: MeterRun, color: str) -> list[alt.Chart]:
    """The awards where they fell: rings for a share, dots for the whole."""
    whole = [_spot(run, award) for award in run.awards if award.percent == WHOLE]
    parts = [_spot(run, award) for award in run.awards if award.percent != WHOLE]
    size, edge = (45, 0.7) if _few(run) else (10, 0)
    return [
        _chart(parts if _few(run) else []).mark_point(filled=False, size=16, color=color, strokeWidth=1),
        _chart(whole).mark_point(filled=True, size=size, color=color, opacity=1, stroke="white", strokeWidth=edge),
    ]


def _few(run: MeterRun) -> bool:
    return len(run.awards) <= CORNERS


def _corners(run: MeterRun, history: MeterHistory) -> list[Row]:
    """The path: a straight line between awards and a step at each marked award, so that every mark is on it."""
    points = [(float(played), cents / 100) for played, cents in history.path]
    for award in run.awards:
        if _few(run) or award.percent == WHOLE:
            at = award.round - run.start + 1
            after = award.before - award.amount * UNITS_PER_CENT + award.reseed
            points += [(at, award.before / UNITS_PER_CENT / 100), (at, after / UNITS_PER_CENT / 100)]
    points = [point for _, point in sorted(enumerate(points), key=lambda numbered: (numbered[1][0], numbered[0]))]
    return [{"x": at, "y": dollars} for at, dollars in points]


def _spot(run: MeterRun, award: JackpotHit) -> Row:
    return {"x": award.round - run.start + 1, "y": award.before / UNITS_PER_CENT / 100}


# --- the amounts


def _amounts(name: str, houses: Sequence[tuple[Drawn, str]]) -> Panel:
    """How often full jackpots were of each size."""
    import altair as alt

    jackpots = [[award.amount for award in house.runs[name].awards if award.percent == WHOLE] for house, _ in houses]
    title = title_of("Size of full jackpots", _amounts_note(jackpots))
    if not any(jackpots):
        empty = _chart([{}]).mark_point(opacity=0)
        return alt.layer(empty, title=title).properties(width=AMOUNTS, height=HEIGHT)
    width = _nice(max(map(max, filter(None, jackpots))) / 100 / BINS)
    last = (max(map(max, filter(None, jackpots))) / 100 // width + 1) * width
    counts = [Counter(int(cents / 100 // width) for cents in amounts) for amounts in jackpots]
    highest = max(max(bins.values(), default=0) for bins in counts)
    x = alt.X("from", type="quantitative", title=None, axis=_dollars(last, 4), scale=_scale(last))
    step = max(1, int(_nice(highest / 5)))
    whole = alt.Axis(format=",d", values=list(range(0, highest + 1, step)), grid=False)
    y = alt.Y("count", type="quantitative", title="awards", axis=whole, scale=_scale(highest * 1.08))
    layers = []
    for place, (count, (_, color)) in enumerate(zip(counts, houses, strict=True)):
        share = (place / len(counts), (place + 1) / len(counts))
        rows = [
            {"from": (at + share[0] + 0.06) * width, "to": (at + share[1] - 0.06) * width, "count": many, "foot": 0}
            for at, many in sorted(count.items())
        ]
        bars = _chart(rows).mark_rect(color=color)
        layers.append(bars.encode(x=x, x2=alt.X2("to"), y=y, y2=alt.Y2("foot")))
    return alt.layer(*layers, title=title).properties(width=AMOUNTS, height=HEIGHT)


def _amounts_note(jackpots: Sequence[Sequence[Cents]]) -> str:
    words = [
        f"{len(amounts):,} with a mean of {_print(Fraction(sum(amounts), len(amounts)))}" if amounts else "none"
        for amounts in jackpots
    ]
    return ", ".join(words)


def _print(cents: Fraction) -> str:
    """Whole dollars."""
    return print_dollars(Cents(round(cents / 100) * 100))


def _nice(least: float) -> float:
    """The first of 1, 2 and 5 times a power of ten that is not smaller.

    >>> _nice(3), _nice(0.4), _nice(700)
    (5.0, 0.5, 1000.0)
    """
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


# --- axes


def _chart(rows: Sequence[Row]) -> alt.Chart:
    import altair as alt

    return alt.Chart(alt.InlineData(values=list(rows)))


def _scale(last: float) -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=[0, last], nice=False)


def _rounds() -> alt.Axis:
    import altair as alt

    return alt.Axis(format=",.0f", tickCount=5, grid=False)


def _dollars(last: float, ticks: int) -> alt.Axis:
    """Round amounts, none so close to the end that its label sticks out."""
    import altair as alt

    step = _nice(last / ticks)
    values = [step * place for place in range(ticks + 1) if step * place < 0.97 * last]
    return alt.Axis(format="$,.0f", values=values)
