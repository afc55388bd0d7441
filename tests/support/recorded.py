"""Recorded rounds: text that can be read aloud, replayed against the engine and compared line by line.

A record begins with what it is about and the clauses that it shows (`shows:`), then the operator's submission
(`house`, TOML lines) and, where a meter does not begin at its initial amount, what it shows (`meter main 20000.00`).
A line that begins with `>` is a move; the indented lines below it are everything that came of it, nothing less:
acts, decisions, reveals, money, meters, the rack, rulings and refusals, each with the clause (and reading) that it
cites. Stakes, looks and cards that are simply accepted leave no line. `#` begins a remark.

    python tests/support/recorded.py --write FILE…    fill in what came of each move

Moves are listed in `_GRAMMAR`. The runner owns the meters: `meter main is read` tells the engine what the runner's
own meter shows, and every award must be what that meter gives.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Final, get_args

from croupier.cards import Card, parse_cards
from croupier.errors import RuleViolation
from croupier.games import Action, Event, Round, actions, admits, apply, legal_actions, open_round
from croupier.games import events as round_events
from croupier.games.results import CouponSettled, WagerSettled
from croupier.hands import say_hand
from croupier.money import Cents, parse_dollars
from croupier.progressive import Meter, house_meters, meters_showing, moved, shown, take
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text
from croupier.rulebook.names import Act, Slot, WagerName
from support.meters import give_back

ROUNDS: Final = Path(__file__).parents[1] / "rounds"
SLOTS: Final[dict[str, Slot]] = {"board": "community", "box": "six_card_box", "dealer": "dealer"}
WORDS: Final[dict[Slot, str]] = {slot: word for word, slot in SLOTS.items()} | {"discard": "discard"}
UNITS: Final = 1_000_000
"""Units of a meter in a dollar."""


class Unreadable(ValueError):
    """A record that cannot be read: it names the file and the line."""


# --- reading a record


@dataclass(frozen=True)
class Move:
    """One move, and what must come of it."""

    line: int
    text: str
    expected: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """A recorded round."""

    path: Path
    title: str
    shows: tuple[str, ...]
    house: HouseRules
    meters: dict[str, Cents]
    moves: tuple[Move, ...]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


def recorded() -> list[Path]:
    """Every record, in order."""
    return sorted(ROUNDS.glob("*/*.txt"))


def read_record(path: Path, text: str | None = None) -> Record:
    """Read a record; `text` stands in for the file's own."""
    lines = (path.read_text() if text is None else text).splitlines()
    begins = next((number for number, line in enumerate(lines) if line.startswith("> ")), len(lines))
    head = lines[:begins]
    shows = _section(head, "shows:")
    if not shows:
        raise Unreadable(f"{path.name}: it does not say which clauses it shows")
    clauses = tuple(one.strip() for line in shows for one in line.split(",") if one.strip())
    known = {clause.id for clause in load_rulebook(path.parent.name).clauses}
    for one in clauses:
        if one not in known:
            raise Unreadable(f"{path.name}: {one} is no clause of {path.parent.name}")
    toml = "\n".join([f'rulebook = "{path.parent.name}"', *_section(head, "house")])
    verdict = check(read_submission_text(toml, name=path.name))
    if verdict.house is None:
        raise Unreadable(f"{path.name}: {[str(one) for one in verdict.findings if one.severity == 'error']}")
    meters = dict(re.findall(r"^meter (\w+) ([\d.]+)$", "\n".join(head), re.MULTILINE))
    return Record(
        path=path,
        title=" ".join(head[: head.index(next(line for line in head if line.startswith("shows:")))]).strip(),
        shows=clauses,
        house=verdict.house,
        meters={name: parse_dollars(amount) for name, amount in meters.items()},
        moves=tuple(_moves(path, lines, begins)),
    )


