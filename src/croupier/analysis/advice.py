"""The exact value of every legal action in a position, and which of them are best."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.analysis.cases import BASE, FOLD, StreetGame, streets_of, tables_of
from croupier.analysis.flush.dealer_hands import DEALER_HANDS, dealer_counts
from croupier.analysis.flush.rules import flush_rules
from croupier.analysis.prices import Advice
from croupier.analysis.streets.positions import position_values
from croupier.cards import Card, check_cards
from croupier.errors import Malformed
from croupier.hands import longest_flush
from croupier.rulebook import Rulebook, typed_paytable
from croupier.rulebook.schema import Paytable

__all__ = ["Advice", "advise"]


def advise(
    book: Rulebook,
    cards: Sequence[Card],
    *,
    community: Sequence[Card] = (),
    bets: Sequence[str] = (),
    paytable: str | None = None,
) -> Advice:
    """The exact value of every legal action.

    >>> from croupier.cards import parse_cards
    >>> from croupier.rulebook import load_rulebook
    >>> book = load_rulebook("md-mississippi-stud")
    >>> shown = advise(book, parse_cards("2c 8c"), community=parse_cards("4s Kd"), bets=["1x", "2x"])
    >>> shown.best, str(shown.actions["1x"])
    (('fold',), '-65/16')
    """
    check_cards([*cards, *community])
    game, table = streets_of(book), _table(book, paytable)
    if game is None:
        if community or bets:
            raise Malformed(f"{book.id} has one decision, on the player's seven cards: give no community cards or bets")
        return _against_dealer(book, check_cards(cards, count=7))
    staked = _staked(game, cards, community, bets)
    values = position_values(game, table).at([*cards, *community], staked)
    names = {FOLD: "fold"} | dict(enumerate(game.names, 1))
    return _advice({names[act]: value for act, value in values.items()})


def _advice(actions: dict[str, Fraction]) -> Advice:
    best = max(actions.values())
    return Advice(actions, tuple(name for name, value in actions.items() if value == best))


def _staked(game: StreetGame, cards: Sequence[Card], community: Sequence[Card], bets: Sequence[str]) -> int:
    """The bets on the layout; the number of cards and of earlier bets must match."""
    if len(cards) != game.first:
        board = "; cards on the board are given apart, as community cards" if len(cards) > game.first else ""
        raise Malformed(f"expected {game.first} cards in the hand, got {len(cards)}{board}")
    if len(community) >= 5 - game.first:
        raise Malformed(f"{len(community)} community cards: the last decision comes with {4 - game.first} of them")
    if len(bets) != len(community):
        need = "no bet" if not community else f"{len(community)} bet{'' if len(community) == 1 else 's'}"
        example = f', such as --bets "{" ".join([game.names[-1]] * len(community))}"' if community else ""
        given = f"{len(community)} community card{'' if len(community) == 1 else 's'}"
        given += f" and {len(bets)} bet{'' if len(bets) == 1 else 's'}"
        raise Malformed(f"{given}: give {need}, one before each community card{example}")
    adds = dict(zip(game.names, game.adds, strict=True))
    named = [f"{bet}x" if f"{bet}x" in adds else bet for bet in bets]  # 2 is 2x
    for bet in named:
        if bet not in adds:
            over = "; after a fold there is nothing to decide" if bet == "fold" else ""
            raise Malformed(f"{bet!r} is not a bet here: {', '.join(adds)}{over}")
    return 1 + sum(adds[bet] for bet in named)


def _against_dealer(book: Rulebook, cards: Sequence[Card]) -> Advice:
    qualifier, most = flush_rules(book)
    dealer = dealer_counts(cards, qualifier)
    actions = {"fold": Fraction(-1)}
    for times in range(1, most[longest_flush(cards).length] + 1):
        won = dealer.unqualified + (1 + times) * (dealer.lower - dealer.higher)
        actions[f"{times}x"] = Fraction(won, DEALER_HANDS)
    return _advice(actions)


def _table(book: Rulebook, name: str | None) -> Paytable:
    tables = {table.id: table for table in tables_of(book, BASE)}
    if name is None:
        return next(iter(tables.values()))
    name = typed_paytable(name, tables)
    if name not in tables:
        raise Malformed(f"{book.id} has no base paytable {name!r}: {', '.join(tables)}")
    return tables[name]
