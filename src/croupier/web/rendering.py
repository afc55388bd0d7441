"""Templates rendered for a caller, and the style sheet with its hash in its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, TypeAlias

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Response, get
from litestar.datastructures import Cookie

from croupier.server import Caller, NotFound
from croupier.web import words

__all__ = ["Page", "page", "redirect", "see_style"]

Page: TypeAlias = Response[bytes]

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
"""Nothing but our own style: these pages have no script at all."""
_STYLE: Final = (files("croupier.web") / "static" / "croupier.css").read_bytes()
_STYLE_NAME: Final = f"croupier.{sha256(_STYLE).hexdigest()[:16]}.css"
_FOREVER: Final = "public, max-age=31536000, immutable"


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("croupier.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(words.FILTERS)
    made.globals.update(style=f"/static/{_STYLE_NAME}")
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
    text = _TEMPLATES.get_template(f"{template}.html").render(caller=caller, **context)
    return Response(
        text.encode(),
        status_code=status,
        media_type="text/html",
        headers={"content-security-policy": _POLICY, **(headers or {})},
        cookies=list(cookies),
    )


def redirect(path: str, *, cookies: Sequence[Cookie] = ()) -> Page:
    """Go on to another of our own pages after something was done."""
    return Response(b"", status_code=303, headers={"location": path}, cookies=list(cookies), media_type="text/plain")


@get("/static/{name:str}", include_in_schema=False)
async def see_style(name: str) -> Page:
    """The style sheet; another one has another name, so this one is kept for good."""
    if name != _STYLE_NAME:
        raise NotFound("there is no such address")
    return Response(_STYLE, media_type="text/css", headers={"cache-control": _FOREVER})
