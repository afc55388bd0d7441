"""Verifies a record of Croupier: an export, or a store's SQLite file. One file, standard library only, no keys.

`python verify.py EXPORT [--head CHECKPOINT_FILE] [--signer HEX]` exits 0 if the record is whole, 1 with the first
record that does not hold and why, 2 if it cannot be read. Written from `docs/journal.md` and `docs/fairness.md` alone,
so that it is a second opinion on the program that writes records. Where these pages leave a choice, it is strict.
"""

import argparse
import hashlib
import hmac
import io
import json
import re
import sqlite3
import sys
from base64 import b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain, count, groupby, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, NoReturn, TypeAlias

Json: TypeAlias = dict[str, Any]
Point: TypeAlias = tuple[int, int, int, int]
Beside: TypeAlias = tuple[object, ...] | None
"""What a store keeps beside an entry: stream, number, hash, event, time in microseconds since 1970, and round or 0."""

# The form of a value: a pattern of text, a range of whole numbers, [any number of a form], (a row), {a choice}.
WHOLE, PLACE, NUMBER, DEALT = range(-(1 << 63), 1 << 63), range(1 << 63), range(1, 1 << 63), range(1, 53)
ID, HASH, SIGNATURE = (re.compile(f"[0-9a-f]{{{size}}}") for size in (32, 64, 128))
TEXT, UNIT = re.compile(r"[^\ud800-\udfff]*"), re.compile("cents|meter")
STREAM, EVENT = re.compile(r"(table/|link/)[^\ud800-\udfff]+|cage|house"), re.compile(r"[a-z0-9_]+/[1-9][0-9]*")
TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")
SEALED, SALT = re.compile("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]"), re.compile("[A-Za-z0-9+/]{21}[AQgw]==")
CARD, SEED, BYTES = (re.compile(form) for form in ("[2-9TJQKA][cdhs]", "[0-9a-fA-F]{64}", "([0-9a-fA-F]{2})*"))
LINES: Final[Json] = {
    "export": {"export": re.compile("croupier-export-1"), "store": ID},
    "stream": {"stream": STREAM, "seq": NUMBER, "at": TIME, "by": {"role": TEXT, "id": TEXT}}
    | {"rules": HASH, "round": NUMBER, "command": TEXT, "reason": TEXT, "what": dict},
    "of": {"of": (STREAM, NUMBER), "postings": [(TEXT, UNIT, WHOLE)]},
    "accounts": {"accounts": [(TEXT, UNIT, {WHOLE, None}, WHOLE)]},
    "body": {"body": TEXT, "signer": HASH, "signature": SIGNATURE},
    "heads": {"heads": [(STREAM, NUMBER, HASH)], "lines": NUMBER, "sha256": HASH},
}
"""Every kind of line by its first key, which is also how a line is known."""
FOLLOWS: Final = frozenset("^e es ea ss so sa os oa ab ah bb bh".split())
"""Which line may follow which, by the first letters of their first keys."""
BODY: Final = {"store": ID, "number": NUMBER, "at": TIME, "before": HASH, "heads": [(STREAM, NUMBER, HASH)]}
EVENTS: Final[Json] = {
    "table_created": {"table": TEXT},
    "cards_sealed": {"place": PLACE, "cards": [SEALED]},
    "hidden_card_corrected": {"place": PLACE, "was": (SEALED,), "card": (SEALED,)},
    "cards_shown": {"places": [PLACE], "cards": [CARD], "salts": [SALT]},
    "card_corrected": {"place": PLACE, "card": CARD},
    "cards_dealt": {"number": DEALT},
    "card_set_aside": {"card": {CARD, None}},
    "deck_shuffled": {"deck": TEXT, "commitment": {HASH, re.compile("")}},
    "deck_cut": {"deck": TEXT, "depth": PLACE},
    "deck_loaded": {"deck": TEXT},
    "entropy_added": {"entropy": BYTES},
    "seed_revealed": {"generator": re.compile("croupier-shuffle-1"), "commitment": HASH, "seed": SEED}
    | {"players": [BYTES], "deck": [CARD], "depth": PLACE},
}
"""What is checked of an event, all of version 1."""
OF_CARDS: Final = frozenset(
    "cards_dealt card_set_aside cards_sealed hidden_card_corrected card_corrected cards_shown".split()
)
BESIDE: Final = ("stream", "number", "hash", "name", "time", "round")
FORMAT: Final = 4
"""The newest format of a store that is read here."""
EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00Z")
POSTINGS: Final = """SELECT posting.stream, seq, account, unit, posting.amount FROM posting
    LEFT JOIN account ON account = name ORDER BY posting.stream, seq, account"""
