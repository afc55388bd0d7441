"""A house by the name of its file, or by a rulebook's id: then one that offers every wager of the document."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from croupier.cli.shown.console import console
from croupier.cli.submission import raw_submission, verdict_on
from croupier.files import is_missing
from croupier.present import spoken
from croupier.rulebook import Checked, HouseRules, Submission, neither_file_nor_rulebook, read_submission, rulebook_ids

__all__ = ["ChosenHouse", "chosen_house", "say_which_house"]


class ChosenHouse(NamedTuple):
    """A submission as plain values and as one that was read, with the name it was chosen by."""

    name: str
    raw: object
    submission: Submission

    def verdict(self) -> Checked:
        """Whether it is valid."""
        return verdict_on(self.submission, self.name)


def chosen_house(name: str) -> ChosenHouse:
    """The house of a file or of a rulebook.

    >>> chosen_house("md-let-it-ride").submission.rulebook
    'md-let-it-ride'
    """
    path = Path(name)
    if name != "-" and is_missing(path) and name not in rulebook_ids():
        raise neither_file_nor_rulebook(name)
    raw = raw_submission(path)
    return ChosenHouse(name, raw, read_submission(raw))


def say_which_house(submission: Path, house: HouseRules) -> None:
    """Say how a rulebook's id deals: its rounds per hour, and so its theo, are not those of every house."""
    if str(submission) in rulebook_ids() and is_missing(submission):
        dealt = f"{spoken(house.shuffle)} shuffle, {spoken(house.deal)}"
        which = f"{submission} stands for a house with every wager: {dealt}."
        console().print(f"[dim]{which} --rounds-per-hour sets another speed.[/dim]")
