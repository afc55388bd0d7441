"""The payout sign as it is printed, read by another program and compared cell by cell with the rulebook."""

import io
import itertools
from datetime import date
from typing import Any

import pypdf
import pytest

from croupier.documents.particulars import Particulars
from croupier.documents.sign import SIZES, sign_of
from croupier.documents.sign_drawing import write_sign
from croupier.money import parse_dollars, print_dollars
from croupier.present import line_words
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission, rulebook_ids
from croupier.rulebook.schema import Line
from support import slices
from support.printed import every_paytable, lines_of, said_in

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
HELP = "Gambling problem? Call 1-800-GAMBLER."


def printed(
    raw: dict[str, Any], size: str = "letter", *, version: str = "", day: date | None = None
) -> tuple[HouseRules, bytes]:
    house = check(read_submission(raw)).rules()
    return house, write_sign(sign_of(house, Particulars(help_line=HELP, version=version, date=day)), SIZES[size])


def cases() -> list[tuple[str, int, str]]:
    """Every rulebook and paytable on every sheet, or each on one of them."""
    found = []
    for rulebook in rulebook_ids():
        for number, _ in enumerate(every_paytable(rulebook)):
            sizes = list(SIZES) if slices.in_full() else [list(SIZES)[number % len(SIZES)]]
            found += [(rulebook, number, size) for size in sizes]
    return found


def shown(line: Line, *, stake: str, without_for: bool) -> str:
    """What a line pays as the document prints it; Massachusetts prints dollars where it would have to say `for`."""
    multiple, _, one = line.pays.partition(" for ")
    if without_for and one:
        return print_dollars(int(multiple) * parse_dollars(stake))
    return line.pays


def rows_wanted(raw: dict[str, Any]) -> list[list[str]]:
    """Every paytable of a submission as lines of cells, read from the rulebook and from nothing else."""
    rulebook = raw["rulebook"]
    paytables = load_rulebook(rulebook).paytables
    wanted = []
    groups = ["base", *(name for name in raw["wagers"] if name != "base")]
    for group in groups:
        chosen = raw["wagers"].get(group, {})
        tables = [
            table
            for table in paytables.paytable
            if table.group == group and chosen.get("paytable", table.id) == table.id
        ]
        tables.sort(key=lambda table: table.players or 0)
        stake = chosen.get("stake", "0")
        envy = {
            line.hand: line.pays
            for column in paytables.envy
            if group == "progressive" and (column.paytable, column.stake) == (tables[0].id, stake)
            for line in column.line
        }
        rows = []
        for lines in zip(*(table.line for table in tables), strict=True):
            hand = "Higher hand than the dealer's" if lines[0].hand == "win" else line_words(lines[0].hand)
            cells = [shown(line, stake=stake, without_for=rulebook == MA) for line in lines]
            rows.append(" ".join([hand[0].upper() + hand[1:], *cells, *filter(None, [envy.get(lines[0].hand)])]))
        wanted.append(rows)
    return wanted


@pytest.mark.clause(f"{MS} 2.B(7)", f"{HCF} 2.B(7)(a)", f"{LIR} .02B(9)")
@pytest.mark.parametrize(("rulebook", "number", "size"), cases())
def test_every_cell_of_every_paytable_is_on_the_sign(rulebook: str, number: int, size: str) -> None:
    raw = next(itertools.islice(every_paytable(rulebook), number, None))
    _, pdf = printed(raw, size)
    lines = lines_of(pdf)
    for rows in rows_wanted(raw):
        starts = [place for place, line in enumerate(lines) if line == rows[0]]
        assert any(lines[start : start + len(rows)] == rows for start in starts), rows
    for wager in raw["wagers"].values():
        for meter in wager.get("meters", {}).values():
            initial, reset = (print_dollars(parse_dollars(meter[key])) for key in ("initial", "reset"))
            assert any(f"starts at {initial} and resets to {reset}." in line for line in lines)
    page = one_page(pdf)
    assert (page.mediabox.width, page.mediabox.height) == (
        SIZES[size].sheet.width * 72,
        SIZES[size].sheet.height * 72,
    )
    stays_on_its_page(page, SIZES[size].distance.least)


def one_page(pdf: bytes) -> pypdf.PageObject:
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    assert len(pages) == 1
    return pages[0]