EVENT_ROWS: Final = "SELECT stream, seq, line, hash, name, at, round FROM event ORDER BY stream, seq"
LONGEST: Final = 1 << 28
"""Bytes of a line; a longer one is refused before it fills the memory."""


class DoesNotHold(Exception):
    """The first record that does not hold, and why."""


class NotARecord(DoesNotHold):
    """There is nothing that could hold or not: it is not a record, or not a checkpoint."""


class Report(NamedTuple):
    """What was checked in a record that is whole; `lines` are entries, `openings` cards."""

    streams: int
    lines: int
    openings: int
    shuffles: int
    postings: int
    accounts: int
    checkpoints: int
    signatures: int


def _require(condition: bool, why: str) -> None:  # noqa: FBT001 - it reads as a sentence
    if not condition:
        raise ValueError(why)


def _unique(pairs: list[tuple[str, object]]) -> Json:
    _require(len(dict(pairs)) == len(pairs), "a key appears twice")
    return dict(pairs)


def _not_whole(number: str) -> NoReturn:
    raise ValueError(f"{number[:20]} is not a whole number")


DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_not_whole, parse_float=_not_whole)


def _read(line: bytes) -> Json:
    value: object = DECODER.decode(line.decode())
    if not isinstance(value, dict) or line[:2] != b'{"' or line[-1:] != b"}" or b"\n" in line or b"\r" in line:
        raise ValueError("is not one JSON object on one line")
    return value


def _dumps(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _fits(value: Any, form: Any) -> bool:  # noqa: ANN401 - that is the question
    match form:
        case re.Pattern():
            return isinstance(value, str) and form.fullmatch(value) is not None
        case range():
            return type(value) is int and value in form
        case list():
            return isinstance(value, list) and all(_fits(item, form[0]) for item in value)
        case tuple():
            return isinstance(value, list) and len(value) == len(form) and all(map(_fits, value, form))
        case set():
            return any(_fits(value, choice) for choice in form)
        case dict():
            return isinstance(value, dict) and [*value] == [*form] and all(map(_fits, value.values(), form.values()))
    return value is None if form is None else isinstance(value, form)


def _check(value: Json, form: Json) -> None:
    if [*value] != [*form]:
        raise ValueError(f"must have the keys {', '.join(form)}, in this order")
    for key in form:
        if not _fits(value[key], form[key]):
            raise ValueError(f"{key} is not in its form")
        if key in {"postings", "accounts", "heads"}:
            _require(all(row[0] < after[0] for row, after in pairwise(value[key])), f"{key} are not in order of names")


# Ed25519, RFC 8032, by the equation without the cofactor, which accepts the least.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _read_point(data: bytes) -> Point | None:
    sign, y = divmod(int.from_bytes(data, "little"), 1 << 255)
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or v * x * x % P != u or (x == 0 and sign):
        return None
    x = P - x if x % 2 != sign else x
    return x, y, 1, x * y % P


@lru_cache(maxsize=1024)
def _signed(signer: bytes, message: bytes, signature: bytes) -> bool:
    """Refuses keys of small order, and any point or number that is not in its canonical form."""
    key, base, s = _read_point(signer), _read_point(b"\x58" + b"\x66" * 31), int.from_bytes(signature[32:], "little")
    if key is None or base is None or s >= ORDER:
        return False
    four = _add(_add(key, key), _add(key, key))
    if _add(four, four)[0] == 0:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + signer + message).digest(), "little") % ORDER
    minus, total = (P - key[0], key[1], 1, P - key[3]), (0, 1, 1, 0)
    sums = (total, base, minus, _add(base, minus))
    for bit in range(252, -1, -1):
        total = _add(_add(total, total), sums[(s >> bit & 1) + 2 * (k >> bit & 1)])
    inverse = pow(total[2], -1, P)
    return (total[1] * inverse % P | (total[0] * inverse % P & 1) << 255).to_bytes(32, "little") == signature[:32]


