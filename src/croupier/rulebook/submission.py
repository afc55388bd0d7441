"""An operator's Rules Submission as it was written: read, typed, not yet judged.

What cannot be read at all (a wrong type, a number that is none) is `Malformed` and names its key. A key
that nothing reads is kept in `unknown`, for `check` to report beside everything else.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct

from croupier.errors import Malformed, MoneyError
from croupier.ids import check_id
from croupier.money import Cents, typed_dollars
from croupier.rulebook.options import frozen_value
from croupier.rulebook.rates import ExactRate, read_rate
from croupier.rulebook.schema import OptionValue
from croupier.rulebook.typed_names import wagers_as_printed
from croupier.wire import clip, decode_json

__all__ = [
    "CardChoices",
    "ExactRate",
    "Limits",
    "LinkTerms",
    "LinkedTable",
    "MatchPlay",
    "MeterTerms",
    "PapersTerms",
    "PayoutLimitChoice",
    "Submission",
    "WagerChoice",
    "read_submission",
    "read_submission_text",
]

DEEPEST: Final = 8
MOST: Final = 1_000_000
"""No count in a submission is larger."""
Given = TypeVar("Given", int, str)


class Limits(Struct, frozen=True):
    """Minimum, maximum and step of a wager; None where the default applies."""

    minimum: Cents | None = None
    maximum: Cents | None = None
    increment: Cents | None = None


class MeterTerms(Struct, frozen=True):
    """What the operator sets for a meter."""

    initial: Cents | None = None
    reset: Cents | None = None
    rate: ExactRate | None = None


class LinkedTable(Struct, frozen=True):
    """Another table on the same meter."""

    paytable: str
    stake: Cents
    decks: int = 1


class LinkTerms(Struct, frozen=True):
    """A meter shared with other tables."""

    name: str
    tables: tuple[LinkedTable, ...] = ()


class WagerChoice(Struct, frozen=True):
    """What the operator chose for one wager."""

    paytable: str | None = None
    limits: Limits = Limits()
    stake: Cents | None = None
    meters: dict[str, MeterTerms] = {}
    reserve_rate: ExactRate | None = None
    link: LinkTerms | None = None


class CardChoices(Struct, frozen=True):
    """Decks and devices."""

    decks: int = 1
    shuffle: str = "manual"
    deal: str = "manual_shoe"
    deck_hours: int | None = None
    cover_all_mode: bool = False


class PayoutLimitChoice(Struct, frozen=True):
    """The posted payout limit per hand."""

    amount: Cents | None = None
    approval: str = ""


class MatchPlay(Struct, frozen=True):
    """Match play coupons, where a document provides for them."""

    enabled: bool = False
    pays: str = "1 to 1"


class PapersTerms(Struct, frozen=True):
    """What printed papers say beside the rules; no rule depends on it, and no hash of house rules covers it."""

    version: str = ""
    date: str = ""
    help_line: str = ""
    address: str = ""
    logo: str = ""
    """The name of an SVG file, beside the submission's own."""


class Submission(Struct, frozen=True, kw_only=True):
    """A Rules Submission as written, including unknown settings."""

    rulebook: str
    edition: str | None = None
    """The date of an edition; None for the newest."""
    operator: str
    seats: int | None
    boxes: int
    limits: dict[str, Limits]
    wagers: dict[str, WagerChoice]
    cards: CardChoices
    payout_limit: PayoutLimitChoice | None
    approvals: dict[str, str]
    match_play: MatchPlay | None
    handpay_threshold: Cents | None
    readings: dict[str, OptionValue]
    papers: PapersTerms | None = None
    unknown: tuple[str, ...] = ()


def read_submission_text(text: str, *, name: str) -> Submission:
    """Read a submission from TOML, or from the same shape in JSON; `name` is the file's, for messages."""
    text = text.removeprefix("\ufeff")
    try:
        raw = decode_json(text) if text.lstrip()[:1] == "{" else tomllib.loads(text)
        return read_submission(raw)
    except Malformed as error:
        line = _line_of(str(error).partition(":")[0], text)
        raise Malformed(f"{name}{f', line {line}' if line else ''}: {error}") from None
    except (ValueError, RecursionError) as error:  # not TOML, a number of thousands of digits, nesting without end
        raise Malformed(f"{name}: {clip(str(error), 200)}") from None


