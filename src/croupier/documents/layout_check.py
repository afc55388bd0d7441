"""Whether a drawing of a layout has what its submission needs: every area, none too many, and what is inscribed.

A drawing says what it shows by attributes: `data-area` with the name of the area, `data-seat` at a seat, and
`data-notice` with the clause of an inscription. Anybody's drawing can be checked that has them.

A drawing comes from outside: it is read as a stream, without entities, and within bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from msgspec import Struct

from croupier.documents.layout import Layout, layout
from croupier.documents.layout_needs import AreaNeed
from croupier.documents.particulars import Particulars
from croupier.errors import Malformed
from croupier.present import any_of, counted
from croupier.rulebook import HouseRules

__all__ = ["DrawnArea", "LayoutFinding", "check_drawing", "check_layout", "read_drawing"]

LARGEST: Final = 20_000_000
DEEPEST: Final = 256
MOST: Final = 200_000
HIDDEN: Final = {"defs", "symbol", "clipPath", "mask", "pattern", "metadata", "script", "style"}
"""What is inside these is not seen."""


class DrawnArea(Struct, frozen=True, kw_only=True):
    """An area or inscription as a drawing has it."""

    area: str
    seat: int | None
    notice: str
    text: str
    picture: bool


class LayoutFinding(Struct, frozen=True, kw_only=True):
    """What is wrong with a drawing: the area, its seat, and the clause that wants it otherwise."""

    area: str
    seat: int | None
    clause: str
    reading: int | None
    message: str


# --- reading


class DrawingReader:
    """Collects what a drawing shows while expat reads it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[DrawnArea] = []
        self.depth = self.elements = self.hidden = 0
        self.open: list[tuple[int, dict[str, str], list[str], list[bool]]] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth, self.elements, plain = self.depth + 1, self.elements + 1, tag.rpartition(":")[2]
        if self.depth == 1 and plain != "svg":
            raise Malformed(f"{self.name}: its first element is {plain!r}; a drawing is an svg element")
        if self.depth > DEEPEST or self.elements > MOST:
            raise Malformed(
                f"{self.name}: too much in it; a drawing has at most {MOST:,} elements, {DEEPEST} inside each other"
            )
        if self.hidden or plain in HIDDEN:
            self.hidden += 1
            return
        for _, _, _, picture in self.open:
            picture[0] = picture[0] or plain in {"image", "svg", "use"}
        if "data-area" in attributes or "data-notice" in attributes:
            self.open.append((self.depth, attributes, [], [plain in {"image", "svg", "use"}]))

    def text(self, words: str) -> None:
        if not self.hidden:
            for _, _, parts, _ in self.open:
                parts.append(words)

    def end(self, _tag: str) -> None:
        for _, _, parts, _ in self.open:
            parts.append(" ")
        if self.hidden:
            self.hidden -= 1
        elif self.open and self.open[-1][0] == self.depth:
            _, attributes, parts, picture = self.open.pop()
            self.found.append(self.read(attributes, _plain("".join(parts)), picture=picture[0]))
        self.depth -= 1

    def read(self, attributes: dict[str, str], text: str, *, picture: bool) -> DrawnArea:
        seat = attributes.get("data-seat", "")
        if seat and not (seat.isascii() and seat.isdigit() and len(seat) < 4):
            raise Malformed(f"{self.name}: data-seat={seat[:20]!r}: a seat is a number, such as 1")
        return DrawnArea(
            area=_plain(attributes.get("data-area", "")),
            seat=int(seat) if seat else None,
            notice=attributes.get("data-notice", "").strip(),
            text=text,
            picture=picture,
        )

    def refuse_entity(self, *_: object) -> None:
        raise Malformed(f"{self.name}: it declares an entity; a drawing that is checked has none")


