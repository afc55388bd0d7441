"""Words that several papers of one house share: clauses, people, pays, bets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from croupier.documents.paper import Cite, Inline, Words
from croupier.games import card_counts
from croupier.money import Cents, For, Share, To, parse_pay
from croupier.present import any_of, dollars, listed, spoken, titled
from croupier.rulebook import HouseRules, HouseWager, for_stake
from croupier.rulebook.names import CardsJudged, Deal, Role, Shuffle, Slot
from croupier.rulebook.schema import Cited, Duty, Line, Paytable, Wager

__all__ = [
    "DEALT_FROM",
    "SHUFFLED",
    "SLOTS",
    "bet_words",
    "cites",
    "given_by",
    "group_title",
    "judged_words",
    "meter_words",
    "paytable_name",
    "printed_pay",
    "role_words",
    "rule_of",
    "sentence",
]

SHUFFLED: Final[dict[Shuffle, str]] = {
    "manual": "by hand",
    "automated": "by an automated shuffler",
    "automated_counting": "by an automated shuffler that counts the cards",
    "continuous": "by a continuous shuffler",
}
DEALT_FROM: Final[dict[Deal, str]] = {
    "manual_shoe": "from a manual shoe",
    "hand": "from the hand",
    "automated_shoe": "from an automated shoe",
}
SLOTS: Final[dict[Slot, str]] = {
    "player": "each player in turn",
    "community": "the community area",
    "six_card_box": "the Six Card Bonus box",
    "dealer": "the dealer's area",
    "discard": "the discard rack",
}
"""Where cards go, as it follows `to`."""
NO_FOR: Final = "ma.progressive_print"
"""The option of a document in whose papers odds are never stated with the word `for` (reading 156)."""


# --- clauses


def cites(*rules: Cited | None) -> Words:
    """Name every clause behind a value once, each with its reading.

    >>> from croupier.documents.paper import plain
    >>> plain(cites(Cited(clause="7.F(3)", also=("12.C(2)",), reading=27), None, Cited(clause="12.C(2)")))
    '7.F(3) (reading 27), 12.C(2)'
    """
    found: dict[str, Cite] = {}
    for rule in rules:
        if rule is None:
            continue
        if found.get(rule.clause, Cite("")).reading is None:
            found[rule.clause] = Cite(rule.clause, rule.reading)
        for clause in rule.also:
            found.setdefault(clause, Cite(clause))
    parts: list[Inline] = []
    for place, cite in enumerate(found.values()):
        parts += [", ", cite] if place else [cite]
    return tuple(parts)


def sentence(text: str, *rules: Cited | None) -> Words:
    """A sentence with its clauses behind it.

    >>> sentence("The deck is washed.", Cited(clause="4.C(2)"))
    ('The deck is washed. ', Cite(clause='4.C(2)', reading=None))
    """
    law = cites(*rules)
    return (f"{text} ", *law) if law else (text,)


# --- people


def role_words(house: HouseRules, role: Role) -> str:
    """A role by the name that this house gives it (reading 165)."""
    labels: dict[str, str] = dict(house.options.role_map)
    return labels.get(role) or spoken(role)


def given_by(house: HouseRules, duty: Duty) -> str:
    """Who may give a command: `dealer, floorperson or above`."""
    words = [role_words(house, role) for role in duty.by]
    if duty.least is not None:
        words.append(f"{role_words(house, duty.least)} or above")
    return any_of(words)


# --- wagers


def rule_of(house: HouseRules, wager: HouseWager) -> Wager:
    """The rulebook's row of a wager."""
    return next(row for row in house.rulebook.wagers.wager if row.name == wager.name)


