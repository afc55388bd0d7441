"""Pages beside the API: their routes, and how they show what went wrong."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from litestar import Request, Response
from litestar.types import ControllerRouterHandler

from croupier.server.problems import problem_of

__all__ = ["NO_PAGES", "Pages", "problem_handlers"]

_LOG: Final = logging.getLogger("croupier.server")
AnyRequest: TypeAlias = Request[Any, Any, Any]
AnyResponse: TypeAlias = Response[Any]


class Pages(NamedTuple):
    """Pages for browsers: their routes, and a problem as a page."""

    routes: Sequence[ControllerRouterHandler] = ()
    problem: Callable[[AnyRequest, AnyResponse], AnyResponse] | None = None


NO_PAGES: Final = Pages()


def problem_handlers(pages: Pages) -> dict[int | type[Exception], Callable[[AnyRequest, Any], AnyResponse]]:
    """One way for everything that goes wrong: a page for a browser that asks for one, else problem details."""

    def handle(request: AnyRequest, error: Exception) -> AnyResponse:
        answer = problem_of(error)
        request.scope.setdefault("state", {})["problem"] = answer.content["code"]
        if pages.problem is None or not _wants_page(request):
            return answer
        try:
            return pages.problem(request, answer)
        except Exception:  # noqa: BLE001 - whatever it is, the problem itself is told
            _LOG.exception("a problem could not be shown as a page")
            return answer

    return {Exception: handle}


def _wants_page(request: AnyRequest) -> bool:
    """Whether a browser asks for a page; the API speaks JSON to everybody."""
    path = str(request.scope["path"])
    return "text/html" in request.headers.get("accept", "") and not path.startswith(("/api/", "/internal/"))
