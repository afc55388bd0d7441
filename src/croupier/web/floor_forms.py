"""Forms of the floor at a table: those that answer what waits there, and everything else that the floor may do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.games import Offer
from croupier.present import irregularity_words, ruling_words
from croupier.server import Caller, Desk, Watched
from croupier.table import FloorWork, view
from croupier.table.commands import COMMANDS
from croupier.web.form_people import staff_choices
from croupier.web.form_shapes import FormField, OfferForm, Setting
from croupier.web.offer_forms import forms_of
from croupier.web.posting import new_key
from croupier.web.words import namer

__all__ = [
    "FloorForm",
    "FormGroup",
    "PossibleRuling",
    "forms_for",
    "grouped",
    "may_give_house",
    "rulings",
    "setting_of",
]

_RULINGS: Final = frozenset(
    "rule set_aside find_conduct leave correct_card reverse_settlement cancel_wager declare_undecided reduce_raise"
    " rebuild_hands".split()
)
_GROUPS: Final = {
    "actions": "The round",
    "play": "The round",
    "house": "Table, tray and people",
    "decks": "Decks",
    "devices": "Devices and methods",
    "awards": "Awards",
}
"""Headings by the part of the table that commands belong to."""
_TITLES: Final = {
    "assign": "Put someone on duty",
    "correct_card": "Correct a card that was misread",
    "find_conduct": "A player broke a rule of conduct",
    "leave": "A player left",
    "rebuild_hands": "Rebuild hands from the rack",
    "reverse_settlement": "Reverse what was settled last",
    "set_aside": "Set a card aside",
}
"""What the floor calls things whose name alone does not read well."""


class FloorForm(Struct, frozen=True, kw_only=True):
    """A form with a name that stays, so that what somebody types survives when the page is drawn again."""

    id: str
    form: OfferForm


class FormGroup(Struct, frozen=True, kw_only=True):
    """Forms under a heading."""

    title: str
    forms: tuple[FloorForm, ...]


class PossibleRuling(Struct, frozen=True, kw_only=True):
    """An irregularity that can have happened now, and what follows from it here."""

    irregularity: str
    words: str
    follows: str
    clause: str
    reading: int | None
    seats: tuple[int, ...]
    """At which seats; none if it is not about one."""
    id: str
    key: str


def rulings(offers: Iterable[Offer], setting: Setting) -> list[PossibleRuling]:
    """Every ruling that the rules allow now."""
    house = setting.table.house
    rows = {row.event: row for row in house.rulebook.irregularities.irregularity}
    seats: dict[str, list[int]] = {}
    for offered in offers:
        fields = dict(offered.fields)
        if offered.do == "rule":
            names, places = _several(fields["irregularity"]), _several(fields.get("seat", 0))
            for name in names:
                seats.setdefault(str(name), []).extend(int(place) for place in places if place)
    found = []
    for name, at_seats in seats.items():
        row = rows[name]  # type: ignore[index] # one of them
        cited = row.on(house.deal)
        found.append(
            PossibleRuling(
                irregularity=name,
                words=irregularity_words(row.event),
                follows=ruling_words(house, row),
                clause=cited.clause,
                reading=cited.reading or row.reading,
                seats=tuple(dict.fromkeys(at_seats)),
                id=_as_id(f"r-{setting.table.id}-{name}"),
                key=new_key(),
            )
        )
    return found


def _several(allowed: Any) -> tuple[Any, ...]:  # noqa: ANN401 - whatever an offer allows
    return allowed if isinstance(allowed, tuple) else (allowed,)


def setting_of(desk: Desk, caller: Caller, watched: Watched) -> Setting:
    """What forms at a table are made for."""
    seen = view(watched.table, caller.at_table)
    staff = staff_choices(desk, caller, watched.table)
    return Setting(watched.table, seen, namer(desk, caller), desk.gaming_day().isoformat(), staff)


def forms_for(
    work: FloorWork, offers: Sequence[Offer], setting: Setting, *, reference: str = ""
) -> tuple[FloorForm, ...]:
    """The forms that answer something that waits; `reference` is a slip that the cage has made out."""
    fitting = [offered for offered in offers if offered.do in work.do and _is_about(offered, work)]
    forms = forms_of(fitting, setting)
    if reference:
        forms = [_with_reference(form, reference) for form in forms]
    ordered = sorted(forms, key=lambda form: work.do.index(form.do))
    return _named(ordered, f"{setting.table.id}-{work.kind}-{work.deck or work.seat}")


def grouped(offers: Iterable[Offer], setting: Setting) -> list[FormGroup]:
    """Everything that may be done, under headings, rulings first."""
    found: dict[str, list[OfferForm]] = {"Corrections and conduct": []}
    for form in forms_of([offered for offered in offers if offered.do != "rule"], setting):
        found.setdefault(_heading(form.do), []).append(form)
    return [
        FormGroup(title=title, forms=_named(forms, f"{setting.table.id}-all"))
        for title, forms in found.items()
        if forms
    ]


def may_give_house(desk: Desk, caller: Caller, do: str) -> bool:
    """Whether somebody may give a command of the house, so that its form is shown."""
    try:
        desk.doors.acting_role(caller, do)
    except CroupierError:
        return False
    return True


def _is_about(offered: Offer, work: FloorWork) -> bool:
    fields = dict(offered.fields)
    deck, seat = fields.get("deck"), fields.get("seat")
    return (not work.deck or deck == work.deck) and (not work.seat or not isinstance(seat, int) or seat == work.seat)


def _with_reference(form: OfferForm, reference: str) -> OfferForm:
    fields = tuple(replace(field, value=reference) if _is_reference(field) else field for field in form.fields)
    return replace(form, fields=fields)


def _is_reference(field: FormField) -> bool:
    return field.name == "reference" and field.kind == "text"


def _named(forms: Iterable[OfferForm], prefix: str) -> tuple[FloorForm, ...]:
    named: dict[str, FloorForm] = {}
    for form in forms:
        if (title := _TITLES.get(form.do)) is not None:
            form = replace(form, title=title + form.title.removeprefix(form.button))  # noqa: PLW2901 - the same form
        fixed = "-".join(field.value for field in form.fields if field.kind == "hidden")
        base = _as_id(f"f-{prefix}-{form.do}-{fixed}")
        name, number = base, 2
        while name in named:
            name, number = f"{base}-{number}", number + 1
        named[name] = FloorForm(id=name, form=form)
    return tuple(named.values())


def _as_id(text: str) -> str:
    """A name for an element; letters and digits are as they are.

    >>> _as_id("f-3-deck-red 1")
    'f-3-deck-red_20_1'
    """
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign == "-") else f"_{ord(sign):x}_" for sign in text)


def _heading(do: str) -> str:
    if do in _RULINGS:
        return "Corrections and conduct"
    part = COMMANDS[do].__module__.rpartition(".")[2]  # type: ignore[index] # one of them
    return _GROUPS.get(part, "The table")
