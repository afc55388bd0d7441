"""What pages are made of: nothing inline, nothing that the server decides, little to load, scripts that are known."""

import asyncio
import importlib.util
import json
import re
import shutil
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Final, get_args

import pytest

from croupier.rulebook import load_rulebook, names, rulebook_ids
from croupier.web.assets import ASSETS, asset, has_scripts
from support.browser import demo_house

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "src/croupier/web"
TEMPLATES: Final = sorted(WEB.glob("templates/**/*.html"))
MODULES: Final = sorted(WEB.glob("static/js/**/*.js"))
DRAWING: Final = sorted(WEB.glob("**/*.py"))
FIRST_PAGE: Final = 50 * 1000
"""Bytes of script and style, compressed, that the first page may load."""

INLINE: Final = {
    r"(?<![\w-])style\s*=\s*[\"'{]": "a style attribute: use a class, or an attribute of SVG",
    r"<style\b": "a style element",
    r"<script\b(?![^>]*\bsrc=)": "a script without an address",
    r"<script\b[^>]*>\s*[^\s<]": "a script with text of its own",
    r"(?<=[\s\"'])on[a-z]+\s*=\s*[\"'{]": "a handler in an attribute",
    r"\bhx-on\b": "a handler in an attribute, which needs eval",
    r"javascript:": "an address that is a script",
    r"\bhx-(?:vals|headers)\s*=\s*[\"'](?:js|javascript):": "values from a script, which need eval",
    r"\bhx-trigger\s*=\s*[\"'][^\"']*\[": "a condition from a script, which needs eval",
}
"""What the policy of our pages forbids, and browsers would only say in their console."""
IN_MODULES: Final = {
    r"\beval\s*\(|\bnew Function\b": "eval",
    r"\.(?:inner|outer)HTML\s*\+?=|insertAdjacentHTML|document\.write": "HTML made in the browser",
    r"setAttribute\(\s*[\"']style": "a style attribute",
    r"\bfetch\(\s*[\"'`]https?:|new WebSocket\(\s*[\"'`]wss?:": "another host",
    r"\bMath\.random\b(?!\(\) \* 2 - 1)": "chance, which is the house's alone (noise for sounds apart)",
}
DECIDED: Final = {
    r"\b\d+(?:\.\d+)?\s*(?:to|for)\s*1\b": "odds",
    r"\b(?:payouts?|pay_?tables?|house_?edge|odds|chances?|payout_?limit)\s*=[^=]": "a figure of the rules",
    r"\btoFixed\(|Intl\.NumberFormat": "a figure written in the browser",
}
"""Figures that the server decides, or writes."""
AMOUNT: Final = {r"\$\s?[1-9]": "an amount of money"}
AMOUNT_IN_MODULES: Final = {r"\$\d{2,}|\$\d+\.\d": "an amount of money"}  # `$1` is a part of a pattern there


def named(path: Path) -> str:
    return str(path.relative_to(WEB))


def findings(paths: Iterable[Path], patterns: dict[str, str]) -> list[str]:
    return [
        f"{named(path)}:{number}: {words}: {line.strip()[:100]}"
        for path in paths
        for number, text in enumerate(path.read_text().splitlines(), 1)
        for line in [re.sub(r'(?<=class=")[^"]*', "", text)]  # how something looks may be called anything
        for pattern, words in patterns.items()
        if re.search(pattern, line)
    ]


def rule_names() -> set[str]:
    """Names of wagers, hands, decisions, games and states, as rows and as people have them."""
    listed = {
        name
        for names_of in (names.WagerName, names.HandName, names.Decision, names.Game)
        for name in get_args(names_of)
        if "_" in name or name in {"ante", "progressive"}  # "win", "pair" and "raise" are words of any page
    }
    books = [load_rulebook(name) for name in rulebook_ids()]
    listed |= {name for book in books for decision in book.play.choice for name in decision.choices}
    listed |= {part for book in books for part in (book.id, book.source.jurisdiction, book.source.title)}
    return listed | {name.replace("_", " ") for name in listed if "_" in name}


SPOKEN: Final = {
    "progressive": "what the trade calls any such bet",
    "raise": "a word of any page",
    "withdraw": "cash is withdrawn at the cage, too",
}
"""Names of the rules that are also words of any page, with the reason."""


def test_no_page_has_a_script_or_a_style_inside() -> None:
    assert findings([*TEMPLATES, *DRAWING], INLINE) == []
    assert findings(MODULES, INLINE | IN_MODULES) == []


def test_pages_and_modules_know_no_rule_and_no_amount() -> None:
    wanted = "|".join(re.escape(name) for name in sorted(rule_names() - set(SPOKEN), key=len, reverse=True))
    known = {rf"(?i)(?<![\w-])(?:{wanted})(?![\w-])": "a name of the rules: it comes from the server's rows"}
    assert findings(TEMPLATES, known | DECIDED | AMOUNT) == []
    assert findings(MODULES, known | DECIDED | AMOUNT_IN_MODULES) == []


def test_these_patterns_find_what_they_are_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.WEB", tmp_path)
    page = tmp_path / "page.html"
    for wrong in (
        '<p style="color:red">',
        "<style>p{}</style>",
        "<script>go()</script>",
        '<script src="x">go()</script>',
        '<button onclick="go()">',
        '<button hx-on:click="go()">',
        '<a href="javascript:go()">',
        "<i hx-vals='js:{\"a\":1}'>",
        '<i hx-trigger="click[ctrlKey]">',
    ):
        page.write_text(wrong)
        assert len(findings([page], INLINE)) >= 1, wrong
    for wrong in ("Bet $5 or more", "pays 40 to 1", "const payout = 3", "amount.toFixed(2)"):
        page.write_text(wrong)
        assert len(findings([page], DECIDED | AMOUNT)) == 1, wrong
    for wrong in ('const least = "$10"', "`$5.00`"):
        page.write_text(wrong)
        assert len(findings([page], AMOUNT_IN_MODULES)) == 1, wrong
    page.write_text('<script defer src="{{ asset(\'x\') }}"></script><a data-style="x" class="on">{{ caption = "x" }}')
    assert findings([page], INLINE | DECIDED | AMOUNT) == []