def read_drawing(data: bytes, *, name: str = "drawing") -> list[DrawnArea]:
    """Everything that a drawing says it shows.

    >>> svg = b'<svg xmlns="http://www.w3.org/2000/svg"><g data-area="ante" data-seat="2"><text>Ante</text></g></svg>'
    >>> [(drawn.area, drawn.seat, drawn.text) for drawn in read_drawing(svg)]
    [('ante', 2, 'Ante')]
    """
    if len(data) > LARGEST:
        raise Malformed(f"{name}: {len(data):,} bytes; a drawing has at most {LARGEST:,}")
    reader, parser = DrawingReader(name), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler, parser.EntityDeclHandler = reader.text, reader.refuse_entity
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat's own
    except expat.ExpatError as error:
        raise Malformed(f"{name}: not an SVG drawing: {error}") from None
    except (LookupError, ValueError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(f"{name}: not an SVG drawing: its encoding cannot be read") from None
    return reader.found


def _plain(text: str) -> str:
    return " ".join(text.split())


# --- checking


def check_layout(data: bytes, house: HouseRules, *, name: str = "drawing") -> list[LayoutFinding]:
    """Check the drawing in a file against what a house's table needs; `name` is its file's, for messages."""
    return check_drawing(read_drawing(data, name=name), layout(house, Particulars()))


def check_drawing(drawn: list[DrawnArea], needed: Layout) -> list[LayoutFinding]:
    """Compare a drawing with the layout that its submission needs: nothing is wrong where nothing is returned."""
    return [*_missing(drawn, needed), *_too_many(drawn, needed), *_not_inscribed(drawn, needed)]


def _places(need: AreaNeed, needed: Layout) -> list[int | None]:
    return list(range(1, needed.house.seats + 1)) if need.place == "seat" else [None]


def _missing(drawn: list[DrawnArea], needed: Layout) -> Iterator[LayoutFinding]:
    have = Counter((area.area, area.seat) for area in drawn if area.area)
    for need in needed.needs:
        for seat in _places(need, needed):
            number = have[need.name, seat]
            if number < need.count:
                yield _finding(need, seat, f"{need.count - number} of {need.count} missing" if number else "missing")


def _too_many(drawn: list[DrawnArea], needed: Layout) -> Iterator[LayoutFinding]:
    needs = {need.name: need for need in needed.needs}
    offered = {area.name: area for area in needed.house.rulebook.table.area}
    for (name, seat), number in Counter((area.area, area.seat) for area in drawn if area.area).items():
        need = needs.get(name)
        if need is not None and seat in _places(need, needed):
            if number > need.count:
                yield _finding(need, seat, f"{counted(number, 'area')}; expected {need.count}")
        elif need is not None:
            if need.place == "seat":
                wanted = f"a seat from 1 to {needed.house.seats}"
                place = f"at seat {seat}" if seat else "without data-seat"
            else:
                wanted, place = "no seat", f"at seat {seat}"
            yield _finding(need, seat, f"drawn {place}; it belongs to {wanted}")
        elif name in offered:
            row = offered[name]
            message = f"{name}{_at(seat)}: too many; this submission does not offer it"
            yield LayoutFinding(area=name, seat=seat, clause=row.clause, reading=row.reading, message=message)
        else:
            clause = needed.house.rulebook.table.layout_approval
            message = f"{name}{_at(seat)}: too many; this submission has {any_of(sorted(needs))}"
            cited = clause.clause if clause else needed.needs[0].clause
            yield LayoutFinding(area=name, seat=seat, clause=cited, reading=None, message=message)


def _not_inscribed(drawn: list[DrawnArea], needed: Layout) -> Iterator[LayoutFinding]:
    for need in needed.needs:
        for area in (area for area in drawn if area.area == need.name):
            wanted = needed.house.operator if need.place == "table" else need.inscription
            if wanted and not (need.place == "table" and area.picture) and not _says(area.text, wanted):
                yield _finding(need, area.seat, f"inscribed {area.text!r}; expected {wanted!r}")
    for text in needed.inscriptions:
        said = any(area.text for area in drawn if area.notice == text.clause)
        if text.purpose == "notice" and not said:
            message = f"notice: missing; the cloth must say {text.text!r}"
            yield LayoutFinding(area="notice", seat=None, clause=text.clause, reading=text.reading, message=message)


def _says(text: str, wanted: str) -> bool:
    return _plain(wanted).casefold() in text.casefold()


def _at(seat: int | None) -> str:
    return f", seat {seat}" if seat else ""


def _finding(need: AreaNeed, seat: int | None, what: str) -> LayoutFinding:
    return LayoutFinding(
        area=need.name,
        seat=seat,
        clause=need.clause,
        reading=need.reading,
        message=f"{need.name}{_at(seat)}: {what}",
    )
