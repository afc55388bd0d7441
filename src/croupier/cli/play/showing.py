"""The table on the screen: cards, stakes, paytables, what was paid and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from croupier.cli.play.dealer import face_up, slot_cards
from croupier.cli.play.drawing import Pile, arranged, card_row, card_words
from croupier.cli.play.screen import Screen
from croupier.cli.play.table import Player, Table
from croupier.cli.play.words import flush_so_far, poker_so_far, say_net, settled_rows, spoken, tables_in_play
from croupier.games.round import hand_of, own_places
from croupier.money import print_dollars
from croupier.rulebook.names import WagerName

__all__ = ["can_pay", "show_layout", "show_pays", "show_results", "show_summary", "show_table", "tell"]


def tell(table: Table, screen: Screen) -> None:
    """What has happened since the players were told last."""
    screen.say()
    if table.said:
        text = "; ".join(table.said)
        screen.say(f"[dim]{text[0].upper()}{text[1:]}.[/dim]")
    table.said = []


def show_table(table: Table, screen: Screen, player: Player) -> None:
    """The cards as this player sees them, and what the hand is so far."""
    state, box = table.state, table.box(player.seat)
    own = hand_of(state, box).cards
    versus = state.rules.main.evaluator == "against_dealer"
    piles = [
        Pile("board", slot_cards(state, "community")),
        Pile("dealer", arranged(face_up(state, "dealer")) or slot_cards(state, "dealer")),
        Pile(f"{player.whose.lower()} hand", arranged(own) if versus else own),
    ]
    if any(state.rules.judged[name] == "own_and_box" for name, _ in box.staked):
        piles.append(Pile("six card box", slot_cards(state, "six_card_box")))
    for line in card_row([pile for pile in piles if pile.cards], screen.pens, width=screen.out.width):
        screen.out.print(line)
    hand = flush_so_far(own) if versus else poker_so_far((*own, *face_up(state, "community")))
    screen.say(f"  [bold]{hand[0].upper()}{hand[1:]}[/bold]")
    table.drawn = state.cards.up


def show_layout(table: Table, screen: Screen, player: Player) -> None:
    """The stakes in settlement order, and what is left."""
    rules, box = table.state.rules, table.box(player.seat)
    stakes = {name: amount for name, amount in box.staked if name not in box.withdrawn}
    order = [name for name in (*rules.order, *rules.last) if name in stakes]
    staked = ", ".join(f"{spoken(name)} {print_dollars(stakes[name])}" for name in order)
    text = f"[dim]On the layout:[/dim] {staked}; [dim]bankroll:[/dim] {print_dollars(player.purse)}"
    screen.out.print(Padding(text, (0, 0, 0, 2)))


def show_pays(table: Table, screen: Screen, wanted: Sequence[WagerName]) -> None:
    """The paytables of these wagers, side by side."""
    grids = []
    for names, paytable in tables_in_play(table.state, wanted):
        grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0), title_justify="left", title_style="bold")
        grid.title = ", ".join(names)
        for line in paytable.line:
            grid.add_row(spoken(line.hand), line.pays)
        grid.add_row(f"[dim]paytable {paytable.id}[/dim]", f"[dim]({paytable.clause})[/dim]")
        grids.append(grid)
    screen.out.print(Columns(grids, padding=(1, 2)))


def show_results(table: Table, screen: Screen, ready: Sequence[Player]) -> None:
    """The end of a round for everybody who played it."""
    tell(table, screen)
    for one in ready:
        settled = table.settled(one.seat)
        if table.drawn != table.state.cards.up or len(ready) > 1:
            show_table(table, screen, one)
            screen.say()
        screen.rows(settled_rows(settled), heads=("wager", "staked", "outcome", "paid", "why"))
        net = settled.paid - settled.staked
        colour = "green" if net > 0 else "red" if net < 0 else "yellow"
        said = f"[bold {colour}]{say_net(one.name, net)}[/bold {colour}]"
        screen.say(f"{said} and {'have' if one.alone else 'has'} {print_dollars(one.purse)}.")
        if one is not ready[-1]:
            screen.say()
    for seat in table.others:
        _show_other(table, screen, seat)


def _show_other(table: Table, screen: Screen, seat: int) -> None:
    """A computer's hand in a line; cards that were never turned up stay hidden."""
    settled, box = table.settled(seat), table.box(seat)
    words = Text(f"{table.names[seat]}: ")
    if table.state.cards.up.issuperset(own_places(table.state, seat)):
        words.append(card_words(arranged(hand_of(table.state, box).cards), screen.pens)).append(", ")
    if box.folded_on is not None:
        words.append("folded, ")
    words.append(say_net("", settled.paid - settled.staked).strip())
    screen.out.print(words)


def show_summary(table: Table, screen: Screen) -> None:
    """What the session came to."""
    screen.say()
    for one in table.players:
        rounds = "1 round" if one.rounds == 1 else f"{one.rounds} rounds"
        net = f"{'+' if one.paid > one.staked else ''}{print_dollars(one.paid - one.staked)}"
        screen.say(
            f"[bold]{one.name}[/bold] played {rounds}, staked {print_dollars(one.staked)}, "
            f"got back {print_dollars(one.paid)}: net [bold]{net}[/bold]. Bankroll: {print_dollars(one.purse)}."
        )


def can_pay(screen: Screen, player: Player, amount: int) -> bool:
    """Whether a player has this much; says so if not."""
    if amount <= player.purse:
        return True
    have = "you have" if player.alone else f"{player.name} has"
    screen.complain(f"That takes {print_dollars(amount)}, and {have} {print_dollars(player.purse)}")
    return False
