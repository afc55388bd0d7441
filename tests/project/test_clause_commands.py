"""`croupier clauses`: counted, searched, exported, and beside a user's copy of the document. The copy is invented."""

import csv
import hashlib
import io
import json
import shutil
from pathlib import Path

import pytest

from croupier.errors import RegulationError
from croupier.rulebook import chapter_of, load_places, load_rulebook, rulebook_ids
from croupier.rulebook.editions import ENVIRONMENT, edition_folder
from croupier.rulebook.passages import find_passages
from support.invented_document import invented
from support.running import here


def numbers(rulebook: str) -> list[str]:
    return [clause.id for clause in load_rulebook(rulebook).clauses]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_clause_has_a_place_in_its_chapter_and_in_order(rulebook: str) -> None:
    places = load_places(rulebook)
    assert places is not None
    assert list(places.clause) == numbers(rulebook)
    chapters = {chapter.number: chapter.line for chapter in places.chapter}
    before = 0
    for clause, (first, last) in places.clause.items():
        assert before <= first <= last <= places.text.lines, clause
        assert chapters[chapter_of(clause)] < first
        assert all(line > first for line in chapters.values() if line > chapters[chapter_of(clause)])
        before = first
    assert all(chapter.title for chapter in places.chapter)
    assert places.text.pages == (len(places.text.page_begins) or None)
    assert list(places.text.page_begins) == sorted(set(places.text.page_begins))


def test_where_clauses_are_is_no_part_of_the_law(tmp_path: Path) -> None:
    shipped = edition_folder("md-let-it-ride")
    copy = copied(tmp_path, "md-let-it-ride")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENVIRONMENT, str(tmp_path))
        with_places = load_rulebook("zz-let-it-ride").hash
        (copy / "places.toml").unlink()
        assert load_rulebook("zz-let-it-ride").hash == with_places
        assert load_places("zz-let-it-ride") is None
        (copy / "places.toml").write_text((shipped / "places.toml").read_text().replace('".13A"', '".13Z"'))
        with pytest.raises(RegulationError, match=r"\.13A is not in both"):
            load_places("zz-let-it-ride")
        (copy / "places.toml").write_text("# one\nthree four\n")
        with pytest.raises(RegulationError, match=r"places\.toml: not TOML: .*line 2"):
            load_places("zz-let-it-ride")


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_clauses_are_found_by_number_and_heading_in_a_text_that_nobody_has_seen(rulebook: str) -> None:
    clauses = numbers(rulebook)
    text, at = invented(rulebook, clauses)
    passages = find_passages(text, clauses)
    assert {clause: passage.first for clause, passage in passages.items()} == at


def copied(folder: Path, rulebook: str) -> Path:
    state, _, game = rulebook.partition("-")
    shipped = edition_folder(rulebook)
    copy = folder / "zz" / game / shipped.name
    shutil.copytree(shipped, copy)
    source = copy / "source.toml"
    source.write_text(source.read_text().replace(f'"{state}-{game}"', f'"zz-{game}"'))
    return copy


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """An invented document, and a rulebook that was read from it."""
    folder = tmp_path_factory.mktemp("regulations")
    text, at = invented("md-mississippi-stud", numbers("md-mississippi-stud"))
    rows = [f'"{clause}" = [{line}, {line}]' for clause, line in at.items()]
    lead = text.split("\n").index("- C. Lead-in number 36.") + 1
    head = f'[text]\nsha256 = "{hashlib.sha256(text.encode()).hexdigest()}"\nbytes = {len(text)}\nlines = 9\n'
    body = f'[[chapter]]\nnumber = "3"\ntitle = "Decks"\nline = 1\n[lead_in]\n"3.C" = [{lead}, {lead}]\n[clause]\n'
    (copied(folder, "md-mississippi-stud") / "places.toml").write_text(head + body + "\n".join(rows))
    document = folder / "document.txt"
    document.write_text(text)
    return document, {ENVIRONMENT: str(folder)}


