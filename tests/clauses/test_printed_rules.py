"""What documents have shown or said to people, on the papers that a house prints for them."""

import pytest

from croupier.documents.dealers_card import dealers_card
from croupier.documents.paper import Cite, Grid, Items, Strong
from croupier.documents.players_guide import players_guide
from croupier.documents.submission_paper import submission_paper
from croupier.rulebook import rulebook_ids
from support.paper_blocks import PARTICULARS, cells, filed, inside, raw_submission, said, under

ACCEPTED = "See for yourself that it was accepted"


@pytest.mark.clause("md-mississippi-stud 7.F(3)(b)")
@pytest.mark.clause("md-high-card-flush 7.F(4)(b)")
@pytest.mark.clause("md-let-it-ride .07E(6)(b)")
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_players_are_told_to_check_that_their_progressive_bet_was_accepted(rulebook: str) -> None:
    offered, none = (filed(raw_submission(rulebook, every_wager=every)) for every in (True, False))
    assert ACCEPTED in said(players_guide(offered.house, PARTICULARS))
    assert ACCEPTED not in said(players_guide(none.house, PARTICULARS))
    paper = submission_paper(offered.submission, offered.house, PARTICULARS)
    bets = next(block for block in under(paper, "Bets") if isinstance(block, Grid))
    step = next(row for row in cells(bets) if row[1].startswith("Check that your progressive bet was accepted"))
    registered = next(row.registered for row in offered.house.rulebook.wagers.wager if row.name == "progressive")
    assert registered is not None
    assert step[2] == "player"
    assert all(clause in step[3] for clause in (registered.clause, *registered.also))


@pytest.mark.clause("md-mississippi-stud 11.I(1)")
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_card_has_the_dealer_announce_hands_where_the_document_does(rulebook: str) -> None:
    house = filed(raw_submission(rulebook)).house
    items = [block for block in under(dealers_card(house, PARTICULARS), "Take and pay") if isinstance(block, Items)]
    loud = [item for block in items for item in block.items if isinstance(item[0], Strong)]
    announced = house.rulebook.play.settlement.announced
    assert bool(loud) == (announced is not None)
    if announced is not None:
        assert loud[0][0] == Strong("Announce the player's best hand.")
        assert loud[0][2] == Cite(announced.clause)


@pytest.mark.clause("ma-mississippi-stud 12(e)")
def test_12_e_the_device_fixes_the_number_of_hands_and_shows_what_they_pay() -> None:
    words = "The device fixes the number of hands and shows what Cover All pays with it."
    given = filed(raw_submission("ma-mississippi-stud"))
    paper = submission_paper(given.submission, given.house, PARTICULARS)
    before = next(block for block in under(paper, "Before the deal") if isinstance(block, Grid))
    assert (words, "device", "12(e) (reading 153)") in [row[1:] for row in cells(before)]
    assert words in said(dealers_card(given.house, PARTICULARS))
    assert words not in said(
        dealers_card(filed(raw_submission("ma-mississippi-stud", every_wager=False)).house, PARTICULARS)
    )


@pytest.mark.clause("ma-mississippi-stud 11(a)")
@pytest.mark.parametrize(
    ("option", "quads"), [("dollars", "four of a kind $300"), ("to_odds", "four of a kind 299 to 1")]
)
def test_11_a_what_players_are_given_never_states_odds_with_for(option: str, quads: str) -> None:
    raw = raw_submission("ma-mississippi-stud") | {"readings": {"ma": {"progressive_print": option}}}
    given = filed(raw)
    guide = said(players_guide(given.house, PARTICULARS))
    assert quads in guide
    for paper in (guide, said(dealers_card(given.house, PARTICULARS))):
        assert " for 1" not in paper
    assert any(isinstance(block, Grid) for block in inside(players_guide(given.house, PARTICULARS).blocks))