def _section(head: list[str], name: str) -> list[str]:
    """What stands behind a name and on the indented lines below it."""
    found: list[str] = []
    inside = False
    for line in head:
        if line.startswith(name):
            inside = True
            found.append(line.removeprefix(name).strip())
        elif inside and line.startswith("    "):
            found.append(line.strip())
        else:
            inside = False
    return found


def _moves(path: Path, lines: list[str], begins: int) -> Iterator[Move]:
    number = begins
    while number < len(lines):
        line, first = lines[number], number
        number += 1
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith("> "):
            raise Unreadable(f"{path.name}, line {first + 1}: {line!r} is neither a move nor a remark")
        expected = []
        while number < len(lines) and lines[number].startswith("    "):
            expected.append(lines[number].strip())
            number += 1
        yield Move(first + 1, line.removeprefix("> ").strip(), tuple(expected))


# --- replaying it


@dataclass
class Replay:
    """A round under way, with the meters that it feeds and drains."""

    house: HouseRules
    meters: dict[str, Meter]
    state: Round
    events: list[Event] = field(default_factory=list)

    def play(self, text: str) -> list[str]:
        """Everything that comes of a move."""
        said: list[str] = []
        for action in actions_of(self.state, self.meters, text):
            offered = any(admits(one, action) for one in legal_actions(self.state))
            try:
                self.state, events = apply(self.state, action)
            except RuleViolation as refusal:
                if offered:
                    raise AssertionError(f"{text}: offered, but refused") from refusal
                return [*said, f"refused: {refusal.code}{_cite(refusal.clause, refusal.reading)}"]
            if not offered:
                raise AssertionError(f"{text}: accepted, but not offered")
            self.events += events
            for event in events:
                said += self._say(event)
        return said

    def _say(self, event: Event) -> list[str]:
        match event:
            case round_events.MeterRaised():
                return [self._raise(event)]
            case round_events.HandSettled():
                for one in event.wagers:
                    if one.award is not None:
                        meter, amount = take(self.meters[one.award.meter], percent=one.award.percent)
                        assert amount == one.award.amount, f"the meter gives {amount}, the round {one.award.amount}"
                        self.meters[one.award.meter] = meter
            case round_events.SettlementReversed():
                for one in event.wagers:
                    if one.award is not None:
                        meter = self.meters[one.award.meter]
                        back = give_back(meter, one.award.amount, percent=one.award.percent)
                        self.meters[one.award.meter] = back
        said = render(self.state, event)
        taken = [one.award.meter for one in getattr(event, "wagers", ()) if one.award is not None]
        return said + [f"{name} meter now shows {_money(shown(self.meters[name]))}" for name in taken]

    def _raise(self, event: round_events.MeterRaised) -> str:
        word = "rises" if event.units > 0 else "falls"
        by = f"{abs(event.units) / UNITS:.6f}".rstrip("0")
        by += "0" * (2 - len(by.partition(".")[2]))
        if event.meter == "reserve":
            return f"reserve {word} {by}{_cite(event.clause)}"
        meter = self.meters[event.meter]
        meter = self.meters[event.meter] = moved(meter, event.units)
        return f"{event.meter} meter {word} {by} to {_money(shown(meter))}{_cite(event.clause)}"


def begin(record: Record) -> Replay:
    """The round before its first move."""
    house = record.house
    meters = {meter.name: meter for meter in house_meters(house, linked=True)}
    if unknown := record.meters.keys() - meters.keys():
        raise Unreadable(f"{record.path.name}: no meter {', '.join(sorted(unknown))}")
    meters |= meters_showing(house, record.meters)
    return Replay(house, meters, open_round(house))


def differences(record: Record) -> list[str]:
    """Where the engine and the record differ, line by line."""
    replay, found = begin(record), []
    for move in record.moves:
        came = tuple(replay.play(move.text))
        if came != move.expected:
            found.append(f"{record.name}, line {move.line}: {move.text}")
            found += [f"  recorded: {line}" for line in move.expected if line not in came]
            found += [f"  happened: {line}" for line in came if line not in move.expected]
            if sorted(came) == sorted(move.expected):
                found.append("  the same lines in another order")
    return found


