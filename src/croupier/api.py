"""The front door for people who write Python: one line from a file, a rulebook or a few cards to an answer.

Amounts here are dollars, as people type them: `25`, `"12.50"`, `"$1,000"`. Everything below this module counts in
whole cents. Cards are text, such as `"Ah Kh"`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier import games
from croupier.analysis import BASE, Case, Price, cached_prices, cases_of, cases_of_house, custom_case, meters_of
from croupier.cards import typed_cards
from croupier.errors import Malformed, MoneyError
from croupier.games import Round, Settled
from croupier.money import Cents, print_dollars, typed_dollars
from croupier.rulebook import (
    HouseRules,
    Rulebook,
    check,
    load_rulebook,
    neither_file_nor_rulebook,
    read_submission,
    read_submission_text,
    rulebook_ids,
    starting_submission,
    typed_paytable,
    typed_rulebook,
    typed_wager,
)
from croupier.tabular import Row, Tabular

if TYPE_CHECKING:
    from croupier.analysis import Advice
    from croupier.simulation import DecisionPoint, MeterReport, Plan, Tally, WagerReport

__all__ = [
    "PriceTable",
    "SettledRound",
    "Simulation",
    "advise",
    "load_house",
    "open_round",
    "price",
    "prices",
    "settle",
    "simulate",
]

House: TypeAlias = HouseRules | str | Path | Mapping[str, Any]
"""House rules, a submission file, a submission as a dict, or a rulebook's id for a house with its defaults."""
Dollars: TypeAlias = str | int | Decimal


def load_house(source: House) -> HouseRules:
    """House rules from a submission file (TOML or JSON), from a dict of the same shape, or from a rulebook's id.

    An invalid submission raises `InvalidSubmission`, which lists every finding with its clause.

    >>> load_house("md-mississippi-stud").seats
    6
    """
    if isinstance(source, HouseRules):
        return source
    if isinstance(source, Mapping):
        submission = read_submission(source)
    elif isinstance(source, str) and (name := typed_rulebook(source)) in rulebook_ids():
        submission = read_submission_text(starting_submission(load_rulebook(name)), name=name)
    elif isinstance(source, str) and not Path(source).exists():
        raise neither_file_nor_rulebook(source)
    else:
        submission = read_submission_text(_read(source), name=str(source))
    return check(submission).rules(name=source if isinstance(source, str) else "the submission")


def open_round(house: House) -> Round:
    """A new round at a house; `croupier.games` says what may be done with it.

    >>> from croupier.games import awaiting
    >>> awaiting(open_round("md-let-it-ride")).kind
    'wagers'
    """
    return games.open_round(load_house(house))


class PriceTable(tuple[Price, ...], Tabular):
    """Prices in the document's order, which are also a table."""

    __slots__ = ()

    def rows(self) -> Sequence[Row]:
        """One row per price: the edge as a float and as a fraction, and whatever else distinguishes prices."""
        return [_price_row(item) for item in self]

    def __repr__(self) -> str:
        return f"<PriceTable: {len(self)} prices>"


def _price_row(priced: Price) -> dict[str, str | int | float | Fraction | None]:
    return {
        "rulebook": priced.rulebook,
        "wager": priced.wager,
        "paytable": priced.paytable,
        "variant": priced.variant,
        "tie_rule": priced.tie_rule,
        "players": priced.players,
        "stake": None if priced.stake is None else priced.stake / 100,
        "house_edge": float(priced.edge),
        "house_edge_exact": priced.edge,
        "standard_deviation": priced.outcomes.standard_deviation,
        "hit_frequency": float(priced.hit),
        "element_of_risk": None if priced.element_of_risk is None else float(priced.element_of_risk),
        "clause": priced.clause,
    }


