"""Rules by their hash: old records find the law they were made under, and nothing that was changed passes for it."""

import copy
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.errors import Malformed, RulesMismatch
from croupier.rulebook import (
    TODAY,
    Archive,
    FolderShelf,
    HouseOptions,
    HouseRules,
    Submission,
    check,
    editions,
    find_rulebook,
    load_rulebook,
    read_law,
    read_submission,
    read_submission_text,
    rulebook_ids,
    submission_text,
)
from croupier.rulebook.editions import ENVIRONMENT, edition_folder
from croupier.rulebook.law import SHAPES, law_hash
from croupier.rulebook.schema import DocumentSource
from croupier.rulebook.template import starting_submission
from support import slices

STUD, OURS = "md-mississippi-stud", "zz-mississippi-stud"
OLD, NEW = "2026-11-15", "2027-07-01"
RAW = {"rulebook": OURS}


def house_of(submission: Submission) -> HouseRules:
    house = check(submission).house
    assert house is not None
    return house


def template(rulebook: str, *, every_wager: bool) -> dict[str, Any]:
    return tomllib.loads(starting_submission(load_rulebook(rulebook), every_wager=every_wager))


TEMPLATES = [(name, every) for name in rulebook_ids() for every in (False, True)]


# --- the law of a rulebook


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_rulebook_comes_back_from_its_law_alone(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    again = read_law(json.dumps(json.loads(book.law), sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    assert again == book
    assert again.hash == law_hash(book.law)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_comments_and_layout_are_no_law(rulebook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = copied(rulebook, tmp_path / "plain")
    remarked = copied(rulebook, tmp_path / "remarked")
    for path in remarked.iterdir():
        path.write_text("# A remark.\n\n" + path.read_text().replace(" = ", "  =  ") + "\n")
    hashes = []
    for root in ("plain", "remarked"):
        monkeypatch.setenv(ENVIRONMENT, str(tmp_path / root))
        hashes.append(load_rulebook(f"zz-{plain.parent.name}").hash)
    assert hashes[0] == hashes[1]


def test_only_the_shared_options_that_it_names_are_in_a_law() -> None:
    law = json.loads(load_rulebook("md-high-card-flush").law)
    assert list(law) == ["files", "options"]
    assert set(law["options"]) == {row["name"] for row in law["files"]["options.toml"]["option"]}
    assert len(law["options"]) < 62


class LaterSource(DocumentSource, frozen=True, kw_only=True):
    """source.toml as a later version may know it."""

    adopted_by: str = ""


class LaterHouse(HouseRules, frozen=True, kw_only=True, dict=True):
    """House rules with a choice that a later version may add."""

    music: bool = False


def test_a_field_that_is_added_with_a_default_moves_no_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    submission = read_submission(template(STUD, every_wager=True))
    house = house_of(submission)
    monkeypatch.setitem(SHAPES, "source", LaterSource)
    book = read_law(house.rulebook.law, at="a later version")
    assert isinstance(book.source, LaterSource)
    assert book.source.adopted_by == ""
    assert book.hash == house.rulebook.hash
    fields = {field: getattr(house, field) for field in house.__struct_fields__}
    later = LaterHouse(**fields | {"rulebook": book})
    assert (later.music, later.hash) == (False, house.hash)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda law: law.pop("options"), "law: expected the keys files and options, and no others"),
        (lambda law: law["files"].pop("play.toml"), "play.toml: the file is missing"),
        (lambda law: law["files"].update({"more.toml": {}}), "more.toml: unknown file"),
        (lambda law: law["files"]["source.toml"].pop("title"), "source.toml: top level: Object missing required"),
        (lambda law: law["options"].pop("cap.scope"), "options.toml: cap.scope: no such option"),
        (
            lambda law: law["options"]["cap.scope"].pop("about"),
            "the shared option cap.scope: top level: Object missing",
        ),
    ],
)
def test_a_law_that_is_none_is_refused(change: Any, message: str) -> None:  # noqa: ANN401 - a change of any kind
    law = json.loads(load_rulebook(STUD).law)
    change(law)
    with pytest.raises(Malformed, match=message):
        read_law(json.dumps(law))


# --- the text of a submission


def kept(submission: Submission) -> Submission:
    text = submission_text(submission)
    assert submission_text(read_submission_text(text, name="kept")) == text
    return read_submission_text(text, name="kept")


@pytest.mark.parametrize(("rulebook", "every"), TEMPLATES)
def test_a_template_is_kept_whole(rulebook: str, every: bool) -> None:
    submission = read_submission(template(rulebook, every_wager=every))
    assert kept(submission) == submission


amounts = st.integers(0, 10**9).map(lambda cents: f"{cents // 100}.{cents % 100:02}")
rates = st.from_regex(r"\A(0|[1-9][0-9]{0,3})(\.[0-9]{1,100})?\Z")
words = st.text(max_size=20)
names = st.text(min_size=1, max_size=12)
counts = st.integers(-1_000_000, 1_000_000)
ids = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="/|"), min_size=1, max_size=20)


