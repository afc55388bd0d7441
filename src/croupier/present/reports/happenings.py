"""Meters, rulings, decks and awards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from croupier.money import Cents, format_dollars
from croupier.present.amounts import meter_dollars
from croupier.present.names import line_words, spoken
from croupier.present.reports.shared import MINUS, Names, amount, clause_words, clock, iso, one_day, person_words
from croupier.present.sheets import Sheet, sheet

if TYPE_CHECKING:
    from croupier.ledger import AwardLine, DeckLife, MeterFigures, Ruling

__all__ = [
    "award_json",
    "award_sheet",
    "deck_json",
    "deck_sheet",
    "meter_json",
    "meter_sheet",
    "ruling_json",
    "ruling_sheet",
    "units_text",
]

# --- meters


def meter_sheet(meters: Sequence[MeterFigures], *, title: str) -> Sheet:
    """A column for each meter."""
    lines = {
        "opening": "opening",
        "contributions": "contributions",
        "awards": "awards",
        "taken_back": "awards taken back",
        "resets": "resets",
        "seeded": "seeded",
        "expected": "should hold",
        "closing": "closing",
        "difference": "difference",
    }
    rows = [(words, *(_meter(getattr(meter, name)) for meter in meters)) for name, words in lines.items()]
    rows.append(("hits", *(f"{meter.hits:,}" for meter in meters)))
    return sheet(("", *(_meter_name(meter.account) for meter in meters)), rows, title=title, alike=True)


def _meter(units: int) -> str:
    return meter_dollars(units).replace("-", MINUS)


def _meter_name(account: str) -> str:
    """
    >>> _meter_name("table/7/meter/main"), _meter_name("link/harbor/meter/mega"), _meter_name("table/7/reserve")
    ('7 main', 'harbor mega', '7 reserve')
    """
    return account.removeprefix("table/").removeprefix("link/").replace("/meter/", " ").replace("/", " ")


def meter_json(meter: MeterFigures) -> dict[str, Any]:
    """A meter for programs, in dollars to 1/10,000 cent."""
    names = ("opening", "contributions", "awards", "taken_back", "resets", "seeded", "closing", "difference")
    return {
        "account": meter.account,
        **{name: units_text(getattr(meter, name)) for name in names},
        "hits": meter.hits,
    }


def units_text(units: int) -> str:
    """Write 1/10,000 cents as dollars, for programs."""
    return f"{'-' * (units < 0)}{abs(units) // 1_000_000}.{abs(units) % 1_000_000:06}"


# --- rulings, decks, awards


def ruling_sheet(rulings: Sequence[Ruling], names: Names, *, title: str) -> Sheet:
    """A row for each ruling."""
    day = one_day(ruling.at for ruling in rulings)
    rows = [
        (
            clock(ruling.at, day),
            f"{ruling.table} {ruling.round}",
            spoken(ruling.irregularity),
            spoken(ruling.void),
            amount(ruling.refunded),
            person_words(ruling.by, names),
            clause_words(ruling.clause, ruling.reading),
        )
        for ruling in rulings
    ]
    columns = ("time", "round", "irregularity", "void", "refunded", "ruled by", "clause")
    return sheet(columns, rows, title=_dated(title, day))


def _dated(title: str, day: date | None) -> str:
    """A title, with the date of the times below unless it has it already."""
    return title if day is None or str(day) in title else f"{title}; times on {day}"


def ruling_json(ruling: Ruling, names: Names) -> dict[str, Any]:
    """A ruling for programs."""
    return {
        "table": ruling.table,
        "round": ruling.round,
        "at": iso(ruling.at),
        "irregularity": ruling.irregularity,
        "clause": ruling.clause,
        "reading": ruling.reading,
        "void": ruling.void,
        "seat": ruling.seat or None,
        "by": {"role": ruling.role, "id": ruling.by},
        "name": names.get(ruling.by),
        "refunded": format_dollars(Cents(ruling.refunded)),
    }


def deck_sheet(decks: Sequence[DeckLife], until: datetime, *, title: str) -> Sheet:
    """A row for each deck."""
    steps = ("received", "inspected", "verified", "placed", "removed")
    day = one_day(getattr(deck, step) for deck in decks for step in steps)
    rows = [
        (
            deck.table,
            deck.deck,
            *(clock(getattr(deck, step), day) for step in steps[:4]),
            "" if (hours := deck.hours(until)) is None else f"{hours:.1f}",
            clock(deck.removed, day) or "at the table",
            f"{deck.why} ({clause_words(deck.clause, deck.reading)})" if deck.why else "",
        )
        for deck in decks
    ]
    columns = ("table", "deck", "received", "inspected", "verified", "in play", "hours", "removed", "condemned")
    return sheet(columns, rows, title=_dated(title, day))


def deck_json(deck: DeckLife, until: datetime) -> dict[str, Any]:
    """A deck for programs."""
    return {
        "table": deck.table,
        "deck": deck.deck,
        "back": deck.back,
        "received": iso(deck.received),
        "inspected": iso(deck.inspected),
        "inspected_by": deck.inspected_by or None,
        "verified": iso(deck.verified),
        "verified_by": deck.verified_by or None,
        "placed": iso(deck.placed),
        "hours_in_play": deck.hours(until),
        "loaded": deck.deals,
        "removed": iso(deck.removed),
        "condemned": deck.why or None,
        "clause": deck.clause or None,
        "reading": deck.reading,
    }


def award_sheet(awards: Sequence[AwardLine], names: Names, *, title: str) -> Sheet:
    """A row for each award."""
    day = one_day(award.won_at for award in awards)
    rows = [
        (
            clock(award.won_at, day),
            f"{award.table} {award.round}",
            person_words(award.patron, names),
            line_words(award.hand),
            amount(award.amount) + (f" ({award.percent}% of {award.meter})" if award.meter else ""),
            _status(award),
            _by(award, names),
            "; ".join(award.flags),
        )
        for award in awards
    ]
    columns = ("won", "round", "patron", "hand", "award", "status", "verified, validated, paid by", "flags")
    return sheet(columns, rows, title=_dated(title, day))


def _status(award: AwardLine) -> str:
    paid = f" {award.paid_at:%H:%M}" if award.paid_at is not None else ""
    source = {"paid": " from the tray", "hand paid": f", {award.reference}"}.get(award.status, "")
    return f"{award.status}{paid}{source}"


def _by(award: AwardLine, names: Names) -> str:
    people = (award.verified_by, award.validated_by, award.paid_by)
    return ", ".join(person_words(person, names) for person in people if person)


def award_json(award: AwardLine, names: Names) -> dict[str, Any]:
    """An award for programs."""
    return {
        "table": award.table,
        "round": award.round,
        "seat": award.seat,
        "patron": award.patron,
        "name": names.get(award.patron),
        "hand": award.hand,
        "staked": format_dollars(Cents(award.staked)),
        "amount": format_dollars(Cents(award.amount)),
        "meter": award.meter or None,
        "percent": award.percent or None,
        "status": award.status,
        "won_at": iso(award.won_at),
        "verified_by": award.verified_by or None,
        "verified_at": iso(award.verified_at),
        "validated_by": award.validated_by or None,
        "validated_at": iso(award.validated_at),
        "paid_by": award.paid_by or None,
        "paid_at": iso(award.paid_at),
        "paid_from": {"paid": "tray", "hand paid": "cage"}.get(award.status),
        "reference": award.reference or None,
        "flags": list(award.flags),
    }