class _Loaded(HTMLParser):
    """Styles and scripts that a page loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get("src") if tag == "script" else None
        if tag == "link" and given.get("rel") in {"stylesheet", "modulepreload"}:
            address = given.get("href")
        if address:
            self.addresses.append(address)


def loaded(html: str) -> dict[str, int]:
    """What a page loads, with the modules that its modules import, in compressed bytes."""
    start = asset("")
    waiting = [address.removeprefix(start) for address in _Loaded(html).addresses]
    sizes: dict[str, int] = {}
    while waiting:
        name = waiting.pop()
        if name in sizes:
            continue
        sizes[name] = len(ASSETS[name].packed)
        if name.startswith("js/"):
            imports = re.findall(r"(?:from|import)\s*\(?[\"']\./([\w./-]+)[\"']", ASSETS[name].plain.decode())
            waiting += [f"js/{other}" for other in imports]
    return sizes


@pytest.mark.skipif(not has_scripts(), reason="the pages have no scripts here: `make web` builds them")
def test_the_first_page_loads_little(tmp_path: Path) -> None:
    async def run() -> dict[str, dict[str, int]]:
        async with demo_house(tmp_path) as house:
            browser = await house.browser()
            return {path: loaded((await browser.see(path)).html) for path in ("/", "/sign-in", "/tables/1")}

    for path, sizes in asyncio.run(run()).items():
        assert "croupier.css" in sizes, path
        assert sum(sizes.values()) < FIRST_PAGE, (path, sizes)
    assert all(name.endswith((".js", ".txt")) for name in ASSETS if name.startswith("vendor/"))


def test_packages_of_others_are_pinned_with_hashes_and_no_address() -> None:
    asked = json.loads((ROOT / "package.json").read_text())
    text = (ROOT / "package-lock.json").read_text()
    locked = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    for name, version in (asked["dependencies"] | asked["devDependencies"]).items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert locked[f"node_modules/{name}"]["version"] == version
    assert all(entry["integrity"].startswith("sha512-") for entry in locked.values())
    assert "resolved" not in text


def test_htmx_and_its_extension_come_as_one_script() -> None:
    """htmx starts as soon as it is there: whatever comes in a second file may come too late, and is never heard of."""
    apart = {r"vendor/hx-": "an extension in a file of its own", r"vendor/htmx[^']*'.*vendor/": "two scripts of htmx"}
    assert findings(TEMPLATES, apart) == []
    script = ASSETS.get("vendor/htmx-ws.min.js")
    if script is not None:
        assert script.plain.index(b"registerExtension(") < script.plain.index(b'registerExtension("ws"')


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`tools/web.py`, with packages that need not be fetched and folders of its own."""
    spec = importlib.util.spec_from_file_location("web_tool", ROOT / "tools/web.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    folder = tmp_path / "vendor"
    monkeypatch.setattr(tool, "TAKEN", {folder: tool.TAKEN[tool.VENDOR]})
    monkeypatch.setattr("sys.argv", ["web.py"])
    for source in {source for sources in tool.TAKEN[folder].values() for source in sources}:
        (tmp_path / "modules" / source).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "modules" / source).write_text(source)
    monkeypatch.setattr(tool, "install", lambda _: tmp_path / "modules")
    return tool


def test_scripts_are_built_once_and_anew_when_they_were_changed(
    web: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "vendor"
    assert web.main() == 0
    assert {path.name for path in folder.iterdir()} == {*web.TAKEN[folder], web.STAMP}
    built = (folder / "htmx.min.js").stat().st_mtime_ns
    assert web.main() == 0
    assert (folder / "htmx.min.js").stat().st_mtime_ns == built
    (folder / "htmx.min.js").write_text("something else")
    assert not web.is_there(folder)
    assert web.main() == 0
    assert (folder / "htmx.min.js").read_text() == "htmx.org/dist/htmx.min.js"
    assert (folder / "htmx-ws.min.js").read_text() == "htmx.org/dist/htmx.min.js\nhtmx.org/dist/ext/hx-ws.min.js"
    lock = json.loads((ROOT / "package-lock.json").read_text())
    lock["packages"]["node_modules/htmx.org"]["version"] = "4.0.2"
    (tmp_path / "package-lock.json").write_text(json.dumps(lock))
    monkeypatch.setattr(web, "ROOT", tmp_path)
    assert not web.is_there(folder)


def test_without_node_the_house_opens_all_the_same(
    web: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(_: Path) -> Path:
        raise web.NoScripts("no Node")

    monkeypatch.setattr(web, "install", nothing)
    assert web.main() == 0
    said = capsys.readouterr().err
    assert said == "croupier: pages work without scripts until Node is there and `make web` is run again (no Node)\n"
    monkeypatch.setattr("sys.argv", ["web.py", "--required"])
    assert web.main() == 1


@pytest.mark.skipif(shutil.which("npm") is None or not has_scripts(), reason="no Node here")
def test_what_lies_in_the_package_belongs_to_the_lock_file() -> None:
    stamp = json.loads((WEB / "static/vendor/built-from.json").read_text())
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]["node_modules/htmx.org"]
    assert stamp["packages"] == {"htmx.org": f"{locked['version']} {locked['integrity']}"}
