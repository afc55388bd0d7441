"""Everything that can be priced: the paytables of a rulebook, the wagers of a house, custom paytables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb, prod
from typing import Final

from msgspec import Struct

from croupier.cards import DECK
from croupier.errors import Malformed
from croupier.money import Cents, Dollars, Share, parse_dollars, parse_pay, print_dollars
from croupier.rulebook import HouseRules, Rulebook
from croupier.rulebook.schema import Paytable, Wager

__all__ = [
    "ADDS",
    "BASE",
    "CUSTOM",
    "FOLD",
    "STAKES",
    "Case",
    "StreetGame",
    "cases_of",
    "cases_of_house",
    "is_documented",
    "main_table",
    "meters_of",
    "orders",
    "stakes_of",
    "streets_of",
    "tables_of",
    "unpriced",
    "wager_of",
    "wagers_of",
]

BASE: Final = "base"
"""The main game, whatever its bets are called."""
CUSTOM: Final = "custom"
"""Used in place of a clause where rules or pays are not those of a document."""
FOLD: Final = 0
"""The action of folding; action n adds the n-th amount of `StreetGame.adds`."""
ACE_LOW_OPTION: Final = "hcf.ace_low"
STAKES: Final = tuple(Cents(100 * dollars) for dollars in (1, 5, 10, 25, 100))
"""The default stakes at which a wager with a fixed prize is priced."""


ADDS: Final = {"withdraw": 0, "ride": 1, "1x": 1, "2x": 2, "3x": 3}
"""The choices of a street and the bets that each adds."""


class StreetGame(Struct, frozen=True):
    """A game of streets: cards in the hand at first, and the bets that may be added before each further card."""

    first: int
    names: tuple[str, ...]
    adds: tuple[int, ...]
    fold: bool

    @property
    def most(self) -> int:
        """The maximum that can be staked, in bets."""
        return 1 + (5 - self.first) * max(self.adds)

    def staked(self, known: int) -> list[int]:
        """What can be staked when this many cards are known."""
        reached = {1}
        for _ in range(known - self.first):
            reached = {staked + add for staked in reached for add in self.adds}
        return sorted(reached)

    @property
    def deals(self) -> int:
        """The number of deals: the first cards as a set, the others in order."""
        return comb(len(DECK), self.first) * orders(self.first)


class Case(Struct, frozen=True, kw_only=True):
    """One question: what is this wager on this paytable worth?"""

    book: Rulebook
    wager: str
    table: Paytable
    main: Paytable
    """The paytable of the main game, by which folded hands are known."""
    stake: Cents
    meters: Mapping[str, Cents] = {}
    ace_low: bool = True
    forfeits: bool | None = None
    """Whether a fold loses a progressive; None prices both, where the document's rule is a forfeit."""
    envy: bool = True

    def __repr__(self) -> str:
        return f"<Case {self.book.id} {self.wager} {self.table.id} at {print_dollars(self.stake)}>"


def wagers_of(book: Rulebook) -> list[str]:
    """The wagers of a rulebook that can be priced: `base` and the bonuses."""
    return [BASE, *(wager.name for wager in book.wagers.wager if wager.offered == "option")]


def cases_of(book: Rulebook) -> Iterator[Case]:
    """Every paytable of a rulebook, in its order, at each stake that makes a difference."""
    main = tables_of(book, BASE)
    for table in main:
        yield Case(book=book, wager=BASE, table=table, main=table, stake=STAKES[0])
    for wager in book.wagers.wager:
        if wager.offered == "option":
            for table in tables_of(book, wager.paytables):
                for stake in stakes_of(table):
                    yield Case(book=book, wager=wager.name, table=table, main=main[0], stake=stake)


