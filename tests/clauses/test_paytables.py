"""Every paytable figure against the figures that a script drew out of the documents' text.

`tests/data/figures.json` holds those figures as drawn, never retyped; the regulations were written from the
clause lists. Both must say the same in every cell.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from croupier.rulebook import load_rulebook, rulebook_ids

FIGURES = json.loads((Path(__file__).parents[1] / "data/figures.json").read_text())
REPEATED = {str(number): f"3CS-0{number}" for number in range(1, 7)} | {"12(f)": "standard"}
"""Massachusetts prints some paytables twice; the second printing must agree with the first."""

Cell = tuple[object, ...]


def drawn(rulebook: str) -> dict[Cell, set[str]]:
    """The document's cells; a set, because a cell may be printed twice."""
    cells: dict[Cell, set[str]] = {}
    for figure in FIGURES:
        if figure["rulebook"] != rulebook:
            continue
        paytable = REPEATED.get(figure["paytable"], figure["paytable"])
        match figure["kind"]:
            case "pay":
                cell: Cell = ("pay", figure["wager"], paytable, figure.get("players"), figure["hand"])
            case "envy":
                cell = ("envy", paytable, figure["stake"], figure["hand"])
            case _:
                cell = ("minimum", paytable, figure["meter"])
        cells.setdefault(cell, set()).add(figure.get("pays") or figure["amount"])
    return cells


def ours(rulebook: str) -> Iterator[tuple[Cell, str, tuple[str, ...]]]:
    """Our cells, with the clauses that each cites."""
    paytables = load_rulebook(rulebook).paytables
    for table in paytables.paytable:
        for line in table.line:
            cell: Cell = ("pay", table.group, table.id, table.players, line.hand)
            yield cell, line.pays, (table.clause, *table.also)
    for envy in paytables.envy:
        for line in envy.line:
            yield ("envy", envy.paytable, envy.stake, line.hand), line.pays, (envy.clause,)
    for minimum in paytables.minimum:
        if minimum.amount is not None:
            yield ("minimum", minimum.paytable, minimum.meter), minimum.amount, (minimum.clause,)


def test_545_figures_were_drawn() -> None:
    assert len(FIGURES) == 545


def by_clause() -> list[ParameterSet]:
    """One case for each clause that prints figures."""
    cases: list[ParameterSet] = []
    for rulebook in rulebook_ids():
        clauses = dict.fromkeys(clause for _, _, cited in ours(rulebook) for clause in cited)
        cases += [
            pytest.param(rulebook, clause, marks=pytest.mark.clause(f"{rulebook} {clause}"), id=f"{rulebook} {clause}")
            for clause in clauses
        ]
    return cases


@pytest.mark.parametrize(("rulebook", "clause"), by_clause())
def test_figures_as_printed(rulebook: str, clause: str) -> None:
    printed = drawn(rulebook)
    cells = {cell: pays for cell, pays, cited in ours(rulebook) if clause in cited}
    assert cells
    assert {cell: {pays} for cell, pays in cells.items()} == {cell: printed.get(cell) for cell in cells}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_printed_figure_is_missing(rulebook: str) -> None:
    assert set(drawn(rulebook)) == {cell for cell, _, _ in ours(rulebook)}
