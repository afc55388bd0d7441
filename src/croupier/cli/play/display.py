"""The pages of a session: the table as a player sees it, how the last round ended, what pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.markup import escape
from rich.text import Text

from croupier.cli.play.hands import box_of
from croupier.cli.play.pages import (
    bet_lines,
    clause_lines,
    in_pages,
    other_line,
    others_line,
    pay_pages,
    result_lines,
    table_lines,
    wrapped,
)
from croupier.cli.play.scorecard import net_of
from croupier.cli.play.screen import Lines, Page, Screen
from croupier.cli.play.session import Player, Session
from croupier.cli.play.words import HOW, net_words
from croupier.money import Cents
from croupier.present import capitalized, dollars
from croupier.rulebook.names import WagerName
from croupier.table.views import RoundView

__all__ = ["Display"]

Ending = tuple[Lines, Lines]
"""How a round ended: drawn, and in fewer lines."""


class Display:
    """Shows a session on a screen."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self.session: Final = session
        self.screen: Final = screen
        self.ending: Ending = ((), ())
        self.round = 0

    def prompt(self, player: Player, words: str) -> str:
        """Return a question to a player, as markup."""
        return capitalized(words) if player.alone else f"[bold]{player.name}[/bold]: {words}"

    def begin_round(self, number: int) -> None:
        """Print a heading for a round, where output is printed line by line."""
        self.round = number
        if not self.screen.is_live:
            self.screen.say()
            self.screen.out.rule(f"[bold]Round {number}[/bold]", align="left", style="green")
            for line in self._header()[1:]:
                self.screen.out.print(line)

    def show_betting(self, lines: Lines) -> None:
        """Show what may be bet; on a terminal below the round that has just ended."""
        if not self.screen.is_live:
            self.screen.show(Page(body=lines))
            return
        drawn, small = self.ending if self.ending[0] else (self.how(), self.how())
        self.screen.show(Page(self._header(), drawn, small, dock=lines))

    def show_table(self, player: Player, keys: Sequence[tuple[str, str]], news: Lines) -> None:
        """Show the cards and bets of a player who is to decide."""
        shown = self.session.view(player)
        width, box = self.screen.out.width, box_of(shown, player.seat)
        below = bet_lines(box, self.session.spots, shown.chips or Cents(0), width)
        if self.session.others:
            below.append(others_line(shown, self.session.others))
        drawn, small = (self._table(player, small=small) for small in (False, True))
        menu = [*keys, ("H", "hint"), ("?", "pays"), ("Q", "leave")]
        words = "  ".join(f"[bold]{key}[/bold] {words}" for key, words in menu)
        above = [] if self.screen.is_live else [""]
        self.screen.show(Page(self._header(), [*above, *drawn, *below], [*small, *below], news, [words]))

    def end_round(self, so_far: Mapping[Player, str], news: Lines) -> None:
        """Show how a round ended for everybody who played it; a terminal keeps it for the next question.

        `so_far` is each player's session to date.
        """
        drawn, small = (self._ending(so_far, small=small) for small in (False, True))
        self.ending = [*drawn, *news], [*small, *news]
        if not self.screen.is_live:
            self.screen.show(Page(news=news, body=["", *drawn]))

    def show_ending(self, words: str = "") -> None:
        """Show how the last round ended, with a remark."""
        above = self.ending if self.screen.is_live else ((), ())
        self.screen.show(Page(self._header(), *above, [words] if words else []))

    def explain(self, names: Sequence[WagerName] | None = None) -> list[Lines]:
        """Return the pages behind `?`: the last round by its clauses, then what these wagers pay."""
        session, height = self.session, self.screen.page_height
        shown = session.view(session.players[0])
        hands = sum(bool(box.bets) for box in shown.seats) or len(session.players) + len(session.others)
        wanted = names if names is not None else [wager.name for wager in session.house.wagers]
        pages = pay_pages(session.spots, wanted, hands, width=self.screen.out.width, height=height)
        if shown.last_round is None or session.is_playing:
            return pages
        clauses = clause_lines(shown.last_round, session.players, width=self.screen.out.width)
        return [*in_pages(clauses, height), *pages]

    def how(self) -> Lines:
        """Return an explanation of the game, for a new player."""
        house = self.session.house
        limit = [f"Maximum payout per hand: {dollars(house.payout_limit)}."] if house.payout_limit else []
        return [HOW[house.rulebook.source.game], *limit]

    def _header(self) -> list[str]:
        source = self.session.house.rulebook.source
        title = f"[bold]{escape(source.title)}, {escape(source.jurisdiction)}[/bold]  [dim]round {self.round}[/dim]"
        meters = self.session.meters
        said = ", ".join(f"{name} {dollars(cents)}" for name, cents in meters)
        return [title, f"[dim]Progressive: {said}[/dim]"] if meters else [title]

    def _table(self, player: Player, *, small: bool, last: bool = False) -> list[Text]:
        view, screen = self.session.view(player), self.screen
        shown = _last(view.last_round) if last else view
        return table_lines(shown, player, self.session.spots, screen.pens, width=screen.out.width, small=small)

    def _ending(self, so_far: Mapping[Player, str], *, small: bool) -> list[str | Text]:
        lines: list[str | Text] = []
        for player, session in so_far.items():
            box = box_of(_last(self.session.view(player).last_round), player.seat)
            net = net_of(box)
            color = "green" if net > 0 else "red" if net < 0 else "yellow"
            won = f"[bold {color}]{net_words(player.name, net)}.[/bold {color}]"
            lines += self._table(player, small=small, last=True)
            lines += result_lines(box, self.session.spots, self.screen.out.width)
            lines.append(f"  {won} Chips: {dollars(self.session.chips(player))}.")
            lines += [Text(line, style="dim") for line in wrapped(session, self.screen.out.width)]
        last = _last(self.session.view(next(iter(so_far))).last_round)
        seats = {box.seat for box in last.seats}
        others = [player for player in self.session.others if player.seat in seats]
        return [*lines, *(other_line(box_of(last, player.seat), player, self.screen.pens) for player in others)]


def _last(shown: RoundView | None) -> RoundView:
    if shown is None:
        raise ValueError("no round is over")
    return shown
