"""What each document wants on the cloth, shown on the drawings that are made: text and attributes of the SVG."""

import re
from xml.etree import ElementTree as Tree

import pytest
from msgspec.structs import replace

from croupier.documents.layout import check_list, layout
from croupier.documents.layout_check import LayoutFinding, check_layout
from croupier.documents.layout_drawing import draw_layout
from croupier.documents.particulars import Particulars
from croupier.documents.sign import Sign, sign_of
from croupier.documents.sign_check import TOPICS
from croupier.present import dollars
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName
from support.layouts import full_house, groups, house_with

STUD, FLUSH, RIDE, MASS = "md-mississippi-stud", "md-high-card-flush", "md-let-it-ride", "ma-mississippi-stud"
WORDS = re.compile(r"<[^>]*>")


def drawing(house: HouseRules) -> str:
    return draw_layout(layout(house, Particulars()))


def said(svg: str, attribute: str, name: str) -> list[str]:
    """The words of every group with this attribute."""
    found = [group for group in Tree.fromstring(svg).iter() if group.get(attribute) == name]
    return [" ".join("".join(f"{part} " for part in group.itertext()).split()) for group in found]


def seats_of(svg: str, area: str) -> list[str | None]:
    found = [group for group in Tree.fromstring(svg).iter() if group.get("data-area") == area]
    return [group.get("data-seat") for group in found]


def without(house: HouseRules, area: str) -> list[LayoutFinding]:
    """What is wrong with the drawing once its last area of this name is erased."""
    svg = drawing(house)
    last = [group for group in groups(svg) if f'data-area="{area}"' in group][-1]
    return check_layout(svg.replace(last, "").encode(), house)


@pytest.mark.clause(f"{STUD} 2.B(1)", f"{FLUSH} 2.B(1)", f"{RIDE} .02B(1)")
@pytest.mark.parametrize("rulebook", [STUD, FLUSH, RIDE])
def test_the_operators_name_or_logo_is_on_the_cloth(rulebook: str) -> None:
    house = full_house(rulebook)
    name = "operator's name or logo"
    assert said(drawing(house), "data-area", name) == [house.operator.upper()]
    (finding,) = without(house, name)
    assert finding.clause in {"2.B(1)", ".02B(1)"}
    logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'
    marked = draw_layout(layout(house, Particulars(logo=logo)))
    assert "<image " in marked
    assert check_layout(marked.encode(), house) == []
    other = drawing(house).replace(house.operator.upper(), "ANOTHER HOUSE")
    assert [row.clause for row in check_layout(other.encode(), house)] == [finding.clause]


@pytest.mark.clause(f"{STUD} 2.B(2)")
def test_2_b_2_each_seat_has_areas_for_the_ante_and_three_streets() -> None:
    house = full_house(STUD)
    for area in ("ante", "3rd Street wager", "4th Street wager", "5th Street wager"):
        assert seats_of(drawing(house), area) == [str(seat) for seat in range(1, 7)]
        assert [(row.clause, row.seat) for row in without(house, area)] == [("2.B(2)", 6)]


@pytest.mark.clause(f"{STUD} 2.B(3)", f"{STUD} 2.B(3)(a)", f"{STUD} 2.B(3)(b)", f"{STUD} 2.B(3)(c)")
def test_2_b_3_three_community_areas_lie_before_the_tray_with_their_streets() -> None:
    house = full_house(STUD)
    drawn, svg = layout(house, Particulars()), drawing(house)
    tray = next(device.shape for device in drawn.devices if device.name == "chip tray")
    for area, street, clause in (
        ("first community card", "3rd Street", "2.B(3)(a)"),
        ("second community card", "4th Street", "2.B(3)(b)"),
        ("third community card", "5th Street", "2.B(3)(c)"),
    ):
        assert said(svg, "data-area", area) == [street]
        assert [row.clause for row in without(house, area)] == [clause]
        (placed,) = [row.shape for row in drawn.areas if row.name == area]
        gap = placed.y - placed.height / 2 - (tray.y + tray.height / 2)
        assert 0 < gap < 1.5
        assert abs(placed.x) < tray.width / 2
    wrong = svg.replace('>3rd Street</text></g>\n<g data-area="second', '>Third</text></g>\n<g data-area="second')
    assert [row.clause for row in check_layout(wrong.encode(), house)] == ["2.B(3)(a)"]


