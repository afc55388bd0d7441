"""Two rulebooks differ only in data: a third state is made by following `docs/adding-a-rulebook.md`, and nothing else.

The blocks of that page are read here as a person would follow them, so the page cannot drift from what works.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from croupier.rulebook import check, editions, load_rulebook, read_submission, read_submission_text, rulebook_ids
from croupier.rulebook.editions import ENVIRONMENT, edition_folder
from croupier.rulebook.template import starting_submission
from support import running

PAGE = (Path(__file__).parents[2] / "docs/adding-a-rulebook.md").read_text()
FIRST, THIRD = "md-mississippi-stud", "nv-mississippi-stud"
EDITION, NEXT = "2026-01-31", "2027-07-01"
OLDER = ["--edition", EDITION]

STREETS = "ante, third_street, fourth_street, fifth_street, progressive, three_card_bonus"
CHANGED = {
    "seats.maximum": (["6", "2.A"], ["5", "14.A"]),
    "cut.depth": (["10", "5.E"], ["14", "14.B"]),
    "paytable[base standard].line[full_house].pays": (["10 to 1", "12.A(1)-(10)"], ["12 to 1", "14.C"]),
    "settlement.order": ([f"{STREETS}, six_card_bonus", "11.I"], [STREETS, "11.I"]),
    "[retention.years].default": (["5", "11.J"], ["7", "14.D"]),
    "[retention.years].fixed": (["False", "11.J"], ["True", "14.D"]),
}
GONE = [
    ("table", "area[Six Card Bonus]"),
    ("table", "area[Six Card Bonus box]"),
    ("wagers", "wager[six_card_bonus]"),
    ("paytables", "choice[six_card_bonus]"),
    ("paytables", "paytable[six_card_bonus A]"),
    ("paytables", "paytable[six_card_bonus B]"),
    ("dealing", "before_deal[manual_shoe count_progressive]"),
    ("dealing", "before_deal[hand count_progressive]"),
    ("dealing", "before_deal[automated_shoe count_progressive]"),
    ("play", "reveal[six_card_box after fifth_street]"),
    ("irregularities", "irregularity[wrong_count_box]"),
    ("irregularities", "irregularity[box_exposed]"),
    ("procedure", "duty[cancel_wager]"),
    ("options", "[six_card.super_royal_payment]"),
    ("options", "[six_card.manual_box]"),
    ("options", "[six_card.box_only_if_bet]"),
    ("options", "[box.exposed]"),
]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


def follow(folder: Path) -> None:
    """The steps of the page, on a copy of the nearest rulebook."""
    shutil.copytree(edition_folder(FIRST), folder, ignore=shutil.ignore_patterns("places.toml"))
    for block in blocks("toml"):
        heading, text = block.removeprefix("# ").split("\n", 1)
        file, _, at_the_end = heading.partition(", ")
        path = folder / file
        path.write_text(f"{path.read_text()}\n{text}" if at_the_end else text)
    for row in blocks("text")[0].splitlines():
        file, named = row.split(maxsplit=1)
        leave_out(folder / file, named)
    for block in blocks("diff"):
        heading, *lines = block.splitlines()
        path = folder / heading.removeprefix("--- ")
        old, new = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))


def leave_out(path: Path, named: str) -> None:
    """Every `[[…]]` block goes whose own lines hold the text, and every row of a list that does."""
    kept = []
    before = path.read_text()
    for block in re.split(r"^(?=\[)", before, flags=re.MULTILINE):
        lines = block.splitlines(keepends=True)
        own = [line for line in lines if not line.startswith("  ")]
        if not (block.startswith("[[") and any(named in line for line in own)):
            kept += [line for line in lines if not (line.startswith("  {") and named in line)]
    assert kept != before.splitlines(keepends=True), f"{path.name} has no {named}"
    path.write_text("".join(kept))


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("rules")
    follow(root / "nv/mississippi-stud" / EDITION)
    return root


def here(rules: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return running.here(*arguments, stdin=stdin, **{ENVIRONMENT: str(rules)})


def test_the_third_rulebook_is_data_alone(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(rules))
    shipped = sorted({path.name for path in edition_folder(FIRST).iterdir()} - {"places.toml"})
    assert sorted(path.name for path in (rules / "nv/mississippi-stud" / EDITION).iterdir()) == shipped
    assert rulebook_ids()[-1] == THIRD
    assert editions(THIRD) == [EDITION]
    book = load_rulebook(THIRD)
    assert (book.source.jurisdiction, book.table.seats.maximum, book.table.seats.clause) == ("Nevada", 5, "14.A")


def test_the_page_names_every_file() -> None:
    files = {path.name for path in edition_folder(FIRST).iterdir()}
    assert set(re.findall(r"^\| `(\w+\.toml)` \|", PAGE, flags=re.MULTILINE)) == files


def test_it_is_listed_and_shown(rules: Path) -> None:
    listed = running.croupier("rulebook", "list", **{ENVIRONMENT: str(rules)})
    assert (listed.returncode, listed.stderr) == (0, "")
    row = rf"^{THIRD} +Mississippi Stud +Nevada +{EDITION} +default draft *$"
    assert re.search(row, listed.stdout, flags=re.MULTILINE)
    shown = here(rules, "rulebook", "show", THIRD)
    assert shown.stdout.startswith("Mississippi Stud, Nevada\n")
    assert re.search(r"^document +Rules of Mississippi Stud, an example *$", shown.stdout, flags=re.MULTILINE)
    assert "six card bonus" not in shown.stdout
    table = here(rules, "rulebook", "show", THIRD, "table")
    assert re.search(r"^seats +at most 5 +14\.A *$", table.stdout, flags=re.MULTILINE)


def test_a_new_edition_stands_beside_the_old_one(rules: Path, tmp_path: Path) -> None:
    """The last chapter of the page."""
    shutil.copytree(rules, tmp_path / "rules")
    (block,) = [block for block in blocks("sh") if NEXT in block]
    command, option, old, new = block.split()
    assert (command, option) == ("cp", "-r")
    shutil.copytree(tmp_path / old, tmp_path / new)
    source = tmp_path / new / "source.toml"
    source.write_text(source.read_text().replace(EDITION, NEXT).replace('"invented"', '"amended"'))
    table = tmp_path / new / "table.toml"
    table.write_text(table.read_text().replace("maximum = 5", "maximum = 4"))
    more = tmp_path / "rules"
    listed = here(more, "rulebook", "list").stdout
    assert re.findall(rf"^{THIRD} .* (2\S+) +(\w+) draft *$", listed, flags=re.MULTILINE) == [
        (NEXT, "default"),
        (EDITION, "older"),
    ]
    told = json.loads(here(more, "rulebook", "list", "--json").stdout)[-2:]
    assert [(one["rulebook"], one["edition"], one["default"]) for one in told] == [
        (THIRD, NEXT, True),
        (THIRD, EDITION, False),
    ]
    overviews = [here(more, "rulebook", "show", THIRD, *edition).stdout for edition in ([], OLDER)]
    assert [re.findall(r"^edition +(.*?) *$", overview, flags=re.MULTILINE) for overview in overviews] == [
        [NEXT],
        [f"{EDITION}, older than the default"],
    ]
    (diff,) = [block.split() for block in blocks("sh") if "--edition" in block]
    shown = here(more, *diff[1:]).stdout
    assert re.match(rf"table +{EDITION} +{NEXT} *\nseats, at most +5 \(14\.A\) +4 \(14\.A\) *\n", shown)
    assert shown.endswith("\n1 difference\n")
    assert "14.A (enforce)" in here(more, "rulebook", "show", THIRD, "clause", "14.A", *OLDER).stdout
    for edition, most in (("", 4), (f'edition = "{EDITION}"', 5), (f"edition = {EDITION}", 5)):
        done = here(more, "submission", "check", "-", stdin=f'rulebook = "{THIRD}"\n{edition}\nseats = 6\n')
        assert done.stdout.startswith(f"error seats: 6 seats: at most {most} (14.A)\n")
    done = here(more, "submission", "check", "-", stdin=f'rulebook = "{THIRD}"\nedition = "2020-01-01"\n')
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"croupier: -: edition: {THIRD} has no edition '2020-01-01': {NEXT}, {EDITION}\n"


def test_the_differences_are_those_made_and_no_others(rules: Path) -> None:
    done = here(rules, "rulebook", "diff", FIRST, THIRD, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    # The box is dealt no more.
    steps = [one for one in found if one["key"].endswith(".step")]
    assert {one["key"]: (one["first"][0], one["second"][0]) for one in steps} == {
        "script[manual_shoe].step": ("six_card_box 4, player 2, community 3", "player 2, community 3"),
        "script[hand].step": ("six_card_box 4, player 2, community 3", "player 2, community 3"),
        "script[automated_shoe].step": ("six_card_box 4, community 3, player 2", "community 3, player 2"),
    }
    others = [one for one in found if one not in steps]
    assert [one["key"] for one in others if one["first"] is None] == []
    assert {one["key"]: (one["first"], one["second"]) for one in others if one["second"]} == CHANGED
    assert [(one["part"], one["key"]) for one in others if one["second"] is None] == GONE


def test_the_page_shows_the_differences_as_the_command_does(rules: Path) -> None:
    done = here(rules, "rulebook", "diff", FIRST, THIRD)
    shown = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    assert shown.startswith(blocks("text")[1])


def test_a_starting_submission_is_valid(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = here(rules, "submission", "new", THIRD)
    assert (new.returncode, new.stderr) == (0, "")
    assert "seats = 5    # at most 5: 14.A" in new.stdout
    checked = here(rules, "submission", "check", "-", "--json", stdin=new.stdout)
    assert (checked.returncode, json.loads(checked.stdout)["valid"]) == (0, True)
    monkeypatch.setenv(ENVIRONMENT, str(rules))
    everything = starting_submission(load_rulebook(THIRD), every_wager=True)
    house = check(read_submission_text(everything, name="house.toml")).house
    assert house is not None
    assert [wager.name for wager in house.wagers] == STREETS.split(", ")


def test_a_submission_that_breaks_the_limit_is_told_the_clause(rules: Path) -> None:
    done = here(rules, "submission", "check", "-", stdin=f'rulebook = "{THIRD}"\nseats = 6\n')
    assert done.returncode == 1
    assert done.stdout.startswith("error seats: 6 seats: at most 5 (14.A)\n")


@pytest.mark.parametrize(
    ("choice", "key", "message"),
    [
        (
            {"wagers": {"six_card_bonus": {"paytable": "A"}}},
            "wagers.six_card_bonus",
            "six_card_bonus is not a wager here",
        ),
        (
            {"readings": {"six_card": {"manual_box": "first_four"}}},
            "readings.six_card.manual_box",
            "unknown option in this rulebook",
        ),
        ({"readings": {"retention": {"years": 5}}}, "readings.retention.years", "fixed at 7 in this rulebook"),
    ],
)
def test_what_the_document_leaves_out_or_fixes_is_refused(
    choice: dict[str, object], key: str, message: str, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(rules))
    verdict = check(read_submission({"rulebook": THIRD} | choice))
    (error,) = [finding for finding in verdict.findings if finding.severity == "error"]
    assert error.key == key
    assert error.message.startswith(message)
