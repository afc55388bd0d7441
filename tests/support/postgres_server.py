"""A private PostgreSQL server for the tests: its own data, on a Unix socket in a temporary folder, gone afterwards.

It syncs to disk like a real one. As root it runs as the user postgres, since the server refuses to run as root.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from support.postgres_programs import server_programs

_PORT: Final = "5432"
_SETTINGS: Final = {
    "listen_addresses": "''",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
    "autovacuum_naptime": "1h",
}
_names = count(1)


class PostgresServer:
    """A server that runs."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-pg-"))
        postgres = _unprivileged() if os.geteuid() == 0 else None
        self._user = postgres.pw_uid if postgres is not None else None
        self._group = postgres.pw_gid if postgres is not None else None
        self._server: subprocess.Popen[bytes] | None = None
        try:
            if postgres is not None:
                os.chown(self.folder, postgres.pw_uid, postgres.pw_gid)
            setup = [
                "initdb",
                "-D",
                f"{self.folder}/data",
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-locale",
            ]
            self._run([*setup, "--no-instructions", "--no-sync"])
            with (self.folder / "data" / "postgresql.conf").open("a") as file:
                file.writelines(f"{name} = {value}\n" for name, value in _SETTINGS.items())
                file.write(f"unix_socket_directories = '{self.folder}'\n")
                if int((self.folder / "data" / "PG_VERSION").read_text()) >= 14:
                    # After a kill the server syncs every file: together, not a thousand one after the other.
                    file.write("recovery_init_sync_method = syncfs\n")
            self.start()
        except BaseException:
            self.remove()
            raise

    def new_place(self) -> str:
        """The address of an empty schema: as good as a database of one's own, and made in no time."""
        name = f"test_{next(_names)}"
        self.sql(f"create schema {name}", name)
        return f"postgresql://postgres@/postgres?host={self.folder}&port={_PORT}&search_path={name}"

    def sql(self, text: str, place: str) -> str:
        """What psql prints for a statement in a schema."""
        return self._run(
            [*self._psql("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", f"set search_path = {place}; {text}"]
        )

    def dump(self, place: str) -> str:
        """Everything in a schema, as text; the same text if nothing has changed."""
        lines = self._run([*self._psql("pg_dump"), "-n", place]).splitlines()
        return "\n".join(line for line in lines if not line.startswith(("\\restrict", "\\unrestrict")))

    def _psql(self, program: str) -> list[str]:
        return [program, "-h", str(self.folder), "-p", _PORT, "-U", "postgres", "-d", "postgres"]

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        words = [str(self.programs / "postgres"), "-D", f"{self.folder}/data", "-p", _PORT]
        self._server = subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=self.folder,
            user=self._user,
            group=self._group,
        )
        ready = [str(self.programs / "pg_isready"), "-q", "-h", str(self.folder), "-p", _PORT]
        until = time.monotonic() + 30
        while subprocess.run(ready, check=False).returncode != 0:
            if time.monotonic() > until or self._server.poll() is not None:
                raise RuntimeError("the PostgreSQL server for the tests did not start")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill the server and everything that works for it at once, as a power cut would."""
        assert self._server is not None
        helpers = _children(self._server.pid)
        for process in (self._server.pid, *helpers):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._server.wait()
        while any(_status(process)[:1] not in ([], ["Z"]) for process in helpers):
            time.sleep(0.005)  # a helper that is still there keeps the next server from starting

    def restart(self) -> None:
        """Kill everything, and start again."""
        self.kill()
        self.start()

    def remove(self) -> None:
        if self._server is not None and self._server.poll() is None:
            self.kill()  # nobody needs what is in it
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, words: list[str]) -> str:
        command = [str(self.programs / words[0]), *words[1:]]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.folder, user=self._user, group=self._group
        )
        if done.returncode != 0:
            raise RuntimeError(f"{words[0]}: {done.stderr.strip()[-500:]}")
        return done.stdout


def _unprivileged() -> pwd.struct_passwd:
    """Who runs the server for root: the user of the package, or nobody where PostgreSQL came another way."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _children(parent: int) -> list[int]:
    """The processes that a process has started."""
    numbers = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return [number for number in numbers if _status(number)[1:2] == [str(parent)]]


def _status(process: int) -> list[str]:
    """State and parent of a process, and more; nothing if it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def start_server() -> PostgresServer:
    """A server of one's own, or a skipped test where there is no PostgreSQL."""
    programs, why = server_programs()
    if programs is None:
        pytest.skip(why)
    return PostgresServer(programs)