def read_submission(raw: object) -> Submission:
    """Read a submission from the plain values of a TOML or JSON file."""
    if not isinstance(raw, Mapping):
        raise Malformed("a submission must be a table of settings")
    top = _Reader(raw, "")
    limits = top.table("limits")
    wagers = top.table("wagers")
    cards = top.table("cards")
    payout_limit = top.table("payout_limit")
    approvals = top.table("approvals")
    match_play = top.table("match_play")
    handpay = top.table("handpay")
    rulebook = top.text("rulebook")
    if rulebook is None:
        raise Malformed("rulebook: missing; a submission must name its rulebook")
    edition = top.day("edition")
    chosen = {key: _wager(wagers.table(key)) for key in wagers.names()}
    return Submission(
        rulebook=rulebook,
        edition=edition,
        operator=top.text("operator") or "",
        seats=top.count("seats"),
        boxes=_or(top.count("boxes"), 1),
        limits={key: _limits(limits.table(key)) for key in limits.names()},
        wagers=wagers_as_printed(rulebook, edition, chosen),
        cards=CardChoices(
            decks=_or(cards.count("decks"), 1),
            shuffle=_or(cards.text("shuffle"), "manual"),
            deal=_or(cards.text("deal"), "manual_shoe"),
            deck_hours=cards.count("deck_hours"),
            cover_all_mode=cards.flag("cover_all_mode"),
        ),
        payout_limit=PayoutLimitChoice(payout_limit.amount("amount"), (payout_limit.text("approval") or "").strip())
        if payout_limit.given
        else None,
        approvals={key: (approvals.text(key) or "").strip() for key in approvals.names()},
        match_play=MatchPlay(match_play.flag("enabled"), match_play.text("pays") or "1 to 1")
        if match_play.given
        else None,
        handpay_threshold=handpay.amount("threshold"),
        readings=_options(top.table("readings")),
        papers=_papers(top.table("papers")),
        unknown=tuple(top.unread()),
    )


def _limits(reader: _Reader) -> Limits:
    return Limits(reader.amount("minimum"), reader.amount("maximum"), reader.amount("increment"))


def _wager(reader: _Reader) -> WagerChoice:
    meters = reader.table("meters")
    return WagerChoice(
        paytable=reader.text("paytable"),
        limits=_limits(reader),
        stake=reader.amount("stake"),
        meters={key: _meter(meters.table(key)) for key in meters.names()},
        reserve_rate=reader.rate("reserve_rate"),
        link=_link(reader),
    )


def _meter(reader: _Reader) -> MeterTerms:
    return MeterTerms(reader.amount("initial"), reader.amount("reset"), reader.rate("rate"))


def _link(reader: _Reader) -> LinkTerms | None:
    """A name, or a table with the name and the other tables."""
    if isinstance(reader.peek("link"), str):
        return LinkTerms(_link_name(reader, "link"))
    link = reader.table("link")
    if not link.given:
        return None
    tables = []
    for table in link.rows("tables"):
        paytable, stake = table.text("paytable"), table.amount("stake")
        if paytable is None or stake is None:
            raise Malformed(f"{table.key}: a linked table needs a paytable and a stake")
        tables.append(LinkedTable(paytable, stake, _or(table.count("decks"), 1)))
    return LinkTerms(_link_name(link, "name"), tuple(tables))


def _link_name(reader: _Reader, key: str) -> str:
    """A name that records and accounts are named by; without one the table is on no link."""
    name = reader.text(key)
    return check_id(name, f"{reader.key}.{key}") if name else ""


def _papers(reader: _Reader) -> PapersTerms | None:
    if not reader.given:
        return None
    return PapersTerms(
        version=reader.text("version") or "",
        date=reader.day("date") or "",
        help_line=reader.text("help_line") or "",
        address=reader.text("address") or "",
        logo=reader.text("logo") or "",
    )


