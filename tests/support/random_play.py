"""Rounds played at random through the engine: houses of chance, legal moves of chance, and a book of accounts."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, get_args

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.errors import RuleViolation
from croupier.games import Event, Offer, Round, admits, apply, awaiting, legal_actions, open_round
from croupier.games import events as round_events
from croupier.games.actions import ACTIONS, Action, Perform, ReadMeter
from croupier.games.offers import CardsOf, Except, Range
from croupier.games.results import MeterAward
from croupier.money import Cents
from croupier.progressive import Meter, house_meters, moved, shown, take
from croupier.rulebook import HouseRules, Stakes, check, read_submission
from croupier.rulebook.names import Act, Gesture, Irregularity, Slot, WagerName
from support.meters import give_back
from support.random_rounds import HCF, LIR, MA, MS, random_deck, random_submission

BOOKS = (MS, MA, LIR, HCF)
FORWARD = {"perform", "deal", "decide", "reveal", "settle", "tell_meter", "close", "reduce_raise", "register"}
RULINGS = {"rule", "set_aside", "find_conduct", "leave", "correct_card", "reverse_settlement", "cancel_wager"}
MORE: dict[str, dict[str, list[Any]]] = {
    "payout": {"breakage": ["exact", "up_to_dollar"]},
    "meter": {"increment": ["at_lock", "at_close"], "on_void": ["reverse", "keep"]},
    "shoe_fail": {"after_deal": ["continue", "void"]},
    "limits": {"side_bet": [{"max_relative": 0}, {"max_relative": 2}]},
}
OWN_MORE: dict[str, dict[str, dict[str, list[Any]]]] = {
    MA: {"ma": {"misdeal_scope": ["as_found", "all"]}},
    MS: {"box": {"exposed": ["void_all", "void_six_card_only"]}, "six_card": {"box_only_if_bet": [True, False]}},
    LIR: {
        "box": {"exposed": ["void_all", "void_six_card_only"]},
        "six_card": {"box_only_if_bet": [True, False]},
        "boxes": {"min_multiplier": [1, 2], "view_sequential": [True, False]},
    },
    HCF: {
        "hcf": {
            "over_raise": ["return_excess", "floor_decision"],
            "side_bets_on_void": ["complete_hands", "exposure_only"],
        },
        "boxes": {"min_multiplier": [1, 2], "view_sequential": [True, False]},
        "raise": {"step": ["table_increment", "whole_multiples"]},
    },
}


def random_house(dice: random.Random, rulebook: str) -> HouseRules:
    """A lawful house with devices, wagers and options of chance."""
    verdict = check(read_submission(random_house_submission(dice, rulebook)))
    assert verdict.house is not None, [one for one in verdict.findings if one.severity == "error"]
    return verdict.house


def random_house_submission(dice: random.Random, rulebook: str) -> dict[str, Any]:
    """The submission of such a house."""
    submission = random_submission(dice, rulebook)
    wagers, readings = submission["wagers"], submission["readings"]
    for name in list(wagers):
        if name != "base" and dice.random() < 0.3:
            del wagers[name]
    if rulebook == MS and "three_card_bonus" not in wagers:
        wagers.pop("six_card_bonus", None)
    for options in (MORE, OWN_MORE[rulebook]):
        for name, keys in options.items():
            for key, values in keys.items():
                if dice.random() < 0.5:
                    readings.setdefault(name, {})[key] = dice.choice(values)
    needs_shoe = "cover_all" in wagers or (rulebook == MS and "six_card_bonus" in wagers)
    submission["cards"]["deal"] = (
        "automated_shoe" if needs_shoe else dice.choice(["manual_shoe", "hand", "automated_shoe"])
    )
    submission["cards"]["cover_all_mode"] = "cover_all" in wagers
    if rulebook == MA and dice.random() < 0.5:
        submission["match_play"] = {"enabled": True, "pays": dice.choice(["1 to 1", "2 to 1"])}
    if "progressive" in wagers and dice.random() < 0.5:
        wagers["progressive"]["reserve_rate"] = "0.015"
    _drop_unneeded(readings, wagers)
    return submission


def _drop_unneeded(readings: dict[str, Any], wagers: dict[str, Any]) -> None:
    """An option of a wager that is not offered is an error."""
    for wager, names in {
        "progressive": ("meter", "envy", "ma.progressive_after_fold"),
        "six_card_bonus": ("box", "six_card"),
        "cover_all": ("cover_all",),
    }.items():
        for name in names if wager not in wagers else ():
            table, _, key = name.partition(".")
            if key:
                readings.get(table, {}).pop(key, None)
            else:
                readings.pop(table, None)


# --- moves


def sample(dice: random.Random, offered: Offer, deck: list[Card]) -> Action:
    """An action that an offer allows."""
    kind = ACTIONS[offered.do]
    fields = {name: _value(dice, allowed) for name, allowed in offered.fields}
    if offered.do == "tell":
        allowed = dict(offered.fields)["cards"]
        assert isinstance(allowed, CardsOf)
        fields["cards"] = _cards(fields["place"], allowed, deck, dice)
    return kind(**fields)  # type: ignore[return-value]


def _value(dice: random.Random, allowed: Any) -> Any:  # noqa: ANN401 - whatever an offer allows
    match allowed:
        case Stakes():
            steps = (allowed.maximum - allowed.minimum) // allowed.increment
            return allowed.minimum + allowed.increment * dice.choice((0, steps, dice.randint(0, steps)))
        case Except():
            return dice.choice(
                [name for name in ("", "Ann", "Bo", "Cy", "Di", "Ed") if name not in allowed.values] or ["Flo"]
            )
        case Range():
            return dice.choice((allowed.least, allowed.most, dice.randint(allowed.least, allowed.most)))
        case CardsOf():
            return dice.choice(allowed.unseen)
        case tuple():
            return dice.choice(allowed)
    return allowed


def _cards(place: int, allowed: CardsOf, deck: list[Card], dice: random.Random) -> tuple[Card, ...]:
    many = dice.choice((1, allowed.most))
    wanted = [card for card in deck[place : place + many] if card in allowed.unseen]
    spare = [card for card in allowed.unseen if card not in wanted]
    return (*wanted, *spare[: many - len(wanted)])


def random_action(dice: random.Random) -> Action:
    """Any action at all; most are not allowed at most moments."""
    kind = ACTIONS[dice.choice(list(ACTIONS))]
    values: dict[str, list[Any]] = {
        "seat": [0, 1, 2, 3, 4, 5, 6, 7, -1],
        "wager": list(get_args(WagerName)),
        "amount": [0, 1, 100, 500, 1000, 2500, 5000, 10_000, 7_777, -500, None],
        "patron": ["", "Ann", "Bo", "Cy", "seat 1"],
        "instrument": ["value_chip", "plaque", "verbal_cash", "match_play_coupon", "approved_instrument"],
        "value": [0, 1, 500, 10_000_000],
        "act": list(get_args(Act)),
        "chips": [None, 0, 1, 2, 3, -1],
        "number": [1, 2, 7, 60, 0, -1],
        "card": [None, *dice.sample(DECK, 3)],
        "place": [0, 1, 5, 20, 70, -1],
        "slot": list(get_args(Slot)),
        "choice": ["1x", "2x", "3x", "fold", "raise", "ride", "withdraw", "check"],
        "meter": ["main", "mega", "major", "minor"],
        "shown": [0, 100, -5],
        "what": ["hand", "envy", "last"],
        "irregularity": list(get_args(Irregularity)),
        "rule": ["own_hand", "touching", "view", "communication", "hands_off", "singing"],
        "how": ["abandon", "play_on"],
        "gesture": [None, *get_args(Gesture)],
    }
    fields = {}
    for name in kind.__struct_fields__:
        value = dice.choice(values[name]) if name != "cards" else tuple(dice.sample(DECK, dice.randint(0, 3)))
        if kind.__name__ == "CorrectCard" and name == "card":
            value = dice.choice(DECK)
        if kind.__name__ in {"PlaceWager", "ReduceRaise"} and name == "amount":
            value = value or 500
        if kind.__name__ == "SetAside" and name == "irregularity":
            value = dice.choice(["one_card_face_up", "card_drawn_seen"])
        fields[name] = value
    return kind(**fields)  # type: ignore[return-value]


def is_accepted(state: Round, action: Action) -> bool:
    try:
        apply(state, action)
    except RuleViolation as violation:
        refused = violation
    else:
        return True
    assert refused.clause
    assert refused.code
    assert refused.allowed == legal_actions(state)
    return False


# --- accounts


@dataclass
class Book:
    """Who holds what: players and house in cents, meters as their owner keeps them."""

    house: HouseRules
    players: int = 0
    tray: int = 0
    reserve: int = 0
    meters: dict[str, Meter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.meters |= {meter.name: meter for meter in house_meters(self.house, linked=True)}

    def pay(self, cents: int) -> None:
        self.players += cents
        self.tray -= cents

    def post(self, event: Event, *, meters: bool = True) -> None:
        """Enter an event; without `meters` only the money at the table is followed."""
        match event:
            case round_events.WagerPlaced():
                self.pay(-event.amount)
            case round_events.WagerTakenBack() | round_events.WagerReturned():
                self.pay(event.amount)
            case round_events.RaiseReduced() | round_events.RaiseRestored():
                self.pay(event.was - event.amount)
            case round_events.DecisionMade():
                self.pay(-event.amount)
            case round_events.HandSettled():
                self.pay(sum(one.won + one.returned for one in event.wagers))
                self.pay(event.coupon.won if event.coupon else 0)
                for one in event.wagers:
                    if one.award and meters:
                        self._award(one.award)
            case round_events.EnvySettled():
                self.pay(sum(one.won for _, paid in event.paid for one in paid))
            case round_events.SettlementReversed():
                self.pay(-sum(one.won + one.returned for one in event.wagers))
                self.pay(-(event.coupon.won if event.coupon else 0))
                self.pay(-sum(one.won for _, paid in event.envy for one in paid))
                for one in event.wagers:
                    if one.award and meters:
                        meter = self.meters[one.award.meter]
                        self.meters[meter.name] = give_back(meter, one.award.amount, percent=one.award.percent)
            case round_events.MeterRaised(meter="reserve"):
                self.reserve += event.units
            case round_events.MeterRaised():
                meter = self.meters[event.meter]
                self.meters[event.meter] = moved(meter, event.units)

    def _award(self, award: MeterAward) -> None:
        meter, amount = take(self.meters[award.meter], percent=award.percent)
        assert amount == award.amount, "the award is what the meter gives at this turn"
        self.meters[award.meter] = meter


# --- whole rounds


@dataclass
class Played:
    house: HouseRules
    state: Round
    actions: list[Action]
    events: list[Event]
    book: Book


def play_round(
    dice: random.Random, house: HouseRules, *, check_both_ways: float = 0.1, eventful: float = 0.3
) -> Played:
    """One round from the first wager to the last payment, by legal moves of chance."""
    deck = random_deck(dice)
    dice.shuffle(deck) if dice.random() < 0.3 else None
    state, book = open_round(house), Book(house)
    actions: list[Action] = []
    events: list[Event] = []
    wild = dice.random() < eventful
    early = dice.random() < 0.5
    wagers_wanted = dice.randint(1, 14)
    while not state.is_closed:
        assert len(actions) < 600, f"the round sticks: {awaiting(state)}"
        offered = legal_actions(state)
        assert offered, f"nothing is allowed: {awaiting(state)}"
        if dice.random() < check_both_ways:
            action = random_action(dice)
            assert any(admits(one, action) for one in offered) == is_accepted(state, action), (action, awaiting(state))
        action = _choose(dice, state, offered, deck, book, wild=wild, early=early, wanted=wagers_wanted)
        assert any(admits(one, action) for one in offered), action
        state, new = apply(state, action)
        actions.append(action)
        events += new
        for event in new:
            book.post(event)
    return Played(house, state, actions, events, book)


def _choose(
    dice: random.Random,
    state: Round,
    offered: tuple[Offer, ...],
    deck: list[Card],
    book: Book,
    *,
    wild: bool,
    early: bool,
    wanted: int,
) -> Action:
    needs = awaiting(state)
    if needs.kind == "identity" or (early and any(one.do == "tell" for one in offered) and dice.random() < 0.8):
        tells = [one for one in offered if one.do == "tell"]
        fitting = [one for one in tells if needs.kind != "identity" or dict(one.fields)["place"] in needs.places]
        if fitting:
            return sample(dice, fitting[0], deck)
    if wild and dice.random() < 0.06:
        rulings = [one for one in offered if one.do in RULINGS]
        if rulings:
            kind = dice.choice(sorted({one.do for one in rulings}))
            return sample(dice, dice.choice([one for one in rulings if one.do == kind]), deck)
    if needs.kind == "wagers":
        placed = sum(len(box.staked) for box in state.boxes)
        places = [one for one in offered if one.do in {"place_wager", "place_coupon"}]
        changes = [one for one in places if _is_change(state, one)]
        if changes and dice.random() < 0.05:
            return sample(dice, dice.choice(changes), deck)
        places = [one for one in places if one not in changes]
        started = [one for one in places if dict(one.fields).get("seat") in {box.seat for box in state.boxes}]
        announce = [one for one in offered if one.do == "perform"]
        registers = [one for one in offered if one.do == "register"]
        if registers and dice.random() < 0.7:
            return sample(dice, registers[0], deck)
        if dice.random() < 0.04 and (back := [one for one in offered if one.do.startswith("take_back")]):
            return sample(dice, dice.choice(back), deck)
        if (placed >= wanted or not places) and announce:
            return sample(dice, announce[0], deck)
        return sample(dice, dice.choice(started if started and dice.random() < 0.75 else places), deck)
    if needs.kind == "meter":
        return ReadMeter(needs.meter, shown(book.meters[needs.meter]))
    if needs.kind == "act" and needs.act and dict(offered[0].fields).get("chips") is not None and dice.random() < 0.9:
        name = state.at.act.offered if state.at.act else None
        return Perform(needs.act, sum(name is not None and box.stake(name) is not None for box in state.boxes))
    if dice.random() < 0.05 and (looks := [one for one in offered if one.do in {"look", "declare_undecided"}]):
        return sample(dice, dice.choice(looks), deck)
    forward = [one for one in offered if one.do in FORWARD]
    return sample(dice, dice.choice(forward or offered), deck)


def _is_change(state: Round, offered: Offer) -> bool:
    """Whether an offer changes a stake that lies on the layout."""
    fields = dict(offered.fields)
    return any(box.seat == fields["seat"] and box.stake(fields.get("wager")) is not None for box in state.boxes)  # type: ignore[arg-type]


def rounds(seed: int, rulebook: str, count: int, **options: float) -> Iterator[Played]:
    """Rounds in houses of chance, a new house every few rounds."""
    dice = random.Random(seed)
    house = random_house(dice, rulebook)
    for number in range(count):
        if number % 10 == 0:
            house = random_house(dice, rulebook)
        yield play_round(dice, house, **options)


def is_plain(played: Played) -> bool:
    """Whether nothing befell the round that a description after the fact cannot say."""
    odd = (
        round_events.IrregularityRuled
        | round_events.HandRemoved
        | round_events.RaiseReduced
        | round_events.CardSetAside
    )
    return not any(isinstance(event, odd) for event in played.events)


def placed(played: Played) -> Cents:
    """All that players put up and did not take back."""
    return Cents(-sum(_stake(event) for event in played.events))


def _stake(event: Struct) -> int:
    match event:
        case round_events.WagerPlaced() | round_events.DecisionMade():
            return -event.amount
        case round_events.WagerTakenBack() | round_events.WagerReturned():
            return event.amount
        case round_events.RaiseReduced() | round_events.RaiseRestored():
            return event.was - event.amount
    return 0
