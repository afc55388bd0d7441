"""Layouts of every rulebook, with every set of wagers and any number of seats: nothing overlaps, nothing is missing."""

from collections import Counter
from itertools import combinations, product
from typing import get_args

import pytest
import typst
from msgspec.structs import replace

from croupier.documents.geometry import PlacedShape, cloth_edge, inside, overlap, seat_spots
from croupier.documents.geometry_data import geometry
from croupier.documents.geometry_screen import screen_places, screen_spot
from croupier.documents.layout import Layout, check_list, layout
from croupier.documents.layout_check import check_drawing, read_drawing
from croupier.documents.layout_drawing import draw_layout
from croupier.documents.layout_needs import area_needs
from croupier.documents.lettering import text_width
from croupier.documents.particulars import Particulars
from croupier.games import card_counts
from croupier.rulebook import load_rulebook, rulebook_ids
from croupier.rulebook.names import Deal, Shuffle
from support.layouts import every_offer, full_house, groups, house_with, most_seats

SCREENS = [(1440, 900), (1068, 760), (1024, 768), (768, 1024), (560, 700), (390, 844), (390, 560)]
"""A desk, the same beside its panel, a tablet both ways, the narrowest that is not tall, a phone, its felt alone."""


def laid_out(rulebook: str) -> list[Layout]:
    return [
        layout(house_with(rulebook, offered, seats), Particulars())
        for offered in every_offer(rulebook)
        for seats in range(1, most_seats(rulebook, offered) + 1)
    ]


def shapes(drawn: Layout) -> list[tuple[str, PlacedShape]]:
    """Everything that takes room on the cloth: areas, devices, lines of words."""
    areas = [(f"{area.name} {area.part} of seat {area.seat}", area.shape) for area in drawn.areas]
    devices = [(device.name, device.shape) for device in drawn.devices]
    lines = [line for text in drawn.inscriptions for line in text.lines]
    return [*areas, *devices, *lines]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_two_areas_overlap_and_all_lie_within_the_edge(rulebook: str) -> None:
    within, clearance = cloth_edge(geometry().table.margin), geometry().seat.clearance
    seen: set[PlacedShape] = set()  # layouts have many shapes in common
    for drawn in laid_out(rulebook):
        placed, number = shapes(drawn), len(drawn.areas)
        close = [
            (first, second)
            for (at, (first, one)), (_, (second, two)) in combinations(enumerate(placed), 2)
            if near(one, two)
            if overlap(one, two, clearance=clearance if at < number else 0)
        ]
        assert close == []
        assert [name for name, shape in placed if shape not in seen and not inside(shape, within)] == []
        seen |= {shape for _, shape in placed}


def near(one: PlacedShape, two: PlacedShape) -> bool:
    """A quick look: whether the boxes around two shapes could touch."""
    reach = (one.width + one.height + two.width + two.height) / 2 + 1
    return abs(one.x - two.x) < reach and abs(one.y - two.y) < reach


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_seat_has_every_area_and_no_other(rulebook: str) -> None:
    for drawn in laid_out(rulebook):
        house = drawn.house
        wagers = {wager.name for wager in house.wagers}
        for seat in range(1, house.seats + 1):
            there = [area.wager for area in drawn.areas if area.seat == seat and area.wager]
            assert Counter(there) == Counter(wagers)
        assert {area.seat for area in drawn.areas} == {None, *range(1, house.seats + 1)}
        cards = Counter[str]()
        for area in drawn.areas:
            slot = geometry().area_named(area.name).slot
            if slot is not None and area.seat is None:
                cards[slot] += area.cards
        dealt = {slot: count for slot, count in card_counts(house).items() if slot not in {"player", "discard"}}
        assert cards == dealt
        assert all(row.fulfilled for row in check_list(drawn))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_check_list_has_every_clause_about_the_layout(rulebook: str) -> None:
    table = load_rulebook(rulebook).table
    listed = Counter(row.clause for row in check_list(layout(full_house(rulebook), Particulars())))
    wanted = Counter(row.clause for row in (*table.area, *table.notice))
    assert wanted <= listed
    bare = check_list(layout(house_with(rulebook, set(), 1), Particulars()))
    assert wanted <= Counter(row.clause for row in bare)  # also of what is not offered
    assert all(row.fulfilled for row in bare)


def test_areas_are_derived_only_where_the_document_has_no_layout() -> None:
    for rulebook in rulebook_ids():
        needs = area_needs(full_house(rulebook))
        documented = load_rulebook(rulebook).table.area
        assert [need.name for need in needs if not need.derived] == [area.name for area in documented]
        assert any(need.derived for need in needs) == (not documented)


def test_every_area_of_every_rulebook_has_its_row_and_every_wager_one_area() -> None:
    names = [row.name for row in geometry().area]
    assert len(names) == len(set(names))
    for rulebook in rulebook_ids():
        book = load_rulebook(rulebook)
        for area in book.table.area:
            row = geometry().area_named(area.name)
            assert area.count in {len(row.wagers) or 1, len(row.labels) or 1}
        for wager in book.wagers.wager:
            assert sum(wager.name in row.wagers for row in geometry().area) == 1


