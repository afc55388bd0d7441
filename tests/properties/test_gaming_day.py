"""The automatic staff change the gaming day by the house's own clock, between rounds."""

from datetime import UTC, date, datetime, timedelta

from croupier.driver import FairShuffler, Staff, TableRunner, next_request
from croupier.rulebook import check, read_submission
from croupier.table import Person, Request, commands, new_table

NEW_YORK = Staff(time_zone="America/New_York", day_start="06:00")
ANN = Person("player", "ann")


def opened(staff: Staff, at: datetime) -> TableRunner:
    submission = read_submission({"rulebook": "md-mississippi-stud"})
    runner = TableRunner(new_table(submission, check(submission).rules()), FairShuffler(), automatic=staff)
    while (step := next_request(runner.table, at, staff=staff)) is not None:
        runner.handle(step)
    return runner


def test_a_table_opens_in_the_gaming_day_of_the_house_and_changes_it_between_rounds() -> None:
    at = datetime(2026, 1, 2, 9, tzinfo=UTC)  # four in the morning in New York: still the day before
    runner = opened(NEW_YORK, at)
    assert runner.table.gaming_day == date(2026, 1, 1)
    runner.handle(Request(ANN, at, commands.Sit(1)))
    runner.handle(Request(ANN, at, commands.BuyIn(100_000)))  # type: ignore[arg-type]
    runner.handle(Request(ANN, at, commands.PlaceWager(1, "ante", 1000)))  # type: ignore[arg-type]
    later = at + timedelta(hours=3)
    close = next_request(runner.table, later, staff=NEW_YORK, close_bets=True)
    assert close is not None
    runner.handle(close)
    assert runner.table.gaming_day == date(2026, 1, 1)  # a round is in play
    runner.handle(Request(ANN, later, commands.Decide(1, "fold", None)))
    assert runner.table.round is None
    assert runner.table.gaming_day == date(2026, 1, 2)


def test_without_a_time_zone_the_gaming_day_is_that_of_the_opening() -> None:
    at = datetime(2026, 1, 2, 23, 59, tzinfo=UTC)
    runner = opened(Staff(), at)
    assert runner.table.gaming_day == date(2026, 1, 2)
    step = next_request(runner.table, at + timedelta(days=1), staff=Staff())
    assert not isinstance(step.command if step is not None else None, commands.ChangeDay)