def bet_words(house: HouseRules, wager: HouseWager) -> str:
    """What may be bet: limits and steps, one amount, multiples of the main bet, or what the hand allows.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> [bet_words(house, wager) for wager in house.wagers[:2]]
    ['$10 to $500 in steps of $1', '1x, 2x or 3x the ante']
    """
    rule = rule_of(house, wager)
    if rule.stake == "equal":
        return f"the same as {spoken(_main(house).name)}"
    if wager.stakes is not None:
        return str(wager.stakes)
    main = spoken(_main(house).name)
    if wager.multiples:
        return f"{any_of(f'{times}x' for times in wager.multiples)} the {main}"
    most = max(limit.times for limit in house.rulebook.play.raise_limit)
    return f"up to {most}x the {main}, as the hand allows"


def _main(house: HouseRules) -> Wager:
    return next(row for row in house.rulebook.wagers.wager if row.limits_key)


def judged_words(house: HouseRules, wager: HouseWager) -> str:
    """Which cards decide a wager.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> judged_words(house, house.wagers[0])
    "the player's 2 cards and the 3 community cards"
    """
    counts = card_counts(house)
    own = f"the player's {counts['player']} cards"
    words: dict[CardsJudged, str] = {
        "own": own,
        "community": f"the {counts.get('community', 0)} community cards",
        "own_and_community": f"{own} and the {counts.get('community', 0)} community cards",
        "own_and_box": f"{own} and the {counts.get('six_card_box', 0)} cards of the box",
        "best_at_table": "the best hand at the table",
    }
    if wager.evaluator == "against_dealer":
        return f"{own} against the dealer's {counts.get('dealer', 0)}"
    return words[wager.paytables[0].cards or rule_of(house, wager).cards]


def group_title(house: HouseRules, group: str) -> str:
    """The wagers that a paytable settles: `Ante, Third Street, Fourth Street and Fifth Street`."""
    return listed(titled(wager.name) for wager in house.wagers if wager.paytables[0].group == group)


def paytable_name(table: Paytable) -> str:
    """How a paytable is named: `paytable A`, with the number of hands where there is one for each."""
    hands = "" if table.players is None else f", {table.players} {'hand' if table.players == 1 else 'hands'}"
    return f"paytable {table.id}{hands}"


def printed_pay(house: HouseRules, wager: HouseWager, line: Line, *, labels: bool = False) -> str:
    """What a line pays as this house prints it: for the stake that it takes, and never with a word that is forbidden.

    `labels` names the meters as the house does.

    >>> from croupier.rulebook import check, read_submission
    >>> chosen = {"paytable": "MS Stud-01", "meters": {"main": {"initial": "10000", "reset": "10000", "rate": "0.1"}}}
    >>> raw = {"rulebook": "ma-mississippi-stud", "cards": {"deck_hours": 8}, "wagers": {"progressive": chosen}}
    >>> house = check(read_submission(raw)).rules()
    >>> wager = house.wager("progressive")
    >>> [printed_pay(house, wager, line) for line in wager.paytables[0].line][:3]
    ['100% of meter', '10% of meter', '$300']
    """
    pay = parse_pay(line.pays)
    if wager.stakes is not None:
        rule = rule_of(house, wager)
        pay = for_stake(pay, wager=rule, table=wager.paytables[0], stake=wager.stakes.minimum)
    if isinstance(pay, For) and wager.stakes is not None and is_without_for(house):
        if house.options.ma_progressive_print == "dollars":
            return dollars(Cents(pay.multiple * wager.stakes.minimum))
        return str(To(pay.multiple - 1))
    if isinstance(pay, Share) and labels:
        return f"{pay.percent}% of {meter_words(house, pay.meter)}"
    return str(pay)


def is_without_for(house: HouseRules) -> bool:
    """Whether papers of this house never state odds with the word `for`."""
    return any(option.rule.name == NO_FOR for option in house.rulebook.options)


def meter_words(house: HouseRules, meter: str) -> str:
    """A meter by the name that this house gives it: `the meter`, `the Major meter` or its own name."""
    labels: dict[str, str] = dict(house.options.meter_labels)
    if meter in labels:
        return labels[meter]
    return "the meter" if meter == "main" else f"the {meter.title()} meter"


def in_words(names: Iterable[str]) -> str:
    """Several names as people say them."""
    return listed(spoken(name) for name in names)
