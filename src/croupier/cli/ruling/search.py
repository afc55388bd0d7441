"""Rulings by plain words: "exposed card", "too many cards", "jam"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from croupier.cli.typed_names import plain_words, typed_name
from croupier.present import IRREGULARITIES, REMEDIES, spoken

__all__ = ["rulings_for"]

_SILENT: Final = {"a", "an", "the", "of", "in", "on", "is", "was", "has", "have", "too", "to", "with", "and", "at"}
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
    "community_exposed": "exposed board community card turned early prematurely",
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
    >>> rulings_for("exposed card", names)
    ['one_card_face_up', 'community_exposed']
    """
    if (named := typed_name(words, names)) is not None:
        return [named]
    typed = [word for word in plain_words(words) if len(word) > 1]
    asked = [word for word in typed if word not in _SILENT] or typed
    fits = {name: sum(_is_among(word, _bag(name)) for word in asked) for name in names}
    best = max(fits.values(), default=0)
    return [name for name, number in fits.items() if best and number == best]


def _bag(name: str) -> set[str]:
    described = IRREGULARITIES[name] if name in IRREGULARITIES else REMEDIES[name][0]
    return set(plain_words(f"{spoken(name)} {described} {_ALSO_CALLED.get(name, '')}"))


def _is_among(word: str, bag: Iterable[str]) -> bool:
    """Whether a word is one of these, as its beginning or with another ending: jams, jammed."""
    stem = word.removesuffix("s")
    return any(known.startswith(stem) or (len(known) > 3 and stem.startswith(known)) for known in bag)