def _read_checkpoint(line: bytes) -> Json:
    """The keys of its line and of its body, side by side."""
    value = _read(line)
    _check(value, LINES["body"])
    body = _read(value["body"].encode())
    _check(body, BODY)
    datetime.fromisoformat(body["at"])
    return body | value


def _shuffled(seed: bytes, players: Sequence[bytes]) -> list[str]:
    """The deck of `croupier-shuffle-1`."""
    entries = b"".join(len(entry).to_bytes(8, "big") + entry for entry in players)
    key = hashlib.sha256(b"croupier-shuffle-1 key\n" + seed + len(players).to_bytes(8, "big") + entries).digest()
    stream = (byte for block in count() for byte in hmac.digest(key, block.to_bytes(8, "big"), "sha256"))
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for i in range(51, 0, -1):
        j = next(byte for byte in stream if byte < 256 - 256 % (i + 1)) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


class _Audit:
    """Takes a record line by line, and keeps what it needs of streams, rounds, accounts and checkpoints.

    `take` reads a line and hands it to the method of its kind; the four parts below have one subject each.
    """

    def __init__(self, heads: Sequence[bytes], signer: str) -> None:
        self.number, self.where, self.kind, self.store, self.before = 0, "saved checkpoint", "^", "", ""
        self.signer, self.digest, self.counts = signer, hashlib.sha256(), Counter[str]()
        self.heads: dict[str, tuple[int, str]] = {}
        self.marks: dict[tuple[str, int], str] = {}
        self.signed_heads: dict[str, int] = {}
        self.units: dict[str, str] = {}
        self.movers: dict[str, set[str]] = {}
        self.amounts, self.lowest = Counter[str](), dict[str, tuple[int, str, int]]()
        self.saved_lines, self.saved = heads, list[Json]()
        self.begin("")

    def begin(self, stream: str) -> None:
        self.stream, self.seq, self.round, self.time = stream, 0, 0, datetime.fromisoformat("0001-01-01T00:00:00Z")
        self.head = hashlib.sha256(b"croupier-journal-1\n" + stream.encode()).digest()
        self.shuffles: set[str] = set()
        self.decks: dict[str, tuple[str, int]] = {}  # by name: the commitment, and how deep it is cut
        self.loaded, self.players = "", list[str]()
        self.begin_round(0)

    def begin_round(self, number: int) -> None:
        """With its first card: which deck it is dealt from is known now."""
        self.round, self.drawn, self.dealt = number, 0, list[int]()  # where in the deck the card of each place was
        self.places: dict[int, str] = {}
        self.named: list[tuple[int, str]] = []
        commitment, depth = self.decks.get(self.loaded, ("", 0))
        self.promised = commitment, self.players, depth
        self.unrevealed, self.first_open = bool(number and commitment), max(number, 1)

    def run(self, records: Iterable[tuple[bytes, Beside]], checkpoints: Iterable[bytes]) -> Report:
        try:
            self.saved = [_read_checkpoint(line) for line in self.saved_lines]
        except (ValueError, RecursionError) as error:
            raise NotARecord(f"{self.where}: {str(error)[:200]}") from None
        try:
            with suppress(ValueError, RecursionError):  # the second reading says what is wrong
                for point in chain(self.saved, map(_read_checkpoint, checkpoints)):
                    self.marks |= {(stream, seq): "" for stream, seq, _ in point["heads"]}
            self.number, self.where = 1, "record 1"
            for line, beside in records:
                self.take(line, beside)
                self.digest.update(line + b"\n")
                self.number += 1
                self.where = f"record {self.number}"
            _require(self.kind == "heads", "is missing: the record ends early")
        except (ValueError, RecursionError) as error:
            raise DoesNotHold(f"{self.where}: {str(error)[:200]}") from None
        return Report(len(self.heads), *(self.counts[name] for name in Report._fields[1:]))

    def take(self, line: bytes, beside: Beside) -> None:
        value = _read(line)
        kind = next(iter(value), "")
        _require(kind in LINES and self.kind[0] + kind[0] in FOLLOWS, "is not a line that belongs here")
        self.kind = kind
        if kind == "stream":
            return self.take_entry(value, line, beside)
        if kind == "body":
            return self.take_checkpoint(_read_checkpoint(line))
        _check(value, LINES[kind])
        _require(_dumps(value) == line, "is not written in its one form")
        if kind == "export":
            self.store = value["store"]
            self.before = hashlib.sha256(f"croupier-checkpoint-1\n{self.store}".encode()).hexdigest()
            return None
        return {"of": self.take_postings, "accounts": self.take_accounts, "heads": self.take_last}[kind](value)

    # --- the chain: each line follows the one before, in its stream

    def take_entry(self, value: Json, line: bytes, beside: Beside) -> None:
        table = str(value["stream"]).startswith("table/")
        keys = {"seq", "at", "by", "what"} | (value.keys() | {"rules"} if table else value.keys() - {"rules", "round"})
        _check(value, {key: form for key, form in LINES["stream"].items() if key in keys})
        stream, seq, at, what = value["stream"], value["seq"], datetime.fromisoformat(value["at"]), value["what"]
        self.where += f" ({stream}, {seq})"
        if stream != self.stream:
            _require(stream > self.stream, "the streams are not in order of their names")
            self.begin(stream)
        _require(seq == self.seq + 1, f"expected number {self.seq + 1}")
        _require(at >= self.time, "its time is before that of the entry before it")
        self.seq, self.time, self.head = seq, at, hashlib.sha256(self.head + line).digest()
        self.heads[stream] = seq, self.head.hex()
        if beside is not None:
            micros = (at - EPOCH) // timedelta(microseconds=1)
            right = stream, *self.heads[stream], what.get("event"), micros, value.get("round", 0)
            for name, stored, own in zip(BESIDE, beside, right, strict=True):
                _require(stored == own, f"the store has another {name} for it")
        if (stream, seq) in self.marks:
            self.marks[stream, seq] = self.head.hex()
        self.counts["lines"] += 1
        _require(_fits(what.get("event"), EVENT), "its event is not a name with a version")
        event, _, version = what["event"].partition("/")
        _require((event == "table_created") == (table and seq == 1), "a table begins with table_created, once")
        if event in EVENTS:
            _require(table and version == "1", f"{event}/{version} is not known here")
            content = {"salts": []} | what
            _check({key: content.get(key) for key in EVENTS[event]}, EVENTS[event])
            self.take_event(event, content, value.get("round", 0))

    # --- cards: what was sealed is what was shown, and lay there in the deck that was promised

    def take_event(self, event: str, what: Json, number: int) -> None:
        if event in OF_CARDS:
            _require(number >= self.first_open, "its round is missing, or over")
            if number != self.round:
                _require(not self.unrevealed, "the seed of the round before it was not revealed")
                self.begin_round(number)
        match event:
            case "table_created":
                _require(f"table/{what['table']}" == self.stream, "it created another table")
            case "cards_sealed":
                sealed = dict(enumerate(what["cards"], what["place"]))
                _require(not sealed.keys() & self.places.keys(), "a place is sealed twice in a round")
                _require(max(sealed, default=0) < len(self.dealt), "no card was dealt to its place")
                self.places |= sealed
            case "hidden_card_corrected":
                _require(what["was"] == [self.places.get(what["place"])], "it corrects another commitment")
                self.places[what["place"]] = what["card"][0]
            case "cards_shown":
                cards, places, salts = what["cards"], what["places"], [b64decode(salt) for salt in what["salts"]]
                _require(len(cards) == len(places), "each card needs a place")
                _require(len(salts) in {0, len(cards)}, "each card needs a salt")
                for place, card in zip(places, cards, strict=True):
                    self.name(place, card)
                for place, card, salt in zip(places, cards, salts, strict=False):
                    opened = hashlib.sha256(b"croupier-card-1\n" + salt + card.encode()).digest()
                    good = urlsafe_b64encode(opened).decode() == f"{self.places.get(place)}="
                    _require(good, f"{card} and its salt do not open what was sealed at place {place}")
                self.counts["openings"] += len(salts)
            case "card_corrected":
                self.name(what["place"], what["card"])
            case "cards_dealt":
                self.dealt += range(self.drawn, self.drawn + what["number"])
                self.drawn += what["number"]
            case "card_set_aside":
                self.named += [(self.drawn, what["card"])] if what["card"] else []
                self.drawn += 1
            case _:
                self.take_deck_event(event, what, number)

    def take_deck_event(self, event: str, what: Json, number: int) -> None:
        match event:
            case "deck_shuffled":
                _require(what["commitment"] not in self.shuffles, "a seed is for one shuffle")
                self.shuffles |= {what["commitment"]} - {""}
                self.decks[what["deck"]] = what["commitment"], 0
            case "deck_cut":
                commitment, depth = self.decks.get(what["deck"], ("", 0))
                self.decks[what["deck"]] = commitment, (depth + what["depth"]) % 52
            case "deck_loaded":
                self.loaded, self.players = what["deck"], []
            case "entropy_added":
                self.players = [*self.players, what["entropy"]]
            case "seed_revealed":
                _require(what["commitment"] in self.shuffles, "no deck was shuffled under its commitment")
                seed, players = bytes.fromhex(what["seed"]), [bytes.fromhex(entry) for entry in what["players"]]
                made = hashlib.sha256(b"croupier-shuffle-1 commitment\n" + seed).hexdigest()
                _require(made == what["commitment"], "its seed does not give its commitment")
                _require(what["deck"] == _shuffled(seed, players), "its deck is not the one that its seed gives")
                self.compare_deck(what, number)
                self.counts["shuffles"] += 1

    def name(self, place: int, card: str) -> None:
        _require(place < len(self.dealt), "no card was dealt to its place")
        self.named.append((self.dealt[place], card))

    def compare_deck(self, what: Json, number: int) -> None:
        """A round that ended before its first card has a deck as well, and nothing to compare."""
        _require(number == self.round if self.unrevealed else number > self.round, "it is not the seed of its round")
        if self.unrevealed:
            told = what["commitment"], what["players"], what["depth"]
            _require(told == self.promised, "the round had another commitment, other entropy or another cut")
            for drawn, card in self.named:
                right = what["deck"][(drawn + what["depth"]) % 52]
                _require(card == right, f"card {drawn + 1} of the round was {right}, not {card}")
        self.unrevealed, self.first_open = False, number + 1

    # --- money: every entry sums to zero, and no account falls below its floor

    def take_postings(self, value: Json) -> None:
        self.where += f" (postings of {self.stream}, {self.seq})"
        _require(value["of"] == [self.stream, self.seq], "they are not those of the entry before them")
        _require(value["postings"] != [], "an entry that moves no money has none")
        sums = Counter[str]()
        for name, unit, amount in value["postings"]:
            _require(amount != 0, "a posting of 0 moves nothing")
            _require(self.units.setdefault(name, unit) == unit, f"{name} is kept in another unit")
            self.movers.setdefault(name, set()).add(self.stream)
            self.amounts[name] += amount
            self.lowest[name] = min(self.lowest.get(name, (0, "", 0)), (self.amounts[name], self.stream, self.seq))
            sums[unit] += amount
        _require(not any(sums.values()), "they do not sum to 0 in each unit")
        self.counts["postings"] += len(value["postings"])

    def take_accounts(self, value: Json) -> None:
        self.where += " (accounts)"
        sums = Counter[str]()
        for name, unit, floor, amount in value["accounts"]:
            made = self.units.pop(name, unit), self.amounts[name]
            _require(made == (unit, amount), f"the postings of {name} sum to {made[1]} {made[0]}")
            lowest, stream, seq = self.lowest.get(name, (0, "", 0))
            if floor is not None:
                alone = len(self.movers.get(name, ())) < 2
                _require(not alone or lowest >= min(floor, 0), f"{name} fell below its floor at {stream}, {seq}")
                _require(amount >= floor, f"{name} is below its floor")
            sums[unit] += amount
        _require(not self.units, f"{min(self.units, default='')} is missing")
        _require(not any(sums.values()), "they do not sum to 0 in each unit")
        self.counts["accounts"] = len(value["accounts"])
        for point in self.saved:  # every stream has passed
            self.where = f"saved checkpoint {point['number']}"
            self.hold_to(point)

    # --- checkpoints: what was signed is still there

    def hold_to(self, point: Json) -> None:
        self.signer = self.signer or point["signer"]
        _require(point["store"] == self.store, "it is of another store")
        _require(point["signer"] == self.signer, "it has another signer")
        for stream, seq, head in point["heads"]:
            mark = self.marks.get((stream, seq))
            _require(mark == head, f"{stream} has {'another hash' if mark else 'no entry'} at {seq}")
        message = b"croupier-checkpoint-1\n" + point["body"].encode()
        good = _signed(bytes.fromhex(point["signer"]), message, bytes.fromhex(point["signature"]))
        _require(good, "its signature does not hold")
        self.counts["signatures"] += 1

    def take_checkpoint(self, point: Json) -> None:
        self.where += f" (checkpoint {point['number']})"
        _require(point["number"] == self.counts["checkpoints"] + 1, f"expected number {self.counts['checkpoints'] + 1}")
        _require(point["before"] == self.before, "it does not follow from the one before it")
        heads = {stream: seq for stream, seq, _ in point["heads"]}
        grown = all(heads.get(stream, 0) >= seq for stream, seq in self.signed_heads.items())
        _require(grown, "it has less of a stream than the one before it")
        self.hold_to(point)
        same = all(saved["body"] == point["body"] for saved in self.saved if saved["number"] == point["number"])
        _require(same, "it is not the one that was saved")
        self.before, self.signed_heads = hashlib.sha256(point["body"].encode()).hexdigest(), heads
        self.counts["checkpoints"] += 1

    def take_last(self, value: Json) -> None:
        self.where += " (last line)"
        missing = [point["number"] for point in self.saved if point["number"] > self.counts["checkpoints"]]
        _require(not missing, f"checkpoint {missing[:1]}, which was saved, is missing before it")
        _require(not self.signer or self.counts["signatures"] > 0, "no checkpoint before it has the signer")
        heads = [[stream, seq, head] for stream, (seq, head) in self.heads.items()]
        _require(value["heads"] == heads, "its heads are not those of the streams")
        _require(value["lines"] == self.number - 1, f"there are {self.number - 1} lines before it")
        _require(value["sha256"] == self.digest.hexdigest(), "its sha256 is not that of the lines before it")


