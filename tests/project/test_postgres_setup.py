"""The PostgreSQL of the tests sets itself up: found, or installed by root on Debian, or missed in one clear line."""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support import postgres_programs, postgres_server
from support.postgres_programs import find_or_install
from support.postgres_server import PostgresServer, start_server

APT = """#!/bin/sh
echo "$DEBIAN_FRONTEND $*" >>{log}
case "$*" in
*update) exit {update} ;;
*) sleep 0.2; {install} ;;
esac
"""
INSTALLS = "mkdir -p {bin} && touch {bin}/postgres {bin}/initdb"


class Machine:
    """A system without PostgreSQL, whose apt-get is a script."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.monkeypatch = root, monkeypatch
        self.bin, self._log = root / "usr/lib/postgresql/15/bin", root / "log"
        for folder in ("etc", "path", "tmp"):
            (root / folder).mkdir()
        (root / "etc" / "debian_version").write_text("12.1\n")
        for program in ("sh", "mkdir", "touch", "sleep"):
            (root / "path" / program).symlink_to(str(shutil.which(program)))
        monkeypatch.setenv("PATH", str(root / "path"))
        monkeypatch.setattr(postgres_programs, "ROOT", root)
        monkeypatch.setattr(tempfile, "tempdir", str(root / "tmp"))
        self.be_user(0)

    def be_user(self, number: int) -> None:
        self.monkeypatch.setattr(os, "geteuid", lambda: number)

    def has_apt(self, install: str = INSTALLS, *, update: int = 0) -> None:
        apt = self.root / "path" / "apt-get"
        apt.write_text(APT.format(log=self._log, update=update, install=install.format(bin=self.bin)))
        apt.chmod(0o755)

    def asked(self) -> list[str]:
        """What apt-get was asked for."""
        return self._log.read_text().splitlines() if self._log.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


UPDATE = "noninteractive -o DPkg::Lock::Timeout=300 update"
INSTALL = "noninteractive -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql"


def test_root_on_debian_installs_it_without_a_question(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.has_apt()
    assert find_or_install() == (machine.bin, "")
    assert machine.asked() == [UPDATE, INSTALL]
    assert capsys.readouterr().err == "installing postgresql with apt-get, for the tests of the store\n"
    assert find_or_install() == (machine.bin, "")
    assert len(machine.asked()) == 2


def test_of_several_workers_one_installs_it_and_all_have_it(machine: Machine) -> None:
    machine.has_apt()
    with ThreadPoolExecutor(4) as workers:
        results = list(workers.map(lambda _: find_or_install(), range(4)))
    assert results == [(machine.bin, "")] * 4
    assert machine.asked() == [UPDATE, INSTALL]


def test_a_source_that_cannot_be_updated_is_no_obstacle(machine: Machine) -> None:
    machine.has_apt(update=100)
    assert find_or_install() == (machine.bin, "")


def test_an_installation_that_fails_is_said_in_one_line(machine: Machine) -> None:
    machine.has_apt('echo "Reading lists" >&2; echo "E: Unable to fetch some archives" >&2; exit 100')
    programs, why = find_or_install()
    assert programs is None
    assert why.startswith("PostgreSQL is not installed: install the package postgresql to run this (apt-get could not")
    assert why.endswith("E: Unable to fetch some archives)")
    assert "\n" not in why


@pytest.mark.parametrize("lacks", ["root", "Debian", "apt-get"])
def test_nobody_else_installs_anything(machine: Machine, lacks: str) -> None:
    if lacks != "apt-get":
        machine.has_apt()
    if lacks == "root":
        machine.be_user(1000)
    if lacks == "Debian":
        (machine.root / "etc" / "debian_version").unlink()
    assert find_or_install() == (None, "PostgreSQL is not installed: install the package postgresql to run this")
    assert machine.asked() == []


def test_what_is_installed_is_found_the_newest_first_and_on_the_path_last(machine: Machine) -> None:
    def installed(folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for program in ("postgres", "initdb"):
            (folder / program).write_text("#!/bin/sh\n")
            (folder / program).chmod(0o755)
        return folder

    on_path = installed(machine.root / "path")
    assert find_or_install() == (on_path, "")
    for version in ("9.6", "16", "15"):
        installed(machine.root / "usr/lib/postgresql" / version / "bin")
    (machine.root / "usr/lib/postgresql/17/bin").mkdir(parents=True)  # the client alone
    assert find_or_install() == (machine.root / "usr/lib/postgresql/16/bin", "")


def test_a_test_without_a_server_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_server, "server_programs", lambda: (None, "PostgreSQL is not installed"))
    with pytest.raises(pytest.skip.Exception, match=r"^PostgreSQL is not installed$"):
        start_server()


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("apt-get") is None, reason="there is no apt-get here")
def test_apt_get_understands_what_it_is_asked_for() -> None:
    words = [*postgres_programs._APT, "--simulate", "install", "-y", "--no-install-recommends", "bash"]  # noqa: SLF001
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_server_is_private_and_never_root(postgres: PostgresServer) -> None:
    assert postgres.folder.stat().st_mode & 0o777 == 0o700
    assert postgres.sql("show listen_addresses", "public").strip() == ""
    assert postgres.sql("show unix_socket_directories", "public").strip() == str(postgres.folder)
    assert [postgres.sql(f"show {name}", "public").strip() for name in ("fsync", "synchronous_commit")] == ["on", "on"]
    (data,) = postgres.folder.glob("data")
    assert data.stat().st_uid != 0
    assert os.geteuid() in {0, data.stat().st_uid}
