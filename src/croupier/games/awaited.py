"""What a round needs next."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.games.offers import spoken
from croupier.games.playing import WITH_CARDS
from croupier.games.progress import past_envy
from croupier.games.round import Round
from croupier.games.settlement_turn import next_turn
from croupier.rulebook.names import Act, Decision, Slot

__all__ = ["ACT_WORDS", "Awaiting", "awaiting"]

Kind: TypeAlias = Literal[
    "wagers", "act", "cards", "decision", "reveal", "identity", "meter", "ruling", "settlement", "close", "nothing"
]
ACT_WORDS: Final[dict[Act, str]] = {
    "announce": "announce that no more bets are taken",
    "lock_progressive": "lock the progressive",
    "collect_progressive": "collect the progressive chips",
    "count_progressive": "count the progressive chips",
    "progressive_to_tray": "put the progressive chips in the tray",
    "collect_five_card": "collect the Five Card Bonus chips",
    "place_lammers": "place a lammer for each Five Card Bonus",
    "count_five_card": "count the Five Card Bonus chips against the lammers",
    "five_card_to_tray": "put the Five Card Bonus chips in the tray",
}
"""What the dealer does in each act."""


class Awaiting(Struct, frozen=True):
    """What a round needs next."""

    kind: Kind
    seat: int = 0
    act: Act | None = None
    decision: Decision | None = None
    slot: Slot | None = None
    places: tuple[int, ...] = ()
    meter: str = ""
    what: str = ""
    number: int = 0
    """How many cards are turned up; 0 if all that lie there are."""

    def __str__(self) -> str:
        match self.kind:
            case "wagers":
                return "wagers, until no more bets are taken"
            case "act":
                return f"the dealer to {ACT_WORDS[self.act or 'announce']}"
            case "cards":
                return f"{len(self.places)} cards to be dealt"
            case "decision":
                return f"seat {self.seat} to decide on {spoken(self.decision or '')}"
            case "reveal":
                whose, slot = f" of seat {self.seat}" if self.seat else "", spoken(self.slot or "")
                cards = f"next {slot} card" if self.number == 1 else f"{slot} cards"
                return f"the dealer to turn up the {cards}{whose}"
            case "identity":
                several = len(self.places) > 1
                return f"the {f'{len(self.places)} cards' if several else 'card'} turned up last to be entered"
            case "meter":
                return f"the {self.meter} meter to be read"
            case "ruling":
                return f"a floorperson to reduce the raise of seat {self.seat}"
            case "settlement":
                return "envy to be paid" if self.what == "envy" else f"seat {self.seat} to be settled"
            case "close":
                return "the round to be closed"
            case "nothing":
                return "nothing: the round is over"


def awaiting(state: Round) -> Awaiting:
    """What the round needs next; rulings and card identities may also come at other times."""
    state = past_envy(state)
    at = state.at
    if state.faces.awaiting_identity and at.kind in WITH_CARDS:
        return Awaiting("identity", places=state.faces.awaiting_identity)
    match at.kind:
        case "wagers":
            return Awaiting("wagers")
        case "act" | "announce":
            return Awaiting("act", act=at.act.act if at.act else "announce")
        case "deal":
            return Awaiting("cards", places=tuple(range(state.cards.dealt, len(state.cards.plan.places))))
        case "decide":
            return Awaiting("decision", seat=state.box.seat, decision=at.choice.decision if at.choice else None)
        case "reveal":
            row = at.reveal
            return Awaiting("reveal", slot=row.slot if row else None, number=(row.number or 0) if row else 0)
        case "close":
            return Awaiting("close")
    turn = next_turn(state)
    if turn is None:
        return Awaiting("nothing")
    match turn.needs:
        case "reveal":
            return Awaiting("reveal", slot="player", seat=turn.hand)
        case "meter":
            return Awaiting("meter", seat=turn.seat, meter=turn.meter)
        case "raise":
            return Awaiting("ruling", seat=turn.seat)
    return Awaiting("settlement", seat=turn.seat, what=turn.what)
