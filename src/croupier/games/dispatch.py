"""Dispatch by type over a closed union: a kind without a handler fails when the module is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, get_args

__all__ = ["closed"]

Handler = TypeVar("Handler")


def closed(handlers: Mapping[type, Handler], union: Any) -> Mapping[type, Handler]:  # noqa: ANN401 - a union is not a type
    """The handlers, checked to be exactly one for each member of a union.

    >>> closed({int: "a whole number"}, int | str)
    Traceback (most recent call last):
    TypeError: one handler for each kind: str
    """
    if different := set(handlers) ^ set(get_args(union)):
        raise TypeError(f"one handler for each kind: {', '.join(sorted(kind.__name__ for kind in different))}")
    return handlers
