"""`croupier rulebook`, `submission` and `clauses` as people and programs meet them."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from croupier.present import rulebooks
from croupier.present.rulebooks import difference_words
from croupier.present.rulebooks.key_words import WORDS
from croupier.rulebook import diff_rulebooks, load_readings, load_rulebook, rulebook_ids
from support.running import here

LABEL = re.compile(r"\[[^\]]*\]")
"""The name of a row in a key."""


def answer(*arguments: str, stdin: str = "", code: int = 0) -> object:
    done = here(*arguments, "--json", stdin=stdin)
    assert (done.returncode, done.stderr) == (code, ""), done.stderr
    return json.loads(done.stdout)


def numbers(*arguments: str) -> list[str]:
    """The numbers of the clauses that a command shows."""
    return [entry["clause"] for entry in json.loads(here(*arguments, "--json").stdout)]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_part_of_every_rulebook_can_be_shown(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    parts = [
        ["overview"], ["table"], ["wagers"], ["paytables"], ["dealing"], ["play"], ["irregularities"],
        ["procedure"], ["glossary"],
        ["options"], ["clause", book.clauses[40].id], ["reading", "56"], ["paytables", "progressive"],
    ]  # fmt: skip
    for part in parts:
        for json_too in ([], ["--json"]):
            done = here("rulebook", "show", rulebook, *part, *json_too)
            assert (done.returncode, done.stderr) == (0, ""), part
            assert json.loads(done.stdout) if json_too else done.stdout.strip()


@pytest.mark.parametrize(
    ("book", "heading", "under"),
    [
        ("md-mississippi-stud", "3.C", ["3.C(1)", "3.C(2)"]),
        ("md-let-it-ride", "1b", [f".01B({number})" for number in range(1, 7)]),
        ("md-high-card-flush", "2b7c", ["2.B(7)(c)(i)", "2.B(7)(c)(ii)", "2.B(7)(c)(iii)"]),
    ],
)
def test_a_heading_shows_every_clause_under_it(book: str, heading: str, under: list[str]) -> None:
    assert numbers("rulebook", "show", book, "clause", heading) == under
    shown = here("rulebook", "show", book, heading).stdout
    assert all(f"\n{clause} " in shown for clause in under)
    assert numbers("clauses", book, heading) == under


def test_a_clause_with_others_below_it_names_them() -> None:
    shown = here("rulebook", "show", "md-let-it-ride", "02b").stdout
    assert shown.startswith("md-let-it-ride .02B (record)")
    assert "\nbelow it  .02B(1), .02B(2), " in shown


def test_a_chapter_is_a_heading_too() -> None:
    """Chapter 11 is not chapter 11bis."""
    under = numbers("rulebook", "show", "ma-mississippi-stud", "clause", "11")
    assert under == ["11(a)", "11(b)", "11(c)"]


def test_clauses_and_readings_without_a_number_are_listed() -> None:
    clauses = here("rulebook", "show", "md-let-it-ride", "clause").stdout
    assert all(clause.id in clauses for clause in load_rulebook("md-let-it-ride").clauses)
    numbers = [line.split()[0] for line in here("rulebook", "show", "md-let-it-ride", "reading").stdout.splitlines()]
    assert [number for number in numbers if number.isdigit()][:3] == ["1", "2", "3"]
    readings = answer("rulebook", "show", "md-let-it-ride", "reading")
    assert isinstance(readings, list)
    assert 0 < len(readings) == len(rulebooks.readings_of(load_rulebook("md-let-it-ride"), "")) < len(load_readings())
    ruling = here("rulebook", "show", "md-let-it-ride", "irregularities", "community_exposed").stdout
    assert ruling.splitlines()[1].startswith("community exposed  round  all")


def test_a_draft_is_said_to_be_one() -> None:
    assert "This is a draft" in here("rulebook", "show", "md-let-it-ride").stdout


def test_diff_shows_both_sides_with_their_clauses() -> None:
    found = answer("rulebook", "diff", "md-mississippi-stud", "ma-mississippi-stud")
    assert isinstance(found, list)
    seats = next(one for one in found if one["key"] == "seats.maximum")
    assert (seats["first"], seats["second"]) == (["6", "2.A"], ["7", "11bis(c)"])
    assert answer("rulebook", "diff", "md-let-it-ride", "md-let-it-ride") == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["three card bonus"], ["paytables", "three_card_bonus"]),
        (["3 card bonus"], ["paytables", "three_card_bonus"]),
        (["paytable", "Three Card Bonus"], ["paytables", "three_card_bonus"]),
        (["clauses", "12.d1"], ["clause", "12.D(1)"]),
        (["clause", "12d(1)"], ["clause", "12.D(1)"]),
        (["12.a3"], ["clause", "12.A(1)-(10)"]),
        (["clause", "3c"], ["clause", "3.C"]),
        (["12d"], ["clause", "12.D"]),
        (["12D"], ["clause", "12.D"]),
        (["readings", "8"], ["reading", "8"]),
    ],
)
def test_parts_wagers_and_clauses_may_be_typed_as_people_say_them(typed: list[str], meant: list[str]) -> None:
    shown = here("rulebook", "show", "md-mississippi-stud", *typed)
    assert shown.returncode == 0
    assert shown.stdout == here("rulebook", "show", "md-mississippi-stud", *meant).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rulebook", "show", "nj-baccarat"], "unknown rulebook 'nj-baccarat': ma-mississippi-stud"),
        (
            ["rulebook", "show", "md-let-it-ride", "--edition", "2020-01-01"],
            "md-let-it-ride has no edition '2020-01-01': 2014-10-29",
        ),
        (["rulebook", "show", "md-let-it-ride", "sauce"], "'sauce' is not a part of a rulebook: overview, table"),
        (
            ["rulebook", "show", "md-let-it-ride", "clause", ".99"],
            "'.99' is not a clause of md-let-it-ride: croupier clauses md-let-it-ride lists them",
        ),
        (
            ["rulebook", "show", "md-let-it-ride", "irregularities", "rain"],
            "'rain' is not an irregularity: one_card_face_up",
        ),
        (
            ["rulebook", "show", "md-let-it-ride", "reading", "198"],
            "'198' is not a reading: use a number from 1 to 197",
        ),
        (["rulebook", "show", "md-let-it-ride", "paytables", "flush_bonus"], "'flush_bonus' has no paytable: base"),
        (["rulebook", "show", "md-let-it-ride", "wagers", "x"], "wagers takes no name"),
        (["clauses", "nj-baccarat"], "unknown rulebook"),
        (["clauses", "--kind", "poetry"], "'poetry' is not a kind of clause: define"),
        (["submission", "check", "no-such-file.toml"], "no-such-file.toml: No such file or directory"),
        (["submission", "check", "."], ".: Is a directory"),
        (["submission", "new", "nj-baccarat"], "unknown rulebook"),
    ],
)
def test_bad_questions_get_one_clear_line_and_exit_2(arguments: list[str], message: str) -> None:
    done = here(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_clauses_as_json_have_the_documented_shape() -> None:
    entries = answer("clauses", "md-mississippi-stud")
    assert isinstance(entries, list)
    assert len(entries) == 257
    assert list(entries[0]) == ["rulebook", "clause", "kind", "summary", "where", "tests", "note"]
    everything = answer("clauses")
    assert isinstance(everything, list)
    assert len(everything) == 880


def test_clauses_for_people_can_be_narrowed() -> None:
    done = here("clauses", "md-mississippi-stud", "--kind", "configure", "--open")
    assert done.stdout.splitlines()[-1] == "0 clauses, 0 of them open"
    assert here("clauses", "md-mississippi-stud").stdout.splitlines()[-1].startswith("257 clauses, ")


@pytest.mark.parametrize("rulebook", rulebook_ids())
@pytest.mark.parametrize("every", [[], ["--every-wager"]])
def test_a_new_submission_is_valid(rulebook: str, every: list[str], tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    assert here("submission", "new", rulebook, *every, "-o", str(file)).returncode == 0
    verdict = answer("submission", "check", str(file))
    assert isinstance(verdict, dict)
    assert list(verdict) == ["valid", "hash", "findings"]
    assert verdict["valid"]
    assert len(verdict["hash"]) == 64
    assert {finding["severity"] for finding in verdict["findings"]} <= {"warning"}
    shown = answer("submission", "show", str(file))
    assert isinstance(shown, dict)
    assert shown["hash"] == verdict["hash"]
    main = next(iter(shown["wagers"].values()))
    assert (main["minimum"], main["maximum"]) == ("10.00", "500.00")
    assert here("submission", "show", str(file)).returncode == 0


def test_every_line_that_a_new_submission_leaves_out_can_be_taken_in(tmp_path: Path) -> None:
    """The commented options are real: with all of them taken in nothing changes."""
    for rulebook in rulebook_ids():
        text = here("submission", "new", rulebook, "--every-wager").stdout
        head, options = text.split("[readings]", 1)
        taken = [line[2:] for line in options.splitlines() if " = " in line and line.startswith("# ")]
        file, plain = tmp_path / f"{rulebook}.toml", tmp_path / f"{rulebook}-plain.toml"
        plain.write_text(text)
        file.write_text(head + "[readings]\n" + "\n".join(taken) + "\n")
        assert len(taken) == len(load_rulebook(rulebook).options)
        assert answer("submission", "diff", str(plain), str(file)) == []


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("mine")
    done = here("submission", "new", "md-let-it-ride", "-o", str(file))
    assert (done.returncode, file.read_text()) == (2, "mine")
    assert "File exists" in done.stderr


def test_an_invalid_submission_exits_1_with_all_findings() -> None:
    raw = {"rulebook": "md-mississippi-stud", "seats": 7, "boxes": 2}
    verdict = answer("submission", "check", "-", stdin=json.dumps(raw), code=1)
    assert isinstance(verdict, dict)
    assert (verdict["valid"], verdict["hash"]) == (False, None)
    assert [finding["key"] for finding in verdict["findings"] if finding["severity"] == "error"] == ["seats", "boxes"]
    people = here("submission", "check", "-", stdin=json.dumps(raw))
    assert people.returncode == 1
    assert "error seats: 7 seats: at most 6 (2.A)\n" in people.stdout
    assert people.stdout.endswith("not valid -: 2 errors\n")
    for command in ("show", "diff"):
        arguments = ["-", "-"] if command == "diff" else ["-"]
        assert here("submission", command, *arguments, stdin=json.dumps(raw)).returncode == 1
        assert answer("submission", command, *arguments, stdin=json.dumps(raw), code=1) == verdict


def test_what_cannot_be_read_exits_2_and_names_file_line_and_key(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('rulebook = "md-let-it-ride"\n[limits.bet]\nminimum = 10.0\n')
    done = here("submission", "check", str(file), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"croupier: {file}, line 3: limits.bet.minimum: 10.0 is not an amount")


def test_two_submissions_on_one_meter_are_compared(tmp_path: Path) -> None:
    files = []
    for name, table, stake in (("one", "MS Stud MG-01", "1.00"), ("two", "MS Stud MG-02", "5.00")):
        text = here("submission", "new", "ma-mississippi-stud", "--every-wager").stdout
        text = text.replace('paytable = "MS Stud-01"', f'paytable = "{table}"\nlink = "harbor"')
        files.append(tmp_path / f"{name}.toml")
        files[-1].write_text(text.replace('stake = "1.00"', f'stake = "{stake}"'))
    verdicts = answer("submission", "check", *map(str, files), code=1)
    assert isinstance(verdicts, list)
    assert [verdict["valid"] for verdict in verdicts] == [True, False]
    assert verdicts[1]["findings"][0]["clause"] == "11bis(k)"
    twice = answer("submission", "check", str(files[0]), str(files[0]))
    assert isinstance(twice, list)


def test_differences_of_two_submissions(tmp_path: Path) -> None:
    text = here("submission", "new", "md-mississippi-stud").stdout
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(text)
    two.write_text(text.replace("seats = 6", "seats = 5"))
    assert answer("submission", "diff", str(one), str(two)) == [{"key": "seats", "first": "6", "second": "5"}]
    assert here("submission", "diff", str(one), str(two)).stdout.endswith("1 difference\n")


def test_diff_begins_with_money_in_words() -> None:
    done = here("rulebook", "diff", "md-mississippi-stud", "ma-mississippi-stud", COLUMNS="200")
    assert done.stdout.index("Money:") < done.stdout.index("Procedure:") < done.stdout.index("Layout:")
    rows = [line.split("  ") for line in done.stdout.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["three card bonus: same pays, other names", "A, B, C, D, E, F",
            "3CS-01, 3CS-02, 3CS-05, 3CS-06, 3CS-03, 3CS-04"] in cells  # fmt: skip
    assert ["cover all", "-", "offered (12(b))"] in cells
    assert ["seats, at most", "6 (2.A)", "7 (11bis(c))"] in cells
    assert len(here("rulebook", "diff", "md-mississippi-stud", "ma-mississippi-stud", COLUMNS="80").stdout) < 8000


def test_diff_shows_a_part_or_everything() -> None:
    asked = ("rulebook", "diff", "md-mississippi-stud", "ma-mississippi-stud")
    every = answer(*asked)
    assert isinstance(every, list)
    part = here(*asked, "--part", "wagers")
    assert part.stdout.splitlines()[-1] == f"{sum(row['part'] == 'wagers' for row in every)} differences"
    assert "seats, at most" not in part.stdout
    whole = here(*asked, "--all", COLUMNS="300").stdout
    assert whole.splitlines()[-1] == f"{len(every)} differences"
    assert "seats, at most" in whole
    assert here(*asked, "--part", "money").returncode == 2


@pytest.mark.parametrize("books", list(combinations(rulebook_ids(), 2)), ids="+".join)
def test_differences_are_said_in_words(books: tuple[str, str]) -> None:
    """No key of the data, and no amount that is not in dollars."""
    for row in diff_rulebooks(*map(load_rulebook, books)):
        said = difference_words(row)
        assert said.what
        assert not [side for side in said if re.search(r"[\[\]_{}]|(?<![\d,$])\d[\d,]*\.\d\d\b|True|False", side)], said
        assert (bool(said.first), bool(said.second)) == (row.first is not None, row.second is not None), said


def test_every_difference_of_the_rulebooks_has_words_of_its_own() -> None:
    """What a key means is in the table of words, not guessed from its name."""
    without = set()
    for books in combinations(map(load_rulebook, rulebook_ids()), 2):
        for row in diff_rulebooks(*books):
            whole = WORDS.get(f"{row.part}.{LABEL.sub('[]', row.key)}")
            below = () if whole and "{" in whole.inside else row.below
            keys = [row.key, *(f"{row.key}.{name}" for name, _ in below)]
            bare = {f"{row.part}.{LABEL.sub('[]', key)}" for key in keys}
            without |= {key for key in bare if key not in WORDS and row.part != "options"}
    assert not without


def test_readings_are_listed_searched_and_exported() -> None:
    every = answer("rulebook", "readings")
    assert isinstance(every, list)
    assert [row["reading"] for row in every] == list(range(1, 198))
    assert set(every[0]) == {"reading", "about", "clauses", "open", "read", "why", "option"}
    own = answer("rulebook", "readings", "md-high-card-flush")
    assert isinstance(own, list)
    assert 0 < len(own) < len(every)
    assert all("md-high-card-flush" in row["clauses"] or "all four" in row["clauses"] for row in own)
    table = here("rulebook", "readings", "--csv").stdout.splitlines()
    assert table[0] == "reading,about,clauses,open,read,why,option"
    shown = here("rulebook", "readings", "--search", "super royal", "--full", COLUMNS="80").stdout
    assert "Reading 5. Super Royal: is the prize the same at every stake?" in shown
    assert "why      The other lines are odds" in shown
    assert here("rulebook", "readings", "--search", "no such words").stdout.splitlines()[-1] == "0 readings"
    assert here("rulebook", "readings", "--csv", "--json").returncode == 2
