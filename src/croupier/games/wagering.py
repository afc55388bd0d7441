"""Before the deal: stakes, coupons, the progressive device, and the acts that close the bets."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.offers import Except, Offer, Range, is_name, offer, refuse
from croupier.games.round import Box, Round, box_at, boxes_of, patron_of, voided_by
from croupier.games.rules import Rules
from croupier.money import MOST, Cents, MeterUnits, print_dollars
from croupier.progressive import contribution
from croupier.rulebook import Stakes
from croupier.rulebook.names import Act, WagerName
from croupier.rulebook.schema import BeforeDeal, Cited, Requirement, Wager

__all__ = ["contributions", "missing_requirement", "offers", "perform", "raised_by", "stakes_at"]

COUNTS: Final = {"count_progressive", "count_five_card"}
_PLACED: Final = {"limits", "equal", "fixed"}


# --- stakes


@clause("md-mississippi-stud 7.D", "md-mississippi-stud 7.E", "md-high-card-flush 7.D", "md-high-card-flush 7.E")
@clause("md-let-it-ride .07C", "md-let-it-ride .07D", "ma-mississippi-stud 6(b)")
def place_wager(state: Round, action: actions.PlaceWager) -> list[round_events.Event]:
    rules = state.rules
    wager = rules.wagers.get(action.wager)
    if wager is None or action.wager not in rules.offered:
        raise refuse("wager_not_offered", wager or rules.main, f"{_say(action.wager)} is not offered here")
    if wager.stake not in _PLACED:
        raise refuse("not_before_the_deal", wager, f"{action.wager} follows from the decisions", reading=wager.reading)
    if state.at.kind != "wagers":
        raise refuse("bets_closed", wager.closes, "no more bets: nothing may be placed now")
    table = rules.house.rulebook.table
    if not 1 <= action.seat <= rules.house.seats:
        raise refuse("no_such_seat", table.seats, f"the table has seats 1 to {rules.house.seats}")
    _check_instrument(rules, action.instrument)
    if not is_name(action.patron):
        raise refuse("no_such_patron", rules.house.rulebook.wagers.seated, "a patron has a name that can be written")
    box = box_at(state, action.seat)
    patron = action.patron or (patron_of(state, box) if box else f"seat {action.seat}")
    if box is None:
        if wager is not rules.main:
            needed = wager.requires[0] if wager.requires else rules.main
            raise refuse("main_wager_missing", needed, f"{_say(action.wager)} needs the {_say(rules.main.name)} first")
        if problem := _box_problem(state, action.seat, patron):
            raise problem
    elif patron != (owner := patron_of(state, box)):
        seated = rules.house.rulebook.wagers.seated
        raise refuse("not_your_seat", seated, f"seat {action.seat} is {owner}'s: only who sits there may bet")
    elif (before := box.stake(action.wager)) is not None:
        return _change(state, box, wager, before, action)
    else:
        missing = missing_requirement(rules, wager, [name for name, _ in box.staked])
        if missing is not None:
            message = f"{_say(action.wager)} needs {_say(missing.wager)}, which is not placed"
            raise refuse("prerequisite_missing", missing, message)
    _check_amount(state, wager, box, patron, action.amount)
    return [_placed(wager, patron, action)]


def _placed(wager: Wager, patron: str, action: actions.PlaceWager) -> round_events.WagerPlaced:
    return round_events.WagerPlaced(
        action.seat, patron, action.wager, action.amount, action.instrument, wager.clause, wager.reading
    )


def _change(
    state: Round, box: Box, wager: Wager, before: Cents, action: actions.PlaceWager
) -> list[round_events.Event]:
    """The player adds chips to a stake or takes some off, as long as bets may be placed."""
    if action.amount == before:
        raise refuse("already_placed", wager, f"{_say(action.wager)} is placed already")
    if wager is state.rules.main:
        _check_beside(state.rules, box, action.amount)
    _check_amount(state, wager, box, patron_of(state, box), action.amount)
    closed = state.rules.house.rulebook.wagers.closed
    return [
        round_events.WagerTakenBack(
            box.seat, action.wager, before, changed=True, clause=closed.clause, reading=closed.reading
        ),
        _placed(wager, patron_of(state, box), action),
    ]


def _check_beside(rules: Rules, box: Box, main: Cents) -> None:
    """What lies beside the main wager must still fit it."""
    coupon = rules.house.rulebook.wagers.instruments.coupon
    for name, amount in box.staked:
        wager = rules.wagers[name]
        if wager.stake == "equal":
            raise refuse("unequal_bets", wager, f"{_say(name)} must equal the bet beside it: it is taken back first")
        if main < _least_beside(rules, wager, amount):
            message = f"{_say(name)} is {print_dollars(amount)}: that is too much beside {print_dollars(main)}"
            raise refuse("outside_limits", wager, message, reading=180)
    if coupon is not None and main < box.coupon:
        raise refuse("coupon_not_matched", coupon, f"the coupon of {print_dollars(box.coupon)} is matched by chips")


def _least_beside(rules: Rules, wager: Wager, amount: Cents) -> Cents:
    """The least main wager beside which this stake may lie (reading 180)."""
    relative = rules.house.options.limits_side_bet_max_relative
    is_bound = relative and wager.stake == "limits" and wager is not rules.main
    return Cents(-(-amount // relative)) if is_bound else Cents(0)


def _check_instrument(rules: Rules, instrument: str) -> None:
    allowed = rules.house.rulebook.wagers.instruments
    if instrument == "verbal_cash":
        raise refuse("verbal_bet", allowed.verbal_cash, "a spoken bet backed by cash is not accepted")
    if instrument not in _instruments(rules):
        words = ", ".join(_say(one) for one in _instruments(rules))
        raise refuse("not_accepted", allowed, f"a wager is made with {words}")


def _instruments(rules: Rules) -> tuple[str, ...]:
    return tuple(one for one in rules.house.rulebook.wagers.instruments.accepted if one != "match_play_coupon")


def _box_problem(state: Round, seat: int, patron: str) -> RuleViolation | None:
    """One position a player, or the adjacent boxes of the submission (reading 87)."""
    rules, cited = state.rules, state.rules.house.rulebook.table.boxes
    mine = boxes_of(state, patron)
    least = _least_main(rules, several=True)
    if not mine:
        return None
    if len(mine) >= rules.house.boxes:
        return refuse("too_many_boxes", cited, f"{patron} may have {_count(rules.house.boxes, 'box', 'boxes')}")
    if not any(abs(box.seat - seat) == 1 for box in mine):
        return refuse("boxes_not_adjacent", cited, f"the boxes of {patron} would not touch", reading=87)
    if any((box.stake(rules.main.name) or 0) < least for box in mine):
        message = f"with several boxes each takes at least {print_dollars(least)}"
        return refuse("box_minimum", cited, message, reading=87)
    return None


def _least_main(rules: Rules, *, several: bool) -> Cents:
    stakes = rules.offered[rules.main.name].stakes
    least = stakes.minimum if stakes else Cents(0)
    return Cents(least * rules.house.options.boxes_min_multiplier) if several else least


def missing_requirement(rules: Rules, wager: Wager, placed: Collection[str]) -> Requirement | None:
    """The first wager that this one needs and that is not placed (readings 88, 89)."""
    asked = rules.house.options.six_card_requires
    for requirement in wager.requires:
        if requirement.if_offered:
            skipped = requirement.wager.removesuffix("_bonus") not in asked
            if requirement.wager not in rules.offered or skipped:
                continue
        if requirement.wager not in placed:
            return requirement
    return None


def stakes_at(state: Round, wager: Wager, box: Box | None, patron: str) -> Stakes:
    """What may be staked on a wager at a box now."""
    rules = state.rules
    stakes = rules.offered[wager.name].stakes
    if stakes is None:
        raise ValueError(f"{wager.name} has no stakes of its own")
    main = box.stake(rules.main.name) if box else None
    if wager.stake == "equal" and main is not None:
        return Stakes(main, main, main)
    if wager is rules.main:
        several = any(box is None or one.seat != box.seat for one in boxes_of(state, patron))
        least = _least_main(rules, several=several)
        return Stakes(least, stakes.maximum, stakes.increment)
    relative = rules.house.options.limits_side_bet_max_relative
    if relative and wager.stake == "limits" and main is not None:
        return Stakes(stakes.minimum, Cents(min(stakes.maximum, relative * main)), stakes.increment)
    return stakes


def _check_amount(state: Round, wager: Wager, box: Box | None, patron: str, amount: Cents) -> None:
    stakes = stakes_at(state, wager, box, patron)
    if not stakes.admits(amount):
        if wager.stake == "equal":
            raise refuse("unequal_bets", wager, f"{_say(wager.name)} must equal the bet beside it, {stakes}")
        if wager.stake == "fixed":
            raise refuse("stake_not_accepted", wager, f"{_say(wager.name)} is {stakes}, no other amount", reading=184)
        offered = state.rules.offered[wager.name].stakes
        relative = offered is not None and stakes.maximum < amount <= offered.maximum
        reading = 180 if relative else 189
        raise refuse("outside_limits", wager, f"{_say(wager.name)} is {stakes}", reading=reading)


def take_back(state: Round, action: actions.TakeBack) -> list[round_events.Event]:
    box, wager = box_at(state, action.seat), state.rules.wagers.get(action.wager)
    amount = box.stake(action.wager) if box else None
    if box is None or wager is None or amount is None:
        raise refuse(
            "nothing_there", wager or state.rules.main, f"nothing lies on {action.wager} at seat {action.seat}"
        )
    if state.at.kind != "wagers":
        raise refuse(
            "bets_closed", state.rules.house.rulebook.wagers.closed, "no more bets: nothing may be taken back now"
        )
    if keeper := _needed_by(state.rules, box, action.wager):
        raise refuse("prerequisite_missing", keeper, f"another wager still needs {_say(action.wager)}")
    closed = state.rules.house.rulebook.wagers.closed
    return [
        round_events.WagerTakenBack(action.seat, action.wager, amount, clause=closed.clause, reading=closed.reading)
    ]


def _needed_by(rules: Rules, box: Box, wager: WagerName) -> Cited | None:
    """What would be left without its prerequisite."""
    left = [name for name, _ in box.staked if name != wager]
    if wager == rules.main.name and box.coupon:
        return rules.house.rulebook.wagers.instruments.coupon
    for name in left:
        missing = missing_requirement(rules, rules.wagers[name], left)
        if missing is not None:
            return missing
    return None


# --- match play


def place_coupon(state: Round, action: actions.PlaceCoupon) -> list[round_events.Event]:
    rules, instruments = state.rules, state.rules.house.rulebook.wagers.instruments
    cited = instruments.coupon or instruments
    if rules.house.match_play is None:
        raise refuse("not_accepted", cited, "match play coupons are not accepted here", reading=95)
    if state.at.kind != "wagers":
        raise refuse("bets_closed", rules.main.closes, "no more bets: nothing may be placed now")
    box = box_at(state, action.seat)
    if box is None:
        raise refuse("main_wager_missing", cited, f"a coupon lies beside the {_say(rules.main.name)}")
    if box.coupon:
        raise refuse("already_placed", cited, "there is a coupon already")
    main = box.stake(rules.main.name) or Cents(0)
    if not 0 < action.value <= main:
        raise refuse("coupon_not_matched", cited, f"a coupon is matched by chips: at most {print_dollars(main)}")
    return [round_events.CouponPlaced(action.seat, action.value, cited.clause, cited.reading)]


def take_back_coupon(state: Round, action: actions.TakeBackCoupon) -> list[round_events.Event]:
    box, instruments = box_at(state, action.seat), state.rules.house.rulebook.wagers.instruments
    if box is None or not box.coupon:
        raise refuse("nothing_there", instruments.coupon or instruments, f"no coupon lies at seat {action.seat}")
    if state.at.kind != "wagers":
        raise refuse(
            "bets_closed", state.rules.house.rulebook.wagers.closed, "no more bets: nothing may be taken back now"
        )
    cited = instruments.coupon or instruments
    return [round_events.CouponTakenBack(action.seat, cited.clause, cited.reading)]


# --- the device


def register(state: Round, action: actions.RegisterWager) -> list[round_events.Event]:
    metered = state.rules.metered
    if metered is None or metered.registered is None:
        raise refuse("wager_not_offered", state.rules.main, "no device: the progressive is not offered here")
    if state.at.kind != "wagers":
        raise refuse("bets_closed", metered.locked or metered.closes, "no more bets: the device is locked")
    box = box_at(state, action.seat)
    if box is None or box.stake(metered.name) is None:
        raise refuse("nothing_there", metered.registered, f"no chip lies in the device of seat {action.seat}")
    if box.registered:
        raise refuse("already_placed", metered.registered, "the device has accepted this wager already")
    cited = metered.registered
    return [round_events.WagerRegistered(action.seat, metered.name, cited.clause, cited.reading)]


# --- the acts that close the bets


@clause("md-mississippi-stud 8.C", "md-mississippi-stud 9.A(3)(a)", "md-mississippi-stud 10.A(2)(a)")
def perform(state: Round, action: actions.Perform) -> list[round_events.Event]:
    """An act of the procedure, in its turn."""
    row = _act_now(state)
    if row is None or action.act != (row.act if isinstance(row, BeforeDeal) else "announce"):
        raise _not_now(state, action)
    if (action.act in COUNTS) != (action.chips is not None) or not 0 <= (action.chips or 0) <= MOST:
        words = "says how many chips were counted" if action.act in COUNTS else "counts nothing"
        raise refuse("no_count", row, f"{_say(action.act)} {words}")
    if action.act == "announce" and state.at.kind == "wagers":
        if problem := _unfinished(state):
            raise problem
        return [_performed(row, action.act)]
    if action.act == "lock_progressive":
        return [*_lock(state), _performed(row, action.act)]
    if action.act == "place_lammers" and isinstance(row, BeforeDeal):
        return [_performed(row, action.act, _stakes_on(state, row.offered))]
    if action.chips is not None and isinstance(row, BeforeDeal):
        expected = state.desk.lammers if action.act == "count_five_card" else _stakes_on(state, row.offered)
        if action.chips != expected:
            return [round_events.CountMismatched(action.act, action.chips, expected or 0, row.clause, row.reading)]
        return [_performed(row, action.act, action.chips)]
    return [_performed(row, action.act)]


def _act_now(state: Round) -> Cited | None:
    """The act that the procedure wants next."""
    at = state.rules.stages[1] if state.at.kind == "wagers" else state.at
    return at.act or at.announce


def _not_now(state: Round, action: actions.Perform) -> RuleViolation:
    house = state.rules.house
    rows = [one for one in house.rulebook.dealing.before_deal if one.act == action.act]
    here: list[Cited] = [one for one in rows if one.deal == house.deal]
    cited = voided_by(state) or [*here, *rows, state.rules.main][0]
    return refuse("not_now", cited, f"it is not the moment: {_say(action.act)}")


def _performed(row: Cited, act: Act, number: int | None = None) -> round_events.ActPerformed:
    return round_events.ActPerformed(act, number, row.clause, row.reading)


def _stakes_on(state: Round, wager: WagerName | None) -> int:
    return sum([wager is not None and box.stake(wager) is not None for box in state.boxes])


def _unfinished(state: Round) -> RuleViolation | None:
    """Why bets cannot be closed yet."""
    rules = state.rules
    if not state.boxes:
        return refuse("nobody_bet", rules.main, "nobody has bet: there is no round")
    seats: dict[int, int] = {}
    for box in state.boxes:
        for wager in rules.wagers.values():
            if wager.stake == "equal" and box.stake(wager.name) is None:
                return refuse("unequal_bets", wager, f"seat {box.seat}: {_say(wager.name)} is missing")
        if box.seat - seats.get(box.player, box.seat - 1) != 1:
            message = f"the boxes of {patron_of(state, box)} do not touch"
            return refuse("boxes_not_adjacent", rules.house.rulebook.table.boxes, message, reading=87)
        seats[box.player] = box.seat
    return None


def _lock(state: Round) -> list[round_events.Event]:
    """The device takes no more bets: a chip that it has not accepted is no bet and goes back (readings 26, 27)."""
    metered = state.rules.metered
    if metered is None or metered.registered is None:
        return []
    found: list[round_events.Event] = []
    accepted = []
    for box in state.boxes:
        amount = box.stake(metered.name)
        if amount is not None and box.registered:
            accepted.append(amount)
        elif amount is not None:
            cited = metered.registered
            found.append(round_events.WagerReturned(box.seat, metered.name, amount, cited.clause, 26))
    if state.rules.house.options.meter_increment == "at_lock":
        found += contributions(state.rules, accepted)
    return found


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


def raised_by(rules: Rules, boxes: Collection[Box]) -> list[Cents]:
    """The stakes of these boxes that feed the meters."""
    name = rules.metered.name if rules.metered else None
    return [amount for box in boxes if name and box.registered and (amount := box.stake(name)) is not None]


def cancel_wager(state: Round, action: actions.CancelWager) -> list[round_events.Event]:
    row, box = _act_now(state), box_at(state, action.seat)
    wager = state.rules.wagers.get(action.wager, state.rules.main)
    if not isinstance(row, BeforeDeal) or row.act not in COUNTS or row.offered != action.wager:
        cited = _counted(state, action.wager)
        raise refuse("not_now", cited, "a wager is cancelled only when its chips do not add up", reading=26)
    amount = box.stake(action.wager) if box else None
    if amount is None:
        raise refuse("nothing_there", row, f"seat {action.seat} has no {_say(action.wager)}")
    found: list[round_events.Event] = [round_events.WagerReturned(action.seat, action.wager, amount, row.clause, 26)]
    if box and box.registered and state.desk.raised and wager.registered:
        found += contributions(state.rules, [amount], back=True)
    return [*found, *_without_prerequisite(state, action)]


def _counted(state: Round, wager: WagerName) -> Cited:
    """The count that may cancel a wager; before bets are closed, and where nothing is counted, what closes them."""
    rows = [one.act for one in state.rules.stages if one.act and one.act.act in COUNTS and one.act.offered == wager]
    return rows[0] if rows and state.at.kind != "wagers" else state.rules.house.rulebook.wagers.closed


def _without_prerequisite(state: Round, action: actions.CancelWager) -> list[round_events.Event]:
    """Wagers that a cancelled one leaves without their prerequisite go back too (reading 96)."""
    box, found = box_at(state, action.seat), list[round_events.Event]()
    left = {name: amount for name, amount in (box.staked if box else ()) if name != action.wager}
    for name, amount in list(left.items()):
        missing = missing_requirement(state.rules, state.rules.wagers[name], left)
        if missing is not None:
            del left[name]
            found.append(round_events.WagerReturned(action.seat, name, amount, missing.clause, 96))
    return found


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """What may be done before the deal."""
    row = _act_now(state)
    if state.at.kind == "wagers":
        yield from _wager_offers(state)
        if _unfinished(state) is None:
            yield offer("perform", act="announce", chips=None)
        return
    if row is None:
        return
    act = row.act if isinstance(row, BeforeDeal) else "announce"
    if act in COUNTS and isinstance(row, BeforeDeal) and row.offered:
        yield offer("perform", act=act, chips=Range(0, MOST))
        for box in state.boxes:
            if box.stake(row.offered) is not None:
                yield offer("cancel_wager", seat=box.seat, wager=row.offered)
    else:
        yield offer("perform", act=act, chips=None)


def _wager_offers(state: Round) -> Iterator[Offer]:
    rules = state.rules
    for seat in range(1, rules.house.seats + 1):
        box = box_at(state, seat)
        if box is None:
            yield from _new_box_offers(state, seat)
            continue
        placed = [name for name, _ in box.staked]
        for name in rules.offered:
            wager = rules.wagers[name]
            if wager.stake in _PLACED and (name in placed or missing_requirement(rules, wager, placed) is None):
                for stakes in _amounts(state, wager, box):
                    yield _place(rules, seat, name, stakes, ("", patron_of(state, box)))
        for name in placed:
            if _needed_by(rules, box, name) is None:
                yield offer("take_back", seat=seat, wager=name)
        if box.coupon:
            yield offer("take_back_coupon", seat=seat)
        elif rules.house.match_play is not None:
            main = box.stake(rules.main.name) or Cents(0)
            yield offer("place_coupon", seat=seat, value=Range(1, main))
        if rules.metered and box.stake(rules.metered.name) is not None and not box.registered:
            yield offer("register", seat=seat)


def _amounts(state: Round, wager: Wager, box: Box) -> Iterator[Stakes]:
    """What may be placed on a wager of a box; on one that is placed, any other amount that fits."""
    stakes, before, rules = stakes_at(state, wager, box, patron_of(state, box)), box.stake(wager.name), state.rules
    low, high, step = stakes.minimum, stakes.maximum, stakes.increment
    if wager is rules.main and before is not None:
        if any(rules.wagers[name].stake == "equal" for name, _ in box.staked):
            return
        least = max(box.coupon, *[_least_beside(rules, rules.wagers[name], amount) for name, amount in box.staked])
        low = Cents(low + max(0, -(-(least - low) // step)) * step)
    parts = [(low, high)]
    if before is not None:
        under = Cents(low + (before - 1 - low) // step * step)
        parts = [(low, under), (Cents(max(low, under + step + (step if under + step == before else 0))), high)]
    for least, most in parts:
        if least <= most:
            yield Stakes(least, most, step)


def _new_box_offers(state: Round, seat: int) -> Iterator[Offer]:
    """A new patron may sit down; one who is seated only beside the own boxes."""
    rules, stranger = state.rules, f"seat {seat}"
    patrons = list(dict.fromkeys(patron_of(state, box) for box in state.boxes))
    taken = (*patrons, "") if stranger in patrons else tuple(patrons)
    yield _place(rules, seat, rules.main.name, stakes_at(state, rules.main, None, ""), Except(taken))
    for patron in patrons:
        if _box_problem(state, seat, patron):
            continue
        stakes = stakes_at(state, rules.main, None, patron)
        if stakes.minimum <= stakes.maximum:
            yield _place(rules, seat, rules.main.name, stakes, (patron, "") if patron == stranger else (patron,))


def _place(rules: Rules, seat: int, name: WagerName, stakes: Stakes, whose: tuple[str, ...] | Except) -> Offer:
    return offer("place_wager", seat=seat, wager=name, amount=stakes, patron=whose, instrument=_instruments(rules))


def _say(name: str) -> str:
    return name.replace("_", " ")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
