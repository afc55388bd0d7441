"""The session of a browser, as a cookie that no script reads and no other site sends."""

from __future__ import annotations

from typing import Final

from litestar.datastructures import Cookie

from croupier.server.doors import COOKIE, Doors, Entered

__all__ = ["NO_SESSION", "session_cookie"]


def session_cookie(doors: Doors, entered: Entered) -> Cookie:
    """The session of somebody who has just signed in."""
    return Cookie(key=COOKIE, value=entered.id, httponly=True, samesite="strict", secure=doors.secure, path="/")


NO_SESSION: Final = Cookie(key=COOKIE, value="", max_age=0, httponly=True, samesite="strict", path="/")
"""For somebody who has signed out."""
