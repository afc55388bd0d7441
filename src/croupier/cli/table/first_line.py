"""The first line of a script: the table, where its cards come from, and who deals."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple, Protocol

from croupier.cli.stores import unused_seeds
from croupier.driver import CardsByHand, CardSource, FairShuffler, Staff
from croupier.errors import Malformed
from croupier.fairness import SEED_BYTES, SYSTEM, read_hex
from croupier.rulebook import check, read_submission
from croupier.table import Table, new_table
from croupier.wire import clip

__all__ = ["CardsOfATable", "FirstLine", "read_first_line"]

SOURCES: Final = ("script", "virtual")


class CardsOfATable(Protocol):
    """Makes the source of cards, given the commitments that the table has used; `salted` where a record seals them."""

    def __call__(self, used: Sequence[str], *, salted: bool) -> CardSource:
        """The source."""


class FirstLine(NamedTuple):
    """A table that can be run."""

    table: Table
    cards: CardsOfATable
    automatic: Staff | None


def read_first_line(raw: object) -> FirstLine:
    """Set up the table of the first line; an `InvalidSubmission` says why its rules are refused."""
    if not isinstance(raw, Mapping) or "submission" not in raw:
        raise Malformed('the first line is the table: {"submission": {…}, "cards": {"source": "script"}}')
    for key in raw:
        if key not in {"submission", "cards", "dealer", "table"}:
            raise Malformed(f"{clip(repr(key))} is not a key of a table: use submission, cards, dealer or table")
    name = raw.get("table", "1")
    if not isinstance(name, str):
        raise Malformed(f"table: {clip(repr(name))} is not text")
    submission = read_submission(raw["submission"])
    verdict = check(submission)
    dealer = raw.get("dealer", "script")
    if dealer not in ("script", "automatic"):
        raise Malformed(f"dealer: {clip(repr(dealer))} is not a dealer: use script or automatic")
    source = _source(raw.get("cards", {"source": "script"}))
    return FirstLine(
        new_table(submission, verdict.rules(), id=name), source, Staff() if dealer == "automatic" else None
    )


def _source(raw: Any) -> CardsOfATable:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(raw, Mapping) or raw.get("source") not in SOURCES:
        raise Malformed(f"cards: the source must be {' or '.join(SOURCES)}")
    allowed = {"source", "seed"} if raw["source"] == "virtual" else {"source"}
    for key in raw:
        if key not in allowed:
            raise Malformed(f"cards: {clip(repr(key))} is not a key here: use {', '.join(sorted(allowed))}")
    if raw["source"] == "script":
        return lambda _used, *, salted: CardsByHand(salts=SYSTEM if salted else None)
    given = raw.get("seed")
    if "seed" not in raw:
        return lambda _used, *, salted: FairShuffler(SYSTEM, salts=SYSTEM if salted else None)
    seed = read_hex(given if isinstance(given, str) else "", "cards.seed", size=SEED_BYTES)
    return lambda used, *, salted: FairShuffler(unused_seeds(_seeded(seed), used), salts=SYSTEM if salted else None)


def _seeded(seed: bytes) -> Iterator[bytes]:
    """Derive the seed of each shuffle from one seed and a counter, so that a script can be run again."""
    return (hmac.digest(seed, shuffle.to_bytes(8, "big"), "sha256") for shuffle in count())
