"""The sign above a table: everything that the printed sign says, and the meters."""

import asyncio
from pathlib import Path

from croupier.documents import Particulars, sign_of
from croupier.web.signs import fit
from support.browser import HouseForBrowsers, demo_house


def test_a_sign_says_what_the_printed_one_says(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        for name, plan in house.desk.hall.plans.items():
            page = await browser.see(f"/tables/{name}/sign")
            assert page.status == 200
            assert page.unbalanced == []
            assert page.links == [], "nowhere to go"
            posted = sign_of(plan.rules, Particulars())
            text = " ".join(page.text.split())
            for panel in posted.panels:
                assert panel.title in text
                assert all(cell in text for row in panel.rows for cell in row)
            assert all(notice.text in text for notice in posted.notices)
            meters = house.desk.table(name).table.progressive.meters
            assert page.html.count('class="meter"') == len(meters)
            part = await browser.see(f"/tables/{name}/sign/meters?again=1")
            assert "<html" not in part.html
            assert part.html.count('class="meter"') == len(meters)
            wide, tall = fit(posted, wide=True), fit(posted, wide=False)
            assert wide.columns >= tall.columns
            assert wide.size > 1, "it fits with room to spare"
        assert (await browser.see("/tables/none/sign")).status == 404

    async def run() -> None:
        async with demo_house(tmp_path) as house:
            await visit(house)

    asyncio.run(run())
