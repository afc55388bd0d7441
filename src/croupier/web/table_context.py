"""Everything that a table's page shows to one person: the felt, the dock, and what stands beside them.

The same is made for the first paint and for every update; only what this person may see is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil
from typing import Any, Final

from msgspec import Struct

from croupier.analysis import BASE
from croupier.documents import felt_layout
from croupier.games import Offer
from croupier.money import Cents, format_dollars
from croupier.present import capitalized, dollars, the_wager
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName
from croupier.server import Caller, Desk, Watched, last_commitment, rounds_for
from croupier.store import RoundSearch
from croupier.table import Table, view
from croupier.table.commands import COMMANDS
from croupier.table.views import TableView
from croupier.web.acts import acts_of, key_rows, question_of
from croupier.web.felt import draw_felt
from croupier.web.form_shapes import OfferForm, Setting
from croupier.web.offer_forms import forms_of
from croupier.web.paid_tables import paid_tables
from croupier.web.past_rounds import RoundRow, rows_of
from croupier.web.posting import new_key
from croupier.web.shell import shell
from croupier.web.table_trainer import has_trainer, trainer_beside
from croupier.web.told import (
    dealers_hand,
    hand_so_far,
    hand_title,
    not_seen,
    round_shown,
    settled_boxes,
    void_words,
)
from croupier.web.words import kept_away, namer

__all__ = ["TABS", "BetRow", "BetsForm", "least_bet", "table_context"]

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
"""Seconds until a page without scripts looks again: while a round is played, and otherwise."""
TABS: Final = {"round": "Round", "paytables": "Paytables", "history": "History", "fairness": "Fairness", "more": "More"}
_HISTORY: Final = 12
_IN_THE_DOCK: Final = {"place_wager", "sit"}
"""What the dock asks in a way of its own."""


class BetRow(Struct, frozen=True, kw_only=True):
    """A wager that may be placed, in the form for all of them."""

    wager: WagerName
    least: str
    most: str
    between: str
    """Both, as people say them."""
    step: str
    value: str
    required: bool


class BetsForm(Struct, frozen=True, kw_only=True):
    """Everything that a player may bet at a seat before the deal, in one form."""

    seat: int
    key: str
    rows: tuple[BetRow, ...]
    again: bool
    """Whether these are the bets of the last round."""
    also: tuple[int, ...] = ()
    """Other boxes of the same player that have no bets yet: the same may be bet there."""


class FormSection(Struct, frozen=True, kw_only=True):
    """Forms under a heading."""

    title: str
    forms: tuple[OfferForm, ...]


async def table_context(desk: Desk, caller: Caller, watched: Watched, *, tab: str = "round") -> dict[str, Any]:
    """What the templates of a table show to a caller."""
    tab = tab if tab in TABS else "round"
    table, person = watched.table, caller.at_table
    seen, name = view(table, person), namer(desk, caller)
    offers = desk.offers(caller, watched) if caller.scope is None else []
    bets = _bets(table, seen, caller, offers)
    acts = acts_of(seen, caller)
    single = [offered for offered in offers if not (bets and offered.do == "place_wager")]
    setting = Setting(table, seen, name, desk.gaming_day().isoformat())
    forms = forms_of(single, setting)
    least = least_bet(table.house)
    awaited = _awaited_from(seen, caller, forms, bets, least)
    run = desk.house.state.tables.get(table.id)
    people = desk.house.state.people.values()
    may_name = caller.may_read("players")
    own = _own_seat(seen, bets)
    last = seen.last_round
    undo = _undo(seen, offers)
    shown = round_shown(seen)
    settled = settled_boxes(table.house, seen, own=caller.id)
    invited = (
        {row.wager: f"${row.value.removesuffix('.00')}" if row.value else "" for row in bets[0].rows} if bets else {}
    )
    return {
        "table": table,
        "here": f"/tables/{table.id}",
        "source": table.house.rulebook.source,
        "view": seen,
        "name": name,
        "paused": run is not None and run.run == "paused",
        "physical": not desk.hall.plans[table.id].virtual,
        "demo": desk.house.state.demo,
        "felts": [draw_felt(table.house, seen, own=own, tall=tall, name=name, bets=invited) for tall in (False, True)],
        "printed": _printed_beside(table.house, own),
        "asks": _asks(seen, caller, least, paused=run is not None and run.run == "paused"),
        "seconds_left": _seconds_left(seen, watched, desk.doors.now()),
        "void": void_words(seen, table.last_round.proceedings.ruled if table.last_round is not None else ()),
        "at_stake": _at_stake(seen),
        "last_net": sum(box.net for box in told)
        if shown is not seen and (told := [box for box in settled if box.own])
        else None,
        "bets": bets,
        "away": (away := kept_away(desk, caller)),
        "sit": [] if away else _seats(seen, offers),
        "undo": undo,
        "undo_key": new_key() if undo else "",
        "acts": acts,
        "keys": key_rows(table.house) if shell().keys == "on" else [],
        "now": [form for form in awaited if not (acts and form.do == "decide") and form.do not in _IN_THE_DOCK],
        "sections": _sections(forms, awaited) if tab == "more" else [],
        "entropy": [form for form in forms if form.do == "add_entropy"] if tab == "fairness" else [],
        "tab": tab,
        "tabs": list(TABS.items()),
        # Without scripts a page looks again by itself, but not while somebody fills in a form: that would be lost.
        "refresh": 0 if tab == "more" or bets or acts or awaited else _SOON if table.people.seats else _LATER,
        "settled": settled,
        "trainer": await trainer_beside(table.house, seen, shell().values)
        if has_trainer(desk, seen, table.id)
        else None,
        "dealers": dealers_hand(table.house, shown),
        "made": hand_so_far(table.house, seen, own) if own is not None else "",
        "hand_title": hand_title(seen),
        "not_seen": not_seen(seen, own),
        "paytables": paid_tables(table.house, seen),
        "history": await _history(desk, caller, table) if tab == "history" else [],
        "proved": last_commitment(watched),
        "last_id": f"{table.id}-{last.number}"
        if last is not None and (caller.may_read("rounds") or any(box.own for box in last.seats))
        else "",
        "may_dispute": last is not None and any(box.own for box in last.seats) and "player" in caller.roles,
        "staff": [(each.id, name(each.id)) for each in people if may_name and not each.is_player],
        "players": [(each.id, name(each.id)) for each in people if may_name and each.is_player],
        "refusal": None,
        "key": new_key(),
        "asked": question_of(seen),
    }


def _at_stake(seen: TableView) -> int:
    """What the viewer has on the table and may still lose."""
    return sum(
        amount
        for box in seen.seats
        if box.own
        for wager, amount in box.bets
        if all(result.wager != wager for result in box.results) and wager not in box.withdrawn
    )


def _printed_beside(house: HouseRules, own: int | None) -> tuple[str, ...]:
    """The inscriptions, where a phone's felt has no room for them: they stand below the paytable there."""
    return () if felt_layout(house, own, tall=True).lines else felt_layout(house, own, tall=False).inscribed


