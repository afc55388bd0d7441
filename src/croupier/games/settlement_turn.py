"""Whose turn it is in settlement, which wagers and hands it concerns, and what must be known first."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from croupier.games.payouts import Showdown, forfeited, share_won
from croupier.games.racking import counts_at_last
from croupier.games.raising import over_raise
from croupier.games.round import Box, Round, hand_of, open_wagers, table_cards_of
from croupier.games.rules import SettlementPart
from croupier.rulebook.names import WagerName

__all__ = ["SettlementTurn", "hands_needed", "next_turn", "wagers_due"]

_OWN: Final = {"own", "own_and_community", "own_and_box"}


class SettlementTurn(Struct, frozen=True, gc=False):
    """What is settled next, and what must come first."""

    what: SettlementPart
    seat: int
    """Whose hand or last wagers; 0 for envy."""
    needs: Literal["", "reveal", "card", "meter", "raise"] = ""
    hand: int = 0
    """The seat whose hand must be turned up."""
    place: int = 0
    """The place whose card must be identified."""
    meter: str = ""
    """The meter that must be read."""

    def __str__(self) -> str:
        if self.what == "envy":
            return "envy"
        return f"the {'hand' if self.what == 'hand' else 'last wager'} of seat {self.seat}"


def next_turn(state: Round) -> SettlementTurn | None:
    """Whose turn it is, and what is still missing for it."""
    what = state.at.settles
    if what is None:
        return None
    rules, faces = state.rules, state.faces
    if faces.awaiting_identity:
        seat = 0 if what == "envy" else state.box.seat
        return SettlementTurn(what, seat, "card", place=faces.awaiting_identity[0])
    if what == "envy":
        return SettlementTurn("envy", 0)
    box, known, own = state.box, faces.known, state.cards.plan.own
    for needed in hands_needed(state, box):
        for place in own[needed.seat]:
            if known[place] is None:
                return SettlementTurn(what, box.seat, "reveal", hand=needed.seat)
    if what == "hand":
        if rules.raised and rules.house.options.hcf_over_raise == "floor_decision" and over_raise(state, box):
            return SettlementTurn(what, box.seat, "raise")
        if rules.metered is not None and rules.metered.name in open_wagers(box):
            share = share_won(Showdown(rules, (), table_cards_of(state)), hand_of(state, box))
            if share is not None and share.meter not in dict(state.proceedings.meters):
                return SettlementTurn(what, box.seat, "meter", meter=share.meter)
    return SettlementTurn(what, box.seat)


def wagers_due(state: Round, box: Box) -> list[WagerName]:
    """The open wagers of a box that are settled together: the payout limit of a hand may reach one that comes last."""
    rules, left = state.rules, open_wagers(box)
    if not rules.last:
        return [name for name in rules.order if name in left]
    joint = any(name in rules.limited for name in rules.last if name in left)
    if state.at.settles == "hand":
        return [name for name in (*rules.order, *(rules.last if joint else ())) if name in left]
    settled = {wager.wager for wager in box.results if wager.outcome in {"win", "lose", "push"}}
    again = [name for name in rules.order if joint and name in rules.limited and name in settled]
    return [*again, *(name for name in rules.last if name in left)]


def hands_needed(state: Round, box: Box) -> list[Box]:
    """The seats whose cards decide what is settled now, from the dealer's right."""
    if not box.results and not state.rules.last and box.folded_on is None:
        return [box]
    rules, names = state.rules, wagers_due(state, box)
    folded = box.folded_on is not None
    own = any(
        rules.judged[name] in _OWN and not (folded and forfeited(rules.house, rules.wagers[name])) for name in names
    )
    if any(rules.judged[name] == "best_at_table" for name in names):
        live = [other for other in state.boxes if counts_at_last(rules, other)]
        return [*reversed(live), *([box] if box not in live and own else [])]
    return [box] if own else []
