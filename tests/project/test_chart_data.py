"""What charts show, on their data: marks on their lines, bars of one color, sorted edges, whole dollars."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pytest

from croupier.analysis.cases import cases_of
from croupier.analysis.prices import Price
from croupier.analysis.pricing import price
from croupier.documents import edge_charts, meter_charts
from croupier.documents.hold_charts import hold_chart
from croupier.documents.meter_charts import Drawn, meters_chart
from croupier.documents.pictures import GAIN, LINE, LOSS, NARROW
from croupier.documents.price_charts import prices_chart
from croupier.documents.simulation_charts import edges_chart
from croupier.rulebook import check, load_rulebook, read_submission
from croupier.simulation import (
    Hold,
    HoldShare,
    Plan,
    WagerReport,
    history_of,
    play_link,
    sit,
    supported_quantiles,
)
from croupier.simulation.exact_edges import Exact

BOOK = "md-mississippi-stud"


Spec: TypeAlias = dict[str, Any]


def spec_of(chart: Any) -> Spec:  # noqa: ANN401 - any chart of Altair
    """A chart as Vega-Lite reads it, each layer with its own rows."""
    spec: Spec = chart.to_dict()
    datasets = spec.pop("datasets", {})

    def inline(part: Spec, rows: list[Spec]) -> None:
        data = part.pop("data", None)
        if data is not None:
            rows = data["values"] if "values" in data else datasets[data["name"]]
        for name in ("vconcat", "hconcat", "layer"):
            for inner in part.get(name, ()):
                inline(inner, rows)
        part["rows"] = rows

    inline(spec, [])
    return spec


def layers(spec: Spec) -> Iterator[Spec]:
    """Every layer of a chart, in order."""
    for name in ("vconcat", "hconcat", "layer"):
        for part in spec.get(name, ()):
            yield from layers(part)
    if "mark" in spec:
        yield spec


def drawn(spec: Spec, *marks: str) -> list[list[Spec]]:
    """The rows of every layer with one of these marks."""
    return [layer["rows"] for layer in layers(spec) if layer["mark"]["type"] in marks]


def panels(spec: Spec) -> list[Spec]:
    return [panel for row in spec["vconcat"] for panel in row.get("hconcat", [row])]


def words(spec: object) -> list[str]:
    """Every string of a chart."""
    if isinstance(spec, dict):
        return [text for part in spec.values() for text in words(part)]
    if isinstance(spec, list):
        return [text for part in spec for text in words(part)]
    return [spec] if isinstance(spec, str) else []


# --- meters


@cache
def simulated_meters() -> Drawn:
    meters = {
        "mega": {"initial": "12345.67", "reset": "10000.00", "rate": "0.1"},
        "major": {"initial": "1000.00", "reset": "1000.00", "rate": "0.05"},
        "minor": {"initial": "250.00", "reset": "300.00", "rate": "0.04"},
    }
    wagers = {"progressive": {"stake": "1.00", "paytable": "C", "meters": meters, "reserve_rate": "0.02"}}
    house = check(read_submission({"rulebook": BOOK, "wagers": wagers})).rules()
    plan = Plan(house=house, seats=(sit(1, ante=1000, progressive=100),), seed=5)
    history, runs = history_of(play_link(plan, 40_000, tables=2, period=20_000, workers=2), plan)
    return Drawn(
        label="as filed",
        plan=plan,
        tables=2,
        runs=runs,
        histories={meter.name: meter for meter in history.meters},
        means={meter.name: meter.average for meter in history.meters},
    )


@pytest.mark.parametrize("corners", [0, 10_000], ids=["a thinned line", "every award a corner"])
def test_every_mark_of_an_award_is_on_the_line_of_its_meter(corners: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter_charts, "CORNERS", corners)
    house = simulated_meters()
    paths = [panel for panel in panels(spec_of(meters_chart([house]))) if drawn(panel, "line")]
    assert len(paths) == len(house.runs)
    marks = 0
    for panel in paths:
        (line,) = drawn(panel, "line")
        on_line = {(row["x"], row["y"]) for row in line}
        assert all(before["x"] <= after["x"] for before, after in pairwise(line))
        for row in (row for spots in drawn(panel, "point") for row in spots):
            assert (row["x"], row["y"]) in on_line
            marks += 1
    assert marks >= sum(award.percent == 100 for run in house.runs.values() for award in run.awards) > 0


def test_sizes_of_jackpots_are_drawn_only_if_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    house = simulated_meters()
    for least in (1, 10_000):
        monkeypatch.setattr(meter_charts, "ENOUGH", least)
        whole = [sum(award.percent == 100 for award in run.awards) for run in house.runs.values()]
        assert len(drawn(spec_of(meters_chart([house])), "rect")) == sum(many >= least for many in whole)


# --- hold


def hold_of(won: list[int]) -> Hold:
    share = HoldShare(Fraction(1, 50), 0.01, 0.001)
    values = np.array(won, dtype=np.int64)
    return Hold("shift", 256, values, values * 0 + 1, None, 20_000.0, share, None)


def shifts(count: int, *, mean: float, spread: float) -> list[int]:
    return [int(cents) for cents in np.random.default_rng(7).normal(mean, spread, count)]


MANY = {
    "wins and losses": shifts(2_000, mean=261_537, spread=455_000),
    "one terrible shift": [*shifts(2_000, mean=261_537, spread=455_000), -14_000_000],
    "wins only": shifts(500, mean=23_500_000, spread=2_000_000),
    "losses only": shifts(500, mean=-23_500_000, spread=2_000_000),
    "always the same": [12_345] * 200,
    "nothing": [0] * 200,
}
FEW = {
    "months": shifts(24, mean=23_500_000, spread=3_800_000),
    "one": [-4_200_099],
    "one of nothing": [0],
    "a jackpot": [*shifts(23, mean=23_500_000, spread=3_800_000), -90_000_000],
}


@pytest.mark.parametrize("won", MANY.values(), ids=MANY)
def test_a_bar_is_a_win_or_a_loss_and_zero_is_labeled(won: list[int]) -> None:
    spec = spec_of(hold_chart([hold_of(won)], title="A house"))
    (bars,) = drawn(spec, "rect")
    assert all(bar["to"] <= 0 if bar["x"] < 0 else bar["x"] >= 0 for bar in bars)
    assert all(bar["color"] == (LOSS if bar["x"] < 0 else GAIN) for bar in bars)
    for bar in bars:
        inside = sum(bar["x"] <= cents / 100 < bar["to"] for cents in won)
        assert bar["share"] == pytest.approx(inside / len(won))
    axes = [layer["encoding"]["x"]["axis"] for layer in layers(spec) if layer["mark"]["type"] == "rect"]
    assert 0 in axes[0]["values"]
    assert {"x": 0} in [row for rows in drawn(spec, "rule") for row in rows]


@pytest.mark.parametrize("won", FEW.values(), ids=FEW)
def test_a_few_periods_are_a_dot_each(won: list[int]) -> None:
    spec = spec_of(hold_chart([hold_of(won)], title="A house"))
    assert not drawn(spec, "rect")
    (dots,) = drawn(spec, "circle")
    beyond = [int(many) for text in words(spec) for many in re.findall(r"(\d+) (?:below|above)", text)]
    assert len(dots) == len(won) - sum(beyond)
    assert all(dot["color"] == (LOSS if dot["x"] < 0 else GAIN) for dot in dots)


@pytest.mark.parametrize("won", (MANY | FEW).values(), ids=MANY | FEW)
def test_percentiles_are_those_of_the_report_and_in_whole_dollars(won: list[int]) -> None:
    spec = spec_of(hold_chart([hold_of(won)], title="A house"))
    at = {rows[0]["name"]: rows[0]["x"] for rows in drawn(spec, "rule") if "name" in rows[0]}
    names = {5: "5th percentile", 50: "median", 95: "95th percentile"}
    supported = supported_quantiles(won, tuple(names))
    assert at == {names[percent]: cents / 100 for percent, cents in supported.items() if cents is not None}
    assert not [text for text in words(spec) if re.search(r"\$\d[\d,]*\.\d", text)]


def test_the_worst_shift_does_not_squeeze_the_others() -> None:
    won = MANY["one terrible shift"]
    spec = spec_of(hold_chart([hold_of(won)], title="A house"))
    low, high = next(layers(spec))["encoding"]["x"]["scale"]["domain"]
    at = supported_quantiles(won, (5, 95))
    assert (high - low) * 100 < 4 * ((at[95] or 0) - (at[5] or 0))
    assert any("lowest −$140,000" in text for text in words(spec))


# --- edges


@cache
def priced(wager: str) -> tuple[Price, ...]:
    return tuple(record for case in cases_of(load_rulebook(BOOK)) if case.wager == wager for record in price(case))


def report(seat: int, wager: str, exact: Exact | None = None) -> WagerReport:
    return WagerReport(seat, wager, 10_000, 10_000_000, 10_000_000, 1_000, -500_000, 40_000_000_000, exact)


def test_a_simulation_has_a_panel_for_each_wager_with_all_its_seats() -> None:
    exact = Exact(priced("base")[0].outcomes)
    reports = [
        report(seat, wager, exact if wager == "base" else None) for seat in (1, 2) for wager in ("base", "progressive")
    ]
    spec = spec_of(edges_chart(reports, title="A house", note="", long_run={"progressive": Fraction(1, 2)}))
    assert [panel["title"]["text"] for panel in panels(spec)] == ["Main game", "Progressive"]
    for panel, edge in zip(panels(spec), (float(exact.edge), 0.5), strict=True):
        (ticks,) = drawn(panel, "tick")
        assert [(row["seat"], row["exact"]) for row in ticks] == [("seat 1", edge), ("seat 2", edge)]
    assert panels(spec)[1]["title"]["subtitle"] == "Long-run edge 50.00%; in a run it moves with the meter"


NARROW_PICTURES: dict[str, Callable[..., Any]] = {
    "edges": partial(
        edges_chart,
        [report(seat, wager) for seat in (1, 2) for wager in ("base", "three_card_bonus")],
        title="Mississippi Stud, Massachusetts: the house that is named so that its name is long",
        note="2 players, 20,000 rounds, optimal play, seed 1\nBets: ante $10, three card bonus $1, cover all $1",
    ),
    "hold": partial(hold_chart, [hold_of(MANY["one terrible shift"])], title="A house"),
    "dots": partial(hold_chart, [hold_of(FEW["months"])], title="A house"),
}


@pytest.mark.parametrize("draw", NARROW_PICTURES.values(), ids=NARROW_PICTURES)
def test_a_narrow_picture_shows_the_same_and_is_as_wide_as_a_phone(draw: Callable[..., Any]) -> None:
    def figures(spec: Spec) -> list[list[Spec]]:
        rows = drawn(spec, "rect", "circle", "point", "tick", "rule")
        return [[{name: row[name] for name in row if name != "figures"} for row in layer] for layer in rows]

    wide, narrow = spec_of(draw()), spec_of(draw(narrow=True))
    assert figures(narrow) == figures(wide)
    assert all(panel["width"] <= NARROW for panel in panels(narrow))
    titles = [narrow["title"], *(panel["title"] for panel in panels(narrow))]
    lines = [line for title in titles for part in ("text", "subtitle") for line in np.atleast_1d(title[part])]
    assert max(map(len, lines)) <= LINE
    axis = narrow["config"]["axis"]
    assert min(axis["labelFontSize"], axis["titleFontSize"], narrow["config"]["text"]["fontSize"]) >= 12
    assert all(title["subtitleFontSize"] >= 12 for title in titles)
    axes = [layer["encoding"]["x"].get("axis") or {} for layer in layers(narrow)]
    assert any(axis.get("title") for axis in axes), "the axis says what it counts"


def test_a_house_has_one_bar_for_each_wager_the_highest_edge_first() -> None:
    records = [*priced("base"), priced("three_card_bonus")[0], priced("progressive")[0]]
    assert [record.tie_rule for record in records[:2]] == ["more", "less"]
    spec = spec_of(prices_chart(records, house="A house", long_run={"progressive": Fraction(1, 2)}))
    (bars,) = drawn(spec, "bar")
    assert [bar["row"] for bar in bars] == [
        "Progressive, in the long run",
        "Progressive, paytable A, main meter at $10,000",
        "Main game",
        "Three card bonus, paytable A",
    ]
    assert [bar["value"] for bar in bars] == sorted((bar["value"] for bar in bars), reverse=True)
    assert spec["title"]["text"] == "A house"


def test_many_paytables_are_a_dot_each_on_one_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_charts, "MANY", 10)
    records = [*priced("base")[:1], *priced("progressive"), *priced("three_card_bonus")]
    spec = spec_of(prices_chart(records))
    (dots,) = drawn(spec, "circle")
    assert sorted(dot["edge"] for dot in dots) == sorted(float(record.edge) for record in records)
    assert "2.14% (F) to 7.28% (E)" in words(spec)