def write(path: Path) -> None:
    """Fill in what came of each move."""
    record = read_record(path)
    replay = begin(record)
    came = {move.line: replay.play(move.text) for move in record.moves}
    lines = path.read_text().splitlines()
    begins = min(came)
    kept = lines[: begins - 1]
    for number, line in enumerate(lines[begins - 1 :], begins):
        if number in came:
            kept += [line, *(f"    {one}" for one in came[number])]
        elif not line.startswith("    "):
            kept.append(line)
    path.write_text("\n".join(kept) + "\n")


# --- what moves are called


def _seat_places(state: Round, seat: int) -> tuple[int, ...]:
    return state.cards.plan.own.get(seat, ())


def _tells(state: Round, places: Iterable[int], cards: str) -> list[Action]:
    """Tell cards of the first places that were not told yet, a run at a time."""
    known = state.faces.known
    wanted = parse_cards(cards)
    free = [place for place in places if place >= len(known) or known[place] is None]
    after = max(free, default=len(known) - 1) + 1
    free += range(after, after + len(wanted))
    pairs = list(zip(free, wanted, strict=False))
    runs = groupby(enumerate(pairs), key=lambda one: one[1][0] - one[0])
    together = [[pair for _, pair in run] for _, run in runs]
    return [actions.IdentifyCards(run[0][0], tuple(card for _, card in run)) for run in together]


def _wager(text: str) -> WagerName:
    assert text in get_args(WagerName), text
    return text  # type: ignore[return-value]


