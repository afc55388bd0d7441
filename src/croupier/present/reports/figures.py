"""The figures of a shift or a day, and theo beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from croupier.money import Cents, format_dollars
from croupier.present.amounts import percent
from croupier.present.names import counted, spoken
from croupier.present.reports.shared import MINUS, Names, about, amount, person_words
from croupier.present.sheets import Sheet, sheet

if TYPE_CHECKING:
    from croupier.ledger import Apart, CashFlag, PeriodTheo, TableFigures

__all__ = [
    "cash_json",
    "cash_sheet",
    "figures_json",
    "figures_sheet",
    "notes_on_figures",
    "notes_on_theo",
    "theo_json",
    "theo_sheet",
]

ALL: Final = "all"
_NEVER: Final = 1e-12
_TENTH: Final = 0.1


def figures_sheet(
    figures: Sequence[TableFigures],
    everything: TableFigures,
    theos: Sequence[PeriodTheo],
    theo: PeriodTheo,
    *,
    title: str,
) -> Sheet:
    """A column for each table, and one for all where there are several."""
    columns = [(table.table, table, table_theo) for table, table_theo in zip(figures, theos, strict=True)]
    if len(columns) > 1:
        columns.insert(0, (ALL, everything, theo))
    rows = []
    for name, show in _ROWS.items():
        if name not in _ONLY_IF_ANY or any(getattr(table, _ONLY_IF_ANY[name]) for _, table, _ in columns):
            rows.append((name, *(show(table, table_theo) for _, table, table_theo in columns)))
    return sheet(("", *(name for name, _, _ in columns)), rows, title=title, alike=True)


def _share(share: Fraction | None) -> str:
    return "none" if share is None else percent(share, 2)


_ROWS: Final[dict[str, Any]] = {
    "opening tray": lambda table, _: amount(table.opening),
    "fills": lambda table, _: amount(table.fills),
    "credits": lambda table, _: amount(table.credits),
    "drop": lambda table, _: amount(table.drop),
    "closing tray": lambda table, _: amount(table.closing),
    "WIN": lambda table, _: amount(table.win),
    "handle": lambda table, _: amount(table.handle),
    "stakes returned": lambda table, _: amount(table.returned),
    "paid": lambda table, _: amount(table.paid),
    "handle reversed": lambda table, _: amount(table.handle_reversed),
    "paid reversed": lambda table, _: amount(table.paid_reversed),
    "win by play": lambda table, _: amount(table.win_by_play),
    "stakes in play": lambda table, _: amount(table.in_play),
    "owed by players": lambda table, _: amount(table.owed),
    "difference": lambda table, _: amount(table.difference),
    "hand pays": lambda table, _: amount(table.hand_paid),
    "hand pays reversed": lambda table, _: amount(table.hand_paid_reversed),
    "win after hand pays": lambda table, _: amount(table.win_after_hand_pays),
    "hold % (win ÷ drop)": lambda table, _: _share(table.hold),
    "win ÷ handle": lambda table, _: _share(table.win_of_handle),
    "theo": lambda _, theo: about(theo.cents),
    "actual less theo": lambda _, theo: about(theo.win_with_theo - theo.cents),
    "chips in": lambda table, _: amount(table.chips_in),
    "chips out": lambda table, _: amount(table.chips_out),
    "players hold": lambda table, _: amount(table.held),
    "rounds": lambda table, _: f"{table.rounds:,}",
    "rounds void": lambda table, _: f"{table.rounds_void:,}",
}
_ONLY_IF_ANY: Final = {
    "handle reversed": "handle_reversed",
    "paid reversed": "paid_reversed",
    "stakes in play": "in_play",
    "owed by players": "owed",
    "hand pays": "hand_paid",
    "hand pays reversed": "hand_paid_reversed",
    "win after hand pays": "hand_paid",
}
"""Rows that are shown where some table has such an amount."""


def notes_on_figures(figures: Iterable[TableFigures]) -> Iterator[str]:
    """What a reader of the figures should know."""
    for table in figures:
        if table.difference:
            yield (
                f"Table {table.table}: tray and play differ by {amount(table.difference)}, and nothing explains it:"
                " the record is not whole."
            )
        if table.in_play:
            yield (
                f"Table {table.table}: {amount(table.in_play)} of the win are stakes in the tray whose round was"
                " still in play at one end of the period."
            )
        if table.owed:
            yield f"Table {table.table}: players who left owe {amount(table.owed)} more than before."


def theo_sheet(theo: PeriodTheo, *, title: str) -> Sheet:
    """A row for each wager."""
    rows: list[tuple[str, ...]] = []
    for wager in theo.wagers:
        deviation = wager.deviation
        apart = float(wager.win - wager.theo) / deviation if deviation and wager.theo is not None else None
        rows.append(
            (
                wager.rulebook,
                "main game" if wager.wager == "base" else spoken(wager.wager),
                amount(wager.handle),
                about(wager.theo),
                amount(wager.win),
                about(deviation) if deviation is not None else "meter" if wager.long_run else "not exact",
                _deviations(apart) if apart is not None else "",
            )
        )
    if theo.coupons:
        rows.append(("", "match play coupons", "", "", amount(-theo.coupons), "", ""))
    columns = ("rulebook", "wager", "handle", "theo", "win", "std. dev.", "apart")
    return sheet(columns, rows, title=title)


def notes_on_theo(theo: PeriodTheo, *, of: str) -> Iterator[tuple[str, bool]]:
    """Lines about theo, each with whether it is a warning; `of` says of whom."""
    if words := _apart_words(theo.apart, of):
        yield words, theo.apart.is_beyond_chance
    for wager in theo.wagers:
        for why, bets in wager.missing:
            name = "main game" if wager.wager == "base" else spoken(wager.wager)
            yield f"{of}: no exact edge for {counted(bets, 'bet')} on the {name}: {why}. They are not in theo.", False


def _apart_words(apart: Apart, of: str) -> str:
    side = "more" if apart.by > 0 else "less"
    by = about(abs(apart.by))
    if apart.is_beyond_chance:
        return (
            f"{of} won {by} {side} than theo, {abs(apart.least_z):.1f} standard deviations or farther: more than chance"
            f" allows. On a bell curve {_one_in(apart.bell)}; whatever the shape of the results, at most"
            f" {_one_in(apart.most)}."
        )
    if apart.is_unusual:
        return (
            f"{of} won {by} {side} than theo: {abs(apart.z):.1f} standard deviations if bets were independent, but"
            f" {abs(apart.least_z):.1f} if the bets of a round win and lose together. Players share cards, so"
            " chance may explain it."
        )
    return ""


def _one_in(chance: float) -> str:
    return f"1 period in {round(1 / chance):,}" if chance > _NEVER else "less than 1 period in a trillion"


def figures_json(table: TableFigures, theo: PeriodTheo) -> dict[str, Any]:
    """The figures of a table for programs: dollars as text, exact shares as fractions."""
    money = {
        name: format_dollars(Cents(getattr(table, name)))
        for name in (
            "opening", "fills", "credits", "drop", "closing", "win", "chips_in", "chips_out", "handle",
            "handle_reversed", "returned", "paid", "paid_reversed", "win_by_play", "in_play", "owed", "difference",
            "hand_paid", "hand_paid_reversed", "win_after_hand_pays", "held",
        )
    }  # fmt: skip
    shares = {"hold": table.hold, "win_of_handle": table.win_of_handle}
    return {
        "table": table.table or None,
        **money,
        **{name: None if share is None else float(share) for name, share in shares.items()},
        **{f"{name}_exact": None if share is None else str(share) for name, share in shares.items()},
        "rounds": table.rounds,
        "rounds_void": table.rounds_void,
        **theo_json(theo),
    }


def theo_json(theo: PeriodTheo) -> dict[str, Any]:
    """Theo for programs."""
    apart = theo.apart
    return {
        "theo": float(theo.cents / 100),
        "theo_exact": str(theo.cents / 100),
        "win_with_theo": format_dollars(Cents(theo.win_with_theo)),
        "no_exact_edge": list(theo.missing),
        "compared": {
            "win_less_theo_exact": str(apart.by / 100),
            "standard_deviation": apart.deviation / 100,
            "standard_deviation_at_most": apart.widest / 100,
            "z": apart.z,
            "z_at_least": abs(apart.least_z),
            "chance_on_a_bell_curve": apart.bell,
            "chance_at_most": apart.most,
            "beyond_chance": apart.is_beyond_chance,
        },
        "wagers": [
            {
                "rulebook": wager.rulebook,
                "wager": wager.wager,
                "bets": wager.bets,
                "handle": format_dollars(Cents(wager.handle)),
                "win": format_dollars(Cents(wager.win)),
                "theo": None if wager.theo is None else float(wager.theo / 100),
                "theo_exact": None if wager.theo is None else str(wager.theo / 100),
                "standard_deviation": None if wager.deviation is None else wager.deviation / 100,
                "long_run": wager.long_run,
                "no_exact_edge": dict(wager.missing),
            }
            for wager in theo.wagers
        ],
        "coupons": format_dollars(Cents(theo.coupons)),
    }


def cash_sheet(flags: Sequence[CashFlag], names: Names) -> Sheet:
    """Patrons whose cash reached a threshold."""
    rows = [
        (flag.day, person_words(flag.patron, names), flag.threshold.name, amount(flag.amount), f"{flag.times}")
        for flag in flags
    ]
    return sheet(("gaming day", "patron", "flag", "amount", "times"), rows, title="cash to look at")


def cash_json(flag: CashFlag, names: Names) -> dict[str, Any]:
    """A patron whose cash reached a threshold, for programs."""
    return {
        "day": flag.day,
        "patron": flag.patron,
        "name": names.get(flag.patron),
        "flag": flag.threshold.name,
        "applies_to": flag.threshold.applies_to,
        "threshold": format_dollars(flag.threshold.amount),
        "amount": format_dollars(Cents(flag.amount)),
        "times": flag.times,
    }


def _deviations(z: float) -> str:
    return "0.0" if abs(z) < _TENTH / 2 else f"{z:+.1f}".replace("-", MINUS)
