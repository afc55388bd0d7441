"""A form of choices: fields with what was found and what was approved before, in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.money import typed_dollars
from croupier.present import capitalized, dollars
from croupier.rulebook import Finding
from croupier.rulebook.schema import Cited
from croupier.web.bench_fields import SHOWN, YES
from croupier.web.bench_paytables import PaytableBench
from croupier.web.posting import Fields

__all__ = ["DEFAULT_MARK", "BenchField", "BenchPart", "FieldChoice", "said_by", "shown_value", "value_in"]

DEFAULT_MARK: Final = " (default)"
"""After the label of a choice that holds if nothing is said."""
_FILED: Final = re.compile(r"\d+\.\d\d")
"""An amount as a file has it."""


class FieldChoice(Struct, frozen=True):
    """A value that may be chosen, and whether it is."""

    value: str
    label: str
    on: bool = False


class BenchField(Struct, frozen=True, kw_only=True):
    """One choice of a submission."""

    key: str
    label: str
    kind: str = "text"
    """text, count, money, rate, day, choice, ticks or hidden."""
    value: str = ""
    usual: str = ""
    """What holds if nothing is said."""
    unsaid: str = "not set"
    """What is meant if nothing is said, in words."""
    hint: str = ""
    choices: tuple[FieldChoice, ...] = ()
    clause: str = ""
    reading: int | None = None
    findings: tuple[Finding, ...] = ()
    was: str | None = None
    """What the approved version says; None without one."""
    changed: bool = False

    @property
    def typed(self) -> str:
        """What its input holds: an amount of the file as people write it, and what was typed as it was typed."""
        return _amount(self.value) if self.kind == "money" and _FILED.fullmatch(self.value) else self.value

    @property
    def bad(self) -> bool:
        """Whether it keeps the submission from being sent."""
        return any(finding.severity == "error" for finding in self.findings)

    @property
    def now(self) -> str:
        """What is said now, in words."""
        return shown_value(self, value_in(self, said_by(self)))


class BenchPart(Struct, frozen=True, kw_only=True):
    """A part of the form."""

    id: str
    title: str
    cited: tuple[Cited, ...] = ()
    fields: tuple[BenchField, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What concerns no field of its own."""
    offered: bool | None = None
    """Whether an optional wager is offered; None where that is no question."""
    was_offered: bool | None = None
    switch: str = ""
    """The field that offers it."""
    tables: PaytableBench | None = None
    folded: bool = False

    @property
    def errors(self) -> int:
        """How many errors it has."""
        return sum(finding.severity == "error" for finding in self.every())

    @property
    def warnings(self) -> int:
        """How many warnings it has."""
        return sum(finding.severity == "warning" for finding in self.every())

    @property
    def changed(self) -> bool:
        """Whether it differs from the approved version."""
        return (
            any(field.changed for field in self.fields)
            or (self.tables is not None and self.tables.changed)
            or (self.was_offered is not None and self.was_offered != self.offered)
        )

    def every(self) -> Iterator[Finding]:
        """Everything that was found in it."""
        yield from self.findings
        for field in self.fields:
            yield from field.findings
        if self.tables is not None:
            yield from self.tables.findings


def said_by(field: BenchField) -> Fields:
    """What a field says, as a form sends it."""
    if field.kind == "ticks":
        return {f"{field.key}.{SHOWN}": YES} | {f"{field.key}.{tick.value}": YES for tick in field.choices if tick.on}
    return {field.key: field.value}


def value_in(field: BenchField, fields: Fields) -> str:
    """What a form says about a field; a default that is not said is the same as one that is."""
    if field.kind != "ticks":
        text = fields.get(field.key) or field.usual
        return _amount(text) if field.kind == "money" else text
    if f"{field.key}.{SHOWN}" not in fields:
        return "default"
    ticks = [tick for tick in field.choices if fields.get(f"{field.key}.{tick.value}") == YES]
    if [tick.value for tick in ticks] == [tick.value for tick in field.choices if tick.label.endswith(DEFAULT_MARK)]:
        return "default"
    return ", ".join(tick.value for tick in ticks) or "none"


def _amount(text: str) -> str:
    """An amount as the form shows it, however it was written; anything else stays as it is.

    >>> _amount("10000.00"), _amount("$10,000"), _amount("12.5"), _amount("ten")
    ('10,000', '10,000', '12.50', 'ten')
    """
    try:
        return dollars(typed_dollars(text)).removeprefix("$")
    except CroupierError:
        return text


def shown_value(field: BenchField, text: str) -> str:
    """A field's text as people say it."""
    if field.kind == "ticks":
        if text == "default":
            ticks = [tick.label for tick in field.choices if tick.label.endswith(DEFAULT_MARK)]
            return ", ".join(tick.removesuffix(DEFAULT_MARK) for tick in ticks) or "None"
        labels = {tick.value: tick.label.removesuffix(DEFAULT_MARK) for tick in field.choices}
        return capitalized(", ".join(labels.get(part, part) for part in text.split(", ")))
    if not text:
        return capitalized(field.unsaid)
    if field.choices:
        label = next((choice.label for choice in field.choices if choice.value == text), text)
        return capitalized(label.removesuffix(DEFAULT_MARK))
    if field.kind == "money":
        try:
            return dollars(typed_dollars(text))
        except CroupierError:
            return text
    if field.kind == "rate" and not text.endswith("%"):
        try:
            return f"{(Decimal(text) * 100).normalize():f}%"
        except InvalidOperation:
            return text
    return text
