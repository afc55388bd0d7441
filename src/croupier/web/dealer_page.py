"""The dealer's page: the procedure as a led list, the seats, one instruction, and whatever can have gone wrong.

Everything that it allows comes from the table's own offers. It looks again every second and changes only when the
table has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from litestar import Response, get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.analysis import BASE
from croupier.documents import led_list
from croupier.errors import CroupierError
from croupier.games import Offer
from croupier.house import commands
from croupier.ledger import HouseRole
from croupier.money import Cents, format_dollars
from croupier.present import dollars
from croupier.rulebook import HouseRules
from croupier.server import Caller, Desk, SignInFirst, Watched, problem_of
from croupier.table import Table, view
from croupier.table.views import BoxView, TableView
from croupier.web.dealer_irregularities import RULINGS, irregularities_now, ruled_so_far
from croupier.web.dealer_pays import chip_counts, odd_cents
from croupier.web.dealer_work import DealerTask, card_pad, task_of
from croupier.web.floor_calls import has_ruled, may_answer
from croupier.web.form_people import by_name, staff_choices
from croupier.web.form_shapes import OfferForm, Setting
from croupier.web.offer_forms import forms_of
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, fragment, page, redirect
from croupier.web.sent_forms import read_command_form
from croupier.web.shell import NavItem
from croupier.web.table_context import least_bet
from croupier.web.words import Namer, namer

__all__ = ["NAV", "ROUTES"]

TableId = Annotated[str, Parameter(max_length=60)]
_SHOWN: Final = ("", "irregularity", "players", "more")
_PLAYERS: Final = ("sit", "buy_in", "stand_up")
_BETS: Final = ("place_wager", "take_back")
_BY_THE_SHUFFLER: Final = ("tell", "correct_card")
"""Nobody names a card of a virtual table."""
_STAFF: Final[frozenset[HouseRole]] = frozenset({"dealer", "floorperson", "supervisor", "pit_manager", "shift_manager"})


class DealtTable(Struct, frozen=True, kw_only=True):
    """A table in the list of those that somebody deals or may deal."""

    id: str
    title: str
    where: str
    dealer: str
    mine: bool
    physical: bool
    automatic: bool
    awaited: str
    round: int
    players: int
    call: str


class SeatOfDealer(Struct, frozen=True, kw_only=True):
    """A seat as the dealer sees it."""

    seat: int
    name: str
    tag: str
    mark: str
    """`now`, `win`, `lose` or nothing: how its tag looks."""
    turn: bool
    off: bool
    bets: tuple[tuple[str, Cents], ...]
    cards: tuple[str, ...]
    chips: Cents | None


class BetRowOfDealer(Struct, frozen=True, kw_only=True):
    """A wager that may be placed for a player."""

    wager: str
    least: str
    most: str
    step: str
    value: str
    limits: str


class PlacedBet(NamedTuple):
    """A bet that was entered, and whether it may still be taken back."""

    wager: str
    amount: Cents
    may_go_back: bool


class SeatBets(Struct, frozen=True, kw_only=True):
    """What was bet at a seat, and what may be bet there now."""

    seat: int
    name: str
    key: str
    placed: tuple[PlacedBet, ...]
    rows: tuple[BetRowOfDealer, ...]


@get("/dealer")
async def see_dealer(desk: Desk, caller: Caller) -> Page:
    """The tables that somebody deals or may deal."""
    caller.must_read("tables")
    calls, name = desk.house.state.floor.calls, namer(desk, caller)
    tables = []
    for watched in desk.hall.tables():
        table, plan = watched.table, desk.hall.plans[watched.table.id]
        call = calls.get(table.id)
        tables.append(
            DealtTable(
                id=table.id,
                title=table.house.rulebook.source.title,
                where=table.house.rulebook.source.jurisdiction,
                dealer=name(table.people.dealer) if table.people.dealer else "",
                mine=bool(caller.id) and table.people.dealer == caller.id,
                physical=not plan.virtual,
                automatic=plan.automatic,
                awaited=now.text if (now := led_list(table, desk.hall.time_of(watched)).now) is not None else "nothing",
                round=table.played + (table.round is not None),
                players=len({patron for _, patron in table.people.seats}),
                call=call.about or "no reason given" if call is not None else "",
            )
        )
    tables.sort(key=lambda each: (not each.mine, not each.physical, each.automatic))
    return page("dealer", caller, tables=tables, may_deal="dealer" in caller.roles)


@get("/tables/{table_id:str}/deal")
async def see_deal(desk: Desk, caller: Caller, table_id: TableId, show: str = "") -> Page:
    """A table as its dealer works at it."""
    return _deal_page(desk, caller, table_id, show)


@get("/tables/{table_id:str}/deal/now")
async def see_deal_now(
    desk: Desk, caller: Caller, table_id: TableId, show: str = "", seen: str = ""
) -> Response[bytes]:
    """The same for a page that is open: nothing while nothing has changed."""
    caller.must_read("tables")
    if seen == _version(desk, desk.table(table_id)):
        return Response(b"", status_code=204, media_type="text/html")
    text = fragment("deal_live", caller, **_context(desk, caller, table_id, show))
    return Response(text.encode(), media_type="text/html")


@post("/tables/{table_id:str}/deal", status_code=200)
async def give_deal(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """A command from the dealer's page."""
    show = fields.pop("show", "")
    try:
        body, key = by_name(desk, caller, read_command_form(fields)), fields.get("key", "")[:100]
        await desk.command(caller, table_id, body, key)
    except CroupierError as error:
        return _refused(desk, caller, table_id, show, error)
    await has_ruled(desk, caller, table_id, str(body["do"]), key)
    return redirect(f"/tables/{table_id}/deal{'?show=players' if show == 'players' else ''}")


