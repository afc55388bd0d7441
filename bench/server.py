"""A house under load: players on live sockets, beside the framework's own echo in the same run.

The house is `croupier serve` in one process, on a store of its own that is made first; the echo is another process of
the same framework with the same settings; the players are a third. House and echo take turns of a few seconds; a few
echoes beside the house say what the machine and the players' own process take while the house works. Raw one-row
commits say what the disk was doing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import apsw
import msgspec

from analysis import Figure
from croupier.house import House, HouseRequest, Passwords, People, commands, demo
from croupier.rulebook import rulebook_ids
from croupier.store import open_store
from server_clients import Client, Load

HERE: Final = Path(__file__).parent
CLIENTS: Final = 500
TABLES: Final = 84
SEATS: Final = 6
OPERATOR: Final = "operator-1"
TICKS: Final = os.sysconf("SC_CLK_TCK")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


async def make_house(url: str, clients: int, tables: int) -> list[Client]:
    """A demo with as many tables, all four rulebooks in turn, and players who are signed in."""
    books = rulebook_ids()
    store = await open_store(url)
    people = People(House(store), Passwords(time_cost=1, memory_kib=64))
    at = datetime.now(UTC)
    await demo(people, at, well_known=True)
    places = [(str(number), book) for number, book in enumerate(books, 1)]
    for number in range(len(places), tables):
        table, book = f"t{number + 1}", books[number % len(books)]
        make = commands.MakeTable(table=table, submission=book, version=1)
        for command in (make, commands.OpenPlay(table=table)):
            await people.house.give(HouseRequest(by=OPERATOR, at=at, command=command))
        places.append((table, book))
    made = []
    for number in range(clients):
        person = f"player-{number}"
        await people.add(person, f"a password of {number * 7919}", ("player",), by=OPERATOR, at=at, person=person)
        session = await people.sessions.create(person, at, factor=False)
        table, book = places[number % tables]
        made.append(Client(person, session.id, table, book, number // tables + 1))
    people.close()
    await store.close()
    return made


class Measured:
    """A process: its processor seconds and its memory."""

    def __init__(self, pid: int) -> None:
        self._stat, self._statm = Path(f"/proc/{pid}/stat"), Path(f"/proc/{pid}/statm")

    @property
    def seconds(self) -> float:
        fields = self._stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def mebibytes(self) -> float:
        return int(self._statm.read_text().split()[1]) * PAGE / 2**20


class RawCommits(threading.Thread):
    """One one-row commit a second with the store's own care, to say what the disk was doing."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self._path, self.stopping, self.seconds = path, threading.Event(), [0.0]

    def run(self) -> None:
        connection = apsw.Connection(str(self._path))
        connection.pragma("synchronous", "full")
        connection.pragma("journal_mode", "wal")
        connection.execute("create table row(id integer primary key, line blob)")
        while not self.stopping.wait(1.0):
            begun = time.perf_counter()
            connection.execute("insert into row(line) values(?)", (b"x" * 400,))
            self.seconds.append(time.perf_counter() - begun)
        connection.close()


