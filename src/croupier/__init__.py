"""Croupier: rules, payouts and exact odds for regulated casino table games, every answer tied to its clause.

>>> import croupier
>>> str(croupier.price("md-mississippi-stud").edge)
'53223/1082900'
>>> croupier.advise("md-mississippi-stud", "Qh Jh", community="9h 2c", bets="1x 1x").best
('1x',)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.api import advise, load_house, open_round, price, prices, settle, simulate

__all__ = ["__version__", "advise", "load_house", "open_round", "price", "prices", "settle", "simulate"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load the front door when it is first used, so that `import croupier` stays instant."""
    if name in __all__:
        return getattr(import_module("croupier.api"), name)
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The front door's names, for tab completion."""
    return sorted(__all__)
