"""The session of a browser, as a cookie that no script reads and no other site sends."""

from __future__ import annotations

from typing import Final

from litestar.datastructures import Cookie

from croupier.server.doors import Doors, Entered

__all__ = ["NOTHING_STAYS", "no_session", "session_cookie"]

NOTHING_STAYS: Final = {"clear-site-data": '"cache", "storage"'}
"""The header that has a browser forget what it kept of this house."""


def session_cookie(doors: Doors, entered: Entered) -> Cookie:
    """The session of somebody who has just signed in."""
    return _cookie(doors, entered.id)


def no_session(doors: Doors) -> Cookie:
    """For somebody who has signed out."""
    return _cookie(doors, "", max_age=0)


def _cookie(doors: Doors, value: str, *, max_age: int | None = None) -> Cookie:
    return Cookie(
        key=doors.cookie,
        value=value,
        max_age=max_age,
        httponly=True,
        samesite="strict",
        secure=doors.secure,
        path="/",
    )
