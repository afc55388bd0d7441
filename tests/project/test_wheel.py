"""The wheel in an environment of its own, without Node and without a compiler: it serves every page to everybody.

The clean environment holds the wheel alone and looks into ours for the packages of others, which saves a minute. So
this shows that the wheel has every file of its own that the house needs, and that nothing is built when it runs.
`make torture` installs the packages of requirements/run.txt beside it instead, and shows that they are all it needs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from croupier.house import DEMO_ACCOUNTS, DEMO_PASSWORD
from croupier.web.assets import ASSETS, has_scripts
from support import slices

ROOT: Final = Path(__file__).parents[2]
FOR_EVERYBODY: Final = ("/", "/sign-in")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as `make wheel` builds it."""
    if not has_scripts():
        pytest.skip("the pages have no scripts here: `make web` builds them")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/wheel.py"), "--outdir", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("clean") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "install", "-qq", "--no-deps"]
    pip += ["--disable-pip-version-check", "--no-compile"]
    subprocess.run([*pip, str(wheel)], check=True, env=quiet())
    if slices.in_full():
        pinned = ["--require-hashes", "-r", str(ROOT / "requirements/run.txt")]
        done = subprocess.run([*pip, *pinned], check=False, env=quiet())
        if done.returncode:
            pytest.skip("the packages of requirements/run.txt cannot be had here")
    else:
        (own,) = folder.glob("lib/python*/site-packages")
        # A plain path: the file in there that leads to our sources is not followed.
        (own / "others.pth").write_text(f"{Path(httpx.__file__).parents[1]}\n")
    return folder


def quiet() -> dict[str, str]:
    """Our environment, without what would lead to our sources."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COVERAGE"))}


class ServedWheel:
    """`croupier serve --demo` from the wheel."""

    def __init__(self, clean: Path, folder: Path) -> None:
        tools = folder / "no-tools"
        tools.mkdir()
        self._process = subprocess.Popen(
            [clean / "bin/croupier", "serve", "--demo", "--no-patrons", "--store", "house.db", "--port", free_port()],
            cwd=folder,
            env={"PATH": str(tools), "HOME": str(folder), "LANG": "C.UTF-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        self.said = []
        for line in self._process.stdout:
            self.said.append(line)
            if opened := re.search(r"The house is open: (http://\S+)", line):
                self.url = opened[1]
                return
        raise AssertionError(self.said)

    def stop(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=30)


def free_port() -> str:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return str(sock.getsockname()[1])


@pytest.fixture(scope="module")
def served(clean: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWheel]:
    house = ServedWheel(clean, tmp_path_factory.mktemp("served"))
    yield house
    house.stop()


def test_the_wheel_holds_what_pages_load_and_their_licenses(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name.removeprefix("croupier/web/static/") for name in names if name.startswith("croupier/web/static/")}
    assert {name for name in ASSETS if name.startswith(("js/", "vendor/"))} <= inside
    assert "vendor/htmx.LICENSE.txt" in inside
    assert not [name for name in names if "node_modules" in name or name.endswith((".map", ".ts"))]


def test_it_is_the_wheel_that_is_loaded(clean: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [clean / "bin/python", "-c", "import croupier; print(croupier.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={},
    )
    assert Path(done.stdout.strip()).is_relative_to(clean)


def test_a_wheel_is_a_released_build_until_a_file_changes(clean: Path, wheel: Path, tmp_path: Path) -> None:
    """And anybody gets the same hash with the usual tools, from the wheel alone."""

    def said(code: int) -> dict[str, Any]:
        asked = [str(clean / "bin/croupier"), "fingerprint", "--json"]
        env = {"LANG": "C.UTF-8"}
        done = subprocess.run(asked, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
        assert (done.returncode, done.stderr) == (code, "")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    whole = said(0)
    assert whole["is_released"]
    (package,) = clean.glob("lib/python*/site-packages/croupier")
    rows = sorted(
        f"{hashlib.sha256(content.read(name)).hexdigest()}  {name.removeprefix('croupier/')}\n"
        for content in [zipfile.ZipFile(wheel)]
        for name in content.namelist()
        if name.startswith("croupier/") and name != "croupier/released.sha256"
    )
    in_order = "".join(sorted(rows, key=lambda row: row[66:].encode()))
    assert whole["hash"] == hashlib.sha256(in_order.encode()).hexdigest()
    paytables = package / "regulations/md/let-it-ride/2014-10-29/glossary.toml"
    before = paytables.read_bytes()
    try:
        paytables.write_bytes(before + b"# changed\n")
        (package / "added.py").touch()
        changed = said(1)
    finally:
        paytables.write_bytes(before)
        (package / "added.py").unlink()
    assert changed["differ"] == ["regulations/md/let-it-ride/2014-10-29/glossary.toml"]
    assert (changed["missing"], changed["extra"]) == ([], ["added.py"])
    assert changed["hash"] != changed["released_hash"] == whole["hash"]


def test_every_page_of_the_bar_is_served_from_the_wheel(served: ServedWheel) -> None:
    """To a stranger and to somebody of each role, with everything that the page loads."""
    roles = {role: name for name, role in reversed(DEMO_ACCOUNTS)}
    seen: set[str] = set()
    for name in (None, *roles.values()):
        with httpx.Client(base_url=served.url, headers={"accept": "text/html"}, follow_redirects=True) as browser:
            if name is not None:
                csrf = re.search(r'name="csrf" value="([^"]*)"', browser.get("/sign-in").text)
                assert csrf is not None
                form = {"csrf": csrf[1], "name": name, "password": DEMO_PASSWORD, "then": "/"}
                entered = browser.post("/sign-in", data=form, headers={"origin": served.url})
                assert entered.status_code == 200, (name, entered.text)
                assert f"<b>{name}</b>" in entered.text
            bar = browser.get("/").text.partition('<nav aria-label="Pages">')[2].partition("</nav>")[0]
            paths = re.findall(r'href="([^"]+)"', bar)
            assert "/" in paths
            for path in [*paths, *FOR_EVERYBODY]:
                answer = browser.get(path)
                assert answer.status_code == 200, (name, path, answer.text)
                for file in set(re.findall(r'(?:href|src)="(/static/[^"#]+)', answer.text)) - seen:
                    assert browser.get(file).status_code == 200, file
                    seen.add(file)
    assert [file for file in seen if file.endswith("croupier.css")]
