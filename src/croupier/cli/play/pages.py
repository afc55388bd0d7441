"""What is on a page: the cards and bets of a player, how a round ended, the paytables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Final

from rich.text import Text

from croupier.cards import Card, parse_cards
from croupier.cli.play.bets import Slip, Spots
from croupier.cli.play.drawing import Pens, Pile, arranged, card_row, card_words
from croupier.cli.play.hands import HandSoFar, box_of, face_up, hand_at
from croupier.cli.play.scorecard import net_of
from croupier.cli.play.screen import Lines
from croupier.cli.play.session import Player
from croupier.cli.play.words import envy_line, main_line, net_words, side_line
from croupier.money import Cents
from croupier.present import (
    capitalized,
    cited,
    dollars,
    envy_sentence,
    flush_so_far,
    line_words,
    poker_so_far,
    settled_sentence,
    spoken,
    stakes_words,
)
from croupier.rulebook.names import WagerName
from croupier.rulebook.schema import Paytable
from croupier.table.views import CARD_BACK, BoxView, RoundView, TableView

__all__ = [
    "bet_lines",
    "clause_lines",
    "in_pages",
    "other_line",
    "others_line",
    "pay_pages",
    "result_lines",
    "side_bet_lines",
    "table_lines",
    "wrapped",
]

INDENT: Final = "  "


# --- the cards


def table_lines(
    shown: TableView | RoundView, player: Player, spots: Spots, pens: Pens, *, width: int, small: bool = False
) -> list[Text]:
    """The cards as a player sees them, drawn or as text, and what the hand makes so far."""
    box = box_of(shown, player.seat)
    laid = {slot: _cards(cards, sort=slot == "dealer") for slot, cards in shown.cards}
    piles = [
        Pile("board", laid.get("community", [])),
        Pile("dealer", laid.get("dealer", [])),
        Pile("your hand" if player.alone else player.name, _cards(box.cards, sort=spots.against_dealer)),
        Pile("six card box", laid.get("six_card_box", []) if _looks_at_box(box, spots) else []),
    ]
    piles = [pile for pile in piles if pile.cards]
    lines = [_in_a_line(pile, pens) for pile in piles] if small else card_row(piles, pens, width=width)
    words = _hand_words(hand_at(shown, player.seat), against_dealer=spots.against_dealer)
    return [*lines, Text(INDENT + capitalized(words), style="bold")] if words else lines


def _looks_at_box(box: BoxView, spots: Spots) -> bool:
    return any(spots.wager(name).cards == "own_and_box" for name, _ in box.bets)


def _cards(cards: Sequence[str], *, sort: bool) -> list[Card | None]:
    seen = [None if text == CARD_BACK else parse_cards(text)[0] for text in cards]
    return list(arranged(face_up(cards))) if sort and None not in seen else seen


def _in_a_line(pile: Pile, pens: Pens) -> Text:
    cards = [card_words([card], pens) if card is not None else Text(CARD_BACK, style="blue") for card in pile.cards]
    return Text.assemble(INDENT, (f"{pile.title}: ", "dim"), Text(" ").join(cards))


def _hand_words(hand: HandSoFar, *, against_dealer: bool) -> str:
    if not hand.own:
        return ""
    return flush_so_far(hand.own) if against_dealer else poker_so_far(hand.known)


def bet_lines(box: BoxView, spots: Spots, chips: Cents, width: int) -> list[str]:
    """What a player has bet, and what is left."""
    bets = {name: amount for name, amount in box.bets if name not in box.withdrawn}
    order = [name for name in spots.settled if name in bets]
    said = ", ".join(f"{spoken(name)} {dollars(bets[name])}" for name in order)
    return wrapped(f"Bets: {said}. Chips: {dollars(chips)}.", width)


def wrapped(text: str, width: int) -> list[str]:
    """A sentence in lines of a width, those after the first farther in."""
    return wrap(text, width, initial_indent=INDENT, subsequent_indent=2 * INDENT)


def others_line(shown: TableView, others: Sequence[Player]) -> str:
    """What the other players have done so far."""
    said = []
    for player in others:
        box = box_of(shown, player.seat)
        bet = sum(amount for name, amount in box.bets if name not in box.withdrawn)
        said.append(f"{player.name} {'folded' if box.folded else f'bets {dollars(bet)}'}")
    return f"{INDENT}[dim]{', '.join(said)}.[/dim]"


def side_bet_lines(slip: Slip, spots: Spots, needs: Mapping[WagerName, WagerName]) -> list[str]:
    """The side bets with their limits, which are on, and what another one needs first."""
    names = [spoken(side.name) for side in spots.sides]
    limits = [stakes_words(side.stakes) if side.stakes else "" for side in spots.sides]
    lines = []
    for number, (side, name, limit) in enumerate(zip(spots.sides, names, limits, strict=True), 1):
        amount, missing = slip.sides.get(side.name), needs.get(side.name)
        state = f"[green]{dollars(amount)}[/green]" if amount is not None else "off"
        state += f", needs {spoken(missing)}" if missing is not None else ""
        wide, deep = max(map(len, names)), max(map(len, limits))
        lines.append(f"{INDENT}[bold]{number}[/bold]  {name:<{wide}}  {limit:<{deep}}  {state}")
    return lines


# --- how a round ended


def result_lines(box: BoxView, spots: Spots, width: int) -> list[Text]:
    """A line for the main game, one for each side bet, one for each envy bonus."""
    main = [settled for settled in box.results if not spots.is_side(settled.wager)]
    sides = [settled for settled in box.results if spots.is_side(settled.wager)]
    said = (main_line(main), *map(side_line, sides), *map(envy_line, box.envy))
    lines = [Text(line) for text in said for line in wrapped(text, width)]
    for line in lines:
        line.highlight_regex(r"\+\$\S+$", "green")
        line.highlight_regex(r"−\$\S+$", "red")
    return lines


def other_line(box: BoxView, player: Player, pens: Pens) -> Text:
    """A computer player's hand in one line; cards never turned up stay hidden."""
    words, cards = Text(f"{INDENT}{player.name}: ", style="dim"), face_up(box.cards)
    if cards and len(cards) == len(box.cards):
        words.append(card_words(arranged(cards), pens)).append(", ")
    return words.append("folded, " if box.folded else "").append(net_words("", net_of(box)).strip())


