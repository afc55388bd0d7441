"""Views and entries that are written once for all who see the same are what each person would have seen alone."""

import random

import msgspec
import pytest

from croupier.server.shown import shown_entry, shown_view
from croupier.server.writing import TableWriter
from croupier.table import Entry, Person, Table, see, view
from croupier.table.audience import is_alike
from support import slices
from support.random_rounds import HCF, LIR, MA, MS
from support.random_table import PEOPLE, RandomTable

AUDIENCES: tuple[Person | None, ...] = (None, *PEOPLE, Person("player", "passerby"))
STEPS = slices.count(full=2_000, sliced=150)


def plain(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def compare(writer: TableWriter, table: Table, entries: list[Entry], audience: Person | None) -> None:
    assert plain(writer.view(table, audience)) == plain(shown_view(view(table, audience)))
    alone = [shown for entry in entries if (shown := shown_entry(entry, audience, table)) is not None]
    assert plain(writer.entries(entries, audience, table)) == plain(alone)


@pytest.mark.parametrize("rulebook", [MS, MA, LIR, HCF])
def test_what_is_shared_is_what_each_would_see_alone(rulebook: str) -> None:
    """2,000 commands at each game in full, 150 in a slice; every audience looks after each, in an order of chance."""
    dice = random.Random(f"shared {rulebook}")
    for _ in range(STEPS // 50):
        run, writer = RandomTable(dice, rulebook), TableWriter()
        for _ in range(50):
            before = run.table.seq
            run.step()
            entries = [entry for entry in run.entries if entry.seq > before]
            for audience in dice.sample(AUDIENCES, len(AUDIENCES)):
                compare(writer, run.table, entries, audience)


def test_whoever_sees_an_entry_alike_sees_what_a_passerby_or_a_dealer_sees() -> None:
    dice = random.Random("alike")
    run = RandomTable(dice, MS)
    for _ in range(STEPS):
        run.step()
    dealer = Person("dealer", "somebody else")
    for entry in run.entries:
        for audience in PEOPLE:
            if is_alike(entry, audience):
                other = None if audience.role in {"player", "device"} else dealer
                assert see(entry, audience, run.table) == see(entry, other, run.table)
