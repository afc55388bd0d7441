"""A table: everything that surrounds rounds, as a pure machine over events, with the clause of every step."""

from croupier.table.audience import see
from croupier.table.codec import read_request, write_entry
from croupier.table.engine import handle
from croupier.table.events import Entry
from croupier.table.evolve import create, evolve, rebuild
from croupier.table.people import Person
from croupier.table.requests import Request
from croupier.table.state import Table, creation, new_table
from croupier.table.views import view

__all__ = [
    "Entry",
    "Person",
    "Request",
    "Table",
    "create",
    "creation",
    "evolve",
    "handle",
    "new_table",
    "read_request",
    "rebuild",
    "see",
    "view",
    "write_entry",
]
