"""The dealer's card: one page for the tray, with the order of dealing, decisions, take and pay, and key rulings."""

from __future__ import annotations

from typing import Final

from croupier.documents.card_procedure import card_procedures
from croupier.documents.house_rulings import rulings
from croupier.documents.house_words import bet_words
from croupier.documents.marks import foot_of
from croupier.documents.one_page import balanced, one_page
from croupier.documents.paper import (
    Block,
    Cell,
    Cite,
    Grid,
    Heading,
    Items,
    PageSize,
    Paper,
    Strong,
    Words,
    words,
)
from croupier.documents.particulars import Particulars
from croupier.documents.round_procedure import round_procedures
from croupier.documents.sign import wagers_title
from croupier.documents.steps import WrittenProcedure, WrittenStep
from croupier.games import ACT_WORDS
from croupier.present import capitalized
from croupier.rulebook import HouseRules, HouseWager

__all__ = ["dealers_card"]

SHEET: Final = PageSize(8.5, 11.0, 0.5, 9.4, "letter")
SMALLEST: Final = 6.2
PARTS: Final = (
    "Before the deal",
    "The deal",
    "The stub",
    "Decisions",
    "Take and pay",
    "Progressive awards",
    "After the round",
    "Shuffle and cut",
    "Deck changes and devices",
)


def dealers_card(house: HouseRules, particulars: Particulars) -> Paper:
    """The card of a house: one page; the same rules and particulars give the same card."""
    source = house.rulebook.source
    parts = {part.title: part for part in (*card_procedures(house), *round_procedures(house))}
    columns: list[list[Block]] = [
        [Heading("Bets", 2), _bets(house)],
        *(_part(parts[title]) for title in PARTS if title in parts),
        [Heading("Rulings", 2), _rulings(house)],
    ]
    blocks: tuple[Block, ...] = (balanced(columns, SHEET),)
    return Paper(
        title=f"Dealer's card: {source.title}",
        subtitle=", ".join(part for part in (house.operator, source.jurisdiction) if part),
        blocks=blocks,
        sheet=one_page(blocks, SHEET, smallest=SMALLEST),
        foot=foot_of(house, particulars),
    )


def _bets(house: HouseRules) -> Grid:
    groups: dict[tuple[str, str], list[HouseWager]] = {}
    for wager in house.wagers:
        groups.setdefault((wager.paytables[0].group, bet_words(house, wager)), []).append(wager)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(wagers_title([wager.name for wager in wagers])), words(capitalized(bet)))
        for (_, bet), wagers in groups.items()
    )
    return Grid(("", ""), rows, ("left", "left"), widths=(2, 3))


def _part(part: WrittenProcedure) -> list[Block]:
    steps = _said_once(part.steps) if part.title == "Decisions" else part.steps
    return [Heading(part.title, 2), Items(tuple(_step(step) for step in steps), numbered=True)]


def _said_once(steps: tuple[WrittenStep, ...]) -> list[WrittenStep]:
    """What is done at every decision is said once, where it comes first; announcements are said each time."""
    first = {step.text: step for step in reversed(steps)}
    return [step for step in steps if first[step.text] is step or _is_announced(step)]


def _is_announced(step: WrittenStep) -> bool:
    return step.text == f"{capitalized(ACT_WORDS['announce'])}." or step.text.startswith("Announce")


def _step(step: WrittenStep) -> Words:
    text = Strong(step.text) if _is_announced(step) else step.text
    return words(text, " ", *_first(step.law))


def _first(law: Words) -> Words:
    """The first clause alone: the submission has them all."""
    clause = next((part for part in law if isinstance(part, Cite)), None)
    return (Cite(clause.clause),) if clause is not None else ()


def _rulings(house: HouseRules) -> Grid:
    """Irregularities that demand the same under the same clause share a row."""
    alike: dict[tuple[str, Words], list[str]] = {}
    for row in rulings(house):
        alike.setdefault((row.demands, _first(row.law)), []).append(row.happened)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            words("; ".join([happened[0], *(f"{said[0].lower()}{said[1:]}" for said in happened[1:])])),
            words(demands),
            law,
        )
        for (demands, law), happened in alike.items()
    )
    return Grid(("What happened", "What it demands", "Clause"), rows, ("left",) * 3, widths=(7, 10, 4))
