"""What each audience may see of a table, built from nothing up: a card is put in only where it may be seen.

Everybody sees what lies face up, the bets, the meters and what is awaited. Players see their own cards once the deal is
complete, and their own chips; the staff see the tray, the decks and open awards. Nobody sees a card that lies face down
and is not their own: not the dealer, not the floor, not the regulator. Only hands that a floorperson has had rebuilt
in a dispute, once they are being settled, are the floor's and the officials' to see.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.cards import Card
from croupier.games import Round, actions, awaiting
from croupier.games.playing import look_problem
from croupier.games.results import WagerSettled
from croupier.games.round import Box, own_places, patron_of
from croupier.money import Cents
from croupier.progressive import shown
from croupier.rulebook.names import Role, Slot, WagerName
from croupier.table.accounts import TRAY, balance
from croupier.table.awards import open_awards
from croupier.table.disputes import disputed, in_the_rack
from croupier.table.people import Person, givers
from croupier.table.ready import not_ready
from croupier.table.state import Award, Deck, Table, chips_of, duty_of, is_dealt, seats_of
from croupier.table.stub import stub_open

__all__ = ["CARD_BACK", "BoxView", "DeckView", "RebuiltHand", "StaffView", "TableView", "rebuilt_hands", "view"]

CARD_BACK = "??"
"""A card that lies face down, or that this audience may not see."""
_PUBLIC: tuple[Slot, ...] = ("community", "six_card_box", "dealer")


class BoxView(Struct, frozen=True, kw_only=True):
    """A betting position: who sits there, the bets, the cards as far as they may be seen, and what was settled."""

    seat: int
    patron: str
    bets: tuple[tuple[WagerName, Cents], ...] = ()
    lit: bool = False
    folded: bool = False
    cards: tuple[str, ...] = ()
    settled: tuple[WagerSettled, ...] = ()


class DeckView(Struct, frozen=True, kw_only=True):
    """A deck as the staff see it: where it is, never what it holds."""

    id: str
    back: str
    stage: str
    until: datetime | None
    """When its hours are over, once it is in play."""


class StaffView(Struct, frozen=True, kw_only=True):
    """What the staff and the officials see beside the layout."""

    dealer: str
    floor: tuple[str, ...]
    tray: Cents
    chips: tuple[tuple[str, Cents], ...]
    decks: tuple[DeckView, ...]
    stub: str
    awards: tuple[Award, ...]


class RebuiltHand(Struct, frozen=True, kw_only=True):
    """A hand as it lies in the rack."""

    seat: int
    patron: str
    folded: bool
    cards: tuple[str, ...]
    """A back for a card that nobody ever told."""


class TableView(Struct, frozen=True, kw_only=True):
    """A table as one audience sees it."""

    rulebook: str
    operator: str
    status: str
    rounds: int
    awaiting: str
    boxes: tuple[BoxView, ...]
    cards: tuple[tuple[Slot, tuple[str, ...]], ...]
    """The cards of the board, the box and the dealer."""
    meters: tuple[tuple[str, Cents], ...]
    commitment: str
    """What a virtual shuffler has promised for this round."""
    chips: Cents | None = None
    """A player's own."""
    staff: StaffView | None = None


def view(table: Table, audience: Person | None = None) -> TableView:
    """The table as a person sees it; without a person, as anybody who walks by does."""
    role = audience.role if audience is not None else None
    patron = audience.id if audience is not None and role == "player" else ""
    state = table.round
    return TableView(
        rulebook=table.house.rulebook.id,
        operator=table.house.operator,
        status="suspended" if table.suspended else table.status,
        rounds=table.rounds,
        awaiting=_awaiting(table),
        boxes=tuple(_box(table, state, seat, name, patron) for seat, name in _positions(table)),
        cards=tuple(
            (slot, _seen(state, state.cards.plan.slots.get(slot, ()))) for slot in _PUBLIC if state is not None
        ),
        meters=tuple((meter.name, shown(meter)) for meter in table.meters),
        commitment=next((deck.commitment for deck in table.decks if deck.stage in {"loaded", "in_play"}), ""),
        chips=chips_of(table, patron) if patron and seats_of(table, patron) else None,
        staff=_staff(table) if _is_staff(role) else None,
    )


