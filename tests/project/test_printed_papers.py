"""Papers as files: set without loss or overflow, the same bytes each time, none of a submission that is not valid."""

import io
import re
import time
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pypdf
import pytest
import segno

from croupier.documents import every_paper
from croupier.documents.html_writer import write_html
from croupier.documents.paper import (
    Boxed,
    Cite,
    Facts,
    Grid,
    Heading,
    Items,
    Mono,
    PageBreak,
    PageSize,
    Paper,
    Paragraph,
    Picture,
    SideBySide,
    Strong,
    words,
)
from croupier.documents.particulars import Particulars
from croupier.documents.sign import SIZES, Distance, SignSize, sign_of
from croupier.documents.sign_drawing import draw_sign, qr_svg, sign_paper, write_sign
from croupier.documents.typst_writer import write_pdf
from croupier.errors import Malformed
from croupier.rulebook import (
    check,
    load_rulebook,
    read_submission,
    read_submission_text,
    rulebook_ids,
    starting_submission,
    submission_text,
)
from support import slices
from support.printed import lines_of, said_in
from support.running import here

HOSTILE = "#set page() *b* _i_ $x$ `r` @l <t> \\ \" ' // /* */ [a] {b} ~ -- --- ... & © “q” ñ ♠"
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">'
    '<script>alert(1)</script><rect width="9" height="9"/></svg>'
)
HASH = "0123456789abcdef" * 12
ROWS = tuple(
    (words(f"Row {place}"), words("Words " * 12, Cite("12.A", 16)), words(f"{place:,}")) for place in range(90)
)
FULL = Paper(
    title=HOSTILE,
    subtitle="A subtitle",
    front=(Paragraph(words("In front of everything.")),),
    blocks=(
        Heading("First part"),
        Paragraph(words("Lead ", Strong(HOSTILE)), "lead"),
        Paragraph(words(HOSTILE, " ", Mono(HASH), " ", Cite("12.B", 6))),
        Items((words("one"), words("two"))),
        Items((words("first"), words("second")), numbered=True),
        Facts((("Hash", words(Mono(HASH))), ("A fact", words("its value")))),
        Heading("A table", 2),
        Grid(("Name", "Words", "Count"), ROWS, ("left", "left", "right"), "Ninety rows", (2, 5, 1), words("A note.")),
        Boxed((Paragraph(words("Boxed words.")), Items((words("in a box"),))), "A box"),
        SideBySide(((Paragraph(words("On the left.")),), (Paragraph(words("On the right.")),)), (1, 2)),
        Picture(SVG, "A rectangle", 0.4, "A caption"),
        PageBreak(),
        Heading("Last part"),
        Paragraph(words("The end."), "note"),
    ),
    foot="the foot of the page",
    contents=True,
    cover=True,
)


def reader(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(pdf))


def test_a_paper_has_its_title_language_bookmarks_and_tags() -> None:
    read = reader(write_pdf(FULL))
    root = read.trailer["/Root"].get_object()
    assert read.metadata is not None
    assert read.metadata.title == HOSTILE
    assert isinstance(root, pypdf.generic.DictionaryObject)
    assert (str(root["/Lang"]), str(root["/MarkInfo"])) == ("en-US", "{'/Marked': True, '/Suspects': False}")
    assert [str(entry["/Title"]) for entry in read.outline if isinstance(entry, dict)] == ["First part", "Last part"]
    assert {font for page in read.pages for font in fonts_of(page)} <= {
        "SourceSansPro",
        "LibertinusSerif",
        "DejaVuSansMono",
    }


def fonts_of(page: pypdf.PageObject) -> set[str]:
    """The names of the families, without the letters that mark a part of a font."""
    resources = page["/Resources"].get_object()
    assert isinstance(resources, pypdf.generic.DictionaryObject)
    fonts = resources.get("/Font", pypdf.generic.DictionaryObject())
    assert isinstance(fonts, pypdf.generic.DictionaryObject)
    found = set()
    for font in fonts.values():
        held = font.get_object()
        assert isinstance(held, pypdf.generic.DictionaryObject)
        found.add(re.split(r"[+-]", str(held["/BaseFont"]))[1])
    return found


