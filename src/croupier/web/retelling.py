"""A round told again, step by step: every entry in words, and the layout as somebody saw it after each of them.

What lay there is the view of the table that its record rebuilds: exactly what this person was shown then.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.documents import felt_layout
from croupier.errors import BrokenRecord, CroupierError
from croupier.games import WagerSettled
from croupier.journal import read_line
from croupier.present import (
    FIRST_PHASE,
    CardPlaces,
    EventSign,
    Told,
    dollars,
    event_sentences,
    gain,
    outcome_words,
    phase_after,
    sign_of,
    spoken,
    uncited,
)
from croupier.rulebook import HouseRules, load_rulebook, rulebook_ids
from croupier.server import Caller, Desk
from croupier.store import ChainLink, RecalledRound
from croupier.table import Entry, Person, Table, see, view
from croupier.table.events import SeedRevealed
from croupier.table.views import BoxView, TableView
from croupier.web.felt import DrawnFelt, draw_felt
from croupier.web.words import Namer

__all__ = ["LaidOut", "ReplayStep", "lay_out", "steps_of_entries", "steps_of_links", "tables_of", "the_step"]

_SIGNS: Final[dict[EventSign, str]] = {"money": "$", "cards": "♠", "decision": "•", "ruling": "!", "step": "·"}
_GROUPS: Final = {"community": "Board", "six_card_box": "Six-card box", "dealer": "Dealer"}


class ReplayStep(Struct, frozen=True, kw_only=True):
    """An entry of the record in words."""

    seq: int
    at: datetime | None
    by: str
    told: tuple[Told, ...]
    reason: str = ""
    phase: str = ""
    """A new phase of the round begins with it."""
    sign: str = "·"
    kind: str = "step"
    commitment: str = ""
    stored: str = ""
    expected: str = ""
    doubt: str = ""
    """`broken` where the chain does not hold, `after` for everything behind it."""


class LaidBox(Struct, frozen=True, kw_only=True):
    """A seat as it was."""

    seat: int
    name: str
    own: bool
    cards: tuple[str, ...]
    bets: tuple[tuple[str, str], ...]
    status: str
    gain: int | None


class TiedResults(Struct, frozen=True, kw_only=True):
    """Wagers that ended alike and for one reason: they are told together."""

    wagers: tuple[tuple[str, int], ...]
    outcome: str
    net: int
    why: str
    clause: str
    reading: int | None


class OwnBox(Struct, frozen=True, kw_only=True):
    """A box of the viewer, with what became of it."""

    box: BoxView
    results: tuple[TiedResults, ...]


class LaidOut(Struct, frozen=True, kw_only=True):
    """The layout as somebody saw it after an entry."""

    cloth: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    boxes: tuple[LaidBox, ...]
    felts: tuple[DrawnFelt, ...]
    own: tuple[OwnBox, ...]
    meters: tuple[tuple[str, int], ...]


# --- in words


def steps_of_entries(entries: Sequence[Entry], places: CardPlaces, name: Namer, rulebook: str) -> list[ReplayStep]:
    """The entries of a story."""
    known, phase, steps = _clauses(rulebook), "", list[ReplayStep]()
    for entry in entries:
        step, phase = _step(entry, places, name, known, phase)
        steps.append(step)
    return steps


def steps_of_links(
    links: Sequence[ChainLink], places: CardPlaces, name: Namer, rulebook: str, audience: Person | None
) -> list[ReplayStep]:
    """The lines of a round as they are stored, each with its hash; a line that cannot be read says so."""
    known, phase, steps = _clauses(rulebook), "", list[ReplayStep]()
    broken = False
    for link in links:
        doubt = "after" if broken else "" if link.holds else "broken"
        broken = broken or not link.holds
        try:
            entry = see(read_line(link.line), audience)
        except BrokenRecord as error:
            step = ReplayStep(seq=link.seq, at=None, by="", told=(Told(f"This line cannot be read: {error}"),))
        else:
            if entry is None:
                continue
            step, phase = _step(entry, places, name, known, phase)
        steps.append(replace(step, stored=link.stored, expected=link.expected, doubt=doubt))
    return steps


def _clauses(rulebook: str) -> frozenset[str]:
    return (
        frozenset(clause.id for clause in load_rulebook(rulebook).clauses)
        if rulebook in rulebook_ids()
        else frozenset()
    )


def _step(entry: Entry, places: CardPlaces, name: Namer, known: Container[str], phase: str) -> tuple[ReplayStep, str]:
    event: Any = entry.event
    after = phase_after(event, phase or FIRST_PHASE)
    if "patron" in event.__struct_fields__ and isinstance(event.patron, str):
        event = replace(event, patron=name(event.patron))
    sign = sign_of(event)
    commitment = event.commitment if isinstance(event, SeedRevealed) else ""
    sentences = (
        ["The seed of the shuffle is revealed, and with it the whole deck"] if commitment else _sentences(event, places)
    )
    step = ReplayStep(
        seq=entry.seq,
        at=entry.at,
        by=_who(spoken(entry.by.role), name(entry.by.id)),
        told=tuple(uncited(sentence, known) for sentence in sentences),
        reason=entry.reason,
        phase=after if after != phase else "",
        sign=_SIGNS[sign],
        kind=sign,
        commitment=commitment,
    )
    return step, after


def _who(role: str, name: str) -> str:
    """Who did something: the role and the name, but the role once where the name has it, or says what device it is.

    >>> _who("dealer", "Dana"), _who("dealer", "automatic dealer"), _who("pit manager", "automatic manager")
    ('dealer Dana', 'automatic dealer', 'automatic manager')
    >>> _who("device", "virtual shuffler"), _who("device", "")
    ('virtual shuffler', 'device')
    """
    said = role.split()[-1:] == name.split()[-1:] or (role == "device" and name)
    return name if said else f"{role} {name}".rstrip()


def _sentences(event: Any, places: CardPlaces) -> list[str]:  # noqa: ANN401 - any event
    try:
        return event_sentences(event, places)
    except (CroupierError, LookupError, ValueError, TypeError):  # an altered line can name places that there are not
        return event_sentences(event)


def the_step(steps: Sequence[ReplayStep], at: int | None) -> int:
    """Which step is looked at, from 1: the last one unless another was asked for."""
    last = len(steps)
    return last if at is None else max(1, min(last, at))


# --- on the layout


async def tables_of(desk: Desk, caller: Caller, found: RecalledRound) -> Mapping[int, Table]:
    """The table after each entry of a round; none where it cannot be rebuilt any more."""
    return await desk.rebuilt.tables(desk.hall.store, found, ask=lambda: desk.replays.take(caller.id))


def lay_out(
    tables: Mapping[int, Table], found: RecalledRound, seq: int, caller: Caller, name: Namer, *, felt: bool
) -> LaidOut | None:
    """The layout after an entry as the caller saw it, or would have seen it."""
    table = tables.get(min(seq, found.last))
    if table is None:
        return None
    seen = view(table, caller.at_table)
    last = seen.last_round if table.round is None else None
    boxes = last.seats if last is not None else tuple(box for box in seen.seats if box.bets or box.cards or box.results)
    cards = last.cards if last is not None else seen.cards
    own = next((box.seat for box in boxes if box.own), None)
    felts = tuple(_felts(table.house, seen, own, name)) if felt else ()
    return LaidOut(
        cloth=_cloth(table.house),
        groups=tuple((_GROUPS.get(slot, spoken(slot)), names) for slot, names in cards if names),
        boxes=tuple(_box(box, name) for box in boxes),
        felts=felts,
        own=tuple(OwnBox(box=box, results=tuple(_tied(box.results))) for box in boxes if box.own),
        meters=seen.meters,
    )


def _felts(house: HouseRules, seen: TableView, own: int | None, name: Namer) -> Iterator[DrawnFelt]:
    for tall in (False, True):
        yield draw_felt(house, seen, own=own, tall=tall, name=name, bets={})


def _cloth(house: HouseRules) -> str:
    return felt_layout(house, None, tall=False).cloth


def _tied(results: Sequence[WagerSettled]) -> Iterator[TiedResults]:
    groups: dict[tuple[str, str, str, int | None], list[WagerSettled]] = {}
    for result in results:
        groups.setdefault((result.outcome, result.why, result.clause, result.reading), []).append(result)
    for (outcome, why, clause, reading), tied in groups.items():
        yield TiedResults(
            wagers=tuple((result.wager, result.staked) for result in tied),
            outcome=outcome,
            net=sum(result.won + result.returned - result.staked for result in tied),
            why=why,
            clause=clause,
            reading=reading,
        )


def _box(box: BoxView, name: Namer) -> LaidBox:
    results = {result.wager: result for result in box.results}
    bets = []
    for wager, amount in box.bets:
        if wager in results:
            result = results[wager]
            net = result.won + result.returned - result.staked
            words = f"{outcome_words(result.outcome)} {gain(net)}" if net else outcome_words(result.outcome)
        else:
            words = "taken back" if wager in box.withdrawn else dollars(amount)
        bets.append((spoken(wager), words))
    done = bool(box.results) and len(box.results) >= len(box.bets)
    net = sum(result.won + result.returned - result.staked for result in box.results)
    net += sum(bonus.won for bonus in box.envy) + (box.coupon_result.won if box.coupon_result is not None else 0)
    status = gain(net) if done else "folded" if box.folded else "out of the round" if box.out else ""
    return LaidBox(
        seat=box.seat,
        name="You" if box.own else name(box.patron),
        own=box.own,
        cards=box.cards,
        bets=tuple(bets),
        status=status,
        gain=net if done else None,
    )
