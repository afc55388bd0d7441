"""Simulations of a house's rules, started from the page: edges beside the exact ones, and the hold report."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any, Final, get_args

import msgspec
from litestar import Response, get, post
from msgspec import Struct

from croupier.documents import SimulationKind, SimulationOrder
from croupier.errors import CroupierError, Malformed
from croupier.house import SubmissionVersion
from croupier.money import typed_dollars
from croupier.present import simulations as words
from croupier.rulebook import check, load_rulebook, read_submission_text
from croupier.server import Caller, Desk, NotFound, problem_of
from croupier.web.plots import themed
from croupier.web.posting import AnyRequest, Fields
from croupier.web.rendering import Page, page, redirect
from croupier.web.shell import NavItem
from croupier.web.simulating import Simulations, StartedSimulation
from croupier.web.words import submission_title

__all__ = ["NAV", "ROUTES"]

_WHAT: Final = "simulations"
_MOST_ROUNDS, _MOST_MONTHS, _MOST_SEED = 100_000_000, 120, 1 << 63
_NARROW_ROOM: Final = 6
"""More room on the left of a narrow chart, in its points."""
_USUAL: Final = {
    "kind": "edges",
    "house": "",
    "rounds": "1,000,000",
    "months": "12",
    "seats": "1",
    "seed": "1",
    "strategy": "optimal",
    "buy_in": "",
}


class HouseChoice(Struct, frozen=True):
    """A house whose rules can be simulated."""

    value: str
    label: str


class WrongField(Malformed):
    """A field of the form that cannot be read."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@get("/simulations")
async def see_simulations(request: AnyRequest, desk: Desk, caller: Caller, house: str = "") -> Page:
    """The form, and what was simulated since the server started."""
    caller.must_read(_WHAT)
    return _page(request, desk, caller, _USUAL | {"house": house})


