"""What pictures of prices share: the words for a record, and labeled bars."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from croupier.analysis import Price, PricedLine
from croupier.documents.pictures import EVEN, GAIN, LOSS, Panel, data_of, from_rows
from croupier.money import print_dollars
from croupier.rulebook import load_rulebook

if TYPE_CHECKING:
    import altair as alt

__all__ = [
    "ROW",
    "WIDTH",
    "asked_words",
    "bars_of",
    "book_words",
    "line_label",
    "meters_words",
    "name_words",
    "percent_words",
    "sign_color",
    "true_minus",
]

WIDTH, ROW = 340, 25
"""Sizes in points: a panel, and a bar with the space around it."""

WORDS: Final = {
    "ace_king_queen_spades": "Ace, king, queen of spades",
    "ace_king_queen_other": "Ace, king, queen of another suit",
    "super_royal_diamonds": "Super royal in diamonds",
    "super_royal_other": "Super royal in another suit",
    "nothing": "Any other hand",
    "base": "Main game",
    "more": "where two plays are equally good, the larger bet",
    "less": "where two plays are equally good, the smaller bet",
    "all_hands": "all hands",
    "forfeit_on_fold": "folded hands forfeit",
}


def bars_of(
    rows: Sequence[tuple[str, Fraction]],
    title: alt.TitleParams,
    *,
    height: int,
    reach: Sequence[Fraction],
    names: int = 0,
) -> Panel:
    """Labeled bars from top to bottom; `reach` are the values that the scale must hold, `names` the room for labels."""
    import altair as alt

    ends = [0.0, *map(float, reach)]
    low, high = min(ends), max(ends)
    # The figures at the ends of the bars have their room within the panel.
    scale = alt.Scale(domain=[low, high if high > low else 1], nice=False, range=[60 if low < 0 else 0, WIDTH - 60])
    x = alt.X("value", type="quantitative", axis=None, scale=scale)
    axis = alt.Axis(domain=False, ticks=False, labelPadding=8, minExtent=names)
    y = alt.Y("row", type="nominal", sort=None, title=None, axis=axis)
    base = data_of(
        [
            {"row": row, "value": float(value), "shown": percent_words(value), "color": sign_color(value)}
            for row, value in rows
        ]
    ).encode(x=x, y=y)
    bars = base.mark_bar(height=15).encode(color=from_rows())
    align, away = alt.ExprRef("datum.value < 0 ? 'right' : 'left'"), alt.ExprRef("datum.value < 0 ? -5 : 5")
    text = base.mark_text(align=align, dx=away, baseline="middle").encode(text=alt.Text("shown", type="nominal"))
    zero = data_of([{"value": 0}]).mark_rule(color=EVEN).encode(x=x)
    return alt.layer(bars, zero, text, title=title).properties(width=WIDTH, height=height)


def asked_words(record: Price, *, ties: bool = True) -> list[str]:
    """What distinguishes records of one paytable."""
    asked = [WORDS[name] for name in (record.tie_rule if ties else None, record.variant) if name]
    if record.stake:
        asked.insert(0, f"{print_dollars(record.stake)} stake")
    if record.players:
        asked.insert(0, "1 player" if record.players == 1 else f"{record.players} players")
    return asked


def meters_words(record: Price) -> list[str]:
    """What each meter shows."""
    return [f"{meter.name} meter at {print_dollars(meter.value)}" for meter in record.meters]


def book_words(rulebook: str) -> str:
    """The game and the state."""
    source = load_rulebook(rulebook).source
    return f"{source.title}, {source.jurisdiction}"


def name_words(name: str) -> str:
    """A wager or a hand."""
    return WORDS.get(name) or name.replace("pair_", "pair of ").replace("_", " ").capitalize()


def line_label(line: PricedLine, *, folds: bool) -> str:
    """A hand and what it pays."""
    hand = name_words(line.hand) + ", or folded" * (folds and line.hand == "nothing")  # folds are lost on the last line
    return hand if line.pays == "loses" else f"{hand}, {line.pays.replace('Push', 'push')}"


def percent_words(share: Fraction | float) -> str:
    """Two decimals, or two digits where those would be zeros."""
    shown = f"{100 * float(share):.2f}"
    return true_minus(shown if float(shown) else f"{100 * float(share):.2g}") + "%"


def true_minus(number: str) -> str:
    """A number with a minus sign instead of a hyphen."""
    return number.replace("-", "−")


def sign_color(value: Fraction | float) -> str:
    """The color of a gain, a loss, or neither."""
    return GAIN if value > 0 else LOSS if value < 0 else EVEN
