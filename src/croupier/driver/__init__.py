"""Clients of a table: where its cards come from, and a dealer who answers whatever it awaits."""

from croupier.driver.dealer import Staff, next_order
from croupier.driver.run import Run
from croupier.driver.sources import Named, Source, Virtual

__all__ = ["Named", "Run", "Source", "Staff", "Virtual", "next_order"]
