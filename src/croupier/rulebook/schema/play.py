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
    """What a floorperson declares when no decision is given (reading 76)."""
    folds: Cited | None = None
    """What lets a player fold, where a clause of its own does."""
    collected: Collected | None = None
    racked: Cited | None = None
    """What sends a folder's cards to the rack."""
    keeps: Cited | None = None
    """What leaves a folder's cards on the table while a wager that keeps them is open."""


class Collected(Cited, frozen=True, kw_only=True):
    """When a folder's stakes and cards are collected: at once, or when every player has decided."""

    after_all: bool = False


class RevealRow(Cited, frozen=True, kw_only=True):
    """Cards turned up, and after which decision."""

    slot: names.Slot
    number: Count = 1
    after: names.Decision
    offered: names.WagerName | None = None
    """The wager without which these cards are not in the game."""
    always: bool = False
    """Whether they are turned up although nothing depends on them any more (reading 77)."""


class RaiseLimit(Cited, frozen=True, kw_only=True):
    """The largest raise, in antes, for a flush of this length."""

    shortest: Annotated[int, Meta(ge=2, le=7)]
    longest: Annotated[int, Meta(ge=2, le=7)]
    times: Annotated[int, Meta(ge=1, le=3)]


class Qualify(Cited, frozen=True, kw_only=True):
    """The least hand with which the dealer plays, and what happens below it."""

    length: Annotated[int, Meta(ge=2, le=7)]
    ranks: tuple[Annotated[int, Meta(ge=2, le=14)], ...]
    below: Literal["ante_paid_raise_returned"]


class Versus(Cited, frozen=True, kw_only=True):
    """A hand against the dealer's: higher wins by this clause, the other cases have their own."""

    below: Cited
    lower: Cited
    equal: Cited


class Racked(Cited, frozen=True, kw_only=True):
    """Which hands go to the rack as they are settled, each by its own clause; the others when all are."""

    lose: Cited | None = None
    push: Cited | None = None
    win: Cited | None = None
    unless: Literal["side_wager", "award"] | None = None
    """What keeps such a hand on the layout all the same."""


class Settlement(Cited, frozen=True, kw_only=True):
    """Wagers in the order in which one player's are settled; `last` come after every player's."""

    direction: Literal["right_to_left"]
    order: tuple[names.WagerName, ...]
    last: tuple[names.WagerName | Literal["envy"], ...] = ()
    turn_up: Cited
    racked: Racked
    kept: Cited
    """What keeps a settled hand on the layout while another wager still looks at it."""
    exposed: Cited | None = None
    """What leaves the best hand so far face up for a wager that comes last."""
    outdone: Cited | None = None
    """What takes such a hand off the layout when a better one comes."""
    announced: Cited | None = None
    """What has the dealer announce each hand at its turn."""
    at_last: Cited | None = None
    """What puts the wagers that come last after every player's."""
    lose: Cited | None = None
    """What collects a losing main wager, where a clause of its own does."""


class PayoutLimit(Cited, frozen=True, kw_only=True):
    """The most that one hand may win on the named wagers."""

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
    """Until when it binds, if not to the end of the round."""
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
    """What keeps players from their cards until the deal is complete."""
    rebuild: Cited
