"""Rounds settled twice: by the compiled kernels and by the engine of rounds, each wager, envy and meter."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from msgspec.structs import force_setattr

from croupier.analysis.cases import streets_of
from croupier.analysis.flush.game import flush_rules
from croupier.cards import Card
from croupier.games import settle_round
from croupier.games.results import Hand, TableCards
from croupier.hands import longest_flush
from croupier.money import Cents, parse_dollars
from croupier.progressive import accrue, house_meters
from croupier.rulebook import HouseRules, check, read_submission
from croupier.simulation.kernels import flushes, prizes, streets
from croupier.simulation.kernels.compiled_plan import CompiledPlan, decided, lay_out, settle_end, settle_lines
from croupier.simulation.kernels.flushes import Flushes
from croupier.simulation.kernels.jit import SOURCES, compiled_and_kept
from croupier.simulation.kernels.prizes import COLUMNS, ENVY, Room, make_room
from croupier.simulation.kernels.settling import OUTCOMES
from croupier.simulation.kernels.streams import MOST_CARDS
from croupier.simulation.kernels.table_inputs import Playable, playable
from croupier.simulation.meters.run import run_meters
from croupier.simulation.plan import Plan, Seat
from croupier.simulation.run import Prize, Tally
from support.random_rounds import BOARD, BOX, HCF, LIR, OWN, random_deck, random_round, random_submission

READINGS: dict[str, list[tuple[str, str, Any]]] = {
    "": [("payout", "breakage", "up_to_dollar"), ("meter", "increment", "at_close")],
    "md-mississippi-stud": [("cap", "extra_scopes", ["three_card_bonus", "six_card_bonus"])],
    "ma-mississippi-stud": [("cap", "extra_scopes", ["cover_all"]), ("handpay", "hundred_percent", False)],
    LIR: [("cap", "extra_scopes", ["five_card_bonus", "six_card_bonus"]), ("handpay", "hundred_percent", False)],
    HCF: [("cap", "extra_scopes", ["ante", "raise"]), ("handpay", "hundred_percent", False)],
}


class Answer(NamedTuple):
    """What both must agree on, for one seat."""

    seat: int
    wagers: list[tuple[str, int, str, int, int]]
    envy: list[tuple[int, int]]


def random_house(dice: random.Random, rulebook: str) -> tuple[dict[str, Any], HouseRules]:
    """A submission with what changes cents beyond `random_submission`: whole dollars, hand-pays, wider limits."""
    submission = random_submission(dice, rulebook)
    for name, key, value in (*READINGS[""], *READINGS[rulebook]):
        if dice.random() < 0.3:
            submission["readings"].setdefault(name, {})[key] = value
    if dice.random() < 0.3:
        submission["handpay"] = {"threshold": f"{dice.randint(100, 20_000)}.00"}
    if rulebook == LIR and dice.random() < 0.3:
        submission["wagers"]["five_card_bonus"]["stake"] = f"{dice.randint(2, 9)}.00"
        submission["approvals"] = {"five_card_stake": "A-2"}
    verdict = check(read_submission(submission))
    assert verdict.house is not None, verdict.findings
    return submission, verdict.house


def plan_of(house: HouseRules, seats: tuple[Seat, ...]) -> Plan:
    """A plan with stakes outside the limits too: settlement does not ask for them (reading 189)."""
    main = next(wager for wager in house.wagers if wager.stakes is not None)
    assert main.stakes is not None
    names = ("bet_1", "bet_2", "bet_3") if house.rulebook.id == LIR else ("ante",)
    lawful = Seat(1, tuple((name, main.stakes.minimum) for name in names))  # type: ignore[misc]
    plan = Plan(house=house, seats=(lawful,))
    force_setattr(plan, "seats", seats)
    return plan


def random_seating(dice: random.Random, submission: dict[str, Any]) -> tuple[Seat, ...]:
    seats = random_round(dice, submission)["seats"]
    for one in seats:
        if "five_card_bonus" in one["wagers"]:
            one["wagers"]["five_card_bonus"] = submission["wagers"]["five_card_bonus"].get("stake", "1.00")
    return tuple(
        Seat(one["seat"], tuple((name, parse_dollars(text)) for name, text in one["wagers"].items()), one["patron"])
        for one in sorted(seats, key=lambda one: one["seat"])
    )


def random_path(dice: random.Random, house: HouseRules, cards: list[Card]) -> int:
    game = streets_of(house.rulebook)
    if game is None:
        return dice.randint(0, flush_rules(house.rulebook)[1][longest_flush(cards).length])
    path = 0
    for street in range(len(house.rulebook.play.choice)):
        act = dice.randint(0 if dice.random() < 0.4 else 1, len(game.adds)) if game.fold else dice.randint(1, 2)
        if act == 0:
            break
        path |= act << 2 * street
    return path


def callable_here(function: Any) -> Any:  # noqa: ANN401 - whatever numba makes
    """What is compiled into kernels only, for Python to call; kept in a folder for these sources, as kernels are."""
    with mock.patch("numba.core.config.CACHE_DIR", str(Path(__file__).parent / f"__pycache__/{SOURCES:012x}")):
        return compiled_and_kept(function.py_func)


make_hands, see_hands, judge_flushes, judge_streets, count_ends = map(
    callable_here,
    (flushes.make_hands, flushes.see_hands, flushes.judge_flushes, streets.judge_streets, prizes.count_ends),
)


class Table(NamedTuple):
    """Many decks for one seating."""

    layout: CompiledPlan
    plays: Playable
    cards: np.ndarray[Any, Any]
    room: Room


def random_table(dice: random.Random, house: HouseRules, seats: tuple[Seat, ...], decks: int) -> Table:
    layout = lay_out(plan_of(house, seats))
    plays, room = playable(layout), make_room(len(seats), decks)
    cards = np.zeros((MOST_CARDS, decks), dtype=np.uint8)
    for number, paths in enumerate(room.paths.T):
        deck = random_deck(dice)
        cards[:, number] = deck[:MOST_CARDS]
        first, own = _first(house), OWN[house.rulebook.id]
        for seat in range(len(seats)):
            hand = deck[first + own * seat : first + own * (seat + 1)]
            paths[seat] = random_path(dice, house, hand)
    return Table(layout, plays, cards, room)


def _first(house: HouseRules) -> int:
    """Where the hands of the players begin."""
    return 7 if house.rulebook.id == HCF else BOARD[house.rulebook.id]


def by_kernel(table: Table, raises: dict[tuple[int, int], int]) -> Iterator[tuple[list[Answer], dict[str, int]]]:
    """The compiled settlement of each deck; `raises` are raises that are no whole antes, by deck and seat."""
    layout, (_, tables), cards, room = table
    seats, decks = len(layout.seats), cards.shape[1]
    if isinstance(tables, Flushes):
        hands = make_hands(seats, decks)
        see_hands(tables, decks, cards, hands)
        judge_flushes(tables, decks, hands, room)
        metered = tables.metered
    else:
        judge_streets(tables, decks, cards, room)
        metered = tables.metered >= 0
    counts = np.zeros((seats, layout.ends), dtype=np.int64)
    events = np.zeros((decks * seats * seats, COLUMNS), dtype=np.int64)
    found = count_ends(tables.prizes, metered, np.uint64(0), decks, room, counts, events, 0)
    rows = [Prize(*row) for row in events[:found].tolist()]
    for deck in range(decks):
        mine = tuple(row._replace(round=0) for row in rows if row.round == deck)
        runs = run_meters(layout, Tally("", 0, 1, (), mine))
        paid = {award.seat: award.paid for run in runs.values() for award in run.awards}
        answers = []
        for seat in range(seats):
            end = settle_end(layout, seat, int(room.codes[seat, deck]))
            if (deck, seat) in raises:
                stakes, withdrawn, acts, folded = decided(layout, seat, int(room.paths[seat, deck]))
                stakes[layout.names.index("raise")] = raises[deck, seat]
                end = settle_lines(layout, list(end.line), stakes, withdrawn, acts, folded=folded)
            won = list(end.won)
            if seat in paid:
                won[layout.metered] += paid[seat]
            outcomes = [OUTCOMES[one] for one in end.outcome]
            wagers = zip(layout.names, end.staked, outcomes, won, end.returned, strict=True)
            envy = [
                (layout.seats[row.source].number, row.amount) for row in mine if row.kind == ENVY and row.seat == seat
            ]
            answers.append(Answer(layout.seats[seat].number, [one for one in wagers if one[1]], envy))
        yield answers[::-1], {name: run.final.units for name, run in runs.items()}


def by_engine(table: Table, deck: int, raises: dict[tuple[int, int], int]) -> tuple[list[Answer], dict[str, int]]:
    layout, house = table.layout, table.layout.plan.house
    cards = [Card(int(card)) for card in table.cards[:, deck]]
    first, own, book = _first(house), OWN[house.rulebook.id], house.rulebook.id
    box = first + own * len(layout.seats)
    shown = TableCards(
        community=tuple(cards[: BOARD[book]]),
        six_card_box=tuple(cards[box : box + BOX.get(book, 0)]),
        dealer=tuple(cards[:7]) if book == HCF else (),
    )
    hands = [
        _hand(
            house,
            seat,
            int(table.room.paths[place, deck]),
            cards[first + own * place :][:own],
            raises.get((deck, place)),
        )
        for place, seat in enumerate(layout.seats)
    ]
    meters, staked = (
        {meter.name: meter for meter in house_meters(house, linked=True)},
        [hand.stake("progressive") or Cents(0) for hand in hands],
    )
    late = house.options.meter_increment == "at_close"
    for stake in staked if not late else ():
        meters = {name: accrue(meter, stake) for name, meter in meters.items()}
    settled = settle_round(house, hands, shown, meters)
    left = {meter.name: meter for meter in settled.meters}
    for stake in staked if late else ():
        left = {name: accrue(meter, stake) for name, meter in left.items()}
    answers = [
        Answer(
            seat.seat,
            [(one.wager, one.staked, one.outcome, one.won, one.returned) for one in seat.wagers],
            [(one.from_seat, one.won) for one in seat.envy],
        )
        for seat in settled.seats
    ]
    return answers, {name: meter.units for name, meter in left.items()}


def _hand(house: HouseRules, seat: Seat, path: int, cards: list[Card], raised: int | None) -> Hand:
    staked, folded_on, withdrawn = dict(seat.stakes), None, []
    for choice in house.rulebook.play.choice:
        act, path = path % 4, path // 4
        if "ride" in choice.choices:
            withdrawn += [choice.decision] if act == 1 else []
        elif act == 0:
            folded_on = choice.decision
            break
        else:
            staked[choice.decision] = Cents(act * staked["ante"] if raised is None else raised)
    return Hand(
        seat=seat.number,
        patron=seat.patron or f"seat {seat.number}",
        staked=tuple(staked.items()),
        cards=tuple(cards),
        folded=folded_on is not None,
        folded_on=folded_on,
        withdrawn=tuple(withdrawn),
    )


def _contents(layout: CompiledPlan, answers: list[Answer]) -> Counter[str]:
    """How many there were of what is rare, to see that it was met at all."""
    found = Counter(decks=1, envy=sum(len(seat.envy) for seat in answers))
    for seat in answers:
        found["wagers"] += len(seat.wagers)
        limited = [one for one in seat.wagers if one[0] in layout.rules.limited]
        found["at the limit"] += sum(one[3] for one in limited) == layout.pays.limit
        found.update(outcome for _, _, outcome, _, _ in seat.wagers)
        metered = [one for one in seat.wagers if layout.metered >= 0 and one[0] == layout.names[layout.metered]]
        found["progressive wins"] += sum(one[2] == "win" for one in metered)
    return found


def agree(rulebook: str, *, seed: int, houses: int, seatings: int, decks: int) -> Counter[str]:
    """What was compared, by number."""
    dice, compared = random.Random(seed), Counter[str]()
    for _ in range(houses):
        submission, house = random_house(dice, rulebook)
        for _ in range(seatings):
            table = random_table(dice, house, random_seating(dice, submission), decks)
            raises = {
                (deck, place): dice.randint(1, 3) * ante + dice.randint(0, 99)
                for deck in range(decks)
                for place, seat in enumerate(table.layout.seats)
                if rulebook == HCF and table.room.paths[place, deck] and dice.random() < 0.3
                for ante in [dict(seat.stakes)["ante"]]
            }
            for deck, answer in enumerate(by_kernel(table, raises)):
                expected = by_engine(table, deck, raises)
                assert answer == expected, (submission, table.layout.seats, table.cards[deck], table.room.paths[deck])
                compared += _contents(table.layout, expected[0])
    return compared
