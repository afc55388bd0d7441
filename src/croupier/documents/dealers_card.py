"""The dealer's card: one page for the tray, with the order of dealing, decisions, take and pay, and key rulings."""

from __future__ import annotations

from typing import Final

from croupier.documents.card_procedure import card_procedures
from croupier.documents.house_rulings import rulings
from croupier.documents.house_words import bet_words
from croupier.documents.marks import foot_of
from croupier.documents.one_page import one_page
from croupier.documents.paper import (
    Block,
    Cell,
    Cite,
    Heading,
    Items,
    Paper,
    Sheet,
    SideBySide,
    Strong,
    Table,
    Words,
    words,
)
from croupier.documents.particulars import Particulars
from croupier.documents.round_procedure import round_procedures
from croupier.documents.sign import wagers_title
from croupier.documents.steps import Procedure, ProcedureStep
from croupier.games import ACT_WORDS
from croupier.present import capitalized
from croupier.rulebook import HouseRules, HouseWager

__all__ = ["dealers_card"]

SHEET: Final = Sheet(8.5, 11.0, 0.5, 8.6, "letter")
SMALLEST: Final = 6.2
LEFT: Final = ("Shuffle and cut", "Before the deal", "The deal", "The stub", "Decisions")
RIGHT: Final = ("Take and pay", "Progressive awards", "After the round", "Deck changes and devices")


def dealers_card(house: HouseRules, particulars: Particulars) -> Paper:
    """The card of a house: one page; the same rules and particulars give the same card."""
    source = house.rulebook.source
    parts = {part.title: part for part in (*card_procedures(house), *round_procedures(house))}
    left = [Heading("Bets", 2), _bets(house), *(block for title in LEFT for block in _part(parts.get(title)))]
    right = [*(block for title in RIGHT for block in _part(parts.get(title))), Heading("Rulings", 2), _rulings(house)]
    blocks: tuple[Block, ...] = (SideBySide((tuple(left), tuple(right))),)
    return Paper(
        title=f"Dealer's card: {source.title}",
        subtitle=", ".join(part for part in (house.operator, source.jurisdiction) if part),
        blocks=blocks,
        sheet=one_page(blocks, SHEET, smallest=SMALLEST),
        foot=foot_of(house, particulars),
    )


def _bets(house: HouseRules) -> Table:
    groups: dict[tuple[str, str], list[HouseWager]] = {}
    for wager in house.wagers:
        groups.setdefault((wager.paytables[0].group, bet_words(house, wager)), []).append(wager)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(wagers_title([wager.name for wager in wagers])), words(capitalized(bet)))
        for (_, bet), wagers in groups.items()
    )
    return Table(("", ""), rows, ("left", "left"), widths=(2, 3))


def _part(part: Procedure | None) -> list[Block]:
    if part is None:
        return []
    said = {step.text: step for step in reversed(part.steps)}  # what is said again is said once, where it comes first
    steps = [step for step in part.steps if said[step.text] is step or _is_announced(step)]
    return [Heading(part.title, 2), Items(tuple(_step(step) for step in steps), numbered=True)]


def _is_announced(step: ProcedureStep) -> bool:
    return step.text == f"{capitalized(ACT_WORDS['announce'])}." or step.text.startswith("Announce")


def _step(step: ProcedureStep) -> Words:
    text = Strong(step.text) if _is_announced(step) else step.text
    return words(text, " ", *_first(step.law))


def _first(law: Words) -> Words:
    """The first clause alone: the submission has them all."""
    clause = next((part for part in law if isinstance(part, Cite)), None)
    return (Cite(clause.clause),) if clause is not None else ()


def _rulings(house: HouseRules) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(row.happened), words(row.demands), _first(row.law)) for row in rulings(house)
    )
    return Table(("What happened", "What it demands", "Clause"), rows, ("left",) * 3, widths=(6, 11, 4))
