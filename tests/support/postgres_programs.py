"""The programs of a PostgreSQL server: found where they are installed; on Debian, root installs them."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

ROOT = Path("/")
"""Where the system is installed."""
_APT: Final = ("apt-get", "-o", "DPkg::Lock::Timeout=300")
_STEPS: Final = (("update",), ("install", "-y", "--no-install-recommends", "postgresql"))


@cache
def server_programs() -> tuple[Path | None, str]:
    """The folder of the programs, or why there is none, in one line."""
    return find_or_install()


def find_or_install() -> tuple[Path | None, str]:
    """The folder of the programs, which are installed if that needs no questions."""
    if (programs := _programs()) is not None:
        return programs, ""
    missing = "PostgreSQL is not installed: install the package postgresql to run this"
    debian = (ROOT / "etc" / "debian_version").exists() and shutil.which("apt-get") is not None
    if os.geteuid() != 0 or not debian:
        return None, missing
    # Several workers come at once: one installs, the others wait and find what it has installed.
    with (Path(tempfile.gettempdir()) / "croupier-installs-postgresql").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (programs := _programs()) is not None:
            return programs, ""
        failure = _install()
    programs = _programs()
    return programs, "" if programs is not None else f"{missing} (apt-get could not: {failure})"


def _install() -> str:
    """Let apt-get install them; what went wrong, in a line."""
    print("installing postgresql with apt-get, for the tests of the store", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    said = ""
    for step in _STEPS:
        done = subprocess.run([*_APT, *step], env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:  # an update may fail for one of several sources, and the package still be there
            said = (done.stderr.strip() or "no reason given").splitlines()[-1]
    return said or "the package has no server"


def _programs() -> Path | None:
    """Where the server's programs are, the newest version first."""
    packaged = (ROOT / "usr" / "lib" / "postgresql").glob("*/bin")
    folders = sorted(packaged, key=lambda path: -float(path.parent.name))
    if (onpath := shutil.which("postgres")) is not None:
        folders.append(Path(onpath).parent)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)
