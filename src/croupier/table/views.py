"""What each audience may see of a table, built from nothing up: a card is put in only where it may be seen.

Everybody sees what lies face up, the bets, the meters, what is awaited and how the last round ended. Players see their
own cards once the deal is complete, and their own chips; the staff see the tray, the decks and the awards of this
round, of which everybody else knows only that they are being checked. Nobody sees a card that lies face down and is not
their own: not the dealer, not the floor, not the regulator. Only hands that a floorperson has had rebuilt in a dispute,
once they are being settled, are the floor's and the officials' to see.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from croupier.games import (
    Awaiting,
    Box,
    Round,
    actions,
    awaiting,
    box_at,
    hand_of,
    is_known,
    look_problem,
    own_places,
    patron_of,
    raise_stakes,
)
from croupier.money import Cents
from croupier.progressive import shown
from croupier.rulebook.names import Slot
from croupier.table.accounts import TRAY, balance
from croupier.table.awards import open_awards
from croupier.table.disputes import disputed, in_the_rack
from croupier.table.duties import duty_of
from croupier.table.people import Person, givers, is_staff
from croupier.table.ready import not_ready
from croupier.table.state import Deck, Table, chips_of, is_dealt, reads_itself, seats_of
from croupier.table.stub import count_is_next, stub_open
from croupier.table.view_values import (
    CARD_BACK,
    AwaitedView,
    BoxView,
    ChoiceView,
    DeckView,
    LastRounds,
    RebuiltHand,
    RoundView,
    SlotCards,
    StaffView,
    TableView,
)

__all__ = [
    "CARD_BACK",
    "AwaitedView",
    "BoxView",
    "ChoiceView",
    "DeckView",
    "LastRounds",
    "RebuiltHand",
    "RoundView",
    "SlotCards",
    "StaffView",
    "TableView",
    "rebuilt_hands",
    "view",
]

_PUBLIC: tuple[Slot, ...] = ("community", "six_card_box", "dealer")


def view(
    table: Table,
    audience: Person | None = None,
    *,
    public: TableView | None = None,
    last_rounds: LastRounds | None = None,
) -> TableView:
    """The table as a person sees it; without a person, as a passerby does.

    Whoever shows one table to many gives what a passerby sees of it as `public`: the rest is added to that, and what is
    not the person's own stays the very same object. `last_rounds` keeps what was made of the last round, and is the
    same dictionary until another round is over.
    """
    last_rounds = last_rounds if last_rounds is not None else {}
    public = public if public is not None else _public(table, last_rounds)
    if audience is None:
        return public
    if is_staff(audience.role):
        return replace(public, awaiting=_awaited(table, "", staff=True), staff=_staff(table))
    return _players(table, audience.id, public, last_rounds) if audience.role == "player" else public


def _public(table: Table, last_rounds: LastRounds) -> TableView:
    """What everybody sees."""
    if "" not in last_rounds:
        last_rounds[""] = _last_round(table)
    state = table.round
    return TableView(
        version=table.seq,
        rulebook=table.house.rulebook.id,
        operator=table.house.operator,
        status="suspended" if table.suspended else table.status,
        rounds=table.rounds,
        awaiting=_awaited(table, "", staff=False),
        seats=tuple(_box(table, seat, name, "") for seat, name in _positions(table)),
        cards=tuple(
            (slot, _seen(state, state.cards.plan.slots.get(slot, ()))) for slot in _PUBLIC if state is not None
        ),
        meters=tuple((meter.name, shown(meter)) for meter in table.progressive.meters),
        commitment=next((deck.commitment for deck in table.cards.decks if deck.stage in {"loaded", "in_play"}), ""),
        last_round=last_rounds[""],
        chips=None,
        staff=None,
    )


def _players(table: Table, patron: str, public: TableView, last_rounds: LastRounds) -> TableView:
    """What a player sees beside it: their own boxes, chips and choices, now and in the last round."""
    if patron not in last_rounds:
        last_rounds[patron] = _players_last_round(table, patron, public.last_round)
    return replace(
        public,
        awaiting=_awaited(table, patron, staff=False) if public.awaiting.patron == patron else public.awaiting,
        seats=tuple(_box(table, box.seat, patron, patron) if box.patron == patron else box for box in public.seats),
        last_round=last_rounds[patron],
        chips=chips_of(table, patron) if seats_of(table, patron) else None,
    )


def rebuilt_hands(table: Table, audience: Person | None) -> tuple[RebuiltHand, ...]:
    """The hands last rebuilt, for the floor and officials; nothing for anyone else."""
    role, dispute = audience.role if audience is not None else None, disputed(table)
    rebuilder = duty_of(table.house, "rebuild_hands")
    if dispute is None or table.rebuilt is None or dispute[0] != table.rebuilt[0] or rebuilder is None:
        return ()
    if role is None or role not in (*givers(table.house.rulebook.procedure.ranks, rebuilder), "operator", "regulator"):
        return ()
    state, hands = dispute[1], in_the_rack(dispute[1])
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


# --- the layout


def _positions(table: Table) -> list[tuple[int, str]]:
    """Every seat, with who sits there or has bets on it."""
    patrons = dict.fromkeys(range(1, table.house.seats + 1), "")
    if (state := table.round) is not None:
        patrons |= {box.seat: patron_of(state, box) for box in state.boxes}
    return sorted((patrons | dict(table.people.seats)).items())


def _box(table: Table, seat: int, patron: str, audience: str) -> BoxView:
    state = table.round
    box = box_at(state, seat) if state is not None else None
    if state is None or box is None:
        return BoxView(seat=seat, patron=patron, own=patron == audience != "")
    in_hand = patron_of(state, box) == audience != "" and _may_look(table, state, box)
    return _box_view(state, box, audience, _seen(state, own_places(state, seat), own=in_hand))


def _box_view(state: Round, box: Box, audience: str, cards: tuple[str, ...]) -> BoxView:
    patron = patron_of(state, box)
    order = {name: place for place, name in enumerate((*state.rules.order, *state.rules.last))}
    return BoxView(
        seat=box.seat,
        patron=patron,
        own=patron == audience != "",
        bets=box.staked,
        withdrawn=box.withdrawn,
        coupon=box.coupon,
        lit=box.registered,
        folded=box.folded_on is not None,
        out=box.out,
        cards=cards,
        results=tuple(sorted(box.results, key=lambda settled: order[settled.wager])),
        coupon_result=box.coupon_result,
        envy=box.envy,
    )


def _last_round(table: Table) -> RoundView | None:
    """The cards that everybody saw."""
    state = table.last_round
    if state is None:
        return None
    slots = state.cards.plan.slots
    return RoundView(
        number=table.played,
        seats=tuple(_last_box(state, box, "") for box in state.boxes),
        cards=tuple((slot, _were_seen(state, slots.get(slot, ()))) for slot in _PUBLIC),
    )


def _players_last_round(table: Table, patron: str, public: RoundView | None) -> RoundView | None:
    """Players also see the hands that they folded themselves."""
    state = table.last_round
    if state is None or public is None or all(box.patron != patron for box in public.seats):
        return public
    seats = zip(state.boxes, public.seats, strict=True)
    return replace(
        public, seats=tuple(_last_box(state, box, patron) if seen.patron == patron else seen for box, seen in seats)
    )


def _last_box(state: Round, box: Box, audience: str) -> BoxView:
    own = _folded_by(state, box, audience)
    return _box_view(state, box, audience, _were_seen(state, own_places(state, box.seat), own=own))


def _folded_by(state: Round, box: Box, audience: str) -> bool:
    """Whether a player folded this hand, and so has seen its cards."""
    return box.folded_on is not None and not box.absent and patron_of(state, box) == audience != ""


def _may_look(table: Table, state: Round, box: Box) -> bool:
    """Whether a player has these cards in hand: after the deal, until they went to the rack or are out of the round."""
    places = own_places(state, box.seat)
    racked = any(place in state.cards.rack for place in places)
    later = look_problem(state, actions.Look(box.seat))
    in_turn = later is None or later.code != "one_hand_at_a_time"  # reading 87
    return is_dealt(state) and not stub_open(table) and not racked and not box.absent and not box.out and in_turn


def _seen(state: Round, places: tuple[int, ...], *, own: bool = False) -> tuple[str, ...]:
    """The cards at these places: face-up cards, the viewer's own, and backs."""
    lying = [place for place in places if place < state.cards.dealt and place not in state.cards.rack]
    return _were_seen(state, lying, own=own)