def prices(*sources: House | Rulebook, wager: str | None = None, paytable: str | None = None) -> PriceTable:
    """Every price of rulebooks or houses, or of the wager and paytable named; without a source, of all rulebooks.

    >>> table = prices("md-mississippi-stud", wager="three_card_bonus")
    >>> [(item.paytable, str(item.edge)) for item in table][:2]
    [('A', '128/5525'), ('B', '308/5525')]
    """
    cases = [case for source in sources or rulebook_ids() for case in _cases(source)]
    cases = _narrowed(cases, wager=wager, paytable=paytable)
    return PriceTable(item for case in cases for item in cached_prices(case))


def price(
    source: House | Rulebook,
    wager: str = BASE,
    paytable: str | Mapping[str, str | int] | None = None,
    *,
    stake: Dollars | None = None,
    meters: Mapping[str, Dollars] | None = None,
    players: int | None = None,
) -> Price:
    """The exact price of one wager; of several that differ in tie rule or variant, the first.

    Without `wager` it is the main game, without `paytable` the first one printed. The edge is a share of one `unit`:
    the ante in stud and High Card Flush, one of the three bets in Let It Ride, the stake of a bonus. A wager that pays
    by the number of players, as Cover All does, needs `players`. A paytable of your own is a dict.

    >>> str(price("md-mississippi-stud").edge), str(price("md-mississippi-stud", "three_card_bonus", "A").edge)
    ('53223/1082900', '128/5525')
    >>> ride = price("md-let-it-ride")
    >>> str(ride.edge), ride.unit
    ('37963/1082900', 'bet')
    >>> mine = {"straight flush": 40, "three of a kind": 30, "straight": 6, "flush": 4, "pair": 1}
    >>> str(price("md-mississippi-stud", "three_card_bonus", mine).edge)
    '128/5525'
    """
    if isinstance(paytable, Mapping):
        if not isinstance(rules := _rules(source), Rulebook):
            raise Malformed(f"a paytable of your own is priced under a rulebook: {', '.join(rulebook_ids())}")
        cases = [custom_case(rules, typed_wager(wager), paytable, players=players)]
    else:
        cases = _narrowed(_cases(source), wager=wager, paytable=paytable, players=players)
    case = cases[0]
    if players is None and (columns := sorted({each.table.players for each in cases if each.table.players})):
        raise Malformed(f"{case.wager} pays by the number of players: give players={' or '.join(map(str, columns))}")
    if stake is not None:
        case = replace(case, stake=_cents(stake))
    if unknown := [name for name in meters or {} if name not in meters_of(case.table)]:
        known = ", ".join(meters_of(case.table)) or "none"
        raise Malformed(f"no meter {unknown[0]!r} here; there is {known}")
    if meters is not None:
        case = replace(case, meters={**case.meters, **{name: _cents(amount) for name, amount in meters.items()}})
    return cached_prices(case)[0]


def advise(
    source: House | Rulebook,
    cards: str | Sequence[str],
    community: str | Sequence[str] = "",
    bets: str | Sequence[str] = (),
    paytable: str | None = None,
) -> Advice:
    """The exact value of every action in a position, in antes or bets, and which are best.

    >>> advice = advise("md-mississippi-stud", "Qh Jh", community="9h 2c", bets="1x 1x")
    >>> advice.best, str(advice.actions["1x"])
    (('1x',), '-11/4')
    """
    from croupier.analysis import advise as value_actions

    rules = _rules(source)
    if isinstance(rules, HouseRules):
        paytable = paytable or _main_paytable(rules)
        rules = rules.rulebook
    before = bets.split() if isinstance(bets, str) else bets
    hand, board = (typed_cards(text if isinstance(text, str) else " ".join(text)) for text in (cards, community))
    return value_actions(rules, hand, community=board, bets=before, paytable=paytable)


