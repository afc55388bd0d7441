"""What a form is: its inputs, the values to choose from, and whom it is made for."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from croupier.table import Table
from croupier.table.views import TableView
from croupier.web.words import Namer

__all__ = ["FormChoice", "FormField", "OfferForm", "Setting"]


class FormChoice(NamedTuple):
    """A value to choose, and what it is called."""

    value: str
    label: str
    disabled: bool = False
    code: str = ""
    """A card's suit."""


class FormField(Struct, frozen=True, kw_only=True):
    """An input."""

    name: str
    label: str
    kind: str
    """`hidden`, `select`, `number`, `money`, `text`, `date` or `cards`."""
    value: str = ""
    choices: tuple[FormChoice, ...] = ()
    least: str = ""
    most: str = ""
    step: str = ""
    pattern: str = ""
    hint: str = ""
    names: str = ""
    """Which list of people is suggested."""
    required: bool = True


class OfferForm(Struct, frozen=True, kw_only=True):
    """Something that may be done now."""

    do: str
    id: str
    """The same whenever the form is made again, so that what somebody has typed into it stays."""
    title: str
    about: str
    key: str
    fields: tuple[FormField, ...]
    more: tuple[FormField, ...] = ()
    """What may be left as it is."""
    button: str
    choosing: str = ""
    """The argument that the buttons give."""
    buttons: tuple[FormChoice, ...] = ()
    pad: tuple[tuple[FormChoice, ...], ...] = ()
    """The 52 cards as buttons, a row for each suit."""

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing to fill in: a button says it all."""
        return not self.more and not self.pad and all(field.kind == "hidden" for field in self.fields)


class Setting(NamedTuple):
    """What forms are made for: the table as somebody sees it."""

    table: Table
    view: TableView
    name: Namer
    today: str
    staff: tuple[FormChoice, ...] = ()
    """Who can be put on duty."""
