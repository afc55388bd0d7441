"""readings.toml and options.toml."""

from __future__ import annotations

from typing import Literal, TypeAlias

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, RegulationPart

__all__ = ["Option", "OptionDefault", "OptionRule", "OptionValue", "Reading"]


class Reading(RegulationPart, frozen=True, kw_only=True):
    """A point that the documents leave open, and what Croupier does."""

    number: int
    title: str
    clauses: str
    question: str = ""
    answer: str
    why: str = ""
    option: str


class OptionRule(RegulationPart, frozen=True, kw_only=True):
    """An operator's option under a reading: what it decides and which values it may have."""

    name: str
    reading: int
    type: Literal["choice", "choices", "bool", "count", "labels"]
    values: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0
    offered: names.WagerName | None = None
    approval: names.Approval | None = None
    deal: tuple[names.Deal, ...] = ()
    shuffle: tuple[names.Shuffle, ...] = ()
    """The devices that allow a value other than the default."""
    about: str


OptionValue: TypeAlias = bool | int | str | tuple[str, ...] | tuple[tuple[str, str], ...]
"""Labels are pairs of a name and its label."""


class OptionDefault(Cited, frozen=True, kw_only=True):
    """An option that a rulebook has, with its default there; `values` narrows those of the rule."""

    name: str
    default: bool | int | str | tuple[str, ...] | dict[str, str]
    values: tuple[str, ...] = ()
    fixed: bool = False


class Option(Cited, frozen=True, kw_only=True):
    """An option with its rule and this rulebook's default."""

    rule: OptionRule
    default: OptionValue
    fixed: bool
