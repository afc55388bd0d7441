"""Disputes: raised by a player or the floor, the round rebuilt with its cards as they lay, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.errors import CroupierError
from croupier.games import WagerSettled
from croupier.house import Dispute
from croupier.present import CardPlaces, event_sentences
from croupier.rulebook import load_rulebook
from croupier.server import (
    Caller,
    Desk,
    Disputed,
    NotFound,
    SignInFirst,
    answer_dispute,
    dispute_for,
    disputes_for,
    problem_of,
    raise_dispute,
    round_story,
)
from croupier.store import Story, laid_round
from croupier.table import view
from croupier.table.views import BoxView, RebuiltHand, SlotCards, rebuilt_hands
from croupier.web.floor_forms import FormGroup, grouped, may_give_house, setting_of
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.shell import NavItem, own_path
from croupier.web.words import namer

__all__ = ["NAV", "ROUTES", "with_the_floor"]

_CORRECTING: Final = frozenset(["rebuild_hands", "reverse_settlement", "correct_card"])
Number = Annotated[int, Parameter(ge=1, le=1_000_000)]


class ShownHand(Struct, frozen=True, kw_only=True):
    """A hand of a disputed round."""

    seat: int
    patron: str
    cards: tuple[str, ...]
    folded: bool
    results: tuple[WagerSettled, ...]


class ShownRound(Struct, frozen=True, kw_only=True):
    """A disputed round as it lay."""

    in_play: bool
    cards: SlotCards
    hands: tuple[ShownHand, ...]
    sentences: tuple[str, ...]


@get("/disputes")
async def see_disputes(desk: Desk, caller: Caller, done: str = "") -> Page:
    """The disputes that somebody may read."""
    return _list_page(desk, caller, done=done == "yes")


@post("/disputes", status_code=200)
async def new_dispute(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """A dispute from a form: of a player's table, or of the floor."""
    then = own_path(fields.get("then", "/disputes?done=yes"))
    about = Disputed(
        fields.get("table", "")[:60], _number(fields, "round"), _number(fields, "seat"), fields.get("person", "")[:60]
    )
    try:
        await raise_dispute(desk, caller, about, fields.get("words", ""), fields.get("key", "")[:100])
    except CroupierError as error:
        if isinstance(error, SignInFirst) or not _may_raise(desk, caller):
            raise
        answer = problem_of(error)
        return _list_page(
            desk, caller, about=about, refusal=answer.content, status=answer.status_code or 409, said=fields
        )
    return redirect(then)


@get("/disputes/{number:int}")
async def see_dispute(desk: Desk, caller: Caller, number: Number) -> Page:
    """A dispute with its round."""
    return await _dispute_page(desk, caller, number)


@post("/disputes/{number:int}", status_code=200)
async def reply(desk: Desk, caller: Caller, number: Number, fields: Fields) -> Page:
    """The floor's answer."""
    stands, key = fields.get("stands") == "yes", fields.get("key", "")[:100]
    try:
        await answer_dispute(desk, caller, number, stands=stands, words=fields.get("words", ""), key=key)
    except CroupierError as error:
        if isinstance(error, SignInFirst) or not may_give_house(desk, caller, "answer_dispute"):
            raise
        answer = problem_of(error)
        return await _dispute_page(
            desk, caller, number, refusal=answer.content, status=answer.status_code or 409, said=fields
        )
    return redirect(f"/disputes/{number}")


def with_the_floor(desk: Desk, caller: Caller, table: str) -> list[Dispute]:
    """Disputes of this player about a table that wait for an answer."""
    disputes = desk.house.state.floor.disputes.values() if "player" in caller.roles else ()
    return [
        dispute for dispute in disputes if dispute.is_open and (dispute.table, dispute.person) == (table, caller.id)
    ]


def _may_raise(desk: Desk, caller: Caller) -> bool:
    return "player" in caller.roles or may_give_house(desk, caller, "raise_dispute")


def _number(fields: Fields, name: str) -> int:
    text = fields.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else 0


def _list_page(
    desk: Desk,
    caller: Caller,
    *,
    about: Disputed | None = None,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
    done: bool = False,
    said: Fields | None = None,
) -> Page:
    disputes = disputes_for(desk, caller)
    name = namer(desk, caller)
    people = desk.house.state.people.values() if caller.may_read("players") else ()
    return page(
        "disputes",
        caller,
        status=status,
        disputes=disputes,
        everything=caller.may_read("disputes"),
        may_raise=_may_raise(desk, caller),
        tables=[(table, f"{table}: {_game(desk, table)}") for table in desk.house.state.tables],
        players=[(person.id, name(person.id)) for person in people if person.is_player],
        about=about or Disputed(""),
        words=(said or {}).get("words", ""),
        refusal=refusal,
        done=done,
        name=name,
        key=new_key(),
    )


