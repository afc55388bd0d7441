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

from croupier.server.api import cage, fairness, floor, house, people, rounds, session, status, tables, tokens
from croupier.server.asgi import Surrounded
from croupier.server.callers import Caller
from croupier.server.described import OPENAPI
from croupier.server.desk import Desk
from croupier.server.pages import NO_PAGES, Pages, problem_handlers
from croupier.server.strict import StrictRequest

__all__ = ["make_app"]

_PARTS: Final = (tables, session, people, house, tokens, cage, floor, rounds, fairness)


def make_app(desk: Desk, pages: Pages = NO_PAGES) -> ASGIApp:
    """The application around a running house; `pages` are served beside the API."""

    async def give_desk() -> Desk:
        return desk

    async def give_caller(scope: Scope) -> Caller:
        return await desk.caller(ASGIConnection(scope))

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        desk.start()
        try:
            yield
        finally:
            await desk.stop()

    app = Litestar(
        route_handlers=[
            *status.ROUTES,
            *pages.routes,
            Router("/api", route_handlers=[handler for part in _PARTS for handler in part.ROUTES]),
        ],
        dependencies={"desk": Provide(give_desk), "caller": Provide(give_caller)},
        exception_handlers=problem_handlers(pages),
        lifespan=[running],
        state=State({"desk": desk}),
        request_class=StrictRequest,
        request_max_body_size=None,  # the gate has looked at it
        openapi_config=OPENAPI,
        logging_config=None,
        debug=False,
    )
    methods: dict[str, set[str]] = {}
    for route in app.routes:
        own = set(getattr(route, "methods", ()))
        methods.setdefault(route.path_format, set()).update(own | ({"HEAD"} if "GET" in own else set()))
    allowed = {path: ", ".join(sorted(names)) for path, names in methods.items()}
    return Surrounded(app, desk.metrics, desk.doors.surroundings, allowed)