def test_a_known_text_is_shown_beside_the_summary_and_names_its_rulebook(house: tuple[Path, dict[str, str]]) -> None:
    document, environment = house
    done = here("clauses", "--document", str(document), "3.C(1)", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    words = " ".join(done.stdout.split())
    assert "is the text that zz-mississippi-stud was read from" in words
    assert "257 of 257 clauses found" in words
    assert "we say Hand-dealt decks replaced at least every 4 hours." in words
    assert "document - C. Lead-in number 36. - (1) Line number 36." in words
    only = here("clauses", "zz-mississippi-stud", "--document", str(document), **environment)
    assert (only.returncode, "we say" in only.stdout) == (0, False)


def test_another_text_is_said_to_be_one_and_searched(house: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    document, environment = house
    changed = tmp_path / "changed.txt"
    changed.write_text("\n\n" + document.read_text().replace("- F. Line number 45.", ""))
    asked = ("clauses", "zz-mississippi-stud", "--document", str(changed))
    done = here(*asked, "4.F", "3.C(2)", **environment)
    assert done.returncode == 1
    words = " ".join(done.stdout.split())
    assert "is ANOTHER TEXT than the one that zz-mississippi-stud was read from" in words
    assert "256 of 257 clauses found in it not found: 4.F" in words
    assert "not found in this file" in words
    assert "- (2) Line number 37." in words
    answer = json.loads(here(*asked, "3.C(2)", "--json", **environment).stdout)
    assert (answer["same_text"], answer["not_found"]) == (False, ["4.F"])
    assert answer["clauses"][0]["passage"] == ["- (2) Line number 37."]
    nameless = here("clauses", "--document", str(changed), **environment)
    assert (nameless.returncode, nameless.stderr.count("\n")) == (2, 1)
    assert "say which rulebook it is" in nameless.stderr


def test_a_document_cannot_drive_the_terminal(house: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    document, environment = house
    file = tmp_path / "odd.txt"
    file.write_bytes(document.read_bytes().replace(b"Line number 37", b"\x1b[31m[red]\xff"))
    done = here("clauses", "zz-mississippi-stud", "3.C(2)", "--document", str(file), **environment)
    assert "\x1b[31m" not in done.stdout
    assert "(2) ?[31m[red]" in done.stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"%PDF-1.7", "this is a PDF; make a text of it first"), (b"a\0b", "this is not text"), (None, "No such file")],
)
def test_what_is_no_text_is_refused_in_a_line(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.pdf"
    if content is not None:
        file.write_bytes(content)
    done = here("clauses", "md-let-it-ride", "--document", str(file))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def test_without_a_filter_clauses_are_counted_by_kind() -> None:
    done = here("clauses", COLUMNS="80")
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line.strip()}
    assert rows["kind"] == ["MA", "MD-HCF", "MD-LIR", "MD-MS", "all"]
    assert rows["all"] == ["151", "218", "254", "257", "880"]
    assert len(done.stdout.splitlines()) < 24
    assert all(len(line.rstrip()) <= 80 for line in done.stdout.splitlines()[:-1])


def test_a_rulebook_is_counted_by_chapter_and_its_text_is_named() -> None:
    done = here("clauses", "md-let-it-ride", "--summary", COLUMNS="80")
    assert ".12      Payouts, envy and meters" in done.stdout
    places = load_places("md-let-it-ride")
    assert places is not None
    assert places.text.sha256 in done.stdout
    counted = json.loads(here("clauses", "--summary", "--json").stdout)
    assert sum(book["clauses"] for book in counted) == 880
    assert all(sum(sum(row["kinds"].values()) for row in book["chapters"]) == book["clauses"] for book in counted)


def test_a_chapter_or_clause_can_be_named() -> None:
    done = here("clauses", "md-mississippi-stud", "3.C", COLUMNS="200")
    assert [line.split()[0] for line in done.stdout.splitlines()[1:-1]] == ["3.C(1)", "3.C(2)"]
    wrong = here("clauses", "md-mississippi-stud", "99.Z")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "'99.Z' is not a clause of md-mississippi-stud" in wrong.stderr


def test_a_search_takes_words_in_any_order_and_amounts_without_commas() -> None:
    by_amount = here("clauses", "md-mississippi-stud", "--search", "50000").stdout
    assert "12.B(1)" in by_amount
    assert here("clauses", "md-mississippi-stud", "--search", "$50,000 cap").stdout == by_amount
    assert "no clause contains all of these words" in here("clauses", "--search", "cap zebra").stdout
    assert here("clauses", "--search", "zebra", "--json").stdout.strip() == "[]"


def test_the_register_as_csv_has_every_clause_with_its_place() -> None:
    rows = list(csv.DictReader(io.StringIO(here("clauses", "--csv").stdout)))
    assert len(rows) == 880
    seats = next(row for row in rows if (row["rulebook"], row["clause"]) == ("md-mississippi-stud", "2.A"))
    assert (seats["chapter"], seats["page"], seats["first_line"], seats["last_line"]) == ("2", "3", "56", "56")
    assert here("clauses", "--csv", "--json").returncode == 2


def test_no_summary_of_a_list_repeats_its_rulebook() -> None:
    done = here("clauses", "--search", "envy", COLUMNS="80")
    assert done.stdout.count("md-mississippi-stud") == 1
    assert all(len(line.rstrip()) <= 80 for line in done.stdout.splitlines())


def test_the_page_for_regulators_names_the_texts_that_were_read() -> None:
    page = (Path(__file__).parents[2] / "docs/regulators.md").read_text()
    for name in rulebook_ids():
        places = load_places(name)
        assert places is not None
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert f"`{places.text.sha256}`" in row
        assert f"| {places.text.pages or 'text without pages'} |" in row