class SettledRound(Tabular):
    """What a round paid: `seats` in settlement order, `meters` as it leaves them, `house_net` in cents."""

    def __init__(self, settled: Settled, warnings: Iterable[str] = ()) -> None:
        self.seats = settled.seats
        self.meters = settled.meters
        self.house_net = settled.house_net
        self.warnings = tuple(warnings)

    def rows(self) -> Sequence[Row]:
        """One row per wager and envy bonus, amounts in dollars, with the clause that decided it."""
        return [
            {
                "seat": seat.seat,
                "wager": wager.wager,
                "staked": wager.staked / 100,
                "outcome": wager.outcome,
                "hand": wager.hand,
                "pays": wager.pays,
                "won": wager.won / 100,
                "returned": wager.returned / 100,
                "clause": wager.clause,
                "reading": wager.reading,
                "why": wager.why,
            }
            for seat in self.seats
            for wager in seat.wagers
        ] + [
            {
                "seat": seat.seat,
                "wager": "envy",
                "staked": 0.0,
                "outcome": "win",
                "hand": envy.hand,
                "pays": None,
                "won": envy.won / 100,
                "returned": 0.0,
                "clause": envy.clause,
                "reading": None,
                "why": f"envy for the hand at seat {envy.from_seat}",
            }
            for seat in self.seats
            for envy in seat.envy
        ]

    def __repr__(self) -> str:
        seats = f"{len(self.seats)} seat{'s' if len(self.seats) != 1 else ''}"
        return f"<SettledRound: {seats}, house net {print_dollars(self.house_net)}>"


def settle(described: Mapping[str, Any] | str | Path, house: House | None = None) -> SettledRound:
    """What a finished round should have paid, from the JSON of `croupier settle` or a file that holds it.

    With `house` the description needs no submission. A round that the rules do not allow raises `RuleViolation`.

    >>> hand = {"seat": 1, "wagers": {"ante": "10.00"}, "cards": "Ah Kh", "decisions": ["3x", "1x", "2x"]}
    >>> paid = settle({"seats": [hand], "community": "Qh Jh Th"}, house="md-mississippi-stud")
    >>> [(wager.wager, wager.won) for wager in paid.seats[0].wagers][:2]
    [('ante', 500000), ('third_street', 1500000)]
    """
    raw = described if isinstance(described, Mapping) else json.loads(_read(described))
    if house is None:
        checked = games.check_round(games.read_report(raw))
    else:
        rules = load_house(house)
        checked = games.check_round_by(rules, games.read_report({**raw, "submission": {"rulebook": rules.rulebook.id}}))
    settled = games.settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    return SettledRound(settled, checked.warnings)


class Simulation(Struct, Tabular, frozen=True):
    """Simulated rounds: every wager next to its exact edge, and what became of the meters."""

    plan: Plan
    tally: Tally
    wagers: tuple[WagerReport, ...]
    meters: tuple[MeterReport, ...]

    def rows(self) -> Sequence[Row]:
        """One row per seat and wager; edges are shares of one ante, bet or stake."""
        return [
            {
                "seat": wager.seat,
                "wager": wager.wager,
                "rounds": wager.rounds,
                "house_edge": float(wager.edge),
                "standard_error": wager.standard_error,
                "exact_edge": None if wager.exact is None else wager.exact.edge,
                "agrees": wager.agrees,
            }
            for wager in self.wagers
        ]

    def __repr__(self) -> str:
        return f"<Simulation: {self.tally.rounds:,} rounds of {self.plan.house.rulebook.id}>"