def read_heads(paths: Iterable[Path]) -> list[bytes]:
    """The checkpoints that somebody saved in these files, one per line; `NotARecord` says which line is none."""
    heads = []
    for path in paths:
        lines = [(number, line) for number, line in enumerate(path.read_bytes().splitlines(), 1) if line.strip()]
        if not lines:
            raise NotARecord(f"{path}: there is no checkpoint in it")
        for number, line in lines:
            try:
                _read_checkpoint(line)
            except (ValueError, RecursionError) as error:
                raise NotARecord(f"{path}, line {number} is not a checkpoint: {str(error)[:200]}") from None
            heads.append(line)
    return heads


def _export_lines(file: BinaryIO) -> Iterator[tuple[bytes, Beside]]:
    file.seek(0)
    while line := file.readline(LONGEST):
        _require(line.endswith(b"\n"), "is cut off, or too long")
        yield line[:-1], None


def _plain(value: Any, size: int = 0) -> Any:  # noqa: ANN401 - whatever a cell holds; the lines made of it are checked
    """A cell as JSON has it; so many bytes are a hash or a key."""
    return value if not isinstance(value, bytes) else value.hex() if len(value) == size else value.decode()


def _store_checkpoints(db: sqlite3.Connection) -> Iterator[bytes]:
    for body, signer, signature in db.execute("SELECT body, signer, signature FROM checkpoint ORDER BY number"):
        yield _dumps({"body": _plain(body), "signer": _plain(signer, 32), "signature": _plain(signature, 64)})


