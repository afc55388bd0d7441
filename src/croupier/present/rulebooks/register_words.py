"""The register of clauses in words: what a kind of clause means, where one is carried out, which tests show it.

>>> carried_out("regulations/md/let-it-ride/2014-10-29/wagers.toml:wager[ante]")
RegisterPlace(what='data', name='wager[ante]', file='regulations/md/let-it-ride/2014-10-29/wagers.toml')
>>> shown_by("tests/clauses/test_settle.py::test_a_fold_is_collected").name
'A fold is collected'
>>> shown_by("tests/clauses/test_settle.py::test_12_b_1_the_limit_holds").name
'The limit holds'
>>> shown_by("tests/evenings/md-let-it-ride/a-jam.txt")[:2]
('recorded evening', 'A jam')
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from croupier.present.names import capitalized
from croupier.rulebook.names import ClauseKind

__all__ = ["CLAUSE_KINDS", "RegisterPlace", "carried_out", "in_full", "shown_by"]

CLAUSE_KINDS: Final[dict[ClauseKind, tuple[str, str]]] = {
    "define": ("Definition", "says what a word means"),
    "enforce": ("Enforced", "the software refuses whatever breaks it"),
    "compute": ("Computed", "the software works it out"),
    "record": ("Recorded", "the software writes it down"),
    "display": ("Displayed", "a layout, a sign or a screen shows it"),
    "configure": ("Configured", "the operator chooses, within its limits"),
    "physical": ("By hand", "people do it, without the software"),
}
"""Each kind of clause: a word for it, and what it asks for."""
_RECORDED: Final = {"evenings": "recorded evening", "rounds": "recorded round"}
_HANDS: Final = {
    "RF": "royal flush", "SF": "straight flush", "4K": "four of a kind", "FH": "full house", "FL": "flush",
    "ST": "straight", "3K": "three of a kind", "2P": "two pair", "P": "pair", "MR": "mini-royal",
    "JJ+": "pair of jacks or better", "TT+": "pair of tens or better", "66-TT": "pair of sixes to tens",
    "AKQ": "A-K-Q", "AKQ-spades": "A-K-Q of spades",
    "AKQ-hearts/diamonds/clubs": "A-K-Q of another suit", "AKQ-diamonds/hearts/clubs": "A-K-Q of another suit",
    "SuperRoyal-diamonds": "super royal in diamonds", "SuperRoyal-other": "super royal in another suit",
    "SuperRoyal-any": "super royal", "fourOfKind": "four of a kind", "suited9toA": "suited 9 to A",
    "3": "three cards", "4": "four cards", "5": "five cards", "6": "six cards", "7": "seven cards",
}  # fmt: skip
_SHORT: Final = {"3CB ": "Three Card Bonus ", "6CB ": "Six Card Bonus ", "SF Bonus ": "Straight Flush Bonus "}
_SPELLED: Final = {"olour": "olor", "signalled": "signaled"}
"""Words that summaries spell in another way: they are part of a law, whose hash was filed."""
_NUMBER: Final = re.compile(r"^\d+_(?:(?:\d+|[a-z]|i{2,3}|iv|vi{0,3})_)*")
"""The clause that the name of a test begins with."""


class RegisterPlace(NamedTuple):
    """Somewhere in the program."""

    what: str
    """`data` or `code`, or the kind of test."""
    name: str
    file: str


def carried_out(where: str) -> RegisterPlace:
    """Where a clause is carried out: a row of data, or a function."""
    file, _, name = where.rpartition(":")
    return RegisterPlace("data" if file.endswith(".toml") else "code", name, file)


def shown_by(test: str) -> RegisterPlace:
    """A test that shows a clause, by the sentence that it is named for."""
    file, _, name = test.partition("::")
    if name:
        bare = _NUMBER.sub("", name.partition("[")[0].removeprefix("test_"))
        return RegisterPlace("test", capitalized(bare.replace("_", " ")), file)
    folders = file.split("/")
    kind = next((_RECORDED[folder] for folder in folders if folder in _RECORDED), "test")
    return RegisterPlace(kind, capitalized(folders[-1].rpartition(".")[0].replace("-", " ")), file)


def in_full(summary: str) -> str:
    """The summary of a clause, the lines of a paytable written out.

    >>> in_full("3CB A: SF=40to1 P=1to1."), in_full("3CS-01 (X:1): ST=6 FL=4.")
    ('Three Card Bonus A: straight flush 40 to 1, pair 1 to 1.', '3CS-01: straight 6 to 1, flush 4 to 1.')
    >>> in_full("MG-01: RF=100%/envy$1000 3K=9for1."), in_full("Default: one deck.")
    ('MG-01: royal flush 100% of the meter with $1,000 envy, three of a kind 9 for 1.', 'Default: one deck.')
    >>> in_full("The two decks must have differently coloured backs.")
    'The two decks must have differently colored backs.'
    """
    for british, american in _SPELLED.items():
        summary = summary.replace(british, american)
    head, colon, lines = summary.rstrip(".").partition(": ")
    pairs = [line.partition("=")[::2] for line in lines.split(" ")]
    if not colon or not all(hand in _HANDS and pays for hand, pays in pairs):
        return summary
    for short, full in _SHORT.items():
        head = head.replace(short, full)
    to_one = " to 1" * (" (X:1)" in head)
    written = ", ".join(f"{_HANDS[hand]} {_pays_in_full(pays)}{to_one}" for hand, pays in pairs)
    return f"{head.replace(' (X:1)', '')}: {written}."


def _pays_in_full(pays: str) -> str:
    odds = re.sub(r"^(\d+)(to|for)1$", r"\1 \2 1", pays)
    meter = re.sub(r"%/envy", "% of the meter with $", odds.replace("envy$", "envy")) if "envy" in odds else odds
    meter = re.sub(r"with \$(\d+)$", lambda found: f"with ${int(found[1]):,} envy", meter)
    meter = re.sub(r"%([A-Z]\w+)$", r"% of the \1 meter", meter.replace("%meter", "% of the meter"))
    return re.sub(r"^\$?\d{4,}", lambda found: f"{'$' * (found[0][0] == '$')}{int(found[0].lstrip('$')):,}", meter)
