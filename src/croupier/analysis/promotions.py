"""Promotions priced exactly: match play coupons, and lines of a paytable that pay more for a while."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cases import BASE, StreetGame, main_table, streets_of, wager_of
from croupier.analysis.cost_of_play import adapted_play, brings, cost_of, limit_cost
from croupier.analysis.streets.game import best_play, odds_of, payoff_of
from croupier.analysis.streets.solve import Payoff, StreetSolution, solve
from croupier.errors import Malformed, RuleViolation
from croupier.money import Cents, Push, Share, To, parse_pay, print_dollars, settle, with_breakage
from croupier.rulebook import HouseRules, load_rulebook, rulebook_ids, typed_wager
from croupier.rulebook.schema import Paytable

__all__ = ["CouponCost", "HigherPays", "coupon_cost", "higher_pays", "with_pays"]

FINE: Final = 100
"""Parts of a cent in which play is chosen while a coupon that is kept has a value of its own."""


class CouponCost(Struct, frozen=True, kw_only=True):
    """What one match play coupon costs until it is won or lost; money in cents."""

    value: Cents
    bet: Cents
    pays: str
    enabled: bool
    """Whether the submission accepts coupons."""
    clause: str
    reading: int | None
    wins: Fraction
    """The chance that the main bet wins a round, under best play of the main game."""
    pushes: Fraction
    """The chance that it pushes, so that the coupon is kept."""
    won: Cents
    """What a coupon that wins pays."""
    adapted: Fraction
    """What it costs if the player plays every hand for bet and coupon together: nobody can get more."""
    theo: Fraction
    """What the house expects to win from the chips beside it in one round."""

    @property
    def cost(self) -> Fraction:
        """What it costs under best play of the main game."""
        return self.wins * self.won / (1 - self.pushes)

    @property
    def rounds(self) -> Fraction:
        """Rounds until the coupon is won or lost, on average."""
        return 1 / (1 - self.pushes)


def coupon_cost(house: HouseRules, value: Cents, bet: Cents | None = None) -> CouponCost:
    """The cost of a coupon beside a main bet, which matches it unless it is given (reading 95).

    >>> from croupier.rulebook import check, read_submission
    >>> filed = {"rulebook": "ma-mississippi-stud", "cards": {"deck_hours": 8}, "match_play": {"enabled": True}}
    >>> priced = coupon_cost(check(read_submission(filed)).rules(), Cents(2500))
    >>> priced.wins, f"{float(priced.cost) / 100:.2f}", f"{float(priced.adapted) / 100:.2f}"
    (Fraction(61349, 382200), '4.47', '4.53')
    """
    bet = value if bet is None else bet
    game, rule = streets_of(house.rulebook), house.rulebook.wagers.instruments
    if game is None or rule.coupon is None:
        message = f"{house.rulebook.id} does not provide for match play coupons{_which_do()}"
        raise RuleViolation("not_accepted", message, clause=rule.clause, reading=95)
    if not 0 < value <= bet:
        raise Malformed(f"a coupon of {print_dollars(value)} must be matched by chips; the bet is {print_dollars(bet)}")
    cost_of(house, {BASE: bet})  # refuses a bet that the table would not take
    terms = house.match_play or "1 to 1"
    won = with_breakage(settle(parse_pay(terms), stake=value).won, house.options.payout_breakage)
    alone, odds = best_play(game, odds_of(main_table(house))), odds_of(main_table(house))
    payoff = payoff_of(game, odds, bet=bet, limit=house.payout_limit)
    return CouponCost(
        value=value,
        bet=bet,
        pays=terms,
        enabled=house.match_play is not None,
        clause=rule.coupon.clause,
        reading=rule.coupon.reading,
        wins=_share(alone, [odd > 0 for odd in odds]),
        pushes=_share(alone, [odd == 0 for odd in odds]),
        won=won,
        adapted=_adapted(game, odds, payoff, alone, won),
        theo=-brings(alone, payoff),
    )


def _share(play: StreetSolution, counted: Sequence[bool]) -> Fraction:
    """How often play ends on a hand of these kinds, not folded."""
    played = play.played.sum(axis=1).tolist()
    return Fraction(sum(count for count, yes in zip(played, counted, strict=True) if yes), play.game.deals)


def _adapted(game: StreetGame, odds: Sequence[int], payoff: Payoff, alone: StreetSolution, won: Cents) -> Fraction:
    """What a coupon is worth to a player who plays for it; a kept one is worth as much again.

    What a way to play brings is a line in the worth of a kept coupon, and best play the highest of these lines, so
    every step comes nearer. Play that is best a hundredth of a cent below and above is best in between.
    """
    usual, worth = brings(alone, payoff), Fraction(0)
    while True:
        plays = [_play_for(game, odds, payoff, won, floor(worth * FINE) + more) for more in (0, 1)]
        worths = []
        for play in plays:
            wins, pushes = _share(play, [odd > 0 for odd in odds]), _share(play, [odd == 0 for odd in odds])
            worths.append((wins * won + brings(play, payoff) - usual) / (1 - pushes))
        if max(worths) <= worth:
            return worth
        worth = max(worths)


def _play_for(game: StreetGame, odds: Sequence[int], payoff: Payoff, won: Cents, kept: int) -> StreetSolution:
    beside = [FINE * won if odd > 0 else kept if odd == 0 else 0 for odd in odds]
    pays = payoff.pays * FINE
    for kind, more in enumerate(beside):
        pays[kind] += more
    return solve(game, Payoff(pays, payoff.folds * FINE))


# --- higher pays


class HigherPays(Struct, frozen=True):
    """What changed lines of paytables cost per round for a player's bets, in cents."""

    before: Fraction
    """The theoretical win per round as filed, progressives in the long run."""
    after: Fraction

    @property
    def cost(self) -> Fraction:
        """What the promotion costs per round and player, under best play before and after."""
        return self.before - self.after


