"""The rules in the browser: every clause, reading and difference has its page, and every mark leads to one."""

from pathlib import Path
from urllib.parse import quote

from croupier.present import uncited
from croupier.present.rulebooks import in_full
from croupier.rulebook import (
    cited_places,
    clause_entries,
    clauses_under,
    load_readings,
    load_rulebook,
    readings_about,
    rulebook_ids,
)
from croupier.server import NOBODY
from croupier.web.rendering import clause_path, fragment
from support.browser import HouseForBrowsers, ThePage, browse


def well_made(page: ThePage) -> None:
    assert page.status == 200, page.text
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    assert [tag for tag, _ in page.tags].count("h1") == 1
    inputs = [given for tag, given in page.tags if tag in {"input", "select"} and given.get("type") != "hidden"]
    assert {given["id"] for given in inputs} <= page.labels
    assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in page.links)


def test_every_citation_of_a_reading_means_clauses_that_exist() -> None:
    known = {name: {clause.id for clause in load_rulebook(name).clauses} for name in rulebook_ids()}
    for reading in load_readings():
        for place in cited_places(reading):
            assert bool(place.clauses) == bool(place.text), (reading.number, place)
            assert set(place.clauses) <= known[place.rulebook]


def test_a_range_means_every_clause_in_it_and_nothing_else() -> None:
    known = ["11.A", "11.B", "11.B(1)", "11.B(2)", "11.B(3)", "11.C", "1.A", "11bis(a)"]
    assert clauses_under(known, "11.B(1)-(2)") == ("11.B(1)", "11.B(2)")
    assert clauses_under(known, "11.A-B") == ("11.A", "11.B", "11.B(1)", "11.B(2)", "11.B(3)")
    assert clauses_under(known, "11") == ("11.A", "11.B", "11.B(1)", "11.B(2)", "11.B(3)", "11.C")
    assert clauses_under(known, "1") == ("1.A",)
    assert clauses_under(known, "9") == ()


def test_a_reading_that_a_value_rests_on_is_told_with_its_clause() -> None:
    assert 55 in {reading.number for reading in readings_about("ma-mississippi-stud", "6(f)")}
    assert readings_about("ma-mississippi-stud", "no such clause") == ()


def test_a_citation_comes_off_a_sentence_only_where_it_is_one() -> None:
    known = {"6(f) Table 1: 3CS-01", "7.F(1)"}
    assert uncited("Seat 1 bets (7.F(1))", known)[:2] == ("Seat 1 bets", "7.F(1)")
    assert uncited("It pays (6(f) Table 1: 3CS-01, reading 4)", known) == ("It pays", "6(f) Table 1: 3CS-01", 4)
    assert uncited("The board shows (7.F(2))", known) == ("The board shows (7.F(2))", "", None)


def test_a_mark_leads_to_its_clause_in_the_rulebook_of_the_page() -> None:
    template = "problem"
    shown = {"message": "no", "title": "refused", "status": 409, "code": "x", "clause": "7.F(1)", "reading": 181}
    told = fragment(template, NOBODY, problem=shown, rulebook="md-let-it-ride")
    assert 'href="/clauses/md-let-it-ride/7.F%281%29"' in told
    assert 'href="/readings/181"' in told
    assert 'href="/clauses?search=7.F%281%29"' in fragment(template, NOBODY, problem=shown)


def test_every_clause_and_reading_has_its_page(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        nobody = await house.browser()
        overview = await nobody.see("/clauses")
        well_made(overview)
        for name in rulebook_ids():
            listed = await nobody.see(f"/clauses?book={name}")
            well_made(listed)
            entries = clause_entries(name)
            assert {clause_path(entry.clause, name) for entry in entries} <= set(listed.links)
            for entry in entries[:: len(entries) // 4]:
                page = await nobody.see(clause_path(entry.clause, name))
                well_made(page)
                assert in_full(entry.summary) in page.text
                assert set(page.links) >= {f"/readings/{each.number}" for each in readings_about(name, entry.clause)}
        listed = await nobody.see("/readings")
        well_made(listed)
        assert {f"/readings/{reading.number}" for reading in load_readings()} <= set(listed.links)
        for reading in load_readings()[::40]:
            page = await nobody.see(f"/readings/{reading.number}")
            well_made(page)
            assert reading.title in page.text
            for link in {link for link in page.links if link.startswith("/clauses/")}:
                assert (await nobody.see(link)).status == 200, link

    browse(tmp_path, visit)


def test_clauses_are_searched_by_words_and_by_kind(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        nobody = await house.browser()
        found = await nobody.see("/clauses?search=envy+bonus&kind=compute")
        wanted = [
            entry for entry in clause_entries() if entry.kind == "compute" and _has(entry.summary, "envy", "bonus")
        ]
        links = {link for link in found.links if link.startswith("/clauses/")}
        assert links == {clause_path(entry.clause, entry.rulebook) for entry in wanted}
        assert "No clause matches" in (await nobody.see("/clauses?search=zebra")).text
        assert "1 reading" in (await nobody.see("/readings?search=197")).text
        hostile = await nobody.see(f"/clauses?search={quote('<script>alert(1)</script>')}")
        assert "<script>alert" not in hostile.html
        assert (await nobody.see("/clauses?kind=nonsense&book=nowhere")).status == 200

    browse(tmp_path, visit)


def _has(text: str, *words: str) -> bool:
    return all(word in text.casefold() for word in words)


def test_a_number_that_stands_for_several_clauses_leads_to_all_of_them(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        nobody = await house.browser()
        several = await nobody.see("/clauses/md-mississippi-stud/12.C-E")
        well_made(several)
        assert clause_path("12.C(1)(a)", "md-mississippi-stud") in several.links
        single = await nobody.see("/clauses/md-mississippi-stud/12.A")
        assert single.path.endswith("12.A(1)-(10)") or "12.A(1)-(10)" in single.text
        assert (await nobody.see("/clauses/md-mississippi-stud/99.Z")).status == 404
        placed = await nobody.see("/clauses/md-mississippi-stud/2.A")
        assert "chapter 2, page 3, line 56." in placed.text
        assert "Chapter 13: Irregularities" in (await nobody.see("/clauses?book=md-mississippi-stud")).text
        assert (await nobody.see("/clauses/no-such-book/1.A")).status == 404
        assert (await nobody.see("/readings/9999")).status == 404

    browse(tmp_path, visit)


def test_the_documents_are_compared_side_by_side(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        nobody = await house.browser()
        page = await nobody.see("/differences?first=md-mississippi-stud&second=ma-mississippi-stud&part=table")
        well_made(page)
        assert "Seats, at most" in page.text
        assert clause_path("2.A", "md-mississippi-stud") in page.links
        assert clause_path("11bis(c)", "ma-mississippi-stud") in page.links
        same = await nobody.see("/differences?first=md-let-it-ride&second=md-let-it-ride")
        assert "a document does not differ from itself" in same.text
        every = await nobody.see("/differences")
        well_made(every)
        folds = [given for tag, given in every.tags if tag == "details" and "differing" in given.get("class", "")]
        assert folds
        assert not [given for given in folds if "open" in given], "parts are folded until one is chosen"
        assert [
            given for tag, given in page.tags if tag == "details" and "open" in given and "differing" in given["class"]
        ]

    browse(tmp_path, visit)
