"""The game itself: players bet and decide, the staff of the table do the rest, and everybody sees the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from rich.text import Text

from croupier.cli.play.answers import keys_of, read_amount, read_decision
from croupier.cli.play.betting import Betting
from croupier.cli.play.coach import Coach
from croupier.cli.play.computer import Decision, computer_decides
from croupier.cli.play.display import Display
from croupier.cli.play.hands import HandSoFar, box_of, hand_at
from croupier.cli.play.scorecard import Scorecard
from croupier.cli.play.screen import Left, Screen
from croupier.cli.play.session import Player, Session
from croupier.cli.play.words import refused_words, review_words, value_rows
from croupier.errors import Malformed, MoneyError, RuleViolation
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.present import any_of, dollars, spoken
from croupier.table import Entry
from croupier.table.views import AwaitedView, BoxView

__all__ = ["Game"]


class Game:
    """One session at the keyboard."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self._session: Final = session
        self._screen: Final = screen
        self._display: Final = Display(session, screen)
        self._betting: Final = Betting(self._display)
        self._coach: Final = Coach(session.house)
        self._scorecards: Final = {player: Scorecard(bought_in=session.money(player)) for player in session.players}
        self._decided: Final[defaultdict[int, list[str]]] = defaultdict(list)
        self._news: list[str | Text] = []
        """What has happened since the last question."""

    def run(self, *, rounds: int | None) -> None:
        """Play until the rounds are over, nobody can pay, or the players leave."""
        try:
            with self._screen.opened():
                number = 0
                if self._session.is_playing:
                    self._resume_round(number := number + 1)
                while (rounds is None or number < rounds) and self._play_round(number := number + 1):
                    pass
                if self._screen.is_live and number == rounds:
                    self._display.show_ending()
                    self._screen.ask("That was the last round: press any key", self._display.explain)
        except Left:
            pass
        finally:
            self._summarize()

    # --- a round

    def _play_round(self, number: int) -> bool:
        """Play one round, if anybody can pay for it."""
        ready = [player for player in self._session.players if self._can_play(player)]
        if not ready:
            return False
        self._decided.clear()
        self._display.begin_round(number)
        for player in ready:
            self._betting.bet(player)
        self._session.bet_for_computers()
        self._finish_round(ready)
        return True

    def _resume_round(self, number: int) -> None:
        """Play on with a round that was left unfinished."""
        self._display.begin_round(number)
        for entry in self._session.unfinished:
            if isinstance(entry.event, round_events.DecisionMade):
                self._decided[entry.event.seat].append(entry.event.choice)
        seats = {seat for seat, _ in self._session.in_round}
        ready = [player for player in self._session.players if player.seat in seats]
        if self._session.view(self._session.players[0]).awaiting.kind == "wagers":
            for player in self._session.players:
                if player not in ready and self._can_play(player):
                    self._betting.bet(player)
                    ready.append(player)
            self._session.bet_for_computers()
        self._finish_round(ready)

    def _finish_round(self, ready: Sequence[Player]) -> None:
        """Close the bets if they are open, and play the round to its end."""
        viewer = ready[0] if ready else self._session.players[0]
        self._hear(self._session.close_bets(viewer))
        players = {player.seat: player for player in (*ready, *self._session.others)}
        while self._session.is_playing:
            asked = self._session.view(viewer).awaiting
            if asked.kind != "decision":
                raise ValueError(f"the table awaits {asked.words}")
            player = players[asked.seat]
            if player in self._session.others:
                self._let_computer_decide(player, seen_by=viewer)
            else:
                self._decide(player)
        for player in ready:
            last = self._session.view(player).last_round
            if last is not None:
                box = box_of(last, player.seat)
                self._scorecards[player].close_round(box, hand_at(last, player.seat), self._session.spots)
        so_far = {player: self._scorecards[player].so_far(self._coach.expected) for player in ready}
        if ready:
            self._display.end_round(so_far, self._news)
        self._news = []

    def _can_play(self, player: Player) -> bool:
        """Whether a player can pay for a round, after buying in again if need be."""
        least = self._session.spots.least
        choices = {"B": f"buy in for {dollars(self._session.bankroll)}"} | ({} if player.alone else {"S": "sit out"})
        menu = ", ".join(f"[bold]{key}[/bold] to {does}" for key, does in choices.items())
        while (chips := self._session.chips(player)) < least:
            have = "You have" if player.alone else f"{player.name} has"
            self._display.show_ending(f"{have} {dollars(chips)} left, and a round takes at least {dollars(least)}.")
            answer = self._screen.ask(f"{menu}, [bold]Q[/bold] to leave").upper()
            while answer not in choices:
                self._screen.complain(f"Please enter {any_of([*choices, 'Q'])}.")
                answer = self._screen.ask(f"{menu}, [bold]Q[/bold] to leave").upper()
            if answer == "S":
                return False
            self._session.buy_in(player)
            self._scorecards[player].bought_in += self._session.bankroll
        return True

    # --- decisions

    def _decide(self, player: Player) -> None:
        """Ask a player until the table accepts the answer; then say what it was worth."""
        shown = self._session.view(player)
        box, chips = box_of(shown, player.seat), shown.chips or Cents(0)
        hand = hand_at(shown, player.seat, self._decided[player.seat])
        ante = dict(box.bets)[self._session.spots.main.name]
        keys = keys_of(shown.awaiting, chips)
        self._display.show_table(player, [(key.key, key.words) for key in keys], self._news)
        self._news = []
        entries: list[Entry] | None = None
        while entries is None:
            answer = self._ask_decision(player, shown.awaiting, box)
            if answer.lower() in {"h", "hint"}:
                self._hint(hand, ante, chips)
                continue
            try:
                decision = read_decision(answer, keys, shown.awaiting.choices)
                if decision == Decision("raise"):
                    decision = self._ask_raise(player, shown.awaiting)
                entries = self._session.decide(player, decision.choice, decision.amount, seen_by=player)
                self._review(player, hand, decision, ante, chips)
                self._decided[player.seat].append(decision.choice)
                self._hear(entries)
            except Malformed as error:
                self._screen.complain(str(error))
            except RuleViolation as violation:
                self._screen.complain(refused_words(violation, None, chips, player.name))

    def _ask_decision(self, player: Player, asked: AwaitedView, box: BoxView) -> str:
        prompt = self._display.prompt(player, spoken(asked.decision or ""))
        return self._screen.ask(prompt, lambda: self._display.explain([name for name, _ in box.bets]))

    def _ask_raise(self, player: Player, asked: AwaitedView) -> Decision:
        choice = next(choice for choice in asked.choices if choice.choice == "raise")
        span = f"{dollars(choice.least)} to {dollars(choice.most)}"
        while True:
            answer = self._screen.ask(self._display.prompt(player, f"raise by {span}"), line=True)
            try:
                return Decision("raise", read_amount(answer))
            except MoneyError:
                self._screen.complain(f"Please enter an amount: {span}.")

    def _hint(self, hand: HandSoFar, ante: Cents, chips: Cents) -> None:
        self._think()
        rows = value_rows(self._coach.values(hand, ante=ante, chips=chips), ante, self._unit)
        wide = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = ["[dim]  Expected result of the main game, bets so far included:[/dim]"]
        for words, cents, antes, remark in rows:
            style = "green" if remark == "best" else "none"
            line = f"{words:<{wide[0]}}  {cents:>{wide[1]}}  {antes:>{wide[2]}}  {remark}"
            lines.append(f"  [{style}]{line}[/{style}]")
        self._screen.remark(*lines)

    def _review(self, player: Player, hand: HandSoFar, decision: Decision, ante: Cents, chips: Cents) -> None:
        self._think()
        review = self._coach.review(hand, decision.choice, decision.amount, ante=ante, chips=chips)
        self._scorecards[player].review(review)
        name = "" if player.alone else f"{player.name}: "
        self._news.append(f"  {name}{review_words(review, self._unit)}")

    def _let_computer_decide(self, player: Player, *, seen_by: Player) -> None:
        shown = self._session.view(player)
        hand = hand_at(shown, player.seat, self._decided[player.seat])
        decision = computer_decides(self._session.house, hand, shown.awaiting)
        self._decided[player.seat].append(decision.choice)
        self._hear(self._session.decide(player, decision.choice, decision.amount, seen_by=seen_by))

    # --- what is said

    @property
    def _unit(self) -> str:
        return "bets" if self._session.spots.equal else "antes"

    def _think(self) -> None:
        """Show that the first answer takes a moment."""
        if not self._coach.is_ready:
            self._screen.think()

    def _hear(self, entries: Sequence[Entry]) -> None:
        """Note what a player would not see on the layout: bets that do not count and are returned."""
        for event in [entry.event for entry in entries if isinstance(entry.event, round_events.WagerReturned)]:
            self._news.append(
                f"[dim]  Seat {event.seat}: {spoken(event.wager)} {dollars(event.amount)} returned.[/dim]"
            )

    def _summarize(self) -> None:
        if self._session.is_playing:
            words = "it goes on when you come back." if self._session.is_stored else "its bets are not counted."
            self._screen.say(f"\nRound {self._display.round} was not finished: {words}")
        self._screen.say()
        expected = self._coach.expected if any(card.rounds for card in self._scorecards.values()) else Fraction(0)
        for player, card in self._scorecards.items():
            for line in card.lines(player.name, expected):
                self._screen.say(line)
