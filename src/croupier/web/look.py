"""Light or dark, and how many colors the suits have."""

from __future__ import annotations

from typing import Final

from litestar import post

from croupier.server import Desk
from croupier.web.posting import Fields, own_path
from croupier.web.rendering import Page, redirect
from croupier.web.shell import look_cookie, shell

__all__ = ["ROUTES"]


@post("/look", status_code=200)
async def choose_look(desk: Desk, fields: Fields) -> Page:
    """Another look, and back to the page it was chosen on."""
    theme, deck = fields.get("theme", shell().theme), fields.get("deck", shell().deck)
    return redirect(own_path(fields.get("then", "/")), cookies=[look_cookie(theme, deck, secure=desk.doors.secure)])


ROUTES: Final = [choose_look]
