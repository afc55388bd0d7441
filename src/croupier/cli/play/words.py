"""What the table says: hands so far, what the dealer does, what is paid and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.markup import escape

from croupier.cards import Card, rank_word
from croupier.cli.shown.console import COLOURS
from croupier.errors import RuleViolation
from croupier.games import Event, Round, SeatSettled, WagerSettled
from croupier.games import events as round_events
from croupier.hands import five_card, four_of_a_kind, longest_flush, longest_straight_flush
from croupier.money import print_dollars
from croupier.progressive import Meter, shown
from croupier.rulebook import Stakes
from croupier.rulebook.names import Game
from croupier.rulebook.schema import Paytable

__all__ = [
    "HOW",
    "cited",
    "flush_so_far",
    "one_of",
    "outcome",
    "poker_so_far",
    "refusal",
    "say_choice",
    "say_event",
    "say_meters",
    "say_net",
    "say_range",
    "settled_rows",
    "spoken",
    "tables_in_play",
]

HOW: Final[dict[Game, str]] = {
    "mississippi_stud": (
        "You get two cards; three more lie face down for everybody. Before each of the three is turned up you bet "
        "1, 2 or 3 times your ante, or fold. There is no dealer's hand to beat: your five cards are paid by a table."
    ),
    "let_it_ride": (
        "You stake three equal bets and get three cards; two more lie face down for everybody. Before each of the "
        "two is turned up you take one bet back or let it ride. Your five cards are paid by a table."
    ),
    "high_card_flush": (
        "You and the dealer get seven cards each. The longest flush wins, and of two equally long the higher. "
        "Raise if you like yours, up to what its length allows, or fold. The dealer needs three to a flush, nine high."
    ),
}
_ACTS: Final = {
    "announce": "no more bets",
    "lock_progressive": "the progressive is locked",
    "collect_progressive": "its chips are collected",
    "count_progressive": "{} counted",
    "progressive_to_tray": "they go to the tray",
    "collect_five_card": "the chips of the five card bonus are collected",
    "place_lammers": "lammers mark the seats: {}",
    "count_five_card": "{} counted",
    "five_card_to_tray": "they go to the tray",
}


def spoken(name: str) -> str:
    """
    >>> spoken("third_street")
    'third street'
    """
    return name.replace("_", " ")


def one_of(words: Sequence[str]) -> str:
    """
    >>> one_of(["1", "2", "F"])
    '1, 2 or F'
    """
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def say_range(stakes: Stakes) -> str:
    """
    >>> from croupier.money import Cents
    >>> say_range(Stakes(Cents(1000), Cents(50000), Cents(500)))
    '$10 to $500 in steps of $5'
    """
    if stakes.minimum == stakes.maximum:
        return print_dollars(stakes.minimum)
    steps = f" in steps of {print_dollars(stakes.increment)}"
    return f"{print_dollars(stakes.minimum)} to {print_dollars(stakes.maximum)}{steps}"


# --- hands


def poker_so_far(cards: Sequence[Card]) -> str:
    """What two to five cards are so far.

    >>> from croupier.cards import parse_cards
    >>> for text in ("9c 9d", "9c Kc 2c", "9c 9d 4s 4h", "9c 9d 9s", "9c 9d 4s 4h Ah"):
    ...     print(poker_so_far(parse_cards(text)))
    pair of nines
    king high, all suited
    two pair, nines and fours
    three nines
    two pair, nines and fours, with A
    """
    if len(cards) == 5:
        return str(five_card(cards))
    groups = sorted(((count, rank) for rank, count in Counter(card.rank for card in cards).items()), reverse=True)
    names = [rank_word(rank, plural=count > 1) for count, rank in groups]
    match [count for count, _ in groups]:
        case [4, *_]:
            return f"four {names[0]}"
        case [3, *_]:
            return f"three {names[0]}"
        case [2, 2]:
            return f"two pair, {names[0]} and {names[1]}"
        case [2, *_]:
            return f"pair of {names[0]}"
    suited = len({card.suit for card in cards}) == 1
    return f"{names[0]} high{', all suited' if suited else ''}"


def flush_so_far(cards: Sequence[Card]) -> str:
    """What seven cards of High Card Flush are.

    >>> from croupier.cards import parse_cards
    >>> flush_so_far(parse_cards("8h 7h 6h 9c 9d 9s 2c"))
    'three-card flush, 8 7 6; three-card straight flush, 8 high'
    """
    found = [str(longest_flush(cards))]
    run = longest_straight_flush(cards)
    if run.length >= 3:
        found.append(str(run))
    if four_of_a_kind(cards):
        found.append("four of a kind")
    return "; ".join(found)


# --- what happens


def say_event(event: Event, names: dict[int, str]) -> str:
    """An event as the table hears it; nothing for what is seen elsewhere."""
    match event:
        case round_events.ActPerformed():
            return _ACTS[event.act].format(event.number)
        case round_events.WagerReturned():
            return f"{names[event.seat]}: {spoken(event.wager)} {print_dollars(event.amount)} goes back"
        case round_events.CardsDealt():
            return f"{event.number} cards are dealt"
        case round_events.CardsRevealed() if event.slot == "dealer":
            return "the dealer's hand is turned up"
        case round_events.CardsRevealed() if event.slot != "player":
            cards = "a card" if len(event.places) == 1 else f"{len(event.places)} cards"
            return f"the dealer turns up {cards} of the {'board' if event.slot == 'community' else spoken(event.slot)}"
        case round_events.EnvySettled():
            paid = [f"{names[seat]} {print_dollars(sum(one.won for one in won))}" for seat, won in event.paid]
            return f"envy is paid: {', '.join(paid)}"
    return ""


def say_choice(event: round_events.DecisionMade, name: str) -> str:
    """A computer's decision."""
    bet = spoken(event.decision)
    words = {"fold": "folds", "ride": f"lets {bet} ride", "withdraw": f"takes {bet} back"}
    return f"{name} {words.get(event.choice, f'bets {print_dollars(event.amount)}')}"


