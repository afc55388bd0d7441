"""How much room printed words take, and how large they may be within an area.

Widths are those of a serif face of ordinary width, in shares of its size, rounded up: a drawing is opened with whatever
faces a computer has, so words are fitted with something to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from croupier.documents.geometry import PlacedShape

__all__ = ["Fitted", "fit", "fit_block", "room", "text_width", "wrapped"]

_WIDE: Final = {
    **dict.fromkeys("iljt.,:;'’|!()[] ", 0.33),
    **dict.fromkeys("frI-–·", 0.42),
    **dict.fromkeys("mwMW—%@", 0.95),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&", 0.71),
}
_OTHER: Final = 0.53
LINE: Final = 1.16
"""From line to line within an area, in sizes of type."""
CAP: Final = 0.68
"""The height of a capital, in sizes of type."""


class Fitted(Struct, frozen=True):
    """Lines of words and the size of their type."""

    lines: tuple[str, ...]
    size: float

    def baselines(self, line: float = LINE) -> tuple[float, ...]:
        """Where the lines stand, from the middle of the block."""
        top = -(len(self.lines) - 1) * self.size * line / 2 + self.size * CAP / 2
        return tuple(round(top + place * self.size * line, 4) for place in range(len(self.lines)))


def text_width(text: str, size: float, spacing: float = 0.0) -> float:
    """How wide words are at most, in the unit of the size; `spacing` is added after each letter.

    >>> text_width("Ante", 1.0) < text_width("5th Street", 1.0)
    True
    """
    return sum(_WIDE.get(letter, _OTHER) + spacing for letter in text) * size


def room(shape: PlacedShape, y: float) -> float:
    """Half the width for words at this height from a shape's middle, with a margin to its line."""
    share = {"ring": 0.84, "device": 0.74, "lamp": 0.74}.get(shape.shape, 0.9)
    w, h = shape.width / 2 * share, shape.height / 2 * share
    match shape.shape:
        case "ring" | "device" | "lamp":
            return float(w * max(1 - (y / h) ** 2, 0.0) ** 0.5)
        case "square":
            return w * max(1 - abs(y) / h, 0.0)
    return w if abs(y) <= h else 0.0


def fit(text: str, half_width: Callable[[float], float], *, largest: float, smallest: float = 0.08) -> Fitted:
    """The largest type, and the breaks between words, with which all lines stay within a shape."""
    words = text.split()
    best = Fitted((text,), smallest)
    for count in range(1, min(len(words), 4) + 1):
        for cuts in combinations(range(1, len(words)), count - 1):
            lines = tuple(" ".join(words[a:b]) for a, b in zip((0, *cuts), (*cuts, len(words)), strict=True))
            size = largest
            while size > best.size and not _within(Fitted(lines, size), half_width):
                size -= 0.01
            if size > best.size:
                best = Fitted(lines, round(size, 2))
    return best


def _within(fitted: Fitted, half_width: Callable[[float], float]) -> bool:
    return all(
        text_width(line, fitted.size) / 2 <= min(half_width(base), half_width(base - fitted.size * CAP))
        for line, base in zip(fitted.lines, fitted.baselines(), strict=True)
    )


def fit_block(texts: Sequence[str], width: float, height: float, *, largest: float, line: float) -> list[Fitted]:
    """The largest type with which sentences, each broken where it must be, fill a box and no more."""
    size = largest
    while True:
        lines = [wrapped(text, width / size) for text in texts]
        if sum(map(len, lines)) * size * line <= height or size <= 0.1:
            return [Fitted(parts, round(size, 2)) for parts in lines]
        size = round(size - 0.02, 2)


def wrapped(text: str, width: float, spacing: float = 0.0) -> tuple[str, ...]:
    """Break a sentence into as few lines as fit a width, in sizes of type, as even as they can be.

    >>> wrapped("A five-card flush may raise up to two antes", 14)
    ('A five-card flush may', 'raise up to two antes')
    """
    words = text.split()
    lines = _broken(words, width, spacing)
    if len(lines) > 1 and "; " in text:
        return tuple(line for part in _clauses(text) for line in wrapped(part, width, spacing))
    narrow = width
    while narrow > 1:  # as narrow as the same number of lines allows
        tighter = _broken(words, narrow * 0.97, spacing)
        if len(tighter) > len(lines) or max(text_width(part, 1, spacing) for part in tighter) > width:
            break
        lines, narrow = tighter, narrow * 0.97
    return tuple(lines)


def _clauses(text: str) -> list[str]:
    parts = text.split("; ")
    return [f"{part};" for part in parts[:-1]] + parts[-1:]


def _broken(words: Sequence[str], width: float, spacing: float) -> list[str]:
    lines = [words[0]] if words else [""]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if text_width(longer, 1, spacing) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
