"""`croupier table open`: a table at the keyboard, in the same record and scripts as `croupier table run`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from croupier.cli.chosen_house import chosen_house
from croupier.cli.stores import MemoryHost
from croupier.cli.table.desk import LeaveTheDesk, TableDesk
from croupier.cli.table.typed_command import read_typed
from croupier.driver import CardsByHand
from croupier.errors import Malformed
from croupier.table import new_table
from support.running import here

MS, LIR = "md-mississippi-stud", "md-let-it-ride"
AT = datetime(2026, 1, 1, 18, tzinfo=UTC)
CLOCK = ("--clock", "2026-01-01T18:00:00Z")
SEED = "".join(f"{number:02x}" for number in range(32))


def clock() -> Callable[[], datetime]:
    ticks = count()
    return lambda: AT + timedelta(seconds=10 * next(ticks))


@pytest.fixture
def desk() -> TableDesk:
    chosen = chosen_house(MS)
    table = new_table(chosen.submission, chosen.verdict().rules(), id="1")
    return TableDesk(MemoryHost(table, CardsByHand()), clock())


def tell(desk: TableDesk, *lines: str) -> str:
    return "\n".join(line for told in lines for line in desk.answer(told))


ROUND = (
    "go", "Ann: sit 1", "Ann: buy_in 500 brought=true", "go", "place_wager 1 ante $25", "next close", "go",
    "decide 1 3x", "Qh", "decide 1 1x", "reveal community Jh", "decide 1 1x", "Th", "next", "AhKh", "go",
)  # fmt: skip


def test_a_whole_round_by_hand_with_cards_typed_where_they_are_awaited(desk: TableDesk) -> None:
    told = tell(desk, *ROUND)
    assert "refused" not in told
    assert "Seat 1 shows Ah Kh" in told
    assert "The round is closed: $150 staked" in told
    assert told.endswith("awaiting: bets[/dim]")


def test_it_lists_what_each_person_may_do_now(desk: TableDesk) -> None:
    assert "assign post=dealer|floorperson person=…" in tell(desk, "who")
    told = tell(desk, *ROUND[:4], "who")
    for words in (
        "floorperson f1",
        "dealer d1",
        "player Ann",
        "place_wager seat=1 wager=ante amount=$10–$500, step $1",
    ):
        assert words in told
    assert "dealer d1" not in tell(desk, "who Ann")


def test_a_refusal_has_its_clause_and_what_is_possible_and_changes_nothing(desk: TableDesk) -> None:
    tell(desk, *ROUND[:7])
    given = list(desk.given)
    told = tell(desk, "dealer: deal 1")
    assert "refused[/red] no cards are due to be dealt now (10.B(3), reading 104)" in told
    assert "possible: decide seat=1 choice=1x|2x|3x|fold" in told
    assert "not the dealer on duty (4.A" in tell(desk, "dealer d9: close")
    assert desk.given == given


def test_whoever_speaks_is_the_player_at_the_seat_the_staff_on_duty_or_who_was_chosen(desk: TableDesk) -> None:
    tell(desk, *ROUND[:5])
    assert str(desk.given[-1].by) == "player Ann"
    tell(desk, "as dealer", "sit 2 Bob", "as nobody", "suspend_table reason='a spill'")
    assert [str(request.by) for request in desk.given[-2:]] == ["dealer d1", "floorperson f1"]
    assert desk.given[-1].reason == "a spill"


def test_nobody_sees_cards_that_are_not_theirs() -> None:
    lines = "Ann: sit 1\nAnn: buy_in 200\nplace_wager 1 ante 10\nnext close\nsee\nsee Ann\n"
    done = here("table", "open", MS, "--cards", "virtual", "--seed", SEED, "--automatic", *CLOCK, stdin=lines)
    dealer, _, ann = done.stdout.partition("see Ann")
    assert "seat 1, Ann: ?? ??, ante $10" in dealer
    assert "seat 1, Ann: ?? ??" not in ann


def test_nothing_is_undone_and_what_sets_it_right_is_named(desk: TableDesk) -> None:
    tell(desk, *ROUND[:5])
    given = list(desk.given)
    assert "Possible now: take_back" in tell(desk, "undo")
    assert desk.given == given


def test_help_completion_and_the_end(desk: TableDesk) -> None:
    tell(desk, *ROUND[:4])
    assert "save FILE" in tell(desk, "help")
    assert "community_exposed: community card exposed" in tell(desk, "help rule")
    assert desk.complete("plac") == ["place_wager"]
    assert desk.complete("Ann: place_wager wager=a") == ["wager=ante"]
    assert desk.complete("as fl") == ["floorperson"]
    with pytest.raises(LeaveTheDesk):
        desk.answer("quit")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("sing", "'sing' is not a command: did you mean"),
        ("sit one", "seat: 'one' is not a whole number"),
        ("buy_in lots", "amount: 'lots' is not an amount"),
        ("sit 1 Ann Bob", "sit: 'Bob' is one too many; it takes seat, patron"),
        ("sit 'Ann", "a quotation mark is missing"),
        ("help dance", "'dance' is not a command"),
        ("record all", "record: 'all' is not a number of lines"),
        ("Ah", "Ah: no card is awaited now"),
    ],
)
def test_what_cannot_be_read_says_why(desk: TableDesk, line: str, says: str) -> None:
    with pytest.raises(Malformed) as refused:
        desk.answer(line)
    assert says in str(refused.value)


def test_commands_are_read_however_they_are_typed() -> None:
    wager = {"seat": 1, "wager": "three_card_bonus", "amount": "1000.00"}
    for line in ("place_wager 1 three_card_bonus $1,000", "place wager amount=1000 wager='3 card' seat=1"):
        assert read_typed(line, (), AT).values == wager
    assert read_typed("deal 2 A♥ 10d", (), AT).values == {"number": 2, "cards": "Ah Td"}
    assert read_typed("report_holdings 1:2,4:3", (), AT).values == {"seats": {"1": 2, "4": 3}}
    assert read_typed("open_table today", (), AT).values == {"gaming_day": "2026-01-01"}


@pytest.mark.parametrize(("cards", "dealer"), [("hand", ()), ("virtual", ()), ("virtual", ("--automatic",))])
def test_a_saved_script_makes_the_same_record(tmp_path: Path, cards: str, dealer: tuple[str, ...]) -> None:
    lines = "go\nAnn: sit 1\nAnn: buy_in 500\ngo\nplace_wager 1 ante 25\nnext close\ngo\ndecide 1 fold\ngo\nrecord\n"
    script = tmp_path / "evening.jsonl"
    done = here("table", "open", MS, "--cards", cards, *dealer, *CLOCK, "--script", str(script), stdin=lines)
    assert done.returncode == 0, done.stderr
    again = here("table", "run", str(script), "--text")
    assert again.returncode == 0
    assert again.stdout
    assert again.stdout.strip() in done.stdout
    taken = here("table", "open", MS, *CLOCK, stdin=f"save {script}\n")
    assert "the file exists already" in taken.stdout


def test_a_script_that_cannot_be_saved_is_refused_before_the_evening(tmp_path: Path) -> None:
    taken = tmp_path / "taken.jsonl"
    taken.write_text("mine", "utf-8")
    for place, why in (
        (taken, "exists already"),
        (tmp_path / "no" / "x", "no folder"),
        (tmp_path / ("9" * 500), "long"),
    ):
        done = here("table", "open", MS, "--script", str(place), stdin="go\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert why in done.stderr
    assert taken.read_text("utf-8") == "mine"


@pytest.mark.parametrize("start", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "noon"])
def test_a_clock_that_cannot_go_on_is_not_a_time(start: str) -> None:
    done = here("table", "open", MS, "--clock", start, stdin="go\ngo\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a time such as 2026-01-01T18:00:00Z" in done.stderr


def test_a_stored_table_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "house.db"))
    here("table", "open", LIR, *store, stdin="go\nAnn: sit 1\n")
    done = here("table", "open", LIR, *store, stdin="Ann: buy_in 100\n")
    assert "goes on where it stopped" in done.stdout
    assert "Ann buys in for $100" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("mars",), 2, "mars: neither a file nor a rulebook"),
        ((MS, "--cards", "marked"), 2, "--cards: 'marked' is not a source"),
        ((MS, "--seed", SEED), 2, "--seed: cards by hand have no seed"),
        ((MS, "--clock", "noon"), 2, "--clock: 'noon' is not a time"),
    ],
)
def test_a_table_that_cannot_be_opened_says_why(arguments: tuple[str, ...], code: int, says: str) -> None:
    done = here("table", "open", *arguments)
    assert (done.returncode, says in done.stderr) == (code, True)


def test_a_bad_line_of_a_pipe_is_answered_and_the_exit_code_says_so() -> None:
    done = here("table", "open", MS, stdin="sing\nwho\n")
    assert done.returncode == 2
    assert "'sing' is not a command" in done.stdout
    assert "assign post=" in done.stdout
