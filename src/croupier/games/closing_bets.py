"""Bets are closed: the dealer's acts before the deal, the counts of side bets, and what they add to the meters."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.betting_rules import boxes_problem, missing_requirement
from croupier.games.offers import Offer, Range, offer, refuse, spoken
from croupier.games.round import Box, Round, box_at, patron_of, voided_by
from croupier.games.rules import Rules
from croupier.money import MOST, Cents, MeterUnits
from croupier.progressive import contribution
from croupier.rulebook.names import Act, WagerName
from croupier.rulebook.schema import BeforeDeal, Cited

__all__ = ["COUNTS", "contributions", "offers", "stakes_fed", "unfinished_box"]

COUNTS: Final = {"count_progressive", "count_five_card"}


# --- acts


@clause("md-mississippi-stud 8.C", "md-mississippi-stud 9.A(3)(a)", "md-mississippi-stud 10.A(2)(a)")
def perform_problem(state: Round, action: actions.Perform) -> RuleViolation | None:
    """Why an act may not be performed now, or None."""
    row, act = _act_due(state), action.act
    if row is None or act != _name_of(row):
        return _not_due(state, act)
    if (act in COUNTS) != (action.chips is not None) or not 0 <= (action.chips or 0) <= MOST:
        words = "needs the number of chips counted" if act in COUNTS else "takes no count"
        return refuse("no_count", row, f"{spoken(act)} {words}")
    return _still_open(state) if state.at.kind == "wagers" else None


def perform(state: Round, action: actions.Perform) -> list[round_events.Event]:
    """Perform an act of the procedure; a count that is off is recorded, and the act stays due."""
    row, act = _act_due(state), action.act
    if row is None:
        raise ValueError("no act is due")
    if act == "lock_progressive":
        return [*_lock(state), _performed(row, act)]
    number: int | None = None
    if isinstance(row, BeforeDeal) and (act == "place_lammers" or action.chips is not None):
        number = state.proceedings.lammers if act == "count_five_card" else _count_stakes(state, row.offered)
    if action.chips is not None and action.chips != number:
        return [round_events.CountMismatched(act, action.chips, number or 0, row.clause, row.reading)]
    return [_performed(row, act, number)]


def _act_due(state: Round) -> Cited | None:
    """The next act of the procedure."""
    at = state.rules.stages[1] if state.at.kind == "wagers" else state.at
    return at.act or at.announce


def _name_of(row: Cited) -> Act:
    return row.act if isinstance(row, BeforeDeal) else "announce"


def _not_due(state: Round, act: Act) -> RuleViolation:
    house = state.rules.house
    rows = [row for row in house.rulebook.dealing.before_deal if row.act == act]
    here: list[Cited] = [row for row in rows if row.deal == house.deal]
    cited = voided_by(state) or [*here, *rows, state.rules.main][0]
    return refuse("not_now", cited, f"{spoken(act)} is not due now")


def _performed(row: Cited, act: Act, number: int | None = None) -> round_events.ActPerformed:
    return round_events.ActPerformed(act, number, row.clause, row.reading)


def _count_stakes(state: Round, wager: WagerName | None) -> int:
    return sum([wager is not None and box.stake(wager) is not None for box in state.boxes])


def _still_open(state: Round) -> RuleViolation | None:
    """Why bets cannot be closed yet, or None."""
    rules = state.rules
    if not state.boxes:
        return refuse("nobody_bet", rules.main, "nobody has bet")
    for box in state.boxes:
        for wager in rules.wagers.values():
            if wager.stake == "equal" and box.stake(wager.name) is None:
                return refuse("unequal_bets", wager, f"seat {box.seat}: {spoken(wager.name)} is missing")
        seats = [other.seat for other in state.boxes if other.player == box.player]
        if problem := boxes_problem(rules, patron_of(state, box), seats):
            return problem
    return None


def unfinished_box(state: Round) -> Box | None:
    """A box whose bets keep the others from being closed: one is missing, or a player's boxes have a gap before it."""
    if state.at.kind != "wagers":
        return None
    equal = [wager.name for wager in state.rules.wagers.values() if wager.stake == "equal"]
    for box in state.boxes:
        if any(box.stake(name) is None for name in equal):
            return box
    for box in state.boxes:
        before = [other.seat for other in state.boxes if other.player == box.player and other.seat < box.seat]
        if before and box.seat - 1 not in before:
            return box
    return None


