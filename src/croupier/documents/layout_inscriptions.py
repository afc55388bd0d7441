"""What is inscribed in the middle of the cloth: what the document wants there, the limit, where payouts are posted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.documents.geometry import PlacedShape
from croupier.documents.geometry_data import geometry
from croupier.documents.layout_needs import attested
from croupier.documents.lettering import fit_block, text_width
from croupier.present import any_of, dollars, listed
from croupier.rulebook import HouseRules
from croupier.rulebook.schema import Cited

__all__ = ["Inscription", "inscriptions"]

Purpose: TypeAlias = Literal["notice", "street", "limit", "sign"]


class Inscription(Struct, frozen=True, kw_only=True):
    """Words printed on the cloth, and what they are for."""

    text: str
    purpose: Purpose
    clause: str
    reading: int | None = None
    size: float = 0.0
    """Of its type, in inches."""
    lines: tuple[tuple[str, PlacedShape], ...] = ()
    """Its lines, each with the room that it takes."""


def inscriptions(house: HouseRules) -> tuple[Inscription, ...]:
    """Everything that is inscribed, in type as large as the room allows."""
    box, texts = geometry().inscriptions, list(_texts(house))
    block = fit_block([text.text for text in texts], box.width, box.height, largest=box.largest, line=box.line)
    y, placed = box.y, []
    for text, lines in zip(texts, block, strict=True):
        rows = []
        for line in lines.lines:
            width = round(text_width(line, lines.size), 4)
            tall = lines.size * box.line
            rows.append((line, PlacedShape(x=box.x, y=round(y + tall / 2, 4), width=width, height=round(tall, 4))))
            y += tall
        placed.append(replace(text, size=lines.size, lines=tuple(rows)))
    return tuple(placed)


def _texts(house: HouseRules) -> Iterator[Inscription]:
    book = house.rulebook
    for notice in book.table.notice:
        if not notice.sign_instead and (notice.offered is None or house.wager(notice.offered)):
            says = notice.says.rstrip(".")
            yield Inscription(text=says, purpose="notice", clause=notice.clause, reading=notice.reading)
    multiples = [wager for wager in book.wagers.wager if wager.multiples and house.wager(wager.name)]
    if multiples:
        text = f"{listed(map(_printed, multiples))}: {any_of(multiples[0].multiples)} times the ante"
        yield Inscription(text=text, purpose="street", clause=multiples[0].clause, reading=multiples[0].reading)
    if house.payout_limit is not None:
        limit = book.play.payout_limit
        text = f"Payout limit {dollars(house.payout_limit)} per hand"
        yield Inscription(text=text, purpose="limit", clause=limit.clause, reading=limit.reading)
    sign = attested(house, "sign")
    if sign is not None:
        text = "Payouts are posted on the sign at this table"
        yield Inscription(text=text, purpose="sign", clause=sign.clause, reading=sign.reading)


def _printed(wager: Cited) -> str:
    """What is printed in a wager's area."""
    name = getattr(wager, "name", "")
    return next(row.label(row.wagers.index(name) + 1) for row in geometry().area if name in row.wagers)
