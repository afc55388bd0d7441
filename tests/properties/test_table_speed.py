"""How fast a table deals: one model for every command that counts hours."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from croupier.rulebook import HouseRules, check, read_submission
from croupier.table_speed import round_seconds, rounds_per_hour, step_seconds

BOOKS = ("md-mississippi-stud", "ma-mississippi-stud", "md-high-card-flush", "md-let-it-ride")
BY_HAND: dict[str, object] = {"shuffle": "manual", "deal": "manual_shoe"}
SHUFFLER: dict[str, object] = {"decks": 2, "shuffle": "automated", "deal": "automated_shoe"}


def house_of(book: str, cards: dict[str, object]) -> HouseRules:
    wagers = {"wagers": {"base": {"paytable": "A"}}} if book == "md-let-it-ride" else {}
    hours = {"deck_hours": 4} if book.startswith("ma") else {}
    house = check(read_submission({"rulebook": book, "cards": cards | hours} | wagers)).house
    assert house is not None
    return house


@pytest.mark.parametrize("book", BOOKS)
def test_a_full_table_with_a_shuffler_deals_thirty_to_fifty_rounds_per_hour(book: str) -> None:
    house = house_of(book, SHUFFLER)
    assert 30 <= rounds_per_hour(house, 6) <= 50
    assert 80 <= rounds_per_hour(house, 1) <= 100


@pytest.mark.parametrize("book", BOOKS)
def test_more_players_and_manual_shuffling_are_slower(book: str) -> None:
    manual, shuffler = (house_of(book, cards) for cards in (BY_HAND, SHUFFLER))
    for house in (manual, shuffler):
        assert all(more < fewer for fewer, more in pairwise(rounds_per_hour(house, seats) for seats in range(1, 8)))
    assert all(round_seconds(manual, seats) > round_seconds(shuffler, seats) + 30 for seats in range(1, 8))


def test_a_device_without_a_second_deck_makes_the_table_wait() -> None:
    one, two = (house_of("md-high-card-flush", SHUFFLER | {"decks": decks, "deal": "hand"}) for decks in (1, 2))
    assert round_seconds(one, 3) > round_seconds(two, 3)


def test_a_dealing_device_saves_most_where_hands_have_most_cards() -> None:
    def saved(book: str) -> Fraction:
        by_hand, device = (house_of(book, SHUFFLER | {"deal": deal}) for deal in ("hand", "automated_shoe"))
        return round_seconds(by_hand, 6) - round_seconds(device, 6)

    assert saved("md-high-card-flush") > saved("md-let-it-ride") > saved("md-mississippi-stud")


def test_the_documented_tables_are_the_model_s() -> None:
    """docs/simulation.md prints rounds per hour by players, and the seconds behind them."""
    text = (Path(__file__).parents[2] / "docs/simulation.md").read_text()
    for title, book in (("Mississippi Stud", BOOKS[0]), ("High Card Flush", BOOKS[2]), ("Let It Ride", BOOKS[3])):
        for house in (house_of(book, SHUFFLER), house_of(book, BY_HAND)):
            assert f"| {title} | {' | '.join(str(rounds_per_hour(house, seats)) for seats in range(1, 7))} |" in text
    seconds = {name: float(each) for name, each in step_seconds().items()}
    for line in (
        f"| {seconds['betting']:g}; {seconds['close']:g} per round |",
        f"| {seconds['card']:g} per card, {seconds['card_by_device']:g} from a dealing device |",
        f"| {seconds['decision']:g} per player and decision,",
        f"| {seconds['settlement']:g} per player,",
        f"| {seconds['shuffle_by_hand']:g} by hand; {seconds['shuffle_by_device']:g} by a device with a single deck;",
        f"; {seconds['shuffle_meanwhile']:g} with a second deck ready,",
    ):
        assert line in text