def table(**keys: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=keys)


limits = {"minimum": amounts, "maximum": amounts, "increment": amounts}
linked = st.fixed_dictionaries({"paytable": words, "stake": amounts}, optional={"decks": counts})
values = st.booleans() | counts | words | st.lists(words, max_size=3)
options = st.recursive(
    st.dictionaries(names, values, max_size=3), lambda inner: st.dictionaries(names, inner, max_size=3), max_leaves=5
)
submissions = st.fixed_dictionaries(
    {"rulebook": words},
    optional={
        "edition": words | st.dates(),
        "operator": words,
        "seats": counts,
        "boxes": counts,
        "limits": st.dictionaries(names, table(**limits), max_size=3),
        "wagers": st.dictionaries(
            names,
            table(
                paytable=words,
                stake=amounts,
                meters=st.dictionaries(names, table(initial=amounts, reset=amounts, rate=rates), max_size=3),
                reserve_rate=rates,
                link=ids | table(name=ids, tables=st.lists(linked, max_size=2)),
                **limits,
            ),
            max_size=3,
        ),
        "cards": table(decks=counts, shuffle=words, deal=words, deck_hours=counts, cover_all_mode=st.booleans()),
        "payout_limit": table(amount=amounts, approval=words),
        "approvals": st.dictionaries(names, words, max_size=3),
        "match_play": table(enabled=st.booleans(), pays=words),
        "handpay": table(threshold=amounts),
        "readings": options,
    },
)


@given(submissions)
def test_whatever_can_be_submitted_is_kept_whole(raw: dict[str, Any]) -> None:
    submission = read_submission(raw)
    assert kept(submission) == submission
    assert submission_text(read_submission(dict(reversed(raw.items())))) == submission_text(submission)


def test_a_key_that_nothing_reads_is_not_kept() -> None:
    with pytest.raises(Malformed, match=r"unknown settings: wagers.base.colour; this submission cannot be stored"):
        submission_text(read_submission(RAW | {"wagers": {"base": {"colour": "red"}}}))


# --- the hash of a house


