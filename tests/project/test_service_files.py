"""The unit for systemd and the container file, as far as they can be checked without installing a house."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.running import here

ROOT = Path(__file__).parents[2]
UNIT, IMAGE = ROOT / "tools" / "croupier.service", ROOT / "Containerfile"


def options(command: str) -> set[str]:
    return set(re.findall(r"--[a-z-]+", command))


def test_both_start_the_house_with_options_that_there_are() -> None:
    known = options(here("serve", "--help", COLUMNS="200", TERM="dumb").stdout)
    assert "--store" in known
    start = next(line for line in UNIT.read_text().splitlines() if line.startswith("ExecStart="))
    entry = next(line for line in IMAGE.read_text().splitlines() if line.startswith("ENTRYPOINT"))
    shown = [line for line in IMAGE.read_text().splitlines() if line.startswith("#   podman run")]
    for command in (start, entry, *(line.partition(" croupier ")[2] for line in shown)):
        assert options(command) <= known, command


def test_the_image_is_built_from_what_there_is() -> None:
    lines = [line.split() for line in IMAGE.read_text().splitlines() if line.startswith("COPY") and "--" not in line]
    assert lines
    assert all((ROOT / name).exists() for _, *names, _ in lines for name in names)
    backend = re.search(r'build-backend = "(\w+)', (ROOT / "pyproject.toml").read_text())
    assert backend is not None
    pinned = (ROOT / "requirements" / "run.txt").read_text().replace("-", "_")
    assert f"\n{backend[1]}==" in pinned  # `--no-build-isolation` takes it from there


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "croupier.service"
    unit.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text()))  # nothing is installed here
    verified = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (verified.returncode, verified.stderr) == (0, "")
