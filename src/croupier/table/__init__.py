"""A table: everything that surrounds rounds, as a pure machine over events, with the clause of every step."""

from croupier.table.engine import give
from croupier.table.events import Entry
from croupier.table.evolve import create, evolve, rebuild
from croupier.table.orders import Order
from croupier.table.people import Person
from croupier.table.plain import read_order, write_entry
from croupier.table.state import Table, creation, new_table

__all__ = [
    "Entry",
    "Order",
    "Person",
    "Table",
    "create",
    "creation",
    "evolve",
    "give",
    "new_table",
    "read_order",
    "rebuild",
    "write_entry",
]
