"""Pieces of SVG that drawings share: numbers, places, lines of words. A unit is a hundredth of an inch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from croupier.documents.geometry import PlacedShape, Point

__all__ = ["at", "box", "centered_lines", "closed_path", "moved", "rectangle_start", "short", "units"]

PER_INCH: Final = 100


def closed_path(points: Sequence[Point]) -> str:
    """A path around these points."""
    (x, y), *others = points
    return f"M{units(x)} {units(y)}" + "".join(f"L{units(x)} {units(y)}" for x, y in others) + "Z"


def centered_lines(lines: Sequence[str], size: float, bases: Sequence[float], color: str) -> str:
    """Lines of words, centered below each other."""
    texts = (
        f'<text y="{units(base)}" text-anchor="middle" font-size="{units(size)}" fill="{color}">{escape(line)}</text>'
        for line, base in zip(lines, bases, strict=True)
    )
    return "".join(texts)


def moved(shape: PlacedShape) -> str:
    """Where a shape is, as the transform of a group."""
    turn = f" rotate({short(shape.turn)})" if shape.turn else ""
    return f'transform="translate({units(shape.x)} {units(shape.y)}){turn}"'


def rectangle_start(shape: PlacedShape, corner: float) -> str:
    """The beginning of a rectangle around the origin, to which fill and stroke are added."""
    w, h = shape.width, shape.height
    return f'<rect x="{units(-w / 2)}" y="{units(-h / 2)}" width="{units(w)}" height="{units(h)}" rx="{units(corner)}"'


def units(inches: float) -> str:
    """Inches in the units of the drawing."""
    return short(inches * PER_INCH)


def short(number: float) -> str:
    """A number with at most two decimals."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def at(x: float, y: float) -> str:
    """A point of a path."""
    return f"{units(x)} {units(y)}"


def box(x: float, y: float, width: float, height: float) -> str:
    """The attributes of a rectangle."""
    return f'x="{units(x)}" y="{units(y)}" width="{units(width)}" height="{units(height)}"'