def test_nothing_in_a_paper_is_lost_or_taken_for_markup() -> None:
    pdf = write_pdf(FULL)
    said = said_in(pdf)
    assert said.count("b* _i_ $x$ `r` @l <t> \\") >= 3
    assert HASH in "".join(said.split())
    for text in ("In front of everything.", "Ninety rows", "A note.", "Boxed words.", "On the right.", "The end."):
        assert text in said
    rows = re.findall(r"Row (\d+)", said)
    assert rows == [str(place) for place in range(90)]


def test_heads_are_repeated_and_pages_are_numbered() -> None:
    read = reader(write_pdf(FULL))
    texts = [page.extract_text() for page in read.pages]
    tables = [text for text in texts if "Row " in text]
    assert len(tables) > 1
    assert all("Name Words Count" in text for text in tables)
    assert all(f"{number} of {len(texts)}" in text for number, text in enumerate(texts[1:], 2))
    assert "the foot of the page" in texts[-1]


def test_no_word_leaves_the_margins() -> None:
    for page in reader(write_pdf(FULL)).pages:
        ends: list[float] = []

        def look(text: str, cm: list[float], tm: list[float], *_: object, ends: list[float] = ends) -> None:
            if text.strip():
                ends.append(cm[0] * tm[4] + cm[4])

        page.extract_text(visitor_text=look)
        assert all(0.85 * 72 < end < (8.5 - 0.85) * 72 for end in ends)


def test_the_same_paper_is_the_same_bytes() -> None:
    assert write_pdf(FULL) == write_pdf(FULL)
    assert write_html(FULL) == write_html(FULL)


def test_letters_of_no_font_and_control_characters_are_printed_all_the_same() -> None:
    pdf = write_pdf(Paper("A\x00B", "\x1b[31m 賭場 🂡", (Paragraph(words("\x07 end")),)))
    assert "end" in said_in(pdf)


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="2 columns, and a row of 1"):
        write_pdf(Paper("", "", (Grid(("A", "B"), ((words("1"),),), ("left", "left")),)))