def rebuilt_hands(table: Table, audience: Person | None) -> tuple[RebuiltHand, ...]:
    """The hands that were rebuilt last, for who rebuilds them and for officials; nothing for anybody else."""
    role, found = audience.role if audience is not None else None, disputed(table)
    rebuilder = duty_of(table.house, "rebuild_hands")
    if found is None or table.rebuilt is None or found[0] != table.rebuilt[0] or rebuilder is None:
        return ()
    if role is None or role not in (*givers(table.house.rulebook.procedure.ranks, rebuilder), "operator", "regulator"):
        return ()
    state, hands = found[1], in_the_rack(found[1])
    boxes, known = {box.seat: box for box in state.boxes}, state.faces.known
    return tuple(
        RebuiltHand(
            seat=seat,
            patron=patron_of(state, boxes[seat]),
            folded=boxes[seat].folded_on is not None,
            cards=tuple(CARD_BACK if (card := known[place]) is None else str(card) for place in hands[seat]),
        )
        for seat in table.rebuilt[1]
    )


def _is_staff(role: Role | None) -> bool:
    return role is not None and role not in {"player", "device"}


def _positions(table: Table) -> list[tuple[int, str]]:
    """Every seat that somebody sits at, or has bets on."""
    found = dict(table.seats)
    if (state := table.round) is not None:
        found = {box.seat: patron_of(state, box) for box in state.boxes} | found
    return sorted(found.items())


def _box(table: Table, state: Round | None, seat: int, patron: str, audience: str) -> BoxView:
    box = next((one for one in state.boxes if one.seat == seat), None) if state is not None else None
    if state is None or box is None:
        return BoxView(seat=seat, patron=patron)
    patron = patron_of(state, box)
    own = audience == patron and audience != "" and _may_look(table, state, box)
    return BoxView(
        seat=seat,
        patron=patron,
        bets=box.staked,
        lit=box.registered,
        folded=box.folded_on is not None,
        cards=_seen(state, own_places(state, seat), own=own),
        settled=box.results,
    )


def _may_look(table: Table, state: Round, box: Box) -> bool:
    """Whether a player has these cards in hand: after the deal, until they went to the rack or are out of the round."""
    places = own_places(state, box.seat)
    racked = any(place in state.cards.rack for place in places)
    later = look_problem(state, actions.Look(box.seat))
    in_turn = later is None or later.code != "one_hand_at_a_time"  # reading 87
    return is_dealt(state) and not stub_open(table) and not racked and not box.absent and not box.out and in_turn


def _seen(state: Round, places: tuple[int, ...], *, own: bool = False) -> tuple[str, ...]:
    """The cards at these places: those that lie face up, those in one's own hand, and backs."""
    known, cards = state.faces.known, state.cards
    found = []
    for place in places:
        if place >= cards.dealt or place in cards.rack:
            continue
        card: Card | None = known[place] if place in cards.up or own else None
        found.append(CARD_BACK if card is None else str(card))
    return tuple(found)


def _staff(table: Table) -> StaffView:
    return StaffView(
        dealer=table.dealer,
        floor=table.floor,
        tray=balance(table.books, TRAY),
        chips=tuple((patron, chips_of(table, patron)) for patron in dict.fromkeys(name for _, name in table.seats)),
        decks=tuple(_deck(deck) for deck in table.decks),
        stub=table.stub,
        awards=table.awards,
    )


def _deck(deck: Deck) -> DeckView:
    return DeckView(id=deck.id, back=deck.back, stage=deck.stage, until=deck.until)


def _awaiting(table: Table) -> str:
    """What has to happen next, in words."""
    state = table.round
    if table.status == "closed" or table.clock is None:
        return "the table to open"
    if state is None:
        problem = not_ready(table, table.clock)
        return f"{problem} ({problem.clause})" if problem is not None else "bets"
    if stub_open(table):
        return "the stub to be looked into" if table.stub == "wrong" else "the stub to be put away"
    award = next(iter(open_awards(table)), None)
    if award is not None and awaiting(state).kind == "close":
        return f"the award of seat {award.seat}, which is {award.status}"
    return str(awaiting(state))