def cases_of_house(house: HouseRules, *, meters: Mapping[str, Cents] | None = None) -> Iterator[Case]:
    """The wagers a house offers, at its minimum stakes, with its opening meters or those given."""
    ace_low = house.options.hcf_ace_low
    main = main_table(house)
    yield Case(book=house.rulebook, wager=BASE, table=main, main=main, stake=STAKES[0], ace_low=ace_low)
    for wager in house.wagers:
        if wager.paytables[0].group != BASE and wager.stakes is not None and _is_priced(house, wager.name):
            shown = {meter.name: meter.initial for meter in wager.meters} | dict(meters or {})
            for table in wager.paytables:
                yield Case(
                    book=house.rulebook,
                    wager=wager.name,
                    table=table,
                    main=main,
                    stake=wager.stakes.minimum,
                    meters=shown if wager.meters else {},
                    ace_low=ace_low,
                    forfeits=_forfeits(house, wager_of(house.rulebook, wager.name)),
                    envy=house.options.envy_after_fold,
                )


def is_documented(case: Case) -> bool:
    """Whether the document prints these pays and allows these rules."""
    printed = case.book.paytables.paytable
    allows_ace_low = case.ace_low or any(option.rule.name == ACE_LOW_OPTION for option in case.book.options)
    return case.table in printed and case.main in printed and allows_ace_low


def unpriced(house: HouseRules) -> list[str]:
    """The wagers of a house that have no exact price because of an option, each with the option."""
    names = [wager.name for wager in house.wagers if not _is_priced(house, wager.name)]
    return [f"{name}: folded hands do not count here (readings.cover_all.count_folded)" for name in names]


def _is_priced(house: HouseRules, name: str) -> bool:
    return name != "cover_all" or house.options.cover_all_count_folded


def _forfeits(house: HouseRules, wager: Wager) -> bool | None:
    """Whether a fold loses this wager at this house; None where folding does not touch it."""
    if wager.fold is None or wager.fold.stake != "forfeit":
        return None
    return not wager.fold.option or house.options.named(wager.fold.option) == "forfeit"


def main_table(house: HouseRules) -> Paytable:
    """The paytable of a house's main game."""
    return next(wager.paytables[0] for wager in house.wagers if wager.paytables[0].group == BASE)


def streets_of(book: Rulebook) -> StreetGame | None:
    """The game of streets that a rulebook describes; None where the hand plays against the dealer's."""
    if any(wager.evaluator == "against_dealer" for wager in book.wagers.wager):
        return None
    choices = book.play.choice[0].choices
    names = tuple(sorted((choice for choice in choices if choice != "fold"), key=ADDS.__getitem__))
    return StreetGame(
        first=own_cards(book), names=names, adds=tuple(ADDS[name] for name in names), fold="fold" in choices
    )


def own_cards(book: Rulebook) -> int:
    """How many cards each player is dealt."""
    script = book.dealing.script[0]
    return script.passes * sum(step.cards for step in script.step if step.to == "player")


def main_unit(game: StreetGame | None) -> str:
    """The bet of the main game that its figures are a share of."""
    return "ante" if game is None or game.fold else "bet"


def orders(known: int) -> int:
    """The number of orders in which the cards after the first `known` can come, up to the fifth."""
    return prod(len(DECK) - card for card in range(known, 5))


def meters_of(table: Paytable) -> tuple[str, ...]:
    """The meters from which a paytable pays."""
    pays = [parse_pay(line.pays) for line in table.line]
    return tuple(dict.fromkeys(pay.meter for pay in pays if isinstance(pay, Share)))


def tables_of(book: Rulebook, group: str) -> tuple[Paytable, ...]:
    """The paytables of a group in the document's order; Cover All has one for each number of players."""
    return tuple(table for table in book.paytables.paytable if table.group == group)


def wager_of(book: Rulebook, name: str) -> Wager:
    """A wager by its name."""
    named = next((wager for wager in book.wagers.wager if wager.name == name), None)
    if named is None:
        raise Malformed(f"{book.id} has no wager {name!r}: {', '.join(wagers_of(book))}")
    return named


def stakes_of(table: Paytable) -> tuple[Cents, ...]:
    """The stakes at which to price a paytable: those it is printed for, or several where it has a fixed prize."""
    if table.stakes:
        return tuple(parse_dollars(stake) for stake in table.stakes)
    prizes = any(isinstance(parse_pay(line.pays), Dollars) for line in table.line)
    return STAKES if prizes else STAKES[:1]
