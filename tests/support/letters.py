"""How high the letters of a drawing are on the screen, however the drawing was scaled."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Locator

__all__ = ["smallest_letters"]

_LETTERS: Final = """texts => texts.map(text => {
  const drawing = text.closest("svg"), scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  return parseFloat(getComputedStyle(text).fontSize) * scale;
})"""


def smallest_letters(texts: Locator) -> float:
    """The smallest of some texts of drawings, in pixels of the screen."""
    return float(min(texts.evaluate_all(_LETTERS)))
