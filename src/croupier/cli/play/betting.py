"""Before the deal: a player bets on the main game and switches side bets on and off."""

from __future__ import annotations

from typing import Final

from croupier.cli.play.answers import read_amount, read_switches
from croupier.cli.play.bets import Slip
from croupier.cli.play.display import Display
from croupier.cli.play.pages import side_bet_lines
from croupier.cli.play.session import Player
from croupier.cli.play.words import refused_words
from croupier.errors import Malformed, MoneyError
from croupier.present import dollars, listed, spoken, stakes_words
from croupier.rulebook import HouseWager, Stakes
from croupier.rulebook.names import WagerName

__all__ = ["Betting"]

HOW_TO_SWITCH: Final = "[dim]A number switches a side bet on or off; 2=5 bets $5 on it.[/dim]"


class Betting:
    """Asks players for their bets, and remembers the last ones."""

    def __init__(self, display: Display) -> None:
        self._display: Final = display
        self._session: Final = display.session
        self._screen: Final = display.screen
        self._last: dict[Player, Slip] = {}
        self._explained = False

    def bet(self, player: Player) -> None:
        """Ask a player for all bets, and place them."""
        slip = self._main_bet(player)
        if self._session.spots.sides:
            slip = self._side_bets(player, slip)
        self._session.bet(player, slip.amounts(self._session.spots))
        self._last[player] = slip

    def _main_bet(self, player: Player) -> Slip:
        spots, chips = self._session.spots, self._session.chips(player)
        stakes, name = _stakes(spots.main), spoken(spots.main.name)
        last = self._last.get(player, Slip(stakes.minimum, {}))
        default = last.main if Slip(last.main, {}).total(spots) <= chips else stakes.minimum
        also = f", and the same on {listed(spoken(spot.name) for spot in spots.equal)}" if spots.equal else ""
        who = "Chips" if player.alone else f"{player.name}'s chips"
        self._display.show_betting(
            [f"{who}: [bold]{dollars(chips)}[/bold]  [dim]{name.capitalize()}: {stakes_words(stakes)}{also}[/dim]"]
        )
        prompt = self._display.prompt(player, f"{name}, Enter for {dollars(default)}")
        while True:
            answer = self._screen.ask(prompt, self._display.explain, line=True)
            try:
                slip = Slip(read_amount(answer) if answer else default, {})
            except MoneyError:
                self._screen.complain(f"Please enter an amount: {stakes_words(stakes)}.")
            else:
                if self._is_taken(player, slip):
                    return slip

    def _side_bets(self, player: Player, slip: Slip) -> Slip:
        spots, last = self._session.spots, self._last.get(player)
        for name, last_stake in last.sides.items() if last is not None else ():
            again = Slip(slip.main, slip.sides | {name: last_stake})
            if self._session.problem(player, again.amounts(spots)) is None:
                slip = again
        names = [side.name for side in spots.sides]
        prompt, switched = self._display.prompt(player, "side bets, Enter to deal"), 0
        self._show_sides(player, slip, first=True)
        while True:
            answer = self._screen.ask(prompt, self._display.explain)
            if not answer:
                return slip
            if self._screen.is_live and answer == "=":
                amount = self._screen.ask(f"{spoken(names[switched]).capitalize()}, dollars", line=True)
                answer = f"{switched + 1}={amount}"
            try:
                for switched, stake in read_switches(answer, names):
                    changed = slip.switched(names[switched], stake, _stakes(spots.sides[switched]).minimum)
                    if self._is_taken(player, changed):
                        slip = changed
                        self._show_sides(player, slip, first=False)
            except Malformed as error:
                self._screen.complain(str(error))

    def _show_sides(self, player: Player, slip: Slip, *, first: bool) -> None:
        """Show the list in its place on a terminal; elsewhere once, and then what is on."""
        if self._screen.is_live or first:
            hint = [] if self._explained and not self._screen.is_live else [HOW_TO_SWITCH]
            self._explained = True
            spots = self._session.spots
            main = f"{spoken(spots.main.name).capitalize()} {dollars(slip.main)}. Side bets:"
            lines = side_bet_lines(slip, spots, self._needs(player, slip))
            self._display.show_betting([main, *lines, *hint])
        else:
            on = [f"{spoken(name)} {dollars(amount)}" for name, amount in slip.sides.items()]
            self._screen.remark(f"Side bets: {', '.join(on) or 'none'}.")

    def _needs(self, player: Player, slip: Slip) -> dict[WagerName, WagerName]:
        """What each side bet that the table would not take now needs beside it."""
        spots, needs = self._session.spots, {}
        for side in [side for side in spots.sides if side.name not in slip.sides]:
            bets = slip.amounts(spots)
            missing = spots.needs(side.name, bets)
            refused = self._session.problem(player, bets | {side.name: _stakes(side).minimum})
            if missing is not None and refused is not None:
                needs[side.name] = missing
        return needs

    def _is_taken(self, player: Player, slip: Slip) -> bool:
        """Whether the table would take these bets; says why not."""
        problem = self._session.problem(player, slip.amounts(self._session.spots))
        if problem is not None:
            total = slip.total(self._session.spots)
            self._screen.complain(refused_words(problem, total, self._session.chips(player), player.name))
        return problem is None


def _stakes(spot: HouseWager) -> Stakes:
    if spot.stakes is None:
        raise ValueError(f"{spot.name} has no stakes of its own")
    return spot.stakes
