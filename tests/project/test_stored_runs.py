"""`table run` and `play` with `--store`, left and taken up again: other rules, a linked meter, other players."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebook import load_rulebook, starting_submission
from support.running import here
from support.stored import LINKED

OPERATOR, OTHER = ({"role": "operator", "id": name} for name in ("o1", "o2"))


def keys(words: str) -> str:
    """Each word is a line; `-` is Enter alone."""
    return "".join("\n" if word == "-" else f"{word}\n" for word in words.split())


def play(store: Path, *words: str, typed: str = "") -> str:
    done = here("play", *words, "--store", str(store), "--seed", "a", stdin=keys(typed))
    assert (done.returncode, done.stderr) == (0, "")
    assert here("journal", "verify", str(store)).returncode == 0
    assert here("ledger", "check", str(store)).returncode == 0
    return done.stdout


def test_a_script_goes_on_after_the_table_has_changed_its_rules(tmp_path: Path) -> None:
    store, script = str(tmp_path / "house.db"), here("table", "example").stdout.splitlines()
    first: dict[str, Any] = json.loads(script[0])
    changed = first["submission"] | {"cards": {"deck_hours": 4}}
    at = json.loads(script[1])["at"]
    moves = [
        {"by": OPERATOR, "at": at, "do": "propose_rules", "submission": changed, "approval": "A-1", "key": "1"},
        {"by": OTHER, "at": at, "do": "confirm_rules", "key": "2"},
    ]
    lines = [script[0], *map(json.dumps, moves)]
    one, two = (here("table", "run", "-", "--store", store, stdin="\n".join(lines)) for _ in range(2))
    assert (one.returncode, two.returncode, two.stderr) == (0, 0, "")
    assert "rules_changed/1" in one.stdout
    assert one.stdout == two.stdout
    on = here("table", "run", "-", "--store", store, stdin="\n".join([script[0], *script[1:6]]))
    assert (on.returncode, "refused" in on.stdout) == (0, False)
    now = here("table", "run", "-", "--store", store, stdin=json.dumps(first | {"submission": changed}))
    assert (now.returncode, now.stderr) == (0, "")
    never = json.dumps(first | {"submission": first["submission"] | {"cards": {"deck_hours": 2}}})
    refused = here("table", "run", "-", "--store", store, stdin=never)
    assert (refused.returncode, "plays under other rules in this store" in refused.stderr) == (2, True)


def test_the_meter_of_a_link_is_shown_and_rises(tmp_path: Path) -> None:
    house = tmp_path / "linked.json"
    house.write_text(json.dumps(LINKED))
    words = ("--submission", str(house), "--others", "1")
    text = play(tmp_path / "house.db", *words, typed="- 1 - 1 1 1 q")
    assert re.findall(r"^Progressive: (.*)$", text, re.MULTILINE) == ["main $10,000", "main $10,000.40"]
    again = play(tmp_path / "house.db", *words)
    assert re.findall(r"^Progressive: (.*)$", again, re.MULTILINE) == ["main $10,000.40"]


@pytest.mark.parametrize(("before", "later"), [(2, 0), (0, 2), (1, 3), (3, 1)])
@pytest.mark.parametrize("typed", ["- q", "- 1 q"], ids=["bets are open", "cards are dealt"])
def test_a_round_goes_on_with_other_computer_players_than_it_began_with(
    before: int, later: int, typed: str, tmp_path: Path
) -> None:
    store, house = tmp_path / "house.db", tmp_path / "house.toml"
    house.write_text(starting_submission(load_rulebook("md-mississippi-stud")))
    words = ("--submission", str(house))
    left = play(store, *words, "--others", str(before), typed=typed)
    assert "was not finished: it goes on when you come back." in left
    text = play(store, *words, "--others", str(later), "--rounds", "2", typed="1 1 1 - 1 1 1")
    assert len(re.findall(r"^Round \d", text, re.MULTILINE)) == 2
    assert "was not finished" not in text
