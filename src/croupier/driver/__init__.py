"""Clients of a table: where its cards come from, and a dealer who answers whatever it awaits."""

from croupier.driver.dealer import Staff, next_order
from croupier.driver.run import Outcome, Run, decide, staff_orders
from croupier.driver.sources import Named, Seeds, Source, Virtual

__all__ = ["Named", "Outcome", "Run", "Seeds", "Source", "Staff", "Virtual", "decide", "next_order", "staff_orders"]
