"""A step of a procedure: what is done, by whom, and by which clause."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from croupier.documents.house_words import cites, given_by, role_words
from croupier.documents.paper import Words
from croupier.present import spoken, the_wager, titled
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Duty as Command
from croupier.rulebook.names import Role
from croupier.rulebook.schema import Cited, Duty, PerDevice, Requirement, Wager
from croupier.table import devices_of
from croupier.table.commands import COMMANDS

__all__ = [
    "Steps",
    "WrittenProcedure",
    "WrittenStep",
    "act_of",
    "by_clause",
    "duty_of",
    "is_done_here",
    "required_by",
    "stage_key",
    "wager_words",
]


class WrittenStep(Struct, frozen=True):
    """One step, as it is said to whoever does it."""

    text: str
    by: str
    law: Words
    key: str = ""
    """What carries it out: a command of the table, `attest layout`, `stage 3` of a round or `deal 1` of its deal."""


class WrittenProcedure(Struct, frozen=True):
    """Steps in their order under a title."""

    title: str
    steps: tuple[WrittenStep, ...]


class Steps:
    """Collects the steps of a house; a step without any rule in this document is left out."""

    def __init__(self, house: HouseRules) -> None:
        self._house = house
        self._steps: list[WrittenStep] = []

    def add(
        self, text: str, *rules: Cited | str | None, by: Role | None = None, giver: str = "", key: str = ""
    ) -> None:
        """Add a step under these rules; the name of a command stands for its own row, which also says who gives it.

        `giver` names the command that says who does this where none of the rules does; `key` what carries it out, where
        that is not the first command among the rules.
        """
        found = [duty_of(self._house, rule) if isinstance(rule, str) else rule for rule in rules]
        if not any(rule is not None for rule in found):
            return
        duty = duty_of(self._house, giver) or next((rule for rule in found if isinstance(rule, Duty)), None)
        who = (
            given_by(self._house, duty) if by is None and duty is not None else role_words(self._house, by or "dealer")
        )
        command = key or next((rule for rule in rules if isinstance(rule, str)), "")
        law = cites(*(by_clause(self._house, rule) for rule in found))
        self._steps.append(WrittenStep(text, who, law, command))

    def under(self, title: str) -> WrittenProcedure:
        """The steps so far, under a title."""
        return WrittenProcedure(title, tuple(self._steps))


def stage_key(index: int) -> str:
    """The key of the step that carries out a stage of the round."""
    return f"stage {index}"


def duty_of(house: HouseRules, name: str) -> Duty | None:
    """The row of a command, if the document has it."""
    return next((duty for duty in house.rulebook.procedure.duty if duty.do == name), None)


def by_clause(house: HouseRules, rule: Cited | None) -> Cited | None:
    """A rule as the chapter on this house's dealing method states it."""
    if not isinstance(rule, PerDevice):
        return rule
    row = rule.on(house.deal)
    return Cited(clause=row.clause, also=row.also, reading=row.reading or rule.reading)


def wager_words(name: str) -> str:
    """A wager as papers name it in a sentence: a bonus by its proper name.

    >>> wager_words("ante"), wager_words("third_street"), wager_words("six_card_bonus"), wager_words("cover_all")
    ('the ante', 'third street', 'the Six Card Bonus', 'Cover All')
    """
    proper = name.endswith("_bonus") or name == "cover_all"
    return the_wager(name).replace(spoken(name), titled(name)) if proper else the_wager(name)


def required_by(house: HouseRules, rule: Wager) -> list[Requirement]:
    """The wagers that must be placed before this one: some only where they are offered and asked for (reading 89)."""
    asked = house.options.six_card_requires
    return [
        row
        for row in rule.requires
        if not row.if_offered or (house.wager(row.wager) is not None and row.wager.removesuffix("_bonus") in asked)
    ]


_ON_DEVICES: Final = {"report_jam", "take_out_device", "restore_device", "change_method"}
_ON_METERS: Final = {
    "verify_award",
    "validate_award",
    "reject_award",
    "pay_award",
    "hand_pay_award",
    "register",
    "cancel_wager",
    "tell_meter",
}
_ON_COUPONS: Final = {"place_coupon", "take_back_coupon"}
_ON_SCREENS: Final = {"add_entropy", "reveal_seed"}
"""What only a table without cards has: a submission is for one with cards."""


def is_done_here(house: HouseRules, command: str) -> bool:
    """Whether a command can be given in this house, with its wagers and devices."""
    if command in _ON_SCREENS:
        return False
    if command in _ON_DEVICES:
        return bool(devices_of(house))
    if command in _ON_METERS:
        return any(wager.meters for wager in house.wagers)
    if command in _ON_COUPONS:
        return house.match_play is not None
    return command != "reduce_raise" or bool(house.rulebook.play.raise_limit)


def act_of(command: Command) -> str:
    """What a command does, as the list of commands has it, in the first sentence.

    >>> act_of("inspect_deck"), act_of("deal")
    ('Inspect a deck', 'Deal the next cards face down')
    """
    about = " ".join((COMMANDS[command].__doc__ or "").split())
    first = re.split(r";|\. ", re.sub(r" \([^)]*\)", "", about))[0]
    return first.replace("`number` ", "").replace("`", "").rstrip(".")
