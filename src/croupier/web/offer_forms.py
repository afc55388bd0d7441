"""Offers of a table as forms: what somebody may do now, each argument as an input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from msgspec.structs import replace

from croupier.cards import RANKS, SUITS
from croupier.games import CardsOf, Except, Offer, Range
from croupier.money import format_dollars
from croupier.present import act_words, capitalized, command_json, counted, dollars, merged, spoken, the_wager
from croupier.rulebook import Stakes
from croupier.table import arguments
from croupier.table.commands import COMMANDS, WITH_REASON
from croupier.table.views import CARD_BACK, TableView
from croupier.web.form_shapes import FormChoice, FormField, OfferForm, Setting
from croupier.web.form_words import ABOUT, BUTTONS, CHOICES, FIELDS, LABELS, TO_PLAYERS, TO_STAFF, VERBS
from croupier.web.posting import new_key

__all__ = ["forms_of"]

_MOST_BUTTONS: Final = 12
_BOUNDLESS: Final = 10_000_000_000
"""Cents from which the most of an amount is no limit that anybody meets."""
_MONEY: Final = {"amount", "value", "shown"}
_PEOPLE: Final = {"patron", "person", "asked_by"}
_BY_THE_SERVER: Final = {"commitment", "brought"}
"""What a device says, or the server itself."""
_CHOICES: Final = {"fold": "Fold", "ride": "Let it ride", "withdraw": "Take it back", "raise": "Raise"}
_CHOOSE: Final = FormChoice("", "choose")
_CARD_HINT: Final = "rank, then c, d, h or s"
_CARD_PATTERN: Final = "([2-9TJQKAtjqka]|10)[cdhsCDHS]"


# --- forms


def forms_of(offers: Iterable[Offer], setting: Setting) -> list[OfferForm]:
    """A form for each offer."""
    return [_form(offered, setting) for offered in merged(offers)]


def _form(offered: Offer, setting: Setting) -> OfferForm:
    do = offered.do
    known = {row["name"]: row for row in arguments(COMMANDS[do])}  # type: ignore[index] # one of them
    given = dict(offered.fields)
    fields: list[FormField] = []
    more: list[FormField] = []
    fixed: list[str] = []
    for name, row in known.items():
        if name in _BY_THE_SERVER or (name in given and given[name] is None):
            continue
        if name == "gesture" and any(box.own for box in setting.view.seats):
            continue  # what the dealer sees of a player
        if name == "instead_of" and not setting.table.people.floor:
            continue  # nobody to relieve
        field = _worded(do, _field(name, row, given.get(name, _FREE), setting))
        if field.kind == "hidden":
            fixed.append(_fixed_words(name, given[name], setting))
            fields.append(field)
        elif name == "seats" and field.kind == "seats":
            fields += _by_seat(setting)
        else:
            asked = row["required"] or name in _ALWAYS_ASKED or isinstance(given.get(name), Except) or _is_whom(field)
            (fields if asked else more).append(field)
    if do in WITH_REASON:
        fields.append(FormField(name="reason", label="Reason", kind="text"))
    verb = VERBS.get(do) or capitalized(spoken(do))
    if do == "sit" and any(box.own for box in setting.view.seats):
        verb = "Take another box"
    if do == "decide" and any(field.name == "choice" and field.kind == "hidden" for field in fields):
        verb = _decision_words(_only(given["choice"]), setting)
    elif do == "decide" and setting.view.awaiting.decision:
        verb = f"Decide on {the_wager(setting.view.awaiting.decision)}"
    words = ", ".join(word for word in fixed if word)
    form = OfferForm(
        do=do,
        id=_id(offered),
        title=f"{verb}: {words}" if words else verb,
        about=_about(do, given, setting),
        key=new_key(),
        fields=tuple(fields),
        more=tuple(more),
        button=BUTTONS.get(do, verb),
    )
    return _with_buttons(form, setting)


def _id(offered: Offer) -> str:
    """A name for a form: the command, and those of its arguments that are fixed."""
    fixed = [str(value) for _, value in offered.fields if isinstance(value, int | str)]
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join([offered.do, *fixed])).strip("-")


_FREE: Final = object()
"""A field that an offer does not mention."""
_PEOPLE_CHOSEN: Final = {"person", "instead_of"}
_ALWAYS_ASKED: Final = {"cards", "place", "defects", "number"}
"""Arguments with a default that people are asked for all the same."""


def _field(name: str, row: Mapping[str, Any], allowed: object, setting: Setting) -> FormField:
    label, kind = LABELS.get(name) or capitalized(spoken(name)), row["kind"]
    required = bool(row["required"])
    if name in _PEOPLE_CHOSEN and (people := _people(name, setting)):
        return FormField(name=name, label=label, kind="select", choices=people, required=required)
    match allowed:
        case Stakes() if allowed.minimum != allowed.maximum:
            least, most = format_dollars(allowed.minimum), format_dollars(allowed.maximum)
            step = format_dollars(allowed.increment)
            most_words = f" to {dollars(allowed.maximum)}" if allowed.maximum < _BOUNDLESS else " or more"
            hint = f"{dollars(allowed.minimum)}{most_words}" if allowed.minimum > 1 else ""
            label = label if hint else f"{label}, in dollars"
            value = least if allowed.increment > 1 else ""
            return FormField(
                name=name, label=label, kind="money", least=least, most=most, step=step, hint=hint, value=value
            )
        case Stakes():
            return FormField(name=name, label=label, kind="hidden", value=format_dollars(allowed.minimum))
        case Range() if allowed.least != allowed.most:
            least, most = str(allowed.least), str(allowed.most)
            value = most if name == "number" else ""
            hint = f"{least} to {most}"
            return FormField(
                name=name, label=label, kind="number", least=least, most=most, step="1", value=value, hint=hint
            )
        case Range():
            return FormField(name=name, label=label, kind="hidden", value=str(allowed.least))
        case CardsOf() | (None, CardsOf()):
            return _cards(name, label, required=not isinstance(allowed, tuple))
        case tuple() if len(allowed) > 1:
            choices = tuple(_choice(name, value, setting) for value in allowed)
            if name == "patron":
                choices = (_CHOOSE, *choices)
            elif required and isinstance(allowed[0], bool):  # nobody attests by leaving it as it is
                choices = (_CHOOSE, *reversed(choices))
            value = _missing_post(setting) if name == "post" else _default(row)
            return FormField(name=name, label=label, kind="select", choices=choices, value=value)
        case Except():
            pass
        case _ if allowed is not _FREE:
            return FormField(name=name, label=label, kind="hidden", value=_written(name, _only(allowed)))
    return _free(name, label, kind, row, setting, required=required)


def _is_whom(field: FormField) -> bool:
    """Whether it asks for one of several players."""
    return field.name == "patron" and field.kind == "select"


def _worded(do: str, field: FormField) -> FormField:
    label, hint = FIELDS.get(f"{do}.{field.name}") or FIELDS.get(field.name) or (field.label, "")
    return replace(field, label=label, hint=hint or field.hint)


def _people(name: str, setting: Setting) -> tuple[FormChoice, ...]:
    """Who can be put on duty, or relieved."""
    if name == "person":
        return setting.staff
    on_duty = (FormChoice(person, setting.name(person)) for person in setting.table.people.floor)
    return (FormChoice("", "nobody"), *on_duty)


def _missing_post(setting: Setting) -> str:
    people = setting.table.people
    return "floorperson" if people.dealer and not people.floor else "dealer"


def _free(name: str, label: str, kind: str, row: Mapping[str, Any], setting: Setting, *, required: bool) -> FormField:
    match kind:
        case "card" | "cards":
            return _cards(name, label, required=required)
        case "choice" | "true or false":
            values = row.get("values") or [True, False]
            empty = () if required else (FormChoice("", "as usual"),)
            choices = (*empty, *(_choice(name, value, setting) for value in values))
            return FormField(name=name, label=label, kind="select", choices=choices, required=required)
        case "dollars":
            return FormField(name=name, label=label, kind="money", least="0.01", step="0.01", required=required)
        case "number":
            return FormField(name=name, label=label, kind="number", least="0", step="1", required=required)
        case "date":
            return FormField(name=name, label=label, kind="date", value=_day(setting))
        case "numbers by seat":
            return FormField(name=name, label=label, kind="seats")
    names = {"person": "staff", "patron": "players"}.get(name, "")
    return FormField(name=name, label=label, kind="text", names=names, required=required)


def _day(setting: Setting) -> str:
    """The gaming day that a table opens for, or the next of one that is open."""
    day = setting.table.gaming_day
    if setting.table.status == "closed" or day is None or setting.today > day.isoformat():
        return setting.today
    return (day + timedelta(days=1)).isoformat()


def _cards(name: str, label: str, *, required: bool) -> FormField:
    pattern = rf"\s*{_CARD_PATTERN}(\s+{_CARD_PATTERN})*\s*"
    return FormField(
        name=name,
        label=label,
        kind="cards",
        pattern=pattern,
        hint=_CARD_HINT,
        required=required,
    )


def _by_seat(setting: Setting) -> list[FormField]:
    return [
        FormField(name=f"seats.{box.seat}", label=f"Cards at seat {box.seat}", kind="number", least="0", step="1")
        for box in setting.view.seats
        if box.bets
    ]


def _only(allowed: Any) -> Any:  # noqa: ANN401 - whatever an offer allows
    return allowed[0] if isinstance(allowed, tuple) else allowed


def _written(name: str, value: object) -> str:
    """A value as a form sends it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and name in _MONEY:
        return format_dollars(value)
    return "" if value is None else str(value)


