"""`croupier layout check`, and layouts as files: SVG, PDF and HTML."""

import io
import json
import subprocess
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as Tree

import pypdf
import pytest
from msgspec.structs import replace

from croupier.documents.layout import check_list, layout
from croupier.documents.layout_drawing import draw_layout
from croupier.documents.layout_pages import layout_html, layout_pdf
from croupier.documents.particulars import Particulars
from croupier.rulebook import load_rulebook, rulebook_ids, starting_submission
from support.layouts import full_house, groups, house_with
from support.running import here

PRINTED = Particulars(version="3", date=date(2026, 11, 17))


def check(*arguments: Path | str) -> subprocess.CompletedProcess[str]:
    return here("layout", "check", *map(str, arguments))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A drawing and its submission."""
    submission = tmp_path / "house.toml"
    submission.write_text(starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True))
    drawing = tmp_path / "layout.svg"
    drawing.write_text(draw_layout(layout(full_house("md-mississippi-stud"), Particulars())))
    return drawing, submission


def test_a_drawing_that_has_everything_is_valid(files: tuple[Path, Path]) -> None:
    drawing, submission = files
    run = check(drawing, submission)
    assert (run.returncode, run.stdout.split()[0]) == (0, "valid")
    told = json.loads(check(drawing, submission, "--json").stdout)
    assert told == {"valid": True, "hash": full_house("md-mississippi-stud").hash, "findings": []}


def test_a_drawing_lacking_an_area_is_refused_by_area_seat_and_clause(files: tuple[Path, Path]) -> None:
    drawing, submission = files
    svg = drawing.read_text()
    erased = next(
        group for group in groups(svg) if 'data-area="Three Card Bonus"' in group and 'data-seat="3"' in group
    )
    drawing.write_text(svg.replace(erased, ""))
    run = check(drawing, submission)
    assert run.returncode == 1
    assert "Three Card Bonus, seat 3: missing (2.B(5))" in " ".join(run.stdout.split())
    told = json.loads(check(drawing, submission, "--json").stdout)
    assert [(row["area"], row["seat"], row["clause"]) for row in told["findings"]] == [
        ("Three Card Bonus", 3, "2.B(5)")
    ]


HAND_DRAWN = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:defs><svg:g data-area="raise"/></svg:defs>
<svg:text data-area="operator's name or logo">Your  House</svg:text>
<svg:circle data-area="ante" data-seat="1"/><svg:circle data-area="raise" data-seat="1"/>
CARDS
<svg:g data-notice="2.B(7)(b)"><svg:text>Dealer must hold 9 high</svg:text></svg:g>
<svg:text data-notice="2.B(7)(c)(i)">1x</svg:text><svg:text data-notice="2.B(7)(c)(ii)">2x</svg:text>
<svg:text data-notice="2.B(7)(c)(iii)">3x</svg:text></svg:svg>"""


def test_a_drawing_by_hand_needs_only_the_attributes(tmp_path: Path) -> None:
    submission, drawing = tmp_path / "house.toml", tmp_path / "mine.svg"
    text = starting_submission(load_rulebook("md-high-card-flush"))
    submission.write_text(text.replace("seats = 6", "seats = 1"))
    drawing.write_text(HAND_DRAWN.replace("CARDS", '<svg:rect data-area="dealer\'s cards"/>' * 7))
    assert check(drawing, submission).returncode == 0
    drawing.write_text(HAND_DRAWN.replace("CARDS", '<svg:rect data-area="dealer\'s cards"/>' * 8))
    run = check(drawing, submission)
    assert (run.returncode, "8 areas; expected 7 (2.B(3))" in " ".join(run.stdout.split())) == (1, True)


