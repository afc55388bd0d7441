"""Pictures of meters over a simulated run: the path of each with its hits, and the size of full jackpots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from croupier.documents.pictures import (
    GAIN,
    INK,
    LOSS,
    Panel,
    check_place,
    data_of,
    nice_step,
    round_values,
    styled,
    title_of,
    write_picture,
)
from croupier.errors import Malformed
from croupier.money import UNITS_PER_CENT, WHOLE, Cents, print_dollars
from croupier.present import counted
from croupier.simulation import JackpotHit, MeterHistory, MeterRun, Plan

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Drawn", "draw_meters", "meters_chart"]

COLORS: Final = (GAIN, LOSS)
"""The colors of the house as filed and of the changed one."""
PATH, AMOUNTS, HEIGHT, GAP, ALONE = 540, 250, 220, 160, 720
"""Widths of the panels, their height, the space between them, and the width of a path alone, in points."""
CORNERS: Final = 600
"""With more awards than this the path is faint, and drawn from evenly spaced points and full jackpots alone."""
RINGS: Final = 60
"""With more awards than this, only full jackpots are marked."""
ENOUGH: Final = 20
"""Full jackpots, at least, for a panel of their sizes."""
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


def draw_meters(houses: Sequence[Drawn], path: Path, *, title: str = "") -> None:
    """Write a picture of one house, or of a house as filed and changed; the suffix names the format."""
    check_place(path)
    write_picture(meters_chart(houses, title=title), path)


def meters_chart(houses: Sequence[Drawn], *, title: str = "") -> alt.VConcatChart:
    """The path of each meter with its awards, and beside it the sizes of full jackpots where there are enough."""
    import altair as alt

    if not houses:
        raise Malformed("there is nothing to draw: at least one simulated house is needed")
    names = dict.fromkeys(name for house in houses for name in house.runs)
    by_name = {
        name: [(house, COLORS[place]) for place, house in enumerate(houses) if name in house.runs] for name in names
    }
    sizes = any(map(_enough, by_name, by_name.values()))
    rows = []
    for name, having in by_name.items():
        path = _path(name, having, width=PATH if sizes else ALONE)
        panels = [path, _amounts(name, having)] if _enough(name, having) else [path]
        rows.append(alt.hconcat(*panels, spacing=GAP, bounds="flush"))
    plan = houses[0].plan
    source, rounds = plan.house.rulebook.source, next(iter(houses[0].runs.values())).rounds
    words = [_words(house) for house in houses]
    if len(set(words)) > 1:
        words = [f"{house.label} {size}" for house, size in zip(houses, words, strict=True)]
    notes = [f"{rounds:,} rounds at each table, seed {plan.seed}; {'; '.join(dict.fromkeys(words))}"]
    if len(houses) > 1:
        notes.append("Blue: as filed. Orange: changed. Both with the same cards.")
    return styled(
        rows, title or f"{source.title}, {source.jurisdiction}: progressive meter{'s' * (len(names) > 1)}", notes
    )


def _words(house: Drawn) -> str:
    players = len(house.plan.seats)
    return f"{house.tables:,} table{'s' * (house.tables > 1)} with {players} player{'s' * (players > 1)}"


# --- the path


def _path(name: str, houses: Sequence[tuple[Drawn, str]], *, width: int) -> Panel:
    import altair as alt

    shown = max(house.histories[name].largest for house, _ in houses)
    means = [(house.means[name], color) for house, color in houses]
    near = [(mean, color) for mean, color in means if mean <= FAR * shown]
    top = float(max([Fraction(shown), *(mean for mean, _ in near)])) / 100 * 1.08
    rounds = houses[0][0].runs[name].rounds
    x = alt.X("x", type="quantitative", title="rounds played at each table", axis=_rounds(rounds), scale=_scale(rounds))
    y = alt.Y("y", type="quantitative", title=f"{name} meter", axis=_dollars(top, 6), scale=_scale(top))
    layers = []
    for mean, color in near:
        row = data_of([{"x": rounds, "y": float(mean) / 100, "text": f"average {_print(mean)}"}])
        layers.append(row.mark_rule(color=color, strokeDash=[5, 4], strokeWidth=1.5).encode(y=y))
        text = row.mark_text(align="left", dx=6, baseline="middle", color=INK)
        layers.append(text.encode(x=x, y=y, text=alt.Text("text:N")))
    for house, color in houses:
        line, few = data_of(_corners(house.runs[name], house.histories[name])), _few(house.runs[name])
        line = line.mark_line(color=color, strokeWidth=1.6 if few else 1, opacity=1 if few else 0.5, strokeJoin="round")
        layers.append(line.encode(x=x, y=y))
    for house, color in houses:
        layers += [spots.encode(x=x, y=y) for spots in _spots(house.runs[name], color)]
    title = title_of(f"What the {name} meter shows", _path_note(name, houses, drawn=bool(near)), offset=10)
    return alt.layer(*layers, title=title).properties(width=width, height=HEIGHT)


def _path_note(name: str, houses: Sequence[tuple[Drawn, str]], *, drawn: bool) -> str:
    awards = [award for house, _ in houses for award in house.runs[name].awards]
    whole = sum(award.percent == WHOLE for award in houses[0][0].runs[name].awards)
    marks = [f"Dots: {counted(whole, 'full jackpot')}"] if whole else ["No full jackpot in this run"]
    ringed = any(_ringed(house.runs[name]) for house, _ in houses)
    marks += ["rings: partial awards"] if ringed and any(award.percent != WHOLE for award in awards) else []
    if drawn:
        return "; ".join([*marks, "dashed: average in the long run"])
    means = " and ".join(dict.fromkeys(_print(house.means[name]) for house, _ in houses))
    return "; ".join([*marks, f"average in the long run {means}"])


def _spots(run: MeterRun, color: str) -> list[alt.Chart]:
    """The awards where they fell: rings for a share, dots for the whole."""
    whole = [_spot(run, award) for award in run.awards if award.percent == WHOLE]
    parts = [_spot(run, award) for award in run.awards if award.percent != WHOLE]
    size, edge = (60, 1) if _few(run) else (14, 0)
    return [
        data_of(parts if _ringed(run) else []).mark_point(filled=False, size=16, color=color, strokeWidth=1),
        data_of(whole).mark_point(filled=True, size=size, color=color, opacity=1, stroke="white", strokeWidth=edge),
    ]


def _ringed(run: MeterRun) -> bool:
    return len(run.awards) <= RINGS


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


def _jackpots(name: str, houses: Sequence[tuple[Drawn, str]]) -> list[list[Cents]]:
    return [[award.amount for award in house.runs[name].awards if award.percent == WHOLE] for house, _ in houses]


def _enough(name: str, houses: Sequence[tuple[Drawn, str]]) -> bool:
    """Whether there are jackpots enough for their sizes to have a shape."""
    return min(map(len, _jackpots(name, houses))) >= ENOUGH


def _amounts(name: str, houses: Sequence[tuple[Drawn, str]]) -> Panel:
    """How often full jackpots were of each size."""
    import altair as alt

    jackpots = _jackpots(name, houses)
    title = title_of("Size of full jackpots", _amounts_note(houses, jackpots), offset=10)
    largest = max(map(max, jackpots)) / 100
    width = nice_step(largest / BINS)
    last = (largest // width + 1) * width
    counts = [Counter(int(cents / 100 // width) for cents in amounts) for amounts in jackpots]
    highest = max(max(bins.values(), default=0) for bins in counts)
    x = alt.X("from", type="quantitative", title="amount", axis=_dollars(last, 4), scale=_scale(last))
    step = max(1, int(nice_step(highest / 5)))
    whole = alt.Axis(format=",d", values=list(range(0, highest + 1, step)), grid=False)
    y = alt.Y("count", type="quantitative", title="full jackpots", axis=whole, scale=_scale(highest * 1.08))
    layers = []
    for place, (count, (_, color)) in enumerate(zip(counts, houses, strict=True)):
        share = (place / len(counts), (place + 1) / len(counts))
        rows = [
            {"from": (at + share[0] + 0.06) * width, "to": (at + share[1] - 0.06) * width, "count": many, "foot": 0}
            for at, many in sorted(count.items())
        ]
        bars = data_of(rows).mark_rect(color=color)
        layers.append(bars.encode(x=x, x2=alt.X2("to"), y=y, y2=alt.Y2("foot")))
    return alt.layer(*layers, title=title).properties(width=AMOUNTS, height=HEIGHT)


def _amounts_note(houses: Sequence[tuple[Drawn, str]], jackpots: Sequence[Sequence[Cents]]) -> str:
    averages = [f"{_print(Fraction(sum(amounts), len(amounts)))} on average" for amounts in jackpots]
    if len(averages) > 1:
        return ", ".join(f"{house.label} {words}" for (house, _), words in zip(houses, averages, strict=True))
    return averages[0]


def _print(cents: Fraction) -> str:
    """Whole dollars."""
    return print_dollars(Cents(round(cents / 100) * 100))


# --- axes


def _scale(last: float) -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=[0, last], nice=False)


def _rounds(last: int) -> alt.Axis:
    import altair as alt

    values = round_values(0, last, nice_step(last / 7))
    return alt.Axis(format=",.0f", values=values, grid=False, labelFlush=False)


def _dollars(last: float, ticks: int) -> alt.Axis:
    """Round amounts, none so close to the end that its label sticks out."""
    import altair as alt

    values = round_values(0, 0.97 * last, nice_step(last / ticks))
    return alt.Axis(format="$,.0f", values=values)
