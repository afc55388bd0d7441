"""Where a round goes next: the next stage that has something to do, and whose turn it is there."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier.games.envy import envy_of
from croupier.games.round import Box, DealtCards, Faces, Proceedings, Round, open_wagers, showdown_of
from croupier.games.rules import ALWAYS_DUE, Rules, Stage
from croupier.rulebook.names import Slot

__all__ = ["onward", "past_envy"]


def onward(
    rules: Rules,
    at: Stage,
    turn: int,
    boxes: tuple[Box, ...],
    cards: DealtCards,
    proceedings: Proceedings,
    faces: Faces,
) -> Round:
    """The round moved to the next stage that has something to do, starting with this one."""
    count = len(boxes)
    while True:
        kind = at.kind
        if kind == "decide":
            while turn < count and (boxes[turn].folded_on is not None or boxes[turn].out):
                turn += 1
            if turn < count:
                break
        elif kind == "reveal" or kind == "announce":  # noqa: PLR1714 - asked at every move
            reveal = at.reveal or rules.stages[at.index + 1].reveal
            if reveal is not None and (reveal.always or faces.awaiting_identity or _matters(rules, boxes, reveal.slot)):
                break
        elif kind == "settle":
            turn = _next_to_settle(rules, at, turn, boxes, proceedings)
            if turn < count:
                break
        elif kind != "act" or _is_due(at, boxes):
            break
        at, turn = rules.stages[at.index + 1], 0
    return Round(rules, at, turn, boxes, cards, proceedings, faces)


def _is_due(at: Stage, boxes: tuple[Box, ...]) -> bool:
    """Whether an act before the deal has anything to do (reading 176)."""
    act = at.act
    if act is None or act.offered is None or act.act in ALWAYS_DUE:
        return True
    return any(box.stake(act.offered) is not None for box in boxes)


def _matters(rules: Rules, boxes: tuple[Box, ...], slot: Slot) -> bool:
    """Whether any open wager still depends on the cards of a slot (reading 77)."""
    if slot == "community":
        for box in boxes:
            if box.folded_on is None and not box.out:
                return True
    judged = _JUDGED_ON[slot]
    return any(
        rules.judged[name] in judged and (slot != "dealer" or rules.wagers[name].evaluator == "against_dealer")
        for box in boxes
        for name in open_wagers(box)
    )


_JUDGED_ON: Final[dict[str, frozenset[str]]] = {
    "community": frozenset({"community", "own_and_community", "best_at_table"}),
    "six_card_box": frozenset({"own_and_box"}),
    "dealer": frozenset({"own"}),
}


def _next_to_settle(rules: Rules, at: Stage, turn: int, boxes: tuple[Box, ...], proceedings: Proceedings) -> int:
    """The next turn in this part of settlement; past the last box there is none.

    Whether a hand really wins envy is for `past_envy` to say: a fold looks at no card.
    """
    count = len(boxes)
    if at.settles == "envy":
        live = proceedings.void != "main_wagers" and any(box.registered and not box.out for box in boxes)  # reading 41
        return 0 if live else count
    later = rules.last if at.settles == "hand" else ()
    while turn < count:
        for name in open_wagers(boxes[-1 - turn]):
            if name not in later:
                return turn
        turn += 1
    return turn


def past_envy(state: Round) -> Round:
    """The round after the turn of envy, where no hand wins any."""
    if state.at.settles != "envy" or _is_envy_due(state):
        return state
    following = state.rules.stages[state.at.index + 1]
    return onward(state.rules, following, 0, state.boxes, state.cards, state.proceedings, state.faces)


def _is_envy_due(state: Round) -> bool:
    """Whether any hand wins envy; a hand whose award was rejected has its turn too, and pays nothing."""
    showdown = showdown_of(state)
    showdown = replace(showdown, hands=[replace(hand, rejected=False) for hand in showdown.hands])
    return any(envy_of(showdown, hand) for hand in showdown.hands)
