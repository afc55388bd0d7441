"""Pages in a real browser: the system's Chromium, a demo on loopback, and nothing that leaves this machine.

`page` and `phone` fail their test at its end when the console has an error, a script fails, a request fails or goes to
another host. `expect_problem` says beforehand which of these a test brings about on purpose.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from croupier.web.assets import has_scripts
from support.pages_house import PagesHouse

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
AXE: Final = ROOT / "build/axe/axe.min.js"
SHOTS: Final = ROOT / "build/browser"
"""What a page looked like when its test failed."""
PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without its windows: the same pages, with three quarters of the work."""
SERIOUS: Final = {"serious", "critical"}
WIDE: Final = {"width": 1440, "height": 900}
PHONE: Final = {"width": 390, "height": 844}
PATIENCE: Final = 15_000
"""Milliseconds: the machine may be busy with other tests."""
SWITCHED_OFF: Final = """
    AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable
    LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect
    OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch
    WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup
""".split()
"""Playwright's own list, because Chromium hears the last alone; and the suggestions below the address: they are pages,
drawn anew for every window that a test opens, and were more work than most of the pages that are tested."""
WITHOUT_SHADOW: Final = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".felt-svg { filter: none !important; }");
    document.adoptedStyleSheets.push(sheet);
"""
"""The felt casts a soft shadow, which is painted anew with every change of a table: a quarter of the work there,
and nothing that a test looks at."""
_OURS: Final = {"data", "blob", "about"}
_FAILED: Final = pytest.StashKey[bool]()

NewPage: TypeAlias = Callable[..., Page]
CheckAxe: TypeAlias = Callable[[Page], None]
ExpectProblem: TypeAlias = Callable[[Page, str], None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.browser)


def pytest_runtest_setup(item: pytest.Item) -> None:  # noqa: ARG001 - all of this folder
    # Said here, not in a fixture, so that one line says it for all tests.
    if find_chromium() is None:
        pytest.skip("no Chromium here: install it, or name it in CROUPIER_CHROMIUM")
    if not has_scripts():
        pytest.skip("the pages have no scripts here: `make web` builds them")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@cache
def find_chromium() -> str | None:
    """The browser of this machine."""
    candidates = (os.environ.get("CROUPIER_CHROMIUM", ""), *PROGRAMS)
    return next((path for name in candidates if name and (path := shutil.which(name)) and starts(path)), None)


def starts(program: str) -> bool:
    """On some systems there is a name that leads to no browser."""
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


class Watch:
    """Everything that goes wrong in a page."""

    def __init__(self, context: BrowserContext, host: str) -> None:
        self._host = host
        self._expected: list[re.Pattern[str]] = []
        self._problems: list[str] = []
        context.on("console", self._console)
        context.on("weberror", lambda error: self._problems.append(f"script: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("page", lambda page: page.on("websocket", lambda socket: self._goes_to(socket.url)))

    def expect(self, pattern: str) -> None:
        self._expected.append(re.compile(pattern))

    @property
    def problems(self) -> list[str]:
        return [words for words in self._problems if not any(known.search(words) for known in self._expected)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problems.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        self._goes_to(request.url)

    def _goes_to(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in _OURS and parts.netloc != self._host:
            self._problems.append(f"another host: {url}")

    def _failed(self, request: Request) -> None:
        # Whoever goes to another page leaves what was still being fetched.
        if request.failure != "net::ERR_ABORTED":
            self._problems.append(f"failed: {request.method} {request.url} {request.failure}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser; it is closed when the tests of other folders go on, whose event loops it would disturb."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        switches = ["--no-sandbox", "--disable-gpu", f"--disable-features={','.join(SWITCHED_OFF)}"]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=switches)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagesHouse]:  # noqa: ARG001
    """A running demo for the tests of one file; without a browser there is none."""
    house = PagesHouse(tmp_path_factory.mktemp("house"))
    house.start()
    yield house
    house.stop()


@pytest.fixture
def watches() -> dict[BrowserContext, Watch]:
    """What is watched of each context of a test."""
    return {}


@pytest.fixture
def new_page(
    browser: Browser, house: PagesHouse, watches: dict[BrowserContext, Watch], request: pytest.FixtureRequest
) -> Iterator[NewPage]:
    """Another browser of another person: a page with cookies of its own; options are Playwright's."""

    def opened(**options: Any) -> Page:  # noqa: ANN401 - Playwright's own
        settings = {"base_url": house.url, "viewport": WIDE, "reduced_motion": "reduce", "locale": "en-US"} | options
        context = browser.new_context(timezone_id="UTC", **settings)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(WITHOUT_SHADOW)
        watches[context] = Watch(context, urlsplit(str(settings["base_url"])).netloc)
        return context.new_page()

    yield opened
    if request.node.stash.get(_FAILED, False):
        SHOTS.mkdir(parents=True, exist_ok=True)
        pages = [page for context in watches for page in context.pages]
        for number, page in enumerate(pages):
            page.screenshot(path=SHOTS / f"{request.node.name}-{number}.png")
    for context in watches:
        context.close()
    problems = [words for watch in watches.values() for words in watch.problems]
    assert not problems, "\n".join(problems)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page on a wide screen."""
    return new_page()


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    """A page on a phone."""
    return new_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)


@pytest.fixture
def expect_problem(watches: dict[BrowserContext, Watch]) -> ExpectProblem:
    """Say what a page will complain about, as a regular expression: `expect_problem(page, "status of 409")`."""

    def expected(page: Page, pattern: str) -> None:
        watches[page.context].expect(pattern)

    return expected


@pytest.fixture(scope="package")
def axe() -> str:
    """The script of axe-core."""
    if not AXE.exists():
        pytest.skip("axe is not here: `make web` brings it")
    return AXE.read_text()


@pytest.fixture
def check_axe(axe: str) -> CheckAxe:
    """Whether everybody can use a page, as axe judges: nothing serious or critical."""

    def check(page: Page) -> None:
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(axe)
        found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        serious = [
            f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html'][:200]} {node['failureSummary'][:300]}"
            for rule in found["violations"]
            if rule["impact"] in SERIOUS
            for node in rule["nodes"]
        ]
        assert not serious, "\n".join([page.url, *serious])

    return check
