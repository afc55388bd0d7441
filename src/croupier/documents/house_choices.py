"""Every choice of a house under the key that its data has: what it is about, what was chosen, and by which clause.

The keys are those of `croupier.rulebook.present`, dotted, so that a paper can be compared with the data cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.documents.card_procedure import deal_method, shuffle_method
from croupier.documents.house_words import cites, rule_of
from croupier.documents.paper import Words
from croupier.money import parse_dollars
from croupier.present import any_of, capitalized, dollars, line_words, listed, option_value_words, spoken, titled
from croupier.rulebook import HouseRules, HouseWager, present
from croupier.rulebook.schema import Cited, MeterMinimum, Rulebook

__all__ = [
    "ChosenRow",
    "approval_rules",
    "chosen_rows",
    "law_of",
    "minimum_of",
    "rate_words",
    "say_key",
]

_DOLLARS: Final = {"minimum", "maximum", "increment", "initial", "reset", "payout_limit", "handpay_threshold"}
_RATES: Final = {"rate", "reserve_rate"}
_SAID: Final = {
    "rulebook": "rulebook",
    "edition": "edition",
    "operator": "operator",
    "seats": "betting positions",
    "boxes": "boxes per player",
    "cards.decks": "decks",
    "cards.shuffle": "shuffle",
    "cards.deal": "deal",
    "cards.deck_hours": "hours of a deck",
    "cards.cover_all_mode": "Cover All mode of the device",
    "payout_limit": "payout limit of a hand",
    "handpay_threshold": "hand pay of other awards from",
    "match_play": "match play coupons pay",
}


class ChosenRow(Struct, frozen=True):
    """One choice: its key, what it is about, the value in words, and the clauses."""

    key: str
    what: str
    chosen: str
    law: Words


def chosen_rows(house: HouseRules) -> list[ChosenRow]:
    """Every choice of a house, in the order of its data.

    >>> from croupier.documents.paper import plain
    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> row = next(row for row in chosen_rows(house) if row.key == "wagers.ante.minimum")
    >>> row.what, row.chosen, plain(row.law)
    ('Ante: minimum', '$10', '7.F(1)')
    """
    return [
        ChosenRow(key, capitalized(say_key(key)), say_value(key, value), law_of(house, key))
        for key, value in leaves(present(house))
    ]


def leaves(content: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Every value by its dotted key; options keep their own dotted names, and envy is one value."""
    for name, value in content.items():
        key = f"{before}{name}"
        if isinstance(value, Mapping) and not key.endswith(".envy"):
            yield from leaves(value, f"{key}.")
        else:
            yield key, value


# --- keys and values in words


def say_key(key: str) -> str:
    """
    >>> say_key("wagers.progressive.meters.main.rate"), say_key("cards.deck_hours"), say_key("readings.cap.scope")
    ('Progressive, main meter: rate', 'hours of a deck', 'option cap.scope')
    """
    match key.split("."):
        case ["wagers", wager, "meters", meter, field]:
            return f"{titled(wager)}, {meter} meter: {spoken(field)}"
        case ["wagers", wager, field, *rest]:
            return f"{titled(wager)}: {', '.join([spoken(field), *map(line_words, rest)])}"
        case ["wagers", wager]:
            return titled(wager)
        case ["approvals", name]:
            return f"approval: {spoken(name)}"
        case ["readings", *name]:
            return f"option {'.'.join(name)}"
    return _SAID.get(key, spoken(key.replace(".", ", ")))


def say_value(key: str, value: object) -> str:
    """
    >>> say_value("wagers.ante.minimum", "10.00"), say_value("wagers.progressive.reserve_rate", "0.025")
    ('$10', '2.5% of each stake')
    """
    field = key.rpartition(".")[2]
    match value:
        case None | "":
            return "none"
        case str() if key in {"cards.shuffle", "cards.deal"}:
            return spoken(value)
        case str() | bool() | int() | tuple() if key.startswith("readings."):
            return option_value_words(key.removeprefix("readings."), value)
        case str() if field in _DOLLARS:
            return dollars(parse_dollars(value))
        case str() if field in _RATES:
            return rate_words(Fraction(value))
        case str():
            return value
        case Mapping():
            return listed(f"{line_words(hand)} {pays}" for hand, pays in value.items())
        case tuple() if field == "multiples":
            return f"{any_of(f'{times}x' for times in value)} the ante"
        case bool() | int() | tuple():
            return option_value_words(key, value)
    raise TypeError(f"{key}: {value!r} is not a choice")


