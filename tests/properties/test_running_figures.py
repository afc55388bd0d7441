"""The gaming day so far is what the reports say of the same entries, however it was read."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from croupier.ledger import rulings_of
from croupier.store import (
    MONEY_EVENTS,
    RunningFigures,
    day_at,
    figures_in,
    open_store,
    posted_entries,
    running_figures,
    spans_of_day,
)
from croupier.store.periods import TABLES


@pytest.mark.parametrize("step", [40, 2_000])
def test_the_day_so_far_is_what_the_report_of_the_day_says(
    evening: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_figures, "_STEP", step)

    async def work() -> None:
        store = await open_store(str(evening))
        try:
            running = RunningFigures(store)
            heads = await store.read("select stream, seq from head where seq > 0")
            tables = [(str(stream), int(seq)) for stream, seq in heads if str(stream).startswith(TABLES)]
            assert len(tables) > 3
            for stream, last in tables:
                name = stream.removeprefix(TABLES)
                day = await day_at(store, stream, last)
                assert day is not None
                (span,) = await spans_of_day(store, day, table=name)
                entries = await posted_entries(store, span, MONEY_EVENTS)
                so_far = await running.of(name)
                assert so_far is not None
                assert so_far.day == day
                assert so_far.figures == await figures_in(store, span, entries)
                assert so_far.figures.rounds > 0
                assert dict(so_far.irregularities) == Counter(ruled.irregularity for ruled in rulings_of(entries))
                assert await running.of(name) is so_far, "asked again at once, it is not read again"
            assert await running.of("nobody's") is None
        finally:
            await store.close()

    asyncio.run(work())
