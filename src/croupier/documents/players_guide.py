"""The player's guide: one page on how a round goes, what each bet pays and costs, how to play it, and where help is."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from croupier.analysis import (
    BASE,
    Listed,
    Price,
    cached_prices,
    cases_of_house,
    has_long_run,
    long_run_of,
    main_table,
    strategies_of,
    unpriced,
)
from croupier.cards import rank_word
from croupier.documents.house_words import bet_words, judged_words, meter_words, printed_pay, rule_of
from croupier.documents.marks import foot_of
from croupier.documents.one_page import one_page
from croupier.documents.paper import (
    Block,
    Boxed,
    Cell,
    Grid,
    Heading,
    Items,
    PageSize,
    Paper,
    Paragraph,
    SideBySide,
    Strong,
    Words,
    words,
)
from croupier.documents.particulars import Particulars
from croupier.documents.round_procedure import choice_words, fold_stake
from croupier.documents.sign import HELP, wagers_title
from croupier.documents.steps import wager_words
from croupier.games import card_counts, rules_of
from croupier.money import MINUS
from croupier.present import capitalized, counted, dollars, line_words, listed, percent, spoken, the_wager
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.names import Slot
from croupier.rulebook.schema import Choice, Line, RevealRow

__all__ = ["PLACES", "average_cost", "players_guide"]

SHEET: Final = PageSize(8.5, 11.0, 0.6, 10.4, "letter")
SMALLEST: Final = 6.5
PLACES: Final = 4
"""Decimals of a house edge in percent."""
_LIE: Final[dict[Slot, str]] = {
    "community": "the community cards",
    "six_card_box": "the Six Card Bonus box",
    "dealer": "the dealer",
}
_ORDINALS: Final = ("first", "second", "third")
_MEANT: Final = {
    "point": "points: two for each jack or higher, one for each six to ten",
    "high card": "high card: jack or higher",
    "in reach": "straights in reach: those that all your known cards fit into",
    "together": "together: the two counts added up",
    "bets staked": "bets staked: in antes, including the ante",
}
"""What the words of a strategy mean, by the words that need it."""


def players_guide(house: HouseRules, particulars: Particulars) -> Paper:
    """The guide of a house: one page; the same rules and particulars give the same guide."""
    source = house.rulebook.source
    at = f" at {house.operator}" if house.operator else ""
    left: tuple[Block, ...] = (Heading("A round", 2), Items(tuple(_round(house)), numbered=True))
    right: tuple[Block, ...] = (Heading("What to watch", 2), Items(tuple(_watch(house))))
    blocks: tuple[Block, ...] = (
        SideBySide((left, right)),
        Heading("What each bet pays and costs", 2),
        _bets(house),
        *_strategy(house),
        Boxed((Paragraph(_help(particulars)),)),
    )
    return Paper(
        title=f"How to play {source.title}",
        subtitle=f"A guide for players{at}, {source.jurisdiction}",
        blocks=blocks,
        sheet=one_page(blocks, SHEET, smallest=SMALLEST),
        foot=foot_of(house, particulars),
    )


def _help(particulars: Particulars) -> Words:
    line = particulars.help_line or f"{HELP}: {'_' * 40}"
    said = " Play for entertainment, set a limit before you begin, and never bet money that you need."
    return words(Strong(line), said)


# --- a round


def _round(house: HouseRules) -> Iterator[Words]:
    main = [wager for wager in house.wagers if rule_of(house, wager).offered == "always" and wager.stakes]
    equal = len(main) > 1
    names = wagers_title([wager.name for wager in main])
    each = " each" if equal else ""
    yield words(Strong("Bet. "), f"Place {_lower(names, equal=equal)}: {bet_words(house, main[0])}{each}.")
    side = [wager for wager in house.wagers if rule_of(house, wager).offered == "option"]
    if side:
        yield words(Strong("Add, if you like, "), f"{listed(wager_words(wager.name) for wager in side)}.")
    yield words(Strong("The deal. "), _dealt(house))
    yield from _decisions(house)
    yield words(Strong("Take and pay. "), _settled(house))


def _decisions(house: HouseRules) -> Iterator[Words]:
    """Each decision with the cards that are turned up after it."""
    said: Words = ()
    shown = 0
    for stage in rules_of(house).stages:
        if stage.choice is not None:
            if said:
                yield said
            may = f"{capitalized(choice_words(house, stage.choice))}."
            said = words(Strong("Your decision. "), may, *_raise(house, stage.choice))
        elif stage.reveal is not None:
            said = (*said, _turned_up(stage.reveal, shown))
            shown += stage.reveal.slot == "community"
    yield said


def _lower(names: str, *, equal: bool) -> str:
    return f"{'equal ' if equal else 'the '}{names.lower()}"


def _dealt(house: HouseRules) -> str:
    counts = card_counts(house)
    table = [f"{counted(counts[slot], 'card')} for {said}" for slot, said in _LIE.items() if slot in counts]
    return f"You get {counted(counts['player'], 'card')}. Face down on the table lie {listed(table)}."


def _raise(house: HouseRules, choice: Choice) -> Words:
    limits = house.rulebook.play.raise_limit
    if "raise" not in choice.choices:
        return ()
    said = []
    for limit in limits:
        joined = " or " if limit.longest == limit.shortest + 1 else " to "
        cards = joined.join(map(str, dict.fromkeys((limit.shortest, limit.longest))))
        said.append(f"{'up to ' if limit.times > 1 else ''}{limit.times}x the ante with a flush of {cards} cards")
    return words(f" A raise is {listed(said)}.")


def _turned_up(reveal: RevealRow, shown: int) -> str:
    if reveal.slot == "community":
        return f" Then the {_ORDINALS[shown]} community card is turned up."
    return f" Then the cards of {_LIE[reveal.slot]} are turned up."


def _settled(house: HouseRules) -> str:
    main, play = house.wagers[0], house.rulebook.play
    if play.qualify is None:
        return capitalized(f"{judged_words(house, main)} make your hand.".replace("the player's", "your"))
    least = f"a flush of {play.qualify.length} cards, {rank_word(play.qualify.ranks[0])} high"
    wins = "The longer flush wins, of equal ones the higher; equal hands push."
    return f"{wins} The dealer needs {least}, or better: otherwise the ante is paid and the raise comes back."


# --- what to watch


def _watch(house: HouseRules) -> Iterator[Words]:
    for wager in house.wagers:
        if rule_of(house, wager).registered is not None:
            name = spoken(wager.name)
            yield words(
                Strong(f"Is your {name} bet lit? "),
                "See for yourself that it was accepted: the light is on before"
                " the cards are dealt. A bet that is not lit is not in play.",
            )
        if wager.envy is not None:
            hands = listed(f"{line_words(line.hand)} {line.pays}" for line in wager.envy.line)
            yield words(
                Strong("Envy bonus: "),
                f"with {the_wager(wager.name)} bet you win on another player's hand too: {hands}.",
            )
    yield from _folds(house)
    if house.payout_limit is not None and rules_of(house).limited:
        names = listed(wager_words(wager.name) for wager in house.wagers if wager.name in rules_of(house).limited)
        yield words(Strong("Payout limit: "), f"one hand wins at most {dollars(house.payout_limit)} on {names}.")
    if house.match_play:
        yield words(Strong("Match play: "), f"coupons pay {house.match_play}.")
    conduct = {rule.rule: rule for rule in house.rulebook.play.conduct}
    if "communication" in conduct:
        cost = ": it costs you all bets of the round" if conduct["communication"].penalty else ""
        yield words(f"Do not tell others about your hand before all cards are shown{cost}.")
    yield words("Keep your cards over the table in the dealer's view; nobody else may touch them.")
    yield words("Only chips on the layout are bets. Once betting is closed they stay as they are.")


def _folds(house: HouseRules) -> Iterator[Words]:
    if not any("fold" in choice.choices for choice in house.rulebook.play.choice):
        return
    side = [wager for wager in house.wagers if rule_of(house, wager).offered == "option"]
    lost = [wager_words(wager.name) for wager in side if fold_stake(house, wager) == "forfeit"]
    kept = [wager_words(wager.name) for wager in side if fold_stake(house, wager) == "live"]
    stays = f" {capitalized(listed(kept))} {'stay' if len(kept) > 1 else 'stays'} in play." if kept else ""
    mains = "your ante" if len(house.rulebook.play.choice) == 1 else "everything you bet on the main game"
    yield words(Strong("If you fold "), f"you lose {listed([mains, *lost])}.{stays}")


# --- what bets pay and cost


def average_cost(price: Price, stake: int) -> str:
    """What a bet loses per round on average, in cents, or dollars from one dollar on; what it wins has a minus sign."""
    cents = price.edge * stake
    size = f"{float(abs(cents)):.1f}¢" if abs(cents) < 100 else f"${float(abs(cents) / 100):,.2f}"
    return f"{MINUS}{size}" if cents < 0 else size


def _bets(house: HouseRules) -> Grid:
    prices: dict[str, list[Price]] = {}
    for case in cases_of_house(house):
        prices.setdefault(case.wager, []).append(cached_prices(case)[0])
    rows: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(wager.paytables[0].group for wager in house.wagers):
        wagers = [wager for wager in house.wagers if wager.paytables[0].group == group]
        name = BASE if group == BASE else wagers[0].name
        rows.append(_bet(house, wagers, prices.get(name, [])))
    head = ("Bet", "Hands that win, and what they pay", "House edge", "Average cost")
    said = words(_explained(house, prices[BASE][0]))
    return Grid(head, tuple(rows), ("left", "left", "right", "right"), widths=(8, 24, 7, 5), note=said)


def _explained(house: HouseRules, main: Price) -> str:
    of = f"of one {main.unit} with best play"
    said = [
        f"The house edge is what the house keeps on average: {of} in the main game, of the bet itself otherwise.",
        "The average cost is for one round at the smallest bet.",
    ]
    if main.average_wager is not None and main.element_of_risk is not None:
        bets = f"{float(main.average_wager):.2f} {main.unit}s"
        kept = percent(main.element_of_risk, PLACES)
        said.append(f"In the main game you bet {bets} a round on average, so the house keeps {kept} of all money bet.")
    return " ".join([*said, *(["Where folded hands do not count there is no exact price."] if unpriced(house) else [])])


def _bet(house: HouseRules, wagers: list[HouseWager], prices: list[Price]) -> tuple[Cell, ...]:
    first = wagers[0]
    table = first.paytables[0]
    name = words(Strong(wagers_title([wager.name for wager in wagers])), f", paytable {table.id}")
    if len(first.paytables) > 1:
        pays = _by_hands(house, first)
    else:
        pays = "; ".join(f"{_hand(line.hand)} {_pay(house, first, line)}" for line in table.line)
    stake = first.stakes.minimum if first.stakes is not None else 0
    cost = _range([average_cost(price, stake) for price in _low_high(prices)])
    at = f" at {dollars(stake)}" if prices else ""
    return name, words(capitalized(pays)), words(*_edge(house, first, prices)), words(f"{cost}{at}")


def _pay(house: HouseRules, wager: HouseWager, line: Line) -> str:
    pay = printed_pay(house, wager, line, labels=True)
    return "pushes" if pay == "Push" else pay


def _hand(name: str) -> str:
    return "a higher hand than the dealer's:" if name == "win" else line_words(name)


def _by_hands(house: HouseRules, wager: HouseWager) -> str:
    """What the best hand at the table pays with the most and with the fewest hands dealt."""
    tables = sorted(wager.paytables, key=lambda table: -(table.players or 0))
    said = []
    for table in (tables[0], tables[-1]):
        pays = "; ".join(f"{line_words(line.hand)} {printed_pay(house, wager, line)}" for line in table.line)
        said.append(f"with {counted(table.players or 0, 'hand')} dealt: {pays}")
    return f"the best hand at the table, {said[0]}. {capitalized(said[1])}"


def _low_high(prices: list[Price]) -> list[Price]:
    ordered = sorted(prices, key=lambda price: price.edge)
    return [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered


def _range(said: list[str]) -> str:
    return " to ".join(dict.fromkeys(said)) or "not priced"


def _edge(house: HouseRules, wager: HouseWager, prices: list[Price]) -> Iterator[Strong | str]:
    yield Strong(_range([percent(price.edge, PLACES) for price in _low_high(prices)]))
    if not wager.meters or not prices:
        return
    meters = listed(f"{meter_words(house, meter.name)} at {dollars(meter.initial)}" for meter in wager.meters)
    yield f" with {meters}"
    if has_long_run(house):
        yield f"; {percent(long_run_of(house).edge, PLACES)} in the long run"


# --- how to play


def _strategy(house: HouseRules) -> list[Block]:
    best = min(
        strategies_of(house.rulebook, main_table(house)), key=lambda strategy: (strategy.cost, len(strategy.rows))
    )
    columns = tuple((_street(cards, best),) for cards in dict.fromkeys(row.cards for row in best.rows))
    said = [meaning for word, meaning in _MEANT.items() if any(word in row.when for row in best.rows)]
    meant = f" {capitalized('; '.join(said))}." if said else ""
    return [
        Heading("Best play in brief", 2),
        SideBySide(columns) if len(columns) > 1 else columns[0][0],
        Paragraph(words(f"The first line that fits decides. {_cost(best.cost)}{meant}"), "note"),
    ]


def _cost(cost: Fraction) -> str:
    if not cost:
        return "Played this way, the main game costs exactly what best play costs."
    return f"Played this way, the main game costs {percent(cost, PLACES)} of the ante more than best play."


def _street(cards: int, strategy: Listed) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(capitalized(row.when)), words(Strong(capitalized(_do(row.do)))))
        for row in strategy.rows
        if row.cards == cards
    )
    return Grid((f"With {cards} cards", "do"), rows, ("left", "left"), widths=(4, 1) if len(rows) > 2 else ())


def _do(do: str) -> str:
    return {"withdraw": "back", "raise the maximum": "raise"}.get(do, do)
