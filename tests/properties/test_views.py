"""What each audience sees at moments of an evening."""

from datetime import UTC, datetime

import pytest

from croupier.cards import parse_cards
from croupier.driver import TableRunner, next_request
from croupier.money import Cents
from croupier.rulebook import check, read_submission
from croupier.table import Person, Request, commands, new_table
from croupier.table.views import CARD_BACK, view

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
ANN, BO, DEALER = Person("player", "Ann"), Person("player", "Bo"), Person("dealer", "automatic dealer")


@pytest.fixture
def run() -> TableRunner:
    submission = read_submission({"rulebook": "md-mississippi-stud"})
    house = check(submission).house
    assert house is not None
    found = TableRunner(new_table(submission, house))
    for by, command in (
        *([(None, None)] * 20),
        (ANN, commands.Sit(1)),
        (BO, commands.Sit(2)),
        (ANN, commands.BuyIn(Cents(50_000))),
        (BO, commands.BuyIn(Cents(20_000))),
        *([(None, None)] * 12),
    ):
        request = next_request(found.table, NOW) if by is None or command is None else Request(by, NOW, command)
        if request is not None:
            found.handle(request)
    return found


def deal(run: TableRunner) -> None:
    run.handle(Request(ANN, NOW, commands.PlaceWager(1, "ante", Cents(1000))))
    run.handle(Request(BO, NOW, commands.PlaceWager(2, "ante", Cents(1000))))
    request = next_request(run.table, NOW, close_bets=True)
    assert request is not None
    run.handle(request)
    run.handle(Request(DEALER, NOW, commands.DealCards(7, parse_cards("Ah Kd 2c 3c 4s 5s 6s"))))


def test_everybody_is_told_what_is_awaited(run: TableRunner) -> None:
    fresh = new_table(run.table.submission, run.table.house)
    assert view(fresh).awaiting == "the table to open"
    assert view(run.table).awaiting == "bets"
    deal(run)
    assert view(run.table).awaiting == "the stub to be put away"
    run.handle(Request(DEALER, NOW, commands.RackStub()))
    assert view(run.table).awaiting == "seat 1 to decide on third street"


def test_players_see_their_own_cards_after_the_deal_and_nobody_elses(run: TableRunner) -> None:
    deal(run)
    assert view(run.table, ANN).boxes[0].cards == (CARD_BACK, CARD_BACK)
    run.handle(Request(DEALER, NOW, commands.RackStub()))
    seen = {person: [box.cards for box in view(run.table, person).boxes] for person in (None, ANN, BO, DEALER)}
    backs = (CARD_BACK, CARD_BACK)
    assert seen == {
        None: [backs, backs],
        ANN: [("Ah", "Kd"), backs],
        BO: [backs, ("2c", "3c")],
        DEALER: [backs, backs],
    }
    assert dict(view(run.table, ANN).cards)["community"] == (CARD_BACK,) * 3


def test_chips_and_tray_are_seen_by_those_whose_they_are(run: TableRunner) -> None:
    assert view(run.table, ANN).chips == 50_000
    assert view(run.table, ANN).staff is None
    assert view(run.table).chips is None
    staff = view(run.table, DEALER).staff
    assert staff is not None
    assert dict(staff.chips) == {"Ann": 50_000, "Bo": 20_000}
    assert staff.tray == 100_000_000 - 70_000
    assert [deck.stage for deck in staff.decks] == ["loaded"]
    assert view(run.table, Person("regulator", "r1")).staff == staff
    assert view(run.table, Person("device", "shoe")).staff is None