def _default(row: Mapping[str, Any]) -> str:
    value = row.get("default")
    return "" if value is None else _written(row["name"], value)


def _choice(name: str, value: object, setting: Setting) -> FormChoice:
    match value:
        case bool():
            return FormChoice(_written(name, value), "yes" if value else "no")
        case None:
            return FormChoice("", "none")
        case int() if name == "seat":
            return FormChoice(str(value), f"Seat {value}" if value else "All seats")
        case int() if name == "place":
            return FormChoice(str(value), _place_words(value, setting))
        case _ if name == "choice":
            return FormChoice(str(value), _decision_words(str(value), setting))
        case _ if name in _PEOPLE:
            return FormChoice(str(value), setting.name(str(value)))
    return FormChoice(str(value), CHOICES.get(str(value)) or capitalized(spoken(str(value))))


def _decision_words(choice: str, setting: Setting) -> str:
    cost = next((each.least for each in setting.view.awaiting.choices if each.choice == choice), 0)
    if choice in _CHOICES:
        return _CHOICES[choice]
    verb = "Raise" if setting.view.awaiting.decision == "raise" else "Bet"
    return f"{verb} {choice}, {dollars(cost)}" if cost else f"{verb} {choice}"


def _place_words(place: int, setting: Setting) -> str:
    """Whose card lies at a place, and which of theirs it is."""
    state = setting.table.round
    if state is None or place >= len(state.cards.plan.places):
        return f"Card {place}"
    spots = state.cards.plan.places
    own = [other for other, spot in enumerate(spots) if (spot.slot, spot.seat) == _spot(spots[place])]
    slot, seat = _spot(spots[place])
    return f"{f'Seat {seat}' if seat else capitalized(spoken(slot))}, card {own.index(place) + 1}"


