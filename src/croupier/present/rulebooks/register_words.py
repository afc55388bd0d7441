"""The register of clauses in words: what a kind of clause means, where one is carried out, which tests show it.

>>> carried_out("regulations/md/let-it-ride/2014-10-29/wagers.toml:wager[ante]")
RegisterPlace(what='data', name='wager[ante]', file='regulations/md/let-it-ride/2014-10-29/wagers.toml')
>>> shown_by("tests/clauses/test_settle.py::test_a_fold_is_collected").name
'A fold is collected'
>>> shown_by("tests/evenings/md-let-it-ride/a-jam.txt")[:2]
('recorded evening', 'A jam')
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from croupier.present.names import capitalized, spoken
from croupier.rulebook.names import ClauseKind

__all__ = ["CLAUSE_KINDS", "RegisterPlace", "carried_out", "key_words", "plain_value", "shown_by"]

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
_DOT: Final = re.compile(r"\.(?![^\[]*\])")
"""A dot outside brackets."""
_TRUE: Final = re.compile(r"\b(?:True|False)\b")
_ALREADY: Final = re.compile(
    r"^(?:group [^,]+, id [^,]+, (?:players \d+, )?|paytable [^,]+, stake [^,]+, |name [^,]+, )"
    r"|line\[[^\]]+\]\.hand [^,]+, |requires\[[^\]]+\]\.if_offered False, "
)
"""What the key of a value, or the value next to it, says already."""
_LINE: Final = re.compile(r"line\[([^\]]+)\]\.pays|(?<=requires)\[[^\]]+\]\.wager")
"""A line of a paytable, or a wager that another one requires."""
_STEP: Final = re.compile(r"(?<=\b)([a-z_]+)\.(?=[a-z])")
"""A step on the way to a value."""


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
        bare = name.partition("[")[0].removeprefix("test_")
        return RegisterPlace("test", capitalized(bare.replace("_", " ")), file)
    folders = file.split("/")
    kind = next((_RECORDED[folder] for folder in folders if folder in _RECORDED), "test")
    return RegisterPlace(kind, capitalized(folders[-1].rpartition(".")[0].replace("-", " ")), file)


def key_words(key: str) -> str:
    """The key of a value as a trail of words.

    >>> key_words("wager[cover_all].needs.option"), key_words("seats.maximum")
    ('wager cover all › needs › option', 'seats › maximum')
    """
    trail = _DOT.split(key)
    return " › ".join(spoken(step.replace("[", " ").replace("]", "")).strip() for step in trail)


def plain_value(text: str) -> str:
    """A value as it is read aloud.

    >>> plain_value("approval continuous_shuffler, approval_required True")
    'approval continuous shuffler, approval required yes'
    >>> plain_value("group three_card_bonus, id A, line[mini_royal].hand mini_royal, line[mini_royal].pays 50 to 1")
    'mini royal 50 to 1'
    """
    said = _LINE.sub(r"\1", _ALREADY.sub("", text))
    said = _TRUE.sub(lambda found: "yes" if found.group() == "True" else "no", said)
    return spoken(_STEP.sub(r"\1 ", said))
