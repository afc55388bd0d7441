"""All pages, put together: routes, what each is given, and problems as pages."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, Router
from litestar.di import Provide

from croupier.server import NOBODY, Caller, Pages
from croupier.web import (
    account,
    approvals,
    audit,
    bench_tables,
    cage,
    clause_pages,
    dealer_page,
    dealer_trainer,
    devices,
    dispute_pages,
    doorway,
    floor,
    help_line,
    house_page,
    live_table,
    lobby,
    look,
    meters,
    past_rounds,
    people_list,
    person_page,
    shuffles,
    signs,
    simulations,
    table_page,
    trainer,
    workbench,
)
from croupier.web.assets import see_asset
from croupier.web.edges import Edges
from croupier.web.posting import check_form, give_fields, give_page_caller
from croupier.web.rendering import Page, page, show_in_bar
from croupier.web.shell import enter_shell, shell

__all__ = ["PAGES", "make_pages"]

_PARTS: Final = (
    lobby,
    doorway,
    account,
    devices,
    table_page,
    live_table,
    past_rounds,
    shuffles,
    look,
    trainer,
    floor,
    dispute_pages,
    cage,
    people_list,
    person_page,
    house_page,
    workbench,
    bench_tables,
    approvals,
    meters,
    simulations,
    signs,
    help_line,
    audit,
    clause_pages,
    dealer_page,
    dealer_trainer,
)
show_in_bar(item for part in _PARTS for item in getattr(part, "NAV", ()))


def make_pages(edges: Edges | None = None) -> Pages:
    """The pages of a house."""
    known = edges or Edges()

    async def give_edges() -> Edges:
        return known

    routes = Router(
        "/",
        route_handlers=[see_asset, *(handler for part in _PARTS for handler in part.ROUTES)],
        dependencies={
            "fields": Provide(give_fields),
            "caller": Provide(give_page_caller),
            "edges": Provide(give_edges),
        },
        guards=[check_form],
        include_in_schema=False,
    )
    return Pages([routes], _problem)


def _problem(request: Request[Any, Any, Any], answer: Response[Any]) -> Page:
    """What went wrong, as a page; whoever has to sign in first gets the form for it."""
    enter_shell(request, request.app.state["desk"])  # an address that leads nowhere has come past no guard
    caller: Caller = request.scope["state"].get("caller", NOBODY)
    status, said = answer.status_code or 500, answer.content
    headers = {name: value for name, value in answer.headers.items() if name.lower() in {"retry-after", "allow"}}
    if status == 401:
        return doorway.sign_in_page(request, request.app.state["desk"], NOBODY, shell().back, refusal=said, status=401)
    return page("problem", caller, status=status, headers=headers, problem=said)


PAGES: Final = make_pages()
