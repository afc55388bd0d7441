"""How soon a table in a browser shows what was stored: from the server's commit to the change in the page.

Forty tables are live, with patrons at all of them. One browser watches one table for three hundred updates. The house
is `croupier serve` in a process of its own, which notes when each change was stored; the page notes when it has it.
Both read the same machine's clock. Apart from `make bench`: python bench/pages.py
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from unittest import mock

from playwright.sync_api import Page, sync_playwright

from croupier.bots import BotPlan, Crowd
from croupier.house import House, HouseRequest, Passwords, People, commands, demo
from croupier.rulebook import rulebook_ids
from croupier.store import open_store
from server import free_port, spread, wait_for

UPDATES: Final = 300
TABLES: Final = 40
PATRONS: Final = 2
"""At each table, on average."""
WATCHED: Final = "1"
GOAL: Final = 100.0
"""Milliseconds, for 99 of 100 updates."""
OPERATOR: Final = "operator-1"
PASSWORD: Final = "a patron of the bench"  # noqa: S105 - of a house that is gone afterward
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
NOTE: Final = """() => {
    window.noted = [];
    const version = () => Number(document.querySelector("#live")?.dataset.version ?? -1);
    let last = version();
    new MutationObserver(() => {
        const now = version();
        if (now !== last) window.noted.push([last = now, performance.timeOrigin + performance.now()]);
    }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
    return last;
}"""
"""Note the version of the table whenever the page has taken a new one in."""


async def make_house(url: str, tables: int, patrons: int) -> None:
    """A demo with as many tables, all rulebooks in turn, and accounts for the patrons."""
    books = rulebook_ids()
    store = await open_store(url)
    people = People(House(store), Passwords(time_cost=1, memory_kib=64))
    at = datetime.now(UTC)
    await demo(people, at, well_known=True)
    for number in range(len(books), tables):
        make = commands.MakeTable(table=f"t{number + 1}", submission=books[number % len(books)], version=1)
        for command in (make, commands.OpenPlay(table=make.table)):
            await people.house.give(HouseRequest(by=OPERATOR, at=at, command=command))
    for name in [*(f"calm {number + 1}" for number in range(patrons)), "quick 1", "quick 2", "quick 3"]:
        await people.add(name, PASSWORD, ("player",), by=OPERATOR, at=at, person=name.replace(" ", "-"))
    people.close()
    await store.close()


def serve(url: str, port: str, notes: str) -> None:
    """The house, with a note of when each change of the watched table was stored and is shown from."""
    from croupier.cli import main  # noqa: PLC0415 - in the process of the house alone
    from croupier.server.live import LiveTable  # noqa: PLC0415

    file = Path(notes).open("a", buffering=1)  # noqa: SIM115 - for as long as the process lives
    changed = LiveTable.changed

    def noted(self: LiveTable, entries: Sequence[Any]) -> None:
        if self.table.id == WATCHED:
            file.write(f"[{self.table.seq}, {time.time() * 1000}]\n")
        changed(self, entries)

    sys.argv = ["croupier", "serve", "--demo", "--no-patrons", "--store", url, "--port", port]
    with mock.patch.object(LiveTable, "changed", noted):
        main()


async def play(address: str, patrons: int) -> None:
    """Calm patrons at all tables, and three quick ones at the one that is watched."""
    calm = Crowd(address, BotPlan(pace=4.0, stay=1000), number=patrons, name="calm", password=PASSWORD)
    quick = Crowd(address, BotPlan(pace=0.3, stay=100_000), number=3, name="quick", password=PASSWORD, table=WATCHED)
    await asyncio.gather(quick.play(), calm.play())


def watch(page: Page, address: str, updates: int, crowd: subprocess.Popen[bytes]) -> list[tuple[int, float]]:
    """The versions that a page has shown, each with the time when it was there."""
    page.goto(f"{address}/tables/{WATCHED}")
    if page.evaluate(NOTE) < 0:
        sys.exit("croupier: the page of a table does not say which version it shows (data-version of #live)")
    end = time.monotonic() + 900
    while time.monotonic() < end:
        page.wait_for_timeout(1000)
        if crowd.poll() is not None:
            sys.exit(f"croupier: the patrons have left, with exit code {crowd.returncode}")
        if page.evaluate("() => window.noted.length") >= updates:
            break
    return [(int(version), float(at)) for version, at in page.evaluate("() => window.noted")]


def measure(updates: int, tables: int, headed_by: str) -> dict[str, Any]:
    """One run, from an empty folder."""
    with tempfile.TemporaryDirectory(prefix="croupier-pages-") as folder:
        url, notes, port = f"{folder}/house.db", f"{folder}/notes", free_port()
        asyncio.run(make_house(url, tables, PATRONS * tables))
        address = f"http://127.0.0.1:{port}"
        house = subprocess.Popen(
            [sys.executable, __file__, "--serve", url, str(port), notes], stdout=subprocess.DEVNULL
        )
        crowd = None
        try:
            wait_for(f"{address}/readyz", house)
            crowd = subprocess.Popen([sys.executable, __file__, "--play", address, str(PATRONS * tables)])
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=headed_by, args=["--no-sandbox", "--disable-gpu"])
                time.sleep(20)  # the patrons come in
                shown = watch(browser.new_page(viewport={"width": 1440, "height": 900}), address, updates, crowd)
                browser.close()
        finally:
            for process in (crowd, house):
                if process is not None:
                    process.terminate()
                    process.wait(30)
        stored = [json.loads(line) for line in Path(notes).read_text().splitlines()]
    return {"latency": spread(latencies(stored, shown)[:updates]), "changes": len(shown)}


def latencies(stored: list[list[float]], shown: list[tuple[int, float]]) -> list[float]:
    """Seconds from each commit to the first view in the page that has it."""
    waits = []
    for version, at in stored:
        if shown and shown[0][0] <= version <= shown[-1][0]:
            there = next(when for seen, when in shown if seen >= version)
            waits.append((there - at) / 1000)
    return waits


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--updates", type=int, default=UPDATES)
    arguments.add_argument("--tables", type=int, default=TABLES)
    arguments.add_argument("--serve", nargs=3, help=argparse.SUPPRESS)
    arguments.add_argument("--play", nargs=2, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve:
        serve(*given.serve)
        return 0
    if given.play:
        asyncio.run(play(given.play[0], int(given.play[1])))
        return 0
    program = os.environ.get("CROUPIER_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        sys.exit("croupier: a page needs Chromium: install it, or name it in CROUPIER_CHROMIUM")
    figures = measure(given.updates, given.tables, program)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{given.tables} tables, one browser, from commit to page in ms: {figures['latency']} ({load})")
    return int(figures["latency"]["p99"] > GOAL)


if __name__ == "__main__":
    sys.exit(main())
