"""The command: which irregularity, by which rules, at which moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import typer
from msgspec import structs

from croupier.cli.chosen_house import chosen_house
from croupier.cli.completions import complete_rulebook
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
from croupier.rulebook import HouseRules, InvalidSubmission, rulebook_ids

__all__ = ["ruling"]

_MOST_SIDE_BY_SIDE: Final = 8
"""Irregularities that are shown with every document; more are listed by name."""


def ruling(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS]",
            help="A name such as community_exposed, or plain words: exposed card, too many cards, jam.",
            show_default=False,
        ),
    ] = None,
    rulebook: Annotated[
        str | None,
        typer.Option(
            "--rulebook",
            "-r",
            metavar="RULEBOOK",
            autocompletion=complete_rulebook,
            help="The document; default: all, side by side.",
            show_default=False,
        ),
    ] = None,
    submission: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Your house: its options and devices count.", show_default=False),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(
            metavar="MOMENT",
            help="When it is noticed: before the deal, during the deal, third street, after third street, settlement.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Say what an irregularity demands: what is void, returned, replaced or removed, whom to call, what to record.

    Without words it lists everything there is a ruling for. Every answer has its clause and reading.

    Exit code 0: answered. 1: the submission is not valid. 2: it cannot be read, or nothing fits the words.

    Examples: [bold]croupier ruling exposed card -r md-mississippi-stud[/bold],
    [bold]croupier ruling community_exposed --stage "after third street" -r md-mississippi-stud[/bold]
    """
    typed = " ".join(words or ()).split()
    if rulebook is None and submission is None and (books := [word for word in typed if word in rulebook_ids()]):
        rulebook = books[0]
        words = [word for word in typed if word != rulebook]
    if rulebook is not None and submission is not None:
        raise Malformed("give --rulebook or --submission, not both")
    if rulebook is not None and rulebook not in rulebook_ids():
        raise Malformed(f"--rulebook: {rulebook!r} is not a rulebook: {', '.join(rulebook_ids())}")
    chosen = rulebook if submission is None else submission
    try:
        houses = [_house(name) for name in ([chosen] if chosen is not None else rulebook_ids())]
    except InvalidSubmission as invalid:
        show_findings(str(submission), invalid.findings, valid=False, mark=None)
        return 1
    moments = {house.rulebook.id: _moment(house, stage) for house in houses} if stage is not None else {}
    ways = [_every_way(house) if submission is None else [house] for house in houses]
    names = list(dict.fromkeys(name for dealt in ways for house in dealt for name in ruling_names(house)))
    asked = rulings_for(" ".join(words), names) if words else names
    if not asked:
        raise no_ruling(" ".join(words or ()), names, [house.rulebook.id for house in houses])
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
