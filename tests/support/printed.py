"""Papers as an independent reader sees them, and submissions that together choose every paytable of a rulebook."""

import io
import tomllib
from collections.abc import Iterator
from typing import Any

import pypdf

from croupier.rulebook import load_rulebook, starting_submission


def lines_of(pdf: bytes) -> list[str]:
    """The lines of every page, in the order in which they are read aloud."""
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return [" ".join(line.split()) for page in pages for line in page.extract_text().splitlines()]


def said_in(pdf: bytes) -> str:
    """All words of a paper, whatever line they are on."""
    return " ".join(lines_of(pdf))


def every_paytable(rulebook: str) -> Iterator[dict[str, Any]]:
    """As few submissions as there can be, each with every wager; the stakes of a progressive take turns."""
    book = load_rulebook(rulebook)
    ids: dict[str, list[str]] = {}
    for table in book.paytables.paytable:
        if table.id not in ids.setdefault(table.group, []):
            ids[table.group].append(table.id)
    for turn in range(max(len(named) for named in ids.values())):
        raw = tomllib.loads(starting_submission(book, every_wager=True))
        for group, named in ids.items():
            chosen = named[turn % len(named)]
            if group in raw["wagers"]:
                raw["wagers"][group]["paytable"] = chosen
            if group == "progressive":
                table = next(table for table in book.paytables.paytable if (table.group, table.id) == (group, chosen))
                minimums = [minimum for minimum in book.paytables.minimum if minimum.paytable == chosen]
                raw["wagers"][group]["stake"] = table.stakes[turn // len(named) % len(table.stakes)]
                raw["wagers"][group]["meters"] = {
                    minimum.meter: {
                        "initial": f"{float(minimum.amount or 10_000) + 250 * place:.2f}",
                        "reset": minimum.amount or "10000.00",
                        "rate": "0.10",
                    }
                    for place, minimum in enumerate(minimums)
                }
        yield raw
