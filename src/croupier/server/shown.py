"""What the API shows of a table: views, entries, offers and refusals as plain values, money in dollars."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from croupier.errors import RuleViolation
from croupier.games import Offer
from croupier.money import format_dollars
from croupier.table import Entry, Person, Table, see, write_entry, write_offer, write_settled
from croupier.table.views import AwaitedView, BoxView, RoundView, StaffView, TableView

__all__ = [
    "shown_awaited",
    "shown_box",
    "shown_entry",
    "shown_refusal",
    "shown_round",
    "shown_staff",
    "shown_table",
    "shown_time",
    "shown_view",
]

_PLACES: Final = {"community": "board", "six_card_box": "box", "dealer": "dealer"}
"""The cards that belong to nobody at a seat, by the names that the API has for them."""


def shown_view(view: TableView) -> dict[str, Any]:
    """A view of a table; a card that may not be seen is `??`."""
    shown: dict[str, Any] = {
        "status": view.status,
        "rulebook": view.rulebook,
        "operator": view.operator,
        "rounds": view.rounds,
        "awaiting": shown_awaited(view.awaiting),
        "seats": [shown_box(box) for box in view.seats],
        "cards": _cards(view.cards),
        "meters": {name: format_dollars(amount) for name, amount in view.meters},
        "commitment": view.commitment or None,
        "last_round": shown_round(view.last_round),
        "chips": format_dollars(view.chips) if view.chips is not None else None,
    }
    if view.staff is not None:
        shown["staff"] = shown_staff(view.staff)
    return shown


def shown_awaited(awaited: AwaitedView) -> dict[str, Any]:
    """What has to happen next."""
    return {
        "kind": awaited.kind,
        "words": awaited.words,
        "seat": awaited.seat or None,
        "patron": awaited.patron or None,
        "decision": awaited.decision,
        "choices": [
            {
                "choice": choice.choice,
                "least": format_dollars(choice.least),
                "most": format_dollars(choice.most),
                "step": format_dollars(choice.step),
            }
            for choice in awaited.choices
        ],
        "act": awaited.act,
        "slot": awaited.slot,
        "meter": awaited.meter or None,
        "since": _time(awaited.since),
        "deadline": _time(awaited.deadline),
        "clause": awaited.clause or None,
        "reading": awaited.reading,
    }


def shown_table(table: Table, view: TableView, *, paused: bool = False) -> dict[str, Any]:
    """A table as the list of tables has it; the view is a passerby's."""
    house = table.house
    return {
        "id": table.id,
        "rulebook": view.rulebook,
        "operator": view.operator,
        "status": "paused" if paused else view.status,
        "seats": house.seats,
        "open_seats": [box.seat for box in view.seats if not box.patron],
        "limits": _limits(table),
        "meters": {name: format_dollars(amount) for name, amount in view.meters},
        "rounds": view.rounds,
        "rules": house.hash,
    }


def shown_entry(entry: Entry, audience: Person | None, table: Table) -> dict[str, Any] | None:
    """An entry as a person may see it; None if it is not for them."""
    seen = see(entry, audience, table)
    return {"seq": seen.seq, **write_entry(seen)} if seen is not None else None


def shown_refusal(violation: RuleViolation) -> dict[str, Any]:
    """Why a command was refused, and what would be allowed."""
    return {
        "code": violation.code,
        "clause": violation.clause or None,
        "reading": violation.reading,
        "message": str(violation),
        "allowed": [write_offer(offer) if isinstance(offer, Offer) else offer for offer in violation.allowed],
    }


def _limits(table: Table) -> dict[str, Any]:
    return {
        wager.name: {
            "minimum": format_dollars(wager.stakes.minimum),
            "maximum": format_dollars(wager.stakes.maximum),
            "step": format_dollars(wager.stakes.increment),
        }
        for wager in table.house.wagers
        if wager.stakes is not None
    }


def _cards(cards: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, str]:
    shown = dict.fromkeys(_PLACES.values(), "")
    return shown | {_PLACES[slot]: " ".join(names) for slot, names in cards}


def shown_box(box: BoxView) -> dict[str, Any]:
    """A seat with whatever is on it."""
    return {
        "seat": box.seat,
        "patron": box.patron or None,
        "own": box.own,
        "bets": {name: format_dollars(amount) for name, amount in box.bets},
        "withdrawn": list(box.withdrawn),
        "coupon": format_dollars(box.coupon) if box.coupon else None,
        "lit": box.lit,
        "folded": box.folded,
        "out": box.out or None,
        "cards": " ".join(box.cards),
        "results": [write_settled(settled) for settled in box.results],
        "coupon_result": write_settled(box.coupon_result) if box.coupon_result is not None else None,
        "envy": [write_settled(bonus) for bonus in box.envy],
    }


def shown_round(view: RoundView | None, seats: Sequence[object] = ()) -> dict[str, Any] | None:
    """A round that is over, if there is one; its seats may have been written already."""
    if view is None:
        return None
    shown = seats or [shown_box(box) for box in view.seats]
    return {"number": view.number, "seats": shown, "cards": _cards(view.cards)}


def shown_staff(view: StaffView) -> dict[str, Any]:
    """What the staff see beside it."""
    return {
        "dealer": view.dealer or None,
        "floor": list(view.floor),
        "tray": format_dollars(view.tray),
        "chips": {patron: format_dollars(amount) for patron, amount in view.chips},
        "decks": [
            {"id": deck.id, "back": deck.back, "stage": deck.stage, "until": _time(deck.until)} for deck in view.decks
        ],
        "stub": view.stub or None,
        "awards": [
            {
                "seat": award.seat,
                "patron": award.patron,
                "amount": format_dollars(award.amount),
                "meter": award.meter,
                "by_hand": award.handpay,
                "status": award.status,
                "verified_by": award.verified_by or None,
            }
            for award in view.awards
        ],
    }


def shown_time(at: datetime) -> str:
    """A time of the house, in UTC: `2026-01-01T20:00:00Z`."""
    return at.isoformat().replace("+00:00", "Z")


def _time(at: datetime | None) -> str | None:
    return shown_time(at) if at is not None else None
