"""A host that keeps a table in a folder: lines, sealed cards, seeds and the law, each batch whole or not at all.

    python tests/support/folder_host.py read FOLDER…    rebuild the tables; a digest of each, or what is wrong
    python tests/support/folder_host.py go-on FOLDER < requests.jsonl    rebuild, run these commands, store the results

Both are for a process that has never seen the table before.
"""

import hashlib
import json
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from croupier.cards import Card
from croupier.driver import CardsByHand, FairShuffler, Outcome, TableRunner
from croupier.errors import BrokenRecord, CroupierError
from croupier.fairness import Entropy, Sealed, unwrap
from croupier.files import write_whole
from croupier.games import Round
from croupier.games.dealing import DealPlan
from croupier.games.round import Faces
from croupier.games.rules import Rules, Stage
from croupier.journal import (
    DataKey,
    HouseKey,
    chain_hash,
    check_known,
    event_names,
    first_hash,
    new_data_key,
    open_entry,
    read_line,
    seal_entry,
    write_line,
)
from croupier.rulebook import Archive, FolderShelf, HouseRules, Submission, submission_text
from croupier.table import Entry, Person, Table, creation, read_request, rebuild, stream_of
from croupier.table.events import MethodChanged, RulesProposed

KEY: Final = bytes(range(32))
HOUSE: Final = Person("operator", "the house")


class FolderHost:
    """One table's record in a folder."""

    def __init__(self, folder: Path, key: bytes = KEY) -> None:
        self.folder, self.laws = folder, Archive(FolderShelf(folder / "law"))
        self.draw = drawn_from(folder, self)
        path = folder / "data-key"
        ring = HouseKey(key)
        if path.exists():
            self.cipher = DataKey(ring.unwrap(path.read_bytes()), draw=self.draw)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            self.cipher, wrapped = new_data_key(ring)
            self.cipher = DataKey(ring.unwrap(wrapped), draw=self.draw)
            write_whole(path, wrapped)
        self.seq, self.head = 0, b""

    # --- writing

    def create(self, table: Table, at: datetime) -> None:
        """The first entry."""
        self.laws.put(table.submission, table.house)
        self.head = first_hash(stream_of(table))
        self.store(Outcome(table, (creation(table, HOUSE, at),)))

    def store(self, outcome: Outcome) -> None:
        """All of an outcome, or nothing of it."""
        for entry in outcome.entries:
            match entry.event:
                case RulesProposed() if outcome.table.proposal is not None:
                    self.laws.put(outcome.table.proposal.submission, outcome.table.proposal.house)
                case MethodChanged():
                    self.laws.put(outcome.table.submission, outcome.table.house)
        lines, head = [], self.head
        for entry in outcome.entries:
            line = write_line(entry)
            assert write_line(read_line(line)) == line
            head = chain_hash(head, line)
            sealed = seal_entry(entry, self.cipher)
            lines.append([line.decode(), b64encode(sealed).decode() if sealed else None])
        seeds = {one.commitment: b64encode(one.wrap(self.cipher)).decode() for one in outcome.secrets}
        batch = {"lines": lines, "head": head.hex(), "seeds": seeds, "spent": outcome.spent}
        if outcome.entries:
            name = f"batches/{outcome.entries[0].seq:06}.json"
            (self.folder / "batches").mkdir(exist_ok=True)
            write_whole(self.folder / name, json.dumps(batch).encode())
            self.seq, self.head = outcome.entries[-1].seq, head

    # --- reading

    def batches(self) -> Iterator[dict[str, Any]]:
        """Everything that was stored, in order."""
        for path in sorted((self.folder / "batches").iterdir()):
            yield json.loads(path.read_text())

    def entries(self) -> list[Entry]:
        """The whole record, every line held against the chain and every card against its commitment."""
        found: list[Entry] = []
        head = b""
        for batch in self.batches():
            for line, sealed in batch["lines"]:
                raw = line.encode()
                entry = read_line(raw)
                head = chain_hash(head or first_hash(entry.stream), raw)
                if entry.seq != len(found) + 1:
                    raise BrokenRecord(f"{entry.stream}: entry {entry.seq} stands where {len(found) + 1} should")
                found.append(open_entry(entry, b64decode(sealed) if sealed else None, self.cipher))
            if head.hex() != batch["head"]:
                raise BrokenRecord(f"{found[-1].stream}: the chain does not hold at entry {found[-1].seq}")
        check_known({entry.name for entry in found}, event_names())
        self.seq, self.head = len(found), head
        return found

    def load(self) -> Table:
        """The table as it was left."""
        return rebuild(None, self.entries(), self.laws)

    def get(self, commitment: str) -> Sealed | None:
        """A kept seed."""
        for batch in self.batches():
            if commitment in batch["seeds"]:
                return unwrap(b64decode(batch["seeds"][commitment]), commitment, self.cipher)
        return None

    def begin(self, table: Table, at: datetime, *, virtual: bool) -> TableRunner:
        """A new table with this folder behind it."""
        self.create(table, at)
        return self.run(table, virtual=virtual)

    def run(self, table: Table, *, virtual: bool) -> TableRunner:
        """The table with this folder behind it; its chance follows from the place in the record."""
        entropy = Entropy(self.draw)
        source = FairShuffler(entropy, salts=entropy) if virtual else CardsByHand(salts=entropy)
        return TableRunner(table, source, store=self.store, seeds=self)


def drawn_from(folder: Path, host: FolderHost) -> Callable[[int], bytes]:
    """Chance that is the same for the same place in a record of this name, so that two runs can be compared."""
    del folder
    count = [0, 0]

    def draw(size: int) -> bytes:
        count[0], count[1] = host.seq, count[1] + 1 if count[0] == host.seq else 0
        return hashlib.shake_256(f"{count[0]} {count[1]}".encode()).digest(size)

    return draw


# --- a table in one digest


def describe(value: Any) -> Any:  # noqa: ANN401 - whatever a table is made of
    """All that a table is, as plain values: hidden cards too, so only for tests."""
    match value:
        case HouseRules():
            return value.hash
        case Submission():
            return submission_text(value)
        case Rules():
            return value.house.hash
        case Stage():
            return value.index
        case DealPlan():
            return [str(place) for place in value.places]
        case Faces():
            cards = [str(card) for card in value.known], [str(card) for card in value.aside]
            return [*cards, value.awaiting_identity, [salt.hex() for salt in value.salts], value.patrons]
        case Struct():
            return {name: describe(getattr(value, name)) for name in value.__struct_fields__}
        case Card() | datetime() | date() | Enum():
            return str(value)
        case frozenset():
            return sorted(value)
        case tuple() | list():
            return [describe(one) for one in value]
    return value


def digest(table: Table | Round) -> str:
    """A table in one hash."""
    return hashlib.sha256(json.dumps(describe(table), sort_keys=True).encode()).hexdigest()


# --- a fresh process


def fresh(*words: str, stdin: str = "") -> list[str]:
    """What a process says that has never seen the table."""
    run = subprocess.run([sys.executable, __file__, *words], input=stdin, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.splitlines()


def main() -> None:
    match sys.argv[1:]:
        case ["read", *folders]:
            for folder in folders:
                try:
                    print(digest(FolderHost(Path(folder)).load()))
                except CroupierError as error:
                    print(f"refused: {error}")
        case ["go-on", folder]:
            host = FolderHost(Path(folder))
            run = host.run(host.load(), virtual=True)
            for line in sys.stdin:
                run.handle(read_request(json.loads(line), run.table.house))
            print(digest(run.table))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
