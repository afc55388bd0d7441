"""A table as somebody sees it, and forms for exactly what they may do there now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.analysis import BASE
from croupier.errors import CroupierError
from croupier.games import Offer
from croupier.money import Cents, format_dollars
from croupier.server import Caller, Desk, SignInFirst, last_commitment, problem_of
from croupier.table import Table, view
from croupier.table.commands import COMMANDS
from croupier.table.views import TableView
from croupier.web.offer_forms import OfferForm, Setting, forms_of
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.sent_forms import read_command_form
from croupier.web.words import namer

__all__ = ["ROUTES"]

TableId = Annotated[str, Parameter(max_length=60)]
_DECKS: Final = frozenset(
    "receive_deck inspect_deck verify_deck spread_deck offer_deck turn_down_deck wash_deck stack_deck shuffle_deck"
    " cut_deck load_deck".split()
)
_ANSWERS: Final[dict[str, frozenset[str]]] = {
    "opening": _DECKS | frozenset("assign attest count_inventory verify_inventory open_table confirm_rules".split()),
    "preparation": _DECKS | frozenset("assign verify_inventory restore_device".split()),
    "wagers": frozenset("place_wager place_coupon register perform".split()),
    "decision": frozenset(["decide"]),
    "stub": frozenset("count_stub rack_stub report_holdings".split()),
    "award": frozenset("verify_award validate_award reject_award pay_award hand_pay_award".split()),
    "ruling": frozenset(["reduce_raise"]),
    "identity": frozenset(["tell"]),
}
"""The commands that answer what is awaited, by its kind."""
_IN_A_ROUND: Final = frozenset("deal perform reveal tell_meter settle close register".split())
"""Those that answer any other kind."""
_SECTIONS: Final = {
    "actions": "The round",
    "play": "The round",
    "house": "Table, tray and seats",
    "decks": "Decks",
    "devices": "Devices and methods",
    "awards": "Awards",
}
"""Headings of the other forms, by the part of the table that their commands belong to."""
_RULINGS: Final = frozenset(
    "rule set_aside find_conduct leave correct_card reverse_settlement cancel_wager declare_undecided".split()
)
_SEAT: Final = frozenset("sit stand_up buy_in add_entropy".split())
_SOON, _LATER = 3, 10
"""Seconds until a page looks again: while a round is played, and otherwise."""


class BetRow(Struct, frozen=True, kw_only=True):
    """A wager that may be placed, in the form for all of them."""

    wager: str
    least: str
    most: str
    step: str
    value: str
    required: bool


class BetsForm(Struct, frozen=True, kw_only=True):
    """Everything that a player may bet at a seat before the deal, in one form."""

    seat: int
    key: str
    rows: tuple[BetRow, ...]


class FormSection(Struct, frozen=True, kw_only=True):
    """Forms under a heading."""

    title: str
    forms: tuple[OfferForm, ...]


@get("/tables/{table_id:str}")
async def see_table(desk: Desk, caller: Caller, table_id: TableId, forms: str = "") -> Page:
    """The table; with `forms=all` every form, and no looking again by itself."""
    return _table_page(desk, caller, table_id, every_form=forms == "all")


@post("/tables/{table_id:str}", status_code=200)
async def give_command(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """A command from a form."""
    try:
        await desk.command(caller, table_id, read_command_form(fields), fields.get("key", "")[:100])
    except CroupierError as error:
        return _refused(desk, caller, table_id, error)
    return redirect(f"/tables/{table_id}")


@post("/tables/{table_id:str}/bets", status_code=200)
async def place_bets(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """Several wagers at a seat, in the order of the house; the first that is refused ends it."""
    key = fields.get("key", "")[:60]
    try:
        for wager in desk.table(table_id).table.house.wagers:
            amount = fields.get(f"bet.{wager.name}", "")
            if not amount:
                continue
            sent = {"do": "place_wager", "seat": fields.get("seat", ""), "wager": wager.name, "amount": amount}
            await desk.command(caller, table_id, read_command_form(sent), key and f"{key}.{wager.name}")
    except CroupierError as error:
        return _refused(desk, caller, table_id, error)
    return redirect(f"/tables/{table_id}")


def _refused(desk: Desk, caller: Caller, table_id: str, error: CroupierError) -> Page:
    """The table, with why it was refused."""
    if isinstance(error, SignInFirst):
        raise error
    desk.table(table_id)
    answer = problem_of(error)
    return _table_page(
        desk, caller, table_id, every_form=True, refusal=answer.content, status=answer.status_code or 409
    )


def _table_page(
    desk: Desk,
    caller: Caller,
    table_id: str,
    *,
    every_form: bool,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    watched = desk.table(table_id)
    table, person, at = watched.table, caller.at_table, desk.hall.time_of(watched)
    seen = view(table, person)
    name = namer(desk, caller)
    offers = desk.offers(caller, watched) if caller.scope is None else []
    bets = _bets(table, seen, caller, offers)
    single = [offered for offered in offers if not any(_is_in(bet, offered) for bet in bets)]
    setting = Setting(table, seen, name, (table.gaming_day or at.date()).isoformat())
    forms = forms_of(single, setting)
    now = _awaited_from(seen, caller, forms, bets)
    sections = _sections(forms, now)
    shows_all = every_form or bool(now or bets)
    # A page that looks again by itself shows buttons alone: whatever somebody types would be lost.
    buttons = sections if shows_all else _sections([form for form in forms if form.is_bare], now)
    run = desk.house.state.tables.get(table.id)
    people = desk.house.state.people.values()
    may_name = caller.may_read("players")
    return page(
        "table",
        caller,
        status=status,
        table=table,
        source=table.house.rulebook.source,
        view=seen,
        name=name,
        at=at,
        paused=run is not None and run.run == "paused",
        physical=not desk.hall.plans[table.id].virtual,
        now=now,
        bets=bets,
        sections=buttons,
        hidden_forms=_number(sections) - _number(buttons),
        refresh=0 if shows_all else _SOON if table.round is not None or table.people.seats else _LATER,
        refusal=refusal,
        proved=last_commitment(watched),
        staff=[(each.id, name(each.id)) for each in people if may_name and not each.is_player],
        players=[(each.id, name(each.id)) for each in people if may_name and each.is_player],
        may_see_rounds=caller.may_read("rounds"),
    )


# --- what is whose to do


def _awaited_from(
    seen: TableView, caller: Caller, forms: Sequence[OfferForm], bets: Sequence[BetsForm]
) -> list[OfferForm]:
    """The forms that answer what is awaited, if it is awaited from this person."""
    awaited = seen.awaiting
    if awaited.kind == "decision" and awaited.patron != caller.id:
        return []  # a dealer may give it for the player, when asked
    if awaited.kind == "wagers" and not bets and any(box.own for box in seen.seats):
        return []  # their bets are placed: the others' are awaited
    if seen.chips == 0 and awaited.kind in {"wagers", "preparation"}:
        return [form for form in forms if form.do == "buy_in"]
    answers = _ANSWERS.get(awaited.kind, _IN_A_ROUND)
    return sorted((form for form in forms if form.do in answers), key=lambda form: form.do == "decide" and form.is_bare)


def _sections(forms: Sequence[OfferForm], now: Sequence[OfferForm]) -> list[FormSection]:
    found: dict[str, list[OfferForm]] = {}
    for form in forms:
        if form not in now:
            found.setdefault(_section(form.do), []).append(form)
    return [FormSection(title=title, forms=tuple(listed)) for title, listed in found.items()]


def _number(sections: Sequence[FormSection]) -> int:
    return sum(len(section.forms) for section in sections)


def _section(do: str) -> str:
    if do in _SEAT:
        return "Seat and chips"
    if do in _RULINGS:
        return "Rulings and irregularities"
    part = COMMANDS[do].__module__.rpartition(".")[2]  # type: ignore[index] # one of them
    return _SECTIONS.get(part, "The table")


# --- bets


def _bets(table: Table, seen: TableView, caller: Caller, offers: Sequence[Offer]) -> list[BetsForm]:
    """A form for all bets of a player at each of their seats that has none yet."""
    open_seats = {dict(offered.fields).get("seat") for offered in offers if offered.do == "place_wager"}
    last = {box.seat: dict(box.bets) for box in seen.last_round.seats if box.own} if seen.last_round else {}
    return [
        BetsForm(seat=box.seat, key=new_key(), rows=_bet_rows(table, seen.chips or Cents(0), last.get(box.seat, {})))
        for box in seen.seats
        if box.own and not box.bets and box.seat in open_seats and caller.is_somebody
    ]


def _bet_rows(table: Table, chips: Cents, last: dict[Any, Cents]) -> tuple[BetRow, ...]:
    rows = []
    for wager in table.house.wagers:
        if (stakes := wager.stakes) is None:
            continue
        main = wager.paytables[0].group == BASE
        before = last.get(wager.name)
        if before is None or not stakes.admits(before):
            before = stakes.minimum if main else None
        rows.append(
            BetRow(
                wager=wager.name,
                least=format_dollars(stakes.minimum),
                most=format_dollars(max(stakes.minimum, min(stakes.maximum, chips))),
                step=format_dollars(stakes.increment),
                value="" if before is None else format_dollars(before),
                required=main,
            )
        )
    return tuple(rows)


def _is_in(bets: BetsForm, offered: Offer) -> bool:
    return offered.do == "place_wager" and dict(offered.fields).get("seat") == bets.seat


ROUTES: Final = [see_table, give_command, place_bets]
