"""Every paytable of every rulebook, cell by cell: report and workbook have the exact price."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from croupier.analysis import cached_prices, cases_of_house, present
from croupier.documents.math import figures as math_figures
from croupier.documents.math.figures import figures_of
from croupier.documents.math.report import math_report
from croupier.documents.math.simulation import MathSimulation
from croupier.documents.math.workbook import write_workbook
from croupier.rulebook import HouseRules
from support.math_papers import PARTICULARS, compare, houses, tables
from support.sheet_formulas import Calculator, differences


def test_the_houses_offer_every_paytable() -> None:
    made = houses().values()
    offered = {
        (house.rulebook.id, table.group, table.id, table.players)
        for house in made
        for wager in house.wagers
        for table in wager.paytables
    }
    assert offered == {
        (house.rulebook.id, table.group, table.id, table.players)
        for house in made
        for table in house.rulebook.paytables.paytable
    }


@pytest.fixture
def no_simulation(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is the same whatever is offered, and takes longer than all the rest; `test_math_report` has it."""
    nothing = MathSimulation(rounds=1, seed=0, strategy="", stakes=(), key="", wagers=(), meters=(), lines=())
    monkeypatch.setattr(math_figures, "simulate_house", lambda _: nothing)
    figures_of.cache_clear()
    yield
    figures_of.cache_clear()


@pytest.mark.usefixtures("no_simulation")
@pytest.mark.parametrize("name", houses())
def test_report_and_workbook_have_the_exact_price_of_every_wager(name: str) -> None:
    """`present` is what `croupier analyze --json` prints; `test_math_report` runs the command itself."""
    house = houses()[name]
    records = [record for case in cases_of_house(house) for record in cached_prices(case)]
    paper, workbook = math_report(house, PARTICULARS), Calculator(write_workbook(house, PARTICULARS))
    for made in tables(paper):
        assert {len(row) for row in (made.head, *made.rows)} == {len(made.align)}
        assert len(made.widths) in {0, len(made.align)}
    for wager, record in zip(figures_of(house).wagers, records, strict=True):
        compare(paper, wager.title, present(record))
    assert differences(workbook) == []
    compare_summary(workbook, house)


def compare_summary(workbook: Calculator, house: HouseRules) -> None:
    """The figures on the first sheet, calculated from the counts, with the fractions themselves."""
    for row, wager in enumerate(figures_of(house).wagers, 5):
        record = wager.record
        exact: dict[str, Fraction | float | None] = {
            "D": record.edge,
            "E": 1 - record.edge,
            "F": record.hit,
            "G": record.outcomes.standard_deviation,
            "I": record.average_wager,
            "J": record.element_of_risk,
        }
        assert workbook.value("Summary", f"A{row}") == wager.title
        for column, value in exact.items():
            calculated = workbook.value("Summary", f"{column}{row}")
            assert (calculated is None) == (value is None)
            assert value is None or calculated == pytest.approx(float(value), rel=1e-11)