_SEAT: Final = r"seat (?P<seat>\d+)(?: \((?P<patron>\w+)\))?"
_ACTS: Final[dict[str, Act]] = {
    "announces no more bets": "announce",
    "locks the device": "lock_progressive",
    "collects progressive": "collect_progressive",
    "puts progressive in the tray": "progressive_to_tray",
    "collects five_card_bonus": "collect_five_card",
    "places lammers": "place_lammers",
    "puts five_card_bonus in the tray": "five_card_to_tray",
}
Found = dict[str, Any]
_GRAMMAR: Final[dict[str, Callable[[Round, dict[str, Meter], Found], list[Action]]]] = {
    # before the deal
    rf"{_SEAT} places coupon (?P<amount>[\d.]+)": lambda _, __, at: [actions.PlaceCoupon(at["seat"], at["amount"])],
    rf"{_SEAT} takes back coupon": lambda _, __, at: [actions.TakeBackCoupon(at["seat"])],
    rf"{_SEAT} places (?P<wager>\w+) (?P<amount>[\d.]+)(?: in (?P<instrument>\w+))?": lambda _, __, at: [
        actions.PlaceWager(
            at["seat"], _wager(at["wager"]), at["amount"], at["patron"], at["instrument"] or "value_chip"
        )
    ],
    rf"{_SEAT} takes back (?P<wager>\w+)": lambda _, __, at: [actions.TakeBack(at["seat"], _wager(at["wager"]))],
    rf"{_SEAT} places progressive (?P<amount>[\d.]+), the light goes on": lambda _, __, at: [
        actions.PlaceWager(at["seat"], "progressive", at["amount"], at["patron"]),
        actions.RegisterWager(at["seat"]),
    ],
    r"device of seat (?P<seat>\d+) lights up": lambda _, __, at: [actions.RegisterWager(at["seat"])],
    rf"dealer (?P<act>{'|'.join(_ACTS)})": lambda _, __, at: [actions.Perform(_ACTS[at["act"]])],
    r"dealer counts (?:(?P<chips>\d+) )?(?P<what>progressive|five_card)(?:_bonus)?": lambda _, __, at: [
        actions.Perform("count_progressive" if at["what"] == "progressive" else "count_five_card", at["chips"])
    ],
    r"supervisor cancels (?P<wager>\w+) of seat (?P<seat>\d+)": lambda _, __, at: [
        actions.CancelWager(at["seat"], _wager(at["wager"]))
    ],
    # cards
    r"dealer deals (?P<cards>\d+)": lambda _, __, at: [actions.Deal(int(at["cards"]))],
    r"dealer sets aside (?P<card>\w+), (?P<how>one_card_face_up|card_drawn_seen)": lambda _, __, at: [
        actions.SetAside(at["how"], None if at["card"] == "unseen" else Card(at["card"]))
    ],
    r"cards (?P<cards>[\w ]+)": lambda state, _, at: _tells(state, range(len(state.cards.plan.places)), at["cards"]),
    r"seat (?P<seat>\d+) holds (?P<cards>[\w ]+)": lambda state, _, at: _tells(
        state, _seat_places(state, at["seat"]), at["cards"]
    ),
    r"(?P<slot>board|box|dealer) holds (?P<cards>[\w ]+)": lambda state, _, at: _tells(
        state, state.cards.plan.slots.get(SLOTS[at["slot"]], ()), at["cards"]
    ),
    r"card at place (?P<place>\d+) is (?P<card>\w+)": lambda _, __, at: [
        actions.IdentifyCards(int(at["place"]), (Card(at["card"]),))
    ],
    r"officer corrects (?:seat (?P<seat>\d+)|(?P<slot>board|box|dealer)) card (?P<number>\d+) to (?P<card>\w+)": (
        lambda state, _, at: [
            actions.CorrectCard(
                (_seat_places(state, at["seat"]) if at["seat"] else state.cards.plan.slots[SLOTS[at["slot"]]])[
                    int(at["number"]) - 1
                ],
                Card(at["card"]),
            )
        ]
    ),
    rf"{_SEAT} looks": lambda _, __, at: [actions.Look(at["seat"], at["patron"])],
    r"dealer turns up (?P<slot>board|box|dealer)": lambda _, __, at: [actions.Reveal(SLOTS[at["slot"]])],
    r"dealer turns up seat (?P<seat>\d+)": lambda _, __, at: [actions.Reveal("player", at["seat"])],
    # decisions
    rf"{_SEAT} raises (?P<amount>[\d.]+)": lambda _, __, at: [
        actions.Decide(at["seat"], "raise", at["amount"], at["patron"])
    ],
    rf"{_SEAT} raises": lambda _, __, at: [actions.Decide(at["seat"], "raise", None, at["patron"])],
    rf"{_SEAT} (?P<choice>folds|rides|withdraws)": lambda _, __, at: [
        actions.Decide(at["seat"], at["choice"].removesuffix("s"), patron=at["patron"])
    ],
    rf"{_SEAT} bets (?P<choice>\w+)(?: of (?P<amount>[\d.]+))?": lambda _, __, at: [
        actions.Decide(at["seat"], at["choice"], at["amount"], at["patron"])
    ],
    r"seats (?P<seats>[\d, and]+) (?P<choice>bet|fold|ride|withdraw)(?: (?P<times>\w+))?": lambda _, __, at: [
        actions.Decide(int(seat), at["times"] or at["choice"]) for seat in re.findall(r"\d+", at["seats"])
    ],
    r"floor declares seat (?P<seat>\d+) undecided": lambda _, __, at: [actions.DeclareUndecided(at["seat"])],
    # settlement
    r"meter (?P<meter>\w+) is read": lambda _, meters, at: [actions.ReadMeter(at["meter"], shown(meters[at["meter"]]))],
    r"meter (?P<meter>\w+) shows (?P<amount>[\d.]+)": lambda _, __, at: [actions.ReadMeter(at["meter"], at["amount"])],
    r"dealer settles seat (?P<seat>\d+)(?P<last> cover_all)?": lambda _, __, at: [
        actions.Settle("last" if at["last"] else "hand", at["seat"])
    ],
    r"dealer settles envy": lambda _, __, ___: [actions.Settle("envy")],
    r"dealer closes the round": lambda _, __, ___: [actions.Close()],
    # rulings
    r"floor rules (?P<irregularity>\w+)(?: at seat (?P<seat>\d+))?": lambda _, __, at: [
        actions.Rule(at["irregularity"], at["seat"] or 0)
    ],
    r"floor finds seat (?P<seat>\d+) against (?P<rule>\w+)": lambda _, __, at: [
        actions.FindConduct(at["seat"], at["rule"])
    ],
    r"seat (?P<seat>\d+) leaves, (?P<how>abandoned|played on)": lambda _, __, at: [
        actions.Leave(at["seat"], "abandon" if at["how"] == "abandoned" else "play_on")
    ],
    r"floor reduces the raise of seat (?P<seat>\d+) to (?P<amount>[\d.]+)": lambda _, __, at: [
        actions.ReduceRaise(at["seat"], at["amount"])
    ],
    r"officer turns back the last settlement": lambda _, __, ___: [actions.ReverseSettlement()],
}


