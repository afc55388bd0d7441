"""Houses and drawings for the tests of layouts: every rulebook with any of its wagers and seats."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations

from msgspec.structs import replace

from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text, starting_submission
from croupier.rulebook.names import WagerName


@cache
def full_house(rulebook: str) -> HouseRules:
    """A house that offers everything its document has."""
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    return check(read_submission_text(text, name=rulebook)).rules()


def optional(rulebook: str) -> list[WagerName]:
    return [wager.name for wager in load_rulebook(rulebook).wagers.wager if wager.offered == "option"]


def house_with(rulebook: str, offered: set[WagerName], seats: int = 0) -> HouseRules:
    """The house with only these of its optional wagers, and with this many seats."""
    house = full_house(rulebook)
    kept = [wager for wager in house.wagers if wager.name in offered or wager.name not in optional(rulebook)]
    return replace(house, wagers=tuple(kept), seats=seats or house.seats)


def every_offer(rulebook: str) -> Iterator[set[WagerName]]:
    """Every set of optional wagers."""
    wagers = optional(rulebook)
    for some in chain.from_iterable(combinations(wagers, number) for number in range(len(wagers) + 1)):
        yield set(some)


def most_seats(rulebook: str, offered: set[WagerName]) -> int:
    seats = load_rulebook(rulebook).table.seats
    return min([seats.maximum, *(fewer.maximum for fewer in seats.fewer if fewer.offered in offered)])


def groups(svg: str) -> list[str]:
    """The groups of a drawing that are areas or inscriptions, each on a line of its own."""
    return [line for line in svg.splitlines() if re.match(r"<g data-(area|notice)=", line)]
