"""The payout sign: every wager that a house offers with what it pays, and the rules that a player must be able to see.

What the sign says is a value of its own, made from the house rules alone. `sign_drawing` fits it to a sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from croupier.cards import rank_word
from croupier.documents.house_words import printed_pay, rule_of
from croupier.documents.paper import PageSize
from croupier.documents.particulars import Particulars
from croupier.games import rules_of
from croupier.money import Share, parse_pay
from croupier.present import any_of, capitalized, dollars, line_words, listed, spoken, the_wager, titled
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.schema import RaiseLimit

__all__ = [
    "HELP",
    "SIZES",
    "Distance",
    "Panel",
    "Sign",
    "SignRule",
    "SignSize",
    "printed_hand",
    "sign_of",
    "wagers_title",
]

HELP: Final = "Problem gambling help"
"""Before the ruled blank of a sign that nobody gave a help line for."""
POINTS: Final = 72
CAP_HEIGHT: Final = 0.66
"""The height of a capital letter in the body type, of its size."""
_NUMBERS: Final = ("", "one", "two", "three", "four", "five", "six", "seven")
_BELOW: Final = {"ante_paid_raise_returned": "Otherwise the ante is paid {pays} and the raise pushes."}


class Distance(Struct, frozen=True):
    """From where a sign is read, and how large its letters must be for that.

    The rule is Snellen's: somebody with the sight of a US driver (20/40) reads a letter that fills 10 minutes of arc,
    which is one inch for every 28.6 feet: the `25 to 30 feet to the inch` of sign makers. At 20/25 it is 6.25 minutes.
    """

    feet: float

    @property
    def comfortable(self) -> float:
        """The size of body type in points that 20/40 reads from here."""
        return self._type(10)

    @property
    def least(self) -> float:
        """The size of body type in points that 20/25 reads from here; a sign is never set smaller."""
        return self._type(6.25)

    def _type(self, minutes: float) -> float:
        height = self.feet * 12 * minutes * 3.14159265 / (180 * 60)
        return height * POINTS / CAP_HEIGHT


class SignSize(Struct, frozen=True):
    """A sheet that signs are printed on, and from where it is read."""

    sheet: PageSize
    distance: Distance


SIZES: Final = {
    # Stands on the table beside the layout: read by those who sit there.
    "letter": SignSize(PageSize(8.5, 11.0, 0.5, 12.0, "letter"), Distance(4.0)),
    # Hangs in a frame at the table: read by those who stand behind the seats.
    "tabloid": SignSize(PageSize(11.0, 17.0, 0.6, 18.0, "tabloid"), Distance(6.0)),
    # Hangs above the pit or stands in the aisle.
    "poster": SignSize(PageSize(24.0, 36.0, 1.2, 36.0, "poster"), Distance(12.0)),
}


class Panel(Struct, frozen=True, kw_only=True):
    """One paytable: the wagers that it settles, what they take, and what each hand pays."""

    title: str
    stakes: str
    head: tuple[str, ...]
    """The heads of the columns, the hand's first; all empty where a sign needs none."""
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class SignRule(Struct, frozen=True):
    """A rule of play in a sentence or two."""

    title: str
    text: str


class Sign(Struct, frozen=True, kw_only=True):
    """Everything that the sign of a house says."""

    title: str
    operator: str
    place: str
    panels: tuple[Panel, ...]
    notices: tuple[SignRule, ...]
    help_line: str
    address: str
    logo: str
    foot: str


def sign_of(house: HouseRules, particulars: Particulars) -> Sign:
    """The sign of a house; the same rules and particulars give the same sign."""
    source = house.rulebook.source
    marks = [
        particulars.version and f"version {particulars.version}",
        particulars.date and particulars.date.isoformat(),
        f"rules {house.hash}",
    ]
    return Sign(
        title=source.title,
        operator=house.operator,
        place=source.jurisdiction,
        panels=tuple(_panels(house)),
        notices=tuple(_notices(house)),
        help_line=particulars.help_line,
        address=particulars.address,
        logo=particulars.logo,
        foot=" · ".join([source.document, *(mark for mark in marks if mark)]),
    )


# --- paytables


def _panels(house: HouseRules) -> Iterator[Panel]:
    groups: dict[str, list[HouseWager]] = {}
    for wager in house.wagers:
        groups.setdefault(wager.paytables[0].group, []).append(wager)
    for wagers in groups.values():
        first = wagers[0]
        envy = first.envy
        hands = first.paytables[0].line
        names = dict.fromkeys([line.hand for line in hands] + [line.hand for line in (envy.line if envy else ())])
        head: tuple[str, ...] = ("", "")
        tables = sorted(first.paytables, key=lambda table: table.players or 0)
        columns = [{line.hand: printed_pay(house, first, line) for line in table.line} for table in tables]
        if len(tables) > 1:
            head = ("Hands dealt", *(str(table.players) for table in tables))
        if envy is not None:
            columns.append({line.hand: line.pays for line in envy.line})
            head = ("", "Pays", "Envy bonus")
        yield Panel(
            title=wagers_title([wager.name for wager in wagers]),
            stakes=_stakes(wagers),
            head=head,
            rows=tuple((printed_hand(name), *(column.get(name, "") for column in columns)) for name in names),
            notes=tuple(_notes(house, first)),
        )


def printed_hand(name: str) -> str:
    """A hand as the sign names it."""
    return capitalized("higher hand than the dealer's" if name == "win" else line_words(name))


