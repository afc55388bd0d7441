"""A package door that imports a module only when one of its names is used: compiled code is slow to load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["lazy_door"]


def lazy_door(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package whose public names live in these modules; a module's own name is the module.

    >>> door = lazy_door("croupier.analysis", {"Outcomes": "outcomes"})
    >>> door("Outcomes").__name__
    'Outcomes'
    """

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{modules[name]}")
        return module if name == modules[name] else getattr(module, name)

    return find