def rate_words(rate: Fraction) -> str:
    """
    >>> rate_words(Fraction(12, 100)), rate_words(Fraction(1, 1_000_000)), rate_words(Fraction(0))
    ('12% of each stake', '0.0001% of each stake', 'none')
    """
    if not rate:
        return "none"
    whole, part = divmod(int(rate * 1_000_000), 10_000)
    return f"{whole}.{part:04}".rstrip("0").rstrip(".") + "% of each stake"


# --- clauses


def law_of(house: HouseRules, key: str) -> Words:
    """The clauses behind the choice with this key; nothing where the document says nothing about it."""
    book, table = house.rulebook, house.rulebook.table
    match key.split("."):
        case ["seats"]:
            return cites(table.seats, *(row for row in table.seats.fewer if house.wager(row.offered) is not None))
        case ["boxes"]:
            return cites(table.boxes)
        case ["wagers", name, *rest]:
            wager = next((wager for wager in house.wagers if wager.name == name), None)
            return cites(*_wager_rules(house, wager, rest)) if wager is not None else _wager_alone(book, name)
        case ["cards", what]:
            return cites(*_card_rules(house, what))
        case ["payout_limit"]:
            return cites(book.play.payout_limit, book.play.payout_limit.minimum_bet)
        case ["handpay_threshold"]:
            return cites(book.play.handpay)
        case ["match_play"]:
            return cites(book.wagers.instruments.coupon or book.wagers.instruments)
        case ["approvals", name]:
            return cites(approval_rules(book).get(name))
        case ["approvals"]:
            return cites(*(approval_rules(book).get(name) for name, _ in house.approvals))
        case ["readings", *parts]:
            name = ".".join(parts)
            option = next((row for row in book.options if name == row.rule.name or _inside(name, row.rule.name)), None)
            return () if option is None else cites(Cited(clause=option.clause, reading=option.rule.reading))
    return ()


def _inside(name: str, option: str) -> bool:
    return name.startswith(f"{option}.")


def _wager_alone(book: Rulebook, name: str) -> Words:
    return cites(next((row for row in book.wagers.wager if row.name == name), None))


def _wager_rules(house: HouseRules, wager: HouseWager, rest: list[str]) -> list[Cited | None]:
    tables, rule = house.rulebook.paytables, rule_of(house, wager)
    match rest:
        case ["paytable"]:
            choice = next((row for row in tables.choice if row.group == wager.paytables[0].group), None)
            return [choice, *wager.paytables]
        case ["meters", meter, "rate"]:
            return [tables.rate or minimum_of(house, wager, meter)]
        case ["meters", meter, *_]:
            return [minimum_of(house, wager, meter)]
        case ["reserve_rate"]:
            return [tables.rate or rule]
        case ["envy", *_]:
            return [tables.envy_choice, wager.envy]
        case ["link"]:
            return [wager.paytables[0].link, tables.link]
    return [rule]


def minimum_of(house: HouseRules, wager: HouseWager, meter: str) -> MeterMinimum | None:
    """The document's minimum of a meter on the chosen paytable."""
    rows = house.rulebook.paytables.minimum
    return next((row for row in rows if (row.paytable, row.meter) == (wager.paytables[0].id, meter)), None)


def _card_rules(house: HouseRules, what: str) -> list[Cited | None]:
    table = house.rulebook.table
    match what:
        case "decks":
            several = house.decks > table.decks.standard
            return [table.decks, table.decks.second if several else None]
        case "shuffle":
            return [shuffle_method(house)]
        case "deal":
            return [deal_method(house), deal_method(house).needs_shuffler]
        case "deck_hours":
            return [next(row for row in table.deck_hours if house.deal in row.deal)]
    needed = [row.needs for row in house.rulebook.wagers.wager if row.needs is not None]
    return [row for row in needed if row.cover_all_mode]


def approval_rules(book: Rulebook) -> dict[str, Cited]:
    """What asks for each approval in a rulebook, by the name of the approval."""
    rows: list[tuple[str | None, Cited | None]] = [
        ("layout", book.table.layout_approval),
        ("progressive", next((row for row in book.paytables.minimum if row.amount is None), None)),
        ("payout_limit", book.play.payout_limit if book.play.payout_limit.lower == "approval" else None),
        *((row.approval, row) for row in book.table.shuffle),
        *((row.approval, row) for row in book.table.deal),
        *((row.stake_approval, row) for row in book.wagers.wager),
        *((row.needs.approval, row.needs) for row in book.wagers.wager if row.needs is not None),
        *((row.rule.approval, Cited(clause=row.clause, reading=row.rule.reading)) for row in book.options),
    ]
    found: dict[str, Cited] = {}
    for name, rule in rows:
        if name is not None and rule is not None:
            found.setdefault(name, rule)
    return found
