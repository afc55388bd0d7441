"""The questions that describe a round, one after the other. Nothing here reads or shows.

The interview is a function of the answers so far, so going back is leaving the last one out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from croupier.cards import format_cards, typed_cards
from croupier.cli.chosen_house import ChosenHouse, chosen_house
from croupier.cli.rulebook_names import as_rulebook
from croupier.cli.settle.short_form import ShortRound, read_choice
from croupier.errors import Malformed
from croupier.games import card_counts, rules_of
from croupier.money import Cents, print_dollars, typed_dollars
from croupier.present import any_of, capitalized, counted, spoken
from croupier.rulebook import HouseRules, HouseWager, load_rulebook, rulebook_ids
from croupier.rulebook.schema import Choice

__all__ = ["FIRST", "Described", "RoundQuestion", "question_after"]

FIRST: Final = "md-mississippi-stud"
"""The rulebook that is offered first."""
_YES: Final = {"y": True, "yes": True, "n": False, "no": False}
_CARDS_HELP: Final = "Write cards as rank and suit: Ah, 10d, Q♠; spaces and commas between them are optional."


class RoundQuestion(NamedTuple):
    """What is asked next; an empty answer takes the default."""

    prompt: str
    help: str
    default: str = ""
    news: tuple[str, ...] = ()
    """Lines to read before the question."""


class Described(NamedTuple):
    """A round that was described in full: the house, and the options of the command line."""

    house: str
    short: ShortRound


_Asking: TypeAlias = Generator[RoundQuestion, str, Described]
_Part: TypeAlias = Generator[RoundQuestion, str, str]


def question_after(answers: Sequence[str]) -> RoundQuestion | Described:
    """The question that follows these answers, or the round; `Malformed` says why the last answer is not one.

    >>> first = question_after([])
    >>> isinstance(first, RoundQuestion) and first.default
    '1'
    """
    asking = _interview()
    question = next(asking)
    for answer in answers:
        try:
            question = asking.send(answer or question.default)
        except StopIteration as done:
            described: Described = done.value
            return described
    return question


def _interview() -> _Asking:
    chosen, house = yield from _house()
    seats: dict[int, str] = {}
    bet: set[str] = set()
    for _ in range(house.seats):
        number = yield from _seat_number(house, seats)
        if not number:
            break
        seats[number] = yield from _seat(house, number, bet)
    live = [text for text in seats.values() if not text.endswith(" fold")]
    cards = {"board": "", "dealer": "", "six_card_box": ""}
    counts = card_counts(house)
    if "community" in counts:
        cards["board"] = yield from _cards("Board", counts["community"], optional=not live)
    if "dealer" in counts:
        cards["dealer"] = yield from _cards("Dealer's hand", counts["dealer"], optional=not live)
    if any(rules_of(house).judged[wager.name] == "own_and_box" for wager in house.wagers if wager.name in bet):
        cards["six_card_box"] = yield from _cards("Six card box", counts["six_card_box"], optional=not live)
    meters = yield from _meters(house, bet)
    return Described(chosen, ShortRound(tuple(seats.values()), **cards, meters=meters))


@cache
def _checked(name: str) -> HouseRules:
    return chosen_house(name).verdict().rules(name=name)


def _house() -> Generator[RoundQuestion, str, tuple[str, HouseRules]]:
    ids = sorted(rulebook_ids(), key=lambda name: name != FIRST)
    sources = [load_rulebook(name).source for name in ids]
    menu = [
        f"  {number}  {name}  ({source.title}, {source.jurisdiction})"
        for number, (name, source) in enumerate(zip(ids, sources, strict=True), 1)
    ]
    help_text = "The file of your Rules Submission, or a rulebook: then every wager of the document is offered."
    answer = yield RoundQuestion("House: a number, or a file such as house.toml", help_text, "1", tuple(menu))
    name = ids[int(answer) - 1] if answer.isdecimal() and 1 <= int(answer) <= len(ids) else str(as_rulebook(answer))
    chosen: ChosenHouse = chosen_house(name)
    return chosen.name, _checked(chosen.name)


def _seat_number(house: HouseRules, taken: dict[int, str]) -> Generator[RoundQuestion, str, int]:
    free = [number for number in range(1, house.seats + 1) if number not in taken]
    more = "Next seat, or Enter when there are no more" if taken else "First seat"
    help_text = (
        f"Seats 1 to {house.seats}. Seat 1 is farthest to the dealer's left: it is dealt to first and paid last."
    )
    answer = yield RoundQuestion(more, help_text, "" if taken else str(free[0]))
    if not answer and taken:
        return 0
    if not answer.isdecimal() or int(answer) not in free:
        raise Malformed(f"{answer!r} is not a free seat: {any_of(free)}")
    return int(answer)


def _seat(house: HouseRules, number: int, bet: set[str]) -> _Part:
    """Ask about one seat, and return it in the short form."""
    rules, at = rules_of(house), f"Seat {number}"
    cards = yield from _cards(f"{at}, cards", card_counts(house)["player"], optional=True)
    parts = [cards] if cards else []
    for wager in house.wagers:
        equal = rules.wagers[wager.name].stake == "equal"
        if wager.stakes is not None and not equal:
            amount = yield from _stake(house, wager, at, is_main=wager.name == rules.main.name)
            if amount:
                bet.add(wager.name)
                several = any(row.stake == "equal" for row in rules.wagers.values()) and wager.name == rules.main.name
                parts.append(f"{'bets' if several else spoken(wager.name)} {amount}")
    decisions: list[str] = []
    for choice in house.rulebook.play.choice:
        decisions.append((yield from _decision(choice, at)))
        if decisions[-1] == "fold":
            break
    return f"{number}: {', '.join([*parts, ' '.join(['', *decisions]).strip()])}"


def _stake(house: HouseRules, wager: HouseWager, at: str, *, is_main: bool) -> _Part:
    stakes = wager.stakes
    if stakes is None:
        raise ValueError(f"{wager.name} has no stakes")
    paytable = f"Paytable {wager.paytables[0].id}"
    name = spoken(wager.name)
    if is_main:
        each = "each bet" if any(row.stake == "equal" for row in rules_of(house).wagers.values()) else name
        question = RoundQuestion(f"{at}, {each}", f"{paytable}; {stakes}.", print_dollars(stakes.minimum))
        return (yield from _until(question, lambda answer: _dollars(typed_dollars(answer))))
    if stakes.minimum == stakes.maximum:
        question = RoundQuestion(f"{at}, {name} {stakes}? y or n", f"{paytable}.", "n")
        return (yield from _until(question, lambda answer: _dollars(stakes.minimum) if _yes(answer) else ""))
    question = RoundQuestion(f"{at}, {name}, Enter for none", f"{paytable}; {stakes}.")
    return (yield from _until(question, lambda answer: _dollars(typed_dollars(answer)) if answer else ""))


def _dollars(cents: Cents) -> str:
    return print_dollars(cents).removeprefix("$")


def _yes(answer: str) -> bool:
    if answer.casefold() not in _YES:
        raise Malformed("please answer y or n")
    return _YES[answer.casefold()]


def _decision(choice: Choice, at: str) -> _Part:
    said = [f"{name} and an amount" if name == "raise" else name for name in choice.choices]

    def read(answer: str) -> str:
        chosen = read_choice(answer, choice.choices)
        if chosen is None:
            raise Malformed(f"{answer!r} is not a choice here: {any_of(said)}")
        return chosen

    question = RoundQuestion(f"{at}, {spoken(choice.decision)}: {any_of(said)}", f"By clause {choice.clause}.")
    return (yield from _until(question, read))


def _cards(what: str, count: int, *, optional: bool) -> _Part:
    def read(answer: str) -> str:
        return format_cards(typed_cards(answer, count=count)) if answer or not optional else ""

    unseen = ", Enter if not seen" if optional else ""
    return (yield from _until(RoundQuestion(f"{what} ({counted(count, 'card')}{unseen})", _CARDS_HELP), read))


def _meters(house: HouseRules, bet: set[str]) -> Generator[RoundQuestion, str, tuple[str, ...]]:
    shown: list[str] = []
    for wager in house.wagers:
        for meter in wager.meters if wager.name in bet else ():
            question = RoundQuestion(
                f"{capitalized(meter.name)} meter after the bets of this round",
                "What the meter showed when the round was settled.",
                print_dollars(meter.initial),
            )
            shown.append((yield from _until(question, lambda answer: _dollars(typed_dollars(answer)))))
            shown[-1] = f"{meter.name}={shown[-1]}"
    return tuple(shown)


def _until(question: RoundQuestion, read: Callable[[str], str]) -> _Part:
    return read((yield question))