# --- the progressive device


def _lock(state: Round) -> list[round_events.Event]:
    """Lock the device: a chip that it has not registered is not a bet and goes back (readings 26, 27)."""
    metered = state.rules.metered
    if metered is None or metered.registered is None:
        return []
    events: list[round_events.Event] = []
    for box in state.boxes:
        amount = box.stake(metered.name)
        if amount is not None and not box.registered:
            cited = metered.registered
            events.append(round_events.WagerReturned(box.seat, metered.name, amount, cited.clause, 26))
    if state.rules.house.options.meter_increment == "at_lock":
        events += contributions(state.rules, stakes_fed(state.rules, state.boxes))
    return events


def contributions(rules: Rules, stakes: list[Cents], *, back: bool = False) -> list[round_events.Event]:
    """What stakes add to each meter and to the reserve (readings 18, 19), or a correction (reading 20)."""
    metered = rules.metered
    total = sum(stakes)
    if metered is None or not total:
        return []
    offered = rules.offered[metered.name]
    rates = [*((meter.name, meter.rate) for meter in offered.meters), ("reserve", offered.reserve_rate)]
    sign, cited = -1 if back else 1, rules.house.rulebook.paytables.rate or metered
    return [
        round_events.MeterRaised(name, MeterUnits(sign * contribution(total, rate)), cited.clause, offered.link)
        for name, rate in rates
        if rate
    ]


def stakes_fed(rules: Rules, boxes: Collection[Box]) -> list[Cents]:
    """The registered stakes of these boxes, which feed the meters."""
    name = rules.metered.name if rules.metered else None
    return [amount for box in boxes if name and box.registered and (amount := box.stake(name)) is not None]


# --- cancelling


def cancel_problem(state: Round, action: actions.CancelWager) -> RuleViolation | None:
    """Why a wager may not be canceled, or None."""
    row, box = _act_due(state), box_at(state, action.seat)
    if not isinstance(row, BeforeDeal) or row.act not in COUNTS or row.offered != action.wager:
        cited = _counted_by(state, action.wager)
        return refuse("not_now", cited, "a wager may be canceled only when its chip count is off", reading=26)
    if box is None or box.stake(action.wager) is None:
        return refuse("nothing_there", row, f"seat {action.seat} has no {spoken(action.wager)}")
    return None


def _counted_by(state: Round, wager: WagerName) -> Cited:
    """The count that may cancel a wager; before bets close, or where nothing is counted, the act that closes them."""
    acts = [stage.act for stage in state.rules.stages if stage.act]
    rows = [act for act in acts if act.act in COUNTS and act.offered == wager]
    return rows[0] if rows and state.at.kind != "wagers" else state.rules.house.rulebook.wagers.closed


def cancel_wager(state: Round, action: actions.CancelWager) -> list[round_events.Event]:
    """Cancel a wager whose chip is missing, and whatever needed it."""
    row, box = _act_due(state), box_at(state, action.seat)
    amount = box.stake(action.wager) if box else None
    if row is None or box is None or amount is None:
        raise ValueError("there is no such wager")
    events: list[round_events.Event] = [round_events.WagerReturned(action.seat, action.wager, amount, row.clause, 26)]
    if box.registered and state.proceedings.raised and state.rules.wagers[action.wager].registered:
        events += contributions(state.rules, [amount], back=True)
    left = {name: stake for name, stake in box.staked if name != action.wager}
    for name, stake in list(left.items()):
        missing = missing_requirement(state.rules, state.rules.wagers[name], left)
        if missing is not None:
            del left[name]
            events.append(round_events.WagerReturned(action.seat, name, stake, missing.clause, 96))  # reading 96
    return events


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """The act due now, and the wagers that a count may cancel."""
    row = _act_due(state)
    if row is None:
        return
    act = _name_of(row)
    if perform_problem(state, actions.Perform(act, 0 if act in COUNTS else None)) is None:
        yield offer("perform", act=act, chips=Range(0, MOST) if act in COUNTS else None)
    if isinstance(row, BeforeDeal) and row.offered and act in COUNTS:
        for box in state.boxes:
            if cancel_problem(state, actions.CancelWager(box.seat, row.offered)) is None:
                yield offer("cancel_wager", seat=box.seat, wager=row.offered)
