"""play.toml: decisions, reveals, settlement, limits, envy, conduct."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, Count, PerDevice, RegulationPart

__all__ = [
    "Choice",
    "Collected",
    "Conduct",
    "EnvyRule",
    "Handpay",
    "PayoutLimit",
    "Play",
    "Qualify",
    "Racked",
    "RaiseLimit",
    "RevealRow",
    "Settlement",
    "Versus",
]


class Choice(Cited, frozen=True, kw_only=True):
    """A decision of each player in turn."""

    decision: names.Decision
    choices: tuple[str, ...]
    undecided: Literal["fold", "ride"]
    """What a floorperson declares if a player makes no decision (reading 76)."""
    folds: Cited | None = None
    """The clause that lets a player fold, where it has one of its own."""
    collected: Collected | None = None
    racked: Cited | None = None
    """The clause that sends a folded hand to the rack."""
    keeps: Cited | None = None
    """The clause that leaves a folded hand on the table while a wager that needs it is open."""


class Collected(Cited, frozen=True, kw_only=True):
    """When a folded hand and its bets are collected: at once, or after every player has decided."""

    after_all: bool = False


class RevealRow(Cited, frozen=True, kw_only=True):
    """Cards turned up, and after which decision."""

    slot: names.Slot
    number: Count = 1
    after: names.Decision
    offered: names.WagerName | None = None
    """The wager without which these cards are not dealt."""
    always: bool = False
    """Whether they are turned up even if nothing depends on them any more (reading 77)."""


class RaiseLimit(Cited, frozen=True, kw_only=True):
    """The largest raise, in antes, for a flush of this length."""

    shortest: Annotated[int, Meta(ge=2, le=7)]
    longest: Annotated[int, Meta(ge=2, le=7)]
    times: Annotated[int, Meta(ge=1, le=3)]


class Qualify(Cited, frozen=True, kw_only=True):
    """The lowest hand with which the dealer qualifies, and what happens below it."""

    length: Annotated[int, Meta(ge=2, le=7)]
    ranks: tuple[Annotated[int, Meta(ge=2, le=14)], ...]
    below: Literal["ante_paid_raise_returned"]


class Versus(Cited, frozen=True, kw_only=True):
    """A hand against the dealer's: a higher one wins by this clause, the other cases have their own."""

    below: Cited
    lower: Cited
    equal: Cited


class Racked(Cited, frozen=True, kw_only=True):
    """Which hands go to the rack as they are settled, each by its own clause; the rest follow when all are settled."""

    lose: Cited | None = None
    push: Cited | None = None
    win: Cited | None = None
    unless: Literal["side_wager", "award"] | None = None
    """What still keeps such a hand on the layout."""


class Settlement(Cited, frozen=True, kw_only=True):
    """The order in which one player's wagers are settled; those in `last` follow after every player's."""

    direction: Literal["right_to_left"]
    order: tuple[names.WagerName, ...]
    last: tuple[names.WagerName | Literal["envy"], ...] = ()
    turn_up: Cited
    racked: Racked
    kept: Cited
    """The clause that keeps a settled hand on the layout while another wager still needs it."""
    exposed: Cited | None = None
    """The clause that leaves the best hand so far face up for a wager that comes last."""
    outdone: Cited | None = None
    """The clause that removes such a hand when a better one comes."""
    announced: Cited | None = None
    """The clause that has the dealer announce each hand."""
    at_last: Cited | None = None
    """The clause that settles the last wagers after every player's."""
    lose: Cited | None = None
    """The clause that collects a losing main wager, where it has one of its own."""


class PayoutLimit(Cited, frozen=True, kw_only=True):
    """The maximum that one hand may win on the named wagers."""

    amount: str | None = None
    minimum_bet: Cited | None = None
    wagers: tuple[names.WagerName, ...]
    lower: Literal["approval", "never", "free"]


class EnvyRule(Cited, frozen=True, kw_only=True):
    """Who is paid envy, and for whose hand."""

    folded_holder: bool
    own_hand: Cited
    several: Cited
    stake: Cited


class Conduct(Cited, frozen=True, kw_only=True):
    """A rule of conduct, and what breaking it costs."""

    rule: Literal["own_hand", "touching", "view", "communication", "hands_off"]
    until: Literal["last_reveal"] | None = None
    """When it ends, if before the end of the round."""
    penalty: Cited | None = None


class Handpay(Cited, frozen=True, kw_only=True):
    """A whole meter is never paid from the tray."""


class Play(RegulationPart, frozen=True, kw_only=True):
    """play.toml."""

    choice: tuple[Choice, ...]
    reveal: tuple[RevealRow, ...]
    raise_limit: tuple[RaiseLimit, ...] = ()
    qualify: Qualify | None = None
    versus: Versus | None = None
    settlement: Settlement
    payout_limit: PayoutLimit
    envy: EnvyRule | None = None
    handpay: Handpay | None = None
    conduct: tuple[Conduct, ...]
    viewing: PerDevice
    """The clause that keeps players from their cards until the deal is complete."""
    rebuild: Cited
