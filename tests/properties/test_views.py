"""What each audience sees at moments of an evening, and what each is told of its record."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from croupier.cards import parse_cards
from croupier.driver import TableRunner
from croupier.errors import RuleViolation
from croupier.money import Cents
from croupier.rulebook import Stakes
from croupier.table import Person, Request, allowed, commands, see, view
from croupier.table.audience import PUBLIC, TheirOwn
from croupier.table.events import Event
from croupier.table.views import CARD_BACK, ChoiceView
from support.desk import won_by_ann
from support.table_harness import TableHarness, table_of

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
ANN, BO, DEALER = Person("player", "Ann"), Person("player", "Bo"), Person("dealer", "automatic dealer")


def open_table(submission: dict[str, object]) -> TableHarness:
    """A table at which Ann and Bo sit with chips, ready for the first bet."""
    run = TableHarness(TableRunner(table_of(submission)), now=NOW)
    run.staff()
    run.player("Ann", commands.Sit(1))
    run.player("Bo", commands.Sit(2))
    run.player("Ann", commands.BuyIn(Cents(50_000)))
    run.player("Bo", commands.BuyIn(Cents(20_000)))
    run.staff()
    return run


@pytest.fixture
def run() -> TableHarness:
    return open_table({"rulebook": "md-mississippi-stud"})


def deal(run: TableHarness) -> None:
    run.player("Ann", commands.PlaceWager(1, "ante", Cents(1000)))
    run.player("Bo", commands.PlaceWager(2, "ante", Cents(1000)))
    run.staff_step(close_bets=True)
    run.handle(Request(DEALER, NOW, commands.DealCards(7, parse_cards("Ah Kd 2c 3c 4s 5s 6s"))))


def test_everybody_is_told_what_is_awaited(run: TableHarness) -> None:
    assert view(run.first).awaiting.words == "the table to open"
    assert view(run.table).awaiting.words == "bets"
    deal(run)
    assert view(run.table).awaiting.words == "the stub to be racked"
    run.handle(Request(DEALER, NOW, commands.RackStub()))
    assert view(run.table).awaiting.words == "seat 1 to decide on third street"


def test_players_see_their_own_cards_after_the_deal_and_nobody_elses(run: TableHarness) -> None:
    deal(run)
    assert view(run.table, ANN).seats[0].cards == (CARD_BACK, CARD_BACK)
    run.handle(Request(DEALER, NOW, commands.RackStub()))
    seen = {person: [box.cards for box in view(run.table, person).seats[:2]] for person in (None, ANN, BO, DEALER)}
    backs = (CARD_BACK, CARD_BACK)
    assert seen == {
        None: [backs, backs],
        ANN: [("Ah", "Kd"), backs],
        BO: [backs, ("2c", "3c")],
        DEALER: [backs, backs],
    }
    assert dict(view(run.table, ANN).cards)["community"] == (CARD_BACK,) * 3


def test_chips_and_tray_are_seen_by_those_whose_they_are(run: TableHarness) -> None:
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


def decide(run: TableHarness, name: str, seat: int, choice: str) -> None:
    run.player(name, commands.Decide(seat, choice))
    run.staff()


def test_a_decision_is_awaited_as_data(run: TableHarness) -> None:
    deal(run)
    run.staff()
    asked = view(run.table).awaiting
    assert (asked.kind, asked.seat, asked.patron, asked.decision) == ("decision", 1, "Ann", "third_street")
    assert [(one.choice, one.least, one.most) for one in asked.choices] == [
        ("1x", 1000, 1000),
        ("2x", 2000, 2000),
        ("3x", 3000, 3000),
        ("fold", 0, 0),
    ]
    assert (asked.since, asked.deadline) == (NOW, None)
    assert view(run.table).version == run.table.seq
    decide(run, "Ann", 1, "2x")
    assert view(run.table).awaiting.seat == 2


def test_a_house_that_sets_a_time_shows_the_deadline() -> None:
    run = open_table({"rulebook": "md-mississippi-stud", "readings": {"decision.timeout": 30}})
    deal(run)
    run.staff()
    assert view(run.table).awaiting.deadline == NOW + timedelta(seconds=30)


def test_what_a_hand_may_raise_is_its_players_to_see() -> None:
    run = open_table({"rulebook": "md-high-card-flush"})
    run.player("Ann", commands.PlaceWager(1, "ante", Cents(1000)))
    run.staff_step(close_bets=True)
    cards = parse_cards("2h 3h 4h 5c 6c 7d 8s Ah Kh 9s Ts Jd Qd Kc")
    run.handle(Request(DEALER, NOW, commands.DealCards(14, cards)))
    run.staff()
    own, other = (view(run.table, person).awaiting.choices[0] for person in (ANN, BO))
    assert own == ChoiceView(choice="raise", least=Cents(1000), most=Cents(1000), step=Cents(100))
    assert other.most == 3000


@pytest.mark.parametrize(("least", "ante", "steps"), [("10.00", 1500, [500]), ("12.00", 1700, [500, 1700])])
@pytest.mark.parametrize("person", [ANN, DEALER], ids=lambda person: person.role)
def test_a_raise_is_offered_once_and_whole_antes_apart_only_where_the_steps_miss_them(
    least: str, ante: int, steps: list[int], person: Person
) -> None:
    limits = {"ante": {"minimum": least, "maximum": "500.00", "increment": "5.00"}}
    run = open_table({"rulebook": "md-high-card-flush", "limits": limits})
    run.player("Ann", commands.PlaceWager(1, "ante", Cents(ante)))
    run.staff_step(close_bets=True)
    run.handle(Request(DEALER, NOW, commands.DealCards(14, parse_cards("2h 3h 4h 5h 6h 7d 8s Ah Kh 9s Ts Jd Qd Kc"))))
    run.staff()
    offers = [dict(offer.fields) for offer in allowed(run.table, person, NOW) if offer.do == "decide"]
    raises = [fields["amount"] for fields in offers if fields["choice"] == "raise"]
    assert [stakes.increment for stakes in raises if isinstance(stakes, Stakes)] == steps


def test_the_last_round_shows_every_result_and_the_cards_that_were_turned_up(run: TableHarness) -> None:
    assert view(run.table).last_round is None
    deal(run)
    run.staff()
    for street in range(3):
        decide(run, "Ann", 1, "1x")
        if street < 2:
            decide(run, "Bo", 2, "1x" if street == 0 else "fold")
    assert run.table.round is None
    seen = {person: view(run.table, person).last_round for person in (None, ANN, BO, DEALER)}
    assert all(one is not None and one.number == 1 for one in seen.values())
    hands = {person: [box.cards for box in one.seats] for person, one in seen.items() if one is not None}
    backs = (CARD_BACK, CARD_BACK)
    assert hands == {
        None: [("Ah", "Kd"), backs],
        ANN: [("Ah", "Kd"), backs],
        BO: [("Ah", "Kd"), ("2c", "3c")],
        DEALER: [("Ah", "Kd"), backs],
    }
    last = seen[None]
    assert last is not None
    assert dict(last.cards)["community"] == ("4s", "5s", "6s")
    assert [one.outcome for one in last.seats[0].results] == ["lose"] * 4
    ante = last.seats[1].results[0]
    assert (ante.wager, ante.outcome, ante.clause) == ("ante", "forfeit", "11.D(1)(a)")
    assert [box.bets for box in view(run.table).seats[:2]] == [(), ()]


def test_every_seat_is_named_open_or_taken(run: TableHarness) -> None:
    seats = view(run.table, ANN).seats
    assert [(box.seat, box.patron, box.own) for box in seats] == [
        (1, "Ann", True),
        (2, "Bo", False),
        *((seat, "", False) for seat in range(3, 7)),
    ]


# --- the record, as each audience is told it


def test_a_buy_in_is_its_players_and_the_staffs(run: TableHarness) -> None:
    request = Request(ANN, NOW, commands.BuyIn(Cents(700)), key="k-1")
    entry = run.handle(request)[0]
    assert see(entry, ANN) == entry == see(entry, DEALER)
    assert all(see(entry, other) is None for other in (None, BO, Person("device", "shoe")))


def test_names_reasons_and_keys_are_for_those_whose_they_are(run: TableHarness) -> None:
    request = Request(ANN, NOW, commands.PlaceWager(1, "ante", Cents(1000)), key="k-2")
    placed = run.handle(request)[-1]
    own, other, staff = (see(placed, person) for person in (ANN, BO, DEALER))
    assert own is not None
    assert other is not None
    assert (own.command, other.command, staff) == ("k-2", "", placed)
    floor = Person("floorperson", run.table.people.floor[0])
    suspended = run.handle(Request(floor, NOW, commands.SuspendTable(), "the queen of hearts is missing"))[0]
    told = see(suspended, ANN)
    assert told is not None
    assert (told.by, told.reason) == (Person("floorperson", ""), "")
    assert see(suspended, Person("regulator", "r1")) == suspended


def test_an_award_is_its_players_to_follow_and_nobody_elses() -> None:
    desk, told = won_by_ann(), []
    for role, name, command, fields in (
        ("dealer", "d1", "verify_award", {"hand": True, "light": True}),
        ("floorperson", "f1", "validate_award", {}),
        ("floorperson", "f1", "reject_award", {"reason": "the light was off"}),
    ):
        desk.do(role, name, command, seat=1, **fields)
        entry = desk.entries[-1]
        assert all(see(entry, other, desk.table) is None for other in (None, BO, Person("device", "shoe")))
        assert see(entry, ANN) is None  # without the table nobody can say whose it is
        assert see(entry, DEALER) == entry
        told.append(see(entry, ANN, desk.table))
    assert [entry.name for entry in told if entry] == ["award_verified/1", "award_validated/1", "award_rejected/1"]
    assert not any(word in repr(told) for word in ("d1", "f1", "light"))


def test_outside_the_staff_an_open_award_is_only_being_checked() -> None:
    desk = won_by_ann()
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    for person in (None, ANN, BO):
        assert view(desk.table, person).awaiting.words == "the award at seat 1, which is being checked"
        assert view(desk.table, person).staff is None
    seen = view(desk.table, DEALER)
    assert seen.awaiting.words == "the award at seat 1, which is verified"
    assert seen.staff is not None
    assert [award.status for award in seen.staff.awards] == ["verified"]


def test_a_stub_that_must_be_counted_is_awaited_as_such() -> None:
    run = open_table({"rulebook": "md-mississippi-stud", "readings": {"stub.every_n": 1}})
    deal(run)
    assert view(run.table).awaiting.words == "the stub to be counted"
    with pytest.raises(RuleViolation, match="count the stub first"):
        run.handle(Request(ANN, NOW, commands.Decide(1, "1x")))
    run.handle(Request(DEALER, NOW, commands.CountStub(45)))
    assert view(run.table).awaiting.words == "the stub to be racked"


def test_staff_events_are_told_to_nobody_else() -> None:
    names = {str(kind.__struct_config__.tag) for kind in set(get_args(Event)) - PUBLIC - set(get_args(TheirOwn))}
    assert names == {
        f"{name}/1"
        for name in (
            "table_created person_assigned attestation_made inventory_counted inventory_verified tray_filled "
            "tray_credited table_opened table_closed rules_proposed rules_changed method_changed deck_received "
            "deck_inspected deck_verified deck_spread deck_offered deck_turned_down deck_washed deck_stacked "
            "deck_shuffled shuffle_ordered deck_cut recut_ordered deck_loaded cards_taken_in_hand deck_due_soon "
            "deck_jammed deck_condemned deck_removed stub_counted stub_racked holdings_reported hands_rebuilt "
            "device_taken_out device_restored award_not_verified award_reversed count_mismatched"
        ).split()
    }
