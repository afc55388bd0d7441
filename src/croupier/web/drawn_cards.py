"""Playing cards and chips as SVG: drawn here, nothing borrowed. A card is 100 by 140 units, a chip has a radius of 50.

Pages name them (`<use href="…#Jh">`); the drawings themselves come once, in one file that a browser keeps. Colors are
custom properties of the page, so that one drawing serves light and dark, and decks of two colors and of four.
"""

from __future__ import annotations

from typing import Final

from croupier.cards import RANKS, SUITS

__all__ = ["CHIPS", "chips_for", "sprite"]

CHIPS: Final = (1000, 500, 100, 25, 5, 1)
"""The values of the chips that are drawn, in dollars."""
_MOST_SHOWN: Final = 6
_OUTLINES: Final = {
    "s": "M0-48C12-31 45-11 45 14 45 29 34 37 23 37 14 37 8 33 4 27 5 37 9 44 17 48H-17C-9 44-5 37-4 27-8 33-14 37"
    "-23 37-34 37-45 29-45 14-45-11-12-31 0-48Z",
    "h": "M0 46C-13 28-46 8-46-19-46-36-33-46-21-46-11-46-4-41 0-32 4-41 11-46 21-46 33-46 46-36 46-19 46 8 13 28"
    " 0 46Z",
    "d": "M0-49C9-31 22-14 37 0 22 14 9 31 0 49-9 31-22 14-37 0-22-14-9-31 0-49Z",
    "c": "M0-47A21 21 0 0 1 17.5-14.4 21.5 21.5 0 1 1 5.5 21.5C6 33 10 42 18 47H-18C-10 42-6 33-5.5 21.5"
    "A21.5 21.5 0 1 1-17.5-14.4 21 21 0 0 1 0-47Z",
}
_L, _M, _R = 33, 50, 67
_CORNERS: Final = ((_L, 34), (_R, 34), (_L, 106), (_R, 106))
_LOW: Final = ((_L, 32), (_R, 32), (_L, 57), (_R, 57), (_L, 83), (_R, 83), (_L, 108), (_R, 108))
_SIDES: Final = ((_L, 70), (_R, 70))
_PIPS: Final = {
    "2": ((_M, 34), (_M, 106)),
    "3": ((_M, 34), (_M, 70), (_M, 106)),
    "4": _CORNERS,
    "5": (*_CORNERS, (_M, 70)),
    "6": (*_CORNERS, *_SIDES),
    "7": (*_CORNERS, *_SIDES, (_M, 52)),
    "8": (*_CORNERS, *_SIDES, (_M, 52), (_M, 88)),
    "9": (*_LOW, (_M, 70)),
    "T": (*_LOW, (_M, 45), (_M, 95)),
}
"""Where pips lie; those below the middle are turned."""
_HEADS: Final = {
    "K": '<path d="M-15 8-18-9-8-1 0-15 8-1 18-9 15 8Z"/><path d="M-15 12H15"/><circle cy="-18" r="2.2"/>'
    '<circle cx="-19.5" cy="-12" r="2"/><circle cx="19.5" cy="-12" r="2"/>',
    "Q": '<path d="M-15 8C-18 0-17-6-13-10-9-5-6-4-4-12-2-15 2-15 4-12 6-4 9-5 13-10 17-6 18 0 15 8Z"/>'
    '<path d="M-15 12H15"/><circle cx="-13" cy="-13.5" r="2"/><circle cy="-18" r="2.4"/>'
    '<circle cx="13" cy="-13.5" r="2"/>',
    "J": '<path d="M4-5C3-15 9-22 18-23 19-14 13-7 4-5Z"/><path d="M5-7C9-11 12-15 15-19" fill="none"/>'
    '<path d="M-13 7C-13-3-8-8 0-8 8-8 13-3 13 7Z"/><path d="M-19 7C-10 12 10 12 19 7 12 5-12 5-19 7Z"/>',
}
"""What a court wears says who it is."""
_SANS: Final = "ui-sans-serif,system-ui,sans-serif"
_STOCK: Final = '<rect x=".5" y=".5" width="99" height="139" rx="7.5" fill="var(--card)" stroke="var(--card-edge)"/>'
_INK: Final = "#f3e6c8"


def sprite() -> str:
    """Every drawing by its name: `Jh` is a card, `Jh.index` the same for small sizes, `back`, and `chip25` a chip."""
    cards = [_card(rank, suit) + _index(rank, suit) for suit in SUITS for rank in RANKS]
    drawn = "".join([*cards, _back(), *(_chip(value) for value in CHIPS)])
    return f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'


def chips_for(cents: int) -> tuple[int, ...]:
    """The chips that are drawn for an amount, highest first; the amount is always written beside them.

    >>> chips_for(13_650)
    (100, 25, 5, 5, 1)
    """
    rest, chips = cents // 100, list[int]()
    for value in CHIPS:
        while rest >= value and len(chips) < _MOST_SHOWN:
            chips.append(value)
            rest -= value
    return tuple(chips)


