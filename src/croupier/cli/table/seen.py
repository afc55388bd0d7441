"""What somebody at a table sees, and what they may do, as lines of text."""

from __future__ import annotations

from typing import Final

from rich.markup import escape

from croupier.games import CardsOf, Except, Offer, Range
from croupier.money import print_dollars
from croupier.present import dollars, dollars_and_cents, slot_words, spoken
from croupier.rulebook import Stakes
from croupier.table.views import BoxView, TableView

__all__ = ["offer_words", "view_lines"]

_MONEY: Final = {"amount", "value", "shown"}


def view_lines(shown: TableView) -> list[str]:
    """A table as one person sees it: seats with bets and cards, the cards of the table, chips, meters."""
    lines = [_box(box) for box in shown.seats if box.patron]
    lines += [f"{slot_words(slot, 0)}: {' '.join(cards)}" for slot, cards in shown.cards if cards]
    if shown.chips is not None:
        lines.append(f"chips: {dollars(shown.chips)}")
    lines += [f"{name} meter: {dollars_and_cents(amount)}" for name, amount in shown.meters]
    return [escape(line) for line in [*lines, f"awaiting: {shown.awaiting.words}"]]


def _box(box: BoxView) -> str:
    bets = [f"{spoken(name)} {dollars(amount)}" for name, amount in box.bets if name not in box.withdrawn]
    cards = [" ".join(box.cards)] if box.cards else []
    folded = ["folded"] if box.folded else []
    return f"seat {box.seat}, {box.patron}: {', '.join([*cards, *bets, *folded]) or 'no bet'}"


def offer_words(offered: Offer) -> str:
    """An offer as it is typed.

    >>> from croupier.games import offer
    >>> offer_words(offer("sit", seat=(1, 2, 3), patron=Except(())))
    'sit seat=1|2|3 patron=…'
    """
    said = [f"{name}={text}" for name, value in offered.fields if (text := _say(name, value))]
    return " ".join([offered.do, *said])


def _say(name: str, value: object) -> str:
    match value:
        case Stakes() if value.minimum == value.increment == 1:
            return "dollars"
        case Stakes():
            steps = f", step {print_dollars(value.increment)}" if value.minimum != value.maximum else ""
            most = f"–{print_dollars(value.maximum)}" if value.minimum != value.maximum else ""
            return f"{print_dollars(value.minimum)}{most}{steps}"
        case Range():
            return f"{value.least}–{value.most}"
        case Except():
            return "…"
        case CardsOf() | (None, CardsOf()):
            return "cards" if isinstance(value, CardsOf) and value.most > 1 else "card"
        case tuple():
            return "|".join("none" if each is None else _text(each) for each in value)
        case int() if name in _MONEY:
            return print_dollars(value)
        case None | "":
            return ""
        case 0 if not isinstance(value, bool):
            return ""
    return _text(value)


def _text(value: object) -> str:
    """A value as it is typed."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'"{text}"' if " " in text else text