def actions_of(state: Round, meters: dict[str, Meter], text: str) -> list[Action]:
    """What a move asks of the engine; cards that do not lie side by side are told in several actions."""
    for pattern, make in _GRAMMAR.items():
        found = re.fullmatch(pattern, text)
        if found:
            at: Found = found.groupdict()
            if "patron" in at:
                at["patron"] = at["patron"] or ""
            for name in ("seat", "chips"):
                if at.get(name):
                    at[name] = int(at[name])
            if at.get("amount"):
                at["amount"] = parse_dollars(at["amount"])
            return make(state, meters, at)
    raise Unreadable(f"{text!r} is no move")


# --- what came of it


def _money(cents: int) -> str:
    """
    >>> _money(1234567), _money(-5)
    ('12,345.67', '-0.05')
    """
    return f"{'-' * (cents < 0)}{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def _cite(clause: str, reading: int | None = None) -> str:
    return f" ({clause}, reading {reading})" if reading else f" ({clause})"


def _owners(state: Round, places: Iterable[int]) -> str:
    """Cards in this order, with whose they are."""
    plan = state.cards.plan
    named = [(str(plan.places[index].seat), WORDS.get(plan.places[index].slot), index) for index in places]
    runs = groupby(named, key=lambda one: one[1] or f"seat {one[0]}")
    return ", ".join(f"{who} {' '.join(_card(state, index) for _, _, index in run)}" for who, run in runs)


def _card(state: Round, place: int) -> str:
    known = state.faces.known[place]
    return "??" if known is None else str(known)


