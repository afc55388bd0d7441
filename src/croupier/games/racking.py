"""Where a settled hand goes: to the rack by the clause of its result, or it lies on the layout (readings 168, 169)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from croupier.games import events as round_events
from croupier.games.results import WagerSettled
from croupier.games.round import Box, Round, hand_of, is_known, open_wagers, own_places, shown_of
from croupier.games.rules import Rules
from croupier.hands import FiveCardHand, five_card
from croupier.rulebook import Judged, line_of
from croupier.rulebook.schema import Cited

__all__ = ["collected_by", "counts_at_last", "to_rack"]


def to_rack(state: Round, box: Box, settled: Sequence[WagerSettled]) -> list[round_events.Event]:
    """A settled hand goes to the rack by the clause of its result, unless it is still looked at (readings 168, 169)."""
    rules, settlement = state.rules, state.rules.house.rulebook.play.settlement
    found: list[round_events.Event] = []
    stays: Collection[int] = ()
    by = collected_by(rules, box, settled)
    if rules.last and any(name in rules.last for one in state.boxes for name in open_wagers(one)):
        stays, outdone = _on_show(state, box)
        cited = settlement.outdone or settlement.racked
        found = [round_events.CardsRacked(own_places(state, seat), cited.clause, cited.reading) for seat in outdone]
    if box.seat in stays and settlement.exposed is not None:
        found.append(round_events.HandLeftExposed(box.seat, settlement.exposed.clause, settlement.exposed.reading))
    elif by is not None and state.cards.plan.own[box.seat][0] not in state.cards.rack:
        found.append(round_events.CardsRacked(own_places(state, box.seat), by.clause, by.reading))
    return found


def collected_by(rules: Rules, box: Box, settled: Sequence[WagerSettled]) -> Cited | None:
    """What collects a hand at its turn, if anything does: the rule for its result."""
    racked, main = rules.house.rulebook.play.settlement.racked, rules.main.name
    if _keeps_lying(rules, box, settled):
        return None
    outcome = next((one.outcome for one in (*settled, *box.results) if one.wager == main), "void")
    cited = {"win": racked.win, "push": racked.push, "lose": racked.lose, "forfeit": racked.lose}.get(outcome)
    return Cited(clause=cited.clause, reading=cited.reading or racked.reading) if cited else None


def _keeps_lying(rules: Rules, box: Box, settled: Sequence[WagerSettled]) -> bool:
    """Whether a hand lies on the layout until the round is closed: a side wager or an award may rest on it."""
    match rules.house.rulebook.play.settlement.racked.unless:
        case "side_wager":
            return any(rules.wagers[name].paytables != "base" for name, _ in box.staked)
        case "award":
            metered = rules.metered
            return metered is not None and any(
                one.wager == metered.name and one.won for one in (*settled, *box.results)
            )
    return False


def _on_show(state: Round, box: Box) -> tuple[Collection[int], list[int]]:
    """Which hands lie face up for a wager on the best hand of the table, and which a better one took off the layout.

    Folded hands lie tucked until they are turned up (readings 82, 151, 168).
    """
    done = {seat for what, seat in state.desk.turns if what == "hand"} | {box.seat}
    community = shown_of(state).community
    seen = {
        one.seat: five_card((*hand_of(state, one).cards, *community))
        for one in state.boxes
        if one.seat in done and counts_at_last(state.rules, one) and is_known(state, own_places(state, one.seat))
    }
    best = max(seen.values(), default=None)
    stays = {seat for seat, hand in seen.items() if hand == best and _wins_last(state.rules, hand)}
    own, rack = state.cards.plan.own, state.cards.rack
    outdone = [
        one.seat
        for one in reversed(state.boxes)
        if one.seat in seen and one.seat not in stays and one.seat != box.seat and own[one.seat][0] not in rack
        if not _keeps_lying(state.rules, one, ())
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
