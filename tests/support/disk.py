"""A disk in memory, as SQLite sees it, that loses power, fills up and fails at any call.

What was written since the last sync is kept apart. A power cut keeps all of it, any part of it, everything up to a
point, or tears the last write at 512 bytes. A `strict` disk may also bring back a deleted file until its folder is
synced. A failed sync forgets what it should have written, although reading still shows it: that is what Linux does.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final, Literal, NamedTuple

import apsw

SECTOR: Final = 512
Fault = Literal["full", "error"]
What = Literal["write", "truncate", "sync", "delete"]
_NUMBERS: Final = count(1)


class Change(NamedTuple):
    """A write (at an offset) or a truncation (no data: to that size) that no sync has made durable yet."""

    name: str
    offset: int
    data: bytes | None

    def on(self, content: bytearray) -> None:
        if self.data is None:
            del content[self.offset :]
            return
        if len(content) < self.offset:
            content.extend(bytes(self.offset - len(content)))
        content[self.offset : self.offset + len(self.data)] = self.data


class Disk(apsw.VFS):
    """Files in memory, as a VFS of SQLite under `name`; `calls` counts writes, truncations, syncs and deletions."""

    def __init__(self, files: dict[str, bytes] | None = None, *, strict: bool = False) -> None:
        self.name: Final = f"disk {next(_NUMBERS)}"
        self.strict: Final = strict
        self.calls = self.syncs = 0
        self.off = False
        """Power is gone: nothing works any more."""
        self.off_at: int | None = None
        """The call at which power goes."""
        self.fault_at: Callable[[What], Fault | None] = lambda _: None
        """Whether the call that is counted last fails, and how."""
        self.seen: Final[dict[str, bytearray]] = {name: bytearray(data) for name, data in (files or {}).items()}
        self._durable: Final[dict[str, bytearray]] = {name: bytearray(data) for name, data in (files or {}).items()}
        self._pending: list[Change] = []
        self._deleted: Final[dict[str, bytes]] = {}
        super().__init__(self.name, "")

    def remove(self) -> None:
        """Take the disk out: SQLite forgets its name."""
        self.unregister()

    # --- power

    def after_cut(self, dice: random.Random) -> "Disk":
        """The disk as it is found when power comes back."""
        files = {name: bytearray(data) for name, data in self._durable.items()}
        for change in _survivors(self._pending, dice):
            change.on(files.setdefault(change.name, bytearray()))
        if self.strict:
            files = {name: bytearray(data) for name, data in self._deleted.items() if dice.random() < 0.5} | files
        return Disk({name: bytes(data) for name, data in files.items()}, strict=self.strict)

    # --- what files do

    def write(self, name: str, offset: int, data: bytes) -> None:
        change = Change(name, offset, data)
        try:
            self._call("write")
        except apsw.Error:
            if not self.off:  # a write that fails may have written its beginning
                self._change(change._replace(data=data[: len(data) // 2 // SECTOR * SECTOR]))
            raise
        self._change(change)

    def truncate(self, name: str, size: int) -> None:
        self._call("truncate")
        self._change(Change(name, size, None))

    def sync(self, name: str) -> None:
        mine = [change for change in self._pending if change.name == name]
        self.syncs += 1
        try:
            self._call("sync")
        except apsw.Error:
            if not self.off:
                self._pending = [change for change in self._pending if change.name != name]
            raise
        content = self._durable.setdefault(name, bytearray())
        for change in mine:
            change.on(content)
        self._pending = [change for change in self._pending if change.name != name]

    def _change(self, change: Change) -> None:
        change.on(self.seen[change.name])
        self._pending.append(change)

    def _call(self, what: What) -> None:
        self.calls += 1
        if self.off_at is not None and self.calls >= self.off_at:
            self.off = True
        self.check()
        match self.fault_at(what):
            case "full":
                raise apsw.FullError("planted")
            case "error":
                raise apsw.IOError("planted")

    def check(self) -> None:
        if self.off:
            raise apsw.IOError("no power")

    # --- what SQLite asks of a VFS

    def xOpen(self, name: Any, flags: list[int]) -> "DiskFile":  # type: ignore[override] # noqa: ANN401, N802 - SQLite's names and types
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or f"temporary {next(_NUMBERS)}"
        if path not in self.seen and not flags[0] & apsw.SQLITE_OPEN_CREATE:
            raise apsw.CantOpenError(path)
        self.check()
        self.seen.setdefault(path, bytearray())
        self._deleted.pop(path, None)
        flags[1] = flags[0]
        return DiskFile(self, path)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        if filename not in self.seen:
            raise apsw.IOError(filename)
        self._call("delete")
        del self.seen[filename]
        if filename in self._durable:
            self._deleted[filename] = bytes(self._durable.pop(filename))
        self._pending = [change for change in self._pending if change.name != filename]
        if syncdir:
            self._deleted.clear()

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802
        del flags
        self.check()
        return pathname in self.seen

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


class DiskFile:
    """An open file."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk, self._name = disk, name

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.check()
        return bytes(self._disk.seen[self._name][offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.write(self._name, offset, bytes(data))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.truncate(self._name, newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        del flags
        self._disk.sync(self._name)

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._disk.seen[self._name])

    def xLock(self, level: int) -> None:  # noqa: N802 - one process, one connection
        del level

    def xUnlock(self, level: int) -> None:  # noqa: N802
        del level

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, op: int, ptr: int) -> bool:  # noqa: N802
        del op, ptr
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802 - what SQLite assumes of any disk under Unix
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE

    def xClose(self) -> None:  # noqa: N802
        if self._name.startswith("temporary "):
            with suppress(KeyError):
                del self._disk.seen[self._name]


def _survivors(pending: list[Change], dice: random.Random) -> list[Change]:
    """What a power cut leaves of the changes that were not synced."""
    match dice.choice(("all", "some", "first", "torn")):
        case "all":
            return list(pending)
        case "some":
            return [change for change in pending if dice.random() < 0.5]
        case "first":
            return pending[: dice.randint(0, len(pending))]
    kept = pending[: dice.randint(0, len(pending))]
    if kept and kept[-1].data:
        data = kept[-1].data
        kept[-1] = kept[-1]._replace(data=data[: dice.randint(0, len(data) // SECTOR) * SECTOR])
    return kept
