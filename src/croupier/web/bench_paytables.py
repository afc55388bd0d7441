"""The paytables of a wager side by side: the chosen one lit, equal cells gray, exact figures in the foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis import BASE, Price, tables_of
from croupier.documents import CaseAsked, chosen_id
from croupier.money import To, parse_pay
from croupier.present import counted, line_words
from croupier.rulebook import Finding, Rulebook, Submission
from croupier.rulebook.schema import Paytable
from croupier.web.posting import Fields

__all__ = ["PayCell", "PaytableBench", "PaytableColumn", "paytables_of", "priced_tables"]

NONE: Final = "–"


class PayCell(Struct, frozen=True):
    """What a line pays on one paytable, and whether it is the same on the chosen one."""

    pays: str
    same: bool


class PaytableColumn(Struct, frozen=True, kw_only=True):
    """One paytable."""

    id: str
    name: str
    """Its id, or for how many players it is."""
    players: int | None
    clause: str
    on: bool
    was: bool
    """Whether the approved version has it."""
    cells: tuple[PayCell, ...]
    price: Price | None = None
    pending: bool = False
    failed: bool = False


class PaytableBench(Struct, frozen=True, kw_only=True):
    """The paytables of a wager."""

    key: str
    wager: str
    hands: tuple[str, ...]
    columns: tuple[PaytableColumn, ...]
    to_one: bool
    """Whether every pay is odds to 1, so that the heading says so once."""
    choice: bool
    """Whether the document leaves a choice."""
    chosen: str
    changed: bool
    was: str | None
    """The paytable of the approved version; None without one, or without the wager."""
    findings: tuple[Finding, ...] = ()


def paytables_of(book: Rulebook, submission: Submission, wager: str, before: Fields | None) -> PaytableBench:
    """The paytables of a wager as a submission chooses among them."""
    group = BASE if wager == BASE else next(row.paytables for row in book.wagers.wager if row.name == wager)
    tables, key = tables_of(book, group), f"wagers.{wager}.paytable"
    ids = list(dict.fromkeys(table.id for table in tables))
    chosen, old = chosen_id(book, submission, wager), None if before is None else before.get(key)
    if wager == BASE and len(ids) == 1 and before is not None:
        old = ids[0]
    hands = _hands(tables)
    to_one = all(isinstance(parse_pay(line.pays), To) for table in tables for line in table.line)
    lit = {table.players: _pays(table, to_one=to_one) for table in tables if table.id == chosen}
    columns = []
    for table in tables:
        pays, other = _pays(table, to_one=to_one), lit.get(table.players, {})
        on = table.id == chosen
        cells = tuple(
            PayCell(pays.get(hand, NONE), not on and bool(lit) and pays.get(hand) == other.get(hand)) for hand in hands
        )
        name = table.id if table.players is None else counted(table.players, "player")
        columns.append(
            PaytableColumn(
                id=table.id,
                name=name,
                players=table.players,
                clause=table.clause,
                on=on and len(ids) > 1,
                was=table.id == old,
                cells=cells,
            )
        )
    return PaytableBench(
        key=key,
        wager=wager,
        hands=tuple(line_words(hand) for hand in hands),
        columns=tuple(columns),
        to_one=to_one,
        choice=len(ids) > 1,
        chosen=chosen or "",
        changed=before is not None and old != chosen and (old is not None or wager in submission.wagers),
        was=old,
    )


def _hands(tables: Sequence[Paytable]) -> list[str]:
    """Every line of some paytable, in one order that agrees with that of each."""
    hands: list[str] = []
    for table in tables:
        at = 0
        for line in table.line:
            if line.hand in hands:
                at = hands.index(line.hand) + 1
            else:
                hands.insert(at, line.hand)
                at += 1
    return hands


def _pays(table: Paytable, *, to_one: bool) -> dict[str, str]:
    return {line.hand: line.pays.removesuffix(" to 1") if to_one else line.pays for line in table.line}


def priced_tables(
    bench: PaytableBench,
    asked: Sequence[CaseAsked],
    known: Mapping[CaseAsked, Price | None],
    failed: AbstractSet[CaseAsked] = frozenset(),
) -> PaytableBench:
    """The same with the prices that are known, and those that could not be computed."""
    by_table = {(case.paytable, case.players): case for case in asked if case.wager == bench.wager}
    columns = []
    for column in bench.columns:
        case = by_table.get((column.id, column.players))
        price = known.get(case) if case is not None else None
        pending = case is not None and case not in known and case not in failed
        columns.append(replace(column, price=price, pending=pending, failed=case in failed))
    return replace(bench, columns=tuple(columns))
