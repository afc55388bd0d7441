"""Simulations from the page: who may, what is refused, how far one is, and what is kept of it."""

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from croupier.documents import SimulationResults, WorkAnswer
from croupier.web.plots import themed
from croupier.web.simulating import Simulations, StartedSimulation
from support.browser import Form, HouseForBrowsers, ThePage, browse

RESULTS = SimulationResults(
    rounds=5_000,
    rules="a" * 64,
    plan="b" * 64,
    head=("seat", "wager", "house edge", "99% interval", "exact edge", ""),
    rows=(("1", "base", "4.9%", "4% to 6%", "4.9149%", "agrees"),),
    notes=("a note",),
    chart='<svg width="9" height="9" viewBox="0 0 9 9"><rect fill="#222222"/></svg>',
    records=[{"seat": 1, "wager": "base", "house_edge": 0.049}],
    values={"rounds": 5_000, "wagers": []},
)


def the_form(page: ThePage) -> Form:
    form = page.going_to("/simulations")
    assert form is not None, page.text
    form.fields["kind"] = "edges"
    return form


def test_operators_regulators_and_auditors_simulate_and_nobody_else(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        for name, status in {"": 401, "ann": 403, "dealer": 403, "regulator": 200, "auditor": 200}.items():
            browser = await house.browser(name)
            page = await browser.see("/simulations")
            assert page.status == status, name
            assert ("Simulations" in page.text) == (status == 200)
            assert (await browser.see("/simulations/1")).status == (404 if status == 200 else status)

    browse(tmp_path, visit)


def test_a_field_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser("operator")
        form = the_form(await browser.see("/simulations"))
        for field, value, words in (
            ("seats", "8", "from 1 to 6"),
            ("rounds", "ten", "from 1,000"),
            ("seed", "-1", "from 0"),
            ("house", "nothing/1", "from the list"),
        ):
            page = await browser.send(form, {field: value})
            assert page.status == 400
            assert words in page.text
            given = next(given for _, given in page.tags if given.get("id") == field)
            assert given["aria-invalid"] == "true"
        page = await browser.send(form, {"kind": "hold", "buy_in": "much"})
        assert page.status == 400

    browse(tmp_path, visit)


def test_two_run_at_a_time_and_their_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = asyncio.Event()

    async def run(_: Simulations, simulation: StartedSimulation) -> None:
        simulation.hear(WorkAnswer(total=5_000))
        simulation.hear(WorkAnswer(done=2_500))
        await go.wait()
        if simulation.standing == "running":
            simulation.hear(WorkAnswer(done=2_500, results=RESULTS))

    monkeypatch.setattr(Simulations, "run", run)

    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser("regulator")
        form = the_form(await browser.see("/simulations"))
        first = await browser.send(form, rounds="5,000", seed="7")
        assert first.path == "/simulations/1"
        await asyncio.sleep(0)
        second = await browser.send(form, rounds="5000")
        assert second.path == "/simulations/2"
        third = await browser.send(form, rounds="5000")
        assert third.status == 409
        assert "wait until one ends" in third.text
        page = await browser.see("/simulations/1")
        assert "2,500 of 5,000 rounds" in page.text
        assert page.refresh, "without scripts it looks again"
        stop = page.going_to("/stop")
        assert stop is not None
        page = await browser.send(next(form for form in second.forms if form.action.endswith("/stop")))
        assert "Stopped." in page.text
        go.set()
        await asyncio.sleep(0.05)
        page = await browser.see("/simulations/1")
        assert "Agrees" in page.text
        assert 'fill="var(--ink)"' in page.html
        assert not page.refresh
        answer = await browser.http.get("/simulations/1/results/json")
        kept = json.loads(answer.content)
        assert (kept["seed"], kept["rules"], kept["plan"]) == (7, RESULTS.rules, RESULTS.plan)
        assert "attachment" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO((await browser.http.get("/simulations/1/results/csv")).text)))
        assert rows[0]["seed"] == "7"
        assert rows[0]["rules"] == RESULTS.rules
        assert (await browser.http.get("/simulations/1/results/svg")).text == RESULTS.chart
        assert (await browser.http.get("/simulations/1/results/exe")).status_code == 404
        assert (await browser.http.get("/simulations/2/results/json")).status_code == 404

    browse(tmp_path, visit)


def test_a_process_that_refuses_or_dies_is_told_apart(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser("operator")
        form = the_form(await browser.see("/simulations"))
        await browser.send(form, rounds="1000", strategy="no such way to play")
        page = await browser.see("/simulations/1")
        while "Getting ready" in page.text:
            await asyncio.sleep(0.1)
            page = await browser.see("/simulations/1/live")
        assert "Refused." in page.text
        assert "is not a strategy for" in page.text

    browse(tmp_path, visit)


def test_a_chart_takes_the_colors_of_the_page() -> None:
    drawn = themed('<svg class="a" width="3" height="2" viewBox="0 0 3 2"><path stroke="#0072b2" fill="white"/></svg>')
    assert drawn == '<svg class="a" viewBox="-24 0 27 2"><path stroke="var(--push)" fill="var(--surface)"/></svg>'
