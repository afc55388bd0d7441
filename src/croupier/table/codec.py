"""Commands and records in the form other programs exchange: dollars, cards by name, times as text."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from croupier.cards import Card, format_cards, parse_cards
from croupier.errors import Malformed
from croupier.games import CardsOf, CouponSettled, EnvyPaid, Except, Offer, Range, WagerSettled
from croupier.games.events import HandAnnounced
from croupier.hands import say_hand
from croupier.ids import check_id
from croupier.money import Cents, MeterUnits, format_dollars, parse_dollars
from croupier.rulebook import HouseRules, Stakes
from croupier.table.commands import COMMANDS, FILLED_IN, Command
from croupier.table.events import DeckCondemned, Entry, Hidden
from croupier.table.people import Person, read_role
from croupier.table.requests import Request
from croupier.wire import clip, decode_json, say_mismatch

__all__ = ["arguments", "read_request", "write_entry", "write_offer", "write_request", "write_settled"]

LONGEST_TEXT: Final = 500
LONGEST_KEY: Final = 100
FIRST_YEAR, LAST_YEAR = 1970, 2999
"""Records fall in these years, so that hours can be added to any time in them."""


# --- reading


def read_request(raw: object, house: HouseRules) -> Request:
    """A command from plain values; `Malformed` says what cannot be read, and what is allowed."""
    if not isinstance(raw, Mapping):
        raise Malformed("a command is an object: by, at, do, and its arguments")
    given = dict(raw)
    by, at, name = given.pop("by", None), given.pop("at", None), given.pop("do", None)
    reason, key = given.pop("reason", ""), given.pop("key", "")
    if not isinstance(name, str) or name not in COMMANDS:
        words = "do is missing" if name is None else f"do: {clip(repr(name))} is not a command"
        raise Malformed(f"{words}; `croupier table commands` lists them")
    if not isinstance(reason, str):
        raise Malformed("reason must be text")
    _check_text("reason", reason)
    if not isinstance(key, str) or len(key) > LONGEST_KEY or not key.isprintable():
        raise Malformed(f"key must be one printable line of at most {LONGEST_KEY} characters")
    return Request(_person(by, house), _time(at), _command(COMMANDS[name], given), reason, key)


def _check_text(key: str, text: str) -> None:
    if len(text) > LONGEST_TEXT or not text.isprintable():
        raise Malformed(f"{key}: must be one printable line of at most {LONGEST_TEXT} characters")


def _person(raw: object, house: HouseRules) -> Person:
    if not isinstance(raw, Mapping) or set(raw) != {"role", "id"}:
        raise Malformed('by: must say who gives the command, such as {"role": "dealer", "id": "d1"}')
    role, name = raw["role"], raw["id"]
    if not isinstance(role, str) or not isinstance(name, str):
        raise Malformed("by: role and id must be names")
    return Person(read_role(house, role), check_id(name, "by.id"))


def _time(raw: object) -> datetime:
    try:
        at = datetime.fromisoformat(raw) if isinstance(raw, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None or not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise Malformed(f"at: {clip(repr(raw))} is not a time such as 2026-01-01T20:00:00Z")
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise Malformed(f"at: {clip(repr(raw))} is out of range") from None


def _command(kind: type[Command], given: dict[str, Any]) -> Command:
    hints = _argument_hints(kind)
    for key in given:
        if key not in hints:
            allowed = ", ".join(hints) or "none"
            raise Malformed(
                f"{clip(repr(key))} is not an argument of {kind.__struct_config__.tag}; its arguments: {allowed}"
            )
    values = {key: _value(key, hints[key], value) for key, value in given.items()}
    try:
        return msgspec.convert(values, kind, dec_hook=_same)
    except msgspec.ValidationError as error:
        raise Malformed(_say(str(error), kind)) from None


def _value(key: str, hint: Any, value: Any) -> Any:  # noqa: ANN401
    """Read one argument: money is a string of dollars, cards a string of names, everything else plain JSON."""
    try:
        if value is None:
            if _is_a(hint, Cents) and types.NoneType not in _parts(hint):
                raise Malformed('expected dollars as text, such as "12.50", got null')
            return None
        if _is_a(hint, Cents):
            return parse_dollars(value)
        if _is_a(hint, Card):
            cards = parse_cards(value) if isinstance(value, str) else None
            if cards is None or len(cards) != 1:
                raise Malformed("must be one card such as Ah")
            return cards[0]
        if _is_cards(hint):
            if not isinstance(value, str):
                raise Malformed("must be cards such as Ah Kd")
            return tuple(parse_cards(value))
        if hint == dict[int, int] and isinstance(value, Mapping):
            return _by_seat(value)
        if hint is date and isinstance(value, str):
            day = date.fromisoformat(value)
            if not FIRST_YEAR <= day.year <= LAST_YEAR:
                raise Malformed(f"{value} is not a day from {FIRST_YEAR} to {LAST_YEAR}")
            return day
        if isinstance(value, str):
            _check_text(key, value)
    except ValueError as error:
        words = str(error).removeprefix(f"{key}: ")
        raise Malformed(f"{key}: {words}") from None
    return value


def _by_seat(value: Mapping[Any, Any]) -> dict[int, Any]:
    """Turn JSON's string keys into seat numbers."""
    if not all(isinstance(seat, str) and seat.isdecimal() and str(int(seat)) == seat for seat in value):
        raise Malformed('seats must be numbers, such as {"1": 2}')
    return {int(seat): number for seat, number in value.items()}