def _own_seat(seen: TableView, bets: Sequence[BetsForm]) -> int | None:
    """The seat that stands at the bottom: the one whose turn it is, the one to bet on, or the first of one's own."""
    mine = [box.seat for box in seen.seats if box.own]
    if seen.awaiting.seat in mine:
        return seen.awaiting.seat
    return bets[0].seat if bets else mine[0] if mine else None


def _is_short(seen: TableView, least: Cents) -> bool:
    """Whether somebody who sits here has too few chips to begin a round."""
    return seen.chips is not None and seen.chips < least and not any(box.own and box.bets for box in seen.seats)


def least_bet(house: HouseRules) -> Cents:
    """What a round takes at least: the lowest bet on everything that must be bet before the deal."""
    return Cents(
        sum(wager.stakes.minimum for wager in house.wagers if wager.stakes and wager.paytables[0].group == BASE)
    )


def _seconds_left(seen: TableView, watched: Watched, now: datetime) -> int | None:
    """How long bets or the decision that is awaited can still be made; None where no clock runs."""
    has_bets = any(box.bets for box in seen.seats)  # without a bet nothing is closed
    until = (watched.closes() if has_bets else None) or seen.awaiting.deadline
    return None if until is None or until <= now else ceil((until - now).total_seconds())


def _asks(seen: TableView, caller: Caller, least: Cents, *, paused: bool) -> str:
    if paused:
        return "The table is paused"
    awaited, seated = seen.awaiting, any(box.own for box in seen.seats)
    if awaited.kind == "decision" and awaited.patron == caller.id:
        if sum(box.own for box in seen.seats) > 1:
            return f"Your decision, seat {awaited.seat}"
        return f"Your decision on {the_wager(awaited.decision)}" if awaited.decision else "Your decision"
    if _is_short(seen, least):
        return f"Buy {'more ' if seen.chips else ''}chips to play: a round takes at least {dollars(least)}"
    if awaited.kind == "wagers" and seated:
        return (
            "Your bets are placed: the deal is next"
            if any(box.own and box.bets for box in seen.seats)
            else "Place your bets"
        )
    if awaited.kind in {"preparation", "opening"} and not seen.staff:
        if not seated and seen.status != "open":
            return "The table is not open yet"
        if not any(box.patron for box in seen.seats):
            return "The game starts when a player sits down"
        return "The dealer is preparing the cards"
    if awaited.kind == "close" and not seen.staff:
        return "The dealer is finishing the round"
    if not seen.staff:
        return f"Waiting for {awaited.words}"
    law = f" ({awaited.clause}"  # it stands beside the words as a link
    return capitalized(awaited.words.partition(law)[0] if awaited.clause else awaited.words)