def _were_seen(state: Round, places: Sequence[int], *, own: bool = False) -> tuple[str, ...]:
    """The cards at these places as they were seen, wherever they are now."""
    known, up = state.faces.known, state.cards.up
    cards = [known[place] if place < len(known) and (place in up or own) else None for place in places]
    return tuple(CARD_BACK if card is None else str(card) for card in cards)


def _staff(table: Table) -> StaffView:
    return StaffView(
        dealer=table.people.dealer,
        floor=table.people.floor,
        tray=balance(table.books, TRAY),
        chips=tuple(
            (patron, chips_of(table, patron)) for patron in dict.fromkeys(name for _, name in table.people.seats)
        ),
        decks=tuple(_deck(deck) for deck in table.cards.decks),
        stub=table.cards.stub,
        awards=table.progressive.awards,
    )


def _deck(deck: Deck) -> DeckView:
    return DeckView(id=deck.id, back=deck.back, stage=deck.stage, until=deck.until)


# --- what is awaited


def _awaited(table: Table, audience: str, *, staff: bool) -> AwaitedView:
    state = table.round
    if table.status == "closed" or table.clock is None:
        return AwaitedView(kind="opening", words="the table to open")
    if state is None:
        problem = not_ready(table, table.clock)
        if problem is None:
            return AwaitedView(kind="wagers", words="bets")
        words = f"{problem} ({problem.clause})"
        return AwaitedView(kind="preparation", words=words, clause=problem.clause, reading=problem.reading)
    if stub_open(table):
        return AwaitedView(kind="stub", words=_stub_step(table))
    asked = awaiting(state)
    if asked.kind == "meter" and reads_itself(table, asked.meter):
        asked = replace(asked, kind="settlement", meter="", what="hand")
    award = next(iter(open_awards(table)), None)
    if award is not None and asked.kind == "close":
        step = f"which is {award.status}" if staff else "which is being checked"
        words = f"the award at seat {award.seat}, {step}"
        return AwaitedView(kind="award", words=words, seat=award.seat, patron=award.patron)
    return _asked(table, state, asked, audience)


