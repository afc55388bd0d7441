"""A package's door that opens a room only when somebody asks for what is in it: compiled code takes long to load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["lazy_door"]


def lazy_door(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package whose names are in these modules, name by name.

    >>> door = lazy_door("croupier.analysis", {"Outcomes": "outcomes"})
    >>> door("Outcomes").__name__
    'Outcomes'
    """

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return find