def _seats(seen: TableView, offers: Sequence[Offer]) -> list[int]:
    """The seats that somebody who has none may take."""
    if any(box.own for box in seen.seats):
        return []
    offered = {dict(each.fields).get("seat") for each in offers if each.do == "sit"}
    return sorted(number for number in _numbers(offered) if isinstance(number, int))


def _undo(seen: TableView, offers: Sequence[Offer]) -> int:
    """The seat whose bets may still be taken back, if there is one."""
    back = {dict(offered.fields).get("seat") for offered in offers if offered.do == "take_back"}
    return next((box.seat for box in seen.seats if box.own and box.bets and box.seat in _numbers(back)), 0)


def _numbers(values: Iterable[object]) -> set[object]:
    return {number for value in values for number in (value if isinstance(value, tuple) else (value,))}


async def _history(desk: Desk, caller: Caller, table: Table) -> list[RoundRow]:
    if not caller.is_somebody or not caller.may_read("own_rounds", own=True):
        return []
    search = RoundSearch(table=table.id, patron=caller.id, limit=_HISTORY)
    return rows_of(await rounds_for(desk, caller, search), namer(desk, caller), own=caller.id)


# --- what is whose to do


def _awaited_from(
    seen: TableView, caller: Caller, forms: Sequence[OfferForm], bets: Sequence[BetsForm], least: Cents
) -> list[OfferForm]:
    """The forms that answer what is awaited, if it is awaited from this person."""
    awaited = seen.awaiting
    if _is_short(seen, least):
        return [form for form in forms if form.do == "buy_in"]  # nothing else is of use to them
    if awaited.kind == "decision" and awaited.patron != caller.id:
        return []  # a dealer may give it for the player, when asked
    if awaited.kind == "wagers" and not bets and any(box.own for box in seen.seats):
        return []  # their bets are placed: the others' are awaited
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
    """A form for all bets of a player at the first of their seats that has none yet; one at most."""
    offered = {dict(each.fields).get("seat") for each in offers if each.do == "place_wager"}
    empty = [box.seat for box in seen.seats if box.own and not box.bets and box.seat in offered and caller.is_somebody]
    last = {box.seat: dict(box.bets) for box in seen.last_round.seats if box.own} if seen.last_round else {}
    return [
        BetsForm(
            seat=seat,
            key=new_key(),
            rows=_bet_rows(table, seen.chips or Cents(0), last.get(seat, {})),
            again=bool(last.get(seat)),
            also=tuple(empty[1:]),
        )
        for seat in empty[:1]
    ]


def _bet_rows(table: Table, chips: Cents, last: dict[Any, Cents]) -> tuple[BetRow, ...]:
    """What may be bet: the main game first, then side bets as they lie on the felt from left to right."""
    rows = []
    for wager in table.house.wagers:
        if (stakes := wager.stakes) is None:
            continue
        main = wager.paytables[0].group == BASE
        before = last.get(wager.name)
        if before is None or not stakes.admits(before):
            before = stakes.minimum if main else None
        most = max(stakes.minimum, min(stakes.maximum, chips))
        rows.append(
            BetRow(
                wager=wager.name,
                least=format_dollars(stakes.minimum),
                most=format_dollars(most),
                between=dollars(most) if most == stakes.minimum else f"{dollars(stakes.minimum)} to {dollars(most)}",
                step=format_dollars(stakes.increment),
                value="" if before is None else format_dollars(before),
                required=main,
            )
        )
    across = {each.wager: each.spot.u for each in felt_layout(table.house, None, tall=False).spots}
    return tuple(sorted(rows, key=lambda row: (not row.required, 0 if row.required else across.get(row.wager, 0))))
