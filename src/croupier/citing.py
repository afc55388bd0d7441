"""Marks in code: which clauses a function carries out.

The register of clauses collects these marks from the sources, so that "where is this enforced?" has an
answer that cannot go stale. A trailing `*` stands for every clause that begins so.

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
    """Mark a function with the clauses it carries out, each as `rulebook number`."""
    if not cited or not all(" " in one for one in cited):
        raise ValueError("a mark names at least one clause, as in 'md-mississippi-stud 6.A'")
    return lambda function: function
