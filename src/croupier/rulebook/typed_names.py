"""Wagers and paytables by the names that people type, whatever their case; what nobody prints stays as it was typed.

>>> typed_wager("Ante"), typed_wager("3 Card Bonus"), typed_wager("5CB")
('base', 'three_card_bonus', 'five_card_bonus')
>>> typed_paytable("3cs-01", ["3CS-01", "3CS-02"])
'3CS-01'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from croupier.errors import Malformed
from croupier.rulebook.load import load_rulebook
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.rulebook.house import HouseRules
    from croupier.rulebook.submission import WagerChoice

__all__ = ["not_offered", "typed_paytable", "typed_wager", "wagers_as_printed"]

BASE: Final = "base"
MAIN_GAME: Final = {BASE, "ante", "bet", "bet_1"}
"""What people call the main game."""


def typed_wager(text: str) -> str:
    """A wager by its name in files and answers, where the main game is `base`."""
    name = re.sub(r"[\s-]+", "_", text.strip().lower())
    name = re.sub(r"^([356])cb$", r"\1_card_bonus", name)
    for figure, word in (("3", "three"), ("5", "five"), ("6", "six")):
        name = name.replace(f"{figure}_card", f"{word}_card")
    return BASE if name in MAIN_GAME else name


def not_offered(house: HouseRules, name: str, offered: Iterable[str]) -> Malformed:
    """Say that a house does not offer a wager, what it offers, and, where the document has it, how to add it."""
    known = {wager.name for wager in house.rulebook.wagers.wager if wager.offered == "option"}
    add = f"; to offer it, write [wagers.{name}] in the submission" if name in known else ""
    return Malformed(f"{clip(repr(name))} is not offered here, only {', '.join(offered)}{add}")


def typed_paytable(text: str, printed: Iterable[str]) -> str:
    """The printed paytable that is meant: `a` is A, `ms stud 01` is MS Stud-01."""
    ids = list(printed)
    return text if text in ids else next((name for name in ids if _bare(name) == _bare(text)), text)


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


def wagers_as_printed(rulebook: str, edition: str | None, wagers: Mapping[str, WagerChoice]) -> dict[str, WagerChoice]:
    """The choices of a submission under the names that its rulebook prints."""
    try:
        book = load_rulebook(rulebook, edition=edition)
    except Malformed:  # whoever checks the submission says so
        return dict(wagers)
    known = {wager.name: wager.paytables for wager in book.wagers.wager if wager.offered == "option"} | {BASE: BASE}
    named: dict[str, WagerChoice] = {}
    first: dict[str, str] = {}
    for typed, choice in wagers.items():
        name = typed_wager(typed) if typed_wager(typed) in known else typed
        if first.setdefault(name, typed) != typed:
            raise Malformed(f"wagers.{typed}: the same wager as wagers.{first[name]}; give it once")
        if name in known and choice.paytable is not None:
            ids = [table.id for table in book.paytables.paytable if table.group == known[name]]
            choice = replace(choice, paytable=typed_paytable(choice.paytable, ids))  # noqa: PLW2901 - as printed
        named[name] = choice
    return named