def changes(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A submission with one value changed, at each place where it has one."""
    for path in paths({key: value for key, value in raw.items() if key != "rulebook"}):
        for value in others(at(raw, path)):
            other = copy.deepcopy(raw)
            at(other, path[:-1])[path[-1]] = value
            yield other


def paths(raw: Any) -> Iterator[list[str]]:  # noqa: ANN401 - a table of keys, or what one holds
    for key, value in raw.items():
        yield from ([key, *rest] for rest in paths(value)) if isinstance(value, dict) else [[key]]


def at(raw: Any, path: list[str]) -> Any:  # noqa: ANN401 - the same
    for key in path:
        raw = raw[key]
    return raw


def others(value: object) -> list[object]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, max(1, value - 1)]
        case str():
            try:
                return [f"{float(value) * 2:.2f}", f"{float(value) + 1:.2f}", f"{float(value) / 2:.2f}"]
            except ValueError:
                near = ["A", "B", "manual", "automated", "automated_counting", "manual_shoe", "hand", "automated_shoe"]
                return [f"{value}x", *near]
    return []


FURTHER: dict[str, Any] = {"approvals": {"layout": "L-1"}, "handpay": {"threshold": "5000.00"}}
COUPONS: dict[str, Any] = {"match_play": {"enabled": True, "pays": "1 to 1"}}


def option_changes(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A submission with one option of the readings set, to each value that it may have."""
    for option in load_rulebook(raw["rulebook"]).options:
        rule = option.rule
        allowed: dict[str, list[object]] = {
            "bool": [True, False],
            "count": [rule.minimum, rule.maximum],
            "choice": [*rule.values],
            "choices": [[], [*rule.values], [*rule.values[:1]]],
            "labels": [{}, {name: name.title() for name in rule.values}],
        }
        yield from (raw | {"readings": {rule.name: value}} for value in allowed[rule.type])


def decided(house: HouseRules) -> str:
    """Everything in house rules but the rulebook."""
    return repr([getattr(house, field) for field in house.__struct_fields__ if field != "rulebook"])


@pytest.mark.parametrize(("rulebook", "every"), TEMPLATES)
def test_the_hash_tells_houses_apart_and_nothing_else(rulebook: str, every: bool) -> None:
    raw = template(rulebook, every_wager=every) | FURTHER | (COUPONS if rulebook.startswith("ma-") else {})
    if "progressive" in raw.get("wagers", {}):
        raw["wagers"]["progressive"]["reserve_rate"] = "0.01"
        if not rulebook.startswith("ma-"):  # it links some of its paytables only
            raw["wagers"]["progressive"]["link"] = "harbor"
    everything = [raw, *changes(raw), *option_changes(raw)]
    houses = [house for one in everything if (house := check(read_submission(one)).house) is not None]
    assert house_of(read_submission(raw)) == houses[0]
    hashes = [house.hash for house in houses]
    assert len(set(hashes)) > 30
    assert len({(one.hash, decided(one)) for one in houses}) == len(set(hashes)) == len({*map(decided, houses)})
    for house in houses:
        assert (house == houses[0]) == (house.hash == hashes[0])


OTHER: dict[str, Any] = {
    "operator": "Another", "seats": 2, "boxes": 2, "wagers": (), "decks": 2, "shuffle": "continuous", "deal": "hand",
    "deck_hours": 3, "cover_all_mode": True, "payout_limit": 7, "handpay_threshold": 7, "match_play": "2 to 1",
    "approvals": (("layout", "L-2"),), "options": HouseOptions(retention_years=7),
}  # fmt: skip
OTHER_WAGER: dict[str, Any] = {
    "name": "ante", "stakes": None, "multiples": (9,), "meters": (), "reserve_rate": 7, "link": "pier",
    "envy": None,
}  # fmt: skip
BY_RULEBOOK = {"evaluator", "paytables"}
"""What follows from the rulebook and the id of the paytable."""


def test_every_choice_of_a_house_is_in_its_hash() -> None:
    """A choice that is added to house rules is added here too, and so to what the hash is made of."""
    house = house_of(read_submission(template("md-let-it-ride", every_wager=True)))
    assert set(OTHER) == {*house.__struct_fields__} - {"rulebook"}
    for field, value in OTHER.items():
        assert replace(house, **{field: value}).hash != house.hash, field
    progressive = house.wager("progressive")
    assert progressive is not None
    assert progressive.stakes is not None
    assert set(OTHER_WAGER) == {*progressive.__struct_fields__} - BY_RULEBOOK
    wagers = [replace(progressive, **{field: value}) for field, value in OTHER_WAGER.items()]
    wagers += [
        replace(progressive, meters=(replace(progressive.meters[0], **{field: value}),))
        for field, value in {"name": "minor", "initial": 7, "reset": 7, "rate": 7}.items()
    ]
    wagers += [
        replace(progressive, stakes=replace(progressive.stakes, **{field: 7}))
        for field in ("minimum", "maximum", "increment")
    ]
    hashes = {replace(house, wagers=(one,)).hash for one in (progressive, *wagers)}
    assert len(hashes) == 1 + len(wagers)


def test_a_house_is_its_own_edition_s(root: Path) -> None:
    two_editions(root)
    old, new = (house_of(read_submission(RAW | {"edition": date})) for date in (OLD, NEW))
    assert decided(replace(old, wagers=())) == decided(replace(new, wagers=()))
    assert old.hash != new.hash


# --- editions


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "rules"
    root.mkdir()
    monkeypatch.setenv(ENVIRONMENT, str(root))
    return root


def copied(rulebook: str, root: Path) -> Path:
    """A shipped rulebook as one of the state zz."""
    shipped = edition_folder(rulebook)
    folder = root / "zz" / shipped.parent.name / shipped.name
    shutil.copytree(shipped, folder)
    source = folder / "source.toml"
    source.write_text(source.read_text().replace(f'id = "{rulebook[:2]}-', 'id = "zz-'))
    return folder


def two_editions(root: Path) -> tuple[Path, Path]:
    """An edition, and a later one in which a full house pays more."""
    old = copied(STUD, root)
    new = old.parent / NEW
    shutil.copytree(old, new)
    for file, was, now in (("source.toml", OLD, NEW), ("paytables.toml", '"10 to 1"', '"12 to 1"')):
        text = (new / file).read_text()
        assert was in text
        (new / file).write_text(text.replace(was, now, 1))
    return old, new


def full_house(house: HouseRules) -> str:
    return next(line.pays for line in house.wagers[0].paytables[0].line if line.hand == "full_house")


def test_the_newest_edition_counts_unless_another_is_named(root: Path) -> None:
    two_editions(root)
    assert editions(OURS) == [NEW, OLD]
    assert load_rulebook(OURS).edition == NEW
    assert load_rulebook(OURS, edition=OLD).edition == OLD
    assert full_house(house_of(read_submission(RAW))) == "12 to 1"
    assert full_house(house_of(read_submission(RAW | {"edition": OLD}))) == "10 to 1"
    with pytest.raises(Malformed, match=f"{OURS} has no edition '2020-01-01': {NEW}, {OLD}"):
        check(read_submission(RAW | {"edition": "2020-01-01"}))


def test_a_rulebook_is_read_again_when_its_files_have_changed(root: Path) -> None:
    folder = copied(STUD, root)
    before = load_rulebook(OURS)
    assert load_rulebook(OURS) is before
    table = folder / "table.toml"
    table.write_text(table.read_text().replace("seats = { maximum = 6", "seats = { maximum = 5", 1))
    assert load_rulebook(OURS).table.seats.maximum == 5
    assert load_rulebook(OURS).hash != before.hash


def test_an_old_record_is_judged_by_its_own_edition(root: Path) -> None:
    copied(STUD, root)
    submission = read_submission(RAW)
    then = house_of(submission)
    shutil.rmtree(root / "zz")
    old, _ = two_editions(root)
    assert house_of(submission).hash != then.hash
    assert TODAY.house(then.hash, submission) == then
    assert find_rulebook(OURS, then.rulebook.hash) == then.rulebook
    assert find_rulebook(OURS, "0" * 64) is None
    shutil.rmtree(old)
    with pytest.raises(RulesMismatch, match=f"no edition of {OURS} gives the rules {then.hash[:12]}…: {NEW}$"):
        TODAY.house(then.hash, submission)
    with pytest.raises(RulesMismatch, match=f"cannot be found: {OURS} has no edition '{OLD}': {NEW}$"):
        TODAY.house(then.hash, replace(submission, edition=OLD))
    shutil.rmtree(root / "zz")
    with pytest.raises(RulesMismatch, match=f"cannot be found: unknown rulebook '{OURS}'"):
        TODAY.house(then.hash, submission)


# --- the archive


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.mark.parametrize(("rulebook", "every"), TEMPLATES)
def test_an_archive_gives_back_every_house(rulebook: str, every: bool, shelf: Path) -> None:
    submission = read_submission(template(rulebook, every_wager=every))
    house = house_of(submission)
    archive = Archive(FolderShelf(shelf))
    assert archive.put(submission, house) == house.hash
    assert archive.house(house.hash, submission) == house
    assert archive.submission(house.hash) == submission
    law = (shelf / "rulebooks" / f"{house.rulebook.hash}.json").read_text()
    assert law == house.rulebook.law


def test_an_archive_keeps_the_law_of_an_edition_that_is_gone(root: Path, shelf: Path) -> None:
    old, _ = two_editions(root)
    submission = read_submission(RAW | {"edition": OLD})
    house = house_of(submission)
    archive = Archive(FolderShelf(shelf))
    archive.put(submission, house)
    shutil.rmtree(old)
    assert full_house(archive.house(house.hash, submission)) == "10 to 1"
    assert archive.house(house.hash, replace(submission, edition=None)) == house
    other = Archive(FolderShelf(shelf.parent / "other"))
    other.put(submission, archive.house(house.hash, submission))
    assert other.house(house.hash, submission) == house


def test_an_archive_is_enough_in_a_process_without_the_rulebook(root: Path, shelf: Path) -> None:
    copied(STUD, root)
    submission = read_submission(RAW)
    rules = Archive(FolderShelf(shelf)).put(submission, house_of(submission))
    code = (
        "import sys, pathlib\n"
        "from croupier.rulebook import Archive, FolderShelf\n"
        "archive = Archive(FolderShelf(pathlib.Path(sys.argv[1])))\n"
        "print(archive.house(sys.argv[2], archive.submission(sys.argv[2])).hash)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != ENVIRONMENT}
    done = subprocess.run(
        [sys.executable, "-c", code, str(shelf), rules], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout == f"{rules}\n"


def test_what_is_there_already_stays(shelf: Path) -> None:
    archive = Archive(FolderShelf(shelf))
    short, long = (read_submission(raw) for raw in ({"rulebook": STUD}, {"rulebook": STUD, "seats": 6}))
    assert archive.put(short, house_of(short)) == archive.put(long, house_of(long))
    files = {path: path.stat().st_mtime_ns for path in shelf.rglob("*.json")}
    assert len(files) == 2
    archive.put(long, house_of(long))
    assert {path: path.stat().st_mtime_ns for path in shelf.rglob("*")}.items() >= files.items()
    assert archive.submission(house_of(long).hash) == short


def test_rules_that_are_not_those_are_refused(shelf: Path) -> None:
    archive = Archive(FolderShelf(shelf))
    submission, five = (read_submission({"rulebook": STUD, "seats": seats}) for seats in (6, 5))
    rules = archive.put(submission, house_of(submission))
    for asked, shown, message in (
        ("0" * 64, submission, "the rules 000000000000… are not in this archive"),
        ("../x", submission, "'../x' is not a hash of rules"),
        (
            rules,
            five,
            f"this submission gives the rules {house_of(five).hash[:12]}…, not {rules[:12]}…, under {STUD} {OLD}",
        ),
        (rules, replace(five, edition=NEW), f"the rules {rules[:12]}… are of {STUD} {OLD}, not of {STUD} {NEW}"),
        (rules, replace(five, rulebook=OURS), f"the rules {rules[:12]}… are of {STUD} {OLD}, not of {OURS}"),
    ):
        with pytest.raises(RulesMismatch) as refused:
            archive.house(asked, shown)
        assert str(refused.value) == message
    with pytest.raises(RulesMismatch, match="this submission gives the rules"):
        archive.put(five, house_of(submission))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Submission, str]:
    """An archive with a house in whose submission not every key decides the rules."""
    raw = template("md-let-it-ride", every_wager=True)
    table = {"paytable": raw["wagers"]["progressive"]["paytable"], "stake": "1.00"}
    raw["wagers"]["progressive"]["link"] = {"name": "harbor", "tables": [table]}
    submission = read_submission(raw)
    folder = tmp_path_factory.mktemp("archive")
    return folder, submission, Archive(FolderShelf(folder)).put(submission, house_of(submission))


@settings(
    max_examples=slices.count(full=20_000, sliced=25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_a_changed_byte_is_refused_and_its_file_named(full: tuple[Path, Submission, str], data: st.DataObject) -> None:
    folder, submission, rules = full
    path = data.draw(st.sampled_from(sorted(folder.rglob("*.json"))))
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    cut = data.draw(st.sampled_from([bytes([byte]), b"", bytes([whole[place], byte])]))
    path.write_bytes(whole[:place] + cut + whole[place + 1 :])
    archive = Archive(FolderShelf(folder))
    try:
        for ask in (lambda: archive.house(rules, submission), lambda: archive.put(submission, house_of(submission))):
            with pytest.raises(RulesMismatch) as refused:
                ask()
            assert "\n" not in str(refused.value)
            assert f"{path.parent.name}/{path.name}: it has been changed: " in str(refused.value)
    finally:
        path.write_bytes(whole)
    assert archive.house(rules, submission).hash == rules


def test_a_law_that_was_taken_away_is_missed(shelf: Path) -> None:
    archive = Archive(FolderShelf(shelf))
    submission = read_submission({"rulebook": STUD})
    house = house_of(submission)
    archive.put(submission, house)
    (law,) = (shelf / "rulebooks").iterdir()
    law.unlink()
    with pytest.raises(RulesMismatch, match=f"rulebooks/{house.rulebook.hash}.json: it is not in this archive"):
        archive.house(house.hash, submission)


def test_a_shelf_that_cannot_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    submission = read_submission({"rulebook": STUD})
    with pytest.raises(Malformed, match="Not a directory"):
        Archive(FolderShelf(tmp_path / "file")).put(submission, house_of(submission))


class Rows(dict[str, str]):
    """What a database would be."""

    def put(self, name: str, text: str) -> None:
        self[name] = text


def test_anything_that_keeps_texts_can_be_a_shelf() -> None:
    submission, rows = read_submission({"rulebook": STUD}), Rows()
    house = house_of(submission)
    Archive(rows).put(submission, house)
    assert set(rows) == {f"rulebooks/{house.rulebook.hash}.json", f"houses/{house.hash}.json"}
    assert Archive(rows).house(house.hash, submission) == house
