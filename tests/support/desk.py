"""A table that is told what to do in words, and rounds that are played at it."""

from datetime import timedelta
from typing import Any

from croupier.cards import parse_cards
from croupier.driver import CardsByHand, Staff, TableRunner
from croupier.errors import RuleViolation
from croupier.games import awaiting
from croupier.table import read_request
from support.random_rounds import MS
from support.table_harness import TableHarness, counting_shuffler, table_of

METER = {"initial": "20000.00", "reset": "10000.00", "rate": "0.1"}
PROGRESSIVE = {"progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": METER}}}
STAFF = Staff(dealer="d1", floorperson="f1", manager="p1")


class Desk(TableHarness):
    """A table that is told what to do in words; `d1` deals and `f1` supervises."""

    def __init__(self, submission: dict[str, Any], *, virtual: bool = False, automatic: bool = False) -> None:
        source = counting_shuffler() if virtual else CardsByHand()
        run = TableRunner(table_of(submission), source, automatic=STAFF if automatic else None)
        super().__init__(run, cards=None if virtual else (), staff_names=STAFF)

    @property
    def table(self) -> Any:  # noqa: ANN401
        return self.run.table

    def do(self, role: str, name: str, command: str, **fields: object) -> str:
        """Give a command: the events that came, or the code of the refusal."""
        self.now += timedelta(seconds=1)
        raw = {"by": {"role": role, "id": name}, "at": self.now.isoformat(), "do": command, **fields}
        try:
            entries = self.handle(read_request(raw, self.table.house))
        except RuleViolation as violation:
            self.refusal = violation
            return f"refused {violation.code}"
        return " ".join(entry.name.partition("/")[0] for entry in entries)

    def staff(self, *, close_bets: bool = False, cards: str = "") -> None:
        """Let the staff go on until a player is awaited; by hand, they deal these cards first."""
        if self.cards is not None:
            self.cards = parse_cards(cards)
        super().staff(close_bets=close_bets)

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
