"""Drawings in a page: cards, stacks of chips, and what is written beside them, by name from one file."""

from __future__ import annotations

from markupsafe import Markup, escape

from croupier.money import Cents
from croupier.web.assets import asset
from croupier.web.drawn_cards import chips_for

__all__ = ["Drawings", "drawn"]


class Drawings:
    """What templates draw. Everything here is a picture: the words beside it are for everybody."""

    def card(self, name: str, words: str, *, size: str = "full", id: str = "", mark: str = "") -> Markup:  # noqa: A002
        """One card with its name in words. Sizes: `full`, `index` for small ones; marks: `up`, `dim`, `fresh`."""
        known = name if name != "??" else "back"
        shown = known if known == "back" or size == "full" else f"{known}.index"
        classes = " ".join(part for part in ("card", size, mark) if part)
        named = Markup(' id="{}"').format(id) if id else Markup("")
        return Markup(
            '<span class="{}"{} role="img" aria-label="{}"><svg viewBox="0 0 100 140" aria-hidden="true">'
            '<use href="{}#{}"/></svg></span>'
        ).format(classes, named, words, asset("cards.svg"), shown)

    def chip(self, value: int) -> Markup:
        """One chip."""
        return Markup(
            '<svg class="chip-svg" viewBox="-54 -54 108 108" aria-hidden="true"><use href="{}#chip{}" x="-54" y="-54"'
            ' width="108" height="108"/></svg>'
        ).format(asset("cards.svg"), value)

    def chips(self, amount: Cents) -> Markup:
        """The chips that make an amount, side by side."""
        return Markup("").join(self.chip(value) for value in chips_for(amount))

    def stack(self, amount: Cents, x: float, y: float, width: float) -> Markup:
        """A stack inside a drawing, whose lowest chip has its middle at x and y."""
        drawn_chips = []
        for place, value in enumerate(chips_for(amount)):
            up = y - place * width * 0.13
            drawn_chips.append(
                Markup('<use href="{}#chip{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
                    asset("cards.svg"), value, x - width / 2, up - width / 2, width, width
                )
            )
        return Markup("").join(drawn_chips)

    def placed_card(self, name: str, x: float, y: float, width: float, *, small: bool = False, id: str = "") -> Markup:  # noqa: A002
        """A card inside a drawing, with its upper left corner at x and y."""
        shown = "back" if name == "??" else f"{name}.index" if small else name
        named = Markup(' id="{}"').format(id) if id else Markup("")
        return Markup('<use{} href="{}#{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
            named, asset("cards.svg"), shown, x, y, width, width * 1.4
        )

    def text(self, words: str, x: float, y: float, classes: str = "", size: float = 0) -> Markup:
        """A line of text inside a drawing, centered."""
        sized = Markup(' font-size="{:.1f}"').format(size) if size else Markup("")
        return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="middle" class="{}"{}>{}</text>').format(
            x, y, classes, sized, escape(words)
        )


drawn = Drawings()
