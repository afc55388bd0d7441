"""Secrets on the pages: typed unseen, pasted at will, kept by no script; and a way out in sight of everybody."""

import re
from pathlib import Path
from typing import Final

from croupier.house import DEMO_ACCOUNTS
from support.browser import HouseForBrowsers, browse

WEB: Final = Path(__file__).parents[2] / "src/croupier/web"
SOURCES: Final = sorted((*WEB.glob("templates/**/*.html"), *WEB.glob("static/js/**/*.js")))
KEEPING: Final = re.compile(r"localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\b|serviceWorker")
KEPT: Final = re.compile(r"localStorage\.(?:getItem|setItem)\(\"sound\"")
"""What is kept in the browser: whether its owner wants to hear chips."""


def test_passwords_are_typed_unseen_with_help_of_a_password_manager(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        stranger, ann = await house.browser(), await house.browser("ann")
        pages = [await stranger.see("/sign-in"), await ann.see("/account")]
        account = pages[1].going_to("/account/second-factor")
        assert account is not None
        pages.append(await ann.send(account))
        fields = [given for page in pages for tag, given in page.tags if tag == "input"]
        secret = [given for given in fields if given.get("name") in {"password", "old"} and given.get("id")]
        assert len(secret) == 7
        assert {given["type"] for given in secret} == {"password"}
        assert {given["autocomplete"] for given in secret} == {"current-password", "new-password"}
        assert all(int(given["maxlength"]) >= 200 for given in secret)

    browse(tmp_path, visit)


def test_nothing_keeps_anybody_from_pasting() -> None:
    listening = re.compile(r"[\"'](?:paste|beforeinput)[\"']|\bonpaste\b")
    assert [path for path in SOURCES if listening.search(path.read_text("utf-8"))] == []


def test_scripts_keep_nothing_but_whether_there_is_sound() -> None:
    assert len(SOURCES) > 70
    for path in SOURCES:
        text = path.read_text("utf-8")
        assert len(KEEPING.findall(text)) == len(KEPT.findall(text)), path


def test_everybody_who_is_signed_in_sees_the_way_out(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        for name, _ in DEMO_ACCOUNTS:
            browser = await house.browser(name)
            lobby = await browser.see("/")
            pages = {link for link in lobby.links if re.fullmatch(r"/[a-z-]*", link)}
            assert len(pages) > 3
            for path in pages:
                page = await browser.see(path)
                assert page.going_to("/sign-out") is not None, (name, path)

    browse(tmp_path, visit)
