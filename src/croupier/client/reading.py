"""Answers of a house from JSON to values. Where the API leaves two spellings open, both are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from croupier.client.problems import GarbledAnswer
from croupier.client.values import (
    AllowedCommand,
    CommandAnswer,
    DemoPerson,
    ListedTable,
    LiveChange,
    RecordEntry,
    SeenTable,
    SignedInAs,
    TableAnswer,
)
from croupier.errors import Malformed
from croupier.wire import clip, decode_json

__all__ = [
    "read_answer",
    "read_change",
    "read_command",
    "read_demo",
    "read_json",
    "read_signed_in",
    "read_table",
    "read_tables",
]

T = TypeVar("T")
_PLACES: Final = {"community": "board", "six_card_box": "box"}
"""The names that rulebooks have for places on the layout, and those of the API."""
MOST_SEATS: Final = 100
_HEAD: Final = ("event", "at", "by", "clause", "reading")


def read_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever was sent
    """Any JSON; nothing at all is None."""
    if not text:
        return None
    try:
        return decode_json(text)
    except Malformed as error:
        raise GarbledAnswer(f"the answer of the house cannot be read: {error}") from None


def read_answer(kind: type[T], raw: object) -> T:
    """Plain JSON values as a value of this type."""
    try:
        return msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError as error:
        raise GarbledAnswer(f"the answer of the house cannot be read: {clip(str(error), 200)}") from None


def read_signed_in(raw: object) -> SignedInAs:
    """Who is signed in; a bare person is somebody new who has no session yet."""
    members = _object(raw)
    return read_answer(SignedInAs, members if "person" in members else {"person": members})


def read_demo(raw: object) -> tuple[DemoPerson, ...]:
    """The names and passwords of a demo, as a list or under `people`."""
    if isinstance(raw, Mapping):
        raw = raw.get("people", ())
    return read_answer(tuple[DemoPerson, ...], raw)


def read_tables(raw: object) -> tuple[ListedTable, ...]:
    """The tables of a house."""
    rows = [
        {**_object(row), "meters": _by_name(_object(row).get("meters")), "open_seats": _seats(_object(row))}
        for row in _items(raw)
    ]
    return read_answer(tuple[ListedTable, ...], rows)


def _seats(row: Mapping[str, Any]) -> list[int]:
    """The open seats; where only their number is known, as many of the first."""
    seats = row.get("open_seats", ())
    return list(range(1, min(seats, MOST_SEATS) + 1)) if isinstance(seats, int) else _items(seats)


def read_table(raw: object) -> TableAnswer:
    """A table, with what is allowed there."""
    members = _object(raw)
    return read_answer(
        TableAnswer,
        {
            "version": members.get("version", 0),
            "view": _view(members.get("view")),
            "allowed": tuple(AllowedCommand.of(_object(row)) for row in _items(members.get("allowed"))),
        },
    )


def read_command(raw: object, *, otherwise: SeenTable | None = None) -> CommandAnswer:
    """What a command led to; a live table may leave out the view, which then comes with its change."""
    members = _object(raw)
    view = otherwise if members.get("view") is None and otherwise is not None else _view(members.get("view"))
    return read_answer(
        CommandAnswer, {"version": members.get("version", 0), "entries": _entries(members), "view": view}
    )


def read_change(raw: object, *, resumed: bool = False) -> LiveChange:
    """A change at a live table."""
    members = _object(raw)
    return read_answer(
        LiveChange,
        {
            "version": members.get("version", 0),
            "view": _view(members.get("view")),
            "entries": _entries(members),
            "resumed": resumed,
        },
    )


# --- parts


def _view(raw: object) -> SeenTable:
    members = dict(_object(raw or {}))
    members["awaiting"] = _awaited(members.get("awaiting"))
    last = members.get("last_round")
    members["last_round"] = _layout(dict(_object(last))) if last is not None else None
    members["meters"] = _by_name(members.get("meters"))
    return read_answer(SeenTable, _without_nothing(_layout(members)))


def _awaited(raw: object) -> dict[str, Any]:
    members = dict(_object(raw or {}))
    members["choices"] = [
        _without_nothing(choice) if isinstance(choice, Mapping) else {"choice": choice}
        for choice in _items(members.get("choices"))
    ]
    return _without_nothing(members)


def _layout(members: dict[str, Any]) -> dict[str, Any]:
    """The seats and the cards of a table or of a round."""
    members["seats"] = [_box(row) for row in _items(members.get("seats"))]
    cards = _by_name(members.get("cards"))
    members["cards"] = {_PLACES.get(place, place): _cards(shown) for place, shown in cards.items()}
    return members


def _box(raw: object) -> dict[str, Any]:
    members = dict(_object(raw))
    members["bets"] = _by_name(members.get("bets"))
    members["cards"] = _cards(members.get("cards"))
    members["results"] = [_without_nothing(_object(result)) for result in _items(members.get("results"))]
    members["envy"] = [_without_nothing(_object(envy)) for envy in _items(members.get("envy"))]
    return _without_nothing(members)


def _entries(members: Mapping[str, Any]) -> tuple[RecordEntry, ...]:
    return tuple(
        read_answer(
            RecordEntry,
            {
                **_without_nothing({name: entry.get(name) for name in _HEAD}),
                "fields": {name: value for name, value in entry.items() if name not in _HEAD},
            },
        )
        for entry in map(_object, _items(members.get("entries")))
    )


def _object(raw: object) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise GarbledAnswer("the answer of the house cannot be read: expected an object")
    return raw


def _items(raw: object) -> list[Any]:
    if raw is None:
        return []
    if not isinstance(raw, list | tuple):
        raise GarbledAnswer("the answer of the house cannot be read: expected a list")
    return list(raw)


def _by_name(raw: object) -> dict[str, Any]:
    """Values by name: an object, or a list of pairs."""
    if isinstance(raw, Mapping):
        return dict(raw)
    return {str(pair[0]): pair[1] for pair in _items(raw) if isinstance(pair, list | tuple) and len(pair) == 2}


def _cards(raw: object) -> list[str]:
    """Cards as a text with blanks, or as a list."""
    return raw.split() if isinstance(raw, str) else [str(card) for card in _items(raw)]


def _without_nothing(members: Mapping[str, Any]) -> dict[str, Any]:
    """Without members that are null, so that their defaults stand."""
    return {name: value for name, value in members.items() if value is not None}
