"""Before the deal: players place, change and take back wagers and coupons, and the device registers the progressive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.betting_rules import (
    coupon_problem,
    least_main,
    least_main_beside,
    missing_requirement,
    offered_problem,
    seat_problem,
    stakes_on,
)
from croupier.games.offers import Except, Offer, Range, is_name, offer, refuse, spoken
from croupier.games.round import Box, Round, box_at, boxes_of, patron_of
from croupier.games.rules import Rules
from croupier.money import Cents, print_dollars
from croupier.rulebook import Stakes
from croupier.rulebook.names import WagerName
from croupier.rulebook.schema import Cited, Wager

__all__ = ["offers", "stakes_at"]


# --- placing


@clause("md-mississippi-stud 7.D", "md-mississippi-stud 7.E", "md-high-card-flush 7.D", "md-high-card-flush 7.E")
@clause("md-let-it-ride .07C", "md-let-it-ride .07D", "ma-mississippi-stud 6(b)")
def place_problem(state: Round, action: actions.PlaceWager) -> RuleViolation | None:
    """Why a wager may not be placed or changed, or None."""
    rules = state.rules
    if problem := offered_problem(rules, action.wager):
        return problem
    wager = rules.wagers[action.wager]
    if state.at.kind != "wagers":
        return refuse("bets_closed", wager.closes, "no more bets: nothing may be placed now")
    if problem := seat_problem(rules, action.seat) or _instrument_problem(rules, action.instrument):
        return problem
    seated = rules.house.rulebook.wagers.seated
    if not is_name(action.patron):
        return refuse("no_such_patron", seated, "a patron's name must be printable and at most 100 characters")
    box = box_at(state, action.seat)
    patron = _bettor(state, action, box)
    if box is None:
        problem = _new_box_problem(state, wager, action.seat, patron)
    elif patron != (owner := patron_of(state, box)):
        problem = refuse("not_your_seat", seated, f"seat {action.seat} is {owner}'s: only the seated player may bet")
    else:
        problem = _beside_problem(rules, box, wager, action.amount)
    return problem or _amount_problem(rules, wager, stakes_at(state, wager, box, patron), action.amount)


def _beside_problem(rules: Rules, box: Box, wager: Wager, amount: Cents) -> RuleViolation | None:
    """Why a stake does not go with what already lies in its box, or None."""
    before = box.stake(wager.name)
    if before is not None:
        return _change_problem(rules, box, wager, before, amount)
    missing = missing_requirement(rules, wager, [name for name, _ in box.staked])
    if missing is None:
        return None
    message = f"{spoken(wager.name)} needs {spoken(missing.wager)}, which is not placed"
    return refuse("prerequisite_missing", missing, message)


def place_wager(state: Round, action: actions.PlaceWager) -> list[round_events.Event]:
    """Place a stake, or change one already placed."""
    wager, box = state.rules.wagers[action.wager], box_at(state, action.seat)
    placed = round_events.WagerPlaced(
        action.seat,
        _bettor(state, action, box),
        action.wager,
        action.amount,
        action.instrument,
        wager.clause,
        wager.reading,
    )
    before = box.stake(action.wager) if box else None
    if before is None:
        return [placed]
    closed = state.rules.house.rulebook.wagers.closed
    taken_back = round_events.WagerTakenBack(
        action.seat, action.wager, before, changed=True, clause=closed.clause, reading=closed.reading
    )
    return [taken_back, placed]


def _bettor(state: Round, action: actions.PlaceWager, box: Box | None) -> str:
    """Who is betting: the player named, else the player of the box, else the seat itself."""
    return action.patron or (patron_of(state, box) if box else f"seat {action.seat}")


def _instrument_problem(rules: Rules, instrument: str) -> RuleViolation | None:
    allowed = rules.house.rulebook.wagers.instruments
    if instrument == "verbal_cash":
        return refuse("verbal_bet", allowed.verbal_cash, "a verbal bet backed by cash is not accepted")
    if instrument not in rules.instruments:
        return refuse("not_accepted", allowed, f"wagers are made with {', '.join(map(spoken, rules.instruments))}")
    return None


def _new_box_problem(state: Round, wager: Wager, seat: int, patron: str) -> RuleViolation | None:
    """Why a player may not open a box here: one each, or the adjacent boxes of the submission (reading 87)."""
    rules, cited = state.rules, state.rules.house.rulebook.table.boxes
    if wager is not rules.main:
        needed = wager.requires[0] if wager.requires else rules.main
        message = f"{spoken(wager.name)} needs the {spoken(rules.main.name)} first"
        return refuse("main_wager_missing", needed, message)
    own = boxes_of(state, patron)
    if not own:
        return None
    most, least = rules.house.boxes, least_main(rules, several=True)
    if len(own) >= most:
        return refuse("too_many_boxes", cited, f"{patron} may play at most {most} {'box' if most == 1 else 'boxes'}")
    if not any(abs(box.seat - seat) == 1 for box in own):
        return refuse("boxes_not_adjacent", cited, f"the boxes of {patron} would not be adjacent", reading=87)
    if any(box.main < least for box in own):
        message = f"a player with several boxes must bet at least {print_dollars(least)} on each"
        return refuse("box_minimum", cited, message, reading=87)
    return None


def _change_problem(rules: Rules, box: Box, wager: Wager, before: Cents, amount: Cents) -> RuleViolation | None:
    """Why a stake may not be changed to this amount, or None; a main wager must still fit the bets beside it."""
    if amount == before:
        return refuse("already_placed", wager, f"{spoken(wager.name)} is already placed")
    if wager is not rules.main:
        return None
    for name, stake in box.staked:
        side = rules.wagers[name]
        if side.stake == "equal":
            return refuse("unequal_bets", side, f"take back {spoken(name)} first: all main bets must be equal")
        if amount < least_main_beside(rules, side, stake):
            message = f"{spoken(name)} of {print_dollars(stake)} is too much for a bet of {print_dollars(amount)}"
            return refuse("outside_limits", side, message, reading=180)
    coupon = rules.house.rulebook.wagers.instruments.coupon
    if coupon is not None and amount < box.coupon:
        message = f"chips must match the coupon of {print_dollars(box.coupon)}"
        return refuse("coupon_not_matched", coupon, message)
    return None


def stakes_at(state: Round, wager: Wager, box: Box | None, patron: str) -> Stakes:
    """What may be staked on a wager at a box now."""
    if box is None:
        return stakes_on(state.rules, wager, main=None, several=bool(boxes_of(state, patron)))
    return _stakes_in(state.rules, wager, box, several=_plays_others(state, box))


def _stakes_in(rules: Rules, wager: Wager, box: Box, *, several: bool) -> Stakes:
    if wager.stake == "equal":
        return Stakes(box.main, box.main, box.main)
    return stakes_on(rules, wager, main=box.main, several=several)


def _plays_others(state: Round, box: Box) -> bool:
    """Whether the player of a box has another one."""
    return any([other.player == box.player and other is not box for other in state.boxes])  # noqa: C419 - faster for a few


def _amount_problem(rules: Rules, wager: Wager, stakes: Stakes, amount: Cents) -> RuleViolation | None:
    if stakes.admits(amount):
        return None
    name = spoken(wager.name)
    if wager.stake == "equal":
        return refuse("unequal_bets", wager, f"{name} must equal the other bets, {stakes}")
    if wager.stake == "fixed":
        return refuse("stake_not_accepted", wager, f"{name} must be {stakes}", reading=184)
    offered = rules.offered[wager.name].stakes
    relative = offered is not None and stakes.maximum < amount <= offered.maximum
    return refuse("outside_limits", wager, f"{name} must be {stakes}", reading=180 if relative else 189)


# --- taking back


def take_back_problem(state: Round, action: actions.TakeBack) -> RuleViolation | None:
    """Why a stake may not be taken back, or None."""
    rules, box, wager = state.rules, box_at(state, action.seat), state.rules.wagers.get(action.wager)
    if box is None or wager is None or box.stake(action.wager) is None:
        message = f"seat {action.seat} has no {spoken(action.wager)}"
        return refuse("nothing_there", wager or rules.main, message)
    if state.at.kind != "wagers":
        closed = rules.house.rulebook.wagers.closed
        return refuse("bets_closed", closed, "no more bets: nothing may be taken back now")
    if needed := _needed_by(rules, box, action.wager):
        return refuse("prerequisite_missing", needed, f"another wager still needs {spoken(action.wager)}")
    return None


def _needed_by(rules: Rules, box: Box, wager: WagerName) -> Cited | None:
    """The wagers that require this one."""
    left = [name for name, _ in box.staked if name != wager]
    if wager == rules.main.name and box.coupon:
        return rules.house.rulebook.wagers.instruments.coupon
    for name in left:
        missing = missing_requirement(rules, rules.wagers[name], left)
        if missing is not None:
            return missing
    return None


def take_back(state: Round, action: actions.TakeBack) -> list[round_events.Event]:
    """Give a stake back to its player."""
    box, closed = box_at(state, action.seat), state.rules.house.rulebook.wagers.closed
    amount = (box.stake(action.wager) if box else None) or Cents(0)
    return [
        round_events.WagerTakenBack(action.seat, action.wager, amount, clause=closed.clause, reading=closed.reading)
    ]


# --- match play


def place_coupon_problem(state: Round, action: actions.PlaceCoupon) -> RuleViolation | None:
    """Why a coupon may not be placed, or None."""
    rules, cited, box = state.rules, _coupon_rule(state), box_at(state, action.seat)
    if rules.house.match_play is None:
        return coupon_problem(rules, action.value, Cents(0))
    if state.at.kind != "wagers":
        return refuse("bets_closed", rules.main.closes, "no more bets: nothing may be placed now")
    if box is None:
        return refuse("main_wager_missing", cited, f"a coupon needs the {spoken(rules.main.name)} beside it")
    if box.coupon:
        return refuse("already_placed", cited, f"seat {action.seat} already has a coupon")
    return coupon_problem(rules, action.value, box.main)


def place_coupon(state: Round, action: actions.PlaceCoupon) -> list[round_events.Event]:
    """Place a coupon beside the main wager."""
    cited = _coupon_rule(state)
    return [round_events.CouponPlaced(action.seat, action.value, cited.clause, cited.reading)]


def take_back_coupon_problem(state: Round, action: actions.TakeBackCoupon) -> RuleViolation | None:
    """Why a coupon may not be taken back, or None."""
    box = box_at(state, action.seat)
    if box is None or not box.coupon:
        return refuse("nothing_there", _coupon_rule(state), f"seat {action.seat} has no coupon")
    if state.at.kind != "wagers":
        closed = state.rules.house.rulebook.wagers.closed
        return refuse("bets_closed", closed, "no more bets: nothing may be taken back now")
    return None


def take_back_coupon(state: Round, action: actions.TakeBackCoupon) -> list[round_events.Event]:
    """Give a coupon back to its player."""
    cited = _coupon_rule(state)
    return [round_events.CouponTakenBack(action.seat, cited.clause, cited.reading)]


def _coupon_rule(state: Round) -> Cited:
    instruments = state.rules.house.rulebook.wagers.instruments
    return instruments.coupon or instruments


# --- the device


def register_problem(state: Round, action: actions.RegisterWager) -> RuleViolation | None:
    """Why the device may not register a wager, or None."""
    metered = state.rules.metered
    if metered is None or metered.registered is None:
        return refuse("wager_not_offered", state.rules.main, "the progressive is not offered here: there is no device")
    if state.at.kind != "wagers":
        return refuse("bets_closed", metered.locked or metered.closes, "no more bets: the device is locked")
    box = box_at(state, action.seat)
    if box is None or box.stake(metered.name) is None:
        return refuse("nothing_there", metered.registered, f"there is no chip in the device at seat {action.seat}")
    if box.registered:
        return refuse("already_placed", metered.registered, "the device has already registered this wager")
    return None


def register(state: Round, action: actions.RegisterWager) -> list[round_events.Event]:
    """Record that the device registered the progressive wager of a seat."""
    metered = state.rules.metered
    if metered is None or metered.registered is None:
        raise ValueError("the progressive is not offered")
    cited = metered.registered
    return [round_events.WagerRegistered(action.seat, metered.name, cited.clause, cited.reading)]


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """Which wagers and coupons may be placed, changed and taken back now."""
    boxes = {box.seat: box for box in state.boxes}
    patrons = {box.seat: patron_of(state, box) for box in state.boxes}
    for seat in range(1, state.rules.house.seats + 1):
        box = boxes.get(seat)
        yield from _new_box_offers(state, seat, patrons) if box is None else _box_offers(state, box, patrons[seat])


def _box_offers(state: Round, box: Box, patron: str) -> Iterator[Offer]:
    rules, seat, several = state.rules, box.seat, _plays_others(state, box)
    for name, house_wager in rules.offered.items():
        if house_wager.stakes is not None:
            wager = rules.wagers[name]
            for stakes in _amounts(rules, wager, box, _stakes_in(rules, wager, box, several=several)):
                if _beside_problem(rules, box, wager, stakes.minimum) is None:
                    yield _place(rules, seat, name, stakes, ("", patron))
    for name, _ in box.staked:
        if _needed_by(rules, box, name) is None:
            yield offer("take_back", seat=seat, wager=name)
    if box.coupon:
        yield offer("take_back_coupon", seat=seat)
    elif rules.house.match_play is not None and coupon_problem(rules, box.main, box.main) is None:
        yield offer("place_coupon", seat=seat, value=Range(1, box.main))
    device = rules.metered is not None and not box.registered
    if device and register_problem(state, actions.RegisterWager(seat)) is None:
        yield offer("register", seat=seat)


def _amounts(rules: Rules, wager: Wager, box: Box, stakes: Stakes) -> Iterator[Stakes]:
    """The amounts that may be staked on a wager of a box, other than the amount already placed."""
    low, high, step, before = stakes.minimum, stakes.maximum, stakes.increment, box.stake(wager.name)
    if wager is rules.main:
        sides = [least_main_beside(rules, rules.wagers[name], amount) for name, amount in box.staked]
        low = Cents(low + max(0, -(-(max(box.coupon, *sides) - low) // step)) * step)
    parts = [(low, high)]
    if before is not None:
        under = Cents(low + (before - 1 - low) // step * step)
        parts = [(low, under), (Cents(max(low, under + step + (step if under + step == before else 0))), high)]
    for least, most in parts:
        if least <= most:
            yield Stakes(least, most, step)


def _new_box_offers(state: Round, seat: int, patrons: Mapping[int, str]) -> Iterator[Offer]:
    """A new player may sit down anywhere, a seated one next to the boxes already played."""
    rules, main, stranger = state.rules, state.rules.main, f"seat {seat}"
    seated = tuple(dict.fromkeys(patrons.values()))
    stakes = stakes_on(rules, main, main=None, several=False)
    yield _place(rules, seat, main.name, stakes, Except((*seated, "") if stranger in seated else seated))
    beside = [patrons[next_to] for next_to in patrons if abs(next_to - seat) == 1] if rules.house.boxes > 1 else ()
    for patron in dict.fromkeys(beside):
        stakes = stakes_on(rules, main, main=None, several=True)
        if (
            _new_box_problem(state, main, seat, patron) or _amount_problem(rules, main, stakes, stakes.minimum)
        ) is None:
            yield _place(rules, seat, main.name, stakes, (patron, "") if patron == stranger else (patron,))


def _place(rules: Rules, seat: int, name: WagerName, stakes: Stakes, whose: tuple[str, ...] | Except) -> Offer:
    return offer("place_wager", seat=seat, wager=name, amount=stakes, patron=whose, instrument=rules.instruments)