def stays_on_its_page(page: pypdf.PageObject, least: float) -> None:
    """Every word begins on the page, and those of paytables are large enough for the distance."""
    sizes = []

    def look(text: str, cm: list[float], tm: list[float], _font: object, size: float) -> None:
        if text.strip():
            across = cm[0] * tm[4] + cm[2] * tm[5] + cm[4]
            up = cm[1] * tm[4] + cm[3] * tm[5] + cm[5]
            assert 0 < across < float(page.mediabox.width), text
            assert 0 < up < float(page.mediabox.height), text
            if " ".join(text.split()).endswith((" to 1", " for 1")):
                sizes.append(abs(size * tm[3] * cm[3]))

    page.extract_text(visitor_text=look)
    assert sizes
    assert min(sizes) >= least - 0.01


def test_the_sign_of_one_game_alone_fits_every_sheet() -> None:
    for rulebook, size in itertools.product(rulebook_ids(), SIZES):
        wagers = {"wagers": {"base": {"paytable": "A"}}} if rulebook == LIR else {}
        hours = {"cards": {"deck_hours": 8}} if rulebook == MA else {}
        _, pdf = printed({"rulebook": rulebook, **wagers, **hours}, size)
        one_page(pdf)


@pytest.mark.clause(f"{MA} 11(a)")
def test_11_a_massachusetts_prints_no_odds_with_for() -> None:
    for place, raw in enumerate(itertools.islice(every_paytable(MA), 3)):  # there are three progressives
        option = "dollars" if place else "to_odds"
        _, pdf = printed(raw | {"readings": {"ma": {"progressive_print": option}}})
        words = said_in(pdf).split()
        assert "for" not in [word.lower() for word in words]
        assert ("299 to 1" in said_in(pdf)) == (option == "to_odds")


@pytest.mark.clause(f"{MS} 2.B(7)")
def test_2_b_7_the_sign_states_the_street_rule() -> None:
    _, pdf = printed({"rulebook": MS})
    assert "Third, Fourth and Fifth Street Bet 1x, 2x or 3x the ante on each, or fold." in said_in(pdf)


@pytest.mark.clause(
    f"{HCF} 2.B(7)(b)", f"{HCF} 2.B(7)(c)(i)", f"{HCF} 2.B(7)(c)(ii)", f"{HCF} 2.B(7)(c)(iii)", f"{HCF} 2.B(7)(d)"
)
def test_2_b_7_the_sign_states_raises_qualification_and_limit() -> None:
    _, pdf = printed(next(every_paytable(HCF)))
    said = said_in(pdf)
    assert (
        "Two-, three- or four-card flush: raise 1x the ante. Five-card flush: raise up to 2x the ante."
        " Six- or seven-card flush: raise up to 3x the ante." in said
    )
    assert "The dealer qualifies with a three-card flush, nine high, or better." in said
    assert "Otherwise the ante is paid 1 to 1 and the raise pushes." in said
    assert "One hand wins at most $50,000 on the flush bonus and the straight flush bonus together." in said


@pytest.mark.clause(f"{LIR} .02B(10)")
def test_02_b_10_the_sign_states_a_payout_limit_that_the_house_has() -> None:
    raw = {"rulebook": LIR, "wagers": {"base": {"paytable": "A"}}}
    assert "Payout limit" not in said_in(printed(raw)[1])
    _, pdf = printed(raw | {"payout_limit": {"amount": "25000"}})
    assert "One hand wins at most $25,000 on bet 1, bet 2 and bet 3 together." in said_in(pdf)


@pytest.mark.clause(f"{MS} 7.F(3)(b)", f"{HCF} 7.F(4)(b)", f"{LIR} .07E(6)(b)")
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_players_are_told_to_see_that_their_progressive_wager_was_accepted(rulebook: str) -> None:
    raw = next(every_paytable(rulebook))
    words = "Make sure that your progressive wager was accepted: its light is on before the cards are dealt."
    assert words in said_in(printed(raw)[1])
    del raw["wagers"]["progressive"]
    assert words not in said_in(printed(raw)[1])


def test_the_sign_bears_its_help_line_hash_version_and_date() -> None:
    house, pdf = printed({"rulebook": MS, "operator": "Harbor House"}, version="4", day=date(2026, 11, 17))
    lines = lines_of(pdf)
    assert HELP in lines
    assert "Harbor House" in lines
    assert f"Standard Rules, Mississippi Stud · version 4 · 2026-11-17 · rules {house.hash}" in lines


def test_meters_are_named_as_the_house_names_them() -> None:
    raw = next(raw for raw in every_paytable(MS) if raw["wagers"]["progressive"]["paytable"] == "C")
    _, pdf = printed(raw | {"readings": {"meter_labels": {"mega": "Grand"}}})
    assert "Mega Progressive (Grand) starts at" in said_in(pdf)