def _stakes(wagers: Sequence[HouseWager]) -> str:
    """What may be bet, where it is an amount; bets that follow another have a rule of their own."""
    first = wagers[0]
    if first.stakes is None:
        return ""
    each = " each" if len(wagers) > 1 and all(wager.stakes for wager in wagers) else ""
    main = f"{titled(first.name)} " if len(wagers) > 1 and not each else ""
    low, high = dollars(first.stakes.minimum), dollars(first.stakes.maximum)
    return f"{main}{low if low == high else f'{low} to {high}'}{each}"


def _notes(house: HouseRules, wager: HouseWager) -> Iterator[str]:
    labels: dict[str, str] = dict(house.options.meter_labels)
    shares = [pay for line in wager.paytables[0].line if isinstance(pay := parse_pay(line.pays), Share)]
    for name, words in dict.fromkeys((share.meter, str(share).partition(" of ")[2]) for share in shares):
        for meter in wager.meters:
            if meter.name == name:
                known = f"{capitalized(words)}{f' ({labels[name]})' if name in labels else ''}"
                yield f"{known} starts at {dollars(meter.initial)} and resets to {dollars(meter.reset)}."
    if wager.link:
        yield "The progressive is shared with other tables."
    if wager.envy is not None:
        bet = the_wager(wager.name)
        yield f"The envy bonus is paid on another player's hand, to everyone who has made {bet} wager."
    if wager.name == "six_card_bonus" and house.options.six_card_super_royal_payment == "annuity":
        yield "A super royal in dollars is paid in yearly installments."


def wagers_title(names: Sequence[str]) -> str:
    """Several wagers in a heading, without saying the same word again and again.

    >>> wagers_title(["ante", "third_street", "fourth_street"]), wagers_title(["bet_1", "bet_2", "bet_3"])
    ('Ante, Third and Fourth Street', 'Bets 1, 2 and 3')
    """
    words = [titled(name).split() for name in names]
    if len(words) > 1 and len({said[0] for said in words}) == 1:
        return f"{words[0][0]}s {listed(' '.join(said[1:]) for said in words)}"
    short = [
        " ".join(said[:-1] if following and said[-1] == following[-1] and len(said) > 1 else said)
        for said, following in zip(words, [*words[1:], None], strict=True)
    ]
    return listed(short)


# --- rules of play


def _notices(house: HouseRules) -> Iterator[SignRule]:
    yield from _streets(house)
    yield from _withdrawals(house)
    yield from _raises(house)
    yield from _dealer(house)
    yield from _limit(house)
    for wager in house.wagers:
        if rule_of(house, wager).registered is not None:
            name = spoken(wager.name)
            yield SignRule(
                f"Is your {name} lit?",
                f"Make sure that your {name} wager was accepted: its light is on before the cards are dealt."
                " A wager that is not lit is not in play.",
            )
    if house.match_play:
        yield SignRule("Match play", f"Match play coupons pay {house.match_play}.")


def _streets(house: HouseRules) -> Iterator[SignRule]:
    """Bets that are multiples of the main bet."""
    following = [wager for wager in house.wagers if wager.multiples]
    if following:
        main = spoken(house.wagers[0].name)
        times = any_of(f"{times}x" for times in following[0].multiples)
        each = " on each" if len(following) > 1 else ""
        can_fold = any("fold" in choice.choices for choice in house.rulebook.play.choice)
        yield SignRule(
            wagers_title([wager.name for wager in following]),
            f"Bet {times} the {main}{each}{', or fold' if can_fold else ''}.",
        )


def _withdrawals(house: HouseRules) -> Iterator[SignRule]:
    free = [wager.name for wager in house.wagers if rule_of(house, wager).withdraw is not None]
    if free:
        group = house.wagers[0].paytables[0].group
        bound = [wager.name for wager in house.wagers if wager.paytables[0].group == group and wager.name not in free]
        stays = f" {capitalized(listed(map(spoken, bound)))} always stays." if bound else ""
        yield SignRule(
            "Let it ride, or take it back",
            f"{capitalized(listed(map(spoken, free)))} may each be taken back when it is offered.{stays}",
        )


def _raises(house: HouseRules) -> Iterator[SignRule]:
    limits = house.rulebook.play.raise_limit
    if limits:
        main = spoken(house.wagers[0].name)
        yield SignRule("Raise or fold", " ".join(_raise(limit, main) for limit in limits))


def _raise(limit: RaiseLimit, main: str) -> str:
    lengths = range(limit.shortest, limit.longest + 1)
    cards = any_of([*(f"{_NUMBERS[length]}-" for length in lengths[:-1]), f"{_NUMBERS[lengths[-1]]}-card flush"])
    return f"{capitalized(cards)}: raise {'up to ' if limit.times > 1 else ''}{limit.times}x the {main}."


def _dealer(house: HouseRules) -> Iterator[SignRule]:
    play = house.rulebook.play
    if play.qualify is not None:
        ante = house.wagers[0].paytables[0].line[0].pays
        lowest = f"{_NUMBERS[play.qualify.length]}-card flush, {rank_word(play.qualify.ranks[0])} high"
        yield SignRule(
            "Does the dealer qualify?",
            f"The dealer qualifies with a {lowest}, or better. {_BELOW[play.qualify.below].format(pays=ante)}",
        )
    if play.versus is not None:
        yield SignRule("Against the dealer", "A higher hand wins, an equal hand pushes, a lower hand loses.")


def _limit(house: HouseRules) -> Iterator[SignRule]:
    limited = rules_of(house).limited
    names = [wager.name for wager in house.wagers if wager.name in limited]
    if house.payout_limit is not None and names:
        together = " together" if len(names) > 1 else ""
        yield SignRule(
            "Payout limit",
            f"One hand wins at most {dollars(house.payout_limit)} on {listed(map(the_wager, names))}{together}.",
        )