def _store_lines(db: sqlite3.Connection, audit: _Audit) -> Iterator[tuple[bytes, Beside]]:
    """A store as the export that it would give."""
    for (store,) in db.execute("SELECT value FROM meta WHERE key = 'store'"):
        yield _dumps({"export": "croupier-export-1", "store": _plain(store, 16)}), None
    moves = groupby(db.execute(POSTINGS), lambda row: row[:2])
    move = next(moves, None)
    for stream, seq, line, head, *columns in db.execute(EVENT_ROWS):
        _require(isinstance(line, bytes), "has no line")
        yield line, (_plain(stream), seq, _plain(head, 32), *map(_plain, columns))
        if move and move[0] == (stream, seq):
            postings = [[_plain(cell) for cell in row[2:]] for row in move[1]]
            yield _dumps({"of": [_plain(stream), seq], "postings": postings}), None
            move = next(moves, None)
    _require(move is None, "there are postings of no entry")
    accounts = db.execute("SELECT name, unit, floor, amount FROM account ORDER BY name")
    yield _dumps({"accounts": [[_plain(cell) for cell in row] for row in accounts]}), None
    yield from ((line, None) for line in _store_checkpoints(db))
    rows = db.execute("SELECT stream, seq, hash FROM head WHERE seq <> 0 ORDER BY stream")  # 0: claimed, not begun
    heads = [[_plain(stream), seq, _plain(head, 32)] for stream, seq, head in rows]
    yield _dumps({"heads": heads, "lines": audit.number - 1, "sha256": audit.digest.hexdigest()}), None


