"""Each deck has the hours of the rules under which it came into play, or fewer."""

import pytest

from support.desk import Desk, bet, stud


def with_hours(hours: int) -> dict[str, object]:
    return stud(cards={"shuffle": "automated", "decks": 2, "deck_hours": hours})


@pytest.mark.clause("md-mississippi-stud 3.C(2)")
@pytest.mark.parametrize(("before", "after", "first"), [(2, 4, 2), (4, 2, 2), (3, 3, 3)])
def test_new_hours_are_for_new_decks_and_never_lengthen_those_of_an_old_one(
    before: int, after: int, first: int
) -> None:
    desk = Desk(with_hours(before))
    desk.seat("Ann")
    assert [(deck.stage, deck.hours) for deck in desk.table.cards.decks] == [("loaded", before), ("shuffled", 0)]
    desk.do("operator", "o1", "propose_rules", submission=with_hours(after), approval="A-1")
    desk.do("operator", "o2", "confirm_rules")
    desk.staff()
    for _ in range(2):
        bet(desk, "Ann")
        desk.staff(close_bets=True)
        desk.do("player", "Ann", "decide", seat=1, choice="fold")
        desk.staff()
    assert [deck.hours for deck in desk.table.cards.decks] == [first, after]
