"""High Card Flush, solved exactly."""

from typing import TYPE_CHECKING

from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.analysis.flush.dealer_hands import DEALER_HANDS, dealer_counts, flush_strength
    from croupier.analysis.flush.rules import flush_rules
    from croupier.analysis.flush.solve import DEALS, PLAYER_HANDS, FlushSolution, best_play, raise_values
    from croupier.analysis.flush.strategies import BY_HIGH_CARDS, FlushStrategy, by_flush

__all__ = [
    "BY_HIGH_CARDS",
    "DEALER_HANDS",
    "DEALS",
    "PLAYER_HANDS",
    "FlushSolution",
    "FlushStrategy",
    "best_play",
    "by_flush",
    "dealer_counts",
    "flush_rules",
    "flush_strength",
    "raise_values",
]

_LAZY = {
    "dealer_hands": ("DEALER_HANDS", "dealer_counts", "flush_strength"),
    "rules": ("flush_rules",),
    "solve": ("DEALS", "PLAYER_HANDS", "FlushSolution", "best_play", "raise_values"),
    "strategies": ("BY_HIGH_CARDS", "FlushStrategy", "by_flush"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
