"""Marks in code: which clauses a function implements.

The register of clauses collects these marks from the sources, so that "where is this enforced?" always has a
current answer. A trailing `*` stands for every clause with that prefix.

>>> @clause("md-mississippi-stud 6.A", "md-mississippi-stud 6.D*")
... def judge() -> None: ...
>>> judge.__name__
'judge'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["clause"]

Marked = TypeVar("Marked", bound=Callable[..., object])


def clause(*cited: str) -> Callable[[Marked], Marked]:
    """Mark a function with the clauses it implements, each as `rulebook number`."""
    if not cited or not all(" " in mark for mark in cited):
        raise ValueError("a mark names at least one clause, as in 'md-mississippi-stud 6.A'")
    return lambda function: function
