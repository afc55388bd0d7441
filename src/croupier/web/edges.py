"""The exact edge of the main game at each table, priced beside the server: a page never waits for it.

`python -m croupier.web.edges` prices: it reads submissions, one per line, and answers each with its edge.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.analysis import cached_prices, cases_of_house
from croupier.errors import CroupierError
from croupier.rulebook import check, read_submission_text
from croupier.web.attempts import WorkedOut

__all__ = ["Edges", "HouseEdge", "price_elsewhere"]

_LONGEST: Final = 900
"""Seconds that the edges of a house may take."""


class HouseEdge(Struct, frozen=True):
    """The edge of the main game, as a share of one unit."""

    edge: Fraction
    unit: str


class Edges(WorkedOut[HouseEdge]):
    """The edges of the main games."""

    def __init__(self, price: Callable[[list[str]], Iterable[HouseEdge | None]] | None = None) -> None:
        super().__init__(price or price_elsewhere)


def price_elsewhere(texts: list[str]) -> list[HouseEdge | None]:
    """The edges of submissions, priced in a process of their own: compiled code would hold up this one.

    None where there is no exact one; fewer than were asked for if the process ended before.
    """
    sent = "".join(json.dumps(text) + "\n" for text in texts)
    command = [sys.executable, "-m", "croupier.web.edges"]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, check=False, timeout=_LONGEST)  # noqa: S603 - ourselves
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [HouseEdge(Fraction(answer["edge"]), answer["unit"]) if answer else None for answer in answers]


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
