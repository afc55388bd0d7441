"""Where a settled hand goes: to the rack by its result's clause, or it stays on the layout (readings 168, 169)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from croupier.games import events as round_events
from croupier.games.results import WagerSettled
from croupier.games.round import Box, Round, hand_of, is_known, open_wagers, own_places, table_cards_of
from croupier.games.rules import Rules
from croupier.hands import FiveCardHand, five_card
from croupier.rulebook import Judged, line_of
from croupier.rulebook.schema import Cited

__all__ = ["counts_at_last", "racked_by", "to_rack"]


def to_rack(state: Round, box: Box, settled: Sequence[WagerSettled]) -> list[round_events.Event]:
    """Collect a settled hand under the clause of its result, unless it is still needed (readings 168, 169)."""
    rules, settlement = state.rules, state.rules.house.rulebook.play.settlement
    events: list[round_events.Event] = []
    stays: Collection[int] = ()
    by = racked_by(rules, box, settled)
    if rules.last and any(name in rules.last for other in state.boxes for name in open_wagers(other)):
        stays, outdone = _exposed(state, box)
        cited = settlement.outdone or settlement.racked
        events = [round_events.CardsRacked(own_places(state, seat), cited.clause, cited.reading) for seat in outdone]
    if box.seat in stays and settlement.exposed is not None:
        events.append(round_events.HandLeftExposed(box.seat, settlement.exposed.clause, settlement.exposed.reading))
    elif by is not None and state.cards.plan.own[box.seat][0] not in state.cards.rack:
        events.append(round_events.CardsRacked(own_places(state, box.seat), by.clause, by.reading))
    return events


def racked_by(rules: Rules, box: Box, settled: Sequence[WagerSettled]) -> Cited | None:
    """The rule that collects a hand at its turn, according to its result, or None."""
    racked, main = rules.house.rulebook.play.settlement.racked, rules.main.name
    if _stays(rules, box, settled):
        return None
    outcome = next((wager.outcome for wager in (*settled, *box.results) if wager.wager == main), "void")
    cited = {"win": racked.win, "push": racked.push, "lose": racked.lose, "forfeit": racked.lose}.get(outcome)
    return Cited(clause=cited.clause, reading=cited.reading or racked.reading) if cited else None


def _stays(rules: Rules, box: Box, settled: Sequence[WagerSettled]) -> bool:
    """Whether a hand stays on the layout until the round is closed: a side wager or an award may depend on it."""
    match rules.house.rulebook.play.settlement.racked.unless:
        case "side_wager":
            return any(rules.wagers[name].paytables != "base" for name, _ in box.staked)
        case "award":
            metered = rules.metered
            return metered is not None and any(
                wager.wager == metered.name and wager.won for wager in (*settled, *box.results)
            )
    return False


def _exposed(state: Round, box: Box) -> tuple[Collection[int], list[int]]:
    """The hands that stay face up for a wager on the best hand of the table, and those that a better hand replaces.

    Folded hands stay tucked until they are turned up (readings 82, 151, 168).
    """
    settled = {seat for what, seat in state.proceedings.turns if what == "hand"} | {box.seat}
    community = table_cards_of(state).community
    seen = {
        other.seat: five_card((*hand_of(state, other).cards, *community))
        for other in state.boxes
        if other.seat in settled and counts_at_last(state.rules, other)
        if is_known(state, own_places(state, other.seat))
    }
    best = max(seen.values(), default=None)
    stays = {seat for seat, hand in seen.items() if hand == best and _wins_last(state.rules, hand)}
    own, rack = state.cards.plan.own, state.cards.rack
    outdone = [
        other.seat
        for other in reversed(state.boxes)
        if other.seat in seen and other.seat not in stays and other.seat != box.seat
        if own[other.seat][0] not in rack and not _stays(state.rules, other, ())
    ]
    return stays, outdone


def _wins_last(rules: Rules, hand: FiveCardHand) -> bool:
    return any(
        line_of([line.hand for line in table.line], Judged(hand), evaluator="five_card") is not None
        for name in rules.last
        for table in rules.offered[name].paytables
    )


def counts_at_last(rules: Rules, box: Box) -> bool:
    """Whether a hand can be the best of the table (readings 82, 140)."""
    return box.out != "void" and (box.folded_on is None or rules.house.options.cover_all_count_folded)
