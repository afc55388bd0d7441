"""Every page of the bar, for everybody: on every screen, by day and by night, for whoever cannot see well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Page

from croupier.house import DEMO_ACCOUNTS
from croupier.ledger import HouseRole
from croupier.rulebook import rulebook_ids
from support import slices
from support.pages_house import PagesHouse

Theme: TypeAlias = Literal["light", "dark"]
WIDTHS: Final = {"wide": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
ROLES: Final = tuple(dict.fromkeys(role for _, role in DEMO_ACCOUNTS))
ALIKE: Final = {"supervisor", "pit_manager", "shift_manager"}
"""They have the pages of a floorperson."""
VIEWS: Final = tuple((screen, theme) for screen in WIDTHS for theme in THEMES)
SLICE: Final[tuple[tuple[str, Theme | None], ...]] = (("wide", "light"), ("tablet", None), ("phone", "dark"))
"""Colors change no width: each screen once is enough for most runs."""
JUDGED: Final[set[tuple[str, str | None]]] = set()
"""Pages that axe has looked at, by day and at night."""
EVERYWHERE: Final = ("/", "/sign-in", "/account", "/no/such/page")
"""Pages that are not in everybody's bar."""
OVERFLOWING: Final = """() => {
    const width = document.documentElement.clientWidth;
    const wide = [...document.querySelectorAll("body *")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > width + 1;
    });
    return wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 160));
}"""
"""The first elements that reach beyond the screen, for whoever has to find them."""


def look(page: Page, screen: str, theme: Theme | None) -> None:
    width, height = WIDTHS[screen]
    page.set_viewport_size({"width": width, "height": height})
    if theme is not None:
        page.emulate_media(color_scheme=theme)


def problems_of(page: Page, screen: str, check_axe: Callable[[Page], None] | None) -> list[str]:
    """What is wider than the screen, and what axe finds."""
    problems = []
    width = page.evaluate("() => document.scrollingElement.scrollWidth")
    if width > WIDTHS[screen][0]:
        problems.append(f"{page.url} is {width} px wide on a {screen} screen: {page.evaluate(OVERFLOWING)}")
    if check_axe is not None:
        try:
            check_axe(page)
        except AssertionError as found:
            problems.append(str(found))
    return problems


def pages_of_the_bar(page: Page) -> list[str]:
    links = page.locator("header.bar nav a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return list(dict.fromkeys(str(link) for link in links))


@pytest.mark.parametrize(
    "role",
    [None, *(pytest.param(role, marks=pytest.mark.torture) if role in ALIKE else role for role in ROLES)],
)
def test_every_page_of_the_bar(
    role: HouseRole | None,
    house: PagesHouse,
    page: Page,
    check_axe: Callable[[Page], None],
    expect_problem: Callable[[Page, str], None],
) -> None:
    """On every screen; axe judges each page by day and at night once, in `make torture` every view of everybody."""
    expect_problem(page, r"status of 40[14].*/(account|no/such/page)\)")
    if role is not None:
        house.sign_in(page, role, path=None)
    page.goto("/")
    listed = pages_of_the_bar(page)
    assert "/" in listed
    others = EVERYWHERE if role in {None, "player"} else ()
    problems: list[str] = []
    for path in dict.fromkeys([*listed, *others]):
        answer = page.goto(path)
        status = 0 if answer is None else answer.status
        if (path in listed and status != 200) or page.locator("h1").count() != 1:
            problems.append(f"{path} answers {status} and has {page.locator('h1').count()} titles")
        for screen, theme in VIEWS if slices.in_full() else SLICE:
            look(page, screen, theme)
            judges = slices.in_full() or (theme is not None and (path, theme) not in JUDGED)
            JUDGED.add((path, theme))
            problems += problems_of(page, screen, check_axe if judges else None)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("role", [None, "player", "floorperson"])
def test_every_table(role: str | None, house: PagesHouse, page: Page, check_axe: Callable[[Page], None]) -> None:
    """Every table that the lobby leads to, on every screen; axe judges each by day or at night."""
    if role is not None:
        house.sign_in(page, role, path=None)
    page.goto("/")
    links = page.locator("main a[href^='/tables/']").evaluate_all("links => links.map(link => link.pathname)")
    paths = sorted({str(link) for link in links if str(link).count("/") == 2})
    assert len(paths) > len(rulebook_ids())
    problems: list[str] = []
    for number, path in enumerate(paths):
        answer = page.goto(path)
        if answer is None or answer.status != 200:
            problems.append(f"{path} is not there")
        for screen, theme in VIEWS if slices.in_full() else SLICE:
            look(page, screen, theme)
            turn = theme is not None and role is None and (theme == "light") == (number % 2 == 0)
            problems += problems_of(page, screen, check_axe if slices.in_full() or turn else None)
    assert not problems, "\n".join(problems)
