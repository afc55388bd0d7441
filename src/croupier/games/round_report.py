"""A round as it is reported after the fact: read and typed, not yet checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from croupier.cards import Card, named_cards
from croupier.errors import CardError, Malformed, MoneyError
from croupier.money import Cents, parse_dollars
from croupier.rulebook import Submission, read_submission
from croupier.wire import clip

__all__ = ["HIGHEST_SEAT", "RoundReport", "SeatReport", "read_amounts", "read_report"]

HIGHEST_SEAT: Final = 1_000_000
"""The highest number that is read; which seats there are, the rules say."""

_ROUND_KEYS: Final = frozenset({"submission", "meters", "seats", "community", "six_card_box", "dealer"})
_SEAT_KEYS: Final = frozenset({"seat", "patron", "wagers", "match_play", "cards", "decisions"})


class SeatReport(Struct, frozen=True, kw_only=True):
    """One box: what was staked before the deal, the cards and the decisions."""

    seat: int
    patron: str
    wagers: dict[str, Cents]
    cards: tuple[Card, ...] | None
    match_play: Cents | None
    """The value of a match play coupon beside the main wager."""
    decisions: tuple[str, ...]


class RoundReport(Struct, frozen=True, kw_only=True):
    """A whole round; meters are as displayed after its stakes were added."""

    submission: Submission
    meters: dict[str, Cents]
    seats: tuple[SeatReport, ...]
    community: tuple[Card, ...]
    six_card_box: tuple[Card, ...]
    dealer: tuple[Card, ...]


def read_report(raw: object, *, submission: Submission | None = None) -> RoundReport:
    """Read a round from the values of a JSON file; `Malformed` names the key that cannot be read.

    `submission` is the one of the round where it has been read before.
    """
    top = _table(raw, "a round", _ROUND_KEYS)
    if "submission" not in top:
        raise Malformed("submission: missing, so there are no rules to settle by")
    if submission is None:
        submission = _submission(top["submission"])
    seats = top.get("seats")
    if not isinstance(seats, list) or not seats:
        raise Malformed("seats: a round needs a list of at least one seat")
    return RoundReport(
        submission=submission,
        meters=read_amounts(top.get("meters", {}), "meters"),
        seats=tuple(_seat(seat, f"seats[{place}]") for place, seat in enumerate(seats)),
        community=_cards(top.get("community", ""), "community"),
        six_card_box=_cards(top.get("six_card_box", ""), "six_card_box"),
        dealer=_cards(top.get("dealer", ""), "dealer"),
    )


def _submission(raw: object) -> Submission:
    if not isinstance(raw, Mapping):
        raise Malformed(f"submission: must be a table of settings, not {clip(repr(raw))}")
    try:
        return read_submission(raw)
    except Malformed as error:
        raise Malformed(f"submission.{error}") from None


def _seat(raw: object, key: str) -> SeatReport:
    table = _table(raw, key, _SEAT_KEYS)
    number, patron, decisions = table.get("seat"), table.get("patron"), table.get("decisions", [])
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > HIGHEST_SEAT:
        raise Malformed(f"{key}.seat: {clip(repr(number))} is not a whole number")
    if patron is not None and not isinstance(patron, str):
        raise Malformed(f"{key}.patron: {clip(repr(patron))} is not text")
    if not isinstance(decisions, list) or not all(isinstance(decision, str) for decision in decisions):
        raise Malformed(f"{key}.decisions: {clip(repr(decisions))} is not a list of strings")
    return SeatReport(
        seat=number,
        patron=f"patron {patron}" if patron is not None else f"seat {number}",
        wagers=read_amounts(table.get("wagers", {}), f"{key}.wagers"),
        cards=_cards(table["cards"], f"{key}.cards") if table.get("cards") else None,
        match_play=_amount(table["match_play"], key, "match_play") if "match_play" in table else None,
        decisions=tuple(decisions),
    )


def _table(raw: object, key: str, allowed: frozenset[str] | None = None) -> Mapping[str, Any]:
    if type(raw) is not dict and not isinstance(raw, Mapping):
        raise Malformed(f"{key}: {clip(repr(raw))} is not an object")
    if allowed is not None and not allowed.issuperset(raw):
        name = next(name for name in raw if name not in allowed)
        raise Malformed(f"{key}: {clip(repr(name))} is not a key here; the keys are {', '.join(sorted(allowed))}")
    return raw


def read_amounts(raw: object, key: str) -> dict[str, Cents]:
    """Read amounts by name; `Malformed` says which is none."""
    return {name: _amount(value, key, name) for name, value in _table(raw, key).items()}


def _amount(value: object, key: str, name: str) -> Cents:
    try:
        return parse_dollars(value)  # type: ignore[arg-type]
    except MoneyError as error:
        raise Malformed(f"{key}.{clip(name)}: {error}") from None


def _cards(value: object, key: str) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise Malformed(f"{key}: {clip(repr(value))} is not a string of cards")
    try:
        return named_cards(value)
    except CardError as error:
        raise Malformed(f"{key}: {error}") from None
