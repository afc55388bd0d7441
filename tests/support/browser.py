"""A browser without scripts: pages, the forms on them, and what they send; and a house to browse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import httpx

from croupier.house import DEMO_PASSWORD, House, Passwords, People, Tokens, demo
from croupier.server import Desk, Doors, Hall, Passing, now
from croupier.server.app import open_to
from croupier.server.pace import Pace
from croupier.store import Cage, open_store
from support.lent_routes import lent_routes

HOUSE: Final = "http://house.test"
_VOID: Final = {"input", "br", "meta", "link", "img", "hr"}


class Form:
    """A form: where it goes, what it sends, and its buttons."""

    def __init__(self, action: str, method: str) -> None:
        self.action, self.method = action, method
        self.fields: dict[str, str] = {}
        self.inputs: dict[str, dict[str, str]] = {}
        self.choices: dict[str, list[str]] = {}
        self.buttons: list[tuple[str, str]] = []

    @property
    def do(self) -> str:
        """The command that it gives."""
        return self.fields.get("do", "")


class ThePage(HTMLParser):
    """A page as a browser without scripts reads it."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.status, self.html, self.headers = answer.status_code, answer.text, answer.headers
        self.path = answer.url.path
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.text = ""
        self.refresh = False
        self.ids: list[str] = []
        self.labels: set[str] = set()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self._open: list[str] = []
        self._select = ""
        self.unbalanced: list[str] = []
        self.feed(answer.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        if tag not in _VOID:
            self._open.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        form = self.forms[-1] if self.forms and "form" in self._open else None
        match tag:
            case "form":
                self.forms.append(Form(given["action"], given.get("method", "get")))
            case "a":
                self.links.append(given["href"])
            case "meta" if given.get("http-equiv") == "refresh":
                self.refresh = True
            case "label":
                self.labels.add(given.get("for", ""))
            case "input" if form is not None and given.get("type") != "checkbox":
                form.fields[given["name"]] = given.get("value", "")
                form.inputs[given["name"]] = given
            case "select" if form is not None:
                self._select = given["name"]
                form.inputs[given["name"]] = given
            case "option" if form is not None and self._select:
                form.choices.setdefault(self._select, []).append(given["value"])
                if self._select not in form.fields or "selected" in given:
                    form.fields[self._select] = given["value"]
            case "button" if form is not None and "disabled" not in given:
                form.buttons.append((given.get("name", ""), given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data

    def offering(self, do: str) -> Form | None:
        """The form for a command, if there is one."""
        return next((form for form in self.forms if form.do == do), None)

    def going_to(self, ending: str) -> Form | None:
        """The form that goes to an address, if there is one, with or without the place on its page."""
        ends = [(form, form.action.partition("#")[0]) for form in self.forms]
        return next((form for form, bare in ends if form.action.endswith(ending) or bare.endswith(ending)), None)


class Browser:
    """Somebody who looks at pages and sends forms."""

    def __init__(self, app: Any) -> None:  # noqa: ANN401 - an application
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(
            transport=transport, base_url=HOUSE, headers={"accept": "text/html"}, follow_redirects=True
        )

    async def see(self, path: str) -> ThePage:
        """A page."""
        return ThePage(await self.http.get(path))

    async def send(
        self, form: Form, typed: dict[str, str] | None = None, *, button: tuple[str, str] | None = None, **values: str
    ) -> ThePage:
        """What a form leads to."""
        fields = form.fields | dict([button] if button and button[0] else []) | (typed or {}) | values
        return ThePage(await self.http.post(form.action, data=fields, headers={"origin": HOUSE}))

    async def sign_in(self, name: str, password: str = DEMO_PASSWORD) -> ThePage:
        """Sign in with the page for it."""
        form = (await self.see("/sign-in")).going_to("/sign-in")
        assert form is not None
        return await self.send(form, name=name, password=password)


class HouseForBrowsers:
    """A demo, and people who browse it."""

    def __init__(self, desk: Desk, app: Any) -> None:  # noqa: ANN401 - an application
        self.desk, self.app = desk, app
        self._browsers: list[Browser] = []

    async def browser(self, name: str = "") -> Browser:
        """Somebody new, signed in if there is a name."""
        browser = Browser(self.app)
        self._browsers.append(browser)
        if name:
            page = await browser.sign_in(name)
            assert page.status == 200, page.text
        return browser

    async def close(self) -> None:
        """Everybody leaves."""
        for browser in self._browsers:
            await browser.http.aclose()


@asynccontextmanager
async def demo_house(folder: Path) -> AsyncIterator[HouseForBrowsers]:
    """A demo with cheap passwords and quick tables, each of which is said to have the same edge."""
    async with AsyncExitStack() as closing:
        routes = closing.enter_context(lent_routes(with_pages=True))
        store = await open_store(str(folder / "house.db"))
        closing.push_async_callback(store.close)
        people = People(House(store), Passwords(time_cost=1, memory_kib=64))
        accounts = await demo(people, now(), well_known=True)
        doors = Doors(people, Tokens(people.house), demo=accounts, alone=True)
        await doors.read_names()
        desk = Desk(Hall(store, Cage(store), play_chips=True), doors, Passing(store))
        closing.push_async_callback(desk.stop)
        desk.start()
        await desk.set_up()
        for name, plan in desk.hall.plans.items():
            if plan.automatic:
                desk.hall.live[name].deal(plan.staff, Pace(timedelta(milliseconds=25)))
        house = HouseForBrowsers(desk, open_to(desk, routes))
        closing.push_async_callback(house.close)
        yield house


def browse(folder: Path, visit: Callable[[HouseForBrowsers], Awaitable[None]]) -> None:
    """Visit a demo of one's own."""

    async def run() -> None:
        async with demo_house(folder) as house:
            await visit(house)

    asyncio.run(run())
