"""dealing.toml: what comes before the first card, and the order of dealing."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, RegulationPart

__all__ = ["Announce", "BeforeDeal", "DealScript", "DealStep", "Dealing"]


class DealStep(Cited, frozen=True, kw_only=True):
    """Cards that go face down to one place; `player` means each player in turn before the next step."""

    to: names.Slot
    cards: Annotated[int, Meta(ge=1, le=7)]
    offered: names.WagerName | None = None
    by_hand: bool = False
    """Whether the dealer deals these by hand although a device dispenses the others."""


class DealScript(Cited, frozen=True, kw_only=True):
    """The order of dealing with one device. `passes` repeats the steps; `option` names the choice it needs."""

    deal: names.Deal
    title: str
    passes: Annotated[int, Meta(ge=1, le=7)] = 1
    shuffle: tuple[names.Shuffle, ...] = ()
    option: str = ""
    step: tuple[DealStep, ...]


class BeforeDeal(Cited, frozen=True, kw_only=True):
    """A step before the first card, for one dealing method; `offered` names the wager that requires it."""

    deal: names.Deal
    act: names.Act
    offered: names.WagerName | None = None


class Announce(Cited, frozen=True, kw_only=True):
    """When the dealer announces that no more bets are taken."""

    says: names.Announcement
    before: Literal["deal", "first_reveal", "second_reveal", "third_reveal"]


class Dealing(RegulationPart, frozen=True, kw_only=True):
    """dealing.toml."""

    announcement: tuple[Announce, ...]
    before_deal: tuple[BeforeDeal, ...]
    script: tuple[DealScript, ...]
