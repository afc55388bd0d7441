"""Pictures of every page and state: `make screens`.

The rows of tools/screens.toml say what; each is taken on three screens, by day and by night, into build/screens/, with
an index.html that shows them side by side. Pages of the bar that are in no row are taken as well, for the first role
that has them. `--only lobby` takes the rows whose name begins so (and still does the steps of those before it, whose
house they share). `--rehearse` does all steps and takes no picture: whether every row still leads where it should.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from playwright.sync_api import Browser, Page, Response, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from croupier.house import DEMO_ACCOUNTS, DEMO_PASSWORD

ROOT: Final = Path(__file__).parents[1]
ROWS: Final = ROOT / "tools/screens.toml"
PICTURES: Final = ROOT / "build/screens"
SCREENS: Final = {"wide": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}
THEMES: Final = ("light", "dark")
PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
NAMES: Final = {role: name for name, role in reversed(DEMO_ACCOUNTS)} | {name: name for name, _ in DEMO_ACCOUNTS}
PATIENCE: Final = 60_000  # a simulation on a busy machine
SHEET: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
body{font:14px system-ui;margin:24px;background:#888;color:#111}h2{margin:28px 0 8px}
.row{display:flex;gap:10px;align-items:flex-start;overflow-x:auto}
figure{margin:0}img{display:block;max-height:900px;object-fit:cover;object-position:top;box-shadow:0 1px 6px #0008}
.wide{width:520px}.tablet{width:300px}.phone{width:170px}figcaption{font-size:12px;padding:4px 0}
</style><h1>Screens</h1>"""


class Screen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture to be taken."""

    name: str
    path: str
    role: str = ""
    steps: tuple[tuple[str | int, ...], ...] = ()
    scroll: str = ""
    empty: bool = False


def rows() -> list[Screen]:
    return msgspec.convert(tomllib.loads(ROWS.read_text())["screen"], list[Screen])


@contextmanager
def house(port: int, *, empty: bool = False) -> Iterator[tuple[str, Path | None]]:
    """A house of its own, as `croupier serve` opens it: a demo without patrons, or one with nothing in it yet."""
    with tempfile.TemporaryDirectory(prefix="croupier-screens-") as folder:
        command = [sys.executable, "-m", "croupier", "serve", *([] if empty else ["--demo", "--no-patrons"])]
        process = subprocess.Popen(  # noqa: S603 - our own
            [*command, "--store", f"{folder}/house.db", "--port", str(port)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"NO_COLOR": "1"},
        )
        try:
            for line in process.stdout or ():
                if opened := re.search(r"The house is open: (http://\S+)", line):
                    yield opened[1], Path(folder) / "house.db"
                    return
            sys.exit("croupier: the house did not open")
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)


class People:
    """The pages of everybody who takes part, each signed in once."""

    def __init__(self, browser: Browser, url: str, store: Path | None, problems: list[str]) -> None:
        self._browser, self._url = browser, url
        self._pages: dict[str, Page] = {}
        self.store, self.problems = store, problems

    def page(self, role: str) -> Page:
        """The page of somebody; of a stranger, if there is no role."""
        if role not in self._pages:
            self._pages[role] = self._opened(role)
        return self._pages[role]

    def _answered(self, answer: Response) -> None:
        if answer.status >= 500:
            self.problems.append(f"{answer.url} answered {answer.status}")

    def _opened(self, role: str) -> Page:
        wide = dict(zip(("width", "height"), SCREENS["wide"], strict=True))
        settings: dict[str, Any] = {"viewport": wide, "reduced_motion": "reduce", "color_scheme": "dark"}
        context = self._browser.new_context(base_url=self._url, **settings)
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        context.on("response", self._answered)
        page = context.new_page()
        if role:
            page.goto("/sign-in")
            page.fill("#name", NAMES[role])
            page.fill("#password", DEMO_PASSWORD)
            page.press("#password", "Enter")
            page.wait_for_selector("header .who >> text=" + NAMES[role])
        return page


def do(people: People, page: Page, step: tuple[str | int, ...]) -> None:
    match step:
        case ("goto", str(path)):
            page.goto(path)
        case ("click", str(selector)):
            page.click(selector)
        case ("click?", str(selector)):
            for _ in range(50):
                if not page.locator(selector).count():
                    return
                page.locator(selector).first.click()
                page.wait_for_timeout(400)  # what it leads to is put into the page that is open
        case ("fill", str(selector), text):
            page.fill(selector, str(text))
        case ("select", str(selector), value):
            page.select_option(selector, str(value))
        case ("press", str(key)):
            page.keyboard.press(key)
        case ("wait", str(selector)):
            page.wait_for_selector(selector)
        case ("pause", int(milliseconds)):
            page.wait_for_timeout(milliseconds)
        case ("type", str(text)):
            page.keyboard.type(text)
        case ("led", str(words), str(typed)):
            _led(page, words, dict(parse_qsl(typed)))
        case ("lost",):  # as when the server goes away: an open socket is not closed by taking the network away
            page.evaluate("() => document.dispatchEvent(new Event('htmx:ws:close'))")
        case ("unchecked",):  # so that the house refuses, and not the browser, also after the page was brought anew
            page.evaluate(
                "() => document.addEventListener('click', "
                "() => { for (const form of document.forms) form.noValidate = true; }, true)"
            )
        case ("alter", str(stream)):
            _altered(people, stream)
        case _:
            people.problems.append(f"{step} is not a step: see the head of {ROWS.name}")


def _led(page: Page, words: str, typed: dict[str, str]) -> None:
    """Do what a dealer's page asks for: fill in what it needs, and confirm it."""
    page.wait_for_selector(f"#ask h1:has-text({json.dumps(words)})")
    for name, value in typed.items():
        field = page.locator(f"#task [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    before = page.locator("#live").get_attribute("data-version")
    page.click("#confirm")
    page.wait_for_selector(f"#live:not([data-version={json.dumps(before)}])")


def _altered(people: People, stream: str) -> None:
    """Make the first bet of a table ten times as high, in the record itself: what an audit finds."""
    if people.store is None:
        people.problems.append("a record can only be altered in a house that was opened for this")
        return
    with closing(sqlite3.connect(people.store)) as store, store:
        where = "stream = ? and seq = (select min(seq) from event where stream = ? and name = 'wager_placed/1')"
        (line,) = store.execute(f"select line from event where {where}", (stream, stream)).fetchone()  # noqa: S608
        altered = bytes(line).replace(b',"instrument"', b'0,"instrument"')
        store.execute(f"update event set line = ? where {where}", (altered, stream, stream))  # noqa: S608


def take(people: People, screen: Screen, *, pictures: bool) -> None:
    """Do the steps of a row, and take its six pictures; what goes wrong is told at the end."""
    try:
        _taken(people, screen, pictures=pictures)
    except PlaywrightError as problem:
        people.problems.append(f"{screen.name}: {str(problem).splitlines()[0]}")


def _taken(people: People, screen: Screen, *, pictures: bool) -> None:
    page = acting = people.page(screen.role)
    page.goto(screen.path)
    for step in screen.steps:
        if step[0] == "as":
            acting = people.page(str(step[1]))
        elif step[0] == "back":
            acting = page
        else:
            do(people, acting, step)
    if not pictures:
        return
    for size, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme="light" if theme == "light" else "dark")
            if screen.scroll:
                page.locator(screen.scroll).first.scroll_into_view_if_needed()
            else:
                page.evaluate("() => window.scrollTo(0, 0)")
            page.wait_for_timeout(60)
            page.screenshot(path=PICTURES / f"{screen.name}-{size}-{theme}.png", full_page=not screen.scroll)
        over = page.evaluate("() => document.scrollingElement.scrollWidth") - width
        if over > 0:
            people.problems.append(f"{screen.name} on a {size} screen: {over} px too wide")
    width, height = SCREENS["wide"]
    page.set_viewport_size({"width": width, "height": height})