def _verify_lines(file: BinaryIO, heads: Sequence[bytes], signer: str) -> Report:
    file.seek(0)
    if not file.read(10).startswith(b'{"export":'):
        raise NotARecord("it is neither an export nor a store")
    checkpoints = (line for line, _ in _export_lines(file) if line.startswith(b'{"body":'))
    return _Audit(heads, signer).run(_export_lines(file), checkpoints)


def verify_export(data: bytes, heads: Sequence[bytes] = (), *, signer: str = "") -> Report:
    """Verify an export, against checkpoints that an auditor saved and their signer; raises `DoesNotHold`."""
    return _verify_lines(io.BytesIO(data), heads, signer)


def verify_file(path: Path, heads: Sequence[bytes] = (), *, signer: str = "") -> Report:
    """The same for a file: an export, or the SQLite file of a store, which is opened for reading only."""
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            return _verify_lines(file, heads, signer)
    # Nobody writes to a store without a log beside it; read so, it needs no log of its own and may be write-protected.
    at_rest = not any(path.with_name(path.name + suffix).exists() for suffix in ("-wal", "-journal"))
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if at_rest else ''}"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as db:
        db.text_factory = bytes
        db.execute("BEGIN")
        for (number,) in db.execute("SELECT max(number) FROM migration"):
            if not isinstance(number, int) or number > FORMAT:
                raise NotARecord(f"a newer version made this store: its format is {number}, this one reads {FORMAT}")
        audit = _Audit(heads, signer)
        return audit.run(_store_lines(db, audit), _store_checkpoints(db))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: 0 if the record is whole, 1 if it is not, 2 if it cannot be read."""
    parser = argparse.ArgumentParser(description="Verify a record of Croupier: an export, or a store's SQLite file.")
    parser.add_argument("record", type=Path, metavar="EXPORT")
    parser.add_argument("--head", type=Path, action="append", default=[], help="checkpoints you saved, one per line")
    parser.add_argument("--signer", default="", help="the public key that must have signed every checkpoint")
    options = parser.parse_args(arguments)
    if options.signer and not HASH.fullmatch(options.signer):
        parser.error("a signer is 64 hexadecimal digits in lower case")
    try:
        heads = read_heads(options.head)
        report = verify_file(options.record, heads, signer=options.signer)
    except (DoesNotHold, OSError, sqlite3.Error) as error:
        print(ascii(str(error)[:300])[1:-1], file=sys.stderr)
        return 1 if isinstance(error, DoesNotHold) and not isinstance(error, NotARecord) else 2
    print(
        f"The record is whole: {report.lines} lines in {report.streams} streams, {report.openings} cards opened, "
        f"{report.shuffles} shuffles dealt again, {report.postings} postings to {report.accounts} accounts, "
        f"{report.checkpoints} checkpoints, {report.signatures} signatures."
    )
    if not heads:
        print("No saved checkpoint was given: a record that its house rewrote from end to end would look the same.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
