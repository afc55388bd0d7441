"""Submission, guide and card as PDF: an independent reader finds every cell, and nothing stands alone on a page."""

import io
import re
from functools import cache

import pypdf
import pytest

from croupier.documents.dealers_card import dealers_card
from croupier.documents.html_writer import write_html
from croupier.documents.layout import layout
from croupier.documents.paper import Facts, Heading, Items, Paper, Paragraph, plain
from croupier.documents.players_guide import players_guide
from croupier.documents.press import Order, Printed, print_paper
from croupier.documents.sign import SIZES, sign_of
from croupier.documents.sign_drawing import write_sign
from croupier.documents.submission_paper import submission_paper
from croupier.documents.typst_writer import write_pdf
from croupier.rulebook import rulebook_ids
from support.paper_blocks import PARTICULARS, cells, filed, inside, raw_submission, tables


def squeezed(text: str) -> str:
    """Text without spaces and line ends: a reader puts them where lines were broken."""
    return re.sub(r"\s+", "", text)


def made(rulebook: str) -> tuple[Paper, ...]:
    """Submission, guide and card of a house with every wager."""
    given = filed(raw_submission(rulebook))
    whole = submission_paper(given.submission, given.house, PARTICULARS, before=given)
    return (whole, players_guide(given.house, PARTICULARS), dealers_card(given.house, PARTICULARS))


papers_of = cache(made)


@cache
def pages_of(rulebook: str, kind: int) -> tuple[str, ...]:
    pages = pypdf.PdfReader(io.BytesIO(write_pdf(papers_of(rulebook)[kind]))).pages
    return tuple(squeezed(page.extract_text()) for page in pages)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_cell_of_every_table_is_in_the_file(rulebook: str) -> None:
    for kind, paper in enumerate(papers_of(rulebook)):
        text = "".join(pages_of(rulebook, kind))
        for table in tables(paper):
            lost = [cell for row in cells(table) for cell in row if squeezed(cell) not in text]
            assert lost == [], table.caption
            assert squeezed(plain(table.note)) in text


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_sentence_is_in_the_file(rulebook: str) -> None:
    """Steps, rules and facts outside of tables: each as a whole."""
    for kind, paper in enumerate(papers_of(rulebook)):
        text, sentences = "".join(pages_of(rulebook, kind)), []
        for block in inside((*paper.front, *paper.blocks)):
            match block:
                case Items(items):
                    sentences += [plain(item) for item in items]
                case Paragraph(said) if block.style != "lead":
                    sentences.append(plain(said))
                case Facts(facts):
                    sentences += [part for name, value in facts for part in (name, plain(value))]
        assert len(sentences) > 5
        assert [sentence for sentence in sentences if squeezed(sentence) not in text] == []


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_row_of_a_table_is_alone_on_a_page(rulebook: str) -> None:
    """A page that goes on with a table begins with its head and at least two of its rows."""
    begun = 0
    held = [
        (squeezed("".join(table.head)), [squeezed("".join(row)) for row in cells(table)])
        for table in tables(papers_of(rulebook)[0])
        if any(table.head)
    ]
    for text in pages_of(rulebook, 0)[2:]:
        for head, rows in held:
            shown = sum(row in text for row in rows) if text.startswith(head) else 0
            begun += shown > 0
            assert shown != 1
    assert begun > 3


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_heading_is_alone_at_the_foot_of_a_page(rulebook: str) -> None:
    paper = papers_of(rulebook)[0]
    pages = [text.partition(squeezed(paper.foot))[0] for text in pages_of(rulebook, 0)[2:]]
    for heading in (block for block in inside(paper.blocks) if isinstance(block, Heading)):
        assert any(squeezed(heading.text) in text for text in pages)
        assert not any(text.endswith(squeezed(heading.text)) for text in pages)


def test_the_same_house_is_the_same_bytes_and_the_same_page() -> None:
    for paper, other in zip(papers_of("md-let-it-ride"), made("md-let-it-ride"), strict=True):
        assert write_pdf(paper) == write_pdf(other)
        assert write_html(paper) == write_html(other)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_sign_and_layout_are_attached_at_their_size_and_their_words_can_be_found(rulebook: str) -> None:
    """The sign within the submission is the sign: the same lines on a letter page, and the drawing at its scale."""
    given = filed(raw_submission(rulebook))
    order = Order(submission=given.submission, house=given.house, particulars=PARTICULARS)
    pdf = print_paper(order, Printed("submission.pdf", "submission", "pdf"))
    *_, posted, drawn = pypdf.PdfReader(io.BytesIO(pdf)).pages
    sizes = [(float(page.mediabox.width) / 72, float(page.mediabox.height) / 72) for page in (posted, drawn)]
    assert sizes == [(8.5, 11), (17, 11)]
    said, alone = squeezed(posted.extract_text()), write_sign(sign_of(given.house, PARTICULARS), SIZES["letter"])
    for line in pypdf.PdfReader(io.BytesIO(alone)).pages[0].extract_text().splitlines():
        assert squeezed(line) in said
    assert "Attachment:Payoutsign" in said
    inscribed = squeezed(drawn.extract_text())
    for text in layout(given.house, PARTICULARS).inscriptions:
        assert all(squeezed(line) in inscribed for line, _ in text.lines)
    assert "Scale1:6" in inscribed