def simulate(
    house: House,
    rounds: int = 100_000,
    *,
    seats: int = 1,
    bets: Mapping[str, Dollars] | None = None,
    strategy: str | Callable[[DecisionPoint], str] = "optimal",
    mistakes: Fraction | int = 0,
    seed: int = 0,
) -> Simulation:
    """Play rounds by the million; `bets` in dollars, or every wager at its minimum.

    >>> played = simulate("md-mississippi-stud", 20_000, bets={"ante": 10}, seed=7)
    >>> played.wagers[0].rounds, played.wagers[0].agrees
    (20000, True)
    """
    from croupier.simulation import Plan, Seat, play_by, report_meters, report_wagers
    from croupier.simulation import simulate as run

    if type(rounds) is not int or rounds < 1:
        raise Malformed(f"{rounds!r} rounds: give a whole number of at least 1")
    rules = load_house(house)
    plan = Plan(
        house=rules,
        seats=tuple(Seat(number, _stakes(rules, bets)) for number in range(1, seats + 1)),
        strategy=strategy if isinstance(strategy, str) else f"yours:{strategy.__name__}",
        mistakes=int(mistakes * 1_000_000),
        seed=seed,
    )
    tally = run(plan, rounds) if isinstance(strategy, str) else play_by(plan, strategy, rounds)
    return Simulation(plan, tally, tuple(report_wagers(plan, tally)), tuple(report_meters(plan, tally)))


def _stakes(house: HouseRules, bets: Mapping[str, Dollars] | None) -> tuple[tuple[Any, Cents], ...]:
    given = {typed_wager(name): _cents(amount) for name, amount in (bets or {}).items()}
    stakes: list[tuple[Any, Cents]] = []
    offered = {BASE if wager.paytables[0].group == BASE else wager.name for wager in house.wagers}
    if unknown := [name for name in given if name not in offered]:
        raise Malformed(f"{', '.join(unknown)}: not offered at this house, which has {', '.join(sorted(offered))}")
    for wager in house.wagers:
        name = BASE if wager.paytables[0].group == BASE else wager.name
        if wager.stakes is not None and (not given or name in given):
            stakes.append((wager.name, given.get(name, wager.stakes.minimum)))
    return tuple(stakes)


def _cases(source: House | Rulebook) -> list[Case]:
    rules = _rules(source)
    return list(cases_of(rules) if isinstance(rules, Rulebook) else cases_of_house(rules))


def _rules(source: House | Rulebook) -> HouseRules | Rulebook:
    """The rulebook that is meant, by its id or as people call its game; otherwise a house."""
    if isinstance(source, str) and (name := typed_rulebook(source)) in rulebook_ids():
        return load_rulebook(name)
    return source if isinstance(source, Rulebook) else load_house(source)


def _narrowed(
    cases: list[Case], *, wager: str | None = None, paytable: str | None = None, players: int | None = None
) -> list[Case]:
    """The cases of this wager, paytable and number of players; an unknown name raises an error that lists them."""
    if wager is not None:
        named = [case for case in cases if case.wager == typed_wager(wager)]
        cases = _known(named, f"wager {wager!r}", {case.wager for case in cases})
    if paytable is not None:
        meant = typed_paytable(paytable, (case.table.id for case in cases))
        named = [case for case in cases if case.table.id == meant]
        cases = _known(named, f"paytable {paytable!r}", {case.table.id for case in cases})
    if players is not None:
        named = [case for case in cases if case.table.players == players]
        cases = _known(named, f"price for {players} players", {str(case.table.players or "any") for case in cases})
    return cases


def _known(cases: list[Case], asked: str, known: set[str]) -> list[Case]:
    if not cases:
        raise Malformed(f"no {asked} here; available: {', '.join(sorted(known))}")
    return cases


def _main_paytable(house: HouseRules) -> str:
    return next(wager.paytables[0].id for wager in house.wagers if wager.paytables[0].group == BASE)


def _cents(amount: Dollars) -> Cents:
    if isinstance(amount, bool) or not isinstance(amount, str | int | Decimal):
        raise MoneyError(f"{amount!r} is not an amount: write dollars as 25, '12.50' or '$1,000'")
    return typed_dollars(str(amount))


def _read(source: str | Path) -> str:
    try:
        return Path(source).read_text("utf-8")
    except OSError as error:
        raise Malformed(f"{source}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Malformed(f"{source}: not a text file") from None