def in_pages(lines: Lines, height: int | None) -> list[Lines]:
    """Lines cut to pages of a height."""
    return [lines] if height is None else [lines[first : first + height] for first in range(0, len(lines), height)]


def clause_lines(shown: RoundView, players: Sequence[Player], *, width: int) -> list[Text]:
    """Every settled bet of the last round in a sentence, with its clause."""
    said = []
    for box in shown.seats:
        if box.seat in {player.seat for player in players}:
            said += [*map(settled_sentence, box.results), *map(envy_sentence, box.envy)]
    lines = [Text(line) for text in said for line in wrapped(capitalized(text), width)]
    return [Text(f"Round {shown.number}, clause by clause", style="bold"), *lines, Text()]


# --- what pays


def pay_pages(spots: Spots, names: Iterable[WagerName], hands: int, *, width: int, height: int | None) -> list[Lines]:
    """The paytables of these wagers side by side, on as many pages as the screen needs."""
    blocks = [_block(wagers, table) for wagers, table in _tables(spots, set(names), hands)]
    rows: list[list[list[str]]] = [[]]
    for block in blocks:
        if rows[-1] and sum(_wide(other) + 3 for other in rows[-1]) + _wide(block) > width:
            rows.append([])
        rows[-1].append(block)
    pages: list[Lines] = []
    current: list[str] = []
    for row in rows:
        lines = _beside(row)
        if current and height is not None and len(current) + 1 + len(lines) > height:
            pages.append(current)
            current = []
        current += [*([""] if current else []), *lines]
    return [*pages, current]


def _tables(spots: Spots, names: set[WagerName], hands: int) -> list[tuple[list[WagerName], Paytable]]:
    """Each paytable once, with the wagers that it pays."""
    tables: dict[tuple[str, str], tuple[list[WagerName], Paytable]] = {}
    for offered in spots.house.wagers:
        if offered.name in names and offered.paytables:
            table = next((table for table in offered.paytables if table.players == max(1, hands)), offered.paytables[0])
            tables.setdefault((table.group, table.id), ([], table))[0].append(offered.name)
    return list(tables.values())


def _block(wagers: list[WagerName], table: Paytable) -> list[str]:
    side = len(wagers) == 1
    title = capitalized(spoken(wagers[0])) if side else "Main game"
    rows = [(line_words(line.hand), line.pays) for line in table.line]
    wide = max(len(hand) for hand, _ in rows)
    return [title, *(f"{hand:<{wide}}  {pays}" for hand, pays in rows), f"paytable {table.id} {cited(table.clause)}"]


def _wide(block: Sequence[str]) -> int:
    return max(map(len, block))


def _beside(blocks: Sequence[Sequence[str]]) -> list[str]:
    lines = []
    for number in range(max(map(len, blocks))):
        cells = []
        for block in blocks:
            text = block[number] if number < len(block) else ""
            style = "bold" if number == 0 else "dim" if number == len(block) - 1 else ""
            padded = f"{text:<{_wide(block)}}".replace("[", r"\[")
            cells.append(f"[{style}]{padded}[/{style}]" if style else padded)
        lines.append("   ".join(cells).rstrip())
    return lines
