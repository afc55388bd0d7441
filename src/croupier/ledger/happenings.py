"""What a supervisor looks through: rulings on irregularities, the lives of decks, and progressive awards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.ledger.reports import PostedEntry, settled_wagers
from croupier.ledger.thresholds import Threshold
from croupier.table import Entry
from croupier.table import events as table_events

__all__ = ["AwardLine", "DeckLife", "Ruling", "awards_of", "decks_of", "rulings_of"]


class Ruling(Struct, frozen=True, kw_only=True):
    """A ruling on an irregularity."""

    table: str
    round: int
    at: datetime
    irregularity: str
    clause: str
    reading: int | None
    void: str
    """What it voided."""
    seat: int
    by: str
    """The id of whoever ruled."""
    role: str
    refunded: int = 0
    """Stakes that went back to their players because of it, in cents."""


def rulings_of(entries: Iterable[PostedEntry]) -> tuple[Ruling, ...]:
    """Every ruling, in order. A refund counts for the ruling whose clause it cites, else for the round's first."""
    rulings: list[Ruling] = []
    rounds: dict[tuple[str, int], list[int]] = {}
    for posted in entries:
        entry, event = posted.entry, posted.entry.event
        place = (entry.stream, entry.round)
        if isinstance(event, round_events.IrregularityRuled):
            rounds.setdefault(place, []).append(len(rulings))
            rulings.append(
                Ruling(
                    table=_table(entry),
                    round=entry.round,
                    at=entry.at,
                    irregularity=event.irregularity,
                    clause=event.clause,
                    reading=event.reading,
                    void=event.void,
                    seat=event.seat,
                    by=entry.by.id,
                    role=entry.by.role,
                )
            )
        for sign, settled in settled_wagers(event):
            if settled.outcome == "void" and place in rounds:
                cited = [number for number in rounds[place] if rulings[number].clause == settled.clause]
                number = (cited or rounds[place])[0]
                refunded = rulings[number].refunded + sign * settled.returned
                rulings[number] = replace(rulings[number], refunded=refunded)
    return tuple(rulings)


# --- decks


class DeckLife(Struct, frozen=True, kw_only=True):
    """A deck from its arrival to its removal."""

    table: str
    deck: str
    back: str
    received: datetime | None = None
    inspected: datetime | None = None
    inspected_by: str = ""
    verified: datetime | None = None
    verified_by: str = ""
    placed: datetime | None = None
    """When it first came into play."""
    removed: datetime | None = None
    why: str = ""
    """What condemned it."""
    clause: str = ""
    """The clause that condemned it."""
    reading: int | None = None
    deals: int = 0
    """How often it was loaded."""

    def hours(self, until: datetime) -> float | None:
        """Hours in play, up to this time if it is still at the table; None if it never came into play."""
        if self.placed is None:
            return None
        return max(0.0, ((self.removed or until) - self.placed).total_seconds() / 3600)


def decks_of(entries: Iterable[PostedEntry]) -> tuple[DeckLife, ...]:
    """Every deck that these entries mention, in the order of their arrival."""
    lives: dict[tuple[str, str], DeckLife] = {}
    for posted in entries:
        entry, event = posted.entry, posted.entry.event
        deck = getattr(event, "deck", "")
        if not isinstance(deck, str) or not deck:
            continue
        place = (_table(entry), deck)
        life = lives.get(place) or DeckLife(table=place[0], deck=deck, back="")
        match event:
            case table_events.DeckReceived():
                life = DeckLife(table=place[0], deck=deck, back=event.back, received=entry.at)
            case table_events.DeckInspected():
                life = replace(life, inspected=entry.at, inspected_by=entry.by.id)
            case table_events.DeckVerified():
                life = replace(life, verified=entry.at, verified_by=entry.by.id)
            case table_events.DeckLoaded():
                placed = entry.at if event.placed else life.placed
                life = replace(life, placed=placed, deals=life.deals + 1)
            case table_events.DeckCondemned():
                life = replace(life, why=event.why, clause=event.clause, reading=event.reading)
            case table_events.DeckRemoved():
                life = replace(life, removed=entry.at)
            case _:
                pass
        lives[place] = life
    return tuple(lives.values())


# --- awards


class AwardLine(Struct, frozen=True, kw_only=True):
    """A progressive award from the turn that won it to the payment."""

    table: str
    round: int
    seat: int
    patron: str
    hand: str
    staked: int
    amount: int
    meter: str
    """The meter it came from, with its link; empty for a prize of fixed odds."""
    percent: int
    handpay: bool
    won_at: datetime
    status: str = "pending"
    verified_by: str = ""
    verified_at: datetime | None = None
    validated_by: str = ""
    validated_at: datetime | None = None
    paid_by: str = ""
    paid_at: datetime | None = None
    reference: str = ""
    flags: tuple[str, ...] = ()
    """The thresholds that it reaches."""


def awards_of(entries: Iterable[PostedEntry], thresholds: Sequence[Threshold] = ()) -> tuple[AwardLine, ...]:
    """Every award, in the order in which they were won."""
    awards: list[AwardLine] = []
    latest: dict[tuple[str, int, int], int] = {}
    wins: dict[tuple[str, int, int], tuple[str, int]] = {}
    rows = [row for row in thresholds if row.applies_to == "award"]
    for posted in entries:
        entry, event = posted.entry, posted.entry.event
        place = (entry.stream, entry.round, getattr(event, "seat", 0))
        for sign, settled in settled_wagers(event):
            if sign > 0 and settled.wager == "progressive" and settled.won:
                wins[place] = (settled.hand or "", settled.staked)
        if isinstance(event, table_events.AwardPending):
            hand, staked = wins.get(place, ("", 0))
            latest[place] = len(awards)
            awards.append(
                AwardLine(
                    table=_table(entry),
                    round=entry.round,
                    seat=event.seat,
                    patron=event.patron,
                    hand=hand,
                    staked=staked,
                    amount=event.amount,
                    meter=f"{event.link}/{event.meter}" if event.link else event.meter,
                    percent=event.percent,
                    handpay=event.handpay,
                    won_at=entry.at,
                    flags=tuple(row.name for row in rows if row.is_reached(event.amount, stake=staked)),
                )
            )
        elif place in latest and type(event) in _STEPS:
            awards[latest[place]] = _after(awards[latest[place]], entry)
    return tuple(awards)


_STEPS: Final = {
    table_events.AwardVerified: "verified",
    table_events.AwardNotVerified: "not verified",
    table_events.AwardValidated: "validated",
    table_events.AwardRejected: "rejected",
    table_events.AwardReversed: "reversed",
    table_events.AwardPaid: "paid",
    table_events.AwardHandPaid: "hand paid",
}
"""What becomes of an award, by the event."""


def _after(award: AwardLine, entry: Entry) -> AwardLine:
    status = _STEPS[type(entry.event)]
    match entry.event:
        case table_events.AwardVerified():
            return replace(award, status=status, verified_by=entry.by.id, verified_at=entry.at)
        case table_events.AwardValidated():
            return replace(award, status=status, validated_by=entry.by.id, validated_at=entry.at)
        case table_events.AwardPaid():
            return replace(award, status=status, paid_by=entry.by.id, paid_at=entry.at)
        case table_events.AwardHandPaid(reference=reference):
            return replace(award, status=status, paid_by=entry.by.id, paid_at=entry.at, reference=reference)
    return replace(award, status=status)


def _table(entry: Entry) -> str:
    return entry.stream.removeprefix("table/")
