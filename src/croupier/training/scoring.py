"""What a trainee answered, scored: every answer is right or wrong, and a wrong one is explained with its clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from croupier.money import Cents
from croupier.present import ChipMove, capitalized, dollars, spoken, the_wager
from croupier.training.drill import ORDER_OF_BETS, Drill, OrderTask, PayTask, SeatTask

__all__ = ["Answers", "Mistake", "PayAnswer", "Score", "right_answers", "score"]

_NO_ANSWER: Final = "no answer"
_ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
)  # fmt: skip


class PayAnswer(Struct, frozen=True, kw_only=True):
    """What a trainee does with one bet."""

    kind: str = ""
    """`take`, `pay`, `leave`, `return` or `award`."""
    amount: Cents | None = None
    """What is paid; a bet that is taken is taken whole."""
    line: str = ""


class Answers(Struct, frozen=True, kw_only=True):
    """Everything that a trainee says about a round."""

    orders: Mapping[str, tuple[str, ...]]
    """By step: the keys in the order that the trainee gave them."""
    pays: Mapping[tuple[int, str], PayAnswer]
    """By seat and bet."""


class Mistake(Struct, frozen=True, kw_only=True):
    """A wrong answer, what would have been right, and why."""

    step: str
    where: str
    given: str
    right: str
    why: str
    clause: str
    reading: int | None = None


class Score(Struct, frozen=True, kw_only=True):
    """How many answers were right, by step, and what was wrong."""

    right: Mapping[str, int]
    asked: Mapping[str, int]
    mistakes: tuple[Mistake, ...]

    @property
    def points(self) -> int:
        """How many answers were right."""
        return sum(self.right.values())

    @property
    def most(self) -> int:
        """How many answers were asked for."""
        return sum(self.asked.values())

    @property
    def is_perfect(self) -> bool:
        """Whether everything was right."""
        return not self.mistakes


def right_answers(drill: Drill) -> Answers:
    """What somebody who makes no mistake answers."""
    return Answers(
        orders={task.step: task.right for task in drill.orders},
        pays={
            (seat.seat, pay.wager): PayAnswer(
                kind=pay.move.kind, amount=pay.move.amount if _has_amount(pay.move) else None, line=pay.line
            )
            for seat in drill.seats
            for pay in seat.pays
        },
    )


def score(drill: Drill, answers: Answers) -> Score:
    """The answers of a trainee, each held against what the engine did."""
    right: dict[str, int] = {}
    asked: dict[str, int] = {}
    mistakes: list[Mistake] = []
    for step, mistake in _judged(drill, answers):
        asked[step] = asked.get(step, 0) + 1
        right[step] = right.get(step, 0) + (mistake is None)
        if mistake is not None:
            mistakes.append(mistake)
    return Score(right=right, asked=asked, mistakes=tuple(mistakes))


def _judged(drill: Drill, answers: Answers) -> Iterator[tuple[str, Mistake | None]]:
    for task in drill.orders:
        yield task.step, _order(task, answers.orders.get(task.step, ()))
    for seat in drill.seats:
        for pay in seat.pays:
            given = answers.pays.get((seat.seat, pay.wager), PayAnswer())
            name = the_wager(pay.wager.partition(".")[0])
            if pay.lines:
                yield f"paytable line of {name}", _line(seat, pay, given, f"paytable line of {name}")
            yield f"take or pay {name}", _kind(seat, pay, given, f"take or pay {name}")
            if _has_amount(pay.move):
                yield f"amount paid on {name}", _amount(seat, pay, given, f"amount paid on {name}")


def _has_amount(move: ChipMove) -> bool:
    return move.kind in {"pay", "award"}


def _order(task: OrderTask, given: tuple[str, ...]) -> Mistake | None:
    if given == task.right:
        return None
    words = {item.key: item.words for item in task.shown}

    def say(keys: tuple[str, ...]) -> str:
        return " →\xa0".join(words.get(key, "?") for key in keys) or _NO_ANSWER

    wrong = next((place for place, key in enumerate(task.right) if given[place : place + 1] != (key,)), 0)
    due = next(item for item in task.shown if item.key == task.right[wrong])
    named = due.words if task.step == ORDER_OF_BETS else due.words[0].lower() + due.words[1:]
    return Mistake(
        step=task.step,
        where=capitalized(task.step),
        given=say(given),
        right=say(task.right),
        why=f"{_ORDINALS[wrong]}: {named}",
        clause=due.clause or task.clause,
        reading=task.reading,
    )


def _line(seat: SeatTask, pay: PayTask, given: PayAnswer, step: str) -> Mistake | None:
    if given.line == pay.line:
        return None
    words = dict(pay.lines)
    return _mistake(seat, pay, step, words.get(given.line, _NO_ANSWER), words.get(pay.line, pay.line))


_KINDS = {
    "take": "take it",
    "pay": "pay it",
    "leave": "push: leave it",
    "return": "give it back",
    "award": "an award: verify it first",
}


def _kind(seat: SeatTask, pay: PayTask, given: PayAnswer, step: str) -> Mistake | None:
    if given.kind == pay.move.kind:
        return None
    return _mistake(seat, pay, step, _KINDS.get(given.kind, _NO_ANSWER), _KINDS[pay.move.kind])


def _amount(seat: SeatTask, pay: PayTask, given: PayAnswer, step: str) -> Mistake | None:
    if given.amount == pay.move.amount:
        return None
    said = _NO_ANSWER if given.amount is None else dollars(given.amount)
    return _mistake(seat, pay, step, said, dollars(pay.move.amount))


def _mistake(seat: SeatTask, pay: PayTask, step: str, given: str, right: str) -> Mistake:
    return Mistake(
        step=step,
        where=f"Seat {seat.seat}, {spoken(pay.wager.partition('.')[0])}",
        given=given,
        right=right,
        why=pay.move.why,
        clause=pay.move.clause,
        reading=pay.move.reading,
    )
