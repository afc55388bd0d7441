"""Pictures of priced wagers: what stands in them, and that a picture is written whole or not at all."""

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from croupier.analysis.cases import cases_of
from croupier.analysis.prices import Price
from croupier.analysis.pricing import price
from croupier.documents import price_charts
from croupier.errors import Malformed
from croupier.rulebook import load_rulebook

BOOK = "md-mississippi-stud"


@cache
def priced(wager: str, book: str = BOOK) -> tuple[Price, ...]:
    return tuple(one for case in cases_of(load_rulebook(book)) if case.wager == wager for one in price(case))


def texts(records: tuple[Price, ...], path: Path) -> list[str]:
    """Draws them and gives every line of text in the picture."""
    price_charts.draw(records, path)
    return [text for element in ElementTree.parse(path).iter() if (text := (element.text or "").strip())]


def test_a_bonus_shows_its_lines_and_its_exact_edge(tmp_path: Path) -> None:
    shown = texts(priced("three_card_bonus")[:1], tmp_path / "bonus.svg")
    assert "Mississippi Stud, Maryland: Three card bonus, paytable A" in shown
    assert "House edge 2.32% of one stake, exactly 128/5525" in shown
    assert {"Straight flush, 40 to 1", "8.69%", "Pair, 1 to 1", "16.94%"} <= set(shown)


def test_a_progressive_shows_where_each_meter_breaks_even(tmp_path: Path) -> None:
    one = next(record for record in priced("progressive") if record.paytable == "C")
    shown = texts((one,), tmp_path / "meters.svg")
    assert {"break-even $290,080", "break-even $32,120", "break-even $2,045.39", "fixed pays 47.97%"} <= set(shown)
    assert "Return against the minor meter" in shown


def test_a_main_game_shows_what_is_lost_too(tmp_path: Path) -> None:
    shown = texts(priced("base")[:1], tmp_path / "game.svg")
    assert {"Any other hand, or folded", "−186.22%", "Pair of sixes to tens, push", "0%", "4,000"} <= set(shown)
    assert {"−4", "Dealer does not qualify, 1 to 1 on the ante"} <= set(
        texts(priced("base", "md-high-card-flush"), tmp_path / "flush.svg")
    )


def test_several_records_are_told_apart(tmp_path: Path) -> None:
    progressives, bonuses = priced("progressive"), priced("three_card_bonus", "md-let-it-ride")
    shown = texts((*priced("base"), *progressives, progressives[0], *bonuses), tmp_path / "several.svg")
    assert {"Mississippi Stud, Maryland", "Let It Ride, Maryland", "Main game", "Three card bonus"} <= set(shown)
    assert shown.count("standard") == 1  # the two tie rules have the same edge
    assert {"A, $5 stake, all hands", "A, $5 stake, folded hands forfeit", "61.09%"} <= set(shown)
    # The same record twice has a bar for each.
    assert {
        "A, $1 stake, all hands, main meter at $10,000",
        "A, $1 stake, all hands, main meter at $10,000 (2)",
    } <= set(shown)
    assert "as a share of one stake; meters at their opening or given amounts" in shown


@pytest.mark.parametrize("name", ["picture.svg", "picture.PNG"])
def test_the_same_records_make_the_same_bytes(name: str, tmp_path: Path) -> None:
    pictures = []
    for _ in range(2):
        price_charts.draw(priced("three_card_bonus"), tmp_path / name)
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"\x89PNG\r\n\x1a\n" if name.endswith("PNG") else b"<svg ")
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("picture.pdf", r"picture\.pdf: a picture ends in \.svg or \.png"),
        ("picture", r"a picture ends in \.svg or \.png"),
        ("nowhere/picture.svg", r"there is no folder .*nowhere"),
        (f"{'long' * 80}.svg", "cannot be written: File name too long"),
        ("taken.svg", r"taken\.svg: cannot be written: Is a directory"),
    ],
)
def test_a_place_that_takes_no_picture_is_named(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(Malformed, match=said):
        price_charts.draw(priced("three_card_bonus"), tmp_path / name)
    assert [path.name for path in tmp_path.rglob("*")] == ["taken.svg"]


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="nothing to draw"):
        price_charts.draw((), tmp_path / "picture.svg")


def test_a_full_disk_leaves_the_old_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path, __: Path) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "picture.svg"
    path.write_text("old")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Malformed, match=r"picture\.svg: cannot be written: No space left on device"):
        price_charts.draw(priced("three_card_bonus"), path)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("picture.svg", "old")]


def test_a_drawing_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> str:
        raise ValueError("no such chart")

    monkeypatch.setattr("vl_convert.vegalite_to_svg", broken)
    with pytest.raises(ValueError, match="no such chart"):
        price_charts.draw(priced("three_card_bonus"), tmp_path / "picture.svg")
    assert not list(tmp_path.iterdir())