class Tags(HTMLParser):
    """Whether everything that is opened is closed, and what is referred to."""

    EMPTY = frozenset({"meta", "img", "col"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.references += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_is_complete_in_itself() -> None:
    page = write_html(FULL)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert {"header", "main", "footer", "nav", "h1", "h2", "h3", "dl", "figure", "caption", "th"} <= set(tags.seen)
    assert not {"script", "link", "iframe", "svg"} & set(tags.seen)
    assert all(reference.startswith(("#", "data:image/svg+xml;base64,")) for reference in tags.references)
    assert "url(" not in page
    assert "@import" not in page
    for rule in ("prefers-color-scheme:dark", "@page{size:8.5in 11in", "table-header-group", "widows"):
        assert rule in page


def test_a_page_has_the_contrast_of_aa() -> None:
    style = write_html(FULL)
    light, dark = re.findall(r":root\{(color-scheme:light dark;)?(--ink[^}]*)\}", style)[:2]
    for _, colors in (light, dark):
        named = dict(re.findall(r"--(\w+):(#\w+)", colors))
        for ink in ("ink", "quiet", "deep"):
            for ground in ("page", "wash"):
                assert contrast(named[ink], named[ground]) >= 4.5, (ink, ground)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    shares = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_the_colors_of_the_sign_have_the_contrast_of_aa() -> None:
    source = (Path(__file__).parents[2] / "src/croupier/documents/sign.typ").read_text()
    named = dict(re.findall(r'#let (\w+) = rgb\("(#\w+)"\)', source))
    for ink, ground in (("ink", "wash"), ("quiet", "wash"), ("deep", "wash"), ("pale", "deep")):
        assert contrast(named[ink], named[ground]) >= 4.5
    assert contrast("#ffffff", named["deep"]) >= 4.5


# --- the sign


HOUSE = check(read_submission({"rulebook": "md-mississippi-stud", "operator": "Harbor House"})).rules()


def test_the_same_sign_is_the_same_bytes() -> None:
    posted = sign_of(HOUSE, Particulars(address="https://house.example/1", logo=SVG))
    assert write_sign(posted, SIZES["letter"]) == write_sign(posted, SIZES["letter"])
    assert draw_sign(posted, SIZES["letter"]).startswith("<svg")


def test_a_sign_that_does_not_fit_is_refused_in_one_line() -> None:
    card = SignSize(PageSize(3.0, 4.0, 0.2, 9.0, "index card"), Distance(4.0))
    with pytest.raises(Malformed) as refused:
        write_sign(sign_of(HOUSE, Particulars()), card)
    assert str(refused.value) == (
        "the sign does not fit on one index card sheet even in type of 9.5 points, the smallest that is read from"
        " 4 feet: choose a larger sheet or offer fewer wagers"
    )


def test_a_long_name_and_a_long_help_line_fit() -> None:
    raw = {"rulebook": "md-mississippi-stud", "operator": "The Grand Imperial Riverside Hotel and Casino " * 2}
    house = check(read_submission(raw)).rules()
    line = "If you or somebody you know has a gambling problem, help is there day and night: call 1-800-GAMBLER. " * 2
    for size in SIZES.values():
        pdf = write_sign(sign_of(house, Particulars(help_line=line[:160])), size)
        assert len(reader(pdf).pages) == 1
        assert line[:90] in said_in(pdf)


def test_a_sign_without_a_help_line_has_a_blank() -> None:
    assert "Problem gambling help" in lines_of(write_sign(sign_of(HOUSE, Particulars()), SIZES["letter"]))


def test_the_qr_code_is_the_address() -> None:
    """The drawing has exactly the dark modules of the code."""
    address = "https://house.example/tables/ms-1?seat=3"
    dark = set()
    across, down = 0.0, 0.0
    path = re.search(r'class="qrline" stroke="#000" d="([^"]*)"', qr_svg(address))
    assert path is not None
    for step, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?", path[1]):
        if step == "h":
            dark |= {(int(down - 0.5) - 4, int(across) - 4 + place) for place in range(int(first))}
            across += float(first)
        else:
            across, down = (
                (float(first), float(second)) if step == "M" else (across + float(first), down + float(second))
            )
    matrix = segno.make(address, error="m", micro=False).matrix
    assert dark == {(row, column) for row, line in enumerate(matrix) for column, module in enumerate(line) if module}


def test_a_sign_is_a_page_too() -> None:
    posted = sign_of(HOUSE, Particulars(address="https://house.example/1"))
    page = write_html(sign_paper(posted, SIZES["letter"])).replace("\N{NO-BREAK SPACE}", " ")
    Tags().feed(page)
    for panel in posted.panels:
        for row in panel.rows:
            assert f'<td>{row[0]}</td><td class="right"><strong>{row[1]}</strong></td>' in page


# --- the [papers] of a submission


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("date", "2026-02-30", "'2026-02-30' is not a day: write 2026-11-17"),
        ("date", "20261117", "'20261117' is not a day: write 2026-11-17"),
        ("address", "house.example", "'house.example' must begin with https:// or http://"),
        ("address", "javascript:alert(1)", "'javascript:alert(1)' must begin with https:// or http://"),
        ("logo", "logo.png", "'logo.png' is not the name of an SVG file: it ends with .svg"),
        ("version", "4\n5", "'4\\n5' holds a character that cannot be printed: write one line of plain text"),
        ("help_line", "x" * 161, "has 161 characters: at most 160"),
    ],
)
def test_what_papers_say_is_checked(key: str, value: str, message: str) -> None:
    verdict = check(read_submission({"rulebook": "md-mississippi-stud", "papers": {key: value}}))
    errors = [(finding.key, finding.message) for finding in verdict.findings if finding.severity == "error"]
    assert [name for name, _ in errors] == [f"papers.{key}"]
    assert errors[0][1].endswith(message)


