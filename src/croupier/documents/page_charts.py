"""Charts of priced wagers for a page: small SVG whose colors are the page's own, so that they follow light and dark.

They are drawn without a chart library: a page that changes with every choice has no time to load one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from croupier.analysis import MeterPrice, Price, PricedLine
from croupier.documents.pictures import nice_step
from croupier.documents.svg_parts import short
from croupier.money import print_dollars
from croupier.present import capitalized, line_words, percent

__all__ = ["line_chart", "meter_chart"]

WIDTH: Final = 330
ROW, BAR = 22, 12
NAMES, FIGURES = 146, 58
"""The least room for the names of lines, and the room for the figure at the end of a bar."""
GAIN, LOSS, INK, FAINT, GRID = "var(--push)", "var(--warn)", "var(--ink-2)", "var(--ink-3)", "var(--line)"
ACCENT: Final = "var(--brass)"
HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 176, 48, 12, 19, 26
TITLE: Final = 44
"""The room for the title of an axis at its end."""
LOSES: Final = "loses"
OTHER: Final = "nothing"
"""The line of a hand that pays nothing; where folding is no line of its own it holds the folded hands too."""
LETTER: Final = 6.4
"""The room for a letter of a name."""
SIZE: Final = 12
"""The letters: on the narrowest phone a drawing is a tenth smaller, and they can still be read."""


def line_chart(record: Price) -> str:
    """What each line of a paytable adds to the player's result, as bars; of a bonus only the lines that pay."""
    lines = [line for line in record.lines if record.unit != "stake" or line.pays != LOSES]
    rows = [(_line(line, folds=bool(record.folded)), line.returned) for line in lines]
    low = min([Fraction(0), *(value for _, value in rows)])
    high = max([Fraction(0), *(value for _, value in rows)])
    names = max(NAMES, ceil(LETTER * max((len(name) for name, _ in rows), default=0)))
    room = WIDTH - names - FIGURES - (FIGURES if low < 0 else 0)
    scale = room / float(high - low) if high > low else 0.0
    zero = names + (FIGURES if low < 0 else 0) + float(-low) * scale
    parts = list(_bars(rows, zero=zero, scale=scale))
    height = ROW * len(rows) + 4
    parts.append(f'<path d="M{short(zero)} 0V{height}" stroke="{GRID}"/>')
    said = "; ".join(f"{name} {percent(value, 2)}" for name, value in rows)
    return _drawing(WIDTH, height, f"What each line returns, of one {record.unit}: {said}", parts)


def _bars(rows: Sequence[tuple[str, Fraction]], *, zero: float, scale: float) -> Iterator[str]:
    for place, (name, value) in enumerate(rows):
        middle = ROW * place + ROW / 2 + 2
        width = abs(float(value)) * scale
        start = zero - width if value < 0 else zero
        color, figure = (LOSS, start - 4) if value < 0 else (GAIN, zero + width + 4)
        side = "end" if value < 0 else "start"
        yield _text(0, middle + 4, name, INK)
        yield (
            f'<rect x="{short(start)}" y="{short(middle - BAR / 2)}" width="{short(max(width, 1))}" height="{BAR}"'
            f' rx="2" fill="{color}"/>'
        )
        yield _text(figure, middle + 4, percent(value, 2), INK, side=side)


def _line(line: PricedLine, *, folds: bool) -> str:
    """
    >>> _line(PricedLine("pair_jacks_or_better", "1 to 1", 1, Fraction(1)), folds=False)
    'Pair of jacks or better'
    >>> [_line(PricedLine(hand, "loses", 1, Fraction(-1)), folds=True) for hand in ("nothing", "lose", "fold")]
    ['Any other, or folded', 'Lose', 'Fold']
    """
    return "Any other, or folded" if folds and line.hand == OTHER else capitalized(line_words(line.hand))


def meter_chart(record: Price, meter: MeterPrice) -> str:
    """The return to the player against one meter, the others as they stand: opening, break-even, and all of a stake."""
    shown, even = Fraction(meter.value, 100), meter.break_even
    now = 1 - record.edge
    last = max(shown, even, Fraction(1)) * Fraction(6, 5)
    rise = meter.coefficient * 100 / (record.stake or 100)
    start, end = now - shown * rise, now + (last - shown) * rise
    top = max(Fraction(115, 100), end)
    across, up = (WIDTH - LEFT - RIGHT) / float(last), (HEIGHT - TOP - BOTTOM) / float(top)

    def at(x: Fraction, y: Fraction) -> str:
        return f"{short(LEFT + float(x) * across)} {short(HEIGHT - BOTTOM - float(y) * up)}"

    parts = list(_grid(float(last), float(top), across, up))
    even_at, now_at = LEFT + float(even) * across, HEIGHT - BOTTOM - float(now) * up
    parts += [
        f'<path d="M{at(Fraction(0), Fraction(1))}L{at(last, Fraction(1))}" stroke="{FAINT}" stroke-dasharray="2 3"/>',
        f'<path d="M{short(even_at)} {TOP}V{HEIGHT - BOTTOM}" stroke="{INK}" stroke-dasharray="5 3"/>',
        _text(even_at - 4, TOP - 5, f"break-even {print_dollars(ceil(even * 100))}", INK, side="end"),
        f'<path d="M{at(Fraction(0), start)}L{at(last, end)}" stroke="{ACCENT}" stroke-width="2.5" fill="none"/>',
        f'<circle cx="{short(LEFT + float(shown) * across)}" cy="{short(now_at)}" r="4" fill="{ACCENT}"/>',
    ]
    opening = f"{percent(now, 2)} at {print_dollars(meter.value)}"
    parts.append(_text(LEFT + float(shown) * across + 8, now_at + 14, opening, INK))
    said = f"Return to the player against the {meter.name} meter: {opening}, all of the stake from "
    return _drawing(WIDTH, HEIGHT, said + print_dollars(ceil(even * 100)), parts)


def _grid(last: float, top: float, across: float, up: float) -> Iterator[str]:
    floor_at = HEIGHT - BOTTOM
    for share in range(0, floor(top * 100) + 1, 50):
        y = short(floor_at - share / 100 * up)
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
        yield _text(LEFT - 6, floor_at - share / 100 * up + 4, f"{share}%", FAINT, side="end")
    step = nice_step(last / 4)
    for place in range(1, floor(last / step) + 1):
        x = LEFT + place * step * across
        if x < WIDTH - RIGHT - TITLE - 16:
            yield _text(x, HEIGHT - 8, _dollars(place * step), FAINT, side="middle")
    yield _text(0, HEIGHT - 8, "return", FAINT)
    yield _text(WIDTH - RIGHT, HEIGHT - 8, "meter", FAINT, side="end")


def _dollars(amount: float) -> str:
    """
    >>> _dollars(5000), _dollars(120_000), _dollars(2_500_000)
    ('$5,000', '$120k', '$2.5m')
    """
    if amount >= 1_000_000:
        return f"${amount / 1_000_000:g}m"
    return f"${amount / 1000:g}k" if amount >= 10_000 else f"${amount:,.0f}"


def _text(x: float, y: float, words: str, color: str, *, side: str = "start") -> str:
    place = f'x="{short(x)}" y="{short(y)}" text-anchor="{side}"'
    return f'<text {place} fill="{color}" font-size="{SIZE}">{escape(words)}</text>'


def _drawing(width: int, height: float, said: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {short(height)}" role="img"'
        f" aria-label={quoteattr(said)}>{''.join(parts)}</svg>"
    )