@pytest.mark.clause(f"{STUD} 2.B(4)", f"{STUD} 2.B(5)", f"{STUD} 2.B(6)")
@pytest.mark.clause(f"{FLUSH} 2.B(4)", f"{FLUSH} 2.B(5)", f"{FLUSH} 2.B(6)")
@pytest.mark.clause(f"{RIDE} .02B(5)", f"{RIDE} .02B(6)", f"{RIDE} .02B(7)", f"{RIDE} .02B(8)")
@pytest.mark.parametrize(
    ("rulebook", "wager", "area", "clause"),
    [
        (STUD, "progressive", "progressive", "2.B(4)"),
        (STUD, "three_card_bonus", "Three Card Bonus", "2.B(5)"),
        (STUD, "six_card_bonus", "Six Card Bonus", "2.B(6)"),
        (FLUSH, "flush_bonus", "Flush Bonus", "2.B(4)"),
        (FLUSH, "straight_flush_bonus", "Straight Flush Bonus", "2.B(5)"),
        (FLUSH, "progressive", "progressive", "2.B(6)"),
        (RIDE, "five_card_bonus", "Five Card Bonus", ".02B(5)"),
        (RIDE, "three_card_bonus", "Three Card Bonus", ".02B(6)"),
        (RIDE, "six_card_bonus", "Six Card Bonus", ".02B(7)"),
        (RIDE, "progressive", "progressive", ".02B(8)"),
    ],
)
def test_a_wager_that_is_offered_has_an_area_at_each_seat_and_otherwise_none(
    rulebook: str, wager: WagerName, area: str, clause: str
) -> None:
    offered, bare = house_with(rulebook, {wager}), house_with(rulebook, set())
    assert seats_of(drawing(offered), area) == [str(seat) for seat in range(1, offered.seats + 1)]
    assert seats_of(drawing(bare), area) == []
    assert [(row.clause, row.seat) for row in without(offered, area)] == [(clause, offered.seats)]
    lacking = check_layout(drawing(bare).encode(), offered)
    assert [row.seat for row in lacking if row.clause == clause] == list(range(1, offered.seats + 1))
    too_many = check_layout(drawing(offered).encode(), bare)
    assert [row.seat for row in too_many if row.clause == clause] == list(range(1, offered.seats + 1))


@pytest.mark.clause(f"{FLUSH} 2.B(2)", f"{FLUSH} 2.B(3)")
def test_2_b_each_seat_has_ante_and_raise_and_the_dealer_seven_places_for_cards() -> None:
    house = full_house(FLUSH)
    for area in ("ante", "raise"):
        assert seats_of(drawing(house), area) == [str(seat) for seat in range(1, 7)]
        assert [row.clause for row in without(house, area)] == ["2.B(2)"]
    assert seats_of(drawing(house), "dealer's cards") == [None] * 7
    assert [row.message for row in without(house, "dealer's cards")] == ["dealer's cards: 1 of 7 missing"]


@pytest.mark.clause(f"{RIDE} .02B(2)", f"{RIDE} .02B(3)", f"{RIDE} .02B(4)")
def test_02b_each_seat_has_three_bets_and_cards_and_the_board_two_places_before_the_tray() -> None:
    house = full_house(RIDE)
    svg = drawing(house)
    assert seats_of(svg, "bets 1, 2 and 3") == [str(seat) for seat in range(1, 8) for _ in range(3)]
    assert said(svg, "data-area", "bets 1, 2 and 3")[:3] == ["$", "2", "1"]  # from the player's left
    assert seats_of(svg, "player's cards") == [str(seat) for seat in range(1, 8)]
    for area, clause in (
        ("bets 1, 2 and 3", ".02B(2)"),
        ("player's cards", ".02B(3)"),
        ("two community cards", ".02B(4)"),
    ):
        assert [row.clause for row in without(house, area)] == [clause]
    (board,) = [area for area in layout(house, Particulars()).areas if area.name == "two community cards"]
    assert board.cards == 2
    assert board.shape.width > 2 * 2.5


@pytest.mark.clause(f"{FLUSH} 2.B(7)(b)", f"{FLUSH} 2.B(7)(c)(i)", f"{FLUSH} 2.B(7)(c)(ii)", f"{FLUSH} 2.B(7)(c)(iii)")
@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ("2.B(7)(b)", ("three-card flush, nine high", "ante is paid", "raise pushes")),
        ("2.B(7)(c)(i)", ("two-, three- or four-card flush", "one ante")),
        ("2.B(7)(c)(ii)", ("five-card flush", "up to two antes")),
        ("2.B(7)(c)(iii)", ("six- or seven-card flush", "up to three antes")),
    ],
)
def test_2_b_7_qualifying_and_raising_are_inscribed_on_the_cloth_itself(clause: str, words: tuple[str, ...]) -> None:
    house = house_with(FLUSH, set())
    svg = drawing(house)
    (text,) = said(svg, "data-notice", clause)
    assert all(word in text for word in words)
    (group,) = [group for group in groups(svg) if f'data-notice="{clause}"' in group]
    assert [row.clause for row in check_layout(svg.replace(group, "").encode(), house)] == [clause]


