"""The operator's logo: a drawing from outside, which must come out in print as it looks on a screen."""

from __future__ import annotations

from typing import Final
from xml.parsers import expat

from croupier.documents.typst_writer import compile_svg, source_with
from croupier.errors import Malformed

__all__ = ["check_logo"]

LARGEST: Final = 2_000_000
SVG: Final = "http://www.w3.org/2000/svg"
INK: Final = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image", "use"}
"""What draws something; letters do too, but not everywhere that a logo is printed."""


class LogoReader:
    """Looks at every element of a logo while expat reads it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.begun = self.inked = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        plain = tag.rpartition(":")[2]
        if not self.begun and plain != "svg":
            raise Malformed(f"{self.name}: its first element is {plain!r}; a logo is an svg element")
        if not self.begun and SVG not in attributes.values():
            raise Malformed(f'{self.name}: its svg element lacks xmlns="{SVG}"')
        if not self.begun and "viewBox" not in attributes and not {"width", "height"} <= set(attributes):
            raise Malformed(f"{self.name}: it has no size: give its svg element a viewBox")
        self.begun, self.inked = True, self.inked or plain in INK
        if plain == "text":
            raise Malformed(f"{self.name}: it has text, which is lost in print: turn its letters into outlines")
        for key, value in attributes.items():
            if key.rpartition(":")[2] == "href" and not value.strip().startswith(("#", "data:")):
                raise Malformed(f"{self.name}: it refers to another file; a logo holds everything that it shows")

    def refuse_entity(self, *_: object) -> None:
        raise Malformed(f"{self.name}: it declares an entity; a logo has none")


def check_logo(text: str, *, name: str) -> None:
    """Refuse a logo that would be missing from a paper, or come out otherwise than it looks.

    >>> check_logo('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>', name="logo.svg")
    >>> check_logo('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>A</text></svg>', name="a.svg")
    Traceback (most recent call last):
    croupier.errors.Malformed: a.svg: it has text, which is lost in print: turn its letters into outlines
    """
    if len(text) > LARGEST:
        raise Malformed(f"{name}: a logo has at most {LARGEST:,} characters")
    reader, parser = LogoReader(name), expat.ParserCreate()
    parser.StartElementHandler, parser.EntityDeclHandler = reader.start, reader.refuse_entity
    try:
        parser.Parse(text.encode(), True)  # noqa: FBT003 - expat's own
    except expat.ExpatError as error:
        raise Malformed(f"{name}: not an SVG drawing: {error}") from None
    if not reader.inked:
        raise Malformed(f"{name}: it draws nothing")
    try:
        compile_svg(source_with("drawing.typ", {"svg": text, "alt": "", "wide": 1, "scale": ""}))
    except Malformed:
        raise Malformed(f"{name}: not an SVG drawing that can be printed") from None
