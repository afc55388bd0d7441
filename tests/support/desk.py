"""A table that is told what to do in words, and rounds that are played at it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from croupier.cards import DECK
from croupier.driver import CardsByHand, FairShuffler, Staff, TableRunner, next_request
from croupier.errors import RuleViolation
from croupier.fairness import Entropy
from croupier.games import awaiting
from croupier.rulebook import check, read_submission
from croupier.table import Entry, Request, commands, new_table, read_request
from support.random_rounds import MS

METER = {"initial": "20000.00", "reset": "10000.00", "rate": "0.1"}
PROGRESSIVE = {"progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": METER}}}
STAFF = Staff(dealer="d1", floorperson="f1", manager="p1")


@dataclass
class Desk:
    """A table that is told what to do in words; `d1` deals and `f1` supervises."""

    submission: dict[str, Any]
    virtual: bool = False
    automatic: bool = False
    now: datetime = datetime(2026, 1, 1, 18, tzinfo=UTC)
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        submission = read_submission(self.submission)
        verdict = check(submission)
        assert verdict.house is not None, verdict.findings
        blocks = iter(range(1, 1000))
        source = (
            FairShuffler(Entropy(lambda size: next(blocks).to_bytes(size, "big"))) if self.virtual else CardsByHand()
        )
        self.first = new_table(submission, verdict.house)
        self.run = TableRunner(self.first, source, automatic=STAFF if self.automatic else None)

    @property
    def table(self) -> Any:  # noqa: ANN401
        return self.run.table

    def do(self, role: str, name: str, command: str, **fields: object) -> str:
        """Give a command: the events that came, or the code of the refusal."""
        self.now += timedelta(seconds=1)
        raw = {"by": {"role": role, "id": name}, "at": self.now.isoformat(), "do": command, **fields}
        try:
            found = self.run.handle(read_request(raw, self.table.house))
        except RuleViolation as violation:
            self.refusal = violation
            return f"refused {violation.code}"
        self.entries += found
        return " ".join(entry.name.partition("/")[0] for entry in found)

    def staff(self, *, close_bets: bool = False, cards: str = "") -> None:
        """The staff go on until a player is awaited."""
        named = [card for card in cards.split() if card]
        while (request := next_request(self.table, self.now, staff=STAFF, close_bets=close_bets)) is not None:
            command = request.command
            if isinstance(command, commands.DealCards) and not self.virtual:
                rest = [card for card in DECK if str(card) not in named]
                wanted = [next(one for one in DECK if str(one) == name) for name in named] + rest
                command = commands.DealCards(command.number, tuple(wanted[: command.number]))
            self.entries += self.run.handle(Request(request.by, self.now, command))

    def seat(self, *names: str, chips: str = "1000.00") -> None:
        self.staff()
        for place, name in enumerate(names, 1):
            self.do("player", name, "sit", seat=place)
            self.do("player", name, "buy_in", amount=chips, brought=True)
        self.staff()

    def books(self) -> dict[str, int]:
        assert sum(amount for _, amount in self.table.books) == 0
        return {str(account): amount for account, amount in self.table.books}


def stud(**more: object) -> dict[str, Any]:
    return {"rulebook": MS, "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}}} | more


def bet(desk: Desk, *names: str, progressive: bool = False) -> None:
    for place, name in enumerate(names, 1):
        assert desk.do("player", name, "place_wager", seat=place, wager="ante", amount="10.00") == "wager_placed"
        if progressive:
            desk.do("player", name, "place_wager", seat=place, wager="progressive", amount="1.00")


def play_to_settlement(desk: Desk) -> None:
    """Ann and Bo bet once their ante at every street."""
    while awaiting(desk.table.round).kind not in {"settlement", "meter"}:
        asked = awaiting(desk.table.round)
        if asked.kind == "decision":
            desk.do("player", "Ann" if asked.seat == 1 else "Bo", "decide", seat=asked.seat, choice="1x")
        elif asked.kind == "act":
            desk.do("dealer", "d1", "perform", act="announce")
        else:
            desk.do("dealer", "d1", "reveal", slot="community")


def stay(desk: Desk) -> None:
    """Ann alone bets once her ante at every street, and the board is turned up."""
    for _ in range(3):
        desk.do("player", "Ann", "decide", seat=1, choice="1x")
        while awaiting(desk.table.round).kind == "reveal":
            desk.do("dealer", "d1", "reveal", slot="community")


def won_by_ann() -> Desk:
    """Ann has a royal flush and the whole meter."""
    desk = Desk(stud(wagers=PROGRESSIVE))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards="Ah Kh Qh Jh Th")
    stay(desk)
    assert "award_pending" in desk.do("dealer", "d1", "settle", what="hand", seat=1)
    return desk


def royal_beside_bo(desk: Desk) -> None:
    """Ann and Bo bet the progressive, Ann has a royal flush, and both hands are settled."""
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo", progressive=True)
    desk.staff(close_bets=True, cards="Ah Kh 2c 3d Qh Jh Th")
    play_to_settlement(desk)
    for seat in (2, 1):
        desk.do("dealer", "d1", "settle", what="hand", seat=seat)


def hand_pay(desk: Desk) -> None:
    """The award of seat 1 is verified, validated and paid away from the tray."""
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    assert desk.do("floorperson", "f1", "hand_pay_award", seat=1, reference="W-1") == "award_hand_paid"


def refuses(desk: Desk, code: str, role: str, name: str, command: str, **fields: object) -> None:
    """A command is refused with this code, by a clause of the document, and nothing changes."""
    before = desk.table
    assert desk.do(role, name, command, **fields) == f"refused {code}"
    assert desk.refusal.clause in {clause.id for clause in before.house.rulebook.clauses}
    assert desk.table is before