def _symbol(name: str, box: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="{box}">{inside}</symbol>'


def _pip(suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    scale = (-size if turned else size) / 100
    return f'<path d="{_OUTLINES[suit]}" transform="translate({x} {y}) scale({scale:g})"/>'


def _rank(rank: str, x: float, y: float, size: float, *, ten: float) -> str:
    """A rank; a ten is this wide in every font, so that its two figures stay within the card."""
    words = "10" if rank == "T" else rank
    close = f' textLength="{ten}" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="middle" font-family="{_SANS}" font-weight="600" font-size="{size}"{close}>'
        f"{words}</text>"
    )


def _card(rank: str, suit: str) -> str:
    corner = _rank(rank, 12.5, 21, 21 if rank == "T" else 22, ten=22) + _pip(suit, 12.5, 31, 11.5)
    body = _body(rank, suit)
    turned = f'<g transform="rotate(180 50 70)">{corner}</g>'
    inside = f'<g fill="var(--suit-{suit})" color="var(--suit-{suit})">{corner}{turned}{body}</g>'
    return _symbol(f"{rank}{suit}", "0 0 100 140", _STOCK + inside)


def _index(rank: str, suit: str) -> str:
    inside = _rank(rank, 50, 66, 58 if rank == "T" else 64, ten=72) + _pip(suit, 50, 101, 46)
    return _symbol(f"{rank}{suit}.index", "0 0 100 140", f'{_STOCK}<g fill="var(--suit-{suit})">{inside}</g>')


def _body(rank: str, suit: str) -> str:
    if rank == "A":
        return _pip(suit, 50, 70, 54 if suit == "s" else 46)
    if rank in _PIPS:
        return "".join(_pip(suit, x, y, 18.5, turned=y > 70) for x, y in _PIPS[rank])
    head = (
        '<g transform="translate(50 45)" fill="#e4c987" stroke="currentColor" stroke-width="1.6"'
        f' stroke-linejoin="round" stroke-linecap="round">{_HEADS[rank]}</g>'
    )
    return (
        '<rect x="25" y="21" width="50" height="98" rx="3" fill="var(--card-2)" stroke="currentColor"'
        ' stroke-opacity=".55" stroke-width=".9"/><rect x="27.5" y="23.5" width="45" height="93" rx="1.8" fill="none"'
        f' stroke="currentColor" stroke-opacity=".22" stroke-width=".7"/>{head}'
        f'<g transform="rotate(180 50 70)">{head}</g>'
        '<path d="M27.5 70H37M63 70H72.5" stroke="currentColor" stroke-opacity=".5" stroke-width=".8"/>'
        f"{_pip(suit, 50, 70, 19)}"
    )


def _back() -> str:
    lines = "".join(f"M{9 * step} 6l128 128M{9 * step} 134l128-128" for step in range(-14, 12))
    frame = f'fill="none" stroke="{_INK}" stroke-opacity=".75" stroke-width="1.1"'
    inside = (
        f'{_STOCK}<svg x="6" y="6" width="88" height="128" viewBox="6 6 88 128"><rect x="6" y="6" width="88"'
        f' height="128" rx="4" fill="var(--back)"/><path d="{lines}" fill="none" stroke="{_INK}"'
        ' stroke-opacity=".3"/></svg>'
        f'<rect x="9.5" y="9.5" width="81" height="121" rx="2.5" {frame}/><circle cx="50" cy="70" r="19"'
        f' fill="var(--back)"/><circle cx="50" cy="70" r="19" {frame}/>'
        f'<path d="M-24-14H24A24 24 0 0 1-24-14Z" transform="translate(50 70) scale(.42)" fill="{_INK}"/>'
    )
    return _symbol("back", "0 0 100 140", inside)


def _chip(value: int) -> str:
    body, spot = f"var(--c{value})", f"var(--c{value}s)"
    wedge = '<path d="M-7.5-49.3A50 50 0 0 1 7.5-49.3L5.6-37.4A38 38 0 0 0-5.6-37.4Z" transform="rotate({})"/>'
    spots = "".join(wedge.format(45 * step) for step in range(8))
    words, size = ("1K", 21) if value >= 1000 else (str(value), 21 if value >= 100 else 26)
    inside = (
        f'<circle r="50" fill="{body}" stroke="#000" stroke-opacity=".35" stroke-width="1.5"/>'
        f'<g fill="{spot}">{spots}</g><circle r="37.5" fill="none" stroke="{spot}" stroke-opacity=".55"'
        ' stroke-width="1.6" stroke-dasharray="4 3.85"/>'
        f'<circle r="30" fill="{body}"/><circle r="30" fill="#fff" fill-opacity=".12"/><text y="{size * 0.35:g}"'
        f' text-anchor="middle" font-family="{_SANS}" font-weight="700" font-size="{size}" fill="{spot}">{words}</text>'
    )
    return _symbol(f"chip{value}", "-54 -54 108 108", inside)
