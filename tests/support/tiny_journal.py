"""Writes small records from `docs/journal.md` alone: whole ones, and ones that are wrong in a chosen way.

Nothing here comes from the program that writes records, so a verifier is not tested against its own family.
"""

import base64
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

STORE: Final = "0123456789abcdef0123456789abcdef"
RULES: Final = "ab" * 32
SEED: Final = bytes(range(32))
COMMITMENT: Final = "716270ff085c47af779d142841c3099b394e2075a6361d2a0978ad93d6026eba"
DECK: Final = (
    "9c 3d 5s 6h Jc Qc 3c 4c 7s 2d 5c Ts Js Jd 8d Kh Td 2h Kd Jh Qh Kc 9s 7h Ac 4s Ah "
    "Ad 6d 4h 7c 8s Qs Th 9h 5d 6s Tc 4d 5h 2s Ks 8h 7d 2c 8c Qd 9d 3s As 3h 6c"
).split()
"""The worked example of `docs/fairness.md`."""
KEYS: Final = ("stream", "seq", "at", "by", "rules", "round", "command", "reason", "what")
Posting = tuple[str, str, int]


def dumps(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def salt(place: int) -> bytes:
    return hashlib.sha256(b"salt %d" % place).digest()[:16]


def sealed(card: str, place: int) -> str:
    made = hashlib.sha256(b"croupier-card-1\n" + salt(place) + card.encode()).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def cards_sealed(cards: Sequence[str], place: int = 0) -> dict[str, Any]:
    commitments = [sealed(card, at) for at, card in enumerate(cards, place)]
    return {"event": "cards_sealed/1", "clause": "11.I", "reading": None, "place": place, "cards": commitments}


def cards_shown(cards: Mapping[int, str]) -> dict[str, Any]:
    salts = [base64.b64encode(salt(place)).decode() for place in cards]
    shown = {"places": list(cards), "cards": list(cards.values()), "salts": salts}
    return {"event": "cards_shown/1", "clause": "11.I", "reading": None, "slot": "player", "seat": 1} | shown


def card_corrected(place: int, was: str, card: str) -> dict[str, Any]:
    of = {"place": place, "was": [sealed(was, place)], "card": [sealed(card, place)]}
    return {"event": "hidden_card_corrected/1", "clause": "11.I", "reading": None} | of


def deck_shuffled(commitment: str = COMMITMENT) -> dict[str, Any]:
    of = {"deck": "red", "method": "virtual", "counted": None, "commitment": commitment}
    return {"event": "deck_shuffled/1", "clause": "5.A", "reading": None} | of


def seed_revealed(**changed: object) -> dict[str, Any]:
    proof = {"generator": "croupier-shuffle-1", "commitment": COMMITMENT, "seed": SEED.hex(), "players": []}
    return {"event": "seed_revealed/1", "clause": "5.A", "reading": None} | proof | {"deck": DECK, "depth": 0} | changed


def cards_dealt(number: int) -> dict[str, Any]:
    return {"event": "cards_dealt/1", "number": number, "clause": "11.I", "reading": None}


def card_set_aside(card: str | None) -> dict[str, Any]:
    return {
        "event": "card_set_aside/1",
        "irregularity": "one_card_face_up",
        "card": card,
        "clause": "13.A",
        "reading": 132,
    }


def deck_cut(depth: int) -> dict[str, Any]:
    return {"event": "deck_cut/1", "clause": "5.I", "reading": None, "deck": "red", "depth": depth}


def deck_loaded(deck: str = "red") -> dict[str, Any]:
    return {"event": "deck_loaded/1", "clause": "5.J", "reading": None, "deck": deck, "into": "hand"}


def entropy_added(entropy: str) -> dict[str, Any]:
    return {"event": "entropy_added/1", "clause": "5.A", "reading": None, "patron": "p1", "entropy": entropy}


def note(about: str) -> dict[str, Any]:
    return {"event": "note_made/1", "clause": "1", "reading": None, "about": about}


@dataclass
class TinyJournal:
    """A store in memory: entries and postings go in, exports and databases come out."""

    store: str = STORE
    key: Ed25519PrivateKey = field(default_factory=lambda: Ed25519PrivateKey.from_private_bytes(b"k" * 32))
    lines: dict[str, list[bytes]] = field(default_factory=dict)
    moved: dict[tuple[str, int], list[Posting]] = field(default_factory=dict)
    floors: dict[str, int | None] = field(default_factory=dict)
    checkpoints: list[bytes] = field(default_factory=list)

    def add(self, stream: str, what: object, postings: Iterable[Posting] = (), **changed: object) -> Self:
        lines = self.lines.setdefault(stream, [])
        number = len(lines) + 1
        entry: dict[str, object] = {
            "stream": stream,
            "seq": number,
            "at": f"2026-01-01T20:{number // 60:02}:{number % 60:02}Z",
        }
        entry["by"] = {"role": "dealer", "id": "d1"}
        if stream.startswith("table/"):
            entry |= {"rules": RULES, "round": 1}
        entry |= {"what": what} | changed
        lines.append(dumps({key: entry[key] for key in KEYS if key in entry} | entry))
        if rows := sorted(postings):
            self.moved[stream, number] = rows
        return self

    def open_table(self, name: str = "7") -> Self:
        return self.add(f"table/{name}", {"event": "table_created/1", "clause": "1", "reading": None, "table": name})

    def hashes(self, stream: str) -> list[str]:
        head, made = hashlib.sha256(b"croupier-journal-1\n" + stream.encode()).digest(), []
        for line in self.lines[stream]:
            head = hashlib.sha256(head + line).digest()
            made.append(head.hex())
        return made

    def heads(self) -> list[list[object]]:
        return [[stream, len(self.lines[stream]), self.hashes(stream)[-1]] for stream in sorted(self.lines)]

    def sign(self, **changed: object) -> bytes:
        """One more checkpoint, with its body changed if asked."""
        first = f"croupier-checkpoint-1\n{self.store}".encode()
        before = digest(json.loads(self.checkpoints[-1])["body"].encode() if self.checkpoints else first)
        body = {"store": self.store, "number": len(self.checkpoints) + 1, "at": "2026-01-02T06:00:00Z"}
        text = dumps(body | {"before": before, "heads": self.heads()} | changed)
        signature = self.key.sign(b"croupier-checkpoint-1\n" + text).hex()
        self.checkpoints.append(dumps({"body": text.decode(), "signer": self.signer(), "signature": signature}))
        return self.checkpoints[-1]

    def signer(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def accounts(self) -> list[list[object]]:
        sums, units = Counter[str](), dict[str, str]()
        for name, unit, amount in (row for rows in self.moved.values() for row in rows):
            sums[name] += amount
            units[name] = unit
        names = sorted({*sums, *self.floors})
        return [[name, units.get(name, "cents"), self.floors.get(name), sums[name]] for name in names]

    def body(self) -> list[bytes]:
        """Every line of the export but the last."""
        made = [dumps({"export": "croupier-export-1", "store": self.store})]
        for stream in sorted(self.lines):
            for number, line in enumerate(self.lines[stream], 1):
                made.append(line)
                if rows := self.moved.get((stream, number)):
                    made.append(dumps({"of": [stream, number], "postings": rows}))
        return [*made, dumps({"accounts": self.accounts()}), *self.checkpoints]

    def export(self) -> bytes:
        return closed(self.body(), self.heads())

    def write_store(self, path: Path) -> None:
        """The same record as the SQLite file of a store."""
        with closing(sqlite3.connect(path)) as db:
            db.executescript(
                """PRAGMA journal_mode = WAL; CREATE TABLE meta(key, value); CREATE TABLE head(stream, seq, hash);
                CREATE TABLE event(stream, seq, name, at, round, line, sealed, key, hash);
                CREATE TABLE posting(stream, seq, account, amount); CREATE TABLE account(name, unit, floor, amount);
                CREATE TABLE checkpoint(number, body, signer, signature);
                CREATE TABLE migration(number, checksum); INSERT INTO migration VALUES (1, ''), (2, '')"""
            )
            db.execute("INSERT INTO meta VALUES ('store', ?)", [self.store])
            for stream, lines in self.lines.items():
                rows = zip(lines, map(bytes.fromhex, self.hashes(stream)), strict=True)
                for number, (line, head) in enumerate(rows, 1):
                    entry = json.loads(line)
                    at = datetime.fromisoformat(entry["at"]) - datetime(1970, 1, 1, tzinfo=UTC)
                    name, micros = entry["what"]["event"], at // timedelta(microseconds=1)
                    cells = stream, number, name, micros, entry.get("round", 0), line, None, None, head
                    db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", cells)
            heads = [(stream, number, bytes.fromhex(str(head))) for stream, number, head in self.heads()]
            db.executemany("INSERT INTO head VALUES (?, ?, ?)", [*heads, ("table/claimed", 0, b"")])
            moved = [(*of, name, amount) for of, rows in self.moved.items() for name, _, amount in rows]
            db.executemany("INSERT INTO posting VALUES (?, ?, ?, ?)", moved)
            db.executemany("INSERT INTO account VALUES (?, ?, ?, ?)", self.accounts())
            for number, line in enumerate(self.checkpoints, 1):
                signed = json.loads(line)
                by = bytes.fromhex(signed["signer"]), bytes.fromhex(signed["signature"])
                db.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", (number, signed["body"], *by))
            db.commit()


def closed(body: Sequence[bytes], heads: object) -> bytes:
    """An export with the last line that belongs to these lines."""
    text = b"".join(line + b"\n" for line in body)
    return text + dumps({"heads": heads, "lines": len(body), "sha256": digest(text)}) + b"\n"


def smallest() -> TinyJournal:
    """A card sealed and shown, a bet paid, and a checkpoint: each kind of line once or twice."""
    tiny = TinyJournal(floors={"rack": 0})
    tiny.add("cage", note("buy-in"), [("cage", "cents", -500), ("rack", "cents", 500)])
    tiny.open_table()
    tiny.add("table/7", cards_dealt(1))
    tiny.add("table/7", cards_sealed(["Ah"]))
    tiny.add("table/7", cards_shown({0: "Ah"}))
    tiny.sign()
    return tiny


def virtual_round(tiny: TinyJournal, stream: str, number: int = 1) -> None:
    """A round from a deck that was committed to, and cut twice: two cards, one set aside, one more."""
    cut = [*DECK[17:], *DECK[:17]]
    for what in (deck_shuffled(), deck_cut(40), deck_cut(29), deck_loaded(), cards_dealt(2)):
        tiny.add(stream, what, round=number)
    tiny.add(stream, card_set_aside(cut[2]), round=number)
    tiny.add(stream, cards_dealt(1), round=number)
    tiny.add(stream, cards_sealed([cut[0], cut[1], cut[3]]), round=number)
    tiny.add(stream, cards_shown({0: cut[0], 2: cut[3]}), round=number)
    tiny.add(stream, cards_shown({1: cut[1]}) | {"salts": []}, round=number)


def evening(rounds: int = 3) -> TinyJournal:
    """Rounds at two tables with a shuffle, a correction, shared accounts, a meter and two checkpoints."""
    tiny = TinyJournal(floors={"rack/7": 0, "patron/p1": 0, "cage": None, "quiet": 0})
    tiny.add("cage", note("buy-in: Zoë"), [("cage", "cents", -900_000), ("patron/p1", "cents", 900_000)])
    tiny.add("link/major", note("seeded"))
    for name in ("7", "é"):
        tiny.open_table(name)
        stream = f"table/{name}"
        virtual_round(tiny, stream)
        tiny.add(stream, seed_revealed(depth=17))
        tiny.add(stream, deck_shuffled(""), command="c1", reason="again")
        tiny.add(stream, deck_loaded())
        for number in range(2, rounds + 2):
            tiny.add(stream, cards_dealt(3), round=number)
            tiny.add(stream, cards_sealed(DECK[:3]), round=number)
            tiny.add(stream, card_corrected(1, DECK[1], "Kh"), round=number)
            paid = [("patron/p1", "cents", -500), (f"rack/{name}", "cents", 500)]
            tiny.add(stream, note("bet"), [*paid, ("meter/a", "meter", 25), ("meter/b", "meter", -25)], round=number)
            tiny.add(stream, cards_shown({0: DECK[0], 1: "Kh"}), round=number)
            tiny.add(stream, cards_shown({2: DECK[2]}) | {"salts": []}, round=number)
    whole = tiny.lines.pop("table/é")
    tiny.sign()
    tiny.lines["table/é"] = whole
    tiny.sign()
    return tiny