def test_every_source_names_figures_that_exist_and_says_where_they_are_from() -> None:
    named = {"device": {row.name for row in geometry().device}, "area": {row.name for row in geometry().area}}
    for source in geometry().source:
        assert source.says
        assert all(origin.startswith(("https://", "http://", "N.J.A.C. ")) for origin in (source.origin, *source.also))
        for figure in source.figures:
            part, _, name = figure.partition(".")
            assert name in named[part] if part in named else hasattr(getattr(geometry(), part), name)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_drawing_without_any_one_area_is_refused_by_its_clause(rulebook: str) -> None:
    drawn = layout(full_house(rulebook), Particulars())
    svg = draw_layout(drawn)
    assert check_drawing(read_drawing(svg.encode()), drawn) == []
    assert len(groups(svg)) == len(drawn.areas) + len(drawn.inscriptions)
    for area, group in zip(drawn.areas, groups(svg), strict=False):
        (finding,) = check_drawing(read_drawing(svg.replace(group, "").encode()), drawn)
        assert (finding.area, finding.seat, finding.clause) == (area.name, area.seat, area.clause)
        twice = check_drawing(read_drawing(svg.replace(group, group * 2).encode()), drawn)
        assert [(row.area, row.seat, row.clause) for row in twice] == [(area.name, area.seat, area.clause)]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_devices_never_overlap_whatever_shuffles_and_deals(rulebook: str) -> None:
    for deal, shuffle in product(get_args(Deal), get_args(Shuffle)):
        methods = load_rulebook(rulebook).table
        if any(row.method == deal for row in methods.deal) and any(row.method == shuffle for row in methods.shuffle):
            drawn = layout(replace(full_house(rulebook), deal=deal, shuffle=shuffle), Particulars())
            everything = [*shapes(drawn)]
            close = [(a, b) for (a, one), (b, two) in combinations(everything, 2) if overlap(one, two)]
            assert close == []
            sides = {device.name: device.shape.x > 0 for device in drawn.devices}
            assert sides["drop slot"] != sides["tip box"]


def test_words_take_no_more_room_than_is_reckoned() -> None:
    """Against the widths of the face itself, which typst measures."""
    words = {line for book in rulebook_ids() for line in printed(layout(full_house(book), Particulars()))}
    words |= {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "$1,234,567.89", "GRAND HARBOR & CO."}
    listed = ", ".join('"' + word.replace('"', '\\"') + '"' for word in sorted(words))
    source = f"""#set text(font: "Libertinus Serif", size: 100pt)
#context [#metadata(({listed},).map(word => measure(word).width.pt() / 100)) <widths>]"""
    answer = typst.query(source.encode(), "<widths>", field="value", one=True, ignore_system_fonts=True)
    widths = [float(width) for width in answer.strip("[]").split(",")]
    too_wide = [word for word, width in zip(sorted(words), widths, strict=True) if width > text_width(word, 1)]
    assert too_wide == []


def printed(drawn: Layout) -> set[str]:
    labels = {area.label for area in drawn.areas if area.label}
    return labels | {line for text in drawn.inscriptions for line, _ in text.lines}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_seats_never_touch_on_any_screen(rulebook: str) -> None:
    house = full_house(rulebook)
    needs = area_needs(house)
    spots = seat_spots({need.name: need.count for need in needs if need.place == "seat"})
    cards = card_counts(house)["player"]
    for (width, height), seats in product(SCREENS, range(1, load_rulebook(rulebook).table.seats.maximum + 1)):
        for own in (None, *range(1, seats + 1)):
            placed = screen_places(seats, own, width, height, spots=spots, cards=cards)
            assert [seat.seat for seat in placed] == list(range(1, seats + 1))
            assert not any(seat.touches(other) for seat, other in combinations(placed, 2))
            assert all(seat.left >= 0 and seat.right <= width for seat in placed)
            assert all(seat.top >= 0 and seat.bottom <= height for seat in placed)
            assert [seat.seat for seat in placed if seat.own] == ([own] if own else [])


def test_nobody_is_moved_past_a_neighbor_on_the_screen() -> None:
    spots = seat_spots({"ante": 1, "raise": 1})
    for width, height in SCREENS:
        for own in range(1, 8):
            placed = screen_places(7, own, width, height, spots=spots, cards=2)
            mine = placed[own - 1]
            if width >= geometry().screen.tall_below:
                assert all((seat.x > mine.x) == (seat.seat < own) for seat in placed if not seat.own)
            others = [seat.x for seat in placed if not seat.own]
            assert others == sorted(others, reverse=True) or width >= geometry().screen.tall_below


def test_a_spot_faces_the_dealer_from_its_seat() -> None:
    spots = seat_spots({"ante": 1, "raise": 1})
    first, _, last = screen_places(3, 2, 1440, 900, spots=spots, cards=7)
    ante, more = spots
    assert screen_spot(ante, first)[1] > screen_spot(more, first)[1]  # the left hand of who looks to the left is below
    assert screen_spot(ante, last)[1] < screen_spot(more, last)[1]
