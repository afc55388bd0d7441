"""What somebody chooses for their browser: light or dark, colors of suits, keys, and when values are shown."""

from __future__ import annotations

from typing import Final

from litestar import post

from croupier.server import Desk
from croupier.web.posting import Fields
from croupier.web.rendering import Page, redirect
from croupier.web.shell import CHOICES, look_cookie, own_path

__all__ = ["ROUTES"]


@post("/look", status_code=200)
async def choose_look(desk: Desk, fields: Fields) -> Page:
    """Another look, and back to the page it was chosen on."""
    chosen = {name: fields[name] for name in CHOICES if name in fields}
    return redirect(own_path(fields.get("then", "/")), cookies=[look_cookie(chosen, secure=desk.doors.secure)])


ROUTES: Final = [choose_look]