@post("/tables/{table_id:str}/deal/bets", status_code=200)
async def place_for_player(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """Bets that a player puts down and the dealer enters, in the order of the house."""
    key = fields.get("key", "")[:60]
    try:
        for wager in desk.table(table_id).table.house.wagers:
            if amount := fields.get(f"bet.{wager.name}", ""):
                sent = {"do": "place_wager", "seat": fields.get("seat", ""), "wager": wager.name, "amount": amount}
                await desk.command(caller, table_id, read_command_form(sent), key and f"{key}.{wager.name}")
    except CroupierError as error:
        return _refused(desk, caller, table_id, "", error)
    return redirect(f"/tables/{table_id}/deal")


@post("/tables/{table_id:str}/deal/call", status_code=200)
async def call_floor(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """Ask for the floor, or say that the floor is there."""
    caller.must_read("tables")
    table = desk.table(table_id).table
    command = (
        commands.AnswerCall(table=table.id)
        if fields.get("answer")
        else commands.CallFloor(table=table.id, about=fields.get("about", ""))
    )
    try:
        await desk.give_house(caller, command, fields.get("key", "")[:100])
    except CroupierError as error:
        return _refused(desk, caller, table_id, "", error)
    return redirect(f"/tables/{table_id}/deal")


# --- the page


def _refused(desk: Desk, caller: Caller, table_id: str, show: str, error: CroupierError) -> Page:
    if isinstance(error, SignInFirst):
        raise error
    answer = problem_of(error)
    return _deal_page(desk, caller, table_id, show, refusal=answer.content, status=answer.status_code or 409)


def _deal_page(
    desk: Desk,
    caller: Caller,
    table_id: str,
    show: str,
    *,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    caller.must_read("tables")
    return page("deal", caller, status=status, **_context(desk, caller, table_id, show, refusal))


def _version(desk: Desk, watched: Watched) -> str:
    call = desk.house.state.floor.calls.get(watched.table.id)
    return f"{watched.table.seq}.{call.at.timestamp() if call is not None else 0:.0f}.{int(watched.paused)}"


def _context(
    desk: Desk, caller: Caller, table_id: str, show: str, refusal: dict[str, Any] | None = None
) -> dict[str, Any]:
    watched = desk.table(table_id)
    table, at, name = watched.table, desk.hall.time_of(watched), namer(desk, caller)
    seen = view(table, caller.at_table)
    plan = desk.hall.plans[table.id]
    offers = desk.offers(caller, watched) if caller.scope is None else []
    if plan.virtual:
        offers = [offered for offered in offers if offered.do not in _BY_THE_SHUFFLER]
    setting = Setting(table, seen, name, desk.gaming_day().isoformat(), staff_choices(desk, caller, table))
    plain = [offered for offered in offers if offered.do not in (*_BETS, *RULINGS)]
    forms = forms_of(plain, setting)
    led = led_list(table, at)
    task = task_of(table, seen, led, forms, at)
    show = show if show in _SHOWN else ""
    return {
        "table": table,
        "source": table.house.rulebook.source,
        "here": f"/tables/{table_id}/deal",
        "show": show,
        "version": _version(desk, watched),
        "view": seen,
        "led": led,
        "task": task,
        "pad": card_pad(seen) if task.need else (),
        "seats": [_seat(seen, box, name, least_bet(table.house)) for box in seen.seats],
        "bets": _bets(table, seen, offers, name) if seen.awaiting.kind == "wagers" else [],
        "players": sorted((form for form in forms if form.do in _PLAYERS), key=lambda form: _PLAYERS.index(form.do)),
        "more": _more(forms, task),
        "irregularities": irregularities_now(table, offers, setting) if show == "irregularity" else [],
        "ruled": ruled_so_far(table, table.round),
        "call": desk.house.state.floor.calls.get(table.id),
        "call_key": new_key(),
        "answers_calls": may_answer(desk, caller, table_id),
        "duty": _duty(caller, table, name, automatic=plan.automatic),
        "name": name,
        "automatic": plan.automatic,
        "physical": not plan.virtual,
        "paused": watched.paused,
        "refusal": refusal,
        "people": _people(desk, caller, name),
        "chip_counts": chip_counts,
        "odd_cents": odd_cents,
    }


def _people(desk: Desk, caller: Caller, name: Namer) -> list[tuple[str, list[tuple[str, str]]]]:
    """Names to choose from, for whoever may know them."""
    if not (caller.may_read("players") or desk.house.state.demo):
        return []
    people = list(desk.house.state.people.values())
    staff = [(each.id, name(each.id)) for each in people if not each.is_player]
    return [("staff", staff), ("players", [(each.id, name(each.id)) for each in people if each.is_player])]


def _duty(caller: Caller, table: Table, name: Namer, *, automatic: bool) -> str:
    """Who deals here, said to whoever looks."""
    dealer = table.people.dealer
    if automatic:
        return "The table deals by itself: you see what it does, step by step."
    if dealer and dealer == caller.id:
        return "You are dealing this table."
    return f"{name(dealer)} deals here." if dealer else "Nobody deals here yet: a floorperson assigns the dealer."


def _more(forms: Sequence[OfferForm], task: DealerTask) -> list[OfferForm]:
    """Whatever else may be done at the table."""
    used = {task.form, *task.also} - {None}
    return [form for form in forms if form not in used and form.do not in _PLAYERS]


# --- seats


def _seat(seen: TableView, box: BoxView, name: Namer, least: Cents) -> SeatOfDealer:
    awaited = seen.awaiting
    turn = bool(box.bets) and awaited.seat == box.seat
    chips = dict(seen.staff.chips).get(box.patron) if seen.staff is not None else None
    tag, mark = _tag(box, turn=turn, short=chips is not None and chips < least)
    return SeatOfDealer(
        seat=box.seat,
        name=name(box.patron) if box.patron else "",
        tag=tag,
        mark=mark,
        turn=turn,
        off=not box.bets or box.folded or bool(box.out),
        bets=tuple((wager, amount) for wager, amount in box.bets if wager not in box.withdrawn),
        cards=box.cards,
        chips=chips if not box.bets else None,
    )


def _tag(box: BoxView, *, turn: bool, short: bool) -> tuple[str, str]:
    if not box.patron:
        return "open", ""
    if not box.bets:
        return "too few chips" if short else "no bet", ""
    if box.out:
        return "out", "lose"
    if turn:
        return "now", "brass"
    if box.results and len(box.results) == len(box.bets):
        won = any(result.won for result in box.results) or any(bonus.won for bonus in box.envy)
        if won:
            return "paid", "win"
        if all(result.outcome == "void" for result in box.results):
            return "returned", ""
        return ("folded", "") if box.folded else ("settled", "")
    return ("folded", "") if box.folded else ("bets", "")


def _bets(table: Table, seen: TableView, offers: Sequence[Offer], name: Namer) -> list[SeatBets]:
    """The bets of each seat: those that were entered, and a form for all others that the house takes."""
    offered = [dict(each.fields) for each in offers if each.do == "place_wager"]
    seats = {int(fields["seat"]) for fields in offered}  # type: ignore[arg-type]
    back = {
        (fields.get("seat"), fields.get("wager"))
        for fields in (dict(each.fields) for each in offers if each.do == "take_back")
    }
    found = []
    for box in seen.seats:
        rows = _bet_rows(table.house, dict(box.bets)) if box.seat in seats else ()
        placed = tuple(PlacedBet(wager, amount, (box.seat, wager) in back) for wager, amount in box.bets)
        if rows or any(bet.may_go_back for bet in placed):
            found.append(SeatBets(seat=box.seat, name=name(box.patron), key=new_key(), placed=placed, rows=rows))
    return found


def _bet_rows(house: HouseRules, placed: Mapping[str, Cents]) -> tuple[BetRowOfDealer, ...]:
    """The wagers that are not placed yet; the main bets stand ready at what was bet already, or at their minimum."""
    rows = []
    for wager in house.wagers:
        if wager.stakes is None or wager.name in placed:
            continue
        main, least, most = wager.paytables[0].group == BASE, wager.stakes.minimum, wager.stakes.maximum
        rows.append(
            BetRowOfDealer(
                wager=wager.name,
                least=format_dollars(least),
                most=format_dollars(most),
                step=format_dollars(wager.stakes.increment),
                value=_typed(next(iter(placed.values()), least)) if main else "",
                limits=dollars(least) if least == most else f"{dollars(least)} to {dollars(most)}",
            )
        )
    return tuple(rows)


def _typed(amount: Cents) -> str:
    """An amount as a dealer would type it."""
    return format_dollars(amount).removesuffix(".00")


NAV: Final = [NavItem("Dealer", "/dealer", _STAFF, place=30)]
ROUTES: Final = [see_dealer, see_deal, see_deal_now, give_deal, place_for_player, call_floor]