@cache
def _arguments(kind: type[Command]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields that the giver of a command fills in; the table fills in the rest."""
    return tuple(field for field in msgspec.structs.fields(kind) if field.name != FILLED_IN.get(kind))


@cache
def _argument_hints(kind: type[Command]) -> dict[str, Any]:
    return {field.name: _hints(kind)[field.name] for field in _arguments(kind)}


@cache
def _hints(kind: type[Struct]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__struct_fields__}


def _parts(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)


@cache
def _is_a(hint: Any, kind: Hashable) -> bool:  # noqa: ANN401
    return kind in _parts(hint)


def _is_cards(hint: Any) -> bool:  # noqa: ANN401
    return bool(hint == tuple[Card, ...])


def _same(kind: type, value: object) -> object:
    if not isinstance(value, kind):
        raise ValueError(f"{clip(repr(value))} is not a {kind.__name__}")  # noqa: TRY004
    return value


def _say(error: str, kind: type[Struct]) -> str:
    what, _, path = error.partition(" - at `$.")
    name = path.rstrip("`")
    if "missing required field" in what:
        return f"{kind.__struct_config__.tag}: {what.partition('field ')[2].strip('`')} is missing"
    choices = _choices(_hints(kind)[name]) if name in _hints(kind) else []
    if choices and what.startswith("Invalid enum value"):
        return f"{name}: {clip(what.partition('value ')[2])} is not one of {', '.join(choices)}"
    allowed = _kind(_hints(kind)[name]) if name in _hints(kind) else ""
    hint = f" ({allowed})" if allowed and " got " not in what else ""
    return f"{name or kind.__struct_config__.tag}: {say_mismatch(what)}{hint}"


# --- the catalog


def arguments(kind: type[Command]) -> list[dict[str, Any]]:
    """What a command takes: each argument's name, kind, whether it must be given, and its default."""
    rows = []
    for field in _arguments(kind):
        row: dict[str, Any] = {"name": field.name, "kind": _kind(_hints(kind)[field.name]), "required": field.required}
        if values := _choices(_hints(kind)[field.name]):
            row["values"] = values
        if not field.required:
            row["default"] = _plain(field.default) if field.default is not msgspec.NODEFAULT else None
        rows.append(row)
    return rows


def _choices(hint: Any) -> list[str]:  # noqa: ANN401
    return [value for part in _parts(hint) if get_origin(part) is Literal for value in get_args(part)]


def _kind(hint: Any) -> str:  # noqa: ANN401
    if _is_a(hint, Cents):
        return "dollars"
    if _is_a(hint, Card):
        return "card"
    if _is_cards(hint):
        return "cards"
    if _choices(hint):
        return "choice"
    names: dict[Any, str] = {
        int: "number",
        str: "text",
        bool: "true or false",
        date: "date",
        dict[int, int]: "numbers by seat",
    }
    return next((names[part] for part in _parts(hint) if part in names), "object")


# --- writing


def write_entry(entry: Entry) -> dict[str, Any]:
    """A line of a table's record: the event, who and when, the clause, then the content."""
    line: dict[str, Any] = {
        "event": entry.name,
        "at": _plain(entry.at),
        "by": {"role": entry.by.role, "id": entry.by.id},
        "clause": None,
        "reading": None,
    }
    if entry.reason:
        line["reason"] = entry.reason
    if entry.command:
        line["key"] = entry.command
    return line | _fields(entry.event)


def write_request(request: Request) -> dict[str, Any]:
    """A command as `read_request` reads it; defaults are left out."""
    line: dict[str, Any] = {
        "by": {"role": request.by.role, "id": request.by.id},
        "at": _plain(request.at),
        "do": request.name,
    }
    given = _fields(request.command)
    for field in _arguments(type(request.command)):
        if field.required or getattr(request.command, field.name) != field.default:
            line[field.name] = given[field.name]
    return line | ({"reason": request.reason} if request.reason else {}) | ({"key": request.key} if request.key else {})


@lru_cache(maxsize=2_000)  # entries, boxes and the last round all have the same ones
def write_settled(settled: WagerSettled | CouponSettled | EnvyPaid) -> Mapping[str, Any]:
    """A settled wager, coupon or envy bonus, as a record writes it."""
    return _fields(settled)


_FOR_PROOF: Final = {"salt", "salts"}
"""What opens a commitment is for the journal, not for people."""


def _fields(value: Struct) -> dict[str, Any]:
    form = _form_of(type(value))
    written = asdict(value)
    for name in form.left_out:
        del written[name]
    for name, write in form.changed:
        written[name] = write(written[name])
    if form.has_reason:
        written["why"] = value.why  # type: ignore[attr-defined]
    return written


class _Form(NamedTuple):
    """How values of a type are written: their types are looked at once."""

    changed: tuple[tuple[str, Callable[[Any], Any]], ...]
    """The fields that are not written as they are."""
    left_out: tuple[str, ...]
    has_reason: bool


@cache
def _form_of(kind: type[Struct]) -> _Form:
    hints = _hints(kind)
    writers = {name: _writer(hints[name]) for name in kind.__struct_fields__ if name not in _FOR_PROOF}
    if "submission" in writers:
        writers["submission"] = lambda text: decode_json(text) if isinstance(text, str) else _plain(text)
    if kind is HandAnnounced:
        writers["hand"] = say_hand
    return _Form(
        changed=tuple((name, write) for name, write in writers.items() if write is not None),
        left_out=tuple(name for name in kind.__struct_fields__ if name in _FOR_PROOF),
        has_reason=issubclass(kind, WagerSettled | CouponSettled | DeckCondemned),
    )


def _writer(hint: Any) -> Callable[[Any], Any] | None:  # noqa: ANN401
    """How a value of such a type is written; None if it is written as it is."""
    if _is_a(hint, Cents):
        return lambda value: format_dollars(value) if value is not None else None
    if _is_a(hint, MeterUnits):
        return lambda value: _meter(value) if value is not None else None
    if hint in _PAIRS:
        write = _writer(get_args(get_args(hint)[0])[1]) or _plain
        return lambda value: {str(key): write(item) for key, item in value}
    if all(part in _AS_IT_IS or get_origin(part) is Literal for part in _parts(hint)):
        return None
    return _plain


_AS_IT_IS: Final = (str, int, bool, type(None))


_PAIRS: Final = (
    tuple[tuple[int, int], ...],
    tuple[tuple[str, str], ...],
    tuple[tuple[str, MeterUnits], ...],
)
"""Pairs that people read as an object: values by seat or by name."""


def _meter(units: int) -> str:
    """Units of 1/10,000 cent as dollars, exactly."""
    sign, units = ("-", -units) if units < 0 else ("", units)
    return f"{sign}{units // 1_000_000}.{units % 1_000_000:06}"


def _plain(value: object) -> Any:  # noqa: ANN401
    return _plain_writer(type(value))(value)  # type: ignore[arg-type] # a type is hashable


@cache
def _plain_writer(kind: type) -> Callable[[Any], Any]:
    """How a value of exactly this type is written, whatever field it is in."""
    return next((write for kinds, write in _PLAIN if issubclass(kind, kinds)), lambda value: value)


def _listed(values: Sequence[Any]) -> str | list[Any]:
    if values and all(isinstance(item, Card) for item in values):
        return format_cards(values)
    return [_plain(item) for item in values]


_PLAIN: Final[tuple[tuple[tuple[type, ...], Callable[[Any], Any]], ...]] = (
    ((Hidden,), lambda hidden: f"{len(hidden)} hidden"),
    ((WagerSettled, CouponSettled, EnvyPaid), write_settled),
    ((Struct,), _fields),
    ((Card,), str),
    ((datetime,), lambda at: at.isoformat().replace("+00:00", "Z")),
    ((date,), lambda day: day.isoformat()),
    ((tuple, list), _listed),
    ((dict,), lambda values: {str(key): _plain(item) for key, item in values.items()}),
)
"""The first that fits."""


def write_offer(offered: Offer) -> dict[str, Any]:
    """What is allowed, for programs: a value, a list of values, or what it must be in words."""
    return {"do": offered.do, **{name: _allowed(name, allowed) for name, allowed in offered.fields}}


def _allowed(name: str, allowed: Any) -> Any:  # noqa: ANN401
    match allowed:
        case Stakes():
            least, most = format_dollars(allowed.minimum), format_dollars(allowed.maximum)
            return least if least == most else {"from": least, "to": most, "step": format_dollars(allowed.increment)}
        case Range():
            return {"from": allowed.least, "to": allowed.most}
        case CardsOf():
            return (
                "a card that is not in this round" if allowed.most == 1 else f"1 to {allowed.most} cards not seen yet"
            )
        case Except():
            return "text"
        case (None, CardsOf()):
            return "a card not in this round, or none"
        case tuple():
            return list(allowed)
        case int() if name in {"amount", "value", "shown"}:
            return format_dollars(allowed)
    return _plain(allowed)
