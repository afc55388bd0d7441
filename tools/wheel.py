"""Build the wheel with the list of released files in it, from a copy: the source itself never claims to be a release.

python tools/wheel.py [--outdir dist]
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from croupier.fingerprint import RELEASED, list_of, short_hash

ROOT = Path(__file__).parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the wheel with the list of released files in it.")
    parser.add_argument("--outdir", type=Path, default=ROOT / "dist")
    outdir = parser.parse_args().outdir.resolve()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy / name)
        package = copy / "src/croupier"
        shutil.copytree(ROOT / "src/croupier", package, ignore=shutil.ignore_patterns("__pycache__"))
        listing = list_of(package)
        (package / RELEASED).write_bytes(listing.encode())
        build = [sys.executable, "-m", "flit_core.wheel", "--outdir", str(outdir), str(copy)]
        done = subprocess.run(build, check=False)  # noqa: S603 - our own command
    digest = hashlib.sha256(listing.encode()).hexdigest()
    print(f"released files: {listing.count(chr(10))}; hash {digest}; short {short_hash(digest)}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
