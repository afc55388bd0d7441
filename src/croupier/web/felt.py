"""The felt of a table in the browser: where things lie is said by the printed layout's rows, what lies there by a view.

Nothing here knows a game: areas, wagers and cards are those that the house's layout has. What it makes are places and
words; the template `felt.html` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.documents import FeltPlan, FeltSlot, FeltSpot, ScreenSeat, felt_layout, screen_spot
from croupier.games import WagerSettled
from croupier.money import Cents
from croupier.present import dollars, gain, outcome_words
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Slot, WagerName
from croupier.table.views import CARD_BACK, BoxView, TableView
from croupier.web.counted import counted_cards
from croupier.web.told import dealers_hand, in_hand, round_shown

__all__ = ["DrawnFelt", "draw_felt"]

_OVERLAP: Final = 3
"""Hands of more cards than this overlap."""


class DrawnCard(Struct, frozen=True, kw_only=True):
    """A card on the felt."""

    id: str
    name: str
    x: float
    y: float
    width: float
    small: bool = False
    dim: bool = False
    counts: bool = False
    """Whether it makes the hand."""


class DrawnSpot(Struct, frozen=True, kw_only=True):
    """A betting area with what lies in it."""

    wager: WagerName
    label: str
    x: float
    y: float
    radius: float
    shape: str
    state: str
    staked: Cents = Cents(0)
    """What lies there."""
    paid: Cents = Cents(0)
    amount: str = ""
    words: str = ""
    link: str = ""
    """Where it is bet on."""
    invites: str = ""
    """What would be bet there."""
    awaited: bool = False
    """Whether the decision that is due is about it."""


class DrawnSeat(Struct, frozen=True, kw_only=True):
    """A seat with everything on it."""

    seat: int
    own: bool
    asked: bool
    name: str
    status: str
    gain: int | None
    tag_x: float
    tag_y: float
    spots: tuple[DrawnSpot, ...]
    cards: tuple[DrawnCard, ...]
    words: str
    folded: bool = False
    link: str = ""


class DrawnFelt(Struct, frozen=True, kw_only=True):
    """A felt as one person sees it."""

    plan: FeltPlan
    seats: tuple[DrawnSeat, ...]
    slots: tuple[tuple[FeltSlot, DrawnCard | None], ...]
    meters: tuple[tuple[str, Cents], ...]
    is_last: bool
    """Whether it still shows the round that is over."""
    dealer: str = ""
    """What the dealer's hand makes, once it is turned up."""


def draw_felt(
    house: HouseRules,
    view: TableView,
    *,
    own: int | None,
    tall: bool,
    name: Callable[[str], str],
    bets: Mapping[WagerName, str],
) -> DrawnFelt:
    """The felt as somebody sees it; `bets` are the wagers that the viewer may bet on now, with what would be bet."""
    plan = felt_layout(house, own, tall=tall)
    laid = round_shown(view)
    boxes = {box.seat: box for box in view.seats}
    shown = {box.seat: box for box in laid.seats} | {box.seat: box for box in view.seats if box.bets}
    dealers = dealers_hand(house, laid)
    cards = dict(laid.cards)
    counted = counted_cards(house, shown.get(own) if own is not None else None, cards)
    return DrawnFelt(
        plan=plan,
        seats=tuple(
            _seat(
                plan,
                place,
                boxes[place.seat],
                shown.get(place.seat),
                view=view,
                name=name,
                bets=bets if place.seat == own else {},
                counted=counted if place.seat == own else frozenset(),
            )
            for place in plan.seats
            if place.seat in boxes
        ),
        slots=tuple(_dealer_cards(plan, cards, counted)),
        meters=view.meters,
        is_last=laid is not view,
        dealer=dealers.words if dealers is not None else "",
    )


def _dealer_cards(
    plan: FeltPlan, cards: Mapping[Slot, tuple[str, ...]], counted: Collection[str]
) -> Iterator[tuple[FeltSlot, DrawnCard | None]]:
    used: dict[Slot, int] = {}
    for slot in plan.slots:
        place = used.get(slot.slot, 0)
        used[slot.slot] = place + 1
        names = in_hand(cards.get(slot.slot, ()))
        if place < len(names):
            in_play = slot.slot in {"community", "dealer"}
            yield (
                slot,
                DrawnCard(
                    id=f"{slot.slot}-{place}",
                    name=names[place],
                    x=slot.x,
                    y=slot.y,
                    width=slot.width,
                    small=slot.width < 50,
                    dim=in_play and bool(counted) and names[place] not in counted,
                    counts=in_play and names[place] in counted,
                ),
            )
        else:
            yield slot, None