# --- what is paid


def cited(clause: str, reading: int | None) -> str:
    """The clause and reading in brackets, as markup."""
    return f"[dim]({escape(clause)}{f'; reading {reading}' if reading else ''})[/dim]"


def refusal(violation: RuleViolation) -> str:
    """Why the rules say no, as markup."""
    return f"[red]Not allowed:[/red] {escape(str(violation))} {cited(violation.clause, violation.reading)}"


def outcome(one: WagerSettled) -> str:
    """The outcome in its colour, as markup."""
    return f"[{COLOURS[one.outcome]}]{one.outcome}[/{COLOURS[one.outcome]}]"


def settled_rows(seat: SeatSettled) -> list[tuple[str, str, str, str, str]]:
    """Each wager of a seat: staked, outcome, paid, and why by which clause."""
    rows = [
        (
            spoken(one.wager),
            print_dollars(one.staked),
            outcome(one),
            print_dollars(one.won + one.returned),
            f"{escape(one.why)} {cited(one.clause, one.reading)}",
        )
        for one in seat.wagers
    ]
    rows += [
        (
            "envy",
            "",
            "[green]win[/green]",
            print_dollars(one.won),
            f"seat {one.from_seat} has a {spoken(one.hand)} {cited(one.clause, None)}",
        )
        for one in seat.envy
    ]
    rows.append(("[bold]all[/bold]", print_dollars(seat.staked), "", print_dollars(seat.paid), ""))
    return rows


def say_net(who: str, net: int) -> str:
    """
    >>> say_net("You", 1050), say_net("Seat 2", -2000), say_net("You", 0)
    ('You win $10.50', 'Seat 2 loses $20', 'You break even')
    """
    ending = "" if who == "You" else "s"
    if net == 0:
        return f"{who} break{ending} even"
    return f"{who} win{ending} {print_dollars(net)}" if net > 0 else f"{who} lose{ending} {print_dollars(-net)}"


def say_meters(meters: Mapping[str, Meter]) -> str:
    """What each meter shows."""
    return ", ".join(f"{name} [bold]{print_dollars(shown(meter))}[/bold]" for name, meter in meters.items())


# --- paytables


def tables_in_play(state: Round, wanted: Iterable[str]) -> list[tuple[list[str], Paytable]]:
    """The paytables of these wagers, each once with the wagers that it pays."""
    found: dict[tuple[str, str], tuple[list[str], Paytable]] = {}
    for name, offered in state.rules.offered.items():
        if name not in wanted:
            continue
        tables = offered.paytables
        table = next((one for one in tables if one.players == max(1, len(state.boxes))), tables[0])
        found.setdefault((table.group, table.id), ([], table))[0].append(spoken(name))
    return list(found.values())
