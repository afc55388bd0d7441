"""The exact edge of the main game at each table, priced beside the server: a page never waits for it.

`python -m croupier.web.edges` prices: it reads submissions, one per line, and answers each with its edge.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from threading import Lock, Thread
from typing import Final

from msgspec import Struct

from croupier.analysis import cached_prices, cases_of_house
from croupier.errors import CroupierError
from croupier.rulebook import check, read_submission_text, submission_text
from croupier.server import TablePlan

__all__ = ["Edges", "HouseEdge", "price_elsewhere"]


class HouseEdge(Struct, frozen=True):
    """The edge of the main game, as a share of one unit."""

    edge: Fraction
    unit: str


class Edges:
    """Edges by the hash of the rules; what is not known yet is priced in the background, once."""

    def __init__(self, price: Callable[[list[str]], list[HouseEdge | None]] | None = None) -> None:
        self._price = price or price_elsewhere
        self._known: Final[dict[str, HouseEdge | None]] = {}
        self._asked: Final[set[str]] = set()
        self._lock: Final = Lock()

    def of(self, plans: Iterable[TablePlan]) -> dict[str, HouseEdge | None]:
        """The edges that are known, by table; None while one is being priced, or where none can be."""
        plans = list(plans)
        with self._lock:
            new = {plan.rules.hash: plan for plan in plans if plan.rules.hash not in self._asked}
            self._asked.update(new)
        if new:
            texts = {name: submission_text(plan.submission) for name, plan in new.items()}
            Thread(target=self._learn, args=(texts,), daemon=True, name="edges").start()
        return {plan.id: self._known.get(plan.rules.hash) for plan in plans}

    def _learn(self, texts: dict[str, str]) -> None:
        self._known.update(zip(texts, self._price(list(texts.values())), strict=True))


def price_elsewhere(texts: list[str]) -> list[HouseEdge | None]:
    """The edges of submissions, priced in a process of their own: compiled code would hold up this one."""
    sent = "".join(json.dumps(text) + "\n" for text in texts)
    command = [sys.executable, "-m", "croupier.web.edges"]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, check=False)  # noqa: S603 - ourselves
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    edges = [HouseEdge(Fraction(answer["edge"]), answer["unit"]) if answer else None for answer in answers]
    return edges + [None] * (len(texts) - len(edges))


def _answer(text: str) -> dict[str, str] | None:
    try:
        house = check(read_submission_text(text, name="submission")).rules()
        price = cached_prices(next(cases_of_house(house)))[0]
    except CroupierError:
        return None
    return {"edge": str(price.edge), "unit": price.unit}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)
