"""The rules of High Card Flush that its figures depend on, from the rulebook."""

from __future__ import annotations

from croupier.analysis.flush.dealer_hands import flush_strength
from croupier.hands import Flush
from croupier.rulebook import Rulebook

__all__ = ["flush_rules"]


def flush_rules(book: Rulebook) -> tuple[int, tuple[int, ...]]:
    """The minimum strength with which the dealer qualifies, and the maximum raise in antes by flush length."""
    qualify = book.play.qualify
    if qualify is None:
        raise ValueError(f"{book.id} has no dealer's hand")
    limits = [0] * 8
    for limit in book.play.raise_limit:
        limits[limit.shortest : limit.longest + 1] = [limit.times] * (limit.longest + 1 - limit.shortest)
    return flush_strength(Flush(qualify.length, qualify.ranks)), tuple(limits)
