"""Names as people type them: with spaces or underscores, in any case, with figures, or shortened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from croupier.errors import Malformed
from croupier.present import any_of, spoken

__all__ = ["nearest", "plain_words", "typed_name"]

_FIGURES: Final = {"3": "three", "5": "five", "6": "six"}
"""Figures with which the names of wagers are written: 3 card bonus."""


def plain_words(text: str) -> list[str]:
    """
    >>> plain_words("3-Card_Bonus"), plain_words("6CB"), plain_words("dealer's card")
    (['three', 'card', 'bonus'], ['six', 'card', 'bonus'], ['dealers', 'card'])
    """
    text = re.sub(r"\b([356])cb\b", r"\1 card bonus", text.casefold())
    words = re.findall(r"[^\W_]+", text.replace("'", "").replace("’", ""))
    return [_FIGURES.get(word, word) if place == 0 and len(words) > 1 else word for place, word in enumerate(words)]


def typed_name(text: str, names: Iterable[str]) -> str | None:
    """The one of these names that is meant, or None: each word may be cut short, and last words left out.

    >>> names = ("ante", "three_card_bonus", "six_card_bonus", "flush_bonus", "straight_flush_bonus")
    >>> [typed_name(text, names) for text in ("Ante", "3 card bonus", "six card", "flush", "bonus", "")]
    ['ante', 'three_card_bonus', 'six_card_bonus', 'flush_bonus', None, None]
    """
    typed, known = plain_words(text), {name: plain_words(spoken(name)) for name in names}
    exact = [name for name, words in known.items() if words == typed]
    starts = [
        name
        for name, words in known.items()
        if typed
        and len(typed) <= len(words)
        and all(word.startswith(part) for word, part in zip(words, typed, strict=False))
    ]
    meant = exact or starts
    return meant[0] if len(meant) == 1 else None


def nearest(text: str, names: Sequence[str], *, what: str) -> Malformed:
    """Say that a text is not one of these names, and which come nearest.

    >>> print(nearest("box exposedd", ["community_exposed", "box_exposed"], what="an irregularity"))
    'box exposedd' is not an irregularity: did you mean box exposed or community exposed?
    >>> print(nearest("x", ["ante", "progressive"], what="a wager"))
    'x' is not a wager: ante or progressive
    """
    shown = repr(text if len(text) <= 40 else f"{text[:40]}…")
    words = {spoken(name): name for name in names}
    close = get_close_matches(" ".join(plain_words(text)), words, n=3, cutoff=0.55)
    if close:
        return Malformed(f"{shown} is not {what}: did you mean {any_of(close)}?")
    return Malformed(f"{shown} is not {what}: {any_of(words)}")
