"""Ids of tables, links and people: they become part of the names of records and accounts."""

from __future__ import annotations

from typing import Final

from croupier.errors import Malformed
from croupier.wire import clip

__all__ = ["LONGEST_ID", "check_id", "is_id"]

LONGEST_ID: Final = 60


def is_id(text: str) -> bool:
    """Whether this can be an id: `/` separates the parts of a name, and `|` the names of a list.

    >>> is_id("North Hall"), is_id("table/7"), is_id(" 7"), is_id("")
    (True, False, False, False)
    """
    return 0 < len(text) <= LONGEST_ID and text.isprintable() and text == text.strip() and not {"/", "|"} & {*text}


def check_id(text: str, what: str) -> str:
    """The id as it is; `Malformed` if it is none.

    >>> check_id("a/b", "link")
    Traceback (most recent call last):
    croupier.errors.Malformed: link: 'a/b' is not an id: 1 to 60 printable characters without / or |, no outer space
    """
    if not is_id(text):
        rule = f"1 to {LONGEST_ID} printable characters without / or |, no outer space"
        raise Malformed(f"{what}: {clip(repr(text))} is not an id: {rule}")
    return text
