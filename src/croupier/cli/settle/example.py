"""A round in JSON that settles, to begin with: two seats, one of them folded where the game has folding."""

from __future__ import annotations

import tomllib
from itertools import islice
from random import Random
from typing import Any, Final

from croupier.cards import DECK, format_cards
from croupier.games import card_counts, rules_of
from croupier.money import format_dollars
from croupier.rulebook import check, load_rulebook, read_submission, starting_submission

__all__ = ["example_round"]

SEED: Final = 219
"""A deck in which the first hand of every game wins something."""


def example_round(rulebook: str) -> dict[str, Any]:
    """The round, with a submission that offers every wager of the document.

    >>> sorted(example_round("md-high-card-flush"))
    ['dealer', 'meters', 'seats', 'submission']
    """
    raw = tomllib.loads(starting_submission(load_rulebook(rulebook), every_wager=True))
    house = check(read_submission(raw)).rules(name=rulebook)
    counts, rules = card_counts(house), rules_of(house)
    deck = iter(Random(SEED).sample(DECK, len(DECK)))  # noqa: S311 - an example, not a game

    def deal(number: int) -> str:
        return format_cards(islice(deck, number))

    every = {wager.name: format_dollars(wager.stakes.minimum) for wager in house.wagers if wager.stakes is not None}
    main = {name: amount for name, amount in every.items() if rules.wagers[name].paytables == "base"}
    ante = next(iter(main.values()))
    first = [row.choices[0] for row in house.rulebook.play.choice]
    last = [row.choices[-1] for row in house.rulebook.play.choice]
    seats = [
        {"seat": 1, "wagers": every, "cards": deal(counts["player"]), "decisions": _decisions(first, ante)},
        {"seat": 4, "wagers": main, "cards": deal(counts["player"]), "decisions": _decisions(last, ante)},
    ]
    described: dict[str, Any] = {"submission": raw}
    if meters := {meter.name: format_dollars(meter.initial) for wager in house.wagers for meter in wager.meters}:
        described["meters"] = meters
    described["seats"] = seats
    described |= {slot: deal(number) for slot, number in counts.items() if slot not in {"player", "discard"}}
    return described


def _decisions(choices: list[str], raised: str) -> list[str]:
    """Up to a fold, after which nothing follows."""
    if "fold" in choices:
        choices = choices[: choices.index("fold") + 1]
    return [f"raise {raised}" if choice == "raise" else choice for choice in choices]
