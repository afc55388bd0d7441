"""Before the deal: players stake on the main game and switch extra wagers on and off."""

from __future__ import annotations

from croupier.cli.play.dealer import beside_main, extras, place_main
from croupier.cli.play.screen import Screen, read_amount, read_switches
from croupier.cli.play.showing import can_pay, show_pays
from croupier.cli.play.table import Player, Table
from croupier.cli.play.words import refusal, spoken
from croupier.errors import Malformed, MoneyError, RuleViolation
from croupier.games import actions
from croupier.games.round import patron_of
from croupier.games.wagering import missing_requirement, stakes_at
from croupier.money import Cents, print_dollars
from croupier.rulebook.names import WagerName

__all__ = ["bet", "computer_bets"]


def bet(table: Table, screen: Screen, player: Player) -> None:
    """All that a player stakes before the deal."""
    rules, beside = table.state.rules, beside_main(table.state)
    name, stakes = spoken(rules.main.name), rules.offered[rules.main.name].stakes
    if stakes is None:
        raise ValueError(f"{name} has no stakes")
    also = f", and as much on {' and '.join(spoken(one.name) for one in beside)}" if beside else ""
    screen.say(f"{player.whose} bankroll: [bold]{print_dollars(player.purse)}[/bold]")
    screen.say(f"[dim]{name.capitalize()}: {stakes}{also}[/dim]")
    each, last = 1 + len(beside), player.stake or stakes.minimum
    default = last if last * each <= player.purse else stakes.minimum
    prompt = player.prompt(f"{name}, Enter for {print_dollars(default)}")
    while True:
        answer = screen.ask(prompt, lambda: show_pays(table, screen, list(rules.offered)))
        try:
            amount = read_amount(answer) if answer else default
            if not can_pay(screen, player, amount * each):
                continue
            table.take(*place_main(table.state, player.seat, amount))
            player.stake = amount
            break
        except MoneyError:
            screen.complain(f"That is no amount: {stakes}, such as {print_dollars(default)}")
        except RuleViolation as violation:
            screen.say(refusal(violation))
    if extras(table.state):
        _bet_extras(table, screen, player)


def _bet_extras(table: Table, screen: Screen, player: Player) -> None:
    offered = [one.name for one in extras(table.state)]
    for name, amount in player.extras.items():
        if amount <= player.purse:
            _place_extra(table, screen, player, name, amount)
    while True:
        _show_extras(table, screen, player, offered)
        prompt = player.prompt("extra wagers, Enter to go on")
        answer = screen.ask(prompt, lambda: show_pays(table, screen, list(table.state.rules.offered)))
        if not answer:
            break
        try:
            for number, wanted in read_switches(answer, len(offered)):
                _switch(table, screen, player, offered[number - 1], wanted)
        except Malformed as error:
            screen.complain(str(error))
    staked = dict(table.box(player.seat).staked)
    player.extras = {name: staked[name] for name in offered if name in staked}


def _show_extras(table: Table, screen: Screen, player: Player, offered: list[WagerName]) -> None:
    rows, box, rules = [], table.box(player.seat), table.state.rules
    for number, name in enumerate(offered, 1):
        stakes, stake = stakes_at(table.state, rules.wagers[name], box, patron_of(table.state, box)), box.stake(name)
        missing = missing_requirement(rules, rules.wagers[name], [one for one, _ in box.staked])
        note = f"[bold green]on, {print_dollars(stake)}[/bold green]" if stake is not None else "off"
        if stake is None and missing is not None:
            note = f"off, needs {spoken(missing.wager)}"
        rows.append((f"  {number}", spoken(name), str(stakes), note))
    screen.rows(rows)
    screen.once("A number switches a wager on or off; 2=5 stakes $5 on the second.")


def _switch(table: Table, screen: Screen, player: Player, name: WagerName, amount: Cents | None) -> None:
    """On or off; with an amount it is on with that much."""
    lies, stakes = table.box(player.seat).stake(name), table.state.rules.offered[name].stakes
    on = lies is None or amount is not None
    wanted = amount if amount is not None else player.extras.get(name) or (stakes.minimum if stakes else Cents(0))
    if on and not can_pay(screen, player, wanted - (lies or 0)):
        return
    if lies is not None:
        try:
            table.do(actions.TakeBack(player.seat, name))
        except RuleViolation as violation:
            screen.say(refusal(violation))
            return
    if on and not _place_extra(table, screen, player, name, wanted) and lies is not None:
        _place_extra(table, screen, player, name, lies)  # what lay there lies there still


def _place_extra(table: Table, screen: Screen, player: Player, name: WagerName, amount: Cents) -> bool:
    try:
        table.do(actions.PlaceWager(player.seat, name, amount))
        if table.state.rules.wagers[name].registered:
            table.do(actions.RegisterWager(player.seat))
    except RuleViolation as violation:
        screen.say(refusal(violation))
        return False
    return True


def computer_bets(table: Table, seat: int) -> None:
    """The least on the main game, and the progressive, so that its meter lives."""
    rules = table.state.rules
    stakes = rules.offered[rules.main.name].stakes
    table.take(*place_main(table.state, seat, stakes.minimum if stakes else Cents(0)))
    fixed = rules.offered[rules.metered.name].stakes if rules.metered else None
    if rules.metered and fixed:
        table.do(actions.PlaceWager(seat, rules.metered.name, fixed.minimum))
        table.do(actions.RegisterWager(seat))
