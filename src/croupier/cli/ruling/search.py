"""Rulings by plain words: "exposed card", "too many cards", "jam"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from croupier.cli.typed_names import nearest, plain_words, typed_name
from croupier.errors import Malformed
from croupier.present import IRREGULARITIES, REMEDIES, rulebooks, spoken
from croupier.rulebook import clause_entries, load_readings

__all__ = ["no_ruling", "rulings_for"]

_SILENT: Final = {
    "a", "an", "the", "of", "in", "on", "is", "was", "has", "have", "had", "too", "to", "with", "and", "at", "instead",
    "got", "gets", "get", "did", "does", "not", "for", "from", "my", "his", "her", "their", "what", "if", "when",
}  # fmt: skip
_WEAK: Final = {
    "player", "dealer", "seat", "table", "game", "round", "card", "hand", "bet", "wager", "street", "third", "fourth",
    "fifth", "deal", "dealt", "turned", "turn", "up", "out", "after", "before", "during", "first", "last", "one",
}  # fmt: skip
"""Words of so many rulings that they only choose among those which another word fits."""
_NUMBER_OF_CARDS: Final = re.compile(r"\b\d+ cards?\b(?! bonus)", re.IGNORECASE)
_CLOSE: Final = 0.85
"""How alike a mistyped word must be: `fold` is not `hold`."""
_SHORT: Final = 3
"""Letters of a word that keeps its last s."""
_MOST_MISTYPED: Final = 3
"""Words that may be a mistyped name; more are a description, and no name is near it but by chance."""
_ENDING: Final = re.compile(r"(?:[a-z]?(?:ed|ing)|e?s|d)?")
_ALSO_CALLED: Final = {
    "one_card_face_up": "exposed card boxed turned over stub",
    "cards_face_up": "exposed two three several cards boxed turned over",
    "card_drawn_unseen": "extra pulled drawn dealt in error early out of turn",
    "card_drawn_seen": "exposed extra pulled drawn dealt in error early out of turn seen",
    "player_card_flashed": "exposed shown seen player's own hole",
    "wrong_count_player": "too many few more less cards missing extra short misdeal fouled player hand",
    "wrong_count_community": "too many few more less cards missing extra short misdeal board community",
    "wrong_count_box": "too many few more less cards missing extra short misdeal six box",
    "wrong_count_dealer": "too many few more less cards missing extra short misdeal dealer hand",
    "stub_wrong_misdealt": "stub count wrong off misdeal too many few cards missing",
    "stub_wrong_deck": "stub count wrong off deck incomplete missing too many few cards",
    "community_exposed": "exposed board community card turned up third fourth fifth street early soon prematurely",
    "box_exposed": "exposed box six card bonus turned early prematurely",
    "dealer_exposed": "exposed dealer hole card shown early prematurely",
    "shuffler_failed": "jam jammed stuck broken malfunction machine shuffler failure",
    "shoe_failed": "jam jammed stuck broken malfunction shoe failure during deal",
    "shoe_failed_after_deal": "jam jammed stuck broken malfunction shoe failure after",
    "shuffler_count_wrong": "count wrong red light shuffler missing extra card",
    "foreign_card": "foreign other deck wrong back duplicate double same card twice",
    "device_unusable": "broken out of order service malfunction machine device shuffler shoe",
    "find_conduct": "cheating talking touching cards penalty rule broke",
    "leave": "player left walks away gone absent leaves",
    "correct_card": "mistyped misread wrong card entered",
    "reverse_settlement": "mispay mispaid overpaid underpaid wrong pay payout",
    "cancel_wager": "no chip missing progressive bet light",
    "declare_undecided": "slow player undecided time decision refuses",
    "reduce_raise": "raise too high over maximum",
    "order_shuffle": "bad shuffle again",
    "order_recut": "bad cut again shallow",
    "reject_award": "jackpot not valid false award",
    "rebuild_hands": "dispute disputed hand argue reconstruct",
}
"""What people on the floor call it; the words of its name and of its description count too."""


def rulings_for(words: str, names: Sequence[str]) -> list[str]:
    """The rulings that are meant: one if it is named, else all that fit every word, or as many words as any does.

    >>> names = ["one_card_face_up", "wrong_count_player", "community_exposed", "shuffler_failed", "foreign_card"]
    >>> rulings_for("community exposed", names), rulings_for("jam", names), rulings_for("too many cards", names)
    (['community_exposed'], ['shuffler_failed'], ['wrong_count_player'])
    >>> rulings_for("exposed card", names), rulings_for("8 cards instead of 7", names)
    (['one_card_face_up', 'community_exposed'], ['wrong_count_player'])
    >>> rulings_for("player folded after the dealer turned up third street", names)
    []
    """
    if (named := typed_name(words, names)) is not None:
        return [named]
    bags = {name: _bag(name) for name in names}
    known = {word for bag in bags.values() for word in bag}
    asked = [_corrected(word, known) for word in _asked(_NUMBER_OF_CARDS.sub("too many cards", words))]
    telling = [word for word in asked if not _is_weak(word)] or asked
    fits = {
        name: (sum(_is_among(word, bag) for word in telling), sum(_is_among(word, bag) for word in asked))
        for name, bag in bags.items()
    }
    best = max(fits.values(), default=(0, 0))
    return [name for name, number in fits.items() if best[0] and number == best]


def no_ruling(words: str, names: Sequence[str], books: Sequence[str]) -> Malformed:
    """Say that there is no such ruling, and where these documents and the readings mention it."""
    is_not = nearest(words, names, what="an irregularity")
    if "did you mean" in str(is_not) and len(plain_words(words)) <= _MOST_MISTYPED:
        return is_not
    stems = [_stem(word) for word in _asked(words) if not _is_weak(word)]
    summaries = [entry.summary for book in books for entry in clause_entries(book)]
    readings = [" ".join(map(str, rulebooks.reading_record(reading).values())) for reading in load_readings()]
    book = f"{books[0]} " if len(books) == 1 else ""
    places = [
        *(f"croupier clauses {book}--search {stem}" for stem in stems if _is_said(stem, summaries)),
        *(f"croupier rulebook readings --search {stem}" for stem in stems if _is_said(stem, readings)),
    ]
    begins = str(is_not).partition(" is not an irregularity")[0]
    see_also = f"; see also {' or '.join(places[:2])}" if places else ""
    return Malformed(f"{begins} is not an irregularity: croupier ruling lists them{see_also}")


def _is_said(stem: str, texts: Iterable[str]) -> bool:
    word = re.compile(rf"\b{re.escape(stem)}{_ENDING.pattern}\b", re.IGNORECASE)
    return any(word.search(text) for text in texts)


def _asked(words: str) -> list[str]:
    typed = [word for word in plain_words(words) if len(word) > 1]
    return [word for word in typed if word not in _SILENT] or typed


def _corrected(word: str, known: set[str]) -> str:
    """A word, or the one that is meant where nobody calls anything so.

    >>> _corrected("missdeal", {"misdeal", "jam"}), _corrected("jammed", {"jam"}), _corrected("zebra", {"jam"})
    ('misdeal', 'jammed', 'zebra')
    """
    if _is_weak(word) or _is_among(word, known):
        return word
    return next(iter(get_close_matches(word, known, n=1, cutoff=_CLOSE)), word)


def _is_weak(word: str) -> bool:
    return word in _WEAK or word.removesuffix("s") in _WEAK


def _stem(word: str) -> str:
    """
    >>> [_stem(word) for word in ("folded", "folds", "folding", "red")]
    ['fold', 'fold', 'fold', 'red']
    """
    ends = (("ing", 3), ("ed", 3), ("s", 3))
    return next(
        (word.removesuffix(end) for end, least in ends if word.endswith(end) and len(word) >= len(end) + least), word
    )


def _bag(name: str) -> set[str]:
    described = IRREGULARITIES[name] if name in IRREGULARITIES else REMEDIES[name][0]
    return set(plain_words(f"{spoken(name)} {described} {_ALSO_CALLED.get(name, '')}"))


def _is_among(word: str, bag: Iterable[str]) -> bool:
    """Whether a word is one of these, as its beginning or with another ending: jams, jammed.

    >>> [_is_among(word, {"jam", "fail", "over"}) for word in ("jams", "jammed", "failing", "overpaid")]
    [True, True, True, False]
    """
    stem = word.removesuffix("s") if len(word) > _SHORT else word
    return any(known.startswith(stem) or _ENDING.fullmatch(stem.removeprefix(known)) for known in bag)
