"""Custom paytables, in a file of the same shape as a rulebook's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from croupier.analysis.cases import BASE, CUSTOM, Case, cases_of, stakes_of, tables_of
from croupier.errors import Malformed, MoneyError
from croupier.money import Push, To, parse_dollars, parse_pay
from croupier.rulebook import HANDS, Rulebook, load_rulebook
from croupier.rulebook.names import Evaluator, HandName
from croupier.rulebook.schema import Paytable

__all__ = ["custom_case", "custom_cases"]

SHAPE = 'rulebook = "…" and [[paytable]] with group, id and line = [{ hand = "…", pays = "…" }, …]'


def custom_cases(text: str, *, name: str = "the file") -> Iterator[Case]:
    """The cases of a file of custom paytables; `Malformed` says where a mistake is.

    >>> case, = custom_cases('''
    ... rulebook = "md-mississippi-stud"
    ... [[paytable]]
    ... group = "three_card_bonus"
    ... id = "mine"
    ... line = [{ hand = "three_of_a_kind", pays = "100 to 1" }, { hand = "pair", pays = "3 to 1" }]
    ... ''')
    >>> case.wager, case.table.id
    ('three_card_bonus', 'mine')
    """
    try:
        raw = tomllib.loads(text)
        book = load_rulebook(str(raw.get("rulebook", "")))
        tables = raw.get("paytable")
        if not isinstance(tables, list) or not tables or set(raw) - {"rulebook", "paytable"}:
            raise Malformed(f"the file must have {SHAPE}, and nothing else")
        for place, table in enumerate(tables, 1):
            yield _case(book, _table(table, place), place)
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"{name}: {error}") from None
    except Malformed as error:
        raise Malformed(f"{name}: {error}") from None


def custom_case(book: Rulebook, wager: str, pays: Mapping[str, str | int], *, players: int | None = None) -> Case:
    """The case of a wager with pays of your own by hand; 40 is 40 to 1.

    >>> case = custom_case(load_rulebook("md-mississippi-stud"), "three_card_bonus", {"straight flush": 40, "pair": 1})
    >>> [(line.hand, line.pays) for line in case.table.line]
    [('straight_flush', '40 to 1'), ('pair', '1 to 1')]
    """
    known = {case.wager: case.table.group for case in cases_of(book)}
    if wager not in known:
        raise Malformed(f"no wager {wager!r} here; available: {', '.join(sorted(known))}")
    lines = [
        {"hand": re.sub(r"[\s-]+", "_", hand.strip().lower()), "pays": f"{pay} to 1" if type(pay) is int else pay}
        for hand, pay in pays.items()
    ]
    if unknown := [line["hand"] for line in lines if line["hand"] not in get_args(HandName)]:
        printed = tables_of(book, known[wager])[0]
        rule = next(rule for rule in book.wagers.wager if rule.paytables == known[wager])
        hands = _hands(printed.evaluator or rule.evaluator, printed)
        raise Malformed(f"{unknown[0]!r} is not a hand of this wager: {', '.join(hands)}")
    raw = {"group": known[wager], "id": "yours", "line": lines, "players": players}
    return _case(book, _table(raw, "yours"), "yours")


def _table(raw: Any, place: int | str) -> Paytable:  # noqa: ANN401 - whatever the file holds
    if not isinstance(raw, dict):
        raise Malformed(f"paytable {place}: the file must have {SHAPE}")
    try:
        return msgspec.convert({**raw, "clause": CUSTOM}, Paytable)
    except msgspec.ValidationError as error:
        raise Malformed(f"paytable {place}: {error}") from None


def _case(book: Rulebook, table: Paytable, place: int | str) -> Case:
    """The case of a paytable that replaces the rulebook's own for its group."""
    like = next((case for case in cases_of(book) if case.table.group == table.group), None)
    if like is None:
        groups = dict.fromkeys(printed.group for printed in book.paytables.paytable)
        raise Malformed(f"paytable {place}: {book.id} has no {table.group!r}: {', '.join(groups)}")
    wager = next(wager for wager in book.wagers.wager if wager.paytables == table.group)
    _check_shape(book, table, place)
    known = _hands(table.evaluator or wager.evaluator, table)
    hands = [line.hand for line in table.line]
    for line in table.line:
        if hands.count(line.hand) > 1:
            raise Malformed(f"paytable {place}: {line.hand} appears twice")
        try:
            pay = parse_pay(line.pays)
        except MoneyError as error:
            raise Malformed(f"paytable {place}, {line.hand}: {error}") from None
        if line.hand not in known:
            raise Malformed(f"paytable {place}: {line.hand!r} is not a hand of this wager: {', '.join(known)}")
        if table.group == BASE and not isinstance(pay, To | Push):
            raise Malformed(f"paytable {place}, {line.hand}: a main bet pays n to 1 or Push, not {pay}")
        if line.hand == "win" and pay != To(1):
            raise Malformed(f"paytable {place}: a hand that beats the dealer's pays 1 to 1; nothing else is priced")
    if not table.line:
        raise Malformed(f"paytable {place}: it has no lines")
    if not table.stakes and like.table.stakes:
        table = replace(table, stakes=like.table.stakes[:1])
    main = table if table.group == BASE else tables_of(book, BASE)[0]
    stake = parse_dollars(table.stakes[0]) if table.stakes else stakes_of(like.table)[0]
    if stake <= 0:
        raise Malformed(f"paytable {place}: a stake must be more than 0.00")
    return replace(like, table=table, main=main, stake=stake, envy=False)


def _check_shape(book: Rulebook, table: Paytable, place: int | str) -> None:
    """Evaluator, cards and players may only be those that the document uses for this group."""
    if not re.fullmatch(r"[\w .,:+-]{1,40}", table.id):
        raise Malformed(f"paytable {place}: an id has up to 40 letters, digits, spaces and . , : + -")
    group = tables_of(book, table.group)
    if table.evaluator not in {None, *(printed.evaluator for printed in group)} or table.cards not in {
        None,
        *(printed.cards for printed in group),
    }:
        raise Malformed(f"paytable {place}: {book.id} does not judge {table.group} by {table.evaluator or table.cards}")
    players = {printed.players for printed in group}
    if table.players not in players:
        known = ", ".join(map(str, sorted(number for number in players if number))) or "none"
        raise Malformed(f"paytable {place}: players: {known}")


def _hands(evaluator: Evaluator, table: Paytable) -> list[HandName]:
    """The hands that a line may name; of the highest hand at a table only its category is counted."""
    known = list(HANDS[evaluator])
    return [hand for hand in known if not hand.startswith("pair_")] if table.players else known
