"""`croupier advise`: the value of every action, for a person or for another program."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
import typer
from msgspec import Struct
from rich.console import Console

from croupier.analysis import Advice
from croupier.cards import format_cards, parse_cards, typed_cards
from croupier.cli.json_lines import answer_standard_input
from croupier.cli.rulebook_names import rulebook_argument
from croupier.cli.shown.console import console, print_json, print_table
from croupier.errors import Malformed
from croupier.rulebook import load_rulebook, rulebook_ids

__all__ = ["advise"]


class Question(Struct, forbid_unknown_fields=True):
    """A decision: the cards that the player knows and what was bet before."""

    rulebook: str
    cards: str
    community: str = ""
    bets: list[str] = []
    paytable: str | None = None


_decoder: Final = msgspec.json.Decoder(Question)
_SHAPE: Final = (
    'a line has rulebook, cards and, where the game has them, community, bets (["1x", "ride", …]) and paytable'
)


_EXAMPLE: Final = "Tc Td 2h Ah Kh 9c 8s".split()
"""A hand, as many of its cards as a game deals."""


def advise(
    rulebook: Annotated[str | None, rulebook_argument("Such as md-let-it-ride.", metavar="[RULEBOOK]")] = None,
    cards: Annotated[
        str | None, typer.Argument(metavar="[CARDS]", help='The hand: "Ah Kh".', show_default=False)
    ] = None,
    community: Annotated[
        str, typer.Option("--community", "--board", "-c", help='Community cards turned up: "4s Kd".')
    ] = "",
    bets: Annotated[str, typer.Option("--bets", "-b", help='The bet made before each community card: "1x 2x".')] = "",
    paytable: Annotated[str | None, typer.Option("--paytable", "-p", help="The base paytable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> int:
    """Show the exact EV of every decision, the best play, and the cost of each mistake.

    For a person: [bold]croupier advise md-mississippi-stud "2c 8c" --community "4s Kd" --bets "1x 2x"[/bold]

    For a program, one decision per line on standard input, one answer per line on standard output:
    [bold]echo '{"rulebook": "md-let-it-ride", "cards": "Tc Td 2h"}' | croupier advise[/bold]
    """
    if rulebook is not None:
        if cards is None:
            raise Malformed(_what_is_missing(rulebook))
        if rulebook not in rulebook_ids() and _are_cards(f"{rulebook} {cards}"):
            raise Malformed(_what_is_missing(f"{rulebook} {cards}"))
        own, board = (format_cards(typed_cards(text)) for text in (cards, community))
        question = Question(rulebook, own, board, bets.replace(",", " ").split(), paytable)
        if as_json:
            print_json(_answer(_for_a_person(question)))
        else:
            _show(question)
        return 0
    return answer_standard_input(
        "advise",
        lambda line: _answer(_advice(_question(line))),
        instead='no hand: try croupier advise md-let-it-ride "Tc Td 2h"',
    )


def _what_is_missing(given: str) -> str:
    """
    >>> _what_is_missing("Kh 7s")
    'which game? Name it first, such as croupier advise ma-mississippi-stud "Kh 7s"'
    >>> _what_is_missing("md-let-it-ride")
    'no cards: try croupier advise md-let-it-ride "Tc Td 2h"'
    """
    if not _are_cards(given):
        return f'no cards: try croupier advise {given} "{" ".join(_EXAMPLE[: _own_cards(given)])}"'
    hand = typed_cards(given)
    games = [name for name in rulebook_ids() if _own_cards(name) == len(hand)]
    return (
        f'which game? Name it first, such as croupier advise {games[0] if games else "RULEBOOK"} "{format_cards(hand)}"'
    )


def _are_cards(text: str) -> bool:
    try:
        return bool(typed_cards(text))
    except Malformed:
        return False


def _own_cards(rulebook: str) -> int:
    """How many cards a player is dealt."""
    from croupier.analysis import own_cards

    return own_cards(load_rulebook(rulebook))


def _question(line: bytes) -> Question:
    try:
        return _decoder.decode(line)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}; {_SHAPE}") from None


def _advice(question: Question) -> Advice:
    from croupier.analysis import advise as value_of

    return value_of(
        load_rulebook(question.rulebook),
        parse_cards(question.cards),
        community=parse_cards(question.community) if question.community.strip() else (),
        bets=question.bets,
        paytable=question.paytable,
    )


def _for_a_person(question: Question) -> Advice:
    with Console(stderr=True).status("working out best play"):
        return _advice(question)


def _answer(advice: Advice) -> dict[str, object]:
    return {
        "actions": {name: str(value) for name, value in advice.actions.items()},
        "best": list(advice.best),
        "costs": {name: str(advice.cost(name)) for name in advice.actions},
        "values": {name: float(value) for name, value in advice.actions.items()},
    }


def _show(question: Question) -> None:
    advice = _for_a_person(question)
    rows = []
    for name, value in advice.actions.items():
        best, cost = name in advice.best, advice.cost(name)
        style = "bold green" if best else "none"
        words = "best" if best else f"costs {float(cost):.6f}"
        cells = (name, f"{float(value):+.6f}".replace("-", "−"), words, str(value))
        rows.append([f"[{style}]{cell}[/{style}]" for cell in cells])
    known = " ".join(str(card) for card in parse_cards(f"{question.cards} {question.community}"))
    print_table(("action", "EV", "", "exact"), rows, title=f"{question.rulebook}, {known}")
    unit = "bets" if "ride" in advice.actions else "antes"
    console().print(f"[dim]EV in {unit}, counting everything already bet, with optimal play from here on.[/dim]")