def _spot(spot: Any) -> tuple[str, int]:  # noqa: ANN401 - a place of a plan
    return spot.slot, spot.seat


def _fixed_words(name: str, allowed: object, setting: Setting) -> str:
    """What a form says about a value that it sends unseen."""
    value = _only(allowed)
    match value:
        case Stakes():
            return dollars(value.minimum)
        case int() if name == "seat":
            return f"seat {value}" if value else ""
        case int() if name in _MONEY:
            return dollars(value)
        case bool() | Range() | None:
            return ""
        case str() if any(box.own and box.patron == value for box in setting.view.seats):
            return ""  # they know who they are
        case str() if name in _PEOPLE:
            return setting.name(value)
        case str() if name == "wager":
            return the_wager(value)
        case str() if name == "choice":
            return ""  # the button says it
        case int() if name == "place":
            return _place_words(value, setting)
        case int():
            return counted(value, spoken(name).removesuffix("s")) if name.endswith("s") else f"{spoken(name)} {value}"
    return CHOICES[str(value)].lower() if str(value) in CHOICES else spoken(str(value))


def _about(do: str, given: Mapping[str, Any], setting: Setting) -> str:
    if do == "perform" and isinstance(given.get("act"), str):
        return f"The dealer {act_words(given['act'])}."
    if do == "verify_inventory" and setting.table.tray.counted is not None:
        return f"The tray was counted at {dollars(setting.table.tray.counted)}: somebody else confirms it."
    if do in TO_PLAYERS and any(box.own for box in setting.view.seats):
        return TO_PLAYERS[do]
    if do in TO_STAFF and setting.view.staff is not None:
        return TO_STAFF[do]
    about: str = ABOUT[do] if do in ABOUT else command_json(do, [setting.table.house.rulebook])["about"]
    return re.sub(r"`([^`]*)`", lambda name: spoken(name[1]), about)


def _with_buttons(form: OfferForm, setting: Setting) -> OfferForm:
    """A form whose only question is a choice, or a single card, asks it by buttons."""
    asked = [field for field in form.fields if field.kind != "hidden"]
    if len(asked) != 1:
        return form
    field, rest = asked[0], tuple(field for field in form.fields if field.kind == "hidden")
    changed: dict[str, Any] = {}
    if field.kind == "select" and len(field.choices) <= _MOST_BUTTONS and field.name not in _PEOPLE_CHOSEN:
        changed = {"buttons": tuple(choice for choice in field.choices if choice != _CHOOSE)}
    elif field.kind == "cards" and _is_one_card(form.do, setting):
        changed = {"pad": _pad(setting.view)}
    if not changed:
        return form
    return OfferForm(
        do=form.do,
        id=form.id,
        title=form.title,
        about=form.about,
        key=form.key,
        fields=rest,
        more=form.more,
        button=form.button,
        choosing=field.name,
        **changed,
    )


def _is_one_card(do: str, setting: Setting) -> bool:
    """Whether a single card is asked for: the one that is turned up next."""
    state = setting.table.round
    row = state.at.reveal if state is not None else None
    return do == "reveal" and row is not None and row.number == 1 and setting.view.awaiting.kind == "reveal"


def _pad(seen: TableView) -> tuple[tuple[FormChoice, ...], ...]:
    """The 52 cards; those that lie face up cannot be chosen."""
    shown = {card for _, cards in seen.cards for card in cards} | {card for box in seen.seats for card in box.cards}
    shown.discard(CARD_BACK)
    rows = ([f"{rank}{suit}" for rank in reversed(RANKS)] for suit in reversed(SUITS))
    return tuple(tuple(FormChoice(card, card, card in shown, card[1]) for card in row) for row in rows)