LAUGHS = '<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not an SVG drawing"),
        (b"%PDF-1.7", "not an SVG drawing"),
        (b"\x1f\x8b\x08\x00", "not an SVG drawing"),
        (b"<svg><g></svg>", "not an SVG drawing"),
        (b"<html></html>", "its first element is 'html'"),
        (LAUGHS.encode(), "it declares an entity"),
        (b'<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', "it declares an entity"),
        (b"<svg>" + b"<g>" * 300, "too much in it"),
        (b"<svg>" + b"<g/>" * 200_001, "too much in it"),
        (b'<svg><g data-area="ante" data-seat="one"/></svg>', "a seat is a number"),
        (b'<?xml version="1.0" encoding="no-such"?><svg/>', "not an SVG drawing"),
    ],
)
def test_a_hostile_drawing_gets_one_clear_line(files: tuple[Path, Path], data: bytes, message: str) -> None:
    drawing, submission = files
    drawing.write_bytes(data)
    run = check(drawing, submission)
    assert (run.returncode, run.stdout) == (2, "")
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_drawing_of_more_than_20_megabytes_is_refused(files: tuple[Path, Path]) -> None:
    drawing, submission = files
    drawing.write_bytes(b"<svg>" + b" " * 20_000_000 + b"</svg>")
    run = check(drawing, submission)
    assert (run.returncode, "at most 20,000,000" in run.stderr) == (2, True)


def test_files_that_cannot_be_read_and_submissions_that_are_not_valid(files: tuple[Path, Path]) -> None:
    drawing, submission = files
    assert check(drawing.with_name("none.svg"), submission).returncode == 2
    submission.write_text(submission.read_text().replace("seats = 6", "seats = 9"))
    run = check(drawing, submission)
    assert (run.returncode, "seats" in run.stdout) == (1, True)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_same_submission_is_the_same_bytes(rulebook: str) -> None:
    house = full_house(rulebook)
    for ground in ("cloth", "paper"):
        first, second = (draw_layout(layout(house, PRINTED), ground=ground) for _ in range(2))
        assert first == second
        assert Tree.fromstring(first).get("data-submission") == house.hash
    assert layout_pdf(layout(house, PRINTED)) == layout_pdf(layout(house, PRINTED))
    assert layout_html(layout(house, PRINTED)) == layout_html(layout(house, PRINTED))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_pdf_has_the_drawing_to_its_scale_the_inscriptions_and_the_check_list(rulebook: str) -> None:
    drawn = layout(full_house(rulebook), PRINTED)
    pages = pypdf.PdfReader(io.BytesIO(layout_pdf(drawn))).pages
    sizes = [(float(page.mediabox.width) / 72, float(page.mediabox.height) / 72) for page in pages]
    assert sizes == [(17, 11)] * (len(pages) - 1) + [(93, 57)]
    texts = [" ".join(page.extract_text().split()) for page in pages]
    assert "Scale 1 : 6" in texts[0]
    for text in drawn.inscriptions:
        for line, _ in text.lines:
            assert line in texts[0]
    assert drawn.house.hash in texts[0]
    closing = " ".join(texts[3:-1])
    for row in check_list(drawn):
        assert row.wants in closing
        assert row.clause in closing
    assert "missing" not in closing


def test_the_drawing_is_true_to_scale() -> None:
    root = Tree.fromstring(draw_layout(layout(full_house("md-let-it-ride"), Particulars())))
    width, height = (float(root.get(side, "").removesuffix("in")) for side in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {width * 100:g} {height * 100:g}"


class Outline(HTMLParser):
    """The elements of a page, and what it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = {"src", "href"}
        self.fetched += [value for name, value in attrs if name in names and value and not value.startswith("#")]


def test_the_page_needs_nothing_else_and_escapes_what_an_operator_is_called() -> None:
    house = house_with("md-high-card-flush", set())
    odd = layout(replace(house, operator='A<b>&"C'), PRINTED)
    page = Outline()
    page.feed(layout_html(odd))
    assert page.fetched == []
    assert "b" not in page.tags
    assert page.tags.count("svg") == 2
    Tree.fromstring(draw_layout(odd))
    assert layout_pdf(odd).startswith(b"%PDF")
