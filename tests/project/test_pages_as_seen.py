"""Every page as a second program sees it: where each word stands, that none is cut or printed on another."""

import re
import shutil
import subprocess
from html import unescape
from itertools import islice
from typing import Final, NamedTuple

import pytest

from croupier.documents import Order, PaperKind, Particulars, every_paper, print_paper
from croupier.rulebook import check, read_submission, rulebook_ids
from support import slices
from support.printed import every_paytable

POPPLER = shutil.which("pdftotext")
seen_by_poppler = pytest.mark.skipif(POPPLER is None, reason="Poppler is not installed: apt-get install poppler-utils")

LONG: Final = (
    "The Grand Imperial Riverside Hotel, Racetrack and Casino at the Old Harbor of Baltimore County, a Limited"
    " Partnership"
)
HELP: Final = "If you or somebody you know has a gambling problem, help is there day and night: call 1-800-GAMBLER. "
GIVEN: Final = Particulars(
    version="2026-11 revised once more by the board",
    help_line=(HELP * 2)[:160],
    address=f"https://house.example/tables/{'long-name-' * 12}1",
)
KINDS: tuple[PaperKind, ...] = ("sign", "submission", "guide", "dealer-card", "math")
PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')


class SeenWord(NamedTuple):
    """A word with its box, in points from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


class SeenPage(NamedTuple):
    """A page: what it is, its size and its words in reading order."""

    name: str
    width: float
    height: float
    words: list[SeenWord]


def read_pages(name: str, pdf: bytes) -> list[SeenPage]:
    done = subprocess.run([str(POPPLER), "-bbox", "-", "-"], input=pdf, capture_output=True, check=True)
    return [
        SeenPage(
            f"{name} page {number}",
            float(width),
            float(height),
            [
                SeenWord(float(left), float(top), float(right), float(bottom), unescape(text))
                for left, top, right, bottom, text in WORD.findall(inner)
            ],
        )
        for number, (width, height, inner) in enumerate(PAGE.findall(done.stdout.decode()), 1)
    ]


def seen(rulebook: str, kind: PaperKind) -> list[SeenPage]:
    """Every page of a kind with the longest of everything; `make torture` has every paytable, otherwise the first."""
    made = []
    for raw in islice(every_paytable(rulebook), None if slices.in_full() else 1):
        submission = read_submission(raw | {"operator": LONG})
        order = Order(submission=submission, house=check(submission).rules(), particulars=GIVEN)
        for paper in every_paper(kind):
            if paper.form == "pdf":
                made += read_pages(f"{rulebook} {paper.name}", print_paper(order, paper))
    return made


def kinds_of(rulebook: str) -> list[PaperKind]:
    """Every kind, or in a slice every second one: each kind is looked at for two rulebooks."""
    if slices.in_full():
        return list(KINDS)
    return [kind for place, kind in enumerate(KINDS, rulebook_ids().index(rulebook)) if place % 2 == 0]


@seen_by_poppler
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_word_is_cut_or_printed_on_another_and_odds_stay_on_one_line(rulebook: str) -> None:
    """Signs, guides and cards are one page."""
    odds = 0
    for kind in kinds_of(rulebook):
        pages = seen(rulebook, kind)
        assert pages, kind
        for page in pages:
            check_words(page)
            odds += odds_on_one_line(page)
        if kind in {"sign", "guide", "dealer-card"}:
            assert [page.name for page in pages if not page.name.endswith("page 1")] == []
    assert odds > slices.count(full=40, sliced=20)


def check_words(page: SeenPage) -> None:
    """None is cut, and none is printed on another."""
    for word in page.words:
        assert 18 < word.left < word.right < page.width - 18, f"{page.name}: {word}"
        assert 10 < word.top < word.bottom < page.height - 10, f"{page.name}: {word}"
    if page.width < page.height:  # on the drawing seats are turned, and the boxes of turned words are not
        assert overlaps(page.words) == [], page.name


def core(word: SeenWord) -> SeenWord:
    """What of a word's box the small letters fill: the box itself has room for every accent of its typeface."""
    height = word.bottom - word.top
    return word._replace(top=word.top + 0.35 * height, bottom=word.bottom - 0.25 * height)


def overlaps(said: list[SeenWord]) -> list[tuple[str, str]]:
    """Pairs of words of which one covers a part of the other."""
    words, found = sorted(map(core, said), key=lambda word: word.top), []
    for place, first in enumerate(words):
        for second in words[place + 1 :]:
            if second.top >= first.bottom:
                break
            if min(first.right, second.right) - max(first.left, second.left) > 1:
                found.append((first.text, second.text))
    return found


def odds_on_one_line(page: SeenPage) -> int:
    """How many odds there are, none of them broken."""
    odds = 0
    for before, to, after in zip(page.words, page.words[1:], page.words[2:], strict=False):
        if to.text in {"to", "for"} and before.text[-1].isdigit() and after.text[0].isdigit():
            odds += 1
            assert abs(before.top - after.top) < 2, (page.name, before, after)
    return odds
