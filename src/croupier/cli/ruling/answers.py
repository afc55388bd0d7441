"""What an irregularity demands, as a person reads it: one ruling in full, several side by side, or names to ask by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from croupier.cli.chosen_house import chosen_house
from croupier.cli.ruling.search import no_ruling, rulings_for
from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.cli.submission import show_findings
from croupier.cli.typed_names import nearest, plain_words, typed_name
from croupier.driver import moments_of
from croupier.errors import Malformed
from croupier.present import (
    RulingCard,
    moment_words,
    ruling_card,
    ruling_card_json,
    ruling_card_sheet,
    ruling_names,
    sheet,
    sources,
    spoken,
)
from croupier.rulebook import HouseRules, InvalidSubmission, edition_folder, rulebook_ids, rulebooks_called

__all__ = ["say_ruling"]

_MOST_SIDE_BY_SIDE: Final = 8
"""Irregularities that are shown with every document; more are listed by name."""
_MOST_IN_A_NAME: Final = 5
"""Words in the name of a rulebook, the state included: Massachusetts Mississippi Stud."""


def say_ruling(
    words: Sequence[str], *, rulebook: str | None, submission: str | None, stage: str | None, as_json: bool
) -> int:
    """Answer the words of a command, and return its exit code."""
    if rulebook is not None and submission is not None:
        raise Malformed("give --rulebook or --submission, not both")
    if rulebook is not None:
        edition_folder(rulebook)  # says which may be meant where it is none
    chosen = rulebook if submission is None else submission
    books, words = _books_among(words) if chosen is None else ([chosen], words)
    try:
        houses = [_house(name) for name in books or rulebook_ids()]
    except InvalidSubmission as invalid:
        show_findings(str(submission), invalid.findings, valid=False, mark=None)
        return 1
    moments = {house.rulebook.id: _moment(house, stage) for house in houses} if stage is not None else {}
    ways = [_every_way(house) if submission is None else [house] for house in houses]
    names = list(dict.fromkeys(name for dealt in ways for house in dealt for name in ruling_names(house)))
    asked = rulings_for(" ".join(words), names) if words else names
    if not asked:
        raise no_ruling(" ".join(words), names, [house.rulebook.id for house in houses])
    cards = [
        (house, card)
        for name in asked
        for dealt in ways
        for house in [_where(name, dealt)]
        if (card := ruling_card(house, name, moment=moments.get(house.rulebook.id))) is not None
    ]
    if as_json:
        print_json([ruling_card_json(card, house) for house, card in cards])
    elif len(asked) == 1 and len(houses) == 1:
        _show_one(*cards[0], moments)
    elif len(asked) > _MOST_SIDE_BY_SIDE and len(houses) > 1:
        _show_names(cards)
    else:
        _show_list(cards, one_book=len(houses) == 1)
    return 0


def _house(name: str) -> HouseRules:
    return chosen_house(name).verdict().rules(name=name)


def _books_among(typed: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """The rulebooks that some of these words name, and the other words: ms jam, exposed card let it ride."""
    words = " ".join(typed).split()
    spans = [(start, start + length) for length in range(_MOST_IN_A_NAME, 0, -1) for start in range(len(words))]
    for start, end in spans:
        if books := rulebooks_called(" ".join(words[start:end])):
            return books, [*words[:start], *words[end:]]
    return [], typed


def _every_way(house: HouseRules) -> list[HouseRules]:
    """The house as it is, and dealt as some irregularities need it: a document alone chooses no way of dealing."""
    needed = dict.fromkeys(deal for row in house.rulebook.irregularities.irregularity for deal in row.deal)
    return [house, *(structs.replace(house, deal=deal) for deal in needed if deal != house.deal)]


def _where(name: str, dealt: Sequence[HouseRules]) -> HouseRules:
    """The first of these houses that can have this irregularity."""
    return next((house for house in dealt if name in ruling_names(house)), dealt[0])


def _moment(house: HouseRules, text: str) -> str:
    """The moment that is meant; `after` one is the next."""
    moments = moments_of(house)
    meant = plain_words(text)
    after = meant[:1] == ["after"]
    bare = " ".join(meant[1:] if after or meant[:1] in (["at"], ["on"]) else meant)
    name = (
        typed_name(bare, moments)
        or typed_name(f"{bare} the deal", moments)
        or ("during_the_deal" if bare in {"deal", "the deal"} else None)
    )
    if name is None:
        raise Malformed(f"--stage: {nearest(text, moments, what=f'a moment of {house.rulebook.id}')}")
    return moments[min(moments.index(name) + 1, len(moments) - 1)] if after else name


def _show_one(house: HouseRules, card: RulingCard, moments: dict[str, str]) -> None:
    moment = moments.get(house.rulebook.id)
    by_device = {row.event for row in house.rulebook.irregularities.irregularity if row.device}
    dealt = f", dealt from the {spoken(house.deal)}" if card.name in by_device else ""
    print_line(f"[dim]{house.rulebook.id}{dealt}{f', {moment_words(moment)}' if moment else ''}[/dim]")
    if not card.possible:
        print_line(f"[yellow]It cannot have happened {moment_words(moment or '')}.[/yellow]")
    print_sheet(ruling_card_sheet(card, house))
    at_any_moment = ruling_card(house, card.name)
    elsewhere = [name for name in rulebook_ids() if name != house.rulebook.id]
    others = {name: ruling_card(_where(card.name, _every_way(_house(name))), card.name) for name in elsewhere}
    rows = [
        (name, other.demands, sources(other.law))
        for name, other in others.items()
        if other is not None and at_any_moment is not None and other.demands != at_any_moment.demands
    ]
    if rows:
        print_sheet(sheet(("", "", "clause"), rows, title="Different elsewhere"))


def _show_names(cards: Sequence[tuple[HouseRules, RulingCard]]) -> None:
    """What there is a ruling for, with the name to ask by."""
    names = {card.happened: spoken(card.name) for _, card in cards if card.possible}
    print_sheet(sheet(("what happened", "ask for"), list(names.items())))
    example = next(iter(names.values()))
    print_line(f"[dim]croupier ruling {example} says what it demands; --rulebook shows all of them for one game.[/dim]")


def _show_list(cards: Sequence[tuple[HouseRules, RulingCard]], *, one_book: bool) -> None:
    """What each demands: in one document a row each, else under each the documents side by side."""
    shown = [(house, card) for house, card in cards if card.possible]
    if one_book:
        rows = [(card.happened, card.demands, sources(card.law)) for _, card in shown]
        print_sheet(sheet(("what happened", "what it demands", "clause"), rows))
        return
    for name in dict.fromkeys(card.name for _, card in shown):
        alike = [(house.rulebook.id, card) for house, card in shown if card.name == name]
        rows = [
            (
                book,
                "the same" if place and card.demands == alike[place - 1][1].demands else card.demands,
                sources(card.law),
            )
            for place, (book, card) in enumerate(alike)
        ]
        print_sheet(sheet(("", "", "clause"), rows, title=alike[0][1].happened))
    print_line("[dim]--rulebook md-mississippi-stud shows one game, and a single ruling in full.[/dim]")
