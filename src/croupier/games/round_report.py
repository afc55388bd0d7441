"""A round as somebody describes it after the fact: read, typed, not yet judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from croupier.cards import Card
from croupier.errors import CardError, Malformed, MoneyError
from croupier.money import Cents, parse_dollars
from croupier.rulebook import Submission, read_submission
from croupier.wire import clip

__all__ = ["Described", "DescribedSeat", "read_described"]


class DescribedSeat(Struct, frozen=True, kw_only=True):
    """One box: what was staked before the deal, the cards and the decisions."""

    seat: int
    patron: str
    wagers: dict[str, Cents]
    cards: tuple[Card, ...] | None
    match_play: Cents | None
    """The value of a match play coupon beside the main wager."""
    decisions: tuple[str, ...]


class Described(Struct, frozen=True, kw_only=True):
    """A whole round; the meters are those shown after its stakes were added."""

    submission: Submission
    meters: dict[str, Cents]
    seats: tuple[DescribedSeat, ...]
    community: tuple[Card, ...]
    six_card_box: tuple[Card, ...]
    dealer: tuple[Card, ...]


def read_described(raw: object) -> Described:
    """Read a round from the plain values of a JSON file; `Malformed` names the key that cannot be read."""
    top = _table(raw, "a round", {"submission", "meters", "seats", "community", "six_card_box", "dealer"})
    if "submission" not in top:
        raise Malformed("submission: it is missing, so there is nothing to settle by")
    if not isinstance(top["submission"], Mapping):
        raise Malformed("submission: must be a table of keys")
    try:
        submission = read_submission(top["submission"])
    except Malformed as error:
        raise Malformed(f"submission.{error}") from None
    seats = top.get("seats")
    if not isinstance(seats, list) or not seats:
        raise Malformed("seats: a round has a list of at least one seat")
    return Described(
        submission=submission,
        meters={
            name: _amount(value, f"meters.{clip(name)}")
            for name, value in _table(top.get("meters", {}), "meters").items()
        },
        seats=tuple(_seat(seat, f"seats[{place}]") for place, seat in enumerate(seats)),
        community=_cards(top.get("community", ""), "community"),
        six_card_box=_cards(top.get("six_card_box", ""), "six_card_box"),
        dealer=_cards(top.get("dealer", ""), "dealer"),
    )


def _seat(raw: object, key: str) -> DescribedSeat:
    table = _table(raw, key, {"seat", "patron", "wagers", "match_play", "cards", "decisions"})
    number, patron, decisions = table.get("seat"), table.get("patron"), table.get("decisions", [])
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 1_000_000:
        raise Malformed(f"{key}.seat: {clip(repr(number))} is no whole number")
    if patron is not None and not isinstance(patron, str):
        raise Malformed(f"{key}.patron: {clip(repr(patron))} is no text")
    if not isinstance(decisions, list) or not all(isinstance(decision, str) for decision in decisions):
        raise Malformed(f"{key}.decisions: {clip(repr(decisions))} is no list of texts")
    return DescribedSeat(
        seat=number,
        patron=f"patron {patron}" if patron is not None else f"seat {number}",
        wagers={
            name: _amount(value, f"{key}.wagers.{clip(name)}")
            for name, value in _table(table.get("wagers", {}), f"{key}.wagers").items()
        },
        cards=_cards(table["cards"], f"{key}.cards") if table.get("cards") else None,
        match_play=_amount(table["match_play"], f"{key}.match_play") if "match_play" in table else None,
        decisions=tuple(decisions),
    )


def _table(raw: object, key: str, allowed: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise Malformed(f"{key}: {clip(repr(raw))} is no table of keys")
    for name in raw:
        if allowed is not None and name not in allowed:
            raise Malformed(f"{key}: nothing reads {clip(repr(name))}; there are {', '.join(sorted(allowed))}")
    return dict(raw)


def _amount(value: object, key: str) -> Cents:
    try:
        return parse_dollars(value)  # type: ignore[arg-type]
    except MoneyError as error:
        raise Malformed(f"{key}: {error}") from None


def _cards(value: object, key: str) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise Malformed(f"{key}: {clip(repr(value))} is no text of cards")
    try:
        return tuple(Card(word) for word in value.split())
    except CardError as error:
        raise Malformed(f"{key}: {error}") from None
