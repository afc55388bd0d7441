"""Rounds decided by your own function, one after another, settled by the engine, with the meters carried along.

It is asked at each decision with a `DecisionPoint`, which holds what a player knows then, and answers one of its
`legal` actions. The cards of a round are those that `simulate` deals. The plan names the function, with a colon.

>>> from croupier.rulebook import check, read_submission
>>> from croupier.simulation import Plan, figures, sit
>>> def pairs(turn):
...     ranks = [card.rank for card in (*turn.cards, *turn.community)]
...     return "3x" if len(set(ranks)) < len(ranks) else "fold"
>>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
>>> plan = Plan(house=house, seats=(sit(1, ante=1000),), strategy="mine:pairs", seed=7)
>>> figures(plan, play_by(plan, pairs, 500)).boxes[0].paths
{(0,): 471, (3, 3, 3): 29}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import Malformed
from croupier.games import Hand, TableCards, card_counts, rules_of, settle_round
from croupier.money import Cents
from croupier.progressive import Meter, accrue, house_meters, shown
from croupier.rulebook.names import Decision, Slot, WagerName
from croupier.simulation.custom.cross_check import EngineRound, check_meters, reckon
from croupier.simulation.custom.decision_point import ACTS, DecisionFunction, DecisionPoint, ask, legal_acts, slip
from croupier.simulation.kernels.decision_tables import ALWAYS
from croupier.simulation.parallel import Done, Interrupted
from croupier.simulation.plan import Plan
from croupier.simulation.run import Tally, merge
from croupier.simulation.scripted_rounds import write_scripts

__all__ = ["play_by"]

AT_ONCE: Final = 32
"""Rounds that are dealt and counted together."""
MANY: Final = 256
"""How many of these parts are put together at a time."""


Meters: TypeAlias = Mapping[str, Meter]


class _Box(NamedTuple):
    hand: Hand
    decided: tuple[str, ...] = ()
    word: int = 0
    """The position in its random stream."""


class _Part(NamedTuple):
    """Rounds that were counted, the meters after them, and the total paid from the meters."""

    tally: Tally
    meters: Meters
    awarded: int


def play_by(plan: Plan, decide: DecisionFunction, rounds: int, start: int = 0, done: Done | None = None) -> Tally:
    """Play the rounds `start`, `start` + 1, … of a plan by a function, from the initial amounts of the meters.

    When it is interrupted, what was played is given in `Interrupted`. A function that fails, or answers what is not
    legal, is `Malformed`.
    """
    if not plan.by_hand:
        raise Malformed(f"{plan.strategy!r} is a strategy that kernels play: name a function's with a colon, mine:name")
    if rounds < 1 or start < 0:
        raise Malformed(f"{rounds} rounds from {start}: at least one, from 0 on")
    meters: Meters = {meter.name: meter for meter in house_meters(plan.house, linked=True)}
    parts: list[_Part] = []
    try:
        for first in range(start, start + rounds, AT_ONCE):
            numbers, played = range(first, min(first + AT_ONCE, start + rounds)), list[EngineRound]()
            try:
                for engine_round in _rounds(plan, decide, numbers, meters):
                    played.append(engine_round)
            finally:
                if played:
                    meters = {meter.name: meter for meter in played[-1].settled.meters}
                    parts.append(_Part(reckon(plan, first, played), meters, _awarded(played)))
            if len(parts) == MANY:
                parts = [_together(parts)]
            if done is not None:
                done(len(played))
    except KeyboardInterrupt:
        raise Interrupted(_checked(plan, parts) if parts else None) from None
    return _checked(plan, parts)


def _awarded(played: Sequence[EngineRound]) -> int:
    seats = (seat for engine_round in played for seat in engine_round.settled.seats)
    return sum(wager.won for seat in seats for wager in seat.wagers if wager.award)


def _together(parts: Sequence[_Part]) -> _Part:
    return _Part(merge(part.tally for part in parts), parts[-1].meters, sum(part.awarded for part in parts))


def _checked(plan: Plan, parts: Sequence[_Part]) -> Tally:
    tally, meters, awarded = _together(parts)
    check_meters(plan, tally, meters, awarded)
    return tally


# --- one round after another


def _rounds(plan: Plan, decide: DecisionFunction, numbers: range, meters: Meters) -> Iterator[EngineRound]:
    house, late = plan.house, plan.house.options.meter_increment == "at_close"
    metered = Cents(sum(amount for seat in plan.seats for name, amount in seat.stakes if name == "progressive"))
    counts = card_counts(house, staked={name for seat in plan.seats for name, _ in seat.stakes})
    scripts = write_scripts(_for_kernels(plan), len(numbers), numbers.start)
    for number, script in zip(numbers, scripts, strict=True):
        boxes, table = _dealt(plan, counts, script.cards)
        if not late:
            meters = {name: accrue(meter, metered) for name, meter in meters.items()}
        boxes = _decided(plan, decide, number, boxes, board=table.community, meters=meters)
        settled = settle_round(house, [box.hand for box in boxes], table, meters)
        if late:
            settled = replace(settled, meters=tuple(accrue(meter, metered) for meter in settled.meters))
        meters = {meter.name: meter for meter in settled.meters}
        paths = tuple(sum(ACTS[act] << 2 * place for place, act in enumerate(box.decided)) for box in boxes)
        yield EngineRound(script.cards, paths, settled)


@lru_cache(maxsize=8)
def _for_kernels(plan: Plan) -> Plan:
    """The plan with a strategy the kernels can play: only its cards are used."""
    return replace(plan, strategy=ALWAYS)


def _dealt(plan: Plan, counts: Mapping[Slot, int], cards: Sequence[Card]) -> tuple[list[_Box], TableCards]:
    """Which cards belong to whom, in the order of `places_in_order`."""
    left = iter(cards)

    def some(slot: Slot) -> tuple[Card, ...]:
        return tuple(islice(left, counts.get(slot, 0)))

    community, dealer = some("community"), some("dealer")
    boxes = [
        _Box(
            Hand(
                seat=seat.number,
                patron=seat.patron or f"seat {seat.number}",
                staked=seat.stakes,
                cards=some("player"),
            )
        )
        for seat in sorted(plan.seats, key=lambda seat: seat.number)
    ]
    return boxes, TableCards(community=community, six_card_box=some("six_card_box"), dealer=dealer)


def _decided(
    plan: Plan, decide: DecisionFunction, number: int, boxes: list[_Box], *, board: Sequence[Card], meters: Meters
) -> list[_Box]:
    """The boxes when every decision was made, in the order of the document."""
    rules, up = rules_of(plan.house), 0
    displays = MappingProxyType({name: shown(meter) for name, meter in meters.items()})
    for stage in rules.stages:
        if stage.reveal is not None and stage.reveal.slot == "community":
            up += stage.reveal.number
        for place, box in enumerate(boxes):
            if stage.choice is None or box.hand.folded:
                continue
            turn = DecisionPoint(
                round=number,
                seat=box.hand.seat,
                decision=stage.choice.decision,
                legal=legal_acts(rules, stage.choice, box.hand.cards),
                decided=box.decided,
                cards=box.hand.cards,
                community=tuple(board[:up]),
                staked=MappingProxyType({name: c for name, c in box.hand.staked if name not in box.hand.withdrawn}),
                meters=displays,
                house=plan.house,
            )
            meant = ask(plan.strategy, decide, turn)
            act, word = slip(plan, place, turn, meant, box.word) if plan.mistakes else (meant, 0)
            hand = _after(box.hand, turn.decision, act, rules.main.name)
            boxes[place] = _Box(hand, (*box.decided, act), word)
    return boxes


def _after(hand: Hand, decision: Decision, act: str, main: WagerName) -> Hand:
    match act:
        case "fold":
            return replace(hand, folded=True, folded_on=decision)
        case "withdraw":
            return replace(hand, withdrawn=(*hand.withdrawn, decision))
        case "ride":
            return hand
    return replace(hand, staked=(*hand.staked, (decision, Cents(ACTS[act] * dict(hand.staked)[main]))))