def test_no_hash_of_house_rules_depends_on_papers() -> None:
    papers = {
        "version": "4",
        "date": "2026-11-17",
        "help_line": "Call.",
        "address": "https://a.example",
        "logo": "l.svg",
    }
    with_papers = read_submission({"rulebook": "md-mississippi-stud", "operator": "Harbor House", "papers": papers})
    assert check(with_papers).rules().hash == HOUSE.hash
    assert read_submission_text(submission_text(with_papers), name="kept") == with_papers


def test_a_date_may_be_written_without_quotes_and_other_keys_are_unknown() -> None:
    read = read_submission_text(
        'rulebook = "md-mississippi-stud"\n[papers]\ndate = 2026-11-17\nfont = "x"\n', name="it"
    )
    assert read.papers is not None
    assert (read.papers.date, read.unknown) == ("2026-11-17", ("papers.font",))
    with pytest.raises(Malformed, match=r"it, line 3: papers.version: 4 is not text"):
        read_submission_text('rulebook = "md-mississippi-stud"\n[papers]\nversion = 4\n', name="it")


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_new_submission_mentions_its_papers(rulebook: str) -> None:
    text = starting_submission(load_rulebook(rulebook))
    below = text.partition("[papers]")[2].partition("\n[")[0]
    assert re.findall(r"^# (\w+) = ", below, flags=re.MULTILINE) == ["version", "date", "help_line", "address", "logo"]
    spoken = text.replace(below, re.sub(r"^# (\w+ = )", r"\1", below, flags=re.MULTILINE))
    assert check(read_submission(tomllib.loads(spoken))).valid


# --- the command


