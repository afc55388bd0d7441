"""What a record says of each entry, and what it refuses to begin with."""

import copy
import pickle
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from croupier.driver import Outcome, TableRunner
from croupier.errors import BrokenRecord
from croupier.fairness import Sealed
from croupier.journal import DataKey, HouseKey, read_line, write_line
from croupier.journal.upcast import is_newer
from croupier.money import MeterUnits
from croupier.table import Entry, Person, Progressive, commands, create, creation, rebuild
from croupier.table import events as table_events
from support.desk import PROGRESSIVE, Desk, bet, stay, stud
from support.table_harness import counting_shuffler

NOW = datetime(2026, 1, 1, 18, tzinfo=UTC)
HOUSE = Person("operator", "the house")


@pytest.mark.parametrize("key", [HouseKey(bytes(32)), DataKey(bytes(32))])
def test_a_key_is_not_copied_stored_or_printed(key: HouseKey | DataKey) -> None:
    for act in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a key cannot be copied or stored"):
            act(key)
    assert repr(key) == f"<{type(key).__name__}>"


def test_a_record_begins_with_the_table_it_makes() -> None:
    desk = Desk(stud())
    desk.staff()
    first = creation(desk.first, HOUSE, NOW)
    assert create(first) == replace(desk.first, clock=NOW, seq=1)
    with pytest.raises(BrokenRecord, match="a record begins with table_created, not person_assigned/1"):
        create(replace(desk.entries[0], seq=1))
    with pytest.raises(BrokenRecord, match="entry 2: a record begins with table_created, not table_created/1"):
        create(replace(first, seq=2))
    with pytest.raises(BrokenRecord, match="a record without entries has no table"):
        rebuild(None, [])


def test_a_new_table_has_the_meters_that_its_record_gives_it() -> None:
    """A meter that is moved here from elsewhere brings what it holds."""
    table = Desk(stud(wagers=PROGRESSIVE)).first
    (meter,) = table.progressive.meters
    moved = replace(table, progressive=Progressive(meters=(replace(meter, units=MeterUnits(31_234_567_890)),)))
    entry = creation(moved, HOUSE, NOW)
    assert isinstance(entry.event, table_events.TableCreated)
    assert entry.event.meters == (("main", 31_234_567_890),)
    assert create(entry).progressive == moved.progressive


def test_each_entry_has_the_number_of_its_round() -> None:
    """Nothing before the first round has one; a revealed seed has that of the round it was for."""
    desk = Desk(stud(), virtual=True)
    desk.seat("Ann")
    assert {entry.round for entry in desk.entries} == {0}
    for number in (1, 2):
        start = len(desk.entries)
        bet(desk, "Ann")
        desk.staff(close_bets=True)
        desk.do("player", "Ann", "decide", seat=1, choice="fold")
        while desk.table.round is not None:
            desk.staff()
        names = [entry.name for entry in desk.entries[start:]]
        closed = names.index("round_closed/1")
        told = desk.entries[start : start + closed + 2]
        assert names[closed + 1] == "seed_revealed/1"
        assert {entry.round for entry in told} == {number}
        between = [entry for entry in desk.entries[start + closed + 2 :] if entry.name != "seed_revealed/1"]
        assert between
        assert {entry.round for entry in between} == {0}


def test_a_virtual_table_without_a_round_refuses_to_deal() -> None:
    desk = Desk(stud(), virtual=True)
    desk.seat("Ann")
    assert desk.do("dealer", "d1", "deal", number=5).startswith("refused")
    assert desk.do("dealer", "d1", "set_aside", irregularity="one_card_face_up").startswith("refused")
    bet(desk, "Ann")
    assert desk.do("dealer", "d1", "deal", number=5).startswith("refused")
    desk.staff(close_bets=True)
    stay(desk)
    desk.staff()
    assert desk.table.played == 1