def _seat(
    plan: FeltPlan,
    place: ScreenSeat,
    box: BoxView,
    shown: BoxView | None,
    *,
    view: TableView,
    name: Callable[[str], str],
    bets: Mapping[WagerName, str],
    counted: Collection[str],
) -> DrawnSeat:
    """A seat: who sits there now, with the bets and cards of the round that is shown."""
    played = shown if shown is not None and shown.patron == box.patron else None
    asked = view.awaiting.seat == box.seat and view.awaiting.kind == "decision"
    decided = view.awaiting.decision if asked else None
    spots = tuple(_drawn_spots(plan, place, played, bets=bets, decided=decided)) if place.unit else ()
    cards = tuple(_hand(plan, place, spots, played, counted))
    net = _net(played)
    below = max(
        [card.y + card.width * 1.4 for card in cards], default=max([s.y + s.radius for s in spots], default=place.y)
    )
    in_row = place.y + (40 if box.patron else 28)  # below the cards, where somebody has some
    tag_y = plan.height - 10 if place.own else in_row if plan.tall else below + 17
    who = "You" if box.own else name(box.patron) if box.patron else f"Seat {box.seat}"
    status = _status(played, net) if box.patron else "closed" if view.status == "closed" else "open"
    return DrawnSeat(
        seat=box.seat,
        own=place.own,
        asked=asked,
        name=who,
        status=status,
        gain=net,
        tag_x=place.x,
        tag_y=tag_y,
        spots=spots,
        cards=cards,
        words=f"Seat {box.seat}, {who if box.patron else status}{', ' + status if status and box.patron else ''}",
        folded=played is not None and played.folded,
    )


def _status(played: BoxView | None, net: int | None) -> str:
    if net is not None:
        return gain(net)
    if played is not None and (played.folded or played.out):
        return "folded" if played.folded else "out of the round"
    staked = sum(amount for _, amount in played.bets) if played is not None else 0
    return dollars(staked) if staked else ""


def _net(box: BoxView | None) -> int | None:
    if box is None or not box.results or len(box.results) < len(box.bets):
        return None
    won = sum(each.won + each.returned - each.staked for each in box.results)
    return won + sum(each.won for each in box.envy) + (box.coupon_result.won if box.coupon_result is not None else 0)


def _drawn_spots(
    plan: FeltPlan, place: ScreenSeat, box: BoxView | None, *, bets: Mapping[WagerName, str], decided: str | None
) -> Iterator[DrawnSpot]:
    staked = dict(box.bets) if box is not None else {}
    results = {each.wager: each for each in box.results} if box is not None else {}
    for each in plan.spots:
        x, y, size = screen_spot(each.spot, place)
        at, wager = (x, y, size / 2), each.wager
        drawn = _spot(each, at, box, staked.get(wager), results.get(wager), bets=bets)
        yield replace(drawn, awaited=True) if wager == decided else drawn


def _spot(
    each: FeltSpot,
    at: tuple[float, float, float],
    box: BoxView | None,
    staked: Cents | None,
    result: WagerSettled | None,
    *,
    bets: Mapping[WagerName, str],
) -> DrawnSpot:
    back = box is not None and each.wager in box.withdrawn
    state, amount, lying, paid = "open", "", Cents(0), Cents(0)
    words = "no bet"
    if result is not None:
        state = result.outcome
        lying, paid = Cents(0) if state == "withdrawn" else result.returned, result.won
        net = result.won + result.returned - result.staked
        amount = gain(net) if net else outcome_words(result.outcome)
        words = f"{outcome_words(result.outcome)}, {dollars(result.staked)} bet, {gain(net)}"
    elif back:
        state, amount, words = "withdrawn", "back", "taken back"
    elif staked:
        state, amount, lying, words = "staked", dollars(staked), staked, f"{dollars(staked)} bet"
    return DrawnSpot(
        wager=each.wager,
        label=each.label,
        x=at[0],
        y=at[1],
        radius=at[2],
        shape=each.spot.shape,
        state=state,
        staked=lying,
        paid=paid,
        amount=amount,
        words=f"{each.label}: {words}",
        link=f"#bet-{each.wager}" if each.wager in bets else "",
        invites=(bets[each.wager] or "+") if each.wager in bets and result is None else "",
    )


def _hand(
    plan: FeltPlan, place: ScreenSeat, spots: Sequence[DrawnSpot], box: BoxView | None, counted: Collection[str]
) -> Iterator[DrawnCard]:
    names = in_hand(box.cards) if box is not None else ()
    many = plan.hand > _OVERLAP
    width = place.card * (0.88 if many else 1.0)
    step = width * (
        0.5 if many and place.own and not plan.tall else 0.62 if many and place.own else 0.48 if many else 1.08
    )
    if place.own:
        step = min(step, (plan.width * 0.92 - width) / max(1, plan.hand - 1))
    whole = width + step * (max(len(names), 1) - 1)
    x = place.x - whole / 2
    lowest = max([spot.y + spot.radius for spot in spots], default=place.y)
    y = plan.height - (34 if not plan.tall else 19) - width * 1.4 if place.own else lowest + 4
    if plan.tall and not place.own:
        y = place.y
    for number, card in enumerate(names):
        yield DrawnCard(
            id=f"seat{place.seat}-{number}",
            name=card,
            x=round(x + number * step, 1),
            y=round(y, 1),
            width=round(width, 1),
            small=width < 50,
            dim=(box is not None and box.folded and card == CARD_BACK) or (bool(counted) and card not in counted),
            counts=card in counted,
        )
