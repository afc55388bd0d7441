"""`croupier table` as people and programs meet it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest

from croupier.games.actions import ACTIONS
from croupier.rulebook import load_rulebook, rulebook_ids
from croupier.rulebook.names import Duty
from croupier.table import arguments
from croupier.table.commands import COMMANDS, FILLED_IN, WITH_REASON, Command, DealCards, Move, RevealCards
from support.running import croupier, here

AT = "2026-01-01T20:00:00Z"
TABLE = {"submission": {"rulebook": "md-mississippi-stud"}, "cards": {"source": "script"}}
SEED = "".join(f"{number:02x}" for number in range(32))


def line(role: str, name: str, do: str, **fields: object) -> dict[str, Any]:
    return {"by": {"role": role, "id": name}, "at": AT, "do": do, **fields}


def run(*lines: object, code: int = 0, arguments: tuple[str, ...] = ()) -> list[Any]:
    text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in lines)
    done = here("table", "run", "-", *arguments, stdin=text)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return [json.loads(one) for one in done.stdout.splitlines()]


def test_commands_are_one_closed_list_and_the_duties_of_the_rulebooks() -> None:
    kinds = get_args(Command)
    assert [kind.__struct_config__.tag for kind in COMMANDS.values()] == list(COMMANDS) == list(get_args(Duty))
    assert set(COMMANDS.values()) == set(kinds)
    assert len({kind.__name__ for kind in kinds}) == len(kinds)
    duties = {book: {duty.do for duty in load_rulebook(book).procedure.duty} for book in rulebook_ids()}
    assert set().union(*duties.values()) == set(COMMANDS)
    assert set(COMMANDS) >= WITH_REASON


def test_a_table_takes_the_moves_of_a_round() -> None:
    """Dealing and turning up cards by commands of its own, under the same names."""
    assert {kind.__struct_config__.tag for kind in get_args(Move)} == set(ACTIONS)
    assert set(get_args(Move)) - set(ACTIONS.values()) == {DealCards, RevealCards}


def test_the_player_of_a_move_comes_with_the_request() -> None:
    for kind, field in FILLED_IN.items():
        assert field in kind.__struct_fields__
        assert field not in {argument["name"] for argument in arguments(kind)}
    [answer] = run(TABLE, line("player", "Ann", "look", seat=1, patron="Bo"), code=2)
    assert answer["error"].startswith("line 2: 'patron' is not an argument of look")


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_example_runs_from_opening_to_closing(rulebook: str) -> None:
    script = here("table", "example", rulebook)
    assert script.returncode == 0
    done = here("table", "run", "-", stdin=script.stdout)
    assert done.returncode == 0
    events = [json.loads(one) for one in done.stdout.splitlines()]
    assert not [one for one in events if "event" not in one]
    names = [one["event"] for one in events]
    assert names[0] == "person_assigned/1"
    assert "round_closed/1" in names
    assert names[-1] == "table_closed/1"
    told = here("table", "run", "-", "--text", stdin=script.stdout).stdout.splitlines()
    assert len(told) == sum(max(1, len(event.get("wagers", ()))) for event in events)
    assert "The table closes" in told[-1]


def test_a_refusal_says_why_by_which_clause_and_what_is_allowed() -> None:
    answers = run(
        TABLE, line("pit_manager", "p1", "assign", post="floorperson", person="f1"), line("dealer", "d1", "close")
    )
    assert answers[0]["event"] == "person_assigned/1"
    refused = answers[1]["refused"]
    assert refused["code"] == "not_on_duty"
    assert refused["clause"] == "4.A"
    assert refused["message"] == "d1 is not the dealer on duty"
    assert refused["allowed"] == []
    [answer] = run(TABLE, line("floorperson", "f1", "open_table", gaming_day="2026-01-01"))
    assert {"do": "attest", "what": "layout", "reference": "text"} in answer["refused"]["allowed"]


def test_money_is_in_dollars_and_cards_are_names() -> None:
    answers = run(
        *_opened(), line("player", "Ann", "sit", seat=2), line("player", "Ann", "buy_in", amount="250.50", brought=True)
    )
    assert answers[-1]["amount"] == "250.50"
    [error] = run(*_opened(), line("player", "Ann", "buy_in", amount=250), code=2)[-1:]
    assert error == {
        "error": f"line {len(_opened()) + 1}: amount: 250 is not an amount: write dollars as a string, such as '12.50'"
    }


def _opened() -> list[Any]:
    return [
        TABLE,
        line("pit_manager", "p1", "assign", post="floorperson", person="f1"),
        line("floorperson", "f1", "assign", post="dealer", person="d1"),
        line("floorperson", "f1", "attest", what="layout", reference="L-1"),
        line("floorperson", "f1", "attest", what="sign"),
        line("dealer", "d1", "count_inventory", amount="50000.00"),
        line("floorperson", "f1", "verify_inventory"),
        line("floorperson", "f1", "open_table", gaming_day="2026-01-01"),
    ]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("nonsense", "JSON is malformed"),
        ("[]", "a command is an object"),
        ("{}", "do is missing"),
        ('{"do": "dance"}', "do: 'dance' is not a command"),
        (line("dealer", "", "close"), "is not an id"),
        (line("cook", "c1", "close"), "by.role: 'cook' is not a role"),
        ({**line("dealer", "d1", "close"), "at": "yesterday"}, "is not a time such as 2026-01-01T20:00:00Z"),
        ({**line("dealer", "d1", "close"), "at": "2026-01-01T20:00:00"}, "is not a time such as"),
        ({**line("dealer", "d1", "close"), "at": 5}, "is not a time such as"),
        ({**line("dealer", "d1", "close"), "by": "d1"}, "must say who gives the command"),
        (line("dealer", "d1", "close", seat=1), "'seat' is not an argument of close; its arguments: none"),
        (line("dealer", "d1", "cut_deck", deck="A"), "cut_deck: depth is missing"),
        (line("dealer", "d1", "cut_deck", deck="A", depth="ten"), "depth"),
        (line("dealer", "d1", "cut_deck", deck="A", depth=True), "depth"),
        (line("dealer", "d1", "deal", number=2, cards="Ah Xx"), "cards: "),
        (line("dealer", "d1", "deal", number=2, cards=["Ah"]), "cards: must be cards such as Ah Kd"),
        (
            line("floorperson", "f1", "set_aside", irregularity="one_card_face_up", card="Ah Kd"),
            "card: must be one card such as Ah",
        ),
        (line("floorperson", "f1", "open_table", gaming_day="tomorrow"), "gaming_day"),
        (line("floorperson", "f1", "attest", what="lamp"), "what"),
        ('{"do": "close", "do": "close"}', "the key 'do' appears twice"),
        ({**line("dealer", "d1", "close"), "reason": "x" * 501}, "reason"),
    ],
)
def test_what_cannot_be_read_answers_in_its_place(bad: object, says: str) -> None:
    answers = run(TABLE, bad, line("pit_manager", "p1", "assign", post="floorperson", person="f1"), code=2)
    assert answers[0]["error"].startswith("line 2: ")
    assert says in answers[0]["error"]
    assert answers[1]["event"] == "person_assigned/1"


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ("", "the file is empty"),
        ("nonsense", "line 1: JSON is malformed"),
        ("{}", "the first line is the table"),
        ({**TABLE, "cards": {"source": "thin air"}}, "the source must be script or virtual"),
        ({**TABLE, "cards": {"source": "virtual", "seed": "00"}}, "cards.seed"),
        ({**TABLE, "cards": {"source": "script", "seed": SEED}}, "cards: 'seed' is not a key here"),
        ({**TABLE, "dealer": "robot"}, "is not a dealer"),
        ({**TABLE, "colour": "red"}, "is not a key of a table"),
        ({"submission": {"rulebook": "mars"}}, "unknown rulebook"),
        ({"submission": []}, "a submission must be a table of settings"),
    ],
)
def test_a_table_that_cannot_be_read(first: object, says: str) -> None:
    text = first if isinstance(first, str) else json.dumps(first)
    done = here("table", "run", "-", stdin=text)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_unlawful_submission_is_refused_with_all_findings() -> None:
    [answer] = run({"submission": {"rulebook": "md-mississippi-stud", "seats": 7, "boxes": 2}}, code=1)
    assert answer["refused"]["clause"] == "2.A"
    assert [one["key"] for one in answer["findings"] if one["severity"] == "error"] == ["seats", "boxes"]


def test_a_virtual_table_runs_the_same_again_and_keeps_its_promise() -> None:
    table = {**TABLE, "cards": {"source": "virtual", "seed": SEED}, "dealer": "automatic"}
    at = datetime(2026, 1, 1, 20, tzinfo=UTC)
    lines = [
        line("pit_manager", "p1", "assign", post="floorperson", person="f1"),
        line("player", "Ann", "sit", seat=1),
        line("player", "Ann", "buy_in", amount="500.00"),
        line("player", "Ann", "add_entropy", entropy="c0ffee"),
        line("player", "Ann", "place_wager", seat=1, wager="ante", amount="10.00"),
        line("dealer", "automatic dealer", "perform", act="announce"),
        line("player", "Ann", "decide", seat=1, choice="fold"),
    ]
    for number, one in enumerate(lines):
        one["at"] = (at + timedelta(seconds=number)).isoformat()
    first = run(table, *lines)
    elsewhere = croupier("table", "run", "-", stdin="\n".join(map(json.dumps, (table, *lines))))
    assert first == [json.loads(one) for one in elsewhere.stdout.splitlines()]
    shuffled = next(one for one in first if one["event"] == "deck_shuffled/1")
    revealed = next(one for one in first if one["event"] == "seed_revealed/1")
    assert revealed["commitment"] == shuffled["commitment"]
    proof = {key: revealed[key] for key in ("generator", "commitment", "seed", "players", "deck")}
    assert here("fairness", "verify", "-", stdin=json.dumps(proof)).returncode == 0
    names = [one["event"] for one in first]
    assert names.index("deck_shuffled/1") < names.index("act_performed/1") < names.index("seed_revealed/1")
    other = run({**table, "cards": {"source": "virtual"}}, *lines)
    assert next(one for one in other if one["event"] == "deck_shuffled/1")["commitment"] != shuffled["commitment"]


def test_every_command_is_listed_with_who_and_what() -> None:
    done = here("table", "commands", "--json")
    listed = {one["do"]: one for one in json.loads(done.stdout)}
    assert set(listed) == set(COMMANDS)
    assert listed["cut_deck"]["by"] == ["dealer"]
    assert listed["cut_deck"]["arguments"] == [
        {"name": "deck", "kind": "text", "required": True},
        {"name": "depth", "kind": "number", "required": True},
    ]
    recut = listed["order_recut"]["rulebooks"]
    assert recut["md-mississippi-stud"]["by"][0] == "floorperson"
    assert recut["ma-mississippi-stud"]["by"][0] == "supervisor"
    assert "ma-mississippi-stud" not in listed["order_shuffle"]["rulebooks"]
    assert all(one["about"] and one["by"] for one in listed.values())
    people = here("table", "commands", "md-let-it-ride")
    assert ".05D(2)" in people.stdout
    assert here("table", "commands", "mars").returncode == 2


def test_a_table_has_an_id_and_a_command_a_key() -> None:
    first = {"submission": {"rulebook": "md-mississippi-stud"}, "table": "pit-7"}
    request = line("pit_manager", "p1", "assign", post="floorperson", person="f1", key="c-1")
    (entry,) = run(first, request)
    assert list(entry)[:6] == ["event", "at", "by", "clause", "reading", "key"]
    assert entry["key"] == "c-1"
    run(first | {"table": "a/b"}, code=2)
    (bad,) = run(first, request | {"key": "x" * 101}, code=2)
    assert "key must be one printable line of at most 100 characters" in bad["error"]


def test_one_command_shows_what_its_arguments_may_be() -> None:
    shown = here("table", "commands", "md-let-it-ride", "rule", COLUMNS="200").stdout
    assert "community_exposed" in shown
    assert "dealer_exposed" not in shown
    assert here("table", "commands", "md-let-it-ride", "sing").stderr.startswith("croupier: 'sing' is not a command: ")