def test_only_a_later_version_of_the_same_event_is_newer() -> None:
    known = ["deck_cut/1", "deck_cut/9", "deck_washed/1"]
    assert is_newer("deck_cut/10", known)
    assert not is_newer("deck_cut/9", known)
    assert not is_newer("deck_cut/2", known)
    assert not is_newer("deck_cut/new", known)
    assert not is_newer("deck_lost/2", known)
    line = write_line(creation(Desk(stud()).first, HOUSE, NOW))
    with pytest.raises(BrokenRecord, match=r"^this line cannot be read"):
        read_line(line.replace(b"table_created/1", b"table_invented/2"))


def test_rules_change_only_to_those_that_were_proposed() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    start = len(desk.entries)
    for hours in (2, 4):
        other = stud(cards={"deck_hours": hours})
        assert desk.do("operator", "o1", "propose_rules", submission=other, approval="A-1") == "rules_proposed"
    assert desk.do("operator", "o2", "confirm_rules") == "rules_changed"
    first, second, changed = desk.entries[start:]
    before = rebuild(desk.first, desk.entries[:start])

    def numbered(*told: Entry) -> list[Entry]:
        return [replace(entry, seq=before.seq + place) for place, entry in enumerate(told, 1)]

    assert rebuild(before, numbered(second, changed)).house.deck_hours == 4
    for told in ((changed,), (first, changed)):
        with pytest.raises(BrokenRecord, match="rules changed that were not proposed"):
            rebuild(before, numbered(*told))


def test_a_table_is_empty_only_when_nobody_sits_there() -> None:
    desk = Desk(stud())
    desk.staff()
    opened = desk.table.people.empty_since
    assert opened is not None
    desk.do("player", "Ann", "sit", seat=1)
    desk.do("player", "Bo", "sit", seat=2)
    assert desk.table.people.empty_since is None
    desk.do("player", "Bo", "stand_up")
    assert desk.table.people.arrived == ("Ann",)
    assert desk.table.people.empty_since is None
    desk.do("player", "Ann", "stand_up")
    assert desk.table.people.arrived == ()
    assert desk.table.people.empty_since == desk.now


@pytest.mark.parametrize("counted", [51, 52])
def test_a_seed_is_kept_only_for_a_deck_that_was_shuffled(counted: int) -> None:
    """A counting shuffler that finds the deck wrong has shuffled nothing."""
    desk = Desk(stud(cards={"shuffle": "automated_counting"}), virtual=True)
    stored: list[Outcome] = []
    desk.run = TableRunner(desk.first, counting_shuffler(), store=stored.append)
    desk.staff()
    desk.do("player", "Ann", "sit", seat=1)
    while (request := desk.staff_request()) is not None and not isinstance(request.command, commands.ShuffleDeck):
        desk.handle(request)
    assert request is not None
    desk.handle(replace(request, command=replace(request.command, counted=counted)))
    names = [entry.name for entry in stored[-1].entries]
    shuffled = counted == 52
    assert ("deck_shuffled/1" in names, "deck_condemned/1" in names) == (shuffled, not shuffled)
    assert len(stored[-1].secrets) == shuffled
    assert not any(one.secrets for one in stored[:-1])


def test_a_player_is_asked_since_the_turn_came_and_not_since_the_last_entry() -> None:
    desk = Desk(stud())
    desk.seat("Ann", "Bo")
    bet(desk, "Ann", "Bo")
    desk.staff(close_bets=True)
    asked = desk.table.asked_at
    assert asked == desk.now
    assert desk.do("floorperson", "f1", "fill_tray", amount="100.00", reference="F-1") == "tray_filled"
    assert (desk.table.clock, desk.table.asked_at) == (desk.now, asked)
    desk.do("player", "Ann", "decide", seat=1, choice="1x")
    assert desk.table.asked_at == desk.now != asked


def test_two_outcomes_are_stored_as_one_in_their_order() -> None:
    desk = Desk(stud(), virtual=True)
    desk.seat("Ann")
    one, two = Sealed(bytes(range(32))), Sealed(bytes(range(1, 33)))
    first = Outcome(desk.first, tuple(desk.entries[:2]), (one,), ("a",))
    second = Outcome(desk.table, tuple(desk.entries[2:5]), (two,), ("b", "c"))
    both = first + second
    assert both.table is desk.table
    assert both.entries == tuple(desk.entries[:5])
    assert (both.secrets, both.spent) == ((one, two), ("a", "b", "c"))
