"""Meters for everybody: exact figures of today, the same as the analysis gives at the meters of this moment."""

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.analysis import cached_prices, cases_of_house, long_run_of
from croupier.documents import ProgressiveOutlook, outlook_of, read_outlook
from croupier.money import Cents
from croupier.rulebook import check, read_submission
from croupier.table import view
from croupier.web.outlooks import Outlooks, look_elsewhere
from support.browser import HouseForBrowsers, demo_house

STUD: Final = {
    "major": {"initial": "5000.00", "reset": "1000.00", "rate": "0.12"},
    "minor": {"initial": "250.00", "reset": "250.00", "rate": "0.05"},
}
RIDE: Final = {"main": {"initial": "1000.00", "reset": "1000.00", "rate": "0.10"}}
WAGERS: Final[dict[str, dict[str, Any]]] = {
    "md-mississippi-stud": {"progressive": {"paytable": "B", "stake": "1.00", "meters": STUD}},
    "md-let-it-ride": {
        "base": {"paytable": "A"},
        "progressive": {"paytable": "A", "stake": "1.00", "meters": RIDE},
    },
}


@pytest.mark.parametrize("book", WAGERS)
def test_today_is_what_the_analysis_says_at_these_meters(book: str) -> None:
    house = check(read_submission({"rulebook": book, "wagers": WAGERS[book]})).rules()
    outlook = outlook_of(house)
    assert outlook is not None
    shown = {meter.name: Cents(1_234_567 + 100_000 * place) for place, meter in enumerate(outlook.meters)}
    case = next(case for case in cases_of_house(house, meters=shown) if case.wager == outlook.wager)
    record = cached_prices(case)[0]
    assert outlook.returned(shown) == 1 - record.edge
    assert outlook.long_run == long_run_of(house).returned
    for price in record.meters:
        even = outlook.break_even(price.name, shown)
        assert even is not None
        assert even == price.break_even * 100
        assert outlook.returned({**shown, price.name: Cents(int(even) + 1)}) > 1 > outlook.returned(shown)
        whole = next(meter.whole for meter in outlook.meters if meter.name == price.name)
        players, rounds = outlook.paces[-1]
        assert whole is not None
        assert outlook.hours_between(price.name) == Fraction(1, players * rounds) / whole


def test_a_house_without_a_progressive_has_no_outlook() -> None:
    assert outlook_of(check(read_submission({"rulebook": "md-mississippi-stud"})).rules()) is None


def fake(texts: list[str]) -> list[ProgressiveOutlook | None]:
    line = (
        '{"wager":"progressive","paytable":"A","stake":100,"link":"","fixed":"2/5","long_run":"1/2","reserve":"0",'
        '"paces":[[1,80],[6,40]],"meters":[{"name":"main","initial":1000000,"reset":1000000,"rate":100000,'
        '"coefficient":"1/100000","adapted":null,"whole":"1/649740","mean":"4000000","owed":[{"chance":"1/2","wagers":450000,"most":"5500000"}]}]}'
    )
    return [read_outlook(line) for _ in texts]


def test_everybody_sees_what_the_meters_return(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.web.meters.Outlooks", lambda: Outlooks(fake))

    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        page = await browser.see("/meters")
        while "being computed" in page.text:
            await asyncio.sleep(0.02)
            page = await browser.see("/meters")
        assert page.text.count("Return today") == 5, "four progressives, and how to read it"
        shown = dict(view(house.desk.table("1").table).meters)
        today = Fraction(2, 5) + Fraction(shown["main"], 100_000) / 100
        assert f"exactly {today}" in page.text
        assert "once in 649,740 wagers" in page.text
        part = await browser.see("/meters/live?again=1")
        assert "<html" not in part.html
        assert f"exactly {today}" in part.text
        assert part.html.count("popovertarget") == part.html.count(" popover>")

    async def run() -> None:
        async with demo_house(tmp_path) as house:
            await visit(house)

    asyncio.run(run())


def test_outlooks_come_from_a_process_of_their_own() -> None:
    text = '{"rulebook": "md-mississippi-stud"}'
    assert list(look_elsewhere([text, "not a submission"])) == [None, None]