def render(state: Round, event: Event) -> list[str]:
    """What a record says of an event; `state` is the round after the move."""
    match event:
        case round_events.WagerTakenBack():
            instead = ", for another amount" if event.changed else ""
            return [f"seat {event.seat} takes back {event.wager} {_money(event.amount)}{instead}"]
        case round_events.WagerReturned():
            back = f"seat {event.seat} {event.wager} {_money(event.amount)} is no bet and goes back"
            return [back + _cite(event.clause, event.reading)]
        case round_events.ActPerformed():
            number = "" if event.number is None else f": {event.number}"
            words = "no more bets" if event.act == "announce" else event.act.replace("_", " ")
            return [words + number + _cite(event.clause, event.reading)]
        case round_events.CountMismatched():
            return [f"{event.counted} counted, {event.expected} expected{_cite(event.clause, event.reading)}"]
        case round_events.CardSetAside():
            card = "a card" if event.card is None else str(event.card)
            return [f"{card} goes to the rack unused{_cite(event.clause, event.reading)}"]
        case round_events.CardCorrected():
            return [f"{_owners(state, [event.place])} instead of {event.was}"]
        case round_events.CardsRevealed():
            return [f"face up: {_owners(state, event.places)}{_cite(event.clause)}"]
        case round_events.DecisionMade():
            amount = f", {_money(event.amount)}" if event.amount else ""
            declared = ", declared by the floor" if event.declared else ""
            return [f"seat {event.seat} {event.decision}: {event.choice}{amount}{declared}{_cite(event.clause)}"]
        case round_events.HandAnnounced():
            return [f"announced: seat {event.seat} {say_hand(event.hand)}{_cite(event.clause)}"]
        case round_events.HandLeftExposed():
            return [f"seat {event.seat} stays exposed{_cite(event.clause, event.reading)}"]
        case round_events.HandSettled():
            coupon = [_coupon(event.seat, event.coupon)] if event.coupon else []
            return [_settled(event.seat, one) for one in event.wagers] + coupon
        case round_events.EnvySettled():
            return [
                f"seat {seat} envy {_money(one.won)} for {one.hand} of seat {one.from_seat}{_cite(one.clause)}"
                for seat, paid in event.paid
                for one in paid
            ]
        case round_events.SettlementReversed():
            lines = [_settled(event.seat, one) for one in event.wagers]
            lines += [_coupon(event.seat, event.coupon)] if event.coupon else []
            lines += render(state, round_events.EnvySettled(event.envy)) if event.envy else []
            return [f"turned back: {line}" for line in lines]
        case round_events.MeterRead():
            return [f"{event.meter} meter shows {_money(event.shown)}"]
        case round_events.CardsRacked():
            return [f"rack: {_owners(state, event.places)}{_cite(event.clause, event.reading)}"]
        case round_events.IrregularityRuled():
            where = f" at seat {event.seat}" if event.seat else ""
            words = f"{event.irregularity}{where}: void {event.void}, cards {event.cards}"
            return [words + _cite(event.clause, event.reading)]
        case round_events.ConductFound():
            words = "all bets forfeit" if event.forfeits else "recorded"
            return [f"seat {event.seat} broke {event.rule}: {words}{_cite(event.clause, event.reading)}"]
        case round_events.PlayerLeft():
            return [f"seat {event.seat} left: {event.how}{_cite(event.clause, event.reading)}"]
        case round_events.HandRemoved():
            return [f"seat {event.seat} is out: {event.out}"]
        case round_events.RaiseReduced():
            words = f"seat {event.seat} {event.wager} reduced from {_money(event.was)} to {_money(event.amount)}"
            return [words + _cite(event.clause, event.reading)]
        case round_events.RaiseRestored():
            return [f"seat {event.seat} {event.wager} stands in full again, {_money(event.amount)}"]
        case round_events.RoundClosed():
            return [f"staked {_money(event.staked)}, paid {_money(event.paid)}{_cite(event.clause, event.reading)}"]
    return []


_VERBS: Final = {"win": "wins", "lose": "loses", "push": "pushes", "forfeit": "is forfeit"}


def _settled(seat: int, one: WagerSettled) -> str:
    words = f"seat {seat} {one.wager} {_money(one.staked)} {_VERBS.get(one.outcome, f'is {one.outcome}')}"
    if one.won or one.outcome == "win":
        words += f" {_money(one.won)}"
    if one.before_limit is not None:
        words += f" cut from {_money(one.before_limit)}"
    if one.returned:
        words += f", {_money(one.returned)} back"
    if one.hand:
        words += f": {one.hand}"
    if one.award:
        words += f", {one.award.percent}% of {one.award.meter}"
    elif one.pays and one.outcome == "win":
        words += f", {one.pays}"
    return words + _cite(one.clause, one.reading)


def _coupon(seat: int, one: CouponSettled) -> str:
    won = f" {_money(one.won)}" if one.won else ""
    words = f"seat {seat} coupon {_money(one.value)} {_VERBS.get(one.outcome, f'is {one.outcome}')}{won}"
    return words + _cite(one.clause, one.reading)


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(__doc__)
    for name in sys.argv[2:]:
        write(Path(name))
