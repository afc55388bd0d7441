"""Whatever the engine settles, a replay of the record settles in the same way."""

from collections import Counter
from collections.abc import Sequence

import pytest

from croupier.games import events as round_events
from croupier.rulebook import rulebook_ids
from croupier.store.replaying import judged_again
from croupier.table import Entry, Table, evolve
from support import slices
from support.evening import Evening, evenings, read_script
from support.random_table import random_tables


def check_again(first: Table, entries: Sequence[Entry], seen: Counter[str]) -> None:
    """Judge every entry on the table before it, and count what was settled."""
    tables, table = [first], first
    for entry in entries:
        table = evolve(table, entry)
        tables.append(table)
    judged = list(judged_again((table.round, entry) for table, entry in zip(tables, entries, strict=False)))
    assert [entry for entry, agrees in judged if not agrees] == []
    kinds = round_events.HandSettled | round_events.EnvySettled
    settled = [entry for entry in entries if isinstance(entry.event, kinds)]
    assert [entry for entry, _ in judged] == settled
    for entry in settled:
        if isinstance(entry.event, round_events.HandSettled):
            seen.update(f"{entry.event.what} {wager.outcome}" for wager in entry.event.wagers)


def test_every_evening_is_settled_again() -> None:
    seen: Counter[str] = Counter()
    for path in evenings():
        evening = Evening(read_script(path))
        for line in evening.script.lines:
            evening.play(line)
        check_again(evening.first, evening.entries, seen)
    assert seen.keys() >= {"hand win", "last win", "immediate forfeit", "immediate withdrawn", "immediate void"}


@pytest.mark.parametrize("book", rulebook_ids())
def test_tables_of_chance_are_settled_again(book: str) -> None:
    """100,000 commands for each rulebook, in a slice 400."""
    seen: Counter[str] = Counter()
    for table in random_tables(
        16, book, slices.count(full=100_000, sliced=400), each=slices.count(full=1_000, sliced=400)
    ):
        check_again(table.first, table.entries, seen)
    assert any(what.startswith("immediate ") for what in seen)
