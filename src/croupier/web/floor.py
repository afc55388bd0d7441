"""The floor page: for every table of the pit what waits, deck clocks, who deals; and the shift's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.errors import CroupierError, Malformed
from croupier.house import FloorCall, RulesChange, commands
from croupier.ledger import HouseRole, TableFigures, together
from croupier.present import irregularity_words
from croupier.rulebook import load_rulebook
from croupier.server import (
    Caller,
    Desk,
    HandPay,
    ShiftRow,
    SignInFirst,
    Watched,
    disputes_for,
    hand_pays_for,
    problem_of,
    shift_for,
)
from croupier.store import DayFigures
from croupier.table import DeckClock, FloorWork, StubState, deck_clocks, floor_work, stub_state
from croupier.table.views import AwaitedView, BoxView, RebuiltHand, TableView, rebuilt_hands
from croupier.web.floor_calls import has_ruled
from croupier.web.floor_forms import FloorForm, FormGroup, forms_for, grouped, may_give_house, rulings, setting_of
from croupier.web.form_people import by_name
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.sent_forms import read_command_form
from croupier.web.shell import NavItem, own_path
from croupier.web.words import Namer, namer

__all__ = ["NAV", "ROUTES"]

FLOOR: Final[frozenset[HouseRole]] = frozenset({"floorperson", "supervisor", "pit_manager", "shift_manager"})
_BY_ITSELF: Final = {"device", "suspended"}
"""What the automatic staff of a table leaves to the floor."""
TableId = Annotated[str, Parameter(max_length=60)]


class WaitingWork(Struct, frozen=True, kw_only=True):
    """Something that waits, with the forms that answer it."""

    work: FloorWork
    forms: tuple[FloorForm, ...]
    is_theirs: bool
    """Whether it waits for the floor: what a dealer prepares does not."""


class FloorCard(Struct, frozen=True, kw_only=True):
    """A table on the floor page."""

    id: str
    title: str
    rulebook: str
    status: str
    physical: bool
    automatic: bool
    paused: bool
    dealer: str
    floor: tuple[str, ...]
    round: int
    awaiting: str
    seats: int
    taken: int
    tray: int
    clocks: tuple[DeckClock, ...]
    stub: StubState
    waiting: tuple[WaitingWork, ...]
    disputes: int
    call: FloorCall | None
    """The dealer has called for the floor."""
    proposed: RulesChange | None
    """Rules that somebody has to confirm."""
    key: str

    @property
    def calls(self) -> int:
        """How much waits."""
        waiting = sum(waits.is_theirs for waits in self.waiting)
        return waiting + self.paused + self.disputes + (self.call is not None) + (self.proposed is not None)


class FigureRow(Struct, frozen=True, kw_only=True):
    """A line of the shift's figures: a table, a game, or all together."""

    label: str
    about: str
    day: date | None
    figures: TableFigures
    hold: Fraction | None


# --- the pit


@get("/floor")
async def see_floor(desk: Desk, caller: Caller, done: str = "") -> Page:
    """Every table of the pit."""
    return await _floor_page(desk, caller, done=done == "yes")


@get("/floor/live")
async def see_pit(desk: Desk, caller: Caller) -> Page:
    """The tables again, for a page that is open."""
    return page("floor_live", caller, **_pit(desk, caller))


@get("/floor/figures")
async def see_figures(desk: Desk, caller: Caller) -> Page:
    """The figures again, for a page that is open."""
    return page("shift_figures", caller, **_figures(await shift_for(desk, caller)))


@get("/floor/tables/{table_id:str}")
async def see_table_work(desk: Desk, caller: Caller, table_id: TableId) -> Page:
    """Everything that the floor may do at a table now."""
    return _table_page(desk, caller, table_id)


