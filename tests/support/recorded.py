"""Recorded rounds: text that can be read aloud, replayed against the engine and compared line by line.

A record begins with what it is about and the clauses that it shows (`shows:`), then the operator's submission
(`house`, TOML lines) and, where a meter does not begin at its initial amount, what it shows (`meter main 20000.00`).
A line that begins with `>` is a move; the indented lines below it are everything that came of it, nothing less:
the sentences of `croupier.present` for acts, decisions, reveals, money, meters, the rack, rulings and refusals, each
with the clause (and reading) that it cites. Stakes, looks and cards that are simply accepted leave no line. `#` begins
a remark.

    python tests/support/recorded.py --write FILE…    fill in what came of each move
    python tests/support/recorded.py --write all      the same in every record

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
from croupier.money import Cents, parse_dollars
from croupier.present import CardPlaces, dollars_and_cents, event_sentences, refusal_words
from croupier.progressive import Meter, house_meters, meters_showing, moved, shown, take
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text
from croupier.rulebook.names import Act, Slot, WagerName
from support.meters import give_back

ROUNDS: Final = Path(__file__).parents[1] / "rounds"
SLOTS: Final[dict[str, Slot]] = {"board": "community", "box": "six_card_box", "dealer": "dealer"}
SILENT: Final = (
    round_events.WagerPlaced,
    round_events.CouponPlaced,
    round_events.CouponTakenBack,
    round_events.WagerRegistered,
    round_events.CardsDealt,
    round_events.CardsIdentified,
    round_events.CardsViewed,
)
"""What the move itself says already."""


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
    clauses = tuple(clause.strip() for line in shows for clause in line.split(",") if clause.strip())
    known = {row.id for row in load_rulebook(path.parent.name).clauses}
    for clause in clauses:
        if clause not in known:
            raise Unreadable(f"{path.name}: {clause} is not a clause of {path.parent.name}")
    toml = "\n".join([f'rulebook = "{path.parent.name}"', *_section(head, "house")])
    verdict = check(read_submission_text(toml, name=path.name))
    if verdict.house is None:
        raise Unreadable(
            f"{path.name}: {[str(finding) for finding in verdict.findings if finding.severity == 'error']}"
        )
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
    section: list[str] = []
    inside = False
    for line in head:
        if line.startswith(name):
            inside = True
            section.append(line.removeprefix(name).strip())
        elif inside and line.startswith("    "):
            section.append(line.strip())
        else:
            inside = False
    return section


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
        came: list[str] = []
        for action in actions_of(self.state, self.meters, text):
            offered = any(admits(offer, action) for offer in legal_actions(self.state))
            try:
                self.state, events = apply(self.state, action)
            except RuleViolation as refusal:
                if offered:
                    raise AssertionError(f"{text}: offered, but refused") from refusal
                return [*came, f"Refused, {refusal.code}: {refusal_words(refusal)}"]
            if not offered:
                raise AssertionError(f"{text}: accepted, but not offered")
            self.events += events
            for event in events:
                came += self._say(event)
        return came

    def _say(self, event: Event) -> list[str]:
        """The sentences of an event, and what the meters that it moves show then."""
        changed = self._move_meters(event)
        sentences = [] if isinstance(event, SILENT) else event_sentences(event, CardPlaces(self.state, faces=True))
        return sentences + [
            f"The {name} meter now shows {dollars_and_cents(shown(self.meters[name]))}" for name in changed
        ]

    def _move_meters(self, event: Event) -> list[str]:
        match event:
            case round_events.MeterRaised() if event.meter != "reserve":
                self.meters[event.meter] = moved(self.meters[event.meter], event.units)
                return [event.meter]
            case round_events.HandSettled() | round_events.SettlementReversed():
                awards = [wager.award for wager in event.wagers if wager.award is not None]
                for award in awards:
                    meter = self.meters[award.meter]
                    if isinstance(event, round_events.SettlementReversed):
                        meter = give_back(meter, award.amount, percent=award.percent)
                    else:
                        meter, amount = take(meter, percent=award.percent)
                        assert amount == award.amount, f"the meter gives {amount}, the round {award.amount}"
                    self.meters[award.meter] = meter
                return [award.meter for award in awards]
        return []


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
    replay, lines = begin(record), []
    for move in record.moves:
        came = tuple(replay.play(move.text))
        if came != move.expected:
            lines.append(f"{record.name}, line {move.line}: {move.text}")
            lines += [f"  recorded: {line}" for line in move.expected if line not in came]
            lines += [f"  happened: {line}" for line in came if line not in move.expected]
            if sorted(came) == sorted(move.expected):
                lines.append("  the same lines in another order")
    return lines


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
            kept += [line, *(f"    {sentence}" for sentence in came[number])]
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
    runs = groupby(enumerate(pairs), key=lambda pair: pair[1][0] - pair[0])
    together = [[told for _, told in run] for _, run in runs]
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
Groups = dict[str, Any]
_GRAMMAR: Final[dict[str, Callable[[Round, dict[str, Meter], Groups], list[Action]]]] = {
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
        said = re.fullmatch(pattern, text)
        if said:
            at: Groups = said.groupdict()
            if "patron" in at:
                at["patron"] = at["patron"] or ""
            for name in ("seat", "chips"):
                if at.get(name):
                    at[name] = int(at[name])
            if at.get("amount"):
                at["amount"] = parse_dollars(at["amount"])
            return make(state, meters, at)
    raise Unreadable(f"{text!r} is not a move")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(__doc__)
    for path in recorded() if sys.argv[2:] == ["all"] else map(Path, sys.argv[2:]):
        write(path)
