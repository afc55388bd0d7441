"""The pages as Lighthouse 12 judges them: `make lighthouse`, outside of `make test`.

The system's Chromium, Lighthouse's own settings for a desk, the median of five runs of each page. It needs Node, and
takes Lighthouse from npm into build/lighthouse/.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from screens import PROGRAMS, house

ROOT: Final = Path(__file__).parents[1]
PLACE: Final = ROOT / "build/lighthouse"
VERSION: Final = "12.8.2"
RUNS: Final = 5
PORT: Final = 8118
PAGES: Final = {"lobby": "/", "table": "/tables/1", "sign-in": "/sign-in"}
CATEGORIES: Final = ("performance", "accessibility", "best-practices")
GOAL: Final = 95


def lighthouse() -> list[str]:
    """The command, installed once."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        sys.exit("croupier: Lighthouse needs Node: install it first")
    start = PLACE / "node_modules/lighthouse/cli/index.js"
    if not start.exists():
        PLACE.mkdir(parents=True, exist_ok=True)
        (PLACE / "package.json").write_text('{"private": true}')
        words = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*words, f"lighthouse@{VERSION}"], cwd=PLACE, check=True)  # noqa: S603 - our own
    return [node, str(start)]


def judged(command: list[str], url: str, chromium: str) -> dict[str, Any]:
    """One run."""
    with tempfile.TemporaryDirectory(prefix="croupier-lighthouse-") as folder:
        report = Path(folder) / "report.json"
        options = ["--preset=desktop", "--output=json", f"--output-path={report}", "--quiet"]
        options += [f"--only-categories={','.join(CATEGORIES)}", "--chrome-flags=--headless=new --no-sandbox"]
        environment = os.environ | {"CHROME_PATH": chromium}
        done = subprocess.run([*command, url, *options], check=False, env=environment, timeout=300)  # noqa: S603 - our own
        if done.returncode:
            sys.exit(f"croupier: Lighthouse could not judge {url}")
        answer: dict[str, Any] = json.loads(report.read_text())
        return answer


def main() -> int:
    command = lighthouse()
    chromium = os.environ.get("CROUPIER_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), "")
    reports: dict[str, list[dict[str, Any]]] = {name: [] for name in PAGES}
    with house(PORT) as (url, _):
        for _run in range(RUNS):  # in turn, so that a busy moment does not fall on one page alone
            for name, path in PAGES.items():
                reports[name].append(judged(command, url + path, chromium))
    version = reports["lobby"][0]["lighthouse" + "Version"]
    print(f"Lighthouse {version}, desktop, median of {RUNS}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    print(f"| page | {' | '.join(CATEGORIES)} | first paint, ms | largest paint, ms |")
    print("|---|" + "---|" * (len(CATEGORIES) + 2))
    low = False
    for name, runs in reports.items():
        scores = [statistics.median(100 * run["categories"][kind]["score"] for run in runs) for kind in CATEGORIES]
        paints = [
            statistics.median(run["audits"][audit]["numericValue"] for run in runs)
            for audit in ("first-contentful-paint", "largest-contentful-paint")
        ]
        low = low or min(scores) < GOAL
        print(f"| {name} | {' | '.join(f'{score:.0f}' for score in scores)} | {paints[0]:.0f} | {paints[1]:.0f} |")
    PLACE.joinpath("reports.json").write_text(json.dumps(reports))
    failing = {
        f"{name}: {audit['title']}"
        for name, runs in reports.items()
        for audit in runs[0]["audits"].values()
        if audit["score"] is not None and audit["score"] < 0.9 and audit["scoreDisplayMode"] != "informative"
    }
    for line in sorted(failing):
        print(f"  below 0.9: {line}")
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
