"""The application: routes, and what every handler is given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from litestar import Litestar, Router
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp, Scope

from croupier.server.api import cage, fairness, floor, house, people, rounds, rules, session, status, tables, tokens
from croupier.server.asgi import Surrounded
from croupier.server.callers import Caller
from croupier.server.described import OPENAPI
from croupier.server.desk import Desk
from croupier.server.pages import NO_PAGES, Pages, problem_handlers
from croupier.server.strict import StrictRequest

__all__ = ["make_app", "make_routes", "open_to"]

_PARTS: Final = (tables, rules, session, people, house, tokens, cage, floor, rounds, fairness)


def make_app(desk: Desk, pages: Pages = NO_PAGES) -> ASGIApp:
    """The application around a running house; `pages` are served beside the API."""
    return open_to(desk, make_routes(pages))


def make_routes(pages: Pages = NO_PAGES) -> Litestar:
    """Every route, for a house that `open_to` names: making them is most of the work of making an application."""
    return Litestar(
        route_handlers=[
            *status.ROUTES,
            *pages.routes,
            Router("/api", route_handlers=[handler for part in _PARTS for handler in part.ROUTES]),
        ],
        dependencies={"desk": Provide(_give_desk), "caller": Provide(_give_caller)},
        exception_handlers=problem_handlers(pages),
        lifespan=[_running],
        request_class=StrictRequest,
        request_max_body_size=None,  # the gate has looked at it
        openapi_config=OPENAPI,
        logging_config=None,
        debug=False,
    )


def open_to(desk: Desk, app: Litestar) -> ASGIApp:
    """These routes lead to this house from now on, and to no other."""
    app.state = State({"desk": desk})
    methods: dict[str, set[str]] = {}
    for route in app.routes:
        own = set(getattr(route, "methods", ()))
        methods.setdefault(route.path_format, set()).update(own | ({"HEAD"} if "GET" in own else set()))
    allowed = {path: ", ".join(sorted(names)) for path, names in methods.items()}
    return Surrounded(app, desk.metrics, desk.doors.surroundings, allowed)


async def _give_desk(scope: Scope) -> Desk:
    desk: Desk = scope["litestar_app"].state["desk"]
    return desk


async def _give_caller(scope: Scope) -> Caller:
    return await (await _give_desk(scope)).caller(ASGIConnection(scope))


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    desk: Desk = app.state["desk"]
    desk.start()
    try:
        yield
    finally:
        await desk.stop()