def _game(desk: Desk, table: str) -> str:
    state = desk.house.state
    return load_rulebook(state.rules_of(state.tables[table]).rulebook).source.title


async def _dispute_page(
    desk: Desk,
    caller: Caller,
    number: int,
    *,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
    said: Fields | None = None,
) -> Page:
    dispute = dispute_for(desk, caller, number)
    may_answer = dispute.is_open and may_give_house(desk, caller, "answer_dispute")
    name = namer(desk, caller)
    shown = await _round_of(desk, caller, dispute)
    return page(
        "dispute",
        caller,
        status=status,
        dispute=dispute,
        shown=shown,
        rebuilt=_rebuilt(desk, caller, dispute),
        groups=_forms(desk, caller, dispute) if caller.may_read("disputes") else [],
        rulebook=desk.house.state.rules_of(desk.house.state.tables[dispute.table]).rulebook,
        may_answer=may_answer,
        everything=caller.may_read("disputes"),
        words=(said or {}).get("words", ""),
        stands=(said or {}).get("stands", "yes"),
        refusal=refusal,
        name=name,
        key=new_key(),
    )


# --- the round


async def _round_of(desk: Desk, caller: Caller, dispute: Dispute) -> ShownRound | None:
    """The round as this reader may see it: as it is on the layout now, or as it was recorded."""
    running = desk.hall.find(dispute.table)
    if running is not None and running.table.round is not None and running.table.played + 1 == dispute.round:
        seen = view(running.table, caller.at_table)
        hands = tuple(_hand(box) for box in seen.seats if box.bets and (box.own or caller.may_read("disputes")))
        return ShownRound(in_play=True, cards=seen.cards, hands=hands, sentences=())
    try:
        story = await round_story(desk, caller, f"{dispute.table}-{dispute.round}")
    except NotFound:
        return None
    return _recorded(story, caller)


def _hand(box: BoxView) -> ShownHand:
    return ShownHand(seat=box.seat, patron=box.patron, cards=box.cards, folded=box.folded, results=box.results)


def _recorded(story: Story, caller: Caller) -> ShownRound:
    places = CardPlaces(story.layout)
    patrons = {seat.seat: seat.patron for seat in story.found.seats}
    laid = laid_round(story)
    hands: Sequence[ShownHand] = [
        ShownHand(
            seat=hand.seat,
            patron=patrons.get(hand.seat, ""),
            cards=hand.cards,
            folded=hand.folded,
            results=hand.results,
        )
        for hand in (laid.hands if laid is not None else ())
        if hand.seat in patrons or caller.may_read("disputes")
    ]
    told = tuple(sentence for entry in story.entries for sentence in event_sentences(entry.event, places))
    return ShownRound(in_play=False, cards=laid.cards if laid is not None else (), hands=tuple(hands), sentences=told)


def _rebuilt(desk: Desk, caller: Caller, dispute: Dispute) -> tuple[RebuiltHand, ...]:
    """The hands that the floor had rebuilt from the rack, if it was this round."""
    running = desk.hall.find(dispute.table)
    if running is None or running.table.rebuilt is None or running.table.rebuilt[0] != dispute.round:
        return ()
    return rebuilt_hands(running.table, caller.at_table)


def _forms(desk: Desk, caller: Caller, dispute: Dispute) -> list[FormGroup]:
    """What the rules still allow about this round at its table."""
    running = desk.hall.find(dispute.table)
    if running is None:
        return []
    table = running.table
    current = table.round is not None and table.played + 1 == dispute.round
    last = table.played == dispute.round
    allowed = _CORRECTING if current else frozenset(["rebuild_hands"]) if last else frozenset[str]()
    if table.round is not None and table.round.at.kind in {"settle", "close"} and not current:
        allowed = frozenset()  # the round in settlement is the one that would be rebuilt
    offers = [offered for offered in desk.offers(caller, running) if offered.do in allowed] if allowed else []
    return grouped(offers, setting_of(desk, caller, running))


NAV: Final = [
    NavItem(
        "Disputes",
        "/disputes",
        frozenset({"floorperson", "supervisor", "pit_manager", "shift_manager", "operator", "regulator", "auditor"}),
        place=25,
    )
]
ROUTES: Final = [see_disputes, new_dispute, see_dispute, reply]