@post("/simulations", status_code=200)
async def start_simulation(request: AnyRequest, desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Start one."""
    caller.must_read(_WHAT)
    typed = _USUAL | {name: fields.get(name, value).strip() for name, value in _USUAL.items()}
    known = _simulations(request)
    try:
        order = _order(desk, typed)
        made = known.start(
            order,
            by=caller.name or caller.id,
            at=desk.doors.now(),
            beside=lambda name, simulation: desk.hall.chores.once(name, known.run(simulation)),
        )
    except WrongField as error:
        return _page(request, desk, caller, typed, findings={error.field: str(error)}, status=400)
    except CroupierError as error:
        answer = problem_of(error)
        return _page(request, desk, caller, typed, refusal=answer.content, status=answer.status_code or 409)
    return redirect(f"/simulations/{made.id}")


@get("/simulations/{number:str}")
async def see_simulation(request: AnyRequest, caller: Caller, number: str) -> Page:
    """One simulation: how far it is, or what came of it."""
    return page("simulation", caller, **_shown(_found(request, caller, number)))


@get("/simulations/{number:str}/live")
async def see_live_simulation(request: AnyRequest, caller: Caller, number: str) -> Page:
    """The same without its surroundings, for a page that is open."""
    return page("simulation_live", caller, **_shown(_found(request, caller, number)))


@post("/simulations/{number:str}/stop", status_code=200)
async def stop_simulation(request: AnyRequest, caller: Caller, number: str) -> Page:
    """End one before it is done."""
    Simulations.stop(_found(request, caller, number))
    return redirect(f"/simulations/{number}")


@get("/simulations/{number:str}/results/{ending:str}")
async def download_results(request: AnyRequest, caller: Caller, number: str, ending: str) -> Response[bytes]:
    """What came of it, as a file: with the seed, and the hashes of the rules and of the whole plan."""
    simulation = _found(request, caller, number)
    results = simulation.results
    if results is None or ending not in _FILES:
        raise NotFound("there is no such file: this simulation has no results")
    order = simulation.order
    about = {"simulation": order.kind, "title": order.title, "seed": order.seed, "seats": order.seats}
    about |= {"strategy": order.strategy, "rules": results.rules, "plan": results.plan}
    match ending:
        case "json":
            body = msgspec.json.format(msgspec.json.encode(about | results.values), indent=2) + b"\n"
        case "csv":
            body = _csv({**row, "seed": order.seed, "rules": results.rules} for row in results.records)
        case _:
            body = results.chart.encode()
    name = f"simulation-{order.kind}-{number}.{ending}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(body, media_type=_FILES[ending], headers=headers)


_FILES: Final = {"json": "application/json", "csv": "text/csv", "svg": "image/svg+xml"}


def _csv(rows: Iterable[dict[str, Any]]) -> bytes:
    rows = list(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


# --- what was asked


def _order(desk: Desk, typed: dict[str, str]) -> SimulationOrder:
    kind: SimulationKind = "hold" if typed["kind"] == "hold" else "edges"
    if typed["kind"] not in get_args(SimulationKind):
        raise WrongField("kind", "choose edges or the hold report")
    version = _version(desk, typed["house"])
    rules = check(read_submission_text(version.text, name=version.name)).rules()
    source = rules.rulebook.source
    buy_in = typed["buy_in"]
    return SimulationOrder(
        kind=kind,
        submission=version.text,
        title=f"{source.title}, {source.jurisdiction}: {rules.operator or version.name}",
        seats=_number(typed, "seats", 1, rules.seats),
        seed=_number(typed, "seed", 0, _MOST_SEED),
        strategy=typed["strategy"] or "optimal",
        rounds=_number(typed, "rounds", 1_000, _MOST_ROUNDS) if kind == "edges" else 0,
        months=_number(typed, "months", 1, _MOST_MONTHS) if kind == "hold" else 0,
        buy_in=_amount("buy_in", buy_in) if buy_in and kind == "hold" else None,
    )


def _version(desk: Desk, wanted: str) -> SubmissionVersion:
    name, _, number = wanted.rpartition("/")
    is_number = number.isascii() and number.isdecimal() and len(number) < 10
    found = desk.house.state.submissions.get((name, int(number))) if is_number else None
    if found is None:
        raise WrongField("house", "choose a house from the list")
    return found


def _number(typed: dict[str, str], field: str, least: int, most: int) -> int:
    text = typed[field].replace(",", "").replace("_", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
        raise WrongField(field, f"a whole number from {least:,} to {most:,}")
    return int(text)


def _amount(field: str, text: str) -> int:
    try:
        return typed_dollars(text)
    except Malformed as error:
        raise WrongField(field, str(error)) from None


# --- what is shown


def _simulations(request: AnyRequest) -> Simulations:
    """The simulations of this application."""
    state = request.app.state
    if "simulations" not in state:
        state["simulations"] = Simulations()
    known: Simulations = state["simulations"]
    return known


def _found(request: AnyRequest, caller: Caller, number: str) -> StartedSimulation:
    caller.must_read(_WHAT)
    found = _simulations(request).find(number)
    if found is None:
        raise NotFound("there is no such simulation: results are kept for as long as the server runs")
    return found


def _shown(simulation: StartedSimulation) -> dict[str, Any]:
    results = simulation.results
    return {
        "simulation": simulation,
        "order": simulation.order,
        "results": results,
        "chart": themed(results.chart) if results is not None else "",
        "narrow": themed(results.narrow, room=_NARROW_ROOM) if results is not None and results.narrow else "",
        "meter_columns": words.METER_COLUMNS,
    }


def _page(
    request: AnyRequest,
    desk: Desk,
    caller: Caller,
    typed: dict[str, str],
    *,
    findings: dict[str, str] | None = None,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    return page(
        "simulations",
        caller,
        status=status,
        houses=_houses(desk),
        typed=typed,
        findings=findings or {},
        refusal=refusal,
        simulations=_simulations(request).newest(),
    )


def _houses(desk: Desk) -> list[HouseChoice]:
    """Every version of a submission, those that tables play by first."""
    state = desk.house.state
    tables: dict[tuple[str, int], list[str]] = {}
    for table in state.tables.values():
        tables.setdefault((table.submission, table.version), []).append(table.id)
    choices = []
    for place, version in sorted(state.submissions.items(), key=lambda item: (item[0] not in tables, item[0])):
        source = load_rulebook(version.rulebook).source
        words = f"{source.title}, {source.jurisdiction}"
        used = f"Table {', '.join(tables[place])}: {words}" if place in tables else f"{words}, {version.status}"
        name = submission_title(version.name).removeprefix(words).lstrip(", ")
        named = f"{name}, version" if name else "version"
        label = f"{used} ({named} {version.version})"
        choices.append(HouseChoice(f"{version.name}/{version.version}", label))
    return choices


NAV: Final = [NavItem("Simulations", "/simulations", frozenset({"operator", "regulator", "auditor"}), place=70)]
ROUTES: Final = [
    see_simulations,
    start_simulation,
    see_simulation,
    see_live_simulation,
    stop_simulation,
    download_results,
]