def _options(reader: _Reader, depth: int = 0) -> dict[str, OptionValue]:
    """Options by their dotted names, each value as written."""
    if depth > DEEPEST:
        raise Malformed(f"{clip(reader.key)}: options are not nested this deep")
    values: dict[str, OptionValue] = {}
    for key in reader.names():
        value = reader.take(key)
        if isinstance(value, Mapping):
            inner = _options(_Reader(value, f"{reader.key}.{key}"), depth + 1)
            values |= {f"{key}.{name}": inner_value for name, inner_value in inner.items()}
            continue
        try:
            values[key] = frozen_value(value)
        except Malformed as error:
            raise Malformed(f"{reader.key}.{key}: {error}") from None
    return values


class _Reader:
    """One table of the file, read key by key; it remembers the keys that were not read."""

    def __init__(self, raw: Mapping[str, Any] | None, key: str) -> None:
        self.given = raw is not None
        self.key = key
        self._raw = dict(raw or {})
        self._seen: set[str] = set()
        self._inner: list[_Reader] = []

    def names(self) -> list[str]:
        return [str(key) for key in self._raw]

    def peek(self, name: str) -> object:
        return self._raw.get(name)

    def take(self, name: str) -> Any:  # noqa: ANN401 - whatever the file holds
        self._seen.add(name)
        return self._raw.get(name)

    def text(self, name: str) -> str | None:
        value = self.take(name)
        if value is not None and not isinstance(value, str):
            raise Malformed(f"{self._at(name)}: {clip(repr(value))} is not text")
        return value

    def day(self, name: str) -> str | None:
        """A date as text, which TOML may also write without quotes."""
        value = self.peek(name)
        return str(self.take(name)) if type(value) is datetime.date else self.text(name)

    def count(self, name: str) -> int | None:
        value = self.take(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise Malformed(f"{self._at(name)}: {clip(repr(value))} is not a whole number")
        if value is not None and abs(value) > MOST:
            raise Malformed(f"{self._at(name)}: at most {MOST:,}")
        return value

    def flag(self, name: str) -> bool:
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            raise Malformed(f"{self._at(name)}: {clip(repr(value))} must be true or false")
        return bool(value)

    def amount(self, name: str) -> Cents | None:
        """Dollars as people write them, as text or a whole number; a float is refused, since it is rarely exact."""
        value = self.take(name)
        if type(value) is int:
            value = str(value)
        try:
            return None if value is None else typed_dollars(value)
        except MoneyError as error:
            raise Malformed(f"{self._at(name)}: {error}") from None

    def rate(self, name: str) -> ExactRate | None:
        value = self.take(name)
        if value is None:
            return None
        try:
            return read_rate(value)
        except Malformed as error:
            raise Malformed(f"{self._at(name)}: {error}") from None

    def table(self, name: str) -> _Reader:
        value = self.take(name)
        if value is not None and not isinstance(value, Mapping):
            raise Malformed(f"{self._at(name)}: {clip(repr(value))} is not a table of settings")
        self._inner.append(_Reader(value, self._at(name)))
        return self._inner[-1]

    def rows(self, name: str) -> list[_Reader]:
        value = self.take(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
            raise Malformed(f"{self._at(name)}: {clip(repr(value))} is not a list of tables")
        rows = [_Reader(row, f"{self._at(name)}[{place}]") for place, row in enumerate(value)]
        self._inner += rows
        return rows

    def unread(self) -> list[str]:
        mine = [self._at(str(name)) for name in self._raw if name not in self._seen]
        return mine + [key for inner in self._inner for key in inner.unread()]

    def _at(self, name: str) -> str:
        return f"{self.key}.{name}" if self.key else name


def _or(value: Given | None, default: Given) -> Given:
    return default if value is None else value


def _line_of(key: str, text: str) -> int | None:
    """The line that sets a key: under its table's header, or the only line with its name."""
    header, once = "", []
    name = re.escape(key.rpartition(".")[2])
    for number, line in enumerate(text.splitlines(), 1):
        if table := re.match(r"\s*\[+([^\]]+)\]+", line):
            header = table[1].strip()
        setting = re.match(r"\s*([A-Za-z0-9_.\-]+)\s*=", line)
        if setting and key == (f"{header}.{setting[1]}" if header else setting[1]):
            return number
        if name and re.search(rf'(?<![\w-])"?{name}"?\s*[=:]', line):
            once.append(number)
    return once[0] if len(once) == 1 else None