@post("/floor/tables/{table_id:str}", status_code=200)
async def give_command(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """A command from one of the floor's forms."""
    then = own_path(fields.get("then", "/floor"))
    sent = {name: value for name, value in fields.items() if name != "then"}
    try:
        body, key = by_name(desk, caller, read_command_form(sent)), fields.get("key", "")[:100]
        await desk.command(caller, table_id, body, key)
    except CroupierError as error:
        return await _refused(desk, caller, table_id, then, error)
    await has_ruled(desk, caller, table_id, str(body["do"]), key)
    return redirect(then)


@post("/floor/tables/{table_id:str}/play", status_code=200)
async def run_table(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """What the house does with a table: pause, resume, hand over, other rules."""
    then = own_path(fields.get("then", "/floor"))
    try:
        await desk.give_house(caller, _house_command(desk, table_id, fields), fields.get("key", "")[:100])
    except CroupierError as error:
        return await _refused(desk, caller, table_id, then, error)
    return redirect(then)


def _house_command(desk: Desk, table_id: str, fields: Fields) -> commands.HouseCommand:
    match fields.get("play"):
        case "pause":
            return commands.PausePlay(table=table_id)
        case "resume":
            return commands.ResumePlay(table=table_id)
        case "confirm":
            running = desk.hall.find(table_id)
            in_round = running is not None and running.table.round is not None
            return commands.ConfirmRulesChange(table=table_id, in_round=in_round)
        case "hand_over":
            person = fields.get("person", "")[:60]
            return commands.HandOver(table=table_id, dealer="person" if person else "automatic", person=person)
    raise Malformed("pause, resume, confirm or hand over")


@post("/floor/tables/{table_id:str}/call", status_code=200)
async def answer_call(desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """Say that the floor is at the table."""
    then = own_path(fields.get("then", "/floor"))
    try:
        await desk.give_house(caller, commands.AnswerCall(table=table_id), fields.get("key", "")[:100])
    except CroupierError as error:
        return await _refused(desk, caller, table_id, then, error)
    return redirect(then)


async def _refused(desk: Desk, caller: Caller, table_id: str, then: str, error: CroupierError) -> Page:
    """Where the form was, with why it was refused."""
    if isinstance(error, SignInFirst) or not caller.may_read("figures"):
        raise error
    answer = problem_of(error)
    said: dict[str, Any] = {"refusal": answer.content, "status": answer.status_code or 409}
    if then.startswith("/floor/tables/"):
        return _table_page(desk, caller, table_id, **said)
    return await _floor_page(desk, caller, **said)


async def _floor_page(
    desk: Desk, caller: Caller, *, refusal: dict[str, Any] | None = None, status: int = 200, done: bool = False
) -> Page:
    pit = _pit(desk, caller)
    figures = _figures(await shift_for(desk, caller))
    return page("floor", caller, status=status, refusal=refusal, done=done, **pit, **figures)


def _pit(desk: Desk, caller: Caller) -> dict[str, Any]:
    caller.must_be_person()
    caller.must_read("figures")
    name = namer(desk, caller)
    pays = hand_pays_for(desk, caller)
    disputes = [dispute for dispute in disputes_for(desk, caller) if dispute.is_open]
    about = Counter(dispute.table for dispute in disputes)
    cards = [_card(desk, caller, watched, pays, about[watched.table.id]) for watched in desk.hall.tables()]
    return {
        "cards": sorted(cards, key=lambda card: (card.calls == 0, _natural(card.id))),
        "calls": sum(card.calls for card in cards),
        "disputes": disputes,
        "hand_pays": pays,
        "name": name,
        "may_resume": may_give_house(desk, caller, "resume_play"),
        "may_pause": may_give_house(desk, caller, "pause_play"),
        "may_confirm": may_give_house(desk, caller, "confirm_rules_change"),
    }


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (2**31, name)


def _card(desk: Desk, caller: Caller, watched: Watched, pays: Sequence[HandPay], disputes: int) -> FloorCard:
    table, at = watched.table, desk.hall.time_of(watched)
    plan, name = desk.hall.plans[table.id], namer(desk, caller)
    setting = setting_of(desk, caller, watched)
    seen = setting.view
    works = [work for work in floor_work(table, at) if not plan.automatic or work.kind in _BY_ITSELF]
    # To try every command is work: it is done only where something waits.
    offers = desk.offers(caller, watched) if works else []
    slips = {pay.seat: pay.slip.reference for pay in pays if pay.table == table.id and pay.slip is not None}
    return FloorCard(
        id=table.id,
        title=table.house.rulebook.source.title,
        rulebook=table.house.rulebook.id,
        status=seen.status,
        physical=not plan.virtual,
        automatic=plan.automatic,
        paused=watched.paused,
        dealer=_dealer(seen, name, automatic=plan.automatic),
        floor=tuple(name(person) for person in seen.staff.floor) if seen.staff and not plan.automatic else (),
        round=table.played + (table.round is not None),
        awaiting=_now(seen.awaiting),
        seats=table.house.seats,
        taken=sum(bool(box.patron) for box in seen.seats),
        tray=seen.staff.tray if seen.staff else 0,
        clocks=deck_clocks(table, at),
        stub=stub_state(table),
        waiting=tuple(
            WaitingWork(
                work=work,
                forms=forms_for(work, offers, setting, reference=slips.get(work.seat, "")),
                is_theirs=not work.may and not (work.kind == "preparation" and table.people.dealer),
            )
            for work in works
        ),
        disputes=disputes,
        call=desk.house.state.floor.calls.get(table.id),
        proposed=desk.house.state.tables[table.id].proposed,
        key=new_key(),
    )


def _dealer(seen: TableView, name: Namer, *, automatic: bool) -> str:
    if automatic:
        return "automatic dealer"
    return name(seen.staff.dealer) if seen.staff and seen.staff.dealer else ""


# --- one table


def _table_page(
    desk: Desk, caller: Caller, table_id: str, *, refusal: dict[str, Any] | None = None, status: int = 200
) -> Page:
    caller.must_be_person()
    caller.must_read("figures")
    watched = desk.table(table_id)
    setting = setting_of(desk, caller, watched)
    offers = desk.offers(caller, watched)
    groups: list[FormGroup] = grouped(offers, setting)
    people, name = desk.house.state.people.values(), setting.name
    boxes: list[BoxView] = [box for box in setting.view.seats if box.patron or box.bets]
    rebuilt: tuple[RebuiltHand, ...] = rebuilt_hands(watched.table, caller.at_table)
    about = [dispute for dispute in disputes_for(desk, caller) if dispute.table == table_id and dispute.is_open]
    return page(
        "floor_table",
        caller,
        status=status,
        refusal=refusal,
        card=_card(desk, caller, watched, hand_pays_for(desk, caller), len(about)),
        view=setting.view,
        boxes=boxes,
        groups=groups,
        rulings=rulings(offers, setting),
        rebuilt=rebuilt,
        rebuilt_round=watched.table.rebuilt[0] if watched.table.rebuilt is not None else 0,
        name=name,
        disputes=about,
        may_resume=may_give_house(desk, caller, "resume_play"),
        may_pause=may_give_house(desk, caller, "pause_play"),
        may_hand_over=may_give_house(desk, caller, "hand_over"),
        dealers=[
            (person.id, name(person.id)) for person in people if "dealer" in person.roles and not person.suspended
        ],
        staff=[(person.id, name(person.id)) for person in people if not person.is_player],
        players=[(person.id, name(person.id)) for person in people if person.is_player],
    )


def _now(awaited: AwaitedView) -> str:
    """What a table waits for, or what is wrong with it; its clause stands beside what is to be done about it."""
    if awaited.kind == "preparation":
        return awaited.words.removesuffix(f" ({awaited.clause})")
    return f"waiting for {awaited.words}"


# --- figures


def _figures(rows: Sequence[ShiftRow]) -> dict[str, Any]:
    """The figures table by table, game by game, and together; irregularities by kind."""
    known = [(row, row.so_far) for row in rows if row.so_far is not None]
    tables = [
        FigureRow(label=row.table, about=_game(row.rulebook), day=day.day, figures=day.figures, hold=day.figures.hold)
        for row, day in sorted(known, key=lambda each: _natural(each[0].table))
    ]
    games = [_summed(known, book) for book in dict.fromkeys(row.rulebook for row, _ in known)]
    irregularities: Counter[str] = Counter()
    for _, day in known:
        irregularities.update(dict(day.irregularities))
    return {
        "by_table": tables,
        "by_game": games,
        "altogether": _summed(known),
        "irregularities": [(irregularity_words(kind), number) for kind, number in irregularities.most_common()],  # type: ignore[arg-type] # one of them
        "days": sorted({day.day for _, day in known}),
    }


def _summed(known: Sequence[tuple[ShiftRow, DayFigures]], book: str = "") -> FigureRow:
    """Several tables as one: those of a game, or all. Hold is that of the tables which take cash."""
    here = [(row, day.figures) for row, day in known if book in {"", row.rulebook}]
    return FigureRow(
        label=_game(book) if book else "Total",
        about="",
        day=None,
        figures=together([figures for _, figures in here]),
        hold=together([figures for row, figures in here if not row.virtual]).hold,
    )


def _game(book: str) -> str:
    source = load_rulebook(book).source
    return f"{source.title}, {source.jurisdiction}"


NAV: Final = [NavItem("Floor", "/floor", FLOOR, place=20)]
ROUTES: Final = [see_floor, see_pit, see_figures, see_table_work, give_command, run_table, answer_call]
