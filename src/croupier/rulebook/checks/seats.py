"""Seats, boxes and limits."""

from __future__ import annotations

from typing import Final

from croupier.money import Cents, parse_dollars, print_dollars
from croupier.rulebook.checks.finding import Findings, error, main_wager, title, warning
from croupier.rulebook.house import Stakes
from croupier.rulebook.schema import Rulebook, Wager
from croupier.rulebook.submission import Limits, Submission, WagerChoice

__all__ = ["check_boxes", "check_limits", "check_seats", "limits_of", "seat_count"]

MAIN_DEFAULT: Final = Stakes(Cents(1000), Cents(50_000), Cents(100))
SIDE_DEFAULT: Final = Stakes(Cents(100), Cents(10_000), Cents(100))
"""The limits where neither document nor submission sets any."""


def check_seats(book: Rulebook, submission: Submission) -> Findings:
    """No more seats than the document allows with the wagers offered."""
    seats = book.table.seats
    count = seat_count(book, submission)
    if count < 1:
        yield error(seats, "seats", "a table has at least one seat")
    elif count > seats.maximum:
        yield error(seats, "seats", f"{count} seats: at most {seats.maximum}")
    for fewer in seats.fewer:
        if fewer.offered in submission.wagers and fewer.maximum < count <= seats.maximum:
            yield error(
                fewer, "seats", f"{count} seats: at most {fewer.maximum} while the {title(fewer.offered)} is offered"
            )


def seat_count(book: Rulebook, submission: Submission) -> int:
    """The seats of the table: as given, or as many as are allowed."""
    if submission.seats is not None:
        return submission.seats
    fewer = [fewer.maximum for fewer in book.table.seats.fewer if fewer.offered in submission.wagers]
    return min(fewer, default=book.table.seats.maximum)


def check_boxes(book: Rulebook, submission: Submission) -> Findings:
    """How many boxes one player may take."""
    boxes = book.table.boxes
    if submission.boxes < 1:
        yield error(boxes, "boxes", "a player needs at least one box")
    elif boxes.limit == "one" and submission.boxes > 1:
        yield error(boxes, "boxes", f"{submission.boxes} boxes: a player may have only one")
    elif submission.boxes > max(1, seat_count(book, submission)):
        yield error(boxes, "boxes", f"{submission.boxes} boxes: the table has {seat_count(book, submission)} seats")


def check_limits(book: Rulebook, submission: Submission) -> Findings:
    """Limits that contradict each other, and limits of $0."""
    main = main_wager(book)
    for key in submission.limits:
        if key != main.limits_key:
            yield error(
                main,
                f"limits.{key}",
                f"unknown setting; the main wager's limits are limits.{main.limits_key}",
                reading=190,
            )
    yield from _limit(main, limits_of(main, submission), f"limits.{main.limits_key}")
    for wager in book.wagers.wager:
        if wager.offered == "option" and wager.stake == "limits" and wager.name in submission.wagers:
            yield from _limit(wager, limits_of(wager, submission), f"wagers.{wager.name}")


def _limit(wager: Wager, stakes: Stakes, key: str) -> Findings:
    if stakes.minimum < 1:
        yield error(wager, f"{key}.minimum", "a wager must be more than $0", reading=14)
    if stakes.increment < 1:
        yield error(wager, f"{key}.increment", "a step must be more than $0", reading=14)
    elif stakes.maximum < stakes.minimum:
        message = f"the maximum {print_dollars(stakes.maximum)} is below the minimum {print_dollars(stakes.minimum)}"
        yield error(wager, f"{key}.maximum", message, reading=14)
    elif (stakes.maximum - stakes.minimum) % stakes.increment:
        message = f"the maximum cannot be reached from the minimum in steps of {print_dollars(stakes.increment)}"
        yield warning(wager, f"{key}.increment", message, reading=14)


def limits_of(wager: Wager, submission: Submission) -> Stakes:
    """Minimum, maximum and increment of a wager within limits, as given or by default (readings 5, 14)."""
    if wager.limits_key:
        given, usual = submission.limits.get(wager.limits_key, Limits()), MAIN_DEFAULT
    else:
        given, usual = submission.wagers.get(wager.name, WagerChoice()).limits, SIDE_DEFAULT
    least = parse_dollars(wager.suggested_minimum) if wager.suggested_minimum else usual.minimum
    minimum = least if given.minimum is None else given.minimum
    return Stakes(
        minimum,
        max(minimum, usual.maximum) if given.maximum is None else given.maximum,
        usual.increment if given.increment is None else given.increment,
    )