def start(program: list[str], **streams: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401
    return subprocess.Popen([sys.executable, *program], preexec_fn=every_core, **streams)  # noqa: PLW1509


def every_core() -> None:
    """The races of `make bench` keep to one core; a house and its players do not."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - of this machine
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"{url}: no answer")


def spread(values: list[float]) -> dict[str, float]:
    """Quantiles in milliseconds."""
    ranked = sorted(values) or [0.0]
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    shown = {name: ranked[min(len(ranked) - 1, int(len(ranked) * part))] * 1000 for name, part in at.items()}
    return {"count": len(values)} | {name: round(ms, 2) for name, ms in (shown | {"max": ranked[-1] * 1000}).items()}


def measure(folder: Path, *, clients: int, tables: int, minutes: float, profile: str = "") -> dict[str, Any]:
    """One run, from an empty folder to a ledger that was checked."""
    url = str(folder / "house.db")
    begun = time.monotonic()
    made = asyncio.run(make_house(url, clients, tables))
    size = (folder / "house.db").stat().st_size
    ports = free_port(), free_port()
    program = ["-m", "croupier", "serve", "--demo", "--no-patrons", "--store", url]
    program += ["--port", str(ports[0])]
    log = folder / "server.log"
    with log.open("wb") as errors:
        ours = start([*(["-m", "cProfile", "-o", profile] if profile else []), *program], stdout=errors, stderr=errors)
        echo = start([str(HERE / "server_echo.py"), str(ports[1])], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        players: subprocess.Popen[bytes] | None = None
        raw = RawCommits(folder / "raw.db")
        try:
            wait_for(f"http://127.0.0.1:{ports[0]}/readyz", ours)
            _line(echo)
            players = start([str(HERE / "server_clients.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            asked = Load(f"ws://127.0.0.1:{ports[0]}", f"ws://127.0.0.1:{ports[1]}/echo", made, minutes)
            _tell(players, msgspec.json.encode(asked))
            _until(players, "begin")
            setting_up = time.monotonic() - begun
            measured, echoed = Measured(ours.pid), Measured(echo.pid)
            raw.start()
            figures = _watched(players, measured, echoed)
            took = json.loads(_line(players))
            raw.stopping.set()
            players.wait(60)
            ours.send_signal(signal.SIGTERM)
            code = ours.wait(60)
        finally:
            raw.stopping.set()
            for process in (ours, echo, players):
                if process is not None and process.poll() is None:
                    process.kill()
                    process.wait()
    grown = (folder / "house.db").stat().st_size - size
    answers = [*took["seconds"]["accepted"], *took["seconds"]["refused"]]
    checked = {
        name: subprocess.run([sys.executable, "-m", "croupier", *name.split(), url], check=False).returncode
        for name in ("ledger check", "journal verify")
    }
    return {
        "clients": clients,
        "tables": tables,
        "minutes": minutes,
        "setting_up_seconds": round(setting_up, 1),
        "answers": spread(answers),
        "accepted": spread(took["seconds"]["accepted"]),
        "refused": spread(took["seconds"]["refused"]),
        "echo": spread(took["seconds"]["echo"]),
        "echo_beside": spread(took["seconds"]["echo_beside"]),
        "raw_commits": spread(raw.seconds[1:]),
        "commands_per_second": round(len(answers) / took["at_house"], 1),
        "changes_shown": took["changes"],
        "store_bytes_per_command": round(grown / max(1, len(took["seconds"]["accepted"]))),
        "errors": took["errors"],
        "exit_code": code,
        "log": log.read_text()[-2000:],
        "checked": checked,
        "load_average": [round(load, 1) for load in os.getloadavg()],
        **figures,
    }


def _watched(players: subprocess.Popen[bytes], ours: Measured, echo: Measured) -> dict[str, Any]:
    """Processor time of each turn, and memory at the first turn and at the last."""
    cores: dict[str, list[float]] = {"house": [], "echo": []}
    memory: list[float] = []
    at, used = time.perf_counter(), (ours.seconds, echo.seconds)
    while (line := _line(players).split())[0] == "turn":
        now, seconds = time.perf_counter(), (ours.seconds, echo.seconds)
        turn = line[1]
        place = 0 if turn == "house" else 1
        cores[turn].append((seconds[place] - used[place]) / (now - at))
        memory.append(ours.mebibytes)
        at, used = now, seconds
    return {
        "cores": round(statistics.mean(cores["house"]), 3),
        "echo_cores": round(statistics.mean(cores["echo"] or [0.0]), 3),
        "memory_mebibytes": [round(memory[0], 1), round(memory[-1], 1)],
        "memory_by_turn": [round(size, 1) for size in memory],
    }


def _tell(process: subprocess.Popen[bytes], line: bytes) -> None:
    if process.stdin is None:
        raise RuntimeError("nobody listens")
    process.stdin.write(line + b"\n")
    process.stdin.flush()


def _line(process: subprocess.Popen[bytes]) -> str:
    line = process.stdout.readline().decode() if process.stdout is not None else ""
    if not line:
        raise RuntimeError(f"{process.args!r} has ended")
    return line.strip()


def _until(process: subprocess.Popen[bytes], word: str) -> None:
    while _line(process) != word:
        pass


def show(result: dict[str, Any]) -> None:
    """The figures of a run, for people."""
    print(f"{result['clients']} clients at {result['tables']} tables, {result['minutes']:g} minutes")
    for name in ("answers", "accepted", "refused", "echo", "echo_beside", "raw_commits"):
        ms = result[name]
        shown = ", ".join(f"{key} {ms[key]:g} ms" for key in ("p50", "p95", "p99", "max"))
        print(f"  {name:<12} {ms['count']:>7,}: {shown}")
    print(
        f"  p99 over the echo's  {ratio(result):.2f} (over the echo's beside the house {beside(result):.2f});"
        f" over the echo's and a raw commit's together {floor(result):.2f}"
    )
    print(f"  commands per second  {result['commands_per_second']}, changes shown {result['changes_shown']:,}")
    print(f"  cores of the house   {result['cores']} (echo {result['echo_cores']})")
    before, after = result["memory_mebibytes"]
    print(f"  memory               {before} MiB, at the end {after} MiB")
    print(f"  store                {result['store_bytes_per_command']:,} bytes for each accepted command")
    print(f"  errors               {result['errors'] or 'none'}, exit code {result['exit_code']}")
    print(f"  checked              {result['checked']}, load average {result['load_average']}")
    if result["errors"]:
        print(result["log"])


def ratio(result: dict[str, Any]) -> float:
    return float(result["answers"]["p99"] / (result["echo"]["p99"] or 1.0))


def beside(result: dict[str, Any]) -> float:
    """The same, over an echo that had the same machine at the same time."""
    return float(result["answers"]["p99"] / (result["echo_beside"]["p99"] or 1.0))


def floor(result: dict[str, Any]) -> float:
    """The same, over what nothing durable can go below: the framework and the disk."""
    return float(result["answers"]["p99"] / (result["echo"]["p99"] + result["raw_commits"]["p99"] or 1.0))


def run(
    *, clients: int = CLIENTS, tables: int = 0, minutes: float = 1.0, profile: str = "", place: str | None = None
) -> dict[str, Any]:
    """A run in a folder of its own."""
    tables = tables or max(TABLES, -(-clients // SEATS))
    folder = Path(tempfile.mkdtemp(dir=place))
    try:
        return measure(folder, clients=clients, tables=tables, minutes=minutes, profile=profile)
    finally:
        shutil.rmtree(folder)


def figures(minutes: float = 1.0) -> list[Figure]:
    """A short run, for `make bench`."""
    result = run(minutes=minutes)
    what = f"server, {CLIENTS} clients at {TABLES} tables"
    failed = sum(result["errors"].values()) + sum(code != 0 for code in result["checked"].values())
    return [
        Figure(f"{what}: p99 of an answer", result["answers"]["p99"], "ms", 50),
        Figure(f"{what}: p99 over the echo's", ratio(result), "", 5),
        Figure(f"{what}: over echo and raw commit", floor(result), "", 5),
        Figure(f"{what}: errors", failed, "", 1),
        Figure(f"{what}: cores", result["cores"], "", 0.5),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--tables", type=int, default=0, help="default: 84, or more if the clients need more seats")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument(
        "--folder", help="where the store is made; on a disk of memory, what the disk takes is left out"
    )
    parser.add_argument("--profile", default="", help="a file for a profile of the house")
    parser.add_argument("--json", type=Path, help="where the figures go as JSON")
    options = parser.parse_args()
    result = run(
        clients=options.clients,
        tables=options.tables,
        minutes=options.minutes,
        profile=options.profile,
        place=options.folder,
    )
    show(result)
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