@pytest.fixture
def filed(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "md-mississippi-stud"\noperator = "Harbor House"\n')
    return path


def test_the_ending_chooses_the_form(filed: Path) -> None:
    for name, begin in (("sign.pdf", b"%PDF-"), ("sign.html", b"<!doctype html>")):
        done = here("document", "sign", str(filed), "--out", str(filed.parent / name), "--help-line", "Call 1.")
        assert (done.returncode, done.stdout, done.stderr) == (0, f"written to {filed.parent / name}\n", "")
        assert (filed.parent / name).read_bytes().startswith(begin)


def test_a_missing_help_line_is_warned_about(filed: Path) -> None:
    done = here("document", "sign", str(filed), "--out", str(filed.parent / "sign.pdf"))
    assert done.returncode == 0
    assert done.stderr.startswith("croupier: warning: no help line was given")


def test_the_command_says_more_than_the_submission(filed: Path) -> None:
    filed.write_text(filed.read_text() + '[papers]\nversion = "1"\nhelp_line = "Call 1."\nlogo = "logo.svg"\n')
    (filed.parent / "logo.svg").write_text(SVG)
    out = filed.parent / "sign.pdf"
    given = ("--version", "2", "--date", "2026-11-17", "--address", "https://a.example/t")
    assert here("document", "sign", str(filed), "--out", str(out), "--size", "tabloid", *given).returncode == 0
    said = said_in(out.read_bytes())
    assert "version 2 · 2026-11-17" in said
    assert "https://a.example/t" in said
    assert "Call 1." in said
    assert reader(out.read_bytes()).pages[0].mediabox.width == 11 * 72


@pytest.mark.parametrize("papers", ["", '[papers]\nhelp_line = "Call."\ndate = "soon"\n'])
def test_an_invalid_submission_is_refused_with_its_findings_and_leaves_no_file(filed: Path, papers: str) -> None:
    filed.write_text(filed.read_text() + "seats = 9\n" + papers)
    out = filed.parent / "sign.pdf"
    done = here("document", "sign", str(filed), "--out", str(out))
    assert done.returncode == 1
    assert "error seats: 9 seats: at most 6 (2.A)" in done.stdout
    assert ("error papers.date: 'soon' is not a day" in done.stdout) == bool(papers)
    assert not out.exists()
    assert here("document", str(filed), "--all", str(filed.parent / "all")).returncode == 1
    assert not (filed.parent / "all").exists()


def test_every_sign_goes_into_a_folder(filed: Path) -> None:
    folder = filed.parent / "new" / "signs"
    done = here("document", "sign", "--all", str(folder), str(filed), "--help-line", "Call 1.")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == [
        "sign-letter.pdf",
        "sign-poster.pdf",
        "sign-tabloid.pdf",
        "sign.html",
    ]


def test_every_paper_goes_into_a_folder_and_opens(filed: Path) -> None:
    """Twice the same bytes, the second time in less than 10 s of work; `make torture` prints every rulebook's."""
    texts = [starting_submission(load_rulebook(name), every_wager=True) for name in rulebook_ids()]
    for text in texts if slices.in_full() else [filed.read_text()]:
        filed.write_text(text)
        folders = [filed.parent / name for name in ("first", "second")]
        seconds = []
        for folder in folders:
            began = time.process_time()
            done = here("document", str(filed), "--all", str(folder), "--help-line", "Call 1.")
            seconds.append(time.process_time() - began)
            assert (done.returncode, done.stderr) == (0, "")
        assert seconds[1] < 10
        assert {path.name for path in folders[0].iterdir()} == {printed.name for printed in every_paper()}
        for path in folders[0].iterdir():
            assert path.read_bytes() == (folders[1] / path.name).read_bytes(), path.name
            match path.suffix:
                case ".pdf":
                    assert len(reader(path.read_bytes()).pages) >= 1
                case ".html":
                    Tags().feed(path.read_text())
                case ".svg":
                    assert path.read_text().lstrip().startswith("<svg")
                case _:
                    assert path.read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["poster", "F", "--out", "a.pdf"],
            "'poster' is not a paper: sign, layout, submission, math, guide or dealer-card",
        ),
        (["sign", "F", "--out", "a.docx"], "a.docx: the payout sign is printed as .pdf or .html"),
        (["math", "F", "--out", "math"], "math: the math report is printed as .pdf, .html or .xlsx"),
        (["sign", "F"], "--out FILE is missing: its ending chooses the form"),
        (["F", "--out", "a.pdf"], "which paper? sign, layout, submission, math, guide or dealer-card; or --all DIR"),
        (["sign", "--out", "a.pdf"], "sign: name the submission too"),
        (["sign", "F", "--out", "a.pdf", "--size", "a4"], "--size: 'a4' is not a sheet: letter, tabloid or poster"),
        (["sign", "F", "--out", "a.pdf", "--all", "b"], "give --out FILE for one paper or --all DIR for every one"),
        (["sign", "F", "--out", "a.pdf", "--date", "soon"], "--date: 'soon' is not a day: write 2026-11-17"),
        (["sign", "F", "--out", "a.pdf", "--logo", "F"], "not an SVG drawing"),
        (
            ["sign", "F", "--out", "no/such/a.pdf", "--help-line", "Call."],
            "cannot be written: No such file or directory",
        ),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_line(filed: Path, arguments: list[str], message: str) -> None:
    done = here("document", *(str(filed) if argument == "F" else argument for argument in arguments))
    assert done.returncode == 2
    assert message in done.stderr
    assert len([line for line in done.stderr.splitlines() if "warning" not in line]) == 1
    assert sorted(path.name for path in filed.parent.iterdir()) == ["house.toml"]