@pytest.mark.clause(f"{STUD} 2.B(7)", f"{FLUSH} 2.B(7)(a)", f"{RIDE} .02B(9)")
@pytest.mark.parametrize(("rulebook", "clause"), [(STUD, "2.B(7)"), (FLUSH, "2.B(7)(a)"), (RIDE, ".02B(9)")])
def test_the_cloth_sends_players_to_the_sign_for_the_payouts(rulebook: str, clause: str) -> None:
    """Odds are on the layout or on a sign; this house has the sign, and the check list says so."""
    drawn = layout(full_house(rulebook), Particulars())
    assert "sign" in said(draw_layout(drawn), "data-notice", clause)[0]
    (row,) = [row for row in check_list(drawn) if row.clause == clause and row.wants.startswith("Payout odds")]
    assert row.fulfilled
    assert "sign" in row.has


@pytest.mark.clause(f"{STUD} 2.B(7)")
def test_2_b_7_the_cloth_says_what_a_street_wager_may_be() -> None:
    words = WORDS.sub(" ", drawing(full_house(STUD)))
    assert "3rd Street, 4th Street and 5th Street: 1, 2 or 3 times the ante" in words


@pytest.mark.clause(f"{FLUSH} 2.B(7)(d)", f"{RIDE} .02B(10)")
def test_a_payout_limit_is_on_the_cloth() -> None:
    house = full_house(FLUSH)
    assert house.payout_limit is not None
    assert f"Payout limit {dollars(house.payout_limit)} per hand" in drawing(house)
    assert "Payout limit" not in drawing(full_house(RIDE))  # none was submitted; the sign tells


@pytest.mark.clause(f"{MASS} 11(a)")
def test_11_a_nothing_printed_on_the_cloth_says_for_one() -> None:
    words = WORDS.sub(" ", drawing(full_house(MASS)))
    assert not re.search(r"\d\s+for\s+\d", words)
    assert "sign" in words


@pytest.mark.clause(f"{STUD} 2.B(7)", f"{FLUSH} 2.B(7)(a)", f"{RIDE} .02B(9)")
@pytest.mark.parametrize(("rulebook", "clause"), [(STUD, "2.B(7)"), (FLUSH, "2.B(7)(a)"), (RIDE, ".02B(9)")])
def test_the_check_list_looks_at_the_sign_that_the_cloth_refers_to(
    rulebook: str, clause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line, a wager or a rule that is taken off the sign is missed by name."""
    house = full_house(rulebook)
    drawn, posted = layout(house, Particulars()), sign_of(house, Particulars())
    first, *others = posted.panels
    lines = replace(posted, panels=(replace(first, rows=first.rows[1:]), *others))
    wagers, rules = replace(posted, panels=posted.panels[1:]), replace(posted, notices=())

    def listed(changed: Sign) -> str:
        monkeypatch.setattr("croupier.documents.layout.sign_of", lambda *_: changed)
        (row,) = [row for row in check_list(drawn) if row.clause == clause and row.wants.startswith("Payout odds")]
        assert row.fulfilled == ("lacks" not in row.has)
        return row.has

    assert listed(posted) == "on the posted sign, to which the cloth refers"
    assert listed(lines).startswith("the posted sign lacks what ")
    assert first.title in listed(wagers)
    assert ("may be 3x" in listed(rules)) == (rulebook == STUD)


@pytest.mark.clause(f"{FLUSH} 2.B(7)(d)", f"{RIDE} .02B(10)")
def test_the_check_list_tells_where_the_limit_is_and_that_there_is_none() -> None:
    limits = {
        rulebook: [row.has for row in check_list(layout(full_house(rulebook), Particulars())) if "limit" in row.wants]
        for rulebook in (FLUSH, RIDE)
    }
    assert limits == {FLUSH: ["inscribed on the cloth"], RIDE: ["no limit is submitted"]}


def test_every_notice_that_a_sign_may_bear_has_a_topic_that_is_looked_at() -> None:
    for rulebook in (STUD, FLUSH, RIDE, MASS):
        for notice in full_house(rulebook).rulebook.table.notice:
            assert not notice.sign_instead or any(topic in notice.says.lower() for topic in TOPICS)