def higher_pays(
    house: HouseRules, lines: Mapping[tuple[str, str], str], bets: Mapping[str, Cents], *, players: int = 1
) -> HigherPays:
    """The cost of paying these lines, by wager and hand, for one player's bets.

    >>> from croupier.rulebook import check, read_submission
    >>> filed = {"rulebook": "md-mississippi-stud", "wagers": {"three_card_bonus": {"paytable": "A"}}}
    >>> house = check(read_submission(filed)).rules()
    >>> bets = {"base": Cents(1000), "three_card_bonus": Cents(500)}
    >>> str(higher_pays(house, {("three_card_bonus", "straight_flush"): "50 to 1"}, bets).cost)
    '2400/221'
    """
    if unbet := [wager for wager, _ in lines if typed_wager(wager) not in bets]:
        raise Malformed(f"{unbet[0]}: no bet is given on the wager whose pays change")
    changed = house
    for (wager, hand), pays in lines.items():
        changed = with_pays(changed, typed_wager(wager), hand, pays)
    return HigherPays(*(_theo(rules, bets, players) for rules in (house, changed)))


def _theo(house: HouseRules, bets: Mapping[str, Cents], players: int) -> Fraction:
    limit = limit_cost(house, bets)
    if limit is None:
        raise Malformed("readings.cap: the payout limit covers more wagers than the document names; no exact price")
    costs = cost_of(house, bets, players=players)
    edges = [cost.edge if cost.long_run_edge is None else cost.long_run_edge for cost in costs]
    adapted = adapted_play(house, {BASE: bets[BASE]})  # to the payout limit, which higher pays can reach
    gain = adapted.gain if adapted else 0
    return sum((cost.amount * edge for cost, edge in zip(costs, edges, strict=True)), limit) - gain


def with_pays(house: HouseRules, wager: str, hand: str, pays: str) -> HouseRules:
    """A house that pays a line of a wager's paytable otherwise, whether or not its document allows it."""
    group = BASE if wager == BASE else wager_of(house.rulebook, wager).paytables
    offered = [row for row in house.wagers if row.paytables[0].group == group]
    if not offered:
        raise Malformed(f"{wager!r} is not offered")
    pay, hand = parse_pay(pays), hand.strip().lower().replace(" ", "_").replace("-", "_")
    hands = [line.hand for line in offered[0].paytables[0].line]
    if hand not in hands:
        raise Malformed(f"{wager} {offered[0].paytables[0].id} has no line {hand!r}: {', '.join(hands)}")
    if group == BASE and not (isinstance(pay, To | Push) and streets_of(house.rulebook)):
        raise Malformed("a main bet pays n to 1 or Push; a hand against the dealer's pays 1 to 1")
    if isinstance(pay, Share):
        raise Malformed("a share of a meter is not a promotion: change the paytable, and see croupier meter")
    return replace(
        house,
        wagers=tuple(
            replace(row, paytables=tuple(_changed(table, hand, str(pay)) for table in row.paytables))
            if row.paytables[0].group == group
            else row
            for row in house.wagers
        ),
    )


def _changed(table: Paytable, hand: str, pays: str) -> Paytable:
    return replace(table, line=tuple(replace(line, pays=pays) if line.hand == hand else line for line in table.line))


def _which_do() -> str:
    """The rulebooks that provide for coupons."""
    books = [name for name in rulebook_ids() if load_rulebook(name).wagers.instruments.coupon is not None]
    return f"; {' and '.join(books)} {'does' if len(books) == 1 else 'do'}" if books else ""
