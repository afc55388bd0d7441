"""Whether the server is alive and ready, what monitoring reads, and the file that verifies a record."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

import msgspec
from litestar import Response, get, post
from litestar.connection import Request

from croupier.errors import Conflict, CroupierError, StoreError
from croupier.server.api.answers import ToldStatus
from croupier.server.api.parameters import TheDesk
from croupier.server.described import answers, complete
from croupier.server.passing import PATH
from croupier.server.problems import problem

__all__ = ["ROUTES"]


@get("/healthz", summary="Whether the process is alive", tags=["status"], responses=answers(ToldStatus), security=[])
async def healthz() -> dict[str, str]:
    """Always, if anybody answers."""
    return {"status": "alive"}


@get(
    "/readyz",
    summary="Whether the house takes commands",
    tags=["status"],
    responses=answers(ToldStatus, 503),
    security=[],
)
async def readyz(desk: TheDesk) -> Response[Any]:
    """Not while it stops, and not while the record cannot be read; `troubled` lists what does not go on by itself."""
    if desk.stopping:
        return problem(503, "the house is closing")
    try:
        await desk.hall.store.read("select 1")
    except StoreError:
        return problem(503, "the record cannot be read")
    return Response({"status": "ready", "tables": len(desk.hall.tables()), "troubled": sorted(desk.hall.troubles())})


@get(
    "/metrics",
    summary="Figures for monitoring, as Prometheus reads them",
    tags=["status"],
    media_type="text/plain",
    security=[],
)
async def metrics(desk: TheDesk) -> Response[bytes]:
    """Counters of this process."""
    figures = desk.metrics
    figures.tables.labels("live").set(len(desk.hall.live))
    figures.tables.labels("followed").set(len(desk.hall.followed))
    figures.sockets.set(desk.sockets.total())
    figures.commits.set(desk.hall.store.commits)
    figures.troubled.set(len(desk.hall.troubles()))
    return Response(figures.text(), media_type="text/plain; version=0.0.4")


@get("/openapi.json", include_in_schema=False)
async def openapi(request: Request[Any, Any, Any], desk: TheDesk) -> Response[bytes]:
    """The API, described."""
    if not desk.described:  # the same for everybody
        desk.described = msgspec.json.encode(complete(request.app.openapi_schema.to_schema()))
    return Response(desk.described, media_type="application/json")


@get(
    "/verify.py",
    summary="The program that verifies a record, in one file",
    tags=["fairness"],
    media_type="text/x-python",
    security=[],
)
async def verifier() -> Response[bytes]:
    """Needs nothing but Python."""
    return _program("verify.py")


@get(
    "/verify_shuffle.py",
    summary="The program that verifies the proof of a shuffle, in one file",
    tags=["fairness"],
    media_type="text/x-python",
    security=[],
)
async def shuffle_verifier() -> Response[bytes]:
    """Needs nothing but Python."""
    return _program("verify_shuffle.py")


def _program(name: str) -> Response[bytes]:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    text = files("croupier.journal").joinpath(name).read_bytes()
    return Response(text, media_type="text/x-python", headers=headers)


@post(PATH, status_code=200, include_in_schema=False)
async def passed_on(desk: TheDesk, request: Request[Any, Any, Any]) -> Response[bytes]:
    """A command that another process of this house passes on to the table's holder."""
    passed = desk.passing.opened(await request.body())
    answer: dict[str, Any] | CroupierError
    try:
        table = desk.hall.live.get(passed.table)
        if table is None:
            raise Conflict("this process does not hold the table")
        with desk.hall.turns.answer() as turn:
            answer = await desk.given(table, passed.by, passed.body, passed.key, turn)
    except CroupierError as error:
        answer = error
    return Response(desk.passing.sealed(passed, answer), media_type="application/octet-stream")


ROUTES: Final = [healthz, readyz, metrics, openapi, verifier, shuffle_verifier, passed_on]