def _stub_step(table: Table) -> str:
    if table.cards.stub == "wrong":
        return "the wrong stub count to be resolved"
    return "the stub to be counted" if count_is_next(table) else "the stub to be racked"


def _asked(table: Table, state: Round, asked: Awaiting, audience: str) -> AwaitedView:
    """What the round awaits."""
    box = box_at(state, asked.seat)
    deciding = asked.kind == "decision"
    return AwaitedView(
        kind=asked.kind,
        words=str(asked),
        seat=asked.seat,
        patron=patron_of(state, box) if box is not None else "",
        act=asked.act,
        decision=asked.decision,
        choices=_choices(table, state, box, audience) if deciding and box is not None else (),
        slot=asked.slot,
        places=asked.places,
        meter=asked.meter,
        what=asked.what,
        since=table.asked_at if deciding else None,
        deadline=_deadline(table) if deciding else None,
    )


def _deadline(table: Table) -> datetime | None:
    seconds = table.house.options.decision_timeout
    if table.asked_at is None or seconds == 0:
        return None
    return table.asked_at + timedelta(seconds=seconds)


def _choices(table: Table, state: Round, box: Box, audience: str) -> tuple[ChoiceView, ...]:
    choice, main = state.at.choice, box.staked[0][1]
    if choice is None:
        return ()
    in_hand = patron_of(state, box) == audience != "" and _may_look(table, state, box)
    known = in_hand and is_known(state, own_places(state, box.seat))
    choices = []
    for name in choice.choices:
        if name == "raise":
            stakes = raise_stakes(state.rules, hand_of(state, box).cards if known else None, main)[0]
            choices.append(ChoiceView(choice=name, least=stakes.minimum, most=stakes.maximum, step=stakes.increment))
        else:
            cost = Cents(int(name[0]) * main if name[0].isdecimal() else 0)
            choices.append(ChoiceView(choice=name, least=cost, most=cost))
    return tuple(choices)
