"""How a patron decides, from what a view shows: by a strategy that `croupier strategy` lists and prices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from croupier.analysis import BASE, FLUSHES, StreetGame, streets_of, tables_of
from croupier.analysis.flush import flush_rules
from croupier.analysis.streets import decide, named_strategies
from croupier.cards import Card, parse_cards
from croupier.client import SeenBox, SeenTable
from croupier.errors import Malformed
from croupier.rulebook import Rulebook, load_rulebook

__all__ = ["BotDecision", "Playbook", "playbook_for", "strategy_names"]

CARD_BACK: Final = "??"


class BotDecision(NamedTuple):
    """What a patron does when asked."""

    choice: str
    amount: Decimal | None = None


class Playbook(NamedTuple):
    """A game as a patron knows it: the wagers of the main game, and what to do with a hand."""

    rulebook: str
    strategy: str
    mains: tuple[str, ...]
    """The wagers of the main game that are placed before the deal, all of one amount."""
    most: int
    """How many of these amounts a round can cost."""
    decides: Callable[[SeenTable, SeenBox], BotDecision]

    def decision(self, view: SeenTable, seat: int) -> BotDecision:
        """What to do with the hand at a seat."""
        box = view.box(seat)
        if box is None:
            raise Malformed(f"there is no seat {seat}")
        return self.decides(view, box)


@lru_cache(maxsize=64)
def playbook_for(rulebook: str, strategy: str | None = None) -> Playbook:
    """The playbook of a rulebook; the first strategy of its game unless one is named.

    >>> playbook_for("md-let-it-ride").strategy
    'best list'
    """
    book = load_rulebook(rulebook)
    names = strategy_names(rulebook)
    name = strategy or names[0]
    if name not in names:
        raise Malformed(f"{rulebook} has no strategy {name!r}: {', '.join(names)}")
    wagers = [wager for wager in book.wagers.wager if wager.limits_key or wager.stake == "equal"]
    mains = tuple(wager.name for wager in wagers)
    game = streets_of(book)
    if game is None:
        return Playbook(rulebook, name, mains, 1 + max(flush_rules(book)[1]), _by_flush(book, name))
    # In some games the bets of all streets are up from the start.
    return Playbook(rulebook, name, mains, max(game.most, len(mains)), _by_streets(book, name, game))


def strategy_names(rulebook: str) -> list[str]:
    """The strategies of a game by name.

    >>> strategy_names("md-high-card-flush")[:2]
    ['by high cards', 'nine, seven, five']
    """
    book = load_rulebook(rulebook)
    if streets_of(book) is None:
        return list(FLUSHES)
    return [strategy.name for strategy in named_strategies(book, tables_of(book, BASE)[0])]


def _by_streets(book: Rulebook, name: str, game: StreetGame) -> Callable[[SeenTable, SeenBox], BotDecision]:
    strategy = next(listed for listed in named_strategies(book, tables_of(book, BASE)[0]) if listed.name == name)
    placed_at_once = "ride" in game.names

    def decides(view: SeenTable, box: SeenBox) -> BotDecision:
        known = _face_up((*box.cards, *view.cards.get("board", ())))
        if placed_at_once:
            taken_back = {*box.withdrawn, *(result.wager for result in box.results if result.outcome == "withdrawn")}
            staked = 1 + len(known) - game.first - len(taken_back)
        else:
            bets = [box.bets[wager] for wager in _STREETS if wager in box.bets]
            staked = int(sum(bets) / bets[0])
        return BotDecision(decide(strategy, known, staked))

    return decides


_STREETS: Final = ("ante", "third_street", "fourth_street", "fifth_street")


def _by_flush(book: Rulebook, name: str) -> Callable[[SeenTable, SeenBox], BotDecision]:
    strategy, most = FLUSHES[name][1], flush_rules(book)[1]

    def decides(_: SeenTable, box: SeenBox) -> BotDecision:
        times = strategy.raises(_face_up(box.cards), most)
        return BotDecision("raise", times * box.bets["ante"]) if times else BotDecision("fold")

    return decides


def _face_up(cards: Sequence[str]) -> tuple[Card, ...]:
    return tuple(parse_cards(" ".join(card for card in cards if card != CARD_BACK)))