def rows_of_the_bar(people: People, known: set[str]) -> Iterator[Screen]:
    """Every page of somebody's bar that is in no row."""
    for role in ("", *dict(DEMO_ACCOUNTS).values()):
        page = people.page(role)
        page.goto("/")
        links = page.locator("header.bar nav a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        for path in map(str, links):
            if path not in known:
                known.add(path)
                yield Screen(name=f"bar{path.replace('/', '-')}", path=path, role=role)


def contact_sheet(names: list[str]) -> None:
    """All pictures that there are, side by side."""
    parts = [SHEET]
    for name in names:
        parts.append(f"<h2>{html.escape(name)}</h2><div class=row>")
        for size in SCREENS:
            for theme in THEMES:
                file = f"{name}-{size}-{theme}.png"
                if (PICTURES / file).exists():
                    shown = f"<img class={size} src={file} alt=''><figcaption>{size}, {theme}</figcaption>"
                    parts.append(f"<figure><a href={file}>{shown}</a></figure>")
        parts.append("</div>")
    (PICTURES / "index.html").write_text("\n".join(parts))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="", help="rows whose name begins so")
    arguments.add_argument("--rehearse", action="store_true", help="do the steps, and take no picture")
    arguments.add_argument("--port", type=int, default=8119, help="for the demo that is opened for this")
    arguments.add_argument("--url", default="", help="a demo that runs already, with the demo's passwords")
    given = arguments.parse_args()
    program = os.environ.get("CROUPIER_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit("croupier: pictures need Chromium: install it, or name it in CROUPIER_CHROMIUM")
    wanted = rows()
    last = max((number for number, row in enumerate(wanted) if row.name.startswith(given.only)), default=-1)
    PICTURES.mkdir(parents=True, exist_ok=True)
    problems: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        with nullcontext((given.url, None)) if given.url else house(given.port) as (url, store):
            people = People(browser, url, store, problems)
            for row in wanted[: last + 1]:
                if not row.empty:
                    take(people, row, pictures=row.name.startswith(given.only) and not given.rehearse)
            if "bar".startswith(given.only):
                for row in rows_of_the_bar(people, {row.path for row in wanted}):
                    take(people, row, pictures=not given.rehearse)
                    wanted.append(row)
        if any(row.empty and row.name.startswith(given.only) for row in wanted):
            with house(given.port, empty=True) as (url, store):
                people = People(browser, url, store, problems)
                for row in wanted:
                    if row.empty:
                        take(people, row, pictures=not given.rehearse)
        browser.close()
    for words in problems:
        print(f"croupier: {words}", file=sys.stderr)
    if not given.rehearse:
        contact_sheet([row.name for row in wanted])
        print(f"open {PICTURES.relative_to(ROOT)}/index.html")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
