"""Games of streets (Mississippi Stud, Let It Ride), solved exactly."""

from typing import TYPE_CHECKING

from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.analysis.streets.five_card_kinds import KINDS, four_card_counts
    from croupier.analysis.streets.game import best_play, odds_of, payoff_of
    from croupier.analysis.streets.sets import one_less, set_number, set_numbers, sets_of
    from croupier.analysis.streets.solve import FOLD, Payoff, StreetSolution, follow
    from croupier.analysis.streets.strategies import (
        PricedStrategy,
        StreetStrategy,
        acts_of,
        decide,
        named_strategies,
        price_strategy,
    )

__all__ = [
    "FOLD",
    "KINDS",
    "Payoff",
    "PricedStrategy",
    "StreetSolution",
    "StreetStrategy",
    "acts_of",
    "best_play",
    "decide",
    "follow",
    "four_card_counts",
    "named_strategies",
    "odds_of",
    "one_less",
    "payoff_of",
    "price_strategy",
    "set_number",
    "set_numbers",
    "sets_of",
]

_LAZY = {
    "five_card_kinds": ("KINDS", "four_card_counts"),
    "game": ("best_play", "odds_of", "payoff_of"),
    "sets": ("one_less", "set_number", "set_numbers", "sets_of"),
    "solve": ("FOLD", "Payoff", "StreetSolution", "follow"),
    "strategies": ("PricedStrategy", "StreetStrategy", "acts_of", "decide", "named_strategies", "price_strategy"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
