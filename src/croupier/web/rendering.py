"""Templates rendered for a caller: whole pages, and parts of them for a page that is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Response
from litestar.datastructures import Cookie

from croupier.server import Caller
from croupier.web import words
from croupier.web.assets import asset, has_scripts
from croupier.web.drawn import drawn
from croupier.web.shell import NavItem, navigation, shell

__all__ = ["Page", "clause_path", "fragment", "page", "redirect", "show_in_bar"]

Page: TypeAlias = Response[bytes]

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Our own styles and modules, and nothing inline."""
_NAVIGATION: Final[list[NavItem]] = []
"""The pages in the bar on top."""
_RULEBOOK: Final[ContextVar[str]] = ContextVar("rulebook", default="")
"""The rulebook whose clauses the page that is being made cites."""


def clause_path(number: str, rulebook: str | None = None) -> str:
    """The page of a clause: of this rulebook, or of the one that the page is about.

    >>> clause_path("12.A(1)-(10)", "md-let-it-ride")
    '/clauses/md-let-it-ride/12.A%281%29-%2810%29'
    """
    of = rulebook or _RULEBOOK.get()
    return f"/clauses/{quote(of, safe='')}/{quote(number, safe='')}" if of else f"/clauses?search={quote(number)}"


def _enter(caller: Caller, context: Mapping[str, Any]) -> None:
    """Know where the house is, and whose clauses are cited: those of `rulebook`, or of the document in `source`."""
    words.TIME_ZONE.set(caller.time_zone)
    _RULEBOOK.set(str(context.get("rulebook") or getattr(context.get("source"), "id", "")))


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("croupier.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(words.FILTERS)
    made.globals.update(
        asset=asset,
        has_scripts=has_scripts,
        shell=shell,
        navigation=lambda caller: navigation(caller, _NAVIGATION),
        drawn=drawn,
        clause_path=clause_path,
    )
    return made


_TEMPLATES: Final = _environment()


def page(
    template: str,
    caller: Caller,
    *,
    status: int = 200,
    cookies: Sequence[Cookie] = (),
    headers: Mapping[str, str] | None = None,
    **context: Any,  # noqa: ANN401 - whatever a template shows
) -> Page:
    """A template rendered for whoever asked."""
    _enter(caller, context)
    text = _TEMPLATES.get_template(f"{template}.html").render(caller=caller, **context)
    return Response(
        text.encode(),
        status_code=status,
        media_type="text/html",
        headers={"content-security-policy": _POLICY, **(headers or {})},
        cookies=list(cookies),
    )


def fragment(template: str, caller: Caller, **context: Any) -> str:  # noqa: ANN401 - whatever a template shows
    """A part of a page, to be put into one that is open."""
    _enter(caller, context)
    return _TEMPLATES.get_template(f"{template}.html").render(caller=caller, **context)


def show_in_bar(items: Iterable[NavItem]) -> None:
    """Have these pages in the bar on top."""
    _NAVIGATION[:] = items


def redirect(path: str, *, cookies: Sequence[Cookie] = (), headers: Mapping[str, str] | None = None) -> Page:
    """Go on to another of our own pages after something was done."""
    told = {"location": path, **(headers or {})}
    return Response(b"", status_code=303, headers=told, cookies=list(cookies), media_type="text/plain")
