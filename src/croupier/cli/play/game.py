"""The game itself: players bet and decide, the dealer does the rest, and everybody sees why they are paid."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from croupier.cli.play.betting import bet, computer_bets
from croupier.cli.play.dealer import dealers_move, least_to_play
from croupier.cli.play.screen import Left, Screen, Wish, keys_of, read_amount, read_wish
from croupier.cli.play.showing import (
    can_pay,
    show_layout,
    show_pays,
    show_results,
    show_summary,
    show_table,
    tell,
)
from croupier.cli.play.strategy import computer_decides, most_to_raise
from croupier.cli.play.table import Player, Table
from croupier.cli.play.words import refusal, say_choice, say_meters, spoken
from croupier.errors import Malformed, MoneyError, RuleViolation
from croupier.games import actions, awaiting
from croupier.games import events as round_events
from croupier.money import Cents, print_dollars

__all__ = ["run"]


def run(table: Table, screen: Screen, dice: random.Random, *, rounds: int | None) -> None:
    """Play until the rounds are over, nobody can pay, or the players leave."""
    number = 0
    try:
        while rounds is None or number < rounds:
            number += 1
            if not _play_round(table, screen, dice, number):
                break
    except Left:
        pass
    except KeyboardInterrupt:
        show_summary(table, screen)
        raise
    show_summary(table, screen)


def _play_round(table: Table, screen: Screen, dice: random.Random, number: int) -> bool:
    """One round, if anybody can pay for it; one that is broken off moves no money."""
    table.new_round()
    ready = _ready(table, screen)
    if not ready:
        return False
    purses = [(one, one.purse) for one in table.players]
    table.shuffle(dice)
    screen.say()
    screen.out.rule(f"[bold]Round {number}[/bold]", align="left", style="green")
    if table.meters:
        screen.say(f"[dim]Progressive meter:[/dim] {say_meters(table.meters)}")
    try:
        _whole_round(table, screen, ready)
    except (Left, KeyboardInterrupt) as leaving:
        if isinstance(leaving, KeyboardInterrupt):
            screen.say()
        if table.state.boxes:
            screen.say(f"Round {number} is called off; every stake goes back.")
        for one, purse in purses:
            one.purse = purse
        raise
    for one in ready:
        settled = table.settled(one.seat)
        one.rounds, one.staked, one.paid = one.rounds + 1, one.staked + settled.staked, one.paid + settled.paid
    return True


def _ready(table: Table, screen: Screen) -> list[Player]:
    """Who can pay for a round; the others are told that they cannot."""
    least = least_to_play(table.state)
    for one in table.players:
        if one.purse < least:
            verb, have = ("have" if one.alone else "has"), print_dollars(one.purse)
            screen.say(f"\n{one.name} {verb} {have} left, and a round takes at least {print_dollars(least)}.")
    return [one for one in table.players if one.purse >= least]


def _whole_round(table: Table, screen: Screen, ready: Sequence[Player]) -> None:
    for one in ready:
        if one is not ready[0]:
            screen.say()
        bet(table, screen, one)
    for seat in table.others:
        computer_bets(table, seat)
    table.do(actions.Perform("announce"))
    playing = {one.seat: one for one in ready}
    while not table.state.is_closed:
        need = awaiting(table.state)
        move = dealers_move(table.state, table.deck, table.meters)
        if move is not None:
            table.do(move)
        elif need.kind == "decision" and need.seat in playing:
            _decide(table, screen, playing[need.seat])
        else:
            events = table.do(computer_decides(table.state))
            table.said += [
                say_choice(one, table.names[one.seat]) for one in events if isinstance(one, round_events.DecisionMade)
            ]
    show_results(table, screen, ready)


# --- decisions


def _decide(table: Table, screen: Screen, player: Player) -> None:
    choice, box = table.state.at.choice, table.box(player.seat)
    if choice is None:
        raise ValueError("no decision is asked for now")
    tell(table, screen)
    show_table(table, screen, player)
    show_layout(table, screen, player)
    ante, most = box.stake(table.state.rules.main.name) or Cents(0), most_to_raise(table.state)
    keys = _keys(player, choice.choices, spoken(choice.decision), ante, most)
    long = sum(3 + len(key) + len(words) + 1 for key, words in keys) > screen.out.width
    screen.say(("  " if long else "   ").join(f"[bold]{key}[/bold] {words}" for key, words in keys))

    def explain() -> None:
        show_pays(table, screen, [name for name, _ in box.staked])

    while True:
        answer = screen.ask(player.prompt(spoken(choice.decision)), explain)
        try:
            wish = read_wish(answer, choice.choices, ante=ante, most=most // ante)
            if wish.choice == "raise" and wish.amount is None:
                wish = _ask_raise(screen, player, ante, most, explain)
            if can_pay(screen, player, wish.cost):
                table.do(actions.Decide(player.seat, wish.choice, wish.amount))
                return
        except Malformed as error:
            screen.complain(str(error))
        except RuleViolation as violation:
            screen.say(refusal(violation))


def _keys(player: Player, choices: tuple[str, ...], decision: str, ante: Cents, most: Cents) -> list[tuple[str, str]]:
    """The keys of this decision and what each does; what cannot be paid is left out."""
    words = {"F": "fold", "W": f"take {decision} back", "R": "another"}
    if "ride" in choices:
        words["R"] = f"let {decision} ride"
    verb = "raise" if "raise" in choices else "bet"
    said = []
    for key in keys_of(choices, most=most // ante):
        if key in "123":
            cost = int(key) * ante
            said += [(key, f"{verb} {print_dollars(cost)}")] if cost <= player.purse else []
        elif key != "R" or "ride" in choices or most > ante:
            said.append((key, words[key]))
    return [*said, ("?", "what pays"), ("Q", "leave")]


def _ask_raise(screen: Screen, player: Player, ante: Cents, most: Cents, explain: Callable[[], None]) -> Wish:
    """The amount of a raise, where there is a choice."""
    if most <= ante:
        return Wish("raise", ante, ante)
    span = f"{print_dollars(ante)} to {print_dollars(most)}"
    while True:
        answer = screen.ask(player.prompt(f"raise by {span}"), explain)
        try:
            amount = read_amount(answer)
        except MoneyError:
            screen.complain(f"That is no amount: {span}, such as {print_dollars(ante)}")
            continue
        return Wish("raise", amount, amount)
